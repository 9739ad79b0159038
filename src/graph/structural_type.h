// SPDX-License-Identifier: Apache-2.0
// What structural equality and structural hash have in common: how a type takes part, definition
// regions, and the messages for what they refuse.
#ifndef TVM_FFI_SRC_GRAPH_STRUCTURAL_TYPE_H_
#define TVM_FFI_SRC_GRAPH_STRUCTURAL_TYPE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/function.h>

#include <cstdint>

#include "graph/leaf.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {

using DefRegion = TVMFFIDefRegionKind;
using SEqHashKind = TVMFFISEqHashKind;

/*! \brief How a type takes part. */
struct StructuralType {
  /*! \brief Never kTVMFFISEqHashKindUnsupported. */
  SEqHashKind kind;
  /*! \brief Whether the type had a hook when it was looked up. */
  bool has_hook;
  uint64_t key_hash;
  const FieldPlan* plan;

  /*! \brief Whether it matters which object of this type it is. */
  bool has_identity() const {
    return kind == kTVMFFISEqHashKindFreeVar || kind == kTVMFFISEqHashKindDAGNode;
  }
  /*! \brief Whether its objects consist only of their fields. */
  bool is_plain_tree() const { return kind == kTVMFFISEqHashKindTreeNode && !has_hook; }
};

/*!
 * \brief How a type takes part.
 * \param hook column of the hook that stands in for the fields.
 * \throws Error TypeError when it does not.
 */
StructuralType structural_type(const TVMFFITypeAttrColumn* hook, int32_t type_index);

/*! \brief Types that one walk has met. */
class StructuralTypes {
 public:
  /*! \param hook column of the hook that stands in for the fields. */
  explicit StructuralTypes(const TVMFFITypeAttrColumn* hook) : hook_(hook) {
    for (int32_t& known : type_index_) known = -1;
  }

  /*! \throws Error TypeError when the type does not take part. */
  const StructuralType& of(int32_t type_index) {
    size_t slot = static_cast<size_t>(type_index) % kNumKept;
    if (TVM_FFI_PREDICT_FALSE(type_index_[slot] != type_index)) {
      types_[slot] = structural_type(hook_, type_index);
      type_index_[slot] = type_index;
    }
    return types_[slot];
  }

 private:
  static constexpr size_t kNumKept = 8;

  const TVMFFITypeAttrColumn* hook_;
  int32_t type_index_[kNumKept];
  StructuralType types_[kNumKept];
};

/*! \brief Return the definition region of a field, from that of its object and its flags. */
inline DefRegion region_of_field(DefRegion region, int64_t flags) {
  constexpr int64_t kOpening =
      kTVMFFIFieldFlagBitMaskSEqHashDefPattern | kTVMFFIFieldFlagBitMaskSEqHashDefSimple;
  // All fields of a pattern are parts of the pattern.
  if ((flags & kOpening) == 0 || region == kTVMFFIDefRegionKindPattern) return region;
  return (flags & kTVMFFIFieldFlagBitMaskSEqHashDefSimple) != 0 ? kTVMFFIDefRegionKindSimple
                                                                : kTVMFFIDefRegionKindPattern;
}

/*! \brief The region of the fields of an object that stands in `region`. */
inline DefRegion region_of_fields(SEqHashKind kind, DefRegion region) {
  bool is_variable = kind == kTVMFFISEqHashKindFreeVar;
  // A simple definition is of the variable alone, not of what its fields refer to.
  return is_variable && region == kTVMFFIDefRegionKindSimple ? kTVMFFIDefRegionKindNone : region;
}

/*!
 * \brief The region that a hook asks for by number; 0 leaves it as it is.
 * \throws Error ValueError when there is no such region.
 */
DefRegion region_for_hook(DefRegion region, int64_t requested);

/*! \brief The hook of a type, owned. \throws Error TypeError when it is not a function. */
Function structural_hook(const TVMFFITypeAttrColumn* column, int32_t type_index);

/*! \brief Throws ValueError `OPERATION: cyclic reference detected through type `KEY``. */
[[noreturn]] void throw_structural_cycle(const char* operation, int32_t type_index);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_STRUCTURAL_TYPE_H_
