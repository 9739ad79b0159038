// SPDX-License-Identifier: Apache-2.0
#define TVM_FFI_DLL_EXPORT_INCLUDE_METADATA 1
#include <tvm/ffi/function.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Function;
using ffi::FunctionObj;
using ffi::Object;
using ffi::ObjectRef;
using ffi::PackedArgs;
using ffi::String;
using ffi::TypedFunction;

int Body(int status) {
  TVM_FFI_SAFE_CALL_BEGIN();
  TVM_FFI_CHECK_SAFE_CALL(status);
  TVM_FFI_SAFE_CALL_END();
}

HOLDS(std::is_base_of_v<Object, FunctionObj>&& std::is_base_of_v<TVMFFIFunctionCell, FunctionObj>);
HOLDS(FunctionObj::_type_index == kTVMFFIFunction);
SAME_TYPE(FunctionObj::FCall, void (*)(const FunctionObj*, const AnyView*, int32_t, Any*));
HAS_TYPE(The<const FunctionObj>().CallPacked(The<const AnyView*>(), 1, The<Any*>()), void);
HOLDS(sizeof(The<FunctionObj>().safe_call) == sizeof(void*));
HOLDS(sizeof(The<FunctionObj>().cpp_call) == sizeof(void*));

HOLDS(std::is_constructible_v<PackedArgs, const AnyView*, int32_t>);
HOLDS(std::is_convertible_v<decltype(The<const PackedArgs>().size()), int>);
HAS_TYPE(The<const PackedArgs>().data(), const AnyView*);
HAS_TYPE(The<const PackedArgs>().Slice(1), PackedArgs);
HAS_TYPE(The<const PackedArgs>().Slice(1, 2), PackedArgs);
HAS_TYPE(The<const PackedArgs>()[0], AnyView);
HAS_TYPE(PackedArgs::Fill(The<AnyView*>(), 1, "two"), void);

HOLDS(
    std::is_default_constructible_v<Function>&& std::is_constructible_v<Function, std::nullptr_t>);
auto packed = [](PackedArgs, Any*) {};
auto packed_view = [](const AnyView*, int32_t, Any*) {};
auto typed = [](int x, const Any&, AnyView) { return x; };
HOLDS(std::is_constructible_v<Function, decltype(packed)>);
HAS_TYPE(Function::FromPacked(packed), Function);
HAS_TYPE(Function::FromPacked(packed_view), Function);
struct Callable {
  explicit Callable(int) {}
  void operator()(const AnyView*, int32_t, Any*) const {}
};
HAS_TYPE(Function::FromPackedInplace<Callable>(1), std::tuple<Function, Callable*>);
HAS_TYPE(Function::FromTyped(typed), Function);
HAS_TYPE(Function::FromTyped(typed, std::string("name")), Function);
HAS_TYPE(Function::FromExternC(The<void*>(), The<TVMFFISafeCallType>(), The<void (*)(void*)>()),
         Function);
HAS_TYPE(Function::GetGlobal(The<std::string_view>()), std::optional<Function>);
HAS_TYPE(Function::GetGlobal(The<const std::string>()), std::optional<Function>);
HAS_TYPE(Function::GetGlobal(The<const String>()), std::optional<Function>);
HAS_TYPE(Function::GetGlobal(The<const char*>()), std::optional<Function>);
HAS_TYPE(Function::GetGlobalRequired(The<std::string_view>()), Function);
HAS_TYPE(Function::GetGlobalRequired(The<const std::string>()), Function);
HAS_TYPE(Function::GetGlobalRequired(The<const String>()), Function);
HAS_TYPE(Function::GetGlobalRequired(The<const char*>()), Function);
HAS_TYPE(Function::SetGlobal(The<std::string_view>(), The<Function>()), void);
HAS_TYPE(Function::SetGlobal(The<std::string_view>(), The<Function>(), true), void);
HAS_TYPE(Function::ListGlobalNames(), std::vector<String>);
HAS_TYPE(Function::RemoveGlobal(The<const String>()), void);
HAS_TYPE(Function::InvokeExternC(The<void*>(), The<TVMFFISafeCallType>(), 1, "two"), Any);
HAS_TYPE(The<const Function>()(1, "two"), Any);
HAS_TYPE(The<const Function>().CallPacked(The<const AnyView*>(), 1, The<Any*>()), void);
HAS_TYPE(The<const Function>().CallPacked(The<PackedArgs>(), The<Any*>()), void);
HAS_TYPE(The<const Function>().CallExpected(1), ffi::Expected<Any>);
HAS_TYPE(The<const Function>().CallExpected<int>(1), ffi::Expected<int>);
HAS_TYPE(The<const Function>() == nullptr, bool);
HAS_TYPE(The<const Function>() != nullptr, bool);
using DeclaredOnly = Function::Registry*;

