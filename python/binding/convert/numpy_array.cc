// SPDX-License-Identifier: Apache-2.0
#include "numpy_array.h"

#include <cstddef>
#include <cstdlib>
#include <iterator>

#include "../attach.h"
#include "../raise.h"
#include "borrowed_tensor.h"

namespace binding {
namespace {

// The members of PyArrayObject_fields and PyArray_Descr in NumPy's C API that this file reads.
// NumPy is not needed to compile this file.
struct ArrayDescr {
  PyObject_HEAD PyTypeObject* scalar_type;
  char kind;
  char type;
  char byteorder;
  char former_flags;
  int type_num;
};

struct ArrayFields {
  PyObject_HEAD char* data;
  int nd;
  Py_ssize_t* dimensions;
  Py_ssize_t* strides;
  PyObject* base;
  ArrayDescr* descr;
  int flags;
};

constexpr int kAligned = 0x0100;
constexpr int kWriteable = 0x0400;

static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "extents are read as int64_t");

// An element of kNumbers, whose index is NumPy's number of the data type. `bits` is 0 for types
// that are not supported.
struct Number {
  uint8_t code;
  uint8_t bits;
  int8_t itemsize_log2;
};
constexpr uint8_t kLongBits = 8 * sizeof(long);  // NOLINT(google-runtime-int): NumPy's number 7
constexpr int8_t kLongLog2 = sizeof(long) == 8 ? 3 : 2;
constexpr Number kNumbers[] = {
    {kDLBool, 8, 0},
    {kDLInt, 8, 0},
    {kDLUInt, 8, 0},
    {kDLInt, 16, 1},
    {kDLUInt, 16, 1},
    {kDLInt, 32, 2},
    {kDLUInt, 32, 2},
    {kDLInt, kLongBits, kLongLog2},
    {kDLUInt, kLongBits, kLongLog2},
    {kDLInt, 64, 3},
    {kDLUInt, 64, 3},
    {kDLFloat, 32, 2},
    {kDLFloat, 64, 3},
    {0, 0, 0},  // long double
    {kDLComplex, 64, 3},
    {kDLComplex, 128, 4},
};
constexpr int kHalf = 23;

bool number_of(const ArrayDescr& descr, Number* out) {
  if (descr.byteorder != '=' && descr.byteorder != '|') return false;
  if (descr.type_num == kHalf) {
    *out = {kDLFloat, 16, 1};
    return true;
  }
  if (descr.type_num < 0 || descr.type_num >= static_cast<int>(std::size(kNumbers))) return false;
  *out = kNumbers[descr.type_num];
  return out->bits != 0;
}

const ArrayFields* fields_of(PyObject* array) {
  return reinterpret_cast<const ArrayFields*>(array);
}

// Returns whether item `i` of the tuple is the int `value`.
bool item_is(PyObject* tuple, Py_ssize_t i, long long value) {
  long long item = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, i));
  if (item == -1 && PyErr_Occurred()) return false;
  return item == value;
}

bool extents_are(PyObject* tuple, const Py_ssize_t* extents, int nd) {
  if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != nd) return false;
  for (int i = 0; i < nd; ++i) {
    if (!item_is(tuple, i, extents[i])) return false;
  }
  return true;
}

// Compares the layout with one sample: a tuple (array, address, shape, strides, dtype, number of
// the dtype, byte order, flags).
bool sample_matches(PyObject* sample, PyTypeObject* type) {
  if (!PyTuple_Check(sample) || PyTuple_GET_SIZE(sample) != 8) return false;
  PyObject* array = PyTuple_GET_ITEM(sample, 0);
  if (Py_TYPE(array) != type) return false;
  const ArrayFields& f = *fields_of(array);
  if (!item_is(sample, 1, reinterpret_cast<intptr_t>(f.data))) return false;
  PyObject* shape = PyTuple_GET_ITEM(sample, 2);
  if (!PyTuple_Check(shape) || PyTuple_GET_SIZE(shape) != f.nd) return false;
  if (!extents_are(shape, f.dimensions, f.nd)) return false;
  if (!extents_are(PyTuple_GET_ITEM(sample, 3), f.strides, f.nd)) return false;
  if (reinterpret_cast<PyObject*>(f.descr) != PyTuple_GET_ITEM(sample, 4)) return false;
  PyObject* order = PyTuple_GET_ITEM(sample, 6);
  return item_is(sample, 5, f.descr->type_num) && PyUnicode_Check(order) &&
         PyUnicode_GET_LENGTH(order) == 1 &&
         PyUnicode_ReadChar(order, 0) == static_cast<Py_UCS4>(f.descr->byteorder) &&
         item_is(sample, 7, f.flags & (kAligned | kWriteable));
}

[[maybe_unused]] bool layout_matches(PyTypeObject* type) {
  if (type->tp_basicsize < static_cast<Py_ssize_t>(sizeof(ArrayFields))) return false;
  Ref make(state_import("tvm_ffi._values.numpy", "samples_of_layout"));
  Ref samples(make ? PyObject_CallFunctionObjArgs(make.get(), type, nullptr) : nullptr);
  if (!samples || !PyList_Check(samples.get()) || PyList_GET_SIZE(samples.get()) == 0) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(samples.get()); ++i) {
    if (!sample_matches(PyList_GET_ITEM(samples.get(), i), type)) return false;
  }
  return true;
}

}  // namespace

