/* SPDX-License-Identifier: Apache-2.0 */
/*!
 * \file tvm/ffi/c_env_api.h
 * \brief Level 0: the environment of a call: streams, tensor allocator, signals, module symbols.
 *
 * The terms of c_api.h apply. Streams and the thread's allocator belong to the calling thread;
 * everything else is process-wide.
 */
#ifndef TVM_FFI_C_ENV_API_H_
#define TVM_FFI_C_ENV_API_H_

#include <tvm/ffi/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/*! \brief A device stream of some framework; never created or destroyed here. */
typedef void* TVMFFIStreamHandle;

/*!
 * \brief Set this thread's stream of a device.
 * \param opt_out_original_stream NULL, or where the stream before goes (NULL if never set).
 */
TVM_FFI_DLL int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id,
                                   TVMFFIStreamHandle stream,
                                   TVMFFIStreamHandle* opt_out_original_stream);
/*! \brief This thread's stream of a device, or NULL. */
TVM_FFI_DLL TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id);

/*!
 * \brief Set this thread's tensor allocator, and with `write_to_global_context` the process's.
 * \param opt_out_original_allocator NULL, or receives the previous allocator of this thread.
 */
TVM_FFI_DLL int TVMFFIEnvSetDLPackManagedTensorAllocator(
    DLPackManagedTensorAllocator allocator, int write_to_global_context,
    DLPackManagedTensorAllocator* opt_out_original_allocator);
/*! \brief This thread's allocator, else the process's, else NULL. */
TVM_FFI_DLL DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void);
/*!
 * \brief Make a tensor with that allocator.
 * \param prototype dtype, ndim, shape and device of the wanted tensor.
 * \param out the tensor object, owned. Without an allocator RuntimeError is raised.
 */
TVM_FFI_DLL int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out);

/*!
 * \brief Let the frontend handle pending signals.
 * \return 0; -1 when its handler failed: the frontend's exception is pending and nothing is raised
 *         here. The caller returns an error of kind `EnvErrorAlreadySet`.
 */
TVM_FFI_DLL int TVMFFIEnvCheckSignals(void);
/*!
 * \brief Tell the library a function of the frontend.
 * \param name `PyErr_CheckSignals` (`int()`), `PyGILState_Ensure` (`void*()`) or
 *        `PyGILState_Release` (`void(void*)`); another name raises ValueError.
 * \param symbol the function, valid for the rest of the process.
 */
TVM_FFI_DLL int TVMFFIEnvRegisterCAPI(const char* name, void* symbol);

/*!
 * \brief Find a function in the imports of a library module, else among the global functions.
 * \param library_ctx what the loader put into `__tvm_ffi__library_ctx`.
 * \param out borrowed from the module. Not found: RuntimeError.
 */
TVM_FFI_DLL int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name,
                                              TVMFFIObjectHandle* out);
/*! \brief Add a symbol that is written into every library that has a variable of that name. */
TVM_FFI_DLL int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol);
/*! \brief Add a symbol of the system library; a later one of the same name replaces it. */
TVM_FFI_DLL int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TVM_FFI_C_ENV_API_H_ */
