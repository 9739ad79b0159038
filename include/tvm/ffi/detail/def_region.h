// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/def_region.h
 * \brief Definition regions: the parts of an object where a traversal may bind the variables that
 * it finds.
 *
 * A Pattern region includes everything below an object; inside it, no other region can begin. A
 * Simple region ends at each variable: the variable itself is in the region, but the values of its
 * fields are not.
 *
 * Used by extra/structural_visit.h and extra/structural_mutate.h.
 */
#ifndef TVM_FFI_DETAIL_DEF_REGION_H_
#define TVM_FFI_DETAIL_DEF_REGION_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>

namespace tvm::ffi::detail {

/*! \brief Return the new region when a field or hook requests a region inside `current`. */
constexpr TVMFFIDefRegionKind EnterDefRegion(TVMFFIDefRegionKind current,
                                             TVMFFIDefRegionKind requested) {
  return current == kTVMFFIDefRegionKindPattern ? current : requested;
}

/*! \brief Return the region of the fields of an object with this structural kind, before the flags
 * of each field are applied. */
constexpr TVMFFIDefRegionKind DefRegionInside(TVMFFIDefRegionKind current, TVMFFISEqHashKind kind) {
  return current == kTVMFFIDefRegionKindSimple && kind == kTVMFFISEqHashKindFreeVar
             ? kTVMFFIDefRegionKindNone
             : current;
}

/*! \brief Return the region of a field with these flags; `inside` is the region for all fields of
 * the object. */
constexpr TVMFFIDefRegionKind DefRegionOfField(TVMFFIDefRegionKind inside, int64_t field_flags) {
  if ((field_flags & kTVMFFIFieldFlagBitMaskSEqHashDefPattern) != 0) {
    return kTVMFFIDefRegionKindPattern;
  }
  if ((field_flags & kTVMFFIFieldFlagBitMaskSEqHashDefSimple) != 0) {
    return EnterDefRegion(inside, kTVMFFIDefRegionKindSimple);
  }
  return inside;
}

/*! \brief Sets the current region of a traversal; the destructor restores the former region. */
class DefRegionScope {
 public:
  /*!
   * \param mode the region of the traversal; must outlive the scope.
   * \param inner the new region, as returned by EnterDefRegion.
   */
  DefRegionScope(TVMFFIDefRegionKind* mode, TVMFFIDefRegionKind inner) noexcept
      : mode_(mode), outer_(*mode) {
    *mode = inner;
  }
  ~DefRegionScope() { *mode_ = outer_; }
  DefRegionScope(const DefRegionScope&) = delete;
  DefRegionScope& operator=(const DefRegionScope&) = delete;

 private:
  TVMFFIDefRegionKind* mode_;
  TVMFFIDefRegionKind outer_;
};

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_DEF_REGION_H_
