// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/key_hook.h
 * \brief Calls of `__any_hash__` and `__any_equal__`, the hooks with which a type determines the
 * hash and the equality of its objects as map keys; included by any.h after the class Any.
 *
 * A hook is an ffi.Function or a plain C++ function. Plain functions have one of two conventions,
 * and the attribute does not tell which:
 * - current: `TVMFFIAny (const Any&[, const Any&]) noexcept` returns an int for a hash, a bool for
 *   equality, or an Error that the caller owns;
 * - libraries built with headers before 0.1.15: `int64_t (const Any&)`, `bool (const Any&, const
 *   Any&)`.
 *
 * A hook of either convention can be called as a current one where a struct of two integer words is
 * returned in two registers (RAX:RDX of the x86-64 System V ABI, X0:X1 of AArch64). A bare number
 * is in the first register, and the second register is not changed. The first word tells the
 * convention:
 *
 * - Equality: the low byte of the first word is 0 or 1 for a bare bool. For a TVMFFIAny, it is the
 *   type index 2 (bool) or 67 (Error).
 * - Hash: any word but 1 (int) and 67 (Error) is a bare hash. A bare hash may have these two values
 *   by chance. The second register would then be read as a hash, which is wrong, or as an Error,
 *   which is fatal. So the equality hook of the type, which comes from the same source, is called
 *   once to compare the key with itself, and its convention decides. Hooks of the current
 *   convention are remembered.
 *
 * On other platforms only the current convention works.
 */
#ifndef TVM_FFI_DETAIL_KEY_HOOK_H_
#define TVM_FFI_DETAIL_KEY_HOOK_H_

#include <tvm/ffi/any.h>

#include <cstdint>
#include <cstring>

