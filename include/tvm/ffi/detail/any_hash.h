// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/any_hash.h
 * \brief AnyHash and AnyEqual, the key functions of Map and Dict, with the hooks by which a type
 * replaces its own; included by any.h at its end.
 *
 * Inlined into every client that walks a map, so the results are part of the ABI.
 */
#ifndef TVM_FFI_DETAIL_ANY_HASH_H_
#define TVM_FFI_DETAIL_ANY_HASH_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/detail/key_hook.h>

#include <cstring>

namespace tvm {
namespace ffi {

namespace detail {

/*! \brief Content of a text or bytes value, small or heap. */
TVM_FFI_INLINE TVMFFIByteArray BytesContent(const TVMFFIAny* value) {
  return value->type_index >= TypeIndex::kTVMFFIStaticObjectBegin
             ? *TVMFFIBytesGetByteArrayPtr(value->v_obj)
             : TVMFFISmallBytesGetContentByteArray(value);
}

TVM_FFI_INLINE bool SameBytesContent(const TVMFFIAny* lhs, const TVMFFIAny* rhs) {
  TVMFFIByteArray a = BytesContent(lhs), b = BytesContent(rhs);
  return a.size == b.size && (a.size == 0 || std::memcmp(a.data, b.data, a.size) == 0);
}

/*! \brief kTVMFFIStr or kTVMFFIBytes for either form of text or bytes, otherwise -1. */
TVM_FFI_INLINE int32_t HeapFormOf(int32_t type_index) {
  switch (type_index) {
    case TypeIndex::kTVMFFISmallStr:
    case TypeIndex::kTVMFFIStr:
      return TypeIndex::kTVMFFIStr;
    case TypeIndex::kTVMFFISmallBytes:
    case TypeIndex::kTVMFFIBytes:
      return TypeIndex::kTVMFFIBytes;
    default:
      return -1;
  }
}
}  // namespace detail

/*! \brief Hash of a container key: text and bytes by content, objects by hook or address. */
struct AnyHash {
  /*! \throws Error what the type's `__any_hash__` returns or throws. */
  uint64_t operator()(const Any& key) const {
    const TVMFFIAny* data = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(key);
    int32_t type_index = data->type_index;
    if (type_index < TypeIndex::kTVMFFIStaticObjectBegin) {
      int32_t heap_form = detail::HeapFormOf(type_index);
      return heap_form < 0 ? detail::StableHashCombine(Widen(type_index), data->v_uint64)
                           : detail::StableHashCombine(Widen(heap_form),
                                                       detail::StableHashSmallStrBytes(data));
    }
    if (type_index == TypeIndex::kTVMFFIStr || type_index == TypeIndex::kTVMFFIBytes) {
      TVMFFIByteArray* bytes = TVMFFIBytesGetByteArrayPtr(data->v_obj);
      return detail::StableHashCombine(Widen(type_index),
                                       detail::StableHashBytes(bytes->data, bytes->size));
    }
    // The column lives for ever; a library without it never gets one.
    static const TVMFFITypeAttrColumn* const column =
        detail::GetTypeAttrColumnOrNull("__any_hash__", 12);
    if (const TVMFFIAny* attr = detail::FindTypeAttr(column, type_index)) {
      return detail::StableHashCombine(Widen(type_index),
                                       detail::CallAnyHashHook(attr, type_index, key));
    }
    return detail::StableHashCombine(Widen(type_index), data->v_uint64);
  }

 private:
  static uint64_t Widen(int32_t type_index) { return static_cast<uint64_t>(type_index); }
};

/*! \brief Equality of container keys; values of different types are never equal. */
struct AnyEqual {
  /*! \throws Error what the type's `__any_equal__` returns or throws. */
  bool operator()(const Any& lhs, const Any& rhs) const {
    const TVMFFIAny* a = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(lhs);
    const TVMFFIAny* b = detail::AnyUnsafe::TVMFFIAnyPtrFromAny(rhs);
    if (lhs.same_as(rhs)) return true;
    if (a->type_index != b->type_index) {
      int32_t heap_form = detail::HeapFormOf(a->type_index);
      return heap_form >= 0 && heap_form == detail::HeapFormOf(b->type_index) &&
             detail::SameBytesContent(a, b);
    }
    if (a->type_index < TypeIndex::kTVMFFIStaticObjectBegin) return false;
    if (a->type_index == TypeIndex::kTVMFFIStr || a->type_index == TypeIndex::kTVMFFIBytes) {
      return detail::SameBytesContent(a, b);
    }
    static const TVMFFITypeAttrColumn* const column =
        detail::GetTypeAttrColumnOrNull("__any_equal__", 13);
    const TVMFFIAny* attr = detail::FindTypeAttr(column, a->type_index);
    return attr != nullptr && detail::CallAnyEqualHook(attr, lhs, rhs);
  }
};

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_ANY_HASH_H_
