// SPDX-License-Identifier: Apache-2.0
// A client for functions and errors: each side (side.h) calls functions of the other side, and
// throws errors that the other side catches.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "side.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

// ---------------------------------------------------------------- functions

TypedFunction<int64_t(int64_t)> make_adder(int64_t more) {
  return [more](int64_t value) { return value + more; };
}

int64_t call_twice(TypedFunction<int64_t(int64_t)> function, int64_t value) {
  return function(function(value));
}

// Call a function with packed arguments. The function object determines whether this is a C++ call
// or a safe call of the C ABI.
Any call_packed(const Function& function, const Array<Any>& args) {
  std::vector<AnyView> views(args.begin(), args.end());
  Any result;
  function.CallPacked(views.data(), static_cast<int32_t>(views.size()), &result);
  return result;
}

Function make_caller(Function function) {
  return Function::FromTyped([function = std::move(function)] { return function(); });
}

// Count down to zero; the two sides call each other alternately.
int64_t ping(const Function& other, int64_t depth) {
  if (depth == 0) return 0;
  return 1 + other(Function::FromTyped(ping), depth - 1).cast<int64_t>();
}

int64_t live_captures = 0;

struct Captured {
  Captured() { ++live_captures; }
  Captured(Captured&&) noexcept { ++live_captures; }
  Captured(const Captured&) = delete;
  ~Captured() { --live_captures; }
};

Function make_with_capture() {
  return Function::FromPacked([held = Captured()](PackedArgs args, Any* result) {
    (void)held;
    *result = args.size();
  });
}

int64_t live_capture_count() { return live_captures; }

void register_global(const String& name, int64_t answer) {
  Function::SetGlobal(std::string_view(name.data(), name.size()),
                      Function::FromTyped([answer]() { return answer; }), true);
}

int64_t call_global(const String& name) {
  return Function::GetGlobalRequired(name)().cast<int64_t>();
}

bool forget_global(const String& name) {
  Function::RemoveGlobal(name);
  return !Function::GetGlobal(name).has_value();
}

// Return whether the caller cleared the result slot before the call.
int result_is_clear(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  bool clear = result->type_index < kTVMFFIStaticObjectBegin;
  result->type_index = kTVMFFIBool;
  result->zero_padding = 0;
  result->v_int64 = clear ? 1 : 0;
  return 0;
}

Function make_result_checker() { return Function::FromExternC(nullptr, result_is_clear, nullptr); }

// ---------------------------------------------------------------- errors

void raise(const String& kind, const String& message) {
  throw Error(kind, message, "  File \"made.cc\", line 7, in Maker\n");
}

void raise_here() { TVM_FFI_THROW(ValueError) << "thrown by " << INTEROP_SIDE; }

void raise_standard() { throw std::runtime_error("standard " INTEROP_SIDE); }

void raise_chain() {
  Error cause("KeyError", "the cause", "");
  throw Error("ValueError", "the effect", "", cause, Array<int64_t>{4, 2});
}

Error make_error() { return Error("IndexError", "as a value", "  File \"v.cc\", line 1, in V\n"); }

Map<String, Any> describe(const Error& error) {
  Map<String, Any> told{{"kind", String(error.kind())},
                        {"message", String(error.message())},
                        {"backtrace", String(error.backtrace())},
                        {"what", String(error.what())},
                        {"full", String(error.FullMessage())}};
  if (auto cause = error.cause_chain()) told.Set("cause", String(cause->kind()));
  if (auto extra = error.extra_context()) told.Set("extra", *extra);
  return told;
}

String part(const Map<String, Any>& told, const String& name) {
  return told.Get(name).value_or(Any(String("absent"))).cast<String>();
}

Any item(const Map<String, Any>& told, const String& name) { return told[name]; }

// Call a function and catch its error by type, although another library throws the error.
Map<String, Any> caught_from(const Function& function, const Array<Any>& args) {
  try {
    call_packed(function, args);
  } catch (const Error& error) {
    return describe(error);
  } catch (const std::exception& error) {
    return {{"kind", String("std::exception")}, {"message", String(error.what())}};
  }
  return {};
}

// Call a function; get its error as a value instead of an exception.
Map<String, Any> expected_from(const Function& function) {
  Expected<Any> result = function.CallExpected();
  if (result.is_ok()) return {};
  return describe(result.error());
}

Map<String, Any> described(const Error& error) { return describe(error); }

// Call a function through the C API, which passes errors in the error slot.
Map<String, Any> slot_from(const Function& function) {
  TVMFFIAny result{};
  TVMFFIObjectHandle handle = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(function);
  if (TVMFFIFunctionCall(handle, nullptr, 0, &result) == 0) return {};
  return describe(detail::MoveFromSafeCallRaised());
}

// Throw an error through another function; return whether the caught error is the same object.
bool passes_through(const Function& rethrower) {
  Error original("Original", "text", "");
  Function throws = Function::FromTyped([original]() -> void { throw original; });
  try {
    rethrower(throws);
  } catch (const Error& error) {
    return error.same_as(original);
  }
  return false;
}

void rethrows(const Function& raiser) { raiser(); }

Expected<int64_t> half(int64_t value) {
  if (value % 2 != 0) return Unexpected(Error("ValueError", "odd", ""));
  return value / 2;
}

}  // namespace

INTEROP_EXPORT(make_adder);
INTEROP_EXPORT(call_twice);
INTEROP_EXPORT(call_packed);
INTEROP_EXPORT(make_caller);
INTEROP_EXPORT(ping);
INTEROP_EXPORT(make_with_capture);
INTEROP_EXPORT(live_capture_count);
INTEROP_EXPORT(register_global);
INTEROP_EXPORT(call_global);
INTEROP_EXPORT(forget_global);
INTEROP_EXPORT(make_result_checker);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(raise_error, raise);
INTEROP_EXPORT(raise_here);
INTEROP_EXPORT(raise_standard);
INTEROP_EXPORT(raise_chain);
INTEROP_EXPORT(make_error);
INTEROP_EXPORT(part);
INTEROP_EXPORT(item);
INTEROP_EXPORT(caught_from);
INTEROP_EXPORT(expected_from);
INTEROP_EXPORT(described);
INTEROP_EXPORT(slot_from);
INTEROP_EXPORT(passes_through);
INTEROP_EXPORT(rethrows);
INTEROP_EXPORT(half);
