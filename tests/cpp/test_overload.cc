// SPDX-License-Identifier: Apache-2.0
// Test OverloadObjectDef: dispatch, error messages, method records; and overload_cast.
#include <gtest/gtest.h>
#include <tvm/ffi/reflection/overload.h>

#include <string>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

class ShapedObj : public Object {
 public:
  int64_t value = 0;
  String text;
  explicit ShapedObj(int64_t value) : value(value) {}
  ShapedObj(int64_t value, String text) : value(value), text(std::move(text)) {}

  int64_t Get() const { return value; }
  int64_t Get(int64_t x) const { return value + x; }
  double Get(double x) const { return static_cast<double>(value) + x; }
  String Get(const String& x, int64_t n) { return x + (n ? "!" : "?"); }
  void Clear() { value = 0; }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.overload.Shaped", ShapedObj, Object);
};

constexpr const char* kKey = "test.overload.Shaped";

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::OverloadObjectDef<ShapedObj>("A shaped thing.")
      .def(refl::init<int64_t>(), "from a number")
      .def(refl::init<int64_t, String>(), "from a number and a text")
      .def_rw("value", &ShapedObj::value)
      .def_ro("text", &ShapedObj::text)
      .def("get", refl::overload_cast<>(&ShapedObj::Get, refl::const_), "plain")
      .def("get", refl::overload_cast<int64_t>(&ShapedObj::Get, refl::const_), "plus int",
           refl::short_call())
      .def("get", refl::overload_cast<double>(&ShapedObj::Get, refl::const_))
      .def("get", refl::overload_cast<const String&>(&ShapedObj::Get))
      .def("clear", &ShapedObj::Clear)
      .def_static("describe", [](int64_t) { return String("int"); })
      .def_static("describe", [](const String&) { return String("text"); })
      .def_static("describe", [](Any) { return String("anything"); });
}

ObjectRef Make(int64_t value) {
  return refl::GetMethod(kKey, "__ffi_init__")(value).cast<ObjectRef>();
}

// spec: L19
TEST(Overload, DispatchesByCountAndType) {
  ObjectRef thing = Make(10);
  Function get = refl::GetMethod(kKey, "get");
  EXPECT_EQ(get(thing).cast<int>(), 10);
  EXPECT_EQ(get(thing, 1).type_index(), kTVMFFIInt);
  EXPECT_EQ(get(thing, 1.5).cast<double>(), 11.5);
  EXPECT_EQ(get(thing, "x", 1).cast<String>(), "x!");
}

// spec: L19
TEST(Overload, TheFirstThatConvertsIsTaken) {
  Function describe = refl::GetMethod(kKey, "describe");
  EXPECT_EQ(describe(1).cast<String>(), "int");
  // Overloads are not ranked: the first overload that accepts the arguments is called. The overload
  // for int accepts a bool.
  EXPECT_EQ(describe(true).cast<String>(), "int");
  EXPECT_EQ(describe("x").cast<String>(), "text");
  EXPECT_EQ(describe(2.5).cast<String>(), "anything");
}

// spec: L19
TEST(Overload, ConstructorsAreOverloadsToo) {
  Function init = refl::GetMethod(kKey, "__ffi_init__");
  EXPECT_EQ(init(3).cast<ObjectRef>().as<ShapedObj>()->value, 3);
  EXPECT_EQ(init(3, "t").cast<ObjectRef>().as<ShapedObj>()->text, "t");
  refl::TypeAttrColumn column(type_attr::kInit);
  AnyView attr = column[ShapedObj::RuntimeTypeIndex()];
  EXPECT_TRUE(attr.cast<Function>().same_as(init));
}

