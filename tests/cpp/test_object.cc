// SPDX-License-Identifier: Apache-2.0
// Test Object and ObjectRef: layout, type registration, instance tests, macros, raw handles.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "caught.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using detail::ObjectUnsafe;
using sample::CountedChildObj;
using sample::CountedObj;
using sample::Float;
using sample::FloatObj;
using sample::Int;
using sample::IntObj;
using sample::NullableInt;
using sample::Number;
using sample::NumberObj;
using sample::OverflowObj;

/* ------------------------------------------------------------------ layout */

static_assert(sizeof(Object) == sizeof(TVMFFIObject) && sizeof(Object) == 24);
static_assert(std::is_standard_layout_v<Object>);
static_assert(sizeof(ObjectPtr<IntObj>) == sizeof(void*));
static_assert(sizeof(Arc<IntObj>) == sizeof(void*));
static_assert(sizeof(WeakObjectPtr<IntObj>) == sizeof(void*));
static_assert(sizeof(ObjectRef) == sizeof(void*));
static_assert(sizeof(Int) == sizeof(void*));
static_assert(sizeof(Error) == 2 * sizeof(void*));
static_assert(std::is_standard_layout_v<ObjectPtr<IntObj>>);
static_assert(std::is_standard_layout_v<Arc<IntObj>>);
// spec: A06
static_assert(std::is_standard_layout_v<ObjectRef>);
static_assert(std::is_nothrow_move_constructible_v<ObjectRef>);
static_assert(std::is_nothrow_move_assignable_v<ObjectRef>);
static_assert(std::is_nothrow_move_constructible_v<ObjectPtr<IntObj>>);
static_assert(std::is_nothrow_default_constructible_v<ObjectPtr<IntObj>>);

TEST(RefCountConstants, HaveTheirPublishedValues) {
  EXPECT_EQ(detail::kCombinedRefCountStrongOne, 1u);
  EXPECT_EQ(detail::kCombinedRefCountWeakOne, 0x100000000u);
  EXPECT_EQ(detail::kCombinedRefCountBothOne, 0x100000001u);
  EXPECT_EQ(detail::kCombinedRefCountMaskUInt32, 0xffffffffu);
}

TEST(Object, StartsWithAZeroHeader) {
  Object object;
  TVMFFIObject zero{};
  EXPECT_EQ(std::memcmp(&object, &zero, sizeof(zero)), 0);
}

/* ------------------------------------------------------------------ types */

// spec: C04
TEST(TypeRegistration, MatchesTheTypeTable) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(IntObj::RuntimeTypeIndex());
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(std::string(info->type_key.data, info->type_key.size), "test.sample.Int");
  EXPECT_EQ(info->type_index, IntObj::_type_index);
  EXPECT_EQ(info->type_depth, 2);
  EXPECT_EQ(IntObj::_type_depth, 2);
  EXPECT_EQ(info->type_ancestors[0]->type_index, kTVMFFIObject);
  EXPECT_EQ(info->type_ancestors[1]->type_index, NumberObj::RuntimeTypeIndex());
  EXPECT_GE(NumberObj::RuntimeTypeIndex(), kTVMFFIDynObjectBegin);
  EXPECT_EQ(IntObj::_GetOrAllocRuntimeTypeIndex(), IntObj::RuntimeTypeIndex());
}

TEST(TypeRegistration, SpeaksOfItself) {
  ObjectPtr<IntObj> a = make_object<IntObj>(1);
  EXPECT_EQ(a->type_index(), IntObj::RuntimeTypeIndex());
  EXPECT_EQ(a->GetTypeKey(), "test.sample.Int");
  EXPECT_EQ(Object::TypeIndex2Key(NumberObj::RuntimeTypeIndex()), "test.sample.Number");
  EXPECT_EQ(a->GetTypeKeyHash(), TVMFFIGetTypeInfo(a->type_index())->type_key_hash);
  EXPECT_EQ(TypeIndexToTypeKey(kTVMFFIObject), "ffi.Object");
  EXPECT_EQ(TypeIndexToTypeKey(kTVMFFIAny), "Any");
}

