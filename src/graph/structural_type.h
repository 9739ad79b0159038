// SPDX-License-Identifier: Apache-2.0
// Shared parts of structural equality and structural hash: how a type is treated, definition
// regions, and error messages.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <cstdint>

#include "graph/leaf.h"
#include "graph/walk.h"

namespace tvm::ffi::runtime {

using DefRegion = TVMFFIDefRegionKind;
using SEqHashKind = TVMFFISEqHashKind;

/*! \brief How structural equality and hash treat a type. */
struct StructuralType {
  /*! \brief The structural kind, never kTVMFFISEqHashKindUnsupported. */
  SEqHashKind kind;
  /*! \brief Whether the type had a hook when it was looked up. */
  bool has_hook;
  uint64_t key_hash;
  const FieldPlan* plan;

  /*! \brief Whether the identity of objects of this type matters. */
  bool has_identity() const {
    return kind == kTVMFFISEqHashKindFreeVar || kind == kTVMFFISEqHashKindDAGNode;
  }
  /*! \brief Whether the objects are compared only by their fields. */
  bool is_plain_tree() const { return kind == kTVMFFISEqHashKindTreeNode && !has_hook; }
};

/*!
 * \brief Find out how a type is treated.
 * \param hook column of the hook that replaces the comparison of fields.
 * \throws Error TypeError when the type has no structural kind.
 */
StructuralType structural_type(const TVMFFITypeAttrColumn* hook, int32_t type_index);

/*! \brief Cache of the types that a walk has reached. */
class StructuralTypes {
 public:
  /*! \param look_up function that finds out how a type is treated. */
  explicit StructuralTypes(StructuralType (*look_up)(int32_t type_index)) : look_up_(look_up) {
    for (int32_t& known : type_index_) known = -1;
  }

  /*! \throws Error TypeError when the type has no structural kind. */
  const StructuralType& of(int32_t type_index) {
    size_t slot = static_cast<size_t>(type_index) % kNumKept;
    if (TVM_FFI_PREDICT_FALSE(type_index_[slot] != type_index)) {
      types_[slot] = look_up_(type_index);
      type_index_[slot] = type_index;
    }
    return types_[slot];
  }

 private:
  static constexpr size_t kNumKept = 8;

  StructuralType (*look_up_)(int32_t type_index);
  int32_t type_index_[kNumKept];
  StructuralType types_[kNumKept];
};

/*! \brief Return the definition region of a field, given the region of its object and the field's
 * flags. */
inline DefRegion region_of_field(DefRegion region, int64_t flags) {
  constexpr int64_t kOpening =
      kTVMFFIFieldFlagBitMaskSEqHashDefPattern | kTVMFFIFieldFlagBitMaskSEqHashDefSimple;
  // All fields of a pattern are parts of the pattern.
  if ((flags & kOpening) == 0 || region == kTVMFFIDefRegionKindPattern) return region;
  return (flags & kTVMFFIFieldFlagBitMaskSEqHashDefSimple) != 0 ? kTVMFFIDefRegionKindSimple
                                                                : kTVMFFIDefRegionKindPattern;
}

/*! \brief Return the definition region of the fields of an object that is in `region`. */
inline DefRegion region_of_fields(SEqHashKind kind, DefRegion region) {
  bool is_variable = kind == kTVMFFISEqHashKindFreeVar;
  // A simple definition defines only the variable, not the objects in its fields.
  return is_variable && region == kTVMFFIDefRegionKindSimple ? kTVMFFIDefRegionKindNone : region;
}

/*!
 * \brief Return the region for a region number that a hook passes; 0 means `region`.
 * \throws Error ValueError when there is no region with this number.
 */
DefRegion region_for_hook(DefRegion region, int64_t requested);

/*! \brief Throw ValueError `OPERATION: cyclic reference detected through type `KEY``. */
[[noreturn]] void throw_structural_cycle(const char* operation, int32_t type_index);

}  // namespace tvm::ffi::runtime
