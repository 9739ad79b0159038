// SPDX-License-Identifier: Apache-2.0
// Test data type strings: parsing and printing every test vector of abi_facts.json; custom types.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "c_api_support.h"

namespace {

/*!
 * \brief A string, and the result of reading it: a type and its canonical string, or the message
 * of a ValueError.
 */
struct ReadCase {
  const char* text;
  DLDataType dtype;
  const char* printed;
  const char* message;
};

const ReadCase kReadCases[] = {
    {"", {3, 0, 0}, "", nullptr},
    {"void", {3, 0, 0}, "", nullptr},
    {"int", {0, 32, 1}, "int32", nullptr},
    {"int8", {0, 8, 1}, "int8", nullptr},
    {"int32", {0, 32, 1}, "int32", nullptr},
    {"int64", {0, 64, 1}, "int64", nullptr},
    {"i8", {0, 8, 1}, "int8", nullptr},
    {"i32", {0, 32, 1}, "int32", nullptr},
    {"i64x4", {0, 64, 4}, "int64x4", nullptr},
    {"uint8", {1, 8, 1}, "uint8", nullptr},
    {"u8", {1, 8, 1}, "uint8", nullptr},
    {"u1", {1, 1, 1}, "uint1", nullptr},
    {"uint1", {1, 1, 1}, "uint1", nullptr},
    {"bool", {6, 8, 1}, "bool", nullptr},
    {"bool8", {6, 8, 1}, "bool", nullptr},
    {"bool1", {6, 1, 1}, "bool1", nullptr},
    {"boolx4", {6, 8, 4}, "boolx4", nullptr},
    {"bool16", {6, 16, 1}, "bool16", nullptr},
    {"float", {2, 32, 1}, "float32", nullptr},
    {"float16", {2, 16, 1}, "float16", nullptr},
    {"float32", {2, 32, 1}, "float32", nullptr},
    {"f32", {2, 32, 1}, "float32", nullptr},
    {"f64", {2, 64, 1}, "float64", nullptr},
    {"f32x4", {2, 32, 4}, "float32x4", nullptr},
    {"float64x2", {2, 64, 2}, "float64x2", nullptr},
    {"float32xvscalex4", {2, 32, 65532}, "float32xvscalex4", nullptr},
    {"int8xvscalex16", {0, 8, 65520}, "int8xvscalex16", nullptr},
    {"int8xvscale", {0, 8, 1}, "int8", nullptr},
    {"int8x",
     {},
     nullptr,
     "Invalid lanes specification in dtype 'int8x'. Lanes must be a positive integer."},
    {"int8x0",
     {},
     nullptr,
     "Invalid lanes specification in dtype 'int8x0'. Lanes must be a positive integer."},
    {"int8x1", {0, 8, 1}, "int8", nullptr},
    {"int8x65535", {0, 8, 65535}, "int8", nullptr},
    {"int8x65536",
     {},
     nullptr,
     "Lanes value 65536 is out of range for uint16_t in dtype 'int8x65536'"},
    {"int8x-1",
     {},
     nullptr,
     "Invalid lanes specification in dtype 'int8x-1'. Lanes must be a positive integer."},
    {"int256", {}, nullptr, "Bits value 256 is out of range for uint8_t in dtype 'int256'"},
    {"int255", {0, 255, 1}, "int255", nullptr},
    {"int8_", {}, nullptr, "unknown dtype `int8_`"},
    {"handle", {3, 64, 1}, "handle", nullptr},
    {"handle64", {3, 64, 1}, "handle", nullptr},
    {"handle32", {3, 32, 1}, "handle", nullptr},
    {"handlex2", {3, 64, 2}, "handle", nullptr},
    {"bfloat", {4, 16, 1}, "bfloat16", nullptr},
    {"bfloat16", {4, 16, 1}, "bfloat16", nullptr},
    {"bf16", {4, 16, 1}, "bfloat16", nullptr},
    {"bf16x2", {4, 16, 2}, "bfloat16x2", nullptr},
    {"bf8", {4, 8, 1}, "bfloat8", nullptr},
    {"float8_e4m3fn", {10, 8, 1}, "float8_e4m3fn", nullptr},
    {"float8_e4m3", {8, 8, 1}, "float8_e4m3", nullptr},
    {"float8_e4m3fnuz", {11, 8, 1}, "float8_e4m3fnuz", nullptr},
    {"float8_e4m3b11fnuz", {9, 8, 1}, "float8_e4m3b11fnuz", nullptr},
    {"float8_e5m2", {12, 8, 1}, "float8_e5m2", nullptr},
    {"float8_e5m2fnuz", {13, 8, 1}, "float8_e5m2fnuz", nullptr},
    {"float8_e8m0fnu", {14, 8, 1}, "float8_e8m0fnu", nullptr},
    {"float8_e3m4", {7, 8, 1}, "float8_e3m4", nullptr},
    {"float8_e4m3fnx4", {10, 8, 4}, "float8_e4m3fnx4", nullptr},
    {"float8_e4m3fnxvscalex4",
     {},
     nullptr,
     "Invalid lanes specification in dtype 'float8_e4m3fnxvscalex4'. Lanes must be a positive "
     "integer."},
    {"fp8_e4m3fn", {10, 8, 1}, "float8_e4m3fn", nullptr},
    {"f8_e4m3fn", {10, 8, 1}, "float8_e4m3fn", nullptr},
    {"f8_e5m2x2", {12, 8, 2}, "float8_e5m2x2", nullptr},
    {"fp6_e2m3fn", {15, 6, 1}, "float6_e2m3fn", nullptr},
    {"f6_e3m2fn", {16, 6, 1}, "float6_e3m2fn", nullptr},
    {"float6_e2m3fn", {15, 6, 1}, "float6_e2m3fn", nullptr},
    {"float6_e3m2fnx2", {16, 6, 2}, "float6_e3m2fnx2", nullptr},
    {"float4_e2m1fn", {17, 4, 1}, "float4_e2m1fn", nullptr},
    {"fp4_e2m1fn", {17, 4, 1}, "float4_e2m1fn", nullptr},
    {"f4_e2m1fn", {17, 4, 1}, "float4_e2m1fn", nullptr},
    {"float4_e2m1fnx2", {17, 4, 2}, "float4_e2m1fnx2", nullptr},
    {"float4_e2m1fn_x2", {17, 4, 2}, "float4_e2m1fnx2", nullptr},
    {"float4_e2m1fn_", {17, 4, 1}, "float4_e2m1fn", nullptr},
    {"float4_e2m1", {}, nullptr, "unknown float4 type `float4_e2m1`"},
    {"float8_foo", {}, nullptr, "unknown float8 type `float8_foo`"},
    {"float8", {2, 8, 1}, "float8", nullptr},
    {"float4", {2, 4, 1}, "float4", nullptr},
    {"f8", {2, 8, 1}, "float8", nullptr},
    {"complex64", {5, 64, 1}, "complex64", nullptr},
    {"complex128x2", {5, 128, 2}, "complex128x2", nullptr},
    {"complex", {}, nullptr, "unknown dtype `complex`"},
    {"complexx2", {}, nullptr, "unknown dtype `complexx2`"},
    {"Int32", {}, nullptr, "unknown dtype `Int32`"},
    {"int32 ", {}, nullptr, "unknown dtype `int32 `"},
    {" int32", {}, nullptr, "unknown dtype ` int32`"},
    {"foo", {}, nullptr, "unknown dtype `foo`"},
    {"custom[x]32", {}, nullptr, "Function dtype.get_custom_type_code not found"},
    {"customx", {}, nullptr, "expected opening brace after 'custom' type incustomx"},
    {"i", {}, nullptr, "unknown dtype `i`"},
    {"u", {}, nullptr, "unknown dtype `u`"},
    {"f", {}, nullptr, "unknown dtype `f`"},
    {"bf", {}, nullptr, "unknown dtype `bf`"},
    {"u0", {1, 32, 1}, "uint32", nullptr},
    {"int0", {0, 32, 1}, "int32", nullptr},
    {"float0", {2, 32, 1}, "float32", nullptr},
};

/*! \brief A type, and the result of printing it: a string, or the message of a ValueError. */
struct PrintCase {
  DLDataType dtype;
  const char* printed;
  const char* message;
};

const PrintCase kPrintCases[] = {
    {{0, 32, 1}, "int32", nullptr},
    {{0, 1, 1}, "int1", nullptr},
    {{1, 8, 4}, "uint8x4", nullptr},
    {{1, 1, 1}, "uint1", nullptr},
    {{2, 16, 0}, "float16", nullptr},
    {{2, 32, 65532}, "float32xvscalex4", nullptr},
    {{2, 32, 65535}, "float32", nullptr},
    {{3, 64, 1}, "handle", nullptr},
    {{3, 0, 0}, "", nullptr},
    {{3, 64, 4}, "handle", nullptr},
    {{4, 16, 2}, "bfloat16x2", nullptr},
    {{5, 64, 1}, "complex64", nullptr},
    {{6, 8, 1}, "bool", nullptr},
    {{6, 8, 4}, "boolx4", nullptr},
    {{6, 1, 1}, "bool1", nullptr},
    {{6, 1, 4}, "bool1x4", nullptr},
    {{7, 8, 1}, "float8_e3m4", nullptr},
    {{10, 8, 4}, "float8_e4m3fnx4", nullptr},
    {{14, 8, 1}, "float8_e8m0fnu", nullptr},
    {{15, 6, 1}, "float6_e2m3fn", nullptr},
    {{17, 4, 1}, "float4_e2m1fn", nullptr},
    {{17, 4, 2}, "float4_e2m1fnx2", nullptr},
    {{18, 8, 1}, nullptr, "DLDataType contains unknown type_code=18"},
    {{128, 8, 1}, nullptr, "DLDataType contains unknown type_code=128"},
    {{129, 8, 1}, nullptr, "Function dtype.get_custom_type_name not found"},
    {{150, 16, 2}, nullptr, "Function dtype.get_custom_type_name not found"},
};

int Read(std::string_view text, DLDataType* out) {
  TVMFFIByteArray bytes = BytesOf(text);
  return TVMFFIDataTypeFromString(&bytes, out);
}

/*! \brief Return the string of a type; or return "" and leave the error in the error slot. */
std::string Print(DLDataType dtype) {
  TVMFFIAny value{};
  if (TVMFFIDataTypeToString(&dtype, &value) != 0) return "";
  EXPECT_EQ(value.type_index, kTVMFFIStr);
  std::string text = TextOf(*TVMFFIBytesGetByteArrayPtr(value.v_obj));
  TVMFFIObjectDecRef(value.v_obj);
  return text;
}

std::vector<int> Members(DLDataType dtype) { return {dtype.code, dtype.bits, dtype.lanes}; }

// spec: G01, Y20
TEST(DTypeText, ReadsEveryVector) {
  for (const ReadCase& c : kReadCases) {
    DLDataType dtype{99, 99, 99};
    int status = Read(c.text, &dtype);
    if (c.message == nullptr) {
      ASSERT_EQ(status, 0) << c.text << ": " << TakeRaised().message;
      EXPECT_EQ(Members(dtype), Members(c.dtype)) << c.text;
      EXPECT_EQ(Print(dtype), c.printed) << c.text;
    } else {
      EXPECT_EQ(status, -1) << c.text;
      Raised raised = TakeRaised();
      EXPECT_EQ(raised.kind, "ValueError");
      // The message may continue with a hint.
      EXPECT_EQ(raised.message.substr(0, raised.message.find(';')), c.message);
      EXPECT_EQ(Members(dtype), Members({99, 99, 99})) << c.text;
    }
  }
}

TEST(DTypeText, SuggestsTheNearestName) {
  struct Case {
    const char* text;
    const char* hint;
  };
  const Case kCases[] = {
      {"Int32", "; did you mean `int32`?"},
      {"flaot32", "; did you mean `float32`?"},
      {"double", "; did you mean `float64`?"},
      {"boolean", "; did you mean `bool`?"},
      {"float8_e4m3fm", "; did you mean `float8_e4m3fn`?"},
      {"<i4", "; a dtype has no byte order"},
      {"foo", ""},
      {"i", ""},
  };
  for (const Case& c : kCases) {
    DLDataType dtype{99, 99, 99};
    EXPECT_EQ(Read(c.text, &dtype), -1) << c.text;
    std::string message = TakeRaised().message;
    size_t end = message.find("`", message.find("`") + 1);
    EXPECT_EQ(message.substr(end + 1), c.hint) << message;
  }
  DLDataType dtype{99, 99, 99};
  EXPECT_EQ(Read(std::string(10000, 'x').c_str(), &dtype), -1);
  EXPECT_EQ(TakeRaised().message.find("did you mean"), std::string::npos);
}

// spec: G01, Y20
TEST(DTypeText, PrintsEveryVector) {
  for (const PrintCase& c : kPrintCases) {
    std::string text = Print(c.dtype);
    if (c.message == nullptr) {
      EXPECT_EQ(text, c.printed);
    } else {
      EXPECT_EQ(text, "");
      EXPECT_RAISED("ValueError", c.message);
    }
  }
}

TEST(DTypeText, EveryCodeBitsAndLanesCanBePrintedAndReadBack) {
  for (int code : {0, 1, 2, 4, 6}) {
    for (int bits = 1; bits < 256; ++bits) {
      for (int lanes : {1, 2, 7, 255, 32767, 65535 - 1, 32769}) {
        DLDataType dtype{static_cast<uint8_t>(code), static_cast<uint8_t>(bits),
                         static_cast<uint16_t>(lanes)};
        DLDataType back{};
        std::string text = Print(dtype);
        ASSERT_EQ(Read(text, &back), 0) << text;
        ASSERT_EQ(Members(back), Members(dtype)) << text;
      }
    }
  }
}

TEST(DTypeText, HugeNumbersAreRefusedWithTheirDigits) {
  DLDataType dtype{};
  std::string digits(400, '9');
  EXPECT_EQ(Read("int" + digits, &dtype), -1);
  EXPECT_RAISED("ValueError", "Bits value " + digits +
                                  " is out of range for uint8_t in dtype 'int" + digits + "'");
  EXPECT_EQ(Read("int8x" + digits, &dtype), -1);
  EXPECT_RAISED("ValueError", "Lanes value " + digits +
                                  " is out of range for uint16_t in dtype 'int8x" + digits + "'");
}

// spec: Y20
TEST(DTypeText, BadArguments) {
  DLDataType dtype{};
  TVMFFIAny value{};
  EXPECT_EQ(TVMFFIDataTypeFromString(nullptr, &dtype), -1);
  EXPECT_RAISED("ValueError", "`str` must not be NULL");
  TVMFFIByteArray text = BytesOf("int8");
  EXPECT_EQ(TVMFFIDataTypeFromString(&text, nullptr), -1);
  EXPECT_RAISED("ValueError", "`out` must not be NULL");
  EXPECT_EQ(TVMFFIDataTypeToString(nullptr, &value), -1);
  EXPECT_RAISED("ValueError", "`dtype` must not be NULL");
  EXPECT_EQ(TVMFFIDataTypeToString(&dtype, nullptr), -1);
  EXPECT_RAISED("ValueError", "`out` must not be NULL");
  TVMFFIByteArray nul{"int8\0", 5};
  EXPECT_EQ(TVMFFIDataTypeFromString(&nul, &dtype), -1);
  EXPECT_EQ(TakeRaised().kind, "ValueError");
}

/*!
 * \brief Return the code 150 for `posit`, fail for `unknown-name`, and return 70000 for other
 * names.
 */
int CodeOf(void*, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  EXPECT_EQ(num_args, 1);
  TVMFFIByteArray name = args[0].type_index == kTVMFFISmallStr
                             ? TVMFFISmallBytesGetContentByteArray(args)
                             : *TVMFFIBytesGetByteArrayPtr(args[0].v_obj);
  if (TextOf(name) == "unknown-name") {
    TVMFFIErrorSetRaisedFromCStr("KeyError", "no such custom type");
    return -1;
  }
  *result = IntValue(TextOf(name) == "posit" ? 150 : 70000);
  return 0;
}

int NameOf(void*, const TVMFFIAny* args, int32_t, TVMFFIAny* result) {
  if (args[0].v_int64 == 151) {
    *result = IntValue(1);
    return 0;
  }
  TVMFFIByteArray name = BytesOf("posit");
  return TVMFFIStringFromByteArray(&name, result);
}

/*! \brief Registers a global function for the lifetime of the instance. */
class GlobalFunction {
 public:
  GlobalFunction(const char* name, TVMFFISafeCallType call) : name_(name) {
    TVMFFIObjectHandle function = nullptr;
    EXPECT_EQ(TVMFFIFunctionCreate(nullptr, call, nullptr, &function), 0);
    TVMFFIByteArray bytes = BytesOf(name_);
    EXPECT_EQ(TVMFFIFunctionSetGlobal(&bytes, function, 1), 0);
    TVMFFIObjectDecRef(function);
  }
  ~GlobalFunction() {
    TVMFFIByteArray remover_name = BytesOf("ffi.FunctionRemoveGlobal");
    TVMFFIObjectHandle remover = nullptr;
    TVMFFIFunctionGetGlobal(&remover_name, &remover);
    if (remover == nullptr) return;
    TVMFFIAny argument{};
    argument.type_index = kTVMFFIRawStr;
    argument.v_c_str = name_;
    TVMFFIAny result{};
    EXPECT_EQ(TVMFFIFunctionCall(remover, &argument, 1, &result), 0);
    TVMFFIObjectDecRef(remover);
  }

