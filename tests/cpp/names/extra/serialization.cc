// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/serialization.h>

#include <string_view>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::reflection::AttrKey;

HAS_TYPE(ffi::ToJSONGraph(The<const Any>()), ffi::json::Value);
HAS_TYPE(ffi::ToJSONGraph(The<const Any>(), The<const Any>()), ffi::json::Value);
HAS_TYPE(ffi::FromJSONGraph(The<const ffi::json::Value>()), Any);
using Hook = ffi::TypedFunction<Any(AnyView)>;
HAS_TYPE(ffi::type_attr::kDataToJson, const AttrKey<Hook>);
HAS_TYPE(ffi::type_attr::kDataFromJson, const AttrKey<Hook>);
HOLDS(std::string_view(ffi::type_attr::kDataToJson.name) == "__data_to_json__");
HOLDS(std::string_view(ffi::type_attr::kDataFromJson.name) == "__data_from_json__");
