// SPDX-License-Identifier: Apache-2.0
// Shared libraries opened through the loader of Windows.
#if defined(_WIN32)

#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/windows_api.h"
#include "module/file_system.h"
#include "module/library_file.h"
#include "module/library_symbols.h"
#include "module/opened_library.h"

namespace tvm::ffi::runtime {
namespace {

/*! \brief Return the text of a Windows error in one line. */
std::string system_message(DWORD code) {
  constexpr DWORD kFlags =
      FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK;
  wchar_t buffer[512];
  DWORD size = FormatMessageW(kFlags, nullptr, code, 0, buffer, 512, nullptr);
  std::string text = utf8_of(std::wstring(buffer, size));
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  std::string number = "Windows error " + std::to_string(code);
  return text.empty() ? number : text + " (" + number + ")";
}

/*! \brief Make a path that does not depend on the working directory. A name without a directory is
 * unchanged. */
std::wstring loader_path(const std::string& path) {
  std::wstring wide = utf16_of(path);
  if (wide.empty()) {
    TVM_FFI_THROW(ValueError) << "The path of a library is not valid UTF-8, or is empty";
  }
  if (last_separator(path) == std::string::npos) return wide;
  std::wstring full(GetFullPathNameW(wide.c_str(), 0, nullptr, nullptr), L'\0');
  if (full.empty()) return wide;
  full.resize(
      GetFullPathNameW(wide.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
  return full;
}

/*! \brief Prevents, during its lifetime, that Windows shows a dialog about a file that it cannot
 * load. */
class QuietErrors {
 public:
  QuietErrors() { SetThreadErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX, &former_); }
  ~QuietErrors() { SetThreadErrorMode(former_, nullptr); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  DWORD former_ = 0;
};

/*! \brief Throw the error of Windows about a library that it cannot open. */
[[noreturn]] void throw_loader_error(const std::string& path, DWORD code) {
  std::string message = system_message(code);
  if (code == ERROR_MOD_NOT_FOUND || code == ERROR_PATH_NOT_FOUND || code == ERROR_FILE_NOT_FOUND) {
    if (kind_of_file(path) == FileKind::kMissing || last_separator(path) == std::string::npos) {
      TVM_FFI_THROW(LibraryNotFoundError) << "Failed to load dynamic shared library " << path
                                          << ": " << message << missing_file_hint(path);
    }
  }
  std::string reason = why_not_loadable(path);
  if (!reason.empty()) {
    message += "; " + reason;
  } else if (code == ERROR_MOD_NOT_FOUND) {
    message +=
        ". The library needs another one that was not found: load that one first, or put it into "
        "the same directory";
  } else if (code == ERROR_PROC_NOT_FOUND) {
    message += ". A library that it needs does not have a function that it uses";
  }
  TVM_FFI_THROW(InternalError) << "Failed to load dynamic shared library " << path << ": "
                               << message;
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return the handle of a loaded library, NULL if it is not loaded. Use the handle only to
 * compare it. */
HMODULE loaded_module(const std::wstring& path) {
  HMODULE module = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, path.c_str(), &module);
  return module;
}

/*! \brief Libraries that failed to load but stay loaded, because something else uses them. Their
 * initializers do not run again, so another load fails with the same error. */
struct FailedLibraries {
  std::mutex mutex;
  std::unordered_map<HMODULE, Error> errors;  // guarded by mutex
};

FailedLibraries& failed_libraries() {
  static auto* libraries = new FailedLibraries();  // never destroyed: libraries are closed at exit
  return *libraries;
}

class WindowsLibrary : public OpenedLibrary {
 public:
  explicit WindowsLibrary(const String& path)
      : path_(path), absolute_path_(real_path(path_)), loader_path_(loader_path(path_)) {
    HMODULE former = loaded_module(loader_path_);
    // Search as Python does: beside the library, then in the directories of os.add_dll_directory.
    DWORD flags = LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;
    if (last_separator(path_) != std::string::npos) flags |= LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR;
    {
      QuietErrors quiet;
      module_ = LoadLibraryExW(loader_path_.c_str(), nullptr, flags);
      if (module_ == nullptr) throw_loader_error(path_, GetLastError());
    }
    if (std::optional<Error> error = error_of_failed_load(former)) {
      FreeLibrary(module_);
      throw *std::move(error);
    }
  }

  ~WindowsLibrary() override {
    FreeLibrary(module_);
    std::optional<Error> former;  // declared before `lock`, so released after unlocking
    FailedLibraries& failed = failed_libraries();
    std::lock_guard<std::mutex> lock(failed.mutex);
    auto found = failed.errors.find(module_);
    if (load_error_.has_value() && loaded_module(loader_path_) == module_) {
      failed.errors.insert_or_assign(module_, *load_error_);
    } else if (found != failed.errors.end() && loaded_module(loader_path_) == nullptr) {
      former = std::move(found->second);
      failed.errors.erase(found);
    }
  }

  void note_failure(const Error& error) override {
    // `load_error_` may be kept until the process ends. So do not copy the extra context of the
    // error: it may contain a Python exception, which keeps stack frames alive.
    load_error_ = Error(error.kind(), error.message(), error.backtrace());
  }

  const void* handle() const override { return module_; }

  std::string name() const override { return path_; }

  std::string path() const override { return absolute_path_; }

  std::optional<std::vector<std::string>> functions() const override {
    return exported_functions(module_);
  }

  void* find(const std::string& symbol) override {
    return reinterpret_cast<void*>(GetProcAddress(module_, symbol.c_str()));
  }

  std::string symbol_at(void* address) const override { return exported_name_at(module_, address); }

 private:
  std::optional<Error> error_of_failed_load(HMODULE former) {
    std::optional<Error> stale;  // declared before `lock`, so released after unlocking
    FailedLibraries& failed = failed_libraries();
    std::lock_guard<std::mutex> lock(failed.mutex);
    auto found = failed.errors.find(module_);
    if (found == failed.errors.end()) return std::nullopt;
    if (former == module_) return found->second;
    stale = std::move(found->second);  // the error of another library that was at this address
    failed.errors.erase(found);
    return std::nullopt;
  }

  std::string path_;
  std::string absolute_path_;
  std::wstring loader_path_;
  HMODULE module_ = nullptr;
  std::optional<Error> load_error_;
};

}  // namespace

std::unique_ptr<OpenedLibrary> open_with_linker(const String& path, const std::string&) {
  return std::make_unique<WindowsLibrary>(path);
}

}  // namespace tvm::ffi::runtime

#endif  // _WIN32
