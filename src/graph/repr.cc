// SPDX-License-Identifier: Apache-2.0
// Converts any value to text: a traversal of containers and reflected fields, with the hooks of
// types, that appends to one string. A summary is made by the same traversal with limits.
#include "graph/repr.h"

#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/function.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <forward_list>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/enum_store.h"
#include "core/sentinel.h"
#include "graph/hook_call.h"
#include "graph/leaf.h"
#include "graph/repr_limits.h"
#include "graph/repr_text.h"
#include "graph/reused_table.h"
#include "graph/walk.h"

namespace tvm::ffi {
namespace runtime {
namespace {

constexpr const char* kReprOperation = "ReprPrint";
// The text is limited, because a small graph of shared objects can have an enormously long text.
constexpr size_t kMaxTextSize = size_t{1} << 28;
// The memory that is reserved for each text; most texts of small objects fit.
constexpr size_t kUsualTextSize = 120;

// An object that is being printed.
struct ReprFrame {
  Children children;
  size_t begin;          // position where its text begins
  int64_t num_left_out;  // number of elements or entries that are omitted in the middle
};

// The text of an object that was printed before: `size` bytes of `*text`, from `begin` on. While
// the object is being printed, `text` is NULL.
struct Printed {
  const std::string* text;
  size_t begin;
  size_t size;
};

// Texts of hooks that did not use their callback. Such a text does not depend on the limits, so all
// attempts of a summary use it. If each attempt ran the hook again, nested hooks that make
// summaries would run exponentially often.
struct HookTexts {
  std::unordered_map<const TVMFFIObject*, std::string> by_object;
  Held held;  // keeps the objects alive
};

// State shared by one call of the printer and the hooks that it runs.
struct ReprState {
  bool with_addresses = false;
  size_t total_size = 0;
  ReprBudget budget;
  size_t num_callbacks = 0;
  std::unique_ptr<HookTexts>* hook_texts = nullptr;  // not NULL when the budget is limited
  Held held;
  ReusedTable<IdentityMap<Printed>> printed;
  std::forward_list<std::string> texts;  // stable addresses
};

bool wants_addresses() {
  const char* setting = std::getenv("TVM_FFI_REPR_WITH_ADDR");
  return setting != nullptr && std::strcmp(setting, "1") == 0;
}

class Printer {
 public:
  explicit Printer(ReprState* shared)
      : shared_(shared),
        out_(shared->texts.emplace_front()),
        stack_(kReprOperation, &shared->held) {
    out_.reserve(kUsualTextSize);
  }

  const std::string& print(const TVMFFIAny& root) {
    append(root);
    while (!stack_.empty()) {
      if (budget().must_stop()) break;
      step();
    }
    return out_;
  }

 private:
  ReprBudget& budget() { return shared_->budget; }

  // Appends a leaf or the known text of an object; pushes a frame for other objects.
  void append(const TVMFFIAny& value) {
    size_t before = out_.size();
    if (budget().takes(value) && append_leaf(value)) {
      budget().count_value();
      if (value.type_index == kTVMFFITensor) append_address(value.v_obj);
      count(out_.size() - before);
    } else if (budget().is_exceeded()) {
      out_ += "...";
    } else {
      open(value.v_obj);
    }
  }

  bool append_leaf(const TVMFFIAny& value) {
    const ReprLimits& limits = budget().limits();
    return limits.shortens()
               ? append_short_leaf_text(value, limits.edge_size, limits.edge_items, &out_)
               : append_leaf_text(value, &out_);
  }

  void append_address(const TVMFFIObject* object) {
    if (!shared_->with_addresses) return;
    char text[24];
    std::snprintf(text, sizeof(text), "@%p", static_cast<const void*>(object));
    out_ += text;
  }

  // Counts `size` bytes of text whose length depends on the value.
  void count(size_t size) {
    budget().spend(size);
    shared_->total_size += size;
    if (shared_->total_size > kMaxTextSize) {
      TVM_FFI_THROW(ValueError) << "ReprPrint: the text exceeds " << kMaxTextSize << " bytes";
    }
  }

  void open(TVMFFIObject* object) {
    if (object->type_index == kTVMFFIObject && append_sentinel(object)) return;
    const TVMFFIAny* hook = find_repr_hook(object->type_index);
    // An object with one reference is reached only once, see walk.h.
    bool may_be_known = hook != nullptr || !has_one_reference(object);
    if (budget().is_too_deep() && !(may_be_known && shared_->printed->find({object}) != nullptr)) {
      append_collapsed(object);
      return;
    }
    if (may_be_known && append_known(object)) return;
    size_t begin = out_.size();
    if (hook != nullptr) {
      append_by_hook(*hook, object);
      remember(object, begin);
      return;
    }
    stack_.push(ReprFrame{Children(object, kTVMFFIFieldFlagBitMaskReprOff), begin, 0});
    budget().enter();
    append_opening(object);
  }

  bool append_sentinel(const TVMFFIObject* object) {
    if (object == detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(missing_object())) {
      out_ += "<MISSING>";
      return true;
    }
    if (object == detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(kwargs_object())) {
      out_ += "<KWARGS>";
      return true;
    }
    return false;
  }

