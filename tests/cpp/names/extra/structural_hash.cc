// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/structural_hash.h>

#include <string_view>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::StructuralHash;
using ffi::TypedFunction;

HAS_TYPE(StructuralHash::Hash(The<const Any>()), uint64_t);
HAS_TYPE(StructuralHash::Hash(The<const Any>(), true, true), uint64_t);
HAS_TYPE(StructuralHash()(The<const Any>()), uint64_t);
using Combine = TypedFunction<int64_t(ffi::AnyView, int64_t, int)>;
using Hook = TypedFunction<int64_t(const ffi::Object*, int64_t, const Combine&)>;
HAS_TYPE(ffi::type_attr::kSHash, const ffi::reflection::AttrKey<Hook>);
HOLDS(std::string_view(ffi::type_attr::kSHash.name) == "__s_hash__");
