// SPDX-License-Identifier: Apache-2.0
// Test dtype_trait: the data types of the number types of C++, CUDA and HIP.
#include <gtest/gtest.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/dtype.h>

#include <cstdint>
#include <string>
#include <type_traits>

namespace {

using namespace tvm::ffi;

template <typename T>
std::string Name() {
  static_assert(std::is_same_v<const DLDataType, decltype(dtype_trait<T>::value)>);
  constexpr DLDataType value = dtype_trait<T>::value;
  return DLDataTypeToString(value);
}

template <typename T, typename = void>
constexpr bool has_value = false;
template <typename T>
constexpr bool has_value<T, std::void_t<decltype(dtype_trait<T>::value)>> = true;

// spec: G14
TEST(DtypeTrait, StandardNumbers) {
  EXPECT_EQ(Name<int8_t>(), "int8");
  EXPECT_EQ(Name<int16_t>(), "int16");
  EXPECT_EQ(Name<int32_t>(), "int32");
  EXPECT_EQ(Name<int64_t>(), "int64");
  // On Windows `long` has 32 bits.
  EXPECT_EQ(Name<long>(), sizeof(long) == 8 ? "int64" : "int32");  // NOLINT(runtime/int)
  EXPECT_EQ(Name<long long>(), "int64");                           // NOLINT(runtime/int)
  EXPECT_EQ(Name<uint8_t>(), "uint8");
  EXPECT_EQ(Name<uint16_t>(), "uint16");
  EXPECT_EQ(Name<uint32_t>(), "uint32");
  EXPECT_EQ(Name<uint64_t>(), "uint64");
  EXPECT_EQ(Name<unsigned long long>(), "uint64");  // NOLINT(runtime/int)
  EXPECT_EQ(Name<float>(), "float32");
  EXPECT_EQ(Name<double>(), "float64");
  EXPECT_EQ(Name<bool>(), "bool");
  EXPECT_TRUE((dtype_trait<bool>::value == DLDataType{kDLBool, 8, 1}));
}

// spec: G14
TEST(DtypeTrait, VendorNumbersNeedNoVendorHeader) {
  EXPECT_EQ(Name<__half>(), "float16");
  EXPECT_EQ(Name<__nv_bfloat16>(), "bfloat16");
  EXPECT_EQ(Name<__hip_bfloat16>(), "bfloat16");
  EXPECT_EQ(Name<hip_bfloat16>(), "bfloat16");
  EXPECT_EQ(Name<__nv_fp8_e4m3>(), "float8_e4m3fn");
  EXPECT_EQ(Name<__hip_fp8_e4m3>(), "float8_e4m3fn");
  EXPECT_EQ(Name<__hip_fp8_e4m3_fnuz>(), "float8_e4m3fnuz");
  EXPECT_EQ(Name<__nv_fp8_e5m2>(), "float8_e5m2");
  EXPECT_EQ(Name<__hip_fp8_e5m2>(), "float8_e5m2");
  EXPECT_EQ(Name<__hip_fp8_e5m2_fnuz>(), "float8_e5m2fnuz");
  EXPECT_EQ(Name<__nv_fp8_e8m0>(), "float8_e8m0fnu");
  EXPECT_EQ(Name<__nv_fp4_e2m1>(), "float4_e2m1fn");
  EXPECT_EQ(Name<__hip_fp4_e2m1>(), "float4_e2m1fn");
  EXPECT_EQ(Name<__nv_fp4x2_e2m1>(), "float4_e2m1fnx2");
  EXPECT_EQ(Name<__hip_fp4x2_e2m1>(), "float4_e2m1fnx2");
}

// spec: G14
TEST(DtypeTrait, OtherTypesHaveNone) {
  EXPECT_FALSE(has_value<char>);
  EXPECT_FALSE(has_value<void*>);
  EXPECT_FALSE(has_value<std::string>);
  EXPECT_TRUE(has_value<int>);
}

}  // namespace
