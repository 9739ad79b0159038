// SPDX-License-Identifier: Apache-2.0
// Test the release of long chains of objects: bounded stack use, each object destroyed once and in
// order.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/tvm_ffi.h>
#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#undef ERROR
#else
#include <pthread.h>
#endif

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "on_threads.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

constexpr int kDepth = 1000000;

struct LinkObj : public Object {
  Any next;
  ObjectRef other;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_destroy.Link", LinkObj, Object);
};

// An object whose destructor records its number and the nesting depth of destructors.
struct LoggedObj : public Object {
  explicit LoggedObj(int number) : number(number) {}
  ~LoggedObj();
  int number;
  Any content;
  TVM_FFI_DECLARE_OBJECT_INFO("test_destroy.Logged", LoggedObj, Object);
};

std::vector<int> deaths;
int nesting = 0;
int max_nesting = 0;

LoggedObj::~LoggedObj() {
  deaths.push_back(number);
  ++nesting;
  max_nesting = std::max(max_nesting, nesting);
  content = Any();
  --nesting;
}

void Reset() {
  deaths.clear();
  nesting = max_nesting = 0;
}

ObjectPtr<LoggedObj> Logged(int number, Any content = Any()) {
  auto object = make_object<LoggedObj>(number);
  object->content = std::move(content);
  return object;
}

// Run a function on a stack of 256 KiB, which is too small for one stack frame per object of a
// chain.
#if defined(_WIN32)
template <typename F>
void OnSmallStack(F function) {
  auto run = [](void* f) -> DWORD {
    (*static_cast<F*>(f))();
    return 0;
  };
  HANDLE thread =
      CreateThread(nullptr, 256 * 1024, run, &function, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  ASSERT_NE(thread, nullptr);
  WaitForSingleObject(thread, INFINITE);
  CloseHandle(thread);
}
#else
template <typename F>
void OnSmallStack(F function) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  pthread_t thread;
  auto run = [](void* f) -> void* {
    (*static_cast<F*>(f))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &function), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}
#endif

TEST(Destroy, ChainsOfContainers) {
  OnSmallStack([] {
    Any array = 1, list = 1, map = 1, dict = 1;
    for (int i = 0; i < kDepth; ++i) {
      array = Array<Any>{array};
      list = List<Any>{list, 5};
      map = Map<Any, Any>{{1, map}};
      dict = Dict<Any, Any>{{String("a key that is too long for a value"), dict}};
    }
  });
}

TEST(Destroy, ChainsOfKeys) {
  OnSmallStack([] {
    Any map = 1;
    for (int i = 0; i < kDepth; ++i) map = Map<Any, Any>{{map, 1}};
  });
}

TEST(Destroy, ChainsOfReflectedObjects) {
  OnSmallStack([] {
    Any chain;
    for (int i = 0; i < kDepth; ++i) {
      auto link = make_object<LinkObj>();
      if (i % 2 == 0) {
        link->next = chain;
      } else {
        link->other = chain.cast<ObjectRef>();
      }
      chain = link;
    }
  });
}

TEST(Destroy, ChainsOfMixedKinds) {
  OnSmallStack([] {
    Any chain;
    for (int i = 0; i < kDepth; ++i) {
      switch (i % 4) {
        case 0:
          chain = Array<Any>{chain};
          break;
        case 1:
          chain = Map<Any, Any>{{1, chain}, {2, 3}};
          break;
        case 2: {
          auto link = make_object<LinkObj>();
          link->next = chain;
          chain = link;
          break;
        }
        default:
          chain = Function::FromTyped([chain]() { return chain; });
      }
    }
  });
}

TEST(Destroy, ChainsOfErrors) {
  OnSmallStack([] {
    Error error("ValueError", "innermost", "");
    for (int i = 0; i < kDepth; ++i) error = Error("ValueError", "outer", "", error, std::nullopt);
  });
}

TEST(Destroy, ChainsOfFunctionsOfTheCInterface) {
  OnSmallStack([] {
    Any chain = 1;
    for (int i = 0; i < kDepth; ++i) {
      auto deleter = [](void* self) { delete static_cast<Any*>(self); };
      auto call = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny*) { return 0; };
      TVMFFIObjectHandle handle = nullptr;
      ASSERT_EQ(TVMFFIFunctionCreate(new Any(std::move(chain)), call, deleter, &handle), 0);
      TVMFFIAny raw{};
      raw.type_index = TypeIndex::kTVMFFIFunction;
      raw.v_obj = static_cast<TVMFFIObject*>(handle);
      chain = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
    }
  });
}

