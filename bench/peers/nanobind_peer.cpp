// SPDX-License-Identifier: Apache-2.0
// The operations of ffi_bench.py, exposed through nanobind.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/bind_map.h>
#include <nanobind/stl/bind_vector.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "peer_types.h"

namespace nb = nanobind;
using namespace nb::literals;

NB_MAKE_OPAQUE(IntVector)
NB_MAKE_OPAQUE(StrMap)

using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

NB_MODULE(nanobind_peer, m) {
  m.def("nop0", [] {});
  m.def("nop1", [](int64_t) {});
  m.def("nop3", [](int64_t, int64_t, int64_t) {});
  m.def("nop8", [](int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t) {});
  m.def("nop_args", [](nb::args) {});
  m.def("nop3_kw", [](int64_t, int64_t, int64_t) {}, "a"_a, "b"_a, "c"_a = 3);
  m.def("nop0_nogil", [] {}, nb::call_guard<nb::gil_scoped_release>());
  m.def("echo_int", [](int64_t x) { return x; });
  m.def("echo_float", [](double x) { return x; });
  m.def("echo_bool", [](bool x) { return x; });
  m.def("echo_any", [](nb::object x) { return x; }, nb::arg().none());
  m.def("echo_str", [](const std::string& x) { return x; });
  m.def("echo_bytes", [](nb::bytes x) { return nb::bytes(x.c_str(), x.size()); });
  m.def("echo_list", [](const std::vector<int32_t>& x) { return x; });
  m.def("echo_dict", [](const std::unordered_map<std::string, int32_t>& x) { return x; });
  m.def("echo_object", [](std::shared_ptr<IntPair> x) { return x; });
  m.def("nop_array", [](nb::ndarray<>) {});
  m.def("nop_3_arrays", [](nb::ndarray<>, nb::ndarray<>, nb::ndarray<>) {});
  m.def("nop_matrix", [](Matrix) {});
  m.def("nop_3_matrices", [](Matrix, Matrix, Matrix) {});
  m.def("apply", [](const std::function<int64_t(int64_t)>& f, int64_t x) { return f(x); });
  m.def("apply_any", [](nb::callable f, nb::object x) { return f(x); });
  m.def("fail", [](const std::string& text) { throw nb::value_error(text.c_str()); });
  m.def("call", [](nb::callable f) { return f(); });

  nb::class_<IntPair>(m, "IntPair")
      .def(nb::init<int64_t, int64_t>())
      .def_ro("a", &IntPair::a)
      .def_rw("b", &IntPair::b)
      .def("sum", &IntPair::sum);
  nb::class_<Point3>(m, "Point3")
      .def(nb::init<int64_t, double, std::string>(), "x"_a = 1, "y"_a = 2.0, "z"_a = "abc")
      .def_rw("x", &Point3::x)
      .def_rw("y", &Point3::y)
      .def_rw("z", &Point3::z)
      .def_rw("o", &Point3::o);
  nb::bind_vector<IntVector>(m, "IntVector");
  nb::bind_map<StrMap>(m, "StrMap");
}
