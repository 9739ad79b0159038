// SPDX-License-Identifier: Apache-2.0
// Check maps and dicts, small and dense.
#include <utility>

#include "checks.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

void CheckMaps() {
  Map<String, int> map{{"a", 1}, {"b", 2}, {"a", 3}};
  CHECK_THAT(map.size() == 2 && map["a"] == 3 && map.at("b") == 2);
  CHECK_THROWS("KeyError", "key is not in Map", (void)map["z"]);
  CHECK_THAT(!map.Get("z").has_value() && map.count("z") == 0 && map.find("z") == map.end());
  Map<String, int> other = map;
  other.Set("c", 4);
  CHECK_THAT(map.size() == 2 && other.size() == 3);
  other.erase("a");
  other.Set("a", 5);
  CHECK_THAT((*--other.end()).first == "a");
  // spec: J09
  other.clear();
  CHECK_THAT(other.empty() && map.size() == 2);
  CHECK_THAT(Merge(map, Map<String, int>{{"b", 9}, {"d", 4}})["b"] == 9);
  CHECK_THROWS("TypeError", "Map[some key is int",
               (void)Any(Map<Any, Any>{{1, 2}}).cast<Map<String, int>>());
}

template <typename M>
void CheckMany() {
  M map;
  for (int64_t i = 0; i < 100000; ++i) map.Set(i, -i);
  for (int64_t i = 0; i < 100000; i += 3) map.erase(i);
  CHECK_THAT(map.size() == 66666);
  bool right = true;
  int64_t last = 0;
  for (const auto& [key, value] : map) {
    right = right && key > last && value == -key && key % 3 != 0;
    last = key;
  }
  CHECK_THAT(right && last == 99998);
}

void CheckDicts() {
  Dict<Any, Any> dict;
  Dict<Any, Any> same = dict;
  const Object* object = dict.get();
  for (int i = 0; i < 100; ++i) dict.Set(i, String("value"));
  CHECK_THAT(same.size() == 100 && dict.get() == object);
  CHECK_THAT(dict.count(1) == 1 && dict.count(1.0) == 0 && dict.count(true) == 0);
  same.erase(5);
  CHECK_THAT(dict.size() == 99);
  Map<Any, Any> copied = Any(dict).cast<Map<Any, Any>>();
  dict.clear();
  CHECK_THAT(same.empty() && copied.size() == 99);
}

}  // namespace

void host::CheckMappings() {
  CheckMaps();
  CheckMany<Map<int64_t, int64_t>>();
  CheckMany<Dict<int64_t, int64_t>>();
  CheckDicts();
}
