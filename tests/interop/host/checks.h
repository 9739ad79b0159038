// SPDX-License-Identifier: Apache-2.0
// The checks of the host program. A failed check prints its file and line; the program goes on, and
// ends with status 1.
#ifndef TVM_FFI_TESTS_INTEROP_HOST_CHECKS_H_
#define TVM_FFI_TESTS_INTEROP_HOST_CHECKS_H_

#include <tvm/ffi/tvm_ffi.h>

#include <cstdio>
#include <string>

#define CHECK_THAT(...) \
  ::host::Check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

/*! \brief Check that a statement throws an Error of this kind whose message contains the text. */
#define CHECK_THROWS(kind_text, part, ...) \
  ::host::CheckThrows([&] { __VA_ARGS__; }, kind_text, part, __FILE__, __LINE__)

namespace host {

inline int checks = 0;
inline int failures = 0;

inline void Check(bool holds, const char* what, const char* file, int line) {
  ++checks;
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
}

template <typename F>
void CheckThrows(const F& run, const std::string& kind, const std::string& part, const char* file,
                 int line) {
  std::string got = "nothing";
  try {
    run();
  } catch (const tvm::ffi::Error& error) {
    got = error.kind() + ": " + error.message();
    if (error.kind() == kind && got.find(part) != std::string::npos) return Check(true, "", "", 0);
  }
  Check(false, (kind + ": ..." + part + "... is thrown, but " + got).c_str(), file, line);
}

void CheckFunctions();
void CheckSequences();
void CheckMappings();
void CheckReflection();
void CheckEnums();
/*!
 * \brief Check the clients in a directory.
 * \param folder the directory of the clients.
 */
void CheckClients(const std::string& folder);

}  // namespace host

#endif  // TVM_FFI_TESTS_INTEROP_HOST_CHECKS_H_
