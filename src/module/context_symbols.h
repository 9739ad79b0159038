// SPDX-License-Identifier: Apache-2.0
// Context symbols: names with addresses. If a library exports a variable with such a name, the
// loader writes the address into the variable.
#ifndef TVM_FFI_SRC_MODULE_CONTEXT_SYMBOLS_H_
#define TVM_FFI_SRC_MODULE_CONTEXT_SYMBOLS_H_

#include <string>
#include <utility>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Return the current names and addresses in order of registration. */
std::vector<std::pair<std::string, void*>> context_symbols();

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_CONTEXT_SYMBOLS_H_
