// SPDX-License-Identifier: Apache-2.0
// Making, copying and destroying objects by their layout.
#include <tvm/ffi/any.h>
#include <tvm/ffi/memory.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "functions/object_layout.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// Lies right before the object.
struct Prefix {
  const ObjectLayout* layout;
  // Used while the object waits to be destroyed.
  TVMFFIObject* next_waiting;
};

constexpr size_t kPrefixSize = 16;
static_assert(sizeof(Prefix) <= kPrefixSize && kPrefixSize % alignof(std::max_align_t) == 0);

Prefix* prefix_of(TVMFFIObject* object) {
  return reinterpret_cast<Prefix*>(reinterpret_cast<char*>(object) - kPrefixSize);
}

template <typename T>
T* field_at(TVMFFIObject* object, int32_t offset) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(object) + offset);
}

// Each field is emptied before its content is released: the release may run code that reaches the
// object through a weak reference.
void release_fields(TVMFFIObject* object, const ObjectLayout& layout) {
  for (int32_t offset : layout.objects) {
    TVMFFIObject* content = std::exchange(*field_at<TVMFFIObject*>(object, offset), nullptr);
    if (content != nullptr) detail::ObjectUnsafe::DecRefObjectHandle(content);  // runs destructors
  }
  for (int32_t offset : layout.values) {
    TVMFFIAny content = std::exchange(*field_at<TVMFFIAny>(object, offset), TVMFFIAny{});
    if (content.type_index >= kTVMFFIStaticObjectBegin) {
      detail::ObjectUnsafe::DecRefObjectHandle(content.v_obj);  // runs destructors
    }
  }
}

void free_block(TVMFFIObject* object) { std::free(prefix_of(object)); }

// Destruction of a long chain of objects must not use a stack frame per link. Beyond this depth
// objects wait in a list until the frames below are done.
constexpr int kMaxDepth = 64;

struct Destruction {
  int depth;
  TVMFFIObject* waiting;
};
// Plain data, so that it is usable at any time during a thread's exit.
thread_local Destruction destruction = {0, nullptr};

// The memory stays for as long as the object waits, because all its strong references together
// still hold their weak one; or, when somebody else has a weak one too, because we take another.
void wait_for_destruction(TVMFFIObject* object) {
  prefix_of(object)->next_waiting = destruction.waiting;
  destruction.waiting = object;
}

void destroy_fields(TVMFFIObject* object) {
  ++destruction.depth;
  release_fields(object, *prefix_of(object)->layout);
  --destruction.depth;
}

void destroy_waiting() {
  while (TVMFFIObject* object = destruction.waiting) {
    destruction.waiting = prefix_of(object)->next_waiting;
    destroy_fields(object);
    detail::DecWeakRef(object);
  }
}

// The deleter of all laid-out objects.
void delete_object(void* self, int flags) {
  TVMFFIObject* object = static_cast<TVMFFIObject*>(self);
  bool ends_life = (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0;
  bool ends_memory = (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0;
  if (ends_life && prefix_of(object)->layout->owns_something()) {
    if (destruction.depth >= kMaxDepth) {
      if (!ends_memory) detail::IncWeakRef(object);
      wait_for_destruction(object);
      return;
    }
    destroy_fields(object);
  }
  if (ends_memory) free_block(object);
  if (destruction.depth == 0) destroy_waiting();
}

TVMFFIObject* allocate(const ObjectLayout* layout) {
  void* block = std::calloc(1, kPrefixSize + static_cast<size_t>(layout->total_size));
  if (block == nullptr) throw std::bad_alloc();
  static_cast<Prefix*>(block)->layout = layout;
  auto* object = reinterpret_cast<TVMFFIObject*>(static_cast<char*>(block) + kPrefixSize);
  object->combined_ref_count = detail::kCombinedRefCountBothOne;
  object->type_index = layout->type_index;
  object->deleter = delete_object;
  return object;
}

}  // namespace

ObjectPtr<Object> new_object(const ObjectLayout* layout) {
  return detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(allocate(layout));
}

ObjectPtr<Object> shallow_copy(const ObjectLayout* layout, const Object* source) {
  TVMFFIObject* from = detail::ObjectUnsafe::GetHeader(source);
  TVMFFIObject* to = allocate(layout);
  for (const ObjectLayout::Range& range : layout->plain) {
    std::memcpy(field_at<char>(to, range.offset), field_at<char>(from, range.offset),
                static_cast<size_t>(range.size));
  }
  for (int32_t offset : layout->objects) {
    TVMFFIObject* content = *field_at<TVMFFIObject*>(from, offset);
    if (content != nullptr) detail::ObjectUnsafe::IncRefObjectHandle(content);
    *field_at<TVMFFIObject*>(to, offset) = content;
  }
  for (int32_t offset : layout->values) {
    TVMFFIAny content = *field_at<TVMFFIAny>(from, offset);
    if (content.type_index >= kTVMFFIStaticObjectBegin) {
      detail::ObjectUnsafe::IncRefObjectHandle(content.v_obj);
    }
    *field_at<TVMFFIAny>(to, offset) = content;
  }
  return detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(to);
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
