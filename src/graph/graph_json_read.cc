// SPDX-License-Identifier: Apache-2.0
// Reads graph JSON. The search starts at the root; a node is created after the nodes that it refers
// to. The document is not trusted: nodes may refer to each other in a cycle, which is an error.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/base64.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/type_table.h"
#include "graph/graph_json.h"
#include "graph/graph_json_type.h"
#include "graph/walk.h"
#include "text/dtype_text.h"
#include "text/value_stack.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

using Entries = Map<Any, Any>;

constexpr const char* kJSONReadOperation = "FromJSONGraph";

[[noreturn]] void throw_malformed(const std::string& what) {
  TVM_FFI_THROW(ValueError) << "Invalid JSON Object Graph" << what;
  TVM_FFI_UNREACHABLE();
}

const MapObj* object_of(const Entries& map) { return static_cast<const MapObj*>(map.get()); }

DLDataType dtype_of(const String& text) {
  DLDataType dtype;
  TVM_FFI_CHECK_SAFE_CALL(parse_dtype(std::string_view(text.data(), text.size()), &dtype));
  return dtype;
}

DLDevice device_of(const Array<int64_t>& parts) {
  if (parts.size() != 2) {
    throw_malformed(": Device data must be an array of [device_type, device_id], got " +
                    std::to_string(parts.size()) + " element(s)");
  }
  return DLDevice{static_cast<DLDeviceType>(parts[0]), static_cast<int32_t>(parts[1])};
}

class GraphReader {
 public:
  explicit GraphReader(const Any& document) : document_(document) {}

