// SPDX-License-Identifier: Apache-2.0
// The names of the functions that a loaded library exports.
#ifndef TVM_FFI_SRC_MODULE_LIBRARY_SYMBOLS_H_
#define TVM_FFI_SRC_MODULE_LIBRARY_SYMBOLS_H_

#include <optional>
#include <string>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief The names of the functions that a library exports, in the order of its symbol table.
 * \param handle what dlopen, on Windows LoadLibrary, has returned for the library.
 * \return nullopt where the system does not tell.
 */
std::optional<std::vector<std::string>> exported_functions(void* handle);

#if defined(_WIN32)
/*! \brief The name under which a library exports an address; empty when it does not. */
std::string exported_name_at(void* handle, const void* address);
#endif

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_LIBRARY_SYMBOLS_H_