bool numpy_array_type_is_known(PyTypeObject* type) {
#ifdef Py_GIL_DISABLED
  (void)type;
  return false;  // another thread may reshape the array meanwhile
#else
  static PyTypeObject* known = nullptr;    // numpy.ndarray, which is never freed
  static PyTypeObject* refused = nullptr;  // has another layout; never dereferenced
  if (type == known) return true;
  if (type == refused || std::strcmp(type->tp_name, "numpy.ndarray") != 0) return false;
  if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) return false;  // a user's class with that name
  bool matches = layout_matches(type);
  if (BINDING_UNLIKELY(is_stop_raised())) {
    clear_error();
    return false;  // unknown: the next array asks again
  }
  clear_error();
  (matches ? known : refused) = type;
  return matches;
#endif
}

bool NumpyDtype::understand(PyObject* descr) {
  Number number;
  if (!number_of(*reinterpret_cast<ArrayDescr*>(descr), &number)) return false;
  dtype_ = {number.code, number.bits, 1};
  itemsize_log2_ = number.itemsize_log2;
  Py_INCREF(descr);
  Py_XSETREF(descr_, descr);
  return true;
}

bool numpy_array_read(PyObject* array, NumpyDtype* last, NumpyArray* out) {
  const ArrayFields& f = *fields_of(array);
  auto* descr = reinterpret_cast<PyObject*>(f.descr);
  if (BINDING_UNLIKELY(!last->is(descr) && !last->understand(descr))) return false;
  if (BINDING_UNLIKELY((~f.flags & (kAligned | kWriteable)) != 0)) return false;
  out->data = f.data;
  out->ndim = f.nd;
  out->shape = reinterpret_cast<const int64_t*>(f.dimensions);
  out->strides = reinterpret_cast<const int64_t*>(f.strides);
  out->dtype = last->dtype();
  out->itemsize_log2 = last->itemsize_log2();
  return true;
}

namespace {

// Returns the cache for arrays outside prepared calls. Never freed: the data type lives as long as
// NumPy, and a destructor at exit may not have the GIL.
NumpyDtype* last_dtype() {
  static auto* last = new NumpyDtype();
  return last;
}

// Owns a reference to a read-only array, for a tensor over its memory. The shape and the strides
// follow in the same allocation.
struct FrozenArray {
  DLManagedTensorVersioned managed;
  PyObject* owner;  // owned

  static void release(DLManagedTensorVersioned* managed) {
    auto* frozen = static_cast<FrozenArray*>(managed->manager_ctx);
    Attach attached;
    // After the interpreter has shut down, its objects are not touched.
    if (attached) Py_DECREF(frozen->owner);  // may run Python
    std::free(frozen);
  }
};

// Makes a read-only tensor over the memory of a read-only array, which numpy_array_read refuses.
// Owned; NULL without an exception for an array that numpy_array_read refuses for another reason.
BINDING_COLD TVMFFIObject* tensor_from_frozen_array(PyObject* array, NumpyDtype* dtype) {
  const ArrayFields& f = *fields_of(array);
  if ((f.flags & (kAligned | kWriteable)) != kAligned) return nullptr;
  if (!dtype->is(reinterpret_cast<PyObject*>(f.descr))) return nullptr;
  auto ndim = static_cast<size_t>(f.nd);
  auto* frozen =
      static_cast<FrozenArray*>(std::malloc(sizeof(FrozenArray) + 2 * ndim * sizeof(int64_t)));
  if (frozen == nullptr) {
    PyErr_NoMemory();
    return nullptr;
  }
  auto* extents = reinterpret_cast<int64_t*>(frozen + 1);
  int64_t rest = 0;
  for (size_t i = 0; i < ndim; ++i) {
    extents[i] = f.dimensions[i];
    extents[ndim + i] = f.strides[i] >> dtype->itemsize_log2();
    rest |= f.strides[i] & ((int64_t{1} << dtype->itemsize_log2()) - 1);
  }
  frozen->managed = {};
  frozen->managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  frozen->managed.manager_ctx = frozen;
  frozen->managed.deleter = FrozenArray::release;
  frozen->managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  frozen->managed.dl_tensor = {f.data,  {kDLCPU, 0},    f.nd, dtype->dtype(),
                               extents, extents + ndim, 0};
  TVMFFIObjectHandle out = nullptr;
  if (rest != 0 || TVMFFITensorFromDLPackVersioned(&frozen->managed, 0, 0, &out) != 0) {
    std::free(frozen);
    if (rest == 0) raise_from_slot(-1);
    return nullptr;
  }
  Py_INCREF(array);
  frozen->owner = array;
  return static_cast<TVMFFIObject*>(out);
}

}  // namespace

TVMFFIObject* numpy_array_borrow(PyObject* array) {
  NumpyArray described;
  if (BINDING_UNLIKELY(!numpy_array_read(array, last_dtype(), &described) ||
                       described.ndim > kMaxBorrowedDimensions)) {
    return nullptr;
  }
  return tensor_borrow(array, described);
}

TVMFFIObject* tensor_from_numpy_array(PyObject* array) {
  NumpyDtype* last = last_dtype();
  NumpyArray described;
  if (!numpy_array_read(array, last, &described)) return tensor_from_frozen_array(array, last);
  TVMFFIObject* made = BorrowedTensorObj::make(described.ndim);
  if (made == nullptr) return nullptr;
  if (BINDING_UNLIKELY(!as_borrowed_tensor(made)->describe(described))) {
    object_dec_ref(made);
    return nullptr;
  }
  as_borrowed_tensor(made)->set_owner_steal(compat_new_ref(array));
  return made;
}

}  // namespace binding
