// SPDX-License-Identifier: Apache-2.0
// Conversion between Python objects and native values. Each kind of value has one file, with the
// conversion from Python, the conversion from Python under a type schema (schema/), the conversion
// to Python and the texts of the errors. The fast path of a kind, if any, is in its header.
// select.cc chooses the kind of a Python object, to_python.cc the kind of a native value.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"
#include "../ref.h"
#include "../type/types.h"
#include "bool.h"
#include "float.h"
#include "int.h"

namespace binding {

// Releases the rvalue references of a call, after the call. A wrapper whose object the callee did
// not take returns to the wrapper table.
void rvalues_restore(RValueRefObject* first);

// Releases a tensor that tensor_borrow returned. If the callee kept a reference, the tensor lives
// on. May run Python.
void borrowed_tensor_release(TVMFFIObject* tensor);

// Owns the native objects that are made for one call, and releases these objects after the call. A
// Temporaries is on the C stack together with the arguments. A conversion makes at most one object
// for each argument, so the caller provides one place for each argument.
class Temporaries {
 public:
  explicit Temporaries(TVMFFIObject** places) : places_(places) {}
  ~Temporaries() {
    if (size_ == 0) return;
    if (BINDING_UNLIKELY(PyErr_Occurred() != nullptr)) {
      release_after_failure();
    } else {
      release();
    }
  }
  Temporaries(const Temporaries&) = delete;
  Temporaries& operator=(const Temporaries&) = delete;

  void keep_steal(TVMFFIObject* obj) { places_[size_++] = obj; }
  // Keeps a tensor that tensor_borrow returned, until the end of the call.
  void keep_borrowed_steal(TVMFFIObject* tensor) {
    places_[size_++] =
        reinterpret_cast<TVMFFIObject*>(reinterpret_cast<uintptr_t>(tensor) | kBorrowed);
  }

 private:
  // This bit of a place marks a tensor that tensor_borrow returned.
  static constexpr uintptr_t kBorrowed = 1;

  void release() {
    for (int i = 0; i < size_; ++i) {
      auto bits = reinterpret_cast<uintptr_t>(places_[i]);
      auto* object = reinterpret_cast<TVMFFIObject*>(bits & ~kBorrowed);
      (bits & kBorrowed) != 0 ? borrowed_tensor_release(object)
                              : object_dec_ref(object);  // may run Python
    }
  }
  BINDING_COLD void release_after_failure() {
    RaisedAside aside;
    release();
  }

  TVMFFIObject** places_;
  int size_ = 0;
};

// Data about a call, taken from its arguments: the framework of its tensors, a device and a stream.
struct CallContext {
  // The framework of the last tensor among the arguments.
  const DLPackExchangeAPI* exchange_api = nullptr;
  // The first device among the arguments that is not the CPU, and the stream to use on it. The
  // device type is 0 if there is none.
  DLDevice device{};
  void* stream = nullptr;
  // Whether an argument is a tensor that must not be written to.
  bool has_read_only = false;

  bool has_device() const { return device.device_type != 0; }
  // Records the device of a tensor, unless it is the CPU or a device was recorded before.
  void note_device(DLDevice where, void* on_stream) {
    if (has_device() || where.device_type == kDLCPU) return;
    device = where;
    stream = on_stream;
  }
};

// Records that an object, which is among the arguments of a call, is a read-only tensor.
inline void note_read_only(const TVMFFIObject* obj, CallContext* context) {
  if (BINDING_UNLIKELY(IsReadOnlyTensor(obj))) context->has_read_only = true;
}

// The objects that must live until the call is over, because converted arguments borrow them.
struct Arguments {
  Temporaries temporaries;
  CallContext* context;
  // Whether the caller releases the tensors with borrowed_tensor_release after the call.
  bool may_borrow = false;
  // Whether the callee cannot keep a tensor. Then it is enough that an argument stays alive: if the
  // argument gets other memory during the call, the callee does not use the former memory later.
  bool only_views = false;
  // Whether a PyTorch tensor may own its memory until Python code runs or the call ends. Meanwhile,
  // only other threads could give other memory to the tensor, so there is no gain in a process that
  // has some. Gain elsewhere: 0.4 of the time of a call with 26 tensors (timeit with testing.nop;
  // PyTorch 2.13, CPython 3.11, x86-64).
  bool storage_can_wait() const {
    return BINDING_HAS_GIL && !only_views && compat_is_only_thread();
  }
  // Linked list of the rvalue references among the arguments, see convert/rvalue.cc; usually empty.
  RValueRefObject* rvalues = nullptr;

