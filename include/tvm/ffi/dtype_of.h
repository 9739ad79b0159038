// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/dtype_of.h
 * \brief DTypeOf and OneOf: the data types of the elements of typed tensors.
 */
#ifndef TVM_FFI_DTYPE_OF_H_
#define TVM_FFI_DTYPE_OF_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/dtype.h>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace tvm::ffi {

/*!
 * \brief The data type of the elements of a C++ type: `DTypeOf<T>::value`, a `DLDataType`.
 *
 * Numbers, `bool`, `std::complex`, and the small floats of CUDA and HIP, such as `__half` and
 * `__nv_bfloat16`, have one, whether their header is included before or later. Specialise it for a
 * type of your own, for example `template <> struct DTypeOf<MyHalf> { static constexpr DLDataType
 * value{kDLFloat, 16, 1}; };`. `sizeof(T)` must be the number of bytes of an element.
 */
template <typename T, typename = void>
struct DTypeOf;

template <typename T>
struct DTypeOf<T, std::enable_if_t<std::is_arithmetic_v<T>>> {
  static_assert(!std::is_same_v<T, long double>, "no data type has the layout of long double");
  static constexpr DLDataType value = {static_cast<uint8_t>(std::is_same_v<T, bool>       ? kDLBool
                                                            : std::is_floating_point_v<T> ? kDLFloat
                                                            : std::is_signed_v<T> ? kDLInt
                                                                                  : kDLUInt),
                                       static_cast<uint8_t>(sizeof(T) * 8), 1};
};
template <typename T>
struct DTypeOf<std::complex<T>, std::enable_if_t<std::is_floating_point_v<T>>> {
  static constexpr DLDataType value = {kDLComplex, static_cast<uint8_t>(sizeof(T) * 16), 1};
};
// The types of CUDA and HIP, which dtype_trait only declares: their headers may be included later.
// An element of a tensor must begin at a byte, so that types of 4 bits are left out.
template <typename T>
struct DTypeOf<T, std::enable_if_t<!std::is_arithmetic_v<T> &&
                                   dtype_trait<T>::value.bits * dtype_trait<T>::value.lanes >= 8>>
    : dtype_trait<T> {};

/*! \brief The element type of a typed tensor whose elements have one of several types. */
template <typename... T>
struct OneOf {
  static_assert(sizeof...(T) != 0, "OneOf needs at least one type");
};

}  // namespace tvm::ffi

#endif  // TVM_FFI_DTYPE_OF_H_
