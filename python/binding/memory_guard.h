// SPDX-License-Identifier: Apache-2.0
// Turns `std::bad_alloc` into MemoryError in functions that CPython calls and that use operator
// new. A C++ exception must not pass through the frames of CPython.
#pragma once

#include <new>
#include <type_traits>

#include "compat.h"

namespace binding {

// Returns the result of a C function that has set an exception: NULL or -1.
template <typename R>
constexpr R failed_result() {
  if constexpr (std::is_pointer_v<R>) {
    return nullptr;
  } else {
    return static_cast<R>(-1);
  }
}

// Calls `body` and returns its result. If `body` throws std::bad_alloc, sets MemoryError and
// returns NULL or -1. A `body` that throws must not leave partial changes.
template <typename Body>
auto guard_memory(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return failed_result<decltype(body())>();
  }
}

template <auto Function>
struct MemoryGuarded;

template <typename R, typename... Args, R (*Function)(Args...)>
struct MemoryGuarded<Function> {
  static R call(Args... args) {
    return guard_memory([&] { return Function(args...); });
  }
};

// Wraps `Function` in the guard, for tables of methods and slots.
template <auto Function>
inline constexpr auto memory_guarded = &MemoryGuarded<Function>::call;

}  // namespace binding
