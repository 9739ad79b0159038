// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/structural_equal.h>

#include <string_view>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Object;
using ffi::StructuralEqual;
using ffi::TypedFunction;

HAS_TYPE(StructuralEqual::Equal(The<const Any>(), The<const Any>()), bool);
HAS_TYPE(StructuralEqual::Equal(The<const Any>(), The<const Any>(), true, true), bool);
using Mismatch = ffi::Optional<ffi::reflection::AccessPathPair>;
HAS_TYPE(StructuralEqual::GetFirstMismatch(The<const Any>(), The<const Any>()), Mismatch);
HAS_TYPE(StructuralEqual::GetFirstMismatch(The<const Any>(), The<const Any>(), true, true),
         Mismatch);
HAS_TYPE(StructuralEqual()(The<const Any>(), The<const Any>()), bool);
using Compare = TypedFunction<bool(AnyView, AnyView, int, AnyView)>;
using Hook = TypedFunction<bool(const Object*, const Object*, const Compare&)>;
HAS_TYPE(ffi::type_attr::kSEqual, const ffi::reflection::AttrKey<Hook>);
HOLDS(std::string_view(ffi::type_attr::kSEqual.name) == "__s_equal__");
