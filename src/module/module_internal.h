// SPDX-License-Identifier: Apache-2.0
// What the library itself may do with a module beyond its public interface.
#ifndef TVM_FFI_SRC_MODULE_MODULE_INTERNAL_H_
#define TVM_FFI_SRC_MODULE_MODULE_INTERNAL_H_

#include <tvm/ffi/extra/module.h>

namespace tvm {
namespace ffi {

struct ModuleObj::InternalUnsafe {
  /*! \brief Where the reflected field `imports_` lies. */
  static constexpr auto imports_member() { return &ModuleObj::imports_; }
  /*! \brief The cache of import lookups; the caller holds the lock of import_lookup.cc. */
  static Map<String, Function>& import_lookup_cache(ModuleObj* module) {
    return module->import_lookup_cache_;
  }
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_MODULE_MODULE_INTERNAL_H_
