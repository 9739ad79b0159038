// SPDX-License-Identifier: Apache-2.0
// Two objects that mean something by their identity alone.
#ifndef TVM_FFI_SRC_CORE_SENTINEL_H_
#define TVM_FFI_SRC_CORE_SENTINEL_H_

#include <tvm/ffi/object.h>

namespace tvm {
namespace ffi {
namespace runtime {

// Process-wide and immortal; the same object at every call.

/*! \brief "No value was given": what `ffi.GetInvalidObject` returns. */
const ObjectRef& missing_object();
/*! \brief "Names and values follow": what `ffi.GetKwargsObject` returns. */
const ObjectRef& kwargs_object();

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_SENTINEL_H_