TEST(TypeRegistration, ReservedIndicesFollowTheParent) {
  int32_t parent = NumberObj::RuntimeTypeIndex();
  EXPECT_GT(IntObj::RuntimeTypeIndex(), parent);
  EXPECT_LE(IntObj::RuntimeTypeIndex(), parent + 2);
  EXPECT_GT(FloatObj::RuntimeTypeIndex(), parent);
  EXPECT_LE(FloatObj::RuntimeTypeIndex(), parent + 2);
  EXPECT_GT(OverflowObj::RuntimeTypeIndex(), parent + 2);
}

// A second declaration of the class NumberObj, as in another library.
namespace again {
class NumberObj : public Object {
 public:
  static constexpr uint32_t _type_child_slots = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("test.sample.Number", NumberObj, Object);
};
}  // namespace again

// spec: C04
TEST(TypeRegistration, AKnownKeyKeepsItsIndex) {
  EXPECT_EQ(again::NumberObj::RuntimeTypeIndex(), NumberObj::RuntimeTypeIndex());
}

int32_t index_seen_at_load = 0;
ObjectPtr<Object>* object_made_at_load = nullptr;

class LateObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.object.Late", LateObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  index_seen_at_load = LateObj::RuntimeTypeIndex();
  object_made_at_load = new ObjectPtr<Object>(make_object<LateObj>());
}

TEST(TypeRegistration, WorksInLoadTimeBlocks) {
  EXPECT_EQ(index_seen_at_load, LateObj::RuntimeTypeIndex());
  EXPECT_EQ((*object_made_at_load)->type_index(), LateObj::RuntimeTypeIndex());
  EXPECT_GE(index_seen_at_load, kTVMFFIDynObjectBegin);
  delete object_made_at_load;
  object_made_at_load = nullptr;
}

template <typename Derived>
class KeyedObj : public Object {
 public:
  int doubled = 2;
  TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(Derived, Object);
};

class LeftObj : public KeyedObj<LeftObj> {
 public:
  static constexpr const char* _type_key = "test.object.Left";
};
class RightObj : public KeyedObj<RightObj> {
 public:
  static constexpr const char* _type_key = "test.object.Right";
};

// spec: C07
TEST(TypeRegistration, PredefinedKeyServesCrtpChildren) {
  EXPECT_EQ(make_object<LeftObj>()->GetTypeKey(), "test.object.Left");
  EXPECT_EQ(make_object<RightObj>()->GetTypeKey(), "test.object.Right");
  EXPECT_NE(LeftObj::RuntimeTypeIndex(), RightObj::RuntimeTypeIndex());
  EXPECT_EQ(LeftObj::_type_depth, 1);
  ObjectPtr<Object> left = make_object<LeftObj>();
  EXPECT_TRUE(left->IsInstance<LeftObj>());
  EXPECT_FALSE(left->IsInstance<RightObj>());
}

class LookupObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("test.sample.Number", 1);
};
class LookupUnknownObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("test.object.NotRegistered", 1);
};

// spec: C08
TEST(TypeRegistration, LookupFindsTypesOfOthers) {
  EXPECT_EQ(LookupObj::RuntimeTypeIndex(), NumberObj::RuntimeTypeIndex());
  static_assert(LookupObj::_type_mutable && !LookupObj::_type_final);
  ObjectPtr<Object> a = make_object<IntObj>(1);
  EXPECT_TRUE(a->IsInstance<LookupObj>());
  EXPECT_FALSE(make_object<LateObj>()->IsInstance<LookupObj>());
  Error error = Caught([] { LookupUnknownObj::RuntimeTypeIndex(); });
  EXPECT_EQ(error.kind(), "InternalError");
  EXPECT_NE(error.message().find("Cannot find type `test.object.NotRegistered`"),
            std::string::npos);
}

class TakenIndexObj : public Object {
 public:
  static constexpr int32_t _type_index = kTVMFFIArray;  // belongs to ffi.Array
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC("test.object.TakenIndex", TakenIndexObj, Object);
};

TEST(TypeRegistration, RefusalOfTheLibraryIsThrown) {
  Error error = Caught([] { TakenIndexObj::_GetOrAllocRuntimeTypeIndex(); });
  EXPECT_NE(error.kind(), "EnvErrorAlreadySet");
  EXPECT_FALSE(error.message().empty());
  TVMFFIObjectHandle left = nullptr;
  TVMFFIErrorMoveFromRaised(&left);
  EXPECT_EQ(left, nullptr) << "the error must have left the slot";
}

