// SPDX-License-Identifier: Apache-2.0
// Structural hash, consistent with structural equality (graph/structural_equal.cc). Clients write
// hash values to disk, so a change of any step here or in the walk would change their format.
#include <tvm/ffi/extra/structural_hash.h>

#include "graph/hash.h"
#include "graph/hash_walk.h"
#include "graph/structural_tensor.h"

namespace tvm::ffi {
namespace runtime {
namespace structural {
namespace {

struct StructuralHashRules {
  static constexpr const char* kOperation = "StructuralHash";
  static constexpr const char* kHook = "__s_hash__";
  static constexpr int64_t kSkippedFields = kTVMFFIFieldFlagBitMaskSEqHashIgnore;
  static constexpr bool kIsRecursive = false;

  static const TVMFFITypeAttrColumn* hooks() {
    static const TVMFFITypeAttrColumn* const column = hook_column(kHook);
    return column;
  }

  static StructuralType type_of(int32_t type_index) { return structural_type(hooks(), type_index); }

  TVM_FFI_INLINE static bool hash_leaf(const TVMFFIAny& value, uint64_t* hash) {
    return structural::hash_leaf(value, hash);
  }

  static uint64_t hash_tensor(const TVMFFIObject* object, bool skip_content) {
    return runtime::hash_tensor(key_hash_of(kTVMFFITensor), object, skip_content);
  }

  static uint64_t hash_in_cycle(const TVMFFIObject* object) {
    throw_structural_cycle(kOperation, object->type_index);
  }

  template <typename HashPart>
  static Any call_hook(const Function& hook, TVMFFIObject* object, uint64_t init_hash,
                       DefRegion region, const HashPart& hash_part) {
    Function callback = Function::FromTyped(
        [hash_part, region](const Any& value, int64_t init_hash, int64_t kind) -> int64_t {
          uint64_t hash = hash_part(value, region_for_hook(region, kind));
          return static_cast<int64_t>(combine(static_cast<uint64_t>(init_hash), hash));
        });
    return hook(view_of(object), static_cast<int64_t>(init_hash), callback);
  }
};

}  // namespace
}  // namespace structural

uint64_t structural_hash(const Any& value, bool map_free_vars, bool skip_tensor_content) {
  DefRegion region = map_free_vars ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone;
  return structural::hash_of<structural::StructuralHashRules>(value, region, skip_tensor_content);
}

}  // namespace runtime

uint64_t StructuralHash::Hash(const Any& value, bool map_free_vars, bool skip_tensor_content) {
  return runtime::structural_hash(value, map_free_vars, skip_tensor_content);
}

}  // namespace tvm::ffi
