// SPDX-License-Identifier: Apache-2.0
// Outputs of the writer of graph JSON: text, or a tree of Map and Array. Both classes have the same
// functions, so the writer is a template.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "text/json_number.h"
#include "text/json_string.h"
#include "text/json_write.h"
#include "text/text_buffer.h"
#include "text/value_stack.h"

namespace tvm::ffi::runtime {

/*! \brief Writes the nodes as text. */
class GraphTextOut {
 public:
  void begin_node(const TVMFFITypeInfo*, std::string_view type_key) {
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

  /*! \brief Complete the document and return it. */
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

/*! \brief Writes the nodes as a tree of Map and Array. */
class GraphTreeOut {
 public:
  void begin_node(const TVMFFITypeInfo* type, std::string_view type_key) {
    node_begin_ = values_.size();
    values_.push(Any(type_text_));
    values_.push(Any(kept(type, type_key)));
  }
  void end_node() { values_.make_map(node_begin_); }
  void begin_data() { values_.push(Any(data_text_)); }

  void begin_array() { data_begin_ = values_.size(); }
  void element() {}
  void end_array() { values_.make_array(data_begin_); }
  void begin_object() { data_begin_ = values_.size(); }
  void field(const TVMFFIFieldInfo* info) {
    values_.push(Any(kept(info, ToStringView(info->name))));
  }
  void end_object() { values_.make_map(data_begin_); }

  void put_int(int64_t value) { values_.push(Any(value)); }
  void put_text(std::string_view text) { values_.push(Any(String(text.data(), text.size()))); }
  void put_leaf(const TVMFFIAny& value) { values_.push(Any(AnyView::CopyFromTVMFFIAny(value))); }
  void put_value(const Any& value) { values_.push(Any(value)); }

  Any finish(int64_t root_index, const Any& metadata) {
    values_.make_array(0);
    Any nodes = values_.pop();
    values_.push(Any(String("root_index")));
    values_.push(Any(root_index));
    values_.push(Any(String("nodes")));
    values_.push(std::move(nodes));
    if (metadata.type_index() != kTVMFFINone) {
      values_.push(Any(String("metadata")));
      values_.push(Any(metadata));
    }
    values_.make_map(0);
    return values_.pop();
  }

 private:
  // Returns the String of `text`, which is made once for each `owner` (a type or a field).
  const Any& kept(const void* owner, std::string_view text) {
    Any& name = names_[owner];
    if (name.type_index() == kTVMFFINone) name = String(text.data(), text.size());
    return name;
  }

  ValueStack values_;
  size_t node_begin_ = 0;
  size_t data_begin_ = 0;
  String type_text_{"type"};
  String data_text_{"data"};
  std::unordered_map<const void*, Any> names_;
};

}  // namespace tvm::ffi::runtime
