// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/creator.h>

#include <string_view>

#include "../use.h"

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;
using refl::ObjectCreator;

HAS_TYPE(ffi::CreateEmptyObject(The<const TVMFFITypeInfo*>()), ffi::ObjectPtr<ffi::Object>);
HAS_TYPE(ffi::HasCreator(The<const TVMFFITypeInfo*>()), bool);
HOLDS(std::is_constructible_v<ObjectCreator, std::string_view>);
HOLDS(std::is_constructible_v<ObjectCreator, const TVMFFITypeInfo*>);
HOLDS(!std::is_convertible_v<const TVMFFITypeInfo*, ObjectCreator>);
using Fields = ffi::Map<ffi::String, ffi::Any>;
HAS_TYPE(The<const ObjectCreator>()(The<const Fields>()), ffi::Any);
HAS_TYPE(refl::detail::FFIConvertFromAnyViewToObjectRef<ffi::ObjectRef>(The<ffi::AnyView>()),
         ffi::ObjectRef);
HAS_TYPE(refl::details::FFIConvertFromAnyViewToObjectRef<ffi::ObjectRef>(The<ffi::AnyView>()),
         ffi::ObjectRef);
