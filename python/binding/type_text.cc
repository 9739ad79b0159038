// SPDX-License-Identifier: Apache-2.0
// Translation of the names of C++ types. The parser accepts the output of TypeStr() and the
// signatures of function_info.h; messages of libraries from other compilers have the same form.
#include "type_text.h"

namespace binding::type_text {
namespace {

struct Name {
  std::string_view native;
  std::string_view python;
};

constexpr Name kNames[] = {
    {"ffi.SmallStr", "str"},
    {"ffi.String", "str"},
    {"const char*", "str"},
    {"std::string", "str"},
    {"ffi.SmallBytes", "bytes"},
    {"ffi.Bytes", "bytes"},
    {"TVMFFIByteArray*", "bytes"},
    {"DLTensor*", "Tensor"},
    {"ffi.Tensor", "Tensor"},
    {"ffi.BigInt", "int too large for 64 bits"},
    {"ffi.OpaquePyObject", "Python object without a native form"},
    {"ffi.Function", "Callable"},
    {"ffi.Array", "Array"},
    {"ffi.List", "List"},
    {"ffi.Map", "Map"},
    {"ffi.Dict", "Dict"},
    {"ffi.Shape", "Shape"},
    {"ffi.Module", "Module"},
    {"ffi.Error", "Error"},
    {"ffi.Object", "Object"},
    {"DataType", "dtype"},
    {"void*", "ctypes.c_void_p"},
    {"void", "None"},
    {"Tuple", "tuple"},
    {"std::vector", "list"},
    {"std::map", "dict"},
    {"std::unordered_map", "dict"},
    {"std::tuple", "tuple"},
    {"std::pair", "tuple"},
};

std::string_view python_name(std::string_view native) {
  for (const Name& name : kNames) {
    if (name.native == native) return name.python;
  }
  return native;
}

bool is_choice(std::string_view name) { return name == "Variant" || name == "std::variant"; }
bool is_optional(std::string_view name) { return name == "Optional" || name == "std::optional"; }
// Returns whether a template only tells how a value is passed. For such a template, messages for
// Python users show only the template argument.
bool is_transparent(std::string_view name) { return name == "RValueRef" || name == "Expected"; }

// A recursive-descent parser that appends the translation to a string. Each function sets `ok_` to
// false if the text does not have the form that the function parses.
class Parser {
 public:
  Parser(std::string_view text, const Label* labels, size_t count, std::string* out)
      : text_(text), labels_(labels), count_(count), out_(out) {}

  // Parses a text that is one type.
  bool whole_type() {
    type(0);
    return ok_ && at_ == text_.size();
  }

  // Parses a text that is `(parameters) -> result`. Stores the number of parameters.
  bool whole_signature(size_t* num_parameters) {
    out_->push_back('(');
    *num_parameters = parameters(0, true);
    out_->push_back(')');
    if (take(" -> ")) {
      out_->append(" -> ");
      type(0);
    }
    return ok_ && at_ == text_.size();
  }

 private:
  static constexpr int kMostNested = 100;

  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  // Parses the separator in front of all elements of a list but the first, and appends `separator`.
  void separate(size_t index, std::string_view separator) {
    if (index == 0) return;
    if (!take(", ")) ok_ = false;
    out_->append(separator);
  }

  // Parses `(0: T0, 1: T1)` and appends the types, with names or numbers in front of them if
  // `with_labels` is set. Returns the number of parameters.
  size_t parameters(int depth, bool with_labels) {
    size_t count = 0;
    if (!take("(")) ok_ = false;
    for (; ok_ && !take(")"); ++count) {
      separate(count, ", ");
      size_t end = text_.find(": ", at_);
      if (end == text_.npos) ok_ = false;
      if (!ok_) break;
      std::string_view number = text_.substr(at_, end - at_);
      at_ = end + 2;
      bool has_name = with_labels && count < count_ && !labels_[count].name.empty();
      if (with_labels) out_->append(has_name ? labels_[count].name : number).append(": ");
      type(depth + 1);
      if (has_name) out_->append(labels_[count].initial);
    }
    return count;
  }

