// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/any.h>

#include <optional>
#include <string>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Object;
using ffi::ObjectRef;

SAME_TYPE(tvm::Any, Any);
SAME_TYPE(tvm::AnyView, AnyView);

HOLDS(std::is_trivially_copyable_v<AnyView> && sizeof(AnyView) == sizeof(TVMFFIAny));
HOLDS(std::is_default_constructible_v<AnyView>&& std::is_convertible_v<int, AnyView>);
HOLDS(std::is_assignable_v<AnyView&, double>);
HAS_TYPE(The<AnyView>().reset(), void);
HAS_TYPE(The<AnyView>().swap(The<AnyView>()), void);
HAS_TYPE(The<const AnyView>().type_index(), int32_t);
HAS_TYPE(The<const AnyView>().same_as(The<const AnyView>()), bool);
HOLDS(noexcept(The<const AnyView>().type_index()) && noexcept(
    The<const AnyView>().same_as(The<const AnyView>())));
HAS_TYPE(The<const AnyView>().as<int>(), std::optional<int>);
HAS_TYPE(The<const AnyView>().as<Object>(), const Object*);
HAS_TYPE(The<const AnyView>().as_or_throw<int>(), int);
HAS_TYPE(The<const AnyView>().cast<int>(), int);
HAS_TYPE(The<const AnyView>().try_cast<int>(), std::optional<int>);
HAS_TYPE(The<const AnyView>() == nullptr, bool);
HAS_TYPE(The<const AnyView>() != nullptr, bool);
HAS_TYPE(The<const AnyView>().GetTypeKey(), std::string);
HAS_TYPE(The<const AnyView>().CopyToTVMFFIAny(), TVMFFIAny);
HAS_TYPE(AnyView::CopyFromTVMFFIAny(The<TVMFFIAny>()), AnyView);

HOLDS(sizeof(Any) == 16 && std::is_standard_layout_v<Any>);
HOLDS(std::is_nothrow_move_constructible_v<Any>&& std::is_copy_constructible_v<Any>);
HOLDS(std::is_convertible_v<const AnyView&, Any>&& std::is_convertible_v<int, Any>);
HOLDS(std::is_convertible_v<const Any&, AnyView>&& std::is_assignable_v<Any&, int>);
HAS_TYPE(The<const Any>().operator AnyView(), AnyView);
HAS_TYPE(The<Any>().reset(), void);
HAS_TYPE(The<Any>().swap(The<Any>()), void);
HAS_TYPE(The<const Any>().type_index(), int32_t);
HAS_TYPE(Moved<Any>().as<int>(), std::optional<int>);
HAS_TYPE(Moved<Any>().as<Any>(), std::optional<Any>);
HAS_TYPE(The<const Any>().as<int>(), std::optional<int>);
HAS_TYPE(The<const Any>().as<Object>(), const Object*);
HAS_TYPE(The<const Any>().cast<int>(), int);
HAS_TYPE(Moved<Any>().cast<int>(), int);
HAS_TYPE(The<const Any>().try_cast<int>(), std::optional<int>);
HAS_TYPE(The<const Any>().try_cast<Any>(), std::optional<Any>);
HAS_TYPE(The<const Any>().as_or_throw<int>(), int);
HAS_TYPE(Moved<Any>().as_or_throw<int>(), int);
HAS_TYPE(The<const Any>().same_as(The<const Any>()), bool);
HAS_TYPE(The<const Any>().same_as(The<const ObjectRef>()), bool);
HAS_TYPE(The<const Any>() == nullptr, bool);
HAS_TYPE(The<const Any>() != nullptr, bool);
HAS_TYPE(The<const Any>().GetTypeKey(), std::string);
HAS_TYPE(ffi::AnyHash()(The<const Any>()), uint64_t);
HAS_TYPE(ffi::AnyEqual()(The<const Any>(), The<const Any>()), bool);

using Unsafe = ffi::detail::AnyUnsafe;
HOLDS(std::is_base_of_v<ffi::detail::ObjectUnsafe, Unsafe>);
HAS_TYPE(Unsafe::MoveAnyToTVMFFIAny(Moved<Any>()), TVMFFIAny);
HAS_TYPE(Unsafe::MoveTVMFFIAnyToAny(The<TVMFFIAny*>()), Any);
HAS_TYPE(Unsafe::MoveTVMFFIAnyRawToAny(The<TVMFFIAny>()), Any);
HAS_TYPE(Unsafe::CheckAnyStrict<int>(The<const Any>()), bool);
HAS_TYPE(Unsafe::CheckAnyViewStrict<int>(The<const AnyView>()), bool);
HAS_TYPE(Unsafe::CheckAnyViewStrict<Any>(The<const AnyView>()), bool);
HAS_TYPE(Unsafe::CopyFromAnyViewAfterCheck<int>(The<const Any>()), int);
HAS_TYPE(Unsafe::MoveFromAnyAfterCheck<int>(Moved<Any>()), int);
HOLDS(std::is_convertible_v<decltype(Unsafe::RawObjectPtrFromAnyAfterCheck(The<const Any>())),
                            const Object*>);
HOLDS(std::is_convertible_v<
      decltype(Unsafe::RawObjectPtrFromAnyViewAfterCheck(The<const AnyView>())), const Object*>);
HAS_TYPE(Unsafe::TVMFFIAnyPtrFromAny(The<const Any>()), const TVMFFIAny*);
HAS_TYPE(Unsafe::GetMismatchTypeInfo<int>(The<const Any>()), std::string);
HAS_TYPE(ffi::detail::InplaceConvertAnyViewToAny(The<TVMFFIAny*>()), void);
HAS_TYPE(ffi::detail::InplaceConvertAnyViewToAny(The<TVMFFIAny*>(), The<size_t>()), void);
HAS_TYPE(ffi::detail::Type2Str<Any>::v(), std::string);
HAS_TYPE(ffi::detail::Type2Str<const AnyView&>::v(), std::string);
HAS_TYPE(ffi::detail::Type2Str<void>::v(), std::string);
HAS_TYPE(ffi::detail::TypeSchemaImpl<Any>::v(), std::string);
HAS_TYPE(ffi::detail::TypeSchemaImpl<void>::v(), std::string);
HAS_TYPE(ffi::detail::TypeSchema<int>::v(), std::string);

struct RawView : AnyView {
  TVMFFIAny& raw() { return data_; }
};
struct RawValue : Any {
  TVMFFIAny& raw() { return data_; }
};
