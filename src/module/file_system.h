// SPDX-License-Identifier: Apache-2.0
// The questions that the module loader asks about files; one implementation per platform is
// compiled in. Paths are UTF-8 on Windows and bytes elsewhere.
#ifndef TVM_FFI_SRC_MODULE_FILE_SYSTEM_H_
#define TVM_FFI_SRC_MODULE_FILE_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Equal for two paths of one file. */
struct FileIdentity {
  uint64_t device = 0;
  uint64_t number = 0;
  bool operator==(const FileIdentity& other) const {
    return device == other.device && number == other.number;
  }
};

enum class FileKind { kMissing, kRegular, kDirectory, kOther };

/*! \brief What a path leads to, through links. */
FileKind kind_of_file(const std::string& path);

/*! \brief Whether a path is a link to a file that does not exist. */
bool is_broken_link(const std::string& path);

/*! \brief Identity of the file that a path leads to; nullopt when there is none. */
std::optional<FileIdentity> identity_of(const std::string& path);

/*! \brief The path without `.`, `..` and links; the path itself when there is no such file. */
std::string real_path(const std::string& path);

/*! \brief Position of the last separator of directories; npos when there is none. */
size_t last_separator(const std::string& path);

/*! \brief The names in a directory without `.` and `..`, not more than `max_names`. */
std::vector<std::string> names_in_directory(const std::string& path, int max_names);

/*! \brief The first bytes of a file, not more than `size`; nullopt when it cannot be read. */
std::optional<std::vector<char>> first_bytes(const std::string& path, size_t size);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_FILE_SYSTEM_H_
