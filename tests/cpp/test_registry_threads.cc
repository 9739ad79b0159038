// SPDX-License-Identifier: Apache-2.0
// Test the registries with eight readers and one writer.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "c_api_support.h"
#include "on_threads.h"

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

constexpr int kReaders = 8;
constexpr int kRounds = 400;

/*! \brief Call `write` once in this thread, while each reader thread runs `read(stop)`. */
void ReadWhile(const std::function<void()>& write,
               const std::function<void(const std::atomic<bool>&)>& read) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < kReaders; ++i) readers.emplace_back([&] { read(stop); });
  write();
  stop = true;
  for (std::thread& reader : readers) reader.join();
}

int32_t Register(const std::string& key) {
  TVMFFIByteArray bytes = BytesOf(key);
  return TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 1, kTVMFFIObject);
}

/*! \brief Load a value atomically; a thread sanitizer would report the plain loads of clients. */
template <typename T>
T Load(const T& place) {
  return __atomic_load_n(&place, __ATOMIC_ACQUIRE);
}

TEST(RegistryThreads, TypesAppearComplete) {
  auto write = [] {
    for (int i = 0; i < kRounds; ++i) ASSERT_GE(Register("threads.T" + std::to_string(i)), 128);
  };
  auto read = [](const std::atomic<bool>& stop) {
    while (!stop) {
      for (int i = 0; i < kRounds; i += 7) {
        std::string key = "threads.T" + std::to_string(i);
        TVMFFIByteArray bytes = BytesOf(key);
        int32_t index = -1;
        if (TVMFFITypeKeyToIndex(&bytes, &index) != 0) {
          TakeRaised();
          break;
        }
        const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
        ASSERT_NE(info, nullptr);
        ASSERT_EQ(info->type_index, index);
        ASSERT_EQ(TextOf(info->type_key), key);
        ASSERT_EQ(info->type_ancestors[0]->type_index, kTVMFFIObject);
      }
    }
  };
  ReadWhile(write, read);
}

TEST(RegistryThreads, SameKeyFromAllThreadsIsOneType) {
  for (int round = 0; round < 50; ++round) {
    std::string key = "threads.Same" + std::to_string(round);
    std::vector<int32_t> indices(kReaders);
    OnThreads(kReaders, [&](int i) { indices[i] = Register(key); });
    for (int32_t index : indices) EXPECT_EQ(index, indices[0]);
  }
}

TEST(RegistryThreads, FieldsAppearComplete) {
  int32_t type = Register("threads.Fields");
  auto write = [type] {
    for (int i = 0; i < kRounds; ++i) {
      std::string name = "f" + std::to_string(i);
      TVMFFIFieldInfo field{};
      field.name = BytesOf(name);
      field.offset = i;
      field.getter = [](void*, TVMFFIAny*) { return 0; };
      ASSERT_EQ(TVMFFITypeRegisterField(type, &field), 0);
    }
  };
  auto read = [type](const std::atomic<bool>& stop) {
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type);
    while (!stop) {
      int32_t count = Load(info->num_fields);
      const TVMFFIFieldInfo* fields = Load(info->fields);
      for (int32_t i = 0; i < count; ++i) {
        ASSERT_EQ(fields[i].offset, i);
        ASSERT_EQ(TextOf(fields[i].name), "f" + std::to_string(i));
      }
    }
  };
  ReadWhile(write, read);
}

TEST(RegistryThreads, AttributesAppearComplete) {
  TVMFFIByteArray name = BytesOf("threads.attr");
  ASSERT_EQ(TVMFFITypeRegisterAttr(0, &name, nullptr), 0);
  std::vector<int32_t> types;
  for (int i = 0; i < kRounds; ++i) types.push_back(Register("threads.A" + std::to_string(i)));
  auto write = [&] {
    // Increasing type indices make the column grow; decreasing ones fill its gaps.
    for (int i = 0; i < kRounds; ++i) {
      int32_t type = i % 2 == 0 ? types[i] : types[kRounds - i];
      TVMFFIAny value = IntValue(type);
      ASSERT_EQ(TVMFFITypeRegisterAttr(type, &name, &value), 0);
    }
  };
  auto read = [&](const std::atomic<bool>& stop) {
    const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
    while (!stop) {
      int32_t size = Load(column->size);
      const TVMFFIAny* data = Load(column->data);
      for (int32_t i = 0; i < size; ++i) {
        if (Load(data[i].type_index) == kTVMFFIInt) {
          ASSERT_EQ(Load(data[i].v_int64), i);
        }
      }
    }
  };
  ReadWhile(write, read);
}

