// SPDX-License-Identifier: Apache-2.0
// Reads the dynamic symbol table of a loaded library. library_symbols_windows.cc does this on
// Windows.
#include "module/library_symbols.h"

#if defined(__GLIBC__)
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#endif

namespace tvm::ffi::runtime {

#if defined(__GLIBC__)

namespace {

// Addresses of tables in the mapped library; NULL if a table is missing.
struct DynamicTables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const uint32_t* gnu_hash = nullptr;
  const uint32_t* hash = nullptr;

  explicit DynamicTables(const link_map* map) {
    for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
      ElfW(Addr) address = entry->d_un.d_ptr;
      // On some platforms the linker does not relocate these entries, so the address is relative to
      // the beginning of the library.
      if (address < map->l_addr) address += map->l_addr;
      const void* table = reinterpret_cast<const void*>(address);
      switch (entry->d_tag) {
        case DT_SYMTAB:
          symbols = static_cast<const ElfW(Sym)*>(table);
          break;
        case DT_STRTAB:
          names = static_cast<const char*>(table);
          break;
        case DT_GNU_HASH:
          gnu_hash = static_cast<const uint32_t*>(table);
          break;
        case DT_HASH:
          hash = static_cast<const uint32_t*>(table);
          break;
        default:
          break;
      }
    }
  }

  // Number of entries of `symbols`, computed from the hash tables.
  size_t num_symbols() const {
    if (hash != nullptr) return hash[1];
    if (gnu_hash == nullptr) return 0;
    uint32_t num_buckets = gnu_hash[0], first_hashed = gnu_hash[1], num_bloom = gnu_hash[2];
    const uint32_t* buckets = gnu_hash + 4 + num_bloom * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    const uint32_t* chains = buckets + num_buckets;
    uint32_t last = 0;
    for (uint32_t i = 0; i < num_buckets; ++i) last = std::max(last, buckets[i]);
    if (last < first_hashed) return first_hashed;
    while ((chains[last - first_hashed] & 1) == 0) ++last;
    return last + 1;
  }
};

bool is_exported_function(const ElfW(Sym) & symbol) {
  return symbol.st_shndx != SHN_UNDEF && (symbol.st_info & 0xf) == STT_FUNC;
}

}  // namespace

std::optional<std::vector<std::string>> exported_functions(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return std::nullopt;
  DynamicTables tables(map);
  if (tables.symbols == nullptr || tables.names == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (size_t i = 0, n = tables.num_symbols(); i < n; ++i) {
    const ElfW(Sym) & symbol = tables.symbols[i];
    if (is_exported_function(symbol)) names.emplace_back(tables.names + symbol.st_name);
  }
  return names;
}

#elif !defined(_WIN32)

std::optional<std::vector<std::string>> exported_functions(void*) { return std::nullopt; }

#endif

}  // namespace tvm::ffi::runtime
