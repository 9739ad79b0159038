// SPDX-License-Identifier: Apache-2.0
// Files on Windows.
#if defined(_WIN32)

#include "core/windows_api.h"
#include "module/file_system.h"

namespace tvm::ffi::runtime {
namespace {

/*! \brief An open handle of a file or directory, which the destructor closes. */
class FileHandle {
 public:
  FileHandle(const std::string& path, DWORD access)
      : handle_(CreateFileW(utf16_of(path).c_str(), access,
                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                            OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr)) {}
  ~FileHandle() {
    if (is_open()) CloseHandle(handle_);
  }
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  bool is_open() const { return handle_ != INVALID_HANDLE_VALUE; }
  HANDLE get() const { return handle_; }

 private:
  HANDLE handle_;
};

}  // namespace

FileKind kind_of_file(const std::string& path) {
  FileHandle file(path, 0);
  BY_HANDLE_FILE_INFORMATION info;
  if (!file.is_open()) {
    // The file may exist without being accessible.
    DWORD attributes = GetFileAttributesW(utf16_of(path).c_str());
    bool is_missing = attributes == INVALID_FILE_ATTRIBUTES || is_broken_link(path);
    return is_missing ? FileKind::kMissing : FileKind::kOther;
  }
  if (!GetFileInformationByHandle(file.get(), &info)) return FileKind::kOther;
  bool is_directory = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  return is_directory ? FileKind::kDirectory : FileKind::kRegular;
}

bool is_broken_link(const std::string& path) {
  DWORD attributes = GetFileAttributesW(utf16_of(path).c_str());
  bool is_link =
      attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
  return is_link && !FileHandle(path, 0).is_open();
}

std::string real_path(const std::string& path) {
  FileHandle file(path, 0);
  if (!file.is_open()) return path;
  DWORD size = GetFinalPathNameByHandleW(file.get(), nullptr, 0, FILE_NAME_NORMALIZED);
  if (size == 0) return path;
  std::wstring wide(size, L'\0');
  size = GetFinalPathNameByHandleW(file.get(), wide.data(), size, FILE_NAME_NORMALIZED);
  if (size == 0 || size >= wide.size()) return path;
  wide.resize(size);
  // Convert `\\?\C:\...` to `C:\...`, and `\\?\UNC\host\...` to `\\host\...`.
  constexpr size_t kPrefixSize = 4;
  if (wide.compare(0, kPrefixSize, L"\\\\?\\") == 0) wide.erase(0, kPrefixSize);
  if (wide.compare(0, 4, L"UNC\\") == 0) wide.replace(0, 3, L"\\");
  return utf8_of(wide);
}

size_t last_separator(const std::string& path) { return path.find_last_of("/\\"); }

std::vector<std::string> names_in_directory(const std::string& path, int max_names) {
  std::vector<std::string> names;
  WIN32_FIND_DATAW entry;
  HANDLE search = FindFirstFileW(utf16_of(path + "/*").c_str(), &entry);
  if (search == INVALID_HANDLE_VALUE) return names;
  for (int i = 0; i < max_names; ++i) {
    std::string name = utf8_of(entry.cFileName);
    if (name != "." && name != "..") names.push_back(std::move(name));
    if (!FindNextFileW(search, &entry)) break;
  }
  FindClose(search);
  return names;
}

std::optional<std::vector<char>> first_bytes(const std::string& path, size_t size) {
  FileHandle file(path, GENERIC_READ);
  std::vector<char> bytes(size);
  DWORD done = 0;
  if (!file.is_open() ||
      !ReadFile(file.get(), bytes.data(), static_cast<DWORD>(size), &done, nullptr)) {
    return std::nullopt;
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace tvm::ffi::runtime

#endif  // _WIN32