  ~Arguments() {
    if (BINDING_UNLIKELY(rvalues != nullptr)) rvalues_restore(rvalues);
  }
};

// ---- from Python: convert a Python object to a borrowed value. Every member of `out` is written.
// The memory that `out` borrows lives as long as the Python object or, for new native objects, as
// long as `args`. Returns 0, or -1 with an exception set.

int value_from_py_slow(PyObject* x, TVMFFIAny* out, Arguments* args);

// A conversion function for one kind of object; the functions below have this type.
using FromPy = int (*)(PyObject* x, TVMFFIAny* out, Arguments* args);

// Returns the conversion function that value_from_py_slow uses for `x`. On failure, returns NULL
// with an exception set. May run Python.
FromPy from_py_of(PyObject* x);

// Numbers: bool.cc, int.cc, float.cc. They run Python except for exact bool, int and float objects.
int bool_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int int_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int int_from_py_wide(PyObject* x, TVMFFIAny* out, Arguments* args);  // an int of any size
int float_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int protocol_int_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);    // __tvm_ffi_int__
int protocol_float_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // __tvm_ffi_float__
// Text and bytes: str.cc, bytes.cc.
int str_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);           // str and its subclasses
int string_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);        // core.String
int native_bytes_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // core.Bytes
int bytes_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);         // bytes and bytearray
// Containers: a new native array or map. sequence.cc, mapping.cc.
int sequence_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int mapping_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Callables: a new native function object. callable.cc.
int callable_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Tensors: a new native tensor that shares the memory. tensor.cc, torch_tensor.cc.
int tensor_wrapper_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // core.Tensor
int tensor_from_dlpack_protocol(PyObject* x, TVMFFIAny* out, Arguments* args);
int numpy_array_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // exactly numpy.ndarray
int tensor_from_exchange_api(PyObject* x, TVMFFIAny* out, Arguments* args);
int torch_tensor_from_table(PyObject* x, TVMFFIAny* out, Arguments* args);
int torch_tensor_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Data types and devices: dtype.cc, foreign_dtype.cc, device.cc.
int dtype_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int numpy_dtype_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int torch_dtype_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int device_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Pointers: opaque_ptr.cc.
int c_void_p_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int cuda_stream_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);          // __cuda_stream__
int protocol_opaque_ptr_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // ..._opaque_ptr__
int opaque_handler_from_py(PyObject* x, TVMFFIAny* out,
                           Arguments* args);  // by a registered handler
// Objects that hold a native object, or refer to one: object.cc.
int wrapper_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Like wrapper_from_py, but owns the object during the call. For core.Error, whose text may be
// changed only while native code does not read it.
int kept_wrapper_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int container_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int protocol_object_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // __tvm_ffi_object__
int convertible_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);      // asobject()
// A Python value that caches the native object from which it was made.
int cached_object_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// An object whose `__tvm_ffi_value__` method returns the value to convert (any.cc).
int protocol_value_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // __tvm_ffi_value__
int error_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int rvalue_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Any other object becomes an opaque object, which owns it. opaque.cc.
int opaque_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Converts an object whose class was unknown when select.cc chose a function for it. Does the same
// as opaque_from_py, unless a handler for the class has been registered in the meantime.
int unknown_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);

// Converts an object that holds a handle; the value borrows the handle.
inline int object_from_py(PyObject* x, TVMFFIAny* out) {
  TVMFFIObject* obj = wrapper_handle_or_raise(x);
  if (BINDING_UNLIKELY(obj == nullptr)) return -1;
  value_set_object(out, obj);
  return 0;
}

// Converts the values whose conversion neither allocates nor runs Python: compact exact ints, exact
// floats, None and bools. For other values, returns false and leaves `out` unspecified.
BINDING_INLINE bool plain_from_py(PyObject* x, TVMFFIAny* out) {
  PyTypeObject* type = Py_TYPE(x);
  out->zero_padding = 0;
  if (type == &PyLong_Type) return int_exact_from_py(x, out);
  if (type == &PyFloat_Type) {
    float_exact_from_py(x, out);
    return true;
  }
  if (x == Py_None) {
    *out = value_none();
    return true;
  }
  if (type == &PyBool_Type) {
    bool_exact_from_py(x, out);
    return true;
  }
  return false;
}

// Converts any Python object. Compares the type pointer to find the exact types of common values.
BINDING_INLINE int value_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (BINDING_LIKELY(plain_from_py(x, out))) return 0;
  PyTypeObject* type = Py_TYPE(x);
  if (type == &PyUnicode_Type) return str_from_py(x, out, args);
  if (type == &PyLong_Type) return int_from_py_wide(x, out, args);
  // Most wrapper classes have this deallocator. value_from_py_slow finds the others.
  if (type->tp_dealloc == wrapper_dealloc_heap) return object_from_py(x, out);
  return value_from_py_slow(x, out, args);
}

