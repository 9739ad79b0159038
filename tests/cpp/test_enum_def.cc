// SPDX-License-Identifier: Apache-2.0
// Test enum.h and reflection/enum_def.h: the state of an enum, its entries and their lookup.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/reflection/enum_def.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <limits>
#include <string>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

// Each test needs its own class, since entries cannot be removed.
#define TEST_ENUM_CLASS(Name, Base)                                             \
  class Name##Obj : public Base {                                               \
   public:                                                                      \
    TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_def." #Name, Name##Obj, Base); \
  }

template <typename Obj>
EnumState StateOf() {
  return *type_attr::kEnumState.ValueFrom(
      refl::TypeAttrColumn(type_attr::kEnumState)[Obj::RuntimeTypeIndex()]);
}

TEST_ENUM_CLASS(Plain, EnumObj);
TEST_ENUM_CLASS(Text, StrEnumObj);
TEST_ENUM_CLASS(Number, IntEnumObj);
TEST_ENUM_CLASS(Twice, EnumObj);
TEST_ENUM_CLASS(TwiceNumber, IntEnumObj);
TEST_ENUM_CLASS(Unknown, EnumObj);
TEST_ENUM_CLASS(Attr, EnumObj);
TEST_ENUM_CLASS(Wrong, EnumObj);

class PayloadObj : public EnumObj {
 public:
  int64_t cost = 7;
  Array<int64_t> steps{1, 2};
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_def.Payload", PayloadObj, EnumObj);
};

TEST(EnumState, HasExactlyThreeFieldsAtTheirPlaces) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(EnumStateObj::RuntimeTypeIndex());
  ASSERT_EQ(info->num_fields, 3);
  const char* const names[] = {"entries", "indexes", "attrs"};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(std::string(info->fields[i].name.data, info->fields[i].name.size), names[i]);
    EXPECT_EQ(info->fields[i].offset, 24 + 8 * i);
    EXPECT_EQ(info->fields[i].size, 8);
    EXPECT_EQ(info->fields[i].flags & kTVMFFIFieldFlagBitMaskWritable, 0);
    EXPECT_NE(info->fields[i].flags & kTVMFFIFieldFlagBitMaskInitOff, 0);
  }
  EXPECT_EQ(info->metadata->total_size, 48);
  EXPECT_NE(info->metadata->creator, nullptr);
  EXPECT_TRUE(EnumStateObj::_type_final);
  // The constructor of EnumState does not take arguments.
  Any made = refl::GetMethod("ffi.EnumState", "__ffi_init__")();
  EXPECT_EQ(made.cast<EnumState>()->entries.size(), 0U);
}

TEST(EnumObj, NumberAndNameLieAtTheirPlacesInAllThreeBases) {
  const TVMFFITypeInfo* base = TVMFFIGetTypeInfo(EnumObj::RuntimeTypeIndex());
  ASSERT_EQ(base->num_fields, 2);
  EXPECT_EQ(base->fields[0].offset, 24);
  EXPECT_EQ(base->fields[1].offset, 32);
  EXPECT_NE(base->fields[0].flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore, 0);
  EXPECT_NE(base->fields[0].flags & kTVMFFIFieldFlagBitMaskKwOnly, 0);
  for (const char* key : {"ffi.Enum", "ffi.IntEnum", "ffi.StrEnum"}) {
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(TypeKeyToIndex(key));
    EXPECT_EQ(info->metadata->total_size, 48) << key;
    EXPECT_EQ(info->metadata->structural_eq_hash_kind, kTVMFFISEqHashKindUniqueInstance) << key;
    EXPECT_EQ(refl::TypeAttrColumn("__ffi_init__")[info->type_index], nullptr) << key;
    EXPECT_NE(refl::TypeAttrColumn("__ffi_new__")[info->type_index], nullptr) << key;
    EXPECT_NE(refl::TypeAttrColumn("__ffi_shallow_copy__")[info->type_index], nullptr) << key;
  }
  EXPECT_EQ(refl::GetFieldInfo("ffi.IntEnum", "value")->offset, 24);
  EXPECT_EQ(refl::GetFieldInfo("ffi.StrEnum", "value")->offset, 32);
  EXPECT_EQ(refl::TypeAttrColumn("__ffi_convert__")[EnumObj::RuntimeTypeIndex()], nullptr);
  Function convert =
      refl::TypeAttrColumn("__ffi_convert__")[IntEnumObj::RuntimeTypeIndex()].cast<Function>();
  EXPECT_EQ(Caught([&] { convert(10); }).message(), "Cannot cast from `int` to `ffi.IntEnum`");
}