// spec: L19
TEST(Overload, NoMatchReportsEveryOverload) {
  ObjectRef thing = Make(1);
  EXPECT_EQ(ErrorOf([&] { refl::GetMethod(kKey, "get")(thing, nullptr); }),
            "TypeError: No matching overload found when calling: `test.overload.Shaped.get` with 2 "
            "arguments:\n"
            "Overload #0: Mismatched number of arguments when calling: `test.overload.Shaped.get "
            "(0: test.overload.Shaped) -> int`. Expected 1 arguments\n"
            "Overload #1: Mismatched type on argument #1 when calling: `test.overload.Shaped.get "
            "(0: test.overload.Shaped, 1: int) -> int`. Expected `int` but got `None`\n"
            "Overload #2: Mismatched type on argument #1 when calling: `test.overload.Shaped.get "
            "(0: test.overload.Shaped, 1: float) -> float`. Expected `float` but got `None`\n"
            "Overload #3: Mismatched number of arguments when calling: `test.overload.Shaped.get "
            "(0: test.overload.Shaped, 1: str, 2: int) -> str`. Expected 3 arguments");
}

TEST(Overload, ASingleOverloadGivesTheOrdinaryErrors) {
  EXPECT_EQ(ErrorOf([&] { refl::GetMethod(kKey, "clear")(Make(1), 2); }),
            "TypeError: Mismatched number of arguments when calling: "
            "`test.overload.Shaped.clear(0: test.overload.Shaped) -> void`. Expected 1 but got 2 "
            "arguments");
}

// spec: L19
TEST(Overload, EachHasARecordOfItsOwnForOneFunction) {
  const TypeInfo* info = TVMFFIGetTypeInfo(ShapedObj::RuntimeTypeIndex());
  std::vector<const TVMFFIMethodInfo*> records;
  for (int i = 0; i < info->num_methods; ++i) {
    const TVMFFIMethodInfo& method = info->methods[i];
    if (std::string(method.name.data, method.name.size) == "get") records.push_back(&method);
  }
  ASSERT_EQ(records.size(), 4u);
  auto text = [](const TVMFFIByteArray& bytes) { return std::string(bytes.data, bytes.size); };
  EXPECT_EQ(text(records[0]->doc), "plain");
  EXPECT_EQ(text(records[1]->doc), "plus int");
  EXPECT_EQ(records[0]->flags, 0);
  EXPECT_EQ(records[1]->flags, kTVMFFIMethodFlagBitMaskShortCall);
  EXPECT_EQ(records[0]->method.v_obj, records[3]->method.v_obj);
  EXPECT_NE(text(records[1]->metadata), text(records[2]->metadata));
  EXPECT_EQ(text(records[1]->metadata),
            R"({"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":)"
            R"([{\"type\":\"int\"}],\"params\":[{\"type\":\"test.overload.Shaped\"},)"
            R"({\"type\":\"int\"}]}}"})");
  EXPECT_EQ(text(info->metadata->doc), "A shaped thing.");
}

// ---------------------------------------------------------------- overload_cast

int Pick(int) { return 1; }
int Pick(int, double) { return 2; }
int Pick(String) { return 3; }
int PickOne(int, String) { return 4; }

template <auto Fn>
int CallPick() {
  return Fn(1);
}

// spec: L20
TEST(OverloadCast, SelectsExactly) {
  EXPECT_EQ((refl::overload_cast<int, double>(&Pick)(1, 2.0)), 2);
  EXPECT_EQ(refl::overload_cast<String>(&Pick)("x"), 3);
  EXPECT_EQ(refl::overload_cast<int>(&Pick)(1), 1) << "exact wins over a longer one";
}

// spec: L20
TEST(OverloadCast, SelectsByPrefix) {
  EXPECT_EQ(refl::overload_cast<int>(&PickOne)(1, "x"), 4);
  EXPECT_EQ(refl::overload_cast<>(&PickOne)(1, "x"), 4);
}

// spec: L20
TEST(OverloadCast, SelectsByConstness) {
  struct Both {
    int Get(int) { return 1; }
    int Get(int) const { return 2; }
  };
  Both both;
  EXPECT_EQ((both.*refl::overload_cast<int>(&Both::Get))(0), 1);
  EXPECT_EQ((both.*refl::overload_cast<int>(&Both::Get, refl::const_))(0), 2);
}

// spec: L20
TEST(OverloadCast, IsAConstant) { EXPECT_EQ((CallPick<refl::overload_cast<int>(&Pick)>()), 1); }

}  // namespace
