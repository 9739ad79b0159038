// SPDX-License-Identifier: Apache-2.0
// Test the records of the nodes that an error passed through, and the paths to these nodes.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/tvm_ffi.h>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "caught.h"
#include "visit_graph.h"

namespace {

using namespace visit_graph;  // NOLINT(build/namespaces)
using Nodes = std::vector<const Object*>;
using Paths = std::vector<std::string>;

TVM_FFI_STATIC_INIT_BLOCK() { RegisterGraph(); }

// ---------------------------------------------------------------- records

TEST(VisitErrorContext, LayoutIsThePublishedOne) {
  EXPECT_EQ(sizeof(VisitErrorContextObj), 40u);
  namespace refl = tvm::ffi::reflection;
  const char* key = "ffi.VisitErrorContext";
  EXPECT_EQ(refl::GetFieldInfo(key, "reverse_visit_pattern")->offset, 24);
  EXPECT_EQ(refl::GetFieldInfo(key, "prev_error_context")->offset, 32);
  EXPECT_EQ(TVMFFIGetTypeInfo(TypeKeyToIndex(key))->metadata->total_size, 40);
  EXPECT_FALSE(VisitErrorContext::_type_is_nullable);
}

void FailInside(const ObjectRef& inner, const ObjectRef& outer, const Error& error) {
  TVM_FFI_VISIT_BEGIN();
  TVM_FFI_VISIT_BEGIN();
  throw error;
  TVM_FFI_VISIT_END(inner);
  TVM_FFI_VISIT_END(outer);
}

// spec: R09
TEST(VisitErrorContext, EndsOfVisitsBuildTheChainInPlace) {
  Node inner, outer;
  Error error("ValueError", "text", "");
  Error caught = Caught([&] { FailInside(inner, outer, error); });
  EXPECT_TRUE(caught.same_as(error));
  EXPECT_EQ(RecordedNodes(error), (Nodes{inner.get(), outer.get()}));
  EXPECT_FALSE((*VisitErrorContext::TryGetFromError(error))->prev_error_context.has_value());
  EXPECT_EQ(inner.use_count(), 2);
}

// spec: R09
TEST(VisitErrorContext, AForeignContextIsKept) {
  Node inner, outer;
  Array<Any> foreign{1};
  Error error("ValueError", "text", "", std::nullopt, foreign);
  EXPECT_FALSE(VisitErrorContext::TryGetFromError(error).has_value());
  Caught([&] { FailInside(inner, outer, error); });
  VisitErrorContext context = *VisitErrorContext::TryGetFromError(error);
  EXPECT_EQ(RecordedNodes(error), (Nodes{inner.get(), outer.get()}));
  EXPECT_TRUE((*context->prev_error_context).same_as(foreign));
  EXPECT_EQ(foreign.use_count(), 2);
}

TEST(VisitErrorContext, OtherExceptionsPassUnharmed) {
  Node node;
  auto fail = [&] {
    TVM_FFI_VISIT_BEGIN();
    throw std::runtime_error("other");
    TVM_FFI_VISIT_END(node);
  };
  EXPECT_THROW(fail(), std::runtime_error);
}

Expected<int> FailOrReturn(bool fails, const ObjectRef& node) {
  TVM_FFI_VISIT_BEGIN();
  if (fails) TVM_FFI_THROW(TypeError) << "failed";
  return 3;
  TVM_FFI_VISIT_END_RETURN_EXPECTED(node);
}

// spec: R09
TEST(VisitErrorContext, EndsOfVisitsReturnTheError) {
  Node node;
  EXPECT_EQ(FailOrReturn(false, node).value(), 3);
  Expected<int> failed = FailOrReturn(true, node);
  ASSERT_TRUE(failed.is_err());
  EXPECT_EQ(failed.error().kind(), "TypeError");
  EXPECT_EQ(RecordedNodes(failed.error()), Nodes{node.get()});
}

TEST(VisitErrorContext, ThrowBeginsARecord) {
  Node node;
  Error error = Caught([&] { TVM_FFI_VISIT_THROW(IndexError, node) << "at " << 5; });
  EXPECT_EQ(error.kind(), "IndexError");
  EXPECT_EQ(error.message(), "at 5");
  EXPECT_NE(error.backtrace().find("test_visit_error_context"), std::string::npos);
  EXPECT_EQ(RecordedNodes(error), Nodes{node.get()});
}

TEST(VisitErrorContext, UpdatesTakeObjectsAndNull) {
  Node node;
  Error error("ValueError", "text", "");
  detail::UpdateVisitErrorContext(error, AnyView(5));
  detail::UpdateVisitErrorContext(error, AnyView());
  EXPECT_FALSE(error.extra_context().has_value());
  detail::UpdateVisitErrorContext(error, AnyView(node));
  detail::UpdateVisitErrorContext(error, ObjectRef());
  detail::UpdateVisitErrorContext(AnyView(error).CopyToTVMFFIAny(), AnyView(node));
  EXPECT_EQ(RecordedNodes(error), (Nodes{node.get(), nullptr, node.get()}));
  EXPECT_EQ(node.use_count(), 3);
  VisitErrorContext context = detail::MakeVisitErrorContext(node);
  EXPECT_EQ(context->reverse_visit_pattern.size(), 1u);
}

TEST(VisitErrorContext, DroppingTheErrorReleasesTheNodes) {
  Node node;
  {
    Error error("ValueError", "text", "");
    for (int i = 0; i < 3; ++i) detail::UpdateVisitErrorContext(error, node);
    EXPECT_EQ(node.use_count(), 4);
  }
  EXPECT_EQ(node.use_count(), 1);
}

// ---------------------------------------------------------------- paths

Paths Find(const ObjectRef& root, std::initializer_list<ObjectRef> outermost_first,
           bool allow_prefix_match = false) {
  auto context = make_object<VisitErrorContextObj>();
  std::vector<ObjectRef> records(outermost_first);
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    context->reverse_visit_pattern.push_back(*record);
  }
  Paths paths;
  for (const reflection::AccessPath& path : VisitErrorContext::FindAccessPaths(
           root, VisitErrorContext(std::move(context)), allow_prefix_match)) {
    paths.emplace_back(ReprPrint(path));
  }
  return paths;
}

