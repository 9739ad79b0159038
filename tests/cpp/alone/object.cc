// SPDX-License-Identifier: Apache-2.0
// Test that object.h alone is enough to throw and catch an Error.
#include <tvm/ffi/object.h>

namespace ffi = tvm::ffi;

namespace {

class LeafObj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("alone.Leaf", LeafObj, ffi::Object);
};
class Leaf : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Leaf, ffi::ObjectRef, LeafObj);
};

template <typename Body>
bool Throws(Body body, const std::string& message) {
  try {
    body();
  } catch (const ffi::Error& error) {
    return std::string(error.what()).find(message) != std::string::npos;
  }
  return false;
}

}  // namespace

int main() {
  bool ok = Throws([] { ffi::Object::TypeIndex2Key(1 << 30); }, "type_index");
  ok = ok && Throws([] { Leaf leaf{ffi::ObjectPtr<LeafObj>()}; }, "alone.Leaf");
  ok = ok && Throws([] { throw ffi::Error("ValueError", "text", "trace"); }, "text");
  ffi::ObjectRef none;
  return ok && !none.as<Leaf>().has_value() && none.GetTypeKey() == "None" ? 0 : 1;
}
