// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/dataclass.h>

#include <ostream>
#include <string_view>

#include "../use.h"

namespace ffi = tvm::ffi;
namespace type_attr = tvm::ffi::type_attr;
using ffi::Any;
using ffi::AnyView;
using ffi::Object;
using ffi::String;
using ffi::TypedFunction;
using ffi::reflection::AttrKey;

HAS_TYPE(ffi::DeepCopy(The<const Any>()), Any);
HAS_TYPE(ffi::ReprPrint(The<const Any>()), String);
HAS_TYPE(ffi::RecursiveHash(The<const Any>()), int64_t);
HAS_TYPE(ffi::RecursiveEq(The<const Any>(), The<const Any>()), bool);
HAS_TYPE(ffi::RecursiveLt(The<const Any>(), The<const Any>()), bool);
HAS_TYPE(ffi::RecursiveLe(The<const Any>(), The<const Any>()), bool);
HAS_TYPE(ffi::RecursiveGt(The<const Any>(), The<const Any>()), bool);
HAS_TYPE(ffi::RecursiveGe(The<const Any>(), The<const Any>()), bool);
using Choice = ffi::Variant<int64_t, String>;
HAS_TYPE(The<std::ostream>() << The<const Any>(), std::ostream&);
HAS_TYPE(The<std::ostream>() << The<const ffi::ObjectRef>(), std::ostream&);
HAS_TYPE(The<std::ostream>() << The<const Choice>(), std::ostream&);
HAS_TYPE(The<std::ostream>() << The<const ffi::Optional<int>>(), std::ostream&);

using Repr = TypedFunction<String(const Object*, const TypedFunction<String(AnyView)>&)>;
using Hash = TypedFunction<int64_t(const Object*, const TypedFunction<int64_t(AnyView)>&)>;
using Eq =
    TypedFunction<bool(const Object*, const Object*, const TypedFunction<bool(AnyView, AnyView)>&)>;
using Compare = TypedFunction<int32_t(const Object*, const Object*,
                                      const TypedFunction<int32_t(AnyView, AnyView)>&)>;
HAS_TYPE(type_attr::kRepr, const AttrKey<Repr>);
HAS_TYPE(type_attr::kHash, const AttrKey<Hash>);
HAS_TYPE(type_attr::kEq, const AttrKey<Eq>);
HAS_TYPE(type_attr::kCompare, const AttrKey<Compare>);
HOLDS(std::string_view(type_attr::kRepr.name) == "__ffi_repr__");
HOLDS(std::string_view(type_attr::kHash.name) == "__ffi_hash__");
HOLDS(std::string_view(type_attr::kEq.name) == "__ffi_eq__");
HOLDS(std::string_view(type_attr::kCompare.name) == "__ffi_compare__");
