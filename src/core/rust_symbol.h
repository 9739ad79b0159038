// SPDX-License-Identifier: Apache-2.0
// Reads the linkage names that the Rust compiler gives to functions.
#pragma once

#include <string>
#include <string_view>

namespace tvm::ffi::runtime {

/*!
 * \brief Return the path of a Rust function without the hash of the compiler, for example
 * `prog::main::{{closure}}`. Return "" for other names, and for names of the newer form `_R...`.
 */
std::string rust_path(std::string_view symbol);

/*!
 * \brief Whether a function belongs to the crate tvm_ffi or to Rust's standard library.
 * \param symbol The linkage name.
 * \param file The source file, "" if it is unknown.
 */
bool is_rust_library_function(std::string_view symbol, std::string_view file);

}  // namespace tvm::ffi::runtime
