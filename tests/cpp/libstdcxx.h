// SPDX-License-Identifier: Apache-2.0
// Skips tests of layouts and hashes that depend on the C++ library.
#ifndef TVM_FFI_TESTS_CPP_LIBSTDCXX_H_
#define TVM_FFI_TESTS_CPP_LIBSTDCXX_H_

#include <gtest/gtest.h>

#include <string>  // defines the macro of the C++ library

#if defined(__GLIBCXX__)
#define SKIP_WITHOUT_LIBSTDCXX() static_cast<void>(0)
#else
#define SKIP_WITHOUT_LIBSTDCXX() GTEST_SKIP() << "the expected values are those of libstdc++"
#endif

#endif  // TVM_FFI_TESTS_CPP_LIBSTDCXX_H_