std::atomic<int> g_alive{0};

int GiveSelf(void* self, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  *result = IntValue(*static_cast<std::atomic<int>*>(self));
  return 0;
}
void DeleteSelf(void* self) {
  delete static_cast<std::atomic<int>*>(self);
  --g_alive;
}

void SetNumbered(const TVMFFIByteArray& name, int number) {
  TVMFFIObjectHandle function = nullptr;
  ++g_alive;
  ASSERT_EQ(TVMFFIFunctionCreate(new std::atomic<int>(number), GiveSelf, DeleteSelf, &function), 0);
  ASSERT_EQ(TVMFFIFunctionSetGlobal(&name, function, 1), 0);
  TVMFFIObjectDecRef(function);
}

TEST(RegistryThreads, ReplacedFunctionsLiveAsLongAsTheirReaders) {
  TVMFFIByteArray name = BytesOf("threads.replaced");
  SetNumbered(name, 0);
  auto write = [&] {
    for (int i = 1; i <= kRounds * 5; ++i) SetNumbered(name, i);
  };
  auto read = [&](const std::atomic<bool>& stop) {
    int64_t newest = 0;
    while (!stop) {
      TVMFFIObjectHandle function = nullptr;
      ASSERT_EQ(TVMFFIFunctionGetGlobal(&name, &function), 0);
      ASSERT_NE(function, nullptr);
      TVMFFIAny result{};
      ASSERT_EQ(TVMFFIFunctionCall(function, nullptr, 0, &result), 0);
      ASSERT_GE(result.v_int64, newest) << "a reader never goes back to an older function";
      newest = result.v_int64;
      TVMFFIObjectDecRef(function);
    }
  };
  ReadWhile(write, read);
  EXPECT_EQ(g_alive, 1) << "every function but the last one has been released";
}

// spec: Y13
TEST(RegistryThreads, NamesAreFoundWhileOthersAreAdded) {
  TVMFFIByteArray fixed = BytesOf("threads.replaced.not");
  SetNumbered(fixed, 7);
  auto write = [] {
    for (int i = 0; i < kRounds * 5; ++i) {
      std::string name = "threads.added" + std::to_string(i);
      SetNumbered(BytesOf(name), i);
    }
  };
  auto read = [&](const std::atomic<bool>& stop) {
    while (!stop) {
      TVMFFIObjectHandle function = nullptr;
      ASSERT_EQ(TVMFFIFunctionGetGlobal(&fixed, &function), 0);
      ASSERT_NE(function, nullptr);
      TVMFFIObjectDecRef(function);
    }
  };
  ReadWhile(write, read);
}

// The sanitizers do not support a fork of a process with threads: the child inherits the locks of
// the sanitizer's allocator, which other threads of the parent may hold.
#if !defined(_WIN32) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

/*! \brief Use, in the child process, the tables that threads of the parent were using. */
int UseTablesAfterFork(const TVMFFIByteArray& name) {
  alarm(20);  // ends a child that waits for a lock
  TVMFFIObjectHandle function = nullptr;
  if (TVMFFIFunctionGetGlobal(&name, &function) != 0 || function == nullptr) return 1;
  if (TVMFFIFunctionSetGlobal(&name, function, 1) != 0) return 2;
  TVMFFIObjectDecRef(function);
  return TVMFFIBacktrace(nullptr, 0, nullptr, 1)->size == 0 ? 3 : 0;
}

TEST(RegistryThreads, ChildrenCanUseWhatThreadsOfTheParentWereUsing) {
  TVMFFIByteArray name = BytesOf("threads.forked");
  SetNumbered(name, 7);
  auto fork_often = [&] {
    for (int i = 0; i < kRounds / 2; ++i) {
      pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) _exit(UseTablesAfterFork(name));
      int status = -1;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_EQ(status, 0) << "in round " << i;
    }
  };
  auto read = [&](const std::atomic<bool>& stop) {
    while (!stop) {
      TVMFFIObjectHandle function = nullptr;
      ASSERT_EQ(TVMFFIFunctionGetGlobal(&name, &function), 0);
      TVMFFIObjectDecRef(function);
      ASSERT_NE(TVMFFIBacktrace(nullptr, 0, nullptr, 1)->size, 0u);
    }
  };
  ReadWhile(fork_often, read);
}

#endif

}  // namespace
