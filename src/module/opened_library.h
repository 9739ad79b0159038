// SPDX-License-Identifier: Apache-2.0
// A library that the dynamic linker has opened; one implementation per platform is compiled in.
#ifndef TVM_FFI_SRC_MODULE_OPENED_LIBRARY_H_
#define TVM_FFI_SRC_MODULE_OPENED_LIBRARY_H_

#include <tvm/ffi/error.h>

#include <memory>
#include <string>

#include "module/library.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Closes the library when it is destroyed. */
class OpenedLibrary : public Library {
 public:
  /*! \brief Note that the load has failed, before the library is closed. */
  virtual void note_failure(const Error& /*error*/) {}
  /*! \brief Note that the load has succeeded. \param origin what the library is a version of. */
  virtual void note_success(const std::string& /*origin*/) {}
};

/*!
 * \brief Open a library, which runs its initialisers. All its symbols are resolved, or it fails.
 * \param path the file, without NUL bytes.
 * \param origin what the library is a version of.
 * \throws Error LibraryNotFoundError when there is no such file, InternalError when the system
 * cannot load it.
 */
std::unique_ptr<OpenedLibrary> open_with_linker(const String& path, const std::string& origin);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_OPENED_LIBRARY_H_
