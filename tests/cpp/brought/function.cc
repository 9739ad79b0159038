// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/function.h>

namespace ffi = tvm::ffi;

std::vector<std::unique_ptr<std::function<int(int)>>> functions;
std::string Text(const ffi::Function& f) {
  std::ostringstream text;
  text << f(1).cast<ffi::String>();
  return text.str();
}
