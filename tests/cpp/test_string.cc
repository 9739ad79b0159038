// SPDX-License-Identifier: Apache-2.0
// Test String and Bytes: storage forms, construction, comparison, searching, escapes, conversion.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caught.h"
#include "libstdcxx.h"

namespace {

using namespace tvm::ffi;

/*! \brief Return the TVMFFIAny of a view of a string. */
template <typename T>
TVMFFIAny Raw(const T& value) {
  return AnyView(value).CopyToTVMFFIAny();
}

template <typename T>
int32_t Form(const T& value) {
  return Raw(value).type_index;
}

std::string Repeat(size_t n) {
  std::string text;
  for (size_t i = 0; i < n; ++i) text.push_back(static_cast<char>('a' + i % 26));
  return text;
}

TEST(String, Sizes) {
  SKIP_WITHOUT_LIBSTDCXX();
  EXPECT_EQ(sizeof(String), 16u);
  EXPECT_EQ(sizeof(Bytes), 16u);
  EXPECT_EQ(sizeof(tvm::ffi::detail::StringObj), 40u);
  EXPECT_EQ(sizeof(tvm::ffi::detail::BytesObj), 40u);
  EXPECT_EQ(sizeof(tvm::ffi::detail::BytesObjStdImpl<tvm::ffi::detail::StringObj>), 72u);
  EXPECT_EQ(tvm::ffi::detail::StringObj::RuntimeTypeIndex(), kTVMFFIStr);
  EXPECT_EQ(tvm::ffi::detail::BytesObj::RuntimeTypeIndex(), kTVMFFIBytes);
  EXPECT_TRUE(tvm::ffi::detail::StringObj::_type_final);
  EXPECT_EQ(TypeTraits<String>::field_static_type_index, kTVMFFIAny);
}

// spec: F01
TEST(String, FormFollowsTheLength) {
  for (size_t size = 0; size <= 20; ++size) {
    std::string text = Repeat(size);
    int32_t expected = size <= 7 ? kTVMFFISmallStr : kTVMFFIStr;
    TVMFFIByteArray array{text.data(), text.size()};
    for (const String& string :
         {String(text.data(), size), String(text.c_str()), String(text), String(array)}) {
      EXPECT_EQ(Form(string), expected) << size;
      EXPECT_EQ(string.size(), size);
      EXPECT_EQ(string.data()[size], '\0');
      EXPECT_EQ(std::string(string), text);
    }
    EXPECT_EQ(Form(String(std::string(text))), kTVMFFIStr) << size;
    EXPECT_EQ(Form(Bytes(text)), size <= 7 ? kTVMFFISmallBytes : kTVMFFIBytes);
    EXPECT_EQ(Form(Bytes(std::string(text))), kTVMFFIBytes);
  }
}

TEST(String, SmallFormImage) {
  TVMFFIAny raw = Raw(String("abc"));
  EXPECT_EQ(raw.small_str_len, 3u);
  EXPECT_EQ(std::string(raw.v_bytes, 8), std::string("abc\0\0\0\0\0", 8));
  raw = Raw(String());
  EXPECT_EQ(raw.type_index, kTVMFFISmallStr);
  EXPECT_EQ(raw.small_str_len, 0u);
  EXPECT_EQ(raw.v_int64, 0);
}

TEST(String, HeapFormHoldsItsCharactersBehindTheObject) {
  String string("0123456789");
  TVMFFIAny raw = Raw(string);
  EXPECT_EQ(raw.zero_padding, 0u);
  TVMFFIByteArray* array = TVMFFIBytesGetByteArrayPtr(raw.v_obj);
  EXPECT_EQ(array->data, string.data());
  EXPECT_EQ(array->size, 10u);
  EXPECT_EQ(array->data, reinterpret_cast<const char*>(raw.v_obj) + 40);
}

// spec: F01
TEST(String, MovedStdStringKeepsItsBuffer) {
  std::string text = Repeat(100);
  const char* buffer = text.data();
  String string(std::move(text));
  EXPECT_EQ(string.data(), buffer);
  std::string short_text = "ab";
  String heap_short(std::move(short_text));
  EXPECT_EQ(heap_short.size(), 2u);
  EXPECT_EQ(heap_short.data()[2], '\0');
  EXPECT_EQ(String(std::string()).size(), 0u);
}

// spec: F01
TEST(String, EmbeddedNulsAreKept) {
  std::string text("a\0b\0", 4);
  EXPECT_EQ(String(text).size(), 4u);
  EXPECT_EQ(std::string(String(text)), text);
  std::string longer = text + text + text;
  EXPECT_EQ(std::string(String(longer)), longer);
  EXPECT_EQ(String(longer), String(std::string(longer)));
}

// spec: F02
TEST(String, NullIsRefused) {
  static_assert(!std::is_constructible_v<String, std::nullptr_t>);
  const char* null = nullptr;
  EXPECT_EQ(Caught([&] { String string(null); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { String string(null, 3); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { Bytes bytes(null, 3); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { (void)(String("a") == null); }).kind(), "InternalError");
  EXPECT_EQ(String(null, 0).size(), 0u);
}

template <typename L, typename R, typename = void>
constexpr bool kComparable = false;
template <typename L, typename R>
constexpr bool kComparable<L, R, std::void_t<decltype(std::declval<L>() == std::declval<R>())>> =
    true;

// spec: F02
TEST(String, ComparingWithANullLiteralDoesNotCompile) {
  EXPECT_FALSE((kComparable<String, std::nullptr_t>));
  EXPECT_FALSE((kComparable<std::nullptr_t, String>));
  EXPECT_TRUE((kComparable<String, const char*>));
  EXPECT_FALSE((std::is_constructible_v<String, std::string_view>));
}

TEST(String, CopiesShareAndMovesEmpty) {
  String string(Repeat(30));
  String copy = string;
  EXPECT_EQ(copy.data(), string.data());
  Any any = string;
  EXPECT_EQ(any.cast<String>().data(), string.data());
  String moved = std::move(copy);
  EXPECT_EQ(moved.data(), string.data());
  EXPECT_EQ(Form(copy), kTVMFFINone);  // NOLINT(bugprone-use-after-move)
  copy = "again";
  EXPECT_EQ(copy, "again");
  String& self = copy;
  copy = self;
  EXPECT_EQ(copy, "again");
  copy = std::move(self);
  EXPECT_EQ(copy, "again");
}

TEST(String, Assignment) {
  String string = "a";
  std::string text = "from std::string";
  string = text;
  EXPECT_EQ(string, text);
  string = std::string("moved");
  EXPECT_EQ(Form(string), kTVMFFIStr);
  EXPECT_EQ(string, "moved");
  string = "literal";
  EXPECT_EQ(string, "literal");
  string = String("other");
  EXPECT_EQ(string, "other");
  String a = "a", b = Repeat(20);
  a.swap(b);
  EXPECT_EQ(a, Repeat(20));
  EXPECT_EQ(b, "a");
  static_assert(noexcept(a.swap(b)));
}

// ------------------------------------------------------------------ comparison

// spec: F03
TEST(String, CompareGivesMinusOneZeroOrOne) {
  struct Case {
    std::string lhs, rhs;
    int expected;
  };
  std::string nul("a\0", 2);
  std::vector<Case> cases = {{"", "", 0},
                             {"a", "a", 0},
                             {"a", "c", -1},
                             {"c", "a", 1},
                             {"ab", "abc", -1},
                             {"abc", "ab", 1},
                             {nul, "a", 1},
                             {Repeat(40), Repeat(40), 0},
                             {Repeat(40), Repeat(41), -1},
                             {Repeat(40) + "x", Repeat(40) + "b", 1},
                             {Repeat(3) + "\xff" + Repeat(9), Repeat(3) + "a" + Repeat(9), -1}};
  if (std::is_unsigned_v<char>) cases.back().expected = 1;
  for (const Case& c : cases) {
    String lhs(c.lhs);
    EXPECT_EQ(lhs.compare(String(c.rhs)), c.expected) << c.lhs << '|' << c.rhs;
    EXPECT_EQ(lhs.compare(c.rhs), c.expected);
    EXPECT_EQ(String(std::string(c.lhs)).compare(c.rhs.c_str()), c.expected);
    EXPECT_EQ(lhs.compare(TVMFFIByteArray{c.rhs.data(), c.rhs.size()}), c.expected);
    EXPECT_EQ(String(c.rhs).compare(lhs), -c.expected);
    EXPECT_EQ(Bytes::memncmp(c.lhs.data(), c.rhs.data(), c.lhs.size(), c.rhs.size()), c.expected);
  }
  std::string same = "abcdef";
  EXPECT_EQ(Bytes::memncmp(same.data(), same.data(), 3, 6), -1);
  EXPECT_EQ(Bytes::memncmp(same.data(), same.data(), 6, 6), 0);
}

template <typename L, typename R>
void ExpectRelations(const L& lhs, const R& rhs, int order) {
  EXPECT_EQ(lhs == rhs, order == 0);
  EXPECT_EQ(lhs != rhs, order != 0);
  EXPECT_EQ(lhs < rhs, order < 0);
  EXPECT_EQ(lhs > rhs, order > 0);
  EXPECT_EQ(lhs <= rhs, order <= 0);
  EXPECT_EQ(lhs >= rhs, order >= 0);
}

// spec: F04
TEST(String, RelationsInBothOrders) {
  std::vector<std::string> texts = {"", "a", "ab", "b", Repeat(7), Repeat(8), Repeat(30)};
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      int order = a.compare(b);
      ExpectRelations(String(a), String(b), order);
      ExpectRelations(String(a), b, order);
      ExpectRelations(a, String(b), order);
      ExpectRelations(String(a), b.c_str(), order);
      ExpectRelations(a.c_str(), String(b), order);
    }
  }
}

TEST(String, FormsOfEqualContentAreEqual) {
  String small("abc"), heap(std::string("abc"));
  ASSERT_NE(Form(small), Form(heap));
  EXPECT_EQ(small, heap);
  EXPECT_EQ(small.compare(heap), 0);
  EXPECT_EQ(std::hash<String>()(small), std::hash<String>()(heap));
  EXPECT_TRUE(AnyEqual()(Any(small), Any(heap)));
  EXPECT_EQ(AnyHash()(Any(small)), AnyHash()(Any(heap)));
}

// spec: F09
TEST(String, HashIsThatOfAStringView) {
  for (size_t size : {0, 3, 7, 8, 50}) {
    std::string text = Repeat(size);
    size_t expected = std::hash<std::string_view>()(text);
    EXPECT_EQ(std::hash<String>()(String(text)), expected);
    EXPECT_EQ(std::hash<String>()(String(std::string(text))), expected);
    EXPECT_EQ(std::hash<Bytes>()(Bytes(text)), expected);
    EXPECT_EQ(std::hash<Bytes>()(Bytes(std::string(text))), expected);
  }
  std::unordered_map<String, int> by_hash{{"a", 1}, {Repeat(20), 2}};
  EXPECT_EQ(by_hash.at(Repeat(20)), 2);
  std::map<String, int> by_order{{"b", 1}, {"a", 2}};
  EXPECT_EQ(by_order.begin()->second, 2);
}

// spec: F05
TEST(String, Concatenation) {
  String a = "abcd";
  std::string b = "efg";
  EXPECT_EQ(a + String(b), "abcdefg");
  EXPECT_EQ(a + b, "abcdefg");
  EXPECT_EQ(b + a, "efgabcd");
  EXPECT_EQ(a + "efgh", "abcdefgh");
  EXPECT_EQ("efgh" + a, "efghabcd");
  EXPECT_EQ(Form(a + b), kTVMFFISmallStr);
  EXPECT_EQ(Form(a + "efgh"), kTVMFFIStr);
  EXPECT_EQ(String() + String(), "");
  String nul(std::string("x\0", 2));
  EXPECT_EQ((nul + nul).size(), 4u);
  EXPECT_EQ((String(Repeat(20)) + String(Repeat(3))).data()[23], '\0');
}

// ------------------------------------------------------------------ access and searching

// spec: F06
TEST(String, AtAndSubstr) {
  String string = "abcdefghij";
  EXPECT_EQ(string.at(0), 'a');
  EXPECT_EQ(string.at(9), 'j');
  try {
    string.at(10);
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "tvm::String index out of bounds");
  }
  EXPECT_EQ(string.substr(), string);
  EXPECT_EQ(string.substr(2, 3), "cde");
  EXPECT_EQ(Form(string.substr(2, 3)), kTVMFFISmallStr);
  EXPECT_EQ(string.substr(8, 100), "ij");
  EXPECT_EQ(string.substr(10), "");
  try {
    string.substr(11);
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "tvm::String substr index out of bounds");
  }
}

