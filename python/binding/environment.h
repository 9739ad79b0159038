// SPDX-License-Identifier: Apache-2.0
// What a call changes in the environment of its thread: the current stream of a device, and the
// tensor allocator. The tensors among the arguments determine the device, the stream and, by their
// framework, the allocator. Both settings are restored after the call.
#pragma once

#include <tvm/ffi/c_env_api.h>

#include "convert/convert.h"

namespace binding {

class Environment {
 public:
  // Sets the stream and the allocator that `context` names. If entered() is false afterwards, the
  // constructor failed with an exception set.
  explicit Environment(const CallContext& context);
  // Restores the environment. Returns 0, or -1 with RuntimeError set. Call this once, before the
  // destructor.
  int restore();
  // Restores the environment if restore() was not called; keeps a set exception.
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  bool entered() const { return entered_; }
  // Returns whether a context needs a change of the environment, or has a read-only tensor, which
  // only some functions accept.
  static bool wanted(const CallContext& context) {
    return context.exchange_api != nullptr || context.has_device() || context.has_read_only;
  }

 private:
  int restore_stream();
  int restore_allocator();

  DLDevice device_{};  // device_type is 0 if no stream was set
  void* stream_before_ = nullptr;
  bool has_allocator_ = false;
  DLPackManagedTensorAllocator allocator_before_ = nullptr;
  bool entered_ = false;
};

// Adds core._env_set_current_stream and core._env_get_current_stream.
int environment_init(PyObject* module);

}  // namespace binding
