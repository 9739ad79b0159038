// SPDX-License-Identifier: Apache-2.0
// Test Function, TypedFunction and PackedArgs: making, calling, argument errors, global functions.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/rvalue_ref.h>

#if defined(__GLIBC__)
#include <pthread.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "caught.h"
#include "on_threads.h"

namespace {

/*! \brief A parameter that counts its conversions, and the destructions during a throw. */
struct CountedArg {
  static inline int conversions = 0;
  static inline int destroyed_by_throw = 0;
  CountedArg() { ++conversions; }
  CountedArg(const CountedArg&) {}
  ~CountedArg() { destroyed_by_throw += std::uncaught_exceptions() != 0 ? 1 : 0; }
};

}  // namespace

template <>
struct tvm::ffi::TypeTraits<CountedArg> : public tvm::ffi::TypeTraitsBase {
  static std::optional<CountedArg> TryCastFromAnyView(const TVMFFIAny*) { return CountedArg(); }
  static std::string TypeStr() { return "CountedArg"; }
};

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

class CounterObj : public Object {
 public:
  int64_t value = 0;
  int64_t Get() const { return value; }
  int64_t Add(int64_t x) { return value += x; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.function.Counter", CounterObj, Object);
};

class Counter : public ObjectRef {
 public:
  explicit Counter(int64_t value) {
    auto object = make_object<CounterObj>();
    object->value = value;
    data_ = std::move(object);
  }
  int64_t Twice() { return 2 * get()->value; }
  int64_t Plus(int64_t x) const { return get()->value + x; }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Counter, ObjectRef, CounterObj);
};

int FreeFunction(int x) { return x + 1; }
int FreeNoexcept(int x) noexcept { return x + 2; }

struct Functor {
  int base;
  int operator()(int x) const { return base + x; }
};

// ---------------------------------------------------------------- making

// spec: E01
TEST(Function, FromPackedTakesBothPackedSignatures) {
  Function raw = Function::FromPacked(
      [](const AnyView* args, int32_t num_args, Any* rv) { *rv = args[0].cast<int>() + num_args; });
  EXPECT_EQ(raw(1, 2).cast<int>(), 3);
  Function packed([](PackedArgs args, Any* rv) { *rv = args.size() + args[1].cast<int>(); });
  EXPECT_EQ(packed(1, 2).cast<int>(), 4);
}

TEST(Function, PackedArgsArePreferredWhenBothFit) {
  struct Both {
    void operator()(PackedArgs, Any* rv) const { *rv = "packed"; }
    void operator()(const AnyView*, int32_t, Any* rv) const { *rv = "raw"; }
  };
  EXPECT_EQ(Function::FromPacked(Both())().cast<String>(), "packed");
}

// spec: E01
TEST(Function, CallableIsStoredOnceAndKeepsItsState) {
  int64_t count = 0;
  Function counting = Function::FromPacked([count](PackedArgs, Any* rv) mutable { *rv = ++count; });
  counting();
  EXPECT_EQ(counting().cast<int>(), 2);
  Function typed = Function::FromTyped([count]() mutable { return ++count; });
  typed();
  EXPECT_EQ(typed().cast<int>(), 2);
  auto owned = std::make_unique<int>(5);
  Function move_only = Function::FromTyped([p = std::move(owned)](int x) { return *p + x; });
  EXPECT_EQ(move_only(2).cast<int>(), 7);
}

TEST(Function, CallableIsDestroyedWithTheFunction) {
  auto token = std::make_shared<int>(1);
  {
    Function f = Function::FromTyped([token]() { return *token; });
    Function copy = f;
    EXPECT_EQ(token.use_count(), 2);
    EXPECT_EQ(f.use_count(), 2);
  }
  EXPECT_EQ(token.use_count(), 1);
}

TEST(Function, FromPackedInplaceGivesTheCallableInside) {
  struct Sum {
    explicit Sum(int64_t start) : total(start) {}
    void operator()(PackedArgs args, Any* rv) { *rv = total += args[0].cast<int64_t>(); }
    int64_t total;
  };
  auto [function, sum] = Function::FromPackedInplace<Sum>(10);
  function(5);
  EXPECT_EQ(sum->total, 15);
  sum->total = 100;
  EXPECT_EQ(function(1).cast<int>(), 101);
}

