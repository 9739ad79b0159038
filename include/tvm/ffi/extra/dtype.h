// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/dtype.h
 * \brief dtype_trait: the DLDataType of a C++ number type, including the types of CUDA and HIP.
 *
 * This header only declares the types of CUDA and HIP, so the headers of CUDA and HIP are not
 * needed.
 */
#ifndef TVM_FFI_EXTRA_DTYPE_H_
#define TVM_FFI_EXTRA_DTYPE_H_

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct __nv_fp8_e8m0;
struct __nv_fp4_e2m1;
struct __nv_fp4x2_e2m1;

struct __hip_bfloat16;
struct hip_bfloat16;
struct __hip_fp8_e4m3;
struct __hip_fp8_e4m3_fnuz;
struct __hip_fp8_e5m2;
struct __hip_fp8_e5m2_fnuz;
struct __hip_fp4_e2m1;
struct __hip_fp4x2_e2m1;

namespace tvm::ffi {

/*! \brief `dtype_trait<T>::value` is the DLDataType of T. It does not exist if T has none. */
template <typename T>
struct dtype_trait {};

namespace detail {

template <typename Int, DLDataTypeCode kCode>
struct integer_dtype {
  static constexpr DLDataType value = {kCode, 8 * sizeof(Int), 1};
};

/*! \brief Base of the dtype_trait of a type that may be incomplete: the template arguments give the
 * DLDataType. */
template <DLDataTypeCode kCode, uint8_t kBits, uint16_t kLanes = 1>
struct fixed_dtype {
  static constexpr DLDataType value = {kCode, kBits, kLanes};
};

}  // namespace detail

/// \cond Doxygen_Suppress
template <>
struct dtype_trait<signed char> : detail::integer_dtype<signed char, kDLInt> {};
template <>
struct dtype_trait<short> : detail::integer_dtype<short, kDLInt> {};  // NOLINT(runtime/int)
template <>
struct dtype_trait<int> : detail::integer_dtype<int, kDLInt> {};
template <>
struct dtype_trait<long> : detail::integer_dtype<long, kDLInt> {};  // NOLINT(runtime/int)
template <>
struct dtype_trait<long long> : detail::integer_dtype<long long, kDLInt> {};  // NOLINT(runtime/int)

template <>
struct dtype_trait<unsigned char> : detail::integer_dtype<unsigned char, kDLUInt> {};
template <>
struct dtype_trait<unsigned short>                        // NOLINT(runtime/int)
    : detail::integer_dtype<unsigned short, kDLUInt> {};  // NOLINT(runtime/int)
template <>
struct dtype_trait<unsigned int> : detail::integer_dtype<unsigned int, kDLUInt> {};
template <>
struct dtype_trait<unsigned long>                        // NOLINT(runtime/int)
    : detail::integer_dtype<unsigned long, kDLUInt> {};  // NOLINT(runtime/int)
template <>
struct dtype_trait<unsigned long long>                        // NOLINT(runtime/int)
    : detail::integer_dtype<unsigned long long, kDLUInt> {};  // NOLINT(runtime/int)

template <>
struct dtype_trait<bool> : detail::fixed_dtype<kDLBool, 8> {};
template <>
struct dtype_trait<float> : detail::fixed_dtype<kDLFloat, 32> {};
template <>
struct dtype_trait<double> : detail::fixed_dtype<kDLFloat, 64> {};

template <>
struct dtype_trait<__half> : detail::fixed_dtype<kDLFloat, 16> {};
template <>
struct dtype_trait<__nv_bfloat16> : detail::fixed_dtype<kDLBfloat, 16> {};
template <>
struct dtype_trait<__hip_bfloat16> : detail::fixed_dtype<kDLBfloat, 16> {};
template <>
struct dtype_trait<hip_bfloat16> : detail::fixed_dtype<kDLBfloat, 16> {};

template <>
struct dtype_trait<__nv_fp8_e4m3> : detail::fixed_dtype<kDLFloat8_e4m3fn, 8> {};
template <>
struct dtype_trait<__hip_fp8_e4m3> : detail::fixed_dtype<kDLFloat8_e4m3fn, 8> {};
template <>
struct dtype_trait<__hip_fp8_e4m3_fnuz> : detail::fixed_dtype<kDLFloat8_e4m3fnuz, 8> {};
template <>
struct dtype_trait<__nv_fp8_e5m2> : detail::fixed_dtype<kDLFloat8_e5m2, 8> {};
template <>
struct dtype_trait<__hip_fp8_e5m2> : detail::fixed_dtype<kDLFloat8_e5m2, 8> {};
template <>
struct dtype_trait<__hip_fp8_e5m2_fnuz> : detail::fixed_dtype<kDLFloat8_e5m2fnuz, 8> {};
template <>
struct dtype_trait<__nv_fp8_e8m0> : detail::fixed_dtype<kDLFloat8_e8m0fnu, 8> {};

template <>
struct dtype_trait<__nv_fp4_e2m1> : detail::fixed_dtype<kDLFloat4_e2m1fn, 4> {};
template <>
struct dtype_trait<__hip_fp4_e2m1> : detail::fixed_dtype<kDLFloat4_e2m1fn, 4> {};
template <>
struct dtype_trait<__nv_fp4x2_e2m1> : detail::fixed_dtype<kDLFloat4_e2m1fn, 4, 2> {};
template <>
struct dtype_trait<__hip_fp4x2_e2m1> : detail::fixed_dtype<kDLFloat4_e2m1fn, 4, 2> {};
/// \endcond

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_DTYPE_H_
