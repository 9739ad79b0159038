// SPDX-License-Identifier: Apache-2.0
// Test access paths and their steps: building, comparing, splitting, printing and reflection.
#include <gtest/gtest.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/reflection/access_path.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;
using refl::AccessKind;
using refl::AccessPath;
using refl::AccessPathObj;
using refl::AccessPathPair;
using refl::AccessStep;
using refl::AccessStepObj;

std::string Text(const Any& value) { return ReprPrint(value); }

AccessPath Sample() {
  return AccessPath::Root()->Attr("a")->ArrayItem(0)->MapItem("k")->MapItem(3);
}

Any CallMethod(const char* name, const AccessPath& path) {
  return refl::GetMethod("ffi.reflection.AccessPath", name)(path);
}

template <typename T>
Any CallMethod(const char* name, const AccessPath& path, const T& arg) {
  return refl::GetMethod("ffi.reflection.AccessPath", name)(path, arg);
}

TEST(AccessPath, RootHasNoParentAndNoStep) {
  AccessPath root = AccessPath::Root();
  EXPECT_EQ(root->depth, 0);
  EXPECT_FALSE(root->parent.has_value());
  EXPECT_FALSE(root->step.has_value());
  EXPECT_FALSE(root->GetParent().has_value());
  EXPECT_EQ(root->ToSteps().size(), 0u);
}

// spec: L22
TEST(AccessPath, ShortcutsMakeTheirKinds) {
  AccessPath root = AccessPath::Root();
  struct {
    AccessPath path;
    AccessStep step;
    AccessKind kind;
    Any key;
  } cases[] = {
      {root->Attr("x"), AccessStep::Attr("x"), AccessKind::kAttr, String("x")},
      {root->AttrMissing("x"), AccessStep::AttrMissing("x"), AccessKind::kAttrMissing, String("x")},
      {root->ArrayItem(7), AccessStep::ArrayItem(7), AccessKind::kArrayItem, 7},
      {root->ArrayItemMissing(7), AccessStep::ArrayItemMissing(7), AccessKind::kArrayItemMissing,
       7},
      {root->MapItem(1.5), AccessStep::MapItem(1.5), AccessKind::kMapItem, 1.5},
      {root->MapItemMissing(1.5), AccessStep::MapItemMissing(1.5), AccessKind::kMapItemMissing,
       1.5},
      {root->MapItemMissing(), AccessStep::MapItemMissing(), AccessKind::kMapItemMissing, Any()},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(one.path->depth, 1);
    EXPECT_EQ((*one.path->step)->kind, one.kind);
    EXPECT_TRUE(AnyEqual()((*one.path->step)->key, one.key));
    EXPECT_TRUE((*one.path->step)->StepEqual(one.step));
    EXPECT_TRUE(one.path->PathEqual(root->Extend(one.step)));
    EXPECT_TRUE((*one.path->GetParent())->PathEqual(root));
  }
}

TEST(AccessPath, StepsAreEqualByKindAndKey) {
  EXPECT_TRUE(AccessStep::MapItem(String("long enough to be an object"))
                  ->StepEqual(AccessStep::MapItem(String("long enough to be an object"))));
  EXPECT_FALSE(AccessStep::ArrayItem(1)->StepEqual(AccessStep::MapItem(1)));
  EXPECT_FALSE(AccessStep::MapItem(1)->StepEqual(AccessStep::MapItem(1.0)));
  EXPECT_FALSE(AccessStep::ArrayItem(1)->StepEqual(AccessStep::ArrayItemMissing(1)));
  EXPECT_TRUE(AccessStep::MapItem(std::nan(""))->StepEqual(AccessStep::MapItem(std::nan(""))));
}

TEST(AccessPath, ExtendingSharesTheParent) {
  AccessPath root = AccessPath::Root();
  AccessPath a = root->Attr("a"), b = root->Attr("b");
  EXPECT_TRUE((*a->GetParent()).same_as(root));
  EXPECT_TRUE((*b->GetParent()).same_as(root));
  EXPECT_EQ(root.use_count(), 3);
}

