// SPDX-License-Identifier: Apache-2.0
// Reads the bytes of a schema image in order, and checks that no read goes beyond their end.
#pragma once

#include <tvm/ffi/error.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/utf8.h"

namespace tvm::ffi::runtime {

class SchemaReader {
 public:
  SchemaReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::string_view all() const { return bytes_; }
  size_t position() const { return at_; }
  size_t remaining() const { return bytes_.size() - at_; }

  /*! \brief Set the current section for messages. */
  void set_section(const char* section) { subject_ = {section, {}, nullptr, {}}; }
  /*! \brief Set the current type for messages. */
  void set_type(std::string_view key) { subject_ = {"type", key, nullptr, {}}; }
  /*! \brief Set the current "field" or "entry" of the type for messages. */
  void set_member(const char* kind, std::string_view name) {
    subject_.member_kind = kind;
    subject_.member = name;
  }

  [[noreturn]] void fail(const std::string& what) const {
    TVM_FFI_THROW(ValueError) << "schema image " << name_ << ", byte " << at_ << place() << ": "
                              << what;
    TVM_FFI_UNREACHABLE();
  }

  std::string_view bytes(size_t count) {
    if (count > remaining()) fail("the image ends too early");
    std::string_view found = bytes_.substr(at_, count);
    at_ += count;
    return found;
  }
  uint8_t u8() { return static_cast<uint8_t>(bytes(1)[0]); }
  uint32_t u32() { return static_cast<uint32_t>(number(4)); }
  uint64_t u64() { return number(8); }
  bool flag() {
    uint8_t value = u8();
    if (value > 1) fail("a flag is " + std::to_string(value) + ", neither 0 nor 1");
    return value == 1;
  }
  /*! \brief Read a number of items, each of at least `least_size` bytes. */
  uint32_t count(size_t least_size = 1) {
    uint32_t value = u32();
    if (value > remaining() / least_size) {
      fail("there cannot be " + std::to_string(value) + " of these");
    }
    return value;
  }
  void read_strings() {
    uint32_t found = count(sizeof(uint32_t));
    strings_.reserve(found);
    for (uint32_t i = 0; i < found; ++i) strings_.push_back(bytes(u32()));
    is_text_.resize(found);
  }
  const std::vector<std::string_view>& strings() const { return strings_; }
  std::string_view text() {
    uint32_t index = u32();
    std::string_view found = string_at(index);
    if (!is_text_[index]) {  // check each string once
      if (!is_utf8(found)) fail("a text is not UTF-8");
      is_text_[index] = true;
    }
    return found;
  }
  /*! \brief Read a string that may contain any bytes. */
  std::string_view raw_text() { return string_at(u32()); }

 private:
  // The section, type and member for messages. Only fail() makes a text of them.
  struct Subject {
    const char* kind = nullptr;
    std::string_view name;
    const char* member_kind = nullptr;
    std::string_view member;
  };

  std::string place() const {
    if (subject_.kind == nullptr) return "";
    std::string text = std::string(" (") + subject_.kind;
    if (subject_.name.data() != nullptr) text += " `" + std::string(subject_.name) + "`";
    if (subject_.member_kind != nullptr) {
      text += std::string(", ") + subject_.member_kind + " `" + std::string(subject_.member) + "`";
    }
    return text + ")";
  }
  std::string_view string_at(uint32_t index) const {
    if (index >= strings_.size()) fail("there is no string " + std::to_string(index));
    return strings_[index];
  }
  uint64_t number(size_t size) {
    std::string_view found = bytes(size);
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<uint8_t>(found[i]);
    return value;
  }

  std::string_view bytes_;
  const std::string& name_;
  size_t at_ = 0;
  Subject subject_;
  std::vector<std::string_view> strings_;
  std::vector<bool> is_text_;  // strings that are known to be UTF-8
};

}  // namespace tvm::ffi::runtime
