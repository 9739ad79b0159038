// SPDX-License-Identifier: Apache-2.0
// A program that defines an enum in C++ and uses all features of the enum interface.
#include <gtest/gtest.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cassert>

namespace ffi = tvm::ffi;

// Names that the code below uses without qualification, as in the guide from which it is copied.
namespace {
using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

int64_t relu_compute(int64_t x) { return x < 0 ? 0 : x; }
int64_t gelu_compute(int64_t x) { return x * 2; }
int64_t relu_gradient(int64_t x) { return x < 0 ? 0 : 1; }
// Return a function; the first call makes it. A static initialisation block below may call this
// function before the variables of this file are initialised.
Function relu_function() {
  static const Function function = Function::FromTyped(relu_compute);
  return function;
}
#define relu_fn relu_function()
}  // namespace

// ---------------------------------------------------------------- Define the Object type

namespace {

class ActivationObj : public ffi::Object {
 public:
  bool approximate = false;
  bool inplace = false;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("nn.Activation", ActivationObj, ffi::Object);
};

class Activation : public ffi::ObjectRef {
 public:
  /*! \brief Look up a registered entry by name. */
  static Activation Get(const std::string& name);

  TVM_FFI_DEFINE_OBJECT_REF_METHODS(Activation, ffi::ObjectRef, ActivationObj);
};

// Find the entry in the map of the type attribute.
Activation Activation::Get(const std::string& name) {
  auto entries = TypeAttrColumn("__enum_entries__")[ActivationObj::RuntimeTypeIndex()]
                     .cast<Map<String, ObjectRef>>();
  return entries.at(name).as_or_throw<Activation>();
}

// ---------------------------------------------------------------- Register fields, mark as enum

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;

  // Register type + fields (like ObjectDef for @c_class)
  refl::ObjectDef<ActivationObj>()
      .as_enum()  // marks as enum type
      .def_ro("approximate", &ActivationObj::approximate)
      .def_ro("inplace", &ActivationObj::inplace);
}

// ---------------------------------------------------------------- Register entries

// file: activations_core.cc
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::EnumEntry<ActivationObj>("ReLU");  // all defaults
  refl::EnumEntry<ActivationObj>("GeLU").set("approximate", true);
}

// file: activations_extra.cc (different file, different library)
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::EnumEntry<ActivationObj>("SiLU").set("inplace", true);
}

// ---------------------------------------------------------------- Extensible attributes

// file: compute_registry.cc
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::EnumAttrDef<ActivationObj>("f_compute").set("ReLU", relu_fn).set("GeLU", gelu_compute);
}

// file: gradient_registry.cc (different file)
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::EnumAttrDef<ActivationObj>("f_gradient").set("ReLU", relu_gradient);
}

TEST(EnumProposal, Query) {
  // By name (the primary access pattern — like Op::Get)
  Activation relu = Activation::Get("ReLU");
  EXPECT_FALSE(relu->approximate);  // false
  EXPECT_FALSE(relu->inplace);      // false

  Activation gelu = Activation::Get("GeLU");
  EXPECT_TRUE(gelu->approximate);  // true

  // Identity comparison
  assert(relu.same_as(Activation::Get("ReLU")));
  EXPECT_TRUE(relu.same_as(Activation::Get("ReLU")));
  EXPECT_TRUE(Activation::Get("SiLU")->inplace);
  // EnumGet<Activation> does the same as Activation::Get, which this file defines.
  EXPECT_TRUE(refl::EnumGet<Activation>("ReLU").same_as(relu));
}

TEST(EnumProposal, ExtensibleAttributes) {
  Activation relu = Activation::Get("ReLU");
  EnumAttrMap<ActivationObj> f_compute("f_compute");
  Function fn = f_compute[relu];
  EXPECT_TRUE(fn.same_as(relu_fn));
  EXPECT_EQ(fn(-3).cast<int64_t>(), 0);
  EXPECT_EQ(refl::EnumAttrMap<ActivationObj>("f_gradient")[relu].cast<Function>()(2).cast<int>(),
            1);
}

/*! \brief Call the C function of this name with an attribute name and a value of C++ types. */
void TVMFFITypeRegisterAttr(int32_t type_index, std::string_view name, AnyView value) {
  TVMFFIByteArray bytes{name.data(), name.size()};
  TVMFFIAny raw = value.CopyToTVMFFIAny();
  TVM_FFI_CHECK_SAFE_CALL(::TVMFFITypeRegisterAttr(type_index, &bytes, &raw));
}

// spec: M10
TEST(EnumProposal, RegistersViaTypeAttrByReadModifyWrite) {
  int32_t type_index = ActivationObj::RuntimeTypeIndex();
  ObjectRef singleton(make_object<ActivationObj>());
  const char* name_ = "Tanh";

  // Read existing entries Map from TypeAttr
  auto entries = TypeAttrColumn("__enum_entries__")[type_index].cast<Map<String, ObjectRef>>();
  // Add new entry
  entries.Set(String(name_), singleton);
  // Write back
  TVMFFITypeRegisterAttr(type_index, "__enum_entries__", entries);

  EXPECT_TRUE(Activation::Get("Tanh").same_as(singleton));
  EXPECT_TRUE(Activation::Get("ReLU").defined());
  EXPECT_TRUE(FromJSONGraph(ToJSONGraph(singleton)).same_as(singleton));
  EXPECT_EQ(ReprPrint(singleton), "nn.Activation.Tanh");
}

}  // namespace
