// SPDX-License-Identifier: Apache-2.0
// The storage of each kind of schema, and the size and alignment of each storage.
#include "storage.h"

#include "schema/converters.h"

namespace binding {
namespace {

constexpr StorageShape kShapes[] = {
    {8, 8, kTVMFFIInt},      {8, 8, kTVMFFIFloat},  {1, 1, kTVMFFIBool}, {8, 8, kTVMFFIOpaquePtr},
    {4, 2, kTVMFFIDataType}, {8, 4, kTVMFFIDevice}, {16, 8, kTVMFFIAny}, {8, 8, kTVMFFIObject},
};

}  // namespace

Storage storage_of(const Converter& c) {
  if (c.kind == SchemaKind::kLiteral && !c.args.empty()) return storage_of(*c.args[0]);
  return schema::traits_of(c.kind).storage;
}

const StorageShape& shape_of(Storage storage) { return kShapes[static_cast<int>(storage)]; }

bool schema_may_hold_python(const Converter& c) {
  schema::MayHold may_hold = schema::traits_of(c.kind).may_hold;
  if (may_hold != schema::MayHold::kArgs) return may_hold == schema::MayHold::kPython;
  for (const auto& arg : c.args) {
    if (schema_may_hold_python(*arg)) return true;
  }
  return c.args.empty();
}

}  // namespace binding
