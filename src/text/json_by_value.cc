// SPDX-License-Identifier: Apache-2.0
// json::Stringify as the headers of releases up to 0.1.12 call it: with the indent by value, in the
// layout that Optional<int> had then.
#include <tvm/ffi/extra/json.h>

#include "text/json_write.h"
#include "text/text_buffer.h"

#if !defined(_WIN32)  // compiled with another calling convention there

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Optional<int> of those releases; `value` is undefined when it is not present. */
struct OldOptionalInt {
  int32_t value;
  bool is_present;
};
static_assert(sizeof(OldOptionalInt) == 8 && alignof(OldOptionalInt) == 4, "layout of 0.1.12");

#define TVM_FFI_TEXT_OF_(x) #x
#define TVM_FFI_SYMBOL_PREFIX_(x) TVM_FFI_TEXT_OF_(x)

/*!
 * \brief Called under the name of `String Stringify(const Any&, Optional<int>)`.
 *
 * The optional is not trivially copyable: the caller makes it, passes its address and destroys it.
 * So a pointer is received in the same register.
 */
TVM_FFI_DLL_EXPORT String
stringify_by_value(const Any& value, const OldOptionalInt* indent) __asm__(
    TVM_FFI_SYMBOL_PREFIX_(__USER_LABEL_PREFIX__)  //
    "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE");

String stringify_by_value(const Any& value, const OldOptionalInt* indent) {
  TextBuffer out;
  append_json(value, indent->is_present ? indent->value : 0, &out);
  return out.finish();
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // !_WIN32
