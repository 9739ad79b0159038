// SPDX-License-Identifier: Apache-2.0
// Finds the loaded library at an address. The build compiles one implementation, for its platform.
#pragma once

#include <string>

namespace tvm::ffi::runtime {

/*! \brief Return the base address of the library or program at an address; NULL if there is
 * none. */
const void* library_base(const void* address) noexcept;

/*!
 * \brief Keep the library at an address loaded until the process ends.
 * \return the system's handle of the library; NULL when this failed.
 */
void* keep_library_loaded(const void* address) noexcept;

/*! \brief Return the path of the library or program at an address; empty if it is not known. */
std::string library_path(const void* address);

}  // namespace tvm::ffi::runtime
