// SPDX-License-Identifier: Apache-2.0
// Reads the first bytes of a file, and lists the directory of a path, to explain why loading
// failed.
#include "module/library_file.h"

#if defined(__linux__)
#include <elf.h>
#include <link.h>
#endif

#include <cstring>
#include <optional>
#include <vector>

#include "core/nearest_name.h"
#include "module/file_system.h"

namespace tvm::ffi::runtime {

namespace {

#if defined(__linux__)

#if defined(__x86_64__)
constexpr int kOwnMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kOwnMachine = EM_AARCH64;
#else
constexpr int kOwnMachine = EM_NONE;  // unknown: the machine is not checked
#endif

std::string machine_name(int machine) {
  struct Entry {
    int machine;
    const char* name;
  };
  static constexpr Entry kEntries[] = {{EM_X86_64, "x86-64"},     {EM_AARCH64, "AArch64"},
                                       {EM_386, "x86 (32 bits)"}, {EM_ARM, "Arm"},
                                       {EM_RISCV, "RISC-V"},      {EM_PPC64, "PowerPC (64 bits)"},
                                       {EM_S390, "S/390"},        {EM_CUDA, "CUDA GPUs"}};
  for (const Entry& entry : kEntries) {
    if (entry.machine == machine) return entry.name;
  }
  return "machine " + std::to_string(machine);
}

std::string elf_reason(const std::vector<char>& head) {
  // The machine is at the same offset in both classes of ELF files.
  ElfW(Ehdr) header;
  if (head.size() < sizeof(header)) return "the file ends in its header";
  std::memcpy(&header, head.data(), sizeof(header));
  if (kOwnMachine != EM_NONE && header.e_machine != kOwnMachine) {
    return "the library was built for " + machine_name(header.e_machine) +
           ", and this process runs on " + machine_name(kOwnMachine);
  }
  if (header.e_type == ET_REL) return "it is an object file: link it into a shared library";
  if (header.e_type == ET_EXEC) return "it is a program, not a shared library";
  return "";
}

#else

std::string elf_reason(const std::vector<char>&) { return "it is an ELF file, as on Linux"; }

#endif

#if defined(_WIN32)
// Returns no reason, because the message of the system explains the error.
std::string windows_reason() { return ""; }
#else
std::string windows_reason() { return "it is a file for Windows"; }
#endif

bool begins_with(const std::vector<char>& head, const char* text) {
  size_t size = std::strlen(text);
  return head.size() >= size && std::memcmp(head.data(), text, size) == 0;
}

/*! \brief Return the first line of a text, shortened; empty for binary content. */
std::string first_words(const std::vector<char>& head) {
  constexpr size_t kMaxShown = 32;
  std::string shown;
  for (char c : head) {
    if (c == '\n' || c == '\r' || shown.size() == kMaxShown) break;
    if (c != '\t' && (c < ' ' || c > '~')) return "";
    shown += c;
  }
  return shown;
}

std::string content_reason(const std::vector<char>& head) {
  if (head.empty()) return "the file is empty";
  if (begins_with(head,
                  "\x7f"
                  "ELF"))
    return elf_reason(head);
  if (begins_with(head, "!<arch>")) return "it is a static library: link it into a shared one";
  if (begins_with(head, "MZ")) return windows_reason();
  if (begins_with(head, "PK\x03\x04")) return "it is a zip archive";
  if (begins_with(head, "\xcf\xfa\xed\xfe") || begins_with(head, "\xca\xfe\xba\xbe")) {
    return "it is a file for macOS";
  }
  std::string words = first_words(head);
  if (words.empty()) return "it is not a shared library";
  return "it is a text file, which begins with `" + words + "`";
}

bool exists(const std::string& path) { return kind_of_file(path) != FileKind::kMissing; }

/*! \brief Return the file in a directory that has the most similar name. */
std::string nearest_file(const std::string& directory, const std::string& name) {
  NearestName nearest(name);
  constexpr int kMaxFiles = 10000;
  std::vector<std::string> names = names_in_directory(directory, kMaxFiles);
  for (const std::string& offered : names) nearest.offer(offered);
  return nearest.found();
}

}  // namespace

std::string why_not_loadable(const std::string& path) {
  FileKind kind = kind_of_file(path);
  if (kind == FileKind::kMissing) return "";
  if (kind == FileKind::kDirectory) return "give the path of the library in it";
  if (kind != FileKind::kRegular) return "it is not a file";
  std::optional<std::vector<char>> head = first_bytes(path, 64);
  return head.has_value() ? content_reason(*head) : "";  // otherwise the linker explains the error
}

std::string missing_file_hint(const std::string& path) {
  size_t slash = last_separator(path);
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (slash == std::string::npos && exists(path)) {
    return "; a name without a directory is searched in the system's directories: for the file in "
           "the working directory pass ./" +
           path;
  }
  if (is_broken_link(path)) {
    return "; it is a link to a file that does not exist";
  }
  std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (!exists(directory)) return "; there is no directory " + directory;
  std::string similar = nearest_file(directory, name);
  if (similar.empty()) return "";
  return "; did you mean " + (slash == std::string::npos ? "./" : directory) + similar + "?";
}

}  // namespace tvm::ffi::runtime
