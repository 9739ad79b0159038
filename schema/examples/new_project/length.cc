// SPDX-License-Identifier: Apache-2.0
#include <shapes/shapes.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/reflection/registry.h>

#include <cmath>

namespace shapes {

double Length(const Path& path) {
  double sum = 0;
  for (size_t i = 1; i < path->points.size(); ++i) {
    Point a = path->points[i - 1];
    Point b = path->points[i];
    sum += std::hypot(b->x - a->x, b->y - a->y);
  }
  return sum;
}

Path Line(double x, double y) { return Path({Point(0.0), Point(x, y)}); }

}  // namespace shapes

TVM_FFI_STATIC_INIT_BLOCK() {
  ::tvm::ffi::reflection::GlobalDef()
      .def("example.length", shapes::Length)
      .def("example.line", shapes::Line);
}
