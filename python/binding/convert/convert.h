// SPDX-License-Identifier: Apache-2.0
// Conversion between Python objects and native values. Each kind of value has one file, with the
// conversion from Python, the same under a type schema (schema/), the conversion to Python and the
// texts of its errors. The header of the kind, where it has one, holds the fast path. select.cc
// chooses the kind of a Python object, to_python.cc that of a native value.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstring>

#include "../compat.h"
#include "../ref.h"
#include "../type/types.h"
#include "bool.h"
#include "float.h"
#include "int.h"

namespace binding {

// Ends the passing of a chain of rvalue references: an object that the callee did not take stays
// with its wrapper.
void rvalues_restore(RValueRefObject* first);

// Owns the native objects made for one call and releases them after it. Lives on the C stack beside
// the arguments. A conversion makes at most one object for each argument, so the caller provides as
// many places.
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

 private:
  void release() {
    for (int i = 0; i < size_; ++i) object_dec_ref(places_[i]);  // may run Python
  }
  BINDING_COLD void release_after_failure() {
    RaisedAside aside;
    release();
  }

  TVMFFIObject** places_;
  int size_ = 0;
};

// Whether the memory of a tensor object must not be written to.
inline bool tensor_is_read_only(const TVMFFIObject* tensor) {
  return tensor->deleter == state().read_only_deleter && tensor->deleter != nullptr;
}

// What a call learns from its arguments: the framework of its tensors, a device and a stream.
struct CallContext {
  // Of the framework whose tensors were among the arguments, the last one.
  const DLPackExchangeAPI* exchange_api = nullptr;
  // The first device other than the CPU that was met, and the stream to use on it. Type 0: none.
  DLDevice device{};
  void* stream = nullptr;
  // Whether a tensor that must not be written to was met.
  bool has_read_only = false;

  bool has_device() const { return device.device_type != 0; }
  // Records the device of the first tensor that is not on the CPU.
  void note_device(DLDevice where, void* on_stream) {
    if (has_device() || where.device_type == kDLCPU) return;
    device = where;
    stream = on_stream;
  }
};

// Records that an object, which is among the arguments of a call, is a read-only tensor.
inline void note_read_only(const TVMFFIObject* obj, CallContext* context) {
  if (BINDING_UNLIKELY(tensor_is_read_only(obj))) context->has_read_only = true;
}

// The objects that must live until the call is over, because converted arguments borrow them.
struct Arguments {
  Temporaries temporaries;
  CallContext* context;
  // Chain of the rvalue references among the arguments, see convert/rvalue.cc; usually empty.
  RValueRefObject* rvalues = nullptr;

  ~Arguments() {
    if (BINDING_UNLIKELY(rvalues != nullptr)) rvalues_restore(rvalues);
  }
};

// ---- from Python: Python object -> borrowed value. `out` is written completely. What it borrows
// lives as long as the Python object or, for new native objects, as `args`. 0, or -1 with an
// exception set.

int value_from_py_slow(PyObject* x, TVMFFIAny* out, Arguments* args);

// A conversion function for one kind of object; the declarations below say which.
using FromPy = int (*)(PyObject* x, TVMFFIAny* out, Arguments* args);

// The conversion that value_from_py_slow uses for `x`. NULL with an exception set. May run Python.
FromPy from_py_of(PyObject* x);

// Numbers. bool.cc, int.cc, float.cc. They run Python except for bool, int and float themselves.
int bool_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int int_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int int_from_py_wide(PyObject* x, TVMFFIAny* out, Arguments* args);  // an int of any size
int float_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int protocol_int_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);    // __tvm_ffi_int__
int protocol_float_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // __tvm_ffi_float__
// Text and bytes. str.cc, bytes.cc.
int str_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);     // str and classes below it
int string_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // core.String
int bytes_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);   // bytes and bytearray
// Containers: a new native array or map. sequence.cc, mapping.cc.
int sequence_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int mapping_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// A new native function object. callable.cc.
int callable_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Tensors: a new native tensor that shares the memory. tensor.cc, torch_tensor.cc.
int tensor_wrapper_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // core.Tensor
int tensor_from_dlpack_protocol(PyObject* x, TVMFFIAny* out, Arguments* args);
int numpy_array_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // numpy.ndarray itself
int tensor_from_exchange_api(PyObject* x, TVMFFIAny* out, Arguments* args);
int torch_tensor_from_table(PyObject* x, TVMFFIAny* out, Arguments* args);
int torch_tensor_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Data types and devices. dtype.cc, foreign_dtype.cc, device.cc.
int dtype_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int numpy_dtype_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int torch_dtype_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int device_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Pointers. opaque_ptr.cc.
int c_void_p_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int cuda_stream_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);          // __cuda_stream__
int protocol_opaque_ptr_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // ..._opaque_ptr__
int opaque_handler_from_py(PyObject* x, TVMFFIAny* out,
                           Arguments* args);  // by a registered handler