// spec: M01
TEST(EnumDef, PlainEntriesAreNumberedInOrderOfRegistration) {
  EXPECT_FALSE(refl::EnumDef<PlainObj>::IsDefined("A"));
  refl::EnumDef<PlainObj>("A");
  refl::EnumDef<PlainObj>("B");
  EXPECT_TRUE(refl::EnumDef<PlainObj>::IsDefined("A"));
  EXPECT_FALSE(refl::EnumDef<PlainObj>::IsDefined("C"));
  Enum a = EnumObj::_GetByStrIndex<PlainObj>("A");
  Enum b = EnumObj::_GetByIntIndex<PlainObj>(1);
  EXPECT_EQ(a->_int_index, 0);
  EXPECT_EQ(a->_str_index, "A");
  EXPECT_EQ(b->_str_index, "B");
  EXPECT_TRUE(a.same_as(EnumObj::_GetByIntIndex(PlainObj::RuntimeTypeIndex(), 0)));
  EXPECT_TRUE(b.same_as(EnumObj::_GetByStrIndex(PlainObj::RuntimeTypeIndex(), "B")));
  EnumState state = StateOf<PlainObj>();
  ASSERT_EQ(state->entries.size(), 2U);
  EXPECT_TRUE(state->entries[0].same_as(a));
  EXPECT_EQ(state->indexes.size(), 4U);
  EXPECT_EQ(state->attrs.size(), 0U);
}

// spec: M01
TEST(EnumDef, TextEntriesAreFoundByBothIndexes) {
  refl::EnumDef<TextObj>("+");
  refl::EnumDef<TextObj>("a name that needs the heap");
  EXPECT_EQ(EnumObj::_GetByIntIndex<TextObj>(1)->_str_index, "a name that needs the heap");
  EXPECT_TRUE(EnumObj::_GetByStrIndex<TextObj>("+").as<StrEnumObj>() != nullptr);
}

// spec: M02
TEST(EnumDef, NumbersOfAnIntEnumAreSparseAndMayBeNegative) {
  constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
  refl::EnumDef<NumberObj>("low", kLowest);
  refl::EnumDef<NumberObj>("minus", -3);
  refl::EnumDef<NumberObj>("high", int64_t{1} << 40);
  EXPECT_EQ(EnumObj::_GetByIntIndex<NumberObj>(kLowest)->_str_index, "low");
  EXPECT_EQ(EnumObj::_GetByStrIndex<NumberObj>("minus")->_int_index, -3);
  EXPECT_EQ(EnumObj::_GetByIntIndex<NumberObj>(int64_t{1} << 40)->_str_index, "high");
  EXPECT_EQ(Caught([] { EnumObj::_GetByIntIndex<NumberObj>(0); }).kind(), "ValueError");
}

// spec: M01
TEST(EnumDef, UnknownIndexIsAValueError) {
  refl::EnumDef<UnknownObj>("A");
  EXPECT_ERROR(EnumObj::_GetByIntIndex<UnknownObj>(5), "ValueError",
               "Enum `test_enum_def.Unknown` has no instance with index 5");
  EXPECT_EQ(Caught([] { EnumObj::_GetByStrIndex<UnknownObj>("zz"); }).message(),
            "Enum `test_enum_def.Unknown` has no instance with index zz");
  // Look up an entry of a type that is not an enum.
  EXPECT_EQ(Caught([] { EnumObj::_GetByStrIndex(kTVMFFIArray, "zz"); }).message(),
            "Enum `ffi.Array` has no instance with index zz");
}