namespace tvm::ffi {

class FunctionObj;

namespace detail {

#if (defined(__x86_64__) && !defined(_WIN32)) || (defined(__aarch64__) && !defined(_WIN32))
#define TVM_FFI_DETAIL_TWO_WORD_RESULT_IN_REGISTERS 1
#else
#define TVM_FFI_DETAIL_TWO_WORD_RESULT_IN_REGISTERS 0
#endif

/*!
 * \brief Return the value of a type attribute for one type.
 * \param column may be NULL.
 * \return NULL when the type does not have the attribute.
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

/*! \brief The two registers in which a hook returns its result. */
struct HookResult {
  /*! \brief In a TVMFFIAny, the type index and the padding. */
  uint64_t first;
  /*! \brief In a TVMFFIAny, the payload. */
  uint64_t second;
};

/*! \brief Call a hook that is an ffi.Function. */
TVM_FFI_NO_INLINE inline Any CallFunctionHook(TVMFFIObject* function, const Any* args,
                                              int32_t num_args) {
  using FCppCall = void (*)(const FunctionObj*, const AnyView*, int32_t, Any*);
  TVMFFIFunctionCell* cell = TVMFFIFunctionGetCellPtr(function);
  const AnyView views[2] = {args[0], num_args > 1 ? AnyView(args[1]) : AnyView()};
  Any result;
  if (cell->cpp_call != nullptr) {
    // The class FunctionObj is not defined yet. Its first base is Object, so the handle is also the
    // address of the FunctionObj.
    reinterpret_cast<FCppCall>(cell->cpp_call)(reinterpret_cast<const FunctionObj*>(function),
                                               views, num_args, &result);
    return result;
  }
  auto* slot = reinterpret_cast<TVMFFIAny*>(&result);
  if (cell->safe_call(function, reinterpret_cast<const TVMFFIAny*>(views), num_args, slot) != 0) {
    *slot = TVMFFIAny{};  // after a failure, the value may be anything
    ThrowRaised<>();
  }
  return result;
}

/*! \brief Throw a TypeError: the hook `name`, or its result, has a wrong type. */
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowWrongHook(const char* name,
                                                                            int32_t type_index,
                                                                            const char* expected,
                                                                            int32_t given) {
  TVM_FFI_THROW(TypeError) << "`" << name << "` of type `" << TypeIndexToTypeKey(type_index)
                           << "` must " << expected << ", got `" << TypeNameInText(given) << "`";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return the result of a Function hook, a number with the type index `wanted`. If the
 * result is an Error object, throw it. */
TVM_FFI_NO_INLINE inline int64_t ReadFunctionHook(const Any& result, const char* name,
                                                  int32_t type_index, int32_t wanted,
                                                  const char* expected) {
  const TVMFFIAny* raw = AnyUnsafe::TVMFFIAnyPtrFromAny(result);
  if (raw->type_index == TypeIndex::kTVMFFIError) {
    throw ObjectUnsafe::ObjectRefFromObjectPtr<Error>(
        ObjectUnsafe::ObjectPtrFromUnowned<Object>(raw->v_obj));
  }
  if (raw->type_index != wanted) ThrowWrongHook(name, type_index, expected, raw->type_index);
  return raw->v_int64;
}

/*! \brief Return whether the value of an attribute is a plain C++ function. */
inline bool IsNativeHook(const TVMFFIAny& attr) {
  return attr.type_index == TypeIndex::kTVMFFIOpaquePtr && attr.v_ptr != nullptr;
}

/*! \brief Return the Function in an attribute whose value is not a plain C++ function.
 * \throws Error TypeError for a value that is not a function: some versions of the runtime library
 * let clients register such a value. */
inline TVMFFIObject* FunctionOfHook(const TVMFFIAny& attr, const char* name, int32_t type_index) {
  if (TVM_FFI_PREDICT_FALSE(attr.type_index != TypeIndex::kTVMFFIFunction)) {
    ThrowWrongHook(name, type_index, "be a function or a native function pointer", attr.type_index);
  }
  return attr.v_obj;
}

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowHookError(uint64_t payload) {
  TVMFFIAny raw;
  raw.v_uint64 = payload;
  throw ObjectUnsafe::ObjectRefFromObjectPtr<Error>(
      ObjectUnsafe::ObjectPtrFromOwned<Object>(raw.v_obj));
}

inline HookResult SplitHookResult(const TVMFFIAny& raw) {
  static_assert(sizeof(HookResult) == sizeof(TVMFFIAny));
  HookResult result;
  std::memcpy(&result, &raw, sizeof(result));
  return result;
}

inline HookResult CallNativeHash(const TVMFFIAny* attr, const Any& key) {
  using FHash = TVMFFIAny (*)(const Any&) noexcept;
  return SplitHookResult(reinterpret_cast<FHash>(attr->v_ptr)(key));
}

inline HookResult CallNativeEqual(const TVMFFIAny* attr, const Any& lhs, const Any& rhs) {
  using FEqual = TVMFFIAny (*)(const Any&, const Any&) noexcept;
  return SplitHookResult(reinterpret_cast<FEqual>(attr->v_ptr)(lhs, rhs));
}

/*! \brief Return whether an equality hook returned a bare bool. */
inline bool IsBareBool(const HookResult& result) {
  return TVM_FFI_DETAIL_TWO_WORD_RESULT_IN_REGISTERS && result.first != TypeIndex::kTVMFFIBool &&
         result.first != TypeIndex::kTVMFFIError;
}

/*!
 * \brief Addresses of hash hooks that certainly return a TVMFFIAny.
 *
 * The array is process-wide, so that usually each hook is tested only once. Two hooks can share an
 * entry; the hook that was overwritten is tested again.
 */
inline const void* known_hash_hooks[16] = {};

/*! \brief Return whether the hash hook of a type returns bare hashes. Called after the hash hook
 * has returned a result that fits both conventions. */
TVM_FFI_NO_INLINE inline bool AskWhetherBareHash(int32_t type_index, const Any& key) {
  static const TVMFFITypeAttrColumn* const column = GetTypeAttrColumnOrNull("__any_equal__", 13);
  const TVMFFIAny* equal = FindTypeAttr(column, type_index);
  if (equal == nullptr || !IsNativeHook(*equal)) return false;
  HookResult result = CallNativeEqual(equal, key, key);
  if (result.first == TypeIndex::kTVMFFIError) {
    TVMFFIAny error;
    std::memcpy(&error, &result, sizeof(error));
    AnyUnsafe::MoveTVMFFIAnyToAny(&error).reset();
  }
  return IsBareBool(result);
}

TVM_FFI_INLINE bool IsBareHash([[maybe_unused]] const HookResult& result,
                               [[maybe_unused]] const TVMFFIAny* attr,
                               [[maybe_unused]] int32_t type_index,
                               [[maybe_unused]] const Any& key) {
#if TVM_FFI_DETAIL_TWO_WORD_RESULT_IN_REGISTERS
  if (result.first != TypeIndex::kTVMFFIInt && result.first != TypeIndex::kTVMFFIError) return true;
  // Uses atomic built-ins, so that clients do not have to compile <atomic>.
  const void** known = &known_hash_hooks[(reinterpret_cast<uintptr_t>(attr->v_ptr) >> 4) % 16];
  if (TVM_FFI_PREDICT_TRUE(__atomic_load_n(known, __ATOMIC_RELAXED) == attr->v_ptr)) return false;
  if (AskWhetherBareHash(type_index, key)) return true;
  __atomic_store_n(known, static_cast<const void*>(attr->v_ptr), __ATOMIC_RELAXED);
#endif
  return false;
}

/*! \brief Hash a key with the hook `attr` of its type. */
inline uint64_t CallAnyHashHook(const TVMFFIAny* attr, int32_t type_index, const Any& key) {
  if (IsNativeHook(*attr)) {
    HookResult result = CallNativeHash(attr, key);
    if (IsBareHash(result, attr, type_index, key)) return result.first;
    if (TVM_FFI_PREDICT_FALSE(result.first == TypeIndex::kTVMFFIError)) {
      ThrowHookError(result.second);
    }
    return result.second;
  }
  constexpr const char* kName = "__any_hash__";
  TVMFFIObject* function = FunctionOfHook(*attr, kName, type_index);
  return static_cast<uint64_t>(ReadFunctionHook(CallFunctionHook(function, &key, 1), kName,
                                                type_index, TypeIndex::kTVMFFIInt, "return int"));
}

/*! \brief Compare two keys with the hook `attr` of their common type. */
inline bool CallAnyEqualHook(const TVMFFIAny* attr, const Any& lhs, const Any& rhs) {
  if (IsNativeHook(*attr)) {
    HookResult result = CallNativeEqual(attr, lhs, rhs);
    if (IsBareBool(result)) return (result.first & 0xff) != 0;
    if (TVM_FFI_PREDICT_FALSE(result.first == TypeIndex::kTVMFFIError)) {
      ThrowHookError(result.second);
    }
    return result.second != 0;
  }
  constexpr const char* kName = "__any_equal__";
  TVMFFIObject* function = FunctionOfHook(*attr, kName, lhs.type_index());
  const Any args[2] = {lhs, rhs};
  return ReadFunctionHook(CallFunctionHook(function, args, 2), kName, lhs.type_index(),
                          TypeIndex::kTVMFFIBool, "return bool") != 0;
}

}  // namespace detail
}  // namespace tvm::ffi

#endif  // TVM_FFI_DETAIL_KEY_HOOK_H_
