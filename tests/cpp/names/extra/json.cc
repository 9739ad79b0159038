// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/json.h>

#include "../use.h"

namespace ffi = tvm::ffi;
namespace json = tvm::ffi::json;
using ffi::String;

SAME_TYPE(json::Value, ffi::Any);
using Object = ffi::Map<ffi::Any, ffi::Any>;
SAME_TYPE(json::Object, Object);
SAME_TYPE(json::Array, ffi::Array<ffi::Any>);
HAS_TYPE(json::Parse(The<const String>()), json::Value);
HAS_TYPE(json::Parse(The<const String>(), The<String*>()), json::Value);
HAS_TYPE(json::Stringify(The<const json::Value>()), String);
HAS_TYPE(json::Stringify(The<const json::Value>(), The<const ffi::Optional<int>>()), String);