// spec: F07
TEST(String, FindAsStdStringDoes) {
  std::vector<std::string> texts = {"", "a", "abab", "hello hello hello", std::string("a\0b\0", 4)};
  std::vector<std::string> needles = {
      "", "a", "b", "ab", "ello", "hello hello hello!", std::string("\0b", 2)};
  for (const std::string& text : texts) {
    for (const std::string& needle : needles) {
      for (size_t pos = 0; pos <= text.size() + 2; ++pos) {
        size_t expected = text.find(needle, pos);
        String string(text);
        EXPECT_EQ(string.find(String(needle), pos), expected) << text << '|' << needle << pos;
        EXPECT_EQ(string.find(needle.data(), pos, needle.size()), expected);
        EXPECT_EQ(string.find(needle.c_str(), pos), text.find(needle.c_str(), pos));
      }
    }
  }
  EXPECT_EQ(String("abc").find("z"), String::npos);
}

// spec: F07
TEST(String, StartsAndEndsWith) {
  String string = "hello world";
  EXPECT_TRUE(string.starts_with(String("hello")));
  EXPECT_TRUE(string.starts_with(std::string_view("hello")));
  EXPECT_TRUE(string.starts_with("hello"));
  EXPECT_TRUE(string.starts_with("hexyz", 2));
  EXPECT_FALSE(string.starts_with("world"));
  EXPECT_FALSE(string.starts_with("hello world!"));
  EXPECT_TRUE(string.ends_with(String("world")));
  EXPECT_TRUE(string.ends_with(std::string_view("world")));
  EXPECT_TRUE(string.ends_with("world"));
  EXPECT_TRUE(string.ends_with("ldxyz", 2));
  EXPECT_FALSE(string.ends_with("hello"));
  EXPECT_FALSE(string.ends_with("!hello world"));
  EXPECT_TRUE(string.starts_with("") && string.ends_with("") && String().starts_with(""));
  String nul(std::string("a\0b", 3));
  EXPECT_TRUE(nul.starts_with(std::string_view("a\0", 2)));
  EXPECT_TRUE(nul.ends_with("\0b", 2));
}