  // Appends the text of an object that was reached before. Returns false for a new object, and
  // records it.
  bool append_known(TVMFFIObject* object) {
    bool is_new;
    Printed& printed = shared_->printed->insert({object}, &is_new);
    if (is_new) {
      printed.text = nullptr;
      shared_->held.keep_key(object);
      return false;
    }
    budget().count_value();
    if (printed.text == nullptr) {
      out_ += "...";
      append_address(object);
    } else {
      count(printed.size);
      out_.append(*printed.text, printed.begin, printed.size);
    }
    return true;
  }

  // The brackets of a container; NULL for other objects.
  static const char* brackets_of(const TVMFFIObject* object) {
    switch (object->type_index) {
      case kTVMFFIArray:
        return "()";
      case kTVMFFIList:
        return "[]";
      case kTVMFFIMap:
      case kTVMFFIDict:
        return "{}";
      default:
        return nullptr;
    }
  }

  // Appends the short form of an object at the maximum depth.
  void append_collapsed(TVMFFIObject* object) {
    size_t before = out_.size();
    if (const char* brackets = brackets_of(object)) {
      out_ += brackets[0];
      if (container_size(object) != 0) out_ += "...";
      out_ += brackets[1];
    } else if (!append_name(object)) {
      append_address(object);
      if (!Children(object, kTVMFFIFieldFlagBitMaskReprOff).has_no_fields()) out_ += "(...)";
    }
    count(out_.size() - before);
  }

  // Appends the type key and, for an enum object, its name. Returns whether this is the whole text
  // of the object, as it is for an enum object.
  bool append_name(TVMFFIObject* object) {
    const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(object->type_index);
    out_ += ToStringView(type->type_key);
    std::optional<String> name;
    if (is_enum_type(object->type_index)) name = enum_name_of(object);
    if (!name.has_value()) return false;
    out_ += '.';
    out_ += detail::TextView(*name);
    return true;
  }

  void append_opening(TVMFFIObject* object) {
    ReprFrame& frame = stack_.back();
    if (const char* brackets = brackets_of(object)) {
      frame.num_left_out = budget().num_left_out(frame.children.container_size());
      budget().spend(2);
      out_ += brackets[0];
      return;
    }
    bool is_complete = append_name(object);
    budget().spend(out_.size() - frame.begin);
    if (!is_complete) {
      append_address(object);
      return;
    }
    remember(object, frame.begin);
    pop();
  }

  void pop() {
    stack_.pop();
    budget().leave();
  }

  void step() {
    ReprFrame& frame = stack_.back();
    if (budget().is_exceeded()) {
      cut();
      return;
    }
    if (frame.num_left_out > 0) leave_out(&frame);
    TVMFFIAny child;
    std::string failure;
    if (!next_child(&frame, &child, &failure)) {
      close();
      return;
    }
    // Append the separator first: append() may push a frame, which invalidates `frame`.
    append_separator(frame);
    if (failure.empty()) {
      append(child);
    } else {
      out_ += failure;
      count(failure.size());
    }
  }

  void append_separator(const ReprFrame& frame) {
    bool is_first = frame.children.num_visited() == 1;
    switch (frame.children.kind()) {
      case Children::kSequence:
        if (!is_first) out_ += ", ";
        return;
      case Children::kMapping:
        if (!is_first) out_ += frame.children.is_at_key() ? ", " : ": ";
        return;
      case Children::kFields:
        out_ += is_first ? "(" : ", ";
        TVMFFIByteArray name = frame.children.field().info->name;
        out_ += ToStringView(name);
        out_ += '=';
        budget().spend(name.size);
    }
  }

  // Gets the next child. If a field of a summary cannot be read, sets `failure` instead of throwing
  // the error.
  bool next_child(ReprFrame* frame, TVMFFIAny* child, std::string* failure) {
    if (!budget().is_limited()) return frame->children.next(child, &shared_->held);
    try {
      return frame->children.next(child, &shared_->held);
    } catch (const Error& error) {
      if (is_interrupt(error)) throw;
      *failure = "<" + error_summary(error) + ">";
      return true;
    }
  }

  // Skips the omitted elements or entries after the first ones.
  void leave_out(ReprFrame* frame) {
    Children& children = frame->children;
    bool is_mapping = children.kind() == Children::kMapping;
    if (children.num_visited() != (is_mapping ? 2 : 1) * budget().limits().edge_items) return;
    if (is_mapping) {
      TVMFFIAny skipped;
      for (int64_t i = 0; i < 2 * frame->num_left_out; ++i) children.next(&skipped, nullptr);
    } else {
      // go_to_element() also works if foreign code has made the list shorter.
      children.go_to_element(children.num_visited() + frame->num_left_out);
    }
    out_ += ", ...";
    frame->num_left_out = -1;
  }