// spec: E01
TEST(Function, FromTypedTakesEveryKindOfCallable) {
  EXPECT_EQ(Function::FromTyped([](int x) { return x; })(3).cast<int>(), 3);
  EXPECT_EQ(Function::FromTyped(Functor{10})(3).cast<int>(), 13);
  EXPECT_EQ(Function::FromTyped(FreeFunction)(3).cast<int>(), 4);
  EXPECT_EQ(Function::FromTyped(&FreeFunction)(3).cast<int>(), 4);
  EXPECT_EQ(Function::FromTyped(FreeNoexcept)(3).cast<int>(), 5);
  EXPECT_EQ(Function::FromTyped(std::function<int(int)>(FreeFunction))(3).cast<int>(), 4);
  EXPECT_EQ(Function::FromTyped([](int x) noexcept { return x; })(3).cast<int>(), 3);
}

// spec: E01
TEST(Function, FromTypedTakesMethodsOfObjectsAndReferences) {
  Counter counter(5);
  EXPECT_EQ(Function::FromTyped(&CounterObj::Get)(counter).cast<int>(), 5);
  EXPECT_EQ(Function::FromTyped(&CounterObj::Add)(counter, 2).cast<int>(), 7);
  EXPECT_EQ(counter->value, 7);
  EXPECT_EQ(Function::FromTyped(&Counter::Twice)(counter).cast<int>(), 14);
  EXPECT_EQ(Function::FromTyped(&Counter::Plus)(counter, 1).cast<int>(), 8);
  EXPECT_EQ(detail::FunctionInfo<decltype(&CounterObj::Add)>::Sig(),
            "(0: test.function.Counter, 1: int) -> int");
}

// spec: E04
TEST(Function, ParametersMayBeValuesConstReferencesRvaluesAndViews) {
  Function f = Function::FromTyped(
      [](const String& a, String&& b, Any c, const Any& d, AnyView e, const AnyView& g) {
        return a + b + c.cast<String>() + d.cast<String>() + e.cast<String>() + g.cast<String>();
      });
  EXPECT_EQ(f("1", "2", "3", "4", "5", "6").cast<String>(), "123456");
  static_assert(!detail::FunctionInfo<void(int&)>::unpacked_supported);
  static_assert(!detail::FunctionInfo<void(Any&)>::unpacked_supported);
  static_assert(!detail::FunctionInfo<std::unique_ptr<int>()>::unpacked_supported);
  static_assert(detail::FunctionInfo<void(const int&, int&&, AnyView)>::unpacked_supported);
  static_assert(detail::FunctionInfo<int(int, int)>::num_args == 2);
}

// spec: E04
TEST(Function, VoidReturnsNone) {
  EXPECT_EQ(Function::FromTyped([](int) {})(1), nullptr);
  Any slot = String("a string long enough for the heap");
  Function::FromTyped([]() {}).CallPacked(nullptr, 0, &slot);
  EXPECT_EQ(slot, nullptr);
}

TEST(Function, AResultReplacesALiveValue) {
  Counter counter(1);
  Any slot = counter;
  EXPECT_EQ(counter.use_count(), 2);
  Function::FromTyped([]() { return 7; }).CallPacked(nullptr, 0, &slot);
  EXPECT_EQ(slot.cast<int>(), 7);
  EXPECT_EQ(counter.use_count(), 1);
}

TEST(Function, RValueRefPassesTheOnlyReference) {
  Function f = Function::FromTyped([](RValueRef<Counter> arg) {
    Counter counter = *std::move(arg);
    return counter.unique();
  });
  Counter counter(1);
  EXPECT_TRUE(f(RValueRef<Counter>(std::move(counter))).cast<bool>());
}

// ---------------------------------------------------------------- argument errors

