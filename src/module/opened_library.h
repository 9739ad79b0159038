// SPDX-License-Identifier: Apache-2.0
// A library that the dynamic linker has opened. The build compiles one implementation, for its
// platform.
#pragma once

#include <tvm/ffi/error.h>

#include <memory>
#include <string>

#include "module/library.h"

namespace tvm::ffi::runtime {

/*! \brief A library that is closed when this object is destroyed. */
class OpenedLibrary : public Library {
 public:
  /*! \brief Return the system's handle of the library. */
  virtual const void* handle() const = 0;
  /*! \brief Record that the load has failed. Call this before closing the library. */
  virtual void note_failure(const Error& /*error*/) {}
  /*! \brief Record that the load has succeeded. \param origin the origin of the library. */
  virtual void note_success(const std::string& /*origin*/) {}
};

/*!
 * \brief Open a library, which runs its initializers, except the static-init blocks that the
 * current LoadScope defers. If a symbol cannot be resolved, this fails.
 * \param path the file, without NUL bytes.
 * \param origin the origin of the library.
 * \throws Error LibraryNotFoundError when there is no such file, InternalError when the system
 * cannot load it.
 */
std::unique_ptr<OpenedLibrary> open_with_linker(const String& path, const std::string& origin);

}  // namespace tvm::ffi::runtime
