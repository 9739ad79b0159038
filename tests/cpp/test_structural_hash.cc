// SPDX-License-Identifier: Apache-2.0
// Test the structural hash: consistency with structural equality, and the hash values in
// container_vectors.h. test_container_layout.cc checks the hashes of single values.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "caught.h"
#include "container_vectors.h"
#include "libstdcxx.h"
#include "structural_objects.h"

namespace {

using namespace structural_objects;  // NOLINT(build/namespaces)

uint64_t HashOf(const Any& value, bool map_free_vars = false) {
  return StructuralHash::Hash(value, map_free_vars);
}

uint64_t Combine(uint64_t hash, uint64_t value) {
  return hash ^ (value + 0x9e3779b9 + (hash << 6) + (hash >> 2));
}

template <typename T>
uint64_t KeyHash() {
  return TVMFFIGetTypeInfo(T::RuntimeTypeIndex())->type_key_hash;
}

uint64_t OfInt(int64_t value) { return Combine(kTVMFFIInt, static_cast<uint64_t>(value)); }
const uint64_t kOfNone = Combine(kTVMFFINone, 0);

uint64_t OfArray(const std::vector<uint64_t>& parts) {
  uint64_t hash = Combine(TVMFFIGetTypeInfo(kTVMFFIArray)->type_key_hash, parts.size());
  for (uint64_t part : parts) hash = Combine(hash, part);
  return hash;
}

// ---------------------------------------------------------------- the format

TEST(StructuralHash, ContainersHaveThePublishedHashes) {
  SKIP_WITHOUT_LIBSTDCXX();
  std::map<std::string, Any> values = {
      {"Array[1,2,3]", Array<Any>{1, 2, 3}},
      {"List[1,2,3]", List<Any>{1, 2, 3}},
      {"Array[]", Array<Any>()},
      {"Map{a:1,b:2}", Map<Any, Any>{{String("a"), 1}, {String("b"), 2}}},
      {"Map{b:2,a:1}", Map<Any, Any>{{String("b"), 2}, {String("a"), 1}}},
      {"Dict{a:1,b:2}", Dict<Any, Any>{{String("a"), 1}, {String("b"), 2}}},
      {"Shape(2,3)", Shape({2, 3})},
      {"Array[abc,1.5,None]", Array<Any>{String("abc"), 1.5, nullptr}},
  };
  ASSERT_EQ(golden::kStructuralHashes.size(), values.size());
  for (const golden::StructuralHash& want : golden::kStructuralHashes) {
    ASSERT_EQ(values.count(want.value), 1u) << want.value;
    EXPECT_EQ(HashOf(values[want.value]), want.hash) << want.value;
  }
}

TEST(StructuralHash, ObjectsMixTheirTypeKeyAndFields) {
  uint64_t pair = Combine(Combine(KeyHash<TreeObj>(), OfInt(1)), OfInt(2));
  EXPECT_EQ(HashOf(Tree(1, 2)), pair);
  EXPECT_EQ(HashOf(Array<Any>{Tree(1, 2)}), OfArray({pair}));
  EXPECT_EQ(HashOf(ConstTree(1)), Combine(Combine(KeyHash<ConstTreeObj>(), OfInt(1)), kOfNone));
  EXPECT_EQ(HashOf(Unique(1)), Combine(Combine(KeyHash<UniqueObj>(), OfInt(1)), kOfNone));
  EXPECT_EQ(HashOf(Commented(1, "x")), Combine(KeyHash<CommentedObj>(), OfInt(1)));
}

TEST(StructuralHash, VariablesCountInDefinitionsAndAreTheirAddressElsewhere) {
  Var x(1, "x");
  uint64_t of_fields = Combine(KeyHash<VarObj>(), OfInt(1));
  uint64_t address = reinterpret_cast<uintptr_t>(x.get());
  EXPECT_EQ(HashOf(x), address);
  EXPECT_EQ(HashOf(x, true), Combine(of_fields, 0));
  EXPECT_EQ(HashOf(Array<Any>{x, Var(1), x}, true),
            OfArray({Combine(of_fields, 0), Combine(of_fields, 1), Combine(of_fields, 0)}));
  uint64_t first = Combine(of_fields, 0);
  EXPECT_EQ(HashOf(Function1(Array<Any>{x}, x)),
            Combine(Combine(KeyHash<Function1Obj>(), OfArray({first})), first));
  // `x` is used before its definition, so it is hashed as a free variable: by its address.
  EXPECT_EQ(HashOf(Array<Any>{x, Function1(x, x)}),
            OfArray({address, Combine(Combine(KeyHash<Function1Obj>(), address), address)}));
}

TEST(StructuralHash, SimpleDefinitionsAreOfTheVariableAlone) {
  Var type(1);
  Var x{Any(type)};
  uint64_t address = reinterpret_cast<uintptr_t>(type.get());
  uint64_t of_x = Combine(Combine(KeyHash<VarObj>(), address), 0);
  EXPECT_EQ(HashOf(SimpleFunction(x, x)),
            Combine(Combine(KeyHash<SimpleFunctionObj>(), of_x), of_x));
  uint64_t of_type = Combine(Combine(KeyHash<VarObj>(), OfInt(1)), 0);
  of_x = Combine(Combine(KeyHash<VarObj>(), of_type), 1);
  EXPECT_EQ(HashOf(Function1(x, x)), Combine(Combine(KeyHash<Function1Obj>(), of_x), of_x));
}

TEST(StructuralHash, DagNodesCount) {
  uint64_t fields = Combine(Combine(KeyHash<DagObj>(), OfInt(1)), kOfNone);
  Dag shared(1);
  EXPECT_EQ(HashOf(shared), Combine(fields, 0));
  EXPECT_EQ(HashOf(Array<Any>{shared, shared}), OfArray({Combine(fields, 0), Combine(fields, 0)}));
  EXPECT_EQ(HashOf(Array<Any>{Dag(1), Dag(1)}), OfArray({Combine(fields, 0), Combine(fields, 1)}));
}

uint64_t OfMap(const std::vector<uint64_t>& parts, size_t size) {
  uint64_t hash = Combine(TVMFFIGetTypeInfo(kTVMFFIMap)->type_key_hash, size);
  for (uint64_t part : parts) hash = Combine(hash, part);
  return hash;
}

// If the key of an entry is an object, the entry contributes to the hash of the map only if the key
// was hashed before, as another part of the value. If the key is a container or a shape, the entry
// never contributes.
TEST(StructuralHash, KeysCountWhenTheirHashIsKnown) {
  Tree key(1, 2);
  uint64_t of_key = HashOf(key);
  Map<Any, Any> map{{key, 5}};
  EXPECT_EQ(HashOf(map), OfMap({}, 1));
  EXPECT_EQ(HashOf(Array<Any>{key, map}), OfArray({of_key, OfMap({of_key, OfInt(5)}, 1)}));
  Array<Any> array{1};
  EXPECT_EQ(HashOf(Array<Any>{array, array, Map<Any, Any>{{array, 5}}}),
            OfArray({HashOf(array), HashOf(array), OfMap({}, 1)}));
  Shape shape({1});
  EXPECT_EQ(HashOf(Array<Any>{shape, Map<Any, Any>{{shape, 5}}}),
            OfArray({HashOf(shape), OfMap({}, 1)}));
  EXPECT_EQ(HashOf(Map<Any, Any>{{Function::FromTyped([] {}), 5}}), OfMap({}, 1));
}

TEST(StructuralHash, EntriesComeInTheOrderOfTheirKeyHashes) {
  Map<Any, Any> map;
  std::vector<std::pair<uint64_t, uint64_t>> parts;
  for (int i = 0; i < 50; ++i) {
    map.Set(i * 7919 % 50, Array<Any>{i});
    parts.emplace_back(OfInt(i * 7919 % 50), OfArray({OfInt(i)}));
  }
  std::sort(parts.begin(), parts.end());
  std::vector<uint64_t> flat;
  for (const auto& part : parts) flat.insert(flat.end(), {part.first, part.second});
  EXPECT_EQ(HashOf(map), OfMap(flat, 50));
}

// `one` and `two` are different strings with the same hash.
TEST(StructuralHash, ValuesOfCollidingKeysAreLeftOut) {
  String one("a");
  std::string other(8, '\0');
  // The hash of a string is computed modulo 2147483647. A first word with this value is 0 modulo
  // this number, so it does not change the hash.
  uint64_t word = 2147483647u;
  for (int i = 0; i < 8; ++i) other[i] = static_cast<char>(word >> (8 * i));
  String two(other + "a");
  ASSERT_EQ(AnyHash()(Any(one)), AnyHash()(Any(two)));
  EXPECT_EQ(HashOf(Map<Any, Any>{{one, 1}, {two, 2}}), OfMap({HashOf(one)}, 2));
  EXPECT_EQ(HashOf(Map<Any, Any>{{one, 1}, {two, Unsupported(2)}}), OfMap({HashOf(one)}, 2));
}

TEST(StructuralHash, KeysThatAreNotANumberHashByTheirBits) {
  EXPECT_NE(HashOf(Map<Any, Any>{{std::nan(""), 1}}), HashOf(Map<Any, Any>{{-std::nan(""), 1}}));
  EXPECT_EQ(HashOf(std::nan("")), HashOf(-std::nan("")));
}

TEST(StructuralHash, TheFunctionObjectHasTheDefaults) {
  EXPECT_EQ(StructuralHash()(Tree(1)), HashOf(Tree(1)));
}

// ---------------------------------------------------------------- consistency

// Makes random values. Two generators with the same seed make equal values that consist of
// different objects and have unordered entries in a different order.
class Generator {
 public:
  Generator(uint32_t seed, bool reverse) : random_(seed), reverse_(reverse) {}

