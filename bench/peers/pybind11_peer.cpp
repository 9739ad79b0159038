// SPDX-License-Identifier: Apache-2.0
// The operations of ffi_bench.py, exposed through pybind11.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl_bind.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "peer_types.h"

PYBIND11_MAKE_OPAQUE(IntVector)
PYBIND11_MAKE_OPAQUE(StrMap)

namespace py = pybind11;
using namespace py::literals;

PYBIND11_MODULE(pybind11_peer, m) {
  m.def("nop0", [] {});
  m.def("nop1", [](int64_t) {});
  m.def("nop3", [](int64_t, int64_t, int64_t) {});
  m.def("nop8", [](int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t) {});
  m.def("nop_args", [](py::args) {});
  m.def("nop3_kw", [](int64_t, int64_t, int64_t) {}, "a"_a, "b"_a, "c"_a = 3);
  m.def("nop0_nogil", [] {}, py::call_guard<py::gil_scoped_release>());
  m.def("echo_int", [](int64_t x) { return x; });
  m.def("echo_float", [](double x) { return x; });
  m.def("echo_bool", [](bool x) { return x; });
  m.def("echo_any", [](py::object x) { return x; });
  m.def("echo_str", [](const std::string& x) { return x; });
  m.def("echo_bytes", [](const py::bytes& x) { return py::bytes(std::string_view(x)); });
  m.def("echo_list", [](const std::vector<int32_t>& x) { return x; });
  m.def("echo_dict", [](const std::unordered_map<std::string, int32_t>& x) { return x; });
  m.def("echo_object", [](std::shared_ptr<IntPair> x) { return x; });
  m.def("nop_array", [](py::array) {});
  m.def("apply", [](const std::function<int64_t(int64_t)>& f, int64_t x) { return f(x); });
  m.def("apply_any", [](py::function f, py::object x) { return f(x); });
  m.def("fail", [](const std::string& text) { throw py::value_error(text); });
  m.def("call", [](py::function f) { return f(); });

  py::class_<IntPair, std::shared_ptr<IntPair>>(m, "IntPair")
      .def(py::init<int64_t, int64_t>())
      .def_readonly("a", &IntPair::a)
      .def_readwrite("b", &IntPair::b)
      .def("sum", &IntPair::sum);
  py::class_<Point3, std::shared_ptr<Point3>>(m, "Point3")
      .def(py::init<int64_t, double, std::string>(), "x"_a = 1, "y"_a = 2.0, "z"_a = "abc")
      .def_readwrite("x", &Point3::x)
      .def_readwrite("y", &Point3::y)
      .def_readwrite("z", &Point3::z)
      .def_readwrite("o", &Point3::o);
  py::bind_vector<IntVector>(m, "IntVector");
  py::bind_map<StrMap>(m, "StrMap");
}
