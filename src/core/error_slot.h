// SPDX-License-Identifier: Apache-2.0
// The error slot of each thread, and the functions with which C functions of the runtime raise
// errors. In this file, "raise an error" means: put it into the error slot, without throwing.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/exception.h>

#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "core/kept_text.h"

namespace tvm::ffi::runtime {

/*! \brief Put an owned error into this thread's slot, then release the former error (runs foreign
 * code). */
void error_slot_put_steal(TVMFFIObject* error);

/*! \brief Empty this thread's slot. \return the error, which the caller then owns, or NULL. */
TVMFFIObject* error_slot_take();

/*!
 * \brief Make an error object; the caller owns it.
 * \throws std::bad_alloc
 *
 * The implementation cannot use the class Error, whose constructor calls a C function that calls
 * this function.
 * \param by_library whether this library made the message (see take_raise_site). Language bindings
 * translate only such messages. They recognize the error by its `update_backtrace`.
 */
TVMFFIObject* new_error(std::string kind, std::string message, std::string backtrace,
                        bool by_library);

/*!
 * \brief Note the file of the code that captures a backtrace, which is about to make an error.
 * \param file the file, or NULL if the code does not tell it.
 */
void note_raise_site(const char* file);

/*! \brief Return whether the file that this thread has noted belongs to this library: to its
 * headers, in whichever library they are compiled, or to its sources. Then forget the file. */
bool take_raise_site();

/*! \brief Mark an error like `origin`, whose text it repeats (see new_error); return the error. */
Error with_origin(Error error, const Error& origin);

/*!
 * \brief Raise an error with a new backtrace.
 * \param kind class name.
 * \param parts the message, in parts that are concatenated.
 * \return -1, so that a C function can write `return raise(...)`.
 *
 * Does not throw. If memory runs out, the function raises the error of raise_out_of_memory instead.
 */
int raise(std::string_view kind, std::initializer_list<std::string_view> parts);

/*! \brief Raise an error as raise does. The backtrace begins at the return address `first_frame`,
 * or at the caller if `first_frame` is NULL. For `by_library`, see new_error. */
int raise_from(std::string_view kind, std::initializer_list<std::string_view> parts,
               const void* first_frame, bool by_library = true);

/*! \brief Raise a ValueError that says that a parameter must not be NULL. */
int raise_null(std::string_view parameter);

/*! \brief Raise an error without allocating memory: kind MemoryError, message `std::bad_alloc`. */
int raise_out_of_memory();

/*! \brief Raise the exception of the current catch block, converted by the rules of the call
 * boundary. */
int raise_caught();

/*!
 * \brief Run the body of a C function, and convert exceptions to raised errors.
 * \return the body's result, or -1.
 *
 * An exception that is not a std::exception propagates (cancelling a thread throws one).
 */
template <typename Body>
int guarded(Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const std::exception&) {
    return raise_caught();
  }
}

/*! \brief Check that a borrowed text can be read. \return 0, or -1 with a ValueError raised. */
inline int check_text(const TVMFFIByteArray* text, std::string_view parameter) {
  if (text == nullptr) return raise_null(parameter);
  if (well_formed(*text)) return 0;
  return raise("ValueError", {parameter, " has a size but its data is NULL"});
}

}  // namespace tvm::ffi::runtime
