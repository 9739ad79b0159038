/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file tvm/ffi/extra/c_error.h
 * \brief Read errors in C: kind, message, backtrace and cause of an error object.
 *
 * The words owned, borrowed and raised are used as in c_api.h. These functions are compiled into
 * the program, so a program that uses them needs no symbol beyond those of c_api.h, and works with
 * every library of this ABI. They accept NULL and objects that are not errors. Results are borrowed
 * from the error. The library itself, its C++ headers and the binding also use
 * tvm_ffi_error_has_links.
 */
#ifndef TVM_FFI_EXTRA_C_ERROR_H_
#define TVM_FFI_EXTRA_C_ERROR_H_

#include <tvm/ffi/c_api.h>

/* In C++ the functions have external linkage, because inline functions of the C++ headers call
 * them. */
#ifdef __cplusplus
#define TVM_FFI_C_ERROR_INLINE_ inline
extern "C" {
#else
#define TVM_FFI_C_ERROR_INLINE_ static inline
#endif

/*! \brief Return the cell of an error, borrowed; NULL if the object is not an error. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIErrorCell* tvm_ffi_error_cell(TVMFFIObjectHandle error) {
  if (error == NULL || ((TVMFFIObject*)error)->type_index != kTVMFFIError) return NULL;
  return (TVMFFIErrorCell*)((char*)error + sizeof(TVMFFIObject));
}

/*! \brief Return `*text`; if there is no text, an empty text whose `data` is not NULL. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIByteArray tvm_ffi_error_text_(const TVMFFIByteArray* text) {
  TVMFFIByteArray empty = {"", 0};
  return text != NULL && text->data != NULL ? *text : empty;
}

/*!
 * \brief Return the class name, such as `ValueError`; empty if the object is not an error.
 *
 * The texts of an error need not end with NUL: print them with `%.*s` and their size.
 */
TVM_FFI_C_ERROR_INLINE_ TVMFFIByteArray tvm_ffi_error_kind(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return tvm_ffi_error_text_(cell == NULL ? NULL : &cell->kind);
}

/*! \brief Return the text of the error; empty if the object is not an error. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIByteArray tvm_ffi_error_message(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return tvm_ffi_error_text_(cell == NULL ? NULL : &cell->message);
}

/*!
 * \brief Return lines `  File "F", line N, in G`, most recent call first; empty if the object is
 * not an error.
 *
 * The text is valid until the backtrace of the error is changed: by `update_backtrace` of
 * TVMFFIErrorCell, or by a caller to which the error was passed on.
 */
TVM_FFI_C_ERROR_INLINE_ TVMFFIByteArray tvm_ffi_error_backtrace(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return tvm_ffi_error_text_(cell == NULL ? NULL : &cell->backtrace);
}

/*!
 * \brief Return whether `cause_chain` and `extra_context` of a cell may be used; the cell must not
 * be NULL.
 *
 * The C++ headers of releases up to 0.1.7 make errors whose cell ends before these two members.
 * Such an object has a `std::string` with the text of the kind at the offset of the two members.
 * The `kind` of the cell points to this text. Either the first word of the string is the address in
 * `kind`, or (for a short text) the text itself is in the memory of the two members.
 */
TVM_FFI_C_ERROR_INLINE_ int tvm_ffi_error_has_links(const TVMFFIErrorCell* cell) {
  const char* begin = (const char*)&cell->cause_chain;
  const char* kind = cell->kind.data;
  if (kind == NULL) return 1;
  if ((const char*)cell->cause_chain == kind) return 0;
  return (uintptr_t)kind - (uintptr_t)begin >= 2 * sizeof(TVMFFIObjectHandle);
}

/*! \brief Return the error that caused this error, borrowed; NULL if there is none. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIObjectHandle tvm_ffi_error_cause(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return cell != NULL && tvm_ffi_error_has_links(cell) ? cell->cause_chain : NULL;
}

/*! \brief Return the object in `extra_context` of the error, borrowed; NULL if there is none. */
TVM_FFI_C_ERROR_INLINE_ TVMFFIObjectHandle tvm_ffi_error_context(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = tvm_ffi_error_cell(error);
  return cell != NULL && tvm_ffi_error_has_links(cell) ? cell->extra_context : NULL;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TVM_FFI_EXTRA_C_ERROR_H_ */
