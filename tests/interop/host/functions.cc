// SPDX-License-Identifier: Apache-2.0
// Make, register and call functions, and check rejected calls.
#include <stdexcept>
#include <vector>

#include "checks.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

int64_t Multiply(int64_t a, int64_t b) { return a * b; }

int Countdown(void* self, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = --*static_cast<int64_t*>(self);
  return 0;
}

int64_t deletions = 0;

struct NotStandard {
  int number;
};

void CheckMaking() {
  Function packed = Function::FromPacked(
      [](PackedArgs args, Any* result) { *result = args.Slice(1).size() + args[0].cast<int>(); });
  CHECK_THAT(packed(10, "a", nullptr, 2.5).cast<int>() == 13);
  Function raw = Function::FromPacked(
      [](const AnyView* args, int32_t count, Any* result) { *result = args[count - 1]; });
  CHECK_THAT(raw(1, String("a text that is long")).cast<String>() == "a text that is long");
  CHECK_THAT(Function::FromTyped(Multiply)(6, 7).cast<int>() == 42);
  CHECK_THAT(Function::FromTyped([](const Array<int>& a) { return a.size(); })(Array<int>{1, 2})
                 .cast<int>() == 2);
  CHECK_THAT(Function::FromTyped([] {})().type_index() == kTVMFFINone);

  int64_t left = 3;
  {
    Function counted = Function::FromExternC(&left, Countdown, [](void*) { ++deletions; });
    Function copy = counted;
    CHECK_THAT(counted().cast<int>() == 2 && copy().cast<int>() == 1 && deletions == 0);
  }
  CHECK_THAT(deletions == 1);
  CHECK_THAT(Function::InvokeExternC(&left, Countdown).cast<int>() == 0);
}

void CheckRefusals() {
  Function multiply = Function::FromTyped(Multiply, "multiply");
  CHECK_THROWS("TypeError",
               "Mismatched number of arguments when calling: `multiply(0: int, 1: int) -> int`. "
               "Expected 2 but got 1 arguments",
               multiply(1));
  CHECK_THROWS("TypeError",
               "Mismatched type on argument #1 when calling: `multiply(0: int, 1: int) -> int`. "
               "Expected `int` but got `float`",
               multiply(1, 2.5));
  Function sums = Function::FromTyped([](Array<int> numbers) { return numbers.size(); });
  CHECK_THROWS("TypeError", "Array[index 1: ffi.SmallStr]", sums(Array<Any>{1, String("b")}));
}

void CheckGlobals() {
  CHECK_THAT(!Function::GetGlobal("interop.host.none").has_value());
  CHECK_THROWS("ValueError", "Function interop.host.none not found",
               Function::GetGlobalRequired("interop.host.none"));
  Function::SetGlobal("interop.host.multiply", Function::FromTyped(Multiply));
  CHECK_THROWS("RuntimeError", "Global Function `interop.host.multiply` is already registered",
               Function::SetGlobal("interop.host.multiply", Function::FromTyped(Multiply)));
  Function::SetGlobal("interop.host.multiply", Function::FromTyped([](int a) { return a; }), true);
  CHECK_THAT(Function::GetGlobalRequired("interop.host.multiply")(5).cast<int>() == 5);
  bool listed = false;
  for (const String& name : Function::ListGlobalNames()) {
    listed = listed || name == "interop.host.multiply";
  }
  CHECK_THAT(listed);
  Function::RemoveGlobal("interop.host.multiply");
  CHECK_THAT(!Function::GetGlobal("interop.host.multiply").has_value());
}

void CheckTyped() {
  TypedFunction<int(int)> twice = [](int a) { return 2 * a; };
  CHECK_THAT(twice(4) == 8 && twice != nullptr);
  Any held = twice;
  CHECK_THAT(held.type_index() == kTVMFFIFunction);
  CHECK_THAT((held.cast<TypedFunction<int(int)>>()(5) == 10));
  TypedFunction<String(int)> wrong = twice.packed();
  CHECK_THROWS("TypeError", "Cannot convert from type `int` to `str`", wrong(1));
  TypedFunction<int(int)> empty;
  CHECK_THAT(empty == nullptr);
  CHECK_THAT((TypedFunction<int(TypedFunction<int(int)>)>(
                  [](TypedFunction<int(int)> f) { return f(3); })(twice) == 6));
}

void CheckErrors() {
  Function standard = Function::FromTyped([]() -> int { throw std::runtime_error("standard"); });
  Expected<int> failed = standard.CallExpected<int>();
  CHECK_THAT(failed.is_err() && failed.error().kind() == "InternalError" &&
             failed.error().message() == "standard");
  Expected<String> mismatch = Function::FromTyped([] { return 1; }).CallExpected<String>();
  CHECK_THAT(mismatch.is_err() &&
             mismatch.error().message() ==
                 "CallExpected: result type mismatch, expected str, but got int");
  CHECK_THAT(Function::FromTyped([] {}).CallExpected<void>().is_ok());
  // Any type of exception passes through a call inside C++.
  Function foreign = Function::FromTyped([]() -> void { throw NotStandard{7}; });
  int caught = 0;
  try {
    Function::FromTyped([foreign] { foreign(); })();
  } catch (const NotStandard& thrown) {
    caught = thrown.number;
  }
  CHECK_THAT(caught == 7);
}

}  // namespace

void host::CheckFunctions() {
  CheckMaking();
  CheckRefusals();
  CheckGlobals();
  CheckTyped();
  CheckErrors();
}
