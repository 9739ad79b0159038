// SPDX-License-Identifier: Apache-2.0
// Makes, copies and destroys objects according to their layout.
#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "core/type_entry.h"
#include "layout/object_layout.h"

namespace tvm::ffi::runtime {
namespace {

const ObjectLayout* layout_of(const TVMFFIObject* object) {
  return registered_type(object->type_index)->object_layout.load(std::memory_order_acquire);
}

template <typename T>
T* field_at(TVMFFIObject* object, int32_t offset) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(object) + offset);
}

// Releases the contents of all fields. Each field is cleared first, because the release may run
// code that reaches the object through a weak reference.
void release_fields(TVMFFIObject* object, const ObjectLayout& layout) {
  for (int32_t offset : layout.objects) {
    TVMFFIObject* content = std::exchange(*field_at<TVMFFIObject*>(object, offset), nullptr);
    if (content != nullptr) detail::ObjectUnsafe::DecRefObjectHandle(content);  // runs foreign code
  }
  for (int32_t offset : layout.values) {
    TVMFFIAny content = std::exchange(*field_at<TVMFFIAny>(object, offset), TVMFFIAny{});
    if (content.type_index >= kTVMFFIStaticObjectBegin) {
      detail::ObjectUnsafe::DecRefObjectHandle(content.v_obj);  // runs foreign code
    }
  }
}

void destroy(void* self, int flags) {
  TVMFFIObject* object = static_cast<TVMFFIObject*>(self);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
    release_fields(object, *layout_of(object));
  }
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) std::free(object);
}

// Deletes an object. All objects that are made from a layout have this deleter.
void delete_object(void* self, int flags) {
  const ObjectLayout* layout = layout_of(static_cast<TVMFFIObject*>(self));
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0 && layout->owns_something()) {
    detail::DestroyNested(self, flags, destroy);
  } else {
    destroy(self, flags);
  }
}

TVMFFIObject* allocate(const ObjectLayout* layout) {
  // Do not use calloc, because it bypasses the C library's cache of small blocks. GCC would also
  // replace malloc by calloc if the whole block were filled with zeros.
  auto size = static_cast<size_t>(layout->total_size);
  auto* object = static_cast<TVMFFIObject*>(std::malloc(size));
  if (object == nullptr) throw std::bad_alloc();
  object->combined_ref_count = detail::kCombinedRefCountBothOne;
  object->type_index = layout->type_index;
  object->__padding = 0;
  object->deleter = delete_object;
  std::memset(object + 1, 0, size - sizeof(TVMFFIObject));
  return object;
}

}  // namespace

ObjectPtr<Object> new_object(const ObjectLayout* layout) {
  return detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(allocate(layout));
}

ObjectPtr<Object> shallow_copy(const ObjectLayout* layout, const Object* source) {
  TVMFFIObject* from = detail::ObjectUnsafe::GetHeader(source);
  TVMFFIObject* to = allocate(layout);
  auto copy = detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(to);
  auto is_locked = [layout](int32_t offset) {
    return std::any_of(layout->locked.begin(), layout->locked.end(),
                       [offset](const auto& field) { return field.offset == offset; });
  };
  for (const ObjectLayout::Range& range : layout->plain) {
    if (is_locked(range.offset)) continue;
    std::memcpy(field_at<char>(to, range.offset), field_at<char>(from, range.offset),
                static_cast<size_t>(range.size));
  }
  for (int32_t offset : layout->objects) {
    if (is_locked(offset)) continue;
    TVMFFIObject* content = *field_at<TVMFFIObject*>(from, offset);
    if (content != nullptr) detail::ObjectUnsafe::IncRefObjectHandle(content);
    *field_at<TVMFFIObject*>(to, offset) = content;
  }
  for (int32_t offset : layout->values) {
    if (is_locked(offset)) continue;
    TVMFFIAny content = *field_at<TVMFFIAny>(from, offset);
    if (content.type_index >= kTVMFFIStaticObjectBegin) {
      detail::ObjectUnsafe::IncRefObjectHandle(content.v_obj);
    }
    *field_at<TVMFFIAny>(to, offset) = content;
  }
  for (const ObjectLayout::LockedField& field : layout->locked) {
    TVMFFIAny data{};
    TVM_FFI_CHECK_SAFE_CALL(field.getter(field_at<void>(from, field.offset), &data));
    Any value = detail::AnyUnsafe::MoveTVMFFIAnyToAny(&data);
    // None is also the value of a field that is not set, which stays so.
    if (value == nullptr) continue;
    data = AnyView(value).CopyToTVMFFIAny();
    TVM_FFI_CHECK_SAFE_CALL(field.setter(field_at<void>(to, field.offset), &data));
  }
  return copy;
}

}  // namespace tvm::ffi::runtime
