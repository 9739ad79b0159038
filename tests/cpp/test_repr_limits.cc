// SPDX-License-Identifier: Apache-2.0
// Test the repr of values with limits.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdlib>
#include <string>
#include <utility>

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

std::string Summary(const Any& value) {
  return Function::GetGlobalRequired("ffi.ReprSummary")(value).cast<std::string>();
}

struct PairObj : public Object {
  Any a;
  Any b;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr_limits.Pair", PairObj, Object);
};

// A class whose field cannot be read.
struct ClosedObj : public Object {
  int64_t x = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr_limits.Closed", ClosedObj, Object);
};

struct HookedObj : public Object {
  Any content;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr_limits.Hooked", HookedObj, Object);
};

struct FailingObj : public Object {
  String kind;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_repr_limits.Failing", FailingObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PairObj>().def_rw("a", &PairObj::a).def_rw("b", &PairObj::b);
  refl::ObjectDef<HookedObj>()
      .def_rw("content", &HookedObj::content)
      .def_type_attr("__ffi_repr__", [](const HookedObj* self, const Function& print) {
        return String("<" + print(self->content).cast<std::string>() + ">");
      });
  refl::ObjectDef<FailingObj>().def_type_attr(
      "__ffi_repr__", [](const FailingObj* self, const Function&) -> String {
        throw Error(self->kind, "cannot print\nat all", "");
      });
}

ObjectPtr<PairObj> Pair(Any a, Any b) {
  auto pair = make_object<PairObj>();
  pair->a = std::move(a);
  pair->b = std::move(b);
  return pair;
}

ObjectPtr<FailingObj> Failing(const char* kind) {
  auto failing = make_object<FailingObj>();
  failing->kind = kind;
  return failing;
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
            "test_repr_limits.Pair(a=1, b=[0, 1, 2, ..., 1997, 1998, 1999; length 2000])");
}

TEST(ReprLimits, DeepValues) {
  Any chain = 0;
  for (int i = 0; i < 5000; ++i) chain = Pair(i, chain);
  std::string text = Summary(chain);
  EXPECT_EQ(text.substr(0, 53), "test_repr_limits.Pair(a=4999, b=test_repr_limits.Pair");
  std::string end = "b=test_repr_limits.Pair(...)))))))))";
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
}

TEST(ReprLimits, DeepHooks) {
  Any hooked = 0;
  for (int i = 0; i < 150; ++i) {
    auto outer = make_object<HookedObj>();
    outer->content = hooked;
    hooked = outer;
  }
  EXPECT_EQ(Summary(hooked),
            std::string(8, '<') + "test_repr_limits.Hooked(...)" + std::string(8, '>'));
}

TEST(ReprLimits, SharedValuesOfAstronomicLength) {
  Any shared = 1;
  for (int i = 0; i < 60; ++i) shared = Array<Any>(20, shared);
  EXPECT_LT(Summary(shared).size(), 25000U);
}

TEST(ReprLimits, NestedErrorsAreShown) {
  EXPECT_EQ(Summary(Array<Any>{1, Failing("ValueError")}),
            "(1, <test_repr_limits.Failing: ValueError: cannot print>)");
  for (const Any& value : {Any(Failing("ValueError")), Any(Array<Any>{Failing("MemoryError")}),
                           Any(Array<Any>{Failing("KeyboardInterrupt")})}) {
    try {
      Summary(value);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "cannot print\nat all");
    }
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
            "(test_repr_limits.Closed(x=<ValueError: closed>), 2)");
}

}  // namespace
