// SPDX-License-Identifier: Apache-2.0
// Writes graph JSON: a traversal that writes and numbers each node after its children.
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/base64.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>

#include "graph/graph_json.h"
#include "graph/walk.h"
#include "text/dtype_text.h"
#include "text/inline_stack.h"
#include "text/json_number.h"
#include "text/json_string.h"
#include "text/json_write.h"
#include "text/text_buffer.h"

namespace tvm::ffi {
namespace runtime {
namespace {

constexpr const char* kJSONWriteOperation = "ToJSONGraph";
// The number of a value whose node is not complete.
constexpr int64_t kOpenNode = -1;

struct JSONWriteFrame {
  Children children;
  int64_t* number;       // of the object's node; NULL if the object can be reached only once
  size_t first_operand;  // position in `operands_` of the number of the first child
};

// The text under construction.
class GraphTextOut {
 public:
  void begin_node(std::string_view type_key) {
    out_.append(out_.size() == 0 ? R"({"type":)" : R"(,{"type":)");
    append_json_string(type_key, &out_);
  }
  void end_node() { out_.push('}'); }
  void begin_data() { out_.append(R"(,"data":)"); }

  void begin_array() { open('['); }
  void element() { separate(); }
  void end_array() { out_.push(']'); }
  void begin_object() { open('{'); }
  void field(const TVMFFIFieldInfo* info) {
    separate();
    append_json_string(ToStringView(info->name), &out_);
    out_.push(':');
  }
  void end_object() { out_.push('}'); }

  void put_int(int64_t value) { append_json_int(value, &out_); }
  void put_text(std::string_view text) { append_json_string(text, &out_); }
  void put_leaf(const TVMFFIAny& value) { append_json_leaf(value, &out_); }
  void put_value(const Any& value) { append_json(value, 0, &out_); }

  // Completes the document and returns it.
  String finish(int64_t root_index, const Any& metadata) {
    out_.push(']');
    if (metadata.type_index() != kTVMFFINone) {
      out_.append(R"(,"metadata":)");
      append_json(metadata, 0, &out_);
    }
    out_.push('}');
    constexpr std::string_view kBefore = R"({"root_index":)";
    constexpr std::string_view kAfter = R"(,"nodes":[)";
    constexpr size_t kMostDigits = std::numeric_limits<int64_t>::digits10 + 2;
    char begin[kBefore.size() + kMostDigits + kAfter.size()];
    char* end = std::copy(kBefore.begin(), kBefore.end(), begin);
    end = std::to_chars(end, std::end(begin), root_index).ptr;
    end = std::copy(kAfter.begin(), kAfter.end(), end);
    out_.prepend(std::string_view(begin, static_cast<size_t>(end - begin)));
    return out_.finish();
  }

 private:
  void open(char bracket) {
    out_.push(bracket);
    is_first_ = true;
  }
  void separate() {
    if (!is_first_) out_.push(',');
    is_first_ = false;
  }

  TextBuffer out_;
  // Whether the text ends with an opening bracket. One flag suffices, because arrays in data are
  // not nested.
  bool is_first_ = true;
};

class GraphWriter {
 public:
  GraphWriter() : stack_(kJSONWriteOperation, &held_), to_json_("__data_to_json__") {}

  // Writes all nodes, and returns the number of the root.
  int64_t write(const Any& root) {
    visit(held_.keep(root));
    while (!stack_.empty()) {
      JSONWriteFrame& frame = stack_.back();
      TVMFFIAny child;
      if (!frame.children.next(&child, &held_)) {
        close();
      } else if (frame.children.kind() != Children::kFields ||
                 !is_inline_field(*frame.children.field().info)) {
        visit(child);
      }
    }
    return operands_.back();
  }

  GraphTextOut& out() { return out_; }

 private:
  // Adds the node number of a value to the operands. If the value has children and is not written
  // yet, pushes a frame instead; close() adds the number later.
  void visit(const TVMFFIAny& value) {
    int64_t* number = nullptr;
    if (needs_table(value)) {
      if (detail::HasHashHook(value.type_index)) stack_.hold();
      auto [known, is_new] = numbers_.try_emplace(owned(value), kOpenNode);  // may run a hook
      number = &known->second;
      if (!is_new) {
        if (*number == kOpenNode) TVM_FFI_THROW(ValueError) << write_cycle_error(value.v_obj);
        operands_.push(*number);
        return;
      }
    }
    bool is_leaf = write_leaf(value);
    if (!is_leaf) check_is_current(value.v_obj->type_index);
    if (is_leaf || write_special(value)) {
      finish_node(number);
      return;
    }
    check_can_be_made(value.v_obj->type_index);
    stack_.push({Children(value.v_obj), number, operands_.size()});
  }

  // Whether a value can occur again. An object that has one reference and is compared by identity
  // cannot occur again.
  static bool needs_table(const TVMFFIAny& value) {
    return !detail::IsPlainObjectKey(value.type_index) || !has_one_reference(value.v_obj) ||
           detail::HasHashHook(value.type_index);
  }

  void finish_node(int64_t* number) {
    operands_.push(num_nodes_);
    if (number != nullptr) *number = num_nodes_;
    ++num_nodes_;
  }

  void begin_node(int32_t type_index) {
    out_.begin_node(ToStringView(find_type(type_index)->type_key));
  }
  void begin_data_node(int32_t type_index) {
    begin_node(type_index);
    out_.begin_data();
  }

