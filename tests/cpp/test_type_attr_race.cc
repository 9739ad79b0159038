// SPDX-License-Identifier: Apache-2.0
// Overwrite type attributes while other threads read them. The thread sanitizer detects data races;
// without it, the tests detect values whose kind and payload do not match.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/reflection/type_attr.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

constexpr int kRounds = 2000;
constexpr int kReaders = 3;

int32_t NewType(const std::string& key) {
  TVMFFIByteArray bytes{key.data(), key.size()};
  return TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 1, kTVMFFIObject);
}

/*!
 * \brief Return the value for a round. The kind changes from round to round between five kinds;
 * values of two of them are objects on the heap.
 */
Any ValueOf(int round) {
  switch (round % 5) {
    case 0:
      return Any(round);
    case 1:
      return Any(Array<int>({round, round + 1}));
    case 2:
      return Any(0.5 * round);
    case 3:
      return Any(String("a text that needs the heap " + std::to_string(round)));
    default:
      return Any(nullptr);
  }
}

/*!
 * \brief Return whether ValueOf can return this value; read the memory that the value refers to.
 */
bool IsSound(const Any& value) {
  switch (value.type_index()) {
    case kTVMFFINone:
      return true;
    case kTVMFFIInt:
      return value.cast<int>() % 5 == 0 && value.cast<int>() < kRounds;
    case kTVMFFIFloat:
      return value.cast<double>() >= 0 && value.cast<double>() < 0.5 * kRounds;
    case kTVMFFIArray: {
      auto pair = value.cast<Array<int>>();
      return pair.size() == 2 && pair[0] + 1 == pair[1];
    }
    case kTVMFFIStr:
      return std::string(value.cast<String>()).rfind("a text that needs the heap ", 0) == 0;
    default:
      return false;
  }
}

/*!
 * \brief Call a writer repeatedly, while other threads read and check values until the writer has
 * finished.
 */
template <typename Write, typename Read>
void Race(Write&& write, Read&& read) {
  std::atomic<bool> is_done{false};
  std::atomic<int> unsound{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < kReaders; ++i) {
    readers.emplace_back([&] {
      do {
        if (!IsSound(read())) ++unsound;
      } while (!is_done.load(std::memory_order_relaxed));
    });
  }
  for (int round = 0; round < kRounds; ++round) write(round);
  is_done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(unsound, 0);
}

TEST(TypeAttrRace, OverwritingBesideReadersOfTheColumn) {
  int32_t type = NewType("test_type_attr_race.Column");
  TypeAttrSet(type, "race.column", ValueOf(1));
  TypeAttrColumn column("race.column");
  Race([&](int round) { TypeAttrSet(type, "race.column", ValueOf(round)); },
       [&] { return Any(column[type]); });
}

TEST(TypeAttrRace, OverwritingBesideReadersByName) {
  int32_t type = NewType("test_type_attr_race.Name");
  Race([&](int round) { TypeAttrSet(type, "race.name", ValueOf(round)); },
       [&] { return Any(TypeAttrGet("race.name", type)); });
}

TEST(TypeAttrRace, OverwritingThroughTheCFunction) {
  int32_t type = NewType("test_type_attr_race.CFunction");
  constexpr std::string_view kName = "race.c_function";
  TVMFFIByteArray name{kName.data(), kName.size()};
  auto write = [&](int round) {
    Any value = ValueOf(round);
    ASSERT_EQ(TVMFFITypeRegisterAttr(type, &name,
                                     tvm::ffi::detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value)),
              0);
  };
  write(1);
  TypeAttrColumn column(kName);
  Race(write, [&] { return Any(column[type]); });
}

TEST(TypeAttrRace, ColumnThatGrowsBesideReaders) {
  int32_t first = NewType("test_type_attr_race.First");
  TypeAttrSet(first, "race.grows", ValueOf(1));
  TypeAttrColumn column("race.grows");
  std::atomic<int32_t> newest{first};
  Race(
      [&](int round) {
        int32_t type = NewType("test_type_attr_race.Grows" + std::to_string(round));
        newest = type;
        TypeAttrSet(type, "race.grows", ValueOf(round));
      },
      [&] { return Any(column[newest]); });
}

}  // namespace
