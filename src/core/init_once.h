// SPDX-License-Identifier: Apache-2.0
// One-time initialization of process-wide handles that generated code stores.
#pragma once

namespace tvm::ffi::runtime {

/*! \brief Implements TVMFFIHandleInitOnce. The arguments must not be NULL. */
int init_handle_once(void** handle, int (*init)(void** result));

/*! \brief Implements TVMFFIHandleDeinitOnce. The arguments must not be NULL. */
int deinit_handle_once(void** handle, int (*deinit)(void* handle));

}  // namespace tvm::ffi::runtime