  bool write_leaf(const TVMFFIAny& value) {
    switch (value.type_index) {
      case kTVMFFINone:
        begin_node(kTVMFFINone);
        break;
      case kTVMFFIBool:
      case kTVMFFIInt:
      case kTVMFFIFloat:
        begin_data_node(value.type_index);
        out_.put_leaf(value);
        break;
      case kTVMFFISmallStr:
      case kTVMFFIStr:
        begin_data_node(kTVMFFIStr);
        out_.put_leaf(value);
        break;
      case kTVMFFIDataType:
        begin_data_node(value.type_index);
        put_dtype(value.v_dtype);
        break;
      case kTVMFFIDevice:
        begin_data_node(value.type_index);
        out_.begin_array();
        put_element(value.v_device.device_type);
        put_element(value.v_device.device_id);
        out_.end_array();
        break;
      case kTVMFFISmallBytes:
      case kTVMFFIBytes:
        begin_data_node(kTVMFFIBytes);
        put_string(Base64Encode(owned(value).cast<Bytes>()));
        break;
      case kTVMFFIShape:
        begin_data_node(value.type_index);
        out_.begin_array();
        for (int64_t extent : owned(value).cast<Shape>()) put_element(extent);
        out_.end_array();
        break;
      default:
        if (value.type_index < kTVMFFIStaticObjectBegin) {
          TVM_FFI_THROW(RuntimeError)
              << "Cannot serialize type `" << TypeIndexToTypeKey(value.type_index) << "`";
        }
        return false;
    }
    out_.end_node();
    return true;
  }

  // Writes an enum object or an object of a type with a hook. Returns false for other objects.
  bool write_special(const TVMFFIAny& value) {
    if (detail::IsContainer(value.type_index)) return false;
    const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(value.type_index);
    EnumTraits traits = enum_traits(type);
    Any data;
    if (traits.is_enum) {
      data = enum_index(type, traits, value.v_obj);
    } else {
      AnyView hook = to_json_[value.type_index];
      if (hook.type_index() == kTVMFFINone) return false;
      stack_.hold();
      HookScope scope(kJSONWriteOperation);
      Any self = owned(value);
      data = hook.cast<Function>()(self);  // runs foreign code
    }
    begin_data_node(value.type_index);
    out_.put_value(data);
    out_.end_node();
    return true;
  }

  static void check_is_current(int32_t type_index) {
    if (is_outdated(type_index)) TVM_FFI_THROW(TypeError) << outdated_type_error(type_index);
  }

  static void check_can_be_made(int32_t type_index) {
    if (detail::IsContainer(type_index)) return;
    const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(type_index);
    if (HasCreator(type)) return;
    TVM_FFI_THROW(TypeError) << "Type `" << ToStringView(type->type_key)
                             << "` does not support ToJSONGraph (no native creator or __ffi_new__ "
                                "type attr)";
  }

  // Writes the node of the object on top of the stack, whose children have been written.
  void close() {
    const JSONWriteFrame& frame = stack_.back();
    const size_t first = frame.first_operand;
    int64_t* const number = frame.number;
    TVMFFIObject* object = frame.children.object();
    begin_data_node(object->type_index);
    if (frame.children.kind() == Children::kFields) {
      put_fields(object, first);
    } else {
      out_.begin_array();
      for (size_t i = first; i < operands_.size(); ++i) put_element(operands_[i]);
      out_.end_array();
    }
    out_.end_node();
    stack_.pop();
    operands_.shrink(first);
    finish_node(number);
  }

  void put_fields(TVMFFIObject* object, size_t operand) {
    out_.begin_object();
    for (const PlannedField& field : field_plan(object->type_index).fields) {
      const bool is_inline = is_inline_field(*field.info);
      // Foreign code may have registered a field in the meantime; the field then has no operand.
      if (!is_inline && operand == operands_.size()) break;
      out_.field(field.info);
      if (is_inline) {
        put_inline(field, object);
      } else {
        out_.put_int(operands_[operand++]);
      }
    }
    out_.end_object();
  }

  void put_inline(const PlannedField& field, TVMFFIObject* object) {
    TVMFFIAny value;
    Any owner;
    if (read_field(field, object, &value)) owner = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(value);
    switch (value.type_index) {
      case kTVMFFIDataType:
        put_dtype(value.v_dtype);
        break;
      case kTVMFFINone:
      case kTVMFFIBool:
      case kTVMFFIInt:
      case kTVMFFIFloat:
        out_.put_leaf(value);
        break;
      default:
        TVM_FFI_THROW(RuntimeError)
            << "Cannot serialize type `" << detail::TypeNameInText(value.type_index)
            << "` of field `" << ToStringView(field.info->name) << "`";
    }
  }

  void put_element(int64_t value) {
    out_.element();
    out_.put_int(value);
  }
  void put_string(const String& text) { out_.put_text(std::string_view(text.data(), text.size())); }
  void put_dtype(DLDataType dtype) {
    std::string text;
    TVM_FFI_CHECK_SAFE_CALL(print_dtype(dtype, &text));
    out_.put_text(text);
  }

  Held held_;
  WalkStack<JSONWriteFrame> stack_;
  // The node numbers of values. Values that are equal as map keys have one number.
  std::unordered_map<Any, int64_t, AnyHash, AnyEqual> numbers_;
  InlineStack<int64_t, 32> operands_;  // numbers of the written children of open frames
  int64_t num_nodes_ = 0;
  GraphTextOut out_;
  reflection::TypeAttrColumn to_json_;
};

}  // namespace

String to_json_graph_string(const Any& value, const Any& metadata) {
  GraphWriter writer;
  int64_t root = writer.write(value);
  return writer.out().finish(root, metadata);
}

}  // namespace runtime

json::Value ToJSONGraph(const Any& value, const Any& metadata) {
  json::Value document = json::Parse(runtime::to_json_graph_string(value, nullptr));
  if (metadata == nullptr) return document;
  auto members = document.cast<json::Object>();
  members.Set("metadata", metadata);
  return members;
}

}  // namespace tvm::ffi
