// SPDX-License-Identifier: Apache-2.0
// Files on POSIX systems.
#if !defined(_WIN32)

#include <dirent.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "module/file_system.h"

namespace tvm::ffi::runtime {

FileKind kind_of_file(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return FileKind::kMissing;
  if (S_ISDIR(status.st_mode)) return FileKind::kDirectory;
  return S_ISREG(status.st_mode) ? FileKind::kRegular : FileKind::kOther;
}

bool is_broken_link(const std::string& path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode) &&
         stat(path.c_str(), &status) != 0;
}

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino)};
}

std::string real_path(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  std::string result = resolved == nullptr ? path : std::string(resolved);
  std::free(resolved);
  return result;
}

size_t last_separator(const std::string& path) { return path.rfind('/'); }

std::vector<std::string> names_in_directory(const std::string& path, int max_names) {
  std::vector<std::string> names;
  DIR* listing = opendir(path.c_str());
  if (listing == nullptr) return names;
  for (int i = 0; i < max_names; ++i) {
    const dirent* entry = readdir(listing);
    if (entry == nullptr) break;
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) {
      names.emplace_back(entry->d_name);
    }
  }
  closedir(listing);
  return names;
}

std::optional<std::vector<char>> first_bytes(const std::string& path, size_t size) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::vector<char> bytes(size);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

}  // namespace tvm::ffi::runtime

#endif  // !_WIN32
