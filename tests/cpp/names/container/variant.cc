// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/variant.h>

#include <optional>
#include <string>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::ObjectRef;
using ffi::String;
using ffi::Variant;
using Value = Variant<int64_t, String>;
using Ref = Variant<ffi::Array<int64_t>, ObjectRef>;

HOLDS(sizeof(Value) == 16 && !std::is_default_constructible_v<Value>);
HOLDS(!std::is_base_of_v<ObjectRef, Value>);
HOLDS(Value::variant_contains_v<String> && !Value::variant_contains_v<double>);
SAME_TYPE(Value::enable_if_variant_contains_t<String>, void);
HOLDS(std::is_convertible_v<String, Value> && !std::is_constructible_v<Value, double>);
HOLDS(!std::is_constructible_v<Value, const char*> && std::is_assignable_v<Value&, int64_t>);
HAS_TYPE(The<const Value>().as<String>(), std::optional<String>);
HAS_TYPE(The<const Ref>().as<ffi::Object>(), const ffi::Object*);
HAS_TYPE(The<const Value>().get<int64_t>(), int64_t);
HAS_TYPE(Moved<Value>().get<String>(), String);
HAS_TYPE(The<const Value>().GetTypeKey(), std::string);
HAS_TYPE(The<const Value>().same_as(The<const Value>()), bool);
HAS_TYPE(ffi::ObjectPtrHash()(The<const Ref>()), size_t);
HAS_TYPE(ffi::ObjectPtrEqual()(The<const Ref>(), The<const Ref>()), bool);
HOLDS(ffi::type_subsumes_v<Value, String> && !ffi::type_subsumes_v<Value, double>);
HOLDS(ffi::TypeTraits<Value>::storage_enabled);
