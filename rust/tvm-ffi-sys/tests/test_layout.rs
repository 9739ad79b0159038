// SPDX-License-Identifier: Apache-2.0
// Written by tools/rust_declarations.py from tests/golden/abi_facts.json; do not edit.
//! Structs, constants and functions are those of C.

use std::mem::{align_of, offset_of, size_of};

use tvm_ffi_sys::*;

/// Compare the size, the alignment and the offsets of the members of a struct.
macro_rules! layout {
    ($name:ident, $size:literal, $align:literal: $($member:ident $offset:literal),*) => {
        assert_eq!((size_of::<$name>(), align_of::<$name>()), ($size, $align), stringify!($name));
        $(assert_eq!(offset_of!($name, $member), $offset, stringify!($name.$member));)*
    };
}

/// Compare the values of an enumeration.
macro_rules! values {
    ($name:ident.0: $($member:ident $value:literal),*) => {
        $(assert_eq!($name::$member.0, $value, stringify!($member));)*
    };
    ($name:ident: $($member:ident $value:literal),*) => {
        $(assert_eq!($name::$member as i32, $value, stringify!($member));)*
    };
}

/// Return the addresses of functions.
macro_rules! addresses {
    ($($name:ident),*) => { vec![$($name as *const ()),*] };
}

// spec: RUST-R03
#[test]
fn layouts_are_those_of_c() {
    layout! { TVMFFIVersion, 12, 4: major 0, minor 4, patch 8 }
    layout! { TVMFFIObject, 24, 8: combined_ref_count 0, type_index 8, __padding 12, deleter 16 }
    layout! { TVMFFIAny, 16, 8: type_index 0, small_str_len 4, data_union 8 }
    layout! { TVMFFIByteArray, 16, 8: data 0, size 8 }
    layout! { TVMFFIShapeCell, 16, 8: data 0, size 8 }
    layout! { TVMFFISeqCell, 32, 8: data 0, size 8, capacity 16, data_deleter 24 }
    layout! { TVMFFIErrorCell, 72, 8: kind 0, message 16, backtrace 32, update_backtrace 48,
    cause_chain 56, extra_context 64 }
    layout! { TVMFFIFunctionCell, 16, 8: safe_call 0, cxx_call 8 }
    layout! { TVMFFIOpaqueObjectCell, 8, 8: handle 0 }
    layout! { TVMFFIObjectAllocHeader, 8, 8: delete_space 0 }
    layout! { TVMFFICustomAllocator, 16, 8: allocate 0, context 8 }
    layout! { TVMFFIFieldInfo, 120, 8: name 0, doc 16, metadata 32, flags 48, size 56, alignment 64,
    offset 72, getter 80, setter 88, default_value_or_factory 96, field_static_type_index 112 }
    layout! { TVMFFIMethodInfo, 72, 8: name 0, doc 16, metadata 32, flags 48, method 56 }
    layout! { TVMFFITypeMetadata, 32, 8: doc 0, creator 16, total_size 24, structural_eq_hash_kind
    28 }
    layout! { TVMFFITypeAttrColumn, 16, 8: data 0, size 8, begin_index 12 }
    layout! { TVMFFITypeInfo, 72, 8: type_index 0, type_depth 4, type_key 8, type_acenstors 24,
    type_key_hash 32, num_fields 40, num_methods 44, fields 48, methods 56, metadata 64 }
    layout! { DLDevice, 8, 4: device_type 0, device_id 4 }
    layout! { DLDataType, 4, 2: code 0, bits 1, lanes 2 }
    layout! { DLTensor, 48, 8: data 0, device 8, ndim 16, dtype 20, shape 24, strides 32,
    byte_offset 40 }
    layout! { DLManagedTensor, 64, 8: dl_tensor 0, manager_ctx 48, deleter 56 }
    layout! { DLPackVersion, 8, 4: major 0, minor 4 }
    layout! { DLManagedTensorVersioned, 80, 8: version 0, manager_ctx 8, deleter 16, flags 24,
    dl_tensor 32 }
    layout! { DLPackExchangeAPIHeader, 16, 8: version 0, prev_api 8 }
    layout! { DLPackExchangeAPI, 56, 8: header 0, managed_tensor_allocator 16,
    managed_tensor_from_py_object_no_sync 24, managed_tensor_to_py_object_no_sync 32,
    dltensor_from_py_object_no_sync 40, current_work_stream 48 }
}