// spec: L22
TEST(AccessPath, StepsComeRootFirstAndMakeThePathAgain) {
  AccessPath path = Sample();
  Array<AccessStep> steps = path->ToSteps();
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(Text(steps), "(.a, [0], [\"k\"], [3])");
  EXPECT_TRUE(AccessPath::FromSteps(steps)->PathEqual(path));
  std::vector<AccessStep> vector(steps.begin(), steps.end());
  EXPECT_TRUE(AccessPath::FromSteps(vector.begin(), vector.end())->PathEqual(path));
  EXPECT_TRUE(AccessPath::FromSteps(Array<AccessStep>())->PathEqual(AccessPath::Root()));
}

// spec: L22
TEST(AccessPath, EqualityIsByStepsNotByIdentity) {
  EXPECT_TRUE(Sample()->PathEqual(Sample()));
  AccessPath path = Sample();
  EXPECT_TRUE(path->PathEqual(path));
  EXPECT_FALSE(path->PathEqual(*path->GetParent()));
  EXPECT_FALSE(path->PathEqual((*path->GetParent())->MapItem(4)));
  EXPECT_FALSE(AccessPath::Root()->Attr("a")->Attr("x")->PathEqual(
      AccessPath::Root()->Attr("b")->Attr("x")));
}

// spec: L22
TEST(AccessPath, PrefixesAreItselfAndWhatItExtends) {
  AccessPath path = Sample();
  EXPECT_TRUE(path->IsPrefixOf(path));
  EXPECT_TRUE(path->IsPrefixOf(Sample()));
  for (Optional<AccessPath> up = path; up.has_value(); up = (*up)->GetParent()) {
    EXPECT_TRUE((*up)->IsPrefixOf(path));
    EXPECT_EQ(path->IsPrefixOf(*up), (*up)->depth == path->depth);
  }
  EXPECT_FALSE(AccessPath::Root()->Attr("b")->IsPrefixOf(path));
  EXPECT_FALSE(path->ArrayItem(1)->IsPrefixOf(path));
}

// spec: L22
TEST(AccessPath, PrintsAsItIsWritten) {
  AccessPath root = AccessPath::Root();
  EXPECT_EQ(Text(root), "<root>");
  EXPECT_EQ(Text(Sample()), "<root>.a[0][\"k\"][3]");
  EXPECT_EQ(Text(root->AttrMissing("z")), "<root>[<missing:\"z\">]");
  EXPECT_EQ(Text(root->ArrayItemMissing(4)), "<root>[<missing:4>]");
  EXPECT_EQ(Text(root->MapItemMissing("z")), "<root>[<missing:\"z\">]");
  EXPECT_EQ(Text(root->MapItemMissing()), "<root>[<missing:None>]");
  EXPECT_EQ(Text(root->MapItem(Array<Any>{1, 2})), "<root>[(1, 2)]");
  EXPECT_EQ(Text(root->MapItem("a\"b\n")), "<root>[\"a\\\"b\\n\"]");
  EXPECT_EQ(Text(AccessStep::Attr("a")), ".a");
  EXPECT_EQ(Text(AccessStep::ArrayItem(2)), "[2]");
  EXPECT_EQ(Text(Array<Any>{root, Sample()}), "(<root>, <root>.a[0][\"k\"][3])");
}

TEST(AccessPath, StepsMadeEmptyPrintToo) {
  Any step = Function::GetGlobalRequired("ffi.MakeObjectFromPackedArgs")(
      "ffi.reflection.AccessStep", "kind", 0, "key", nullptr);
  EXPECT_EQ(Text(step), ".None");
  Any odd = Function::GetGlobalRequired("ffi.MakeObjectFromPackedArgs")("ffi.reflection.AccessStep",
                                                                        "kind", 99, "key", 1);
  EXPECT_EQ(Text(odd), "[1]");
}

// If the parent of a path is not an access path, the path has only its own step.
TEST(AccessPath, PathsOverForeignParentsAreRead) {
  auto path = AccessPathObj(Optional<ObjectRef>(Array<Any>{1}), AccessStep::Attr("a"), 1);
  EXPECT_FALSE(path.GetParent().has_value());
  EXPECT_EQ(path.ToSteps().size(), 1u);
  EXPECT_FALSE(path.PathEqual(AccessPath::Root()->Attr("a")));
  EXPECT_FALSE(path.IsPrefixOf(AccessPath::Root()->Attr("a")->Attr("b")));
}