// Converts any Python object to an owned value, for code that keeps the value. Does not release the
// old `*out`. `context` is the context of the call that needs the value, or NULL.
int value_from_py_owned(PyObject* x, TVMFFIAny* out, CallContext* context = nullptr);
// Raises ValueError and returns -1: the memory of a view belongs to the caller of the callback that
// received the view.
BINDING_COLD int refuse_to_keep_view();

// ---- to Python: value -> Python object. New reference, or NULL with an exception set.

PyObject* big_int_to_py(TVMFFIObject* obj);
// Convert text and bytes that are stored inside the value; the length was checked.
PyObject* small_str_to_py(const TVMFFIAny& value);
PyObject* small_bytes_to_py(const TVMFFIAny& value);
// Convert a `char*` or `TVMFFIByteArray*` argument of a callback. ValueError for NULL.
PyObject* raw_str_to_py(const TVMFFIAny& value);
PyObject* byte_array_to_py(const TVMFFIAny& value);
PyObject* string_to_py_steal(TVMFFIObject* obj);
// Converts a value to an exact str: native text without a core.String, another value by `str`.
PyObject* plain_str_to_py_steal(const TVMFFIAny& value);
PyObject* bytes_to_py_steal(TVMFFIObject* obj);
PyObject* native_object_to_py_steal(ClassInfo* info, TVMFFIObject* obj);
PyObject* opaque_ptr_to_py(void* ptr);
PyObject* opaque_object_to_py(TVMFFIObject* obj);
PyObject* dtype_to_py(DLDataType dtype);
PyObject* device_to_py(DLDevice device);
PyObject* tensor_view_to_py(DLTensor* tensor);
PyObject* rvalue_to_py(const TVMFFIAny& value);

// Raise ValueError for a value from C code that breaks the rules of c_api.h. Return NULL.
BINDING_COLD PyObject* raise_malformed(const TVMFFIAny& value, const char* what);
BINDING_COLD PyObject* raise_null_pointer(const TVMFFIAny& value);

PyObject* value_to_py_slow_steal(TVMFFIAny value);

// Converts the result of a call. Steals the value, also on failure.
BINDING_INLINE PyObject* value_to_py_steal(const TVMFFIAny& value) {
  if (value.type_index == kTVMFFINone) Py_RETURN_NONE;
  if (value.type_index == kTVMFFIInt) return int_to_py(value.v_int64);
  return value_to_py_slow_steal(value);
}

// Converts a value that the caller does not own, such as an argument of a callback or an element: a
// plain value (type index below 64), or an object. Raw strings, byte arrays, DLTensor pointers and
// rvalue references are converted as for callbacks.
PyObject* value_to_py_borrowed(const TVMFFIAny& value);

// ---- special forms

// `core.convert`: returns the Python object that represents `x` after a conversion to native.
PyObject* convert_to_py(PyObject* x);

// Makes a native function from a Python callable; owned result, or NULL with an exception set. With
// `api`, the callable receives tensors of that framework.
TVMFFIObject* function_from_callable(PyObject* callable, const DLPackExchangeAPI* api = nullptr);
// Makes a native array from Python items; owned result, or NULL with an exception set.
TVMFFIObject* array_from_items(PyObject* const* items, Py_ssize_t n,
                               CallContext* context = nullptr);
TVMFFIObject* array_from_iterable(PyObject* x, CallContext* context = nullptr);
// Make a native list; owned result, or NULL with an exception set.
TVMFFIObject* list_from_items(PyObject* const* items, Py_ssize_t n);
TVMFFIObject* list_from_iterable(PyObject* x);
// Make a native map or dict with the entries of `x`, which must have a method `items()`; if `x` is
// NULL, make an empty dict. Return the object, which the caller owns, or NULL with an exception
// set: AttributeError if `x` has no `items()`.
TVMFFIObject* map_from_mapping(PyObject* x);
TVMFFIObject* dict_from_mapping(PyObject* x);
// Makes a tensor object from an object with `__dlpack__` or an exchange API, or from a capsule.
TVMFFIObject* tensor_from_any(PyObject* x, int32_t alignment, bool contiguous);

// Returns the exchange table of a tensor class; NULL with an exception set, which is AttributeError
// if the class has no table. Tables live as long as the process.
const DLPackExchangeAPI* exchange_api_of_class(PyObject* cls);
// Does the same as exchange_api_of_class, and caches the table while the attributes of the class do
// not change.
const DLPackExchangeAPI* exchange_api_of_type(PyTypeObject* type);
// Returns the exchange table of a class; TypeError if the table cannot make tensors.
const DLPackExchangeAPI* exchange_api_for_output(PyObject* cls);
// Converts like value_to_py_borrowed, but makes tensors with `api`, the exchange table of a
// framework from exchange_api_for_output. A container is tagged with `api`, so that the tensors in
// the container are converted in the same way.
PyObject* value_to_framework_borrowed(const DLPackExchangeAPI* api, const TVMFFIAny& value);
// Converts the result of a call whose arguments were tensors of a framework. Steals the value. If
// the framework cannot make its tensor, the result is a tvm_ffi.Tensor.
PyObject* result_to_framework_steal(const DLPackExchangeAPI* api, const TVMFFIAny& value);
// Adds the framework of a tagged container among the arguments to the context of the call. Returns
// 0, or -1 with an exception set.
int context_from_container(PyObject* container, CallContext* context);

