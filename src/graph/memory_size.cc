// SPDX-License-Identifier: Apache-2.0
// Computes the memory that a value uses: a traversal that adds the sizes of all objects.
#include "graph/memory_size.h"

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/reflection/accessor.h>

#include "graph/walk.h"

namespace tvm::ffi::runtime {
namespace {

constexpr const char* kSizeOperation = "memory_size";

struct SizeFrame {
  Children children;
};

// The members of a mapping that contain its capacity. They follow the header, and the ABI fixes
// them.
struct MappingBody {
  void* data;
  uint64_t size;
  uint64_t slots;
};

constexpr uint64_t kSmallMappingTag = uint64_t{1} << 63;
constexpr int64_t kBytesOfMapping = 56;
constexpr int64_t kBytesOfSlot = 49;   // in a dense mapping: entry, links and metadata
constexpr int64_t kBytesOfEntry = 32;  // in a small mapping

class SizeWalk {
 public:
  SizeWalk() : stack_(kSizeOperation, &held_) {}

  int64_t run(const Any& root) {
    total_ = sizeof(TVMFFIAny);
    visit(held_.keep(root));
    while (!stack_.empty()) {
      TVMFFIAny child;
      if (stack_.back().children.next(&child, &held_)) {
        visit(child);
      } else {
        stack_.pop();
      }
    }
    return total_;
  }

 private:
  void visit(const TVMFFIAny& value) {
    if (!is_object(value)) return;
    if (!has_one_reference(value.v_obj)) {
      bool is_new;
      seen_.position_of({value.v_obj}, &is_new);
      if (!is_new) return;
    }
    total_ += own_size(value.v_obj);
    if (has_children(value.type_index)) stack_.push({Children(value.v_obj)});
  }

  static bool has_children(int32_t type_index) {
    return detail::IsContainer(type_index) || type_index >= kTVMFFIDynObjectBegin;
  }

  static int64_t own_size(TVMFFIObject* object) {
    constexpr auto kHeader = static_cast<int64_t>(sizeof(TVMFFIObject));
    switch (object->type_index) {
      case kTVMFFIStr:
      case kTVMFFIBytes:
        return kHeader + static_cast<int64_t>(sizeof(TVMFFIByteArray)) + 1 +
               static_cast<int64_t>(TVMFFIBytesGetByteArrayPtr(object)->size);
      case kTVMFFIShape:
        return kHeader + static_cast<int64_t>(sizeof(TVMFFIShapeCell)) +
               8 * static_cast<int64_t>(TVMFFIShapeGetCellPtr(object)->size);
      case kTVMFFIArray:
      case kTVMFFIList: {
        const auto* cell = reinterpret_cast<const TVMFFISeqCell*>(object + 1);
        return kHeader + static_cast<int64_t>(sizeof(TVMFFISeqCell)) +
               static_cast<int64_t>(sizeof(TVMFFIAny)) * cell->capacity;
      }
      case kTVMFFIMap:
      case kTVMFFIDict: {
        const auto* body = reinterpret_cast<const MappingBody*>(object + 1);
        bool is_small = (body->slots & kSmallMappingTag) != 0;
        auto slots = static_cast<int64_t>(body->slots & ~kSmallMappingTag);
        return kBytesOfMapping + slots * (is_small ? kBytesOfEntry : kBytesOfSlot);
      }
      case kTVMFFITensor: {
        const DLTensor& tensor = *TVMFFITensorGetDLTensorPtr(object);
        return kHeader + static_cast<int64_t>(sizeof(DLTensor)) + 16 * tensor.ndim +
               static_cast<int64_t>(GetDataSize(tensor));
      }
      default: {
        const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(object->type_index);
        bool is_known = type->metadata != nullptr && type->metadata->total_size > 0;
        return is_known ? type->metadata->total_size : kHeader;
      }
    }
  }

  Held held_;
  WalkStack<SizeFrame> stack_;
  detail::IdentityTable<detail::IdentityKey, char> seen_;
  int64_t total_ = 0;
};

}  // namespace

int64_t memory_size(const Any& value) { return SizeWalk().run(value); }

}  // namespace tvm::ffi::runtime
