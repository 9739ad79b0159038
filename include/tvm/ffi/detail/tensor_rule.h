// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/tensor_rule.h
 * \brief What a typed tensor requires of an array, the check, and the texts about it.
 *
 * Internal part of container/typed_tensor.h. The check of an array that fits is inlined. Functions
 * that are not inlined decide the rare cases and write the texts, so that a typed parameter adds
 * little code.
 */
#ifndef TVM_FFI_DETAIL_TENSOR_RULE_H_
#define TVM_FFI_DETAIL_TENSOR_RULE_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype_of.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

namespace detail {

/*! \brief The order of the elements in memory that a typed tensor requires. */
enum class TensorLayout : uint8_t { kRowMajor, kColumnMajor, kInnerContiguous, kStrided };

/*! \brief An extent in a declaration that accepts every extent. */
enum class AnyExtent : uint8_t { kAny };

// The arguments of a typed tensor after the element type are numbers and null pointers. Only the
// types of the pointers have a meaning: C++17 permits pointers, but not objects, as template
// arguments whose type is deduced.
template <auto... extents>
struct DimsTag {};
struct AnyRankTag {};
template <TensorLayout layout>
struct LayoutTag {};
template <uint64_t device_types>
struct DeviceTag {};
struct SameDeviceTag {};
template <size_t alignment>
struct AlignedTag {};

/*! \brief An extent that a typed tensor declares: any, a number, or a name. */
struct DeclaredExtent {
  enum Kind : uint8_t { kAny, kNumber, kName } kind = kAny;
  /*! \brief The number, or the character that is the name. */
  int64_t value = 0;
};

/*! \brief The greatest number of dimensions that a declaration can have. */
inline constexpr int32_t kMaxDeclaredRank = 16;

/*! \brief The bit of a device type in a set of them. */
constexpr uint64_t DeviceBit(int32_t type) {
  return type >= 0 && type < 64 ? uint64_t{1} << type : 0;
}
inline constexpr uint64_t kAnyDeviceType = ~uint64_t{0};

/*! \brief What a typed tensor requires of an array. */
struct TensorRule {
  /*! \brief The accepted data types, and the alignment of each in bytes. */
  const DLDataType* dtypes = nullptr;
  const size_t* alignments = nullptr;
  int32_t num_dtypes = 0;
  /*! \brief Whether the elements are only read. */
  bool is_const = false;
  TensorLayout layout = TensorLayout::kRowMajor;
  /*! \brief Whether all arguments with this option must be on the same device. */
  bool same_device = false;
  /*! \brief The number of dimensions; -1 for any. */
  int32_t rank = -1;
  /*! \brief The set of device types; see DeviceBit(). */
  uint64_t devices = DeviceBit(kDLCPU) | DeviceBit(kDLCUDAHost) | DeviceBit(kDLROCMHost);
  /*! \brief The alignment of the first element in bytes, if that of its type is not enough. */
  size_t alignment = 1;
  DeclaredExtent extents[kMaxDeclaredRank] = {};
};

template <typename E>
constexpr DeclaredExtent MakeDeclaredExtent(E extent) {
  if constexpr (std::is_same_v<E, AnyExtent>) {
    return {};
  } else if constexpr (std::is_same_v<E, char>) {
    return {DeclaredExtent::kName, extent};
  } else {
    static_assert(std::is_integral_v<E>, "an extent is a number, a character or kAny");
    return {DeclaredExtent::kNumber, static_cast<int64_t>(extent)};
  }
}

template <typename Number>
constexpr std::enable_if_t<std::is_integral_v<Number>> ApplySpec(TensorRule* rule, Number rank) {
  rule->rank = static_cast<int32_t>(rank);
}
constexpr void ApplySpec(TensorRule* rule, const AnyRankTag*) { rule->rank = -1; }
template <auto... extents>
constexpr void ApplySpec(TensorRule* rule, const DimsTag<extents...>*) {
  static_assert(sizeof...(extents) <= kMaxDeclaredRank, "too many dimensions");
  rule->rank = static_cast<int32_t>(sizeof...(extents));
  [[maybe_unused]] int32_t i = 0;
  ((rule->extents[i++] = MakeDeclaredExtent(extents)), ...);
}
template <TensorLayout layout>
constexpr void ApplySpec(TensorRule* rule, const LayoutTag<layout>*) {
  rule->layout = layout;
}
template <uint64_t device_types>
constexpr void ApplySpec(TensorRule* rule, const DeviceTag<device_types>*) {
  rule->devices = device_types;
}
constexpr void ApplySpec(TensorRule* rule, const SameDeviceTag*) { rule->same_device = true; }
template <size_t alignment>
constexpr void ApplySpec(TensorRule* rule, const AlignedTag<alignment>*) {
  static_assert(alignment != 0 && (alignment & (alignment - 1)) == 0,
                "an alignment is a power of two");
  rule->alignment = alignment;
}

template <typename Spec>
inline constexpr bool is_device_spec_v = false;
template <uint64_t device_types>
inline constexpr bool is_device_spec_v<const DeviceTag<device_types>*> = true;

/*! \brief The element types of a typed tensor. */
template <typename T>
struct ElementTypes {
  static constexpr DLDataType dtypes[1] = {DTypeOf<T>::value};
  static constexpr size_t alignments[1] = {alignof(T)};
  static constexpr bool is_const = false;
  /*! \brief Whether there is one type, so that the elements can be accessed. */
  static constexpr bool is_single = true;
};
template <typename T>
struct ElementTypes<const T> : ElementTypes<T> {
  static constexpr bool is_const = true;
};
template <typename... T>
struct ElementTypes<OneOf<T...>> {
  static_assert((std::is_const_v<T> && ...) || (!std::is_const_v<T> && ...),
                "either all or none of the types are const");
  static constexpr DLDataType dtypes[sizeof...(T)] = {DTypeOf<std::remove_const_t<T>>::value...};
  static constexpr size_t alignments[sizeof...(T)] = {alignof(T)...};
  static constexpr bool is_const = (std::is_const_v<T> && ...);
  static constexpr bool is_single = false;
};

template <typename... T>
struct ElementTypes<const OneOf<T...>> : ElementTypes<OneOf<const T...>> {};

template <typename T, auto... specs>
constexpr TensorRule MakeTensorRule() {
  using Elements = ElementTypes<T>;
  TensorRule rule;
  rule.dtypes = Elements::dtypes;
  rule.num_dtypes = static_cast<int32_t>(sizeof(Elements::dtypes) / sizeof(DLDataType));
  rule.is_const = Elements::is_const;
  rule.alignments = Elements::alignments;
  (ApplySpec(&rule, specs), ...);
  // SameDevice has no use for the CPU alone.
  if (rule.same_device && !(is_device_spec_v<decltype(specs)> || ...)) {
    rule.devices = kAnyDeviceType;
  }
  return rule;
}

/*! \brief The requirements of the typed tensor with these template arguments. */
template <typename T, auto... specs>
inline constexpr TensorRule kTensorRule = MakeTensorRule<T, specs...>();

/*! \brief Return whether an array has elements; a malformed extent counts as none. */
inline bool HasElements(const DLTensor& tensor) {
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] <= 0) return false;
  }
  return true;
}

