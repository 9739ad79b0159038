// SPDX-License-Identifier: Apache-2.0
// Fuzz the readers of schema images and of embedded schemas. The readers either accept the bytes or
// throw an Error. The input is the part behind the checksum; this file puts the correct checksum in
// front, since the readers would reject almost every mutation because of its checksum.
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using tvm::ffi::Array;
using tvm::ffi::Bytes;
using tvm::ffi::Error;
using tvm::ffi::Function;
using tvm::ffi::String;

// The maximum number of registrations in one run: they are never freed.
constexpr int kMaxRegistered = 500;

void AppendNumber(std::string* out, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) out->push_back(static_cast<char>(value >> 8 * i));
}

uint32_t CrcOf(const std::string& text) {
  uint32_t crc = ~0u;
  for (char c : text) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
  }
  return ~crc;
}

// Put a header in front of the input. The first four bytes of the input are the size of the schema
// at the end of the input.
Bytes WithHeader(const char* magic, const std::string& input) {
  std::string body = input.substr(4);
  std::string whole(magic, 8);
  AppendNumber(&whole, 1, 4);
  AppendNumber(&whole, 0, 4);
  AppendNumber(&whole, 32 + body.size(), 8);
  AppendNumber(&whole, CrcOf(body), 4);
  whole += input.substr(0, 4);
  return Bytes(whole + body);
}

bool Take(const char* function, const Bytes& bytes, int64_t flags) {
  try {
    Function take = Function::GetGlobalRequired(function);
    if (flags < 0) {
      take(bytes);
    } else if (take(bytes, flags).cast<Array<String>>().size() == 0) {
      return false;
    }
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static int registered = 0;
  if (size < 4) return 0;
  std::string input(reinterpret_cast<const char*>(data), size);
  Bytes image = WithHeader("\x89TFS\r\n\x1a\n", input);
  // Register an image that passed the check. A check that accepts too much would damage the type
  // table here.
  bool is_fine = Take("ffi.schema.LoadImage", image, 1);
  if (is_fine && registered < kMaxRegistered) {
    ++registered;
    Take("ffi.schema.LoadImage", image, 0);
  }
  if (registered < kMaxRegistered &&
      Take("ffi.schema.AddDefinitions", WithHeader("\x89TSR\r\n\x1a\n", input), -1)) {
    ++registered;
  }
  return 0;
}