  Any value(int depth) {
    switch (number(depth > 0 ? 14 : 6)) {
      case 0:
        return Any();
      case 1:
        return number(3);
      case 2:
        return number(2) == 1;
      case 3:
        return number(3) == 0 ? std::nan("") : number(3) * 0.5;
      case 4:
        return String(std::string(static_cast<size_t>(number(12)), 'x'));
      case 5:
        return uses_.empty() ? Any(Shape({number(3)}))
                             : uses_[static_cast<size_t>(number(uses_.size()))];
      case 6:
        return elements<Array<Any>>(depth);
      case 7:
        return elements<List<Any>>(depth);
      case 8:
        return entries<Map<Any, Any>>(depth);
      case 9:
        return entries<Dict<Any, Any>>(depth);
      case 10:
        return Tree(value(depth - 1), value(depth - 1));
      case 11:
        return function(depth);
      case 12:
        return shared(Dag(value(depth - 1)));
      default:
        return ConstTree(number(3), Commented(number(2), reverse_));
    }
  }

 private:
  int64_t number(size_t limit) { return static_cast<int64_t>(random_() % limit); }

  Any shared(Any value) {
    uses_.push_back(value);
    return value;
  }

  template <typename Sequence>
  Any elements(int depth) {
    Sequence result;
    for (int64_t i = number(4); i > 0; --i) result.push_back(value(depth - 1));
    return result;
  }

