// SPDX-License-Identifier: Apache-2.0
// A library with methods and enums whose names and types are difficult for the Rust generator.
#include <tvm/ffi/enum.h>
#include <tvm/ffi/reflection/enum_def.h>
#include <tvm/ffi/reflection/overload.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <utility>

namespace {

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

class GaugeObj : public ffi::Object {
 public:
  int64_t level;
  explicit GaugeObj(int64_t level) : level(level) {}
  int64_t Raise(int64_t by) { return level += by; }
  static constexpr uint32_t _type_child_slots = 4;
  TVM_FFI_DECLARE_OBJECT_INFO("stubs.Gauge", GaugeObj, ffi::Object);

 private:
  // The field is not registered, so Rust does not know the layout.
  [[maybe_unused]] int64_t hidden_ = 0;
};

class Gauge : public ffi::ObjectRef {
 public:
  explicit Gauge(int64_t level) : Gauge(ffi::make_object<GaugeObj>(level)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Gauge, ffi::ObjectRef, GaugeObj);
};

class FineGaugeObj : public GaugeObj {
 public:
  explicit FineGaugeObj(int64_t level) : GaugeObj(level) {}
  int64_t RaiseFinely(int64_t by) { return level += 10 * by; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("stubs.FineGauge", FineGaugeObj, GaugeObj);
};

/// Methods whose names are difficult.
class NamesObj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("stubs.odd_names", NamesObj, ffi::Object);
};

/// Methods whose types are difficult.
class TypesObj : public ffi::Object {
 public:
  int64_t counter;
  explicit TypesObj(int64_t counter) : counter(counter) {}
  void CountUp() { ++counter; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("stubs.type", TypesObj, ffi::Object);
};

class ModeObj : public ffi::EnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("stubs.Mode", ModeObj, ffi::EnumObj);
};

class Mode : public ffi::Enum {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Mode, ffi::Enum, ModeObj);
};

constexpr const char* kDoc =
    "Return the level.\r\n\r\n    indented code\n\n```\nraw()\n```\n\n\tlast \u202e line";

void DefineGauge() {
  refl::ObjectDef<GaugeObj>("A gauge with a level.")
      .def(refl::init<int64_t>())
      .def_ro("level", &GaugeObj::level)
      .def("raise", &GaugeObj::Raise, "Raise the level, and return it.", refl::arg_names("by"))
      .def(
          "read", [](const Gauge& self) { return self->level; }, kDoc)
      .def("level", [](const Gauge& self) { return 100 * self->level; })
      .def_static("of_text",
                  [](const ffi::String& text) { return Gauge(static_cast<int64_t>(text.size())); });
  refl::ObjectDef<FineGaugeObj>()
      .def(refl::init<int64_t>())
      .def("raise", &FineGaugeObj::RaiseFinely);
}

void DefineNames() {
  auto number = [](int64_t value) { return [value](const NamesObj*) { return value; }; };
  refl::ObjectDef<NamesObj>()
      .def(refl::init<>())
      .def("type", number(0))
      .def("self", number(1))
      .def("clone", number(2))
      .def("a-b", number(3))
      .def("a b", number(4))
      .def("a_b", number(5))
      .def("+", number(6))
      .def("1st", number(7))
      .def("camelCase", number(8))
      .def("double__underscore", number(9))
      .def("new", number(10))
      .def("init", number(11))
      .def("try_into", number(12))
      .def("données", number(13))
      .def("from_x", number(14))
      .def("α", number(15))
      .def(
          "sum",
          [](const NamesObj*, int64_t a, int64_t b, int64_t c, int64_t d) {
            return 1000 * a + 100 * b + 10 * c + d;
          },
          refl::arg_names("self", "fn", "camelCase", "name"));
}

void DefineTypes() {
  using ffi::Any;
  using ffi::Optional;
  using ffi::String;
  refl::OverloadObjectDef<TypesObj>()
      .def(refl::init<int64_t>())
      .def(
          "twice", [](const TypesObj*, int64_t x) { return 2 * x; }, "Double a number.")
      .def(
          "twice", [](const TypesObj*, const String& x) { return x + x; }, "Double a text.")
      .def("count_up", &TypesObj::CountUp)
      .def_static("any", [](Any x) { return x; })
      .def_static("object", [](ffi::ObjectRef x) { return x; })
      .def_static("maybe_object", [](Optional<ffi::ObjectRef> x) { return x.has_value(); })
      .def_static("variant", [](ffi::Variant<int64_t, String> x) { return x; })
      .def_static("tuple", [](ffi::Tuple<int64_t, String> x) { return x; })
      .def_static("single", [](ffi::Tuple<int64_t> x) { return x; })
      .def_static("dict", [](ffi::Dict<String, int64_t> x) { return x; })
      .def_static("bare", [](ffi::Array<Any> x) { return x; })
      .def_static("maybe", [](Optional<ffi::Array<Optional<int64_t>>> x) { return x; })
      .def_static("bytes", [](ffi::Bytes x) { return x; })
      .def_static("device", [](DLDevice x) { return x; })
      .def_static("dtype", [](DLDataType x) { return x; })
      .def_static("shape", [](ffi::Shape x) { return x; })
      .def_static("tensor", [](ffi::Tensor x) { return x; })
      .def_static("apply", [](ffi::TypedFunction<int64_t(int64_t)> f, int64_t x) { return f(x); })
      .def_static("fail",
                  [](bool flag) {
                    if (flag) TVM_FFI_THROW(ValueError) << "the flag is set";
                  })
      .def_static("mode", [](Mode x) { return x; })
      .def_static("gauges", [](ffi::Array<Gauge> x) { return x[0]; })
      .def_static("many", [](int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f,
                             int64_t g, int64_t h, int64_t i,
                             int64_t j) { return a + b + c + d + e + f + g + h + i + j; });
}

void DefineMode() {
  refl::ObjectDef<ModeObj>(refl::init(false))
      .def_convert<Mode>()
      .def("index", [](const ModeObj* self) { return self->_int_index; });
  for (const char* name :
       {"fast", "type", "name", "a-b", "a_b", "+", "index", "ReLU", "", "default"}) {
    refl::EnumDef<ModeObj> entry(name);
  }
}

TVM_FFI_STATIC_INIT_BLOCK() {
  DefineGauge();
  DefineNames();
  DefineTypes();
  DefineMode();
}

}  // namespace