/*! \brief Return whether the strides are those of a layout, for an array with elements. */
inline bool HasLayout(const DLTensor& tensor, TensorLayout layout) {
  if (layout == TensorLayout::kStrided) return true;
  if (layout == TensorLayout::kRowMajor || tensor.ndim == 0) return IsContiguous(tensor);
  if (layout == TensorLayout::kInnerContiguous) {
    int32_t last = tensor.ndim - 1;
    return tensor.strides == nullptr || tensor.shape[last] == 1 || tensor.strides[last] == 1;
  }
  int64_t expected = 1;
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    int64_t extent = tensor.shape[i];
    // An array without strides is row-major. It is also column-major if at most one extent is
    // above 1.
    bool fits = tensor.strides != nullptr ? tensor.strides[i] == expected : expected == 1;
    if (extent != 1 && !fits) return false;
    expected *= extent;
  }
  return true;
}

/*! \brief Return whether extents are the declared numbers, and equal where names are equal. */
TVM_FFI_INLINE bool HasExtents(const int64_t* shape, const TensorRule& rule) {
  for (int32_t i = 0; i < rule.rank && i < kMaxDeclaredRank; ++i) {
    const DeclaredExtent& extent = rule.extents[i];
    if (extent.kind == DeclaredExtent::kNumber && extent.value != shape[i]) return false;
    if (extent.kind != DeclaredExtent::kName) continue;
    for (int32_t j = 0; j < i; ++j) {
      bool is_same_name =
          rule.extents[j].kind == DeclaredExtent::kName && rule.extents[j].value == extent.value;
      if (is_same_name && shape[j] != shape[i]) return false;
    }
  }
  return true;
}

