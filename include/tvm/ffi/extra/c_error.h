/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file tvm/ffi/extra/c_error.h
 * \brief Read errors in C: kind, message, backtrace and cause of an error object.
 *
 * The terms of c_api.h apply. These functions are compiled into the program, so a program that uses
 * them needs no symbol beyond those of c_api.h, and works with every library of this ABI. They
 * accept NULL and objects that are not errors. Results are borrowed from the error. The library
 * itself, its C++ headers and the binding use the test of tvm_ffi_error_has_links.
 */
#ifndef TVM_FFI_EXTRA_C_ERROR_H_
#define TVM_FFI_EXTRA_C_ERROR_H_

#include <tvm/ffi/c_api.h>

/* In C++ the functions are the same in all units, as inline code that calls them has to be. */
#ifdef __cplusplus
#define TVM_FFI_C_ERROR_INLINE_ inline
extern "C" {
#else
#define TVM_FFI_C_ERROR_INLINE_ static inline
#endif

/*! \brief Body of an error, borrowed; NULL if the object is not an error. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIErrorCell* tvm_ffi_error_cell(TVMFFIObjectHandle error) {
  if (error == NULL || ((TVMFFIObject*)error)->type_index != kTVMFFIError) return NULL;
  return (TVMFFIErrorCell*)((char*)error + sizeof(TVMFFIObject));
}

/*! \brief The text, or an empty text that is not NULL. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIByteArray tvm_ffi_error_text_(const TVMFFIByteArray* text) {
  TVMFFIByteArray empty = {"", 0};
  return text != NULL && text->data != NULL ? *text : empty;
}

/*!
 * \brief Class name, such as `ValueError`; empty if the object is not an error.
 *
 * The texts of an error need not end with NUL: print them with `%.*s` and their size.
 */
TVM_FFI_C_ERROR_INLINE_ TVMFFIByteArray tvm_ffi_error_kind(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return tvm_ffi_error_text_(cell == NULL ? NULL : &cell->kind);
}

/*! \brief Text of the error; empty if the object is not an error. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIByteArray tvm_ffi_error_message(TVMFFIObjectHandle error) {
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
TVM_FFI_C_ERROR_INLINE_ TVMFFIByteArray tvm_ffi_error_backtrace(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return tvm_ffi_error_text_(cell == NULL ? NULL : &cell->backtrace);
}

/*!
 * \brief Whether `cause_chain` and `extra_context` of a cell may be read and written. Not for NULL.
 *
 * The C++ headers of releases up to 0.1.7 make errors whose cell ends before these two members. The
 * object goes on with the kind as a `std::string`, which `kind` points into: its first word is the
 * address in `kind`, or its text is inline in the two words.
 */
TVM_FFI_C_ERROR_INLINE_ int tvm_ffi_error_has_links(const TVMFFIErrorCell* cell) {
  const char* begin = (const char*)&cell->cause_chain;
  const char* kind = cell->kind.data;
  if (kind == NULL) return 1;
  if ((const char*)cell->cause_chain == kind) return 0;
  return (uintptr_t)kind - (uintptr_t)begin >= 2 * sizeof(TVMFFIObjectHandle);
}

/*! \brief The error that led to this one, borrowed; NULL if there is none. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIObjectHandle tvm_ffi_error_cause(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return cell != NULL && tvm_ffi_error_has_links(cell) ? cell->cause_chain : NULL;
}

/*! \brief The object that travels with the error, borrowed; NULL if there is none. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIObjectHandle tvm_ffi_error_context(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return cell != NULL && tvm_ffi_error_has_links(cell) ? cell->extra_context : NULL;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TVM_FFI_EXTRA_C_ERROR_H_ */
