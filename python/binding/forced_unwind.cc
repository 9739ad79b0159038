// SPDX-License-Identifier: Apache-2.0
// Stops the unwinding of threads that CPython ends during its shutdown.
//
// CPython up to 3.13 calls pthread_exit in a daemon thread that asks for the GIL after the shutdown
// has begun. With glibc, pthread_exit unwinds the stack of the thread and runs the destructors of
// all C++ frames. In frames of this extension, these destructors would release Python objects
// without the GIL. In a `noexcept` frame of a native library, the unwinding would end the process.
// Such a thread sleeps for ever instead, as in CPython 3.14.
//
// The compiler names the function __gxx_personality_v0 as the handler of each frame that has
// something to do when it is unwound. The linker option `--wrap` (cmake/Build/Python.cmake)
// replaces that function by the one below for the frames of this extension. Python code that native
// code calls always runs below such a frame: the one that took the GIL.
#include <unistd.h>

#include "compat.h"

#if defined(__ELF__)

#include <unwind.h>

extern "C" {

_Unwind_Reason_Code __real___gxx_personality_v0(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class exception_class,
                                                _Unwind_Exception* exception,
                                                _Unwind_Context* context);

_Unwind_Reason_Code __wrap___gxx_personality_v0(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class exception_class,
                                                _Unwind_Exception* exception,
                                                _Unwind_Context* context) {
  if ((actions & _UA_FORCE_UNWIND) != 0 && binding::compat_is_shut_down()) {
    for (;;) pause();
  }
  return __real___gxx_personality_v0(version, actions, exception_class, exception, context);
}

}  // extern "C"

#endif
