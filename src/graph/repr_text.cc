// SPDX-License-Identifier: Apache-2.0
// Conversion of values without children to text.
#include "graph/repr_text.h"

#include <tvm/ffi/any.h>
#include <tvm/ffi/big_int.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

#include "text/dtype_text.h"

namespace tvm::ffi::runtime {
namespace {

// Returns whether `value` is an integer whose text is that of an int: it has at most six digits,
// and is not a negative zero.
bool prints_as_int(double value) {
  return value > -1e6 && value < 1e6 && value == std::trunc(value) &&
         !(value == 0 && std::signbit(value));
}

void append_float(double value, std::string* out) {
  if (std::isnan(value)) {
    *out += "nan";
    return;
  }
  if (prints_as_int(value)) {
    *out += std::to_string(static_cast<int64_t>(value));
    return;
  }
  char text[32];
  auto end = std::to_chars(text, text + sizeof(text), value, std::chars_format::general, 6).ptr;
  out->append(text, end);
}

void append_bytes(TVMFFIByteArray bytes, std::string* out) {
  constexpr char kHex[] = "0123456789abcdef";
  *out += "b\"";
  for (char c : ToStringView(bytes)) {
    unsigned char code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code < 0x7f && c != '"' && c != '\\') {
      *out += c;
    } else {
      *out += "\\x";
      *out += kHex[code >> 4];
      *out += kHex[code & 15];
    }
  }
  *out += '"';
}

// Appends a data type. A type code without a name is printed as a number.
void append_dtype(DLDataType dtype, std::string* out) {
  std::string text;
  if (print_dtype(dtype, &text) == 0) {
    *out += text;
    return;
  }
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIObjectDecRef(error);
  *out += "dtype(code=" + std::to_string(dtype.code) + ", bits=" + std::to_string(dtype.bits) +
          ", lanes=" + std::to_string(dtype.lanes) + ")";
}

void append_device(DLDevice device, std::string* out) {
  const char* name = detail::DLDeviceTypeNameOrNull(device.device_type);
  *out += name == nullptr ? "unknown" : name;
  *out += ":" + std::to_string(device.device_id);
}

void append_extents(const int64_t* extents, size_t count, std::string* out) {
  for (size_t i = 0; i < count; ++i) {
    if (i != 0) *out += ", ";
    *out += std::to_string(extents[i]);
  }
}

void append_tensor(const DLTensor& tensor, std::string* out) {
  append_dtype(tensor.dtype, out);
  *out += '[';
  append_extents(tensor.shape, static_cast<size_t>(tensor.ndim), out);
  *out += "]@";
  append_device(tensor.device, out);
}

void append_plain(const TVMFFIAny& value, std::string* out) {
  switch (value.type_index) {
    case kTVMFFINone:
      *out += "None";
      return;
    case kTVMFFIBool:
      *out += value.v_int64 != 0 ? "True" : "False";
      return;
    case kTVMFFIInt:
      *out += std::to_string(value.v_int64);
      return;
    case kTVMFFIFloat:
      append_float(value.v_float64, out);
      return;
    case kTVMFFIDataType:
      append_dtype(value.v_dtype, out);
      return;
    case kTVMFFIDevice:
      append_device(value.v_device, out);
      return;
    case kTVMFFISmallBytes:
      append_bytes(TVMFFISmallBytesGetContentByteArray(&value), out);
      return;
    default:
      *out += TypeIndexToTypeKey(value.type_index);
  }
}

// Conversion to decimal text takes quadratic time in the number of digits, conversion to
// hexadecimal text linear time. The limit is just below the 4300 digits that Python converts.
constexpr size_t kMaxDecimalWords = 220;

void append_hex(detail::int_ops::ArrayView words, std::string* out) {
  detail::int_ops::Digits digits = detail::int_ops::MagnitudeOf(words);
  if (detail::int_ops::IsNegative(words)) *out += '-';
  *out += "0x";
  char text[12];
  for (size_t i = digits.size(); i-- > 0;) {
    const char* format = i + 1 == digits.size() ? "%x" : "%08x";
    out->append(text, static_cast<size_t>(std::snprintf(text, sizeof(text), format, digits[i])));
  }
}

void append_big_int(detail::int_ops::ArrayView words, std::string* out) {
  if (words.size() > kMaxDecimalWords) {
    append_hex(words, out);
  } else {
    *out += detail::int_ops::ToDecimal(words);
  }
}

// ------------------------------------------------------------------ shortened texts

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Returns the last position up to `position` where a UTF-8 character begins. If the text is not
// valid UTF-8, the result may be inside a character.
size_t character_border(std::string_view text, size_t position) {
  size_t border = position;
  while (border > 0 && position - border < 4 && continues_character(text[border])) --border;
  return border;
}

void append_quoted(std::string_view text, std::string* out) {
  String escaped = EscapedStringPy(String(text.data(), text.size()));
  *out += detail::TextView(escaped);
}

void append_length(size_t length, std::string* out) {
  *out += " (length " + std::to_string(length) + ")";
}

void append_short_string(std::string_view text, size_t edge, std::string* out) {
  append_quoted(text.substr(0, character_border(text, edge)), out);
  *out += "...";
  append_quoted(text.substr(character_border(text, text.size() - edge)), out);
  append_length(text.size() - std::count_if(text.begin(), text.end(), continues_character), out);
}

void append_short_bytes(std::string_view bytes, size_t edge, std::string* out) {
  append_bytes(TVMFFIByteArray{bytes.data(), edge}, out);
  *out += "...";
  append_bytes(TVMFFIByteArray{bytes.data() + bytes.size() - edge, edge}, out);
  append_length(bytes.size(), out);
}

void append_short_shape(const TVMFFIShapeCell& shape, size_t edge, std::string* out) {
  *out += "Shape(";
  append_extents(shape.data, edge, out);
  *out += ", ..., ";
  append_extents(shape.data + shape.size - edge, edge, out);
  *out += "; length " + std::to_string(shape.size) + ")";
}

std::optional<std::string_view> bytes_of(const TVMFFIAny& value) {
  TVMFFIByteArray bytes;
  if (value.type_index == kTVMFFISmallBytes) {
    bytes = TVMFFISmallBytesGetContentByteArray(&value);
  } else if (value.type_index == kTVMFFIBytes) {
    bytes = *TVMFFIBytesGetByteArrayPtr(value.v_obj);
  } else {
    return std::nullopt;
  }
  return ToStringView(bytes);
}

}  // namespace

