// SPDX-License-Identifier: Apache-2.0
// Access to private members of modules, for the runtime.
#pragma once

#include <tvm/ffi/extra/module.h>

namespace tvm::ffi {

struct ModuleObj::InternalUnsafe {
  /*! \brief Return the member pointer for the reflected field `imports_`. */
  static constexpr auto imports_member() { return &ModuleObj::imports_; }
  /*! \brief Return the cache of import lookups. The caller must hold the lock of
   * import_lookup.cc. */
  static Map<String, Function>& import_lookup_cache(ModuleObj* module) {
    return module->import_lookup_cache_;
  }
};

}  // namespace tvm::ffi
