// SPDX-License-Identifier: Apache-2.0
// Functions shared by arrays and lists.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/seq_base.h>

namespace tvm::ffi::runtime {

/*!
 * \brief Whether an element equals `value` in the sense of AnyEqual.
 *
 * A comparison may run a hook of a type, and the hook may change the list. So each element is
 * copied before its comparison, and the size is read again after it.
 */
inline bool contains(const SeqBaseObj* sequence, const Any& value) {
  for (int64_t i = 0; i < static_cast<int64_t>(sequence->size()); ++i) {
    Any element = sequence->at(i);
    if (AnyEqual()(element, value)) return true;  // may run a hook
  }
  return false;
}

}  // namespace tvm::ffi::runtime
