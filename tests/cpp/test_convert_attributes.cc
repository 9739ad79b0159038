// SPDX-License-Identifier: Apache-2.0
// Test the type attribute `__ffi_convert__` of the object types with fixed type indices. Language
// bindings call this attribute to convert values.
#include <gtest/gtest.h>

#include <string>

#include "c_api_support.h"

namespace {

TVMFFIObjectHandle Converter(int32_t type) {
  TVMFFIByteArray name = BytesOf("__ffi_convert__");
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
  if (column == nullptr || type >= column->size) return nullptr;
  const TVMFFIAny& value = column->data[type - column->begin_index];
  return value.type_index == kTVMFFIFunction ? value.v_obj : nullptr;
}

TVMFFIAny RawText(const char* text) {
  TVMFFIAny value{};
  value.type_index = kTVMFFIRawStr;
  value.v_c_str = text;
  return value;
}

struct Named {
  int32_t type;
  const char* name;
};

// spec: L18
TEST(ConvertAttributes, EveryTypeRefusesAnIntByItsOwnName) {
  for (const Named& each :
       {Named{kTVMFFIObject, "ffi.Object"}, Named{kTVMFFIStr, "str"}, Named{kTVMFFIBytes, "bytes"},
        Named{kTVMFFIError, "ffi.Error"}, Named{kTVMFFIFunction, "ffi.Function"},
        Named{kTVMFFIShape, "ffi.Shape"}, Named{kTVMFFITensor, "ffi.Tensor"},
        Named{kTVMFFIArray, "Array<Any>"}, Named{kTVMFFIMap, "Map<Any, Any>"},
        Named{kTVMFFIList, "List<Any>"}, Named{kTVMFFIDict, "Dict<Any, Any>"}}) {
    TVMFFIObjectHandle converter = Converter(each.type);
    ASSERT_NE(converter, nullptr) << each.name;
    TVMFFIAny number = IntValue(3);
    TVMFFIAny result{};
    EXPECT_EQ(TVMFFIFunctionCall(converter, &number, 1, &result), -1);
    EXPECT_RAISED("TypeError", std::string("Cannot cast from `int` to `") + each.name + "`");
  }
  EXPECT_EQ(Converter(kTVMFFIInt), nullptr);
  EXPECT_EQ(Converter(kTVMFFIOpaquePyObject), nullptr);
}

TEST(ConvertAttributes, ValuesOfTheTypePassAndNoneWhereItIsAllowed) {
  TVMFFIAny text = RawText("abc");
  TVMFFIAny result{};
  ASSERT_EQ(TVMFFIFunctionCall(Converter(kTVMFFIStr), &text, 1, &result), 0);
  EXPECT_EQ(result.type_index, kTVMFFISmallStr);
  EXPECT_EQ(TVMFFIFunctionCall(Converter(kTVMFFIBytes), &text, 1, &result), -1);
  EXPECT_RAISED("TypeError", "Cannot cast from `const char*` to `bytes`");
  TVMFFIAny none{};
  result = TVMFFIAny{};
  ASSERT_EQ(TVMFFIFunctionCall(Converter(kTVMFFIFunction), &none, 1, &result), 0);
  EXPECT_EQ(result.type_index, kTVMFFINone);
  EXPECT_EQ(TVMFFIFunctionCall(Converter(kTVMFFITensor), &none, 1, &result), -1);
  EXPECT_RAISED("TypeError", "Cannot cast from `None` to `ffi.Tensor`");
  EXPECT_EQ(TVMFFIFunctionCall(Converter(kTVMFFIArray), &none, 1, &result), -1);
  EXPECT_RAISED("TypeError", "Cannot cast from `None` to `Array<Any>`");
}

}  // namespace