// Objects that hold a native object, or name one. object.cc.
int wrapper_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int container_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int protocol_object_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // __tvm_ffi_object__
int convertible_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);      // asobject()
// A Python value that remembers the native object it came from.
int cached_object_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// An object whose `__tvm_ffi_value__` returns the value to convert (any.cc).
int protocol_value_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);  // __tvm_ffi_value__
int error_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
int rvalue_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// Any other object, in a box that owns it. opaque.cc.
int opaque_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);
// The same for a class that select.cc does not know, unless it has got a handler meanwhile.
int unknown_from_py(PyObject* x, TVMFFIAny* out, Arguments* args);

// Converts an object that holds a handle; the value borrows the handle.
inline int object_from_py(PyObject* x, TVMFFIAny* out) {
  TVMFFIObject* obj = wrapper_handle_or_raise(x);
  if (BINDING_UNLIKELY(obj == nullptr)) return -1;
  value_set_object(out, obj);
  return 0;
}

// A number that changes with the attributes of a class; 0 for a class without one at the moment.
inline unsigned int type_version(PyTypeObject* type) {
#if PY_VERSION_HEX < 0x030D0000
  if (!(type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG)) return 0;
#endif
  return type->tp_version_tag;
}

// The values whose conversion neither allocates nor runs Python: compact exact ints,
// exact floats, None and bools. False leaves `out` unspecified.
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

// Converts any Python object. The exact types of common values are found by comparing pointers.
BINDING_INLINE int value_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (BINDING_LIKELY(plain_from_py(x, out))) return 0;
  PyTypeObject* type = Py_TYPE(x);
  if (type == &PyUnicode_Type) return str_from_py(x, out, args);
  if (type == &PyLong_Type) return int_from_py_wide(x, out, args);
  // Most classes of objects have this deallocator. value_from_py_slow finds the others.
  if (type->tp_dealloc == wrapper_dealloc_heap) return object_from_py(x, out);
  return value_from_py_slow(x, out, args);
}

// The same with an owned result, for code that keeps the value. Does not release the old `*out`.
// `context` is that of the call which the value is for, NULL when there is none.
int value_from_py_owned(PyObject* x, TVMFFIAny* out, CallContext* context = nullptr);
// Raises ValueError: the memory of a view belongs to the caller of the callback that sees it. -1.
BINDING_COLD int refuse_to_keep_view();

// ---- to Python: value -> Python object. New reference, or NULL with an exception set.

PyObject* big_int_to_py(TVMFFIObject* obj);
// Text and bytes inside the value, whose length was checked.
PyObject* small_str_to_py(const TVMFFIAny& value);
PyObject* small_bytes_to_py(const TVMFFIAny& value);
// What callbacks get: `char*` and `TVMFFIByteArray*` of the caller. ValueError for NULL.
PyObject* raw_str_to_py(const TVMFFIAny& value);
PyObject* byte_array_to_py(const TVMFFIAny& value);
PyObject* string_to_py_steal(TVMFFIObject* obj);
PyObject* bytes_to_py_steal(TVMFFIObject* obj);
PyObject* native_object_to_py_steal(ClassInfo* info, TVMFFIObject* obj);
PyObject* opaque_ptr_to_py(void* ptr);
PyObject* opaque_object_to_py(TVMFFIObject* obj);
PyObject* dtype_to_py(DLDataType dtype);
PyObject* device_to_py(DLDevice device);
PyObject* tensor_view_to_py(DLTensor* tensor);
PyObject* rvalue_to_py(const TVMFFIAny& value);

// Raise ValueError: a value that C code made breaks the rules of c_api.h. NULL.
BINDING_COLD PyObject* raise_malformed(const TVMFFIAny& value, const char* what);
BINDING_COLD PyObject* raise_null_pointer(const TVMFFIAny& value);

PyObject* value_to_py_slow_steal(TVMFFIAny value);

