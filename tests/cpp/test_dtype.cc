// SPDX-License-Identifier: Apache-2.0
// Test DLDataType as a value: text forms, classification, operators, conversion from and to Any.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>

#include <cstring>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;

DLDataType Make(int code, int bits, int lanes) {
  return DLDataType{static_cast<uint8_t>(code), static_cast<uint8_t>(bits),
                    static_cast<uint16_t>(lanes)};
}

struct Named {
  DLDataType dtype;
  const char* name;
};

// spec: G01
TEST(DType, TextRoundTrip) {
  std::vector<Named> cases = {{Make(kDLInt, 8, 1), "int8"},
                              {Make(kDLInt, 64, 1), "int64"},
                              {Make(kDLUInt, 1, 1), "uint1"},
                              {Make(kDLUInt, 32, 4), "uint32x4"},
                              {Make(kDLFloat, 16, 1), "float16"},
                              {Make(kDLFloat, 32, -4), "float32xvscalex4"},
                              {Make(kDLOpaqueHandle, 64, 1), "handle"},
                              {Make(kDLOpaqueHandle, 0, 0), ""},
                              {Make(kDLBfloat, 16, 2), "bfloat16x2"},
                              {Make(kDLBool, 8, 1), "bool"},
                              {Make(kDLBool, 8, 4), "boolx4"},
                              {Make(kDLBool, 1, 1), "bool1"},
                              {Make(kDLFloat8_e3m4, 8, 1), "float8_e3m4"},
                              {Make(kDLFloat8_e4m3, 8, 1), "float8_e4m3"},
                              {Make(kDLFloat8_e4m3b11fnuz, 8, 1), "float8_e4m3b11fnuz"},
                              {Make(kDLFloat8_e4m3fn, 8, 2), "float8_e4m3fnx2"},
                              {Make(kDLFloat8_e4m3fnuz, 8, 1), "float8_e4m3fnuz"},
                              {Make(kDLFloat8_e5m2, 8, 1), "float8_e5m2"},
                              {Make(kDLFloat8_e5m2fnuz, 8, 1), "float8_e5m2fnuz"},
                              {Make(kDLFloat8_e8m0fnu, 8, 1), "float8_e8m0fnu"},
                              {Make(kDLFloat6_e2m3fn, 6, 1), "float6_e2m3fn"},
                              {Make(kDLFloat6_e3m2fn, 6, 1), "float6_e3m2fn"},
                              {Make(kDLFloat4_e2m1fn, 4, 2), "float4_e2m1fnx2"}};
  for (const Named& c : cases) {
    EXPECT_EQ(DLDataTypeToString(c.dtype), c.name);
    EXPECT_EQ(StringToDLDataType(c.name), c.dtype) << c.name;
  }
}

// spec: G01
TEST(DType, AliasesAndDefaults) {
  std::vector<Named> cases = {{Make(kDLInt, 32, 1), "int"},
                              {Make(kDLInt, 8, 1), "i8"},
                              {Make(kDLUInt, 16, 2), "u16x2"},
                              {Make(kDLFloat, 32, 1), "float"},
                              {Make(kDLFloat, 64, 4), "f64x4"},
                              {Make(kDLBfloat, 16, 1), "bf16"},
                              {Make(kDLFloat8_e4m3fn, 8, 1), "fp8_e4m3fn"},
                              {Make(kDLFloat6_e2m3fn, 6, 1), "f6_e2m3fn"},
                              {Make(kDLFloat4_e2m1fn, 4, 2), "float4_e2m1fn_x2"},
                              {Make(kDLOpaqueHandle, 0, 0), "void"}};
  for (const Named& c : cases) EXPECT_EQ(StringToDLDataType(c.name), c.dtype) << c.name;
}

// spec: G02
TEST(DType, TextNeedNotBeTerminated) {
  EXPECT_EQ(StringToDLDataType(String("float32x4xyz", 9)), Make(kDLFloat, 32, 4));
  TVMFFIByteArray view{"int8!", 4};
  EXPECT_EQ(AnyView(&view).cast<DLDataType>(), Make(kDLInt, 8, 1));
}

