// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/c_api.h>

#include "use.h"

#if !defined(TVM_FFI_DLL) || !defined(TVM_FFI_DLL_EXPORT) || !defined(TVM_FFI_WEAK)
#error "linkage macros"
#endif
#ifdef TVM_FFI_DOXYGEN_MODE
#error "only documentation builds define TVM_FFI_DOXYGEN_MODE"
#endif

TVM_FFI_DLL_EXPORT TVM_FFI_WEAK int WeakFunction() { return 0; }
TVM_FFI_DLL int Declared() TVM_FFI_ATTRIBUTE_PURE;

HOLDS(TVM_FFI_VERSION_MAJOR == 0 && TVM_FFI_VERSION_MINOR == 1 && TVM_FFI_VERSION_PATCH == 16);

HAS_TYPE(TVMFFIObjectGetTypeIndex(The<TVMFFIObjectHandle>()), int32_t);
HAS_TYPE(TVMFFISmallBytesGetContentByteArray(The<const TVMFFIAny*>()), TVMFFIByteArray);
HAS_TYPE(TVMFFIBytesGetByteArrayPtr(The<TVMFFIObjectHandle>()), TVMFFIByteArray*);
HAS_TYPE(TVMFFIErrorGetCellPtr(The<TVMFFIObjectHandle>()), TVMFFIErrorCell*);
HAS_TYPE(TVMFFIFunctionGetCellPtr(The<TVMFFIObjectHandle>()), TVMFFIFunctionCell*);
HAS_TYPE(TVMFFIOpaqueObjectGetCellPtr(The<TVMFFIObjectHandle>()), TVMFFIOpaqueObjectCell*);
HAS_TYPE(TVMFFIShapeGetCellPtr(The<TVMFFIObjectHandle>()), TVMFFIShapeCell*);
HAS_TYPE(TVMFFITensorGetDLTensorPtr(The<TVMFFIObjectHandle>()), DLTensor*);
HAS_TYPE(TVMFFIDLDeviceFromIntPair(The<int32_t>(), The<int32_t>()), DLDevice);

HOLDS(std::is_enum_v<TVMFFITypeIndex>&& std::is_convertible_v<TVMFFITypeIndex, int>);
SAME_TYPE(std::underlying_type_t<TVMFFITypeIndex>, int32_t);
SAME_TYPE(std::underlying_type_t<TVMFFIObjectDeleterFlagBitMask>, int32_t);
SAME_TYPE(std::underlying_type_t<TVMFFIBacktraceUpdateMode>, int32_t);
SAME_TYPE(std::underlying_type_t<TVMFFIFieldFlagBitMask>, int32_t);
SAME_TYPE(std::underlying_type_t<TVMFFISEqHashKind>, int32_t);
SAME_TYPE(std::underlying_type_t<TVMFFIDefRegionKind>, int32_t);
HOLDS(kTVMFFIObject == TVMFFITypeIndex::kTVMFFIObject);
