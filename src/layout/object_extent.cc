// SPDX-License-Identifier: Apache-2.0
#include "layout/object_extent.h"

#include <tvm/ffi/object.h>

#include <algorithm>
#include <vector>

#include "core/type_table.h"

namespace tvm::ffi::runtime {
namespace {

int64_t round_up(int64_t x, int64_t alignment) {
  return (x + alignment - 1) / alignment * alignment;
}

// The memory of the objects of a type, computed from its reflection.
struct Extent {
  int64_t end = sizeof(TVMFFIObject);         // end of the last known member
  int64_t total_size = sizeof(TVMFFIObject);  // size of an object
  int64_t alignment = alignof(TVMFFIObject);
  // Whether some bytes belong neither to a known field nor to padding.
  bool has_hidden = false;
};

// Adds the members that one type of the inheritance chain declares.
void add_members(const TVMFFITypeInfo* type, Extent* extent) {
  std::vector<const TVMFFIFieldInfo*> fields;
  if (has_unknown_members(type)) extent->has_hidden = true;
  for (int32_t i = 0; i < type->num_fields; ++i) fields.push_back(&type->fields[i]);
  std::sort(fields.begin(), fields.end(), [](auto* a, auto* b) { return a->offset < b->offset; });
  int64_t at = extent->end;
  for (const TVMFFIFieldInfo* field : fields) {
    int64_t alignment = std::max<int64_t>(field->alignment, 1);
    // A member may lie in the padding of an ancestor, so compare its offset also with the size of
    // the ancestor.
    bool is_next = field->offset <= round_up(std::max(at, extent->total_size), alignment);
    if (!is_next) extent->has_hidden = true;
    at = std::max(at, field->offset + field->size);
    extent->alignment = std::max(extent->alignment, alignment);
  }
  extent->end = at;
  int64_t covered = round_up(std::max(at, extent->total_size), extent->alignment);
  int64_t registered = type->metadata == nullptr ? 0 : type->metadata->total_size;
  if (registered > covered) extent->has_hidden = true;
  extent->total_size = std::max(covered, registered);
}

}  // namespace

int64_t members_end(const TVMFFITypeInfo* type) {
  Extent extent;
  for (int32_t depth = 1; depth < type->type_depth; ++depth) {
    add_members(type->type_ancestors[depth], &extent);
  }
  if (type->type_depth > 0) add_members(type, &extent);
  bool is_builtin = type->type_index < kTVMFFIDynObjectBegin && type->type_depth > 0;
  bool is_told = type->num_fields > 0 || type->metadata != nullptr;
  if (extent.has_hidden || (is_builtin && !is_told)) return -1;
  return extent.end;
}

}  // namespace tvm::ffi::runtime
