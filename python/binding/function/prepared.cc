// SPDX-License-Identifier: Apache-2.0
// Prepared calls. For each argument whose example was an array, a tensor object is made once, and
// each call writes the address, shape, strides and data type of the new array into this object. All
// other arguments, and arrays that differ from the example in type, are converted as in any call.
// So a prepared call has the same results and errors as a call of the function.
//
// During a call, the tensor object owns the array. The native function may keep a tensor: if the
// tensor object still has other references after the call, the next call makes a new one.
#include "prepared.h"

#include <cstddef>
#include <new>
#include <utility>

#include "../call.h"
#include "../convert/borrowed_tensor.h"
#include "../convert/numpy_array.h"
#include "../frame.h"
#include "../keywords.h"
#include "../raise.h"
#include "../type/types.h"

namespace binding {
namespace {

// Tensors with more dimensions are converted as in any call.
constexpr int32_t kMaxDimensions = kMaxBorrowedDimensions;

enum class Load : uint8_t { kAny, kTensor, kNumpy, kTorch };

// The conversion of one argument.
struct Slot {
  Load load = Load::kAny;
  PyTypeObject* type = nullptr;    // type of the example, owned; NULL for kAny
  TVMFFIObject* tensor = nullptr;  // a BorrowedTensorObj, owned; NULL until first use
  const DLPackExchangeAPI* api = nullptr;
  NumpyDtype dtype;  // of the last array
};

struct PreparedCall {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* function;  // core.Function, owned; NULL after tp_clear
  // The vectorcall of the function at the last check (function_exact_path). While the function has
  // this vectorcall, calls may use the slots. NULL if each call must be passed on to the function.
  vectorcallfunc path;
  // One allocation: `size` slots, then `size` values and `size` places for temporary objects.
  Slot* slots;
  TVMFFIAny* values;
  TVMFFIObject** places;
  Py_ssize_t size;
  bool busy;        // a call is in progress and uses the slots
  bool only_views;  // see Arguments
};

PyTypeObject PreparedCallType = static_type();

PreparedCall* as_prepared(PyObject* x) { return reinterpret_cast<PreparedCall*>(x); }

// Makes the tensor object of the slot if there is none. Returns 0, or -1 with MemoryError.
inline int slot_tensor(Slot* slot) {
  if (BINDING_LIKELY(slot->tensor != nullptr)) return 0;
  slot->tensor = BorrowedTensorObj::make(kMaxDimensions);
  return slot->tensor == nullptr ? -1 : 0;
}

int load_numpy(Slot* slot, PyObject* x, TVMFFIAny* out, Arguments* args) {
  NumpyArray array;
  if (BINDING_UNLIKELY(!numpy_array_read(x, &slot->dtype, &array) || array.ndim > kMaxDimensions)) {
    return value_from_py_slow(x, out, args);
  }
  if (slot_tensor(slot) < 0) return -1;
  if (BINDING_UNLIKELY(!as_borrowed_tensor(slot->tensor)->describe(array))) {
    return value_from_py_slow(x, out, args);
  }
  as_borrowed_tensor(slot->tensor)->set_owner_steal(compat_new_ref(x));
  value_set_object(out, slot->tensor);
  return 0;
}

int load_torch(Slot* slot, PyObject* x, TVMFFIAny* out, Arguments* args) {
  DLTensor tensor{};
  int described = torch_describe(x, slot->api, &tensor);
  if (BINDING_UNLIKELY(described < 0)) return -1;
  if (BINDING_UNLIKELY(described == 0 || tensor.ndim > kMaxDimensions)) {
    return value_from_py_slow(x, out, args);  // raises the exception with the reason
  }
  if (slot_tensor(slot) < 0) return -1;
  bool later = described == kTorchReadInPlace && args->storage_can_wait();
  PyObject* owner =
      later || args->only_views ? compat_new_ref(x) : torch_storage(x, slot->api, &tensor);
  if (BINDING_UNLIKELY(owner == nullptr)) return -1;
  as_borrowed_tensor(slot->tensor)->describe(tensor);
  as_borrowed_tensor(slot->tensor)->set_owner_steal(owner);
  if (later) as_borrowed_tensor(slot->tensor)->own_storage_later();
  value_set_object(out, slot->tensor);
  return note_framework(slot->api, tensor.device, args->context);
}

BINDING_INLINE int load(Slot* slot, PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (BINDING_UNLIKELY(Py_TYPE(x) != slot->type)) return value_from_py(x, out, args);
  switch (slot->load) {
    case Load::kTensor:
      return tensor_wrapper_from_py(x, out, args);
    case Load::kNumpy:
      return load_numpy(slot, x, out, args);
    case Load::kTorch:
      return load_torch(slot, x, out, args);
    default:
      return value_from_py(x, out, args);
  }
}

// Marks the slots as busy during a call.
class SlotsInUse {
 public:
  explicit SlotsInUse(PreparedCall* call) : call_(call) { call->busy = true; }
  ~SlotsInUse() {
    for (Py_ssize_t i = 0; i < call_->size; ++i) {
      TVMFFIObject*& tensor = call_->slots[i].tensor;
      if (tensor == nullptr) continue;
      uint64_t count = __atomic_load_n(&tensor->combined_ref_count, __ATOMIC_ACQUIRE);
      if (BINDING_LIKELY(count == kStrongOne + kWeakOne)) {
        as_borrowed_tensor(tensor)->release_owner();  // may run Python
      } else {
        borrowed_tensor_release(std::exchange(tensor, nullptr));  // the native function kept it
      }
    }
    call_->busy = false;
  }
  SlotsInUse(const SlotsInUse&) = delete;
  SlotsInUse& operator=(const SlotsInUse&) = delete;

