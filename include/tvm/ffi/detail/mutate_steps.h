// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/mutate_steps.h
 * \brief What a mutation is made of: the functions of mutators, steps and their results.
 *
 * Serves extra/structural_mutate.h; what is declared here is defined in detail/mutate_walk.h.
 */
#ifndef TVM_FFI_DETAIL_MUTATE_STEPS_H_
#define TVM_FFI_DETAIL_MUTATE_STEPS_H_

#include <tvm/ffi/any.h>

#include <cstdint>

namespace tvm {
namespace ffi {

class StructuralMutatorObj;

/*! \brief Whether a mutation may change the value itself instead of a copy. */
enum class InplaceMode : int32_t {
  /*! \brief The value stays as it is. */
  kDisallow = 0,
  /*! \brief The caller vouches that nobody else may see the value. */
  kAllow = 1
};

/*! \brief A plain function that mutates a value: an owned new value, the marker, or an Error. */
using FStructuralMutateABI = TVMFFIAny (*)(StructuralMutatorObj*, AnyView) noexcept;
/*! \brief A plain function that looks a variable up: what replaces it, None, or an Error. */
using FStructuralVarRemapGet = TVMFFIAny (*)(StructuralMutatorObj*, AnyView) noexcept;
/*! \brief A plain function that records what replaces a variable: None or an Error. */
using FStructuralVarRemapSet = TVMFFIAny (*)(StructuralMutatorObj*, AnyView, AnyView) noexcept;

namespace detail {

/*! \brief What a mutation does at a value, None included. Each may be NULL. */
struct StructuralMutateSteps {
  /*!
   * \brief Before the parts of the value.
   * \param mode kAllow only for an object with one reference.
   * \param is_final set when the result is not to be looked into; false before the call.
   * \return an owned new value, the marker, or an Error to stop.
   */
  TVMFFIAny (*enter)(StructuralMutatorObj* mutator, AnyView value, InplaceMode mode,
                     bool* is_final) noexcept;
  /*! \brief After them, given what the value has become. */
  FStructuralMutateABI leave;
};

/*! \brief Mutate the parts of a value, by its type's hook or one by one, by the mutator: an owned
 * new value, the marker, or an Error. */
inline TVMFFIAny MutateParts(StructuralMutatorObj* mutator, AnyView value,
                             InplaceMode mode) noexcept;

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_MUTATE_STEPS_H_
