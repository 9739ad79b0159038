// SPDX-License-Identifier: Apache-2.0
// Reads graph JSON. The search starts at the root; a node is created after the nodes that it refers
// to. The document is not trusted: nodes may refer to each other in a cycle, which is an error.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/reflection/creator.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_json.h"
#include "graph/graph_json_make.h"
#include "graph/graph_json_type.h"

namespace tvm::ffi {
namespace runtime {
namespace {

using Entries = Map<Any, Any>;

const MapObj* object_of(const Entries& map) { return static_cast<const MapObj*>(map.get()); }

class GraphReader {
 public:
  explicit GraphReader(const Any& document) : document_(document) {}

  Any read() {
    if (document_.type_index() != kTVMFFIMap) throw_malformed_graph(", expected an object");
    const MapObj* document = detail::AnyUnsafe::RawObjectPtrFromAnyAfterCheck<MapObj>(document_);
    const Any* root = find_entry(document, "root_index");
    if (root == nullptr || root->type_index() != kTVMFFIInt) {
      throw_malformed_graph(", expected `root_index` integer field");
    }
    const Any* nodes = find_entry(document, "nodes");
    if (nodes == nullptr || nodes->type_index() != kTVMFFIArray) {
      throw_malformed_graph(", expected `nodes` array field");
    }
    nodes_ = nodes->cast<Array<Any>>();
    made_.resize(nodes_.size());
    wanted_.reserve(kUsualNumWanted);
    int64_t root_index = root->cast<int64_t>();
    want(root_index);
    while (!wanted_.empty()) step();
    return made_[static_cast<size_t>(root_index)].value;
  }

 private:
  static constexpr size_t kUsualNumWanted = 32;

  enum State : uint8_t { kUntouched, kOpen, kDone };

  struct Node {
    Any value;
    Any data;  // of the JSON node; None unless `state` is kOpen
    State state = kUntouched;
    uint32_t type = 0;  // position in `types_`; known once the node is open
  };

  // Checks an index, and puts the node on the stack if it does not exist yet.
  void want(int64_t index) {
    if (index < 0 || index >= static_cast<int64_t>(made_.size())) {
      throw_malformed_graph(": invalid node index " + std::to_string(index));
    }
    State state = made_[static_cast<size_t>(index)].state;
    if (state == kOpen) {
      throw_malformed_graph(": node " + std::to_string(index) + " contains itself");
    }
    if (state == kUntouched) wanted_.push_back(index);
  }

  // Opens the node on top of the stack, or makes it once the nodes that it refers to are made. A
  // node that several others refer to may be on the stack more than once.
  void step() {
    int64_t index = wanted_.back();
    Node& node = made_[static_cast<size_t>(index)];
    if (node.state == kUntouched) {
      node.state = kOpen;
      open(index, &node);
      if (wanted_.back() != index) return;
    }
    wanted_.pop_back();
    if (node.state == kDone) return;
    const TypeOfNode& type = types_[node.type];
    maker_.set_node(index, &type);
    node.value = make(type, node.data);
    node.data.reset();
    node.state = kDone;
  }

  // Reads type and data of a node, and puts the nodes that it refers to on the stack.
  void open(int64_t index, Node* node) {
    maker_.set_node(index, nullptr);
    Entries map = maker_.read_as<Entries>(nodes_[index]);
    EntryCursor entries(object_of(map));
    node->type = position_of_type(maker_.read_as<String>(member_of_node(&entries, "type")));
    const TypeOfNode& type = types_[node->type];
    maker_.set_node(index, &type);
    if (type.type_index == kTVMFFINone) return;
    node->data = member_of_node(&entries, "data");
    size_t before = wanted_.size();
    switch (type.kind) {
      case DataKind::kSequence:
      case DataKind::kMapping:
        node->data = maker_.read_as<Array<Any>>(node->data);
        want_elements(type, elements_of(node->data));
        break;
      case DataKind::kFields:
        if (!HasCreator(type.type)) {
          throw_malformed_graph(": node " + std::to_string(index) + " has the type `" +
                                std::string(ToStringView(type.type->type_key)) +
                                "`, whose objects cannot be read from JSON");
        }
        node->data = maker_.read_as<Entries>(node->data);
        want_fields(type, fields_of(node->data));
        break;
      default:
        return;
    }
    // Reverse the new indices, so that the nodes are made in document order.
    std::reverse(wanted_.begin() + static_cast<std::ptrdiff_t>(before), wanted_.end());
  }

