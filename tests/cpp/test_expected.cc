// SPDX-License-Identifier: Apache-2.0
// Test Expected and Unexpected: states, conversions, storage, and the macros that return errors.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/string.h>

#include <iomanip>
#include <string>
#include <type_traits>
#include <utility>

#include "caught.h"

namespace {

using namespace tvm::ffi;
using tvm::ffi::detail::ExpectedUnsafe;

class BaseObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.expected.Base", BaseObj, Object);
};
class Base : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Base, ObjectRef, BaseObj);
};
class DerivedObj : public BaseObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.expected.Derived", DerivedObj, BaseObj);
};
class Derived : public Base {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Derived, Base, DerivedObj);
};

class MyError : public Error {
 public:
  explicit MyError(const std::string& text) : Error("MyError", text, "") {}
};

Error Sample() { return Error("ValueError", "sample", ""); }

// spec: B13
TEST(Expected, SuccessState) {
  Expected<int> expected = 5;
  EXPECT_TRUE(expected.is_ok());
  EXPECT_TRUE(expected.has_value());
  EXPECT_FALSE(expected.is_err());
  EXPECT_EQ(expected.type_index(), kTVMFFIInt);
  EXPECT_EQ(expected.value(), 5);
  EXPECT_EQ(expected.value_or(7), 5);
  Error error = Caught([&] { expected.error(); });
  EXPECT_EQ(error.kind(), "RuntimeError");
  EXPECT_EQ(error.message(), "Bad expected access: contains value, not error");
  EXPECT_EQ(Caught([&] { std::move(expected).error(); }).kind(), "RuntimeError");
}

// spec: B14
TEST(Expected, ErrorState) {
  Error error = Sample();
  Expected<int> expected = error;
  EXPECT_TRUE(expected.is_err());
  EXPECT_FALSE(expected.is_ok());
  EXPECT_FALSE(expected.has_value());
  EXPECT_EQ(expected.type_index(), kTVMFFIError);
  EXPECT_TRUE(expected.error().same_as(error));
  EXPECT_TRUE(Caught([&] { expected.value(); }).same_as(error));
  EXPECT_TRUE(Caught([&] { Expected<int>(expected).value(); }).same_as(error));
  EXPECT_EQ(expected.value_or(7), 7);
  EXPECT_EQ(Expected<String>(error).value_or("dflt"), "dflt");
  EXPECT_TRUE(std::move(expected).error().same_as(error));
}

// spec: A05
TEST(Expected, SizeAndConstructors) {
  EXPECT_EQ(sizeof(Expected<Any>), 16u);
  EXPECT_EQ(sizeof(Expected<int>), 16u);
  EXPECT_EQ(sizeof(Expected<void>), 16u);
  EXPECT_FALSE(std::is_default_constructible_v<Expected<int>>);
  EXPECT_TRUE(std::is_default_constructible_v<Expected<void>>);
  EXPECT_FALSE((std::is_constructible_v<Expected<Any>, Expected<void>>));
  EXPECT_FALSE((std::is_convertible_v<String, Expected<int>>));
  EXPECT_TRUE((std::is_convertible_v<const char*, Expected<String>>));
  EXPECT_TRUE((std::is_convertible_v<int, Expected<Any>>));
  EXPECT_TRUE((std::is_convertible_v<Error, Expected<Any>>));
  EXPECT_FALSE((std::is_convertible_v<Expected<Any>, Expected<int>>));
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<Expected<String>>);
}

TEST(Expected, ConvertingConstructor) {
  Expected<String> text = "literal";
  EXPECT_EQ(text.value(), "literal");
  Expected<Any> any = 1.5;
  EXPECT_EQ(any.value().cast<double>(), 1.5);
  Expected<double> number = 3;
  EXPECT_EQ(number.value(), 3.0);
  Expected<Any> error = Any(Sample());
  EXPECT_TRUE(error.is_err());
}

