// SPDX-License-Identifier: Apache-2.0
// Reads JSON text into a value. An explicit stack keeps track of the nesting.
#include "text/json_read.h"

#include <tvm/ffi/extra/json.h>

#include <cstring>
#include <limits>

#include "text/inline_stack.h"
#include "text/json_number.h"
#include "text/value_stack.h"

namespace tvm::ffi {
namespace runtime {
namespace {

constexpr const char* kExpectingValue = "Expecting value";
constexpr const char* kExpectingKey = "Expecting property name enclosed in double quotes";

template <typename T>
TVMFFIAny plain(T value) {
  return detail::AnyUnsafe::MoveAnyToTVMFFIAny(Any(value));
}

TVMFFIAny string_value(std::string_view content) {
  return detail::AnyUnsafe::MoveAnyToTVMFFIAny(Any(String(content.data(), content.size())));
}

// Returns the cache slot for a key of at least 8 bytes, computed from its length and its first and
// last 8 bytes, because similar keys usually differ there.
size_t key_slot(std::string_view key) {
  uint64_t front;
  uint64_t back;
  std::memcpy(&front, key.data(), sizeof(front));
  std::memcpy(&back, key.data() + key.size() - sizeof(back), sizeof(back));
  uint64_t mixed = (front ^ (back * 0x9e3779b97f4a7c15u)) + key.size();
  return static_cast<size_t>((mixed * 0x9e3779b97f4a7c15u) >> 58);
}

// The state of the reader in one array or object.
struct OpenBracket {
  size_t first_value;
  bool is_object;
};

class ValueReader {
 public:
  explicit ValueReader(std::string_view text) : cursor_(text) {}

  // Reads the text. Returns false if it is invalid; fault_text() then returns the reason.
  bool read(Any* out) {
    do {
      if (!read_value()) return false;
      while (!open_.empty() && is_value_done_) {
        if (!continue_bracket()) return false;
      }
    } while (!open_.empty());
    if (!cursor_.is_at_end()) return cursor_.fail("Extra data");
    *out = values_.pop();
    return true;
  }

  std::string fault_text() const { return cursor_.fault_text(); }

 private:
  static constexpr size_t kUsualDepth = 16;

  // Reads a leaf or an empty bracket completely, or opens a bracket and stops before its first
  // value.
  bool read_value() {
    char c = cursor_.peek();
    is_value_done_ = true;
    if (c == '{') return open_object();
    if (c == '[') return open_array();
    TVMFFIAny value;
    if (!cursor_.read_leaf(c, &value)) return false;
    values_.push(value);
    return true;
  }

  bool open_array() {
    cursor_.skip();
    if (cursor_.peek() == ']') {
      cursor_.skip();
      values_.make_array(values_.size());
      return true;
    }
    open_.push({values_.size(), false});
    is_value_done_ = false;
    return true;
  }

  bool open_object() {
    cursor_.skip();
    if (cursor_.peek() == '}') {
      cursor_.skip();
      values_.make_map(values_.size());
      return true;
    }
    open_.push({values_.size(), true});
    return read_key();
  }

  bool read_key() {
    if (cursor_.peek() != '"') return cursor_.fail(kExpectingKey);
    TVMFFIAny key;
    if (!cursor_.read_key(&key)) return false;
    values_.push(key);
    if (cursor_.peek() != ':') return cursor_.fail("Expecting ':' delimiter");
    cursor_.skip();
    is_value_done_ = false;
    return true;
  }

  // Called after a value: continues with the next value of the innermost bracket, or closes the
  // bracket.
  bool continue_bracket() {
    OpenBracket bracket = open_.back();
    char c = cursor_.peek();
    if (c == ',') {
      cursor_.skip();
      is_value_done_ = false;
      return !bracket.is_object || read_key();
    }
    if (c != (bracket.is_object ? '}' : ']')) return cursor_.fail("Expecting ',' delimiter");
    cursor_.skip();
    open_.pop();
    if (bracket.is_object) {
      values_.make_map(bracket.first_value);
    } else {
      values_.make_array(bracket.first_value);
    }
    return true;
  }

