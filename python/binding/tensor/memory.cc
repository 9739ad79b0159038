// SPDX-License-Identifier: Apache-2.0
// The memory of tensors on the CPU as bytes. A pickle contains these bytes; reading the pickle
// copies the bytes into a new tensor, or makes a tensor that uses the memory of the bytes. Another
// function makes a tensor with a different data type over the memory of a tensor.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "../attach.h"
#include "../call.h"
#include "../convert/borrowed_tensor.h"
#include "../convert/convert.h"
#include "../raise.h"
#include "../type/types.h"
#include "tensor.h"

namespace binding {
namespace {

constexpr size_t kAlignment = 64;  // in bytes, of the elements in memory that this file allocates

const char* data_of(const DLTensor& t) { return static_cast<const char*>(t.data) + t.byte_offset; }

// ---- core._TensorBytes: the memory of a contiguous tensor as a buffer, writable like the tensor

struct TensorBytes {
  PyObject_HEAD TVMFFIObject* tensor;  // owned
  Py_ssize_t size;
};

PyTypeObject TensorBytesType = static_type();

int tensor_bytes_get(PyObject* self, Py_buffer* view, int flags) {
  auto* bytes = reinterpret_cast<TensorBytes*>(self);
  const DLTensor* t = TVMFFITensorGetDLTensorPtr(bytes->tensor);
  return PyBuffer_FillInfo(view, self, const_cast<char*>(data_of(*t)), bytes->size,
                           IsReadOnlyTensor(bytes->tensor), flags);
}

void tensor_bytes_dealloc(PyObject* self) {
  TVMFFIObject* tensor = reinterpret_cast<TensorBytes*>(self)->tensor;
  PyObject_Free(self);
  object_dec_ref(tensor);  // may run Python
}

PyBufferProcs tensor_bytes_buffer = {tensor_bytes_get, nullptr};

PyObject* tensor_bytes_new(TVMFFIObject* tensor, size_t size) {
  auto* self = PyObject_New(TensorBytes, &TensorBytesType);
  if (self == nullptr) return nullptr;
  object_inc_ref(tensor);
  self->tensor = tensor;
  self->size = static_cast<Py_ssize_t>(size);
  return reinterpret_cast<PyObject*>(self);
}

// ---- writing

// Copies the elements of a strided tensor to contiguous memory. On entry, `index` contains one zero
// for each dimension.
void copy_packed(const DLTensor& t, size_t item, int64_t* index, char* to) {
  const char* from = data_of(t);
  for (;;) {
    std::memcpy(to, from, item);
    to += item;
    int32_t i = t.ndim - 1;
    for (; i >= 0; --i) {
      from += t.strides[i] * static_cast<int64_t>(item);
      if (++index[i] < t.shape[i]) break;
      from -= t.shape[i] * t.strides[i] * static_cast<int64_t>(item);
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

// Returns a copy of the elements: a bytearray if `writable`, else bytes. The process that reads the
// pickle may use the memory of a bytearray for the tensor, without a copy.
PyObject* packed_copy(const DLTensor& t, size_t size, bool writable) {
  size_t bits = static_cast<size_t>(t.dtype.bits) * t.dtype.lanes;
  if (bits % 8 != 0) {
    return PyErr_Format(PyExc_TypeError,
                        "cannot pickle a strided tensor whose elements are not whole bytes");
  }
  std::unique_ptr<int64_t[]> index(new (std::nothrow) int64_t[static_cast<size_t>(t.ndim)]());
  if (index == nullptr) return PyErr_NoMemory();
  auto length = static_cast<Py_ssize_t>(size);
  PyObject* bytes = writable ? PyByteArray_FromStringAndSize(nullptr, length)
                             : PyBytes_FromStringAndSize(nullptr, length);
  if (bytes != nullptr && size != 0) {
    copy_packed(t, bits / 8, index.get(),
                writable ? PyByteArray_AS_STRING(bytes) : PyBytes_AS_STRING(bytes));
  }
  return bytes;
}

// Returns a buffer with the elements in row-major order. If the memory has that order and the
// caller can use a view, the buffer is the memory itself. New reference.
PyObject* elements_of(TVMFFIObject* tensor, const DLTensor& t, bool may_share) {
  size_t size;
  if (!tensor_packed_size(t.shape, t.ndim, t.dtype, &size)) {
    return PyErr_Format(PyExc_OverflowError, "the tensor is too large to be pickled");
  }
  if (size != 0 && t.data == nullptr) {
    return PyErr_Format(PyExc_ValueError, "the tensor has no memory");
  }
  if (!tensor_is_packed(t)) return packed_copy(t, size, may_share);
  if (may_share) return tensor_bytes_new(tensor, size);
  return PyBytes_FromStringAndSize(size == 0 ? nullptr : data_of(t), static_cast<Py_ssize_t>(size));
}

PyObject* reduce(PyObject* self, long protocol) {
  TVMFFIObject* tensor = tensor_object_or_raise(self);
  if (tensor == nullptr) return nullptr;
  ObjectOwner keep = ObjectOwner::borrow(tensor);
  const DLTensor& t = *TVMFFITensorGetDLTensorPtr(tensor);
  if (t.device.device_type != kDLCPU) {
    Ref device(device_to_py(t.device));
    return device ? PyErr_Format(PyExc_TypeError,
                                 "cannot pickle a tensor on %S; copy it to the CPU first",
                                 device.get())
                  : nullptr;
  }
  Ref elements(elements_of(tensor, t, protocol >= 5));
  if (!elements) return nullptr;
  if (protocol >= 5) elements = Ref(PyPickleBuffer_FromObject(elements.get()));
  // In pickles of older releases, tensors call restore_tensor for protocol 5, too.
  Ref make(state_import("tvm_ffi.serialization",
                        protocol >= 5 ? "restore_mapped_tensor" : "restore_tensor"));
  Ref shape(PyObject_GetAttrString(self, "shape"));
  if (!elements || !make || !shape) return nullptr;
  return Py_BuildValue("O(O(iii)OO)", make.get(), Py_TYPE(self), static_cast<int>(t.dtype.code),
                       static_cast<int>(t.dtype.bits), static_cast<int>(t.dtype.lanes), shape.get(),
                       elements.get());
}

PyObject* tensor_reduce(PyObject* self, PyObject*) { return reduce(self, 2); }

PyObject* tensor_reduce_ex(PyObject* self, PyObject* arg) {
  long protocol = PyLong_AsLong(arg);
  return protocol == -1 && PyErr_Occurred() ? nullptr : reduce(self, protocol);
}

PyMethodDef reduce_methods[] = {
    {"__reduce__", tensor_reduce, METH_NOARGS, "Pickles with a copy of the elements."},
    {"__reduce_ex__", tensor_reduce_ex, METH_O,
     "Pickles with a copy of the elements; from protocol 5 on, with the memory itself."}};

// ---- reading

// A tensor that owns its memory, in one allocation.
struct Block {
  DLManagedTensorVersioned managed;
  static void release(DLManagedTensorVersioned* managed) { std::free(managed->manager_ctx); }
};

// Makes a tensor with `size` bytes that are not initialized; NULL with MemoryError. Its deleter
// frees it.
DLManagedTensorVersioned* block_new(int32_t ndim, DLDataType dtype, size_t size) {
  size_t head = sizeof(Block) + 2 * sizeof(int64_t) * static_cast<size_t>(ndim);
  void* memory =
      size > SIZE_MAX - head - kAlignment ? nullptr : std::malloc(head + kAlignment + size);
  if (memory == nullptr) {
    PyErr_NoMemory();
    return nullptr;
  }
  auto* managed = &(new (memory) Block())->managed;
  managed->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed->manager_ctx = memory;
  managed->deleter = Block::release;
  DLTensor& t = managed->dl_tensor;
  t.device = {kDLCPU, 0};
  t.dtype = dtype;
  t.ndim = ndim;
  t.shape = reinterpret_cast<int64_t*>(static_cast<char*>(memory) + sizeof(Block));
  t.strides = t.shape + ndim;
  auto address = reinterpret_cast<uintptr_t>(memory) + head;
  t.data = reinterpret_cast<void*>((address + kAlignment - 1) / kAlignment * kAlignment);
  return managed;
}

void fill_strides(DLTensor* t) {
  uint64_t stride = 1;
  for (int32_t i = t->ndim - 1; i >= 0; --i) {
    t->strides[i] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(t->shape[i]);
  }
}

// Reads the integers of a tuple; false with an exception set.
bool integers_of(PyObject* tuple, int64_t* out) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    out[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, i));
    if (out[i] == -1 && PyErr_Occurred()) return false;
  }
  return true;
}

// Reads the extents from a tuple; false with an exception set.
bool extents_of(PyObject* shape, int64_t* out) {
  if (!integers_of(shape, out)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(shape); ++i) {
    if (out[i] < 0) {
      PyErr_Format(PyExc_ValueError, "extent %zd of the tensor is negative", i);
      return false;
    }
  }
  return true;
}

// Fills in extents and strides of a tensor over `size` bytes. Returns false with an exception set.
bool describe_memory(PyObject* shape, Py_ssize_t size, DLTensor* t) {
  if (!extents_of(shape, t->shape)) return false;
  size_t needed;
  if (!tensor_packed_size(t->shape, t->ndim, t->dtype, &needed) ||
      needed != static_cast<size_t>(size)) {
    PyErr_Format(PyExc_ValueError, "%zd bytes do not fill a tensor of shape %R", size, shape);
    return false;
  }
  fill_strides(t);
  return true;
}

struct ManagedGuard {
  DLManagedTensorVersioned* managed;
  ~ManagedGuard() {
    if (managed != nullptr) managed->deleter(managed);
  }
};

// Makes the tensor object of a managed tensor, owned. The object becomes the owner of the managed
// tensor. On failure, returns NULL with an exception set, and the guard still owns the managed
// tensor.
TVMFFIObject* tensor_from_guard(ManagedGuard* guard) {
  TVMFFIObjectHandle out = nullptr;
  int status = TVMFFITensorFromDLPackVersioned(guard->managed, 0, 0, &out);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  guard->managed = nullptr;
  return static_cast<TVMFFIObject*>(out);
}

// Makes a tensor with a copy of the bytes, owned; NULL with an exception set.
TVMFFIObject* tensor_of_bytes(DLDataType dtype, PyObject* shape, const Py_buffer& bytes,
                              bool read_only) {
  auto ndim = static_cast<int32_t>(PyTuple_GET_SIZE(shape));
  DLManagedTensorVersioned* managed = block_new(ndim, dtype, static_cast<size_t>(bytes.len));
  if (managed == nullptr) return nullptr;
  ManagedGuard guard{managed};
  DLTensor& t = managed->dl_tensor;
  if (!describe_memory(shape, bytes.len, &t)) return nullptr;
  if (bytes.len != 0) std::memcpy(t.data, bytes.buf, static_cast<size_t>(bytes.len));
  if (read_only) managed->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  return tensor_from_guard(&guard);
}

// A tensor over the memory of `buffer`. The tensor keeps this buffer alive. All data except the
// elements is in one allocation.
struct BufferBlock {
  DLManagedTensorVersioned managed;
  Py_buffer buffer;