// The texts are appended to one string by functions that are not inlined. With temporary strings, a
// typed kernel adds twice as much code (g++ 12, -O2), which takes longer to compile.

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void AppendNumber(std::string* text, int64_t number) {
  *text += std::to_string(number);
}

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void AppendNumbers(std::string* text,
                                                              const int64_t* numbers,
                                                              int32_t count) {
  *text += '(';
  for (int32_t i = 0; i < count; ++i) {
    if (i != 0) *text += ", ";
    AppendNumber(text, numbers[i]);
  }
  *text += count == 1 ? ",)" : ")";
}

/*! \brief Append a declared extent: its number or name, or the character for any extent. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void AppendExtent(std::string* text,
                                                             const DeclaredExtent& extent) {
  if (extent.kind == DeclaredExtent::kNumber) return AppendNumber(text, extent.value);
  *text += extent.kind == DeclaredExtent::kName ? static_cast<char>(extent.value) : '*';
}

/*! \brief Append the declared extents, such as `(m, 3, *)`. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void AppendExtents(std::string* text,
                                                              const TensorRule& rule) {
  *text += '(';
  for (int32_t i = 0; i < rule.rank; ++i) {
    if (i != 0) *text += ", ";
    AppendExtent(text, rule.extents[i]);
  }
  *text += rule.rank == 1 ? ",)" : ")";
}

/*! \brief Return whether a declaration says more about extents than their number. */
inline bool DeclaresExtents(const TensorRule& rule) {
  for (int32_t i = 0; i < rule.rank && i < kMaxDeclaredRank; ++i) {
    if (rule.extents[i].kind != DeclaredExtent::kAny) return true;
  }
  return false;
}

TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void AppendDType(std::string* text, DLDataType dtype) {
  String name = DLDataTypeToString(dtype);
  text->append(name.data(), name.size());
}

/*! \brief Append the names of the data types, with `separator` between them. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void AppendDTypes(std::string* text,
                                                             const TensorRule& rule,
                                                             const char* separator) {
  for (int32_t i = 0; i < rule.num_dtypes; ++i) {
    if (i != 0) *text += separator;
    AppendDType(text, rule.dtypes[i]);
  }
}

/*! \brief Append the names of the device types, with `separator` between them. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void AppendDevices(std::string* text, uint64_t devices,
                                                              const char* separator) {
  const char* before = "";
  for (int32_t type = 1; type < 64; ++type) {
    if ((devices & DeviceBit(type)) == 0) continue;
    text->append(before).append(DLDeviceTypeName(type));
    before = separator;
  }
}

/*! \brief Return the name of the type in signatures, such as `Tensor[float32, (m, k)]`. */
TVM_FFI_COLD_CODE inline std::string TensorRuleName(const TensorRule& rule) {
  std::string text = "Tensor[";
  AppendDTypes(&text, rule, " | ");
  if (DeclaresExtents(rule)) {
    text += ", ";
    AppendExtents(&text, rule);
  } else if (rule.rank >= 0) {
    text += ", ";
    AppendNumber(&text, rule.rank);
  }
  text += ']';
  return text;
}