// spec: G01
TEST(DType, UnknownText) {
  EXPECT_ERROR(StringToDLDataType("flot32"), "ValueError",
               "unknown dtype `flot32`; did you mean `float32`?");
  EXPECT_EQ(Caught([] { StringToDLDataType("int8x0"); }).kind(), "ValueError");
}

TEST(DType, CodeNames) {
  using tvm::ffi::detail::DLDataTypeCodeAsCStr;
  auto name = [](int code) { return std::string(DLDataTypeCodeAsCStr(DLDataTypeCode(code))); };
  EXPECT_EQ(name(kDLInt), "int");
  EXPECT_EQ(name(kDLUInt), "uint");
  EXPECT_EQ(name(kDLFloat), "float");
  EXPECT_EQ(name(kDLOpaqueHandle), "handle");
  EXPECT_EQ(name(kDLBfloat), "bfloat");
  EXPECT_EQ(name(kDLComplex), "complex");
  EXPECT_EQ(name(kDLBool), "bool");
  EXPECT_EQ(name(kDLFloat4_e2m1fn), "float4_e2m1fn");
  EXPECT_EQ(name(kDLExtCustomBegin), "custom");
  EXPECT_EQ(name(200), "custom");
  for (int code : {18, 128}) {
    EXPECT_ERROR(name(code), "ValueError",
                 "DLDataType contains unknown type_code=" + std::to_string(code));
  }
  EXPECT_EQ(static_cast<int>(kDLExtCustomBegin), 129);
}

// spec: G04
TEST(DType, Abbreviations) {
  std::vector<Named> cases = {{Make(kDLInt, 8, 1), "i8"},
                              {Make(kDLInt, 8, -4), "i8xvscalex4"},
                              {Make(kDLUInt, 16, 4), "u16x4"},
                              {Make(kDLFloat, 32, 4), "f32x4"},
                              {Make(kDLFloat, 32, -1), "f32"},
                              {Make(kDLFloat, 32, 0), "f32"},
                              {Make(kDLOpaqueHandle, 0, 0), "void"},
                              {Make(kDLOpaqueHandle, 64, 1), "handle"},
                              {Make(kDLOpaqueHandle, 64, 4), "handle"},
                              {Make(kDLBfloat, 16, 2), "bf16x2"},
                              {Make(kDLComplex, 64, 1), "complex64"},
                              {Make(kDLComplex, 128, 2), "complex128x2"},
                              {Make(kDLBool, 8, 1), "bool"},
                              {Make(kDLBool, 8, 4), "boolx4"},
                              {Make(kDLBool, 1, 1), "bool1"},
                              {Make(kDLBool, 16, 4), "bool16x4"},
                              {Make(kDLFloat8_e3m4, 8, 1), "f8_e3m4"},
                              {Make(kDLFloat8_e4m3, 8, 1), "f8_e4m3"},
                              {Make(kDLFloat8_e4m3b11fnuz, 8, 1), "f8_e4m3b11fnuz"},
                              {Make(kDLFloat8_e4m3fn, 8, 2), "f8_e4m3fnx2"},
                              {Make(kDLFloat8_e4m3fnuz, 8, 1), "f8_e4m3fnuz"},
                              {Make(kDLFloat8_e5m2, 8, 1), "f8_e5m2"},
                              {Make(kDLFloat8_e5m2fnuz, 8, 1), "f8_e5m2fnuz"},
                              {Make(kDLFloat8_e8m0fnu, 8, 1), "f8_e8m0fnu"},
                              {Make(kDLFloat6_e2m3fn, 6, 1), "f6_e2m3fn"},
                              {Make(kDLFloat6_e3m2fn, 6, 1), "f6_e3m2fn"},
                              {Make(kDLFloat4_e2m1fn, 4, 1), "f4_e2m1fn"}};
  for (const Named& c : cases) EXPECT_EQ(DTypeAbbrev(c.dtype), c.name);
  EXPECT_EQ(Caught([] { DTypeAbbrev(Make(18, 8, 1)); }).kind(), "ValueError");
}

