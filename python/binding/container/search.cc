// SPDX-License-Identifier: Apache-2.0
// Search for a value in a sequence: `in`, `index`, `count` and `remove` compare in the same way.
//
// An element matches if it is the same FFI value: numbers, text and other atoms of the same type
// and content, or the same object (or equal by `__any_equal__`). Otherwise, unless both values are
// atoms, Python's `==` decides. For example, `1.0` is not found among ints, and a tuple is found by
// an equal list.
#include "search.h"

#include <algorithm>

namespace binding {
namespace {

// Returns whether values of a type match only equal values of the same type. Tensors belong to
// these types because `==` of the frameworks' tensors does not return a truth value.
bool is_atom(int32_t type_index) {
  switch (type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFIBigInt:
    case kTVMFFITensor:
      return true;
    default:
      return type_index < kTVMFFIStaticObjectBegin;
  }
}

// Returns whether `==` of the class compares the identity of objects.
bool compares_identity(const PyTypeObject* type) {
  return type->tp_richcompare == CObjectType.tp_richcompare;
}

}  // namespace

int Wanted::convert(PyObject* value) {
  TVMFFIAny raw;
  if (value_from_py(value, &raw, &args_) < 0) return -1;  // may run Python
  value_ = value;
  is_atom_ = is_atom(raw.type_index);
  plain_ = raw;
  is_tensor_ = raw.type_index == kTVMFFITensor || raw.type_index == kTVMFFIDLTensorPtr;
  has_equality_ = is_wrapper(value) && !compares_identity(Py_TYPE(value));
  return guarded([&] { key_ = ffi::AnyView::CopyFromTVMFFIAny(raw); });
}

// Returns whether an element that is a different FFI value has to be compared with Python's `==`.
bool Wanted::asks_python(const TVMFFIAny& item) const {
  if (is_tensor_ || item.type_index == kTVMFFITensor) return false;
  if (is_atom(item.type_index)) return !is_atom_;
  const ClassInfo* known =
      is_object_index(item.type_index) ? class_info_known(item.type_index) : nullptr;
  bool is_identity = known != nullptr && known->to_python == ToPython::kWrapper &&
                     known->cls != nullptr && compares_identity(known->cls);
  return !is_identity || has_equality_;
}

int Wanted::matches(const DLPackExchangeAPI* api, const TVMFFIAny& place) const {
  bool same = false;
  ffi::Any item;  // comparing may run Python, which may change the sequence
  int rc = guarded([&] {
    item = reinterpret_cast<const ffi::Any&>(place);
    same = ffi::AnyEqual()(item, key_);
  });
  if (rc < 0 || same) return rc < 0 ? -1 : 1;
  if (!asks_python(raw_value(item))) return 0;
  Ref element(element_to_py(api, raw_value(item)));
  return element ? PyObject_RichCompareBool(element.get(), value_, Py_EQ) : -1;  // runs Python
}

namespace {

// Returns the index of the first element from `i` on that may match: an element with the type and
// bits of `wanted`, or any object, because its class may define `==`.
int64_t skip_other_atoms(const TVMFFIAny* cells, int64_t i, int64_t end, const TVMFFIAny& wanted) {
  int64_t bits = wanted.v_int64;
  int32_t type_index = wanted.type_index;
  while (i < end && (cells[i].v_int64 != bits || cells[i].type_index != type_index) &&
         cells[i].type_index < kTVMFFIStaticObjectBegin) {
    ++i;
  }
  return i;
}

}  // namespace

int64_t sequence_find(PyObject* self, const Wanted& wanted, int64_t start, int64_t stop) {
  Section section(self);
  TVMFFISeqCell* cell = sequence_cell(self);
  if (cell == nullptr) return -2;
  ObjectOwner keep = ObjectOwner::borrow(as_wrapper(self)->handle);
  const DLPackExchangeAPI* api = container_api(self);
  const TVMFFIAny* plain = wanted.plain();
  for (int64_t i = start;; ++i) {
    auto* cells = static_cast<const TVMFFIAny*>(cell->data);
    int64_t end = std::min<int64_t>(stop, cell->size);  // a comparison may have changed the size
    if (plain != nullptr) i = skip_other_atoms(cells, i, end, *plain);
    if (i >= end) return -1;
    if (plain != nullptr && cells[i].type_index < kTVMFFIStaticObjectBegin) return i;
    int is = wanted.matches(api, cells[i]);
    if (is != 0) return is < 0 ? -2 : i;
  }
}

int sequence_contains(PyObject* self, PyObject* value) {
  Wanted wanted;
  if (wanted.convert(value) < 0) return -1;
  int64_t found = sequence_find(self, wanted, 0, INT64_MAX);
  return found == -2 ? -1 : found >= 0;
}

PyObject* sequence_count(PyObject* self, PyObject* value) {
  Wanted wanted;
  if (wanted.convert(value) < 0) return nullptr;
  Py_ssize_t count = 0;
  for (int64_t at = -1;; ++count) {
    at = sequence_find(self, wanted, at + 1, INT64_MAX);
    if (at == -2) return nullptr;
    if (at == -1) return PyLong_FromSsize_t(count);
  }
}

namespace {

// Reads a bound like `list.index` does; NULL and None leave `*out` unchanged. On failure, returns
// false with an exception set.
bool bound_of(PyObject* x, Py_ssize_t size, Py_ssize_t* out) {
  if (x == nullptr || x == Py_None) return true;
  *out = PyNumber_AsSsize_t(x, nullptr);  // may run Python
  if (*out == -1 && PyErr_Occurred()) return false;
  if (*out < 0) *out = *out + size < 0 ? 0 : *out + size;
  return true;
}

}  // namespace

PyObject* sequence_index(PyObject* self, PyObject* const* args) {
  PyObject* value = args[0];
  TVMFFISeqCell* cell = sequence_cell(self);
  if (cell == nullptr) return nullptr;
  auto size = static_cast<Py_ssize_t>(cell->size);
  Py_ssize_t start = 0, stop = PY_SSIZE_T_MAX;
  if (!bound_of(args[1], size, &start) || !bound_of(args[2], size, &stop)) return nullptr;
  Wanted wanted;
  if (wanted.convert(value) < 0) return nullptr;
  int64_t found = sequence_find(self, wanted, start, stop);
  if (found >= 0) return PyLong_FromLongLong(found);
  if (found == -1) {
    PyErr_Format(PyExc_ValueError, "%R is not in %s", value, Py_TYPE(self)->tp_name);
  }
  return nullptr;
}

}  // namespace binding
