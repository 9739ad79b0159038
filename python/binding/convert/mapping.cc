// SPDX-License-Identifier: Apache-2.0
// Conversion of mappings to native maps and dicts, in iteration order.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>

#include <iterator>
#include <utility>

#include "../recursion.h"
#include "convert.h"
#include "native_value.h"
#include "schema/converters.h"

namespace binding {
namespace {

using tvm::ffi::Any;

// Moves the entries into a new native `Mapping`; owned, or NULL with an exception set.
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

// Converts and appends one entry. Returns 0, or -1 with an exception set.
int add_entry(PyObject* key, PyObject* value, Entries* entries, CallContext* context) {
  Any new_key, new_value;
  if (any_from_py(key, &new_key, context) < 0 || any_from_py(value, &new_value, context) < 0) {
    return -1;
  }
  entries->emplace_back(std::move(new_key), std::move(new_value));
  return 0;
}

// Appends one pair from `items()`. Returns 0, or -1 with an exception set.
int add_pair(PyObject* pair, Entries* entries, CallContext* context) {
  if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) {
    PyErr_Format(PyExc_TypeError, "items() must give pairs of key and value, got %s",
                 Py_TYPE(pair)->tp_name);
    return -1;
  }
  return add_entry(PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1), entries, context);
}

int reserve_entries(Entries* entries, Py_ssize_t n) {
  return guarded([&] { entries->reserve(static_cast<size_t>(n)); });
}

// Converts the pairs. `pairs` keeps all keys and values alive while the conversion of one of them
// runs Python.
int entries_from_pairs(PyObject* pairs, Entries* entries, CallContext* context) {
  RecursionLevel level(" while converting a dict to an FFI map");
  if (!level) return -1;
  Py_ssize_t n = PyList_GET_SIZE(pairs);
  if (reserve_entries(entries, n) < 0) return -1;
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (add_pair(PyList_GET_ITEM(pairs, i), entries, context) < 0) return -1;
  }
  return 0;
}

// Converts the entries of a dict. A dict whose keys and values are plain stays the same meanwhile,
// so it is read directly; the entries of other dicts are first copied to a list.
int entries_from_dict(PyObject* dict, Entries* entries, CallContext* context) {
  if (reserve_entries(entries, PyDict_GET_SIZE(dict)) < 0) return -1;
  Py_ssize_t at = 0;
  PyObject *key, *value;
  while (PyDict_Next(dict, &at, &key, &value)) {
    if (!BINDING_HAS_GIL || !is_plain(key) || !is_plain(value)) {
      entries->clear();
      Ref pairs(PyDict_Items(dict));
      return pairs ? entries_from_pairs(pairs.get(), entries, context) : -1;
    }
    if (add_entry(key, value, entries, context) < 0) return -1;
  }
  return 0;
}

// Returns an item of an iterable as a tuple of key and value. New reference, or NULL with an
// exception set.
PyObject* pair_of_item(PyObject* item, Py_ssize_t index) {
  Ref pair(PyUnicode_Check(item) ? nullptr : PySequence_Tuple(item));  // may run Python
  if (!pair) {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) return nullptr;
    clear_error();
    return PyErr_Format(PyExc_TypeError, "expected a pair of key and value as item %zd, got %s",
                        index, Py_TYPE(item)->tp_name);
  }
  if (PyTuple_GET_SIZE(pair.get()) == 2) return pair.release();
  return PyErr_Format(PyExc_ValueError,
                      "expected a pair of key and value as item %zd, got %zd values", index,
                      PyTuple_GET_SIZE(pair.get()));
}

// Returns the pairs of an iterable as a list of tuples; NULL with an exception set.
PyObject* pairs_of_iterable(PyObject* x) {
  bool is_iterable = Py_TYPE(x)->tp_iter != nullptr || PySequence_Check(x);
  if (!is_iterable || PyUnicode_Check(x) || PyBytes_Check(x)) {
    return PyErr_Format(PyExc_AttributeError,
                        "'%s' object has no attribute 'items': expected a mapping, or an iterable "
                        "of pairs of key and value",
                        Py_TYPE(x)->tp_name);
  }
  Ref pairs(PySequence_List(x));  // runs Python
  for (Py_ssize_t i = 0; pairs && i < PyList_GET_SIZE(pairs.get()); ++i) {
    PyObject* pair = pair_of_item(PyList_GET_ITEM(pairs.get(), i), i);
    if (pair == nullptr) return nullptr;
    PyList_SetItem(pairs.get(), i, pair);
  }
  return pairs.release();
}

// Returns the entries of a mapping, or of an iterable of pairs, as a list of tuples; NULL with an
// exception set.
PyObject* pairs_of(PyObject* x) {
  Ref method(PyObject_GetAttrString(x, "items"));  // may run Python
  if (!method) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return nullptr;
    clear_error();
    return pairs_of_iterable(x);
  }
  Ref items(PyObject_CallNoArgs(method.get()));  // runs Python
  return items ? PySequence_List(items.get()) : nullptr;
}

int entries_from_mapping(PyObject* x, Entries* entries) {
  if (PyDict_CheckExact(x)) return entries_from_dict(x, entries, nullptr);
  Ref pairs(pairs_of(x));
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
  Entries entries;
  if (entries_from_dict(x, &entries, args->context) < 0) return -1;
  TVMFFIObject* map = map_from_entries(std::move(entries));
  if (map == nullptr) return -1;
  args->temporaries.keep_steal(map);
  value_set_object(out, map);
  return 0;
}

