// SPDX-License-Identifier: Apache-2.0
// The names of the functions that a loaded library exports.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tvm::ffi::runtime {

/*!
 * \brief Return the names of the functions that a library exports, in the order of its symbol
 * table.
 * \param handle the result of dlopen, on Windows of LoadLibrary.
 * \return nullopt if the system does not provide the names.
 */
std::optional<std::vector<std::string>> exported_functions(void* handle);

#if defined(_WIN32)
/*! \brief Return the name under which a library exports an address; empty if it does not export the
 * address. */
std::string exported_name_at(void* handle, const void* address);
#endif

}  // namespace tvm::ffi::runtime