TEST(TypeRegistration, UnknownIndexIsThrown) {
  Error error = Caught([] { TypeIndexToTypeKey(1 << 30); });
  EXPECT_NE(error.kind(), "EnvErrorAlreadySet");
  EXPECT_THROW(TypeIndexToTypeKey(40), Error);
  EXPECT_THROW(TypeIndexToTypeKey(-5), Error);
}

/* ------------------------------------------------------------------ instance tests */

// spec: C05
TEST(IsInstance, ExactBaseSiblingAndRoot) {
  ObjectPtr<Object> i = make_object<IntObj>(1);
  EXPECT_TRUE(i->IsInstance<Object>());
  EXPECT_TRUE(i->IsInstance<NumberObj>());
  EXPECT_TRUE(i->IsInstance<IntObj>());
  EXPECT_FALSE(i->IsInstance<FloatObj>());
  EXPECT_FALSE(i->IsInstance<CountedObj>());
  ObjectPtr<Object> n = make_object<NumberObj>();
  EXPECT_TRUE(n->IsInstance<NumberObj>());
  EXPECT_FALSE(n->IsInstance<IntObj>());
}

// spec: C05, Y5
TEST(IsInstance, BeyondTheReservedIndices) {
  ObjectPtr<Object> o = make_object<OverflowObj>();
  EXPECT_TRUE(o->IsInstance<NumberObj>());
  EXPECT_TRUE(o->IsInstance<OverflowObj>());
  EXPECT_FALSE(o->IsInstance<CountedObj>());
  EXPECT_FALSE(o->IsInstance<CountedChildObj>());
}

// spec: C05
TEST(IsInstance, WithoutReservedIndices) {
  int destroyed = 0;
  ObjectPtr<Object> child = make_object<CountedChildObj>(&destroyed);
  EXPECT_TRUE(child->IsInstance<CountedObj>());
  EXPECT_TRUE(child->IsInstance<CountedChildObj>());
  EXPECT_FALSE(child->IsInstance<NumberObj>());
  EXPECT_FALSE(make_object<CountedObj>(&destroyed)->IsInstance<CountedChildObj>());
}

class ClosedObj : public Object {
 public:
  static constexpr uint32_t _type_child_slots = 1;
  static constexpr bool _type_child_slots_can_overflow = false;
  TVM_FFI_DECLARE_OBJECT_INFO("test.object.Closed", ClosedObj, Object);
};
class ClosedChildObj : public ClosedObj {
 public:
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("test.object.ClosedChild", ClosedChildObj, ClosedObj);
};

// spec: C05
TEST(IsInstance, ClosedRangeNeedsNoTable) {
  EXPECT_TRUE(detail::IsObjectInstance<ClosedObj>(ClosedChildObj::RuntimeTypeIndex()));
  EXPECT_TRUE(detail::IsObjectInstance<ClosedObj>(ClosedObj::RuntimeTypeIndex()));
  // Type indices that are not registered: the reserved range of ClosedObj determines the answer.
  EXPECT_FALSE(detail::IsObjectInstance<ClosedObj>(1 << 30));
  EXPECT_FALSE(detail::IsObjectInstance<ClosedObj>(ClosedObj::RuntimeTypeIndex() - 1));
}

