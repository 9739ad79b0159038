// SPDX-License-Identifier: Apache-2.0
// Translation of the names of C++ types. The parser accepts the output of TypeStr() and the
// signatures of function_info.h; messages of libraries from other compilers have the same form.
#include "type_text.h"

#include <vector>

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

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::string generic(std::string_view name, const std::vector<std::string>& args) {
  if (is_choice(name)) return join(args, " | ");
  if (is_optional(name) && args.size() == 1) return args[0] + " | None";
  if (is_transparent(name) && args.size() == 1) return args[0];
  return std::string(python_name(name)) + "[" + join(args, ", ") + "]";
}

// A recursive-descent parser. Each function sets `ok_` to false if the text does not have the form
// that the function parses.
class Parser {
 public:
  Parser(std::string_view text, const Label* labels, size_t count)
      : text_(text), labels_(labels), count_(count) {}

  // Parses a text that is one type.
  bool whole_type(std::string* out) {
    *out = type(0);
    return ok_ && at_ == text_.size();
  }

  // Parses a text that is `(parameters) -> result`.
  bool whole_signature(std::string* out) {
    std::vector<std::string> parameters = this->parameters(0, true);
    *out = "(" + join(parameters, ", ") + ")";
    if (take(" -> ")) *out += " -> " + type(0);
    return ok_ && at_ == text_.size();
  }

  // Counts the parameters at the beginning of the text.
  int count_parameters() {
    size_t count = parameters(0, false).size();
    return ok_ ? static_cast<int>(count) : -1;
  }

 private:
  static constexpr int kMostNested = 100;

  bool take(std::string_view word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  std::string fail() {
    ok_ = false;
    return {};
  }

  // Parses `(0: T0, 1: T1)`. Returns the types, with names or numbers in front of them if
  // `with_labels` is set.
  std::vector<std::string> parameters(int depth, bool with_labels) {
    std::vector<std::string> found;
    if (!take("(")) fail();
    while (ok_ && !take(")")) {
      if (!found.empty() && !take(", ")) fail();
      size_t end = text_.find(": ", at_);
      if (end == text_.npos) fail();
      if (!ok_) break;
      std::string label(text_.substr(at_, end - at_));
      at_ = end + 2;
      std::string one = type(depth + 1);
      found.push_back(with_labels ? labelled(found.size(), label, one) : one);
    }
    return found;
  }

  std::string labelled(size_t i, const std::string& number, const std::string& type) const {
    if (i >= count_ || labels_[i].name.empty()) return number + ": " + type;
    return labels_[i].name + ": " + type + labels_[i].initial;
  }

  std::string type(int depth) {
    if (depth > kMostNested || !ok_ || at_ >= text_.size()) return fail();
    if (text_[at_] == '(') return callable(depth);
    size_t end = text_.find_first_of("<>(),[]", at_);
    if (end == text_.npos) end = text_.size();
    std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    // The text has no name where the grammar requires a type.
    if (name.empty()) return fail();
    if (!take("<")) return std::string(python_name(name));
    if (name == "std::function") return function_class(depth);
    std::vector<std::string> args;
    while (ok_ && !take(">")) {
      if (!args.empty() && !take(", ")) return fail();
      args.push_back(type(depth + 1));
    }
    return generic(name, args);
  }

  std::string callable(int depth) {
    std::vector<std::string> types = parameters(depth, false);
    if (!ok_ || !take(" -> ")) return fail();
    std::string result = type(depth + 1);
    return "Callable[[" + join(types, ", ") + "], " + result + "]";
  }

  // Parses the rest of `std::function<R(A, B)>`, from the angle bracket on.
  std::string function_class(int depth) {
    std::string result = type(depth + 1);
    std::vector<std::string> types;
    if (!take("(")) return fail();
    while (ok_ && !take(")")) {
      if (!types.empty() && !take(", ")) return fail();
      types.push_back(type(depth + 1));
    }
    if (!take(">")) return fail();
    return "Callable[[" + join(types, ", ") + "], " + result + "]";
  }

  std::string_view text_;
  const Label* labels_;
  size_t count_;
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
  if (Parser(type, nullptr, 0).whole_type(&out)) return out;
  return replace_names(type);
}

std::string_view function_name(std::string_view signature) {
  std::string_view name = signature.substr(0, signature.find('('));
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return name;
}

int num_parameters(std::string_view signature) {
  size_t begin = signature.find('(');
  if (begin == signature.npos) return -1;
  return Parser(signature.substr(begin), nullptr, 0).count_parameters();
}

std::string signature_to_python(std::string_view signature, const Label* labels, size_t count) {
  size_t begin = signature.find('(');
  if (begin == signature.npos) return std::string(signature);
  std::string out;
  if (!Parser(signature.substr(begin), labels, count).whole_signature(&out)) {
    return std::string(signature);
  }
  return std::string(signature.substr(0, begin)) + out;
}

}  // namespace binding::type_text
