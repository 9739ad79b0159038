// SPDX-License-Identifier: Apache-2.0
// The registered object allocator. The runtime only stores this allocator for clients, and does not
// use it to allocate objects.
#ifndef TVM_FFI_SRC_CORE_ALLOCATOR_H_
#define TVM_FFI_SRC_CORE_ALLOCATOR_H_

#include <tvm/ffi/c_api.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Return the installed allocator, or the default one. */
TVMFFICustomAllocator* custom_allocator();

/*!
 * \brief Install an allocator, which must live until the process ends. NULL installs the default
 * one.
 */
void set_custom_allocator(TVMFFICustomAllocator* allocator);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_ALLOCATOR_H_