TEST(Expected, MovesTheValue) {
  Derived object(make_object<DerivedObj>());
  Expected<Derived> expected = object;
  EXPECT_EQ(object.use_count(), 2);
  {
    Derived copy = expected.value();
    EXPECT_EQ(object.use_count(), 3);
  }
  Derived taken = std::move(expected).value();
  EXPECT_EQ(object.use_count(), 2);
  EXPECT_EQ(expected.type_index(), kTVMFFINone);  // NOLINT(bugprone-use-after-move)
  Expected<String> text = String("some longer text");
  EXPECT_EQ(std::move(text).value_or("x"), "some longer text");
  EXPECT_EQ(text.type_index(), kTVMFFINone);  // NOLINT(bugprone-use-after-move)
}

// spec: B15
TEST(Expected, UpcastKeepsTheObjectAndItsCount) {
  Expected<Derived> derived = Derived(make_object<DerivedObj>());
  const Object* object = derived.value().get();
  Expected<Base> base = std::move(derived);
  Base value = std::move(base).value();
  EXPECT_EQ(value.get(), object);
  EXPECT_EQ(value.use_count(), 1);
  Expected<Derived> failed = Sample();
  Expected<Base> failed_base = failed;
  EXPECT_TRUE(failed_base.error().same_as(failed.error()));
}

TEST(Expected, ConvertsTheValueOfAnotherExpected) {
  Expected<int> number = 3;
  Expected<double> real = number;
  EXPECT_EQ(real.type_index(), kTVMFFIFloat);
  EXPECT_EQ(real.value(), 3.0);
  Expected<double> failed = Expected<int>(Sample());
  EXPECT_EQ(failed.error().message(), "sample");
  Expected<Any> any = number;
  EXPECT_EQ(any.value().cast<int>(), 3);
}

TEST(Expected, Subsumption) {
  EXPECT_TRUE((type_subsumes_v<Expected<Any>, Expected<int>>));
  EXPECT_FALSE((type_subsumes_v<Expected<int>, Expected<Any>>));
  EXPECT_TRUE((type_subsumes_v<Expected<Base>, Expected<Derived>>));
  EXPECT_FALSE((type_subsumes_v<Expected<Derived>, Expected<Base>>));
  EXPECT_TRUE((tvm::ffi::detail::is_expected_v<Expected<void>>));
  EXPECT_FALSE((tvm::ffi::detail::is_expected_v<int>));
  EXPECT_TRUE((tvm::ffi::detail::is_unexpected_v<Unexpected<Error>>));
  EXPECT_FALSE((tvm::ffi::detail::is_unexpected_v<Error>));
}

// spec: B16
TEST(Expected, AsOrErrorMatch) {
  Expected<Any> expected = Any(String("some longer text"));
  Expected<String> copy = expected.as_or_error<String>();
  EXPECT_EQ(copy.value(), "some longer text");
  EXPECT_EQ(expected.type_index(), kTVMFFIStr);
  String kept = copy.value();
  Expected<String> moved = std::move(expected).as_or_error<String>();
  String taken = std::move(moved).value();
  EXPECT_EQ(static_cast<const void*>(taken.data()), kept.data());
  EXPECT_EQ(expected.type_index(), kTVMFFINone);  // NOLINT(bugprone-use-after-move)
  Expected<Any> same = Expected<Any>(1).as_or_error<Any>();
  EXPECT_EQ(same.value().cast<int>(), 1);
}

// spec: B16
TEST(Expected, AsOrErrorMismatchKeepsTheSource) {
  Expected<Any> expected = Any(String("some longer text"));
  Expected<int> wrong = std::move(expected).as_or_error<int>();
  EXPECT_EQ(wrong.error().kind(), "TypeError");
  EXPECT_EQ(wrong.error().message(), "Cannot treat type `ffi.String` as type `int`");
  EXPECT_EQ(expected.value().cast<String>(), "some longer text");  // NOLINT
  EXPECT_TRUE(expected.as_or_error<int>().is_err());
  // as_or_error does not convert: an int is not accepted as a double.
  EXPECT_TRUE(Expected<Any>(1).as_or_error<double>().is_err());
}

// spec: B16
TEST(Expected, AsOrErrorCarriesErrorsThrough) {
  Error error = Sample();
  Expected<Any> expected = error;
  EXPECT_TRUE(expected.as_or_error<int>().error().same_as(error));
  EXPECT_TRUE(std::move(expected).as_or_error<Any>().error().same_as(error));
}