  // Closes the object on top of the stack before all of its content is printed.
  void cut() {
    ReprFrame& frame = stack_.back();
    const Children& children = frame.children;
    bool is_first = children.num_visited() == 0;
    bool has_fields = children.kind() == Children::kFields;
    if (has_fields && children.has_no_fields()) {
      close();
      return;
    }
    if (children.kind() == Children::kMapping && children.is_at_key()) {
      out_ += ": ...";
    } else if (is_first) {
      out_ += has_fields ? "(..." : "...";
    } else if (!ends_with_dots()) {
      out_ += ", ...";
    }
    if (!has_fields) frame.num_left_out = -1;
    close_with(")");
  }

  bool ends_with_dots() const {
    return out_.size() >= 3 && out_.compare(out_.size() - 3, 3, "...") == 0;
  }

  void close() { close_with(stack_.back().children.num_visited() != 0 ? ")" : ""); }

  // Closes the object on top of the stack; `fields_end` is the text after its fields.
  void close_with(const char* fields_end) {
    ReprFrame& frame = stack_.back();
    TVMFFIObject* object = frame.children.object();
    if (frame.num_left_out < 0) {
      out_ += "; length " + std::to_string(frame.children.container_size());
    }
    if (const char* brackets = brackets_of(object)) {
      bool is_single = frame.children.num_visited() == 1 && frame.num_left_out == 0;
      if (is_single && object->type_index == kTVMFFIArray) out_ += ',';
      out_ += brackets[1];
      append_address(object);
    } else {
      out_ += fields_end;
    }
    remember(object, frame.begin);
    pop();
  }

  void remember(TVMFFIObject* object, size_t begin) {
    if (Printed* printed = shared_->printed->find({object})) {
      *printed = Printed{&out_, begin, out_.size() - begin};
    }
  }

  // ------------------------------------------------------------------ hooks

  static const TVMFFIAny* find_repr_hook(int32_t type_index) {
    static const TVMFFITypeAttrColumn* const column = hook_column("__ffi_repr__");
    return find_hook(column, type_index);
  }

  void prepare_for_foreign_code() {
    shared_->held.keep_keys(*shared_->printed.get());
    stack_.hold();
  }

  void append_by_hook(const TVMFFIAny& hook, TVMFFIObject* object) {
    if (!budget().is_limited()) {
      std::string text = call_hook(hook, object);
      out_ += text;
      count(text.size());
      return;
    }
    // The hook of the root value may print a text of any length.
    bool is_root = budget().depth() == 0;
    size_t spent = budget().num_spent();
    std::string text = limited_hook_text(hook, object);
    if (!is_root) {
      cut_text(budget().limits().hook_size, &text);
      // Do not count again the part of the text that the hook printed through its callback.
      size_t by_callback = budget().num_spent() - spent;
      if (text.size() > by_callback) budget().spend(text.size() - by_callback);
    }
    out_ += text;
  }

  std::string limited_hook_text(const TVMFFIAny& hook, TVMFFIObject* object) {
    std::unique_ptr<HookTexts>& texts = *shared_->hook_texts;
    if (texts == nullptr) texts = std::make_unique<HookTexts>();
    auto known = texts->by_object.find(object);
    if (known != texts->by_object.end()) return known->second;
    size_t depth = budget().depth();
    size_t num_callbacks = shared_->num_callbacks;
    budget().enter();
    std::string text;
    try {
      text = call_hook(hook, object);
    } catch (const Error& error) {
      if (depth == 0 || is_interrupt(error)) throw;
      text = "<" + TypeIndexToTypeKey(object->type_index) + ": " + error_summary(error) + ">";
    }
    budget().return_to(depth);
    if (shared_->num_callbacks == num_callbacks) {
      texts->held.keep(object);
      texts->by_object.emplace(object, text);
    }
    return text;
  }

  std::string call_hook(const TVMFFIAny& hook, TVMFFIObject* object) {
    prepare_for_foreign_code();
    shared_->held.keep(object);
    HookCall<ReprState> call(kReprOperation, shared_);
    Function callback = Function::FromTyped([shared = call.link()](const Any& value) -> String {
      if (*shared == nullptr) return repr_print(value);
      ++(*shared)->num_callbacks;
      return String(Printer(*shared).print(raw(value)));
    });
    Any text = hook_function(&hook)(view_of(object), callback);  // runs foreign code
    return hook_result<String>(text, "__ffi_repr__", object->type_index, "str");
  }

  ReprState* shared_;
  std::string& out_;
  WalkStack<ReprFrame> stack_;
};

}  // namespace

String repr_print(const Any& value) {
  ReprState shared;
  shared.with_addresses = wants_addresses();
  return String(Printer(&shared).print(raw(value)));
}

String repr_summary(const Any& value) {
  std::unique_ptr<HookTexts> hook_texts;
  for (const ReprLimits& limits : kSummaryLimits) {
    ReprState shared;
    shared.hook_texts = &hook_texts;
    shared.with_addresses = wants_addresses();
    shared.budget = ReprBudget(limits);
    const std::string& text = Printer(&shared).print(raw(value));
    if (!shared.budget.must_stop()) return String(text);
  }
  TVM_FFI_UNREACHABLE();
}

}  // namespace runtime

String ReprPrint(const Any& value) { return runtime::repr_print(value); }

}  // namespace tvm::ffi
