// SPDX-License-Identifier: Apache-2.0
// The printed form of values that contain no other values.
#include "graph/repr_text.h"

#include <tvm/ffi/any.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/string.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <vector>

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
  TVMFFIAny text{};
  if (TVMFFIDataTypeToString(&dtype, &text) == 0) {
    *out += ToStringView(*TVMFFIBytesGetByteArrayPtr(text.v_obj));
    TVMFFIObjectDecRef(text.v_obj);
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

// Magnitude of a two's complement number in words, least significant first.
std::vector<uint64_t> magnitude(const uint64_t* words, size_t count, bool is_negative) {
  std::vector<uint64_t> result(words, words + count);
  if (!is_negative) return result;
  uint64_t carry = 1;
  for (uint64_t& word : result) {
    word = ~word + carry;
    carry = carry != 0 && word == 0 ? 1 : 0;
  }
  return result;
}

// Divides by 10^18 and returns the remainder.
uint64_t take_18_digits(std::vector<uint64_t>* words) {
  constexpr uint32_t kBillion = 1000000000;
  uint64_t remainders[2];
  for (uint64_t& remainder : remainders) {
    remainder = 0;
    for (size_t i = words->size(); i-- > 0;) {
      // Half a word at a time: the dividend stays below 2^62.
      uint64_t high = remainder << 32 | (*words)[i] >> 32;
      uint64_t low = (high % kBillion) << 32 | ((*words)[i] & 0xffffffffu);
      (*words)[i] = (high / kBillion) << 32 | low / kBillion;
      remainder = low % kBillion;
    }
  }
  while (!words->empty() && words->back() == 0) words->pop_back();
  return remainders[1] * kBillion + remainders[0];
}

void append_big_int(TVMFFIByteArray content, std::string* out) {
  const uint64_t* words = reinterpret_cast<const uint64_t*>(content.data);
  size_t count = content.size / sizeof(uint64_t);
  bool is_negative = count != 0 && words[count - 1] >> 63 != 0;
  std::vector<uint64_t> rest = magnitude(words, count, is_negative);
  std::vector<std::string> groups;
  while (!rest.empty()) groups.push_back(std::to_string(take_18_digits(&rest)));
  if (is_negative) *out += '-';
  if (groups.empty()) *out += '0';
  for (size_t i = groups.size(); i-- > 0;) {
    if (i + 1 != groups.size()) out->append(18 - groups[i].size(), '0');
    *out += groups[i];
  }
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
      append_big_int(TVMFFIBigIntGetContentByteArray(&value), out);
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