using Typed = TypedFunction<int(int, String)>;
HOLDS(std::is_default_constructible_v<Typed>&& std::is_convertible_v<std::nullptr_t, Typed>);
HOLDS(std::is_convertible_v<Function, Typed>&& std::is_convertible_v<Typed, Function>);
auto body = [](int x, String) { return x; };
HOLDS(std::is_convertible_v<decltype(body), Typed>);
HOLDS(std::is_constructible_v<Typed, decltype(body), std::string>);
HOLDS(std::is_assignable_v<Typed&, decltype(body)>&& std::is_assignable_v<Typed&, Function>);
HAS_TYPE(The<const Typed>()(1, String("a")), int);
HAS_TYPE(The<const Typed>().operator Function(), Function);
HOLDS(std::is_convertible_v<decltype(The<const Typed>().packed()), Function>);
HOLDS(std::is_convertible_v<decltype(Moved<Typed>().packed()), Function>);
HAS_TYPE(The<const Typed>() == nullptr, bool);
HAS_TYPE(The<const Typed>() != nullptr, bool);
HAS_TYPE(Typed::TypeSchema(), std::string);
HAS_TYPE(ffi::TypeKeyToIndex(The<std::string_view>()), int32_t);

struct NodeObj : Object {
  int Get(int x) const { return x; }
  int Set(int x) { return x; }
};
class Node : public ObjectRef {
 public:
  int Get() const { return 0; }
};
template <typename F>
using Info = ffi::detail::FunctionInfo<F>;
SAME_TYPE(Info<int(String)>::RetType, int);
SAME_TYPE(Info<int (*)(String)>::ArgType, std::tuple<String>);
SAME_TYPE(Info<int (&)(String)>::FType, int(String));
HOLDS(Info<decltype(typed)>::num_args == 3);
HOLDS(Info<decltype(typed)>::unpacked_supported && !Info<int(int&)>::unpacked_supported);
HAS_TYPE(Info<decltype(typed)>::Sig(), std::string);
HAS_TYPE(Info<decltype(typed)>::TypeSchema(), std::string);
SAME_TYPE(Info<decltype(&NodeObj::Get)>::ArgType, std::tuple<const NodeObj*, int>);
SAME_TYPE(Info<decltype(&NodeObj::Set)>::ArgType, std::tuple<NodeObj*, int>);
SAME_TYPE(Info<decltype(&Node::Get)>::ArgType, std::tuple<const Node>);

void Unpack(const std::string* name, const AnyView* args, Any* result) {
  ffi::detail::unpack_call<int>(std::make_index_sequence<3>{}, name, typed, args, 3, result);
}
using Argument = ffi::detail::ArgValueWithContext<int>;
HOLDS(ffi::detail::ArgSupported<int>&& ffi::detail::RetSupported<void>);
HOLDS(sizeof(Argument) > 0);
SAME_TYPE(ffi::detail::FGetFuncSignature, std::string (*)());

int Add(int x, int y) { return x + y; }
struct Static {
  static int Run(int x) { return x; }
};
static auto lambda = [](int x) { return x; };
TVM_FFI_DLL_EXPORT_TYPED_FUNC(names_add, Add);
TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(names_add, "Add two numbers.");
namespace named {
TVM_FFI_DLL_EXPORT_TYPED_FUNC(names_run, (&Static::Run))
TVM_FFI_DLL_EXPORT_TYPED_FUNC(names_lambda, lambda);
}  // namespace named
int CallExported(TVMFFIAny* result) {
  return __tvm_ffi_names_add(nullptr, nullptr, 0, result) +
         __tvm_ffi__metadata_names_add(nullptr, nullptr, 0, result) +
         __tvm_ffi__doc_names_add(nullptr, nullptr, 0, result);
}