/*! \brief Return the JSON schema: that of the untyped tensor `type` with the entry `tensor`. */
TVM_FFI_COLD_CODE inline std::string TensorRuleSchema(const TensorRule& rule, const char* type) {
  static constexpr const char* kLayouts[] = {"row_major", "column_major", "inner_contiguous",
                                             "strided"};
  std::string text = "{\"type\":\"";
  text.append(type).append("\"");
  if (rule.is_const) text += ",\"const\":true";
  text += ",\"tensor\":{\"dtype\":[\"";
  AppendDTypes(&text, rule, "\",\"");
  text += "\"]";
  if (rule.rank >= 0) {
    text += ",\"shape\":[";
    for (int32_t i = 0; i < rule.rank; ++i) {
      if (i != 0) text += ',';
      DeclaredExtent extent = i < kMaxDeclaredRank ? rule.extents[i] : DeclaredExtent{};
      if (extent.kind == DeclaredExtent::kAny) {
        text += "null";
        continue;
      }
      const char* quote = extent.kind == DeclaredExtent::kName ? "\"" : "";
      text += quote;
      AppendExtent(&text, extent);
      text += quote;
    }
    text += ']';
  }
  text.append(",\"layout\":\"").append(kLayouts[static_cast<int>(rule.layout)]).append("\"");
  if (rule.devices != kAnyDeviceType) {
    text += ",\"device\":[\"";
    AppendDevices(&text, rule.devices, "\",\"");
    text += "\"]";
  }
  if (rule.same_device) text += ",\"same_device\":true";
  size_t alignment = rule.alignment;
  if (rule.num_dtypes == 1) alignment = std::max(alignment, rule.alignments[0]);
  if (alignment != 1) {
    text += ",\"align\":";
    AppendNumber(&text, static_cast<int64_t>(alignment));
  }
  text += "}}";
  return text;
}

/*! \brief Append all that a rule expects in words, such as `a float32 array of 1 dimension,
 * C-contiguous, on cpu`. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void AppendExpectedArray(std::string* text,
                                                                    const TensorRule& rule) {
  *text += rule.dtypes[0].code == kDLInt ? "an " : "a ";
  AppendDTypes(text, rule, " or ");
  *text += " array";
  if (DeclaresExtents(rule)) {
    *text += " of shape ";
    AppendExtents(text, rule);
  } else if (rule.rank >= 0) {
    *text += " of ";
    AppendNumber(text, rule.rank);
    *text += rule.rank == 1 ? " dimension" : " dimensions";
  }
  static constexpr const char* kLayouts[] = {", C-contiguous", ", Fortran-contiguous",
                                             ", with a contiguous last dimension", ""};
  *text += kLayouts[static_cast<int>(rule.layout)];
  if (rule.devices != kAnyDeviceType) {
    *text += ", on ";
    AppendDevices(text, rule.devices & ~(DeviceBit(kDLCUDAHost) | DeviceBit(kDLROCMHost)), " or ");
  }
}

/*! \brief The checks of a rule, in their order. */
enum class TensorCheck : uint8_t { kDType, kRank, kDevice, kExtents, kLayout, kMemory, kAlignment };

/*! \brief Return the alignment that elements of this type need in bytes; 0 for another type. */
TVM_FFI_INLINE size_t AlignmentOf(DLDataType dtype, const TensorRule& rule) {
  for (int32_t i = 0; i < rule.num_dtypes; ++i) {
    if (rule.dtypes[i] == dtype) return std::max(rule.alignment, rule.alignments[i]);
  }
  return 0;
}

/*! \brief Return the first check that an array does not pass. */
TVM_FFI_NO_INLINE inline std::optional<TensorCheck> FindFailedCheck(const DLTensor& tensor,
                                                                    const TensorRule& rule) {
  size_t alignment = AlignmentOf(tensor.dtype, rule);
  if (alignment == 0) return TensorCheck::kDType;
  if (rule.rank >= 0 && tensor.ndim != rule.rank) return TensorCheck::kRank;
  if (rule.devices != kAnyDeviceType &&
      (rule.devices & DeviceBit(tensor.device.device_type)) == 0) {
    return TensorCheck::kDevice;
  }
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] < 0) return TensorCheck::kExtents;
  }
  if (HasElements(tensor)) {
    if (!HasLayout(tensor, rule.layout)) return TensorCheck::kLayout;
    if (tensor.data == nullptr) return TensorCheck::kMemory;
    if (!IsAligned(tensor, alignment)) return TensorCheck::kAlignment;
  }
  if (!HasExtents(tensor.shape, rule)) return TensorCheck::kExtents;
  return std::nullopt;
}

