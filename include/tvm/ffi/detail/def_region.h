// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/def_region.h
 * \brief Definition regions: where a traversal may bind the variables that it meets.
 *
 * A Pattern region reaches down to everything below and cannot be left from within. A Simple region
 * ends at each variable: what the variable itself consists of lies outside.
 *
 * Serves extra/structural_visit.h and extra/structural_mutate.h.
 */
#ifndef TVM_FFI_DETAIL_DEF_REGION_H_
#define TVM_FFI_DETAIL_DEF_REGION_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief The region that holds after `requested` was asked for inside `current`. */
constexpr TVMFFIDefRegionKind EnterDefRegion(TVMFFIDefRegionKind current,
                                             TVMFFIDefRegionKind requested) {
  return current == kTVMFFIDefRegionKindPattern ? current : requested;
}

/*! \brief The region of the fields of an object by its structural kind, before their own flags. */
constexpr TVMFFIDefRegionKind DefRegionInside(TVMFFIDefRegionKind current, TVMFFISEqHashKind kind) {
  return current == kTVMFFIDefRegionKindSimple && kind == kTVMFFISEqHashKindFreeVar
             ? kTVMFFIDefRegionKindNone
             : current;
}

/*! \brief The region of one field with these flags, inside that of all fields. */
constexpr TVMFFIDefRegionKind DefRegionOfField(TVMFFIDefRegionKind inside, int64_t field_flags) {
  if ((field_flags & kTVMFFIFieldFlagBitMaskSEqHashDefPattern) != 0) {
    return kTVMFFIDefRegionKindPattern;
  }
  if ((field_flags & kTVMFFIFieldFlagBitMaskSEqHashDefSimple) != 0) {
    return EnterDefRegion(inside, kTVMFFIDefRegionKindSimple);
  }
  return inside;
}

/*! \brief Sets the region of a traversal; the destructor restores the former region. */
class DefRegionScope {
 public:
  /*!
   * \param mode where the traversal keeps its region; must outlive the scope.
   * \param inner what it becomes; see EnterDefRegion for what may be asked for.
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

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_DEF_REGION_H_
