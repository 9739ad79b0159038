// SPDX-License-Identifier: Apache-2.0
// Test the JSON parser of extra/json.h: values, numbers, strings, nesting, and every message with
// its position.
#include <gtest/gtest.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "caught.h"
#include "raw_map.h"

namespace {

namespace json = tvm::ffi::json;
using tvm::ffi::Any;
using tvm::ffi::Error;
using tvm::ffi::Function;
using tvm::ffi::String;

Any Read(const std::string& text) {
  String message("unset");
  Any value = json::Parse(String(text), &message);
  EXPECT_EQ(message, "") << text;
  return value;
}

std::string Fault(const std::string& text) {
  String message("unset");
  EXPECT_TRUE(json::Parse(String(text), &message) == nullptr) << text;
  return message;
}

uint64_t BitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

void ExpectDouble(const std::string& text, double expected) {
  Any value = Read(text);
  ASSERT_EQ(value.type_index(), kTVMFFIFloat) << text;
  EXPECT_EQ(BitsOf(value.cast<double>()), BitsOf(expected)) << text;
}

// spec: O01
TEST(JsonRead, Literals) {
  EXPECT_TRUE(Read("null") == nullptr);
  EXPECT_EQ(Read("true").as<bool>(), true);
  EXPECT_EQ(Read(" false\n").as<bool>(), false);
  EXPECT_EQ(Read("true").type_index(), kTVMFFIBool);
  EXPECT_TRUE(std::isnan(Read("NaN").cast<double>()));
  ExpectDouble("Infinity", std::numeric_limits<double>::infinity());
  ExpectDouble("-Infinity", -std::numeric_limits<double>::infinity());
}

TEST(JsonRead, IntegersThatFitAreIntegers) {
  const int64_t values[] = {0, 1, -1, 42, 999999999999999999, INT64_MAX, INT64_MIN, INT64_MIN + 1};
  for (int64_t value : values) {
    Any read = Read(std::to_string(value));
    ASSERT_EQ(read.type_index(), kTVMFFIInt);
    EXPECT_EQ(read.cast<int64_t>(), value);
  }
  EXPECT_EQ(Read("-0").type_index(), kTVMFFIInt);
  EXPECT_EQ(Read("-0").cast<int64_t>(), 0);
}

// spec: O01
TEST(JsonRead, LargerIntegersAreTheNearestDouble) {
  ExpectDouble("9223372036854775808", 9223372036854775808.0);
  ExpectDouble("-9223372036854775809", -9223372036854775808.0);
  ExpectDouble("18446744073709551616", 18446744073709551616.0);
  ExpectDouble("123456789012345678901", 123456789012345678901.0);
  ExpectDouble("9007199254740993000000", 9007199254740993000000.0);
  ExpectDouble("1" + std::string(308, '0'), 1e308);
}

TEST(JsonRead, FractionsAndExponentsAreDoubles) {
  ExpectDouble("1.0", 1.0);
  ExpectDouble("-0.0", -0.0);
  ExpectDouble("-0e5", -0.0);
  ExpectDouble("0e999999999999999999999999", 0.0);
  ExpectDouble("1e2", 100.0);
  ExpectDouble("1E+2", 100.0);
  ExpectDouble("125e-2", 1.25);
  ExpectDouble("0.1", 0.1);
  ExpectDouble("1.7976931348623157e308", std::numeric_limits<double>::max());
  ExpectDouble("4.9406564584124654e-324", std::numeric_limits<double>::denorm_min());
  ExpectDouble("2.2250738585072011e-308", 2.2250738585072011e-308);
  ExpectDouble("2.4703282292062328e-324", std::numeric_limits<double>::denorm_min());
  ExpectDouble("2.4703282292062327e-324", 0.0);
  ExpectDouble("1e-400", 0.0);
  ExpectDouble("-1e-999999999999999999999", -0.0);
  ExpectDouble("9007199254740993.0", 9007199254740992.0);
  ExpectDouble("9007199254740993.00000000000000000000000000001", 9007199254740994.0);
  ExpectDouble("0." + std::string(400, '0') + "1e401", 1.0);
  ExpectDouble("1" + std::string(400, '0') + "e-400", 1.0);
}

TEST(JsonRead, DoublesAreCorrectlyRounded) {
  std::mt19937_64 random(20250101);
  for (int i = 0; i < 20000; ++i) {
    uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    if (!std::isfinite(value)) continue;
    char text[64];
    // 17 digits determine the value exactly. Test also fewer and more digits.
    for (int digits : {17, 5, 25}) {
      std::snprintf(text, sizeof(text), "%.*e", digits - 1, value);
      ExpectDouble(text, std::strtod(text, nullptr));
    }
  }
}

TEST(JsonRead, NumbersBeyondTheRangeOfDoubleAreRefused) {
  for (const char* text :
       {"1e400", "-1e400", "1e309", "1.7976931348623159e308", "1e99999999999999999999999"}) {
    EXPECT_EQ(Fault(text), "Expecting value: line 1 column 1 (char 0)") << text;
  }
  EXPECT_EQ(Fault("[1, 1" + std::string(400, '0') + "]"),
            "Expecting value: line 1 column 5 (char 4)");
}

// Texts that begin like a number but are not numbers: the error position must be the first
// character.
TEST(JsonRead, FaultsOfNumbersAreAtTheirBeginning) {
  for (const char* text : {"-",   "-x",    "- 1",  "--1",   "1e",    "1e+", "1ex",      "1-2",
                           "1+2", "1.2.3", "1..2", "1e5.5", "1e5e5", "01",  "00",       "-01",
                           "1.",  "+1",    ".5",   "-.5",   "-e5",   "-Ix", "-Infinit", "0-0"}) {
    EXPECT_EQ(Fault(text), "Expecting value: line 1 column 1 (char 0)") << text;
    EXPECT_EQ(Fault("[1, " + std::string(text) + "]"), "Expecting value: line 1 column 5 (char 4)")
        << text;
    EXPECT_EQ(Fault("{\"a\":\n " + std::string(text) + "}"),
              "Expecting value: line 2 column 2 (char 7)")
        << text;
  }
  for (const char* text : {"1x", "1_0", "1 2"}) {
    EXPECT_EQ(Fault(text).rfind("Extra data: line 1 column ", 0), 0u) << text;
  }
}

// spec: O01
TEST(JsonRead, Strings) {
  EXPECT_EQ(Read(R"("")").cast<String>(), "");
  EXPECT_EQ(Read(R"("seven b")").cast<String>(), "seven b");
  EXPECT_EQ(Read(R"("longer than sixteen bytes")").cast<String>(), "longer than sixteen bytes");
  EXPECT_EQ(Read(R"("\"\\\/\b\f\n\r\t")").cast<String>(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(Read(R"("\u0041\u00e9\u20AC\uD83D\uDE00")").cast<String>(), "Aé€😀");
  EXPECT_EQ(Read(R"("\uFFFF\uDBFF\uDFFF")").cast<String>(), "\xef\xbf\xbf\xf4\x8f\xbf\xbf");
  String with_nul = Read(R"("a\u0000b")").cast<String>();
  EXPECT_EQ(std::string(with_nul), std::string("a\0b", 3));
  EXPECT_EQ(Read("\"\x7f é\"").cast<String>(), "\x7f é");
}

TEST(JsonRead, BytesThatAreNotUTF8AreKept) {
  EXPECT_EQ(Read("\"\xff\xc0\x80\xed\xa0\x80\"").cast<String>(), "\xff\xc0\x80\xed\xa0\x80");
}

TEST(JsonRead, EscapesAtEveryPositionOfALongString) {
  for (size_t length = 0; length < 70; ++length) {
    for (size_t at = 0; at <= length; ++at) {
      std::string plain(length, 'x');
      EXPECT_EQ(Read('"' + plain.substr(at) + "\\n" + plain.substr(0, at) + '"').cast<String>(),
                plain.substr(at) + "\n" + plain.substr(0, at));
    }
  }
}

TEST(JsonRead, ArraysAndObjects) {
  json::Array array = Read(" [ 1 , \"a\" , [ ] , { } , null ] ").cast<json::Array>();
  ASSERT_EQ(array.size(), 5u);
  EXPECT_EQ(array[0].cast<int>(), 1);
  EXPECT_EQ(array[1].cast<String>(), "a");
  EXPECT_EQ(array[2].cast<json::Array>().size(), 0u);
  EXPECT_EQ(array[3].cast<json::Object>().size(), 0u);
  EXPECT_TRUE(array[4] == nullptr);
  json::Object object = Read("\t{\"b\":1,\r\n\"a\":{\"c\":[2]}}").cast<json::Object>();
  EXPECT_EQ(object["b"].cast<int>(), 1);
  EXPECT_EQ(object["a"].cast<json::Object>()["c"].cast<json::Array>()[0].cast<int>(), 2);
}

TEST(JsonRead, KeysKeepTheirOrderForEverySize) {
  for (int count = 0; count < 200; ++count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) {
      text += (i == 0 ? "\"" : ",\"") + std::string(i % 13, 'k') + std::to_string(i) +
              "\":" + std::to_string(i);
    }
    json::Object object = Read(text + "}").cast<json::Object>();
    ASSERT_EQ(object.size(), static_cast<size_t>(count));
    int expected = 0;
    for (const auto& entry : object) {
      EXPECT_EQ(entry.first.cast<String>(),
                std::string(expected % 13, 'k') + std::to_string(expected));
      EXPECT_EQ(entry.second.cast<int>(), expected++);
      EXPECT_EQ(object[entry.first].cast<int>(), expected - 1);
    }
  }
}

// spec: O01
TEST(JsonRead, OfEqualKeysTheLastValueWins) {
  for (int others : {0, 1, 3, 20}) {
    std::string text = R"({"key number one":1)";
    for (int i = 0; i < others; ++i) text += ",\"" + std::to_string(i) + "\":null";
    json::Object object = Read(text + R"(,"key number one":2})").cast<json::Object>();
    EXPECT_EQ(object.size(), static_cast<size_t>(others) + 1);
    EXPECT_EQ(object[String("key number one")].cast<int>(), 2);
  }
}

TEST(JsonRead, OfEqualKeysTheLastValueWinsInShortAndLongTexts) {
  for (const char* name : {"", "short", "a key that lies on the heap"}) {
    for (size_t padding : {0, 2000}) {
      std::string key = "\"" + std::string(name) + "\"";
      std::string text = "{" + key + ":1,\"other\":2," + key + ":3}" + std::string(padding, ' ');
      auto map = tvm::ffi::json::Parse(text).cast<tvm::ffi::Map<tvm::ffi::String, int64_t>>();
      EXPECT_EQ(map.size(), 2u);
      EXPECT_EQ(map.at(name), 3);
      EXPECT_EQ(map.at("other"), 2);
    }
  }
}

// The slots of keys that repeat are kept, so each map is checked against the rules of the layout.
TEST(JsonRead, ObjectsThatRepeatTheirKeysHaveWholeTables) {
  for (int count : {5, 6, 7, 12, 13, 20}) {
    for (const char* prefix : {"", "a key that lies on the heap "}) {
      std::string entries, reversed;
      for (int i = 0; i < count; ++i) {
        std::string entry = "\"" + (prefix + std::to_string(i)) + "\":" + std::to_string(i);
        entries += (i == 0 ? "" : ",") + entry;
        reversed = entry + (i == 0 ? "" : ",") + reversed;
      }
      std::string text = "[";
      for (int i = 0; i < 10; ++i) text += "{" + entries + "},{" + reversed + "},";
      text += "{" + entries + ",\"0\":0,\"0\":1}" + std::string(2000, ' ') + "]";
      json::Array array = Read(text).cast<json::Array>();
      ASSERT_EQ(array.size(), 21u);
      for (size_t i = 0; i < 20; ++i) {
        json::Object object = array[i].cast<json::Object>();
        raw::RawMap map(object.get());
        raw::CheckDense(map);
        raw::RawMap like(array[i % 2].cast<json::Object>().get());
        EXPECT_EQ(map.MetaHex(), like.MetaHex());
        EXPECT_EQ(map.Order(), like.Order());
        int64_t place = 0;
        for (const auto& entry : object) {
          int64_t number = i % 2 == 0 ? place : count - 1 - place;
          EXPECT_EQ(entry.first.cast<String>(), prefix + std::to_string(number));
          EXPECT_EQ(entry.second.cast<int64_t>(), number);
          ++place;
        }
      }
      json::Object changed = array[2].cast<json::Object>();
      for (int i = 0; i < 40; ++i) changed.Set(i, i);
      raw::CheckDense(raw::RawMap(changed.get()));
      EXPECT_EQ(changed.size(), static_cast<size_t>(count) + 40);
      EXPECT_EQ(array[4].cast<json::Object>().size(), static_cast<size_t>(count));
    }
  }
}

TEST(JsonRead, ValuesCanBeChangedAfterwards) {
  json::Object object = Read(R"({"a":1,"b":2})").cast<json::Object>();
  for (int i = 0; i < 40; ++i) object.Set(i, i);
  EXPECT_EQ(object.size(), 42u);
  EXPECT_EQ(object[String("b")].cast<int>(), 2);
  json::Array array = Read("[1,2]").cast<json::Array>();
  for (int i = 0; i < 40; ++i) array.push_back(i);
  EXPECT_EQ(array.size(), 42u);
}

// spec: O02, SY5
TEST(JsonRead, MessagesAndPlaces) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"", "Expecting value: line 1 column 1 (char 0)"},
      {"  ", "Expecting value: line 1 column 3 (char 2)"},
      {"\n\n  x", "Expecting value: line 3 column 3 (char 4)"},
      {"[", "Expecting value: line 1 column 2 (char 1)"},
      {"[1,", "Expecting value: line 1 column 4 (char 3)"},
      {"[1,]", "Expecting value: line 1 column 4 (char 3)"},
      {"[,1]", "Expecting value: line 1 column 2 (char 1)"},
      {"nul", "Expecting value: line 1 column 1 (char 0)"},
      {"-", "Expecting value: line 1 column 1 (char 0)"},
      {"-Inf", "Expecting value: line 1 column 1 (char 0)"},
      {"{\"a\":", "Expecting value: line 1 column 6 (char 5)"},
      {"1 x", "Extra data: line 1 column 3 (char 2)"},
      {"[1]]", "Extra data: line 1 column 4 (char 3)"},
      {"NaNx", "Extra data: line 1 column 4 (char 3)"},
      {"[1", "Expecting ',' delimiter: line 1 column 3 (char 2)"},
      {"[1 2]", "Expecting ',' delimiter: line 1 column 4 (char 3)"},
      {"[\n1\n2]", "Expecting ',' delimiter: line 3 column 1 (char 4)"},
      {"[\"\xc3\xa9\" x", "Expecting ',' delimiter: line 1 column 7 (char 6)"},
      {"{\"a\":1", "Expecting ',' delimiter: line 1 column 7 (char 6)"},
      {"{\"a\":1 \"b\"}", "Expecting ',' delimiter: line 1 column 8 (char 7)"},
      {"{\"a\":1]", "Expecting ',' delimiter: line 1 column 7 (char 6)"},
      {"{\"a\"", "Expecting ':' delimiter: line 1 column 5 (char 4)"},
      {"{\"a\" 1}", "Expecting ':' delimiter: line 1 column 6 (char 5)"},
      {"{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"},
      {"{1:2}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"},
      {"{\"a\":1,}", "Expecting property name enclosed in double quotes: line 1 column 8 (char 7)"},
      {"\"abc", "Unterminated string starting at: line 1 column 1 (char 0)"},
      {"[\"a\",\"bc", "Unterminated string starting at: line 1 column 6 (char 5)"},
      {"\"a\nb\"", "Invalid control character at: line 1 column 3 (char 2)"},
      {"{\"a\tb\":1}", "Invalid control character at: line 1 column 4 (char 3)"},
      {"\"\\u12g4\"", "Invalid \\uXXXX escape: line 1 column 3 (char 2)"},
      {"\"\\u", "Invalid \\uXXXX escape: line 1 column 3 (char 2)"},
      {"\"\\ud800\\u12\"", "Invalid \\uXXXX escape: line 1 column 10 (char 9)"},
      {"\"\\q\"", "Invalid \\escape: line 1 column 3 (char 2)"},
      {"\"abc\\", "Invalid \\escape: line 1 column 6 (char 5)"},
      {"\"\\ud800\"", "Invalid surrogate pair of \\uXXXX escapes: line 1 column 3 (char 2)"},
      {"\"\\udc00\"", "Invalid surrogate pair of \\uXXXX escapes: line 1 column 3 (char 2)"},
      {"\"\\ud800\\u0041\"",
       "Invalid surrogate pair of \\uXXXX escapes: line 1 column 10 (char 9)"},
  };
  for (const Case& item : cases) EXPECT_EQ(Fault(item.text), item.message) << item.text;
}

