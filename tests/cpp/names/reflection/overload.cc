// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/overload.h>

#include "../use.h"

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

class BoxObj : public ffi::Object {
 public:
  explicit BoxObj(int64_t x) : value(x) {}
  BoxObj(int64_t x, int64_t y) : value(x + y) {}
  int64_t value;
  int64_t Add(int64_t x) const { return value + x; }
  double AddFloat(double x) const { return static_cast<double>(value) + x; }
  static int64_t Zero() { return 0; }
  TVM_FFI_DECLARE_OBJECT_INFO("names.Box", BoxObj, ffi::Object);
};
HAS_TYPE(The<refl::OverloadObjectDef<BoxObj>>().def_ro("value", &BoxObj::value),
         refl::OverloadObjectDef<BoxObj>&);
void Register() {
  refl::OverloadObjectDef<BoxObj>()
      .def(refl::init<int64_t>())
      .def(refl::init<int64_t, int64_t>(), "Doc.")
      .def_ro("value", &BoxObj::value)
      .def_rw("again", &BoxObj::value)
      .def("add", &BoxObj::Add, "Doc.")
      .def("add", &BoxObj::AddFloat)
      .def_static("zero", &BoxObj::Zero);
}
