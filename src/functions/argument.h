// SPDX-License-Identifier: Apache-2.0
// An argument of a global function that traverses values.
#pragma once

#include "graph/walk.h"

namespace tvm::ffi::runtime {

/*!
 * \brief An argument that borrows its object. An additional reference would slow down the
 * traversal: an object with only one reference can be reached only once, so a traversal does not
 * put it into its tables.
 */
class Argument {
 public:
  explicit Argument(AnyView view) : bits_(view.CopyToTVMFFIAny()) {
    if (is_object(bits_)) return;
    owned_ = view;
    bits_ = raw(owned_);
  }
  const Any& value() const { return as_any(bits_); }

 private:
  TVMFFIAny bits_;
  Any owned_;
};

}  // namespace tvm::ffi::runtime
