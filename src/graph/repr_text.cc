// SPDX-License-Identifier: Apache-2.0
// The printed form of values that contain no other values.
#include "graph/repr_text.h"

#include <tvm/ffi/any.h>
#include <tvm/ffi/big_int.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/string.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "text/dtype_text.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

void append_float(double value, std::string* out) {
  if (std::isnan(value)) {
    *out += "nan";
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

// A type code that has no name still has a number.
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

const char* device_name(int32_t device_type) {
  switch (device_type) {
    case kDLCPU:
      return "cpu";
    case kDLCUDA:
      return "cuda";
    case kDLCUDAHost:
      return "cuda_host";
    case kDLOpenCL:
      return "opencl";
    case kDLVulkan:
      return "vulkan";
    case kDLMetal:
      return "metal";
    case kDLVPI:
      return "vpi";
    case kDLROCM:
      return "rocm";
    case kDLROCMHost:
      return "rocm_host";
    case kDLExtDev:
      return "ext_dev";
    case kDLCUDAManaged:
      return "cuda_managed";
    case kDLOneAPI:
      return "oneapi";
    case kDLWebGPU:
      return "webgpu";
    case kDLHexagon:
      return "hexagon";
    case kDLMAIA:
      return "maia";
    case kDLTrn:
      return "trn";
    default:
      return "unknown";
  }
}

void append_device(DLDevice device, std::string* out) {
  *out += device_name(device.device_type);
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

// Decimal text takes time quadratic in the number of digits, hexadecimal text linear time. The
// limit is just below the 4300 digits that Python itself converts.
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

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