  static void release(DLManagedTensorVersioned* managed) {
    auto* block = static_cast<BufferBlock*>(managed->manager_ctx);
    Attach attached;
    // After the interpreter has shut down, Python objects must not be touched.
    if (!attached) return;
    PyBuffer_Release(&block->buffer);  // may run Python
    std::free(block);
  }
};

// Returns the alignment of an element in bytes.
size_t alignment_of(DLDataType dtype) {
  size_t bytes = (static_cast<size_t>(dtype.bits) + 7) / 8;
  size_t alignment = 1;
  while (alignment < bytes && alignment < 16) alignment *= 2;
  return alignment;
}

// Makes a tensor over the memory of the buffer, owned; read-only if the buffer is read-only. Steals
// the buffer, also on failure. NULL with an exception set.
TVMFFIObject* tensor_over_buffer_steal(DLDataType dtype, PyObject* shape, Py_buffer* buffer) {
  auto ndim = static_cast<size_t>(PyTuple_GET_SIZE(shape));
  if (reinterpret_cast<uintptr_t>(buffer->buf) % alignment_of(dtype) != 0) {
    TVMFFIObject* copy = tensor_of_bytes(dtype, shape, *buffer, buffer->readonly);
    PyBuffer_Release(buffer);
    return copy;
  }
  void* memory = std::malloc(sizeof(BufferBlock) + 2 * sizeof(int64_t) * ndim);
  if (memory == nullptr) {
    PyBuffer_Release(buffer);
    PyErr_NoMemory();
    return nullptr;
  }
  auto* block = new (memory) BufferBlock();
  block->buffer = *buffer;
  DLManagedTensorVersioned* managed = &block->managed;
  managed->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed->manager_ctx = block;
  managed->deleter = BufferBlock::release;
  managed->flags = buffer->readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  DLTensor& t = managed->dl_tensor;
  t.data = buffer->buf;
  t.device = {kDLCPU, 0};
  t.dtype = dtype;
  t.ndim = static_cast<int32_t>(ndim);
  t.shape = reinterpret_cast<int64_t*>(block + 1);
  t.strides = t.shape + ndim;
  ManagedGuard guard{managed};
  if (!describe_memory(shape, buffer->len, &t)) return nullptr;
  return tensor_from_guard(&guard);
}

bool dtype_of_tuple(int code, int bits, int lanes, DLDataType* out) {
  if (code < 0 || code > UINT8_MAX || bits < 1 || bits > UINT8_MAX || lanes < 1 ||
      lanes > INT16_MAX) {
    PyErr_Format(PyExc_ValueError, "(%d, %d, %d) is not a data type of tensors", code, bits, lanes);
    return false;
  }
  out->code = static_cast<uint8_t>(code);
  out->bits = static_cast<uint8_t>(bits);
  out->lanes = static_cast<uint16_t>(lanes);
  return true;
}

// Makes a wrapper of class `cls` around a new tensor. Steals the tensor.
PyObject* tensor_of_class_steal(PyTypeObject* cls, TVMFFIObject* tensor) {
  if (tensor == nullptr || cls == state().class_tensor) {
    return tensor == nullptr ? nullptr : object_to_py_steal(tensor);
  }
  PyObject* self = cls->tp_alloc(cls, 0);
  if (self == nullptr) {
    object_dec_ref(tensor);
    return nullptr;
  }
  if (wrapper_adopt_steal(as_wrapper(self), tensor) == 0) return self;
  Py_DECREF(self);
  return nullptr;
}

// Makes a tensor from the arguments class, (code, bits, lanes), shape, bytes. With `over`, uses the
// memory of the buffer instead of a copy.
PyObject* tensor_from_arguments(PyObject* args, bool over) {
  PyObject *cls, *shape;
  int code, bits, lanes;
  Py_buffer bytes;
  DLDataType dtype;
  if (!PyArg_ParseTuple(args, "O!(iii)O!y*", &PyType_Type, &cls, &code, &bits, &lanes,
                        &PyTuple_Type, &shape, &bytes)) {
    return nullptr;
  }
  TVMFFIObject* tensor = nullptr;
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if (!PyType_IsSubtype(type, &TensorType)) {
    PyErr_Format(PyExc_TypeError, "%s is not a class of tensors", type->tp_name);
  } else if (PyTuple_GET_SIZE(shape) > INT32_MAX) {
    PyErr_Format(PyExc_ValueError, "a tensor cannot have %zd dimensions", PyTuple_GET_SIZE(shape));
  } else if (dtype_of_tuple(code, bits, lanes, &dtype)) {
    if (over) return tensor_of_class_steal(type, tensor_over_buffer_steal(dtype, shape, &bytes));
    tensor = tensor_of_bytes(dtype, shape, bytes, false);
  }
  PyBuffer_Release(&bytes);
  return tensor_of_class_steal(type, tensor);
}

PyObject* tensor_from_buffer(PyObject*, PyObject* args) {
  return tensor_from_arguments(args, false);
}

PyObject* tensor_over_buffer(PyObject*, PyObject* args) {
  return tensor_from_arguments(args, true);
}

// Returns the native tensor of the argument of a function; borrowed, or NULL with an exception set.
TVMFFIObject* tensor_argument(PyObject* x, const char* function) {
  if (PyObject_TypeCheck(x, &TensorType)) return tensor_object_or_raise(x);
  PyErr_Format(PyExc_TypeError, "%s expects a Tensor, got %s", function, Py_TYPE(x)->tp_name);
  return nullptr;
}

PyObject* tensor_read_only(PyObject*, PyObject* self) {
  TVMFFIObject* tensor = tensor_argument(self, "_tensor_is_read_only");
  return tensor == nullptr ? nullptr : PyBool_FromLong(IsReadOnlyTensor(tensor));
}

PyObject* tensor_check_for_torch(PyObject*, PyObject* self) {
  TVMFFIObject* tensor = tensor_argument(self, "_tensor_check_for_torch");
  if (tensor == nullptr || torch_check_import(*TVMFFITensorGetDLTensorPtr(tensor)) < 0) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

// ---- the same memory under another data type or shape

// Makes a tensor over the memory of `tensor`, described by `t`; NULL with an exception set.
PyObject* tensor_view_new(TVMFFIObject* tensor, DLTensor t) {
  int64_t none = 0;  // the call below requires strides, even for 0 dimensions
  if (t.strides == nullptr) t.strides = &none;
  TVMFFIObjectHandle out = nullptr;
  int status = TVMFFITensorCreateUnsafeView(tensor, &t, &out);
  if (status == 0) return object_to_py_steal(static_cast<TVMFFIObject*>(out));
  raise_from_slot(status);
  return nullptr;
}

PyObject* tensor_with_dtype(PyObject*, PyObject* args) {
  PyObject* self;
  int code, bits, lanes;
  DLDataType dtype;
  if (!PyArg_ParseTuple(args, "O!(iii):_tensor_with_dtype", &TensorType, &self, &code, &bits,
                        &lanes) ||
      !dtype_of_tuple(code, bits, lanes, &dtype)) {
    return nullptr;
  }
  TVMFFIObject* tensor = tensor_object_or_raise(self);
  if (tensor == nullptr) return nullptr;
  DLTensor t = *TVMFFITensorGetDLTensorPtr(tensor);
  if (t.dtype.bits * t.dtype.lanes != dtype.bits * dtype.lanes) {
    return PyErr_Format(PyExc_ValueError, "elements of %d bits do not become elements of %d bits",
                        t.dtype.bits * t.dtype.lanes, dtype.bits * dtype.lanes);
  }
  t.dtype = dtype;
  return tensor_view_new(tensor, t);
}

// Moves the first element by a number of elements. Returns false with ValueError.
bool move_first(DLTensor* t, int64_t offset) {
  int64_t bits = 0;
  if (__builtin_mul_overflow(offset, int64_t{t->dtype.bits} * t->dtype.lanes, &bits) ||
      bits % 8 != 0) {
    PyErr_Format(PyExc_ValueError, "element %lld of the tensor does not begin at a byte",
                 static_cast<long long>(offset));
    return false;
  }
  // Add unsigned numbers: the memory of a tensor without elements may have any address.
  t->byte_offset += static_cast<uint64_t>(bits / 8);
  if (tvm::ffi::IsDirectAddressDevice(t->device)) {
    t->data = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(t->data) + t->byte_offset);
    t->byte_offset = 0;
  }
  return true;
}

PyObject* tensor_strided(PyObject*, PyObject* args) {
  PyObject *self, *shape, *strides;
  long long offset;
  if (!PyArg_ParseTuple(args, "O!O!O!L:_tensor_strided", &TensorType, &self, &PyTuple_Type, &shape,
                        &PyTuple_Type, &strides, &offset)) {
    return nullptr;
  }
  TVMFFIObject* tensor = tensor_object_or_raise(self);
  if (tensor == nullptr) return nullptr;
  auto ndim = static_cast<size_t>(PyTuple_GET_SIZE(shape));
  if (static_cast<size_t>(PyTuple_GET_SIZE(strides)) != ndim || ndim > INT32_MAX) {
    return PyErr_Format(PyExc_ValueError, "a tensor cannot have %zu extents and %zd strides", ndim,
                        PyTuple_GET_SIZE(strides));
  }
  std::unique_ptr<int64_t[]> extents(new (std::nothrow) int64_t[2 * ndim + 1]);
  if (extents == nullptr) return PyErr_NoMemory();
  DLTensor t = *TVMFFITensorGetDLTensorPtr(tensor);
  t.ndim = static_cast<int32_t>(ndim);
  t.shape = extents.get();
  t.strides = extents.get() + ndim;
  bool is_described = integers_of(shape, t.shape) && integers_of(strides, t.strides);
  return is_described && move_first(&t, offset) ? tensor_view_new(tensor, t) : nullptr;
}

PyMethodDef memory_functions[] = {
    {"_tensor_from_buffer", tensor_from_buffer, METH_VARARGS,
     "Tensor of (class, (code, bits, lanes), shape, bytes); it owns its memory."},
    {"_tensor_over_buffer", tensor_over_buffer, METH_VARARGS,
     "The same over the memory of the buffer; read-only if the buffer is."},
    {"_tensor_is_read_only", tensor_read_only, METH_O,
     "_tensor_is_read_only($module, tensor, /)\n--\n\n"
     "Whether the memory of a tensor must not be written to."},
    {"_tensor_check_for_torch", tensor_check_for_torch, METH_O,
     "_tensor_check_for_torch($module, tensor, /)\n--\n\n"
     "Refuse a tensor for which torch.from_dlpack would end the process."},
    {"_tensor_with_dtype", tensor_with_dtype, METH_VARARGS,
     "Tensor over the memory of another, with data type (code, bits, lanes)."},
    {"_tensor_strided", tensor_strided, METH_VARARGS,
     "Tensor over the memory of another, with shape, strides and the element that becomes its "
     "first."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool tensor_packed_size(const int64_t* shape, int32_t ndim, DLDataType dtype, size_t* bytes) {
  size_t bits = static_cast<size_t>(dtype.bits) * dtype.lanes;
  size_t n = 1;
  for (int32_t i = 0; i < ndim; ++i) {
    if (shape[i] == 0) {
      *bytes = 0;
      return true;
    }
  }
  for (int32_t i = 0; i < ndim; ++i) {
    auto extent = static_cast<size_t>(shape[i]);
    if (n > static_cast<size_t>(PY_SSIZE_T_MAX) / extent) return false;
    n *= extent;
  }
  if (bits != 0 && n > (static_cast<size_t>(PY_SSIZE_T_MAX) - 7) / bits) return false;
  *bytes = (n * bits + 7) / 8;
  return true;
}

int tensor_memory_init(PyObject* module) {
  type_begin(&TensorBytesType, "tvm_ffi.core._TensorBytes", sizeof(TensorBytes), 0,
             "The memory of a tensor.");
  TensorBytesType.tp_dealloc = tensor_bytes_dealloc;
  TensorBytesType.tp_as_buffer = &tensor_bytes_buffer;
  if (type_add(module, &TensorBytesType) < 0) return -1;
  for (PyMethodDef& def : reduce_methods) {
    Ref method(PyDescr_NewMethod(&TensorType, &def));
    if (!method || PyDict_SetItemString(TensorType.tp_dict, def.ml_name, method.get()) < 0) {
      return -1;
    }
  }
  PyType_Modified(&TensorType);
  return PyModule_AddFunctions(module, memory_functions);
}

}  // namespace binding
