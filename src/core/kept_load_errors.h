// SPDX-License-Identifier: Apache-2.0
// Errors of libraries that other code than this runtime has opened (ctypes.CDLL, an extension
// module of Python), so that no caller can receive the errors.
#pragma once

#include <tvm/ffi/error.h>

#include <optional>
#include <string>

#include "core/mutex.h"

namespace tvm::ffi::runtime {

/*! \brief Return the lock that guards the kept errors. */
Mutex& kept_load_errors_mutex();

/*! \brief Keep errors from now on. A language binding, which raises the errors later, has started.
 * Before, such an error ends the process: the program may not have reached `main`. */
void start_keeping_load_errors() noexcept;
bool keeps_load_errors() noexcept;

/*!
 * \brief Keep an error of a library, and the library itself.
 * \param code address in the library; NULL if the library is not known.
 * \param place the static-init block for messages, as `file:line`; may be empty.
 */
void keep_load_error(const void* code, const std::string& place, const Error& error);

/*! \brief Whether an error of the library at an address is kept. */
bool has_kept_load_error(const void* code);

/*! \brief Return the first kept error of a library. \param handle the system's handle. */
std::optional<Error> kept_load_error(const void* handle);

/*! \brief Return a text that begins with `; ` and continues a message about an unknown name: the
 * libraries that may lack the name, with their errors. Empty if no error is kept. */
std::string kept_load_errors_hint();

}  // namespace tvm::ffi::runtime
