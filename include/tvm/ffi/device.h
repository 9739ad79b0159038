// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/device.h
 * \brief DLDevice as a value, and parsing of texts such as "cuda:1".
 */
#ifndef TVM_FFI_DEVICE_H_
#define TVM_FFI_DEVICE_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/string.h>
#include <tvm/ffi/type_traits.h>

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

namespace tvm::ffi {
namespace detail {

struct DLDeviceTypeEntry {
  std::string_view name;
  DLDeviceType type;
  /*! \brief Whether the name is parsed, not only printed. */
  bool is_parsed = true;
};

/*! \brief The names of device types. The first name of a type is printed. */
inline constexpr DLDeviceTypeEntry kDLDeviceTypes[] = {
    {"cpu", kDLCPU},
    {"cuda", kDLCUDA},
    {"cuda_host", kDLCUDAHost, false},
    {"opencl", kDLOpenCL},
    {"vulkan", kDLVulkan},
    {"metal", kDLMetal},
    {"mps", kDLMetal},
    {"vpi", kDLVPI},
    {"rocm", kDLROCM},
    {"rocm_host", kDLROCMHost, false},
    {"ext_dev", kDLExtDev},
    {"cuda_managed", kDLCUDAManaged, false},
    {"oneapi", kDLOneAPI, false},
    {"webgpu", kDLWebGPU},
    {"wgpu", kDLWebGPU},
    {"hexagon", kDLHexagon},
    {"maia", kDLMAIA},
    {"trn", kDLTrn},
};

/*! \brief Return the device type for a name such as "cuda", or nullopt for an unknown name. */
inline std::optional<DLDeviceType> TryParseDLDeviceType(std::string_view name) {
  for (const DLDeviceTypeEntry& entry : kDLDeviceTypes) {
    if (entry.is_parsed && entry.name == name) return entry.type;
  }
  return std::nullopt;
}

/*! \brief Parse a number; nullopt if `digits` is empty, has a character other than a decimal digit,
 * or is above INT32_MAX. */
inline std::optional<int32_t> TryParseDLDeviceIndex(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  int64_t value = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
    if (value > INT32_MAX) return std::nullopt;
  }
  return static_cast<int32_t>(value);
}

/*! \brief Parse a device, `name` or `name:index`; the text after the first blank is ignored. */
inline std::optional<DLDevice> TryStringViewToDLDevice(std::string_view text) {
  text = text.substr(0, text.find(' '));
  size_t colon = text.find(':');
  std::optional<DLDeviceType> type = TryParseDLDeviceType(text.substr(0, colon));
  if (!type.has_value()) return std::nullopt;
  if (colon == std::string_view::npos) return DLDevice{*type, 0};
  std::optional<int32_t> index = TryParseDLDeviceIndex(text.substr(colon + 1));
  if (!index.has_value()) return std::nullopt;
  return DLDevice{*type, *index};
}

}  // namespace detail

/*! \brief Accepts a device, or a string such as `cuda:0`; any other string is a type mismatch. */
template <>
struct TypeTraits<DLDevice> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIDevice;

  TVM_FFI_INLINE static void CopyToAnyView(const DLDevice& source, TVMFFIAny* result) {
    detail::SetAnyHead(result, TypeIndex::kTVMFFIDevice);
    result->v_device = source;
  }
  TVM_FFI_INLINE static void MoveToAny(DLDevice source, TVMFFIAny* result) {
    CopyToAnyView(source, result);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIDevice;
  }
  TVM_FFI_INLINE static DLDevice CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return source->v_device;
  }
  TVM_FFI_INLINE static DLDevice MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return source->v_device;
  }
  TVM_FFI_INLINE static std::optional<DLDevice> TryCastFromAnyView(const TVMFFIAny* source) {
    if (CheckAnyStrict(source)) return source->v_device;
    std::optional<std::string_view> text = detail::TryStringView(source);
    if (!text.has_value()) return std::nullopt;
    return detail::TryStringViewToDLDevice(*text);
  }
  static std::string TypeStr() { return StaticTypeKey::kTVMFFIDevice; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(StaticTypeKey::kTVMFFIDevice); }
};

namespace detail {

/*! \brief Return the name of a device type, such as `cuda`; NULL if it has no name. */
inline const char* DLDeviceTypeNameOrNull(int32_t type) {
  for (const DLDeviceTypeEntry& entry : kDLDeviceTypes) {
    if (entry.type == type) return entry.name.data();
  }
  return nullptr;
}

/*! \brief Return the name of a device type, or its number if it has no name. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline std::string DLDeviceTypeName(int32_t type) {
  const char* name = DLDeviceTypeNameOrNull(type);
  if (name != nullptr) return name;
  std::string text = "unknown(";
  text += std::to_string(type);
  text += ')';
  return text;
}

/*! \brief Return a device as `cuda:1`. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline std::string DLDeviceToString(DLDevice device) {
  std::string text = DLDeviceTypeName(device.device_type);
  text += ':';
  text += std::to_string(device.device_id);
  return text;
}

}  // namespace detail
}  // namespace tvm::ffi

// DLDevice is in the global namespace, so compilers look for its operator there.

/*!
 * \brief Write a device as `cuda:1`.
 *
 * The operator is a template, so that the compiler prefers an operator for DLDevice that a client
 * has defined.
 */
template <typename Device, typename = std::enable_if_t<std::is_same_v<Device, DLDevice>>>
inline std::ostream& operator<<(std::ostream& os, const Device& device) {
  return os << ::tvm::ffi::detail::DLDeviceToString(device);
}

#endif  // TVM_FFI_DEVICE_H_