// spec: E02
TEST(Function, WrongArgumentsGiveTheSpecifiedTexts) {
  auto f = [](int x, const String& s) { return s.size() + x; };
  Function plain = Function::FromTyped(f);
  Function named = Function::FromTyped(f, "my.name");
  EXPECT_EQ(ErrorOf([&] { plain(1); }),
            "TypeError: Mismatched number of arguments when calling: `(0: int, 1: str) -> int`. "
            "Expected 2 but got 1 arguments");
  EXPECT_EQ(ErrorOf([&] { named(1, "a", 2); }),
            "TypeError: Mismatched number of arguments when calling: "
            "`my.name(0: int, 1: str) -> int`. Expected 2 but got 3 arguments");
  EXPECT_EQ(ErrorOf([&] { plain("x", "y"); }),
            "TypeError: Mismatched type on argument #0 when calling: `(0: int, 1: str) -> int`. "
            "Expected `int` but got `const char*`");
  EXPECT_EQ(ErrorOf([&] { named(1, 2.5); }),
            "TypeError: Mismatched type on argument #1 when calling: "
            "`my.name(0: int, 1: str) -> int`. Expected `str` but got `float`");
  EXPECT_EQ(ErrorOf([] { Function::FromTyped([]() {})(1); }),
            "TypeError: Mismatched number of arguments when calling: `() -> void`. Expected 0 but "
            "got 1 arguments");
}

// spec: E02
TEST(Function, TheCountIsCheckedBeforeTheTypes) {
  Function f = Function::FromTyped([](int) {});
  EXPECT_NE(ErrorOf([&] { f("x", "y"); }).find("Mismatched number"), std::string::npos);
}

/*! \brief Call through the C ABI and return the error, in the form of ErrorOf(). */
std::string SafeCallErrorOf(const Function& f, const std::vector<AnyView>& args) {
  TVMFFIAny result = detail::NoneResult();
  int status = f.get()->safe_call(const_cast<FunctionObj*>(f.get()),
                                  reinterpret_cast<const TVMFFIAny*>(args.data()),
                                  static_cast<int32_t>(args.size()), &result);
  EXPECT_EQ(status, -1);
  EXPECT_EQ(result.type_index, TypeIndex::kTVMFFINone);
  Error error = detail::MoveFromSafeCallRaised();
  return error.kind() + ": " + error.message();
}

TEST(Function, ARefusedArgumentIsReportedWithoutAThrow) {
  Function f = Function::FromTyped([](CountedArg, int, CountedArg, int8_t) { return 1; }, "f");
  const std::vector<std::vector<AnyView>> all = {
      {1, "x", 3, 4}, {1, 2, 3, "x"}, {1, 2, 3, 1000}, {1, 2, 3}};
  const int conversions[] = {1, 2, 2, 0};
  for (size_t i = 0; i < all.size(); ++i) {
    CountedArg::conversions = CountedArg::destroyed_by_throw = 0;
    std::string error = SafeCallErrorOf(f, all[i]);
    EXPECT_EQ(CountedArg::conversions, conversions[i]) << error;
    EXPECT_EQ(CountedArg::destroyed_by_throw, 0) << error;
    EXPECT_EQ(error, ErrorOf([&] {
                Any result;
                f.CallPacked(all[i].data(), static_cast<int32_t>(all[i].size()), &result);
              }));
  }
}

// spec: E03
TEST(Function, AContainerArgumentNamesTheInnerElement) {
  Function f = Function::FromTyped([](Array<int>) {}, "f");
  EXPECT_EQ(ErrorOf([&] { f(Array<Any>{1, String("x")}); }),
            "TypeError: Mismatched type on argument #0 when calling: `f(0: Array<int>) -> void`. "
            "Expected `Array<int>` but got `Array[index 1: ffi.SmallStr]`");
}

// ------------------------------------------------------ null functions, functions in C, exceptions

TEST(Function, ANullFunctionRefusesToBeCalled) {
  Function null;
  EXPECT_TRUE(null == nullptr);
  EXPECT_FALSE(Function(nullptr) != nullptr);
  const std::string expected = "ValueError: Cannot call a null Function";
  EXPECT_EQ(ErrorOf([&] { null(1); }), expected);
  Any rv;
  EXPECT_EQ(ErrorOf([&] { null.CallPacked(nullptr, 0, &rv); }), expected);
  EXPECT_EQ(ErrorOf([&] { null.CallPacked(PackedArgs(nullptr, 0), &rv); }), expected);
  EXPECT_EQ(ErrorOf([&] { TypedFunction<int(int)>()(1); }), expected);
  Expected<int> result = null.CallExpected<int>(1);
  ASSERT_TRUE(result.is_err());
  EXPECT_EQ(result.error().kind(), "ValueError");
  EXPECT_EQ(result.error().message(), "Cannot call a null Function");
}

int deleter_calls = 0;

