// SPDX-License-Identifier: Apache-2.0
// Test ObjectPtr, Arc and WeakObjectPtr: counts, conversions, threads.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstdlib>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using detail::ObjectUnsafe;
using sample::CountedChildObj;
using sample::CountedObj;
using sample::Int;
using sample::IntObj;
using sample::NumberObj;

uint64_t CountsOf(const Object* object) {
  return ObjectUnsafe::GetHeader(object)->combined_ref_count;
}

/* ------------------------------------------------------------------ ObjectPtr */

TEST(ObjectPtr, NullInEveryWay) {
  ObjectPtr<IntObj> a;
  ObjectPtr<IntObj> b = nullptr;
  EXPECT_EQ(a, nullptr);
  EXPECT_FALSE(b != nullptr);
  EXPECT_FALSE(static_cast<bool>(a));
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.get(), nullptr);
  EXPECT_EQ(a.use_count(), 0);
  EXPECT_FALSE(a.unique());
  a.reset();
  ObjectPtr<Object> up = a;
  EXPECT_EQ(up, nullptr);
}

// spec: C01
TEST(ObjectPtr, CountsCopiesAndMoves) {
  ObjectPtr<IntObj> a = make_object<IntObj>(5);
  EXPECT_EQ(a.use_count(), 1);
  EXPECT_TRUE(a.unique());
  ObjectPtr<IntObj> b = a;
  EXPECT_EQ(a.use_count(), 2);
  EXPECT_FALSE(a.unique());
  EXPECT_EQ(a->use_count(), 2u);
  ObjectPtr<IntObj> c = std::move(b);
  EXPECT_EQ(b, nullptr);
  EXPECT_EQ(a.use_count(), 2);
  c = a;
  EXPECT_EQ(a.use_count(), 2);
  c = nullptr;
  EXPECT_EQ(a.use_count(), 1);
  EXPECT_EQ((*a).value, 5);
  EXPECT_TRUE(a != c);
}

TEST(ObjectPtr, ConvertsToBaseClasses) {
  ObjectPtr<IntObj> a = make_object<IntObj>(5);
  ObjectPtr<NumberObj> number = a;
  ObjectPtr<Object> object = std::move(number);
  EXPECT_EQ(number, nullptr);
  EXPECT_EQ(object.get(), a.get());
  EXPECT_EQ(a.use_count(), 2);
  static_assert(!std::is_convertible_v<ObjectPtr<NumberObj>, ObjectPtr<IntObj>>);
  static_assert(!std::is_convertible_v<IntObj*, ObjectPtr<IntObj>>);
  static_assert(!std::is_constructible_v<ObjectPtr<IntObj>, IntObj*>);
}

TEST(ObjectPtr, SurvivesSelfAssignment) {
  ObjectPtr<IntObj> a = make_object<IntObj>(5);
  ObjectPtr<IntObj>& same = a;
  a = same;
  EXPECT_EQ(a.use_count(), 1);
  a = std::move(same);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a.use_count(), 1);
}

TEST(ObjectPtr, SwapExchanges) {
  ObjectPtr<IntObj> a = make_object<IntObj>(1), b = make_object<IntObj>(2);
  a.swap(b);
  EXPECT_EQ(a->value, 2);
  EXPECT_EQ(b->value, 1);
}

class ChainObj : public Object {
 public:
  ObjectPtr<ChainObj>* outside = nullptr;
  ObjectPtr<ChainObj> seen;
  ~ChainObj() {
    if (outside != nullptr) seen = *outside;
  }
  TVM_FFI_DECLARE_OBJECT_INFO("test.object.Chain", ChainObj, Object);
};

TEST(ObjectPtr, IsNullWhenItsElementIsDestroyed) {
  ObjectPtr<ChainObj> a = make_object<ChainObj>();
  a->outside = &a;
  a.reset();  // the destructor copies `a`, which must be null by then
  EXPECT_EQ(a, nullptr);
}

// spec: C22
TEST(ObjectPtr, ManyThreadsDestroyOnce) {
  int destroyed = 0;
  ObjectPtr<CountedObj> shared = make_object<CountedObj>(&destroyed);
  WeakObjectPtr<CountedObj> weak = shared;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([mine = shared, weak]() mutable {
      for (int i = 0; i < 2000; ++i) {
        ObjectPtr<CountedObj> copy = mine;
        ObjectRef ref{ObjectPtr<Object>(copy)};
        Any any = ref;
        WeakObjectPtr<CountedObj> another = weak;
        ObjectPtr<CountedObj> locked = another.lock();
        if (locked == nullptr) std::abort();
      }
      mine.reset();
    });
  }
  shared.reset();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(destroyed, 1);
  EXPECT_TRUE(weak.expired());
}

/* ------------------------------------------------------------------ Arc */

// spec: C18
TEST(Arc, CannotBeMadeEmptyByAccident) {
  static_assert(!std::is_default_constructible_v<Arc<IntObj>>);
  static_assert(!std::is_constructible_v<Arc<IntObj>, std::nullptr_t>);
  static_assert(!std::is_constructible_v<Arc<IntObj>, ObjectPtr<IntObj>>);
  static_assert(!std::is_constructible_v<Arc<IntObj>, const ObjectPtr<IntObj>&>);
  static_assert(!std::is_assignable_v<Arc<IntObj>&, ObjectPtr<IntObj>>);
  static_assert(!std::is_assignable_v<Arc<IntObj>&, std::nullptr_t>);
  static_assert(!std::is_convertible_v<Arc<NumberObj>, Arc<IntObj>>);
  static_assert(std::is_base_of_v<ObjectPtr<IntObj>, Arc<IntObj>>);
  static_assert(std::is_nothrow_move_constructible_v<Arc<IntObj>>);
}

