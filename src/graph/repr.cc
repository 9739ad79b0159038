// SPDX-License-Identifier: Apache-2.0
// The printed form of any value: a walk through containers and reflected fields on a stack of its
// own, with the hooks that types bring.
#include "graph/repr.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/sentinel.h"
#include "core/type_table.h"
#include "graph/repr_text.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

// Hooks call back into the printer, so their nesting uses the thread's stack.
constexpr int kMaxHookDepth = 200;
// A graph of shared objects may describe a text of astronomic length.
constexpr size_t kMaxTextSize = size_t{1} << 28;

// An object that is being printed, with what is still to come of it.
struct Frame {
  enum Kind { kSequence, kMapping, kFields };
  Kind kind;
  Any object;
  // Elements, or keys and values in turn; a copy, since hooks may change the container.
  std::vector<Any> items;
  std::vector<const TVMFFIFieldInfo*> fields;
  size_t next = 0;
  size_t begin;         // where its text begins
  std::string closing;  // ends its text
};

// Where the text of an object that was printed before stands; `text` is NULL while it is being
// printed.
struct Printed {
  Any keeps_alive;  // the address must not be used again meanwhile
  const std::string* text;
  size_t begin;
  size_t size;
};

// What one call of the printer and the hooks below it share.
struct PrintState {
  bool is_active = true;
  bool with_addresses = false;
  int hook_depth = 0;
  size_t total_size = 0;
  std::unordered_map<const TVMFFIObject*, Printed> printed;
  std::deque<std::string> texts;  // stable addresses
};

bool wants_addresses() {
  const char* setting = std::getenv("TVM_FFI_REPR_WITH_ADDR");
  return setting != nullptr && std::strcmp(setting, "1") == 0;
}

std::string address_suffix(const TVMFFIObject* object) {
  char text[24];
  std::snprintf(text, sizeof(text), "@%p", static_cast<const void*>(object));
  return text;
}

const TVMFFIAny& raw(const Any& value) { return *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value); }

// Marks `state` as ended for functions that hooks may have kept.
class EndOfPrinting {
 public:
  explicit EndOfPrinting(PrintState* state) : state_(state) {}
  ~EndOfPrinting() {
    state_->is_active = false;
    state_->printed.clear();
    state_->texts.clear();
  }
  EndOfPrinting(const EndOfPrinting&) = delete;
  EndOfPrinting& operator=(const EndOfPrinting&) = delete;

 private:
  PrintState* state_;
};

class Printer {
 public:
  explicit Printer(std::shared_ptr<PrintState> state)
      : state_(std::move(state)), out_(state_->texts.emplace_back()) {}

  const std::string& print(const Any& root) {
    append(root);
    while (!stack_.empty()) step();
    return out_;
  }

 private:
  // Appends a leaf, or what is known about an object; opens a frame for everything else.
  void append(const Any& value) {
    size_t before = out_.size();
    if (append_leaf_text(raw(value), &out_)) {
      if (state_->with_addresses && value.type_index() == kTVMFFITensor) {
        out_ += address_suffix(raw(value).v_obj);
      }
      count(out_.size() - before);
    } else if (!append_known(raw(value).v_obj)) {
      open(value);
    }
  }

  // To be called for every text whose length the value decides.
  void count(size_t size) {
    state_->total_size += size;
    if (state_->total_size > kMaxTextSize) {
      TVM_FFI_THROW(ValueError) << "ReprPrint: the text exceeds " << kMaxTextSize << " bytes";
    }
  }

  bool append_known(const TVMFFIObject* object) {
    if (object == detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(missing_object())) {
      out_ += "<MISSING>";
      return true;
    }
    if (object == detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(kwargs_object())) {
      out_ += "<KWARGS>";
      return true;
    }
    auto it = state_->printed.find(object);
    if (it == state_->printed.end()) return false;
    const Printed& printed = it->second;
    if (printed.text == nullptr) {
      out_ += "...";
      if (state_->with_addresses) out_ += address_suffix(object);
    } else {
      count(printed.size);
      out_.append(*printed.text, printed.begin, printed.size);
    }
    return true;
  }

  void open(const Any& value) {
    TVMFFIObject* object = raw(value).v_obj;
    state_->printed.emplace(object, Printed{value, nullptr, 0, 0});
    size_t begin = out_.size();
    AnyView hook = reflection::TypeAttrColumn("__ffi_repr__")[object->type_index];
    if (hook.type_index() != kTVMFFINone) {
      out_ += call_hook(hook.cast<Function>(), value);
      count(out_.size() - begin);
      remember(object, begin);
      return;
    }
    Frame frame;
    frame.object = value;
    frame.begin = begin;
    switch (object->type_index) {
      case kTVMFFIArray:
        open_sequence(value, "(", ")", &frame);
        break;
      case kTVMFFIList:
        open_sequence(value, "[", "]", &frame);
        break;
      case kTVMFFIMap:
      case kTVMFFIDict:
        open_mapping(value, &frame);
        break;
      default:
        open_fields(object, &frame);
    }
    stack_.push_back(std::move(frame));
  }

