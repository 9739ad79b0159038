// SPDX-License-Identifier: Apache-2.0
// What a call changes of the thread's environment while it runs: the stream of the device that its
// tensors are on, and the allocator of the framework that they came from.
#pragma once

#include <tvm/ffi/c_env_api.h>

#include "convert/convert.h"

namespace binding {

class Environment {
 public:
  // Sets what the context asks for. Test it with entered(): an exception is set where it failed.
  explicit Environment(const CallContext& context);
  // Restores. 0, or -1 with RuntimeError set; to be called once, before the destructor.
  int restore();
  // Restores what is not restored yet; keeps a set exception.
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  bool entered() const { return entered_; }
  // Whether a context asks for anything, or has a tensor that only some functions may get.
  static bool wanted(const CallContext& context) {
    return context.exchange_api != nullptr || context.has_device() || context.has_read_only;
  }

 private:
  int restore_stream();
  int restore_allocator();

  DLDevice device_{};  // type 0: no stream was set
  void* stream_before_ = nullptr;
  bool has_allocator_ = false;
  DLPackManagedTensorAllocator allocator_before_ = nullptr;
  bool entered_ = false;
};

// core._env_set_current_stream and core._env_get_current_stream.
int environment_init(PyObject* module);

}  // namespace binding
