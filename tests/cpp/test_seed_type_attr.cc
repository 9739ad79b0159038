// SPDX-License-Identifier: Apache-2.0
// Programs that set and read type attributes under names that the programs choose.
#include <gtest/gtest.h>
#include <tvm/ffi/tvm_ffi.h>

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

class AddOp : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ir.Add", AddOp, Object);
  // Some programs declare this member; it hides the method of the same name.
  static inline const int32_t type_index = RuntimeTypeIndex();
};

class DivOp : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ir.Div", DivOp, Object);
};

bool HasTrait(const Object* node, const char* name) {
  return TypeAttrGet(std::string("ir_trait.") + name, node->type_index()) != nullptr;
}

int num_removed = 0;

void DCE(const Object* node) {
  if (HasTrait(node, "side_effect_free")) {
    // safe to remove if unused
    ++num_removed;
  }
}

void RegisterTraits() {
  // IR framework registers traits (no EnsureTypeAttrColumn needed)
  TypeAttrSet(AddOp::type_index, "ir_trait.commutative", true);
  TypeAttrSet(AddOp::type_index, "ir_trait.side_effect_free", true);
}

TEST(TypeAttrProposal, GeneralTier) {
  RegisterTraits();
  ObjectRef node(make_object<AddOp>());
  ObjectRef other(make_object<DivOp>());

  // Query: hash map lookup (~20-50 cycles)
  AnyView val = TypeAttrGet("ir_trait.commutative", node->type_index());
  EXPECT_TRUE(val.cast<bool>());
  EXPECT_EQ(TypeAttrGet("ir_trait.commutative", other->type_index()), nullptr);

  DCE(node.get());
  DCE(other.get());
  EXPECT_EQ(num_removed, 1);
}

TEST(TypeAttrProposal, Registry) {
  TypeAttrRegistry registry;
  registry.Set(AddOp::type_index, "ir_trait.fusible", 3);
  EXPECT_EQ(registry.Get("ir_trait.fusible", AddOp::type_index).cast<int>(), 3);
  EXPECT_EQ(TypeAttrGet("ir_trait.fusible", AddOp::type_index).cast<int>(), 3);
}

TEST(TypeAttrProposal, PerColumnMap) {
  RegisterTraits();
  ObjectRef node(make_object<AddOp>());

  // Cache the inner map once at startup
  static auto* commutative_map = &TypeAttrRegistry::Get("ir_trait.commutative");

  // Fast query: single hash lookup by type_index
  bool is_commutative = commutative_map->count(node->type_index());
  EXPECT_TRUE(is_commutative);
  EXPECT_FALSE(commutative_map->count(DivOp::RuntimeTypeIndex()));
}

TEST(TypeAttrProposal, HotBuiltinsLieInBothTiers) {
  Function hook = Function::FromTyped([](ObjectRef, ObjectRef, Function) { return true; });
  reflection::TypeAttrDef<DivOp>().attr("__structural_equal__", hook);
  int32_t type = DivOp::RuntimeTypeIndex();
  EXPECT_TRUE(TypeAttrColumn("__structural_equal__")[type].cast<Function>().same_as(hook));
  EXPECT_TRUE(TypeAttrGet("__structural_equal__", type).cast<Function>().same_as(hook));
}

}  // namespace
