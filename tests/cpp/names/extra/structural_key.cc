// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/structural_key.h>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::StructuralKey;
using ffi::StructuralKeyObj;

HOLDS(StructuralKeyObj::_type_final&& std::is_base_of_v<ffi::Object, StructuralKeyObj>);
HAS_TYPE(The<StructuralKeyObj>().key, ffi::Any);
HAS_TYPE(The<StructuralKeyObj>().hash_i64, int64_t);
HOLDS(std::is_constructible_v<StructuralKey, ffi::Any>);
HOLDS(!std::is_convertible_v<ffi::Any, StructuralKey>);
HAS_TYPE(The<const StructuralKey>() == The<const StructuralKey>(), bool);
HAS_TYPE(The<const StructuralKey>() != The<const StructuralKey>(), bool);
HAS_TYPE(std::hash<StructuralKey>()(The<const StructuralKey>()), size_t);