  std::string call_hook(const Function& hook, const Any& value) {
    if (state_->hook_depth >= kMaxHookDepth) {
      TVM_FFI_THROW(ValueError) << "ReprPrint: hooks are nested more than " << kMaxHookDepth
                                << " deep";
    }
    ++state_->hook_depth;
    Any text;
    try {
      text = hook(value, print_nested());  // runs foreign code
    } catch (...) {
      --state_->hook_depth;
      throw;
    }
    --state_->hook_depth;
    return text.cast<String>();
  }

  // What a hook prints its parts with. It may be kept and called later, when it starts afresh.
  Function print_nested() {
    return Function::FromTyped([state = state_](const Any& value) -> String {
      if (!state->is_active) return repr_print(value);
      return String(Printer(state).print(value));
    });
  }

  void open_sequence(const Any& value, const char* opening, const char* closing, Frame* frame) {
    const SeqBaseObj* sequence =
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<SeqBaseObj>(raw(value).v_obj);
    frame->kind = Frame::kSequence;
    frame->items.assign(sequence->begin(), sequence->end());
    bool is_single_of_array = value.type_index() == kTVMFFIArray && frame->items.size() == 1;
    frame->closing = std::string(is_single_of_array ? "," : "") + closing;
    if (state_->with_addresses) frame->closing += address_suffix(raw(value).v_obj);
    out_ += opening;
  }

  void open_mapping(const Any& value, Frame* frame) {
    const MapBaseObj* mapping =
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<MapBaseObj>(raw(value).v_obj);
    frame->kind = Frame::kMapping;
    frame->items.reserve(2 * mapping->size());
    for (const auto& [key, item] : *mapping) {
      frame->items.push_back(key);
      frame->items.push_back(item);
    }
    frame->closing = "}";
    if (state_->with_addresses) frame->closing += address_suffix(raw(value).v_obj);
    out_ += '{';
  }

  void open_fields(TVMFFIObject* object, Frame* frame) {
    frame->kind = Frame::kFields;
    const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(object->type_index);
    out_ += ToStringView(type->type_key);
    if (is_enum(type)) {
      out_ += '.';
      out_ += detail::TextView(
          *reinterpret_cast<const String*>(reinterpret_cast<char*>(object) + kEnumNameOffset));
      return;
    }
    if (state_->with_addresses) out_ += address_suffix(object);
    reflection::ForEachFieldInfo(type, [&](const TVMFFIFieldInfo* field) {
      if ((field->flags & kTVMFFIFieldFlagBitMaskReprOff) == 0) frame->fields.push_back(field);
    });
    if (frame->fields.empty()) return;
    out_ += '(';
    frame->closing = ")";
  }

  // Enum objects keep their name right behind their number.
  static constexpr size_t kEnumNameOffset = sizeof(TVMFFIObject) + sizeof(int64_t);
  static bool is_enum(const TVMFFITypeInfo* type) {
    static const int32_t enum_index = find_type_key("ffi.Enum");
    if (type->type_index == enum_index) return true;
    return type->type_depth > 1 && type->type_ancestors[1]->type_index == enum_index;
  }

  // Appends the next part of the innermost object, or ends it.
  void step() {
    Frame& frame = stack_.back();
    bool is_fields = frame.kind == Frame::kFields;
    if (frame.next == (is_fields ? frame.fields.size() : frame.items.size())) {
      out_ += frame.closing;
      remember(raw(frame.object).v_obj, frame.begin);
      stack_.pop_back();
      return;
    }
    size_t i = frame.next++;
    // append() may open a frame, which moves this one.
    if (is_fields) {
      const TVMFFIFieldInfo* field = frame.fields[i];
      if (i != 0) out_ += ", ";
      out_ += ToStringView(field->name);
      out_ += '=';
      append(reflection::FieldGetter(field)(
          detail::ObjectUnsafe::RawObjectPtrFromUnowned<Object>(raw(frame.object).v_obj)));
      return;
    }
    if (i != 0) out_ += frame.kind == Frame::kMapping && i % 2 == 1 ? ": " : ", ";
    append(Any(frame.items[i]));
  }

  void remember(const TVMFFIObject* object, size_t begin) {
    Printed& printed = state_->printed.at(object);
    printed.text = &out_;
    printed.begin = begin;
    printed.size = out_.size() - begin;
  }

  std::shared_ptr<PrintState> state_;
  std::string& out_;
  std::vector<Frame> stack_;
};

}  // namespace

String repr_print(const Any& value) {
  auto state = std::make_shared<PrintState>();
  state->with_addresses = wants_addresses();
  EndOfPrinting end(state.get());
  return String(Printer(state).print(value));
}

void register_repr_functions() {
  reflection::GlobalDef().def("ffi.ReprPrint", repr_print, reflection::short_call());
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
