// SPDX-License-Identifier: Apache-2.0
// The memory that a value uses: a traversal that adds the sizes of all objects.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/reflection/accessor.h>

#include <vector>

#include "functions/functions.h"
#include "graph/walk.h"

namespace tvm::ffi::runtime {
namespace {

constexpr size_t kBytesOfSlot = 49;   // in a dense mapping: entry, links and metadata
constexpr size_t kBytesOfEntry = 32;  // in a small mapping

// The members of a mapping, whose capacity has no accessor. The ABI fixes them.
struct MappingBody {
  TVMFFIObject header;
  void* data;
  uint64_t size;
  uint64_t slots;
  void (*data_deleter)(void*);
};
constexpr uint64_t kSmallMappingTag = uint64_t{1} << 63;

// Returns the size of an object together with its elements, its text or its tensor data.
size_t own_size(TVMFFIObject* object) {
  constexpr size_t kHeader = sizeof(TVMFFIObject);
  switch (object->type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return kHeader + sizeof(TVMFFIByteArray) + 1 + TVMFFIBytesGetByteArrayPtr(object)->size;
    case kTVMFFIShape:
      return kHeader + sizeof(TVMFFIShapeCell) + 8 * TVMFFIShapeGetCellPtr(object)->size;
    case kTVMFFIArray:
    case kTVMFFIList:
      return kHeader + sizeof(TVMFFISeqCell) +
             sizeof(TVMFFIAny) *
                 static_cast<size_t>(reinterpret_cast<TVMFFISeqCell*>(object + 1)->capacity);
    case kTVMFFIMap:
    case kTVMFFIDict: {
      uint64_t slots = reinterpret_cast<MappingBody*>(object)->slots;
      bool is_small = (slots & kSmallMappingTag) != 0;
      return sizeof(MappingBody) +
             (slots & ~kSmallMappingTag) * (is_small ? kBytesOfEntry : kBytesOfSlot);
    }
    case kTVMFFITensor: {
      const DLTensor& tensor = *TVMFFITensorGetDLTensorPtr(object);
      return kHeader + sizeof(DLTensor) + 16 * static_cast<size_t>(tensor.ndim) +
             GetDataSize(tensor);
    }
    default: {
      const TVMFFITypeMetadata* metadata = detail::GetTypeInfoOrThrow(object->type_index)->metadata;
      bool is_known = metadata != nullptr && metadata->total_size > 0;
      return is_known ? static_cast<size_t>(metadata->total_size) : kHeader;
    }
  }
}

// Returns the number of bytes that a value and all values that it refers to use. Counts each object
// once. Does not count Python objects, the state of functions and the overhead of the allocator.
int64_t memory_size(const Any& value) {
  Held held;
  detail::IdentityTable<detail::IdentityKey, char> seen;
  std::vector<TVMFFIAny> pending{held.keep(value)};
  size_t total = sizeof(TVMFFIAny);
  while (!pending.empty()) {
    TVMFFIAny next = pending.back();
    pending.pop_back();
    bool is_new = is_object(next);
    if (is_new && !has_one_reference(next.v_obj)) seen.position_of({next.v_obj}, &is_new);
    if (!is_new) continue;
    total += own_size(next.v_obj);
    if (!detail::IsContainer(next.type_index) && next.type_index < kTVMFFIDynObjectBegin) continue;
    TVMFFIAny child;
    for (Children children(next.v_obj); children.next(&child, &held);) pending.push_back(child);
  }
  return static_cast<int64_t>(total);
}

}  // namespace

void register_memory_size_functions() { ShortDef().def("ffi._MemorySize", memory_size); }

}  // namespace tvm::ffi::runtime
