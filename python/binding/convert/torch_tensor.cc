// SPDX-License-Identifier: Apache-2.0
// Conversion of PyTorch tensors. A call borrows a tensor without an allocation, and refuses tensors
// with a bit that DLPack does not express. For releases whose tensor class has no exchange table,
// this file converts with the Python functions of torch.utils.dlpack, and has a substitute table
// for the conversion of native tensors to PyTorch.
#include <cstring>

#include "../raise.h"
#include "borrowed_tensor.h"
#include "class_cache.h"
#include "convert.h"
#include "opaque_ptr.h"

namespace binding {
namespace {

// Calls `torch.utils.dlpack.NAME(arg)`. New reference, or NULL with an exception set.
PyObject* call_torch_dlpack(const char* name, PyObject* arg) {
  Ref function(state_import("torch.utils.dlpack", name));
  return function ? PyObject_CallFunctionObjArgs(function.get(), arg, nullptr) : nullptr;
}

void release_torch_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

// Makes a PyTorch tensor over the memory of a native tensor. New reference, or NULL with an
// exception set.
PyObject* torch_from_tensor(TVMFFIObject* tensor) {
  DLManagedTensor* managed = nullptr;
  int status = TVMFFITensorToDLPack(tensor, &managed);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  Ref capsule(PyCapsule_New(managed, "dltensor", release_torch_capsule));
  if (!capsule) {
    managed->deleter(managed);
    return nullptr;
  }
  return call_torch_dlpack("from_dlpack", capsule.get());  // runs Python
}

int torch_to_py(DLManagedTensorVersioned* managed, void** out) {
  TVMFFIObjectHandle tensor = nullptr;
  int status = TVMFFITensorFromDLPackVersioned(managed, 0, 0, &tensor);
  if (status != 0) {
    if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
    return raise_from_slot(status);
  }
  ObjectOwner owner(tensor);
  *out = torch_from_tensor(owner.get());
  return *out == nullptr ? -1 : 0;
}

int torch_stream(DLDeviceType type, int32_t id, void** out) {
  *out = nullptr;
  if (type != kDLCUDA && type != kDLROCM) return 0;
  Ref get(state_import("torch._C", "_cuda_getCurrentRawStream"));
  Ref stream(get ? PyObject_CallFunction(get.get(), "i", id) : nullptr);  // runs Python
  if (!stream) return -1;
  return address_from_py(stream.get(), out);
}

// Returns a substitute for the exchange table that the tensor class lacks; immutable.
const DLPackExchangeAPI* torch_fallback_api() {
  static const DLPackExchangeAPI api = [] {
    DLPackExchangeAPI made{};
    made.header.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    made.managed_tensor_to_py_object_no_sync = torch_to_py;
    made.current_work_stream = torch_stream;
    return made;
  }();
  return &api;
}

// Reads the bits that DLPack does not express (negative, conjugate) from the C++ object of a
// tensor. The offsets of the object and of the bits differ between releases of PyTorch. This class
// finds them by comparing sample tensors whose bits are known. Gain: together with tensor_borrow
// and the cached exchange table, a call with one tensor went from 1.07 to 0.41 of the peer's time
// (make bench-torch). The method `is_neg` alone takes longer than a call without arguments.
class BitsInPlace {
 public:
  // Returns whether the offsets are known; searches for them if they are not. May run Python;
  // leaves no exception set.
  bool find() {
    if (class_ != nullptr) return true;
    if (attempts_ == kAttempts) return false;
    ++attempts_;
    Ref make(state_import("tvm_ffi._values.torch", "samples_of_bits"));
    Ref samples(make ? PyObject_CallNoArgs(make.get()) : nullptr);  // runs Python
    if (samples && PyList_Check(samples.get()) && PyList_GET_SIZE(samples.get()) > 0) {
      find_in(samples.get());
    }
    PyErr_Clear();
    return class_ != nullptr;
  }
  // Returns whether `method` is a method of PyTorch's base class, which returns the bit, and not an
  // override of a subclass.
  bool is_method(PyObject* method) const {
    return Py_IS_TYPE(method, &PyMethodDescr_Type) && PyDescr_TYPE(method) == class_;
  }
  bool are_clear(PyObject* x, bool is_complex) const {
    uint64_t mask = is_complex ? negative_ | conjugate_ : negative_;
    return (word_at(object_of(x, object_offset_), word_offset_) & mask) == 0;
  }

