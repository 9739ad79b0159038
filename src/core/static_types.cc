// SPDX-License-Identifier: Apache-2.0
// The types with fixed indices: the kinds of plain values, the root type `ffi.Object`, and the
// object types of the ABI.
#include <tvm/ffi/c_api.h>

#include <stdexcept>
#include <string>

#include "core/start_up.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {

namespace {

struct FixedType {
  int32_t index;
  const char* key;
};

constexpr FixedType kPlainKinds[] = {
    {kTVMFFINone, "None"},
    {kTVMFFIInt, "int"},
    {kTVMFFIBool, "bool"},
    {kTVMFFIFloat, "float"},
    {kTVMFFIOpaquePtr, "void*"},
    {kTVMFFIDataType, "DataType"},
    {kTVMFFIDevice, "Device"},
    {kTVMFFIDLTensorPtr, "DLTensor*"},
    {kTVMFFIRawStr, "const char*"},
    {kTVMFFIByteArrayPtr, "TVMFFIByteArray*"},
    {kTVMFFIObjectRValueRef, "ObjectRValueRef"},
    {kTVMFFISmallStr, "ffi.SmallStr"},
    {kTVMFFISmallBytes, "ffi.SmallBytes"},
    {kTVMFFIUnchanged, "ffi.Unchanged"},
};

constexpr FixedType kObjectTypes[] = {
    {kTVMFFIStr, "ffi.String"},
    {kTVMFFIBytes, "ffi.Bytes"},
    {kTVMFFIError, "ffi.Error"},
    {kTVMFFIFunction, "ffi.Function"},
    {kTVMFFIShape, "ffi.Shape"},
    {kTVMFFITensor, "ffi.Tensor"},
    {kTVMFFIArray, "ffi.Array"},
    {kTVMFFIMap, "ffi.Map"},
    {kTVMFFIModule, "ffi.Module"},
    {kTVMFFIOpaquePyObject, "ffi.OpaquePyObject"},
    {kTVMFFIList, "ffi.List"},
    {kTVMFFIDict, "ffi.Dict"},
    {kTVMFFIVisitInterrupt, "ffi.VisitInterrupt"},
    {kTVMFFIBigInt, "ffi.BigInt"},
};

void add(const FixedType& type, int32_t parent, bool overflows) {
  TypeRequest request;
  request.key = type.key;
  request.static_index = type.index;
  request.depth = parent < 0 ? 0 : 1;
  request.overflows = overflows;
  request.parent = parent;
  if (get_or_alloc_type(request) != type.index) {
    throw std::runtime_error(std::string("Cannot register type ") + type.key);
  }
}

}  // namespace

void register_static_types() {
  for (const FixedType& type : kPlainKinds) add(type, -1, false);
  add({kTVMFFIObject, "ffi.Object"}, -1, true);
  for (const FixedType& type : kObjectTypes) add(type, kTVMFFIObject, false);
  TVMFFITypeMetadata root{};
  root.total_size = sizeof(TVMFFIObject);
  root.structural_eq_hash_kind = kTVMFFISEqHashKindUnsupported;
  if (set_type_metadata(kTVMFFIObject, root) != 0) throw std::runtime_error("ffi.Object");
}

}  // namespace tvm::ffi::runtime
