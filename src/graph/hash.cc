// SPDX-License-Identifier: Apache-2.0
// Hash of values by content, consistent with recursive equality (graph/compare.cc).
#include "graph/hash.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/dataclass.h>

#include "graph/hash_walk.h"

namespace tvm::ffi {
namespace runtime {
namespace structural {
namespace {

struct RecursiveHashRules {
  static constexpr const char* kOperation = "RecursiveHash";
  static constexpr const char* kHook = "__ffi_hash__";
  static constexpr int64_t kSkippedFields =
      kTVMFFIFieldFlagBitMaskHashOff | kTVMFFIFieldFlagBitMaskCompareOff;
  static constexpr bool kIsRecursive = true;

  static const TVMFFITypeAttrColumn* hooks() {
    static const TVMFFITypeAttrColumn* const column = hook_column(kHook);
    return column;
  }

  static StructuralType type_of(int32_t type_index) {
    static const TVMFFITypeAttrColumn* const equal = hook_column("__ffi_eq__");
    static const TVMFFITypeAttrColumn* const compare = hook_column("__ffi_compare__");
    StructuralType type;
    type.has_hook = find_hook(hooks(), type_index) != nullptr;
    if (!type.has_hook &&
        (find_hook(equal, type_index) != nullptr || find_hook(compare, type_index) != nullptr)) {
      TVM_FFI_THROW(ValueError) << "RecursiveHash: type '" << TypeIndexToTypeKey(type_index)
                                << "' defines __ffi_eq__ or __ffi_compare__ but not __ffi_hash__. "
                                   "Add a __ffi_hash__ hook to maintain the invariant "
                                   "RecursiveEq(a,b) => RecursiveHash(a)==RecursiveHash(b).";
    }
    type.plan = &field_plan(type_index);
    type.key_hash = key_hash_of(type_index);
    type.kind = !type.has_hook && is_enum_type(type_index) ? kTVMFFISEqHashKindUniqueInstance
                                                           : kTVMFFISEqHashKindTreeNode;
    return type;
  }

  // Recursive equality, unlike structural equality, treats both zeros alike.
  TVM_FFI_INLINE static bool hash_leaf(const TVMFFIAny& value, uint64_t* hash) {
    if (value.type_index != kTVMFFIFloat || value.v_float64 != 0) {
      return structural::hash_leaf(value, hash);
    }
    *hash = combine(kTVMFFIFloat, 0);
    return true;
  }

  static uint64_t hash_tensor(const TVMFFIObject*, bool) { return key_hash_of(kTVMFFITensor); }

  static uint64_t hash_in_cycle(const TVMFFIObject* object) {
    return key_hash_of(object->type_index);
  }

  template <typename HashPart>
  static Any call_hook(const Function& hook, TVMFFIObject* object, uint64_t, DefRegion region,
                       const HashPart& hash_part) {
    Function callback = Function::FromTyped([hash_part, region](const Any& value) -> int64_t {
      return static_cast<int64_t>(hash_part(value, region));
    });
    return hook(view_of(object), callback);
  }
};

}  // namespace
}  // namespace structural

int64_t recursive_hash(const Any& value) {
  using structural::RecursiveHashRules;
  return static_cast<int64_t>(
      structural::hash_of<RecursiveHashRules>(value, kTVMFFIDefRegionKindNone, false));
}

}  // namespace runtime

int64_t RecursiveHash(const Any& value) { return runtime::recursive_hash(value); }

}  // namespace tvm::ffi
