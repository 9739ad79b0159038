// SPDX-License-Identifier: Apache-2.0
// Finds names of code addresses through the dynamic linker, the ELF symbol table, and libbacktrace,
// which reads line tables, if the build found that library.
#include "core/frame_place.h"

#if !defined(_WIN32)

#include <dlfcn.h>
#if defined(__linux__)
#include <link.h>
#endif
#if TVM_FFI_HAVE_LIBBACKTRACE
#include <backtrace.h>
#endif

#include <mutex>

#include "core/elf_file.h"

namespace tvm::ffi::runtime {

namespace {

TVM_FFI_CONSTINIT Mutex line_mutex;

}  // namespace

Mutex& source_line_mutex() { return line_mutex; }

namespace {

#if TVM_FFI_HAVE_LIBBACKTRACE

struct LineSearch {
  FramePlace* place;
  bool found = false;
  bool out_of_memory = false;
};

int add_line(void* data, uintptr_t, const char* file, int line, const char* function) {
  auto* search = static_cast<LineSearch*>(data);
  if (file == nullptr || search->place->functions.size() >= 16) return 0;
  try {
    // libbacktrace calls add_line for the innermost function first.
    FrameFunction here{file, line, function == nullptr ? "" : function};
    search->place->functions.push_back(std::move(here));
    search->found = true;
  } catch (const std::exception&) {
    search->out_of_memory = true;
    return 1;
  }
  return 0;
}

void ignore_error(void*, const char*, int) {}

/*!
 * \brief Replace the only function of a place, whose source file is not known, by the functions
 * that libbacktrace finds, with their source lines.
 *
 * libbacktrace knows only object files that were loaded before its first use. For addresses in
 * other object files, this function does not change the place.
 */
void add_source_lines(uintptr_t address, FramePlace* place) {
  FramePlace lines;
  LineSearch search{&lines};
  {
    // libbacktrace is not thread-safe. Code that holds this lock never waits for a library load.
    std::lock_guard<Mutex> lock(line_mutex);
    static backtrace_state* const state = backtrace_create_state(nullptr, 0, ignore_error, nullptr);
    if (state == nullptr) return;
    backtrace_pcinfo(state, address, add_line, ignore_error, &search);
  }
  if (!search.found || search.out_of_memory) return;
  // Line tables may contain names that are not linkage names. So keep the linkage name that the
  // dynamic linker or the symbol table has given; it belongs to the outermost function.
  if (!place->functions[0].symbol.empty()) {
    lines.functions.back().symbol = place->functions[0].symbol;
  }
  place->functions = std::move(lines.functions);
}

#else

void add_source_lines(uintptr_t, FramePlace*) {}

#endif

#if defined(__linux__) && !defined(__GLIBC__)

/*! \brief The file that contains an address, and the difference between addresses in memory and in
 * the file. */
struct ObjectSearch {
  uintptr_t address;
  const char* name = nullptr;
  uintptr_t base = 0;
};

int compare_object(dl_phdr_info* object, size_t, void* data) {
  auto* search = static_cast<ObjectSearch*>(data);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) & segment = object->dlpi_phdr[i];
    uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || search->address - begin >= segment.p_memsz) continue;
    search->name = object->dlpi_name;
    search->base = object->dlpi_addr;
    return 1;
  }
  return 0;
}

#endif

}  // namespace

FramePlace locate_frame(uintptr_t address) {
  FramePlace place;
  place.functions.emplace_back();
  Dl_info info{};
#if defined(__linux__) && defined(__GLIBC__)
  link_map* object = nullptr;
  int found = dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&object),
                      RTLD_DL_LINKMAP);
  if (found == 0 || object == nullptr) return place;
  if (info.dli_fname != nullptr) place.object = info.dli_fname;
  if (info.dli_sname != nullptr) place.functions[0].symbol = info.dli_sname;
  // Open the main program through /proc, because the dynamic linker does not have its path, or only
  // a path relative to a former working directory.
  bool is_program = object->l_name == nullptr || object->l_name[0] == '\0';
  ElfFile file(is_program ? "/proc/self/exe" : object->l_name);
  if (info.dli_sname == nullptr) {
    place.functions[0].symbol = file.function_at(address - object->l_addr);
  }
  if (file.has_line_table()) add_source_lines(address, &place);
#else
  if (dladdr(reinterpret_cast<void*>(address), &info) == 0) return place;
  if (info.dli_fname != nullptr) place.object = info.dli_fname;
#if defined(__linux__)
  // The linker of musl knows exported functions only; the file has the names of all.
  ObjectSearch search{address};
  if (dl_iterate_phdr(compare_object, &search) != 0 && search.name != nullptr) {
    ElfFile file(search.name[0] == '\0' ? "/proc/self/exe" : search.name);
    place.functions[0].symbol = file.function_at(address - search.base);
  }
#endif
  if (place.functions[0].symbol.empty() && info.dli_sname != nullptr) {
    place.functions[0].symbol = info.dli_sname;
  }
  add_source_lines(address, &place);
#endif
  return place;
}

}  // namespace tvm::ffi::runtime

#endif  // !_WIN32
