// SPDX-License-Identifier: Apache-2.0
// Which file lies behind a library that is mapped, and which libraries have failed to load but
// cannot be unmapped.
#ifndef TVM_FFI_SRC_MODULE_MAPPED_FILES_H_
#define TVM_FFI_SRC_MODULE_MAPPED_FILES_H_

#include <tvm/ffi/error.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tvm {
namespace ffi {
namespace runtime {

// The dynamic linker compares names first: asked for a name that it knows, it returns the library
// that it has mapped under it, even when another file has that name by now. Libraries built without
// hidden visibility stay mapped after dlclose, and their initialisers do not run a second time. All
// functions are safe from any thread.

/*!
 * \brief Another spelling of a path when the library that is mapped under it is not the file that
 * has this name now, so that the dynamic linker opens that file; else the path itself.
 */
std::string path_for_linker(const std::string& path);

/*! \brief The error of the failed load that has left this path's library mapped, if there was one.
 */
std::optional<Error> error_of_failed_library(const std::string& linker_path);

/*!
 * \brief While alive, other threads wait with loading the same file, for some seconds.
 *
 * The dynamic linker would hand a library that another thread has initialised, and is about to
 * close because that failed, to this one as a loaded library. Loads inside of loads do not wait.
 */
class LoadTurn {
 public:
  explicit LoadTurn(const std::string& path);
  ~LoadTurn();
  LoadTurn(const LoadTurn&) = delete;
  LoadTurn& operator=(const LoadTurn&) = delete;

 private:
  /*! \brief Place in the table of loads, if there is one. */
  std::optional<uint64_t> number_;
};

/*! \brief Note which file was opened. \param handle what dlopen returned for it. */
void note_opened_file(void* handle, const std::string& linker_path);

/*!
 * \brief Close a library and forget what is known of it if that has unmapped it.
 * \param error the error with which its load has failed, remembered when it stays mapped.
 */
void close_library(void* handle, const std::string& linker_path, const std::optional<Error>& error);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_MAPPED_FILES_H_
