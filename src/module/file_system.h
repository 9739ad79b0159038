// SPDX-License-Identifier: Apache-2.0
// File queries of the module loader. The build compiles one implementation, for its platform. Paths
// are UTF-8 on Windows and bytes elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tvm::ffi::runtime {

enum class FileKind { kMissing, kRegular, kDirectory, kOther };

/*! \brief Return the kind of file at a path, following links. */
FileKind kind_of_file(const std::string& path);

/*! \brief Whether a path is a link to a file that does not exist. */
bool is_broken_link(const std::string& path);

#if !defined(_WIN32)
/*! \brief Identity of a file; two paths of the same file have equal identities. */
struct FileIdentity {
  uint64_t device = 0;
  uint64_t number = 0;
  bool operator==(const FileIdentity& other) const {
    return device == other.device && number == other.number;
  }
};

/*! \brief Return the identity of the file at a path, following links; nullopt if there is none. */
std::optional<FileIdentity> identity_of(const std::string& path);
#endif

/*! \brief Return the path without `.`, `..` and links; the unchanged path if there is no such
 * file. */
std::string real_path(const std::string& path);

/*! \brief Return the position of the last directory separator; npos if there is none. */
size_t last_separator(const std::string& path);

/*! \brief Return the names in a directory without `.` and `..`, at most `max_names`. */
std::vector<std::string> names_in_directory(const std::string& path, int max_names);

/*! \brief Return the first bytes of a file, at most `size`; nullopt if it cannot be read. */
std::optional<std::vector<char>> first_bytes(const std::string& path, size_t size);

}  // namespace tvm::ffi::runtime