// spec: Y5
TEST(RuntimeTypeIndexMatch, FollowsItsRules) {
  using detail::RuntimeTypeIndexMatch;
  EXPECT_TRUE(RuntimeTypeIndexMatch(kTVMFFIInt, kTVMFFIInt));
  EXPECT_FALSE(RuntimeTypeIndexMatch(kTVMFFIInt, kTVMFFIFloat));
  EXPECT_TRUE(RuntimeTypeIndexMatch(kTVMFFINone, kTVMFFIAny));
  EXPECT_TRUE(RuntimeTypeIndexMatch(IntObj::RuntimeTypeIndex(), kTVMFFIAny));
  EXPECT_TRUE(RuntimeTypeIndexMatch(kTVMFFISmallStr, kTVMFFIStr));
  EXPECT_TRUE(RuntimeTypeIndexMatch(kTVMFFIStr, kTVMFFIStr));
  EXPECT_FALSE(RuntimeTypeIndexMatch(kTVMFFISmallBytes, kTVMFFIStr));
  EXPECT_TRUE(RuntimeTypeIndexMatch(kTVMFFISmallBytes, kTVMFFIBytes));
  EXPECT_FALSE(RuntimeTypeIndexMatch(kTVMFFISmallStr, kTVMFFIBytes));
  EXPECT_TRUE(RuntimeTypeIndexMatch(kTVMFFIStr, kTVMFFIObject));
  EXPECT_FALSE(RuntimeTypeIndexMatch(kTVMFFISmallStr, kTVMFFIObject));
  EXPECT_TRUE(RuntimeTypeIndexMatch(IntObj::RuntimeTypeIndex(), NumberObj::RuntimeTypeIndex()));
  EXPECT_TRUE(
      RuntimeTypeIndexMatch(OverflowObj::RuntimeTypeIndex(), NumberObj::RuntimeTypeIndex()));
  EXPECT_FALSE(RuntimeTypeIndexMatch(NumberObj::RuntimeTypeIndex(), IntObj::RuntimeTypeIndex()));
  EXPECT_FALSE(RuntimeTypeIndexMatch(kTVMFFIInt, NumberObj::RuntimeTypeIndex()));
  EXPECT_FALSE(RuntimeTypeIndexMatch(kTVMFFIArray, kTVMFFIMap));
}

/* ------------------------------------------------------------------ ObjectRef */

TEST(ObjectRef, NullInEveryWay) {
  ObjectRef a;
  ObjectRef b(nullptr);
  ObjectRef c{UnsafeInit{}};
  EXPECT_FALSE(a.defined());
  EXPECT_TRUE(a.same_as(b) && b == c);
  EXPECT_EQ(a.get(), nullptr);
  EXPECT_EQ(a.type_index(), kTVMFFINone);
  EXPECT_EQ(a.GetTypeKey(), "None");
  EXPECT_EQ(a.use_count(), 0);
  EXPECT_FALSE(a.unique());
}

TEST(ObjectRef, IdentityOrderAndCounts) {
  Int a(1), b(1);
  ObjectRef c = a;
  EXPECT_TRUE(a.same_as(c));
  EXPECT_TRUE(a == c);
  EXPECT_TRUE(a != b);
  EXPECT_EQ(a < b, a.get() < b.get());
  EXPECT_NE(a < b, b < a);
  EXPECT_EQ(a.use_count(), 2);
  EXPECT_FALSE(a.unique());
  EXPECT_EQ(c.type_index(), IntObj::RuntimeTypeIndex());
  EXPECT_EQ(c.GetTypeKey(), "test.sample.Int");
  EXPECT_EQ(c->type_index(), IntObj::RuntimeTypeIndex());
  ObjectRef moved = std::move(c);
  EXPECT_FALSE(c.defined());
  EXPECT_EQ(a.use_count(), 2);
}

// spec: C11
TEST(ObjectRef, AsObject) {
  ObjectRef a = Int(12);
  ASSERT_NE(a.as<IntObj>(), nullptr);
  EXPECT_EQ(a.as<IntObj>()->value, 12);
  EXPECT_EQ(a.as<NumberObj>(), a.get());
  EXPECT_EQ(a.as<FloatObj>(), nullptr);
  EXPECT_EQ(ObjectRef().as<IntObj>(), nullptr);
  static_assert(std::is_same_v<decltype(a.as<IntObj>()), const IntObj*>);
}

// spec: C11
TEST(ObjectRef, AsReference) {
  ObjectRef a = Int(12);
  std::optional<Int> i = a.as<Int>();
  ASSERT_TRUE(i.has_value());
  EXPECT_EQ((*i)->value, 12);
  EXPECT_EQ(a.use_count(), 2);
  EXPECT_TRUE(a.as<Number>().has_value());
  EXPECT_FALSE(a.as<Float>().has_value());
  ObjectRef null;
  std::optional<NullableInt> n = null.as<NullableInt>();
  ASSERT_TRUE(n.has_value());
  EXPECT_FALSE(n->defined());
  EXPECT_FALSE(null.as<Int>().has_value());
}

