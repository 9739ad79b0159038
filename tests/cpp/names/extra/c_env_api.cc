// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/c_env_api.h>

#include "../use.h"

SAME_TYPE(TVMFFIStreamHandle, void*);
using Alloc = DLPackManagedTensorAllocator;
HAS_TYPE(TVMFFIEnvSetStream(1, 1, The<TVMFFIStreamHandle>(), The<TVMFFIStreamHandle*>()), int);
HAS_TYPE(TVMFFIEnvGetStream(1, 1), TVMFFIStreamHandle);
HAS_TYPE(TVMFFIEnvSetDLPackManagedTensorAllocator(The<Alloc>(), 1, The<Alloc*>()), int);
HAS_TYPE(TVMFFIEnvGetDLPackManagedTensorAllocator(), Alloc);
HAS_TYPE(TVMFFIEnvTensorAlloc(The<DLTensor*>(), The<TVMFFIObjectHandle*>()), int);
HAS_TYPE(TVMFFIEnvCheckSignals(), int);
HAS_TYPE(TVMFFIEnvRegisterCAPI("name", The<void*>()), int);
HAS_TYPE(TVMFFIEnvModLookupFromImports(The<TVMFFIObjectHandle>(), "name",
                                       The<TVMFFIObjectHandle*>()),
         int);
HAS_TYPE(TVMFFIEnvModRegisterContextSymbol("name", The<void*>()), int);
HAS_TYPE(TVMFFIEnvModRegisterSystemLibSymbol("name", The<void*>()), int);