// spec: C18
TEST(Arc, OwnsAndUpcasts) {
  Arc<IntObj> a = make_arc<IntObj>(7);
  EXPECT_TRUE(a.unique());
  Arc<NumberObj> number = a;
  EXPECT_EQ(a.use_count(), 2);
  Arc<Object> object = std::move(number);
  EXPECT_TRUE(number == nullptr);
  EXPECT_EQ(object.get(), a.get());
  ObjectPtr<IntObj> pointer = a;
  EXPECT_EQ(a.use_count(), 3);
  Arc<IntObj> moved = std::move(a);
  EXPECT_TRUE(a == nullptr);
  EXPECT_EQ(moved->value, 7);
}

TEST(Arc, UnsafeInitIsEmptyUntilAssigned) {
  Arc<IntObj> a{UnsafeInit{}};
  EXPECT_TRUE(a == nullptr);
  a = make_arc<IntObj>(3);
  EXPECT_EQ(a->value, 3);
}

TEST(TypeSubsumes, PointersFollowTheirElements) {
  static_assert(type_subsumes_v<Arc<NumberObj>, Arc<IntObj>>);
  static_assert(type_subsumes_v<Arc<IntObj>, Arc<IntObj>>);
  static_assert(!type_subsumes_v<Arc<IntObj>, Arc<NumberObj>>);
  static_assert(type_subsumes_v<ObjectPtr<NumberObj>, ObjectPtr<IntObj>>);
  static_assert(type_subsumes_v<ObjectPtr<NumberObj>, Arc<IntObj>>);
  static_assert(!type_subsumes_v<Arc<NumberObj>, ObjectPtr<IntObj>>);
  static_assert(type_subsumes_v<ObjectRef, Int>);
  static_assert(!type_subsumes_v<Int, ObjectRef>);
  static_assert(type_subsumes_v<int, int> && !type_subsumes_v<int, int64_t>);
  static_assert(type_subsumes_v<Any, int> && type_subsumes_v<Any, ObjectRef>);
}

/* ------------------------------------------------------------------ WeakObjectPtr */

// spec: C09
TEST(WeakObjectPtr, LocksWhileTheElementLives) {
  ObjectPtr<IntObj> strong = make_object<IntObj>(4);
  WeakObjectPtr<IntObj> weak = strong;
  EXPECT_EQ(CountsOf(strong.get()), 0x200000001u);
  EXPECT_EQ(strong.use_count(), 1);
  EXPECT_EQ(weak.use_count(), 1);
  EXPECT_FALSE(strong.unique());
  EXPECT_FALSE(strong->unique());
  EXPECT_FALSE(weak.expired());
  {
    ObjectPtr<IntObj> locked = weak.lock();
    EXPECT_EQ(CountsOf(strong.get()), 0x200000002u);
    EXPECT_EQ(locked->value, 4);
  }
  strong.reset();
  EXPECT_TRUE(weak.expired());
  EXPECT_EQ(weak.use_count(), 0);
  EXPECT_EQ(weak.lock(), nullptr);
}

// spec: C10
TEST(WeakObjectPtr, KeepsMemoryButNotTheValue) {
  int destroyed = 0;
  ObjectPtr<CountedObj> strong = make_object<CountedObj>(&destroyed);
  const TVMFFIObject* header = ObjectUnsafe::GetHeader(strong.get());
  WeakObjectPtr<CountedObj> weak = strong;
  WeakObjectPtr<CountedObj> second = weak;
  strong.reset();
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(header->combined_ref_count, 0x200000000u);
  weak.reset();
  EXPECT_EQ(header->combined_ref_count, 0x100000000u);
  second = nullptr;
  EXPECT_EQ(destroyed, 1);
}

// spec: C09
TEST(WeakObjectPtr, ConvertsToBaseClasses) {
  int destroyed = 0;
  ObjectPtr<CountedChildObj> strong = make_object<CountedChildObj>(&destroyed);
  WeakObjectPtr<CountedChildObj> child = strong;
  WeakObjectPtr<CountedObj> base = child;
  WeakObjectPtr<Object> object = std::move(child);
  WeakObjectPtr<CountedObj> direct = strong;
  EXPECT_TRUE(child.expired());
  EXPECT_EQ(CountsOf(strong.get()), 0x400000001u);
  base = direct;
  base = base;
  base.swap(direct);
  EXPECT_EQ(base.lock(), strong);
  EXPECT_EQ(object.lock(), ObjectPtr<Object>(strong));
  direct = std::move(base);
  EXPECT_TRUE(base.expired());
  EXPECT_EQ(WeakObjectPtr<Object>().lock(), nullptr);
  EXPECT_EQ(WeakObjectPtr<Object>(nullptr).use_count(), 0);
}

// spec: C09
TEST(WeakObjectPtr, LockRacesWithTheLastRelease) {
  for (int round = 0; round < 200; ++round) {
    int destroyed = 0;
    ObjectPtr<CountedObj> strong = make_object<CountedObj>(&destroyed);
    WeakObjectPtr<CountedObj> weak = strong;
    std::thread other([weak] { (void)weak.lock(); });
    strong.reset();
    other.join();
    EXPECT_EQ(destroyed, 1);
    EXPECT_TRUE(weak.expired());
  }
}

}  // namespace
