// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/native_function.h>

#include "../use.h"

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;
using ffi::Expected;
using ffi::TypedFunction;
using View = refl::NativeFunctionView<int64_t(int64_t)>;
using Owner = refl::NativeFunction<int64_t(int64_t)>;

HOLDS(sizeof(View) == 16 && sizeof(Owner) == 16);
HOLDS(!std::is_default_constructible_v<View> && !std::is_constructible_v<View, std::nullptr_t>);
int64_t Throwing(int64_t x) { return x; }
Expected<int64_t> Returning(int64_t x) noexcept { return x; }
HAS_TYPE(View::FromNative<&Throwing>(), View);
HAS_TYPE(View::FromNative<&Returning>(), View);
HOLDS(std::is_convertible_v<TypedFunction<int64_t(int64_t)>&, View>);
HOLDS(std::is_convertible_v<TypedFunction<Expected<int64_t>(int64_t)>&, View>);
HOLDS(!std::is_constructible_v<View, TypedFunction<int64_t(int64_t)>&&>);
HOLDS(std::is_constructible_v<Owner, View> && !std::is_convertible_v<View, Owner>);
HOLDS(std::is_convertible_v<const TypedFunction<int64_t(int64_t)>&, Owner>);
HAS_TYPE(Owner::From(The<View>()), Owner);
HAS_TYPE(Owner::FromNative<&Throwing>(), Owner);
template <typename T>
constexpr bool Calls() {
  HAS_TYPE(The<const T>().CallExpected(1), Expected<int64_t>);
  HOLDS(noexcept(The<const T>().CallExpected(1)));
  HAS_TYPE(The<const T>()(1), int64_t);
  HOLDS(ffi::TypeTraits<T>::storage_enabled);
  return true;
}
HOLDS(Calls<View>() && Calls<Owner>());