// spec: C12
TEST(ObjectRef, AsReferenceOfAnRvalueMovesOnSuccessOnly) {
  ObjectRef a = Int(12);
  EXPECT_FALSE(std::move(a).as<Float>().has_value());
  EXPECT_TRUE(a.defined());
  std::optional<Int> i = std::move(a).as<Int>();
  ASSERT_TRUE(i.has_value());
  EXPECT_FALSE(a.defined());
  EXPECT_TRUE(i->unique());
}

// spec: C13
TEST(ObjectRef, AsOrThrow) {
  ObjectRef a = Int(12);
  EXPECT_EQ(a.as_or_throw<Int>()->value, 12);
  EXPECT_ERROR(a.as_or_throw<Float>(), "TypeError",
               "Cannot treat type `test.sample.Int` as type `test.sample.Float`");
  EXPECT_ERROR(ObjectRef().as_or_throw<Int>(), "TypeError",
               "Cannot treat type `None` as type `test.sample.Int`");
  EXPECT_FALSE(ObjectRef().as_or_throw<NullableInt>().defined());
  EXPECT_THROW(std::move(a).as_or_throw<Float>(), Error);
  EXPECT_TRUE(a.defined());
  EXPECT_TRUE(std::move(a).as_or_throw<Int>().unique());
  EXPECT_FALSE(a.defined());
}

// spec: C14
TEST(ObjectRefMacros, NullableForm) {
  static_assert(std::is_default_constructible_v<NullableInt>);
  static_assert(std::is_constructible_v<NullableInt, ObjectPtr<IntObj>>);
  static_assert(!std::is_convertible_v<ObjectPtr<IntObj>, NullableInt>);
  static_assert(std::is_constructible_v<NullableInt, UnsafeInit>);
  static_assert(NullableInt::_type_is_nullable);
  static_assert(std::is_same_v<NullableInt::ContainerType, IntObj>);
  NullableInt a;
  EXPECT_EQ(a.get(), nullptr);
  NullableInt b(nullptr);
  EXPECT_FALSE(b.defined());
  NullableInt c(make_object<IntObj>(2));
  EXPECT_EQ(c->value, 2);
}

// spec: C14
TEST(ObjectRefMacros, NotNullableForm) {
  static_assert(!std::is_default_constructible_v<Int>);
  static_assert(std::is_constructible_v<Int, ObjectPtr<IntObj>>);
  static_assert(!std::is_convertible_v<ObjectPtr<IntObj>, Int>);
  static_assert(!std::is_constructible_v<Int, ObjectPtr<NumberObj>>);
  static_assert(std::is_constructible_v<Int, UnsafeInit>);
  static_assert(!Int::_type_is_nullable);
  EXPECT_EQ(Int(UnsafeInit{}).get(), nullptr);
}

class CountObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.object.Count", CountObj, Object);
};
class Count : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Count, ObjectRef, CountObj);
};
class SevenObj : public CountObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.object.Seven", SevenObj, CountObj);
};
class SevenOfNineObj : public SevenObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.object.SevenOfNine", SevenOfNineObj, SevenObj);
};
class Seven : public Count {
 public:
  Seven() : Count(make_object<SevenObj>()) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Seven, Count, SevenObj);
};
class SevenOfNine : public Seven {
 public:
  SevenOfNine() : Seven(make_object<SevenOfNineObj>()) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(SevenOfNine, Seven, SevenOfNineObj);
};

// spec: C14
TEST(ObjectRefMacros, NotNullableClassesAreMadeFromThePointerOfASubclass) {
  EXPECT_TRUE(Seven()->IsInstance<SevenObj>());
  EXPECT_TRUE(SevenOfNine()->IsInstance<SevenOfNineObj>());
  EXPECT_EQ(SevenOfNine().use_count(), 1);
}

TEST(ObjectRefMacros, NotNullableClassesRefuseANullPointer) {
  EXPECT_ERROR(Count(ObjectPtr<SevenObj>()), "TypeError",
               "A reference to `test.object.Count` that is not nullable cannot be made from a null "
               "pointer");
}

