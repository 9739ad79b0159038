// SPDX-License-Identifier: Apache-2.0
// Global functions of strings and bytes.
#include <tvm/ffi/string.h>

#include "functions/functions.h"

namespace tvm::ffi::runtime {

void register_string_functions() {
  ShortDef().def("ffi.String", [](String text) { return text; }).def("ffi.Bytes", [](Bytes bytes) {
    return bytes;
  });
}

}  // namespace tvm::ffi::runtime