TEST(DType, CustomTypesGoThroughTheirRegistration) {
  DLDataType custom = Make(150, 16, 1);
  EXPECT_EQ(Caught([&] { DTypeAbbrev(custom); }).kind(), "ValueError");
  Function::SetGlobal("dtype.get_custom_type_name",
                      Function::FromTyped([](int code) { return "t" + std::to_string(code); }));
  EXPECT_EQ(DLDataTypeToString(custom), "custom[t150]");
  EXPECT_EQ(DTypeAbbrev(custom), "custom[t150]");
  Function::RemoveGlobal("dtype.get_custom_type_name");
}

// spec: G04
TEST(DType, Classification) {
  for (int code = 0; code < 256; ++code) {
    DLDataType dtype = Make(code, 8, 1);
    EXPECT_EQ(DTypeIsFloat(dtype), code == 2 || code == 4 || (code >= 7 && code <= 17)) << code;
    EXPECT_EQ(DTypeIsInt(dtype), code <= 1) << code;
    EXPECT_EQ(DTypeIsBool(dtype), code == 6) << code;
  }
}

// spec: G04
TEST(DType, Operators) {
  EXPECT_TRUE(Make(0, 8, 1) == Make(0, 8, 1));
  EXPECT_TRUE(Make(0, 8, 1) != Make(1, 8, 1));
  EXPECT_TRUE(Make(0, 8, 1) != Make(0, 16, 1));
  EXPECT_TRUE(Make(0, 8, 1) != Make(0, 8, 2));
  std::ostringstream os;
  os << Make(kDLFloat, 32, 4) << ' ' << Make(kDLBool, 8, 1);
  EXPECT_EQ(os.str(), "float32x4 bool");
  EXPECT_EQ(Caught([] { TVM_FFI_ICHECK_EQ(Make(0, 8, 1), Make(0, 16, 1)); }).message(),
            "Check failed: Make(0, 8, 1) == Make(0, 16, 1) (int8 vs. int16) : ");
}

// spec: D01
TEST(DTypeTraits, ValueRoundTrip) {
  Any any = Make(kDLInt, 8, 4);
  EXPECT_EQ(any.type_index(), kTVMFFIDataType);
  TVMFFIAny raw = AnyView(any).CopyToTVMFFIAny();
  const unsigned char expected[16] = {5, 0, 0, 0, 0, 0, 0, 0, 0, 8, 4, 0, 0, 0, 0, 0};
  uint16_t one = 1;
  if (*reinterpret_cast<unsigned char*>(&one) == 1) {
    EXPECT_EQ(std::memcmp(&raw, expected, 16), 0);
  }
  EXPECT_EQ(any.cast<DLDataType>(), Make(kDLInt, 8, 4));
  EXPECT_TRUE(any.as<DLDataType>().has_value());
  EXPECT_FALSE(Any("int8").as<DLDataType>().has_value());
  EXPECT_EQ(TypeTraits<DLDataType>::TypeStr(), "DataType");
  EXPECT_EQ(tvm::ffi::detail::TypeSchema<DLDataType>::v(), R"({"type":"DataType"})");
  EXPECT_EQ(TypeTraits<DLDataType>::field_static_type_index, kTVMFFIDataType);
}

TEST(DTypeTraits, TextIsParsed) {
  EXPECT_EQ(AnyView("float32").cast<DLDataType>(), Make(kDLFloat, 32, 1));
  EXPECT_EQ(Any("i8").cast<DLDataType>(), Make(kDLInt, 8, 1));
  EXPECT_EQ(Any(String("float32xvscalex4")).cast<DLDataType>(), Make(kDLFloat, 32, -4));
  auto bits = Function::FromTyped([](DLDataType dtype) { return static_cast<int>(dtype.bits); });
  EXPECT_EQ(bits("bfloat16").cast<int>(), 16);
}

// spec: G03
TEST(DTypeTraits, BadTextRaisesValueErrorAndOtherTypesAreMismatches) {
  auto bits = Function::FromTyped([](DLDataType dtype) { return static_cast<int>(dtype.bits); });
  EXPECT_EQ(Caught([&] { bits("nonsense"); }).kind(), "ValueError");
  EXPECT_EQ(Caught([] { Any("nonsense").cast<DLDataType>(); }).kind(), "ValueError");
  EXPECT_EQ(Caught([&] { bits(32); }).kind(), "TypeError");
  EXPECT_FALSE(Any(1.5).try_cast<DLDataType>().has_value());
}

}  // namespace