// spec: B17
TEST(ExpectedVoid, States) {
  Expected<void> ok;
  EXPECT_TRUE(ok.is_ok());
  EXPECT_EQ(ok.type_index(), kTVMFFINone);
  ok.value();
  EXPECT_EQ(Caught([&] { ok.error(); }).message(),
            "Bad expected access: contains value, not error");
  Error error = Sample();
  Expected<void> failed = error;
  EXPECT_TRUE(failed.is_err());
  EXPECT_TRUE(failed.error().same_as(error));
  EXPECT_TRUE(Caught([&] { failed.value(); }).same_as(error));
  EXPECT_TRUE(Expected<void>(Unexpected(error)).is_err());
}

// spec: B18
TEST(Unexpected, ConvertsAndDeduces) {
  Error error = Sample();
  Unexpected unexpected(error);
  static_assert(std::is_same_v<decltype(unexpected), Unexpected<Error>>);
  static_assert(std::is_same_v<decltype(Unexpected(MyError(""))), Unexpected<MyError>>);
  EXPECT_TRUE(unexpected.error().same_as(error));
  EXPECT_TRUE(std::as_const(unexpected).error().same_as(error));
  auto fail_int = [&]() -> Expected<int> { return Unexpected(error); };
  auto fail_text = []() -> Expected<String> { return Unexpected(MyError("mine")); };
  auto fail_void = [&]() -> Expected<void> { return Unexpected(error); };
  EXPECT_TRUE(fail_int().error().same_as(error));
  EXPECT_EQ(fail_text().error().message(), "mine");
  EXPECT_TRUE(fail_void().is_err());
  EXPECT_TRUE(std::move(unexpected).error().same_as(error));
  EXPECT_FALSE((std::is_convertible_v<Error, Unexpected<Error>>));
}

TEST(ExpectedUnsafe, RawRoundTrip) {
  TVMFFIAny raw = ExpectedUnsafe::MoveToTVMFFIAny(Expected<String>("some longer text"));
  EXPECT_EQ(raw.type_index, kTVMFFIStr);
  Expected<String> back = ExpectedUnsafe::MoveFromTVMFFIAny<String>(raw);
  EXPECT_EQ(back.value(), "some longer text");
  const Expected<String>& view = back;
  EXPECT_EQ(ExpectedUnsafe::GetData(view).cast<String>(), "some longer text");
  Any data = ExpectedUnsafe::GetData(back);
  EXPECT_EQ(data.cast<String>(), "some longer text");
  Expected<Any> any = Any(4);
  EXPECT_EQ(ExpectedUnsafe::ValueAs<int>(any), 4);
  EXPECT_EQ(ExpectedUnsafe::ValueAs<Any>(any).cast<int>(), 4);
  ExpectedUnsafe::ValueAs<void>(Expected<void>());
  Error error = Sample();
  EXPECT_TRUE(Caught([&] { ExpectedUnsafe::ValueAs<int>(Expected<Any>(error)); }).same_as(error));
  EXPECT_TRUE(Caught([&] { ExpectedUnsafe::ValueAs<void>(Expected<void>(error)); }).same_as(error));
}

// spec: B19
TEST(ExpectedTraits, AnyRoundTrip) {
  Any value = Expected<int>(5);
  EXPECT_EQ(value.type_index(), kTVMFFIInt);
  EXPECT_EQ(value.cast<Expected<int>>().value(), 5);
  Error error = Sample();
  Any failed = Expected<int>(error);
  EXPECT_EQ(failed.type_index(), kTVMFFIError);
  EXPECT_TRUE(failed.cast<Expected<int>>().error().same_as(error));
  EXPECT_TRUE(failed.as<Expected<String>>()->error().same_as(error));
  EXPECT_EQ(error.use_count(), 2);
  EXPECT_TRUE(Any(nullptr).cast<Expected<void>>().is_ok());
  EXPECT_TRUE(Any(Expected<void>()) == nullptr);
  EXPECT_TRUE(failed.cast<Expected<void>>().is_err());
  EXPECT_TRUE(Any(1).cast<Expected<Any>>().is_ok());
  AnyView view = value;
  EXPECT_EQ(view.cast<Expected<int>>().value(), 5);
}

