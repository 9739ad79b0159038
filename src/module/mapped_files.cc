// SPDX-License-Identifier: Apache-2.0
// The table of mapped libraries.
#include "module/mapped_files.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <unordered_map>

#include "core/backtrace.h"
#include "core/load_scope.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  bool operator==(const FileIdentity& other) const {
    return device == other.device && number == other.number;
  }
};

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

struct MappedFile {
  FileIdentity identity;
  std::optional<Error> error;
};

/*! \brief By handle. The entry of a library that was unmapped by others may be stale; it is only
 * compared with files. */
struct MappedFiles {
  std::mutex mutex;
  /*! \brief Told when a load ends. */
  std::condition_variable load_ended;
  std::unordered_map<uint64_t, FileIdentity> loads;  // guarded by mutex
  uint64_t num_loads = 0;                            // guarded by mutex
  std::unordered_map<void*, MappedFile> by_handle;   // guarded by mutex
};

MappedFiles& mapped_files() {
  static auto* files = new MappedFiles();  // never destroyed: libraries are closed at exit
  return *files;
}

/*! \brief Handle of a library that is mapped under a name, NULL when there is none. The reference
 * is given back at once: the result is for comparison. */
void* mapped_handle(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle;
}

/*! \brief Whether a library is mapped under the name that is known to be another file. */
bool is_other_file(const std::string& path, const FileIdentity& file) {
  void* handle = mapped_handle(path);
  if (handle == nullptr) return false;
  MappedFiles& files = mapped_files();
  std::lock_guard<std::mutex> lock(files.mutex);
  auto found = files.by_handle.find(handle);
  return found != files.by_handle.end() && !(found->second.identity == file);
}

}  // namespace

std::string path_for_linker(const std::string& path) {
  constexpr int kMostSpellings = 1000;
  size_t slash = path.rfind('/');
  std::optional<FileIdentity> file = identity_of(path);
  if (slash == std::string::npos || !file.has_value()) return path;
  std::string spelling = path;
  for (int i = 0; i < kMostSpellings && is_other_file(spelling, *file); ++i) {
    spelling.insert(slash + 1, "./");
  }
  return spelling;
}

LoadTurn::LoadTurn(const std::string& path) {
  // Inside of a load the thread holds the lock of the dynamic linker, for which the other one
  // waits.
  if (LoadScope::current() != nullptr) return;
  std::optional<FileIdentity> file = identity_of(path);
  if (!file.has_value()) return;
  MappedFiles& files = mapped_files();
  std::unique_lock<std::mutex> lock(files.mutex);
  auto is_free = [&]() {
    for (const auto& [number, identity] : files.loads) {
      if (identity == *file) return false;
    }
    return true;
  };
  // Not for ever: initialisers of libraries that others load may come here with the linker's lock.
  files.load_ended.wait_for(lock, std::chrono::seconds(10), is_free);
  number_ = ++files.num_loads;
  files.loads.emplace(*number_, *file);
}

LoadTurn::~LoadTurn() {
  if (!number_.has_value()) return;
  MappedFiles& files = mapped_files();
  {
    std::lock_guard<std::mutex> lock(files.mutex);
    files.loads.erase(*number_);
  }
  files.load_ended.notify_all();
}

std::optional<Error> error_of_failed_library(const std::string& linker_path) {
  void* handle = mapped_handle(linker_path);
  MappedFiles& files = mapped_files();
  std::lock_guard<std::mutex> lock(files.mutex);
  auto found = files.by_handle.find(handle);
  if (handle == nullptr || found == files.by_handle.end()) return std::nullopt;
  return found->second.error;
}

void note_opened_file(void* handle, const std::string& linker_path) {
  std::optional<FileIdentity> file = identity_of(linker_path);
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
  std::optional<Error> former;  // released after the lock
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

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
