// SPDX-License-Identifier: Apache-2.0
// Fuzz the reader of graph JSON. It either makes a value or throws an Error, and reads a text in
// the same way as the document that the text is parsed to. After the value was written and read
// again, its document must be the same.
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <cstdlib>
#include <optional>

#include "node.h"

namespace {

using tvm::ffi::Any;
using tvm::ffi::Error;
using tvm::ffi::Function;
using tvm::ffi::String;

Any Read(const String& text) {
  static const Function read = Function::GetGlobalRequired("ffi.FromJSONGraphString");
  return read(text);
}

String Write(const Any& value) {
  static const Function write = Function::GetGlobalRequired("ffi.ToJSONGraphString");
  return write(value, nullptr).cast<String>();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const String text(reinterpret_cast<const char*>(data), size);
  Any value;
  std::optional<String> of_document;
  try {
    of_document = Write(tvm::ffi::FromJSONGraph(tvm::ffi::json::Parse(text)));
  } catch (const Error&) {
  }
  try {
    value = Read(text);
  } catch (const Error&) {
    if (of_document.has_value()) std::abort();
    return 0;
  }
  String written = Write(value);
  if (of_document != written) std::abort();
  if (Write(Read(written)) != written) std::abort();
  return 0;
}