TEST(Destroy, EachPartOnceAndNestedOnlySoFar) {
  Reset();
  Any chain;
  for (int i = 0; i < 10000; ++i) chain = Logged(i, chain);
  chain = Any();
  ASSERT_EQ(deaths.size(), 10000u);
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(deaths[i], 9999 - i);
  EXPECT_EQ(nesting, 0);
  EXPECT_LE(max_nesting, tvm::ffi::detail::kMaxNestedDestroys + 1);
}

// Below a certain nesting depth of objects, destructor calls are deferred. They must still run in
// the order in which nested destructor calls would run.
TEST(Destroy, TheOrderBelowIsThatOfNestedDestructors) {
  for (int depth : {0, 10, 60, 61, 62, 63, 64, 65, 66, 100, 1000}) {
    Reset();
    // Make two branches with two leaves each, and a third leaf.
    Any tree = Array<Any>{Logged(1, Array<Any>{Logged(2), Logged(3)}),
                          Logged(4, Array<Any>{Logged(5), Logged(6)}), Logged(7)};
    for (int i = 0; i < depth; ++i) tree = Array<Any>{tree};
    tree = Any();
    EXPECT_EQ(deaths, (std::vector<int>{1, 2, 3, 4, 5, 6, 7})) << "depth " << depth;
  }
}

TEST(Destroy, AllIsGoneWhenTheReleaseReturns) {
  Reset();
  Any outer = Logged(0);
  Any chain = Logged(1);
  for (int i = 0; i < 500; ++i) chain = Array<Any>{chain, Array<Any>{chain}};
  Any other = chain;
  chain = Any();
  EXPECT_TRUE(deaths.empty());
  other = Any();
  EXPECT_EQ(deaths, std::vector<int>{1});
  outer = Any();
  EXPECT_EQ(deaths, (std::vector<int>{1, 0}));
}

TEST(Destroy, WeakReferencesIntoAChain) {
  std::vector<WeakObjectPtr<LinkObj>> weak;
  Any chain;
  for (int i = 0; i < 1000; ++i) {
    auto link = make_object<LinkObj>();
    link->next = std::move(chain);
    weak.emplace_back(link);
    chain = std::move(link);
  }
  for (auto& reference : weak) EXPECT_NE(reference.lock(), nullptr);
  chain = Any();
  for (auto& reference : weak) {
    EXPECT_TRUE(reference.expired());
    EXPECT_EQ(reference.lock(), nullptr);
  }
}

// An object whose destructor itself makes and releases deep structures.
struct BusyObj : public Object {
  ~BusyObj() {
    Any chain = Logged(100);
    for (int i = 0; i < 300; ++i) chain = Array<Any>{chain};
    made = chain;
  }
  static inline Any made;
  TVM_FFI_DECLARE_OBJECT_INFO("test_destroy.Busy", BusyObj, Object);
};

TEST(Destroy, DestructorsThatMakeObjects) {
  Reset();
  Any chain = make_object<BusyObj>();
  for (int i = 0; i < 200; ++i) chain = Array<Any>{chain};
  chain = Any();
  BusyObj::made = Any();
  EXPECT_EQ(deaths, std::vector<int>{100});
}

TEST(Destroy, ThreadsReleaseAtTheSameTime) {
  Any shared = 1;
  for (int i = 0; i < 1000; ++i) shared = Array<Any>{shared};
  OnThreads(8, [shared](int) {
    for (int round = 0; round < 20; ++round) {
      Any chain = shared;
      for (int i = 0; i < 2000; ++i) chain = Array<Any>{chain, shared};
    }
  });
}

TEST(Destroy, AtTheExitOfAThread) {
  static int count;
  count = 0;
  std::thread([] {
    struct Last {
      Any value;
      ~Last() {
        value = Any();
        ++count;
      }
    };
    static thread_local Last last;
    for (int i = 0; i < 10000; ++i) last.value = Array<Any>{last.value};
  }).join();
  EXPECT_EQ(count, 1);
}

}  // namespace
