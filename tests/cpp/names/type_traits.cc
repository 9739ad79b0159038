// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/type_traits.h>

#include <optional>
#include <string>

// A program must include this header before it uses TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP.
#include <tvm/ffi/function.h>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::StaticTypeKey;

SAME_TYPE(ffi::TypeIndex, TVMFFITypeIndex);
SAME_TYPE(ffi::TypeInfo, TVMFFITypeInfo);
constexpr const char* kKeys[] = {
    StaticTypeKey::kTVMFFIAny,
    StaticTypeKey::kTVMFFINone,
    StaticTypeKey::kTVMFFIBool,
    StaticTypeKey::kTVMFFIInt,
    StaticTypeKey::kTVMFFIFloat,
    StaticTypeKey::kTVMFFIOpaquePtr,
    StaticTypeKey::kTVMFFIDataType,
    StaticTypeKey::kTVMFFIDevice,
    StaticTypeKey::kTVMFFIDLTensorPtr,
    StaticTypeKey::kTVMFFIRawStr,
    StaticTypeKey::kTVMFFIByteArrayPtr,
    StaticTypeKey::kTVMFFIObjectRValueRef,
    StaticTypeKey::kTVMFFISmallStr,
    StaticTypeKey::kTVMFFISmallBytes,
    StaticTypeKey::kTVMFFIUnchanged,
    StaticTypeKey::kTVMFFIError,
    StaticTypeKey::kTVMFFIBytes,
    StaticTypeKey::kTVMFFIStr,
    StaticTypeKey::kTVMFFIBigInt,
    StaticTypeKey::kTVMFFIShape,
    StaticTypeKey::kTVMFFITensor,
    StaticTypeKey::kTVMFFIObject,
    StaticTypeKey::kTVMFFIFunction,
    StaticTypeKey::kTVMFFIArray,
    StaticTypeKey::kTVMFFIList,
    StaticTypeKey::kTVMFFIMap,
    StaticTypeKey::kTVMFFIModule,
    StaticTypeKey::kTVMFFIDict,
    StaticTypeKey::kTVMFFIVisitInterrupt,
    StaticTypeKey::kTVMFFIOpaquePyObject,
};
HOLDS(kKeys[0] != nullptr);
HAS_TYPE(ffi::TypeIndexToTypeKey(The<int32_t>()), std::string);
HOLDS(ffi::type_subsumes_v<ffi::Any, int> && !ffi::type_subsumes_v<int, double>);
struct Plain {};
HOLDS(!ffi::TypeTraits<Plain>::convert_enabled && !ffi::TypeTraits<Plain>::storage_enabled);
SAME_TYPE(ffi::TypeTraitsNoCR<const int&>, ffi::TypeTraits<int>);
HOLDS(ffi::use_default_type_traits_v<int>);
HOLDS(ffi::TypeTraitsBase::convert_enabled&& ffi::TypeTraitsBase::storage_enabled);
HOLDS(ffi::TypeTraitsBase::field_static_type_index == kTVMFFIAny);
HAS_TYPE(ffi::TypeTraitsBase::GetMismatchTypeInfo(The<const TVMFFIAny*>()), std::string);
HOLDS(ffi::TypeToFieldStaticTypeIndex<int>::value == kTVMFFIInt);
HOLDS(ffi::TypeToFieldStaticTypeIndex<Plain>::value == kTVMFFIAny);
HAS_TYPE(ffi::TypeToRuntimeTypeIndex<int>::v(), int32_t);
HOLDS(std::is_convertible_v<bool, ffi::StrictBool>&& std::is_convertible_v<ffi::StrictBool, bool>);
HOLDS(ffi::TypeTraitsIntBase<int>::field_static_type_index == kTVMFFIInt);
enum class Colour : int { kRed };
HOLDS(ffi::is_integeral_enum_v<Colour> && !ffi::is_integeral_enum_v<int>);

struct Argument {};
template <>
struct ffi::TypeTraits<Argument> : ffi::FallbackOnlyTraitsBase<Argument, int64_t, StrictBool> {
  static Argument ConvertFallbackValue(int64_t) { return {}; }
  static Argument ConvertFallbackValue(StrictBool) { return {}; }
};
HOLDS(!ffi::TypeTraits<Argument>::storage_enabled);

// Test the members that a full specialization has.
using Traits = ffi::TypeTraits<int64_t>;
HAS_TYPE(Traits::CopyToAnyView(The<const int64_t>(), The<TVMFFIAny*>()), void);
HAS_TYPE(Traits::MoveToAny(1, The<TVMFFIAny*>()), void);
HAS_TYPE(Traits::CheckAnyStrict(The<const TVMFFIAny*>()), bool);
HAS_TYPE(Traits::CopyFromAnyViewAfterCheck(The<const TVMFFIAny*>()), int64_t);
HAS_TYPE(Traits::MoveFromAnyAfterCheck(The<TVMFFIAny*>()), int64_t);
HAS_TYPE(Traits::TryCastFromAnyView(The<const TVMFFIAny*>()), std::optional<int64_t>);
HAS_TYPE(Traits::TypeStr(), std::string);
HAS_TYPE(Traits::TypeSchema(), std::string);
HAS_TYPE(Traits::GetMismatchTypeInfo(The<const TVMFFIAny*>()), std::string);
// Test that the following types have their own TypeTraits.
HOLDS(ffi::TypeTraits<std::nullptr_t>::convert_enabled&& ffi::TypeTraits<bool>::convert_enabled);
HOLDS(ffi::TypeTraits<ffi::StrictBool>::storage_enabled&& ffi::TypeTraits<Colour>::storage_enabled);
HOLDS(ffi::TypeTraits<uint64_t>::storage_enabled&& ffi::TypeTraits<float>::storage_enabled);
HOLDS(ffi::TypeTraits<double>::storage_enabled&& ffi::TypeTraits<void*>::storage_enabled);
HOLDS(!ffi::TypeTraits<DLTensor*>::storage_enabled && ffi::TypeTraits<DLTensor*>::convert_enabled);

HAS_TYPE(ffi::detail::TypeSchema<const int&>::v(), std::string);
SAME_TYPE(ffi::detail::TypeSchema<const int&>, ffi::detail::TypeSchemaImpl<int>);

struct LookedUpObj : ffi::Object {
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("names.LookedUp", 1);
};
HAS_TYPE(LookedUpObj::RuntimeTypeIndex(), int32_t);
HOLDS(LookedUpObj::_type_mutable && !LookedUpObj::_type_final);
HOLDS(LookedUpObj::_type_child_slots == 0 && LookedUpObj::_type_child_slots_can_overflow);