  const Any& member_of_node(EntryCursor* entries, const char* name) const {
    const Any* value = entries->find(name);
    if (value == nullptr) {
      // The kind of the error is published. Python raises a ValueError that is also a KeyError.
      TVM_FFI_THROW(KeyError) << "Invalid JSON Object Graph: node " << maker_.index() << " has no `"
                              << name << "`";
    }
    return *value;
  }

  uint32_t position_of_type(const String& key) {
    uint32_t position;
    while (!types_.find(std::string_view(key.data(), key.size()), &position)) {
      TVMFFIByteArray bytes{key.data(), key.size()};
      int32_t type_index;  // not used: this call raises the error
      TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&bytes, &type_index));
    }
    return position;
  }

  static const ArrayObj* elements_of(const Any& data) {
    return detail::AnyUnsafe::RawObjectPtrFromAnyAfterCheck<ArrayObj>(data);
  }
  static const MapObj* fields_of(const Any& data) {
    return detail::AnyUnsafe::RawObjectPtrFromAnyAfterCheck<MapObj>(data);
  }

  void want_elements(const TypeOfNode& type, const ArrayObj* elements) {
    if (type.kind == DataKind::kMapping && elements->size() % 2 != 0) {
      throw_malformed_graph(
          ": Map/Dict data must contain an even number of [key, value] entries, got " +
          std::to_string(elements->size()));
    }
    for (const Any& index : *elements) want(maker_.read_as<int64_t>(index));
  }

  void want_fields(const TypeOfNode& type, const MapObj* data) {
    EntryCursor entries(data);
    for (const PlannedField& field : type.plan->fields) {
      const Any* index = entries.find(ToStringView(field.info->name));
      if (index == nullptr || is_inline_field(*field.info)) continue;
      want(maker_.read_as<int64_t>(*index, field.info));
    }
  }

  // Returns the value of a node that want() was called for.
  const Any& made(const Any& index) {
    int64_t i = index.cast<int64_t>();
    if (i < 0 || i >= static_cast<int64_t>(made_.size()) || made_[i].state != kDone) {
      throw_malformed_graph(": invalid node index " + std::to_string(i));
    }
    return made_[static_cast<size_t>(i)].value;
  }

  Any make(const TypeOfNode& type, const Any& data) {
    auto made_at = [this](const Any& index) -> const Any& { return made(index); };
    if (type.kind == DataKind::kSequence || type.kind == DataKind::kMapping) {
      const ArrayObj* elements = elements_of(data);
      return maker_.make_container(elements->begin(), elements->end(), made_at);
    }
    if (type.kind != DataKind::kFields) return maker_.make_leaf(data);
    EntryCursor entries(fields_of(data));
    auto data_of = [&](const TVMFFIFieldInfo& field) {
      const Any* value = entries.find(ToStringView(field.name));
      if (value == nullptr) check_may_be_absent(type, field, fields_of(data));
      return value;
    };
    return maker_.make_object(data_of, made_at);
  }

  // Called for a field that is missing in the data. Throws an error if the field has no default.
  static void check_may_be_absent(const TypeOfNode& type, const TVMFFIFieldInfo& field,
                                  const MapObj* data) {
    if ((field.flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0) return;
    TVM_FFI_THROW(TypeError) << "Required field `" << ToStringView(field.name)
                             << "` not set in type `" << ToStringView(type.type->type_key) << "`"
                             << unknown_names(type, data);
    TVM_FFI_UNREACHABLE();
  }

  // Returns a text that lists the names in the data that are not fields of the type; empty if all
  // names are fields.
  static std::string unknown_names(const TypeOfNode& type, const MapObj* data) {
    const std::vector<PlannedField>& fields = type.plan->fields;
    std::string others;
    for (const auto& entry : *data) {
      std::optional<std::string_view> name =
          detail::TryStringView(detail::AnyUnsafe::TVMFFIAnyPtrFromAny(entry.first));
      if (!name.has_value()) continue;
      bool is_known = std::any_of(fields.begin(), fields.end(), [&](const PlannedField& field) {
        return ToStringView(field.info->name) == *name;
      });
      if (!is_known) others += (others.empty() ? "`" : ", `") + std::string(*name) + "`";
    }
    if (others.empty()) return {};
    return "; the data also has " + others + ", not fields of the type: was a field renamed?";
  }

  Any document_;
  Array<Any> nodes_;
  std::vector<Node> made_;
  std::vector<int64_t> wanted_;
  GraphMaker maker_;
  TypesOfNodes types_;
};

}  // namespace

}  // namespace runtime

Any FromJSONGraph(const json::Value& value) { return runtime::GraphReader(value).read(); }

}  // namespace tvm::ffi