 private:
  PreparedCall* call_;
};

BINDING_INLINE int convert_and_call(PreparedCall* call, FunctionWrapper* function,
                                    PyObject* const* args, TVMFFIAny* result,
                                    const DLPackExchangeAPI** api) {
  CallContext context;
  SlotsInUse in_use(call);
  Arguments arguments{Temporaries(call->places), &context, false, call->only_views};
  Frame frame(call->values);
  if (BINDING_UNLIKELY(!frame)) return -1;
  for (Py_ssize_t i = 0; i < call->size; ++i) {
    if (BINDING_UNLIKELY(load(&call->slots[i], args[i], &call->values[i], &arguments) < 0)) {
      return raise_from_argument(Given{function->base.handle, nullptr, args, call->values, i});
    }
    frame.grow();
  }
  Given given{function->base.handle, nullptr, args, call->values, call->size};
  return call_converted(function->release_gil ? Gil::kRelease : Gil::kHold, given, context, result,
                        api);
}

// Passes the call on to the function, without the slots. Used if the call differs from the examples
// in the number of arguments, has keywords or leaves out arguments that have defaults. Also used
// while another call of the same PreparedCall is in progress.
BINDING_COLD PyObject* call_plain(PreparedCall* call, PyObject* const* args, size_t nargsf,
                                  PyObject* kwnames) {
  if (call->function == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "the prepared call was cleared by the garbage collector");
    return nullptr;
  }
  Ref function = Ref::borrow(call->function);
  PyObject* result = PyObject_Vectorcall(function.get(), args, nargsf, kwnames);
  // Check again: the call may have read the names of the parameters.
  call->path = function_exact_path(function.get(), call->size);
  return result;
}

PyObject* prepared_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  PreparedCall* call = as_prepared(self);
  auto* function = reinterpret_cast<FunctionWrapper*>(call->function);
  // Without the GIL, two threads could use the slots at the same time.
  if (BINDING_UNLIKELY(!BINDING_HAS_GIL || PyVectorcall_NARGS(nargsf) != call->size || call->busy ||
                       function == nullptr || function->vectorcall != call->path ||
                       function->base.handle == nullptr ||
                       function->base.handle->type_index != kTVMFFIFunction ||
                       (kwnames != nullptr && PyTuple_GET_SIZE(kwnames) != 0))) {
    return call_plain(call, args, nargsf, kwnames);
  }
  TVMFFIAny result;
  const DLPackExchangeAPI* api = nullptr;
  Py_INCREF(function);
  BINDING_COUNT_CALL(++function->active);
  int status = convert_and_call(call, function, args, &result, &api);
  BINDING_COUNT_CALL(--function->active);
  Py_DECREF(function);
  if (BINDING_UNLIKELY(status < 0)) return nullptr;
  return api == nullptr ? value_to_py_steal(result) : result_to_framework_steal(api, result);
}

int prepare_slot(Slot* slot, PyObject* example) {
  FromPy from_py = from_py_of(example);
  if (from_py == nullptr) return -1;
  PyTypeObject* type = Py_TYPE(example);
  if (from_py == tensor_wrapper_from_py) {
    slot->load = Load::kTensor;
  } else if (from_py == numpy_array_from_py) {
    slot->load = Load::kNumpy;
  } else if (from_py == torch_tensor_from_table) {
    slot->load = Load::kTorch;
    slot->api = exchange_api_of_type(type);
    if (slot->api == nullptr) return -1;
  } else {
    return 0;
  }
  Py_INCREF(type);
  slot->type = type;
  return 0;
}

