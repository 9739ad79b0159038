// SPDX-License-Identifier: Apache-2.0
// Describes types for the readers of graph JSON.
#include "graph/graph_json_type.h"

#include <algorithm>

#include "core/type_table.h"
#include "graph/field_plan.h"
#include "graph/graph_json.h"
#include "graph/leaf.h"
#include "text/json_string.h"

namespace tvm::ffi::runtime {
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

bool is_plain_name(const TVMFFIByteArray& name) {
  const char* end = name.data + name.size;
  return find_json_string_stop(name.data, end) == end;
}

TypeOfNode describe_type(int32_t type_index) {
  TypeOfNode result{type_index, kind_of_builtin(type_index), find_type(type_index), nullptr, false};
  if (result.kind != DataKind::kFields) return result;
  if (enum_traits(result.type).is_enum) {
    result.kind = DataKind::kEnum;
  } else if (data_hook_of(type_index) != nullptr) {
    result.kind = DataKind::kHook;
  } else {
    result.plan = &field_plan(type_index);
    result.has_plain_names =
        std::all_of(result.plan->fields.begin(), result.plan->fields.end(),
                    [](const PlannedField& field) { return is_plain_name(field.info->name); });
  }
  return result;
}

}  // namespace

AnyView data_hook_of(int32_t type_index) {
  static const TVMFFITypeAttrColumn* const column = hook_column("__data_from_json__");
  const TVMFFIAny* hook = find_hook(column, type_index);
  return hook == nullptr ? AnyView() : AnyView::CopyFromTVMFFIAny(*hook);
}

bool TypesOfNodes::find(std::string_view key, uint32_t* position) {
  size_t hash = key.size();
  if (!key.empty()) {
    hash += 3 * static_cast<unsigned char>(key[key.size() / 2]);
    hash += 7 * static_cast<unsigned char>(key.back());
  }
  uint32_t& recent = recent_[hash % kNumRecent];
  if (recent >= types_.size() || ToStringView((*this)[recent].type->type_key) != key) {
    int32_t type_index = find_type_key(key);
    if (type_index < 0) return false;
    recent = 0;
    while (recent < types_.size() && (*this)[recent].type_index != type_index) ++recent;
    if (recent == types_.size()) types_.push(describe_type(type_index));
  }
  *position = recent;
  return true;
}

}  // namespace tvm::ffi::runtime