  void type(int depth) {
    if (depth > kMostNested || !ok_ || at_ >= text_.size()) {
      ok_ = false;
      return;
    }
    if (text_[at_] == '(') return callable(depth);
    size_t end = text_.find_first_of("<>(),[]", at_);
    if (end == text_.npos) end = text_.size();
    std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    if (name.empty()) {  // the grammar requires the name of a type here
      ok_ = false;
    } else if (take("[")) {
      typed_tensor(name);
    } else if (!take("<")) {
      out_->append(python_name(name));
    } else if (name == "std::function") {
      function_class(depth);
    } else {
      generic(name, depth);
    }
  }

  // Parses the rest of `Tensor[float32, (m, k)]`, after the bracket.
  void typed_tensor(std::string_view name) {
    size_t end = text_.find(']', at_);
    if (end == text_.npos) {
      ok_ = false;
      return;
    }
    out_->append(name).append("[").append(text_.substr(at_, end + 1 - at_));
    at_ = end + 1;
  }

  // Parses the rest of `Name<A, B>`, after the angle bracket.
  void generic(std::string_view name, int depth) {
    size_t begin = out_->size(), count = 0;
    for (; ok_ && !take(">"); ++count) {
      separate(count, is_choice(name) ? " | " : ", ");
      type(depth + 1);
    }
    if (is_choice(name)) return;
    if (is_transparent(name) && count == 1) return;
    if (is_optional(name) && count == 1) {
      out_->append(" | None");
      return;
    }
    out_->insert(begin, "[").insert(begin, python_name(name)).push_back(']');
  }

  // Parses `(0: A, 1: B) -> R`.
  void callable(int depth) {
    out_->append("Callable[[");
    parameters(depth, false);
    if (!take(" -> ")) ok_ = false;
    out_->append("], ");
    type(depth + 1);
    out_->push_back(']');
  }

  // Parses the rest of `std::function<R(A, B)>`, after the angle bracket.
  void function_class(int depth) {
    size_t begin = out_->size();
    type(depth + 1);
    std::string result = out_->substr(begin);
    out_->resize(begin);
    out_->append("Callable[[");
    if (!take("(")) ok_ = false;
    for (size_t count = 0; ok_ && !take(")"); ++count) {
      separate(count, ", ");
      type(depth + 1);
    }
    if (!take(">")) ok_ = false;
    out_->append("], ").append(result).push_back(']');
  }

  std::string_view text_;
  const Label* labels_;
  size_t count_;
  std::string* out_;
  size_t at_ = 0;
  bool ok_ = true;
};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == ':' || c == '*';
}

// Replaces known names in text that is not a type, such as `Array[index 1: ffi.SmallStr]`.
std::string replace_names(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    if (text.compare(i, 11, "const char*") == 0) {
      end = i + 11;
    } else {
      while (end < text.size() && is_name_character(text[end])) ++end;
      while (end > i && text[end - 1] == ':') --end;  // punctuation
    }
    if (end == i) {
      out += text[i++];
      continue;
    }
    out += python_name(text.substr(i, end - i));
    i = end;
  }
  return out;
}

}  // namespace

std::string to_python(std::string_view type) {
  std::string out;
  if (Parser(type, nullptr, 0, &out).whole_type()) return out;
  return replace_names(type);
}

std::string_view function_name(std::string_view signature) {
  std::string_view name = signature.substr(0, signature.find('('));
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return name;
}

std::string signature_to_python(std::string_view signature, const Label* labels, size_t count,
                                int* num_parameters) {
  *num_parameters = -1;
  size_t begin = signature.find('('), found = 0;
  if (begin == signature.npos) return std::string(signature);
  std::string out(signature.substr(0, begin));
  out.reserve(signature.size());
  if (!Parser(signature.substr(begin), labels, count, &out).whole_signature(&found)) {
    return std::string(signature);
  }
  *num_parameters = static_cast<int>(found);
  return out;
}

}  // namespace binding::type_text