  template <typename Mapping>
  Any entries(int depth) {
    std::vector<std::pair<Any, Any>> pairs;
    for (int64_t i = 0, n = number(7); i < n; ++i) pairs.emplace_back(i * 3, value(depth - 1));
    if (reverse_) std::reverse(pairs.begin(), pairs.end());
    Mapping result;
    for (const auto& pair : pairs) result.Set(pair.first, pair.second);
    return result;
  }

  Any function(int depth) {
    size_t num_uses = uses_.size();
    Any var = shared(Var(value(0)));
    Any result = number(2) == 0 ? Any(Function1(var, value(depth - 1)))
                                : Any(SimpleFunction(var, value(depth - 1)));
    if (number(2) == 0) uses_.resize(num_uses);
    return result;
  }

  std::mt19937 random_;
  bool reverse_;
  std::vector<Any> uses_;
};

// spec: P01
TEST(StructuralHash, EqualValuesHaveEqualHashes) {
  std::map<uint64_t, int> hashes;
  int num_equal = 0;
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    Any lhs = Generator(seed, false).value(5), rhs = Generator(seed, true).value(5);
    for (bool map_free_vars : {false, true}) {
      SCOPED_TRACE(seed);
      bool equal = StructuralEqual::Equal(lhs, rhs, map_free_vars);
      EXPECT_EQ(StructuralEqual::GetFirstMismatch(lhs, rhs, map_free_vars).has_value(), !equal);
      if (!equal) continue;
      EXPECT_EQ(HashOf(lhs, map_free_vars), HashOf(rhs, map_free_vars));
      ++num_equal;
    }
    EXPECT_TRUE(StructuralEqual::Equal(lhs, lhs));
    ++hashes[HashOf(lhs, true)];
  }
  EXPECT_GT(hashes.size(), 700u);
  EXPECT_GT(num_equal, 3000);
}

