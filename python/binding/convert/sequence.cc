// SPDX-License-Identifier: Apache-2.0
// Lists and tuples become native arrays, built here element by element. The layout is that of
// every array (container body in c_api.h, elements behind it); the deleter is ours. Native lists
// are made from such an array.
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/function.h>

#include <cstdlib>
#include <iterator>
#include <utility>

#include "../raise.h"
#include "convert.h"

namespace binding {
namespace {

struct ArrayObject {
  TVMFFIObject header;
  TVMFFISeqCell cell;
};

TVMFFIAny* array_items(ArrayObject* array) { return reinterpret_cast<TVMFFIAny*>(array + 1); }

void array_deleter(void* self, int flags) {
  auto* array = static_cast<ArrayObject*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    auto* items = static_cast<TVMFFIAny*>(array->cell.data);
    for (int64_t i = 0; i < array->cell.size; ++i) value_release(&items[i]);  // may run Python
    if (array->cell.data_deleter != nullptr) array->cell.data_deleter(array->cell.data);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) std::free(array);
}

// An empty array with room for `capacity` elements; owned, or NULL with an exception set.
ArrayObject* array_new(Py_ssize_t capacity) {
  void* space =
      std::malloc(sizeof(ArrayObject) + sizeof(TVMFFIAny) * static_cast<size_t>(capacity));
  if (space == nullptr) {
    PyErr_NoMemory();
    return nullptr;
  }
  auto* array = static_cast<ArrayObject*>(space);
  array->header.combined_ref_count = kStrongOne + kWeakOne;
  array->header.type_index = kTVMFFIArray;
  array->header.__padding = 0;
  array->header.deleter = array_deleter;
  array->cell.data = array_items(array);
  array->cell.size = 0;
  array->cell.capacity = capacity;
  array->cell.data_deleter = nullptr;
  return array;
}

}  // namespace

TVMFFIObject* array_from_items(PyObject* const* items, Py_ssize_t n) {
  ArrayObject* array = array_new(n);
  if (array == nullptr) return nullptr;
  ObjectOwner owner(&array->header);
  if (Py_EnterRecursiveCall(" while converting a sequence to an FFI array")) return nullptr;
  TVMFFIAny* out = array_items(array);
  Py_ssize_t i = 0;
  for (; i < n; ++i) {
    if (value_from_py_owned(items[i], &out[i]) < 0) break;  // may run Python
    array->cell.size = i + 1;
  }
  Py_LeaveRecursiveCall();
  return i == n ? owner.release() : nullptr;
}

TVMFFIObject* list_from_items(PyObject* const* items, Py_ssize_t n) {
  using tvm::ffi::Any;
  using tvm::ffi::detail::AnyUnsafe;
  using tvm::ffi::detail::ObjectUnsafe;
  ObjectOwner array(array_from_items(items, n));
  if (!array) return nullptr;
  auto* cell = &reinterpret_cast<ArrayObject*>(array.get())->cell;
  TVMFFIObject* made = nullptr;
  auto make = [&]() -> int {
    TVM_FFI_SAFE_CALL_BEGIN();
    auto list = tvm::ffi::ListObj::Empty(n);
    auto* values = static_cast<Any*>(cell->data);
    list->insert(0, std::make_move_iterator(values), std::make_move_iterator(values + n));
    made = ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(list));
    TVM_FFI_SAFE_CALL_END();
  };
  int status = make();
  if (status != 0) raise_from_slot(status);
  return made;
}

namespace {

// A tuple keeps its items while elements are converted, whatever their protocols do to `x`.
TVMFFIObject* from_iterable(PyObject* x, TVMFFIObject* (*make)(PyObject* const*, Py_ssize_t)) {
  Ref items(PyTuple_CheckExact(x) ? compat_new_ref(x) : PySequence_Tuple(x));
  if (!items) return nullptr;
  return make(&PyTuple_GET_ITEM(items.get(), 0), PyTuple_GET_SIZE(items.get()));
}

}  // namespace

TVMFFIObject* array_from_iterable(PyObject* x) { return from_iterable(x, array_from_items); }
TVMFFIObject* list_from_iterable(PyObject* x) { return from_iterable(x, list_from_items); }

int sequence_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  TVMFFIObject* array = array_from_iterable(x);
  if (array == nullptr) return -1;
  args->temporaries.keep_steal(array);
  value_set_object(out, array);
  return 0;
}

}  // namespace binding
