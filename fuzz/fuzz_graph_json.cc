// SPDX-License-Identifier: Apache-2.0
// Fuzz the reader of graph JSON. It either makes a value or throws an Error, and reads a text in
// the same way as the document that the text is parsed to. After the value was written and read
// again, its document must be the same.
#include <tvm/ffi/any.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <cstdlib>
#include <optional>

namespace {

using tvm::ffi::Any;
using tvm::ffi::Error;
using tvm::ffi::Function;
using tvm::ffi::Object;
using tvm::ffi::ObjectRef;
using tvm::ffi::Optional;
using tvm::ffi::String;

class NodeObj : public Object {
 public:
  int64_t number = 0;
  double weight = 0;
  DLDataType dtype{kDLInt, 32, 1};
  String name;
  Optional<ObjectRef> next;
  Any anything;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("fuzz.Node", NodeObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<NodeObj>()
      .def_rw("number", &NodeObj::number, refl::default_value(1))
      .def_rw("weight", &NodeObj::weight)
      .def_rw("dtype", &NodeObj::dtype)
      .def_rw("name", &NodeObj::name, refl::default_value("x"))
      .def_rw("next", &NodeObj::next, refl::default_value(nullptr))
      .def_rw("anything", &NodeObj::anything);
}

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
