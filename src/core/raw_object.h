// SPDX-License-Identifier: Apache-2.0
// Objects that C functions make as plain structures: the header, then the cell.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/memory.h>

#include <cstdlib>
#include <type_traits>

namespace tvm::ffi::runtime {

/*!
 * \brief Allocate a structure that begins with a TVMFFIObject named `header`. The object has one
 * strong reference.
 * \param type_index its type.
 * \param deleter must free the memory with free_raw_object when called with the weak flag.
 * \param extra_bytes number of bytes allocated behind the structure.
 * \return NULL when there is no memory. Only the header is initialized.
 */
template <typename Raw>
Raw* make_raw_object(int32_t type_index, void (*deleter)(void* self, int flags),
                     size_t extra_bytes = 0) {
  static_assert(std::is_standard_layout<Raw>::value && std::is_trivial<Raw>::value,
                "the body is memory, not an object with a life of its own");
  if (extra_bytes > SIZE_MAX - sizeof(Raw)) return nullptr;
  Raw* raw = static_cast<Raw*>(std::malloc(sizeof(Raw) + extra_bytes));
  if (raw == nullptr) return nullptr;
  raw->header.combined_ref_count = (uint64_t{1} << 32) | 1;
  raw->header.type_index = type_index;
  raw->header.__padding = 0;
  raw->header.deleter = deleter;
  return raw;
}

inline void free_raw_object(void* raw) { std::free(raw); }

/*!
 * \brief Delete a structure that may hold the last reference to another object. Deleting a long
 * chain of these structures does not overflow the stack.
 * \tparam kDestroy the deleter of the structure.
 */
template <void (*kDestroy)(void* self, int flags)>
void delete_nested(void* self, int flags) {
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
    detail::DestroyNested(self, flags, kDestroy);
  } else {
    kDestroy(self, flags);
  }
}

}  // namespace tvm::ffi::runtime
