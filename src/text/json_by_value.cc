// SPDX-License-Identifier: Apache-2.0
// The function json::Stringify for the headers of releases up to 0.1.12. These headers pass the
// indent by value, as an Optional<int> with the layout of these releases.
#include <tvm/ffi/extra/json.h>

#include "text/json_write.h"
#include "text/text_buffer.h"

#if !defined(_WIN32)  // Windows uses another calling convention

namespace tvm::ffi::runtime {

/*! \brief Optional<int> up to release 0.1.12. `value` is undefined if `is_present` is false. */
struct OldOptionalInt {
  int32_t value;
  bool is_present;
};
static_assert(sizeof(OldOptionalInt) == 8 && alignof(OldOptionalInt) == 4, "layout of 0.1.12");

#define TVM_FFI_TEXT_OF_(x) #x
#define TVM_FFI_SYMBOL_PREFIX_(x) TVM_FFI_TEXT_OF_(x)

/*!
 * \brief Implements the symbol of `String Stringify(const Any&, Optional<int>)`.
 *
 * The type of the optional is not trivially copyable. So the caller makes the optional, passes its
 * address, and destroys it. The parameter `indent` receives this address.
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

}  // namespace tvm::ffi::runtime

#endif  // !_WIN32
