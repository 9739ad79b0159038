// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/map_key.h
 * \brief Functions that borrow a map key for a lookup, and that tell which keys call hooks. Part of
 * container/map_base.h.
 *
 * A hook (type attribute `__any_hash__` or `__any_equal__`) is foreign code: it may throw, and it
 * may change the map that calls it. Only keys of types with a hook run foreign code.
 */
#ifndef TVM_FFI_DETAIL_MAP_KEY_H_
#define TVM_FFI_DETAIL_MAP_KEY_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief Return whether values of this type index are objects other than strings and bytes. */
TVM_FFI_INLINE bool IsPlainObjectKey(int32_t type_index) {
  return type_index >= TypeIndex::kTVMFFIStaticObjectBegin && type_index != TypeIndex::kTVMFFIStr &&
         type_index != TypeIndex::kTVMFFIBytes;
}

/*! \brief Return whether hashing a key of this type calls a hook. */
TVM_FFI_INLINE bool HasHashHook(int32_t type_index) {
  if (!IsPlainObjectKey(type_index)) return false;
  static const TVMFFITypeAttrColumn* const column = GetTypeAttrColumnOrNull("__any_hash__", 12);
  return FindTypeAttr(column, type_index) != nullptr;
}

/*! \brief Return whether comparing two keys of this type calls a hook. */
TVM_FFI_INLINE bool HasEqualHook(int32_t type_index) {
  if (!IsPlainObjectKey(type_index)) return false;
  static const TVMFFITypeAttrColumn* const column = GetTypeAttrColumnOrNull("__any_equal__", 13);
  return FindTypeAttr(column, type_index) != nullptr;
}

/*! \brief Return the text of a key in messages: `3`, `'name'`, or the type of an object. */
TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline std::string KeyText(const Any& key) {
  constexpr size_t kMaxShown = 80;
  TVMFFIAny value = AnyView(key).CopyToTVMFFIAny();
  std::optional<std::string_view> text = TryStringView(&value);
  if (text.has_value()) {
    std::string shown(text->substr(0, kMaxShown));
    return "'" + shown + (text->size() > kMaxShown ? "..." : "") + "'";
  }
  if (key.type_index() == TypeIndex::kTVMFFIInt) return std::to_string(value.v_int64);
  if (key.type_index() == TypeIndex::kTVMFFIFloat) return std::to_string(value.v_float64);
  if (key.type_index() == TypeIndex::kTVMFFIBool) return value.v_int64 != 0 ? "True" : "False";
  if (key.type_index() == TypeIndex::kTVMFFINone) return "None";
  return "this key, a `" + TypeNameInText(key.type_index()) + "`";
}

/*!
 * \brief A typed key as an Any that borrows the key, without a new reference, for one lookup.
 * \tparam K a type for which is_borrowable_key_v is true; the key must outlive this object.
 */
template <typename K>
class BorrowedKey {
 public:
  explicit BorrowedKey(const K& key) : key_(View(key)) {}
  BorrowedKey(const BorrowedKey&) = delete;
  BorrowedKey& operator=(const BorrowedKey&) = delete;
  ~BorrowedKey() { AnyUnsafe::MoveAnyToTVMFFIAny(std::move(key_)); }

  operator const Any&() const { return key_; }  // NOLINT(google-explicit-constructor)

 private:
  static Any View(const K& key) {
    return AnyUnsafe::MoveTVMFFIAnyRawToAny(AnyView(key).CopyToTVMFFIAny());
  }

  Any key_;
};

/*! \brief Whether a key of type K has the same representation in an AnyView and in an Any. A lookup
 * can borrow only keys with this property. */
template <typename K>
inline constexpr bool is_borrowable_key_v =
    std::is_integral_v<K> || std::is_floating_point_v<K> || std::is_same_v<K, String> ||
    std::is_same_v<K, Bytes> || std::is_base_of_v<ObjectRef, K> || is_object_ptr_type_v<K> ||
    is_arc_type_v<K>;

/*! \brief Return the text ` at key <key>` for an error about a mapped value. A long string key is
 * truncated. The text is empty if the key is neither an integer nor a string. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline std::string AtKeyText(const Any& key) {
  constexpr size_t kLongest = 60;
  if (std::optional<int64_t> number = key.as<int64_t>()) {
    return " at key " + std::to_string(*number);
  }
  std::optional<String> text = key.as<String>();
  if (!text.has_value()) return std::string();
  std::string_view view(text->data(), text->size());
  bool is_long = view.size() > kLongest;
  if (is_long) {
    size_t end = kLongest;
    // do not cut within a UTF-8 character
    while (end > 0 && (static_cast<unsigned char>(view[end]) & 0xC0) == 0x80) --end;
    view = view.substr(0, end);
  }
  return " at key \"" + std::string(view) + (is_long ? "..." : "") + "\"";
}

/*! \brief The type of a key of type K in lookups: BorrowedKey if it can be borrowed, otherwise
 * Any. */
template <typename K>
using LookupKey =
    std::conditional_t<std::is_same_v<K, Any>, const Any&,
                       std::conditional_t<is_borrowable_key_v<K>, BorrowedKey<K>, Any>>;

}  // namespace tvm::ffi::detail
#endif  // TVM_FFI_DETAIL_MAP_KEY_H_