 private:
  const char* name_;
};

// spec: Y20
TEST(DTypeText, CustomTypesAskTheTwoGlobalFunctions) {
  GlobalFunction code("dtype.get_custom_type_code", CodeOf);
  GlobalFunction name("dtype.get_custom_type_name", NameOf);
  DLDataType dtype{};
  ASSERT_EQ(Read("custom[posit]16x4", &dtype), 0) << TakeRaised().message;
  EXPECT_EQ(Members(dtype), (std::vector<int>{150, 16, 4}));
  // The string of a custom type does not contain its number of bits.
  EXPECT_EQ(Print(dtype), "custom[posit]x4");
  EXPECT_EQ(Read("custom[unknown-name]8", &dtype), -1);
  EXPECT_RAISED("KeyError", "no such custom type");
  EXPECT_EQ(Read("custom[big]8", &dtype), -1);
  EXPECT_RAISED("ValueError", "Type code 70000 of custom dtype `big` is out of range for uint8_t");
  EXPECT_EQ(Read("custom[posit", &dtype), -1);
  EXPECT_EQ(TakeRaised().kind, "ValueError");
  EXPECT_EQ(Print({151, 8, 1}), "");
  EXPECT_RAISED("TypeError", "dtype.get_custom_type_name must return a str, not `int`");
}

}  // namespace
