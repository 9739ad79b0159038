// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/accessor.h>

#include <optional>
#include <string_view>

#include "../use.h"

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;
namespace type_attr = tvm::ffi::type_attr;
using ffi::Any;
using ffi::AnyView;
using ffi::Object;
using ffi::ObjectPtr;
using ffi::ObjectRef;
using ffi::TypedFunction;
using refl::AttrKey;
using refl::NativeFunctionView;

HAS_TYPE(refl::GetFieldInfo(The<std::string_view>(), "f"), const TVMFFIFieldInfo*);
HAS_TYPE(refl::GetMethodInfo(The<std::string_view>(), "m"), const TVMFFIMethodInfo*);
HAS_TYPE(refl::GetMethod(The<std::string_view>(), "m"), ffi::Function);
HAS_TYPE(refl::CallFieldSetter(The<const TVMFFIFieldInfo*>(), The<void*>(),
                               The<const TVMFFIAny*>()),
         int);
HAS_TYPE(refl::CallFieldSetterToDefault(The<const TVMFFIFieldInfo*>(), The<void*>()), int);
HAS_TYPE(refl::SetFieldToDefault(The<const TVMFFIFieldInfo*>(), The<void*>()), void);
template <typename T>
constexpr bool Constructs() {
  HOLDS(std::is_constructible_v<T, const TVMFFIFieldInfo*>);
  HOLDS(!std::is_convertible_v<const TVMFFIFieldInfo*, T>);
  HOLDS(std::is_constructible_v<T, std::string_view, const char*>);
  return true;
}
HOLDS(Constructs<refl::FieldGetter>() && Constructs<refl::FieldSetter>());
HAS_TYPE(The<const refl::FieldGetter>()(The<const Object*>()), Any);
HAS_TYPE(The<const refl::FieldGetter>()(The<const ObjectPtr<Object>>()), Any);
HAS_TYPE(The<const refl::FieldGetter>()(The<const ObjectRef>()), Any);
HAS_TYPE(The<const refl::FieldSetter>()(The<const Object*>(), The<AnyView>()), void);
HAS_TYPE(The<const refl::FieldSetter>()(The<const ObjectPtr<Object>>(), The<AnyView>()), void);
HAS_TYPE(The<const refl::FieldSetter>()(The<const ObjectRef>(), The<AnyView>()), void);
HOLDS(std::is_constructible_v<refl::TypeAttrColumn, std::string_view>);
HOLDS(std::is_constructible_v<refl::TypeAttrColumn, AttrKey<bool>>);
HAS_TYPE(The<const refl::TypeAttrColumn>()[1], AnyView);
void ForEach(const ffi::TypeInfo* info) {
  refl::ForEachFieldInfo(info, [](const TVMFFIFieldInfo*) {});
  HAS_TYPE(refl::ForEachFieldInfoWithEarlyStop(info, The<bool (*)(const TVMFFIFieldInfo*)>()),
           bool);
}
HAS_TYPE(refl::AsByteArray("a"), TVMFFIByteArray);
SAME_TYPE(AttrKey<bool>::ValueType, bool);
HAS_TYPE(The<AttrKey<bool>>().name, const char*);
HAS_TYPE(The<const AttrKey<bool>>().ValueFrom(The<AnyView>()), std::optional<bool>);

HAS_TYPE(type_attr::kNew, const AttrKey<TypedFunction<ObjectRef()>>);
HAS_TYPE(type_attr::kInit, const AttrKey<ffi::Function>);
HAS_TYPE(type_attr::kConvert, const AttrKey<TypedFunction<Any(AnyView)>>);
HAS_TYPE(type_attr::kConvertTypeSchema, const AttrKey<Any>);
HAS_TYPE(type_attr::kShallowCopy, const AttrKey<TypedFunction<ObjectRef(const Object*)>>);
HAS_TYPE(type_attr::kTypeFinal, const AttrKey<bool>);
HAS_TYPE(type_attr::kAnyHash, const AttrKey<NativeFunctionView<int64_t(const Any&)>>);
HAS_TYPE(type_attr::kAnyEqual, const AttrKey<NativeFunctionView<bool(const Any&, const Any&)>>);
HOLDS(std::string_view(type_attr::kNew.name) == "__ffi_new__");
HOLDS(std::string_view(type_attr::kInit.name) == "__ffi_init__");
HOLDS(std::string_view(type_attr::kConvert.name) == "__ffi_convert__");
HOLDS(std::string_view(type_attr::kConvertTypeSchema.name) == "__ffi_convert_type_schema__");
HOLDS(std::string_view(type_attr::kShallowCopy.name) == "__ffi_shallow_copy__");
HOLDS(std::string_view(type_attr::kTypeFinal.name) == "__ffi_type_final__");
HOLDS(std::string_view(type_attr::kAnyHash.name) == "__any_hash__");
HOLDS(std::string_view(type_attr::kAnyEqual.name) == "__any_equal__");
