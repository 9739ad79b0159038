// SPDX-License-Identifier: Apache-2.0
// The buffer protocol of core.Tensor: memoryview(tensor) and numpy.asarray(tensor) share the memory
// of a tensor on the CPU whose data type has a format in PEP 3118.

#include "../convert/convert.h"
#include "../type/types.h"
#include "tensor.h"

namespace binding {
namespace {

// The data of a Py_buffer, in one block with the extents and the strides. It owns a reference to
// the native tensor, because the handle may be moved out of the wrapper while the buffer is in use.
struct BufferRecord {
  TVMFFIObject* tensor;
  Py_ssize_t* extents() { return reinterpret_cast<Py_ssize_t*>(this + 1); }

  static BufferRecord* make(TVMFFIObject* tensor, int32_t ndim) {
    size_t size = sizeof(BufferRecord) + 2 * sizeof(Py_ssize_t) * static_cast<size_t>(ndim);
    auto* record = static_cast<BufferRecord*>(PyMem_Malloc(size));
    if (record == nullptr) {
      PyErr_NoMemory();
      return nullptr;
    }
    record->tensor = tensor;
    object_inc_ref(tensor);
    return record;
  }
};

// Returns the format of elements as in module `struct` and NumPy; NULL if the data type does not
// have a format.
const char* buffer_format(DLDataType dtype) {
  static constexpr const char* kLong = sizeof(long) == 8 ? "l" : "q";
  static constexpr const char* kULong = sizeof(long) == 8 ? "L" : "Q";
  // By type code, then for 8, 16, 32, 64 and 128 bits.
  static constexpr const char* kFormats[][5] = {{"b", "h", "i", kLong},
                                                {"B", "H", "I", kULong},
                                                {nullptr, "e", "f", "d"},
                                                {},
                                                {},
                                                {nullptr, nullptr, nullptr, "Zf", "Zd"},
                                                {"?"}};
  if (dtype.lanes != 1 || dtype.code > kDLBool) return nullptr;
  for (int i = 0; i < 5; ++i) {
    if (dtype.bits == 8 << i) return kFormats[dtype.code][i];
  }
  return nullptr;
}

int refuse_buffer(const char* why) {
  PyErr_SetString(PyExc_BufferError, why);
  return -1;
}

// Checks that a Py_buffer can describe the memory. Returns 0, or -1 with BufferError.
int check_exportable(const DLTensor& t, size_t* size) {
  if (t.device.device_type != kDLCPU) {
    Ref device(device_to_py(t.device));
    if (device) {
      PyErr_Format(PyExc_BufferError, "a buffer needs a CPU tensor, this one is on %S",
                   device.get());
    }
    return -1;
  }
  if (buffer_format(t.dtype) == nullptr) {
    Ref dtype(dtype_to_py(t.dtype));
    if (dtype) {
      PyErr_Format(PyExc_BufferError, "a buffer has no format for elements of %S", dtype.get());
    }
    return -1;
  }
  if (!tensor_packed_size(t.shape, t.ndim, t.dtype, size)) {
    return refuse_buffer("the tensor is too large for a buffer");
  }
  return *size != 0 && t.data == nullptr ? refuse_buffer("the tensor has no memory") : 0;
}

void fill_extents(const DLTensor& t, Py_ssize_t item, Py_ssize_t* shape, Py_ssize_t* strides) {
  Py_ssize_t packed = item;
  for (int32_t i = t.ndim - 1; i >= 0; --i) {
    shape[i] = static_cast<Py_ssize_t>(t.shape[i]);
    // Multiply unsigned numbers, because the product may overflow: the stride of a dimension with
    // one element may be any number.
    size_t stride = t.strides == nullptr ? 0 : static_cast<size_t>(t.strides[i]) * item;
    strides[i] = t.strides == nullptr ? packed : static_cast<Py_ssize_t>(stride);
    packed *= shape[i] == 0 ? 1 : shape[i];
  }
}

// Checks that the elements have the order that the consumer requests. Returns 0, or -1 with
// BufferError.
int check_order(const Py_buffer& view, int flags) {
  bool wants_c = (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS;
  bool wants_f = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS;
  bool wants_any = (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS;
  if ((wants_c || (flags & PyBUF_STRIDES) != PyBUF_STRIDES) && !PyBuffer_IsContiguous(&view, 'C')) {
    return refuse_buffer("the tensor is not contiguous");
  }
  if (wants_f && !PyBuffer_IsContiguous(&view, 'F')) {
    return refuse_buffer("the tensor is not contiguous in column-major order");
  }
  return wants_any && !PyBuffer_IsContiguous(&view, 'A')
             ? refuse_buffer("the tensor is not contiguous")
             : 0;
}

int tensor_buffer_get(PyObject* self, Py_buffer* view, int flags) {
  static char no_memory;
  view->obj = nullptr;
  TVMFFIObject* tensor = tensor_object_or_raise(self);
  if (tensor == nullptr) return -1;
  const DLTensor& t = *TVMFFITensorGetDLTensorPtr(tensor);
  if ((flags & PyBUF_WRITABLE) && IsReadOnlyTensor(tensor)) {
    return refuse_buffer("the tensor is read-only");
  }
  size_t size = 0;
  if (check_exportable(t, &size) < 0) return -1;
  BufferRecord* record = BufferRecord::make(tensor, t.ndim);
  if (record == nullptr) return -1;
  Py_ssize_t item = t.dtype.bits / 8;
  Py_ssize_t* strides = record->extents() + t.ndim;
  fill_extents(t, item, record->extents(), strides);
  view->buf = t.data == nullptr ? &no_memory : static_cast<char*>(t.data) + t.byte_offset;
  view->len = static_cast<Py_ssize_t>(size);
  view->readonly = IsReadOnlyTensor(tensor);
  view->itemsize = item;
  view->format = (flags & PyBUF_FORMAT) ? const_cast<char*>(buffer_format(t.dtype)) : nullptr;
  view->ndim = t.ndim;
  view->shape = record->extents();
  view->strides = strides;
  view->suboffsets = nullptr;
  view->internal = record;
  if (check_order(*view, flags) < 0) {
    object_dec_ref(record->tensor);  // not the last reference
    PyMem_Free(record);
    return -1;
  }
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) view->strides = nullptr;
  if ((flags & PyBUF_ND) != PyBUF_ND) view->shape = nullptr;
  view->obj = compat_new_ref(self);
  return 0;
}

void tensor_buffer_release(PyObject*, Py_buffer* view) {
  auto* record = static_cast<BufferRecord*>(view->internal);
  TVMFFIObject* tensor = record->tensor;
  PyMem_Free(record);
  object_dec_ref(tensor);  // may run Python
}

}  // namespace

PyBufferProcs tensor_buffer_procs = {tensor_buffer_get, tensor_buffer_release};

}  // namespace binding
