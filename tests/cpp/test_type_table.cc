// SPDX-License-Identifier: Apache-2.0
// Test the type table through its C functions: indices, ancestry, fields, methods, metadata.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "c_api_support.h"
#include "libstdcxx.h"

namespace {

constexpr int32_t kNoIndex = -1;

int32_t Register(std::string_view key, int32_t parent, int32_t slots = 0, int32_t overflow = 1,
                 int32_t static_index = kNoIndex) {
  TVMFFIByteArray bytes = BytesOf(key);
  const TVMFFITypeInfo* parent_info = parent < 0 ? nullptr : TVMFFIGetTypeInfo(parent);
  int32_t depth = parent_info == nullptr ? 0 : parent_info->type_depth + 1;
  return TVMFFITypeGetOrAllocIndex(&bytes, static_index, depth, slots, overflow, parent);
}

int32_t IndexOfKey(std::string_view key) {
  TVMFFIByteArray bytes = BytesOf(key);
  int32_t index = -99;
  return TVMFFITypeKeyToIndex(&bytes, &index) == 0 ? index : -1;
}

/*! \brief Apply the casting rule of the ABI to the data of the type table. */
bool IsInstance(int32_t index, int32_t type, int32_t child_slots) {
  if (index >= type && index <= type + child_slots) return true;
  if (index <= type) return false;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
  const TVMFFITypeInfo* type_info = TVMFFIGetTypeInfo(type);
  return info->type_depth > type_info->type_depth &&
         info->type_ancestors[type_info->type_depth]->type_index == type;
}

TEST(TypeTable, FixedTypesAreThereAtLoad) {
  const std::map<int32_t, std::string> expected = {{0, "None"},
                                                   {1, "int"},
                                                   {2, "bool"},
                                                   {3, "float"},
                                                   {4, "void*"},
                                                   {5, "DataType"},
                                                   {6, "Device"},
                                                   {7, "DLTensor*"},
                                                   {8, "const char*"},
                                                   {9, "TVMFFIByteArray*"},
                                                   {10, "ObjectRValueRef"},
                                                   {11, "ffi.SmallStr"},
                                                   {12, "ffi.SmallBytes"},
                                                   {13, "ffi.Unchanged"},
                                                   {64, "ffi.Object"},
                                                   {65, "ffi.String"},
                                                   {66, "ffi.Bytes"},
                                                   {67, "ffi.Error"},
                                                   {68, "ffi.Function"},
                                                   {69, "ffi.Shape"},
                                                   {70, "ffi.Tensor"},
                                                   {71, "ffi.Array"},
                                                   {72, "ffi.Map"},
                                                   {73, "ffi.Module"},
                                                   {74, "ffi.OpaquePyObject"},
                                                   {75, "ffi.List"},
                                                   {76, "ffi.Dict"},
                                                   {77, "ffi.VisitInterrupt"},
                                                   {78, "ffi.BigInt"}};
  for (const auto& [index, key] : expected) {
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
    ASSERT_NE(info, nullptr) << index;
    EXPECT_EQ(info->type_index, index);
    EXPECT_EQ(TextOf(info->type_key), key);
    EXPECT_EQ(IndexOfKey(key), index);
    EXPECT_EQ(info->type_depth, index > 64 ? 1 : 0);
    if (index > 64) {
      EXPECT_EQ(info->type_ancestors[0], TVMFFIGetTypeInfo(kTVMFFIObject));
    }
  }
  for (int32_t index : {14, 63, 79, 127}) {
    EXPECT_EQ(TVMFFIGetTypeInfo(index), nullptr) << index;
    EXPECT_EQ(TakeRaised().kind, "InternalError");
  }
}

TEST(TypeTable, RootIsDescribed) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(kTVMFFIObject);
  ASSERT_NE(info->metadata, nullptr);
  EXPECT_EQ(info->metadata->total_size, 24);
  EXPECT_EQ(info->metadata->structural_eq_hash_kind, kTVMFFISEqHashKindUnsupported);
  EXPECT_EQ(info->metadata->creator, nullptr);
  EXPECT_EQ(TVMFFIGetTypeInfo(kTVMFFIStr)->metadata, nullptr);
}

