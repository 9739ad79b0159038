# SPDX-License-Identifier: Apache-2.0
"""Compile C++ from a string in Python; later runs load the library from the cache."""

from __future__ import annotations

from tvm_ffi.cpp import load_inline

SOURCE = """
#include <string>

int64_t Fibonacci(int64_t n) {
  int64_t a = 0, b = 1;
  for (; n > 0; --n) {
    int64_t next = a + b;
    a = b;
    b = next;
  }
  return a;
}

tvm::ffi::String Shout(tvm::ffi::String text, int64_t times) {
  if (times < 0) TVM_FFI_THROW(ValueError) << "cannot shout " << times << " times";
  return std::string(text) + std::string(static_cast<size_t>(times), '!');
}
"""

# Names of C++ functions, and the documentation of each.
FUNCTIONS = {"Fibonacci": "Return the n-th number of Fibonacci.", "Shout": ""}


def main() -> None:
    """Compile the source, call the functions, and catch an exception from C++."""
    mod = load_inline("inline_example", cpp_sources=SOURCE, functions=FUNCTIONS)
    print(mod.Fibonacci(50))
    print(mod.Shout("hello", 3))
    print(mod.Fibonacci.__doc__)
    try:
        mod.Shout("hello", -1)
    except ValueError as error:
        print(f"ValueError: {error}")


if __name__ == "__main__":
    main()
