// SPDX-License-Identifier: Apache-2.0
// The parts of attach.h that are not on the fast path.
#include "attach.h"

namespace binding {

int g_detached = 0;

BINDING_THREAD_LOCAL PyThreadState* t_put_aside = nullptr;

void Attach::attach_unknown_thread() {
  if (!Py_IsInitialized()) {
    how_ = kRefused;
    return;
  }
  if (PyGILState_Check()) return;  // true in the thread that shuts the interpreter down
  if (refuses()) return;
  gil_state_ = PyGILState_Ensure();
  how_ = kEnsured;
}

}  // namespace binding