  Any read() {
    if (document_.type_index() != kTVMFFIMap) throw_malformed(", expected an object");
    const MapObj* document = detail::AnyUnsafe::RawObjectPtrFromAnyAfterCheck<MapObj>(document_);
    const Any* root = find_entry(document, String("root_index"));
    if (root == nullptr || root->type_index() != kTVMFFIInt) {
      throw_malformed(", expected `root_index` integer field");
    }
    const Any* nodes = find_entry(document, String("nodes"));
    if (nodes == nullptr || nodes->type_index() != kTVMFFIArray) {
      throw_malformed(", expected `nodes` array field");
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
    State state = kUntouched;
    const TypeOfNode* type = nullptr;
    Any data;  // of the JSON node; None unless `state` is kOpen
  };

  // Checks an index, and puts the node on the stack if it does not exist yet.
  void want(int64_t index) {
    if (index < 0 || index >= static_cast<int64_t>(made_.size())) {
      throw_malformed(": invalid node index " + std::to_string(index));
    }
    State state = made_[static_cast<size_t>(index)].state;
    if (state == kOpen) throw_malformed(": node " + std::to_string(index) + " contains itself");
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
    current_ = index;
    node.value = make(*node.type, node.data);
    node.data.reset();
    node.state = kDone;
  }

  // Reads type and data of a node, and puts the nodes that it refers to on the stack.
  void open(int64_t index, Node* node) {
    current_ = index;
    Entries map = read_as<Entries>(nodes_[index]);
    EntryCursor entries(object_of(map));
    node->type = type_of(member_of_node(&entries, type_key_, "type"));
    if (node->type->type_index == kTVMFFINone) return;
    node->data = member_of_node(&entries, data_key_, "data");
    size_t before = wanted_.size();
    switch (node->type->kind) {
      case DataKind::kSequence:
      case DataKind::kMapping:
        node->data = read_as<Array<Any>>(node->data);
        want_elements(*node);
        break;
      case DataKind::kFields:
        if (!HasCreator(node->type->type)) {
          throw_malformed(": node " + std::to_string(index) + " has the type `" +
                          std::string(ToStringView(node->type->type->type_key)) +
                          "`, whose objects cannot be read from JSON");
        }
        node->data = read_as<Entries>(node->data);
        want_fields(*node);
        break;
      default:
        return;
    }
    // Reverse the new indices, so that the nodes are made in document order.
    std::reverse(wanted_.begin() + static_cast<std::ptrdiff_t>(before), wanted_.end());
  }

  const Any& member_of_node(EntryCursor* entries, const Any& key, const char* name) const {
    const Any* value = entries->find(key);
    if (value == nullptr) {
      // The kind of the error is published. Python raises a ValueError that is also a KeyError.
      TVM_FFI_THROW(KeyError) << "Invalid JSON Object Graph: node " << current_ << " has no `"
                              << name << "`";
    }
    return *value;
  }

  // Converts data of the current node. If `field` is not NULL, the data belongs to this field.
  template <typename T>
  T read_as(const Any& data, const TVMFFIFieldInfo* field = nullptr) const {
    try {
      return data.cast<T>();
    } catch (const Error& error) {
      throw_with_place(error, field);
    }
  }

  // Throws an error again, with the place in the document added to its message.
  [[noreturn]] void throw_with_place(const Error& error, const TVMFFIFieldInfo* field) const {
    std::string text = error.message();
    const TypeOfNode* type = made_[static_cast<size_t>(current_)].type;
    if (field != nullptr) text += " in field `" + std::string(ToStringView(field->name)) + "`";
    text += field != nullptr ? " of " : " in ";
    text += "node " + std::to_string(current_);
    if (type != nullptr) {
      text += " (`" + std::string(ToStringView(type->type->type_key)) + "`)";
    }
    throw Error(error.kind(), text, error.backtrace());
  }

  const TypeOfNode* type_of(const Any& key) {
    // The key is usually the same String as in the last node of this type.
    uint64_t bits = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(key)->v_uint64;
    const TypeOfNode*& recent = recent_types_[(bits * 0x9e3779b97f4a7c15u) >> 60];
    if (recent != nullptr && recent->key.same_as(key)) return recent;
    String text = read_as<String>(key);
    std::unique_ptr<TypeOfNode>& type = types_[text];
    if (type == nullptr) type = describe_type(text);
    type->key = key;
    return recent = type.get();
  }

  static const ArrayObj* elements_of(const Any& data) {
    return detail::AnyUnsafe::RawObjectPtrFromAnyAfterCheck<ArrayObj>(data);
  }
  static const MapObj* fields_of(const Any& data) {
    return detail::AnyUnsafe::RawObjectPtrFromAnyAfterCheck<MapObj>(data);
  }

  void want_elements(const Node& node) {
    const ArrayObj* elements = elements_of(node.data);
    if (node.type->kind == DataKind::kMapping && elements->size() % 2 != 0) {
      throw_malformed(": Map/Dict data must contain an even number of [key, value] entries, got " +
                      std::to_string(elements->size()));
    }
    for (const Any& index : *elements) want(read_as<int64_t>(index));
  }

  void want_fields(const Node& node) {
    EntryCursor entries(fields_of(node.data));
    for (const FieldOfData& field : node.type->fields) {
      const Any* index = entries.find(field.name);
      if (index != nullptr && !field.is_inline) want(read_as<int64_t>(*index, field.info));
    }
  }

  // Returns the value of a node that want() was called for.
  const Any& made(const Any& index) {
    int64_t i = index.cast<int64_t>();
    if (i < 0 || i >= static_cast<int64_t>(made_.size()) || made_[i].state != kDone) {
      throw_malformed(": invalid node index " + std::to_string(i));
    }
    return made_[static_cast<size_t>(i)].value;
  }

  Any make(const TypeOfNode& type, const Any& data) {
    switch (type.type_index) {
      case kTVMFFINone:
        return Any();
      case kTVMFFIBool:
        return Any(read_as<bool>(data));
      case kTVMFFIInt:
        return Any(read_as<int64_t>(data));
      case kTVMFFIFloat:
        return Any(read_as<double>(data));
      case kTVMFFIDataType:
        return Any(dtype_of(read_as<String>(data)));
      case kTVMFFIDevice:
        return Any(device_of(read_as<Array<int64_t>>(data)));
      case kTVMFFIStr:
        return Any(read_as<String>(data));
      case kTVMFFIBytes:
        return Any(Base64Decode(read_as<String>(data)));
      case kTVMFFIShape:
        return Any(Shape(read_as<Array<int64_t>>(data)));
      case kTVMFFIArray:
        return make_sequence<Array<Any>>(elements_of(data));
      case kTVMFFIList:
        return make_sequence<List<Any>>(elements_of(data));
      case kTVMFFIMap:
        return make_mapping<Map<Any, Any>>(elements_of(data));
      case kTVMFFIDict:
        return make_mapping<Dict<Any, Any>>(elements_of(data));
      default:
        return make_object_of(type, data);
    }
  }

  template <typename Sequence>
  Any make_sequence(const ArrayObj* indices) {
    Sequence result;
    result.reserve(static_cast<int64_t>(indices->size()));
    for (const Any& index : *indices) result.push_back(made(index));
    return Any(std::move(result));
  }

  bool has_text_keys(const ArrayObj* indices) {
    for (const Any* index = indices->begin(); index != indices->end(); index += 2) {
      int32_t kind = made(index[0]).type_index();
      if (kind != kTVMFFISmallStr && kind != kTVMFFIStr) return false;
    }
    return true;
  }

  // Builds the mapping in one step, which is fast even if many keys have equal hashes.
  Any make_mapping_of_texts(int32_t type_index, const ArrayObj* indices) {
    ValueStack values;
    for (const Any& index : *indices) values.push(Any(made(index)));
    values.make_map(0);
    Any mapping = values.pop();
    // Map and Dict have the same layout, and this mapping has no other reference yet.
    const_cast<TVMFFIAny&>(raw(mapping)).type_index = type_index;
    raw(mapping).v_obj->type_index = type_index;
    return mapping;
  }

  template <typename Mapping>
  Any make_mapping(const ArrayObj* indices) {
    constexpr size_t kMany = 64;
    if (indices->size() > kMany && has_text_keys(indices)) {
      return make_mapping_of_texts(Mapping::ContainerType::RuntimeTypeIndex(), indices);
    }
    Mapping result;
    for (const Any* index = indices->begin(); index != indices->end(); index += 2) {
      result.Set(made(index[0]), made(index[1]));  // may run a hook of the key
    }
    return Any(std::move(result));
  }

  Any make_object_of(const TypeOfNode& type, const Any& data) {
    if (type.kind == DataKind::kEnum) return find_enum_object(type.type, data);
    if (type.kind == DataKind::kHook) {
      HookScope scope(kJSONReadOperation);
      return type.hook.cast<Function>()(data);  // runs foreign code
    }
    ObjectPtr<Object> object = CreateEmptyObject(type.type);  // runs foreign code
    EntryCursor entries(fields_of(data));
    for (const FieldOfData& field : type.fields) {
      const Any* value = entries.find(field.name);
      if (value == nullptr) check_may_be_absent(type, field, data);
      set_field(field, value, object.get());
    }
    return Any(ObjectRef(std::move(object)));
  }

  // Called for a field that is missing in the data. Throws an error if the field has no default.
  static void check_may_be_absent(const TypeOfNode& type, const FieldOfData& field,
                                  const Any& data) {
    if ((field.info->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0) return;
    TVM_FFI_THROW(TypeError) << "Required field `" << ToStringView(field.info->name)
                             << "` not set in type `" << ToStringView(type.type->type_key) << "`"
                             << unknown_names(type, data);
    TVM_FFI_UNREACHABLE();
  }

  // Returns a text that lists the names in the data that are not fields of the type; empty if all
  // names are fields.
  static std::string unknown_names(const TypeOfNode& type, const Any& data) {
    std::string others;
    for (const auto& entry : *fields_of(data)) {
      bool is_known = std::any_of(
          type.fields.begin(), type.fields.end(),
          [&](const FieldOfData& field) { return AnyEqual()(field.name, entry.first); });
      std::optional<std::string_view> name =
          detail::TryStringView(detail::AnyUnsafe::TVMFFIAnyPtrFromAny(entry.first));
      if (is_known || !name.has_value()) continue;
      others += (others.empty() ? "`" : ", `") + std::string(*name) + "`";
    }
    if (others.empty()) return {};
    return "; the data also has " + others + ", not fields of the type: was a field renamed?";
  }

  // Sets a field from its data. If `data` is NULL, sets the field to its default.
  void set_field(const FieldOfData& field, const Any* data, Object* object) {
    const TVMFFIFieldInfo* info = field.info;
    void* address = reinterpret_cast<char*>(detail::ObjectUnsafe::GetHeader(object)) + info->offset;
    if (data == nullptr) {
      reflection::SetFieldToDefault(info, address);
      return;
    }
    const Any value = field.is_inline ? inline_value(*info, *data) : made(*data);
    // None is stored as a NULL reference, which a new object has already. Do not call the setter:
    // it refuses None if the class of the reference is non-nullable.
    if (value == nullptr && reflection::FieldGetter(info)(object) == nullptr) return;
    try {
      TVM_FFI_CHECK_SAFE_CALL(reflection::CallFieldSetter(
          info, address, detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value)));  // may run foreign code
    } catch (const Error& error) {
      if (error.message().rfind("Cannot convert from type ", 0) != 0) throw;
      throw_with_place(error, info);
    }
  }

  Any inline_value(const TVMFFIFieldInfo& info, const Any& data) const {
    switch (info.field_static_type_index) {
      case kTVMFFINone:
        return Any();
      case kTVMFFIBool:
        return Any(read_as<bool>(data, &info));
      case kTVMFFIInt:
        return Any(read_as<int64_t>(data, &info));
      case kTVMFFIFloat:
        return Any(read_as<double>(data, &info));
      default:
        return Any(dtype_of(read_as<String>(data, &info)));
    }
  }

  Any document_;
  Array<Any> nodes_;
  std::vector<Node> made_;
  std::vector<int64_t> wanted_;
  int64_t current_ = 0;  // the node that is being opened or made
  const Any type_key_{String("type")};
  const Any data_key_{String("data")};
  std::unordered_map<String, std::unique_ptr<TypeOfNode>> types_;
  const TypeOfNode* recent_types_[16] = {};
};

}  // namespace

Any from_json_graph_string(const String& text) { return FromJSONGraph(json::Parse(text)); }

}  // namespace runtime

Any FromJSONGraph(const json::Value& value) { return runtime::GraphReader(value).read(); }

}  // namespace ffi
}  // namespace tvm
