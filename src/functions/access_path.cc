// SPDX-License-Identifier: Apache-2.0
// Registers the types of access paths: fields, methods and text form.
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/access_path.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>

#include "functions/functions.h"

namespace tvm::ffi::runtime {
namespace {

namespace refl = reflection;
using refl::AccessKind;
using refl::AccessPath;
using refl::AccessPathObj;
using refl::AccessStep;
using refl::AccessStepObj;
using PrintPart = TypedFunction<String(AnyView)>;

bool is_missing(AccessKind kind) {
  return kind == AccessKind::kAttrMissing || kind == AccessKind::kArrayItemMissing ||
         kind == AccessKind::kMapItemMissing;
}

void append_step(const AccessStepObj* step, const PrintPart& print, std::string* out) {
  if (step->kind == AccessKind::kAttr) {
    *out += '.';
    std::optional<String> name = step->key.as<String>();
    *out += name.has_value() ? *name : print(step->key);
    return;
  }
  *out += is_missing(step->kind) ? "[<missing:" : "[";
  *out += print(step->key);
  *out += is_missing(step->kind) ? ">]" : "]";
}

String print_step(const AccessStepObj* step, const PrintPart& print) {
  std::string out;
  append_step(step, print, &out);
  return String(std::move(out));
}

String print_path(const AccessPathObj* path, const PrintPart& print) {
  std::string out = "<root>";
  for (const AccessStep& step : path->ToSteps()) append_step(step.get(), print, &out);
  return String(std::move(out));
}

void register_step() {
  refl::ObjectDef<AccessStepObj>(refl::init(false))
      .def_ro("kind", &AccessStepObj::kind)
      .def_ro("key", &AccessStepObj::key)
      .def_type_attr("__ffi_repr__", print_step);
}

void register_path() {
  refl::ObjectDef<AccessPathObj>(refl::init(false))
      .def_ro("parent", &AccessPathObj::parent)
      .def_ro("step", &AccessPathObj::step)
      .def_ro("depth", &AccessPathObj::depth)
      .def_static("_root", &AccessPath::Root, refl::short_call())
      .def("_extend", &AccessPathObj::Extend, refl::short_call())
      .def("_attr", &AccessPathObj::Attr, refl::short_call())
      .def("_array_item", &AccessPathObj::ArrayItem, refl::short_call())
      .def("_map_item", &AccessPathObj::MapItem, refl::short_call())
      .def("_attr_missing", &AccessPathObj::AttrMissing, refl::short_call())
      .def("_array_item_missing", &AccessPathObj::ArrayItemMissing, refl::short_call())
      .def("_map_item_missing", &AccessPathObj::MapItemMissing, refl::short_call())
      .def("_is_prefix_of", &AccessPathObj::IsPrefixOf, refl::short_call())
      .def("_to_steps", &AccessPathObj::ToSteps, refl::short_call())
      .def("_path_equal", &AccessPathObj::PathEqual, refl::short_call())
      .def_type_attr("__ffi_repr__", print_path);
}

}  // namespace

void register_access_path_types() {
  register_step();
  register_path();
}

}  // namespace tvm::ffi::runtime