// spec: E07
TEST(Function, FromExternCPassesSelfAndDeletesItOnce) {
  int context = 40;
  deleter_calls = 0;
  {
    Function f = Function::FromExternC(
        &context,
        [](void* self, const TVMFFIAny* args, int32_t, TVMFFIAny* result) {
          result->type_index = kTVMFFIInt;
          result->v_int64 = *static_cast<int*>(self) + args[0].v_int64;
          return 0;
        },
        [](void* self) { deleter_calls += *static_cast<int*>(self) == 40; });
    EXPECT_EQ(f(2).cast<int>(), 42);
    EXPECT_EQ(f.CallExpected<int>(3).value(), 43);
  }
  EXPECT_EQ(deleter_calls, 1);
}

// spec: E07
TEST(Function, FromExternCWithoutSelfGetsTheFunctionItself) {
  auto handle_of_self = [](void* self, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
    result->type_index = kTVMFFIOpaquePtr;
    result->v_ptr = self;
    return 0;
  };
  Function f = Function::FromExternC(nullptr, handle_of_self, nullptr);
  EXPECT_EQ(f().cast<void*>(), static_cast<const void*>(f.get()));
  EXPECT_EQ(f->safe_call, static_cast<TVMFFISafeCallType>(handle_of_self));
  EXPECT_EQ(ErrorOf([] { Function::FromExternC(nullptr, nullptr, nullptr); }),
            "ValueError: Check not null: safe_call ");
}

TEST(Function, AFailedCCallThrowsTheRaisedError) {
  Function f = Function::FromExternC(
      nullptr,
      [](void*, const TVMFFIAny*, int32_t, TVMFFIAny*) {
        TVMFFIErrorSetRaisedFromCStr("IndexError", "from C");
        return -1;
      },
      nullptr);
  EXPECT_EQ(ErrorOf([&] { f(); }), "IndexError: from C");
  EXPECT_EQ(f.CallExpected<int>().error().message(), "from C");
}

TEST(Function, AStatusWithAnEmptySlotIsAPendingFrontendError) {
  auto pending = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny*) { return -2; };
  Function f = Function::FromExternC(nullptr, pending, nullptr);
  EXPECT_EQ(ErrorOf([&] { f(); }), "EnvErrorAlreadySet: ");
  EXPECT_EQ(f.CallExpected().error().kind(), "EnvErrorAlreadySet");
  EXPECT_EQ(ErrorOf([&] { Function::InvokeExternC(nullptr, pending); }), "EnvErrorAlreadySet: ");
}

// spec: E09
TEST(Function, AnyExceptionPassesThroughCppCalls) {
  Function f = Function::FromTyped([](int how) {
    if (how == 0) throw 42;
    throw std::runtime_error("plain");
  });
  EXPECT_THROW(f(0), int);
  EXPECT_THROW(f(1), std::runtime_error);
}

// spec: E02
TEST(Function, SafeCallReportsAWrongNumberOfArgumentsWithoutAThrow) {
  Function f = Function::FromTyped([](int x) { return x; }, "my.name");
  TVMFFIAny result = AnyView().CopyToTVMFFIAny();
  EXPECT_EQ(f->safe_call(const_cast<FunctionObj*>(f.get()), nullptr, 0, &result), -1);
  Error error = detail::MoveFromSafeCallRaised();
  EXPECT_EQ(error.kind(), "TypeError");
  EXPECT_EQ(error.message(),
            "Mismatched number of arguments when calling: `my.name(0: int) -> int`. Expected 1 but "
            "got 0 arguments");
}

TEST(Function, SafeCallTurnsBadAllocIntoMemoryError) {
  Function f = Function::FromTyped([]() { throw std::bad_alloc(); });
  TVMFFIAny result = AnyView().CopyToTVMFFIAny();
  EXPECT_EQ(f->safe_call(const_cast<FunctionObj*>(f.get()), nullptr, 0, &result), -1);
  Error error = detail::MoveFromSafeCallRaised();
  EXPECT_EQ(error.kind(), "MemoryError");
  EXPECT_EQ(error.message(), "std::bad_alloc");
}

