// SPDX-License-Identifier: Apache-2.0
// Texts that are never freed, because clients receive pointers to them.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstring>
#include <new>
#include <string_view>

namespace tvm::ffi::runtime {

/*! \brief View the bytes of a byte array, which the caller has checked with well_formed. */
inline std::string_view view_of(const TVMFFIByteArray& text) {
  return text.size == 0 ? std::string_view() : std::string_view(text.data, text.size);
}

/*! \brief Whether a borrowed byte array can be read: its data may be NULL only if it is empty. */
inline bool well_formed(const TVMFFIByteArray& text) {
  return text.data != nullptr || text.size == 0;
}

/*! \brief Make a permanent, NUL-terminated copy of a text; {NULL, 0} if empty. Throws
 * std::bad_alloc. */
inline TVMFFIByteArray keep_text(std::string_view text) {
  if (text.empty()) return {nullptr, 0};
  char* copy = static_cast<char*>(::operator new(text.size() + 1));
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return {copy, text.size()};
}

/*! \brief Free a text made by keep_text to which no client has a pointer. */
inline void drop_text(const TVMFFIByteArray& text) {
  ::operator delete(const_cast<char*>(text.data));
}

}  // namespace tvm::ffi::runtime