/*! \brief Return why an array is refused: what was expected, what was given, and what to do. The
 * result is empty if the array is accepted. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline Refusal RefusalOfTensor(const DLTensor& tensor,
                                                                   const TensorRule& rule) {
  std::optional<TensorCheck> failed = FindFailedCheck(tensor, rule);
  if (!failed.has_value()) return {};
  std::string text = "expected ";
  AppendExpectedArray(&text, rule);
  text += "; got ";
  auto append_shape = [&] {
    text += "shape ";
    AppendNumbers(&text, tensor.shape, tensor.ndim);
  };
  switch (*failed) {
    case TensorCheck::kDType:
      AppendDType(&text, tensor.dtype);
      text += ", ";
      append_shape();
      text += ": convert it with x.astype(\"";
      AppendDType(&text, rule.dtypes[0]);
      text += "\")";
      break;
    case TensorCheck::kDevice:
      text.append("an array on ").append(DLDeviceToString(tensor.device));
      break;
    case TensorCheck::kLayout:
      if (tensor.strides == nullptr) {
        text += "no strides, and ";
        append_shape();
      } else {
        text += "strides ";
        AppendNumbers(&text, tensor.strides, tensor.ndim);
      }
      text += rule.layout == TensorLayout::kColumnMajor ? ": use numpy.asfortranarray(x)"
                                                        : ": use numpy.ascontiguousarray(x)";
      break;
    case TensorCheck::kMemory:
      text += "no memory (data is NULL), ";
      append_shape();
      break;
    case TensorCheck::kAlignment:
      text += "memory that is not aligned to ";
      AppendNumber(&text, static_cast<int64_t>(AlignmentOf(tensor.dtype, rule)));
      text += " bytes: pass a copy";
      break;
    case TensorCheck::kRank:
    case TensorCheck::kExtents:
      append_shape();
      break;
  }
  return Refusal{*failed == TensorCheck::kDType ? "TypeError" : "ValueError", std::move(text)};
}

/*! \brief Return whether an array is one that needs no further check, for a rule that is known at
 * compile time. If the result is false, FindFailedCheck() decides. */
template <typename T, auto... specs>
TVM_FFI_INLINE bool FitsAtOnce(const DLTensor& tensor) {
  constexpr const TensorRule& kRule = kTensorRule<T, specs...>;
  size_t alignment = AlignmentOf(tensor.dtype, kRule);
  if (alignment == 0 || tensor.data == nullptr) return false;
  if constexpr (kRule.devices != kAnyDeviceType) {
    uint32_t type = static_cast<uint32_t>(tensor.device.device_type);
    if (type >= 64 || ((kRule.devices >> type) & 1) == 0) return false;
  }
  // All alignments are powers of two. If `data` is a handle and not an address, the offset alone
  // must be aligned; FindFailedCheck() decides if the handle is not.
  uint64_t position = reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset;
  if (((position | tensor.byte_offset) & (alignment - 1)) != 0) return false;
  if constexpr (kRule.rank >= 0) {
    if (tensor.ndim != kRule.rank) return false;
    if constexpr (kRule.layout == TensorLayout::kRowMajor && kRule.rank != 0) {
      if (tensor.strides == nullptr) return false;
      int64_t expected = 1;
      for (int32_t i = kRule.rank; i-- > 0;) {
        if (tensor.shape[i] <= 0 || tensor.strides[i] != expected) return false;
        expected *= tensor.shape[i];
      }
    } else if constexpr (kRule.rank != 0) {
      if (!HasElements(tensor) || !HasLayout(tensor, kRule.layout)) return false;
    }
    return HasExtents(tensor.shape, kRule);
  } else {
    return HasElements(tensor) && HasLayout(tensor, kRule.layout);
  }
}

/*! \brief Return whether a typed tensor with these template arguments accepts an array. */
template <typename T, auto... specs>
TVM_FFI_INLINE bool FitsTensorRule(const DLTensor& tensor) {
  if (TVM_FFI_PREDICT_TRUE((FitsAtOnce<T, specs...>(tensor)))) return true;
  return !FindFailedCheck(tensor, kTensorRule<T, specs...>).has_value();
}

/*! \brief Return the array in a value: a `DLTensor*` or a tensor object; otherwise NULL. */
TVM_FFI_INLINE const DLTensor* DLTensorOf(const TVMFFIAny* value) {
  if (value->type_index == TypeIndex::kTVMFFIDLTensorPtr) {
    return static_cast<const DLTensor*>(value->v_ptr);
  }
  if (value->type_index == TypeIndex::kTVMFFITensor) {
    return static_cast<const DLTensor*>(TVMFFITensorGetDLTensorPtr(value->v_obj));
  }
  return nullptr;
}

}  // namespace detail
}  // namespace tvm::ffi

#endif  // TVM_FFI_DETAIL_TENSOR_RULE_H_
