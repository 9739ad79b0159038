// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/object.h>

namespace ffi = tvm::ffi;

class LeafObj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("brought.Leaf", LeafObj, ffi::Object);
};
class Leaf : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Leaf, ffi::ObjectRef, LeafObj);
};
std::optional<Leaf> AsLeaf(const ffi::ObjectRef& x) { return x.as<Leaf>(); }
std::string Key(const ffi::Object& x) { return x.GetTypeKey(); }
bool IsInt(const TVMFFIAny& x) { return ffi::TypeTraits<int64_t>::CheckAnyStrict(&x); }
