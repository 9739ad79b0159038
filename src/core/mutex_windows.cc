// SPDX-License-Identifier: Apache-2.0
// The mutex of Windows: a slim reader/writer lock that is only locked exclusively.
#include "core/mutex.h"
#if defined(_WIN32)

#include "core/windows_api.h"

namespace tvm::ffi::runtime {

static_assert(sizeof(SRWLOCK) == sizeof(void*), "the state of a Mutex is an SRWLOCK");

void Mutex::lock() { AcquireSRWLockExclusive(reinterpret_cast<SRWLOCK*>(&state_)); }

void Mutex::unlock() { ReleaseSRWLockExclusive(reinterpret_cast<SRWLOCK*>(&state_)); }

}  // namespace tvm::ffi::runtime

#endif