TEST(AccessPath, HundredThousandStepsNeedNoStack) {
  constexpr int kSteps = 100000;
  AccessPath path = AccessPath::Root(), other = AccessPath::Root();
  for (int i = 0; i < kSteps; ++i) path = path->ArrayItem(i);
  for (int i = 0; i < kSteps; ++i) other = other->ArrayItem(i);
  EXPECT_TRUE(path->PathEqual(other));
  EXPECT_TRUE(path->IsPrefixOf(other->Attr("x")));
  EXPECT_EQ(path->ToSteps().size(), static_cast<size_t>(kSteps));
  EXPECT_EQ(Text(path).substr(0, 15), "<root>[0][1][2]");
}

TEST(AccessPath, MethodsForFrontends) {
  AccessPath root = refl::GetMethod("ffi.reflection.AccessPath", "_root")().cast<AccessPath>();
  EXPECT_EQ(root->depth, 0);
  EXPECT_EQ(Text(CallMethod("_extend", root, AccessStep::Attr("e"))), "<root>.e");
  EXPECT_EQ(Text(CallMethod("_attr", root, "a")), "<root>.a");
  EXPECT_EQ(Text(CallMethod("_array_item", root, 1)), "<root>[1]");
  EXPECT_EQ(Text(CallMethod("_map_item", root, "k")), "<root>[\"k\"]");
  EXPECT_EQ(Text(CallMethod("_attr_missing", root, "a")), "<root>[<missing:\"a\">]");
  EXPECT_EQ(Text(CallMethod("_array_item_missing", root, 1)), "<root>[<missing:1>]");
  EXPECT_EQ(Text(CallMethod("_map_item_missing", root, "k")), "<root>[<missing:\"k\">]");
  EXPECT_TRUE(CallMethod("_is_prefix_of", root, Sample()).cast<bool>());
  EXPECT_FALSE(CallMethod("_path_equal", root, Sample()).cast<bool>());
  EXPECT_EQ(CallMethod("_to_steps", Sample()).cast<Array<AccessStep>>().size(), 4u);
}

TEST(AccessPath, FieldsAndAttributesAreRegistered) {
  const TVMFFIFieldInfo* kind = refl::GetFieldInfo("ffi.reflection.AccessStep", "kind");
  EXPECT_EQ(kind->offset, 24);
  EXPECT_EQ(kind->size, 4);
  EXPECT_EQ(refl::GetFieldInfo("ffi.reflection.AccessStep", "key")->offset, 32);
  EXPECT_EQ(refl::GetFieldInfo("ffi.reflection.AccessPath", "parent")->offset, 24);
  EXPECT_EQ(refl::GetFieldInfo("ffi.reflection.AccessPath", "step")->offset, 32);
  EXPECT_EQ(refl::GetFieldInfo("ffi.reflection.AccessPath", "depth")->offset, 40);
  for (int32_t index : {AccessStepObj::RuntimeTypeIndex(), AccessPathObj::RuntimeTypeIndex()}) {
    const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(index);
    ASSERT_NE(type->metadata, nullptr);
    EXPECT_EQ(type->metadata->total_size, 48);
    EXPECT_EQ(type->metadata->structural_eq_hash_kind, kTVMFFISEqHashKindConstTreeNode);
    EXPECT_NE(type->metadata->creator, nullptr);
    EXPECT_EQ(refl::TypeAttrColumn("__ffi_init__")[index].type_index(), kTVMFFINone);
    EXPECT_EQ(refl::TypeAttrColumn("__ffi_repr__")[index].type_index(), kTVMFFIFunction);
    EXPECT_EQ(refl::TypeAttrColumn("__ffi_shallow_copy__")[index].type_index(), kTVMFFIFunction);
    EXPECT_TRUE(refl::TypeAttrColumn("__ffi_type_final__")[index].cast<bool>());
  }
}

TEST(AccessPath, PairsAreTuples) {
  AccessPathPair pair(AccessPath::Root()->Attr("a"), AccessPath::Root());
  Any value = pair;
  EXPECT_EQ(Text(value), "(<root>.a, <root>)");
  EXPECT_TRUE(value.cast<AccessPathPair>().get<0>()->PathEqual(AccessPath::Root()->Attr("a")));
}

}  // namespace