TEST(TypeTable, KeyHashIsTheOneOfTheStandardLibrary) {
  SKIP_WITHOUT_LIBSTDCXX();
  EXPECT_EQ(TVMFFIGetTypeInfo(kTVMFFIObject)->type_key_hash, 0x33a211b274fa0106u);
  EXPECT_EQ(TVMFFIGetTypeInfo(kTVMFFIStr)->type_key_hash, 0x9cffcd16e9064976u);
  EXPECT_EQ(TVMFFIGetTypeInfo(kTVMFFIList)->type_key_hash, 0x73959a12faa06c3u);
  EXPECT_EQ(TVMFFIGetTypeInfo(kTVMFFIBigInt)->type_key_hash, 0x487cadd8abd8177bu);
}

// spec: Y5, Y9
TEST(TypeTable, SlotsAreFilledBeforeTheCounter) {
  int32_t t = Register("slots.t", kTVMFFIObject);
  int32_t p = Register("slots.P", kTVMFFIObject, 2);
  int32_t c1 = Register("slots.C1", p);
  int32_t c2 = Register("slots.C2", p);
  int32_t c3 = Register("slots.C3", p);
  int32_t n = Register("slots.N", kTVMFFIObject);
  EXPECT_EQ(std::vector<int32_t>({p - t, c1 - t, c2 - t, c3 - t, n - t}),
            std::vector<int32_t>({1, 2, 3, 4, 5}));
  EXPECT_GE(t, kTVMFFIDynObjectBegin);
  for (int32_t child : {c1, c2, c3}) EXPECT_TRUE(IsInstance(child, p, 2));
  EXPECT_TRUE(IsInstance(c3, kTVMFFIObject, 0));
  EXPECT_FALSE(IsInstance(n, p, 2));
  EXPECT_FALSE(IsInstance(p, c1, 0));
  int32_t grandchild = Register("slots.G", c3);
  EXPECT_TRUE(IsInstance(grandchild, p, 2));
  EXPECT_FALSE(IsInstance(grandchild, c1, 0));
  EXPECT_EQ(TVMFFIGetTypeInfo(grandchild)->type_depth, 3);
}

// spec: Y9
TEST(TypeTable, KnownKeyReturnsItsIndexWhateverElseIsAsked) {
  int32_t index = Register("known.T", kTVMFFIObject);
  TVMFFIByteArray key = BytesOf("known.T");
  EXPECT_EQ(TVMFFITypeGetOrAllocIndex(&key, 70, 17, -5, 0, 9999), index);
  EXPECT_EQ(TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2), index);
  TVMFFIByteArray unknown = BytesOf("known.Unknown");
  EXPECT_EQ(TVMFFITypeGetOrAllocIndex(&unknown, -1, 1, 0, 0, -2), -2);
  EXPECT_FALSE(TakeRaised().is_there);
  EXPECT_EQ(IndexOfKey("known.Unknown"), -1);
  std::string message = TakeRaised().message;
  EXPECT_NE(message.find("Cannot find type `known.Unknown`; "), std::string::npos) << message;
}

// spec: Y9
TEST(TypeTable, ImpossibleRequestsRegisterNothing) {
  int32_t closed = Register("impossible.Closed", kTVMFFIObject, 1, 0);
  ASSERT_GE(Register("impossible.Fits", closed, 0, 1), 0);
  auto expect_refused = [](std::string_view key, int32_t static_index, int32_t depth, int32_t slots,
                           int32_t parent, const std::string& part) {
    TVMFFIByteArray bytes = BytesOf(key);
    EXPECT_EQ(TVMFFITypeGetOrAllocIndex(&bytes, static_index, depth, slots, 1, parent), -1);
    std::string message = TakeRaised().message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 1, -2), -2) << key;
  };
  expect_refused("impossible.A", -1, 1, 0, 5000, "type_index=5000");
  expect_refused("impossible.B", 65, 1, 0, kTVMFFIObject, "Conflicting static index");
  expect_refused("impossible.C", -1, 2, 0, closed,
                 "Reach maximum number of sub-classes for impossible.Closed");
  expect_refused("impossible.D", -1, 5, 0, kTVMFFIObject, "depth");
  expect_refused("impossible.E", -1, 0, 0, -1, "parent");
  expect_refused("impossible.F", -1, 1, -1, kTVMFFIObject, "num_child_slots");
  expect_refused("impossible.G", 4000, 1, 0, kTVMFFIObject, "must be below 128");
  expect_refused("impossible.H", -1, 1, INT32_MAX, kTVMFFIObject, "is full");
  EXPECT_GE(Register("impossible.Free", kTVMFFIObject, 0, 1, 100), 0);
  EXPECT_EQ(IndexOfKey("impossible.Free"), 100);
}

