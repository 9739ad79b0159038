// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/base.h
 * \brief Compiler macros that every other C++ header needs.
 */
#ifndef TVM_FFI_BASE_H_
#define TVM_FFI_BASE_H_

#include <tvm/ffi/detail/require_cxx17.h>
//
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/static_init.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

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
/*! \brief Inline the function even where the optimiser would not. The macro may stand before or
 * after `static`. */
#define TVM_FFI_INLINE __attribute__((always_inline)) inline
/*! \brief Do not inline the function; for large functions that rarely run. */
#define TVM_FFI_NO_INLINE __attribute__((noinline))
/*! \brief Optimise the function for size and place it apart; for code that rarely runs. */
#define TVM_FFI_COLD_CODE __attribute__((cold))
/*! \brief Mark a point that is never reached; undefined behaviour if it is reached. */
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
/*! \brief The condition; the compiler may assume that it is usually false. */
#define TVM_FFI_PREDICT_FALSE(cond) (static_cast<bool>(cond))
#endif

/*!
 * \brief Declare a variable at namespace scope; each thread of each library has its own variable.
 *
 * Linkers that load code directly into memory support only the general-dynamic TLS model. Clang
 * does not use that model for a hidden variable, so with Clang the variable has default visibility.
 * nvcc does not know the attribute.
 */
#if defined(__clang__) && defined(__ELF__)
#define TVM_FFI_THREAD_LOCAL __attribute__((visibility("default"))) inline thread_local
#elif defined(__GNUC__) && defined(__ELF__) && !defined(__CUDACC__)
#define TVM_FFI_THREAD_LOCAL \
  __attribute__((visibility("hidden"), tls_model("global-dynamic"))) inline thread_local
#elif defined(__GNUC__) && !defined(_WIN32)
#define TVM_FFI_THREAD_LOCAL __attribute__((visibility("hidden"))) inline thread_local
#else
#define TVM_FFI_THREAD_LOCAL inline thread_local
#endif

/* ------------------------------------------------------------------ declarations */

#define TVM_FFI_STR_CONCAT_(a, b) a##b
/*! \brief Paste two tokens after expanding them. */
#define TVM_FFI_STR_CONCAT(a, b) TVM_FFI_STR_CONCAT_(a, b)

/*!
 * \brief Begin a block that runs once when the library is loaded: `TVM_FFI_STATIC_INIT_BLOCK() {
 * ... }`.
 *
 * A file may have any number of blocks, at namespace scope. GCC and Clang run them among the
 * constructor functions of the file, before the dynamic initialisers of its variables.
 *
 * The loader (`tvm_ffi.load_module`, `Module::LoadFromFile`) runs the blocks after the dynamic
 * linker has returned, so a block may wait for other threads. A block runs earlier if other code of
 * the library registers something, or looks up a name that is not registered.
 *
 * When a block throws, the loader raises the error, skips the later blocks of the library, and
 * withdraws the registrations that the library has made. If other code (such as ctypes.CDLL) has
 * opened the library in a Python process, the later blocks are skipped, and the errors for unknown
 * names contain the error. The process instead prints the text of the exception and ends if the
 * library is linked into the program, or if the runtime library does not support these exceptions.
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
/*! \brief Begin a block that runs when the library is loaded. If the block throws, the function
 * that loads the library raises that exception. */
#define TVM_FFI_STATIC_INIT_BLOCK() TVM_FFI_STATIC_INIT_BLOCK_NAMED_(__COUNTER__)
#endif

/*! \brief Declare copy and (noexcept) move construction and assignment of a class as defaulted. */
#define TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(TypeName) \
  TypeName(const TypeName& other) = default;                  \
  TypeName(TypeName&& other) noexcept = default;              \
  TypeName& operator=(const TypeName& other) = default;       \
  TypeName& operator=(TypeName&& other) noexcept = default

/*! \brief Begin the body of a C entry point that cannot report an error; an exception ends the
 * process. */
#define TVM_FFI_LOG_EXCEPTION_CALL_BEGIN() \
  try {                                    \
  (void)0
/*! \brief End the body that TVM_FFI_LOG_EXCEPTION_CALL_BEGIN began: print a std::exception with
 * `Name`, then call `exit(-1)`. */
#define TVM_FFI_LOG_EXCEPTION_CALL_END(Name)                                      \
  }                                                                               \
  catch (const std::exception& err) {                                             \
    std::fprintf(stderr, "Exception caught during " #Name ":\n%s\n", err.what()); \
    std::exit(-1);                                                                \
  }

/*!
 * \brief Zero the payload of `*any` before a pointer is stored in it.
 *
 * Values are compared bit by bit, so the bytes beside a pointer that is narrower than the payload
 * must be zero. The macro does nothing where pointers have 64 bits.
 */
#define TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(any)           \
  do {                                                      \
    if constexpr (sizeof((any)->v_ptr) < sizeof(int64_t)) { \
      (any)->v_int64 = 0;                                   \
    }                                                       \
  } while (0)

namespace tvm::ffi {
namespace detail {}
namespace details = detail;
}  // namespace tvm::ffi
#endif  // TVM_FFI_BASE_H_
