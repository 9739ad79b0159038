// SPDX-License-Identifier: Apache-2.0
// The loaded library that holds an address; one implementation per platform is compiled in.
#ifndef TVM_FFI_SRC_CORE_LOADED_LIBRARY_H_
#define TVM_FFI_SRC_CORE_LOADED_LIBRARY_H_

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Base address of the library or program that holds an address; NULL when there is none. */
const void* library_base(const void* address) noexcept;

/*!
 * \brief Keep the library that holds an address loaded until the process ends.
 * \return false when that did not work.
 */
bool keep_library_loaded(const void* address) noexcept;

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_LOADED_LIBRARY_H_
