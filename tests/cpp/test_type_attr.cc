// SPDX-License-Identifier: Apache-2.0
// Test the columns of type attributes through the C functions.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "c_api_support.h"

namespace {

int32_t NewType(std::string_view key) {
  TVMFFIByteArray bytes = BytesOf(key);
  return TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 1, kTVMFFIObject);
}

const TVMFFITypeAttrColumn* Column(std::string_view name) {
  TVMFFIByteArray bytes = BytesOf(name);
  return TVMFFIGetTypeAttrColumn(&bytes);
}

int Set(int32_t type, std::string_view name, const TVMFFIAny& value) {
  TVMFFIByteArray bytes = BytesOf(name);
  return TVMFFITypeRegisterAttr(type, &bytes, &value);
}

/*! \brief Read a value from a column as compiled clients do. */
TVMFFIAny Get(const TVMFFITypeAttrColumn* column, int32_t type) {
  int64_t at = int64_t{type} - column->begin_index;
  return at < 0 || at >= column->size ? TVMFFIAny{} : column->data[at];
}

// spec: Y11
TEST(TypeAttr, WellKnownColumnsAreThereAtLoad) {
  for (const char* name :
       {"__any_equal__", "__any_hash__", "__data_from_json__", "__data_to_json__",
        "__ffi_compare__", "__ffi_convert__", "__ffi_enum__", "__ffi_eq__", "__ffi_hash__",
        "__ffi_init__", "__ffi_new__", "__ffi_repr__", "__ffi_shallow_copy__", "__ffi_type_final__",
        "__s_equal__", "__s_hash__", "__s_maybe_inplace_mutate__", "__s_mutate__", "__s_visit__"}) {
    EXPECT_NE(Column(name), nullptr) << name;
    EXPECT_EQ(Column(name), Column(name)) << name;
  }
  EXPECT_EQ(Column("__ffi_convert_type_schema__"), nullptr);
  EXPECT_EQ(Column("never.registered"), nullptr);
  EXPECT_FALSE(TakeRaised().is_there);
  EXPECT_EQ(Column("__structural_equal__"), Column("__s_equal__"));
}

TEST(TypeAttr, IndexZeroOnlyMakesTheColumn) {
  EXPECT_EQ(Column("attr.ensured"), nullptr);
  ASSERT_EQ(Set(0, "attr.ensured", IntValue(3)), 0);
  const TVMFFITypeAttrColumn* column = Column("attr.ensured");
  ASSERT_NE(column, nullptr);
  EXPECT_EQ(column->data, nullptr);
  EXPECT_EQ(column->size, 0);
  EXPECT_EQ(column->begin_index, 0);
}

// spec: Y11
TEST(TypeAttr, ValuesAppearInTheColumnWithNoneHoles) {
  int32_t a = NewType("attr.A");
  int32_t b = NewType("attr.B");
  ASSERT_EQ(Set(b, "attr.values", IntValue(2)), 0);
  const TVMFFITypeAttrColumn* column = Column("attr.values");
  ASSERT_NE(column, nullptr);
  EXPECT_EQ(Get(column, b).v_int64, 2);
  EXPECT_EQ(Get(column, a).type_index, kTVMFFINone);
  EXPECT_EQ(Get(column, b + 1).type_index, kTVMFFINone);
  EXPECT_EQ(Get(column, 100000).type_index, kTVMFFINone);
  // The column that was looked up above also shows later registrations.
  ASSERT_EQ(Set(a, "attr.values", IntValue(1)), 0);
  int32_t c = NewType("attr.C");
  ASSERT_EQ(Set(c, "attr.values", IntValue(3)), 0);
  EXPECT_EQ(Column("attr.values"), column);
  EXPECT_EQ(Get(column, a).v_int64, 1);
  EXPECT_EQ(Get(column, b).v_int64, 2);
  EXPECT_EQ(Get(column, c).v_int64, 3);
}

TEST(TypeAttr, PlainKindsCarryAttributesToo) {
  ASSERT_EQ(Set(kTVMFFIInt, "attr.plain", IntValue(8)), 0);
  EXPECT_EQ(Get(Column("attr.plain"), kTVMFFIInt).v_int64, 8);
}

TEST(TypeAttr, ValueIsRetainedOnceAndKeptForReadersWhenOverwritten) {
  int32_t type = NewType("attr.Retain");
  TVMFFIObjectHandle box = nullptr;
  ASSERT_EQ(TVMFFIObjectCreateOpaque(nullptr, kTVMFFIOpaquePyObject, nullptr, &box), 0);
  ASSERT_EQ(Set(type, "attr.retain", ObjectValue(box)), 0);
  EXPECT_EQ(CountsOf(box), 0x100000002u);
  const TVMFFITypeAttrColumn* column = Column("attr.retain");
  EXPECT_EQ(CountsOf(box), 0x100000002u);
  // A user-defined name may be set again. The old value stays: a client may be copying it.
  ASSERT_EQ(Set(type, "attr.retain", IntValue(5)), 0);
  EXPECT_EQ(CountsOf(box), 0x100000002u);
  EXPECT_EQ(Get(column, type).v_int64, 5);
  TVMFFIObjectDecRef(box);
}