// spec: M03
TEST(EnumDef, DuplicateLeavesTheStateAsItWas) {
  refl::EnumDef<TwiceObj>("A");
  EXPECT_ERROR(
      refl::EnumDef<TwiceObj>("A"), "ValueError",
      "Duplicate enum index for type `test_enum_def.Twice`: cannot register `A`, the name is "
      "taken");
  EXPECT_EQ(StateOf<TwiceObj>()->entries.size(), 1U);
  EXPECT_EQ(StateOf<TwiceObj>()->indexes.size(), 2U);

  refl::EnumDef<TwiceNumberObj>("A", 4);
  EXPECT_EQ(
      Caught([] { refl::EnumDef<TwiceNumberObj>("B", 4); }).message(),
      "Duplicate enum index for type `test_enum_def.TwiceNumber`: cannot register `B`, index 4 "
      "belongs to `A`");
  EXPECT_EQ(Caught([] { refl::EnumDef<TwiceNumberObj>("A", 5); }).kind(), "ValueError");
  EXPECT_FALSE(refl::EnumDef<TwiceNumberObj>::IsDefined("B"));
  EXPECT_EQ(StateOf<TwiceNumberObj>()->entries.size(), 1U);
  EXPECT_EQ(StateOf<TwiceNumberObj>()->indexes.size(), 2U);
}

int64_t HashOfAttr(const Any& value) { return value.cast<int64_t>() * 2; }

// spec: M04
TEST(EnumDef, AttributesLieInTheStateByEntry) {
  constexpr refl::AttrKey<int64_t> kCode{"code"};
  refl::EnumDef<AttrObj>("A")
      .set_attr("note", "first")
      .set_attr(kCode, 10)
      .set_attr("call", [](int64_t x) { return x + 1; });
  refl::EnumDef<AttrObj>("B").set_attr("code", 20).set_attr("code", 21);
  refl::EnumDef<AttrObj>("C").set_native_fn_attr<&HashOfAttr>(type_attr::kAnyHash);
  EnumState state = StateOf<AttrObj>();
  Enum a = EnumObj::_GetByStrIndex<AttrObj>("A");
  Enum b = EnumObj::_GetByStrIndex<AttrObj>("B");
  Enum c = EnumObj::_GetByStrIndex<AttrObj>("C");
  EXPECT_EQ(state->attrs.at("code").at(a).cast<int64_t>(), 10);
  EXPECT_EQ(state->attrs.at("code").at(b).cast<int64_t>(), 21);
  EXPECT_EQ(state->attrs.at("code").count(c), 0U);
  EXPECT_EQ(state->attrs.at("note").at(a).cast<String>(), "first");
  EXPECT_EQ(state->attrs.at("call").at(a).cast<Function>()(1).cast<int64_t>(), 2);
  auto hash = type_attr::kAnyHash.ValueFrom(state->attrs.at("__any_hash__").at(c));
  ASSERT_TRUE(hash.has_value());
  EXPECT_EQ((*hash)(Any(4)), 8);
}

// spec: M05
TEST(EnumDef, PayloadFieldsKeepTheirDefaultsAndTheDerivedType) {
  refl::EnumDef<PayloadObj>("A");
  Enum entry = EnumObj::_GetByStrIndex<PayloadObj>("A");
  EXPECT_EQ(entry->type_index(), PayloadObj::RuntimeTypeIndex());
  const auto* payload = entry.as<PayloadObj>();
  ASSERT_NE(payload, nullptr);
  EXPECT_EQ(payload->cost, 7);
  EXPECT_EQ(payload->steps.size(), 2U);
  // Three references are in the EnumState (one in its list, two in its Dict of indexes), one is
  // `entry`.
  EXPECT_EQ(entry.use_count(), 4);
}

TEST(EnumDef, SomethingElseAsStateIsATypeError) {
  EXPECT_ERROR(refl::TypeAttrDef<WrongObj>().attr("__ffi_enum__", 5), "TypeError",
               "Type attribute `__ffi_enum__` of type `" + std::string(WrongObj::_type_key) +
                   "` must be an `ffi.EnumState`, got `int`");
}

}  // namespace
