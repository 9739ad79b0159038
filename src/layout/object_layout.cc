// SPDX-License-Identifier: Apache-2.0
// Computes the layout of a type from its fields.
#include "layout/object_layout.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/accessor.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace tvm::ffi::runtime {
namespace {

enum class Ownership { kNothing, kValue, kObject, kUnknown };

// Whether the getter and the setter of a field lock it: fields of classes in Rust that other code
// assigns.
bool is_locked(const TVMFFIFieldInfo* field) {
  constexpr std::string_view kBeginning = R"({"is_locked":true)";
  return ToStringView(field->metadata).substr(0, kBeginning.size()) == kBeginning;
}

// Whether the type of a field is from the C++ standard library, so that its type index does not
// determine its layout.
bool is_standard_library_type(const TVMFFIFieldInfo* field) {
  constexpr std::string_view kBeginning = R"({"type_schema":"{\"type\":\"std::)";
  return ToStringView(field->metadata).substr(0, kBeginning.size()) == kBeginning;
}

Ownership ownership_of(const TVMFFIFieldInfo* field) {
  if (is_standard_library_type(field)) return Ownership::kUnknown;
  int32_t declared = field->field_static_type_index;
  // A field without a declared type holds a TVMFFIAny, or an optional reference, which is one
  // pointer.
  if (declared == kTVMFFIAny) {
    if (field->size == sizeof(TVMFFIAny)) return Ownership::kValue;
    return field->size == sizeof(void*) ? Ownership::kObject : Ownership::kUnknown;
  }
  if (declared >= kTVMFFIStaticObjectBegin) {
    return field->size == sizeof(void*) ? Ownership::kObject : Ownership::kUnknown;
  }
  if (declared == kTVMFFINone && field->size == sizeof(TVMFFIAny)) return Ownership::kValue;
  return Ownership::kNothing;
}

[[noreturn]] void refuse_field(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* field) {
  TVM_FFI_THROW(TypeError) << "Field `" << ToStringView(field->name) << "` of type `"
                           << ToStringView(type->type_key)
                           << "` has a layout that a class defined in another language cannot "
                              "take care of";
  TVM_FFI_UNREACHABLE();
}

void add_field(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* field, ObjectLayout* layout) {
  if (field->size < 0 || field->offset < static_cast<int64_t>(sizeof(TVMFFIObject)) ||
      field->offset > layout->total_size - field->size) {
    TVM_FFI_THROW(ValueError) << "Field `" << ToStringView(field->name) << "` of type `"
                              << ToStringView(type->type_key) << "` does not lie inside the "
                              << layout->total_size << " bytes of an object";
  }
  int32_t offset = static_cast<int32_t>(field->offset);
  if (is_locked(field)) {
    auto setter = reinterpret_cast<TVMFFIFieldSetter>(field->setter);
    layout->locked.push_back({offset, field->getter, setter});
  }
  switch (ownership_of(field)) {
    case Ownership::kNothing:
      layout->plain.push_back({offset, static_cast<int32_t>(field->size)});
      return;
    case Ownership::kValue:
      layout->values.push_back(offset);
      return;
    case Ownership::kObject:
      layout->objects.push_back(offset);
      return;
    case Ownership::kUnknown:
      refuse_field(type, field);
  }
}

// Stores a layout at a stable address and never frees it.
const ObjectLayout* keep(ObjectLayout layout) {
  static auto* mutex = new std::mutex();
  static auto* kept = new std::deque<ObjectLayout>();  // never destroyed; guarded by `mutex`
  std::lock_guard<std::mutex> lock(*mutex);
  kept->push_back(std::move(layout));
  return &kept->back();
}

// A set of offsets. Offsets that arrive in ascending order, as they usually do, are only appended
// to an array.
class OffsetSet {
 public:
  /*! \brief Return false if the offset is in the set already. */
  bool insert(int64_t offset) {
    if (ascending_.empty() || offset > ascending_.back()) {
      ascending_.push_back(offset);
      return true;
    }
    return !std::binary_search(ascending_.begin(), ascending_.end(), offset) &&
           others_.insert(offset).second;
  }

 private:
  std::vector<int64_t> ascending_;
  std::unordered_set<int64_t> others_;
};

ObjectLayout describe_layout(const TVMFFITypeInfo* type, int32_t total_size) {
  ObjectLayout layout;
  layout.type_index = type->type_index;
  layout.total_size = total_size;
  OffsetSet offsets;
  reflection::ForEachFieldInfo(type, [&](const TVMFFIFieldInfo* field) {
    if (field->alignment > static_cast<int64_t>(alignof(std::max_align_t))) {
      refuse_field(type, field);
    }
    // A member may be reflected under two names, but must be released only once.
    if (offsets.insert(field->offset)) add_field(type, field, &layout);
  });
  return layout;
}

}  // namespace

const ObjectLayout* make_object_layout(const TVMFFITypeInfo* type, int32_t total_size) {
  if (total_size < static_cast<int32_t>(sizeof(TVMFFIObject))) {
    TVM_FFI_THROW(ValueError) << "An object of type `" << ToStringView(type->type_key)
                              << "` cannot have only " << total_size << " bytes";
  }
  return keep(describe_layout(type, total_size));
}

void check_object_layout(const TVMFFITypeInfo* type) {
  describe_layout(type, std::numeric_limits<int32_t>::max());
}

}  // namespace tvm::ffi::runtime
