// SPDX-License-Identifier: Apache-2.0
// Test the repr of values, with and without limits.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "caught.h"
#include "environment.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

std::string Repr(const Any& value) {
  return Function::GetGlobalRequired("ffi.ReprPrint")(value).cast<std::string>();
}

std::string Summary(const Any& value) {
  return Function::GetGlobalRequired("ffi.ReprSummary")(value).cast<std::string>();
}

struct PointObj : public Object {
  int64_t x = 1;
  Any y;
  int64_t hidden = 3;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr.Point", PointObj, Object);
};

struct Point3Obj : public PointObj {
  Any z;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr.Point3", Point3Obj, PointObj);
};

struct BareObj : public Object {
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr.Bare", BareObj, Object);
};

int hook_calls = 0;
Function kept_printer;

struct HookedObj : public Object {
  Any content;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr.Hooked", HookedObj, Object);
};

struct PairObj : public Object {
  Any a;
  Any b;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr.Pair", PairObj, Object);
};

// A class whose field cannot be read.
struct ClosedObj : public Object {
  int64_t x = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr.Closed", ClosedObj, Object);
};

struct FailingObj : public Object {
  String kind;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr.Failing", FailingObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PointObj>()
      .def_rw("x", &PointObj::x)
      .def_rw("y", &PointObj::y)
      .def_rw("hidden", &PointObj::hidden, refl::repr(false));
  refl::ObjectDef<PairObj>().def_rw("a", &PairObj::a).def_rw("b", &PairObj::b);
  refl::ObjectDef<Point3Obj>().def_rw("z", &Point3Obj::z);
  refl::ObjectDef<HookedObj>()
      .def_rw("content", &HookedObj::content)
      .def_type_attr("__ffi_repr__", [](const HookedObj* self, Function print) {
        ++hook_calls;
        kept_printer = print;
        return String("<" + print(self->content).cast<std::string>() + ">");
      });
  refl::ObjectDef<FailingObj>().def_type_attr(
      "__ffi_repr__", [](const FailingObj* self, const Function&) -> String {
        throw Error(self->kind, "cannot print\nat all", "");
      });
}

ObjectPtr<PointObj> Point(Any y) {
  auto point = make_object<PointObj>();
  point->y = std::move(y);
  return point;
}

ObjectPtr<HookedObj> Hooked(Any content) {
  auto hooked = make_object<HookedObj>();
  hooked->content = std::move(content);
  return hooked;
}

ObjectPtr<FailingObj> Failing(const char* kind) {
  auto failing = make_object<FailingObj>();
  failing->kind = kind;
  return failing;
}