TEST(TypeTable, ChildrenOfClosedTypesAreClosed) {
  int32_t closed = Register("closed.P", kTVMFFIObject, 2, 0);
  int32_t child = Register("closed.C", closed, 0, 1);
  TVMFFIByteArray key = BytesOf("closed.GrandChild");
  EXPECT_EQ(TVMFFITypeGetOrAllocIndex(&key, -1, 3, 0, 1, child), -1);
  EXPECT_TRUE(StartsWith(TakeRaised().message, "Reach maximum number of sub-classes for closed.C"));
}

TEST(TypeTable, FinalTypesHaveNoChildren) {
  int32_t final_type = Register("test.table.final", kTVMFFIObject);
  TVMFFIByteArray name = BytesOf("__ffi_type_final__");
  TVMFFIAny yes{};
  yes.type_index = kTVMFFIBool;
  yes.v_int64 = 1;
  ASSERT_EQ(TVMFFITypeRegisterAttr(final_type, &name, &yes), 0);
  EXPECT_EQ(Register("test.table.child_of_final", final_type), -1);
  EXPECT_EQ(TakeRaised().message,
            "Type `test.table.child_of_final` cannot derive from `test.table.final`: the class of "
            "that type is declared final");
  EXPECT_EQ(IndexOfKey("test.table.child_of_final"), -1);
}

TEST(TypeTable, NullArguments) {
  EXPECT_EQ(TVMFFITypeGetOrAllocIndex(nullptr, -1, 1, 0, 1, 64), -1);
  EXPECT_RAISED("ValueError", "`type_key` must not be NULL");
  TVMFFIByteArray broken{nullptr, 4};
  EXPECT_EQ(TVMFFITypeGetOrAllocIndex(&broken, -1, 1, 0, 1, 64), -1);
  EXPECT_RAISED("ValueError", "type_key has a size but its data is NULL");
  int32_t index = 0;
  EXPECT_EQ(TVMFFITypeKeyToIndex(nullptr, &index), -1);
  EXPECT_RAISED("ValueError", "`type_key` must not be NULL");
  TVMFFIByteArray key = BytesOf("int");
  EXPECT_EQ(TVMFFITypeKeyToIndex(&key, nullptr), -1);
  EXPECT_RAISED("ValueError", "`out_tindex` must not be NULL");
  EXPECT_EQ(TVMFFITypeRegisterField(64, nullptr), -1);
  EXPECT_RAISED("ValueError", "`info` must not be NULL");
  EXPECT_EQ(TVMFFITypeRegisterMethod(64, nullptr), -1);
  EXPECT_RAISED("ValueError", "`info` must not be NULL");
  EXPECT_EQ(TVMFFITypeRegisterMetadata(64, nullptr), -1);
  EXPECT_RAISED("ValueError", "`metadata` must not be NULL");
  for (int32_t bad : {-1, -1000, INT32_MIN, 9999, INT32_MAX}) {
    EXPECT_EQ(TVMFFIGetTypeInfo(bad), nullptr);
    EXPECT_RAISED("InternalError", "Cannot find type info for type_index=" + std::to_string(bad));
  }
}

TVMFFIFieldInfo Field(const char* name) {
  TVMFFIFieldInfo info{};
  info.name = BytesOf(name);
  info.size = 8;
  info.alignment = 8;
  info.offset = 24;
  info.getter = [](void*, TVMFFIAny*) { return 0; };
  info.setter = reinterpret_cast<void*>(+[](void*, const TVMFFIAny*) { return 0; });
  info.field_static_type_index = kTVMFFIAny;
  return info;
}

