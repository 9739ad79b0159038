// SPDX-License-Identifier: Apache-2.0
// Test the JSON writer of extra/json.h: the format of each kind of value, indentation, rejected
// values, and reading back.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace {

namespace json = tvm::ffi::json;
using tvm::ffi::Any;
using tvm::ffi::Array;
using tvm::ffi::Bytes;
using tvm::ffi::Dict;
using tvm::ffi::Error;
using tvm::ffi::Function;
using tvm::ffi::List;
using tvm::ffi::Map;
using tvm::ffi::Shape;
using tvm::ffi::String;

std::string MessageOf(const Any& value) {
  try {
    json::Stringify(value);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), "ValueError");
    return error.message();
  }
  return "nothing was thrown";
}

TEST(JsonWrite, Leaves) {
  EXPECT_EQ(json::Stringify(nullptr), "null");
  EXPECT_EQ(json::Stringify(true), "true");
  EXPECT_EQ(json::Stringify(false), "false");
  EXPECT_EQ(json::Stringify(0), "0");
  EXPECT_EQ(json::Stringify(-42), "-42");
  EXPECT_EQ(json::Stringify(INT64_MAX), "9223372036854775807");
  EXPECT_EQ(json::Stringify(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(json::Stringify(String("short")), "\"short\"");
  EXPECT_EQ(json::Stringify(String("a string of some length")), "\"a string of some length\"");
}

// The fast path for numbers of medium magnitude and the general path must both write what printf
// writes.
TEST(JsonWrite, FloatsHaveTheDigitsOfPrintf) {
  std::mt19937_64 random(1);
  auto check = [](double value) {
    if (!std::isfinite(value) || value == std::trunc(value)) return;
    char expected[64];
    std::snprintf(expected, sizeof(expected), "%.17g", value);
    ASSERT_STREQ(json::Stringify(value).c_str(), expected);
  };
  for (int i = 0; i < 50000; ++i) {
    double any;
    uint64_t bits = random();
    std::memcpy(&any, &bits, sizeof(any));
    check(any);
    check(std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 180) - 160));
    check(static_cast<double>(random() % 1000000) / 7);
    check(static_cast<double>(random() % 100) * 1e-5);
  }
  for (int exponent = -323; exponent < 17; ++exponent) {
    double power = std::pow(10, exponent);
    for (double value : {std::nextafter(power, 0.0), power, std::nextafter(power, 1e300)}) {
      check(value);
      check(-value);
      check(value * 9.9999999999999999);
    }
  }
  for (int exponent = -1074; exponent < 0; ++exponent) check(std::ldexp(1.0, exponent));
}

