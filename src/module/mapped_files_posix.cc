// SPDX-License-Identifier: Apache-2.0
// The table of mapped libraries.
#if !defined(_WIN32)

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include "module/mapped_files.h"
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/backtrace.h"
#include "module/file_system.h"

namespace tvm::ffi::runtime {
namespace {

struct MappedFile {
  FileIdentity identity;
  std::optional<Error> error;
};

/*! \brief A version of a library: its file, and the path that was passed to the linker. */
struct Version {
  FileIdentity file;
  std::string linker_path;
};

/*! \brief All recorded libraries. If other code has unmapped a library, its entry is outdated, so
 * the handle in an entry is only compared and never used. */
struct MappedFiles {
  std::mutex mutex;
  std::unordered_map<std::string, Version> versions;  // by origin; guarded by mutex
  std::unordered_map<void*, MappedFile> by_handle;    // guarded by mutex
};

MappedFiles& mapped_files() {
  static auto* files = new MappedFiles();  // never destroyed: libraries are closed at exit
  return *files;
}

/*! \brief Return the handle of the library that is mapped under a name, or NULL. The reference is
 * released immediately, so use the handle only to compare it. */
void* mapped_handle(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle;
}

/*! \brief Whether the library that is mapped under a name is known to be another file. */
bool is_other_file(const std::string& path, const FileIdentity& file) {
  void* handle = mapped_handle(path);
  if (handle == nullptr) return false;
  MappedFiles& files = mapped_files();
  std::lock_guard<std::mutex> lock(files.mutex);
  auto found = files.by_handle.find(handle);
  return found != files.by_handle.end() && !(found->second.identity == file);
}

/*! \brief Return a spelling of a path under which no other file is mapped. */
std::string spelling_of(const std::string& path, const FileIdentity& file) {
  constexpr int kMostSpellings = 1000;
  size_t slash = path.rfind('/');
  std::string spelling = path;
  for (int i = 0; slash != std::string::npos && i < kMostSpellings; ++i) {
    if (!is_other_file(spelling, file)) break;
    spelling.insert(slash + 1, "./");
  }
  return spelling;
}

#if defined(MFD_CLOEXEC)

/*! \brief Append the content of one file to another. */
bool copy_content(int from, int to) {
  std::vector<char> buffer(size_t{1} << 16);
  while (true) {
    ssize_t size = read(from, buffer.data(), buffer.size());
    if (size <= 0) return size == 0;
    for (ssize_t done = 0; done < size;) {
      ssize_t written = write(to, buffer.data() + done, static_cast<size_t>(size - done));
      if (written < 0) return false;
      done += written;
    }
  }
}

#endif

/*! \brief Return the latest loaded version of the library with this origin. */
std::optional<Version> last_version(const std::string& origin) {
  MappedFiles& files = mapped_files();
  std::lock_guard<std::mutex> lock(files.mutex);
  auto found = files.versions.find(origin);
  if (found == files.versions.end()) return std::nullopt;
  return found->second;
}

}  // namespace

LinkerPath::LinkerPath(const std::string& path, const std::string& origin) : text_(path) {
  std::optional<FileIdentity> file = identity_of(path);
  if (!file.has_value()) return;
  std::optional<Version> last = last_version(origin);
  bool is_last =
      last.has_value() && last->file == *file && mapped_handle(last->linker_path) != nullptr;
  if (is_last) {
    text_ = last->linker_path;
    is_known_ = true;
    return;
  }
  text_ = spelling_of(path, *file);
  if (mapped_handle(text_) == nullptr) return;
  std::optional<Error> error = error_of_failed_library(text_);
  if (!error.has_value() && !last.has_value()) return;
  if (!use_copy(path) && error.has_value()) {
    throw Error(error->kind(),
                error->message() +
                    "\n  The library failed to load before and cannot be unloaded, so that its "
                    "initialisers do not run again: rebuild it, or restart the process",
                error->backtrace());
  }
}

LinkerPath::~LinkerPath() {
  if (copy_ >= 0) close(copy_);
}

bool LinkerPath::use_copy(const std::string& path) {
#if defined(MFD_CLOEXEC)
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  copy_ = memfd_create("library", MFD_CLOEXEC);
  bool is_copied = copy_ >= 0 && copy_content(file, copy_);
  close(file);
  std::string copy_path = "/proc/self/fd/" + std::to_string(copy_);
  std::optional<FileIdentity> copy = identity_of(copy_path);
  if (!is_copied || !copy.has_value()) return false;
  text_ = spelling_of(copy_path, *copy);
  return true;
#else
  static_cast<void>(path);
  return false;
#endif
}

void note_version(const std::string& path, const std::string& origin,
                  const std::string& linker_path) {
  std::optional<FileIdentity> file = identity_of(path);
  if (!file.has_value()) return;
  MappedFiles& files = mapped_files();
  std::lock_guard<std::mutex> lock(files.mutex);
  files.versions[origin] = Version{*file, linker_path};
}

std::optional<Error> error_of_failed_library(const std::string& linker_path) {
  void* handle = mapped_handle(linker_path);
  MappedFiles& files = mapped_files();
  std::lock_guard<std::mutex> lock(files.mutex);
  auto found = files.by_handle.find(handle);
  if (handle == nullptr || found == files.by_handle.end()) return std::nullopt;
  return found->second.error;
}

void LinkerPath::note_opened(void* handle) const {
  if (is_known_) return;
  std::optional<FileIdentity> file = identity_of(text_);
  MappedFiles& files = mapped_files();
  std::lock_guard<std::mutex> lock(files.mutex);
  if (file.has_value()) {
    files.by_handle[handle] = MappedFile{*file, std::nullopt};
  } else {
    files.by_handle.erase(handle);
  }
}

void close_library(void* handle, const std::string& linker_path,
                   const std::optional<Error>& error) {
  dlclose(handle);
  forget_code_addresses();
  bool is_mapped = mapped_handle(linker_path) == handle;
  std::optional<Error> former;  // declared before `lock`, so released after unlocking
  MappedFiles& files = mapped_files();
  std::lock_guard<std::mutex> lock(files.mutex);
  auto found = files.by_handle.find(handle);
  if (found == files.by_handle.end()) return;
  if (!is_mapped) {
    former = std::move(found->second.error);
    files.by_handle.erase(found);
  } else if (error.has_value()) {
    found->second.error = error;
  }
}

}  // namespace tvm::ffi::runtime

#endif  // !_WIN32