class Authored : public ObjectRef {
 public:
  explicit Authored(ObjectPtr<CountObj> count) : ObjectRef(UnsafeInit{}), by_author(true) {
    data_ = std::move(count);
  }
  bool by_author = false;
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Authored, ObjectRef, CountObj);
};

TEST(ObjectRefMacros, AConstructorOfTheAuthorComesBeforeThatOfTheMacro) {
  EXPECT_TRUE(Authored(make_object<CountObj>()).by_author);
  EXPECT_TRUE(Authored(make_object<SevenObj>()).by_author);
}

// spec: C15
TEST(ObjectRefMacros, MutabilityFollowsTheObject) {
  static_assert(std::is_same_v<decltype(std::declval<Int>().get()), IntObj*>);
  static_assert(std::is_same_v<decltype(std::declval<Float>().get()), const FloatObj*>);
  static_assert(std::is_same_v<Int::__PtrType, IntObj*>);
  const Int a(1);
  a->value = 9;
  EXPECT_EQ(a->value, 9);
}

class Historic : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS(Historic, ObjectRef, IntObj);
};

// spec: S02
TEST(ObjectRefMacros, HistoricNameIsTheNullableForm) {
  static_assert(Historic::_type_is_nullable);
  EXPECT_FALSE(Historic().defined());
  EXPECT_FALSE(Historic(nullptr).defined());
  EXPECT_EQ(Historic(make_object<IntObj>(3))->value, 3);
}

TEST(ObjectRefContains, FollowsContainerTypes) {
  static_assert(object_ref_contains_v<Number, IntObj>);
  static_assert(object_ref_contains_v<Int, IntObj>);
  static_assert(!object_ref_contains_v<Int, NumberObj>);
  static_assert(object_ref_contains_v<ObjectRef, IntObj>);
}

// spec: C24
TEST(ObjectPtrHash, ServesHashTables) {
  std::unordered_map<ObjectRef, int, ObjectPtrHash, ObjectPtrEqual> by_ref;
  Int a(1), b(1);
  by_ref[a] = 1;
  by_ref[b] = 2;
  by_ref[ObjectRef()] = 3;
  EXPECT_EQ(by_ref.size(), 3u);
  EXPECT_EQ(by_ref[a], 1);
  EXPECT_EQ(by_ref[ObjectRef(nullptr)], 3);
  std::unordered_map<ObjectPtr<IntObj>, int, ObjectPtrHash, ObjectPtrEqual> by_ptr;
  ObjectPtr<IntObj> p = make_object<IntObj>(1);
  by_ptr[p] = 4;
  EXPECT_EQ(by_ptr.at(p), 4);
  EXPECT_EQ(by_ptr.count(make_object<IntObj>(1)), 0u);
  EXPECT_EQ(ObjectPtrHash()(a), ObjectPtrHash()(ObjectRef(a)));
}

/* ------------------------------------------------------------------ handles */

TEST(ObjectUnsafe, MovesOwnershipThroughHandles) {
  int destroyed = 0;
  ObjectPtr<CountedObj> p = make_object<CountedObj>(&destroyed);
  TVMFFIObject* borrowed = ObjectUnsafe::TVMFFIObjectPtrFromObjectPtr(p);
  EXPECT_EQ(ObjectUnsafe::RawObjectPtrFromUnowned<CountedObj>(borrowed), p.get());
  ObjectPtr<CountedObj> second = ObjectUnsafe::ObjectPtrFromUnowned<CountedObj>(borrowed);
  EXPECT_EQ(p.use_count(), 2);
  TVMFFIObject* owned = ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(second));
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(p.use_count(), 2);
  ObjectUnsafe::IncRefObjectHandle(owned);
  EXPECT_EQ(p.use_count(), 3);
  ObjectUnsafe::DecRefObjectHandle(owned);
  ObjectPtr<Object> adopted = ObjectUnsafe::ObjectPtrFromOwned<Object>(owned);
  EXPECT_EQ(p.use_count(), 2);
  adopted.reset();
  p.reset();
  EXPECT_EQ(destroyed, 1);
  ObjectUnsafe::DecRefObjectHandle(nullptr);
  EXPECT_EQ(ObjectUnsafe::ObjectPtrFromUnowned<Object>(static_cast<Object*>(nullptr)), nullptr);
}

