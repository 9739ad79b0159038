// SPDX-License-Identifier: Apache-2.0
// Lists and tuples become native arrays, filled here element by element. Native lists are made from
// such an array.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>

#include <iterator>
#include <utility>

#include "native_value.h"

namespace binding {
namespace {

// `make` gives a C++ container and may throw; owned result, or NULL with an exception set.
template <typename F>
TVMFFIObject* made_by(F&& make) {
  TVMFFIObject* made = nullptr;
  guarded([&] { made = tvm::ffi::detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(make()); });
  return made;
}

TVMFFISeqCell* cell_of(TVMFFIObject* sequence) {
  return reinterpret_cast<TVMFFISeqCell*>(sequence + 1);
}

}  // namespace

TVMFFIObject* array_from_items(PyObject* const* items, Py_ssize_t n, CallContext* context) {
  ObjectOwner array(made_by([n] { return tvm::ffi::ArrayObj::Empty(n); }));
  if (!array) return nullptr;
  if (Py_EnterRecursiveCall(" while converting a sequence to an FFI array")) return nullptr;
  // The elements are written in place; nobody else knows the array yet.
  TVMFFISeqCell* cell = cell_of(array.get());
  auto* out = static_cast<TVMFFIAny*>(cell->data);
  Py_ssize_t i = 0;
  for (; i < n; ++i) {
    if (value_from_py_owned(items[i], &out[i], context) < 0) break;  // may run Python
    cell->size = i + 1;
  }
  Py_LeaveRecursiveCall();
  return i == n ? array.release() : nullptr;
}

TVMFFIObject* list_from_items(PyObject* const* items, Py_ssize_t n) {
  ObjectOwner array(array_from_items(items, n));
  if (!array) return nullptr;
  auto* values = static_cast<tvm::ffi::Any*>(cell_of(array.get())->data);
  return made_by([values, n] {
    auto list = tvm::ffi::ListObj::Empty(n);
    list->insert(0, std::make_move_iterator(values), std::make_move_iterator(values + n));
    return list;
  });
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
