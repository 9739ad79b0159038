// SPDX-License-Identifier: Apache-2.0
// The storage of each kind of schema, and the size and alignment of each storage.
#include "storage.h"

namespace binding {
namespace {

constexpr StorageShape kShapes[] = {
    {8, 8, kTVMFFIInt},      {8, 8, kTVMFFIFloat},  {1, 1, kTVMFFIBool}, {8, 8, kTVMFFIOpaquePtr},
    {4, 2, kTVMFFIDataType}, {8, 4, kTVMFFIDevice}, {16, 8, kTVMFFIAny}, {8, 8, kTVMFFIObject},
};

}  // namespace

Storage storage_of(const Converter& c) {
  switch (c.kind) {
    case SchemaKind::kInt:
      return Storage::kInt;
    case SchemaKind::kFloat:
      return Storage::kFloat;
    case SchemaKind::kBool:
      return Storage::kBool;
    case SchemaKind::kOpaquePtr:
      return Storage::kPointer;
    case SchemaKind::kDataType:
      return Storage::kDataType;
    case SchemaKind::kDevice:
      return Storage::kDevice;
    case SchemaKind::kAny:
    case SchemaKind::kStr:
    case SchemaKind::kBytes:
    case SchemaKind::kOptional:
    case SchemaKind::kUnion:
      return Storage::kValue;
    case SchemaKind::kLiteral:
      return c.args.empty() ? Storage::kValue : storage_of(*c.args[0]);
    default:
      return Storage::kObject;
  }
}

const StorageShape& shape_of(Storage storage) { return kShapes[static_cast<int>(storage)]; }

bool schema_may_hold_python(const Converter& c) {
  switch (c.kind) {
    case SchemaKind::kNone:
    case SchemaKind::kBool:
    case SchemaKind::kInt:
    case SchemaKind::kFloat:
    case SchemaKind::kStr:
    case SchemaKind::kBytes:
    case SchemaKind::kDevice:
    case SchemaKind::kDataType:
    case SchemaKind::kOpaquePtr:
    case SchemaKind::kTensor:
    case SchemaKind::kLiteral:
      return false;
    case SchemaKind::kAny:
    case SchemaKind::kCallable:
    case SchemaKind::kAnyTuple:
    case SchemaKind::kObject:
    case SchemaKind::kIntEnum:
    case SchemaKind::kStrEnum:
      return true;
    default:
      break;
  }
  for (const auto& arg : c.args) {
    if (schema_may_hold_python(*arg)) return true;
  }
  return c.args.empty();
}

}  // namespace binding
