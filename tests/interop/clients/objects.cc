// SPDX-License-Identifier: Apache-2.0
// A client with object types, and with functions that inspect the types of the other side (side.h).
#include <string>
#include <utility>
#include <vector>

#include "side.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

// ---------------------------------------------------------------- types

// Both sides declare this class; the side that is loaded first registers it.
class BaseObj : public Object {
 public:
  int64_t id = 1;
  static constexpr bool _type_mutable = true;
  static constexpr uint32_t _type_child_slots = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("interop.Base", BaseObj, Object);
};

int64_t live_points = 0;

class PointObj : public BaseObj {
 public:
  double x = 0;
  int64_t y = 0;
  String label;
  Optional<ObjectRef> next;
  Array<int64_t> numbers;

  PointObj() { ++live_points; }
  PointObj(const PointObj& other) : BaseObj(other) {
    x = other.x, y = other.y, label = other.label, next = other.next, numbers = other.numbers;
    ++live_points;
  }
  ~PointObj() { --live_points; }

  double Sum(double more) const { return x + static_cast<double>(y) + more; }
  void MoveBy(double dx) { x += dx; }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO(INTEROP_KEY("Point"), PointObj, BaseObj);
};

class Point : public ObjectRef {
 public:
  explicit Point(double x) : Point(make_object<PointObj>()) { (*this)->x = x; }
  explicit Point(ObjectPtr<PointObj> data) : ObjectRef(std::move(data)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Point, ObjectRef, PointObj);
};

// A type whose only constructor has arguments.
class PairObj : public Object {
 public:
  PairObj(int64_t first, String second) : first(first), second(std::move(second)) {}
  int64_t first;
  String second;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(INTEROP_KEY("Pair"), PairObj, Object);
};

// A key type; two keys with the same number are equal.
class KeyObj : public Object {
 public:
  int64_t number = 0;
  explicit KeyObj(int64_t number) : number(number) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(INTEROP_KEY("Key"), KeyObj, Object);
};

int64_t HashOfKey(const Any& key) { return key.as<KeyObj>()->number; }
bool EqualKeys(const Any& a, const Any& b) {
  return a.as<KeyObj>()->number == b.as<KeyObj>()->number;
}

