// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/key_hook.h
 * \brief Calling `__any_hash__` and `__any_equal__`, by which a type replaces its own key
 * functions; included by any.h, behind the class Any.
 *
 * A hook is an ffi.Function or a plain C++ function. Plain ones exist in two conventions, which
 * nothing in the attribute tells apart:
 * - now: `TVMFFIAny (const Any&[, const Any&]) noexcept`, an int respectively a bool, or an Error
 *   that is owned by the caller;
 * - libraries built with headers before 0.1.15: `int64_t (const Any&)`, `bool (const Any&, const
 *   Any&)`.
 *
 * Both can be called as the first one where a struct of two integer words comes back in two
 * registers (RAX:RDX of the x86-64 System V ABI, X0:X1 of AArch64): the bare number is in the first
 * of them, and the second one is not changed. The first word then tells the convention.
 *
 * - Equality: a bool is 0 or 1 in the low byte, a TVMFFIAny has 2 (bool) or 67 (Error) there, so
 *   the low byte decides.
 * - Hash: any word but 1 (int) and 67 (Error) is a bare hash. Those two could be bare hashes by
 *   chance. The second register would then be read as a hash, which is wrong, or as an Error, which
 *   is fatal. So the type's equality hook, which comes from the same source, is called once to
 *   compare the key with itself, and its convention decides. Hooks of the present convention are
 *   remembered.
 *
 * On other platforms only the present convention works.
 */
#ifndef TVM_FFI_DETAIL_KEY_HOOK_H_
#define TVM_FFI_DETAIL_KEY_HOOK_H_

#include <tvm/ffi/any.h>

#include <cstdint>
#include <cstring>

namespace tvm {
namespace ffi {

class FunctionObj;

namespace detail {

#if (defined(__x86_64__) && !defined(_WIN32)) || (defined(__aarch64__) && !defined(_WIN32))
#define TVM_FFI_DETAIL_TWO_WORD_RESULT_IN_REGISTERS 1
#else
#define TVM_FFI_DETAIL_TWO_WORD_RESULT_IN_REGISTERS 0
#endif

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

/*! \brief Two registers, as hooks return them. */
struct HookResult {
  /*! \brief Of a TVMFFIAny: type index and padding. */
  uint64_t first;
  /*! \brief Of a TVMFFIAny: the payload. */
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
    // FunctionObj is incomplete here; its Object comes first, so its address is the handle.
    reinterpret_cast<FCppCall>(cell->cpp_call)(reinterpret_cast<const FunctionObj*>(function),
                                               views, num_args, &result);
    return result;
  }
  auto* slot = reinterpret_cast<TVMFFIAny*>(&result);
  if (cell->safe_call(function, reinterpret_cast<const TVMFFIAny*>(views), num_args, slot) != 0) {
    ThrowRaised<>();
  }
  return result;
}

/*! \brief TypeError about the type of the hook `name`, or of its result. */
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowWrongHook(const char* name,
                                                                            int32_t type_index,
                                                                            const char* expected,
                                                                            int32_t given) {
  TVM_FFI_THROW(TypeError) << "`" << name << "` of type `" << TypeIndexToTypeKey(type_index)
                           << "` must " << expected << ", got `" << TypeIndexToTypeKey(given)
                           << "`";
  TVM_FFI_UNREACHABLE();
}

/*!
 * \brief Result of a Function hook: a number of the type `wanted` (an index), or an Error object,
 * which is thrown.
 */
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

/*! \brief Whether the value of an attribute is a plain C++ function. */
inline bool IsNativeHook(const TVMFFIAny& attr) {
  return attr.type_index == TypeIndex::kTVMFFIOpaquePtr && attr.v_ptr != nullptr;
}

/*! \brief The Function in an attribute whose value is not a plain C++ function.
 * \throws Error TypeError when the value is something else: the runtime may be one that does not
 * check what is registered. */
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

/*! \brief Whether an equality hook returned a bare bool. */
inline bool IsBareBool(const HookResult& result) {
  return TVM_FFI_DETAIL_TWO_WORD_RESULT_IN_REGISTERS && result.first != TypeIndex::kTVMFFIBool &&
         result.first != TypeIndex::kTVMFFIError;
}

/*!
 * \brief Hash hooks that return a TVMFFIAny for certain, by address.
 *
 * State of the process, so that each hook is tested once; a hook whose entry was lost is tested
 * again.
 */
inline const void* known_hash_hooks[16] = {};

/*! \brief Whether the hash hook of a type, whose result may be of either kind, returns bare words.
 */
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
  // Atomic by built-ins: <atomic> would be read by every client.
  const void** known = &known_hash_hooks[(reinterpret_cast<uintptr_t>(attr->v_ptr) >> 4) % 16];
  if (TVM_FFI_PREDICT_TRUE(__atomic_load_n(known, __ATOMIC_RELAXED) == attr->v_ptr)) return false;
  if (AskWhetherBareHash(type_index, key)) return true;
  __atomic_store_n(known, static_cast<const void*>(attr->v_ptr), __ATOMIC_RELAXED);
#endif
  return false;
}

/*! \brief Hash by the hook `attr` of the key's type. */
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

/*! \brief Equality by the hook `attr` of the common type of both keys. */
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
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_KEY_HOOK_H_
