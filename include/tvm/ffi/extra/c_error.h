/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file tvm/ffi/extra/c_error.h
 * \brief Read errors in C: kind, message, backtrace and cause of an error object.
 *
 * The terms of c_api.h apply. These functions are compiled into the program, so a program that uses
 * them needs no symbol beyond those of c_api.h, and works with every library of this ABI. They
 * accept NULL and objects that are not errors. Results are borrowed from the error.
 */
#ifndef TVM_FFI_EXTRA_C_ERROR_H_
#define TVM_FFI_EXTRA_C_ERROR_H_

#include <string.h>
#include <tvm/ffi/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/*! \brief Body of an error, borrowed; NULL if the object is not an error. */
static inline TVMFFIErrorCell* tvm_ffi_error_cell(TVMFFIObjectHandle error) {
  if (error == NULL || ((TVMFFIObject*)error)->type_index != kTVMFFIError) return NULL;
  return (TVMFFIErrorCell*)((char*)error + sizeof(TVMFFIObject));
}

/*! \brief The text, or an empty text that is not NULL. */
static inline TVMFFIByteArray tvm_ffi_error_text_(const TVMFFIByteArray* text) {
  TVMFFIByteArray empty = {"", 0};
  return text != NULL && text->data != NULL ? *text : empty;
}

/*!
 * \brief Class name, such as `ValueError`; empty if the object is not an error.
 *
 * The texts of an error need not end with NUL: print them with `%.*s` and their size.
 */
static inline TVMFFIByteArray tvm_ffi_error_kind(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return tvm_ffi_error_text_(cell == NULL ? NULL : &cell->kind);
}

/*! \brief Text of the error; empty if the object is not an error. */
static inline TVMFFIByteArray tvm_ffi_error_message(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return tvm_ffi_error_text_(cell == NULL ? NULL : &cell->message);
}

/*!
 * \brief Lines `  File "F", line N, in G`, most recent call first; empty if the object is not an
 *        error.
 *
 * The text is valid until the backtrace of the error is changed: by TVMFFIErrorCell's
 * `update_backtrace`, or by a caller to which the error was passed on.
 */
static inline TVMFFIByteArray tvm_ffi_error_backtrace(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return tvm_ffi_error_text_(cell == NULL ? NULL : &cell->backtrace);
}

/*!
 * \brief The error that led to this one, borrowed; NULL if there is none.
 *
 * The C++ headers of releases up to 0.1.7 make errors without a cause, which have their kind as a
 * `std::string` in its place: an address and a size that are those of `kind`.
 */
static inline TVMFFIObjectHandle tvm_ffi_error_cause(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  size_t second_word;
  if (cell == NULL) return NULL;
  memcpy(&second_word, &cell->extra_context, sizeof(second_word));
  if ((const char*)cell->cause_chain == cell->kind.data && second_word == cell->kind.size) {
    return NULL;
  }
  return cell->cause_chain;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TVM_FFI_EXTRA_C_ERROR_H_ */
