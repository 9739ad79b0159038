// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/type_attr.h>

#include <string>
#include <string_view>
#include <unordered_map>

#include "../use.h"

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;
using ffi::Any;
using ffi::AnyView;
using refl::TypeAttrRegistry;

HAS_TYPE(ffi::TypeAttrSet(The<int32_t>(), The<std::string_view>(), The<Any>()), void);
HAS_TYPE(ffi::TypeAttrGet(The<std::string_view>(), The<int32_t>()), AnyView);
HAS_TYPE(refl::TypeAttrSet(The<int32_t>(), The<std::string_view>(), The<Any>()), void);
HAS_TYPE(refl::TypeAttrGet(The<std::string_view>(), The<int32_t>()), AnyView);
SAME_TYPE(ffi::TypeAttrRegistry, TypeAttrRegistry);
HOLDS(std::is_default_constructible_v<TypeAttrRegistry>);
SAME_TYPE(ffi::TypeAttrColumn, refl::TypeAttrColumn);
HAS_TYPE(The<TypeAttrRegistry>().Set(1, The<const std::string>(), The<Any>()), void);
HAS_TYPE(The<const TypeAttrRegistry>().Get(The<const std::string>(), 1), AnyView);
using Column = std::unordered_map<int32_t, Any>;
HAS_TYPE(TypeAttrRegistry::Get("names.commutative"), const Column&);
HAS_TYPE(TypeAttrRegistry::Global(), TypeAttrRegistry*);
