// SPDX-License-Identifier: Apache-2.0
// Mappings become native maps and dicts, in iteration order.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>

#include <exception>
#include <iterator>
#include <utility>
#include <vector>

#include "native_value.h"

namespace binding {
namespace {

using tvm::ffi::Any;

// Moves the entries into a new `Mapping`; owned, or NULL with an exception set.
template <typename Mapping>
TVMFFIObject* mapping_from_entries(Entries&& entries) {
  using tvm::ffi::detail::ObjectUnsafe;
  TVMFFIObject* made = nullptr;
  guarded([&] {
    Mapping mapping(std::make_move_iterator(entries.begin()),
                    std::make_move_iterator(entries.end()));
    made = ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(mapping));
  });
  return made;
}

// Appends one pair of `items()`. 0 or -1.
int add_entry(PyObject* pair, Entries* entries, CallContext* context) {
  if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) {
    PyErr_Format(PyExc_TypeError, "items() must give pairs of key and value, got %s",
                 Py_TYPE(pair)->tp_name);
    return -1;
  }
  Any key, value;
  if (any_from_py(PyTuple_GET_ITEM(pair, 0), &key, context) < 0 ||
      any_from_py(PyTuple_GET_ITEM(pair, 1), &value, context) < 0) {
    return -1;
  }
  entries->emplace_back(std::move(key), std::move(value));
  return 0;
}

// `pairs` keeps keys and values while they are converted, whatever their protocols do.
int entries_from_pairs(PyObject* pairs, Entries* entries, CallContext* context) {
  if (Py_EnterRecursiveCall(" while converting a dict to an FFI map")) return -1;
  Py_ssize_t n = PyList_GET_SIZE(pairs);
  int rc = 0;
  try {
    entries->reserve(static_cast<size_t>(n));
  } catch (const std::exception&) {
    PyErr_NoMemory();
    rc = -1;
  }
  for (Py_ssize_t i = 0; i < n && rc == 0; ++i) {
    rc = add_entry(PyList_GET_ITEM(pairs, i), entries, context);
  }
  Py_LeaveRecursiveCall();
  return rc;
}

int entries_from_mapping(PyObject* x, Entries* entries) {
  Ref pairs;
  if (PyDict_CheckExact(x)) {
    pairs = Ref(PyDict_Items(x));
  } else {
    Ref items(PyObject_CallMethod(x, "items", nullptr));  // runs Python
    if (items) pairs = Ref(PySequence_List(items.get()));
  }
  return pairs ? entries_from_pairs(pairs.get(), entries, nullptr) : -1;
}

}  // namespace

TVMFFIObject* map_from_entries(Entries&& entries) {
  return mapping_from_entries<tvm::ffi::Map<Any, Any>>(std::move(entries));
}

TVMFFIObject* dict_from_entries(Entries&& entries) {
  return mapping_from_entries<tvm::ffi::Dict<Any, Any>>(std::move(entries));
}

TVMFFIObject* map_from_mapping(PyObject* x) {
  Entries entries;
  if (entries_from_mapping(x, &entries) < 0) return nullptr;
  return map_from_entries(std::move(entries));
}

TVMFFIObject* dict_from_mapping(PyObject* x) {
  Entries entries;
  if (x != nullptr && entries_from_mapping(x, &entries) < 0) return nullptr;
  return dict_from_entries(std::move(entries));
}

int mapping_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref pairs(PyDict_Items(x));
  Entries entries;
  if (!pairs || entries_from_pairs(pairs.get(), &entries, args->context) < 0) return -1;
  TVMFFIObject* map = map_from_entries(std::move(entries));
  if (map == nullptr) return -1;
  args->temporaries.keep_steal(map);
  value_set_object(out, map);
  return 0;
}

}  // namespace binding