// spec: Y10
TEST(TypeFields, TextsAreCopiedAndEmptyOnesAreNull) {
  int32_t type = Register("fields.Texts", kTVMFFIObject);
  std::string name = "f";
  std::string metadata = "{\"type_schema\":\"x\"}";
  TVMFFIFieldInfo info = Field("");
  info.name = BytesOf(name);
  info.metadata = BytesOf(metadata);
  info.doc = BytesOf("");
  info.default_value_or_factory = IntValue(4);
  ASSERT_EQ(TVMFFITypeRegisterField(type, &info), 0);
  name[0] = 'X';
  metadata.assign(metadata.size(), 'X');
  const TVMFFITypeInfo* type_info = TVMFFIGetTypeInfo(type);
  ASSERT_EQ(type_info->num_fields, 1);
  EXPECT_EQ(TextOf(type_info->fields[0].name), "f");
  EXPECT_EQ(TextOf(type_info->fields[0].metadata), "{\"type_schema\":\"x\"}");
  EXPECT_EQ(type_info->fields[0].doc.data, nullptr);
  EXPECT_EQ(type_info->fields[0].doc.size, 0u);
  // The field has no flag for a default value, so the registered default value is ignored.
  EXPECT_EQ(type_info->fields[0].default_value_or_factory.type_index, kTVMFFINone);
  EXPECT_EQ(type_info->fields[0].offset, 24);
}

// spec: Y10
TEST(TypeFields, DefaultAndFunctionSetterAreRetainedOnce) {
  int32_t type = Register("fields.Values", kTVMFFIObject);
  TVMFFIObjectHandle box = nullptr;
  ASSERT_EQ(TVMFFIObjectCreateOpaque(nullptr, kTVMFFIOpaquePyObject, nullptr, &box), 0);
  TVMFFIObjectHandle setter = nullptr;
  auto no_op = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny*) { return 0; };
  ASSERT_EQ(TVMFFIFunctionCreate(nullptr, no_op, nullptr, &setter), 0);
  TVMFFIFieldInfo info = Field("f");
  info.flags = kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitSetterIsFunctionObj;
  info.default_value_or_factory = ObjectValue(box);
  info.setter = setter;
  ASSERT_EQ(TVMFFITypeRegisterField(type, &info), 0);
  EXPECT_EQ(CountsOf(box), 0x100000002u);
  EXPECT_EQ(CountsOf(setter), 0x100000002u);
  // A rejected field does not change the reference counts.
  EXPECT_EQ(TVMFFITypeRegisterField(type, &info), -1);
  Raised raised = TakeRaised();
  EXPECT_EQ(raised.kind, "InternalError");
  EXPECT_TRUE(EndsWith(raised.message, "Duplicate field name \"f\" in type \"fields.Values\""));
  EXPECT_EQ(CountsOf(box), 0x100000002u);
  EXPECT_EQ(CountsOf(setter), 0x100000002u);
  TVMFFIObjectDecRef(box);
  TVMFFIObjectDecRef(setter);
}

TEST(TypeFields, RawStringDefaultBecomesAString) {
  int32_t type = Register("fields.RawStr", kTVMFFIObject);
  TVMFFIFieldInfo info = Field("f");
  info.flags = kTVMFFIFieldFlagBitMaskHasDefault;
  info.default_value_or_factory.type_index = kTVMFFIRawStr;
  info.default_value_or_factory.v_c_str = "abc";
  ASSERT_EQ(TVMFFITypeRegisterField(type, &info), 0);
  EXPECT_EQ(TVMFFIGetTypeInfo(type)->fields[0].default_value_or_factory.type_index,
            kTVMFFISmallStr);
}

// Such a field was registered, and the first access called NULL.
TEST(TypeFields, FieldsThatCannotBeReadOrWrittenAreRefused) {
  int32_t type = Register("fields.Broken", kTVMFFIObject);
  auto refuse = [&](const TVMFFIFieldInfo& info, const std::string& what) {
    EXPECT_EQ(TVMFFITypeRegisterField(type, &info), -1);
    EXPECT_RAISED("ValueError", "Field `f`: `info->" + what);
  };
  TVMFFIFieldInfo info = Field("f");
  info.getter = nullptr;
  refuse(info, "getter` must not be NULL");
  info = Field("f");
  info.setter = nullptr;
  for (int64_t flag : {kTVMFFIFieldFlagBitMaskWritable, kTVMFFIFieldFlagBitMaskHasDefault,
                       kTVMFFIFieldFlagBitSetterIsFunctionObj}) {
    info.flags = flag;
    refuse(info, "setter` must not be NULL, unless the field is read-only and has no default");
  }
  EXPECT_EQ(TVMFFIGetTypeInfo(type)->num_fields, 0);
  info.flags = 0;
  EXPECT_EQ(TVMFFITypeRegisterField(type, &info), 0);
}