// spec: E09
TEST(Function, SafeCallTurnsStdExceptionsIntoInternalError) {
  Function f = Function::FromTyped([]() { throw std::runtime_error("too far"); });
  TVMFFIAny result = AnyView().CopyToTVMFFIAny();
  EXPECT_EQ(f->safe_call(const_cast<FunctionObj*>(f.get()), nullptr, 0, &result), -1);
  Error error = detail::MoveFromSafeCallRaised();
  EXPECT_EQ(error.kind(), "InternalError");
  EXPECT_EQ(error.message(), "too far");
  EXPECT_EQ(error.backtrace(), "");
}

// A test for a fixed bug: an exception that was not a std::exception ended the process.
TEST(Function, SafeCallTurnsWhatIsNotAStdExceptionIntoInternalError) {
  struct Own {};
  for (const Function& f :
       {Function::FromTyped([]() { throw 3; }), Function::FromTyped([]() { throw Own(); })}) {
    TVMFFIAny result = AnyView().CopyToTVMFFIAny();
    EXPECT_EQ(f->safe_call(const_cast<FunctionObj*>(f.get()), nullptr, 0, &result), -1);
    Error error = detail::MoveFromSafeCallRaised();
    EXPECT_EQ(error.kind(), "InternalError");
    EXPECT_EQ(error.message(), "An exception that is not a std::exception");
  }
}

#if defined(__GLIBC__)
// pthread_exit also unwinds the stack; the call must not treat this as an exception.
TEST(Function, AThreadMayEndInsideACall) {
  struct Guard {
    bool* is_left;
    ~Guard() { *is_left = true; }
  };
  static bool is_left = false;
  pthread_t thread;
  auto run = [](void*) -> void* {
    Function f = Function::FromTyped([]() {
      Guard guard{&is_left};
      pthread_exit(reinterpret_cast<void*>(intptr_t{7}));
    });
    TVMFFIAny result = AnyView().CopyToTVMFFIAny();
    f->safe_call(const_cast<FunctionObj*>(f.get()), nullptr, 0, &result);
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, nullptr, run, nullptr), 0);
  void* value = nullptr;
  ASSERT_EQ(pthread_join(thread, &value), 0);
  EXPECT_EQ(reinterpret_cast<intptr_t>(value), 7);
  EXPECT_TRUE(is_left);
}
#endif

// spec: E14, Y6
TEST(Function, SafeCallRefusesAResultSlotThatHoldsAnObject) {
  Function f = Function::FromTyped([]() { return 1; });
  Counter counter(1);
  TVMFFIAny result = AnyView(counter).CopyToTVMFFIAny();
  EXPECT_EQ(f->safe_call(const_cast<FunctionObj*>(f.get()), nullptr, 0, &result), -1);
  Error error = detail::MoveFromSafeCallRaised();
  EXPECT_EQ(error.kind(), "InternalError");
  EXPECT_EQ(error.message().rfind("Check failed: ", 0), 0u) << error.message();
  EXPECT_NE(error.message().find("vs. 64"), std::string::npos) << error.message();
  EXPECT_EQ(counter.use_count(), 1);
}

TEST(Function, FailedSafeCallLeavesTheResultAlone) {
  auto fails = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
    result->type_index = kTVMFFIInt;
    result->v_int64 = 5;
    TVMFFIErrorSetRaisedFromCStr("ValueError", "no");
    return -1;
  };
  Function f = Function::FromExternC(nullptr, fails, nullptr);
  Counter counter(1);
  Any result = counter;
  EXPECT_THROW(f.CallPacked(nullptr, 0, &result), Error);
  EXPECT_TRUE(result.same_as(counter));
  EXPECT_EQ(counter.use_count(), 2);
  EXPECT_THROW(f(), Error);
}

// The caller must not use the result of a failed call: it released whatever the callee had left.
TEST(Function, WhatAFailedCallLeftInItsResultIsNotUsed) {
  auto fails = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
    result->type_index = kTVMFFIArray;
    result->v_obj = reinterpret_cast<TVMFFIObject*>(8);
    TVMFFIErrorSetRaisedFromCStr("ValueError", "after all");
    return -1;
  };
  Function f = Function::FromExternC(nullptr, fails, nullptr);
  EXPECT_EQ(ErrorOf([&] { f(); }), "ValueError: after all");
  EXPECT_EQ(f.CallExpected<int>().error().message(), "after all");
  EXPECT_EQ(ErrorOf([&] { TypedFunction<int()>(Function(f))(); }), "ValueError: after all");
  EXPECT_EQ(ErrorOf([&] { Function::InvokeExternC(nullptr, fails); }), "ValueError: after all");
}