 private:
  // Maximum number of searches. A search fails in a release of PyTorch with another layout. It may
  // also fail while a mode of PyTorch that changes tensors is active; then a later one may succeed.
  static constexpr int kAttempts = 3;
  // Minimum size in bytes of the C++ object of a tensor, over all releases of PyTorch with an
  // exchange table.
  static constexpr Py_ssize_t kObjectSize = 184;

  static const char* object_of(PyObject* x, Py_ssize_t offset) {
    const char* object;
    std::memcpy(&object, reinterpret_cast<const char*>(x) + offset, sizeof(object));
    return object;
  }
  static uint64_t word_at(const char* object, Py_ssize_t offset) {
    uint64_t word;
    std::memcpy(&word, object + offset, sizeof(word));
    return word;
  }
  static bool is_one_bit(uint64_t mask) { return mask != 0 && (mask & (mask - 1)) == 0; }

  // A sample is a tuple (tensor, address of its C++ object, negative bit, conjugate bit).
  static bool is_object_at(PyObject* samples, Py_ssize_t offset) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(samples); ++i) {
      PyObject* sample = PyList_GET_ITEM(samples, i);
      if (PyLong_AsVoidPtr(PyTuple_GET_ITEM(sample, 1)) !=
          object_of(PyTuple_GET_ITEM(sample, 0), offset)) {
        return false;
      }
    }
    return true;
  }
  // Returns the bits of a word that are set in exactly the samples whose item `item` is True.
  uint64_t bits_in(PyObject* samples, Py_ssize_t offset, Py_ssize_t item) const {
    uint64_t in_all = ~uint64_t{0}, in_others = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(samples); ++i) {
      PyObject* sample = PyList_GET_ITEM(samples, i);
      uint64_t word = word_at(object_of(PyTuple_GET_ITEM(sample, 0), object_offset_), offset);
      if (PyTuple_GET_ITEM(sample, item) == Py_True) {
        in_all &= word;
      } else {
        in_others |= word;
      }
    }
    return in_all & ~in_others;
  }
  void find_in(PyObject* samples) {
    PyTypeObject* type = Py_TYPE(PyTuple_GET_ITEM(PyList_GET_ITEM(samples, 0), 0));
    PyObject* method = _PyType_Lookup(type, state().names.is_neg);  // borrowed
    if (method == nullptr || !Py_IS_TYPE(method, &PyMethodDescr_Type)) return;
    auto size = static_cast<Py_ssize_t>(sizeof(void*));
    object_offset_ = sizeof(PyObject);
    while (!is_object_at(samples, object_offset_)) {
      object_offset_ += size;
      if (object_offset_ + size > PyDescr_TYPE(method)->tp_basicsize) return;
    }
    for (Py_ssize_t offset = 0; offset + 8 <= kObjectSize; offset += 8) {
      uint64_t negative = bits_in(samples, offset, 2), conjugate = bits_in(samples, offset, 3);
      if (!is_one_bit(negative) || !is_one_bit(conjugate) || negative == conjugate) continue;
      word_offset_ = offset;
      negative_ = negative;
      conjugate_ = conjugate;
      class_ = PyDescr_TYPE(method);
      return;
    }
  }

  PyTypeObject* class_ = nullptr;  // base class of all tensors, never dereferenced; NULL: not found
  int attempts_ = 0;
  Py_ssize_t object_offset_ = 0;
  Py_ssize_t word_offset_ = 0;
  uint64_t negative_ = 0;
  uint64_t conjugate_ = 0;
};

BitsInPlace g_bits;

// The tensor classes whose bits are read in place.
struct InPlace {};
ClassCache<InPlace, 16> g_readable;

// Records a class whose bits may be read in place: its methods are those of PyTorch. May run
// Python.
BINDING_COLD void remember_class(PyTypeObject* type) {
  if (!BINDING_HAS_GIL || !g_bits.find()) return;
  for (PyObject* name : {state().names.is_neg, state().names.is_conj}) {
    PyObject* method = _PyType_Lookup(type, name);  // borrowed
    if (method == nullptr || !g_bits.is_method(method)) return;
  }
  g_readable.store(type, InPlace{});
}

