// SPDX-License-Identifier: Apache-2.0
// Set and unset environment variables in tests.
#ifndef TVM_FFI_TESTS_CPP_ENVIRONMENT_H_
#define TVM_FFI_TESTS_CPP_ENVIRONMENT_H_

#include <cstdlib>

inline void SetVariable(const char* name, const char* value) {
#if defined(_WIN32)
  _putenv_s(name, value);
#else
  setenv(name, value, 1);
#endif
}

inline void UnsetVariable(const char* name) {
#if defined(_WIN32)
  _putenv_s(name, "");
#else
  unsetenv(name);
#endif
}

#endif  // TVM_FFI_TESTS_CPP_ENVIRONMENT_H_