  JsonCursor cursor_;
  ValueStack values_;
  InlineStack<OpenBracket, kUsualDepth> open_;
  bool is_value_done_ = false;
};

}  // namespace

bool JsonCursor::read_leaf(char first, TVMFFIAny* owned) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (first) {
    case '"':
      return read_string(owned);
    case 'n':
      return read_literal("null", plain(nullptr), owned);
    case 't':
      return read_literal("true", plain(true), owned);
    case 'f':
      return read_literal("false", plain(false), owned);
    case 'N':
      return read_literal("NaN", plain(std::numeric_limits<double>::quiet_NaN()), owned);
    case 'I':
      return read_literal("Infinity", plain(kInfinity), owned);
    case '-':
      if (p_ + 1 != end_ && p_[1] == 'I') {
        return read_literal("-Infinity", plain(-kInfinity), owned);
      }
      break;
    default:
      if (first < '0' || first > '9') return fail(kExpectingValue);
  }
  const char* next = read_json_number(p_, end_, owned);
  if (next == nullptr) return fail(kExpectingValue);
  p_ = next;
  return true;
}

bool JsonCursor::read_literal(std::string_view word, TVMFFIAny value, TVMFFIAny* owned) {
  if (static_cast<size_t>(end_ - p_) < word.size() ||
      std::memcmp(p_, word.data(), word.size()) != 0) {
    return fail(kExpectingValue);
  }
  p_ += word.size();
  *owned = value;
  return true;
}

bool JsonCursor::scan_string(std::string_view* content) {
  const char* begin = p_ + 1;
  const char* stop = find_json_string_stop(begin, end_);
  if (stop != end_ && *stop == '"') {
    *content = std::string_view(begin, static_cast<size_t>(stop - begin));
    p_ = stop + 1;
    return true;
  }
  const char* next = unescape_json_string(begin, stop, end_, &unescaped_, &fault_);
  if (next == nullptr) return false;
  *content = unescaped_;
  p_ = next;
  return true;
}

bool JsonCursor::read_short_string(TVMFFIAny* owned) {
  const char* next = read_short_json_string(p_ + 1, end_, owned);
  if (next == nullptr) return false;
  p_ = next;
  return true;
}

bool JsonCursor::read_string(TVMFFIAny* owned) {
  if (read_short_string(owned)) return true;
  std::string_view content;
  if (!scan_string(&content)) return false;
  *owned = string_value(content);
  return true;
}

bool JsonCursor::read_key(TVMFFIAny* owned) {
  constexpr size_t kLongestKept = 64;
  if (read_short_string(owned)) return true;
  std::string_view content;
  if (!scan_string(&content)) return false;
  if (content.size() < sizeof(uint64_t) || content.size() > kLongestKept ||
      end_ - begin_ < kLongText) {
    *owned = string_value(content);
    return true;
  }
  if (keys_ == nullptr) keys_ = std::make_unique<std::array<Any, kNumKeptKeys>>();
  Any& kept = (*keys_)[key_slot(content)];
  const TVMFFIAny* bits = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(kept);
  if (bits->type_index != kTVMFFIStr ||
      ToStringView(*TVMFFIBytesGetByteArrayPtr(bits->v_obj)) != content) {
    kept = String(content.data(), content.size());
  }
  *owned = detail::AnyUnsafe::MoveAnyToTVMFFIAny(Any(kept));
  return true;
}

std::string JsonCursor::fault_text() const {
  size_t line = 1;
  const char* line_begin = begin_;
  for (const char* p = begin_; p != fault_.at; ++p) {
    if (*p != '\n') continue;
    ++line;
    line_begin = p + 1;
  }
  return std::string(fault_.message) + ": line " + std::to_string(line) + " column " +
         std::to_string(fault_.at - line_begin + 1) + " (char " +
         std::to_string(fault_.at - begin_) + ")";
}

}  // namespace runtime

json::Value json::Parse(const String& json_str, String* error_msg) {
  runtime::ValueReader reader(detail::TextView(json_str));
  Any value;
  if (reader.read(&value)) {
    if (error_msg != nullptr) *error_msg = String();
    return value;
  }
  if (error_msg == nullptr) TVM_FFI_THROW(ValueError) << reader.fault_text();
  *error_msg = String(reader.fault_text());
  return Any();
}

}  // namespace tvm::ffi