// References from outside to parts of a value do not change its hash.
TEST(StructuralHash, ReferencesFromOutsideDoNotMatter) {
  hash_hook() = [](const Any& self, int64_t init, const Hash& hash) {
    const auto* object = self.as<HookedObj>();
    init = hash(object->first, init, 0);
    return hash(object->first.as<TreeObj>()->first, init, 0);
  };
  std::vector<Any> kept;
  auto value = [&](bool keep) {
    Var x(1);
    Dag dag(x);
    Tree tree{Array<Any>{dag, x}};
    if (keep) kept.insert(kept.end(), {x, dag, tree});
    return Array<Any>{Hooked(tree), tree, Map<Any, Any>{{1, tree}}};
  };
  EXPECT_EQ(HashOf(value(false), true), HashOf(value(true), true));
}

// ---------------------------------------------------------------- tensors

struct Allocator {
  void AllocData(DLTensor* tensor) { tensor->data = new char[GetDataSize(*tensor) + 1]; }
  void FreeData(DLTensor* tensor) { delete[] static_cast<char*>(tensor->data); }
};

Tensor MakeTensor(std::vector<float> values) {
  Shape shape({static_cast<int64_t>(values.size())});
  Tensor tensor =
      Tensor::FromNDAlloc(Allocator(), shape, DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0});
  std::copy(values.begin(), values.end(), static_cast<float*>(tensor.data_ptr()));
  return tensor;
}

TEST(StructuralHash, TensorsHashShapeTypeAndBytes) {
  EXPECT_EQ(HashOf(MakeTensor({1, 2})), HashOf(MakeTensor({1, 2})));
  EXPECT_NE(HashOf(MakeTensor({1, 2})), HashOf(MakeTensor({1, 3})));
  EXPECT_NE(HashOf(MakeTensor({1, 2})), HashOf(MakeTensor({1, 2, 3})));
  EXPECT_EQ(StructuralHash::Hash(MakeTensor({1, 2}), false, true),
            StructuralHash::Hash(MakeTensor({1, 3}), false, true));
  uint64_t hash = Combine(Combine(TVMFFIGetTypeInfo(kTVMFFITensor)->type_key_hash, 1), 2);
  hash = Combine(hash, 2 | 32 << 8 | 1 << 16);
  EXPECT_EQ(StructuralHash::Hash(MakeTensor({1, 2}), false, true), hash);
  EXPECT_EQ(HashOf(MakeTensor({})), HashOf(MakeTensor({})));
}

TEST(StructuralHash, TensorsThatCannotBeReadAreRefused) {
  Tensor tensor = MakeTensor({1, 2});
  const_cast<DLTensor*>(tensor.GetDLTensorPtr())->device = DLDevice{kDLCUDA, 0};
  std::string text = ErrorOf([&] { StructuralHash::Hash(tensor); });
  EXPECT_TRUE(contains(text, "InternalError: ") && contains(text, "can only hash CPU tensor"))
      << text;
  EXPECT_EQ(ErrorOf([&] { StructuralHash::Hash(tensor, false, true); }), "nothing");
}

// ---------------------------------------------------------------- rejected values

TEST(StructuralHash, UnsupportedTypesAreRefused) {
  EXPECT_EQ(ErrorOf([] { StructuralHash::Hash(Array<Any>{Unsupported(1)}); }),
            "TypeError: _type_s_eq_hash_kind is not set for type `test_structural.Unsupported`, so "
            "StructuralHash is not supported for this type");
  EXPECT_EQ(ErrorOf([] { StructuralHash::Hash(Function::FromTyped([] {})); }),
            "TypeError: Type metadata is not set for type `ffi.Function`, so StructuralHash is not "
            "supported for this type");
  EXPECT_EQ(ErrorOf([] { StructuralHash::Hash(Commented(1, Unsupported(1))); }), "nothing");
}

TEST(StructuralHash, AMillionLevelsAreHashed) {
  Any chain = nested_lists(1000000, 1);
  EXPECT_EQ(HashOf(chain), HashOf(nested_lists(1000000, 1)));
  Any deeper = nested_lists((1 << 20) + 1, 1);
  EXPECT_EQ(ErrorOf([&] { StructuralHash::Hash(deeper); }),
            "ValueError: StructuralHash: maximum stack depth (1048576) exceeded");
}