struct Graph {
  Node leaf{1};
  Node other{2};
  Array<Any> array{leaf, other};
  Node mid{leaf, array};
  Map<Any, Any> map{{String("k"), leaf}, {other, leaf}, {nullptr, other}};
  Node mid2{map, mid};
  Node root{mid, mid2};
};

// spec: R08
TEST(FindAccessPaths, TheRootAndExactChains) {
  Graph g;
  EXPECT_EQ(Find(g.root, {g.root}), Paths{"<root>"});
  EXPECT_EQ(Find(g.root, {g.root, g.mid2, g.mid, g.array, g.other}),
            Paths{"<root>.last.last.last[1]"});
  EXPECT_EQ(Find(g.mid, {g.mid, g.leaf}), (Paths{"<root>.first", "<root>.last[0]"}));
}

// spec: R08
TEST(FindAccessPaths, NodesInBetweenMayBeUnrecorded) {
  Graph g;
  EXPECT_EQ(Find(g.root, {g.mid2, g.other}), Paths{"<root>.last.last.last[1]"});
  EXPECT_EQ(Find(g.root, {g.root, g.mid, g.other}),
            (Paths{"<root>.first.last[1]", "<root>.last.last.last[1]"}));
}

TEST(FindAccessPaths, EveryPathIsFoundInOrder) {
  Graph g;
  Paths all = Find(g.root, {g.leaf});
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0], "<root>.first.first");
  EXPECT_EQ(all[1], "<root>.first.last[0]");
  EXPECT_EQ(all[2], "<root>.last.first[\"k\"]");
  EXPECT_EQ(all[4], "<root>.last.last.first");
  EXPECT_EQ(all[5], "<root>.last.last.last[0]");
}

TEST(FindAccessPaths, ContainersAreNodesToo) {
  Graph g;
  EXPECT_EQ(Find(g.array, {g.array, g.other}), Paths{"<root>[1]"});
  EXPECT_EQ(Find(List<Any>{g.mid}, {g.mid}), Paths{"<root>[0]"});
  EXPECT_EQ(Find(g.mid2, {g.map}), Paths{"<root>.first"});
  EXPECT_EQ(Find(Dict<Any, Any>{{1, g.leaf}}, {g.leaf}), Paths{"<root>[1]"});
}

TEST(FindAccessPaths, KeysAndEntriesOfNoneAreNotSearched) {
  Graph g;
  EXPECT_EQ(Find(g.map, {g.other}), Paths{});
}

TEST(FindAccessPaths, NullAndRepeatedRecordsDoNotCount) {
  Graph g;
  EXPECT_EQ(Find(g.mid, {g.mid, g.mid, ObjectRef(), g.mid, g.array, g.array, g.other, ObjectRef()}),
            Paths{"<root>.last[1]"});
  EXPECT_EQ(Find(g.root, {}), Paths{});
  EXPECT_EQ(Find(g.root, {ObjectRef()}), Paths{});
  EXPECT_EQ(Find(ObjectRef(), {g.root}), Paths{});
}