// spec: F08
TEST(String, SplitKeepsEmptyPieces) {
  using Pieces = std::vector<std::string_view>;
  EXPECT_EQ(String("a,b,c").Split(','), (Pieces{"a", "b", "c"}));
  EXPECT_EQ(String(",a,,b,").Split(','), (Pieces{"", "a", "", "b", ""}));
  EXPECT_EQ(String("").Split(','), (Pieces{""}));
  EXPECT_EQ(String(",").Split(','), (Pieces{"", ""}));
  String string = "one two three";
  EXPECT_EQ(string.Split(' ')[1].data(), string.data() + 4);
}

TEST(String, LengthEmptyAndStreaming) {
  EXPECT_TRUE(String().empty());
  EXPECT_FALSE(String("a").empty());
  EXPECT_EQ(String("abc").length(), 3u);
  EXPECT_STREQ(String("abc").c_str(), "abc");
  std::ostringstream os;
  os << String(std::string("a\0b", 3)) << '|' << String(Repeat(10));
  EXPECT_EQ(os.str(), std::string("a\0b|", 4) + Repeat(10));
  EXPECT_EQ(Caught([] { TVM_FFI_THROW(K) << "<" << String(Repeat(9)) << ">"; }).message(),
            "<" + Repeat(9) + ">");
}