PyObject* prepared_new(PyObject* function, Py_ssize_t n) {
  auto* call = PyObject_GC_New(PreparedCall, &PreparedCallType);
  if (call == nullptr) return nullptr;
  constexpr size_t kEach = sizeof(Slot) + sizeof(TVMFFIAny) + sizeof(TVMFFIObject*);
  auto* memory = static_cast<char*>(PyMem_Calloc(static_cast<size_t>(n) + 1, kEach));
  call->vectorcall = prepared_vectorcall;
  Py_INCREF(function);
  call->function = function;
  call->path = nullptr;
  call->slots = reinterpret_cast<Slot*>(memory);
  call->values = reinterpret_cast<TVMFFIAny*>(call->slots + n);
  call->places = reinterpret_cast<TVMFFIObject**>(call->values + n);
  call->size = memory == nullptr ? 0 : n;
  call->busy = false;
  call->only_views = false;
  for (Py_ssize_t i = 0; i < call->size; ++i) new (&call->slots[i]) Slot();
  PyObject_GC_Track(call);
  if (memory != nullptr) return reinterpret_cast<PyObject*>(call);
  Py_DECREF(call);
  return PyErr_NoMemory();
}

int prepared_traverse(PyObject* self, visitproc visit, void* arg) {
  PreparedCall* call = as_prepared(self);
  Py_VISIT(call->function);
  for (Py_ssize_t i = 0; i < call->size; ++i) Py_VISIT(call->slots[i].type);
  return 0;
}

int prepared_clear(PyObject* self) {
  Py_CLEAR(as_prepared(self)->function);
  return 0;
}

void prepared_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PreparedCall* call = as_prepared(self);
  Py_CLEAR(call->function);
  for (Py_ssize_t i = 0; i < call->size; ++i) {
    Slot& slot = call->slots[i];
    Py_CLEAR(slot.type);
    if (slot.tensor != nullptr) object_dec_ref(slot.tensor);
    slot.~Slot();
  }
  PyMem_Free(call->slots);
  PyObject_GC_Del(self);
}

PyObject* prepared_repr(PyObject* self) {
  PyObject* function = as_prepared(self)->function;
  return PyUnicode_FromFormat("<PreparedCall %R>", function == nullptr ? Py_None : function);
}

// Checks the number of examples against the metadata of the function. Returns 0, or -1 with
// TypeError. Runs Python.
int check_number(PyObject* function, Py_ssize_t n) {
  Ref check(state_import("tvm_ffi._signatures.function", "check_number"));
  Ref done(check ? PyObject_CallFunction(check.get(), "On", function, n) : nullptr);
  return done ? 0 : -1;
}

PyMemberDef prepared_members[] = {
    {"function", T_OBJECT, offsetof(PreparedCall, function), READONLY, "The function."},
    {"__wrapped__", T_OBJECT, offsetof(PreparedCall, function), READONLY, "The function."},
    {nullptr, 0, 0, 0, nullptr}};

}  // namespace

PyObject* function_prepare(PyObject* self, PyObject* const* examples, Py_ssize_t n,
                           PyObject* kwnames) {
  if (function_handle_or_raise(self) == nullptr) return nullptr;
  BoundArguments bound;
  Ref parameters;  // owns the default values to which `bound` has borrowed references
  if (kwnames != nullptr && PyTuple_GET_SIZE(kwnames) != 0) {
    parameters = Ref(function_bind_keywords(self, examples, n, kwnames, &bound));
    if (!parameters) return nullptr;
    examples = bound.items();
    n = bound.size();
  } else if (check_number(self, n) < 0) {
    return nullptr;
  }
  function_find_call_path(self);
  if (function_find_tensor_use(self) < 0) return nullptr;
  Ref made(prepared_new(self, n));
  if (!made) return nullptr;
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (prepare_slot(&as_prepared(made.get())->slots[i], examples[i]) < 0) return nullptr;
  }
  as_prepared(made.get())->only_views =
      reinterpret_cast<FunctionWrapper*>(self)->tensor_use == TensorUse::kViews;
  as_prepared(made.get())->path = function_exact_path(self, n);
  return made.release();
}

int prepared_type_init(PyObject* module) {
  PyTypeObject* t = type_begin(
      &PreparedCallType, "tvm_ffi.core.PreparedCall", sizeof(PreparedCall),
      Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
      "A function for repeated calls, from ``Function.prepare(*examples)``.\n\n"
      "It takes what the function takes, and gives the same results and errors. Calls with an "
      "argument for each parameter, by position, whose arrays have the types of the examples, are "
      "faster: the arrays are read in place. Threads may share it; a call that comes while another "
      "one is in progress takes the time of an ordinary call. The examples are not kept.");
  t->tp_dealloc = prepared_dealloc;
  t->tp_traverse = prepared_traverse;
  t->tp_clear = prepared_clear;
  t->tp_repr = prepared_repr;
  t->tp_call = PyVectorcall_Call;
  t->tp_vectorcall_offset = offsetof(PreparedCall, vectorcall);
  t->tp_members = prepared_members;
  return type_add(module, t);
}

}  // namespace binding
