// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/dtype.h>

#include "../use.h"

using tvm::ffi::dtype_trait;

HAS_TYPE(dtype_trait<signed char>::value, const DLDataType);
HAS_TYPE(dtype_trait<unsigned char>::value, const DLDataType);
HAS_TYPE(dtype_trait<short>::value, const DLDataType);
HAS_TYPE(dtype_trait<unsigned short>::value, const DLDataType);
HAS_TYPE(dtype_trait<int>::value, const DLDataType);
HAS_TYPE(dtype_trait<unsigned int>::value, const DLDataType);
HAS_TYPE(dtype_trait<long>::value, const DLDataType);
HAS_TYPE(dtype_trait<unsigned long>::value, const DLDataType);
HAS_TYPE(dtype_trait<long long>::value, const DLDataType);
HAS_TYPE(dtype_trait<unsigned long long>::value, const DLDataType);
HAS_TYPE(dtype_trait<float>::value, const DLDataType);
HAS_TYPE(dtype_trait<double>::value, const DLDataType);
HAS_TYPE(dtype_trait<bool>::value, const DLDataType);
HOLDS(dtype_trait<bool>::value.code == kDLBool && dtype_trait<float>::value.code == kDLFloat);
HOLDS(dtype_trait<::__half>::value.bits == 16);
HOLDS(dtype_trait<::__nv_bfloat16>::value.bits == 16);
HOLDS(dtype_trait<::__hip_bfloat16>::value.bits == 16);
HOLDS(dtype_trait<::hip_bfloat16>::value.bits == 16);
HOLDS(dtype_trait<::__nv_fp8_e4m3>::value.bits == 8);
HOLDS(dtype_trait<::__hip_fp8_e4m3>::value.bits == 8);
HOLDS(dtype_trait<::__hip_fp8_e4m3_fnuz>::value.bits == 8);
HOLDS(dtype_trait<::__nv_fp8_e5m2>::value.bits == 8);
HOLDS(dtype_trait<::__hip_fp8_e5m2>::value.bits == 8);
HOLDS(dtype_trait<::__hip_fp8_e5m2_fnuz>::value.bits == 8);
HOLDS(dtype_trait<::__nv_fp8_e8m0>::value.bits == 8);
HOLDS(dtype_trait<::__nv_fp4_e2m1>::value.bits == 4);
HOLDS(dtype_trait<::__hip_fp4_e2m1>::value.bits == 4);
HOLDS(dtype_trait<::__nv_fp4x2_e2m1>::value.bits == 4);
HOLDS(dtype_trait<::__hip_fp4x2_e2m1>::value.bits == 4);
HOLDS(dtype_trait<::__nv_fp4x2_e2m1>::value.lanes == 2);
HOLDS(dtype_trait<::__hip_fp4x2_e2m1>::value.lanes == 2);
