// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/structural_equal.h
 * \brief Structural equality of values, which ignores the names of variables that the values
 * define.
 *
 * `_type_s_eq_hash_kind` of a class (TVMFFISEqHashKind) and the flags of its fields (SEqHashIgnore,
 * SEqHashDefPattern, SEqHashDefSimple) determine how its objects are compared. The attribute
 * `__s_equal__` replaces the comparison of fields. The traversal uses an explicit stack. The
 * functions may be called from any thread, while no other thread changes the values.
 */
#ifndef TVM_FFI_EXTRA_STRUCTURAL_EQUAL_H_
#define TVM_FFI_EXTRA_STRUCTURAL_EQUAL_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/access_path.h>
#include <tvm/ffi/reflection/accessor.h>

namespace tvm::ffi {

/*! \brief Structural equality. An instance is a function object that uses the default options. */
class StructuralEqual {
 public:
  /*!
   * \brief Return whether two values are structurally equal.
   *
   * Values of different types are unequal, for example `1` and `1.0`, or an Array and a List. NaN
   * equals NaN, 0.0 does not equal -0.0. The order of mappings is ignored; their keys are looked
   * up, not compared. Variables are equal when they are the same object or were matched at their
   * definitions. DAG nodes are equal when both values share them in the same way.
   * \param map_free_vars whether variables without definition may be matched with each other.
   * \param skip_tensor_content whether to ignore the bytes of tensors.
   * \throws Error TypeError for types without structural equality; ValueError for a reference cycle
   *         through both values and beyond 2^20 levels; InternalError for tensors that are not
   *         contiguous in CPU memory; the exceptions of hooks and getters.
   */
  TVM_FFI_EXTRA_CXX_API static bool Equal(const Any& lhs, const Any& rhs,
                                          bool map_free_vars = false,
                                          bool skip_tensor_content = false);

  /*!
   * \brief Find the first difference of two values in the order of traversal. The elements of
   * containers are compared before the lengths.
   * \return paths into the left and the right value; nullopt when the values are equal.
   * \throws Error like Equal().
   */
  TVM_FFI_EXTRA_CXX_API static Optional<reflection::AccessPathPair> GetFirstMismatch(
      const Any& lhs, const Any& rhs, bool map_free_vars = false, bool skip_tensor_content = false);

  bool operator()(const Any& lhs, const Any& rhs) const { return Equal(lhs, rhs); }
};

namespace type_attr {

/*!
 * \brief The hook `bool(self, other, compare)`, which replaces the comparison of fields.
 *
 * `compare(lhs, rhs, def_region_kind, field_name)` compares two parts. `def_region_kind` is a
 * number of TVMFFIDefRegionKind; 0 keeps the current region. `field_name` is for mismatch paths.
 */
inline constexpr reflection::AttrKey<TypedFunction<bool(
    const Object*, const Object*,
    const TypedFunction<bool(AnyView lhs, AnyView rhs, int def_region_kind, AnyView field_name)>&)>>
    kSEqual{"__s_equal__"};

}  // namespace type_attr
}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_STRUCTURAL_EQUAL_H_
