// SPDX-License-Identifier: Apache-2.0
// Compares the segments of an ELF file with its length.
#include "module/library_extent.h"

#if defined(__linux__)
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#endif

namespace tvm::ffi::runtime {

#if defined(__linux__)

namespace {

bool is_own_class(const ElfW(Ehdr) & header) {
  constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == kClass &&
         header.e_phentsize == sizeof(ElfW(Phdr));
}

}  // namespace

bool is_truncated_library(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return false;
  auto length = static_cast<uint64_t>(file.tellg());
  ElfW(Ehdr) header;
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(&header), sizeof(header)) || !is_own_class(header)) {
    return false;
  }
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof(segment))) return true;
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_offset > length || segment.p_filesz > length - segment.p_offset) return true;
  }
  return false;
}

#else

bool is_truncated_library(const char*) { return false; }

#endif

}  // namespace tvm::ffi::runtime
