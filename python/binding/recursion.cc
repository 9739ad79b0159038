// SPDX-License-Identifier: Apache-2.0
#include "recursion.h"

namespace binding {

#if PY_VERSION_HEX < 0x030E0000
BINDING_THREAD_LOCAL tvm::ffi::detail::CStackRange t_c_stack = {0, 0, false};

bool refuse_level(const char* where) {
  PyErr_Format(PyExc_RecursionError, "the C stack is nearly used up%s", where);
  return false;
}
#endif

}  // namespace binding
