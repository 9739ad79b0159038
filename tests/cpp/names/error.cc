// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/error.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Error;
using ffi::ErrorObj;
using ffi::ObjectRef;
using std::string;

HOLDS(TVM_FFI_USE_LIBBACKTRACE >= 0 && TVM_FFI_BACKTRACE_ON_SEGFAULT >= 0);
HOLDS(TVM_FFI_ALWAYS_LOG_BEFORE_THROW == 0);

HOLDS(std::is_base_of_v<ffi::Object, ErrorObj>&& std::is_base_of_v<TVMFFIErrorCell, ErrorObj>);
HOLDS(std::is_default_constructible_v<ErrorObj>&& std::is_destructible_v<ErrorObj>);
HOLDS(ErrorObj::_type_index == ffi::TypeIndex::kTVMFFIError);

HOLDS(std::is_base_of_v<ObjectRef, Error>&& std::is_base_of_v<std::exception, Error>);
HOLDS(sizeof(Error) == 16 && !Error::_type_is_nullable);
HOLDS(std::is_constructible_v<Error, string, string, string>);
HOLDS(std::is_constructible_v<Error, string, string, string, std::optional<Error>,
                              std::optional<ObjectRef>>);
HOLDS(std::is_constructible_v<Error, string, string, const TVMFFIByteArray*>);
HAS_TYPE(The<const Error>().kind(), string);
HAS_TYPE(The<const Error>().message(), string);
HAS_TYPE(The<const Error>().backtrace(), string);
HAS_TYPE(The<const Error>().cause_chain(), std::optional<Error>);
HAS_TYPE(The<const Error>().extra_context(), std::optional<ObjectRef>);
HAS_TYPE(The<const Error>().TracebackMostRecentCallLast(), string);
HAS_TYPE(The<Error>().UpdateBacktrace(The<const TVMFFIByteArray*>(), The<int32_t>()), void);
HAS_TYPE(The<const Error>().FullMessage(), string);
HAS_TYPE(The<const Error>().what(), const char*);
HOLDS(noexcept(The<const Error>().what()));
HAS_TYPE(ffi::EnvErrorAlreadySet(), Error);

HAS_TYPE(ffi::detail::MoveFromSafeCallRaised(), Error);
HAS_TYPE(ffi::detail::SetSafeCallRaised(The<const Error>()), void);
using ffi::detail::ErrorBuilder;
void Build(const TVMFFIByteArray* text) {
  ErrorBuilder(string("K"), string("b"), false).stream() << "text";
  ErrorBuilder(string("K"), text, true).stream() << "text";
  ErrorBuilder(string("K"), text, false, std::optional<Error>(), std::optional<ObjectRef>())
          .stream()
      << "text";
}
HAS_TYPE(The<ErrorBuilder>().stream(), std::ostringstream&);

void Throws(int x, const char* p) {
  if (x == 0) TVM_FFI_THROW(ValueError) << "text";
  if (x == 1) TVM_FFI_LOG_AND_THROW(ValueError) << "text";
  TVM_FFI_CHECK(x == 2, ValueError) << "text";
  TVM_FFI_CHECK_LT(x, 2, ValueError) << "text";
  TVM_FFI_CHECK_GT(x, 2, ValueError) << "text";
  TVM_FFI_CHECK_LE(x, 2, ValueError) << "text";
  TVM_FFI_CHECK_GE(x, 2, ValueError) << "text";
  TVM_FFI_CHECK_EQ(x, 2U, ValueError) << "text";
  TVM_FFI_CHECK_NE(x, 2, ValueError) << "text";
  HAS_TYPE(*TVM_FFI_CHECK_NOTNULL(p, ValueError), const char&);
  TVM_FFI_ICHECK(x == 2) << "text";
  TVM_FFI_ICHECK_LT(x, 2) << "text";
  TVM_FFI_ICHECK_GT(x, 2) << "text";
  TVM_FFI_ICHECK_LE(x, 2) << "text";
  TVM_FFI_ICHECK_GE(x, 2) << "text";
  TVM_FFI_ICHECK_EQ(x, 2) << "text";
  TVM_FFI_ICHECK_NE(x, 2) << "text";
  HAS_TYPE(*TVM_FFI_ICHECK_NOTNULL(p), const char&);
  TVM_FFI_DCHECK(x == 2) << "text";
  TVM_FFI_DCHECK_LT(x, 2) << "text";
  TVM_FFI_DCHECK_GT(x, 2) << "text";
  TVM_FFI_DCHECK_LE(x, 2) << "text";
  TVM_FFI_DCHECK_GE(x, 2) << "text";
  TVM_FFI_DCHECK_EQ(x, 2) << "text";
  TVM_FFI_DCHECK_NE(x, 2) << "text";
  HAS_TYPE(*TVM_FFI_DCHECK_NOTNULL(p), const char&);
}
using Text = std::unique_ptr<string>;
HAS_TYPE(ffi::detail::LogCheck_LT(1, 2), Text);
HAS_TYPE(ffi::detail::LogCheck_GT(1, 2), Text);
HAS_TYPE(ffi::detail::LogCheck_LE(1, 2), Text);
HAS_TYPE(ffi::detail::LogCheck_GE(1, 2), Text);
HAS_TYPE(ffi::detail::LogCheck_EQ(1, 2), Text);
HAS_TYPE(ffi::detail::LogCheck_NE(1, 2), Text);
HAS_TYPE(ffi::detail::LogCheckFormat(1, 2), Text);
