// SPDX-License-Identifier: Apache-2.0
// Test containers that eight threads share: all threads read, and each changes its own copy.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/string.h>

#include <string>

#include "on_threads.h"

namespace {

using namespace tvm::ffi;

constexpr int kThreads = 8;
constexpr int kSize = 64;
constexpr int kRounds = 200;

String Key(int i) { return String("a key beyond the inline ones " + std::to_string(i)); }

TEST(ContainerThreads, ArraysAreReadByAllAndCopiedWhenChanged) {
  Array<String> shared;
  for (int i = 0; i < kSize; ++i) shared.push_back(Key(i));
  OnThreads(kThreads, [&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      Array<String> mine = shared;
      mine.Set(round % kSize, Key(1000 + thread));
      ASSERT_EQ(mine[round % kSize], Key(1000 + thread));
      ASSERT_EQ(shared[round % kSize], Key(round % kSize));
    }
  });
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(ContainerThreads, MapsAreReadByAllAndCopiedWhenChanged) {
  Map<String, int64_t> shared;
  for (int i = 0; i < kSize; ++i) shared.Set(Key(i), i);
  OnThreads(kThreads, [&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      Map<String, int64_t> mine = shared;
      mine.Set(Key(round % kSize), -thread);
      ASSERT_EQ(mine[Key(round % kSize)], -thread);
      ASSERT_EQ(shared[Key(round % kSize)], round % kSize);
      int64_t sum = 0;
      for (const auto& [key, value] : shared) sum += value;
      ASSERT_EQ(sum, kSize * (kSize - 1) / 2);
    }
  });
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(ContainerThreads, ListsAndDictsAreReadByAll) {
  List<Any> list;
  Dict<String, Any> dict;
  for (int i = 0; i < kSize; ++i) {
    list.push_back(Key(i));
    dict.Set(Key(i), list[i]);
  }
  OnThreads(kThreads, [&](int) {
    for (int round = 0; round < kRounds; ++round) {
      Any item = list[round % kSize];
      ASSERT_EQ(item.cast<String>(), Key(round % kSize));
      ASSERT_TRUE(dict[Key(round % kSize)].same_as(item));
      List<Any> mine;
      for (const Any& one : list) mine.push_back(one);
      ASSERT_EQ(mine.size(), static_cast<size_t>(kSize));
    }
  });
  EXPECT_EQ(list.use_count(), 1);
  EXPECT_EQ(dict.use_count(), 1);
}

}  // namespace
