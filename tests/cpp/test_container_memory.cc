// SPDX-License-Identifier: Apache-2.0
// Test containers when memory is exhausted: for each n the n-th allocation of an operation fails,
// and the container must not have changed.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "container_probe.h"
#include "hooked_key.h"
#include "raw_map.h"

namespace {
// The number of allocations by `operator new` before one fails; negative: no allocation fails.
int until_failure = -1;
}  // namespace

// If this function was inlined, the compiler would warn that `free` releases memory of `new`.
[[gnu::noinline]] void* operator new(size_t size) {
  if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
  if (void* space = std::malloc(size == 0 ? 1 : size)) return space;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* space) noexcept { std::free(space); }
[[gnu::noinline]] void operator delete(void* space, size_t) noexcept { std::free(space); }

namespace {

using namespace tvm::ffi;  // NOLINT
using probe::Element;
using probe::TakeReleased;
using raw::CheckDense;
using raw::RawMap;

/*! \brief Let the first, second, ... allocation of `operation` fail, until `operation` succeeds. */
template <typename Operation, typename Check>
int FailAtEach(Operation operation, Check unchanged) {
  for (int failures = 0;; ++failures) {
    probe::released.reserve(1000);  // destructors append here, which must not allocate
    until_failure = failures;
    try {
      operation();
      until_failure = -1;
      return failures;
    } catch (const std::bad_alloc&) {
      until_failure = -1;
      unchanged();
    }
  }
}

template <typename MapType>
std::vector<int64_t> Values(const MapType& map) {
  std::vector<int64_t> values;
  for (const auto& kv : map) values.push_back(kv.second.template cast<Element>()->id);
  return values;
}

template <typename MapType>
void GrowWithoutMemory(bool hooked) {
  auto key = [hooked](int64_t i) {
    return hooked ? Any(hooked::Key(i, static_cast<uint64_t>(i % 4))) : Any(i);
  };
  int failures = 0;
  for (int n : {2, 3, 4, 7, 15, 31, 126}) {
    MapType map;
    for (int i = 0; i < n; ++i) map.Set(key(i), Element(i));
    TakeReleased();
    std::vector<int64_t> before = Values(map);
    Any fresh = key(n);
    Element value(n);
    failures += FailAtEach([&] { map.Set(fresh, value); },
                           [&] {
                             EXPECT_EQ(Values(map), before);
                             EXPECT_EQ(map.count(fresh), 0u);
                             EXPECT_TRUE(TakeReleased().empty());
                           });
    EXPECT_EQ(map.size(), static_cast<size_t>(n + 1));
    EXPECT_EQ(value.use_count(), 2);
    if (!RawMap(map.get()).small()) CheckDense(RawMap(map.get()));
    map = MapType();
    EXPECT_EQ(TakeReleased().size(), static_cast<size_t>(n));
  }
  EXPECT_GT(failures, 4);
}

TEST(ContainerMemory, MapGrowth) {
  GrowWithoutMemory<Map<Any, Any>>(false);
  GrowWithoutMemory<Map<Any, Any>>(true);
}
TEST(ContainerMemory, DictGrowth) {
  GrowWithoutMemory<Dict<Any, Any>>(false);
  GrowWithoutMemory<Dict<Any, Any>>(true);
}

TEST(ContainerMemory, DenseClear) {
  Dict<Any, Any> dict;
  for (int i = 0; i < 20; ++i) dict.Set(i, Element(i));
  std::vector<int64_t> before = Values(dict);
  TakeReleased();
  EXPECT_GT(FailAtEach([&] { dict.clear(); }, [&] { EXPECT_EQ(Values(dict), before); }), 0);
  EXPECT_EQ(TakeReleased().size(), 20u);
}

TEST(ContainerMemory, ListGrowthAndErase) {
  auto ids = [](const List<Any>& list) {
    std::vector<int> all;
    for (const Any& any : list) all.push_back(any.cast<Element>()->id);
    return all;
  };
  List<Any> list;
  for (int i = 0; i < 4; ++i) list.push_back(Element(i));
  Element more(4);
  std::vector<int> before = ids(list);
  auto unchanged = [&] { EXPECT_EQ(ids(list), before); };
  EXPECT_EQ(FailAtEach([&] { list.push_back(more); }, unchanged), 1);
  before = ids(list);
  EXPECT_EQ(FailAtEach([&] { list.reserve(100); }, unchanged), 1);
  std::vector<Element> three{more, more, more};
  EXPECT_GT(FailAtEach([&] { list.insert(list.begin(), three.begin(), three.end()); }, unchanged),
            0);
  before = ids(list);
  EXPECT_GT(FailAtEach([&] { list.erase(list.begin() + 1, list.begin() + 4); }, unchanged), 0);
  before = ids(list);
  EXPECT_GT(FailAtEach([&] { list.Assign(three.begin(), three.end()); }, unchanged), 0);
  EXPECT_EQ(ids(list), (std::vector<int>{4, 4, 4}));
}

}  // namespace
