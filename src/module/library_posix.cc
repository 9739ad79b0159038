// SPDX-License-Identifier: Apache-2.0
// Shared libraries opened through the POSIX dynamic linker.
#if !defined(_WIN32)

#include <dlfcn.h>
#if defined(__GLIBC__)
#include <link.h>
#endif
#if defined(__GNUG__)
#include <cxxabi.h>
#endif

#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "module/file_system.h"
#include "module/library_extent.h"
#include "module/library_file.h"
#include "module/library_symbols.h"
#include "module/mapped_files.h"
#include "module/opened_library.h"

namespace tvm::ffi::runtime {
namespace {

/*! \brief Whether the environment requests that symbols are looked up at their first use. */
bool binds_lazily() {
  const char* value = std::getenv("TVM_FFI_LAZY_BINDING");
  return value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
}

/*! \brief Add the readable form to a C++ symbol in a message of the linker: `_Z1fi (f(int))`. */
std::string with_readable_symbol(std::string message) {
#if defined(__GNUG__)
  size_t begin = message.find("_Z");
  if (begin == std::string::npos) return message;
  size_t end = message.find_first_not_of(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$", begin);
  std::string symbol = message.substr(begin, end == std::string::npos ? end : end - begin);
  int status = 0;
  char* readable = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  if (readable != nullptr)
    message.insert(begin + symbol.size(), std::string(" (") + readable + ")");
  std::free(readable);
#endif
  return message;
}

/*! \brief Return `separator` + `text`; nothing for an empty text. */
std::string joined(const char* separator, const std::string& text) {
  return text.empty() ? text : separator + text;
}

/*! \brief Throw the dynamic linker's error about a library that it cannot open. */
[[noreturn]] void throw_linker_error(const std::string& path, const std::string& linker_path) {
  const char* text = dlerror();
  std::string message = text == nullptr ? "unknown error" : text;
  std::string head = linker_path + ": ";
  bool names_path = message.compare(0, head.size(), head) == 0;
  if (names_path) message.erase(0, head.size());
  // For a name without a slash, the linker searches some directories, but not the working
  // directory.
  bool is_searched = path.find('/') == std::string::npos;
  bool is_missing = is_searched ? names_path : kind_of_file(path) == FileKind::kMissing;
  bool is_not_found = message.find("No such file") != std::string::npos ||
                      message.find("Not a directory") != std::string::npos;
  if (is_missing && is_not_found) {
    TVM_FFI_THROW(LibraryNotFoundError) << "Failed to load dynamic shared library " << path << ": "
                                        << message << missing_file_hint(path);
  }
  if (message.find("undefined symbol") != std::string::npos) {
    message =
        with_readable_symbol(message) +
        ". Link the library that defines it, or set TVM_FFI_LAZY_BINDING=1 if it is never used";
  } else if (is_not_found && !names_path) {
    message +=
        ". The library needs that one: load it first, or add its directory to the rpath or to "
        "LD_LIBRARY_PATH";
  } else {
    std::string reason = why_not_loadable(path);
    // For a file of another architecture, glibc reports that the file does not exist. Replace this
    // message by the reason.
    message = is_not_found && !reason.empty() ? reason : message + joined("; ", reason);
  }
  TVM_FFI_THROW(InternalError) << "Failed to load dynamic shared library " << path << ": "
                               << message;
  TVM_FFI_UNREACHABLE();
}

class PosixLibrary : public OpenedLibrary {
 public:
  PosixLibrary(const String& path, const std::string& origin)
      : path_(path), absolute_path_(real_path(path_)) {
    if (is_truncated_library(path.c_str())) {
      TVM_FFI_THROW(InternalError)
          << "Failed to load dynamic shared library " << path << ": the file is truncated";
    }
    LinkerPath linker_path(path_, origin);
    linker_path_ = linker_path.text();
    // RTLD_NOW: a missing symbol is an error here; otherwise it would end the process at the first
    // call. RTLD_LOCAL: two modules may export the same names. dlopen runs the library's
    // initializers.
    int binding = binds_lazily() ? RTLD_LAZY : RTLD_NOW;
    lib_handle_ = dlopen(linker_path_.c_str(), binding | RTLD_LOCAL);
    if (lib_handle_ == nullptr) throw_linker_error(path_, linker_path_);
    if (std::optional<Error> error = error_of_failed_library(linker_path_)) {
      // Another thread has failed to load this library since `linker_path` was made.
      dlclose(lib_handle_);
      throw *error;
    }
    linker_path.note_opened(lib_handle_);
  }

  ~PosixLibrary() override { close_library(lib_handle_, linker_path_, load_error_); }

  void note_failure(const Error& error) override {
    // `load_error_` may be kept until the process ends. So do not copy the extra context of the
    // error: it may contain a Python exception, which keeps stack frames alive.
    load_error_ = Error(error.kind(), error.message(), error.backtrace());
  }

  void note_success(const std::string& origin) override {
    note_version(path_, origin, linker_path_);
  }

  const void* handle() const override { return lib_handle_; }

  std::string name() const override { return path_; }

  std::string path() const override { return absolute_path_; }

  std::optional<std::vector<std::string>> functions() const override {
    return exported_functions(lib_handle_);
  }

  void* find(const std::string& symbol) override { return dlsym(lib_handle_, symbol.c_str()); }

  size_t size_of([[maybe_unused]] void* address) const override {
#if defined(__GLIBC__)
    Dl_info info;
    void* entry = nullptr;
    if (dladdr1(address, &info, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr) return 0;
    return info.dli_saddr == address ? static_cast<const ElfW(Sym)*>(entry)->st_size : 0;
#else
    return 0;
#endif
  }

  std::string symbol_at(void* address) const override {
    Dl_info info;
    bool is_found = dladdr(address, &info) != 0 && info.dli_saddr == address;
    return is_found && info.dli_sname != nullptr ? info.dli_sname : std::string();
  }

 private:
  std::string path_;
  std::string absolute_path_;
  /*! \brief The path that was passed to the linker. */
  std::string linker_path_;
  void* lib_handle_ = nullptr;
  std::optional<Error> load_error_;
};

}  // namespace

std::unique_ptr<OpenedLibrary> open_with_linker(const String& path, const std::string& origin) {
  return std::make_unique<PosixLibrary>(path, origin);
}

}  // namespace tvm::ffi::runtime

#endif  // !_WIN32
