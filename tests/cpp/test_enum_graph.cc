// SPDX-License-Identifier: Apache-2.0
// Test enum entries in repr, equality, hash, copy and graph JSON.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/reflection/enum_def.h>
#include <tvm/ffi/reflection/enum_entry.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>

#include "caught.h"
#include "shared_library.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

class ColorObj : public EnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_graph.Color", ColorObj, EnumObj);
};
class LevelObj : public IntEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_graph.Level", LevelObj, IntEnumObj);
};
class SignObj : public StrEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_graph.Sign", SignObj, StrEnumObj);
};
class OpObj : public Object {
 public:
  int64_t cost = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_graph.Op", OpObj, Object);
};
class CallObj : public Object {
 public:
  ObjectRef op;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_graph.Call", CallObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ColorObj>(refl::init(false));
  refl::ObjectDef<LevelObj>(refl::init(false));
  refl::ObjectDef<SignObj>(refl::init(false));
  refl::ObjectDef<OpObj>().as_enum().def_ro("cost", &OpObj::cost);
  refl::ObjectDef<CallObj>().def_ro("op", &CallObj::op);
  refl::EnumDef<ColorObj>("Red");
  refl::EnumDef<ColorObj>("Blue");
  refl::EnumDef<LevelObj>("low", -1);
  refl::EnumDef<LevelObj>("high", 100);
  refl::EnumDef<SignObj>("+");
  refl::EnumEntry<OpObj>("add");
  refl::EnumEntry<OpObj>("mul");  // has the same field values as `add`
}

template <typename Obj>
ObjectRef Entry(const char* name) {
  return detail::GetEnumEntry(Obj::RuntimeTypeIndex(), String(name));
}

ObjectRef CallOf(const ObjectRef& op) {
  auto call = make_object<CallObj>();
  call->op = op;
  return ObjectRef(call);
}

// spec: M14
TEST(EnumRepr, IsKeyAndName) {
  EXPECT_EQ(ReprPrint(Entry<ColorObj>("Red")), "test_enum_graph.Color.Red");
  EXPECT_EQ(ReprPrint(Entry<LevelObj>("low")), "test_enum_graph.Level.low");
  EXPECT_EQ(ReprPrint(Entry<SignObj>("+")), "test_enum_graph.Sign.+");
  EXPECT_EQ(ReprPrint(Entry<OpObj>("add")), "test_enum_graph.Op.add");
  EXPECT_EQ(ReprPrint(CallOf(Entry<OpObj>("mul"))),
            "test_enum_graph.Call(op=test_enum_graph.Op.mul)");
  EXPECT_EQ(ReprPrint(Array<Any>{Entry<OpObj>("add"), Entry<OpObj>("add")}),
            "(test_enum_graph.Op.add, test_enum_graph.Op.add)");
  // An object that is not an entry is printed like any other object.
  EXPECT_EQ(ReprPrint(ObjectRef(make_object<OpObj>())), "test_enum_graph.Op(cost=0)");
}

// spec: M14
TEST(EnumEquality, IsIdentity) {
  Any add = Entry<OpObj>("add");
  Any mul = Entry<OpObj>("mul");
  EXPECT_TRUE(RecursiveEq(add, add));
  EXPECT_FALSE(RecursiveEq(add, mul)) << "though their fields are equal";
  EXPECT_TRUE(RecursiveEq(CallOf(Entry<OpObj>("add")), CallOf(Entry<OpObj>("add"))));
  EXPECT_FALSE(RecursiveEq(CallOf(Entry<OpObj>("add")), CallOf(Entry<OpObj>("mul"))));
  EXPECT_FALSE(RecursiveEq(add, ObjectRef(make_object<OpObj>())));
  auto stray = make_object<ColorObj>();
  stray->_str_index = "Red";
  EXPECT_FALSE(RecursiveEq(Entry<ColorObj>("Red"), ObjectRef(stray)));
}

TEST(EnumEquality, IsIdentityStructurallyToo) {
  std::optional<Function> equal = Function::GetGlobal("ffi.StructuralEqual");
  std::optional<Function> hash = Function::GetGlobal("ffi.StructuralHash");
  if (!equal.has_value() || !hash.has_value()) {
    GTEST_SKIP() << "this library has no structural equality";
  }
  auto is_equal = [&](const ObjectRef& lhs, const ObjectRef& rhs) {
    return (*equal)(Array<Any>{lhs}, Array<Any>{rhs}, false, false).cast<bool>();
  };
  for (const ObjectRef& entry : {Entry<ColorObj>("Red"), Entry<OpObj>("add")}) {
    EXPECT_TRUE(is_equal(entry, entry));
    EXPECT_EQ((*hash)(entry, false, false).cast<int64_t>(),
              (*hash)(entry, false, false).cast<int64_t>());
  }
  EXPECT_FALSE(is_equal(Entry<OpObj>("add"), Entry<OpObj>("mul")));
  EXPECT_FALSE(is_equal(Entry<OpObj>("add"), ObjectRef(make_object<OpObj>())));
}

