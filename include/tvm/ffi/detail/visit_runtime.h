// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/visit_runtime.h
 * \brief What structural_visit.h calls in the shared library: the walk over fields and containers.
 *
 * Serves extra/structural_visit.h. The functions come in a table whose address the global function
 * `ffi.StructuralVisitRuntime` gives, so that no symbol has to be exported for them.
 */
#ifndef TVM_FFI_DETAIL_VISIT_RUNTIME_H_
#define TVM_FFI_DETAIL_VISIT_RUNTIME_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/function.h>

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

/*! \brief Functions of the library; the order of the members is an ABI. */
struct StructuralVisitRuntime {
  /*!
   * \brief Take the steps at `root` and at everything below, depth first, on an own stack.
   *
   * An Error that stops the walk gets the objects that it was in appended to its context. Types
   * with a hook `__s_visit__` visit their parts by the visitor.
   */
  TVMFFIAny (*walk)(StructuralVisitorObj* visitor, AnyView root,
                    const StructuralVisitSteps* steps) noexcept;
  /*! \brief Visit the parts of a value, by its type's hook or one by one, by the visitor. */
  TVMFFIAny (*visit_parts)(StructuralVisitorObj* visitor, AnyView value) noexcept;
  /*! \brief Visit the reflected fields of an object, not minding hooks. */
  TVMFFIAny (*visit_fields)(StructuralVisitorObj* visitor, const Object* object) noexcept;
};

/*! \brief The table of the library. \throws Error RuntimeError when the library has none. */
inline const StructuralVisitRuntime& GetStructuralVisitRuntime() {
  static const auto* runtime = static_cast<const StructuralVisitRuntime*>(
      Function::GetGlobalRequired("ffi.StructuralVisitRuntime")().cast<void*>());
  return *runtime;
}

/*! \brief The exception that is being handled, as an Error. */
inline Error CurrentExceptionAsError() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& exception) {
    return Error("InternalError", exception.what(), "");
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

/*! \brief Whether an owned result of a visit ends the traversal. */
TVM_FFI_INLINE bool StopsVisit(const TVMFFIAny& result) {
  return result.type_index == TypeIndex::kTVMFFIVisitInterrupt ||
         result.type_index == TypeIndex::kTVMFFIError;
}

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_VISIT_RUNTIME_H_