TEST(TypeAttr, ArrayOfAReaderNeverShowsAPayloadUnderAnotherKind) {
  int32_t type = NewType("attr.Kinds");
  ASSERT_EQ(Set(type, "attr.kinds", IntValue(1)), 0);
  const TVMFFITypeAttrColumn* column = Column("attr.kinds");
  const TVMFFIAny* cells = column->data;
  // A value of the same kind replaces the old one in place; another kind needs a new array.
  ASSERT_EQ(Set(type, "attr.kinds", IntValue(2)), 0);
  EXPECT_EQ(column->data, cells);
  TVMFFIAny number{};
  number.type_index = kTVMFFIFloat;
  number.v_float64 = 0.5;
  ASSERT_EQ(Set(type, "attr.kinds", number), 0);
  EXPECT_NE(column->data, cells);
  EXPECT_EQ(cells[type].type_index, kTVMFFIInt);
  EXPECT_EQ(cells[type].v_int64, 2);
  EXPECT_EQ(Get(column, type).v_float64, 0.5);
  // Removing a value, and setting a value of the same kind again, does not need a new array.
  cells = column->data;
  ASSERT_EQ(Set(type, "attr.kinds", TVMFFIAny{}), 0);
  EXPECT_EQ(Get(column, type).type_index, kTVMFFINone);
  number.v_float64 = 1.5;
  ASSERT_EQ(Set(type, "attr.kinds", number), 0);
  EXPECT_EQ(column->data, cells);
  EXPECT_EQ(Get(column, type).v_float64, 1.5);
}

TEST(TypeAttr, AlternatingKindsNeedTwoArrays) {
  int32_t type = NewType("attr.Alternate");
  int32_t other = NewType("attr.AlternateOther");
  ASSERT_EQ(Set(other, "attr.alternate", IntValue(7)), 0);
  const TVMFFITypeAttrColumn* column = Column("attr.alternate");
  std::set<const TVMFFIAny*> arrays;
  for (int i = 0; i < 1000; ++i) {
    TVMFFIAny value = IntValue(i);
    if (i % 2 != 0) {
      value.type_index = kTVMFFIFloat;
      value.v_float64 = i;
    }
    ASSERT_EQ(Set(type, "attr.alternate", value), 0);
    ASSERT_EQ(Get(column, type).type_index, value.type_index);
    ASSERT_EQ(Get(column, type).v_int64, value.v_int64);
    ASSERT_EQ(Get(column, other).v_int64, 7);
    arrays.insert(column->data);
  }
  EXPECT_EQ(arrays.size(), 2U);
}

int DoNothing(void*, const TVMFFIAny*, int32_t, TVMFFIAny*) { return 0; }

// spec: Y11
TEST(TypeAttr, WellKnownNamesAreSetOnce) {
  int32_t type = NewType("attr.Once");
  ASSERT_EQ(Set(type, "__ffi_repr__", TVMFFIAny{}), 0) << "None leaves the slot free";
  TVMFFIAny hook{};
  ASSERT_EQ(
      TVMFFIFunctionCreate(nullptr, DoNothing, nullptr, reinterpret_cast<void**>(&hook.v_obj)), 0);
  hook.type_index = kTVMFFIFunction;
  ASSERT_EQ(Set(type, "__ffi_repr__", hook), 0);
  TVMFFIObjectDecRef(hook.v_obj);
  EXPECT_EQ(Set(type, "__ffi_repr__", IntValue(2)), -1) << "taken, whatever the value";
  Raised raised = TakeRaised();
  EXPECT_EQ(raised.kind, "RuntimeError");
  EXPECT_TRUE(StartsWith(
      raised.message,
      "TypeAttr `__ffi_repr__` is already registered for type index " + std::to_string(type)))
      << raised.message;
  EXPECT_EQ(Get(Column("__ffi_repr__"), type).v_obj, hook.v_obj);
  // The first name has no column at load; two threads of Rust may set the second at one moment.
  for (const char* name : {"__ffi_convert_type_schema__", "__rust_locks__"}) {
    ASSERT_EQ(Set(type, name, IntValue(1)), 0);
    EXPECT_EQ(Set(type, name, IntValue(1)), -1);
    EXPECT_EQ(TakeRaised().kind, "RuntimeError");
    EXPECT_NE(Column(name), nullptr);
  }
}

TEST(TypeAttr, RawStringsBecomeStrings) {
  int32_t type = NewType("attr.RawStr");
  TVMFFIAny value{};
  value.type_index = kTVMFFIRawStr;
  value.v_c_str = "text";
  ASSERT_EQ(Set(type, "attr.raw", value), 0);
  EXPECT_EQ(Get(Column("attr.raw"), type).type_index, kTVMFFISmallStr);
}

TEST(TypeAttr, BadInput) {
  TVMFFIAny value = IntValue(1);
  EXPECT_EQ(TVMFFITypeRegisterAttr(64, nullptr, &value), -1);
  EXPECT_RAISED("ValueError", "`attr_name` must not be NULL");
  TVMFFIByteArray name = BytesOf("attr.bad");
  EXPECT_EQ(TVMFFITypeRegisterAttr(64, &name, nullptr), -1);
  EXPECT_RAISED("ValueError", "`attr_value` must not be NULL");
  EXPECT_EQ(TVMFFITypeRegisterAttr(9999, &name, &value), -1);
  EXPECT_RAISED("InternalError", "Cannot find type info for type_index=9999");
  EXPECT_EQ(TVMFFITypeRegisterAttr(-1, &name, &value), -1);
  EXPECT_EQ(TakeRaised().kind, "InternalError");
  EXPECT_EQ(Column("attr.bad"), nullptr);
  EXPECT_EQ(TVMFFIGetTypeAttrColumn(nullptr), nullptr);
  EXPECT_RAISED("ValueError", "`attr_name` must not be NULL");
}

}  // namespace