TEST(EnumHash, GoesWithEqualityAndIsTheSameInEveryProcess) {
  Any add = Entry<OpObj>("add");
  EXPECT_EQ(RecursiveHash(add), RecursiveHash(add));
  EXPECT_NE(RecursiveHash(add), RecursiveHash(Entry<OpObj>("mul")));
  EXPECT_EQ(RecursiveHash(CallOf(Entry<OpObj>("add"))), RecursiveHash(CallOf(Entry<OpObj>("add"))));
  ObjectRef first(make_object<OpObj>()), second(make_object<OpObj>());
  EXPECT_NE(RecursiveHash(first), RecursiveHash(second));
}

// spec: M14
TEST(EnumCopy, IsTheEntryItself) {
  for (const ObjectRef& entry :
       {Entry<ColorObj>("Red"), Entry<LevelObj>("high"), Entry<OpObj>("add")}) {
    EXPECT_TRUE(DeepCopy(entry).same_as(entry));
    Any copy = DeepCopy(CallOf(entry));
    EXPECT_TRUE(copy.as<CallObj>()->op.same_as(entry));
  }
}

// spec: M13
TEST(EnumJson, ComesBackAsTheSameEntry) {
  for (const ObjectRef& entry : {Entry<ColorObj>("Blue"), Entry<LevelObj>("low"),
                                 Entry<SignObj>("+"), Entry<OpObj>("mul")}) {
    EXPECT_TRUE(FromJSONGraph(ToJSONGraph(entry)).same_as(entry));
    Any call = FromJSONGraph(ToJSONGraph(CallOf(entry)));
    EXPECT_TRUE(call.as<CallObj>()->op.same_as(entry));
  }
}

TEST(EnumJson, HoldsTheNameOrTheNumber) {
  auto text = [](const ObjectRef& entry) {
    return std::string(json::Stringify(ToJSONGraph(entry)));
  };
  EXPECT_NE(text(Entry<ColorObj>("Blue")).find(R"({"type":"test_enum_graph.Color","data":"Blue"})"),
            std::string::npos)
      << text(Entry<ColorObj>("Blue"));
  EXPECT_NE(text(Entry<LevelObj>("low")).find(R"("data":-1)"), std::string::npos);
  EXPECT_NE(text(Entry<OpObj>("mul")).find(R"({"type":"test_enum_graph.Op","data":"mul"})"),
            std::string::npos);
  EXPECT_ERROR(ToJSONGraph(ObjectRef(make_object<OpObj>())), "ValueError",
               "The object is not an instance of enum `test_enum_graph.Op`");
}

// spec: M13
TEST(EnumJson, UnknownEntryIsAValueError) {
  auto load = [](const char* key, const char* data) {
    std::string text =
        std::string(R"({"root_index":0,"nodes":[{"type":")") + key + R"(","data":)" + data + "}]}";
    return Caught([&] { FromJSONGraph(json::Parse(text)); });
  };
  Error op = load("test_enum_graph.Op", "\"div\"");
  EXPECT_EQ(op.kind(), "ValueError");
  EXPECT_EQ(op.message(), "Enum `test_enum_graph.Op` has no instance with index div");
  EXPECT_EQ(load("test_enum_graph.Level", "7").message(),
            "Enum `test_enum_graph.Level` has no instance with index 7");
  EXPECT_EQ(load("test_enum_graph.Color", "null").kind(), "ValueError");
  EXPECT_EQ(load("test_enum_graph.Color", "[1]").kind(), "ValueError");
}

TEST(EnumFixtures, AreWhatTheTestingLibraryPromises) {
  SharedLibrary library(TestingLibraryPath());
  ASSERT_TRUE(library.IsLoaded()) << library.Error();
  Function get = Function::GetGlobalRequired("testing.enum_variant_get");
  Enum alpha = get("Alpha").cast<Enum>();
  EXPECT_EQ(alpha->_int_index, 0);
  EXPECT_EQ(ReprPrint(alpha), "testing.TestEnumVariant.Alpha");
  EXPECT_EQ(Caught([&] { get("zz"); }).message(),
            "Enum `testing.TestEnumVariant` has no instance with index zz");
  AnyView slot = refl::TypeAttrColumn("__ffi_enum__")[alpha.type_index()];
  auto code = slot.cast<EnumState>()->attrs.at("code");
  EXPECT_EQ(code.at(alpha).cast<int>(), 10);
  EXPECT_EQ(code.at(get("Beta").cast<Enum>()).cast<int>(), 20);
  // These types have no entries until a language binding, such as Python, adds some.
  for (const char* key : {"testing.TestCxxIntEnum", "testing.TestCxxStrEnum"}) {
    EXPECT_EQ(refl::TypeAttrColumn("__ffi_enum__")[TypeKeyToIndex(key)], nullptr);
    EXPECT_NE(refl::TypeAttrColumn("__ffi_convert__")[TypeKeyToIndex(key)], nullptr);
  }
  const TVMFFITypeInfo* holder = TVMFFIGetTypeInfo(TypeKeyToIndex("testing.TestCxxEnumHolder"));
  ASSERT_EQ(holder->num_fields, 2);
  EXPECT_EQ(holder->fields[0].offset, 24);
  EXPECT_EQ(holder->fields[1].offset, 32);
  EXPECT_NE(holder->fields[0].flags & kTVMFFIFieldFlagBitMaskWritable, 0);
}

}  // namespace
