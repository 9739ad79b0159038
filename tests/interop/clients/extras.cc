// SPDX-License-Identifier: Apache-2.0
// A client for functions of the runtime: JSON, graph JSON, printing, copying, comparing.
#include <tvm/ffi/extra/base64.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>

#include <sstream>

#include "side.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

Any parse(const String& text) { return json::Parse(text); }
String parse_failure(const String& text) {
  String message;
  Any value = json::Parse(text, &message);
  return value == nullptr ? message : String("no failure");
}
String stringify(const Any& value, const Optional<int>& indent) {
  return json::Stringify(value, indent);
}

String to_graph(const Any& value) { return json::Stringify(ToJSONGraph(value)); }
Any from_graph(const String& text) { return FromJSONGraph(json::Parse(text)); }

String print(const Any& value) { return ReprPrint(value); }
String stream(const Any& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}
Any copy(const Any& value) { return DeepCopy(value); }
bool equal(const Any& a, const Any& b) {
  return RecursiveEq(a, b) && RecursiveHash(a) == RecursiveHash(b);
}
bool less(const Any& a, const Any& b) { return RecursiveLt(a, b) && !RecursiveGe(a, b); }
String encode(const Bytes& value) { return Base64Encode(value); }
Bytes decode(const String& value) { return Base64Decode(value); }

}  // namespace

INTEROP_EXPORT(parse);
INTEROP_EXPORT(parse_failure);
INTEROP_EXPORT(stringify);
INTEROP_EXPORT(to_graph);
INTEROP_EXPORT(from_graph);
INTEROP_EXPORT(print);
INTEROP_EXPORT(stream);
INTEROP_EXPORT(copy);
INTEROP_EXPORT(equal);
INTEROP_EXPORT(less);
INTEROP_EXPORT(encode);
INTEROP_EXPORT(decode);
