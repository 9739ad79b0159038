// SPDX-License-Identifier: Apache-2.0
// Fuzz the JSON parser. The parser either accepts a text or returns a message with a position in
// the text. After an accepted value was written and read again, it must be the same.
#include <tvm/ffi/extra/json.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

namespace json = tvm::ffi::json;
using tvm::ffi::Any;
using tvm::ffi::String;

void Require(bool condition) {
  if (!condition) std::abort();
}

// Return the number that follows `word` in a message.
size_t NumberBehind(const std::string& message, const std::string& word) {
  size_t at = message.rfind(word);
  Require(at != std::string::npos);
  return std::strtoull(message.c_str() + at + word.size(), nullptr, 10);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  String text(reinterpret_cast<const char*>(data), size);
  String message;
  Any value = json::Parse(text, &message);
  if (!message.empty()) {
    Require(value == nullptr);
    Require(NumberBehind(message, "(char ") <= size);
    Require(NumberBehind(message, " column ") >= 1 && NumberBehind(message, " line ") >= 1);
    return 0;
  }
  String written = json::Stringify(value);
  Require(json::Stringify(json::Parse(written)) == written);
  Require(json::Stringify(json::Parse(json::Stringify(value, 1))) == written);
  return 0;
}