TEST(ExpectedTraits, StrictAndConvertingReads) {
  EXPECT_FALSE(Any(1).as<Expected<double>>().has_value());
  EXPECT_EQ(Any(1).cast<Expected<double>>().value(), 1.0);
  EXPECT_FALSE(Any("x").as<Expected<int>>().has_value());
  EXPECT_EQ(Caught([] { Any(1).cast<Expected<String>>(); }).message(),
            "Cannot convert from type `int` to `Expected<str>`");
  EXPECT_EQ(Caught([] { Any(1).cast<Expected<void>>(); }).message(),
            "Cannot convert from type `int` to `Expected<void>`");
  Any text = String("some longer text");
  Expected<String> moved = *std::move(text).as<Expected<String>>();
  EXPECT_EQ(moved.value(), "some longer text");
  EXPECT_EQ(text.type_index(), kTVMFFINone);  // NOLINT(bugprone-use-after-move)
}

// spec: B19
TEST(ExpectedTraits, NamesAndSchemas) {
  using tvm::ffi::detail::TypeSchema;
  EXPECT_EQ(TypeTraits<Expected<int>>::TypeStr(), "Expected<int>");
  EXPECT_EQ(TypeTraits<Expected<void>>::TypeStr(), "Expected<void>");
  EXPECT_EQ(TypeSchema<Expected<int>>::v(),
            R"({"type":"Expected","args":[{"type":"int"},{"type":"ffi.Error"}]})");
  EXPECT_EQ(TypeSchema<Expected<void>>::v(),
            R"({"type":"Expected","args":[{"type":"None"},{"type":"ffi.Error"}]})");
  EXPECT_TRUE(TypeTraits<Expected<int>>::storage_enabled);
  EXPECT_EQ(TypeTraits<Expected<int>>::field_static_type_index, kTVMFFIAny);
}

TEST(ExpectedTraits, ElementsOfContainers) {
  Array<Expected<int>> results;
  results.push_back(1);
  results.push_back(Sample());
  EXPECT_EQ(results[0].value(), 1);
  EXPECT_EQ(results[1].error().message(), "sample");
}

// ------------------------------------------------------------------ macros

Expected<String> FailWithText(int number) {
  return TVM_FFI_UNEXPECTED(KeyError)
         << "key " << std::hex << number << std::setw(4) << 'x' << std::endl;
}

// spec: B20
TEST(UnexpectedMacro, TextKindAndOneLineBacktrace) {
  Error error = FailWithText(255).error();
  EXPECT_EQ(error.kind(), "KeyError");
  EXPECT_EQ(error.message(), "key ff   x\n");
  std::string trace = error.backtrace();
  EXPECT_EQ(trace.find("  File \""), 0u);
  EXPECT_NE(trace.find("test_expected.cc\", line "), std::string::npos);
  EXPECT_NE(trace.find(", in "), std::string::npos);
  EXPECT_NE(trace.find("FailWithText"), std::string::npos);
  EXPECT_EQ(trace.find('\n'), trace.size() - 1);
}

// spec: B20
TEST(UnexpectedMacro, ConvertsToAnyExpected) {
  auto fail_any = []() -> Expected<Any> { return TVM_FFI_UNEXPECTED(K) << 1; };
  auto fail_void = []() -> Expected<void> { return TVM_FFI_UNEXPECTED(K); };
  auto unexpected = []() -> Unexpected<Error> { return TVM_FFI_UNEXPECTED(K) << "u"; };
  EXPECT_EQ(fail_any().error().message(), "1");
  EXPECT_EQ(fail_void().error().message(), "");
  EXPECT_EQ(unexpected().error().message(), "u");
  using Builder = tvm::ffi::detail::UnexpectedBuilder;
  EXPECT_TRUE((std::is_convertible_v<Builder&&, Expected<int>>));
  EXPECT_FALSE((std::is_convertible_v<Builder&, Expected<int>>));
}

int evaluated = 0;
int Count() { return ++evaluated; }

Expected<int> CheckPositive(int x) {
  TVM_FFI_RET_CHECK(x > 0, ValueError) << "user " << Count();
  return x;
}

