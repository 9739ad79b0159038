// SPDX-License-Identifier: Apache-2.0
// Schemas Map and Dict: native and Python mappings, converted entry by entry. A native one that
// has the right type and entries is kept as it is.
#include <tvm/ffi/container/map.h>

#include "../native_value.h"
#include "rooms.h"

namespace binding::annotated {
namespace {

using tvm::ffi::Any;

// The native mapping in `x`, or NULL.
tvm::ffi::MapBaseObj* native_mapping(PyObject* x) {
  TVMFFIObject* obj = handle_of(x);
  bool is = obj != nullptr && (obj->type_index == kTVMFFIMap || obj->type_index == kTVMFFIDict);
  return is ? reinterpret_cast<tvm::ffi::MapBaseObj*>(obj) : nullptr;
}

int is_mapping(PyObject* x) {
  if (is_wrapper(x)) return native_mapping(x) != nullptr;
  if (PyDict_Check(x)) return 1;
  if (is_builtin_value(x)) return 0;
  PyObject** cls = &state().mapping_abc;
  if (*cls == nullptr) *cls = state_import("collections.abc", "Mapping");
  return *cls == nullptr ? -1 : PyObject_IsInstance(x, *cls);  // may run Python
}

TVMFFIAny raw(const Any& value) { return reinterpret_cast<const TVMFFIAny&>(value); }

// One half of an entry, kept where it fits. `text` says where it is; `key` is the original key.
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

// The entries are copied first: converting them may run Python, which may change the mapping.
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

// What `items()` of a mapping gives, as a list; NULL with an exception set.
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
      return refuse(why, "expected %U, got items() that are no pairs", c.expected.get());
    }
    PyObject* key = PyTuple_GET_ITEM(pair.get(), 0);
    Outcome outcome = convert_entry(c, key, PyTuple_GET_ITEM(pair.get(), 1), key, entries, why);
    if (outcome != kConverted) return outcome;
  }
  return kConverted;
}

}  // namespace

Outcome mapping_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
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

}  // namespace binding::annotated
