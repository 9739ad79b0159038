// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/base_detail.h>

#include "use.h"

namespace ffi = tvm::ffi;

TVM_FFI_INLINE int Inlined(int x) { return x; }
TVM_FFI_NO_INLINE int NotInlined(int x) { return x; }
TVM_FFI_COLD_CODE void Cold();
int Hints(int x) {
  TVM_FFI_UNSAFE_ASSUME(x > 0);
  if (TVM_FFI_PREDICT_TRUE(x == 1)) return 1;
  if (TVM_FFI_PREDICT_FALSE(x == 2)) return 2;
  TVM_FFI_UNREACHABLE();
}
int TVM_FFI_STR_CONCAT(Con, cat)() { return 0; }
HAS_TYPE(Concat(), int);
int TVM_FFI_STR_CONCAT_(Con, cat2)() { return 0; }
HAS_TYPE(Concat2(), int);
const char* Signature() { return TVM_FFI_FUNC_SIG; }

TVM_FFI_STATIC_INIT_BLOCK() { (void)Inlined(1); }
namespace {
TVM_FFI_STATIC_INIT_BLOCK() { (void)NotInlined(1); }
}  // namespace

struct Copied {
  TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(Copied);
};
HOLDS(std::is_copy_constructible_v<Copied>&& std::is_nothrow_move_constructible_v<Copied>);
HOLDS(std::is_copy_assignable_v<Copied>&& std::is_nothrow_move_assignable_v<Copied>);

void Logged() {
  TVM_FFI_LOG_EXCEPTION_CALL_BEGIN();
  Hints(1);
  TVM_FFI_LOG_EXCEPTION_CALL_END(Logged);
}
void ClearPadding(TVMFFIAny* value) { TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(value); }

void Detail(const TVMFFIAny* small) {
  ffi::detail::for_each([](size_t, auto&&) {}, 1, "two");
  ffi::details::for_each([](size_t, auto&&) {});
  HAS_TYPE(ffi::detail::StableHashCombine(The<uint64_t>(), 1), uint64_t);
  HAS_TYPE(ffi::detail::StableHashBytes(The<const void*>(), The<size_t>()), uint64_t);
  HAS_TYPE(ffi::detail::StableHashSmallStrBytes(small), uint64_t);
}
