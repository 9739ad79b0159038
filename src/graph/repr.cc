// SPDX-License-Identifier: Apache-2.0
// The printed form of any value: a walk through containers and reflected fields that appends to one
// text, with the hooks of types.
#include "graph/repr.h"

#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/function.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "core/enum_store.h"
#include "core/sentinel.h"
#include "graph/hook_call.h"
#include "graph/leaf.h"
#include "graph/repr_text.h"
#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

constexpr const char* kOperation = "ReprPrint";
// A graph of shared objects may describe a text of astronomic length.
constexpr size_t kMaxTextSize = size_t{1} << 28;

// An object that is being printed.
struct Frame {
  Children children;
  size_t begin;  // where its text begins
};

// Where the text of an object that was printed before stands; `text` is NULL while it is being
// printed.
struct Printed {
  const std::string* text;
  size_t begin;
  size_t size;
};
using PrintedObjects = IdentityMap<Printed>;

// What one call of the printer and the hooks below it share.
struct Shared {
  bool with_addresses = false;
  size_t total_size = 0;
  Held held;
  PrintedObjects printed;
  std::deque<std::string> texts;  // stable addresses
};

bool wants_addresses() {
  const char* setting = std::getenv("TVM_FFI_REPR_WITH_ADDR");
  return setting != nullptr && std::strcmp(setting, "1") == 0;
}

class Printer {
 public:
  explicit Printer(Shared* shared)
      : shared_(shared), out_(shared->texts.emplace_back()), stack_(kOperation, &shared->held) {}

  const std::string& print(const TVMFFIAny& root) {
    append(root);
    while (!stack_.empty()) step();
    return out_;
  }

 private:
  // Appends a leaf, or what is known about an object; opens a frame for everything else.
  void append(const TVMFFIAny& value) {
    size_t before = out_.size();
    if (append_leaf_text(value, &out_)) {
      if (value.type_index == kTVMFFITensor) append_address(value.v_obj);
      count(out_.size() - before);
    } else {
      open(value.v_obj);
    }
  }

  void append_address(const TVMFFIObject* object) {
    if (!shared_->with_addresses) return;
    char text[24];
    std::snprintf(text, sizeof(text), "@%p", static_cast<const void*>(object));
    out_ += text;
  }

  // To be called for every text whose length the value decides.
  void count(size_t size) {
    shared_->total_size += size;
    if (shared_->total_size > kMaxTextSize) {
      TVM_FFI_THROW(ValueError) << "ReprPrint: the text exceeds " << kMaxTextSize << " bytes";
    }
  }

  void open(TVMFFIObject* object) {
    if (object->type_index == kTVMFFIObject && append_sentinel(object)) return;
    const TVMFFIAny* hook = find_repr_hook(object->type_index);
    // Other objects cannot be met again, see walk.h.
    if (hook != nullptr || !has_one_reference(object)) {
      if (append_known(object)) return;
    }
    size_t begin = out_.size();
    if (hook != nullptr) {
      out_ += call_hook(*hook, object);
      count(out_.size() - begin);
      remember(object, begin);
      return;
    }
    stack_.push(Frame{Children(object, kTVMFFIFieldFlagBitMaskReprOff), begin});
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

  // False for an object that was not met before; from now on it was.
  bool append_known(TVMFFIObject* object) {
    bool is_new;
    Printed& printed = shared_->printed.insert({object}, &is_new);
    if (is_new) {
      printed.text = nullptr;
      shared_->held.keep_key(object);
      return false;
    }
    if (printed.text == nullptr) {
      out_ += "...";
      append_address(object);
    } else {
      count(printed.size);
      out_.append(*printed.text, printed.begin, printed.size);
    }
    return true;
  }

  void append_opening(TVMFFIObject* object) {
    Frame& frame = stack_.back();
    switch (object->type_index) {
      case kTVMFFIArray:
        out_ += '(';
        return;
      case kTVMFFIList:
        out_ += '[';
        return;
      case kTVMFFIMap:
      case kTVMFFIDict:
        out_ += '{';
        return;
      default:
        break;
    }
    const TVMFFITypeInfo* type = detail::GetTypeInfoOrThrow(object->type_index);
    out_ += ToStringView(type->type_key);
    std::optional<String> name;
    if (is_enum_type(object->type_index)) name = enum_name_of(object);
    if (!name.has_value()) {
      append_address(object);
      return;
    }
    out_ += '.';
    out_ += detail::TextView(*name);
    remember(object, frame.begin);
    stack_.pop();
  }

  void step() {
    Frame& frame = stack_.back();
    TVMFFIAny child;
    if (!frame.children.next(&child, &shared_->held)) {
      close();
      return;
    }
    // append() may open a frame, which moves this one.
    bool is_first = frame.children.num_visited() == 1;
    switch (frame.children.kind()) {
      case Children::kSequence:
        if (!is_first) out_ += ", ";
        break;
      case Children::kMapping:
        if (!is_first) out_ += frame.children.is_at_key() ? ", " : ": ";
        break;
      case Children::kFields:
        out_ += is_first ? "(" : ", ";
        out_ += ToStringView(frame.children.field().info->name);
        out_ += '=';
    }
    append(child);
  }

  void close() {
    Frame& frame = stack_.back();
    TVMFFIObject* object = frame.children.object();
    switch (frame.children.kind()) {
      case Children::kSequence:
        if (object->type_index == kTVMFFIList) {
          out_ += ']';
        } else {
          out_ += frame.children.num_visited() == 1 ? ",)" : ")";
        }
        append_address(object);
        break;
      case Children::kMapping:
        out_ += '}';
        append_address(object);
        break;
      case Children::kFields:
        if (frame.children.num_visited() != 0) out_ += ')';
    }
    remember(object, frame.begin);
    stack_.pop();
  }

  void remember(TVMFFIObject* object, size_t begin) {
    if (Printed* printed = shared_->printed.find({object})) {
      *printed = Printed{&out_, begin, out_.size() - begin};
    }
  }

  // ------------------------------------------------------------------ hooks

  static const TVMFFIAny* find_repr_hook(int32_t type_index) {
    static const TVMFFITypeAttrColumn* const column = hook_column("__ffi_repr__");
    return find_hook(column, type_index);
  }

  void prepare_for_foreign_code() {
    shared_->held.keep_keys(shared_->printed);
    stack_.hold();
  }

  std::string call_hook(const TVMFFIAny& hook, TVMFFIObject* object) {
    prepare_for_foreign_code();
    shared_->held.keep(object);
    HookCall<Shared> call(kOperation, shared_);
    Function callback = Function::FromTyped([shared = call.link()](const Any& value) -> String {
      if (*shared == nullptr) return repr_print(value);
      return String(Printer(*shared).print(raw(value)));
    });
    Any text = hook_function(hook)(view_of(object), callback);  // runs foreign code
    return hook_result<String>(text, "__ffi_repr__", object->type_index, "str");
  }

  Shared* shared_;
  std::string& out_;
  WalkStack<Frame> stack_;
};

}  // namespace

String repr_print(const Any& value) {
  Shared shared;
  shared.with_addresses = wants_addresses();
  return String(Printer(&shared).print(raw(value)));
}

}  // namespace runtime

String ReprPrint(const Any& value) { return runtime::repr_print(value); }

}  // namespace ffi
}  // namespace tvm
