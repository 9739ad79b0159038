// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/visit_steps.h
 * \brief What a traversal is made of: the functions of visitors, steps and their results.
 *
 * Serves extra/structural_visit.h; what is declared here is defined in detail/visit_parts.h.
 */
#ifndef TVM_FFI_DETAIL_VISIT_STEPS_H_
#define TVM_FFI_DETAIL_VISIT_STEPS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>

#include <exception>
#include <utility>

namespace tvm {
namespace ffi {

class StructuralVisitorObj;

namespace detail {
struct StructuralVisitorUnsafe;
}  // namespace detail

/*! \brief A plain function that visits a value: an owned None, VisitInterrupt or Error. */
using FStructuralVisitABI = TVMFFIAny (*)(StructuralVisitorObj*, AnyView) noexcept;

namespace detail {

/*! \brief What a traversal does at a value, which is never None. Both may be NULL. */
struct StructuralVisitSteps {
  /*! \brief Before the parts of the value: an owned None or Int 0 to go on to them, another Int to
   * pass over them, a VisitInterrupt or an Error to stop. */
  FStructuralVisitABI enter;
  /*! \brief After them: an owned VisitInterrupt or Error to stop, anything else to go on. */
  FStructuralVisitABI leave;
};

/*! \brief Visit the parts of a value, by its type's hook or one by one, by the visitor. */
inline TVMFFIAny VisitParts(StructuralVisitorObj* visitor, AnyView value) noexcept;
/*! \brief Visit the reflected fields of an object, not minding hooks. */
inline TVMFFIAny VisitReflectedFields(StructuralVisitorObj* visitor, const Object* object) noexcept;

/*! \brief The exception that is being handled, as an Error. */
inline Error CurrentExceptionAsError() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& exception) {
    return StdExceptionAsError(exception);
  } catch (...) {
    return Error("InternalError", "An exception that is no std::exception", "");
  }
}

/*! \brief Call `function`, which returns an owned value; what it throws becomes an Error value. */
template <typename F>
TVM_FFI_INLINE TVMFFIAny CallToOwned(F&& function) noexcept {
  try {
    return std::forward<F>(function)();
  } catch (...) {
    return AnyUnsafe::MoveAnyToTVMFFIAny(Any(CurrentExceptionAsError()));
  }
}

/*! \brief Whether the result of a step says that the parts are passed over. */
TVM_FFI_INLINE bool SkipsParts(const TVMFFIAny& result) {
  return result.type_index == TypeIndex::kTVMFFIInt && result.v_int64 != 0;
}

/*! \brief Whether an owned result of a visit ends the traversal. */
TVM_FFI_INLINE bool StopsVisit(const TVMFFIAny& result) {
  return result.type_index == TypeIndex::kTVMFFIVisitInterrupt ||
         result.type_index == TypeIndex::kTVMFFIError;
}

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_VISIT_STEPS_H_