// spec: Q01
TEST(Repr, PlainValues) {
  EXPECT_EQ(Repr(nullptr), "None");
  EXPECT_EQ(Repr(true), "True");
  EXPECT_EQ(Repr(false), "False");
  EXPECT_EQ(Repr(-12), "-12");
  EXPECT_EQ(Repr(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  std::pair<double, const char*> floats[] = {
      {1.0, "1"},
      {0.5, "0.5"},
      {1.0 / 3, "0.333333"},
      {1e20, "1e+20"},
      {1e16, "1e+16"},
      {-0.0, "-0"},
      {123456789.0, "1.23457e+08"},
      {INFINITY, "inf"},
      {-INFINITY, "-inf"},
      {NAN, "nan"},
      {0.0, "0"},
      {-3.0, "-3"},
      {999999.0, "999999"},
      {1e6, "1e+06"},
      {-999999.0, "-999999"},
      {-1e6, "-1e+06"},
      {999999.5, "1e+06"},
      {99999.5, "99999.5"},
  };
  for (const auto& [value, text] : floats) EXPECT_EQ(Repr(value), text);
  EXPECT_EQ(Repr(static_cast<void*>(&hook_calls)), "void*");
  EXPECT_EQ(Repr(DLDataType{kDLFloat, 32, 4}), "float32x4");
  EXPECT_EQ(Repr(DLDataType{100, 8, 1}), "dtype(code=100, bits=8, lanes=1)");
  EXPECT_EQ(Repr(DLDevice{kDLCUDA, 1}), "cuda:1");
  EXPECT_EQ(Repr(DLDevice{static_cast<DLDeviceType>(99), 0}), "unknown:0");
}

TEST(Repr, TextAndBytes) {
  EXPECT_EQ(Repr("it's \"q\" \\ \n"), R"("it's \"q\" \\ \n")");
  EXPECT_EQ(Repr("\xc3\xa9"), R"("\u00e9")");
  EXPECT_EQ(Repr(String("a longer text of more than seven")),
            "\"a longer text of more than seven\"");
  EXPECT_EQ(Repr(Bytes("a\"\\\x00\xff", 5)), R"(b"a\x22\x5c\x00\xff")");
  EXPECT_EQ(Repr(Bytes("more than seven", 15)), R"(b"more than seven")");
}

Any BigInteger(std::vector<int64_t> words) {
  TVMFFIByteArray content{reinterpret_cast<const char*>(words.data()), 8 * words.size()};
  TVMFFIAny result{};
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIBigIntFromByteArray(&content, &result));
  return tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&result);
}

TEST(Repr, BigIntegers) {
  int64_t min = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(Repr(BigInteger({min, 0})), "9223372036854775808");                       // 2^63
  EXPECT_EQ(Repr(BigInteger({0, 1})), "18446744073709551616");                        // 2^64
  EXPECT_EQ(Repr(BigInteger({0, -1})), "-18446744073709551616");                      // -2^64
  EXPECT_EQ(Repr(BigInteger({0, min})), "-170141183460469231731687303715884105728");  // -2^127
  EXPECT_EQ(Repr(BigInteger({-1, -1, 0})), "340282366920938463463374607431768211455");
  EXPECT_EQ(Repr(BigInteger({1000000000000000000, 0})), "1000000000000000000");
  // 10^36: a group of digits must keep its leading zeros.
  EXPECT_EQ(Repr(BigInteger({static_cast<int64_t>(0xb34b9f1000000000), 0xc097ce7bc90715})),
            "1000000000000000000000000000000000000");
}

struct NoData {
  void AllocData(DLTensor* tensor) { tensor->data = nullptr; }
  void FreeData(DLTensor*) {}
};

// spec: Q01
TEST(Repr, Containers) {
  EXPECT_EQ(Repr(Array<Any>()), "()");
  EXPECT_EQ(Repr(Array<Any>{1}), "(1,)");
  EXPECT_EQ(Repr(Array<Any>{1, "a"}), "(1, \"a\")");
  EXPECT_EQ(Repr(List<Any>()), "[]");
  EXPECT_EQ(Repr(List<Any>{1}), "[1]");
  EXPECT_EQ(Repr(Map<Any, Any>()), "{}");
  EXPECT_EQ(Repr(Map<Any, Any>{{"a", 1}, {2, Array<Any>{3}}}), "{\"a\": 1, 2: (3,)}");
  EXPECT_EQ(Repr(Dict<Any, Any>{{1, List<Any>{nullptr}}}), "{1: [None]}");
  EXPECT_EQ(Repr(Shape({1, 2})), "Shape(1, 2)");
  EXPECT_EQ(Repr(Shape()), "Shape()");
  Tensor tensor = Tensor::FromNDAlloc(NoData(), Shape({2, 3}), DLDataType{kDLFloat, 32, 1},
                                      DLDevice{kDLCPU, 0});
  EXPECT_EQ(Repr(tensor), "float32[2, 3]@cpu:0");
}

// spec: Q01, SY5
TEST(Repr, Objects) {
  EXPECT_EQ(Repr(Point("a")), "test_repr.Point(x=1, y=\"a\")");
  auto point3 = make_object<Point3Obj>();
  point3->z = Array<Any>{Point(2)};
  EXPECT_EQ(Repr(point3), "test_repr.Point3(x=1, y=None, z=(test_repr.Point(x=1, y=2),))");
  EXPECT_EQ(Repr(make_object<BareObj>()), "test_repr.Bare");
  EXPECT_EQ(Repr(Function::FromTyped([]() {})), "ffi.Function");
  EXPECT_EQ(Repr(Error("ValueError", "text", "")), "ffi.Error");
  EXPECT_EQ(Repr(Function::GetGlobalRequired("ffi.SystemLib")()), "ffi.Module(imports_=())");
  EXPECT_EQ(Repr(Function::GetGlobalRequired("ffi.GetInvalidObject")()), "<MISSING>");
  EXPECT_EQ(Repr(Array<Any>{Function::GetGlobalRequired("ffi.GetKwargsObject")()}), "(<KWARGS>,)");
}

// spec: Q01
TEST(Repr, CyclesAndSharing) {
  List<Any> self;
  self.push_back(self);
  self.push_back(1);
  EXPECT_EQ(Repr(self), "[..., 1]");
  self.clear();
  auto point = Point(nullptr);
  point->y = Array<Any>{point};
  EXPECT_EQ(Repr(point), "test_repr.Point(x=1, y=(...,))");
  point->y = nullptr;
  Array<Any> shared{7};
  EXPECT_EQ(Repr(Array<Any>{shared, shared, List<Any>{shared}}), "((7,), (7,), [(7,)])");
}

// spec: Q01
TEST(Repr, Hooks) {
  EXPECT_EQ(Repr(Hooked(Array<Any>{1, Hooked("x")})), "<(1, <\"x\">)>");
  // The object occurs three times, but its hook is called only once.
  hook_calls = 0;
  Any hooked = Hooked(5);
  EXPECT_EQ(Repr(Array<Any>{hooked, Hooked(hooked), hooked}), "(<5>, <<5>>, <5>)");
  EXPECT_EQ(hook_calls, 2);
  // Test a cycle through a hook.
  auto cyclic = Hooked(nullptr);
  cyclic->content = Array<Any>{cyclic};
  EXPECT_EQ(Repr(cyclic), "<(...,)>");
  cyclic->content = nullptr;
  // A hook may keep its printer and call it later.
  EXPECT_EQ(kept_printer(Array<Any>{1}).cast<String>(), "(1,)");
  kept_printer = Function();
}

TEST(Repr, HookErrorsPassThrough) {
  EXPECT_ERROR((Repr(Array<Any>{1, Failing("ValueError")})), "ValueError", "cannot print\nat all");
}

TEST(Repr, DeepNestsAndDeepHooks) {
  constexpr int kDepth = 100000;
  std::vector<List<Any>> chain{List<Any>()};
  for (int i = 0; i < kDepth; ++i) chain.push_back(List<Any>{chain.back()});
  EXPECT_EQ(Repr(chain.back()), std::string(kDepth + 1, '[') + std::string(kDepth + 1, ']'));
  while (!chain.empty()) {
    chain.back().clear();
    chain.pop_back();
  }
  Any hooked = 0;
  for (int i = 0; i < 150; ++i) hooked = Hooked(hooked);
  EXPECT_EQ(Repr(hooked), std::string(150, '<') + "0" + std::string(150, '>'));
  for (int i = 0; i < 100; ++i) hooked = Hooked(hooked);
  EXPECT_EQ(Caught([&] { Repr(hooked); }).kind(), "ValueError");
}

TEST(Repr, AstronomicTextIsRefused) {
  Any shared = 1;
  for (int i = 0; i < 60; ++i) shared = Array<Any>{shared, shared};
  EXPECT_EQ(Caught([&] { Repr(shared); }).kind(), "ValueError");
}

// spec: Q01
TEST(Repr, Addresses) {
  SetVariable("TVM_FFI_REPR_WITH_ADDR", "1");
  auto at = [](const Any& value) {
    char text[32];
    std::snprintf(
        text, sizeof(text), "@%p",
        static_cast<const void*>(tvm::ffi::detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value)->v_obj));
    return std::string(text);
  };
  List<Any> list{1};
  Any point = Point(list);
  EXPECT_EQ(Repr(point), "test_repr.Point" + at(point) + "(x=1, y=[1]" + at(list) + ")");
  list.push_back(list);
  EXPECT_EQ(Repr(list), "[1, ..." + at(list) + "]" + at(list));
  list.clear();
  UnsetVariable("TVM_FFI_REPR_WITH_ADDR");
  EXPECT_EQ(Repr(List<Any>()), "[]");
}

