// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/rvalue_ref.h>

#include <string>

#include "use.h"

namespace ffi = tvm::ffi;
using Ref = ffi::RValueRef<ffi::ObjectRef>;

SAME_TYPE(Ref::ContainerType, ffi::Object);
HOLDS(std::is_constructible_v<Ref, ffi::ObjectRef&&>);
HOLDS(!std::is_convertible_v<ffi::ObjectRef&&, Ref>);
HAS_TYPE(*Moved<Ref>(), ffi::ObjectRef);
HOLDS(!ffi::TypeTraits<Ref>::storage_enabled);
HAS_TYPE(ffi::TypeTraits<Ref>::TypeStr(), std::string);
HAS_TYPE(ffi::TypeTraits<Ref>::TryCastFromAnyView(The<const TVMFFIAny*>()), std::optional<Ref>);