// Records that a tensor of a framework, located on `device`, is among the arguments of a call.
// Returns 0, or -1 with an exception set. May run Python.
int note_framework(const DLPackExchangeAPI* api, DLDevice device, CallContext* context);

// Lets the framework describe a tensor by dltensor_from_py_object_no_sync, which the table must
// have. The result borrows the shape and strides. Returns whether it succeeded; leaves no exception
// set. May run Python.
bool exchange_describe(PyObject* x, const DLPackExchangeAPI* api, DLTensor* out);

// Reads the framework's current stream of a device; NULL if it has none. Returns 0, or -1 with an
// exception set.
int exchange_stream(const DLPackExchangeAPI* api, DLDevice device, void** stream);

// Parses the text of a data type; ValueError for an invalid text. Returns 0, or -1 with an
// exception set.
int dtype_parse(const TVMFFIByteArray& text, DLDataType* out);
// Read the dtype or device from an object that has one; return false (no exception) for others.
bool dtype_get(PyObject* x, DLDataType* out);
bool device_get(PyObject* x, DLDevice* out);

// Return 1 if `x` is an instance of numbers.Integral or numbers.Real, 0 if not, or -1 with an
// exception set. Run Python.
int is_integral(PyObject* x);
int is_real(PyObject* x);

// Return whether `type` is (or derives from) the named class of NumPy or PyTorch. Do not import the
// package.
bool is_numpy_bool(PyTypeObject* type);
bool is_numpy_dtype(PyTypeObject* type);
bool is_torch_dtype(PyTypeObject* type);
bool is_torch_device(PyTypeObject* type);
bool is_torch_tensor(PyTypeObject* type);
// Describes a PyTorch tensor whose class has the exchange table `api`, as exchange_describe does.
// Returns kTorchReadInPlace; 1 if Python code may have run, which may have given other memory to
// the tensor; 0, without an exception, if only a managed tensor can give the memory or the reason
// of a failure; or -1 with BufferError if torch_check_bits or torch_check_memory refuses the
// tensor. May run Python.
constexpr int kTorchReadInPlace = 2;
int torch_describe(PyObject* x, const DLPackExchangeAPI* api, DLTensor* out);
// Refuses a PyTorch tensor with the conjugate or the negative bit set: DLPack cannot express that
// the values of the tensor differ from the values in memory. Returns 0, or -1 with BufferError. May
// run Python.
int torch_check_bits(PyObject* x, bool is_complex);
// The same for a value of any class. Returns 1, 0 if it is not a PyTorch tensor, or -1.
int torch_check_bits_of_any(PyObject* x);
// Refuses a PyTorch tensor with elements and without memory, such as a FakeTensor: native code
// would crash. Returns 0, or -1 with BufferError.
int torch_check_memory(PyObject* x, const DLTensor& tensor);
// Returns the object of PyTorch that owns the memory of a tensor, which torch_describe has just
// described in `*tensor`. Describes the tensor again if Python code ran. New reference, or NULL
// with an exception set.
PyObject* torch_storage(PyObject* x, const DLPackExchangeAPI* api, DLTensor* tensor);
// Makes a tensor that owns the storage of a PyTorch tensor. Owned; NULL without an exception if
// only a managed tensor can give the memory or the reason of a failure, otherwise with an exception
// set.
TVMFFIObject* torch_tensor_own(PyObject* x);
// Takes note of the exchange table of PyTorch's tensor class.
void torch_note_table(const DLPackExchangeAPI* api);
// Refuses a tensor of which PyTorch cannot make its own. PyTorch's functions would end the process,
// or wrap the number of the device. Returns 0, or -1 with BufferError.
int torch_check_import(const DLTensor& tensor);
// The same if `api` is PyTorch's table; otherwise returns 0.
int torch_check_import_by(const DLPackExchangeAPI* api, const DLTensor& tensor);
// Converts a data type of NumPy or PyTorch to tvm_ffi.dtype; NULL with KeyError if there is no
// counterpart.
PyObject* foreign_dtype_to_ours(PyObject* x);

// Returns whether the conversion of `x` runs no Python code.
inline bool is_plain(PyObject* x) {
  PyTypeObject* type = Py_TYPE(x);
  return type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type ||
         type == &PyBool_Type || type == &PyBytes_Type || x == Py_None;
}

}  // namespace binding