// spec: Y10
TEST(TypeFields, UnknownTypeIsRefused) {
  TVMFFIFieldInfo info = Field("f");
  TVMFFIMethodInfo method{};
  TVMFFITypeMetadata metadata{};
  EXPECT_EQ(TVMFFITypeRegisterField(9999, &info), -1);
  EXPECT_RAISED("InternalError", "Cannot find type info for type_index=9999");
  EXPECT_EQ(TVMFFITypeRegisterMethod(-3, &method), -1);
  EXPECT_RAISED("InternalError", "Cannot find type info for type_index=-3");
  EXPECT_EQ(TVMFFITypeRegisterMetadata(9999, &metadata), -1);
  EXPECT_RAISED("InternalError", "Cannot find type info for type_index=9999");
}

// spec: Y10
TEST(TypeFields, PointersStayValidWhileTheTypeGrows) {
  int32_t type = Register("fields.Growing", kTVMFFIObject);
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type);
  std::vector<const TVMFFIFieldInfo*> seen;
  for (int i = 0; i < 100; ++i) {
    std::string name = "field" + std::to_string(i);
    TVMFFIFieldInfo field = Field("");
    field.name = BytesOf(name);
    ASSERT_EQ(TVMFFITypeRegisterField(type, &field), 0);
    seen.push_back(info->fields);
    ASSERT_EQ(info->num_fields, i + 1);
  }
  EXPECT_EQ(TVMFFIGetTypeInfo(type), info);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(TextOf(seen[i][i].name), "field" + std::to_string(i));
}

TEST(TypeMethods, SameNameMayComeAgain) {
  int32_t type = Register("methods.T", kTVMFFIObject);
  TVMFFIObjectHandle box = nullptr;
  ASSERT_EQ(TVMFFIObjectCreateOpaque(nullptr, kTVMFFIOpaquePyObject, nullptr, &box), 0);
  TVMFFIMethodInfo method{};
  method.name = BytesOf("m");
  method.doc = BytesOf("doc");
  method.flags = kTVMFFIFieldFlagBitMaskIsStaticMethod;
  method.method = ObjectValue(box);
  ASSERT_EQ(TVMFFITypeRegisterMethod(type, &method), 0);
  ASSERT_EQ(TVMFFITypeRegisterMethod(type, &method), 0);
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type);
  ASSERT_EQ(info->num_methods, 2);
  EXPECT_EQ(TextOf(info->methods[1].doc), "doc");
  EXPECT_EQ(info->methods[0].method.v_obj, box);
  EXPECT_EQ(info->methods[0].flags, kTVMFFIFieldFlagBitMaskIsStaticMethod);
  EXPECT_EQ(CountsOf(box), 0x100000003u);
  TVMFFIObjectDecRef(box);
}

// spec: Y10
TEST(TypeMetadata, OnceOnly) {
  int32_t type = Register("metadata.T", kTVMFFIObject);
  TVMFFITypeMetadata metadata{};
  std::string doc = "about";
  metadata.doc = BytesOf(doc);
  metadata.total_size = 40;
  metadata.structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  ASSERT_EQ(TVMFFITypeRegisterMetadata(type, &metadata), 0);
  doc[0] = 'X';
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type);
  ASSERT_NE(info->metadata, nullptr);
  EXPECT_EQ(TextOf(info->metadata->doc), "about");
  EXPECT_EQ(info->metadata->total_size, 40);
  EXPECT_EQ(TVMFFITypeRegisterMetadata(type, &metadata), -1);
  Raised raised = TakeRaised();
  EXPECT_EQ(raised.kind, "RuntimeError");
  EXPECT_TRUE(StartsWith(raised.message, "Overriding metadata.T, possible causes:"));
  EXPECT_EQ(info->metadata->total_size, 40);
}

TEST(TypeTable, ThousandsOfTypes) {
  std::vector<int32_t> indices;
  for (int i = 0; i < 3000; ++i) {
    indices.push_back(Register("many." + std::to_string(i), kTVMFFIObject));
  }
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(IndexOfKey("many." + std::to_string(i)), indices[i]);
    ASSERT_EQ(TextOf(TVMFFIGetTypeInfo(indices[i])->type_key), "many." + std::to_string(i));
  }
}

}  // namespace