// ------------------------------------------------------------------ escapes

// spec: F10
TEST(String, EscapeJSON) {
  auto escape = [](const std::string& text) { return std::string(EscapeStringJSON(text)); };
  EXPECT_EQ(escape(""), R"("")");
  EXPECT_EQ(escape("a\"b\\c/d"), R"("a\"b\\c\/d")");
  EXPECT_EQ(escape("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(escape(std::string("\0\x01\x1f\x7f", 4)), R"("\u0000\u0001\u001f\u007f")");
  EXPECT_EQ(escape("\x1b[31m"), R"("\u001b[31m")");
  EXPECT_EQ(escape("\xc3\xa9\xf0\x9f\x98\x80\xff"), "\"\xc3\xa9\xf0\x9f\x98\x80\xff\"");
}

// spec: F11
TEST(String, EscapePython) {
  auto escape = [](const std::string& text) { return std::string(EscapedStringPy(text)); };
  EXPECT_EQ(escape("plain 'text'/"), "\"plain 'text'/\"");
  EXPECT_EQ(escape("\n\t\r\\\""), R"("\n\t\r\\\"")");
  EXPECT_EQ(escape(std::string("\0\a\b\v\f\x1f\x7f", 7)), R"("\x00\x07\x08\x0b\x0c\x1f\x7f")");
  EXPECT_EQ(escape("\x1b[31;1mred\x1b[K"), R"("\x1b[31;1mred\x1b[K")");
  EXPECT_EQ(escape("\xc3\xa9"), R"("\u00e9")");
  EXPECT_EQ(escape("\xe2\x82\xac"), R"("\u20ac")");
  EXPECT_EQ(escape("\xf0\x9f\x98\x80"), R"("\U0001f600")");
}

// spec: F11
TEST(String, EscapePythonMalformedBytes) {
  auto escape = [](const std::string& text) { return std::string(EscapedStringPy(text)); };
  EXPECT_EQ(escape("\x80"
                   "a"),
            R"("\x80a")");
  EXPECT_EQ(escape("\xff\xfe"), R"("\xff\xfe")");
  EXPECT_EQ(escape("\xc3"), R"("\xc3")");
  EXPECT_EQ(escape("\xe2\x82"), R"("\xe2\x82")");
  EXPECT_EQ(escape("\xe2\x82z\xc3\xa9"), R"("\xe2\x82z\u00e9")");
  EXPECT_EQ(escape("\xc0\x80"), R"("\xc0\x80")");                  // an overlong encoding
  EXPECT_EQ(escape("\xed\xa0\x80"), R"("\xed\xa0\x80")");          // a surrogate
  EXPECT_EQ(escape("\xf4\x90\x80\x80"), R"("\xf4\x90\x80\x80")");  // beyond U+10FFFF
  EXPECT_EQ(escape("\xf8\x80"), R"("\xf8\x80")");
}

// ------------------------------------------------------------------ Bytes

// spec: F13
TEST(Bytes, ConstructionAndConversion) {
  std::string data("\0\xff\0", 3);
  Bytes bytes(data.data(), data.size());
  EXPECT_EQ(bytes.size(), 3u);
  EXPECT_EQ(std::string(bytes), data);
  EXPECT_EQ(std::string(Bytes(TVMFFIByteArray{data.data(), data.size()})), data);
  EXPECT_EQ(std::string(Bytes(data)), data);
  EXPECT_EQ(Bytes().size(), 0u);
  EXPECT_EQ(Bytes().data()[0], '\0');
  std::string large = Repeat(50);
  const char* buffer = large.data();
  Bytes taken(std::move(large));
  EXPECT_EQ(taken.data(), buffer);
  bytes = std::string("assigned");
  EXPECT_EQ(std::string(bytes), "assigned");
  bytes = TVMFFIByteArray{"xy", 2};
  EXPECT_EQ(std::string(bytes), "xy");
  bytes.swap(taken);
  EXPECT_EQ(taken.size(), 2u);
  Bytes copy = bytes;
  EXPECT_EQ(copy.data(), bytes.data());
}

// spec: F13
TEST(Bytes, Memequal) {
  EXPECT_TRUE(Bytes::memequal("abc", "abc", 3, 3));
  EXPECT_FALSE(Bytes::memequal("abc", "abd", 3, 3));
  EXPECT_FALSE(Bytes::memequal("abc", "abc", 3, 2));
  EXPECT_TRUE(Bytes::memequal(nullptr, nullptr, 0, 0));
}

TEST(Bytes, AnyEqualityIgnoresTheForm) {
  Any small = Bytes(std::string_view("abc").data(), 3), heap = Bytes(std::string("abc"));
  EXPECT_TRUE(AnyEqual()(small, heap));
  EXPECT_EQ(AnyHash()(small), AnyHash()(heap));
  EXPECT_FALSE(AnyEqual()(small, Any(String("abc"))));
}

// ------------------------------------------------------------------ conversion

TEST(StringTraits, NamesAndSchemas) {
  using tvm::ffi::detail::TypeSchema;
  EXPECT_EQ(TypeTraits<String>::TypeStr(), "str");
  EXPECT_EQ(TypeTraits<Bytes>::TypeStr(), "bytes");
  EXPECT_EQ(TypeTraits<const char*>::TypeStr(), "const char*");
  EXPECT_EQ(TypeTraits<TVMFFIByteArray*>::TypeStr(), "TVMFFIByteArray*");
  EXPECT_EQ(TypeTraits<std::string>::TypeStr(), "std::string");
  EXPECT_EQ(TypeSchema<String>::v(), R"({"type":"ffi.String"})");
  EXPECT_EQ(TypeSchema<const Bytes&>::v(), R"({"type":"ffi.Bytes"})");
  EXPECT_EQ(TypeSchema<const char*>::v(), R"({"type":"const char*"})");
  EXPECT_EQ(TypeSchema<std::string>::v(), R"({"type":"std::string"})");
  EXPECT_TRUE(TypeTraits<String>::storage_enabled);
  EXPECT_FALSE(TypeTraits<const char*>::storage_enabled);
  EXPECT_FALSE(TypeTraits<std::string>::storage_enabled);
  EXPECT_FALSE(TypeTraits<TVMFFIByteArray*>::storage_enabled);
  EXPECT_FALSE(TypeTraits<char[4]>::storage_enabled);
}

TEST(StringTraits, ViewsBorrowAndValuesOwn) {
  const char* text = "literal that is long";
  AnyView view = text;
  EXPECT_EQ(view.type_index(), kTVMFFIRawStr);
  Any owned = view;
  EXPECT_EQ(owned.type_index(), kTVMFFIStr);
  EXPECT_EQ(AnyView("abc").type_index(), kTVMFFIRawStr);
  EXPECT_EQ(Any("abc").type_index(), kTVMFFISmallStr);
  TVMFFIByteArray array{text, 20};
  EXPECT_EQ(AnyView(&array).type_index(), kTVMFFIByteArrayPtr);
  EXPECT_EQ(Any(AnyView(&array)).type_index(), kTVMFFIBytes);
  EXPECT_EQ(Any(&array).type_index(), kTVMFFIBytes);
  std::string std_text = "abc";
  EXPECT_EQ(AnyView(std_text).type_index(), kTVMFFIRawStr);
  EXPECT_EQ(Any(std_text).type_index(), kTVMFFIStr);
}

TEST(StringTraits, NullPointersAreRefused) {
  auto message = [](auto&& f) { return Caught(f).message(); };
  EXPECT_EQ(message([] { AnyView view = static_cast<const char*>(nullptr); }),
            "Check not null: src ");
  EXPECT_EQ(message([] { AnyView view = static_cast<TVMFFIByteArray*>(nullptr); }),
            "Check not null: src ");
  EXPECT_EQ(message([] { Any any = static_cast<const char*>(nullptr); }), "Check not null: src ");
}

/*! \brief Return which kinds of strings `T` accepts as an argument, one letter for each kind. */
template <typename T>
std::string Accepted() {
  TVMFFIByteArray array{"array", 5};
  std::vector<std::pair<char, Any>> owned;
  owned.emplace_back('s', String("s"));
  owned.emplace_back('S', String(Repeat(10)));
  owned.emplace_back('b', Bytes("b", 1));
  owned.emplace_back('B', Bytes(Repeat(10)));
  std::string result;
  if (AnyView("raw").try_cast<T>().has_value()) result.push_back('r');
  if (AnyView(&array).try_cast<T>().has_value()) result.push_back('a');
  for (const auto& [letter, value] : owned) {
    if (AnyView(value).try_cast<T>().has_value()) result.push_back(letter);
  }
  for (const Any& other : {Any(1), Any(1.5), Any(nullptr), Any(true)}) {
    if (AnyView(other).try_cast<T>().has_value()) result.push_back('!');
  }
  return result;
}

// spec: D01
TEST(StringTraits, AcceptedForms) {
  EXPECT_EQ(Accepted<String>(), "rsS");
  EXPECT_EQ(Accepted<Bytes>(), "abB");
  EXPECT_EQ(Accepted<std::string>(), "rasSbB");
  EXPECT_EQ(Accepted<const char*>(), "r");
  EXPECT_EQ(Accepted<TVMFFIByteArray*>(), "a");
}

TEST(StringTraits, StrictChecks) {
  EXPECT_TRUE(Any("abc").as<String>().has_value());
  EXPECT_TRUE(Any(Repeat(20)).as<String>().has_value());
  EXPECT_FALSE(Any("abc").as<Bytes>().has_value());
  EXPECT_FALSE(AnyView("abc").as<String>().has_value());
  EXPECT_FALSE(Any(Bytes(Repeat(9))).as<String>().has_value());
}

// spec: F14
TEST(StringTraits, StdStringReadsEveryForm) {
  TVMFFIByteArray array{"a\0b", 3};
  EXPECT_EQ(AnyView(&array).cast<std::string>(), std::string("a\0b", 3));
  EXPECT_EQ(Any(String(std::string("a\0b", 3))).cast<std::string>(), std::string("a\0b", 3));
  EXPECT_EQ(Any(Bytes(Repeat(10))).cast<std::string>(), Repeat(10));
  EXPECT_EQ(AnyView("raw").cast<std::string>(), "raw");
}

TEST(StringTraits, MismatchesNameTheTypes) {
  auto message = [](auto&& f) { return Caught(f).message(); };
  EXPECT_EQ(message([] { Any("abc").cast<const char*>(); }),
            "Cannot convert from type `ffi.SmallStr` to `const char*`");
  EXPECT_EQ(message([] { Any("abc").cast<Bytes>(); }),
            "Cannot convert from type `ffi.SmallStr` to `bytes`");
  EXPECT_EQ(message([] { Any(1).cast<std::string>(); }),
            "Cannot convert from type `int` to `std::string`");
  EXPECT_EQ(message([] { AnyView("abc").cast<Bytes>(); }),
            "Cannot convert from type `const char*` to `bytes`");
}

TEST(StringTraits, MovingOutLeavesNone) {
  Any any = String(Repeat(20));
  String string = std::move(any).cast<String>();
  EXPECT_EQ(string, Repeat(20));
  EXPECT_EQ(any.type_index(), kTVMFFINone);  // NOLINT(bugprone-use-after-move)
}

// spec: F14
TEST(StringTraits, FunctionParametersAcceptWhatTheyShould) {
  auto echo = Function::FromTyped([](String text) { return text; });
  EXPECT_EQ(echo("raw").cast<String>(), "raw");
  EXPECT_EQ(echo(std::string(Repeat(30))).cast<String>(), Repeat(30));
  EXPECT_EQ(echo(String("s")).cast<String>(), "s");
  EXPECT_EQ(Caught([&] { echo(Bytes("b", 1)); }).kind(), "TypeError");
  auto length = Function::FromTyped([](const char* text) { return std::string_view(text).size(); });
  EXPECT_EQ(length("four").cast<int>(), 4);
  EXPECT_EQ(Caught([&] { length(String("four")); }).kind(), "TypeError");
  auto std_echo = Function::FromTyped([](const std::string& text) { return text + "!"; });
  EXPECT_EQ(std_echo(Bytes("b", 1)).cast<std::string>(), "b!");
  auto count = Function::FromTyped([](TVMFFIByteArray* array) { return array->size; });
  TVMFFIByteArray array{"abc", 3};
  EXPECT_EQ(count(&array).cast<int>(), 3);
}

// spec: F12
TEST(StringTraits, StringsMadeInCAreStringsHere) {
  TVMFFIByteArray text{"0123456789", 10};
  TVMFFIAny raw{};
  ASSERT_EQ(TVMFFIStringFromByteArray(&text, &raw), 0);
  Any any = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
  EXPECT_EQ(any.cast<String>(), "0123456789");
  ASSERT_EQ(TVMFFIBytesFromByteArray(&text, &raw), 0);
  any = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
  EXPECT_EQ(std::string(any.cast<Bytes>()), "0123456789");
}

class NamedObj : public Object {
 public:
  String name;
  Optional<String> title;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.string.Named", NamedObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<NamedObj>().def_rw("name", &NamedObj::name).def_rw("title", &NamedObj::title);
}

// spec: F15, H01
TEST(StringField, SmallAndHeapValuesAndNoneAreDistinct) {
  ObjectPtr<NamedObj> object = make_object<NamedObj>();
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(NamedObj::RuntimeTypeIndex());
  ASSERT_EQ(info->num_fields, 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(info->fields[i].field_static_type_index, kTVMFFIAny);
    EXPECT_EQ(info->fields[i].size, 16);
  }
  reflection::FieldSetter set_name(info->fields), set_title(info->fields + 1);
  reflection::FieldGetter get_name(info->fields), get_title(info->fields + 1);
  for (const std::string& text : {std::string(), std::string("short"), Repeat(40)}) {
    set_name(object, String(text));
    EXPECT_EQ(get_name(object).cast<String>(), text);
    set_name(object, String(std::string(text)));
    EXPECT_EQ(object->name, text);
  }
  EXPECT_EQ(get_title(object).type_index(), kTVMFFINone);
  set_title(object, "");
  EXPECT_TRUE(object->title.has_value());
  EXPECT_EQ(get_title(object).cast<String>(), "");
  set_title(object, nullptr);
  EXPECT_FALSE(object->title.has_value());
}

}  // namespace
