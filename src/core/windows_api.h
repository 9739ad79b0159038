// SPDX-License-Identifier: Apache-2.0
// The Windows API without the macros that collide with other names, and conversions between its
// UTF-16 texts and UTF-8.
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#undef ERROR

#include <string>

namespace tvm::ffi::runtime {

/*! \brief Convert UTF-8 to UTF-16; return an empty text for an empty or invalid one. */
inline std::wstring utf16_of(const std::string& text) {
  int size = static_cast<int>(text.size());
  int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), size, nullptr, 0);
  std::wstring wide(static_cast<size_t>(length), L'\0');
  MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), size, wide.data(), length);
  return wide;
}

/*! \brief Convert UTF-16 to UTF-8; unpaired surrogates become U+FFFD. */
inline std::string utf8_of(const std::wstring& wide) {
  int length = static_cast<int>(wide.size());
  int size = WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, text.data(), size, nullptr, nullptr);
  return text;
}

}  // namespace tvm::ffi::runtime
