// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/expected.h>

#include <ios>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Error;
using ffi::Expected;
using ffi::Unexpected;
using Int = Expected<int64_t>;

HOLDS(std::is_constructible_v<Unexpected<>, Error> && !std::is_convertible_v<Error, Unexpected<>>);
HAS_TYPE(Unexpected(The<Error>()), Unexpected<Error>);
HAS_TYPE(The<const Unexpected<>>().error(), const Error&);
HAS_TYPE(The<Unexpected<>>().error(), Error&);
HAS_TYPE(Moved<const Unexpected<>>().error(), const Error&&);
HAS_TYPE(Moved<Unexpected<>>().error(), Error&&);
HOLDS(noexcept(The<Unexpected<>>().error()));

HOLDS(std::is_convertible_v<int64_t, Int>&& std::is_convertible_v<int, Int>);
HOLDS(std::is_convertible_v<Expected<int>, Int>&& std::is_convertible_v<Error, Int>);
HOLDS(std::is_convertible_v<Unexpected<Error>, Int>);
HAS_TYPE(The<const Int>().type_index(), int32_t);
HOLDS(noexcept(The<const Int>().type_index()) && noexcept(The<const Int>().is_ok()));
HAS_TYPE(The<const Int>().is_ok(), bool);
HAS_TYPE(The<const Int>().is_err(), bool);
HAS_TYPE(The<const Int>().has_value(), bool);
HAS_TYPE(The<const Int>().value(), int64_t);
HAS_TYPE(Moved<Int>().value(), int64_t);
HAS_TYPE(The<const Int>().error(), Error);
HAS_TYPE(Moved<Int>().error(), Error);
HAS_TYPE(The<const Int>().value_or(1), int64_t);
HAS_TYPE(Moved<Int>().value_or(1), int64_t);
HAS_TYPE(The<const Int>().as_or_error<ffi::String>(), Expected<ffi::String>);
HAS_TYPE(Moved<Int>().as_or_error<ffi::Any>(), Expected<ffi::Any>);
HOLDS(sizeof(Int) == 16 && !std::is_default_constructible_v<Int>);

using Void = Expected<void>;
HOLDS(std::is_default_constructible_v<Void>&& std::is_convertible_v<Error, Void>);
HOLDS(std::is_convertible_v<Unexpected<Error>, Void>);
HAS_TYPE(The<const Void>().value(), void);
HAS_TYPE(The<const Void>().error(), Error);
HAS_TYPE(The<const Void>().is_ok(), bool);
HAS_TYPE(The<const Void>().is_err(), bool);
HAS_TYPE(The<const Void>().has_value(), bool);
HOLDS(ffi::type_subsumes_v<Int, Int> && !ffi::type_subsumes_v<Int, Expected<ffi::String>>);
HAS_TYPE(ffi::TypeTraits<Int>::TypeStr(), std::string);
HOLDS(ffi::TypeTraits<Int>::storage_enabled);

using ffi::detail::ExpectedUnsafe;
HAS_TYPE(ExpectedUnsafe::MoveFromTVMFFIAny<int64_t>(The<TVMFFIAny>()), Int);
HAS_TYPE(ExpectedUnsafe::MoveToTVMFFIAny<int64_t>(Moved<Int>()), TVMFFIAny);
HAS_TYPE(ExpectedUnsafe::GetData(The<Int>()), ffi::Any&&);
HAS_TYPE(ExpectedUnsafe::GetData(The<const Int>()), const ffi::Any&);
HAS_TYPE(ExpectedUnsafe::ValueAs<int64_t>(The<const Int>()), int64_t);
HAS_TYPE(ExpectedUnsafe::ValueAs<void>(The<const Void>()), void);
HOLDS(ffi::detail::is_expected_v<Int>&& ffi::detail::is_unexpected_v<Unexpected<>>);

Int Checked(int x) {
  if (x == 0) return TVM_FFI_UNEXPECTED(ValueError) << std::hex << x;
  TVM_FFI_RET_CHECK(x == 2, ValueError) << "text";
  TVM_FFI_RET_CHECK_LT(x, 2, ValueError) << "text";
  TVM_FFI_RET_CHECK_GT(x, 2, ValueError) << "text";
  TVM_FFI_RET_CHECK_LE(x, 2, ValueError) << "text";
  TVM_FFI_RET_CHECK_GE(x, 2, ValueError) << "text";
  TVM_FFI_RET_CHECK_EQ(x, 2, ValueError) << "text";
  TVM_FFI_RET_CHECK_NE(x, 2, ValueError) << "text";
  TVM_FFI_RET_ICHECK(x == 2) << "text";
  TVM_FFI_RET_ICHECK_LT(x, 2) << "text";
  TVM_FFI_RET_ICHECK_GT(x, 2) << "text";
  TVM_FFI_RET_ICHECK_LE(x, 2) << "text";
  TVM_FFI_RET_ICHECK_GE(x, 2) << "text";
  TVM_FFI_RET_ICHECK_EQ(x, 2) << "text";
  TVM_FFI_RET_ICHECK_NE(x, 2) << "text";
  Unexpected<Error> converted = TVM_FFI_UNEXPECTED(ValueError) << "text";
  return converted;
}
HOLDS(std::is_constructible_v<ffi::detail::UnexpectedBuilder, const char*, const char*, int,
                              const char*>);
