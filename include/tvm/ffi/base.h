// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/base.h
 * \brief Storey 1, ground: compiler macros and the stable hash functions that every other C++
 * header stands on.
 */
#ifndef TVM_FFI_BASE_H_
#define TVM_FFI_BASE_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/static_init.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <type_traits>
#include <utility>

#if defined(_MSC_VER)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#ifdef ERROR
#undef ERROR
#endif
#endif

/* ------------------------------------------------------------------ compiler hints */

#if defined(_MSC_VER)
#define TVM_FFI_INLINE __forceinline
#define TVM_FFI_NO_INLINE __declspec(noinline)
#define TVM_FFI_COLD_CODE
#define TVM_FFI_UNREACHABLE() __assume(false)
#define TVM_FFI_UNSAFE_ASSUME(cond) __assume(cond)
#define TVM_FFI_FUNC_SIG __FUNCSIG__
#else
/*! \brief Inline even where the optimiser would not. May stand beside `static` in either order. */
#define TVM_FFI_INLINE __attribute__((always_inline)) inline
/*! \brief Keep out of line; for paths that are rare and large. */
#define TVM_FFI_NO_INLINE __attribute__((noinline))
/*! \brief Rarely executed: optimised for size and placed apart. */
#define TVM_FFI_COLD_CODE __attribute__((cold))
/*! \brief Control never comes here; undefined behaviour when it does. */
#define TVM_FFI_UNREACHABLE() __builtin_unreachable()
/*! \brief Tell the optimiser that `cond` holds; undefined behaviour when it does not. */
#if defined(__clang__)
#define TVM_FFI_UNSAFE_ASSUME(cond) __builtin_assume(cond)
#else
#define TVM_FFI_UNSAFE_ASSUME(cond)       \
  do {                                    \
    if (!(cond)) __builtin_unreachable(); \
  } while (0)
#endif
/*! \brief Name of the enclosing function with its parameters. */
#define TVM_FFI_FUNC_SIG __PRETTY_FUNCTION__
#endif

/*! \brief `cond` as bool, with the hint that it is usually true. */
#if defined(__GNUC__) || defined(__clang__)
#define TVM_FFI_PREDICT_TRUE(cond) (__builtin_expect(static_cast<bool>(cond), 1))
#define TVM_FFI_PREDICT_FALSE(cond) (__builtin_expect(static_cast<bool>(cond), 0))
#else
#define TVM_FFI_PREDICT_TRUE(cond) (static_cast<bool>(cond))
#define TVM_FFI_PREDICT_FALSE(cond) (static_cast<bool>(cond))
#endif

/*!
 * \brief A variable at namespace scope that each thread of each library has for itself.
 *
 * Of the ways to find it in an object file, linkers that work in memory know the general one
 * alone, which Clang does not take for what is hidden.
 */
#if defined(__clang__) && defined(__ELF__)
#define TVM_FFI_THREAD_LOCAL __attribute__((visibility("default"))) inline thread_local
#elif defined(__GNUC__) && defined(__ELF__)
#define TVM_FFI_THREAD_LOCAL \
  __attribute__((visibility("hidden"), tls_model("global-dynamic"))) inline thread_local
#elif defined(__GNUC__)
#define TVM_FFI_THREAD_LOCAL __attribute__((visibility("hidden"))) inline thread_local
#else
#define TVM_FFI_THREAD_LOCAL inline thread_local
#endif

/* ------------------------------------------------------------------ declarations */

#define TVM_FFI_STR_CONCAT_(a, b) a##b
/*! \brief Paste two tokens after expanding them. */
#define TVM_FFI_STR_CONCAT(a, b) TVM_FFI_STR_CONCAT_(a, b)

/*!
 * \brief Head of a block that runs once when the library is loaded:
 * `TVM_FFI_STATIC_INIT_BLOCK() { ... }`.
 *
 * Any number per file, at namespace scope. GCC and Clang run it among the constructor functions of
 * the file, which is before the dynamic initialisers of its variables.
 *
 * When the block throws, the loader (`tvm_ffi.load_module`, `Module::LoadFromFile`) raises the
 * error, later blocks of the library are skipped, and what the library has registered is withdrawn.
 * Where no loader is at work (a program that is linked against the library, another runtime) the
 * process ends with the text of the exception.
 */
#if defined(__GNUC__) || defined(__clang__)
#define TVM_FFI_STATIC_INIT_BLOCK_NAMED_(Fn)                                \
  static void Fn();                                                         \
  __attribute__((constructor)) static void TVM_FFI_STR_CONCAT(Fn, _Run)() { \
    ::tvm::ffi::detail::RunStaticInitBlock(&Fn, __FILE__, __LINE__);        \
  }                                                                         \
  static void Fn()
#define TVM_FFI_STATIC_INIT_BLOCK() \
  TVM_FFI_STATIC_INIT_BLOCK_NAMED_(TVM_FFI_STR_CONCAT(TVMFFIStaticInitFn_, __COUNTER__))