TEST(Function, APackedCallableThatFailsReleasesItsResult) {
  Counter counter(1);
  Function packed = Function::FromPacked([&](const AnyView*, int32_t, Any* result) {
    *result = counter;
    TVM_FFI_THROW(ValueError) << "after all";
  });
  int64_t count = counter.use_count();
  EXPECT_EQ(ErrorOf([&] { packed(); }), "ValueError: after all");
  EXPECT_EQ(packed.CallExpected<int>().error().message(), "after all");
  TVMFFIAny result = detail::NoneResult();
  auto* handle = const_cast<FunctionObj*>(packed.get());
  EXPECT_EQ(packed->safe_call(handle, nullptr, 0, &result), -1);
  EXPECT_EQ(detail::MoveFromSafeCallRaised().message(), "after all");
  EXPECT_EQ(result.type_index, kTVMFFINone);
  EXPECT_EQ(counter.use_count(), count);
}

// spec: S06
TEST(Function, EveryCallPathGivesTheCalleeANoneResult) {
  auto check = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
    bool none =
        result->type_index == kTVMFFINone && result->zero_padding == 0 && result->v_int64 == 0;
    result->type_index = kTVMFFIBool;
    result->v_int64 = none;
    return 0;
  };
  Function f = Function::FromExternC(nullptr, check, nullptr);
  EXPECT_TRUE(f().cast<bool>());
  EXPECT_TRUE(f.CallExpected<bool>().value());
  EXPECT_TRUE(Function::InvokeExternC(nullptr, check).cast<bool>());
  EXPECT_TRUE(TypedFunction<bool(int)>(f)(1));
  Any slot = String("a string long enough for the heap");
  f.CallPacked(nullptr, 0, &slot);
  EXPECT_TRUE(slot.cast<bool>());
}

// ---------------------------------------------------------------- CallExpected

// spec: E10
TEST(Function, CallExpectedGivesTheValueOrTheError) {
  Function f = Function::FromTyped([](int x) -> Any {
    if (x == 0) TVM_FFI_THROW(ValueError) << "zero";
    if (x == 1) return Error("KeyError", "returned", "");
    return x;
  });
  EXPECT_EQ(f.CallExpected<int>(5).value(), 5);
  EXPECT_EQ(f.CallExpected(5).value().cast<int>(), 5);
  EXPECT_EQ(f.CallExpected<int>(0).error().message(), "zero");
  EXPECT_EQ(f.CallExpected<int>(1).error().message(), "returned");
  EXPECT_EQ(f.CallExpected(1).error().message(), "returned");
  Error mismatch = f.CallExpected<String>(5).error();
  EXPECT_EQ(mismatch.kind(), "TypeError");
  EXPECT_EQ(mismatch.message(), "CallExpected: result type mismatch, expected str, but got int");
  EXPECT_EQ(f.CallExpected<double>(5).value(), 5.0);
}

// spec: E10
TEST(Function, CallExpectedOfVoidWantsNone) {
  EXPECT_TRUE(Function::FromTyped([]() {}).CallExpected<void>().is_ok());
  Expected<void> result = Function::FromTyped([]() { return 1; }).CallExpected<void>();
  EXPECT_EQ(result.error().message(),
            "CallExpected: result type mismatch, expected void, but got int");
}

TEST(Function, CallExpectedMovesTheResultOut) {
  Function f = Function::FromTyped([]() { return Counter(3); });
  EXPECT_EQ(f.CallExpected<Counter>().value().use_count(), 1);
}

// spec: E11
TEST(Function, AReturnedExpectedBecomesItsValueOrAnErrorObject) {
  Function f = Function::FromTyped([](int x) -> Expected<int> {
    if (x == 0) return Error("ValueError", "zero", "");
    return x;
  });
  EXPECT_EQ(f(3).cast<int>(), 3);
  Any returned = f(0);
  ASSERT_EQ(returned.type_index(), kTVMFFIError);
  EXPECT_EQ(returned.cast<Error>().message(), "zero");
  EXPECT_EQ(f.CallExpected<int>(0).error().message(), "zero");
}

// ---------------------------------------------------------------- PackedArgs