// spec: RUST-R03
#[test]
fn constants_are_those_of_c() {
    values! { DLDeviceType.0: kDLCPU 1, kDLCUDA 2, kDLCUDAHost 3, kDLOpenCL 4, kDLVulkan 7, kDLMetal
    8, kDLVPI 9, kDLROCM 10, kDLROCMHost 11, kDLExtDev 12, kDLCUDAManaged 13, kDLOneAPI 14,
    kDLWebGPU 15, kDLHexagon 16, kDLMAIA 17, kDLTrn 18 }
    values! { DLDataTypeCode: kDLInt 0, kDLUInt 1, kDLFloat 2, kDLOpaqueHandle 3, kDLBfloat 4,
    kDLComplex 5, kDLBool 6, kDLFloat8_e3m4 7, kDLFloat8_e4m3 8, kDLFloat8_e4m3b11fnuz 9,
    kDLFloat8_e4m3fn 10, kDLFloat8_e4m3fnuz 11, kDLFloat8_e5m2 12, kDLFloat8_e5m2fnuz 13,
    kDLFloat8_e8m0fnu 14, kDLFloat6_e2m3fn 15, kDLFloat6_e3m2fn 16, kDLFloat4_e2m1fn 17 }
    values! { TVMFFITypeIndex: kTVMFFINone 0, kTVMFFIInt 1, kTVMFFIBool 2, kTVMFFIFloat 3,
    kTVMFFIOpaquePtr 4, kTVMFFIDataType 5, kTVMFFIDevice 6, kTVMFFIDLTensorPtr 7, kTVMFFIRawStr 8,
    kTVMFFIByteArrayPtr 9, kTVMFFIObjectRValueRef 10, kTVMFFISmallStr 11, kTVMFFISmallBytes 12,
    kTVMFFIUnchanged 13, kTVMFFIStaticObjectBegin 64, kTVMFFIStr 65, kTVMFFIBytes 66, kTVMFFIError
    67, kTVMFFIFunction 68, kTVMFFIShape 69, kTVMFFITensor 70, kTVMFFIArray 71, kTVMFFIMap 72,
    kTVMFFIModule 73, kTVMFFIOpaquePyObject 74, kTVMFFIList 75, kTVMFFIDict 76,
    kTVMFFIVisitInterrupt 77, kTVMFFIBigInt 78, kTVMFFIStaticObjectEnd 79, kTVMFFIDynObjectBegin 128
    }
    values! { TVMFFIObjectDeleterFlagBitMask: kTVMFFIObjectDeleterFlagBitMaskStrong 1,
    kTVMFFIObjectDeleterFlagBitMaskWeak 2, kTVMFFIObjectDeleterFlagBitMaskBoth 3 }
    values! { TVMFFIBacktraceUpdateMode: kTVMFFIBacktraceUpdateModeReplace 0,
    kTVMFFIBacktraceUpdateModeAppend 1 }
    values! { TVMFFIFieldFlagBitMask: kTVMFFIFieldFlagBitMaskWritable 1,
    kTVMFFIFieldFlagBitMaskHasDefault 2, kTVMFFIFieldFlagBitMaskIsStaticMethod 4,
    kTVMFFIFieldFlagBitMaskSEqHashIgnore 8, kTVMFFIFieldFlagBitMaskSEqHashDefPattern 16,
    kTVMFFIFieldFlagBitMaskDefaultFromFactory 32, kTVMFFIFieldFlagBitMaskReprOff 64,
    kTVMFFIFieldFlagBitMaskCompareOff 128, kTVMFFIFieldFlagBitMaskHashOff 256,
    kTVMFFIFieldFlagBitMaskInitOff 512, kTVMFFIFieldFlagBitMaskKwOnly 1024,
    kTVMFFIFieldFlagBitSetterIsFunctionObj 2048, kTVMFFIFieldFlagBitMaskSEqHashDefSimple 4096 }
    values! { TVMFFISEqHashKind: kTVMFFISEqHashKindUnsupported 0, kTVMFFISEqHashKindTreeNode 1,
    kTVMFFISEqHashKindFreeVar 2, kTVMFFISEqHashKindDAGNode 3, kTVMFFISEqHashKindConstTreeNode 4,
    kTVMFFISEqHashKindUniqueInstance 5 }
    values! { TVMFFIDefRegionKind: kTVMFFIDefRegionKindNone 0, kTVMFFIDefRegionKindPattern 1,
    kTVMFFIDefRegionKindSimple 2 }
}

// spec: RUST-R03
#[test]
fn every_function_is_linked() {
    let mut functions = addresses! { TVMFFIAnyViewToOwnedAny, TVMFFIBacktrace,
    TVMFFIBigIntFromByteArray, TVMFFIBigIntGetContentByteArray, TVMFFIBytesFromByteArray,
    TVMFFIDataTypeFromString, TVMFFIDataTypeToString, TVMFFIEnvCheckSignals,
    TVMFFIEnvGetDLPackManagedTensorAllocator, TVMFFIEnvGetStream, TVMFFIEnvModLookupFromImports,
    TVMFFIEnvModRegisterContextSymbol, TVMFFIEnvModRegisterSystemLibSymbol, TVMFFIEnvRegisterCAPI,
    TVMFFIEnvSetDLPackManagedTensorAllocator, TVMFFIEnvSetStream, TVMFFIEnvTensorAlloc,
    TVMFFIErrorCreate, TVMFFIErrorCreateWithCauseAndExtraContext, TVMFFIErrorMoveFromRaised,
    TVMFFIErrorSetRaised, TVMFFIErrorSetRaisedFromCStr, TVMFFIErrorSetRaisedFromCStrParts,
    TVMFFIFunctionCall, TVMFFIFunctionCreate, TVMFFIFunctionGetGlobal, TVMFFIFunctionSetGlobal,
    TVMFFIFunctionSetGlobalFromMethodInfo, TVMFFIGetCustomAllocator, TVMFFIGetTypeAttrColumn,
    TVMFFIGetTypeInfo, TVMFFIGetVersion, TVMFFIHandleDeinitOnce, TVMFFIHandleInitOnce,
    TVMFFIObjectCreateOpaque, TVMFFIObjectDecRef, TVMFFIObjectIncRef, TVMFFISetCustomAllocator,
    TVMFFIStringFromByteArray, TVMFFITensorCreateUnsafeView, TVMFFITensorFromDLPack,
    TVMFFITensorFromDLPackVersioned, TVMFFITensorToDLPack, TVMFFITensorToDLPackVersioned,
    TVMFFITypeGetOrAllocIndex, TVMFFITypeKeyToIndex, TVMFFITypeRegisterAttr,
    TVMFFITypeRegisterField, TVMFFITypeRegisterMetadata, TVMFFITypeRegisterMethod };
    functions.sort();
    functions.dedup();
    assert_eq!(functions.len(), 50);
}