class CalculatorObj : public Object {
 public:
  int64_t base = 10;
  int64_t AddInt(int64_t value) const { return base + value; }
  String AddText(const String& value) const { return value + "+"; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(INTEROP_KEY("Calculator"), CalculatorObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PointObj>("A point made by one side.")
      .def_rw("x", &PointObj::x, "Where it is.")
      .def_rw("y", &PointObj::y, refl::DefaultValue(5), refl::Metadata{{"min", 0}})
      .def_ro("label", &PointObj::label, refl::default_value(String("unnamed")))
      .def_rw("next", &PointObj::next, refl::default_value(nullptr), refl::kw_only(true))
      .def_rw("numbers", &PointObj::numbers,
              refl::default_factory(Function::FromTyped([] { return Array<int64_t>{1, 2}; })))
      .def("sum", &PointObj::Sum)
      .def("move_by", &PointObj::MoveBy)
      .def_static("side", [] { return String(INTEROP_SIDE); });
  refl::ObjectDef<PairObj>()
      .def(refl::init<int64_t, String>())
      .def_ro("first", &PairObj::first)
      .def_ro("second", &PairObj::second);
  refl::ObjectDef<KeyObj>(refl::init(false)).def_ro("number", &KeyObj::number);
  refl::TypeAttrDef<KeyObj>()
      .native_fn_attr<&HashOfKey>(type_attr::kAnyHash)
      .native_fn_attr<&EqualKeys>(type_attr::kAnyEqual);
  refl::TypeAttrDef<PointObj>()
      .def("interop.maker", String(INTEROP_SIDE))
      .def("interop.describe", [](const PointObj* point) { return point->label; });
  refl::OverloadObjectDef<CalculatorObj>()
      .def_ro("base", &CalculatorObj::base)
      .def("add", &CalculatorObj::AddInt)
      .def("add", &CalculatorObj::AddText);
  refl::GlobalDef()
      .def(
          INTEROP_KEY("make_point"), [](double x) { return Point(x); }, "Makes a point.")
      .def_packed(INTEROP_KEY("count"), [](PackedArgs args, Any* result) { *result = args.size(); })
      .def_method(INTEROP_KEY("sum"), &PointObj::Sum);
}

// ---------------------------------------------------------------- making

Point make_point(double x, const String& label) {
  Point made(x);
  made->label = label;
  return made;
}
ObjectRef make_key(int64_t number) { return ObjectRef(make_object<KeyObj>(number)); }
int64_t live_point_count() { return live_points; }

ObjectRef create(const String& key, const Map<String, Any>& fields) {
  return refl::ObjectCreator(key.c_str())(fields).cast<ObjectRef>();
}

Any init(const String& key, const Array<Any>& args) {
  static const refl::TypeAttrColumn constructors("__ffi_init__");
  Function construct = constructors[TypeKeyToIndex(key.c_str())].cast<Function>();
  std::vector<AnyView> views(args.begin(), args.end());
  Any made;
  construct.CallPacked(views.data(), static_cast<int32_t>(views.size()), &made);
  return made;
}

// ---------------------------------------------------------------- reflection of any type

Array<String> field_names(const String& key) {
  Array<String> names;
  refl::ForEachFieldInfo(TVMFFIGetTypeInfo(TypeKeyToIndex(key.c_str())),
                         [&names](const TVMFFIFieldInfo* field) {
                           names.push_back(String(field->name.data, field->name.size));
                         });
  return names;
}

String field_metadata(const String& key, const String& name) {
  return String(refl::GetFieldInfo(key.c_str(), name.c_str())->metadata);
}

Any read_field(const ObjectRef& object, const String& name) {
  return refl::FieldGetter(object.GetTypeKey(), name.c_str())(object);
}

void write_field(const ObjectRef& object, const String& name, const Any& value) {
  refl::FieldSetter(object.GetTypeKey(), name.c_str())(object, value);
}

Any call_method(const Any& object, const String& name, const Array<Any>& args) {
  Function method = refl::GetMethod(object.GetTypeKey(), name.c_str());
  std::vector<AnyView> views{object};
  views.insert(views.end(), args.begin(), args.end());
  Any result;
  method.CallPacked(views.data(), static_cast<int32_t>(views.size()), &result);
  return result;
}

Any attr_of_type(const String& key, const String& name) {
  return refl::TypeAttrColumn(name.c_str())[TypeKeyToIndex(key.c_str())];
}

// Read a field of the common base class; this must also work for subclasses whose type index is
// outside the range that the base class has reserved.
int64_t id_of(const ObjectRef& object) {
  const BaseObj* base = object.as<BaseObj>();
  return base == nullptr ? -1 : base->id;
}
bool is_own_point(const ObjectRef& object) { return object.as<Point>().has_value(); }

// Look up a key in a map whose keys are of the other side's type.
int64_t look_up(const Any& first, const Any& second) {
  Map<Any, int64_t> map{{first, 1}};
  return map.Get(second).value_or(-1);
}

}  // namespace

INTEROP_EXPORT(make_point);
INTEROP_EXPORT(make_key);
INTEROP_EXPORT(live_point_count);
INTEROP_EXPORT(create);
INTEROP_EXPORT(init);
INTEROP_EXPORT(field_names);
INTEROP_EXPORT(field_metadata);
INTEROP_EXPORT(read_field);
INTEROP_EXPORT(write_field);
INTEROP_EXPORT(call_method);
INTEROP_EXPORT(attr_of_type);
INTEROP_EXPORT(id_of);
INTEROP_EXPORT(is_own_point);
INTEROP_EXPORT(look_up);
