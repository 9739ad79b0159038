// SPDX-License-Identifier: Apache-2.0
// Describes types for the reader of graph JSON.
#include "graph/graph_json_type.h"

#include <tvm/ffi/reflection/accessor.h>

#include <utility>
#include <vector>

#include "graph/field_plan.h"
#include "graph/graph_json.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

DataKind kind_of_builtin(int32_t type_index) {
  switch (type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return DataKind::kSequence;
    case kTVMFFIMap:
    case kTVMFFIDict:
      return DataKind::kMapping;
    case kTVMFFINone:
    case kTVMFFIBool:
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIDataType:
    case kTVMFFIDevice:
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFIShape:
      return DataKind::kLeaf;
    default:
      return DataKind::kFields;
  }
}

}  // namespace

std::unique_ptr<TypeOfNode> describe_type(const String& key) {
  auto result = std::make_unique<TypeOfNode>();
  TVMFFIByteArray bytes{key.data(), key.size()};
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&bytes, &result->type_index));
  result->key = key;
  result->type = detail::GetTypeInfoOrThrow(result->type_index);
  result->kind = kind_of_builtin(result->type_index);
  if (result->kind != DataKind::kFields) return result;
  result->hook = reflection::TypeAttrColumn("__data_from_json__")[result->type_index];
  if (enum_traits(result->type).is_enum) {
    result->kind = DataKind::kEnum;
  } else if (result->hook.type_index() != kTVMFFINone) {
    result->kind = DataKind::kHook;
  }
  const std::vector<PlannedField>& fields = field_plan(result->type_index).fields;
  result->fields.reserve(fields.size());
  for (const PlannedField& field : fields) {
    String name(field.info->name.data, field.info->name.size);
    result->fields.push_back({field.info, is_inline_field(*field.info), Any(name)});
  }
  return result;
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
