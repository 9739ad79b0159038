// SPDX-License-Identifier: Apache-2.0
// Lists and tuples become native arrays, filled here element by element. Native lists are made from
// such an array.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>

#include <iterator>

#include "native_value.h"

namespace binding {
TVMFFIObject* array_from_items(PyObject* const* items, Py_ssize_t n, CallContext* context) {
  if (Py_EnterRecursiveCall(" while converting a sequence to an FFI array")) return nullptr;
  TVMFFIObject* array = nullptr;
  auto convert = [&](Py_ssize_t i, TVMFFIAny* place) {
    return value_from_py_owned(items[i], place, context);  // may run Python
  };
  array_filled(n, convert, &array);
  Py_LeaveRecursiveCall();
  return array;
}

TVMFFIObject* list_from_array_steal(TVMFFIObject* array) {
  ObjectOwner owner(array);
  TVMFFISeqCell* cell = sequence_cell_of(array);
  auto* values = static_cast<tvm::ffi::Any*>(cell->data);
  TVMFFIObject* made = nullptr;
  guarded([&] {
    auto list = tvm::ffi::ListObj::Empty(cell->size);
    list->insert(0, std::make_move_iterator(values), std::make_move_iterator(values + cell->size));
    made = tvm::ffi::detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(list));
  });
  return made;
}

TVMFFIObject* list_from_items(PyObject* const* items, Py_ssize_t n) {
  TVMFFIObject* array = array_from_items(items, n);
  return array == nullptr ? nullptr : list_from_array_steal(array);
}

namespace {

// A tuple keeps its items while elements are converted, whatever their protocols do to `x`.
Ref items_of(PyObject* x) {
  return Ref(PyTuple_CheckExact(x) ? compat_new_ref(x) : PySequence_Tuple(x));
}

}  // namespace

TVMFFIObject* array_from_iterable(PyObject* x, CallContext* context) {
  Ref items(items_of(x));
  if (!items) return nullptr;
  return array_from_items(&PyTuple_GET_ITEM(items.get(), 0), PyTuple_GET_SIZE(items.get()),
                          context);
}

TVMFFIObject* list_from_iterable(PyObject* x) {
  Ref items(items_of(x));
  if (!items) return nullptr;
  return list_from_items(&PyTuple_GET_ITEM(items.get(), 0), PyTuple_GET_SIZE(items.get()));
}

int sequence_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  TVMFFIObject* array = array_from_iterable(x, args->context);
  if (array == nullptr) return -1;
  args->temporaries.keep_steal(array);
  value_set_object(out, array);
  return 0;
}

}  // namespace binding
