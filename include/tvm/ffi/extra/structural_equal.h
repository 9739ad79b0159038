// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/structural_equal.h
 * \brief Equality of values by structure, up to the names of variables that they define.
 *
 * How an object takes part is said by `_type_s_eq_hash_kind` of its class (TVMFFISEqHashKind) and
 * by the flags of its fields (SEqHashIgnore, SEqHashDefPattern, SEqHashDefSimple); the attribute
 * `__s_equal__` stands in for the fields. Walks on a stack of its own; may be called from any
 * thread; the values must not be changed meanwhile by another one.
 */
#ifndef TVM_FFI_EXTRA_STRUCTURAL_EQUAL_H_
#define TVM_FFI_EXTRA_STRUCTURAL_EQUAL_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/access_path.h>
#include <tvm/ffi/reflection/accessor.h>

namespace tvm {
namespace ffi {

/*! \brief Structural equality; as a function object with the default options. */
class StructuralEqual {
 public:
  /*!
   * \brief Whether two values are structurally equal.
   *
   * Values of different types are unequal, also `1` and `1.0`, an Array and a List. NaN equals NaN,
   * 0.0 does not equal -0.0. Mappings are equal whatever their order; their keys are looked up, not
   * compared. Variables are equal when they are the same object or were matched at their
   * definitions; DAG nodes when they are shared alike.
   * \param map_free_vars whether variables without definition may be matched with each other.
   * \param skip_tensor_content leave out the bytes of tensors.
   * \throws Error TypeError for types that take no part; ValueError for a reference cycle through
   *         both values and beyond 2^20 levels; InternalError for tensors that are not contiguous
   *         in CPU memory; what hooks and getters throw.
   */
  TVM_FFI_EXTRA_CXX_API static bool Equal(const Any& lhs, const Any& rhs,
                                          bool map_free_vars = false,
                                          bool skip_tensor_content = false);

  /*!
   * \brief Where two values differ first, in the order of traversal: elements come before length.
   * \return paths into the left and the right one; nullopt when they are equal.
   * \throws Error as Equal().
   */
  TVM_FFI_EXTRA_CXX_API static Optional<reflection::AccessPathPair> GetFirstMismatch(
      const Any& lhs, const Any& rhs, bool map_free_vars = false, bool skip_tensor_content = false);

  bool operator()(const Any& lhs, const Any& rhs) const { return Equal(lhs, rhs); }
};

namespace type_attr {

/*!
 * \brief `bool(self, other, compare)` in place of the comparison of fields.
 *
 * `compare(lhs, rhs, def_region_kind, field_name)` compares two parts. The kind is a number of
 * TVMFFIDefRegionKind, of which 0 leaves the region as it is; the name is for mismatch paths.
 */
inline constexpr reflection::AttrKey<TypedFunction<bool(
    const Object*, const Object*,
    const TypedFunction<bool(AnyView lhs, AnyView rhs, int def_region_kind, AnyView field_name)>&)>>
    kSEqual{"__s_equal__"};

}  // namespace type_attr
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_EXTRA_STRUCTURAL_EQUAL_H_
