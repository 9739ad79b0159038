// SPDX-License-Identifier: Apache-2.0
// The registered object allocator. The runtime only stores this allocator for clients, and does not
// use it to allocate objects.
#pragma once

#include <tvm/ffi/c_api.h>

namespace tvm::ffi::runtime {

/*! \brief Return the installed allocator, or the default one. */
TVMFFICustomAllocator* custom_allocator();

/*! \brief Install an allocator, which must live until the process ends. NULL installs the default
 * one. */
void set_custom_allocator(TVMFFICustomAllocator* allocator);

}  // namespace tvm::ffi::runtime
