// SPDX-License-Identifier: Apache-2.0
// A class: its fields, its constructor and a method, registered once for all languages.
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>

#include <cmath>

namespace first_steps {

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

// The object with the fields and the reference count.
class PointObj : public ffi::Object {
 public:
  double x;
  double y;

  PointObj(double x, double y) : x(x), y(y) {}

  double Distance(double to_x, double to_y) const { return std::hypot(x - to_x, y - to_y); }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("first_steps.Point", PointObj, ffi::Object);
};

// A reference to a point object.
class Point : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Point, ffi::ObjectRef, PointObj);
};

// Gets a point from the caller, moves it, and returns the same object.
Point MoveRight(Point point, double by) {
  point->x += by;
  return point;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(move_right, MoveRight);

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PointObj>()
      .def(refl::init<double, double>())
      .def_rw("x", &PointObj::x, "distance to the right of the origin")
      .def_rw("y", &PointObj::y, "distance above the origin")
      .def("distance", &PointObj::Distance, "distance to the place (to_x, to_y)");
}

}  // namespace first_steps
