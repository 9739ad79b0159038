// SPDX-License-Identifier: Apache-2.0
// core.Tensor: shape, strides, dtype and device of a native tensor, and its export as DLPack.
#include "tensor.h"

#include <utility>

#include "../convert/convert.h"
#include "../convert/int.h"
#include "../named.h"
#include "../raise.h"
#include "../type/types.h"

namespace binding {
namespace {

PyObject* ints_to_tuple(const int64_t* data, int32_t n) {
  Ref tuple(PyTuple_New(n));
  if (!tuple) return nullptr;
  for (int32_t i = 0; i < n; ++i) {
    PyObject* item = int_to_py(data[i]);
    if (item == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple.release();
}

PyObject* tensor_get_shape(PyObject* self, void*) {
  DLTensor* t = tensor_of(self);
  return t == nullptr ? nullptr : ints_to_tuple(t->shape, t->ndim);
}

PyObject* tensor_get_strides(PyObject* self, void*) {
  DLTensor* t = tensor_of(self);
  if (t == nullptr) return nullptr;
  if (t->strides != nullptr) return ints_to_tuple(t->strides, t->ndim);
  Ref tuple(PyTuple_New(t->ndim));
  if (!tuple) return nullptr;
  uint64_t product = 1;
  for (int32_t i = t->ndim - 1; i >= 0; --i) {
    PyObject* item = int_to_py(static_cast<int64_t>(product));
    if (item == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
    product *= static_cast<uint64_t>(t->shape[i]);
  }
  return tuple.release();
}

PyObject* tensor_get_ndim(PyObject* self, void*) {
  DLTensor* t = tensor_of(self);
  return t == nullptr ? nullptr : PyLong_FromLong(t->ndim);
}

PyObject* tensor_get_dtype(PyObject* self, void*) {
  DLTensor* t = tensor_of(self);
  return t == nullptr ? nullptr : dtype_to_py(t->dtype);
}

PyObject* tensor_get_device(PyObject* self, void*) {
  DLTensor* t = tensor_of(self);
  return t == nullptr ? nullptr : device_to_py(t->device);
}

PyObject* tensor_numel(PyObject* self, PyObject*) {
  DLTensor* t = tensor_of(self);
  if (t == nullptr) return nullptr;
  uint64_t n = 1;
  for (int32_t i = 0; i < t->ndim; ++i) n *= static_cast<uint64_t>(t->shape[i]);
  return int_to_py(static_cast<int64_t>(n));
}

PyObject* tensor_size(PyObject* self, PyObject* arg) {
  Py_ssize_t index = PyNumber_AsSsize_t(arg, PyExc_IndexError);
  if (index == -1 && PyErr_Occurred()) return nullptr;
  DLTensor* t = tensor_of(self);
  if (t == nullptr) return nullptr;
  Py_ssize_t i = index < 0 ? index + t->ndim : index;
  if (i < 0 || i >= t->ndim) {
    PyErr_Format(PyExc_IndexError, "Dimension %zd out of range for tensor with %d dimensions",
                 index, t->ndim);
    return nullptr;
  }
  return int_to_py(t->shape[i]);
}

PyObject* tensor_data_ptr(PyObject* self, PyObject*) {
  DLTensor* t = tensor_of(self);
  if (t == nullptr) return nullptr;
  // Convert the pointer to an integer before the addition. The library that made the tensor may
  // have set an offset that leads outside of the memory: pointer arithmetic would be undefined
  // behavior.
  return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(t->data) + t->byte_offset);
}

PyObject* tensor_is_contiguous(PyObject* self, PyObject*) {
  DLTensor* t = tensor_of(self);
  return t == nullptr ? nullptr : PyBool_FromLong(tensor_is_packed(*t));
}

// The destructor of a capsule: releases the tensor if no consumer has taken it.
template <typename Managed>
void release_capsule(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

void release_legacy(PyObject* c) { release_capsule<DLManagedTensor>(c, "dltensor"); }
void release_versioned(PyObject* c) {
  release_capsule<DLManagedTensorVersioned>(c, "dltensor_versioned");
}

PyObject* tensor_to_legacy(PyObject* self, PyObject*) {
  TVMFFIObject* obj = tensor_object_or_raise(self);
  if (obj == nullptr) return nullptr;
  DLManagedTensor* managed = nullptr;
  int status = TVMFFITensorToDLPack(obj, &managed);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  PyObject* capsule = PyCapsule_New(managed, "dltensor", release_legacy);
  if (capsule == nullptr) managed->deleter(managed);
  return capsule;
}

PyObject* tensor_to_versioned(PyObject* self, PyObject*) {
  TVMFFIObject* obj = tensor_object_or_raise(self);
  if (obj == nullptr) return nullptr;
  DLManagedTensorVersioned* managed = nullptr;
  int status = TVMFFITensorToDLPackVersioned(obj, &managed);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  PyObject* capsule = PyCapsule_New(managed, "dltensor_versioned", release_versioned);
  if (capsule == nullptr) managed->deleter(managed);
  return capsule;
}

// The options of `__dlpack__`, all keyword-only; NULL or None if not given.
constexpr Parameters kDLPackParameters = {
    "__dlpack__", 0, {"stream", "max_version", "dl_device", "copy"}, 4};
struct DLPackWish {
  PyObject* stream;
  PyObject* max_version;
  PyObject* dl_device;
  PyObject* copy;
};

bool is_given(PyObject* x) { return x != nullptr && x != Py_None; }

// Reads a tuple of two integers. Returns false, without an exception, if `x` is not such a tuple.
bool read_pair(PyObject* x, long* first, long* second) {
  if (!PyTuple_Check(x) || PyTuple_GET_SIZE(x) != 2) return false;
  *first = PyLong_AsLong(PyTuple_GET_ITEM(x, 0));  // may run Python
  if (*first != -1 || !PyErr_Occurred()) *second = PyLong_AsLong(PyTuple_GET_ITEM(x, 1));
  if (!PyErr_Occurred()) return true;
  clear_error();
  return false;
}

// Raises BufferError for a request that only a copy could satisfy. Returns 0, or -1 with an
// exception set.
int refuse_copies(const DLTensor& t, const DLPackWish& wish) {
  if (is_given(wish.dl_device)) {
    long type = 0, id = 0;
    if (!read_pair(wish.dl_device, &type, &id)) {
      PyErr_SetString(PyExc_TypeError, "dl_device must be a tuple (device type, device id)");
      return -1;
    }
    if (type != static_cast<long>(t.device.device_type) || id != t.device.device_id) {
      PyErr_SetString(PyExc_BufferError, "dl_device of different type not supported");
      return -1;
    }
  }
  int wants_copy = is_given(wish.copy) ? PyObject_IsTrue(wish.copy) : 0;
  if (wants_copy > 0) PyErr_SetString(PyExc_BufferError, "copy not yet supported");
  return wants_copy == 0 ? 0 : -1;
}

PyObject* tensor_dlpack(PyObject* self, PyObject* const* placed) {
  DLPackWish wish{placed[0], placed[1], placed[2], placed[3]};
  long major = 0, minor = 0;
  if (is_given(wish.max_version) && !read_pair(wish.max_version, &major, &minor)) {
    PyErr_SetString(PyExc_TypeError, "max_version must be a tuple (major, minor)");
    return nullptr;
  }
  DLTensor* t = tensor_of(self);
  if (t == nullptr || refuse_copies(*t, wish) < 0) return nullptr;
  return major < 1 ? tensor_to_legacy(self, nullptr) : tensor_to_versioned(self, nullptr);
}

PyObject* tensor_dlpack_device(PyObject* self, PyObject*) {
  DLTensor* t = tensor_of(self);
  if (t == nullptr) return nullptr;
#if !BINDING_HAS_GIL
  return Py_BuildValue("(ii)", static_cast<int>(t->device.device_type),
                       static_cast<int>(t->device.device_id));
#else
  // A cache of the last result, owned: most tensors of a program are on the same device.
  static DLDevice known_device = {kDLCPU, 0};
  static PyObject* known = nullptr;
  bool is_known = known != nullptr && known_device.device_type == t->device.device_type &&
                  known_device.device_id == t->device.device_id;
  if (BINDING_UNLIKELY(!is_known)) {
    PyObject* made = Py_BuildValue("(ii)", static_cast<int>(t->device.device_type),
                                   static_cast<int>(t->device.device_id));
    if (made == nullptr) return nullptr;
    known_device = t->device;
    Py_XDECREF(std::exchange(known, made));
  }
  return compat_new_ref(known);
#endif
}

// Calls `tvm_ffi._values.numpy.NAME(self, ...)`. The tensor must be on the CPU.
template <typename... Args>
PyObject* tensor_by_numpy(PyObject* self, const char* name, Args... args) {
  DLTensor* t = tensor_of(self);
  if (t == nullptr) return nullptr;
  if (t->device.device_type != kDLCPU) {
    Ref device(device_to_py(t->device));
    if (device)
      PyErr_Format(PyExc_TypeError, "a NumPy array needs a CPU tensor, this one is on %S",
                   device.get());
    return nullptr;
  }
  Ref make(state_import("tvm_ffi._values.numpy", name));
  return make ? PyObject_CallFunctionObjArgs(make.get(), self, args..., nullptr) : nullptr;
}

PyObject* tensor_numpy(PyObject* self, PyObject*) { return tensor_by_numpy(self, "view_of"); }

constexpr Parameters kArrayParameters = {"__array__", 0, {"dtype", "copy"}};

PyObject* tensor_array(PyObject* self, PyObject* const* placed) {
  PyObject* dtype = placed[0] == nullptr ? Py_None : placed[0];
  PyObject* copy = placed[1] == nullptr ? Py_None : placed[1];
  return tensor_by_numpy(self, "array_of", dtype, copy);
}

// Returns the repr, without the values if they cannot be shown.
PyObject* tensor_repr(PyObject* self) {
  Ref make(state_import("tvm_ffi._display.tensor", "text_of"));
  Ref text(make ? PyObject_CallFunctionObjArgs(make.get(), self, nullptr) : nullptr);
  if (text) return PyUnicode_Check(text.get()) ? text.release() : PyObject_Str(text.get());
  if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) {
    return nullptr;
  }
  clear_error();
  return CObjectType.tp_repr(self);
}

PyGetSetDef tensor_getset[] = {
    {"shape", tensor_get_shape, nullptr, "Extents, in elements.", nullptr},
    {"strides", tensor_get_strides, nullptr, "Strides, in elements.", nullptr},
    {"ndim", tensor_get_ndim, nullptr, "Number of dimensions.", nullptr},
    {"dtype", tensor_get_dtype, nullptr, "Data type of the elements.", nullptr},
    {"device", tensor_get_device, nullptr, "Device of the memory.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

constexpr Parameters kSizeParameters = {"size", 1, {"idx"}};

PyMethodDef tensor_methods[] = {
    {"numel", tensor_numel, METH_NOARGS,
     "numel($self)\n--\n\n"
     "Number of elements."},
    named_method(kSizeParameters, named_one<tensor_size, kSizeParameters>,
                 "size($self, idx)\n--\n\n"
                 "Extent of one dimension."),
    {"data_ptr", tensor_data_ptr, METH_NOARGS,
     "data_ptr($self)\n--\n\n"
     "Address of the first element."},
    {"is_contiguous", tensor_is_contiguous, METH_NOARGS,
     "is_contiguous($self)\n--\n\n"
     "Whether the layout is row-major."},
    {"numpy", tensor_numpy, METH_NOARGS, "A NumPy array over the same memory."},
    {"tolist", tensor_to_list, METH_NOARGS,
     "tolist($self)\n--\n\n"
     "The elements as nested lists of numbers."},
    named_method(kArrayParameters, named_placed<tensor_array, kArrayParameters>,
                 "__array__($self, dtype=None, copy=None)\n--\n\n"
                 "A NumPy array, over the same memory unless dtype or copy ask for another one."),
    {"_to_dlpack", tensor_to_legacy, METH_NOARGS,
     "_to_dlpack($self)\n--\n\n"
     "A legacy DLPack capsule."},
    {"_to_dlpack_versioned", tensor_to_versioned, METH_NOARGS,
     "_to_dlpack_versioned($self)\n--\n\n"
     "A versioned DLPack capsule."},
    named_method(kDLPackParameters, named_placed<tensor_dlpack, kDLPackParameters>,
                 "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)"
                 "\n--\n\n"
                 "A DLPack capsule over the same memory."),
    {"__dlpack_device__", tensor_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self)\n--\n\n"
     "(device type, device id)."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

BINDING_COLD DLTensor* tensor_refuse_empty(PyObject* self) {
  if (wrapper_handle_or_raise(self) != nullptr) {
    PyErr_SetString(PyExc_TypeError, "this Tensor holds a native object that is not a tensor");
  }
  return nullptr;
}

TVMFFIObject* tensor_object_or_raise(PyObject* self) {
  if (tensor_of(self) == nullptr) return nullptr;
  if (reinterpret_cast<TensorWrapper*>(self)->view != nullptr) {
    PyErr_SetString(PyExc_ValueError,
                    "a tensor view is valid during its callback only and cannot be exported");
    return nullptr;
  }
  return as_wrapper(self)->handle;
}

bool tensor_is_packed(const DLTensor& t) {
  if (t.strides == nullptr) return true;
  for (int32_t i = 0; i < t.ndim; ++i) {
    if (t.shape[i] == 0) return true;
  }
  int64_t expected = 1;
  for (int32_t i = t.ndim - 1; i >= 0; --i) {
    if (t.shape[i] == 1) continue;
    if (t.strides[i] != expected) return false;
    expected *= t.shape[i];
  }
  return true;
}

PyTypeObject TensorType = static_type();

int tensor_type_init(PyObject* module) {
  PyTypeObject* t =
      type_begin(&TensorType, "tvm_ffi.core.Tensor", sizeof(TensorWrapper), Py_TPFLAGS_BASETYPE,
                 "A view of memory with shape, strides, dtype and device.");
  t->tp_base = &CObjectType;
  t->tp_dealloc = wrapper_dealloc_static;
  t->tp_repr = tensor_repr;
  t->tp_getset = tensor_getset;
  t->tp_methods = tensor_methods;
  t->tp_as_buffer = &tensor_buffer_procs;
  t->tp_as_number = &tensor_number_methods;
  t->tp_as_sequence = &tensor_sequence_methods;
  t->tp_as_mapping = &tensor_mapping_methods;
  t->tp_iter = tensor_iter;
  return type_add(module, t);
}

}  // namespace binding
