// SPDX-License-Identifier: Apache-2.0
// Reads the export table of a loaded library.
#if defined(_WIN32)

#include "core/windows_api.h"
#include "module/library_symbols.h"

namespace tvm::ffi::runtime {
namespace {

/*! \brief The export table of a mapped library. */
class ExportTable {
 public:
  explicit ExportTable(void* handle) : base_(static_cast<const char*>(handle)) {
    auto* dos = at<IMAGE_DOS_HEADER>(0);
    auto* headers = at<IMAGE_NT_HEADERS>(static_cast<DWORD>(dos->e_lfanew));
    const IMAGE_OPTIONAL_HEADER& optional = headers->OptionalHeader;
    if (optional.NumberOfRvaAndSizes <= IMAGE_DIRECTORY_ENTRY_EXPORT) return;
    directory_ = optional.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT];
    if (directory_.VirtualAddress == 0) return;
    table_ = at<IMAGE_EXPORT_DIRECTORY>(directory_.VirtualAddress);
    for (const IMAGE_SECTION_HEADER *section = IMAGE_FIRST_SECTION(headers),
                                    *end = section + headers->FileHeader.NumberOfSections;
         section != end; ++section) {
      if ((section->Characteristics & IMAGE_SCN_MEM_EXECUTE) != 0) code_.push_back(section);
    }
  }

  DWORD num_names() const { return table_ == nullptr ? 0 : table_->NumberOfNames; }

  const char* name(DWORD i) const { return base_ + at<DWORD>(table_->AddressOfNames)[i]; }

  /*! \brief Return the address of a named export; NULL when another library provides it. */
  const char* address(DWORD i) const {
    WORD position = at<WORD>(table_->AddressOfNameOrdinals)[i];
    DWORD offset = at<DWORD>(table_->AddressOfFunctions)[position];
    bool is_forwarded = offset - directory_.VirtualAddress < directory_.Size;
    return is_forwarded ? nullptr : base_ + offset;
  }

  bool is_code(const char* address) const {
    auto offset = static_cast<DWORD>(address - base_);
    for (const IMAGE_SECTION_HEADER* section : code_) {
      if (offset - section->VirtualAddress < section->Misc.VirtualSize) return true;
    }
    return false;
  }

 private:
  template <typename T>
  const T* at(DWORD offset) const {
    return reinterpret_cast<const T*>(base_ + offset);
  }

  const char* base_;
  const IMAGE_EXPORT_DIRECTORY* table_ = nullptr;
  IMAGE_DATA_DIRECTORY directory_{};
  std::vector<const IMAGE_SECTION_HEADER*> code_;
};

}  // namespace

std::optional<std::vector<std::string>> exported_functions(void* handle) {
  ExportTable table(handle);
  std::vector<std::string> names;
  for (DWORD i = 0; i < table.num_names(); ++i) {
    const char* address = table.address(i);
    if (address != nullptr && table.is_code(address)) names.emplace_back(table.name(i));
  }
  return names;
}

std::string exported_name_at(void* handle, const void* address) {
  ExportTable table(handle);
  for (DWORD i = 0; i < table.num_names(); ++i) {
    if (table.address(i) == address) return table.name(i);
  }
  return std::string();
}

}  // namespace tvm::ffi::runtime

#endif  // _WIN32
