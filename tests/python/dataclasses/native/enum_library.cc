// SPDX-License-Identifier: Apache-2.0
// A library for Python tests with enums and type attributes that are defined in C++, and functions
// that read what Python has registered.
#include <tvm/ffi/enum.h>
#include <tvm/ffi/reflection/type_attr.h>
#include <tvm/ffi/tvm_ffi.h>

#include <string>
#include <string_view>

namespace ffi = tvm::ffi;

// The definitions below use these names without qualification.
using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

int64_t relu_compute(int64_t x) { return x < 0 ? 0 : x; }
int64_t gelu_compute(int64_t x) { return x * 2; }
Function relu_function() {
  static const Function function = Function::FromTyped(relu_compute);
  return function;
}
#define relu_fn relu_function()
#define gelu_fn Function::FromTyped(gelu_compute)

// ---- the full example

class ActivationObj : public ffi::Object {
 public:
  bool approximate = false;
  bool inplace = false;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("nn.Activation", ActivationObj, ffi::Object);
};

class Activation : public ffi::ObjectRef {
 public:
  static Activation Get(const std::string& name);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS(Activation, ffi::ObjectRef, ActivationObj);
};

Activation Activation::Get(const std::string& name) { return refl::EnumGet<Activation>(name); }

// Register type + fields
TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ActivationObj>()
      .as_enum()
      .def_ro("approximate", &ActivationObj::approximate)
      .def_ro("inplace", &ActivationObj::inplace);
  // Register entries
  refl::EnumEntry<ActivationObj>("ReLU");
  refl::EnumEntry<ActivationObj>("GeLU").set("approximate", true);
}

// Attach extensible attribute (from another file)
TVM_FFI_STATIC_INIT_BLOCK() {
  refl::EnumAttrDef<ActivationObj>("f_compute").set("ReLU", relu_fn).set("GeLU", gelu_fn);
}

void add_late_entry() { refl::EnumEntry<ActivationObj>("SiLU").set("inplace", true); }

void add_entry(const String& name) { refl::EnumEntry<ActivationObj>(name.c_str()); }

int64_t compute(const Activation& which, int64_t x) {
  EnumAttrMap<ActivationObj> f_compute("f_compute");
  Function fn = f_compute[which];
  return fn(x).cast<int64_t>();
}

void set_compute_of(const String& name, Function fn) {
  refl::EnumAttrDef<ActivationObj>("f_compute").set(name.c_str(), fn);
}

// ---- a class with a field for an enum

class LayerObj : public ffi::Object {
 public:
  Activation activation{Activation::Get("ReLU")};
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("nn.Layer", LayerObj, ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<LayerObj>().def_rw("activation", &LayerObj::activation);
}

// ---- the style of 0.1.15

class ModeObj : public EnumObj {
 public:
  int64_t weight = 1;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("nn.Mode", ModeObj, EnumObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ModeObj>(refl::init(false)).def_rw("weight", &ModeObj::weight);
  refl::EnumDef<ModeObj>("Fast").set_attr("code", 10);
  refl::EnumDef<ModeObj>("Slow").set_attr("code", 20);
}

void add_mode(const String& name) { refl::EnumDef<ModeObj>(name.c_str()); }

// ---- functions that read enums and attributes that Python has registered

int32_t index_of(const String& type_key) {
  TVMFFIByteArray key{type_key.data(), type_key.size()};
  int32_t type_index;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&key, &type_index));
  return type_index;
}

Any entry_of(const String& type_key, const String& name) {
  return detail::GetEnumEntry(index_of(type_key), name);
}

Any column_of(const String& type_key, const String& attribute) {
  return Any(refl::TypeAttrColumn(attribute.c_str())[index_of(type_key)]);
}

// Register an entry: read the map in the attribute, add the entry, and write the map back.
void write_back(const String& type_key, const String& attribute, const String& key, Any value) {
  auto entries =
      refl::TypeAttrColumn(attribute.c_str())[index_of(type_key)].cast<Map<String, Any>>();
  entries.Set(key, value);
  TVMFFIByteArray name{attribute.data(), attribute.size()};
  Any any(entries);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterAttr(index_of(type_key), &name,
                                                 detail::AnyUnsafe::TVMFFIAnyPtrFromAny(any)));
}

// ---- type attributes

class AddOp : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ir.AddOp", AddOp, ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<AddOp>();
  TypeAttrSet(AddOp::RuntimeTypeIndex(), "ir_trait.commutative", true);
  TypeAttrSet(AddOp::RuntimeTypeIndex(), "ir_trait.side_effect_free", true);
  TypeAttrSet(AddOp::RuntimeTypeIndex(), "fusible", String("with everything"));
}

std::string_view text_of(const String& text) { return {text.data(), text.size()}; }

Any trait_of(const String& name, const String& type_key) {
  return Any(TypeAttrGet(text_of(name), index_of(type_key)));
}

void set_trait(const String& type_key, const String& name, Any value) {
  TypeAttrSet(index_of(type_key), text_of(name), value);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::GlobalDef()
      .def("enum_library.activation_get", Activation::Get)
      .def("enum_library.add_late_entry", add_late_entry)
      .def("enum_library.add_entry", add_entry)
      .def("enum_library.compute", compute)
      .def("enum_library.set_compute_of", set_compute_of)
      .def("enum_library.make_layer",
           [](const Activation& which) {
             auto layer = make_object<LayerObj>();
             layer->activation = which;
             return ObjectRef(layer);
           })
      .def("enum_library.add_mode", add_mode)
      .def("enum_library.entry_of", entry_of)
      .def("enum_library.column_of", column_of)
      .def("enum_library.write_back", write_back)
      .def("enum_library.trait_of", trait_of)
      .def("enum_library.set_trait", set_trait);
}