TEST(ObjectUnsafe, MovesOwnershipThroughReferences) {
  Int a(3);
  EXPECT_EQ(ObjectUnsafe::RawObjectPtrFromObjectRef(a), a.get());
  EXPECT_EQ(ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(a), ObjectUnsafe::GetHeader(a.get()));
  ObjectPtr<IntObj> p = ObjectUnsafe::ObjectPtrFromObjectRef<IntObj>(a);
  EXPECT_EQ(a.use_count(), 2);
  Int b = ObjectUnsafe::ObjectRefFromObjectPtr<Int>(ObjectPtr<Object>(p));
  EXPECT_EQ(a.use_count(), 3);
  ObjectPtr<Object> base = p;
  Int c = ObjectUnsafe::ObjectRefFromObjectPtr<Int>(base);
  EXPECT_EQ(a.use_count(), 5);
  ObjectPtr<IntObj> from_moved = ObjectUnsafe::ObjectPtrFromObjectRef<IntObj>(std::move(c));
  EXPECT_FALSE(c.defined());
  EXPECT_EQ(a.use_count(), 5);
  TVMFFIObject* owned = ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(b));
  EXPECT_FALSE(b.defined());
  ObjectUnsafe::DecRefObjectHandle(owned);
  EXPECT_EQ(a.use_count(), 4);
  EXPECT_EQ(ObjectUnsafe::ArcFromObjectPtr<IntObj>(std::move(p))->value, 3);
}

TEST(ObjectUnsafe, FindsTheAllocationHeader) {
  struct Block {
    TVMFFIObjectAllocHeader header;
    TVMFFIObject body;
  } block{};
  EXPECT_EQ(ObjectUnsafe::GetObjectAllocHeaderFromPtr(&block.body), &block.header);
}

TEST(NullDeleter, IsNeverCalledAndCountsOn) {
  TVMFFIObject immortal{};
  immortal.combined_ref_count = detail::kCombinedRefCountBothOne;
  immortal.type_index = kTVMFFIObject;
  {
    ObjectPtr<Object> p = ObjectUnsafe::ObjectPtrFromOwned<Object>(&immortal);
  }
  EXPECT_EQ(immortal.combined_ref_count, 0x100000000u);
}

int deleter_flags_seen = 0;

TEST(DeleterProtocol, FlagsTellWhatIsLeft) {
  TVMFFIObject cell{};
  cell.deleter = [](void*, int flags) { deleter_flags_seen = deleter_flags_seen * 10 + flags; };
  cell.combined_ref_count = detail::kCombinedRefCountBothOne;
  {
    ObjectPtr<Object> p = ObjectUnsafe::ObjectPtrFromOwned<Object>(&cell);
  }
  EXPECT_EQ(deleter_flags_seen, 3);
  deleter_flags_seen = 0;
  cell.combined_ref_count = detail::kCombinedRefCountBothOne;
  {
    WeakObjectPtr<Object> weak;
    {
      ObjectPtr<Object> p = ObjectUnsafe::ObjectPtrFromOwned<Object>(&cell);
      weak = p;
    }
    EXPECT_EQ(deleter_flags_seen, 1);
  }
  EXPECT_EQ(deleter_flags_seen, 12);
}

// spec: C23
TEST(OpaqueObject, DeleterRunsOnce) {
  static int deleted;
  deleted = 0;
  TVMFFIObjectHandle handle = nullptr;
  ASSERT_EQ(
      TVMFFIObjectCreateOpaque(
          &deleted, kTVMFFIOpaquePyObject, [](void* self) { ++*static_cast<int*>(self); }, &handle),
      0);
  {
    ObjectRef box(ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(handle)));
    EXPECT_EQ(box.type_index(), kTVMFFIOpaquePyObject);
    EXPECT_EQ(TVMFFIOpaqueObjectGetCellPtr(handle)->handle, &deleted);
    Any any = box;
    EXPECT_EQ(box.use_count(), 2);
  }
  EXPECT_EQ(deleted, 1);
}

}  // namespace
