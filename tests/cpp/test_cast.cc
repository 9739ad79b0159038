// SPDX-License-Identifier: Apache-2.0
// Test GetRef and GetObjectPtr, which make owning references from borrowed pointers.
#include <gtest/gtest.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/array.h>

#include "caught.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using sample::Int;
using sample::IntObj;
using sample::NullableInt;
using sample::Number;
using sample::NumberObj;

// spec: C16
TEST(GetRef, AddsAReference) {
  Int owner(4);
  const IntObj* raw = owner.get();
  Int ref = GetRef<Int>(raw);
  EXPECT_TRUE(ref.same_as(owner));
  EXPECT_EQ(owner.use_count(), 2);
  Number base = GetRef<Number>(raw);
  ObjectRef root = GetRef<ObjectRef>(raw);
  EXPECT_EQ(owner.use_count(), 4);
  EXPECT_TRUE(root.same_as(base));
}

// spec: C16
TEST(GetRef, OfNull) {
  const IntObj* null = nullptr;
  EXPECT_FALSE(GetRef<NullableInt>(null).defined());
  EXPECT_FALSE(GetRef<ObjectRef>(null).defined());
  EXPECT_ERROR(GetRef<Int>(null), "InternalError", "Check not null: ptr ");
  EXPECT_FALSE(GetRef<Optional<Int>>(null).has_value());
}

TEST(GetRef, AsOptional) {
  Int owner(4);
  Optional<Int> ref = GetRef<Optional<Int>>(static_cast<const IntObj*>(owner.get()));
  EXPECT_TRUE(ref.same_as(owner));
  EXPECT_EQ(owner.use_count(), 2);
}

struct Front {
  int64_t words[2] = {1, 2};
};
class MixedObj : public Front, public Object {
 public:
  int64_t value = 5;
  TVM_FFI_DECLARE_OBJECT_INFO("test.cast.Mixed", MixedObj, Object);
};
class Mixed : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Mixed, ObjectRef, MixedObj);
};

TEST(GetRef, HeaderNeedNotComeFirst) {
  ObjectPtr<MixedObj> owner = make_object<MixedObj>();
  const MixedObj* raw = owner.get();
  Mixed ref = GetRef<Mixed>(raw);
  EXPECT_EQ(ref.get(), raw);
  EXPECT_EQ(ref->value, 5);
  EXPECT_EQ(GetObjectPtr<MixedObj>(owner.get())->value, 5);
  EXPECT_EQ(owner.use_count(), 2);
}

// spec: C17
TEST(GetObjectPtr, ConvertsToTheBase) {
  ObjectPtr<IntObj> owner = make_object<IntObj>(3);
  ObjectPtr<NumberObj> base = GetObjectPtr<NumberObj>(owner.get());
  EXPECT_EQ(base.get(), owner.get());
  EXPECT_EQ(owner.use_count(), 2);
  ObjectPtr<Object> null = GetObjectPtr<Object>(static_cast<IntObj*>(nullptr));
  EXPECT_EQ(null, nullptr);
}

}  // namespace
