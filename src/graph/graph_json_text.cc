// SPDX-License-Identifier: Apache-2.0
// Reads the text of a graph. Texts as this library writes them are read without making the Map and
// the Arrays of the document; every other text is parsed, and then read like a document.
#include <tvm/ffi/any.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/reflection/creator.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "graph/graph_json.h"
#include "graph/graph_json_make.h"
#include "graph/graph_json_type.h"
#include "graph/walk.h"
#include "text/inline_stack.h"
#include "text/json_read.h"
#include "text/value_stack.h"

namespace tvm::ffi::runtime {
namespace {

/*!
 * \brief Reads texts whose nodes refer to earlier nodes only, are all referred to, and have
 * exactly the fields of their types, in order.
 *
 * scan() runs no foreign code and raises no error about the text, so a text for which it returns
 * false can be read in another way.
 */
class GraphTextReader {
 public:
  explicit GraphTextReader(std::string_view text) : cursor_(text) {}

  // Reads the whole text. Returns false if it is not such a text.
  bool scan() {
    if (!cursor_.skip_if('{') || !cursor_.skip_key_if("root_index") || !push_leaf()) return false;
    Any root = values_.pop();
    if (!cursor_.skip_if(',') || !cursor_.skip_key_if("nodes") || !cursor_.skip_if('[')) {
      return false;
    }
    do {
      if (!scan_node()) return false;
    } while (cursor_.skip_if(','));
    if (!cursor_.skip_if(']') || !cursor_.skip_if('}') || !cursor_.is_at_end()) return false;
    int64_t last = static_cast<int64_t>(nodes_.size()) - 1;
    return root.type_index() == kTVMFFIInt && root.cast<int64_t>() == last && num_used_ == last;
  }

  // Makes the values of all nodes, which runs foreign code. Returns that of the last node.
  Any make() {
    for (size_t i = 0; i < nodes_.size(); ++i) make_node(i);
    return values_.data()[nodes_.back().begin];
  }

 private:
  // Several values belong to a node. make() replaces the first one by the value of the node; the
  // data of a container or an object follow it.
  struct Node {
    size_t begin;
    uint32_t type;  // position in `types_`
    bool is_used;   // whether another node refers to this one
  };

  bool push_leaf() {
    TVMFFIAny leaf;
    if (!cursor_.read_leaf(cursor_.peek(), &leaf)) return false;
    values_.push(leaf);
    return true;
  }

  // Pushes an index if it is that of an earlier node.
  bool push_index() {
    if (!push_leaf()) return false;
    const TVMFFIAny& index = raw(values_.data()[values_.size() - 1]);
    if (index.type_index != kTVMFFIInt || index.v_int64 < 0 ||
        index.v_int64 >= static_cast<int64_t>(nodes_.size()) - 1) {
      return false;
    }
    bool& is_used = nodes_[index.v_int64].is_used;
    num_used_ += is_used ? 0 : 1;
    is_used = true;
    return true;
  }

  // Pushes the elements of a JSON array.
  template <typename Push>
  bool push_elements(Push push) {
    if (!cursor_.skip_if('[')) return false;
    if (cursor_.skip_if(']')) return true;
    do {
      if (!push()) return false;
    } while (cursor_.skip_if(','));
    return cursor_.skip_if(']');
  }

  bool push_fields(const TypeOfNode& type) {
    bool is_first = true;
    if (!cursor_.skip_if('{')) return false;
    for (const PlannedField& field : type.plan->fields) {
      if (!std::exchange(is_first, false) && !cursor_.skip_if(',')) return false;
      if (!cursor_.skip_key_if(ToStringView(field.info->name))) return false;
      if (!(is_inline_field(*field.info) ? push_leaf() : push_index())) return false;
    }
    return cursor_.skip_if('}');
  }

  bool scan_node() {
    std::string_view key;
    if (!cursor_.skip_if('{') || !cursor_.skip_key_if("type") || cursor_.peek() != '"' ||
        !cursor_.scan_string(&key)) {
      return false;
    }
    uint32_t position;
    if (!types_.find(key, &position)) return false;
    nodes_.push({values_.size(), position, false});
    const TypeOfNode& type = types_[position];
    if (type.type_index == kTVMFFINone) {
      values_.push(Any());
    } else if (!cursor_.skip_if(',') || !cursor_.skip_key_if("data") || !push_data(type)) {
      return false;
    }
    return cursor_.skip_if('}');
  }

  bool push_data(const TypeOfNode& type) {
    size_t begin = values_.size();
    switch (type.kind) {
      case DataKind::kSequence:
      case DataKind::kMapping:
        values_.push(Any());
        if (!push_elements([this] { return push_index(); })) return false;
        return type.kind == DataKind::kSequence || (values_.size() - begin) % 2 == 1;
      case DataKind::kFields:
        values_.push(Any());
        return HasCreator(type.type) && type.has_plain_names && push_fields(type);
      case DataKind::kHook:
        return false;
      default:
        if (cursor_.peek() != '[') return push_leaf();
        if (!push_elements([this] { return push_leaf(); })) return false;
        values_.make_array(begin);
        return true;
    }
  }

  void make_node(size_t i) {
    const TypeOfNode& type = types_[nodes_[i].type];
    Any* values = values_.data();
    Any& value = values[nodes_[i].begin];
    const Any* data = &value + 1;
    auto made_at = [&](const Any& index) -> const Any& {
      return values[nodes_[raw(index).v_int64].begin];
    };
    maker_.set_node(static_cast<int64_t>(i), &type);
    switch (type.kind) {
      case DataKind::kSequence:
      case DataKind::kMapping: {
        size_t end = i + 1 < nodes_.size() ? nodes_[i + 1].begin : values_.size();
        value = maker_.make_container(data, values + end, made_at);
        return;
      }
      case DataKind::kFields:
        value = maker_.make_object([&](const TVMFFIFieldInfo&) { return data++; }, made_at);
        return;
      default:
        value = maker_.make_leaf(value);
    }
  }

  JsonCursor cursor_;
  ValueStack values_;
  InlineStack<Node, 16> nodes_;
  int64_t num_used_ = 0;
  GraphMaker maker_;
  TypesOfNodes types_;
};

}  // namespace

Any from_json_graph_string(const String& text) {
  {
    GraphTextReader reader(detail::TextView(text));
    if (reader.scan()) return reader.make();
  }
  return FromJSONGraph(json::Parse(text));
}

}  // namespace tvm::ffi::runtime
