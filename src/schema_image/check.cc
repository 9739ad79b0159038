// SPDX-License-Identifier: Apache-2.0
// Checks that the types of a schema image can be registered, and computes the offsets of their
// fields.
#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/accessor.h>

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/type_table.h"
#include "layout/object_extent.h"
#include "layout/object_layout.h"
#include "schema_image/image.h"

namespace tvm::ffi::runtime {
namespace {

// Maximum number of bytes of an object.
constexpr int64_t kMaxSize = int64_t{1} << 30;

constexpr size_t kNoNode = static_cast<size_t>(-1);

// A type of the image, or a registered type that is the parent of a type of the image.
struct Node {
  SchemaTypeDef* type;            // NULL for a registered type
  const TVMFFITypeInfo* outside;  // NULL for a type of the image
  int64_t end;                    // end of its last member
  size_t first_child = kNoNode;
  size_t next_sibling = kNoNode;
};

class Checker {
 public:
  explicit Checker(const std::string& name) : name_(name) {}

  void check(SchemaImage* image) {
    nodes_.reserve(image->types.size());
    by_key_.reserve(image->types.size());
    for (SchemaTypeDef& type : image->types) add(&type);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].outside != nullptr) check_names_below(i);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::string_view field = {}) const {
    std::string place = field.empty() ? "" : ", field `" + std::string(field) + "`";
    TVM_FFI_THROW(ValueError) << "schema image " << name_ << ", type `" << type_->key << "`"
                              << place << ": " << what;
    TVM_FFI_UNREACHABLE();
  }

  void add(SchemaTypeDef* type) {
    type_ = type;
    if (type->key.empty() || type->key.find('\0') != std::string_view::npos) {
      fail("its type key is empty or contains a null character");
    }
    if (find_type_key(type->key) >= 0) {
      fail("the type is registered already, by a library or by a class defined in Python");
    }
    if (by_key_.count(type->key) != 0) fail("it is defined twice");
    size_t parent = node_of_parent(type->parent);
    Node node{type, nullptr, nodes_[parent].end};
    for (SchemaField& field : type->fields) place(&field, &node.end);
    node.next_sibling = nodes_[parent].first_child;
    nodes_[parent].first_child = nodes_.size();
    by_key_.emplace(type->key, nodes_.size());
    nodes_.push_back(node);
  }

  size_t node_of_parent(std::string_view key) {
    auto it = by_key_.find(key);
    if (it != by_key_.end()) return it->second;
    const TVMFFITypeInfo* parent = find_type(find_type_key(key));
    if (parent == nullptr) {
      fail("its parent `" + std::string(key) +
           "` is not registered; load the library that has it first");
    }
    int64_t end = members_end(parent);
    if (end < 0) {
      fail("its parent `" + std::string(key) + "` has members that are not reflected");
    }
    check_object_layout(parent);
    by_key_.emplace(key, nodes_.size());
    nodes_.push_back({nullptr, parent, end});
    return nodes_.size() - 1;
  }

  void place(SchemaField* field, int64_t* end) const {
    if (field->name.empty() || field->name.find('\0') != std::string_view::npos) {
      fail("a field has no name, or one with a null character");
    }
    int64_t alignment = field->shape.alignment;
    int64_t offset = (*end + alignment - 1) / alignment * alignment;
    if (field->offset != 0 && field->offset != offset) {
      fail("it should lie at offset " + std::to_string(field->offset) + ", but lies at " +
               std::to_string(offset),
           field->name);
    }
    field->offset = offset;
    *end = offset + field->shape.size;
    if (*end > kMaxSize) fail("its objects are too large");
    if (field->initial.has_value()) check_default(*field);
  }

  // Checks for each type below `root` that its fields and the fields of its ancestors have distinct
  // names. The traversal uses one set of names. After it has checked all descendants of a type, it
  // removes the names of the type. The path is on the heap, because a chain of ancestors may be
  // long.
  void check_names_below(size_t root) {
    std::vector<std::string_view> added;
    reflection::ForEachFieldInfo(nodes_[root].outside, [&](const TVMFFIFieldInfo* field) {
      if (names_.insert(ToStringView(field->name)).second) {
        added.push_back(ToStringView(field->name));
      }
    });
    std::vector<size_t> path;  // the types whose names are in `names_`
    size_t next = nodes_[root].first_child;
    while (true) {
      while (next != kNoNode) {
        enter(*nodes_[next].type);
        path.push_back(next);
        next = nodes_[next].first_child;
      }
      if (path.empty()) break;
      const Node& done = nodes_[path.back()];
      for (const SchemaField& field : done.type->fields) names_.erase(field.name);
      next = done.next_sibling;
      path.pop_back();
    }
    for (std::string_view name : added) names_.erase(name);
  }

  void enter(const SchemaTypeDef& type) {
    type_ = &type;
    for (const SchemaField& field : type.fields) {
      if (!names_.insert(field.name).second) fail("there are two of this name", field.name);
    }
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
  const SchemaTypeDef* type_ = nullptr;  // for messages
  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, size_t> by_key_;
  std::unordered_set<std::string_view> names_;
};

}  // namespace

void check_schema_image(SchemaImage* image, const std::string& name) { Checker(name).check(image); }

}  // namespace tvm::ffi::runtime
