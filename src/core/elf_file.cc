// SPDX-License-Identifier: Apache-2.0
// Sections and symbols of an ELF file, read in small parts.
#include "core/elf_file.h"

#if defined(__linux__)

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace tvm::ffi::runtime {

namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

bool is_function_over(const Symbol& symbol, uint64_t address) {
  // The type is the low half of st_info in both ELF classes.
  int type = symbol.st_info & 0xf;
  return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF &&
         symbol.st_value <= address && address - symbol.st_value < symbol.st_size;
}

}  // namespace

ElfFile::ElfFile(const char* path) : file_(open(path, O_RDONLY | O_CLOEXEC)) {
  if (file_ >= 0) read_sections();
}

ElfFile::~ElfFile() {
  if (file_ >= 0) close(file_);
}

bool ElfFile::read_at(uint64_t offset, void* out, size_t size) const {
  return offset <= static_cast<uint64_t>(INT64_MAX) &&
         pread(file_, out, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

std::string ElfFile::text_at(const Range& range, uint64_t offset) const {
  if (offset >= range.size) return "";
  // Names of template instances can be long. The limit is for damaged files, in which the end of a
  // name may be missing.
  size_t limit = static_cast<size_t>(std::min<uint64_t>(range.size - offset, 4096));
  std::string text(limit, '\0');
  if (!read_at(range.offset + offset, text.data(), limit)) return "";
  size_t end = text.find('\0');
  if (end == std::string::npos) return "";
  text.resize(end);
  return text;
}

void ElfFile::read_sections() {
  Header header;
  if (!read_at(0, &header, sizeof(header)) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32) ||
      header.e_shentsize != sizeof(Section) || header.e_shnum == 0) {
    return;
  }
  std::vector<Section> sections(header.e_shnum);
  if (!read_at(header.e_shoff, sections.data(), sections.size() * sizeof(Section))) return;
  Range section_names;
  if (header.e_shstrndx < sections.size()) {
    section_names = {sections[header.e_shstrndx].sh_offset, sections[header.e_shstrndx].sh_size};
  }
  for (const Section& section : sections) {
    if (section.sh_type == SHT_SYMTAB && section.sh_link < sections.size()) {
      symbols_ = {section.sh_offset, section.sh_size};
      names_ = {sections[section.sh_link].sh_offset, sections[section.sh_link].sh_size};
    } else if (section.sh_type == SHT_PROGBITS && section.sh_flags == 0 &&
               text_at(section_names, section.sh_name) == ".debug_line") {
      has_line_table_ = true;
    }
  }
}

std::string ElfFile::function_at(uint64_t address) const {
  if (file_ < 0) return "";
  constexpr size_t kChunk = 512;
  std::vector<Symbol> chunk(kChunk);
  uint64_t count = symbols_.size / sizeof(Symbol);
  for (uint64_t at = 0; at < count; at += kChunk) {
    size_t here = static_cast<size_t>(std::min<uint64_t>(kChunk, count - at));
    if (!read_at(symbols_.offset + at * sizeof(Symbol), chunk.data(), here * sizeof(Symbol))) {
      return "";
    }
    for (size_t i = 0; i < here; ++i) {
      if (is_function_over(chunk[i], address)) return text_at(names_, chunk[i].st_name);
    }
  }
  return "";
}

}  // namespace tvm::ffi::runtime

#endif  // __linux__
