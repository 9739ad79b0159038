// SPDX-License-Identifier: Apache-2.0
// Written by tools/rust_declarations.py from tests/golden/abi_facts.json; do not edit.
//! Structs, constants and functions are those of C.

use std::mem::{align_of, offset_of, size_of};

use tvm_ffi_sys::*;

// spec: RUST-R03
#[test]
fn layout_of_tvmffiversion() {
    assert_eq!(size_of::<TVMFFIVersion>(), 12);
    assert_eq!(align_of::<TVMFFIVersion>(), 4);
    assert_eq!(offset_of!(TVMFFIVersion, major), 0);
    assert_eq!(offset_of!(TVMFFIVersion, minor), 4);
    assert_eq!(offset_of!(TVMFFIVersion, patch), 8);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffiobject() {
    assert_eq!(size_of::<TVMFFIObject>(), 24);
    assert_eq!(align_of::<TVMFFIObject>(), 8);
    assert_eq!(offset_of!(TVMFFIObject, combined_ref_count), 0);
    assert_eq!(offset_of!(TVMFFIObject, type_index), 8);
    assert_eq!(offset_of!(TVMFFIObject, __padding), 12);
    assert_eq!(offset_of!(TVMFFIObject, deleter), 16);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffiany() {
    assert_eq!(size_of::<TVMFFIAny>(), 16);
    assert_eq!(align_of::<TVMFFIAny>(), 8);
    assert_eq!(offset_of!(TVMFFIAny, type_index), 0);
    assert_eq!(offset_of!(TVMFFIAny, small_str_len), 4);
    assert_eq!(offset_of!(TVMFFIAny, data_union), 8);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffibytearray() {
    assert_eq!(size_of::<TVMFFIByteArray>(), 16);
    assert_eq!(align_of::<TVMFFIByteArray>(), 8);
    assert_eq!(offset_of!(TVMFFIByteArray, data), 0);
    assert_eq!(offset_of!(TVMFFIByteArray, size), 8);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffishapecell() {
    assert_eq!(size_of::<TVMFFIShapeCell>(), 16);
    assert_eq!(align_of::<TVMFFIShapeCell>(), 8);
    assert_eq!(offset_of!(TVMFFIShapeCell, data), 0);
    assert_eq!(offset_of!(TVMFFIShapeCell, size), 8);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffiseqcell() {
    assert_eq!(size_of::<TVMFFISeqCell>(), 32);
    assert_eq!(align_of::<TVMFFISeqCell>(), 8);
    assert_eq!(offset_of!(TVMFFISeqCell, data), 0);
    assert_eq!(offset_of!(TVMFFISeqCell, size), 8);
    assert_eq!(offset_of!(TVMFFISeqCell, capacity), 16);
    assert_eq!(offset_of!(TVMFFISeqCell, data_deleter), 24);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffierrorcell() {
    assert_eq!(size_of::<TVMFFIErrorCell>(), 72);
    assert_eq!(align_of::<TVMFFIErrorCell>(), 8);
    assert_eq!(offset_of!(TVMFFIErrorCell, kind), 0);
    assert_eq!(offset_of!(TVMFFIErrorCell, message), 16);
    assert_eq!(offset_of!(TVMFFIErrorCell, backtrace), 32);
    assert_eq!(offset_of!(TVMFFIErrorCell, update_backtrace), 48);
    assert_eq!(offset_of!(TVMFFIErrorCell, cause_chain), 56);
    assert_eq!(offset_of!(TVMFFIErrorCell, extra_context), 64);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffifunctioncell() {
    assert_eq!(size_of::<TVMFFIFunctionCell>(), 16);
    assert_eq!(align_of::<TVMFFIFunctionCell>(), 8);
    assert_eq!(offset_of!(TVMFFIFunctionCell, safe_call), 0);
    assert_eq!(offset_of!(TVMFFIFunctionCell, cxx_call), 8);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffiopaqueobjectcell() {
    assert_eq!(size_of::<TVMFFIOpaqueObjectCell>(), 8);
    assert_eq!(align_of::<TVMFFIOpaqueObjectCell>(), 8);
    assert_eq!(offset_of!(TVMFFIOpaqueObjectCell, handle), 0);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffiobjectallocheader() {
    assert_eq!(size_of::<TVMFFIObjectAllocHeader>(), 8);
    assert_eq!(align_of::<TVMFFIObjectAllocHeader>(), 8);
    assert_eq!(offset_of!(TVMFFIObjectAllocHeader, delete_space), 0);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmfficustomallocator() {
    assert_eq!(size_of::<TVMFFICustomAllocator>(), 16);
    assert_eq!(align_of::<TVMFFICustomAllocator>(), 8);
    assert_eq!(offset_of!(TVMFFICustomAllocator, allocate), 0);
    assert_eq!(offset_of!(TVMFFICustomAllocator, context), 8);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffifieldinfo() {
    assert_eq!(size_of::<TVMFFIFieldInfo>(), 120);
    assert_eq!(align_of::<TVMFFIFieldInfo>(), 8);
    assert_eq!(offset_of!(TVMFFIFieldInfo, name), 0);
    assert_eq!(offset_of!(TVMFFIFieldInfo, doc), 16);
    assert_eq!(offset_of!(TVMFFIFieldInfo, metadata), 32);
    assert_eq!(offset_of!(TVMFFIFieldInfo, flags), 48);
    assert_eq!(offset_of!(TVMFFIFieldInfo, size), 56);
    assert_eq!(offset_of!(TVMFFIFieldInfo, alignment), 64);
    assert_eq!(offset_of!(TVMFFIFieldInfo, offset), 72);
    assert_eq!(offset_of!(TVMFFIFieldInfo, getter), 80);
    assert_eq!(offset_of!(TVMFFIFieldInfo, setter), 88);
    assert_eq!(offset_of!(TVMFFIFieldInfo, default_value_or_factory), 96);
    assert_eq!(offset_of!(TVMFFIFieldInfo, field_static_type_index), 112);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffimethodinfo() {
    assert_eq!(size_of::<TVMFFIMethodInfo>(), 72);
    assert_eq!(align_of::<TVMFFIMethodInfo>(), 8);
    assert_eq!(offset_of!(TVMFFIMethodInfo, name), 0);
    assert_eq!(offset_of!(TVMFFIMethodInfo, doc), 16);
    assert_eq!(offset_of!(TVMFFIMethodInfo, metadata), 32);
    assert_eq!(offset_of!(TVMFFIMethodInfo, flags), 48);
    assert_eq!(offset_of!(TVMFFIMethodInfo, method), 56);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffitypemetadata() {
    assert_eq!(size_of::<TVMFFITypeMetadata>(), 32);
    assert_eq!(align_of::<TVMFFITypeMetadata>(), 8);
    assert_eq!(offset_of!(TVMFFITypeMetadata, doc), 0);
    assert_eq!(offset_of!(TVMFFITypeMetadata, creator), 16);
    assert_eq!(offset_of!(TVMFFITypeMetadata, total_size), 24);
    assert_eq!(offset_of!(TVMFFITypeMetadata, structural_eq_hash_kind), 28);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffitypeattrcolumn() {
    assert_eq!(size_of::<TVMFFITypeAttrColumn>(), 16);
    assert_eq!(align_of::<TVMFFITypeAttrColumn>(), 8);
    assert_eq!(offset_of!(TVMFFITypeAttrColumn, data), 0);
    assert_eq!(offset_of!(TVMFFITypeAttrColumn, size), 8);
    assert_eq!(offset_of!(TVMFFITypeAttrColumn, begin_index), 12);
}

// spec: RUST-R03
#[test]
fn layout_of_tvmffitypeinfo() {
    assert_eq!(size_of::<TVMFFITypeInfo>(), 72);
    assert_eq!(align_of::<TVMFFITypeInfo>(), 8);
    assert_eq!(offset_of!(TVMFFITypeInfo, type_index), 0);
    assert_eq!(offset_of!(TVMFFITypeInfo, type_depth), 4);
    assert_eq!(offset_of!(TVMFFITypeInfo, type_key), 8);
    assert_eq!(offset_of!(TVMFFITypeInfo, type_acenstors), 24);
    assert_eq!(offset_of!(TVMFFITypeInfo, type_key_hash), 32);
    assert_eq!(offset_of!(TVMFFITypeInfo, num_fields), 40);
    assert_eq!(offset_of!(TVMFFITypeInfo, num_methods), 44);
    assert_eq!(offset_of!(TVMFFITypeInfo, fields), 48);
    assert_eq!(offset_of!(TVMFFITypeInfo, methods), 56);
    assert_eq!(offset_of!(TVMFFITypeInfo, metadata), 64);
}

// spec: RUST-R03
#[test]
fn layout_of_dldevice() {
    assert_eq!(size_of::<DLDevice>(), 8);
    assert_eq!(align_of::<DLDevice>(), 4);
    assert_eq!(offset_of!(DLDevice, device_type), 0);
    assert_eq!(offset_of!(DLDevice, device_id), 4);
}

// spec: RUST-R03
#[test]
fn layout_of_dldatatype() {
    assert_eq!(size_of::<DLDataType>(), 4);
    assert_eq!(align_of::<DLDataType>(), 2);
    assert_eq!(offset_of!(DLDataType, code), 0);
    assert_eq!(offset_of!(DLDataType, bits), 1);
    assert_eq!(offset_of!(DLDataType, lanes), 2);
}

// spec: RUST-R03
#[test]
fn layout_of_dltensor() {
    assert_eq!(size_of::<DLTensor>(), 48);
    assert_eq!(align_of::<DLTensor>(), 8);
    assert_eq!(offset_of!(DLTensor, data), 0);
    assert_eq!(offset_of!(DLTensor, device), 8);
    assert_eq!(offset_of!(DLTensor, ndim), 16);
    assert_eq!(offset_of!(DLTensor, dtype), 20);
    assert_eq!(offset_of!(DLTensor, shape), 24);
    assert_eq!(offset_of!(DLTensor, strides), 32);
    assert_eq!(offset_of!(DLTensor, byte_offset), 40);
}

// spec: RUST-R03
#[test]
fn layout_of_dlmanagedtensor() {
    assert_eq!(size_of::<DLManagedTensor>(), 64);
    assert_eq!(align_of::<DLManagedTensor>(), 8);
    assert_eq!(offset_of!(DLManagedTensor, dl_tensor), 0);
    assert_eq!(offset_of!(DLManagedTensor, manager_ctx), 48);
    assert_eq!(offset_of!(DLManagedTensor, deleter), 56);
}

// spec: RUST-R03
#[test]
fn layout_of_dlpackversion() {
    assert_eq!(size_of::<DLPackVersion>(), 8);
    assert_eq!(align_of::<DLPackVersion>(), 4);
    assert_eq!(offset_of!(DLPackVersion, major), 0);
    assert_eq!(offset_of!(DLPackVersion, minor), 4);
}

// spec: RUST-R03
#[test]
fn layout_of_dlmanagedtensorversioned() {
    assert_eq!(size_of::<DLManagedTensorVersioned>(), 80);
    assert_eq!(align_of::<DLManagedTensorVersioned>(), 8);
    assert_eq!(offset_of!(DLManagedTensorVersioned, version), 0);
    assert_eq!(offset_of!(DLManagedTensorVersioned, manager_ctx), 8);
    assert_eq!(offset_of!(DLManagedTensorVersioned, deleter), 16);
    assert_eq!(offset_of!(DLManagedTensorVersioned, flags), 24);
    assert_eq!(offset_of!(DLManagedTensorVersioned, dl_tensor), 32);
}

// spec: RUST-R03
#[test]
fn layout_of_dlpackexchangeapiheader() {
    assert_eq!(size_of::<DLPackExchangeAPIHeader>(), 16);
    assert_eq!(align_of::<DLPackExchangeAPIHeader>(), 8);
    assert_eq!(offset_of!(DLPackExchangeAPIHeader, version), 0);
    assert_eq!(offset_of!(DLPackExchangeAPIHeader, prev_api), 8);
}

// spec: RUST-R03
#[test]
fn layout_of_dlpackexchangeapi() {
    assert_eq!(size_of::<DLPackExchangeAPI>(), 56);
    assert_eq!(align_of::<DLPackExchangeAPI>(), 8);
    assert_eq!(offset_of!(DLPackExchangeAPI, header), 0);
    assert_eq!(offset_of!(DLPackExchangeAPI, managed_tensor_allocator), 16);
    assert_eq!(
        offset_of!(DLPackExchangeAPI, managed_tensor_from_py_object_no_sync),
        24
    );
    assert_eq!(
        offset_of!(DLPackExchangeAPI, managed_tensor_to_py_object_no_sync),
        32
    );
    assert_eq!(
        offset_of!(DLPackExchangeAPI, dltensor_from_py_object_no_sync),
        40
    );
    assert_eq!(offset_of!(DLPackExchangeAPI, current_work_stream), 48);
}

// spec: RUST-R03
#[test]
fn constants_are_those_of_c() {
    assert_eq!(DLDeviceType::kDLCPU.0, 1);
    assert_eq!(DLDeviceType::kDLCUDA.0, 2);
    assert_eq!(DLDeviceType::kDLCUDAHost.0, 3);
    assert_eq!(DLDeviceType::kDLOpenCL.0, 4);
    assert_eq!(DLDeviceType::kDLVulkan.0, 7);
    assert_eq!(DLDeviceType::kDLMetal.0, 8);
    assert_eq!(DLDeviceType::kDLVPI.0, 9);
    assert_eq!(DLDeviceType::kDLROCM.0, 10);
    assert_eq!(DLDeviceType::kDLROCMHost.0, 11);
    assert_eq!(DLDeviceType::kDLExtDev.0, 12);
    assert_eq!(DLDeviceType::kDLCUDAManaged.0, 13);
    assert_eq!(DLDeviceType::kDLOneAPI.0, 14);
    assert_eq!(DLDeviceType::kDLWebGPU.0, 15);
    assert_eq!(DLDeviceType::kDLHexagon.0, 16);
    assert_eq!(DLDeviceType::kDLMAIA.0, 17);
    assert_eq!(DLDeviceType::kDLTrn.0, 18);
    assert_eq!(DLDataTypeCode::kDLInt as i32, 0);
    assert_eq!(DLDataTypeCode::kDLUInt as i32, 1);
    assert_eq!(DLDataTypeCode::kDLFloat as i32, 2);
    assert_eq!(DLDataTypeCode::kDLOpaqueHandle as i32, 3);
    assert_eq!(DLDataTypeCode::kDLBfloat as i32, 4);
    assert_eq!(DLDataTypeCode::kDLComplex as i32, 5);
    assert_eq!(DLDataTypeCode::kDLBool as i32, 6);
    assert_eq!(DLDataTypeCode::kDLFloat8_e3m4 as i32, 7);
    assert_eq!(DLDataTypeCode::kDLFloat8_e4m3 as i32, 8);
    assert_eq!(DLDataTypeCode::kDLFloat8_e4m3b11fnuz as i32, 9);
    assert_eq!(DLDataTypeCode::kDLFloat8_e4m3fn as i32, 10);
    assert_eq!(DLDataTypeCode::kDLFloat8_e4m3fnuz as i32, 11);
    assert_eq!(DLDataTypeCode::kDLFloat8_e5m2 as i32, 12);
    assert_eq!(DLDataTypeCode::kDLFloat8_e5m2fnuz as i32, 13);
    assert_eq!(DLDataTypeCode::kDLFloat8_e8m0fnu as i32, 14);
    assert_eq!(DLDataTypeCode::kDLFloat6_e2m3fn as i32, 15);
    assert_eq!(DLDataTypeCode::kDLFloat6_e3m2fn as i32, 16);
    assert_eq!(DLDataTypeCode::kDLFloat4_e2m1fn as i32, 17);
    assert_eq!(TVMFFITypeIndex::kTVMFFINone as i32, 0);
    assert_eq!(TVMFFITypeIndex::kTVMFFIInt as i32, 1);
    assert_eq!(TVMFFITypeIndex::kTVMFFIBool as i32, 2);
    assert_eq!(TVMFFITypeIndex::kTVMFFIFloat as i32, 3);
    assert_eq!(TVMFFITypeIndex::kTVMFFIOpaquePtr as i32, 4);
    assert_eq!(TVMFFITypeIndex::kTVMFFIDataType as i32, 5);
    assert_eq!(TVMFFITypeIndex::kTVMFFIDevice as i32, 6);
    assert_eq!(TVMFFITypeIndex::kTVMFFIDLTensorPtr as i32, 7);
    assert_eq!(TVMFFITypeIndex::kTVMFFIRawStr as i32, 8);
    assert_eq!(TVMFFITypeIndex::kTVMFFIByteArrayPtr as i32, 9);
    assert_eq!(TVMFFITypeIndex::kTVMFFIObjectRValueRef as i32, 10);
    assert_eq!(TVMFFITypeIndex::kTVMFFISmallStr as i32, 11);
    assert_eq!(TVMFFITypeIndex::kTVMFFISmallBytes as i32, 12);
    assert_eq!(TVMFFITypeIndex::kTVMFFIUnchanged as i32, 13);
    assert_eq!(TVMFFITypeIndex::kTVMFFIStaticObjectBegin as i32, 64);
    assert_eq!(TVMFFITypeIndex::kTVMFFIStr as i32, 65);
    assert_eq!(TVMFFITypeIndex::kTVMFFIBytes as i32, 66);
    assert_eq!(TVMFFITypeIndex::kTVMFFIError as i32, 67);
    assert_eq!(TVMFFITypeIndex::kTVMFFIFunction as i32, 68);
    assert_eq!(TVMFFITypeIndex::kTVMFFIShape as i32, 69);
    assert_eq!(TVMFFITypeIndex::kTVMFFITensor as i32, 70);
    assert_eq!(TVMFFITypeIndex::kTVMFFIArray as i32, 71);
    assert_eq!(TVMFFITypeIndex::kTVMFFIMap as i32, 72);
    assert_eq!(TVMFFITypeIndex::kTVMFFIModule as i32, 73);
    assert_eq!(TVMFFITypeIndex::kTVMFFIOpaquePyObject as i32, 74);
    assert_eq!(TVMFFITypeIndex::kTVMFFIList as i32, 75);
    assert_eq!(TVMFFITypeIndex::kTVMFFIDict as i32, 76);
    assert_eq!(TVMFFITypeIndex::kTVMFFIVisitInterrupt as i32, 77);
    assert_eq!(TVMFFITypeIndex::kTVMFFIBigInt as i32, 78);
    assert_eq!(TVMFFITypeIndex::kTVMFFIStaticObjectEnd as i32, 79);
    assert_eq!(TVMFFITypeIndex::kTVMFFIDynObjectBegin as i32, 128);
    assert_eq!(
        TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskStrong as i32,
        1
    );
    assert_eq!(
        TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskWeak as i32,
        2
    );
    assert_eq!(
        TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskBoth as i32,
        3
    );
    assert_eq!(
        TVMFFIBacktraceUpdateMode::kTVMFFIBacktraceUpdateModeReplace as i32,
        0
    );
    assert_eq!(
        TVMFFIBacktraceUpdateMode::kTVMFFIBacktraceUpdateModeAppend as i32,
        1
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskWritable as i32,
        1
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskHasDefault as i32,
        2
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskIsStaticMethod as i32,
        4
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskSEqHashIgnore as i32,
        8
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskSEqHashDefPattern as i32,
        16
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskDefaultFromFactory as i32,
        32
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskReprOff as i32,
        64
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskCompareOff as i32,
        128
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskHashOff as i32,
        256
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskInitOff as i32,
        512
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskKwOnly as i32,
        1024
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitSetterIsFunctionObj as i32,
        2048
    );
    assert_eq!(
        TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitMaskSEqHashDefSimple as i32,
        4096
    );
    assert_eq!(TVMFFISEqHashKind::kTVMFFISEqHashKindUnsupported as i32, 0);
    assert_eq!(TVMFFISEqHashKind::kTVMFFISEqHashKindTreeNode as i32, 1);
    assert_eq!(TVMFFISEqHashKind::kTVMFFISEqHashKindFreeVar as i32, 2);
    assert_eq!(TVMFFISEqHashKind::kTVMFFISEqHashKindDAGNode as i32, 3);
    assert_eq!(TVMFFISEqHashKind::kTVMFFISEqHashKindConstTreeNode as i32, 4);
    assert_eq!(
        TVMFFISEqHashKind::kTVMFFISEqHashKindUniqueInstance as i32,
        5
    );
    assert_eq!(TVMFFIDefRegionKind::kTVMFFIDefRegionKindNone as i32, 0);
    assert_eq!(TVMFFIDefRegionKind::kTVMFFIDefRegionKindPattern as i32, 1);
    assert_eq!(TVMFFIDefRegionKind::kTVMFFIDefRegionKindSimple as i32, 2);
}

// spec: RUST-R03
#[test]
fn every_function_is_linked() {
    let functions: [*const (); 50] = [
        TVMFFIAnyViewToOwnedAny as *const (),
        TVMFFIBacktrace as *const (),
        TVMFFIBigIntFromByteArray as *const (),
        TVMFFIBigIntGetContentByteArray as *const (),
        TVMFFIBytesFromByteArray as *const (),
        TVMFFIDataTypeFromString as *const (),
        TVMFFIDataTypeToString as *const (),
        TVMFFIEnvCheckSignals as *const (),
        TVMFFIEnvGetDLPackManagedTensorAllocator as *const (),
        TVMFFIEnvGetStream as *const (),
        TVMFFIEnvModLookupFromImports as *const (),
        TVMFFIEnvModRegisterContextSymbol as *const (),
        TVMFFIEnvModRegisterSystemLibSymbol as *const (),
        TVMFFIEnvRegisterCAPI as *const (),
        TVMFFIEnvSetDLPackManagedTensorAllocator as *const (),
        TVMFFIEnvSetStream as *const (),
        TVMFFIEnvTensorAlloc as *const (),
        TVMFFIErrorCreate as *const (),
        TVMFFIErrorCreateWithCauseAndExtraContext as *const (),
        TVMFFIErrorMoveFromRaised as *const (),
        TVMFFIErrorSetRaised as *const (),
        TVMFFIErrorSetRaisedFromCStr as *const (),
        TVMFFIErrorSetRaisedFromCStrParts as *const (),
        TVMFFIFunctionCall as *const (),
        TVMFFIFunctionCreate as *const (),
        TVMFFIFunctionGetGlobal as *const (),
        TVMFFIFunctionSetGlobal as *const (),
        TVMFFIFunctionSetGlobalFromMethodInfo as *const (),
        TVMFFIGetCustomAllocator as *const (),
        TVMFFIGetTypeAttrColumn as *const (),
        TVMFFIGetTypeInfo as *const (),
        TVMFFIGetVersion as *const (),
        TVMFFIHandleDeinitOnce as *const (),
        TVMFFIHandleInitOnce as *const (),
        TVMFFIObjectCreateOpaque as *const (),
        TVMFFIObjectDecRef as *const (),
        TVMFFIObjectIncRef as *const (),
        TVMFFISetCustomAllocator as *const (),
        TVMFFIStringFromByteArray as *const (),
        TVMFFITensorCreateUnsafeView as *const (),
        TVMFFITensorFromDLPack as *const (),
        TVMFFITensorFromDLPackVersioned as *const (),
        TVMFFITensorToDLPack as *const (),
        TVMFFITensorToDLPackVersioned as *const (),
        TVMFFITypeGetOrAllocIndex as *const (),
        TVMFFITypeKeyToIndex as *const (),
        TVMFFITypeRegisterAttr as *const (),
        TVMFFITypeRegisterField as *const (),
        TVMFFITypeRegisterMetadata as *const (),
        TVMFFITypeRegisterMethod as *const (),
    ];
    let mut different = functions.to_vec();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 50);
}
