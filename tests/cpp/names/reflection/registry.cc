// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/reflection/registry.h>

#include <string_view>
#include <utility>
#include <vector>

#include "../use.h"

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;
using ffi::Any;
using ffi::Object;
using ffi::ObjectRef;
using ffi::String;

struct UserTrait : refl::InfoTrait {
  void Apply(refl::FieldInfoBuilder* info) const { info->metadata_.clear(); }
  void Apply(refl::MethodInfoBuilder* info) const { info->metadata_.clear(); }
};
HOLDS(std::is_base_of_v<TVMFFIFieldInfo, refl::FieldInfoBuilder>);
HOLDS(std::is_base_of_v<TVMFFIMethodInfo, refl::MethodInfoBuilder>);
using Pairs = std::vector<std::pair<String, Any>>;
SAME_TYPE(refl::_MetadataType, Pairs);
template <typename T>
inline constexpr bool is_trait_v = std::is_base_of_v<refl::InfoTrait, T>;
HOLDS(is_trait_v<refl::Metadata>&& is_trait_v<refl::DefaultValue>);
HOLDS(is_trait_v<refl::DefaultFactory>&& is_trait_v<refl::AttachFieldFlag>);
HAS_TYPE(refl::AttachFieldFlag::SEqHashDefPattern(), refl::AttachFieldFlag);
HAS_TYPE(refl::AttachFieldFlag::SEqHashDefSimple(), refl::AttachFieldFlag);
HAS_TYPE(refl::AttachFieldFlag::SEqHashIgnore(), refl::AttachFieldFlag);

class PointObj : public Object {
 public:
  explicit PointObj(ffi::UnsafeInit) {}
  PointObj(int64_t a, String b) : x(a), name(std::move(b)) {}
  int64_t x = 0;
  int64_t y = 0;
  String name;
  int64_t Sum() const { return x + y; }
  void Move(int64_t by) { x += by; }
  void Move(int64_t by, String) { y += by; }
  int64_t Move(int64_t by) const { return by; }
  static int64_t Zero() { return 0; }
  TVM_FFI_DECLARE_OBJECT_INFO("names.Point", PointObj, Object);
};
class Point : public ObjectRef {
 public:
  int64_t X() const { return get()->x; }
  void Reset() {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Point, ObjectRef, PointObj);
};
HOLDS(refl::detail::HasContainerType<Point> && !refl::detail::HasContainerType<int>);
int64_t Hash(const Any&) { return 1; }

void RegisterGlobals() {
  auto packed = [](ffi::PackedArgs, Any*) {};
  HAS_TYPE(The<refl::GlobalDef>().def("a", Hash), refl::GlobalDef&);
  refl::GlobalDef()
      .def("names.typed", Hash, "Doc.", refl::Metadata{{"arg_names", "value"}}, refl::short_call())
      .def_packed("names.packed", packed, "Doc.")
      .def_method("names.x", &Point::X)
      .def_method("names.reset", &Point::Reset)
      .def_method("names.sum", &PointObj::Sum, refl::Metadata{{"arg_defaults", "[]"}});
}
void RegisterObject() {
  HOLDS(!std::is_copy_constructible_v<refl::ObjectDef<PointObj>>);
  HOLDS(!std::is_move_constructible_v<refl::ObjectDef<PointObj>>);
  refl::ObjectDef<PointObj>("Doc.", refl::init(false));
  refl::ObjectDef<PointObj>()
      .def_ro("x", &PointObj::x, "Doc.", refl::DefaultValue(1), refl::repr(false))
      .def_ro("x2", &PointObj::x, refl::default_value(1), refl::compare(false), refl::hash(false))
      .def_ro("x3", &PointObj::x, refl::default_(1), refl::kw_only(true), refl::init(false))
      .def_ro("x4", &PointObj::x, refl::default_factory([] { return 1; }), UserTrait())
      .def_ro("x5", &PointObj::x, refl::DefaultFactory(The<ffi::Function>()))
      .def_rw("y", &PointObj::y, refl::AttachFieldFlag(1), refl::Metadata{{"min", 0}, {"on", true}})
      .def_rw("name", &PointObj::name, refl::AttachFieldFlag::SEqHashIgnore())
      .def("sum", &PointObj::Sum, "Doc.", refl::short_call())
      .def("move", refl::overload_cast<int64_t, String>(&PointObj::Move))
      .def("moved", refl::overload_cast<int64_t>(&PointObj::Move, refl::const_))
      .def_static("zero", &PointObj::Zero)
      .def_type_attr("names.attr", 1)
      .def_type_attr("names.hook", Hash)
      .def_convert<Point>()
      .def(refl::init<int64_t, String>(), "Doc.");
}
HOLDS(refl::const_.value);
using Free = void (*)(int64_t);
HAS_TYPE(refl::overload_cast<int64_t>(The<Free>()), Free);
void RegisterAttributes() {
  using ffi::type_attr::kAnyHash;
  using ffi::type_attr::kTypeFinal;
  refl::TypeAttrDef<PointObj>()
      .def("names.other", 1)
      .def("names.hook2", Hash)
      .def_convert<Point>()
      .attr(kTypeFinal, true)
      .attr("names.third", 3)
      .native_fn_attr<&Hash>(kAnyHash);
  refl::EnsureTypeAttrColumn(std::string_view("names.column"));
  refl::EnsureTypeAttrColumn(kAnyHash);
}
HOLDS(std::is_integral_v<
      decltype(refl::GetFieldByteOffsetToObject<PointObj, int64_t>(&PointObj::x))>);
