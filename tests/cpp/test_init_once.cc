// SPDX-License-Identifier: Apache-2.0
// Test handles that are initialised once: only one initialiser runs; one that fails does
// not change the handle.
#include <gtest/gtest.h>

#include <atomic>

#include "c_api_support.h"
#include "on_threads.h"

namespace {

int g_target = 0;
std::atomic<int> g_calls{0};

int MakeHandle(void** result) {
  ++g_calls;
  std::this_thread::yield();
  *result = &g_target;
  return 0;
}
int Fail(void**) {
  ++g_calls;
  TVMFFIErrorSetRaisedFromCStr("KeyError", "not now");
  return -7;
}
int MakeNothing(void** result) {
  *result = nullptr;
  return 0;
}
int CountDeinit(void* handle) {
  EXPECT_EQ(handle, &g_target);
  ++g_calls;
  return 5;
}

// spec: R06, Y16
TEST(InitOnce, EightThreadsOneCall) {
  for (int round = 0; round < 50; ++round) {
    void* handle = nullptr;
    g_calls = 0;
    OnThreads(8, [&handle](int) {
      EXPECT_EQ(TVMFFIHandleInitOnce(&handle, MakeHandle), 0);
      EXPECT_EQ(__atomic_load_n(&handle, __ATOMIC_ACQUIRE), &g_target);
    });
    EXPECT_EQ(g_calls, 1);
  }
}

// spec: Y16
TEST(InitOnce, FailureIsPassedOnAndRetried) {
  void* handle = nullptr;
  g_calls = 0;
  EXPECT_EQ(TVMFFIHandleInitOnce(&handle, Fail), -7);
  EXPECT_RAISED("KeyError", "not now");
  EXPECT_EQ(handle, nullptr);
  EXPECT_EQ(TVMFFIHandleInitOnce(&handle, MakeHandle), 0);
  EXPECT_EQ(handle, &g_target);
  EXPECT_EQ(g_calls, 2);
}

// spec: Y16
TEST(InitOnce, NullResultIsRefused) {
  void* handle = nullptr;
  EXPECT_EQ(TVMFFIHandleInitOnce(&handle, MakeNothing), -1);
  EXPECT_RAISED("RuntimeError", "init_func must return a non-NULL handle");
  EXPECT_EQ(handle, nullptr);
}

// spec: R06, Y16
TEST(InitOnce, DeinitRunsOncePerHandle) {
  void* handle = &g_target;
  g_calls = 0;
  EXPECT_EQ(TVMFFIHandleDeinitOnce(&handle, CountDeinit), 5);
  EXPECT_EQ(handle, nullptr);
  EXPECT_EQ(TVMFFIHandleDeinitOnce(&handle, CountDeinit), 0);
  EXPECT_EQ(g_calls, 1);
}

TEST(InitOnce, NullArguments) {
  void* handle = nullptr;
  EXPECT_EQ(TVMFFIHandleInitOnce(nullptr, MakeHandle), -1);
  EXPECT_RAISED("ValueError", "`handle_addr` must not be NULL");
  EXPECT_EQ(TVMFFIHandleInitOnce(&handle, nullptr), -1);
  EXPECT_RAISED("ValueError", "`init_func` must not be NULL");
  EXPECT_EQ(TVMFFIHandleDeinitOnce(nullptr, CountDeinit), -1);
  EXPECT_RAISED("ValueError", "`handle_addr` must not be NULL");
  EXPECT_EQ(TVMFFIHandleDeinitOnce(&handle, nullptr), -1);
  EXPECT_RAISED("ValueError", "`deinit_func` must not be NULL");
}

}  // namespace