TEST(StructuralHash, CyclesAreRefused) {
  List<Any> list;
  list.push_back(Array<Any>{list});
  EXPECT_EQ(ErrorOf([&] { StructuralHash::Hash(list); }),
            "ValueError: StructuralHash: cyclic reference detected through type `ffi.List`");
  list.clear();
  Dict<Any, Any> dict;
  dict.Set(1, dict);
  EXPECT_TRUE(contains(ErrorOf([&] { StructuralHash::Hash(dict); }), "ffi.Dict"));
  dict.clear();
  Var var(1);
  const_cast<VarObj*>(var.get())->first = Array<Any>{var};
  EXPECT_TRUE(contains(ErrorOf([&] { StructuralHash::Hash(var); }), "test_structural.Var"));
  const_cast<VarObj*>(var.get())->first = Any();
}

TEST(StructuralHash, SharedPartsAreHashedOnce) {
  Any rung = Tree(Var(1));
  for (int i = 0; i < 60; ++i) rung = Array<Any>{rung, rung};
  EXPECT_EQ(HashOf(rung, true), HashOf(rung, true));
}

// ---------------------------------------------------------------- hooks

// spec: P05
TEST(StructuralHash, HooksStandInForTheFields) {
  hash_hook() = [](const Any& self, int64_t init, const Hash& hash) {
    return hash(self.as<HookedObj>()->first, init, 0);
  };
  EXPECT_EQ(HashOf(Hooked(1, 2)), Combine(KeyHash<HookedObj>(), OfInt(1)));
  EXPECT_EQ(HashOf(Hooked(1, 2)), HashOf(Hooked(1, Unsupported(2))));
  hash_hook() = [](const Any&, int64_t, const Hash&) { return int64_t{5}; };
  EXPECT_EQ(HashOf(Array<Any>{Hooked(1)}), OfArray({5}));
  hash_hook() = [](const Any&, int64_t init, const Hash&) { return init; };
  EXPECT_EQ(HashOf(Hooked(1)), KeyHash<HookedObj>());
}

TEST(StructuralHash, HooksOfVariablesAndDagNodesHashTheirFieldsOnly) {
  hash_hook() = [](const Any&, int64_t init, const Hash&) { return init; };
  HookedVar var(1);
  EXPECT_EQ(HashOf(var), reinterpret_cast<uintptr_t>(var.get()));
  EXPECT_EQ(HashOf(var, true), Combine(KeyHash<HookedVarObj>(), 0));
  EXPECT_EQ(HashOf(HookedDag(1)), Combine(KeyHash<HookedDagObj>(), 0));
}

TEST(StructuralHash, HooksOpenRegions) {
  int kind = 0;
  hash_hook() = [&](const Any& self, int64_t init, const Hash& hash) {
    const auto* object = self.as<HookedObj>();
    return hash(object->second, hash(object->first, init, kind), 0);
  };
  auto function = [](Any type) {
    Var x(std::move(type));
    return Hooked(Array<Any>{x}, x);
  };
  Any kept[] = {function(1), function(1)};
  EXPECT_NE(HashOf(kept[0]), HashOf(kept[1]));
  kind = 1;
  Any types[] = {function(Var(1)), function(Var(1))};
  EXPECT_EQ(HashOf(types[0]), HashOf(types[1]));
  kind = 2;
  EXPECT_EQ(HashOf(kept[0]), HashOf(kept[1]));
  EXPECT_NE(HashOf(types[0]), HashOf(types[1]));
  EXPECT_EQ(HashOf(types[0], true), HashOf(types[1], true));
  kind = -1;
  EXPECT_TRUE(contains(ErrorOf([&] { HashOf(kept[0]); }), "ValueError: def_region_kind must be"));
}

TEST(StructuralHash, ErrorsOfHooksComeThroughAndMayBeCaught) {
  hash_hook() = [](const Any& self, int64_t init, const Hash& hash) {
    EXPECT_THROW(hash(self.as<HookedObj>()->first, init, 0), Error);
    return hash(self.as<HookedObj>()->second, init, 0);
  };
  Tree shared(1);
  auto value = [&] {
    return Hooked(Array<Any>{Array<Any>{shared, Unsupported(1)}}, Array<Any>{shared, shared});
  };
  EXPECT_EQ(HashOf(value()), HashOf(value()));
  hash_hook() = [](const Any&, int64_t, const Hash&) -> int64_t {
    TVM_FFI_THROW(KeyError) << "from the hook";
    return 0;
  };
  EXPECT_EQ(ErrorOf([] { HashOf(Tree(Hooked(1))); }), "KeyError: from the hook");
}

