// SPDX-License-Identifier: Apache-2.0
// Write entries and values of enums while other threads look them up; meant for the thread
// sanitizer.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/reflection/enum_entry.h>
#include <tvm/ffi/reflection/registry.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

constexpr int kRounds = 500;

class RaceObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_race.Race", RaceObj, Object);
};

/*! \brief Call a writer repeatedly, while threads call a reader until the writer has finished. */
template <typename Write, typename Read>
void Race(Write&& write, Read&& read) {
  std::atomic<bool> is_done{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      do {
        read();
      } while (!is_done.load(std::memory_order_relaxed));
    });
  }
  for (int round = 0; round < kRounds; ++round) write(round);
  is_done = true;
  for (std::thread& reader : readers) reader.join();
}

ObjectRef Entry(const char* name) {
  return tvm::ffi::detail::GetEnumEntry(RaceObj::RuntimeTypeIndex(), String(name));
}

TEST(EnumRace, ValuesOfAColumnAreOverwrittenBesideReaders) {
  refl::EnumEntry<RaceObj>("Read");
  ObjectRef entry = Entry("Read");
  EnumAttrMap<RaceObj> column("overwritten");
  refl::EnumAttrDef<RaceObj>("overwritten").set("Read", Array<int>{0, 0});
  std::atomic<int> unsound{0};
  Race(
      [&](int round) {
        // Each round also adds an attribute, so that the table of attribute columns grows while the
        // other threads read.
        std::string other = "other" + std::to_string(round);
        refl::EnumAttrDef<RaceObj>(other.c_str()).set("Read", round);
        refl::EnumAttrDef<RaceObj>("overwritten").set("Read", Array<int>{round, round});
      },
      [&] {
        auto pair = column[entry].cast<Array<int>>();
        if (pair.size() != 2 || pair[0] != pair[1]) ++unsound;
      });
  EXPECT_EQ(unsound, 0);
  EXPECT_EQ(column[entry].cast<Array<int>>()[0], kRounds - 1);
}

TEST(EnumRace, EntriesAreRegisteredBesideLookUps) {
  refl::EnumEntry<RaceObj>("First");
  ObjectRef first = Entry("First");
  std::atomic<int> missed{0};
  Race([&](int round) { refl::EnumEntry<RaceObj>(("Late" + std::to_string(round)).c_str()); },
       [&] {
         if (!Entry("First").same_as(first)) ++missed;
         EnumAttrMap<RaceObj>("of_entries").count(first);
       });
  EXPECT_EQ(missed, 0);
  EXPECT_TRUE(Entry("Late499").defined());
}

}  // namespace
