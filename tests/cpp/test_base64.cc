// SPDX-License-Identifier: Apache-2.0
// Test extra/base64.h: encoding, decoding, and texts that are not base64.
#include <gtest/gtest.h>
#include <tvm/ffi/extra/base64.h>

#include <string>
#include <utility>

namespace {

using tvm::ffi::Base64Decode;
using tvm::ffi::Base64Encode;
using tvm::ffi::Bytes;
using tvm::ffi::Error;
using tvm::ffi::String;

std::string Content(const Bytes& bytes) { return std::string(bytes.data(), bytes.size()); }

TEST(Base64, VectorsOfTheStandard) {
  const std::pair<const char*, const char*> vectors[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [plain, text] : vectors) {
    EXPECT_EQ(Base64Encode(Bytes(std::string(plain))), text);
    EXPECT_EQ(Content(Base64Decode(String(text))), plain);
  }
}

// spec: G13
TEST(Base64, AllLengthsAndBytesComeBack) {
  std::string plain;
  for (int length = 0; length <= 300; ++length) {
    String text = Base64Encode(Bytes(plain));
    EXPECT_EQ(text.size(), (plain.size() + 2) / 3 * 4);
    EXPECT_EQ(Content(Base64Decode(text)), plain);
    plain.push_back(static_cast<char>(length * 7));
  }
}

TEST(Base64, UsesTheStandardAlphabet) {
  EXPECT_EQ(Base64Encode(Bytes("\xfb\xff\xbf", 3)), "+/+/");
  EXPECT_EQ(Base64Encode(TVMFFIByteArray{"\0\0\0", 3}), "AAAA");
  EXPECT_EQ(Content(Base64Decode(TVMFFIByteArray{"+/+/====", 4})), "\xfb\xff\xbf");
}

TEST(Base64, BorrowedEmptyBytesMayHaveNoAddress) {
  EXPECT_EQ(Base64Encode(TVMFFIByteArray{nullptr, 0}), "");
  EXPECT_EQ(Base64Decode(TVMFFIByteArray{nullptr, 0}).size(), 0u);
}

// spec: G13
TEST(Base64, RefusesTextThatIsNotBase64) {
  const char* const bad[] = {"Z",    "Zg",    "Zg=",  "Zm9vY", "Zg==Zg==", "=g==",    "Z===",
                             "====", "Zm9=v", "Zm 9", "Zm9\n", "Zm-_",     "Zm9\xc3", "Z=9v"};
  for (const char* text : bad) {
    try {
      Base64Decode(String(text));
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), "InternalError");
      EXPECT_NE(std::string(error.message()).find("invalid base64 encoding"), std::string::npos);
    }
  }
}

}  // namespace
