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

#include <cstring>

namespace tvm {
namespace ffi {

class FunctionObj;

namespace detail {

/*! \brief Two registers, as hooks return them. */
struct HookResult {
  /*! \brief Of a TVMFFIAny: type index and padding. */
  uint64_t first;
  /*! \brief Of a TVMFFIAny: the payload. */
  uint64_t second;
};

/*!
 * \brief Value of a type attribute for one type.
 * \param column may be NULL.
 * \return NULL when the type has none.
 */
TVM_FFI_INLINE const TVMFFIAny* FindTypeAttr(const TVMFFITypeAttrColumn* column,
                                             int32_t type_index) {
  if (column == nullptr) return nullptr;
  int32_t position = type_index - column->begin_index;
  if (position < 0 || position >= column->size) return nullptr;
  const TVMFFIAny* value = column->data + position;
  return value->type_index == TypeIndex::kTVMFFINone ? nullptr : value;
}

inline const TVMFFITypeAttrColumn* GetTypeAttrColumnOrNull(const char* name, size_t size) {
  TVMFFIByteArray bytes{name, size};
  return TVMFFIGetTypeAttrColumn(&bytes);
}

/*! \brief Call a hook that is an ffi.Function. */
TVM_FFI_NO_INLINE inline Any CallFunctionHook(TVMFFIObject* function, const Any* args,
                                              int32_t num_args) {
  using FCppCall = void (*)(const FunctionObj*, const AnyView*, int32_t, Any*);
  TVMFFIFunctionCell* cell = TVMFFIFunctionGetCellPtr(function);
  const AnyView views[2] = {args[0], num_args > 1 ? AnyView(args[1]) : AnyView()};
  Any result;
  if (cell->cpp_call != nullptr) {
    // FunctionObj is incomplete here; its Object comes first, so its address is the handle.
    reinterpret_cast<FCppCall>(cell->cpp_call)(reinterpret_cast<const FunctionObj*>(function),
                                               views, num_args, &result);
    return result;
  }
  TVMFFIAny raw;
  SetAnyNone(&raw);
  if (cell->safe_call(function, reinterpret_cast<const TVMFFIAny*>(views), num_args, &raw) != 0) {
    ThrowRaised<>();
  }
  return AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
}

/*! \brief Result of a Function hook: exactly a T, or an Error object, which is thrown. */
template <typename T>
TVM_FFI_NO_INLINE T ReadFunctionHook(Any result) {
  if (std::optional<Error> error = result.as<Error>()) throw *std::move(error);
  return result.as_or_throw<T>();
}

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowHookError(uint64_t payload) {
  TVMFFIAny raw;
  SetAnyHead(&raw, TypeIndex::kTVMFFIError);
  raw.v_uint64 = payload;
  throw *AnyUnsafe::MoveTVMFFIAnyToAny(&raw).as<Error>();
}

/*!
 * \brief Split the result of a native hook.
 *
 * Libraries built before 0.1.15 return the bare hash or truth value in the first register. A first
 * word that is no head of a TVMFFIAny of the wanted type or of an Error means such a hook.
 */
TVM_FFI_INLINE HookResult SplitHookResult(const TVMFFIAny& raw) {
  static_assert(sizeof(HookResult) == sizeof(TVMFFIAny));
  HookResult result;
  std::memcpy(&result, &raw, sizeof(result));
  if (TVM_FFI_PREDICT_FALSE(result.first == TypeIndex::kTVMFFIError)) {
    ThrowHookError(result.second);
  }
  return result;
}

/*! \brief Hash by the hook `attr` of the key's type. */
inline uint64_t CallAnyHashHook(const TVMFFIAny* attr, const Any& key) {
  if (attr->type_index == TypeIndex::kTVMFFIOpaquePtr) {
    using FHash = TVMFFIAny (*)(const Any&) noexcept;
    HookResult result = SplitHookResult(reinterpret_cast<FHash>(attr->v_ptr)(key));
    return result.first == TypeIndex::kTVMFFIInt ? result.second : result.first;
  }
  return static_cast<uint64_t>(ReadFunctionHook<int64_t>(CallFunctionHook(attr->v_obj, &key, 1)));
}

/*! \brief Equality by the hook `attr` of the common type of both keys. */
inline bool CallAnyEqualHook(const TVMFFIAny* attr, const Any& lhs, const Any& rhs) {
  if (attr->type_index == TypeIndex::kTVMFFIOpaquePtr) {
    using FEqual = TVMFFIAny (*)(const Any&, const Any&) noexcept;
    HookResult result = SplitHookResult(reinterpret_cast<FEqual>(attr->v_ptr)(lhs, rhs));
    return result.first == TypeIndex::kTVMFFIBool ? result.second != 0 : (result.first & 0xff) != 0;
  }
  const Any args[2] = {lhs, rhs};
  return ReadFunctionHook<StrictBool>(CallFunctionHook(attr->v_obj, args, 2));
}

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
      return detail::StableHashCombine(Widen(type_index), detail::CallAnyHashHook(attr, key));
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