/* ---------------------------------------------------------------- limits */

ObjectPtr<PairObj> Pair(Any a, Any b) {
  auto pair = make_object<PairObj>();
  pair->a = std::move(a);
  pair->b = std::move(b);
  return pair;
}

List<Any> Numbers(int64_t count) {
  List<Any> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

TEST(ReprLimits, EqualsReprPrintUpToTheLimits) {
  Any values[] = {nullptr,
                  1,
                  "text",
                  Numbers(1000),
                  Pair(1, Numbers(5)),
                  Array<Any>(),
                  Dict<Any, Any>{{1, Numbers(400)}}};
  for (const Any& value : values) EXPECT_EQ(Summary(value), std::string(ReprPrint(value)));
}

TEST(ReprLimits, LongContainers) {
  EXPECT_EQ(Summary(Numbers(1001)), "[0, 1, 2, ..., 998, 999, 1000; length 1001]");
  Dict<Any, Any> dict;
  for (int i = 0; i < 2000; ++i) dict.Set(i, -i);
  EXPECT_EQ(Summary(dict),
            "{0: 0, 1: -1, 2: -2, ..., 1997: -1997, 1998: -1998, 1999: -1999; length 2000}");
  EXPECT_EQ(Summary(Pair(1, Numbers(2000))),
            "test_repr.Pair(a=1, b=[0, 1, 2, ..., 1997, 1998, 1999; length 2000])");
}

TEST(ReprLimits, DeepValues) {
  Any chain = 0;
  for (int i = 0; i < 5000; ++i) chain = Pair(i, chain);
  std::string text = Summary(chain);
  EXPECT_EQ(text.substr(0, 39), "test_repr.Pair(a=4999, b=test_repr.Pair");
  std::string end = "b=test_repr.Pair(...)))))))))";
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
}

TEST(ReprLimits, DeepHooks) {
  Any hooked = 0;
  for (int i = 0; i < 150; ++i) hooked = Hooked(hooked);
  EXPECT_EQ(Summary(hooked), std::string(8, '<') + "test_repr.Hooked(...)" + std::string(8, '>'));
}

TEST(ReprLimits, SharedValuesOfAstronomicLength) {
  Any shared = 1;
  for (int i = 0; i < 60; ++i) shared = Array<Any>(20, shared);
  EXPECT_LT(Summary(shared).size(), 25000U);
}

TEST(ReprLimits, NestedErrorsAreShown) {
  EXPECT_EQ(Summary(Array<Any>{1, Failing("ValueError")}),
            "(1, <test_repr.Failing: ValueError: cannot print>)");
  for (const Any& value : {Any(Failing("ValueError")), Any(Array<Any>{Failing("MemoryError")}),
                           Any(Array<Any>{Failing("KeyboardInterrupt")})}) {
    EXPECT_EQ(Caught([&] { Summary(value); }).message(), "cannot print\nat all");
  }
}

TEST(ReprLimits, FieldsThatCannotBeRead) {
  TVMFFIFieldInfo field{};
  int32_t index = ClosedObj::RuntimeTypeIndex();
  field.name = refl::AsByteArray("x");
  field.size = 8;
  field.alignment = 8;
  field.offset = sizeof(TVMFFIObject);
  field.flags = 0;
  field.getter = [](void*, TVMFFIAny* result) {
    result->type_index = kTVMFFIArray;  // must not be used, because the getter fails
    result->v_obj = reinterpret_cast<TVMFFIObject*>(8);
    TVMFFIErrorSetRaisedFromCStr("ValueError", "closed");
    return -1;
  };
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(index, &field));
  EXPECT_EQ(Summary(Array<Any>{make_object<ClosedObj>(), 2}),
            "(test_repr.Closed(x=<ValueError: closed>), 2)");
}

}  // namespace
