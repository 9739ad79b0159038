// SPDX-License-Identifier: Apache-2.0
// HookScope, which limits the nesting of hooks.
#include "graph/walk.h"

#include <tvm/ffi/error.h>

namespace tvm::ffi::runtime {
namespace {

thread_local int hook_depth = 0;

}  // namespace

HookScope::HookScope(const char* operation) {
  if (hook_depth >= kMaxHookDepth) {
    TVM_FFI_THROW(ValueError) << operation << ": hooks are nested more than " << kMaxHookDepth
                              << " deep";
  }
  ++hook_depth;
}

HookScope::~HookScope() { --hook_depth; }

}  // namespace tvm::ffi::runtime
