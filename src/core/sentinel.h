// SPDX-License-Identifier: Apache-2.0
// Two objects that are recognized by their address.
#ifndef TVM_FFI_SRC_CORE_SENTINEL_H_
#define TVM_FFI_SRC_CORE_SENTINEL_H_

#include <tvm/ffi/object.h>

namespace tvm {
namespace ffi {
namespace runtime {

// Each function always returns the same object, which lives until the process ends.

/*! \brief Return the object that means "no value was given", as `ffi.GetInvalidObject` does. */
const ObjectRef& missing_object();
/*!
 * \brief Return the object that means "the next arguments are names and values of keyword
 * arguments", as `ffi.GetKwargsObject` does.
 */
const ObjectRef& kwargs_object();

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_SENTINEL_H_