// spec: E12
TEST(PackedArgs, SliceFillAndSize) {
  AnyView views[4];
  PackedArgs::Fill(views, 1, 2.5, "three", nullptr);
  PackedArgs args(views, 4);
  EXPECT_EQ(args.size(), 4);
  EXPECT_EQ(args.data(), views);
  EXPECT_EQ(args[2].cast<std::string>(), "three");
  PackedArgs tail = args.Slice(1);
  EXPECT_EQ(tail.size(), 3);
  EXPECT_EQ(tail[0].cast<double>(), 2.5);
  PackedArgs middle = args.Slice(1, 3);
  EXPECT_EQ(middle.size(), 2);
  EXPECT_EQ(middle[1].cast<std::string>(), "three");
  EXPECT_EQ(args.Slice(4).size(), 0);
  static_assert(std::is_trivially_copyable_v<PackedArgs> && sizeof(PackedArgs) == 16);
}

// ---------------------------------------------------------------- TypedFunction

// spec: E06
TEST(TypedFunction, CallsAndConverts) {
  TypedFunction<int(int, int)> add = [](int a, int b) { return a + b; };
  EXPECT_EQ(add(1, 2), 3);
  TypedFunction<double(int)> widen = Function::FromTyped([](int x) { return x; });
  EXPECT_EQ(widen(2), 2.0);
  TypedFunction<void()> nothing = []() { return 5; };
  nothing();
  EXPECT_EQ(Function(nothing)(), nullptr);
  TypedFunction<int(int)> generic = [](auto x) { return x * 2; };
  EXPECT_EQ(generic(4), 8);
  TypedFunction<Any(AnyView)> echo = [](AnyView x) { return Any(x); };
  EXPECT_EQ(echo("text").cast<String>(), "text");
}

// spec: E06
TEST(TypedFunction, AMismatchedResultIsATypeError) {
  TypedFunction<int()> f = Function::FromTyped([]() { return String("x"); });
  EXPECT_EQ(ErrorOf([&] { f(); }),
            "TypeError: Cannot convert from type `ffi.SmallStr` to `int`: the called function "
            "returned another type");
}

TEST(TypedFunction, NamesItselfInErrors) {
  TypedFunction<void(int)> f([](int) {}, "fname");
  EXPECT_EQ(ErrorOf([&] { f.packed()("x"); }),
            "TypeError: Mismatched type on argument #0 when calling: `fname(0: int) -> void`. "
            "Expected `int` but got `const char*`");
}

// spec: E06
TEST(TypedFunction, EmptyStateAndAssignment) {
  TypedFunction<int()> f;
  EXPECT_TRUE(f == nullptr);
  f = []() { return 1; };
  EXPECT_TRUE(f != nullptr);
  EXPECT_EQ(f(), 1);
  f = Function::FromTyped([]() { return 2; });
  EXPECT_EQ(f(), 2);
  f = nullptr;
  EXPECT_TRUE(f == nullptr);
  Function as_function = TypedFunction<int()>([]() { return 3; });
  EXPECT_EQ(as_function().cast<int>(), 3);
}

// spec: E06
TEST(TypedFunction, InAnyAndAsParameter) {
  TypedFunction<int(int)> twice = [](int x) { return 2 * x; };
  Any any = twice;
  EXPECT_EQ(any.type_index(), kTVMFFIFunction);
  EXPECT_EQ((any.cast<TypedFunction<int(int)>>())(4), 8);
  EXPECT_TRUE(any.as<TypedFunction<int(int)>>().has_value());
  // None converts to an empty typed function, but `as` does not accept None.
  EXPECT_FALSE(Any().as<TypedFunction<int(int)>>().has_value());
  EXPECT_TRUE(Any().cast<TypedFunction<int(int)>>() == nullptr);
  EXPECT_FALSE(Any(1).try_cast<TypedFunction<int(int)>>().has_value());
  Function apply =
      Function::FromTyped([](const TypedFunction<int(int)>& f, int x) { return f(f(x)); }, "apply");
  EXPECT_EQ(apply(twice, 3).cast<int>(), 12);
  EXPECT_EQ(ErrorOf([&] { apply(1, 3); }),
            "TypeError: Mismatched type on argument #0 when calling: "
            "`apply(0: (0: int) -> int, 1: int) -> int`. Expected `(0: int) -> int` but got `int`");
  Any moved = std::move(twice);
  EXPECT_TRUE(twice == nullptr);  // NOLINT(bugprone-use-after-move): this is the point
}

