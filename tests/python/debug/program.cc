// SPDX-License-Identifier: Apache-2.0
// Values of all kinds for the tests of debuggers.
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdlib>
#include <string>

namespace ffi = tvm::ffi;

class PointObj : public ffi::Object {
 public:
  int32_t x = 3;
  double y = 0.5;
  bool on = true;
  ffi::String name = "origin";
  ffi::Array<int64_t> path = {1, 2};
  ffi::Any anything;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("debug.Point", PointObj, ffi::Object);
};

class Point : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Point, ffi::ObjectRef, PointObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<PointObj>()
      .def_ro("x", &PointObj::x)
      .def_ro("y", &PointObj::y)
      .def_ro("on", &PointObj::on)
      .def_ro("name", &PointObj::name)
      .def_ro("path", &PointObj::path)
      .def_ro("anything", &PointObj::anything);
}

struct Buffer {
  void AllocData(DLTensor* tensor) { tensor->data = memory; }
  void FreeData(DLTensor*) {}
  float memory[6] = {};
};

void stop_here(int arguments) {
  if (arguments > 1) std::abort();
}

int main(int argc, char**) {
  ffi::Any none, number = 42, truth = true, real = 2.5, text = ffi::String("short");
  ffi::Any bytes = ffi::Bytes("\x01\xff", 2), type = DLDataType{kDLFloat, 16, 4};
  ffi::Any device = DLDevice{kDLCUDA, 1}, pointer = static_cast<void*>(nullptr);
  ffi::Any held = ffi::Array<ffi::Any>{1, ffi::String("two")};
  ffi::AnyView view = "raw text";
  ffi::String small = "tiny", large = "a \"quoted\" text of more than seven bytes";
  ffi::Bytes raw("0123456789", 10);
  ffi::Array<int64_t> array = {1, 2, 3};
  ffi::List<ffi::Any> list;
  list.push_back(ffi::String("a"));
  list.push_back(nullptr);
  ffi::Map<ffi::String, ffi::Any> map = {{"one", 1}};
  ffi::Dict<int64_t, int64_t> dict;
  for (int64_t i = 0; i < 40; ++i) dict.Set(i, i * i);
  ffi::Array<ffi::Any> nested = {array, map, ffi::Array<ffi::Any>()};
  ffi::Tuple<int64_t, ffi::String> tuple(7, "seven");
  ffi::Shape shape = {2, 3, 4};
  int64_t extents[] = {2, 3};
  DLTensor plain{nullptr, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, extents, nullptr, 0};
  ffi::Tensor tensor =
      ffi::Tensor::FromNDAlloc(Buffer(), shape, DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0});
  ffi::Error error("ValueError", "no such thing", "");
  ffi::Function function = ffi::Function::FromTyped([](int64_t x) { return x; });
  ffi::Optional<int64_t> absent, present = 5;
  ffi::Optional<ffi::Array<int64_t>> no_array, an_array = array;
  ffi::Variant<int64_t, ffi::String> either = ffi::String("this");
  ffi::ObjectRef nothing;
  Point point(ffi::make_object<PointObj>());
  ffi::ObjectPtr<PointObj> owner = ffi::make_object<PointObj>();
  ffi::List<ffi::Any> knot;
  knot.push_back(knot);
  ffi::Any wild;
  reinterpret_cast<TVMFFIAny*>(&wild)->type_index = 70;
  reinterpret_cast<TVMFFIAny*>(&wild)->v_uint64 = 0x1230;
  if (plain.ndim != 2 || view.type_index() < 0) return 1;
  stop_here(argc);
  reinterpret_cast<TVMFFIAny*>(&wild)->type_index = 0;
  knot.clear();
  return 0;
}
