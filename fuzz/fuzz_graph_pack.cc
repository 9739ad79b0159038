// SPDX-License-Identifier: Apache-2.0
// Fuzz the reader of packed graphs, which pickles contain. It either makes a value or throws an
// Error. The value that it makes can be packed and read again, and then has the same packed form.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/enum_def.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "node.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
using fuzz::NodeObj;

class ColorObj : public EnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("fuzz.Color", ColorObj, EnumObj);
};

// A class that serializes itself.
class CellObj : public Object {
 public:
  Any content;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("fuzz.Cell", CellObj, Object);
};

Any DataOfCell(const CellObj* cell) { return Map<String, Any>{{"content", cell->content}}; }

ObjectRef CellOfData(const Map<String, Any>& data) {
  ObjectPtr<CellObj> cell = make_object<CellObj>();
  cell->content = data.at("content");
  return ObjectRef(cell);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<ColorObj>();
  refl::EnumDef<ColorObj>("RED");
  refl::EnumDef<ColorObj>("BLUE");
  refl::ObjectDef<CellObj>().def_rw("content", &CellObj::content);
  refl::TypeAttrDef<CellObj>()
      .def("__data_to_json__", DataOfCell)
      .def("__data_from_json__", CellOfData);
}

// The types that a program may use: with all fields, with absent and unknown fields, without
// fields, a type whose objects cannot be made.
const Array<Array<Any>>& Types() {
  static const Array<Array<Any>> types = {
      {NodeObj::RuntimeTypeIndex(), String("number"), String("weight"), String("dtype"),
       String("name"), String("next"), String("anything")},
      {NodeObj::RuntimeTypeIndex(), String("gone"), String("anything"), String("weight"),
       String("dtype")},
      {ColorObj::RuntimeTypeIndex()},
      {CellObj::RuntimeTypeIndex()},
      {int32_t{kTVMFFIArray}}};
  return types;
}

Any Unpack(const Bytes& program, const Array<Array<Any>>& types, const Array<Any>& externals) {
  static const Function unpack = Function::GetGlobalRequired("ffi._UnpackGraph");
  return unpack(program, types, externals);
}

// Returns the program, the types and the externals.
Array<Any> Pack(const Any& value) {
  static const Function pack = Function::GetGlobalRequired("ffi._PackGraph");
  static const Function is_external = Function::FromTyped([](int64_t) { return false; });
  return pack(value, is_external).cast<Array<Any>>();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Array<Any> externals = {1, Function::FromTyped([]() { return 1; })};
  Any value;
  try {
    value = Unpack(Bytes(reinterpret_cast<const char*>(data), size), Types(), externals);
  } catch (const Error&) {
    return 0;
  }
  Array<Any> first = Pack(value);
  Any again = Unpack(first[0].cast<Bytes>(), first[1].cast<Array<Array<Any>>>(),
                     first[2].cast<Array<Any>>());
  std::string before = first[0].cast<Bytes>();
  std::string after = Pack(again)[0].cast<Bytes>();
  if (before != after) std::abort();
  return 0;
}
