// SPDX-License-Identifier: Apache-2.0
// Writes a value as JSON text. An explicit stack keeps track of the nesting. Nothing here runs
// foreign code, so all values are borrowed.
#include "text/json_write.h"

#include <tvm/ffi/container/list.h>
#include <tvm/ffi/extra/json.h>

#include <unordered_set>
#include <vector>

#include "text/json_number.h"
#include "text/json_string.h"

namespace tvm::ffi {
namespace runtime {
namespace {

const TVMFFIAny& bits_of(const Any& value) {
  return *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value);
}

template <typename T>
const T* object_of(const Any& value) {
  return detail::AnyUnsafe::RawObjectPtrFromAnyAfterCheck<T>(value);
}

bool is_text(int32_t type_index) {
  return type_index == kTVMFFISmallStr || type_index == kTVMFFIStr;
}

// Appends a value that is not a container; returns false for any other value.
TVM_FFI_INLINE bool append_leaf(const TVMFFIAny& value, TextBuffer* out) {
  switch (value.type_index) {
    case kTVMFFINone:
      out->append("null");
      return true;
    case kTVMFFIBool:
      if (value.v_int64 != 0) {
        out->append("true");
      } else {
        out->append("false");
      }
      return true;
    case kTVMFFIInt:
      append_json_int(value.v_int64, out);
      return true;
    case kTVMFFIFloat:
      append_json_float(value.v_float64, out);
      return true;
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      append_json_text(value, out);
      return true;
    default:
      return false;
  }
}

// A container that is being written.
struct Frame {
  size_t left = 0;               // number of elements or entries that are not written yet
  const Any* element = nullptr;  // the next element, if the container is a sequence
  const MapBaseObj::KVType* pair = nullptr;  // the next entry, if it is a map, and its position
  MapBaseObj::iterator position;
  const void* list = nullptr;  // the object, if it is a List
  bool is_map = false;
  bool is_first = true;
};

// If `is_flat`, the text has no white space.
template <bool is_flat>
class ValueWriter {
 public:
  ValueWriter(int indent, TextBuffer* out)
      : out_(*out), indent_(indent > 0 ? static_cast<size_t>(indent) : 0) {}

  void write(const Any& root) {
    write_value(root);
    while (!stack_.empty()) {
      if (stack_.back().left == 0) {
        close();
      } else {
        write_next(&stack_.back());
      }
    }
  }

 private:
  // Writes elements or entries until no element is left, or until an element pushes a new frame,
  // which makes `frame` invalid.
  void write_next(Frame* frame) {
    do {
      if (!frame->is_first) out_.push(',');
      frame->is_first = false;
      new_line(stack_.size());
      const Any& value = frame->is_map ? next_entry(frame) : next_element(frame);
      if (write_value(value)) return;
    } while (frame->left != 0);
  }

  const Any& next_element(Frame* frame) {
    --frame->left;
    return *frame->element++;
  }

  // Writes the key of the next entry, and returns the value.
  const Any& next_entry(Frame* frame) {
    const auto& [key, value] = *frame->pair;
    if (--frame->left != 0) frame->pair = &*++frame->position;
    write_key(key);
    return value;
  }

  void write_key(const Any& key) {
    if (!is_text(key.type_index())) {
      TVM_FFI_THROW(ValueError) << "Expect key to be string, got `" << key.GetTypeKey() << "`";
    }
    append_json_text(bits_of(key), &out_);
    out_.push(':');
    if (!is_flat) out_.push(' ');
  }

  // Writes a leaf, or pushes a frame. Returns whether it pushed a frame.
  bool write_value(const Any& value) {
    if (append_leaf(bits_of(value), &out_)) return false;
    open(value);
    return true;
  }

  void open(const Any& value) {
    Frame frame;
    switch (value.type_index()) {
      case kTVMFFIList:
        frame.list = object_of<Object>(value);
        if (!lists_.insert(frame.list).second) {
          TVM_FFI_THROW(ValueError) << "Cycle detected: List contains itself";
        }
        [[fallthrough]];
      case kTVMFFIArray:
        frame.left = object_of<SeqBaseObj>(value)->size();
        frame.element = object_of<SeqBaseObj>(value)->begin();
        out_.push('[');
        break;
      case kTVMFFIMap:
        frame.is_map = true;
        frame.left = object_of<MapBaseObj>(value)->size();
        frame.position = object_of<MapBaseObj>(value)->begin();
        if (frame.left != 0) frame.pair = &*frame.position;
        out_.push('{');
        break;
      default:
        TVM_FFI_THROW(ValueError) << "Unsupported type: `" << value.GetTypeKey() << "`";
    }
    stack_.push_back(frame);
  }

  void close() {
    const Frame& frame = stack_.back();
    new_line(stack_.size() - 1);
    out_.push(frame.is_map ? '}' : ']');
    if (frame.list != nullptr) lists_.erase(frame.list);
    stack_.pop_back();
  }

  void new_line(size_t depth) {
    if (is_flat) return;
    out_.push('\n');
    // The product fits a size_t: `depth` counts frames in memory, and the indent came from an int.
    out_.append(' ', indent_ * depth);
  }

  TextBuffer& out_;
  size_t indent_;
  std::vector<Frame> stack_;
  std::unordered_set<const void*> lists_;  // the lists on the stack
};

}  // namespace

bool append_json_leaf(const TVMFFIAny& value, TextBuffer* out) { return append_leaf(value, out); }

void append_json(const Any& value, int indent, TextBuffer* out) {
  if (indent == 0) {
    ValueWriter<true>(indent, out).write(value);
  } else {
    ValueWriter<false>(indent, out).write(value);
  }
}

}  // namespace runtime

String json::Stringify(const Value& value, const Optional<int>& indent) {
  runtime::TextBuffer out;
  runtime::append_json(value, indent.value_or(0), &out);
  return out.finish();
}

}  // namespace tvm::ffi