// spec: E16
TEST(TypedFunction, Schemas) {
  EXPECT_EQ((TypedFunction<void()>::TypeSchema()),
            R"({"type":"ffi.Function","named_args":{"return":[{"type":"None"}],"params":[]}})");
  EXPECT_EQ((TypedFunction<Array<int>(const String&, Any)>::TypeSchema()),
            R"({"type":"ffi.Function","named_args":{"return":[{"type":"ffi.Array","args":)"
            R"([{"type":"int"}]}],"params":[{"type":"ffi.String"},{"type":"Any"}]}})");
  EXPECT_EQ((TypeTraits<TypedFunction<void(int)>>::TypeSchema()),
            (TypedFunction<void(int)>::TypeSchema()));
}

// ---------------------------------------------------------------- global functions

// spec: E05
TEST(GlobalFunction, SetGetListRemove) {
  Function f = Function::FromTyped([]() { return 1; });
  Function::SetGlobal("test.function.global", f);
  EXPECT_EQ(Function::GetGlobal("test.function.global")->get(), f.get());
  EXPECT_EQ(Function::GetGlobal(std::string("test.function.global"))->get(), f.get());
  EXPECT_EQ(Function::GetGlobal(String("test.function.global"))->get(), f.get());
  EXPECT_EQ(Function::GetGlobal(std::string_view("test.function.global"))->get(), f.get());
  EXPECT_EQ(Function::GetGlobalRequired(String("test.function.global")).get(), f.get());
  std::vector<String> names = Function::ListGlobalNames();
  EXPECT_EQ(std::count(names.begin(), names.end(), String("test.function.global")), 1);

  EXPECT_EQ(ErrorOf([&] { Function::SetGlobal("test.function.global", f); }),
            "RuntimeError: Global Function `test.function.global` is already registered");
  Function other = Function::FromTyped([]() { return 2; });
  Function::SetGlobal("test.function.global", other, true);
  EXPECT_EQ(Function::GetGlobalRequired("test.function.global")().cast<int>(), 2);

  Function::RemoveGlobal("test.function.global");
  EXPECT_FALSE(Function::GetGlobal("test.function.global").has_value());
  Function::RemoveGlobal("test.function.global");
}

// spec: E05
TEST(GlobalFunction, MissingIsNulloptOrValueError) {
  EXPECT_FALSE(Function::GetGlobal("test.function.none").has_value());
  std::string far = ErrorOf([] { Function::GetGlobalRequired("Zq.Xw9"); });
  EXPECT_EQ(far, "ValueError: Function Zq.Xw9 not found; load the library that registers it first");
  Function::SetGlobal("test.function.nearest", Function::FromTyped([]() {}), true);
  std::string near = ErrorOf([] { Function::GetGlobalRequired("test.function.neerest"); });
  EXPECT_EQ(near,
            "ValueError: Function test.function.neerest not found; did you mean "
            "`test.function.nearest`?");
}

TEST(GlobalFunction, ANullNameIsRefused) {
  const char* null = nullptr;
  EXPECT_EQ(ErrorOf([&] { Function::GetGlobal(null); }), "ValueError: Check not null: name ");
  EXPECT_EQ(ErrorOf([&] { Function::GetGlobalRequired(null); }),
            "ValueError: Check not null: name ");
}

TEST(GlobalFunction, TypeKeyToIndexFindsKeysOnly) {
  EXPECT_EQ(TypeKeyToIndex("ffi.Function"), kTVMFFIFunction);
  std::string error = ErrorOf([] { TypeKeyToIndex("test.function.NoSuchType"); });
  EXPECT_EQ(error.rfind("InternalError: ", 0), 0u) << error;
  EXPECT_NE(error.find("Cannot find type `test.function.NoSuchType`"), std::string::npos) << error;
}

// spec: E13
TEST(Function, ManyThreadsMayCallOneFunction) {
  std::atomic<int64_t> total{0};
  Function f = Function::FromTyped([&total](int64_t x) { total += x; });
  OnThreads(8, [f](int) {
    for (int i = 0; i < 1000; ++i) f(1);
  });
  EXPECT_EQ(total, 8000);
}

}  // namespace
