// SPDX-License-Identifier: Apache-2.0
// The error slot of each thread, and how the library's own C functions raise into it.
#ifndef TVM_FFI_SRC_CORE_ERROR_SLOT_H_
#define TVM_FFI_SRC_CORE_ERROR_SLOT_H_

#include <tvm/ffi/c_api.h>

#include <exception>
#include <initializer_list>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "core/kept_text.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Put an owned error into this thread's slot; the one before is released afterwards (runs
 * foreign code). */
void error_slot_put_steal(TVMFFIObject* error);

/*! \brief Empty this thread's slot: the owned error or NULL. */
TVMFFIObject* error_slot_take();

/*!
 * \brief Make an error object; the caller owns it.
 * \throws std::bad_alloc
 *
 * The class Error calls the C function that calls this.
 */
TVMFFIObject* new_error(std::string kind, std::string message, std::string backtrace);

/*!
 * \brief Raise an error with a fresh backtrace.
 * \param kind class name.
 * \param parts concatenated to the message.
 * \return -1, so that a C function can write `return raise(...)`.
 * Does not throw; short of memory it raises the prepared error of raise_out_of_memory.
 */
int raise(std::string_view kind, std::initializer_list<std::string_view> parts);

/*! \brief The same with frames from `first_frame` (a return address) on, NULL: from the caller. */
int raise_from(std::string_view kind, std::initializer_list<std::string_view> parts,
               const void* first_frame);

/*! \brief ValueError about a parameter that is NULL but must not be. */
int raise_null(std::string_view parameter);

/*! \brief Raise an error that needs no memory: kind MemoryError, message `std::bad_alloc`. */
int raise_out_of_memory();

/*! \brief Raise what the current catch block has caught, by the rules of the call boundary. */
int raise_caught();

/*!
 * \brief Run the body of a C function, turning exceptions into raised errors.
 * \return the body's result, or -1.
 * Exceptions that are not a std::exception pass (a thread being cancelled throws one).
 */
template <typename Body>
int guarded(Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const std::exception&) {
    return raise_caught();
  }
}

/*! \brief Refuse a borrowed text that cannot be read: -1 with ValueError raised, else 0. */
inline int check_text(const TVMFFIByteArray* text, std::string_view parameter) {
  if (text == nullptr) return raise_null(parameter);
  if (well_formed(*text)) return 0;
  return raise("ValueError", {parameter, " has a size but its data is NULL"});
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_ERROR_SLOT_H_
