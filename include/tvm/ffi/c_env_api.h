/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file tvm/ffi/c_env_api.h
 * \brief The environment of a call: streams, tensor allocator, signals, module symbols.
 *
 * The terms of c_api.h apply. Each thread has its own streams and its own allocator; the other
 * state is process-wide.
 */
#ifndef TVM_FFI_C_ENV_API_H_
#define TVM_FFI_C_ENV_API_H_

#include <tvm/ffi/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/*! \brief A device stream of a framework; this library does not create or destroy streams. */
typedef void* TVMFFIStreamHandle;

/*!
 * \brief Set the stream of a device for this thread.
 * \param opt_out_original_stream NULL, or receives the former stream (NULL if it was never set).
 */
TVM_FFI_DLL int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id,
                                   TVMFFIStreamHandle stream,
                                   TVMFFIStreamHandle* opt_out_original_stream);
/*! \brief Return the stream of a device for this thread; NULL if none was set. */
TVM_FFI_DLL TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id);

/*!
 * \brief Set the tensor allocator of this thread.
 * \param write_to_global_context if not 0, also set the allocator of the process.
 * \param opt_out_original_allocator NULL, or receives the previous allocator of this thread.
 */
TVM_FFI_DLL int TVMFFIEnvSetDLPackManagedTensorAllocator(
    DLPackManagedTensorAllocator allocator, int write_to_global_context,
    DLPackManagedTensorAllocator* opt_out_original_allocator);
/*! \brief Return the allocator of this thread. If none is set, return the allocator of the process,
 * or NULL. */
TVM_FFI_DLL DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void);
/*!
 * \brief Make a tensor with the allocator that TVMFFIEnvGetDLPackManagedTensorAllocator returns.
 * \param prototype dtype, ndim, shape and device of the wanted tensor.
 * \param out the tensor object, owned. If there is no allocator, RuntimeError is raised.
 */
TVM_FFI_DLL int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out);

/*!
 * \brief Let the language binding handle pending signals.
 * \return 0, or -1 when a signal handler failed. In that case the exception is pending in the
 *         language binding, and this function does not raise an error. The caller must return an
 *         error of kind `EnvErrorAlreadySet`.
 */
TVM_FFI_DLL int TVMFFIEnvCheckSignals(void);
/*!
 * \brief Register a function of the language binding with this library.
 * \param name `PyErr_CheckSignals` (`int()`), `PyGILState_Ensure` (`void*()`) or
 *         `PyGILState_Release` (`void(void*)`); another name raises ValueError.
 * \param symbol the function, valid for the rest of the process.
 */
TVM_FFI_DLL int TVMFFIEnvRegisterCAPI(const char* name, void* symbol);

/*!
 * \brief Find a function in the imports of a library module, otherwise among the global functions.
 * \param library_ctx the value that the loader stored in `__tvm_ffi__library_ctx`.
 * \param out the function, borrowed from the module. An unknown name raises RuntimeError.
 */
TVM_FFI_DLL int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name,
                                              TVMFFIObjectHandle* out);
/*! \brief Register a context symbol. If a library that is loaded afterwards has a variable `name`,
 * the loader sets that variable to `symbol`. */
TVM_FFI_DLL int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol);
/*! \brief Register a symbol of the system library: the module of symbols that are linked into the
 * program. A later symbol of the same name replaces it. */
TVM_FFI_DLL int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TVM_FFI_C_ENV_API_H_ */
