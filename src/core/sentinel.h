// SPDX-License-Identifier: Apache-2.0
// Two objects that are recognized by their address.
#pragma once

#include <tvm/ffi/object.h>

namespace tvm::ffi::runtime {

// Each function always returns the same object, which lives until the process ends.

/*! \brief Return the object that means "no value was given", as `ffi.GetInvalidObject` does. */
const ObjectRef& missing_object();
/*! \brief Return the object that means "the next arguments are names and values of keyword
 * arguments", as `ffi.GetKwargsObject` does. */
const ObjectRef& kwargs_object();

}  // namespace tvm::ffi::runtime
