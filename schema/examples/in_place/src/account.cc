// SPDX-License-Identifier: Apache-2.0
#include <demo/account.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

namespace demo {

// tschema: @registration *.Owner
Owner::Owner(ffi::String name) : ffi::ObjectRef(ffi::make_object<OwnerNode>(std::move(name))) {}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<OwnerNode>().def_ro("name", &OwnerNode::name, "What they are called.");
}
// tschema: end sum=29643274

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<AccountNode>()
      .def_rw("owner", &AccountNode::owner)
      .def_rw("balance", &AccountNode::balance, refl::default_value(0));
}

}  // namespace demo
