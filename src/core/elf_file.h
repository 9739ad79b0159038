// SPDX-License-Identifier: Apache-2.0
// Reads the symbol table of an ELF file, to find the names of functions that the dynamic linker
// does not know (static and hidden functions). The reader of line tables could also find these
// names, but that reader is optional at build time, and reads the whole file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tvm::ffi::runtime {

/*!
 * \brief An ELF file of this machine's class, opened for reading.
 *
 * The class reads the file and does not map it into memory: this process must not crash if another
 * process truncates the file. All content is validated. Methods throw only std::bad_alloc.
 */
class ElfFile {
 public:
  explicit ElfFile(const char* path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  /*! \brief Whether the file has line information. */
  bool has_line_table() const { return has_line_table_; }

  /*! \brief Return the name of the function at an address in the file (not in memory); "" if
   * unknown. */
  std::string function_at(uint64_t address) const;

 private:
  struct Range {
    uint64_t offset = 0;
    uint64_t size = 0;
  };

  bool read_at(uint64_t offset, void* out, size_t size) const;
  std::string text_at(const Range& range, uint64_t offset) const;
  void read_sections();

  int file_;
  Range symbols_;
  Range names_;
  bool has_line_table_ = false;
};

}  // namespace tvm::ffi::runtime
