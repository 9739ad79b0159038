// SPDX-License-Identifier: Apache-2.0
// Macros that use a name in an expression; the expressions are compiled but never run.
#ifndef TESTS_CPP_NAMES_USE_H_
#define TESTS_CPP_NAMES_USE_H_

#include <type_traits>
#include <utility>

/*! \brief Check that an expression is well-formed and has exactly the given type. */
#define HAS_TYPE(expression, ...) \
  static_assert(std::is_same_v<decltype(expression), __VA_ARGS__>, #expression)

/*! \brief Check that a constant expression is true. */
#define HOLDS(...) static_assert((__VA_ARGS__), #__VA_ARGS__)

/*! \brief Check that two types are the same. */
#define SAME_TYPE(Type, ...) static_assert(std::is_same_v<Type, __VA_ARGS__>, #Type)

/*! \brief An lvalue of any type, for unevaluated expressions. */
template <typename T>
T& The() noexcept;
/*! \brief An rvalue of any type, for unevaluated expressions. */
template <typename T>
T&& Moved() noexcept;

#endif  // TESTS_CPP_NAMES_USE_H_
