// SPDX-License-Identifier: Apache-2.0
// Translates the messages about arguments and conversions that the headers compile into every
// library (function.h, any.h). Messages of another form, and errors of users, are not changed.
#include "error_message.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "convert/schema/converters.h"
#include "keywords.h"
#include "memory_guard.h"
#include "raise.h"
#include "type_text.h"
#include "utf8.h"
#include "wrapper.h"

namespace binding::message {
namespace {

using Text = std::string_view;

Text text_of(const TVMFFIByteArray& bytes) {
  return Text(bytes.data == nullptr ? "" : bytes.data, bytes.size);
}

bool starts_with(Text text, Text beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

bool ends_with(Text text, Text end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Removes `beginning` from the front of `*text`; returns false if the text does not begin with it.
bool take(Text* text, Text beginning) {
  if (!starts_with(*text, beginning)) return false;
  text->remove_prefix(beginning.size());
  return true;
}

// Removes a number from the front of `*text` and returns it; -1 if the text does not begin with a
// number.
Py_ssize_t take_number(Text* text) {
  Py_ssize_t number = -1;
  while (!text->empty() && text->front() >= '0' && text->front() <= '9' && number < 100000000) {
    number = (number < 0 ? 0 : number) * 10 + (text->front() - '0');
    text->remove_prefix(1);
  }
  return number;
}

// Returns the UTF-8 of a str, "?" for other objects. Clears exceptions.
std::string utf8_of(PyObject* x) {
  TVMFFIByteArray utf8;
  if (x != nullptr && PyUnicode_Check(x) && utf8_borrowed(x, &utf8) == 0) {
    return std::string(utf8.data, utf8.size);
  }
  clear_error();
  return "?";
}

std::string repr_of(PyObject* x) {
  Ref text(PyObject_Repr(x));  // runs Python
  return utf8_of(text.get());
}

std::string class_name_of(PyObject* x) {
  if (x == Py_None) return "None";
  if (is_wrapper(x)) {
    Ref key(schema::describe_type(x));
    return type_text::to_python(utf8_of(key.get()));
  }
  auto* cls = reinterpret_cast<PyObject*>(Py_TYPE(x));
  Ref name(PyObject_GetAttr(cls, state().names.dunder_qualname));  // may run Python
  return utf8_of(name.get());
}

// ---- the called function

// The names and defaults of the parameters of the called function.
struct Callee {
  std::string name;  // empty if unknown
  std::vector<type_text::Label> labels;
  Py_ssize_t required = -1;  // -1 if all parameters are required
  // Why the parameter names in the metadata do not fit the function; empty if they fit or are
  // missing.
  std::string fault;
};

void add_parameters(PyObject* parameters, Callee* callee) {
  PyObject* names = PyTuple_GET_ITEM(parameters, 0);
  PyObject* defaults = PyTuple_GET_ITEM(parameters, 1);
  if (!PyTuple_CheckExact(names)) {  // `names` is an `Unfit` of tvm_ffi/_signatures/keywords.py
    Ref fault(PyObject_GetAttrString(names, "fault"));
    if (fault) callee->fault = utf8_of(fault.get());
    return;
  }
  Py_ssize_t size = PyTuple_GET_SIZE(names), required = size - PyTuple_GET_SIZE(defaults);
  callee->required = static_cast<Py_ssize_t>(callee->labels.size()) + required;
  for (Py_ssize_t i = 0; i < size; ++i) {
    type_text::Label label{utf8_of(PyTuple_GET_ITEM(names, i)), {}};
    if (i >= required) label.initial = " = " + repr_of(PyTuple_GET_ITEM(defaults, i - required));
    callee->labels.push_back(std::move(label));
  }
}

// Adds the parameters to `callee`. `parameters` is the result of keyword_parameters. If it is NULL
// because the metadata is malformed, clears the exception that keyword_parameters has set.
void read_parameters(PyObject* parameters, Callee* callee) {
  if (parameters != nullptr) {
    Ref kept = Ref::borrow(parameters);
    add_parameters(parameters, callee);
  }
  clear_error();
}

const TVMFFIMethodInfo* method_in(const TVMFFITypeInfo* type, const TVMFFIObject* function) {
  for (int32_t i = 0; i < type->num_methods; ++i) {
    const TVMFFIAny& method = type->methods[i].method;
    if (method.type_index == kTVMFFIFunction && method.v_obj == function) return &type->methods[i];
  }
  return nullptr;
}

// Finds `function` among the methods of the receiver's type and of its ancestors; NULL if it is not
// one of these methods.
const TVMFFIMethodInfo* find_method(const TVMFFIAny& receiver, const TVMFFIObject* function) {
  const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(receiver.type_index);
  if (type == nullptr) return nullptr;
  const TVMFFIMethodInfo* found = method_in(type, function);
  for (int32_t i = 0; found == nullptr && i < type->type_depth; ++i) {
    found = method_in(type->type_ancestors[i], function);
  }
  return found;
}

// Returns the class whose constructor has the name `<type key>.__ffi_init__` in the message, if
// `function` is that constructor; else NULL.
ClassInfo* find_constructed(Text name, const TVMFFIObject* function) {
  constexpr Text kEnd = ".__ffi_init__";
  if (!ends_with(name, kEnd)) return nullptr;
  TVMFFIByteArray key{name.data(), name.size() - kEnd.size()};
  int32_t type_index;
  if (TVMFFITypeKeyToIndex(&key, &type_index) != 0) {
    TVMFFIObjectHandle unknown = nullptr;
    TVMFFIErrorMoveFromRaised(&unknown);
    TVMFFIObjectDecRef(unknown);
    return nullptr;
  }
  ClassInfo* info = class_info_known(type_index);
  return info != nullptr && info->init == function ? info : nullptr;
}

// Describes the called function; `name` is its name in the message.
Callee callee_of(const Given& given, Text name) {
  Callee callee;
  if (ClassInfo* info = find_constructed(name, given.function); info != nullptr) {
    callee.name = name;
    if (info->init_parameters != nullptr) {
      read_parameters(keyword_parameters(&info->init_parameters), &callee);
    }
    return callee;
  }
  if (given.receiver != nullptr) {
    callee.labels.push_back({"self", {}});
    const TVMFFIMethodInfo* method = find_method(given.values[0], given.function);
    if (method == nullptr) return callee;
    callee.name = text_of(method->name);
    PyObject* parameters = metadata_with_names(method->metadata);
    read_parameters(keyword_parameters(&parameters), &callee);
    Py_XDECREF(parameters);
    return callee;
  }
  Ref kept(g_wrappers.get(given.function));
  if (!kept || !PyObject_TypeCheck(kept.get(), &FunctionType)) return callee;
  auto* wrapper = reinterpret_cast<FunctionWrapper*>(kept.get());
  if (wrapper->name != nullptr) callee.name = utf8_of(wrapper->name);
  read_parameters(function_parameters(kept.get()), &callee);
  return callee;
}

// ---- a refused value

Text type_key_of(const TVMFFIAny& value) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(value.type_index);
  return info == nullptr ? Text() : text_of(info->type_key);
}

// Returns whether `value` may be the refused value that `found` describes. `found` is a type key,
// or the name of a container followed by the position of an element.
bool tells_of(Text found, const TVMFFIAny& value) {
  Text key = type_key_of(value);
  if (found == key) return true;
  take(&key, "ffi.");
  Text name = found.substr(0, found.find('['));
  return name == key || (name == "Tuple" && key == "Array");
}

std::string found_text(Text found, PyObject* x, int depth);

// Returns the name of a container: the class of the Python object if it is known, else the name
// that native code uses.
std::string container_name(Text native, PyObject* x) {
  return x != nullptr ? class_name_of(x) : type_text::to_python(native);
}

// Translates `<container>[index I: <element>]`. Returns false for a text of another form.
bool sequence_text(Text found, PyObject* x, int depth, std::string* out) {
  size_t open = found.find("[index ");
  if (open == found.npos || found.find_first_of("[< ") != open || !ends_with(found, "]")) {
    return false;
  }
  Text rest = found.substr(open + 7);
  Py_ssize_t index = take_number(&rest);
  if (index < 0 || !take(&rest, ": ")) return false;
  rest.remove_suffix(1);
  // A copy of one item of a list, since the list may be changed.
  Ref part;
  PyObject* item = nullptr;
  if (x != nullptr && PyList_Check(x) && index < PyList_GET_SIZE(x)) {
    part = Ref(PyList_GetSlice(x, index, index + 1));
    if (!part) clear_error();
    if (part && PyList_GET_SIZE(part.get()) == 1) item = PyList_GET_ITEM(part.get(), 0);
  } else if (x != nullptr && PyTuple_Check(x) && index < PyTuple_GET_SIZE(x)) {
    item = PyTuple_GET_ITEM(x, index);
  }
  *out = container_name(found.substr(0, open), x) + "[index " + std::to_string(index) + ": " +
         found_text(rest, item, depth + 1) + "]";
  return true;
}

// Translates `<container>[size=N]`, the description of a value that has the wrong length for a
// tuple. Returns false for a text of another form.
bool size_text(Text found, PyObject* x, std::string* out) {
  size_t open = found.find("[size=");
  if (open == found.npos || !ends_with(found, "]")) return false;
  Text rest = found.substr(open + 6);
  Py_ssize_t size = take_number(&rest);
  if (size < 0 || rest != "]") return false;
  *out = container_name(found.substr(0, open), x) + " of length " + std::to_string(size);
  return true;
}

// Translates `<container>[some key is <key>, V]` and `<container>[K, some value is <value> at key
// <key>]`. Returns false for a text of another form.
bool mapping_text(Text found, PyObject* x, int depth, std::string* out) {
  size_t open = found.find('[');
  if (open == found.npos || !ends_with(found, "]")) return false;
  Text rest = found.substr(open + 1);
  rest.remove_suffix(1);
  std::string name = container_name(found.substr(0, open), x);
  if (take(&rest, "some key is ") && ends_with(rest, ", V")) {
    rest.remove_suffix(3);
    *out = name + "[some key is " + found_text(rest, nullptr, depth + 1) + ", V]";
    return true;
  }
  if (!take(&rest, "K, some value is ")) return false;
  constexpr Text kAtKey = " at key ";
  size_t at_key = rest.rfind(kAtKey);
  // A key that is followed by a bracket belongs to a nested mapping.
  if (at_key != rest.npos && rest.find(']', at_key) != rest.npos && rest.back() == ']') {
    at_key = rest.npos;
  }
  Text key = at_key == rest.npos ? Text() : rest.substr(at_key + kAtKey.size());
  Ref value;
  if (x != nullptr && PyDict_Check(x) && key.size() > 2 && key.front() == '"') {
    Ref wanted(utf8_to_py(key.data() + 1, key.size() - 2, "replace"));
    if (wanted) value = dict_find(x, wanted.get());
    clear_error();
  }
  *out = name + "[K, some value is " + found_text(rest.substr(0, at_key), value.get(), depth + 1);
  if (!key.empty()) out->append(kAtKey).append(key);
  *out += "]";
  return true;
}

// Translates the description of a refused value. `x` is the Python object, or NULL if unknown.
std::string found_text(Text found, PyObject* x, int depth) {
  constexpr int kMostNested = 100;
  std::string out;
  if (depth < kMostNested && (sequence_text(found, x, depth, &out) || size_text(found, x, &out) ||
                              mapping_text(found, x, depth, &out))) {
    return out;
  }
  if (found == "ffi.BigInt" || x == nullptr) return type_text::to_python(found);
  return class_name_of(x);
}

// Suggests what the user can pass instead of `x`; empty if there is not exactly one suggestion.
Text hint_for(Text wanted, PyObject* x) {
  bool wants_sequence = starts_with(wanted, "Array") || starts_with(wanted, "List") ||
                        starts_with(wanted, "list") || starts_with(wanted, "tuple") ||
                        starts_with(wanted, "ffi.Array") || starts_with(wanted, "ffi.List");
  bool is_sequence = PyList_Check(x) || PyTuple_Check(x);
  if (wants_sequence && !is_sequence && schema::can_be_listed(x)) return "; pass list(value)";
  if (!starts_with(wanted, "Tensor")) return "";
  bool is_number = PyLong_Check(x) || PyFloat_Check(x) || PyComplex_Check(x);
  // Scalars of NumPy export a buffer and get this hint. bytes and str do not get it, because
  // numpy.asarray would convert them to arrays of characters.
  bool is_memory = PyObject_CheckBuffer(x) && !PyBytes_Check(x) && !PyUnicode_Check(x);
  return is_sequence || is_number || is_memory ? "; pass an array, for example numpy.asarray(value)"
                                               : "";
}

// Returns why a str is not the text of a device, for a parameter that takes a device; else an empty
// string.
std::string device_fault(Text wanted, PyObject* x) {
  bool wants_device = wanted == "Device" || starts_with(wanted, "Device | ");
  if (!wants_device || !PyUnicode_CheckExact(x)) return {};
  Ref device(PyObject_CallOneArg(reinterpret_cast<PyObject*>(&DeviceType), x));
  if (device) return "; a str for a device is a name, or a name and a number such as `cuda:1`";
  Ref error(compat_take_raised());
  Ref text(PyObject_Str(error.get()));
  return "; " + utf8_of(text.get());
}

// ---- messages

// Returns whether `message` says that a function of the Rust crate was called with a wrong number
// of arguments: `Expected N arguments, got M when calling: <signature>`. Its kind is ValueError.
bool is_count_of_rust(Text message) {
  return take(&message, "Expected ") && take_number(&message) >= 0 &&
         take(&message, " arguments, got ") && take_number(&message) >= 0 &&
         starts_with(message, " when calling: `");
}

// Returns whether `message` may say that an argument does not fit the type of a typed tensor.
bool tells_of_array(Text message) { return starts_with(message, "Mismatched type on argument #"); }

// Translates one message.
class Translation {
 public:
  Translation(Text message, const Given* given) : message_(message), given_(given) {}

  // Returns whether the text describes the failed call itself. Call this after run().
  bool is_about_call() const {
    if (!is_own_) return false;
    size_t mark = message_.find("rgument #");
    if (mark == Text::npos) return true;
    Text number = message_.substr(mark + 9);
    Py_ssize_t i = take_number(&number);
    return i >= 0 && i < given_->size && tells_of(found_, given_->values[i]);
  }

  std::string run() {
    std::string out;
    for (size_t at = 0;;) {
      size_t open = message_.find('`', at);
      size_t close = open == Text::npos ? open : message_.find('`', open + 1);
      if (close == Text::npos) {
        tail(message_.substr(at), &out);
        return out;
      }
      Text before = message_.substr(at, open - at);
      plain(before, &out);
      out += '`';
      out += quoted(before, message_.substr(open + 1, close - open - 1));
      out += '`';
      at = close + 1;
      if (is_found_) after_found(at, &out);
    }
  }

 private:
  // Adds `text`, a part of the message that is not in quotes. If `text` names an argument
  // (`argument #N`), sets `index_`.
  void plain(Text text, std::string* out) {
    size_t mark = text.rfind('#');
    if (mark != text.npos && ends_with(text.substr(0, mark), "argument ")) {
      Text number = text.substr(mark + 1);
      index_ = take_number(&number);
    }
    *out += text;
  }

  // Adds `text`, which follows the last quote. If `text` states how many arguments were expected,
  // counts() adds it.
  void tail(Text text, std::string* out) {
    Text rest = text;
    if (take(&rest, ". Expected ")) {
      Py_ssize_t expected = take_number(&rest);
      if (expected >= 0 && take(&rest, " but got ")) return counts(expected, rest, out);
    }
    if (tells_of_array(message_) && take(&rest, ". expected ")) return array(rest, out);
    *out += text;
    if (is_count_of_rust(message_)) missing(out);
    // Add the name of the parameter after the range of the integer.
    if (starts_with(message_, "Value out of range on argument #")) *out += parameter_text();
  }

  // Adds `. expected <rest>`, the reason why an array was refused, with the names of the parameters
  // and, for a PyTorch tensor, with methods of PyTorch.
  void array(Text rest, std::string* out) {
    std::string name = parameter_name(index_);
    *out += name.empty() ? ". expected " : ". " + name + ": expected ";
    constexpr Text kOther = "argument #";
    for (size_t mark; !name.empty() && (mark = rest.find(kOther)) != rest.npos;) {
      Text number = rest.substr(mark + kOther.size());
      out->append(rest.substr(0, mark)).append(parameter_name(take_number(&number)));
      rest = number;
    }
    bool is_torch = is_own_ && index_ >= 0 && index_ < given_->size &&
                    is_torch_tensor(Py_TYPE(given_->at(index_)));
    constexpr Text kConvert = "x.astype(\"", kCopy = "numpy.ascontiguousarray(x)";
    size_t convert = is_torch ? rest.find(kConvert) : rest.npos;
    if (convert != rest.npos && ends_with(rest, "\")")) {
      Text dtype = rest.substr(convert + kConvert.size());
      dtype.remove_suffix(2);
      out->append(rest.substr(0, convert)).append("x.to(torch.").append(dtype).append(")");
    } else if (is_torch && ends_with(rest, kCopy)) {
      out->append(rest.substr(0, rest.size() - kCopy.size())).append("x.contiguous()");
    } else {
      *out += rest;
    }
  }

  // Adds `. Expected N but got <rest>`.
  void counts(Py_ssize_t expected, Text rest, std::string* out) {
    *out += ". Expected ";
    bool has_names = is_own_ && callee_.required >= 0;
    if (has_names && callee_.required < expected) {
      *out += std::to_string(callee_.required) + " to ";
    }
    *out += std::to_string(expected) + " but got ";
    *out += rest;
    if (is_own_ && given_->receiver != nullptr) *out += ", where `self` counts";
    if (is_own_ && !callee_.fault.empty()) {
      *out += "; its parameters have no names or defaults, because " + callee_.fault;
    }
    missing(out);
  }

  // Adds the names of the missing arguments.
  void missing(std::string* out) const {
    if (!is_own_ || given_->size >= callee_.required) return;
    *out += "; missing ";
    for (Py_ssize_t i = given_->size; i < callee_.required; ++i) {
      if (i != given_->size) *out += ", ";
      *out += "`" + callee_.labels[static_cast<size_t>(i)].name + "`";
    }
  }

  std::string quoted(Text before, Text inside) {
    is_found_ = false;
    if (ends_with(before, "when calling: ")) return signature(inside);
    if (ends_with(before, "but got ") || ends_with(before, "onvert from type ") ||
        ends_with(before, "treat type ")) {
      is_found_ = true;
      found_ = inside;
      refused_ = refused_value(inside, ends_with(before, "but got "));
      return found_text(inside, refused_, 0);
    }
    if (ends_with(before, "xpected ") || ends_with(before, " to ") || ends_with(before, "type ")) {
      wanted_ = type_text::to_python(inside);
      return wanted_;
    }
    return std::string(inside);
  }

  // Returns the Python object to which a description of a refused value belongs; NULL if unknown.
  PyObject* refused_value(Text found, bool is_argument) const {
    if (given_ == nullptr) return nullptr;
    Py_ssize_t i = is_argument ? index_ : 0;
    if (!is_argument && given_->function != nullptr) return value_of_field(found);
    if (is_argument && !is_own_) return nullptr;
    bool is_known = i >= 0 && i < given_->size && tells_of(found, given_->values[i]);
    return is_known ? given_->at(i) : nullptr;
  }

  // Finds the argument of a generated constructor to which an error about a field refers; NULL if
  // several arguments fit the description.
  PyObject* value_of_field(Text found) const {
    if (message_.find(".__ffi_init__() field '") == Text::npos) return nullptr;
    Py_ssize_t only = -1;
    for (Py_ssize_t i = 0; i < given_->size; ++i) {
      if (!tells_of(found, given_->values[i])) continue;
      if (only >= 0) return nullptr;
      only = i;
    }
    return only < 0 ? nullptr : given_->at(only);
  }

  // Translates a signature. Adds names of parameters only if this is the signature of the called
  // function: the error may come from another function that the called function has called, and the
  // names of that function's parameters are unknown.
  std::string signature(Text text) {
    is_own_ = false;
    callee_ = Callee();
    if (given_ != nullptr && given_->function != nullptr) {
      Text name = type_text::function_name(text);
      callee_ = callee_of(*given_, name);
      is_own_ = is_own(name);
    }
    std::string translation = with_labels(text);
    bool fits = num_parameters_ == static_cast<int>(callee_.labels.size());
    if (!is_own_ || num_parameters_ < 0 || callee_.required < 0 || fits) return translation;
    callee_.labels.resize(given_->receiver != nullptr ? 1 : 0);
    callee_.required = -1;
    return with_labels(text);
  }

  // Translates a signature, with the names of parameters if it is that of the called function.
  std::string with_labels(Text text) {
    size_t count = is_own_ ? callee_.labels.size() : 0;
    std::string translation =
        type_text::signature_to_python(text, callee_.labels.data(), count, &num_parameters_);
    if (num_parameters_ < 0) is_own_ = false;
    return translation;
  }

  bool is_own(Text name) const {
    Text mine = callee_.name;
    bool same = mine.empty() || name.empty() || ends_with(name, mine) || ends_with(mine, name);
    if (!same) return false;
    if (starts_with(message_, "Mismatched number")) {
      size_t got = message_.rfind(" but got ");
      Text number = got == Text::npos ? Text() : message_.substr(got + 9);
      return take_number(&number) == given_->size;
    }
    return index_ < given_->size;
  }

  // Returns the name of a parameter in quotes; empty if it is unknown.
  std::string parameter_name(Py_ssize_t index) const {
    if (!is_own_ || index < 0 || static_cast<size_t>(index) >= callee_.labels.size()) return {};
    return "`" + callee_.labels[static_cast<size_t>(index)].name + "`";
  }

  std::string parameter_text() const {
    std::string name = parameter_name(index_);
    return name.empty() ? name : " for parameter " + name;
  }

  // Adds the name of the parameter and a hint after the description of a refused argument.
  void after_found(size_t at, std::string* out) {
    is_found_ = false;
    bool ends = at == message_.size() || message_[at] == '\n';
    if (!ends || wanted_.empty()) return;
    *out += parameter_text();
    if (refused_ == nullptr) return;
    *out += hint_for(wanted_, refused_);
    *out += device_fault(wanted_, refused_);
  }

  Text message_;
  const Given* given_;
  Callee callee_;
  bool is_own_ = false;      // the signature belongs to `given_->function`
  Text found_;               // the description of a refused value
  bool is_found_ = false;    // the last quoted text described a refused value
  Py_ssize_t index_ = -1;    // index of the argument in the text
  int num_parameters_ = -1;  // in the signature; -1 if the text is not a signature
  std::string wanted_;       // the expected type
  PyObject* refused_ = nullptr;
};

// Returns whether this is the message of a uint64_t that does not fit int64_t.
bool tells_of_large_int(Text message) {
  return starts_with(message, "Integer value ") &&
         message.find(" is too large to fit in int64_t. ") != Text::npos;
}

bool has_known_form(Text message) {
  return message.find("` but got `") != Text::npos ||
         message.find(" when calling: `") != Text::npos ||
         message.find("Cannot convert ") != Text::npos ||
         message.find("Cannot treat ") != Text::npos || starts_with(message, "CallExpected: ");
}

// Translates `CallExpected: result type mismatch, expected <type>, but got <key>` and the rest of
// the text.
bool result_text(Text message, std::string* out) {
  Text rest = message;
  if (!take(&rest, "CallExpected: result type mismatch, expected ")) return false;
  size_t got = rest.find(", but got ");
  if (got == Text::npos) return false;
  Text found = rest.substr(got + 10);
  Text more = found.substr(std::min(found.find(": "), found.size()));
  found.remove_suffix(more.size());
  *out = message.substr(0, message.size() - rest.size());
  *out += type_text::to_python(rest.substr(0, got)) + ", but got " + type_text::to_python(found);
  *out += more;
  return true;
}

// Adds the name of the called function to the message about an integer that does not fit int64_t.
// The headers write this message, and they do not know the name.
std::string with_function(Text message, const Given& given) {
  Callee callee = callee_of(given, "");
  std::string text(message);
  return callee.name.empty() ? text : text + " Raised in a call of `" + callee.name + "`.";
}

// Returns whether the message has a form whose type keys are part of the interface.
bool has_type_keys(Text message) {
  return starts_with(message, "Cannot compare values of different types: ") ||
         starts_with(message, "Unsupported type: `") ||
         starts_with(message, "Expect key to be string, got `");
}

// Replaces the type keys of str and bytes by the names of Python.
PyObject* with_texts_named(Text message) {
  std::string text(message);
  for (Text key : {"ffi.SmallStr", "ffi.String", "ffi.SmallBytes", "ffi.Bytes"}) {
    for (size_t at; (at = text.find(key)) != text.npos;) {
      text.replace(at, key.size(), type_text::to_python(key));
    }
  }
  return utf8_to_py(text.data(), text.size(), "replace");
}

// Translates a text of the library. A text of another origin, such as another version of the
// headers or a user, is translated only if it describes the failed call truthfully.
PyObject* translated(const TVMFFIErrorCell& cell, const Given* given) {
  Text message = text_of(cell.message);
  std::string text;
  if (!result_text(message, &text)) {
    Translation translation(message, given);
    text = translation.run();
    if (!is_library_error(cell) && !translation.is_about_call()) text = message;
  }
  return utf8_to_py(text.data(), text.size(), "replace");
}

// ---- arguments that could not be converted

constexpr Text kArgument = "Argument ";

// Describes the argument with index `given.size`: "Argument #1 `x` of `f`: ". The arguments after
// the KWARGS sentinel are keywords, each followed by its value. So if the sentinel is among the
// earlier arguments, the argument with index `given.size - 1` is the keyword.
std::string place_of_argument(const Given& given) {
  Py_ssize_t i = given.size;
  Callee callee = callee_of(given, "");
  std::string name;
  for (Py_ssize_t k = 0; k < i; ++k) {
    if (given.at(k) == state().kwargs) name = utf8_of(given.at(i - 1));
  }
  std::string place(kArgument);
  if (name.empty()) {
    place += "#" + std::to_string(i);
    if (static_cast<size_t>(i) < callee.labels.size()) {
      name = callee.labels[static_cast<size_t>(i)].name;
    }
    if (!name.empty()) place += " `" + name + "`";
  } else {
    place += "`" + name + "`";
  }
  if (!callee.name.empty()) place += " of `" + callee.name + "`";
  return place + ": ";
}

// Adds the description of the argument to the message of a BufferError. Does not change other
// exceptions, or a message that already has such a description.
void add_place(PyObject* exc, const Given& given) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(exc)) != PyExc_BufferError) return;
  Ref args(PyObject_GetAttrString(exc, "args"));
  if (!args || !PyTuple_Check(args.get()) || PyTuple_GET_SIZE(args.get()) != 1) return;
  PyObject* text = PyTuple_GET_ITEM(args.get(), 0);
  TVMFFIByteArray utf8;
  if (!PyUnicode_Check(text) || utf8_borrowed(text, &utf8) < 0) return;
  if (starts_with(text_of(utf8), kArgument)) return;
  std::string all = place_of_argument(given) + std::string(text_of(utf8));
  Ref made(utf8_to_py(all.data(), all.size(), "replace"));
  Ref changed(made ? PyTuple_Pack(1, made.get()) : nullptr);
  if (changed) PyObject_SetAttrString(exc, "args", changed.get());
}

}  // namespace
}  // namespace binding::message

