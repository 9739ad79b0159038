// SPDX-License-Identifier: Apache-2.0
// The file of each library that is mapped, and the libraries that failed to load but cannot be
// unmapped. Not on Windows, which unmaps every library that is closed.
#ifndef TVM_FFI_SRC_MODULE_MAPPED_FILES_H_
#define TVM_FFI_SRC_MODULE_MAPPED_FILES_H_

#include <tvm/ffi/error.h>

#include <optional>
#include <string>

namespace tvm {
namespace ffi {
namespace runtime {

// The dynamic linker compares names first: asked for a name that it knows, it returns the library
// that it has mapped under it, even when another file has that name by now. Libraries built without
// hidden visibility stay mapped after dlclose, and their initialisers do not run a second time. All
// functions are safe from any thread.

/*! \brief The path with which the dynamic linker loads a file as wanted. */
class LinkerPath {
 public:
  /*!
   * \brief Choose the path for a load.
   *
   * The path itself, as a rule. Another spelling of it when the library that is mapped under it is
   * another file, which had this name before. A copy in memory when the file is mapped and its
   * initialisers have to run once more: because they failed, or because another version of the
   * library (one of the same origin) has replaced what they registered.
   * \param path the file.
   * \param origin what the library is a version of.
   * \throws Error that of the failed load, when the file cannot be copied.
   */
  LinkerPath(const std::string& path, const std::string& origin);
  ~LinkerPath();
  LinkerPath(const LinkerPath&) = delete;
  LinkerPath& operator=(const LinkerPath&) = delete;

  const std::string& text() const { return text_; }

  /*! \brief Note which file was opened. \param handle what dlopen has returned for the path. */
  void note_opened(void* handle) const;

 private:
  /*! \brief Copy the file. \return whether that worked. */
  bool use_copy(const std::string& path);

  std::string text_;
  /*! \brief The path is that of a library that is mapped and known. */
  bool is_known_ = false;
  /*! \brief The copy, until the library is mapped; -1 when there is none. */
  int copy_ = -1;
};

/*! \brief Note that a file is the version of its origin that was loaded last. */
void note_version(const std::string& path, const std::string& origin,
                  const std::string& linker_path);

/*! \brief The error of the failed load that has left this path's library mapped, if there was one.
 */
std::optional<Error> error_of_failed_library(const std::string& linker_path);

/*!
 * \brief Close a library, and remove its entries if that has unmapped it.
 * \param error the error with which its load has failed, remembered when it stays mapped.
 */
void close_library(void* handle, const std::string& linker_path, const std::optional<Error>& error);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_MAPPED_FILES_H_