TEST(JsonWrite, Floats) {
  EXPECT_EQ(json::Stringify(3.0), "3.0");
  EXPECT_EQ(json::Stringify(0.0), "0.0");
  EXPECT_EQ(json::Stringify(-0.0), "-0.0");
  EXPECT_EQ(json::Stringify(-7.0), "-7.0");
  EXPECT_EQ(json::Stringify(0.1), "0.10000000000000001");
  EXPECT_EQ(json::Stringify(123456789.125), "123456789.125");
  EXPECT_EQ(json::Stringify(1e300), "1.0000000000000001e+300");
  EXPECT_EQ(json::Stringify(9007199254740991.0), "9007199254740991.0");
  EXPECT_EQ(json::Stringify(9007199254740992.0), "9007199254740992");
  EXPECT_EQ(json::Stringify(1e16), "10000000000000000");
  EXPECT_EQ(json::Stringify(1e17), "1e+17");
  EXPECT_EQ(json::Stringify(1e-4), "0.0001");
  EXPECT_EQ(json::Stringify(1.234e-5), "1.234e-05");
  EXPECT_EQ(json::Stringify(5e-324), "4.9406564584124654e-324");
  EXPECT_EQ(json::Stringify(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(json::Stringify(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(json::Stringify(-std::numeric_limits<double>::infinity()), "-Infinity");
}

TEST(JsonWrite, FloatsAreWrittenAsByPrintf) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 50000; ++i) {
    uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    // Replace every second value by a number of medium magnitude, for the fast path.
    if (i % 2 == 1) value = static_cast<double>(static_cast<int64_t>(bits) >> (i % 60)) / 1000.0;
    if (!std::isfinite(value)) continue;
    bool is_integral = std::fabs(value) < 9007199254740992.0 && value == std::trunc(value);
    char expected[64];
    std::snprintf(expected, sizeof(expected), is_integral ? "%.1f" : "%.17g", value);
    ASSERT_EQ(json::Stringify(value), expected);
  }
}

TEST(JsonWrite, StringsAreEscapedLikeEscapeStringJSON) {
  EXPECT_EQ(json::Stringify(String("\"\\/\b\f\n\r\t", 8)), R"("\"\\\/\b\f\n\r\t")");
  EXPECT_EQ(json::Stringify(String("\0\x1f\x7f\xc3\xa9", 5)), "\"\\u0000\\u001f\\u007f\xc3\xa9\"");
  std::mt19937 random(11);
  for (size_t length = 0; length < 300; ++length) {
    std::string text;
    for (size_t i = 0; i < length; ++i) {
      text.push_back(random() % 9 == 0 ? static_cast<char>(random()) : 'x');
    }
    EXPECT_EQ(json::Stringify(String(text)), tvm::ffi::EscapeStringJSON(String(text)));
  }
  for (size_t length :
       {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 4095, 4096, 4097, 8200}) {
    for (size_t at = length > 40 ? length - 20 : 0; at <= length; ++at) {
      std::string text(length, 'x');
      if (at < length) text[at] = '"';
      EXPECT_EQ(json::Stringify(String(text)), tvm::ffi::EscapeStringJSON(String(text)));
    }
  }
  std::string controls(20000, '\x01');
  EXPECT_EQ(json::Stringify(String(controls)), tvm::ffi::EscapeStringJSON(String(controls)));
}

Any Nested() {
  return Array<Any>{1, Array<Any>{}, Map<Any, Any>{}, Map<Any, Any>{{String("k"), List<Any>{2}}}};
}

// spec: O03
TEST(JsonWrite, WithoutIndentThereIsNoWhiteSpace) {
  EXPECT_EQ(json::Stringify(Nested()), R"([1,[],{},{"k":[2]}])");
  EXPECT_EQ(json::Stringify(Nested(), 0), R"([1,[],{},{"k":[2]}])");
}

TEST(JsonWrite, ANegativeIndentBreaksLinesWithoutSpaces) {
  EXPECT_EQ(json::Stringify(Nested(), -3), "[\n1,\n[\n],\n{\n},\n{\n\"k\": [\n2\n]\n}\n]");
}

// spec: O03
TEST(JsonWrite, IndentedEveryElementHasItsLine) {
  EXPECT_EQ(json::Stringify(Nested(), 2),
            "[\n  1,\n  [\n  ],\n  {\n  },\n  {\n    \"k\": [\n      2\n    ]\n  }\n]");
  EXPECT_EQ(json::Stringify(Array<Any>{}, 4), "[\n]");
  EXPECT_EQ(json::Stringify(5, 4), "5");
}

TEST(JsonWrite, EntriesStandInTheOrderOfInsertion) {
  Map<String, int> map;
  for (int i = 0; i < 20; ++i) map.Set(std::to_string(19 - i), i);
  std::string text = json::Stringify(map);
  EXPECT_EQ(text.substr(0, 25), R"({"19":0,"18":1,"17":2,"16)");
}

// spec: O03
TEST(JsonWrite, WhatJSONCannotExpressIsRefused) {
  EXPECT_EQ(MessageOf(Dict<String, int>{{"a", 1}}), "Unsupported type: `ffi.Dict`");
  EXPECT_EQ(MessageOf(Bytes("abc", 3)), "Unsupported type: `ffi.SmallBytes`");
  EXPECT_EQ(MessageOf(Bytes(std::string(10, 'a'))), "Unsupported type: `ffi.Bytes`");
  EXPECT_EQ(MessageOf(Shape{1, 2}), "Unsupported type: `ffi.Shape`");
  EXPECT_EQ(MessageOf(DLDataType{kDLInt, 32, 1}), "Unsupported type: `DataType`");
  EXPECT_EQ(MessageOf(Array<Any>{1, Function::FromTyped([] {})}),
            "Unsupported type: `ffi.Function`");
  EXPECT_EQ(MessageOf(Map<int, int>{{1, 2}}), "Expect key to be string, got `int`");
}

// spec: O03
TEST(JsonWrite, AListThatContainsItselfIsRefused) {
  List<Any> list{1};
  list.push_back(Array<Any>{list});
  EXPECT_EQ(MessageOf(list), "Cycle detected: List contains itself");
  list.clear();
  List<Any> shared{1};
  EXPECT_EQ(json::Stringify(Array<Any>{shared, shared, List<Any>{shared}}), "[[1],[1],[[1]]]");
}

TEST(JsonWrite, DeepNesting) {
  Any value = Array<Any>{};
  constexpr size_t kDepth = 20000;
  for (size_t i = 1; i < kDepth; ++i) value = Array<Any>{value};
  EXPECT_EQ(json::Stringify(value), std::string(kDepth, '[') + std::string(kDepth, ']'));
}

TEST(JsonWrite, GlobalFunction) {
  Function stringify = Function::GetGlobalRequired("ffi.json.Stringify");
  EXPECT_EQ(stringify(Nested(), nullptr).cast<String>(), R"([1,[],{},{"k":[2]}])");
  EXPECT_EQ(stringify(Array<Any>{1}, 1).cast<String>(), "[\n 1\n]");
}

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Any Value(int depth) {
    switch (random_() % (depth > 0 ? 8 : 6)) {
      case 0:
        return nullptr;
      case 1:
        return random_() % 2 == 0;
      case 2:
        return static_cast<int64_t>(random_());
      case 3:
        return std::ldexp(static_cast<double>(random_()), static_cast<int>(random_() % 200) - 150);
      case 4:
        return static_cast<double>(random_() % 1000);
      case 5:
        return Text();
      case 6: {
        Array<Any> array;
        for (uint64_t n = random_() % 6; n > 0; --n) array.push_back(Value(depth - 1));
        return array;
      }
      default: {
        Map<Any, Any> map;
        for (uint64_t n = random_() % 12; n > 0; --n) map.Set(Text(), Value(depth - 1));
        return map;
      }
    }
  }

 private:
  String Text() {
    std::string text;
    for (uint64_t n = random_() % 30; n > 0; --n) text.push_back(static_cast<char>(random_()));
    return text.size() % 2 == 0 ? String(text) : String(text.data(), text.size());
  }

  std::mt19937_64 random_;
};

// spec: O04
TEST(JsonWrite, WhatIsWrittenIsReadBack) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Any value = Generator(seed).Value(4);
    String text = json::Stringify(value);
    EXPECT_EQ(json::Stringify(json::Parse(text)), text);
    EXPECT_EQ(json::Stringify(json::Parse(json::Stringify(value, 3))), text);
  }
}

}  // namespace