bool append_leaf_text(const TVMFFIAny& value, std::string* out) {
  if (std::optional<std::string_view> text = detail::TryStringView(&value)) {
    String escaped = EscapedStringPy(String(text->data(), text->size()));
    *out += detail::TextView(escaped);
    return true;
  }
  if (value.type_index < kTVMFFIStaticObjectBegin) {
    append_plain(value, out);
    return true;
  }
  switch (value.type_index) {
    case kTVMFFIBytes:
      append_bytes(*TVMFFIBytesGetByteArrayPtr(value.v_obj), out);
      return true;
    case kTVMFFIBigInt:
      append_big_int(detail::BigIntUnsafe::GetArrayView(&value), out);
      return true;
    case kTVMFFIShape: {
      const TVMFFIShapeCell& shape = *TVMFFIShapeGetCellPtr(value.v_obj);
      *out += "Shape(";
      append_extents(shape.data, shape.size, out);
      *out += ')';
      return true;
    }
    case kTVMFFITensor:
      append_tensor(*TVMFFITensorGetDLTensorPtr(value.v_obj), out);
      return true;
    default:
      return false;
  }
}

bool append_short_leaf_text(const TVMFFIAny& value, size_t edge_size, int64_t edge_items,
                            std::string* out) {
  if (std::optional<std::string_view> text = detail::TryStringView(&value)) {
    if (text->size() <= 2 * edge_size) return append_leaf_text(value, out);
    append_short_string(*text, edge_size, out);
    return true;
  }
  if (std::optional<std::string_view> bytes = bytes_of(value)) {
    if (bytes->size() <= 2 * edge_size) return append_leaf_text(value, out);
    append_short_bytes(*bytes, edge_size, out);
    return true;
  }
  if (value.type_index == kTVMFFIShape) {
    const TVMFFIShapeCell& shape = *TVMFFIShapeGetCellPtr(value.v_obj);
    auto edge = static_cast<size_t>(edge_items);
    if (shape.size <= 2 * edge) return append_leaf_text(value, out);
    append_short_shape(shape, edge, out);
    return true;
  }
  size_t begin = out->size();
  if (!append_leaf_text(value, out)) return false;
  size_t size = out->size() - begin;
  if (value.type_index == kTVMFFIBigInt && size > 2 * edge_size) {
    out->replace(begin + edge_size, size - 2 * edge_size, "...");
    append_length(size, out);
  }
  return true;
}

size_t leaf_size(const TVMFFIAny& value) {
  if (std::optional<std::string_view> text = detail::TryStringView(&value)) return text->size();
  if (std::optional<std::string_view> bytes = bytes_of(value)) return bytes->size();
  if (value.type_index == kTVMFFIShape) return TVMFFIShapeGetCellPtr(value.v_obj)->size;
  if (value.type_index == kTVMFFIBigInt) {
    return sizeof(int64_t) * detail::BigIntUnsafe::GetArrayView(&value).size();
  }
  return 0;
}

void cut_text(size_t size, std::string* text) {
  if (text->size() <= size) return;
  text->resize(character_border(*text, size));
  *text += "...";
}

}  // namespace tvm::ffi::runtime
