// SPDX-License-Identifier: Apache-2.0
// Conversion of borrowed values from the C ABI to owned values.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/string.h>

#include <string_view>

#include "core/error_slot.h"

namespace tvm::ffi::runtime {

/*! \brief Whether the pointer in a view can be used. True for views that contain no pointer. */
inline bool has_target(const TVMFFIAny& view) {
  if (view.type_index >= kTVMFFIStaticObjectBegin) return view.v_obj != nullptr;
  switch (view.type_index) {
    case kTVMFFIRawStr:
      return view.v_c_str != nullptr;
    case kTVMFFIByteArrayPtr:
      return view.v_ptr != nullptr && well_formed(*static_cast<TVMFFIByteArray*>(view.v_ptr));
    case kTVMFFIObjectRValueRef:
      return view.v_ptr != nullptr;
    default:
      return true;
  }
}

/*! \brief Whether a small string or bytes value records more bytes than fit into a value. */
inline bool is_overlong(const TVMFFIAny& view) {
  bool is_small = view.type_index == kTVMFFISmallStr || view.type_index == kTVMFFISmallBytes;
  return is_small && view.small_str_len >= sizeof(view.v_bytes);
}

/*!
 * \brief Make an owned value from a view: add a reference to an object, copy a borrowed text, or
 * move the object out of an rvalue reference.
 * \return 0, or -1 with ValueError raised when a pointer in the view is NULL, or a small string or
 * small bytes are longer than 7 bytes. May throw Error.
 */
inline int make_owned(const TVMFFIAny& view, std::string_view parameter, Any* out) {
  if (!has_target(view)) {
    return raise("ValueError", {"The pointer inside `", parameter, "` must not be NULL"});
  }
  if (is_overlong(view)) {
    return raise("ValueError",
                 {"`", parameter, "` holds small text or bytes of more than 7 bytes"});
  }
  *out = AnyView::CopyFromTVMFFIAny(view);
  return 0;
}

}  // namespace tvm::ffi::runtime