// spec: B21
TEST(RetCheck, ReturnsOnFailureAndFallsThroughOnSuccess) {
  evaluated = 0;
  EXPECT_EQ(CheckPositive(3).value(), 3);
  EXPECT_EQ(evaluated, 0);
  Error error = CheckPositive(-1).error();
  EXPECT_EQ(error.kind(), "ValueError");
  EXPECT_EQ(error.message(), "Check failed: (x > 0) is false: user 1");
  EXPECT_EQ(evaluated, 1);
}

template <typename F>
std::string Text(const F& f) {
  return f().error().message();
}

// spec: B21
TEST(RetCheck, ComparisonTexts) {
  using Result = Expected<void>;
  int a = 1, b = 2;
  EXPECT_EQ(Text([&]() -> Result {
              TVM_FFI_RET_CHECK_EQ(a, b, K) << "t";
              return {};
            }),
            "Check failed: a == b (1 vs. 2) : t");
  EXPECT_EQ(Text([&]() -> Result {
              TVM_FFI_RET_CHECK_NE(a, a, K);
              return {};
            }),
            "Check failed: a != a (1 vs. 1) : ");
  EXPECT_EQ(Text([&]() -> Result {
              TVM_FFI_RET_CHECK_LT(b, a, K);
              return {};
            }),
            "Check failed: b < a (2 vs. 1) : ");
  EXPECT_EQ(Text([&]() -> Result {
              TVM_FFI_RET_CHECK_GT(a, b, K);
              return {};
            }),
            "Check failed: a > b (1 vs. 2) : ");
  EXPECT_EQ(Text([&]() -> Result {
              TVM_FFI_RET_CHECK_LE(b, a, K);
              return {};
            }),
            "Check failed: b <= a (2 vs. 1) : ");
  EXPECT_EQ(Text([&]() -> Result {
              TVM_FFI_RET_CHECK_GE(a, b, K);
              return {};
            }),
            "Check failed: a >= b (1 vs. 2) : ");
  auto internal = [&]() -> Result {
    TVM_FFI_RET_ICHECK_EQ(a, b);
    return {};
  };
  EXPECT_EQ(internal().error().kind(), "InternalError");
  EXPECT_EQ(Text([&]() -> Result {
              TVM_FFI_RET_ICHECK(a == b);
              return {};
            }),
            "Check failed: (a == b) is false: ");
  auto all_pass = [&]() -> Result {
    TVM_FFI_RET_ICHECK_NE(a, b);
    TVM_FFI_RET_ICHECK_LT(a, b);
    TVM_FFI_RET_ICHECK_GT(b, a);
    TVM_FFI_RET_ICHECK_LE(a, a);
    TVM_FFI_RET_ICHECK_GE(a, a);
    return {};
  };
  EXPECT_TRUE(all_pass().is_ok());
}

// spec: B21
TEST(RetCheck, OperandsAreEvaluatedOnce) {
  evaluated = 0;
  auto check = []() -> Expected<void> {
    TVM_FFI_RET_CHECK_EQ(Count(), 5, K);
    return {};
  };
  EXPECT_TRUE(check().is_err());
  EXPECT_EQ(evaluated, 1);
}

Expected<int> Unbraced(bool outer, bool inner) {
  if (outer)
    TVM_FFI_RET_CHECK(inner, K) << "inner";
  else
    TVM_FFI_RET_CHECK_EQ(1, 2, K) << "outer";
  return 7;
}

// spec: B21
TEST(RetCheck, StandsInAnUnbracedIf) {
  EXPECT_EQ(Unbraced(true, true).value(), 7);
  EXPECT_EQ(Unbraced(true, false).error().message(), "Check failed: (inner) is false: inner");
  EXPECT_EQ(Unbraced(false, true).error().message(), "Check failed: 1 == 2 (1 vs. 2) : outer");
}

TEST(Expected, DefaultsInBraces) {
  Expected<Array<int64_t>> failed = Error("ValueError", "no", "");
  EXPECT_EQ(failed.value_or({}).size(), 0u);
  EXPECT_EQ(std::move(failed).value_or({}).size(), 0u);
}

}  // namespace