// spec: R08
TEST(FindAccessPaths, WithoutAMatchThereIsNone) {
  Graph g;
  EXPECT_EQ(Find(g.root, {g.leaf, g.mid}), Paths{});
  EXPECT_EQ(Find(g.root, {g.mid, Node(5)}), Paths{});
  EXPECT_EQ(Find(g.root, {Node(5)}, true), Paths{});
}

// spec: R08
TEST(FindAccessPaths, PrefixesGiveTheDeepestNodesMet) {
  Graph g;
  Node gone(5);
  EXPECT_EQ(Find(g.root, {g.mid, gone}, true), (Paths{"<root>.first", "<root>.last.last"}));
  EXPECT_EQ(Find(g.root, {g.root, gone}, true), Paths{"<root>"});
  EXPECT_EQ(Find(g.root, {g.root, g.mid2, g.array, gone}, true), Paths{"<root>.last.last.last"});
  // If a path goes through all given nodes, only such complete paths are returned.
  EXPECT_EQ(Find(g.root, {g.mid, g.other}, true),
            (Paths{"<root>.first.last[1]", "<root>.last.last.last[1]"}));
  EXPECT_EQ(Find(g.root, {gone, g.mid}, true), Paths{});
}

TEST(FindAccessPaths, TheGlobalFunctionIsTheSame) {
  Graph g;
  Function find = Function::GetGlobalRequired("ffi.VisitErrorContext.FindAccessPaths");
  Any paths = find(g.root, detail::MakeVisitErrorContext(g.mid2), false);
  EXPECT_EQ(std::string(ReprPrint(paths)), "(<root>.last,)");
  EXPECT_EQ(Caught([&] { find(5, detail::MakeVisitErrorContext(g.mid2), false); }).kind(),
            "TypeError");
}

TEST(FindAccessPaths, SharedPartsWithoutAMatchAreSearchedOnce) {
  Any part = Node(1);
  for (int i = 0; i < 60; ++i) part = Node(part, part);
  ObjectRef root = part.cast<ObjectRef>();
  EXPECT_EQ(Find(root, {root, Node(5)}), Paths{});
  EXPECT_EQ(Find(root, {root, Node(5)}, true), Paths{"<root>"});
}

TEST(FindAccessPaths, AnObjectIsNotSearchedInsideItself) {
  Node circle;
  Node below{Any(circle)};
  circle.get_mutable()->first = below;
  circle.get_mutable()->last = Array<Any>{below, 1};
  EXPECT_EQ(Find(circle, {below}), (Paths{"<root>.first", "<root>.last[0]"}));
  EXPECT_EQ(Find(circle, {below, Node(5)}), Paths{});
  circle.get_mutable()->first = nullptr;
  circle.get_mutable()->last = nullptr;
}

TEST(FindAccessPaths, AMillionLevelsAreSearched) {
  constexpr int kDepth = 1000000;
  Node leaf(1);
  Any chain = leaf;
  for (int i = 0; i < kDepth; ++i) chain = Array<Any>{chain};
  Array<reflection::AccessPath> paths = VisitErrorContext::FindAccessPaths(
      chain.cast<ObjectRef>(), detail::MakeVisitErrorContext(leaf));
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_EQ(paths[0]->depth, kDepth);
}

TEST(FindAccessPaths, TooManyLevelsAreAnError) {
  Any chain = Node(1);
  for (int i = 0; i < (1 << 20) + 1; ++i) chain = Array<Any>{chain};
  Error error = Caught([&] {
    VisitErrorContext::FindAccessPaths(chain.cast<ObjectRef>(),
                                       detail::MakeVisitErrorContext(Node(2)));
  });
  EXPECT_EQ(error.message(), "FindAccessPaths: maximum stack depth (1048576) exceeded");
}

// ---------------------------------------------------------------- errors of walks

TEST(FindAccessPaths, TheErrorOfAWalkLeadsToItsPlace) {
  Graph g;
  Error error = Caught([&] {
    StructuralWalk<WalkOrder::kPreOrder>(g.root, [&](const NodeObj* node) {
      if (node == g.other.get()) TVM_FFI_THROW(ValueError) << "here";
      return WalkResult::Advance();
    });
  });
  EXPECT_EQ(RecordedNodes(error), (Nodes{g.other.get(), g.array.get(), g.mid.get(), g.root.get()}));
  auto paths =
      VisitErrorContext::FindAccessPaths(g.root, *VisitErrorContext::TryGetFromError(error));
  EXPECT_EQ(std::string(ReprPrint(paths)), "(<root>.first.last[1], <root>.last.last.last[1])");
}

}  // namespace
