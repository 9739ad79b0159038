// SPDX-License-Identifier: Apache-2.0
// The files of mapped libraries, and the libraries that failed to load but cannot be unmapped. Not
// for Windows, which unmaps every library that is closed.
#pragma once

#include <tvm/ffi/error.h>

#include <optional>
#include <string>

namespace tvm::ffi::runtime {

// The dynamic linker compares names first: for a known name it returns the library that is mapped
// under the name, even if the name belongs to another file now. Libraries built without hidden
// visibility stay mapped after dlclose, and their initializers do not run a second time. All
// functions may be called from any thread.

/*! \brief A path with which the dynamic linker loads the intended file. */
class LinkerPath {
 public:
  /*!
   * \brief Choose the path for a load.
   *
   * The result is one of three paths:
   * - usually `path` itself;
   * - another spelling of `path` if the library that is mapped under `path` is another file, which
   *   had this name before;
   * - the path of a copy in memory if the file is mapped but its initializers must run again,
   *   because they failed, or because another version of the library (with the same origin) has
   *   replaced their registrations.
   * \param path the file.
   * \param origin the origin of the library.
   * \throws Error the error of the failed load, when the file cannot be copied.
   */
  LinkerPath(const std::string& path, const std::string& origin);
  ~LinkerPath();
  LinkerPath(const LinkerPath&) = delete;
  LinkerPath& operator=(const LinkerPath&) = delete;

  const std::string& text() const { return text_; }

  /*! \brief Record which file was opened. \param handle the result of dlopen for the path. */
  void note_opened(void* handle) const;

 private:
  /*! \brief Copy the file to memory, and set `text_` to the path of the copy. \return whether this
   * succeeded. */
  bool use_copy(const std::string& path);

  std::string text_;
  /*! \brief Whether the path belongs to a library that is mapped and already recorded. */
  bool is_known_ = false;
  /*! \brief File descriptor of the copy, until the library is mapped; -1 if there is no copy. */
  int copy_ = -1;
};

/*! \brief Record the file as the latest loaded version of the library with this origin. */
void note_version(const std::string& path, const std::string& origin,
                  const std::string& linker_path);

/*! \brief Return the recorded error of the library that is mapped under this path; nullopt if its
 * load did not fail. */
std::optional<Error> error_of_failed_library(const std::string& linker_path);

/*!
 * \brief Close a library. If this unmaps the library, remove its entries from the records.
 * \param handle the result of dlopen.
 * \param linker_path the path that was passed to dlopen.
 * \param error the error of its failed load, which is recorded if the library stays mapped.
 */
void close_library(void* handle, const std::string& linker_path, const std::optional<Error>& error);

}  // namespace tvm::ffi::runtime
