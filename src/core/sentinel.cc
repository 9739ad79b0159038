// SPDX-License-Identifier: Apache-2.0
// Two objects that are recognized by their address.
#include "core/sentinel.h"

#include <tvm/ffi/memory.h>

namespace tvm::ffi::runtime {

const ObjectRef& missing_object() {
  static const auto* sentinel = new ObjectRef(make_object<Object>());  // never destroyed
  return *sentinel;
}

const ObjectRef& kwargs_object() {
  static const auto* sentinel = new ObjectRef(make_object<Object>());  // never destroyed
  return *sentinel;
}

}  // namespace tvm::ffi::runtime