// Raises BufferError if the method (is_conj or is_neg) returns true. A class without the method has
// no conjugate or negative bit. Returns 0, or -1 with an exception set.
int refuse_bit(PyObject* x, PyObject* name, const char* refusal) {
  if (_PyType_Lookup(Py_TYPE(x), name) == nullptr) return 0;
  Ref answer(PyObject_CallMethodNoArgs(x, name));  // runs Python
  if (!answer) return -1;
  if (BINDING_LIKELY(answer.get() == Py_False)) return 0;
  PyErr_SetString(PyExc_BufferError, refusal);
  return -1;
}

BINDING_COLD int check_bits_by_method(PyObject* x, bool is_complex) {
  remember_class(Py_TYPE(x));
  if (is_complex &&
      refuse_bit(x, state().names.is_conj,
                 "Can't export tensors with the conjugate bit set, use tensor.resolve_conj()") <
          0) {
    return -1;
  }
  return refuse_bit(x, state().names.is_neg,
                    "Can't export tensors with the negative bit set, use tensor.resolve_neg()");
}

// Makes a tensor that borrows the memory for the call. Returns 1 on success, 0 without an exception
// if `x` has to be converted with a managed tensor, or -1 with an exception set.
BINDING_INLINE int borrow(PyObject* x, const DLPackExchangeAPI* api, TVMFFIAny* out,
                          Arguments* args) {
  if (!args->may_borrow || api->dltensor_from_py_object_no_sync == nullptr) return 0;
  DLTensor tensor{};
  if (BINDING_UNLIKELY(api->dltensor_from_py_object_no_sync(x, &tensor) != 0)) {  // may run Python
    PyErr_Clear();
    return 0;
  }
  if (BINDING_UNLIKELY(tensor.ndim < 0 || tensor.ndim > kMaxBorrowedDimensions)) return 0;
  TVMFFIObject* made = tensor_borrow(x, api, tensor);
  if (BINDING_UNLIKELY(made == nullptr)) return -1;
  args->temporaries.keep_borrowed_steal(made);
  value_set_object(out, made);
  if (BINDING_UNLIKELY(torch_check_bits(x, tensor.dtype.code == kDLComplex) < 0)) return -1;
  return note_framework(api, tensor.device, args->context) < 0 ? -1 : 1;
}

}  // namespace

int torch_check_bits(PyObject* x, bool is_complex) {
  PyTypeObject* type = Py_TYPE(x);
  if (g_readable.find(type) != nullptr && g_bits.are_clear(x, is_complex)) return 0;
  return check_bits_by_method(x, is_complex);
}

int torch_check_bits_of_any(PyObject* x) {
  PyTypeObject* type = Py_TYPE(x);
  // The classes in the cache are classes of PyTorch; is_torch_tensor() takes longer than a call.
  bool is_known = g_readable.find(type) != nullptr;
  bool has_bits =
      is_known || (_PyType_Lookup(type, state().names.is_neg) != nullptr && is_torch_tensor(type));
  return has_bits ? torch_check_bits(x, true) : 0;
}

int torch_tensor_from_table(PyObject* x, TVMFFIAny* out, Arguments* args) {
  const DLPackExchangeAPI* api = exchange_api_of_type(Py_TYPE(x));
  if (BINDING_UNLIKELY(api == nullptr)) return -1;
  int done = borrow(x, api, out, args);
  if (BINDING_LIKELY(done != 0)) return done < 0 ? -1 : 0;
  if (tensor_from_exchange_api(x, out, args) < 0) return -1;
  const DLTensor* tensor = TVMFFITensorGetDLTensorPtr(out->v_obj);
  return torch_check_bits(x, tensor->dtype.code == kDLComplex);
}

int torch_tensor_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (torch_check_bits(x, true) < 0) return -1;
  Ref capsule(call_torch_dlpack("to_dlpack", x));  // runs Python
  if (!capsule) return -1;
  TVMFFIObject* tensor = tensor_from_any(capsule.get(), 0, false);
  if (tensor == nullptr) return -1;
  note_read_only(tensor, args->context);
  args->temporaries.keep_steal(tensor);
  value_set_object(out, tensor);
  args->context->exchange_api = torch_fallback_api();
  DLDevice device = TVMFFITensorGetDLTensorPtr(tensor)->device;
  if (device.device_type == kDLCPU || args->context->has_device()) return 0;
  void* stream;
  if (torch_stream(device.device_type, device.device_id, &stream) < 0) return -1;
  args->context->note_device(device, stream);
  return 0;
}

}  // namespace binding