namespace binding {

bool is_library_error(const TVMFFIErrorCell& cell) {
  static const auto mark = [] {
    TVMFFIByteArray key{"", 0};
    int32_t type_index;
    TVMFFITypeKeyToIndex(&key, &type_index);  // fails: the runtime raises an error
    TVMFFIObjectHandle error = nullptr;
    TVMFFIErrorMoveFromRaised(&error);
    auto update = error == nullptr ? nullptr : TVMFFIErrorGetCellPtr(error)->update_backtrace;
    TVMFFIObjectDecRef(error);
    return update;
  }();
  return cell.update_backtrace == mark;
}

PyObject* error_message_to_py(const TVMFFIErrorCell& cell, const Given* given) {
  std::string_view kind = message::text_of(cell.kind), text = message::text_of(cell.message);
  bool may_be_known = kind == "TypeError" || kind == "OverflowError";
  if ((may_be_known && message::has_known_form(text)) ||
      (kind == "ValueError" &&
       (message::is_count_of_rust(text) || message::tells_of_array(text)))) {
    return guard_memory([&] { return message::translated(cell, given); });
  }
  if (message::has_type_keys(text) && is_library_error(cell)) {
    return guard_memory([=] { return message::with_texts_named(text); });
  }
  bool names_no_function = kind == "OverflowError" && message::tells_of_large_int(text);
  if (names_no_function && given != nullptr && given->function != nullptr &&
      is_library_error(cell)) {
    return guard_memory([=] {
      std::string named = message::with_function(text, *given);
      return utf8_to_py(named.data(), named.size(), "replace");
    });
  }
  return utf8_to_py(cell.message, "replace");
}

int raise_from_argument(const Given& given) {
  if (!PyErr_ExceptionMatches(PyExc_BufferError)) return -1;
  Ref raised(compat_take_raised());
  guard_memory([&]() -> PyObject* {
    message::add_place(raised.get(), given);
    return nullptr;
  });
  raise_again_steal(raised.release());  // if add_place failed, the message names no argument
  return -1;
}

}  // namespace binding
