/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file tvm/ffi/extra/c_value.h
 * \brief Make, read and release values in C: inline functions on TVMFFIAny.
 *
 * The words owned, borrowed and raised are used as in c_api.h. These functions are compiled into
 * the program, so a program that uses them needs no symbol beyond those of c_api.h, and works with
 * every library of this ABI. They accept NULL. Their names are in lower case; names that begin with
 * TVMFFI belong to the ABI.
 */
#ifndef TVM_FFI_EXTRA_C_VALUE_H_
#define TVM_FFI_EXTRA_C_VALUE_H_

#include <string.h>
#include <tvm/ffi/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ make */

/*! \brief Return None, the initial value of a variable that receives a result. */
static inline TVMFFIAny tvm_ffi_any_none(void) {
  TVMFFIAny value;
  memset(&value, 0, sizeof(value));
  return value;
}

/*! \brief Return a value that holds an integer. */
static inline TVMFFIAny tvm_ffi_any_int(int64_t number) {
  TVMFFIAny value = tvm_ffi_any_none();
  value.type_index = kTVMFFIInt;
  value.v_int64 = number;
  return value;
}

/*! \brief Return a value that holds a bool: true unless `truth` is 0. */
static inline TVMFFIAny tvm_ffi_any_bool(int truth) {
  TVMFFIAny value = tvm_ffi_any_none();
  value.type_index = kTVMFFIBool;
  value.v_int64 = truth != 0;
  return value;
}

/*! \brief Return a value that holds a floating-point number. */
static inline TVMFFIAny tvm_ffi_any_float(double number) {
  TVMFFIAny value = tvm_ffi_any_none();
  value.type_index = kTVMFFIFloat;
  value.v_float64 = number;
  return value;
}

/*!
 * \brief Return a view of NUL-terminated text, for an argument; None for NULL.
 *
 * TVMFFIStringFromByteArray makes text that outlives the call.
 */
static inline TVMFFIAny tvm_ffi_any_str(const char* text) {
  TVMFFIAny value = tvm_ffi_any_none();
  if (text == NULL) return value;
  value.type_index = kTVMFFIRawStr;
  value.v_c_str = text;
  return value;
}

/*!
 * \brief Return a view of a tensor, for an argument; None for NULL.
 *
 * A callee that keeps the memory needs a tensor object, from TVMFFITensorFromDLPackVersioned.
 */
static inline TVMFFIAny tvm_ffi_any_dltensor(DLTensor* tensor) {
  TVMFFIAny value = tvm_ffi_any_none();
  if (tensor == NULL) return value;
  value.type_index = kTVMFFIDLTensorPtr;
  value.v_ptr = tensor;
  return value;
}

/*! \brief Return a value that holds an object; None for NULL. No reference is added: the value is
 * owned if the handle was owned. */
static inline TVMFFIAny tvm_ffi_any_object(TVMFFIObjectHandle object) {
  TVMFFIAny value = tvm_ffi_any_none();
  if (object == NULL) return value;
  value.type_index = ((TVMFFIObject*)object)->type_index;
  value.v_obj = (TVMFFIObject*)object;
  return value;
}

/* ------------------------------------------------------------------ read */

/*! \brief Return the handle of the object in a value, borrowed; NULL if the value is not an
 * object. */
static inline TVMFFIObjectHandle tvm_ffi_any_get_object(const TVMFFIAny* value) {
  return value != NULL && value->type_index >= kTVMFFIStaticObjectBegin ? value->v_obj : NULL;
}

/*! \brief Return the address of the data that follows the header of an object; NULL for NULL. */
static inline void* tvm_ffi_object_body(TVMFFIObjectHandle object) {
  return object == NULL ? NULL : (char*)object + sizeof(TVMFFIObject);
}

/*!
 * \brief Return the content of a string or of bytes, borrowed from the value. Every form is
 * accepted: inline, object, C string, byte array.
 *
 * A string ends with NUL and may contain NUL; bytes need not end with NUL. `data` is NULL if the
 * value has another type; it is not NULL for an empty string.
 */
static inline TVMFFIByteArray tvm_ffi_any_get_text(const TVMFFIAny* value) {
  TVMFFIByteArray text = {NULL, 0};
  const TVMFFIByteArray* array = NULL;
  if (value == NULL) return text;
  switch (value->type_index) {
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      text.data = value->v_bytes;
      text.size = value->small_str_len;
      return text;
    case kTVMFFIRawStr:
      if (value->v_c_str == NULL) return text;
      text.data = value->v_c_str;
      text.size = strlen(value->v_c_str);
      return text;
    case kTVMFFIByteArrayPtr:
      array = (const TVMFFIByteArray*)value->v_ptr;
      break;
    case kTVMFFIStr:
    case kTVMFFIBytes:
      array = (const TVMFFIByteArray*)tvm_ffi_object_body(value->v_obj);
      break;
    default:
      break;
  }
  if (array == NULL) return text;
  text = *array;
  if (text.data == NULL) text.data = "";
  return text;
}

/*! \brief Return the tensor of a tensor object or of a view, borrowed; NULL if the value has
 * another type. */
static inline DLTensor* tvm_ffi_any_get_dltensor(const TVMFFIAny* value) {
  if (value == NULL) return NULL;
  if (value->type_index == kTVMFFIDLTensorPtr) return (DLTensor*)value->v_ptr;
  if (value->type_index != kTVMFFITensor) return NULL;
  return (DLTensor*)tvm_ffi_object_body(value->v_obj);
}

/*!
 * \brief Get the elements of an array or a list, borrowed.
 * \param size gets the number of elements; 0 if the value has another type.
 * \return the first element; NULL if there is none.
 */
static inline const TVMFFIAny* tvm_ffi_any_get_elements(const TVMFFIAny* value, int64_t* size) {
  const TVMFFISeqCell* cell = NULL;
  if (size != NULL) *size = 0;
  if (value == NULL) return NULL;
  if (value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList) {
    cell = (const TVMFFISeqCell*)tvm_ffi_object_body(value->v_obj);
  }
  if (cell == NULL || cell->size == 0) return NULL;
  if (size != NULL) *size = cell->size;
  return (const TVMFFIAny*)cell->data;
}

/* ------------------------------------------------------------------ release */

/*! \brief Release the content of an owned value and make it None, so that a second call does
 * nothing. */
static inline void tvm_ffi_any_release(TVMFFIAny* value) {
  TVMFFIAny former;
  if (value == NULL) return;
  former = *value;
  *value = tvm_ffi_any_none();
  if (former.type_index >= kTVMFFIStaticObjectBegin) (void)TVMFFIObjectDecRef(former.v_obj);
}

/*! \brief Release an owned handle and make it NULL, so that a second call does nothing. */
static inline void tvm_ffi_object_release(TVMFFIObjectHandle* object) {
  TVMFFIObjectHandle former;
  if (object == NULL) return;
  former = *object;
  *object = NULL;
  if (former != NULL) (void)TVMFFIObjectDecRef(former);
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TVM_FFI_EXTRA_C_VALUE_H_ */