TEST(StructuralHash, CallbacksThatHooksKeepStartAfresh) {
  Hash kept;
  hash_hook() = [&](const Any&, int64_t init, const Hash& hash) {
    kept = hash;
    return init;
  };
  HashOf(Hooked(1));
  EXPECT_EQ(static_cast<uint64_t>(kept(1, 7, 0)), Combine(7, OfInt(1)));
  EXPECT_EQ(static_cast<uint64_t>(kept(Tree(1, 2), 7, 0)), Combine(7, HashOf(Tree(1, 2))));
}

TEST(StructuralHash, HooksMayChangeTheValue) {
  List<Any> list;
  Dict<Any, Any> dict;
  hash_hook() = [&](const Any&, int64_t init, const Hash&) {
    list.clear();
    dict.clear();
    return init;
  };
  for (int i = 0; i < 10; ++i) list.push_back(Tree(Hooked(i)));
  for (int i = 0; i < 10; ++i) dict.Set(i, Array<Any>{Hooked(i)});
  EXPECT_EQ(ErrorOf([&] { HashOf(Array<Any>{dict, list}); }), "nothing");
}

TEST(StructuralHash, ReferencesAreReleased) {
  hash_hook() = [](const Any& self, int64_t init, const Hash& hash) {
    return hash(self.as<HookedObj>()->first, init, 1);
  };
  Var x(1);
  Dag dag(x);
  Array<Any> value{x, dag, dag, Map<Any, Any>{{1, Hooked(x)}}, Hooked(dag)};
  int before[] = {x.use_count(), dag.use_count(), value.use_count()};
  HashOf(value, true);
  EXPECT_EQ(before[0], x.use_count());
  EXPECT_EQ(before[1], dag.use_count());
  EXPECT_EQ(before[2], value.use_count());
}

TEST(StructuralHash, RunsOfLeavesHashAsTheirPartsInOrder) {
  for (int64_t size : {1, 2, 3, 10, 100}) {
    Array<Any> values;
    std::vector<uint64_t> parts;
    for (int64_t i = 0; i < size; ++i) {
      Any value = i % 7 == 3   ? Any(Tree(i))
                  : i % 5 == 2 ? Any(0.5 * static_cast<double>(i))
                               : Any(i);
      values.push_back(value);
      parts.push_back(HashOf(value));
    }
    EXPECT_EQ(HashOf(values), OfArray(parts));
  }
}

TEST(StructuralHash, LeavesHashAloneAsInsideOthers) {
  ObjectPtr<FieldsObj> object = make_object<FieldsObj>();
  object->integer = -3;
  EXPECT_EQ(HashOf(Array<Any>{ObjectRef(object)}), OfArray({HashOf(ObjectRef(object))}));
  EXPECT_EQ(HashOf(Array<Any>{Tree(1, "a")}), OfArray({HashOf(Tree(1, "a"))}));
}

TEST(StructuralHash, HashesDoNotRememberEarlierOnes) {
  Dag node(1);
  Array<Any> twice = {node, node};
  const uint64_t hash = HashOf(twice), unshared = HashOf(Array<Any>{Dag(1), Dag(1)});
  EXPECT_NE(hash, unshared);
  for (int64_t count : {1, 500, 20000, 3, 700}) {
    Array<Any> nodes;
    for (int64_t i = 0; i < count; ++i) nodes.push_back(Dag(i));
    HashOf(nodes);
    EXPECT_EQ(HashOf(twice), hash);
    EXPECT_EQ(HashOf(Array<Any>{Dag(1), Dag(1)}), unshared);
  }
}

TEST(StructuralHash, GlobalFunction) {
  Function hash = Function::GetGlobalRequired("ffi.StructuralHash");
  EXPECT_EQ(static_cast<uint64_t>(hash(Tree(1), false, false).cast<int64_t>()), HashOf(Tree(1)));
  EXPECT_EQ(static_cast<uint64_t>(hash(Var(1), true, false).cast<int64_t>()), HashOf(Var(1), true));
  AnyView value = refl::TypeAttrColumn(type_attr::kSHash)[HookedObj::RuntimeTypeIndex()];
  EXPECT_TRUE(type_attr::kSHash.ValueFrom(value).has_value());
}

}  // namespace
