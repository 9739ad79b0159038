// SPDX-License-Identifier: Apache-2.0
// A client for containers: it makes and checks each kind of container, and changes containers that
// the client of the other side (side.h) has made.
#include <string>
#include <utility>

#include "side.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

Array<Any> make_array() { return {1, 2.5, String("three"), nullptr, Array<int64_t>{5, 6}}; }
bool check_array(const Array<Any>& value) {
  return value.size() == 5 && value[0].cast<int64_t>() == 1 && value[1].cast<double>() == 2.5 &&
         value[2].cast<String>() == "three" && value[3] == nullptr &&
         value[4].cast<Array<int64_t>>()[1] == 6;
}

List<String> make_list() { return {"a", "a text of the heap", ""}; }
bool check_list(const List<String>& value) {
  return value.size() == 3 && value[1] == "a text of the heap" && value[2].empty();
}

Map<String, Any> make_map() { return {{"one", 1}, {"two", 2.0}, {"a key of the heap", nullptr}}; }
bool check_map(const Map<String, Any>& value) {
  return value.size() == 3 && value["one"].cast<int64_t>() == 1 &&
         value["a key of the heap"] == nullptr && value.count("three") == 0 &&
         !value.Get("three").has_value() && (*value.begin()).first == "one";
}

// Return a map with keys of every kind, and with enough entries for the dense layout.
Map<Any, Any> make_dense_map() {
  Map<Any, Any> made;
  for (int64_t i = 0; i < 200; ++i) made.Set(i, i * i);
  made.Set(String("text"), 1);
  made.Set(Bytes("bytes that lie on the heap", 26), 2);
  made.Set(1.5, 3);
  made.Set(true, 4);
  made.Set(DLDataType{kDLInt, 8, 1}, 5);
  return made;
}
bool check_dense_map(const Map<Any, Any>& value) {
  for (int64_t i = 0; i < 200; ++i) {
    if (value[i].cast<int64_t>() != i * i) return false;
  }
  int64_t at = 0;
  for (const auto& [key, mapped] : value) {
    if (at < 200 && key.cast<int64_t>() != at) return false;
    ++at;
  }
  return at == 205 && value[String("text")].cast<int64_t>() == 1 &&
         value[Bytes("bytes that lie on the heap", 26)].cast<int64_t>() == 2 &&
         value[1.5].cast<int64_t>() == 3 && value[true].cast<int64_t>() == 4 &&
         value[DLDataType{kDLInt, 8, 1}].cast<int64_t>() == 5;
}

Dict<String, int64_t> make_dict() {
  Dict<String, int64_t> made;
  for (int64_t i = 0; i < 50; ++i) made.Set("key " + String(std::to_string(i)), i);
  return made;
}
bool check_dict(const Dict<String, int64_t>& value) {
  return value.size() == 50 && value["key 49"] == 49;
}

Tuple<int64_t, String, Optional<double>> make_tuple() {
  return Tuple<int64_t, String, Optional<double>>(7, "seven", 7.5);
}
bool check_tuple(const Tuple<int64_t, String, Optional<double>>& value) {
  return value.get<0>() == 7 && value.get<1>() == "seven" && value.get<2>() == 7.5;
}

Variant<int64_t, String, Array<String>> make_variant() { return Array<String>{"x"}; }
bool check_variant(const Variant<int64_t, String, Array<String>>& value) {
  return value.as<Array<String>>().has_value() && value.get<Array<String>>()[0] == "x";
}

Optional<String> make_optional() { return String("there"); }
bool check_optional(const Optional<String>& value) { return value == String("there"); }

Optional<Array<int64_t>> make_empty_optional() { return std::nullopt; }
bool check_empty_optional(const Optional<Array<int64_t>>& value) { return !value.has_value(); }

Any make_nested() {
  return Map<String, Array<Map<int64_t, List<Any>>>>{{"a", {{{1, {nullptr, Shape({4})}}}}}};
}
bool check_nested(const Map<String, Array<Map<int64_t, List<Any>>>>& value) {
  return value["a"][0][1][1].cast<Shape>()[0] == 4;
}

// ---------------------------------------------------------------- changes

void append(List<Any> value, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) value.push_back(i);
}

void drop_front(List<Any> value, int64_t count) {
  for (int64_t i = 0; i < count; ++i) value.erase(value.begin());
}

void put(Dict<Any, Any> value, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) value.Set(i, i);
}

void drop(Dict<Any, Any> value, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) value.erase(i);
}

void drop_key(Dict<Any, Any> value, const Any& key) { value.erase(key); }

// Append numbers; if the caller passes its only reference, the array is changed in place.
Array<Any> pushed(RValueRef<Array<Any>> value, int64_t begin, int64_t end) {
  Array<Any> mine = *std::move(value);
  for (int64_t i = begin; i < end; ++i) mine.push_back(i);
  return mine;
}

Map<Any, Any> extended(Map<Any, Any> value, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) value.Set(i, i);
  return value;
}

Array<Any> pushed_by(const Function& other, int64_t begin, int64_t end) {
  Array<Any> mine;
  return other(RValueRef(std::move(mine)), begin, end).cast<Array<Any>>();
}

int64_t sum_of_items(const Any& value) {
  int64_t sum = 0;
  if (auto array = value.as<Array<Any>>()) {
    for (const Any& item : *array) sum += item.cast<int64_t>();
  } else {
    for (const Any& item : value.cast<List<Any>>()) sum += item.cast<int64_t>();
  }
  return sum;
}

int64_t sum_of_values(const Any& value) {
  int64_t sum = 0;
  for (const auto& [key, mapped] : value.cast<Map<Any, Any>>()) {
    if (!AnyEqual()(key, mapped)) return -1;
    sum += mapped.cast<int64_t>();
  }
  return sum;
}

// Return the message of the error for an element of the wrong type.
String mismatch(const Any& value) {
  try {
    (void)value.cast<Array<int64_t>>();
  } catch (const Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

}  // namespace

INTEROP_EXPORT(make_array);
INTEROP_EXPORT(check_array);
INTEROP_EXPORT(make_list);
INTEROP_EXPORT(check_list);
INTEROP_EXPORT(make_map);
INTEROP_EXPORT(check_map);
INTEROP_EXPORT(make_dense_map);
INTEROP_EXPORT(check_dense_map);
INTEROP_EXPORT(make_dict);
INTEROP_EXPORT(check_dict);
INTEROP_EXPORT(make_tuple);
INTEROP_EXPORT(check_tuple);
INTEROP_EXPORT(make_variant);
INTEROP_EXPORT(check_variant);
INTEROP_EXPORT(make_optional);
INTEROP_EXPORT(check_optional);
INTEROP_EXPORT(make_empty_optional);
INTEROP_EXPORT(check_empty_optional);
INTEROP_EXPORT(make_nested);
INTEROP_EXPORT(check_nested);
INTEROP_EXPORT(append);
INTEROP_EXPORT(drop_front);
INTEROP_EXPORT(put);
INTEROP_EXPORT(drop);
INTEROP_EXPORT(drop_key);
INTEROP_EXPORT(pushed);
INTEROP_EXPORT(pushed_by);
INTEROP_EXPORT(extended);
INTEROP_EXPORT(sum_of_items);
INTEROP_EXPORT(sum_of_values);
INTEROP_EXPORT(mismatch);