namespace schema {
namespace {

using tvm::ffi::Any;

// Returns the native mapping in `x`, or NULL.
tvm::ffi::MapBaseObj* native_mapping(PyObject* x) {
  TVMFFIObject* obj = handle_of(x);
  bool is = obj != nullptr && (obj->type_index == kTVMFFIMap || obj->type_index == kTVMFFIDict);
  return is ? reinterpret_cast<tvm::ffi::MapBaseObj*>(obj) : nullptr;
}

int is_mapping(PyObject* x) {
  if (is_wrapper(x)) return native_mapping(x) != nullptr;
  if (PyDict_Check(x)) return 1;
  if (is_builtin_value(x)) return 0;
  return is_instance_of_lazy(x, &state().mapping_abc);
}

TVMFFIAny raw(const Any& value) { return reinterpret_cast<const TVMFFIAny&>(value); }

// Converts `half`, the key or the value of an entry, unless it already fits. `text` is the format
// for the position of the entry in messages, `key` the original key.
Outcome convert_half(const Converter& c, const Any& half, PyObject* key, const char* text, Any* out,
                     Refusal* why) {
  if (fits(c, raw(half))) {
    *out = half;
    return kConverted;
  }
  Ref x(value_to_py_borrowed(raw(half)));
  if (!x) return kRaised;
  TVMFFIAny made;
  Outcome outcome = convert_value(c, x.get(), &made, why);
  if (outcome != kConverted) return refuse_nested(outcome, why, text, key);
  *out = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(made);
  return kConverted;
}

Outcome convert_half(const Converter& c, PyObject* half, PyObject* key, const char* text, Any* out,
                     Refusal* why) {
  TVMFFIAny made;
  Outcome outcome = convert_value(c, half, &made, why);
  if (outcome != kConverted) return refuse_nested(outcome, why, text, key);
  *out = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(made);
  return kConverted;
}

template <typename Half>
Outcome convert_entry(const Converter& c, const Half& key, const Half& value, PyObject* py_key,
                      Entries* entries, Refusal* why) {
  Any new_key, new_value;
  Outcome outcome = convert_half(*c.args[0], key, py_key, "key %R: %U", &new_key, why);
  if (outcome != kConverted) return outcome;
  outcome = convert_half(*c.args[1], value, py_key, "value for key %R: %U", &new_value, why);
  if (outcome != kConverted) return outcome;
  return guarded([&] { entries->emplace_back(std::move(new_key), std::move(new_value)); }) < 0
             ? kRaised
             : kConverted;
}

// Converts the entries of a native mapping. Copies them first: a conversion may run Python, which
// may change the mapping.
Outcome native_entries(const Converter& c, tvm::ffi::MapBaseObj* mapping, Entries* entries,
                       Refusal* why) {
  Entries old;
  if (guarded([&] {
        old.reserve(mapping->size());
        for (const auto& entry : *mapping) old.emplace_back(entry.first, entry.second);
      }) < 0) {
    return kRaised;
  }
  for (const auto& entry : old) {
    Ref key(value_to_py_borrowed(raw(entry.first)));
    if (!key) return kRaised;
    Outcome outcome = convert_entry(c, entry.first, entry.second, key.get(), entries, why);
    if (outcome != kConverted) return outcome;
  }
  return kConverted;
}

// Returns the items of a mapping as a list; NULL with an exception set.
PyObject* items_of_mapping(PyObject* x) {
  if (PyDict_CheckExact(x)) return PyDict_Items(x);
  Ref items(PyObject_CallMethod(x, "items", nullptr));  // runs Python
  return items ? PySequence_List(items.get()) : nullptr;
}

Outcome python_entries(const Converter& c, PyObject* x, Entries* entries, Refusal* why) {
  Ref items(items_of_mapping(x));
  if (!items) return refuse_raised(c, x, why);
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.get()); ++i) {
    Ref pair(PySequence_Tuple(PyList_GET_ITEM(items.get(), i)));  // may run Python
    if (!pair) return refuse_raised(c, x, why);
    if (PyTuple_GET_SIZE(pair.get()) != 2) {
      return refuse(why, "expected %U, got items() that are not pairs", c.expected.get());
    }
    PyObject* key = PyTuple_GET_ITEM(pair.get(), 0);
    Outcome outcome = convert_entry(c, key, PyTuple_GET_ITEM(pair.get(), 1), key, entries, why);
    if (outcome != kConverted) return outcome;
  }
  return kConverted;
}

}  // namespace

Outcome mapping_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  int is = is_mapping(x);
  if (is < 0) return refuse_raised(c, x, why);
  if (is == 0) return refuse_type(c, x, why);
  tvm::ffi::MapBaseObj* native = native_mapping(x);
  if (native != nullptr) {
    value_set_object(out, as_wrapper(x)->handle);
    if (fits(c, *out)) {
      object_inc_ref(out->v_obj);
      return kConverted;
    }
  }
  Entries entries;
  Outcome outcome = native != nullptr ? native_entries(c, native, &entries, why)
                                      : python_entries(c, x, &entries, why);
  if (outcome != kConverted) return outcome;
  TVMFFIObject* made = c.kind == SchemaKind::kMap ? map_from_entries(std::move(entries))
                                                  : dict_from_entries(std::move(entries));
  if (made == nullptr) return refuse_raised(c, x, why);
  value_set_object(out, made);
  return kConverted;
}

}  // namespace schema
}  // namespace binding