#else
#define TVM_FFI_STATIC_INIT_BLOCK_NAMED_(Id)                                                \
  static void TVM_FFI_STR_CONCAT(TVMFFIStaticInitFn_, Id)();                                \
  [[maybe_unused]] static const int TVM_FFI_STR_CONCAT(TVMFFIStaticInitVar_, Id) =          \
      (::tvm::ffi::detail::RunStaticInitBlock(&TVM_FFI_STR_CONCAT(TVMFFIStaticInitFn_, Id), \
                                              __FILE__, __LINE__),                          \
       0);                                                                                  \
  static void TVM_FFI_STR_CONCAT(TVMFFIStaticInitFn_, Id)()
#define TVM_FFI_STATIC_INIT_BLOCK() TVM_FFI_STATIC_INIT_BLOCK_NAMED_(__COUNTER__)
#endif

/*! \brief Declare copy and (noexcept) move construction and assignment of a class as defaulted. */
#define TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(TypeName) \
  TypeName(const TypeName& other) = default;                  \
  TypeName(TypeName&& other) noexcept = default;              \
  TypeName& operator=(const TypeName& other) = default;       \
  TypeName& operator=(TypeName&& other) noexcept = default

/*! \brief Head of the body of a C entry point that has no way to fail; ends the process instead. */
#define TVM_FFI_LOG_EXCEPTION_CALL_BEGIN() \
  try {                                    \
  (void)0
/*! \brief Tail of that body: a std::exception is printed under `Name`, then `exit(-1)`. */
#define TVM_FFI_LOG_EXCEPTION_CALL_END(Name)                                      \
  }                                                                               \
  catch (const std::exception& err) {                                             \
    std::fprintf(stderr, "Exception caught during " #Name ":\n%s\n", err.what()); \
    std::exit(-1);                                                                \
  }

/*!
 * \brief Zero the payload of `*any` before a pointer is stored in it.
 *
 * Values are compared bit by bit, so a pointer narrower than the payload must leave zeros beside
 * it. Nothing to do where pointers have 64 bits.
 */
#define TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(any)           \
  do {                                                      \
    if constexpr (sizeof((any)->v_ptr) < sizeof(int64_t)) { \
      (any)->v_int64 = 0;                                   \
    }                                                       \
  } while (0)

namespace tvm {
namespace ffi {
namespace detail {

template <typename T>
struct TypeSchemaImpl;

/*! \brief JSON schema of a type: `TypeSchema<T>::v()`; const and reference do not matter. */
template <typename T>
using TypeSchema = TypeSchemaImpl<std::remove_const_t<std::remove_reference_t<T>>>;

template <typename F, size_t... I, typename... Args>
TVM_FFI_INLINE void ForEachImpl(const F& f, std::index_sequence<I...>, Args&&... args) {
  (f(I, std::forward<Args>(args)), ...);
}

/*! \brief Call `f(index, argument)` for each argument in order. */
template <typename F, typename... Args>
TVM_FFI_INLINE void for_each(const F& f, Args&&... args) {
  ForEachImpl(f, std::index_sequence_for<Args...>{}, std::forward<Args>(args)...);
}

/*!
 * \brief Mix `value` into the hash `key`; the same on every platform.
 * \param value converted to uint64_t first, so a negative number is sign-extended.
 */
template <typename T>
TVM_FFI_INLINE uint64_t StableHashCombine(uint64_t key, const T& value) {
  static_assert(std::is_convertible_v<T, uint64_t>, "T must be convertible to uint64_t");
  return key ^ (static_cast<uint64_t>(value) + 0x9e3779b9 + (key << 6) + (key >> 2));
}

/*! \brief One step of the polynomial byte hash, over one little-endian word. */
TVM_FFI_INLINE uint64_t StableHashStep(uint64_t hash, uint64_t word) {
  constexpr uint64_t kMultiplier = 1099511628211ULL;
  constexpr uint64_t kModulus = 2147483647ULL;
  return (hash * kMultiplier + word) % kModulus;
}

/*! \brief Up to 8 bytes as a little-endian number, zero above; `size` may be a constant 8. */
TVM_FFI_INLINE uint64_t LoadLittleEndian(const unsigned char* data, size_t size) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  uint64_t word = 0;
  for (size_t i = 0; i < size; ++i) word |= static_cast<uint64_t>(data[i]) << (8 * i);
  return word;
#else
  uint64_t word = 0;
  std::memcpy(&word, data, size);
  return word;
#endif
}

/*!
 * \brief Hash of `size` bytes, at any alignment; the same on every platform.
 * \param data may be NULL when `size` is 0, which gives 0.
 * \return a number below 2147483647.
 */
inline uint64_t StableHashBytes(const void* data, size_t size) {
  const unsigned char* bytes = static_cast<const unsigned char*>(data);
  uint64_t hash = 0;
  for (; size >= 8; size -= 8, bytes += 8) hash = StableHashStep(hash, LoadLittleEndian(bytes, 8));
  return size == 0 ? hash : StableHashStep(hash, LoadLittleEndian(bytes, size));
}

/*! \brief Hash of an inline string or bytes value: StableHashBytes of its content. */
TVM_FFI_INLINE uint64_t StableHashSmallStrBytes(const TVMFFIAny* data) {
  // Unused payload bytes are zero, so one step over the payload is a step over the content.
  return StableHashStep(0,
                        LoadLittleEndian(reinterpret_cast<const unsigned char*>(data->v_bytes), 8));
}

}  // namespace detail

namespace details = detail;
}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_BASE_H_