// spec: O02
TEST(JsonRead, WithoutAPlaceForTheMessageItIsThrown) {
  EXPECT_ERROR(json::Parse("[1,"), "ValueError", "Expecting value: line 1 column 4 (char 3)");
}

TEST(JsonRead, GlobalFunction) {
  Function parse = Function::GetGlobalRequired("ffi.json.Parse");
  EXPECT_EQ(parse("[1]").cast<json::Array>()[0].cast<int>(), 1);
  EXPECT_THROW(parse("["), Error);
  EXPECT_THROW(parse(1), Error);
}

// The parser must not read beyond the end of a prefix; a sanitizer detects such reads.
TEST(JsonRead, EveryPrefixIsReadOrRefused) {
  const std::string text =
      R"({"key of some length":[1,-2.5e-3,"a\u00e9\ud83d\ude00\n",true,null,NaN,-Infinity]})";
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_NE(Fault(text.substr(0, length)), "");
  }
  Read(text);
}

TEST(JsonRead, DeepNesting) {
  for (size_t depth : {size_t{1000}, size_t{20000}, size_t{1000000}}) {
    std::string opening(depth, '[');
    EXPECT_EQ(Fault(opening), "Expecting value: line 1 column " + std::to_string(depth + 1) +
                                  " (char " + std::to_string(depth) + ")");
    Any value = Read(opening + std::string(depth, ']'));
    for (size_t i = 1; i < depth; ++i) {
      json::Array array = value.cast<json::Array>();
      ASSERT_EQ(array.size(), 1u);
      value = array[0];
    }
    EXPECT_EQ(value.cast<json::Array>().size(), 0u);
    std::string objects;
    for (size_t i = 0; i < depth; ++i) objects += R"({"a":)";
    Read(objects + "1" + std::string(depth, '}'));
  }
}

}  // namespace
