// SPDX-License-Identifier: Apache-2.0
// Context symbols: names with addresses. If a library exports a variable with such a name, the
// loader writes the address into the variable.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tvm::ffi::runtime {

/*! \brief Return the current names and addresses in order of registration. */
std::vector<std::pair<std::string, void*>> context_symbols();

}  // namespace tvm::ffi::runtime
