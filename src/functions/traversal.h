// SPDX-License-Identifier: Apache-2.0
// Functions shared by the visitors and the mutators of language bindings (such as the Python
// extension).
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>

namespace tvm::ffi::runtime {

/*! \brief Return the mutable object of a StructuralVisitor or StructuralMutator. */
template <typename Traversal>
typename Traversal::ContainerType* writable(const Traversal& traversal) {
  return const_cast<typename Traversal::ContainerType*>(traversal.get());
}

/*!
 * \brief Call `callback()` in the definition region `kind`, a number of TVMFFIDefRegionKind.
 * \throws Error ValueError when there is no such region; the errors of the callback.
 */
template <typename Traversal>
Any with_def_region_kind(const Traversal& traversal, int64_t kind, const Function& callback) {
  if (kind < kTVMFFIDefRegionKindNone || kind > kTVMFFIDefRegionKindSimple) {
    TVM_FFI_THROW(ValueError) << kind << " is not a definition region kind";
  }
  return writable(traversal)->WithDefRegionKind(static_cast<TVMFFIDefRegionKind>(kind),
                                                [&]() -> Any { return callback(); });
}

/*! \brief Register a copy hook that raises TypeError. The runtime cannot copy a visitor or mutator,
 * because a derived class may have members that are not registered. */
template <typename TraversalObj>
void refuse_copies() {
  reflection::ObjectDef<TraversalObj>().def_type_attr(
      type_attr::kShallowCopy.name, [](const TraversalObj*) -> ObjectRef {
        TVM_FFI_THROW(TypeError) << "A `" << TraversalObj::_type_key << "` cannot be copied";
        TVM_FFI_UNREACHABLE();
      });
}

}  // namespace tvm::ffi::runtime