// Result of a call. Steals the value, also on failure.
BINDING_INLINE PyObject* value_to_py_steal(const TVMFFIAny& value) {
  if (value.type_index == kTVMFFINone) Py_RETURN_NONE;
  if (value.type_index == kTVMFFIInt) return int_to_py(value.v_int64);
  return value_to_py_slow_steal(value);
}

// A value that the caller does not own (an argument of a callback, an element): index below 64 or
// an object; raw strings, byte arrays, DLTensor pointers and rvalue references as callbacks get
// them.
PyObject* value_to_py_borrowed(const TVMFFIAny& value);

// ---- special forms

// `core.convert`: the Python object that stands for `x` on the native side.
PyObject* convert_to_py(PyObject* x);

// Native function around a Python callable; owned result or NULL with an exception set. With `api`
// the callable gets the framework's tensors.
TVMFFIObject* function_from_callable(PyObject* callable, const DLPackExchangeAPI* api = nullptr);
// New native array from Python items; owned result or NULL with an exception set.
TVMFFIObject* array_from_items(PyObject* const* items, Py_ssize_t n,
                               CallContext* context = nullptr);
TVMFFIObject* array_from_iterable(PyObject* x, CallContext* context = nullptr);
// The same for lists.
TVMFFIObject* list_from_items(PyObject* const* items, Py_ssize_t n);
TVMFFIObject* list_from_iterable(PyObject* x);
// New native map or dict with the entries of a mapping, that is of anything with `items()`
// (AttributeError for others). Owned result or NULL with an exception set. `x` NULL: an empty dict.
TVMFFIObject* map_from_mapping(PyObject* x);
TVMFFIObject* dict_from_mapping(PyObject* x);
// Tensor object from an object with `__dlpack__`, an exchange API, or a capsule.
TVMFFIObject* tensor_from_any(PyObject* x, int32_t alignment, bool contiguous);

// The exchange table of a tensor class; NULL with an exception set, AttributeError when it has
// none. Tables live as long as the process.
const DLPackExchangeAPI* exchange_api_of_class(PyObject* cls);
// The same for one that must be able to make tensors; TypeError when it cannot.
const DLPackExchangeAPI* exchange_api_for_output(PyObject* cls);
// As value_to_py_borrowed, with tensors as those of a framework; a container is tagged, so that the
// tensors in it come out in the same way. `api` came from exchange_api_for_output.
PyObject* value_to_framework_borrowed(const DLPackExchangeAPI* api, const TVMFFIAny& value);
// The result of a call whose arguments were a framework's tensors; taken over. Where the framework
// cannot make its tensor, it stays a tvm_ffi.Tensor.
PyObject* result_to_framework_steal(const DLPackExchangeAPI* api, const TVMFFIAny& value);
// What a tagged container tells the call that it is an argument of. 0, or -1 with an exception set.
int context_from_container(PyObject* container, CallContext* context);

// Records that a tensor of a framework, on `device`, is among the arguments of a call. 0, or -1
// with an exception set. May run Python.
int note_framework(const DLPackExchangeAPI* api, DLDevice device, CallContext* context);

// The framework's current stream of a device; NULL when it names none. 0, or -1 with an exception.
int exchange_stream(const DLPackExchangeAPI* api, DLDevice device, void** stream);

// A data type from its text; ValueError for one that names none. 0 or -1.
int dtype_parse(const TVMFFIByteArray& text, DLDataType* out);
// dtype and device of objects that carry one; false (no exception) for others.
bool dtype_get(PyObject* x, DLDataType* out);
bool device_get(PyObject* x, DLDevice* out);

// Instances of numbers.Integral and numbers.Real. 1, 0, or -1 with an exception set. Run Python.
int is_integral(PyObject* x);
int is_real(PyObject* x);

// Classes of packages that may be loaded or not.
bool is_numpy_bool(PyTypeObject* type);
bool is_numpy_dtype(PyTypeObject* type);
bool is_torch_dtype(PyTypeObject* type);
bool is_torch_tensor(PyTypeObject* type);
// Refuses a tensor of PyTorch with the conjugate or the negative bit set: DLPack cannot say that
// the values in memory are not those of the tensor. 0, or -1 with BufferError. May run Python.
int torch_check_bits(PyObject* x, bool is_complex);
// `dtype` for an instance of one of the latter two; NULL with KeyError for one without counterpart.
PyObject* foreign_dtype_to_ours(PyObject* x);

}  // namespace binding
