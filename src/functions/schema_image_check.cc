// SPDX-License-Identifier: Apache-2.0
// Whether the types of a schema image can be registered, and where their fields lie.
#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/accessor.h>

#include <unordered_map>
#include <unordered_set>

#include "core/type_table.h"
#include "functions/object_extent.h"
#include "functions/object_layout.h"
#include "functions/schema_image.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// Bytes that an object may have at most.
constexpr int64_t kMaxSize = int64_t{1} << 30;

// What children of a type have to know of it.
struct Ancestor {
  int64_t end;
  std::unordered_set<std::string_view> fields;
};

class Checker {
 public:
  explicit Checker(const std::string& name) : name_(name) {}

  void check(SchemaTypeDef* type) {
    type_ = type;
    if (type->key.empty() || type->key.find('\0') != std::string_view::npos) {
      fail("its type key is empty or contains a null character");
    }
    if (checked_.count(type->key) != 0) fail("it is defined twice");
    if (find_type_key(type->key) >= 0) {
      fail("the type is registered already, by a library or by a class defined in Python");
    }
    Ancestor self = parent_of(*type);
    for (SchemaField& field : type->fields) place(&field, &self);
    checked_.emplace(type->key, std::move(self));
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::string_view field = {}) const {
    std::string place = field.empty() ? "" : ", field `" + std::string(field) + "`";
    TVM_FFI_THROW(ValueError) << "schema image " << name_ << ", type `" << type_->key << "`"
                              << place << ": " << what;
    TVM_FFI_UNREACHABLE();
  }

  Ancestor parent_of(const SchemaTypeDef& type) {
    auto it = checked_.find(type.parent);
    if (it != checked_.end()) return it->second;
    const TVMFFITypeInfo* parent = find_type(find_type_key(type.parent));
    if (parent == nullptr) {
      fail("its parent `" + std::string(type.parent) +
           "` is not registered; load the library that has it first");
    }
    Ancestor found{members_end(parent), {}};
    if (found.end < 0) {
      fail("its parent `" + std::string(type.parent) + "` has members that are not reflected");
    }
    check_object_layout(parent);
    reflection::ForEachFieldInfo(parent, [&](const TVMFFIFieldInfo* field) {
      found.fields.insert(ToStringView(field->name));
    });
    return found;
  }

  void place(SchemaField* field, Ancestor* self) {
    if (field->name.empty() || field->name.find('\0') != std::string_view::npos) {
      fail("a field has no name, or one with a null character");
    }
    if (!self->fields.insert(field->name).second) fail("there are two of this name", field->name);
    int64_t alignment = field->shape.alignment;
    int64_t offset = (self->end + alignment - 1) / alignment * alignment;
    if (field->offset != 0 && field->offset != offset) {
      fail("it should lie at offset " + std::to_string(field->offset) + ", but lies at " +
               std::to_string(offset),
           field->name);
    }
    field->offset = offset;
    self->end = offset + field->shape.size;
    if (self->end > kMaxSize) fail("its objects are too large");
    if (field->initial.has_value()) check_default(*field);
  }

  void check_default(const SchemaField& field) const {
    if (field.initial->kind != SchemaValue::kLiteral) return;
    try {
      convert_to_type(*field.type, field.initial->literal);
    } catch (const Error& error) {
      fail("its default does not suit it: " + error.message(), field.name);
    }
  }

  const std::string& name_;
  const SchemaTypeDef* type_ = nullptr;
  std::unordered_map<std::string_view, Ancestor> checked_;
};

}  // namespace

void check_schema_image(SchemaImage* image, const std::string& name) {
  Checker checker(name);
  for (SchemaTypeDef& type : image->types) checker.check(&type);
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
