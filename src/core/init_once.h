// SPDX-License-Identifier: Apache-2.0
// One-time initialization of process-wide handles that generated code stores.
#ifndef TVM_FFI_SRC_CORE_INIT_ONCE_H_
#define TVM_FFI_SRC_CORE_INIT_ONCE_H_

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Implements TVMFFIHandleInitOnce. The arguments must not be NULL. */
int init_handle_once(void** handle, int (*init)(void** result));

/*! \brief Implements TVMFFIHandleDeinitOnce. The arguments must not be NULL. */
int deinit_handle_once(void** handle, int (*deinit)(void* handle));

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_INIT_ONCE_H_
