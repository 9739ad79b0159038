// SPDX-License-Identifier: Apache-2.0
// Test the store of enums: all views of an enum agree, whichever API writes to it.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/reflection/enum_def.h>
#include <tvm/ffi/reflection/enum_entry.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/reflection/type_attr.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "caught.h"
#include "hooked_key.h"
#include "on_threads.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;
using Names = Map<String, ObjectRef>;
using Values = Map<String, Any>;

#define TEST_CLASS(Name, Base)                                               \
  class Name : public Base {                                                 \
   public:                                                                   \
    TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_store." #Name, Name, Base); \
  }

/*! \brief Call TVMFFITypeRegisterAttr; throw on failure. */
void Register(int32_t type_index, std::string_view name, AnyView value) {
  TVMFFIByteArray bytes{name.data(), name.size()};
  TVMFFIAny raw = value.CopyToTVMFFIAny();
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterAttr(type_index, &bytes, &raw));
}

template <typename Obj>
int32_t Index() {
  return Obj::RuntimeTypeIndex();
}

template <typename Obj>
Names Entries() {
  return refl::TypeAttrColumn("__enum_entries__")[Index<Obj>()].template cast<Names>();
}

template <typename Obj>
EnumState State() {
  return refl::TypeAttrColumn("__ffi_enum__")[Index<Obj>()].template cast<EnumState>();
}

template <typename Obj>
ObjectRef Entry(const char* name) {
  return Entries<Obj>().at(name);
}

// ---------------------------------------------------------------- clients that set the attributes

TEST_CLASS(ModifiedObj, Object);

// Register an entry as a client may do: copy the map of `__enum_entries__`, add an entry to the
// copy, and set the attribute to the copy.
void AddByReadModifyWrite(const Names& snapshot, const char* name) {
  Names entries = snapshot;
  entries.Set(String(name), ObjectRef(make_object<ModifiedObj>()));
  Register(Index<ModifiedObj>(), "__enum_entries__", entries);
}

// spec: M10
TEST(EnumView, ReadModifyWriteIsMergedAndLosesNothing) {
  refl::ObjectDef<ModifiedObj>().as_enum();
  Names stale = Entries<ModifiedObj>();
  refl::EnumEntry<ModifiedObj>("A");
  Names snapshot = Entries<ModifiedObj>();
  AddByReadModifyWrite(snapshot, "B");
  AddByReadModifyWrite(stale, "C");
  // The maps `stale` and `snapshot` were read earlier; they do not change.
  EXPECT_EQ(stale.size(), 0U);
  EXPECT_EQ(snapshot.size(), 1U);
  EXPECT_EQ(Entries<ModifiedObj>().size(), 3U);
  EnumState state = State<ModifiedObj>();
  ASSERT_EQ(state->entries.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    const char* const names[] = {"A", "B", "C"};
    EXPECT_TRUE(state->entries[i].same_as(Entry<ModifiedObj>(names[i])));
    EXPECT_TRUE(state->indexes.at(i).same_as(state->indexes.at(String(names[i]))));
  }
  // The value of the attribute `__enum_entries__` is a Map.
  AnyView slot = refl::TypeAttrColumn("__enum_entries__")[Index<ModifiedObj>()];
  EXPECT_EQ(slot.type_index(), kTVMFFIMap);
  EXPECT_TRUE((slot.as<Names>().has_value()));
}

TEST_CLASS(MergedObj, Object);

TEST(EnumView, TakesDictsAndUnmarkedTypes) {
  Dict<String, ObjectRef> entries{{"A", ObjectRef(make_object<MergedObj>())}};
  Register(Index<MergedObj>(), "__enum_entries__", entries);
  EXPECT_EQ(State<MergedObj>()->entries.size(), 1U);
  EXPECT_TRUE(Entry<MergedObj>("A").same_as(entries.at("A")));
  Register(Index<MergedObj>(), "__enum_attr_code__", Dict<String, Any>{{"A", 1}, {"B", 2}});
  EXPECT_EQ(EnumAttrMap<MergedObj>("code")[Entry<MergedObj>("A")].cast<int>(), 1);
  Register(Index<MergedObj>(), "__enum_attr_code__", Values{{"A", 3}});
  auto code = TypeAttrGet("__enum_attr_code__", Index<MergedObj>()).cast<Values>();
  EXPECT_EQ(code.at("A").cast<int>(), 3);
  EXPECT_EQ(code.at("B").cast<int>(), 2) << "waits for its entry";
  Register(Index<MergedObj>(), "__enum_entries__", nullptr);
  EXPECT_EQ(State<MergedObj>()->entries.size(), 1U) << "nothing is ever deleted";
  TypeAttrSet(Index<MergedObj>(), "__enum_entries__",
              Names{{"B", ObjectRef(make_object<MergedObj>())}});
  EXPECT_EQ(Entries<MergedObj>().size(), 2U);
  EXPECT_EQ(EnumAttrMap<MergedObj>("code")[Entry<MergedObj>("B")].cast<int>(), 2);
}

TEST_CLASS(RefusedObj, Object);

TEST(EnumView, RefusedMergesChangeNothing) {
  refl::EnumEntry<RefusedObj>("A");
  auto write = [](AnyView value) {
    return Caught([&] { Register(Index<RefusedObj>(), "__enum_entries__", value); });
  };
  EXPECT_EQ(write(5).kind(), "TypeError");
  EXPECT_EQ(write(5).message(),
            "Expected a Map or Dict with String keys as `__enum_entries__`, but got `int`");
  EXPECT_EQ(write(Map<int, Any>{{1, 2}}).kind(), "TypeError");
  EXPECT_EQ(write(Values{{"B", 2}}).kind(), "TypeError");
  ObjectRef fine(make_object<RefusedObj>());
  EXPECT_EQ(write(Values{{"B", fine}, {"C", Array<int>()}}).message(),
            "Expected an instance of `test_enum_store.RefusedObj` as its enum entry, but got "
            "`ffi.Array`");
  Error other = write(Values{{"B", fine}, {"A", ObjectRef(make_object<RefusedObj>())}});
  EXPECT_EQ(other.kind(), "ValueError");
  EXPECT_EQ(other.message(),
            "Duplicate enum index for type `test_enum_store.RefusedObj`: cannot register `A`, the "
            "name is taken");
  EXPECT_EQ(write(Values{{"again", Entry<RefusedObj>("A")}}).message(),
            "Duplicate enum index for type `test_enum_store.RefusedObj`: cannot register `again`, "
            "its object is registered as `A`");
  EXPECT_EQ(Entries<RefusedObj>().size(), 1U);
  EXPECT_EQ(State<RefusedObj>()->entries.size(), 1U);
  EXPECT_EQ(State<RefusedObj>()->indexes.size(), 2U);
  EXPECT_EQ(fine.use_count(), 1);
  // Types that are not object types, and unknown types, are rejected.
  EXPECT_EQ(Caught([] { Register(kTVMFFIInt, "__enum_entries__", Values()); }).kind(), "TypeError");
  EXPECT_EQ(Caught([] { Register(99999, "__enum_entries__", Values()); }).kind(), "InternalError");
}

TEST_CLASS(NamedObj, EnumObj);
TEST_CLASS(NamedNumberObj, IntEnumObj);

TEST(EnumView, ObjectsWithNumberAndNameGetOrBringThem) {
  auto blank = make_object<NamedObj>();
  Register(Index<NamedObj>(), "__enum_entries__", Values{{"A", ObjectRef(blank)}});
  EXPECT_EQ(blank->_str_index, "A");
  EXPECT_EQ(blank->_int_index, 0);
  auto named = make_object<NamedObj>();
  named->_str_index = "B";
  EXPECT_EQ(Caught([&] {
              Register(Index<NamedObj>(), "__enum_entries__", Values{{"C", ObjectRef(named)}});
            }).kind(),
            "ValueError");
  auto numbered = make_object<NamedNumberObj>();
  numbered->_int_index = -8;
  numbered->_str_index = "minus";
  Register(Index<NamedNumberObj>(), "__enum_entries__", Values{{"minus", ObjectRef(numbered)}});
  EXPECT_TRUE(EnumObj::_GetByIntIndex<NamedNumberObj>(-8).same_as(ObjectRef(numbered)));
}

// ---------------------------------------------------------------- EnumDef and EnumEntry together

TEST_CLASS(BothObj, EnumObj);

// spec: M11
TEST(EnumApis, EachSeesWhatTheOtherWrites) {
  refl::EnumDef<BothObj>("Def").set_attr("code", 1);
  refl::EnumEntry<BothObj>("Entry");
  refl::EnumAttrDef<BothObj>("code").set("Entry", 2);
  EXPECT_EQ(Entries<BothObj>().size(), 2U);
  Enum entry = EnumObj::_GetByStrIndex<BothObj>("Entry");
  EXPECT_EQ(entry->_int_index, 1);
  EXPECT_TRUE(refl::EnumDef<BothObj>::IsDefined("Entry"));
  EnumAttrMap<BothObj> code("code");
  EXPECT_EQ(code[Entry<BothObj>("Def")].cast<int>(), 1);
  EXPECT_EQ(State<BothObj>()->attrs.at("code").at(entry).cast<int>(), 2);
  auto view = TypeAttrGet("__enum_attr_code__", Index<BothObj>()).cast<Values>();
  EXPECT_EQ(view.at("Def").cast<int>(), 1);
  EXPECT_EQ(view.at("Entry").cast<int>(), 2);
}

// ---------------------------------------------------------------- clients that change the state

/*! \brief Add an entry directly to the state of the enum, as EnumDef of older clients does. */
template <typename Obj>
ObjectRef AddInPlace(const char* name) {
  EnumState state = State<Obj>();
  auto object = make_object<Obj>();
  ObjectRef entry(object);
  auto number = static_cast<int64_t>(state->entries.size());
  if constexpr (std::is_base_of_v<EnumObj, Obj>) {
    object->_int_index = number;
    object->_str_index = name;
  }
  state->entries.push_back(entry);
  state->indexes.Set(number, entry);
  state->indexes.Set(String(name), entry);
  return entry;
}

template <typename Obj>
void SetInPlace(const char* column, const ObjectRef& entry, Any value) {
  EnumState state = State<Obj>();
  if (state->attrs.count(column) == 0) state->attrs.Set(column, Dict<ObjectRef, Any>());
  state->attrs.at(column).Set(entry, value);
}

TEST_CLASS(OldObj, EnumObj);

TEST(OldClients, StateThatTheyRegisterAndChangeIsSeenEverywhere) {
  Register(Index<OldObj>(), "__ffi_enum__", EnumState());
  EXPECT_EQ(Entries<OldObj>().size(), 0U);
  ObjectRef a = AddInPlace<OldObj>("A");
  EXPECT_TRUE(Entry<OldObj>("A").same_as(a));
  EXPECT_TRUE(TypeAttrGet("__enum_entries__", Index<OldObj>()).cast<Names>().at("A").same_as(a));
  // Add entries alternately with EnumDef or EnumEntry of this library and in the way of older
  // clients.
  refl::EnumDef<OldObj>("B");
  ObjectRef c = AddInPlace<OldObj>("C");
  refl::EnumEntry<OldObj>("D");
  EXPECT_EQ(State<OldObj>()->entries.size(), 4U);
  EXPECT_EQ(EnumObj::_GetByIntIndex<OldObj>(3)->_str_index, "D");
  EXPECT_EQ(Entries<OldObj>().size(), 4U);
  EXPECT_EQ(Caught([] { refl::EnumEntry<OldObj>("C"); }).kind(), "ValueError");
  // The state of an enum is registered only once.
  EXPECT_EQ(Caught([] { Register(Index<OldObj>(), "__ffi_enum__", EnumState()); }).kind(),
            "RuntimeError");
  EXPECT_TRUE(Entry<OldObj>("C").same_as(c));
}

TEST_CLASS(OldAttrObj, Object);

TEST(OldClients, ColumnsThatTheyWriteIntoAreSeenEverywhere) {
  refl::EnumEntry<OldAttrObj>("A");
  ObjectRef a = Entry<OldAttrObj>("A");
  SetInPlace<OldAttrObj>("code", a, 1);
  refl::TypeAttrColumn column("__enum_attr_code__");
  auto view = [] { return TypeAttrGet("__enum_attr_code__", Index<OldAttrObj>()).cast<Values>(); };
  EXPECT_EQ(column[Index<OldAttrObj>()].cast<Values>().at("A").cast<int>(), 1);
  SetInPlace<OldAttrObj>("code", a, 2);  // changes a value, but not the number of values
  EXPECT_EQ(view().at("A").cast<int>(), 2);
  EXPECT_EQ(EnumAttrMap<OldAttrObj>("code")[a].cast<int>(), 2);
  refl::EnumAttrDef<OldAttrObj>("code").set("B", 5);
  SetInPlace<OldAttrObj>("code", a, 3);
  ObjectRef b = AddInPlace<OldAttrObj>("B");
  EXPECT_EQ(EnumAttrMap<OldAttrObj>("code")[b].cast<int>(), 5) << "what waited for the name";
  EXPECT_EQ(view().at("A").cast<int>(), 3);
  EXPECT_EQ(view().at("B").cast<int>(), 5);
}

TEST_CLASS(ErasedObj, Object);

TEST(OldClients, EntriesThatTheyTakeBackDisappear) {
  ObjectRef kept;
  {
    refl::EnumEntry<ErasedObj>("A");
    kept = AddInPlace<ErasedObj>("B");
    EXPECT_EQ(Entries<ErasedObj>().size(), 2U);
    EnumState state = State<ErasedObj>();
    state->entries.pop_back();
    state->indexes.erase(1);
    state->indexes.erase(String("B"));
  }
  EXPECT_EQ(Entries<ErasedObj>().size(), 1U);
  EXPECT_EQ(kept.use_count(), 2)
      << "here, and in the view that readers of the column may still use";
}

TEST_CLASS(ReplacedObj, Object);

TEST(TypeAttrSetOfState, ReplacesTheEnumAndItsViews) {
  refl::EnumEntry<ReplacedObj>("A");
  refl::EnumAttrDef<ReplacedObj>("code").set("A", 1);
  EnumState other;
  ObjectRef b(make_object<ReplacedObj>());
  other->entries.push_back(b);
  other->indexes.Set(0, b);
  other->indexes.Set(String("B"), b);
  TypeAttrSet(Index<ReplacedObj>(), "__ffi_enum__", other);
  EXPECT_EQ(Entries<ReplacedObj>().count("A"), 0U);
  EXPECT_TRUE(Entry<ReplacedObj>("B").same_as(b));
  EXPECT_EQ(TypeAttrGet("__enum_attr_code__", Index<ReplacedObj>()), nullptr);
  // Setting the state to None removes the enum.
  TypeAttrSet(Index<ReplacedObj>(), "__ffi_enum__", nullptr);
  EXPECT_EQ(TypeAttrGet("__enum_entries__", Index<ReplacedObj>()), nullptr);
  EXPECT_EQ(Caught([] { detail::GetEnumEntry(Index<ReplacedObj>(), String("B")); }).kind(),
            "ValueError");
}

// ------------------------------------------------------- special names, number of entries, threads

TEST(EnumView, OnlyTheNamesOfViewsAreSpecial) {
  int32_t index = Index<ModifiedObj>();
  for (const char* name : {"__enum_attr__", "__enum_attr___", "__enum_attr_x", "__enum_entry__"}) {
    Register(index, name, 5);
    Register(index, name, 6);
    EXPECT_EQ(TypeAttrGet(name, index).cast<int>(), 6) << name;
  }
  EXPECT_EQ(TypeAttrGet("__enum_attr_never_set__", index), nullptr);
  EXPECT_EQ(Caught([] { refl::TypeAttrColumn column("__enum_attr_never_set__"); }).kind(),
            "RuntimeError");
}

TEST_CLASS(ManyObj, Object);

TEST(EnumView, ManyEntriesKeepTheirOrder) {
  constexpr int kCount = 2000;
  for (int i = 0; i < kCount; ++i) {
    std::string name = "entry" + std::to_string(i);
    refl::EnumAttrDef<ManyObj>("number").set(name.c_str(), i);
  }
  for (int i = 0; i < kCount; ++i) {
    std::string name = "entry" + std::to_string(i);
    refl::EnumEntry<ManyObj> entry(name.c_str());
  }
  Names entries = Entries<ManyObj>();
  ASSERT_EQ(entries.size(), static_cast<size_t>(kCount));
  EnumAttrMap<ManyObj> number("number");
  int expected = 0;
  for (const auto& [name, entry] : entries) {
    ASSERT_EQ(name, String("entry" + std::to_string(expected)));
    ASSERT_EQ(number[entry].cast<int>(), expected);
    ++expected;
  }
}

TEST_CLASS(SharedObj, Object);

TEST(EnumStore, ThreadsRegisterSideBySide) {
  constexpr int kThreads = 4, kEach = 50;
  refl::ObjectDef<SharedObj>().as_enum();
  OnThreads(kThreads, [](int t) {
    for (int i = 0; i < kEach; ++i) {
      std::string name = std::to_string(t) + "." + std::to_string(i);
      refl::EnumEntry<SharedObj> entry(name.c_str());
      refl::EnumAttrDef<SharedObj>("thread").set(name.c_str(), t);
      Function::GetGlobalRequired("ffi.TypeAttrGet")("__enum_entries__", Index<SharedObj>());
    }
  });
  EXPECT_EQ(Entries<SharedObj>().size(), size_t{kThreads * kEach});
  EXPECT_EQ(State<SharedObj>()->attrs.at("thread").size(), size_t{kThreads * kEach});
}

// ---------------------------------------------------------------- functions that frontends call

TEST_CLASS(FrontendObj, Object);

TEST(EnumFunctions, DoForFrontendsWhatTheHeadersDo) {
  int32_t index = Index<FrontendObj>();
  auto call = [](const char* name, auto&&... args) {
    return Function::GetGlobalRequired(name)(std::forward<decltype(args)>(args)...);
  };
  EXPECT_EQ(call("ffi.EnumFindState", index), nullptr);
  Any state = call("ffi.EnumMark", index);
  EXPECT_TRUE(state.same_as(call("ffi.EnumMark", index)));
  EXPECT_TRUE(state.same_as(call("ffi.EnumFindState", index)));
  ObjectRef entry(make_object<FrontendObj>());
  EXPECT_EQ(call("ffi.EnumNameOf", entry), nullptr);
  call("ffi.EnumAddEntry", index, "A", nullptr, entry, Values());
  EXPECT_EQ(call("ffi.EnumNameOf", entry).cast<String>(), "A");
  EXPECT_EQ(call("ffi.EnumNameOf", nullptr), nullptr);
  call("ffi.EnumSetAttr", index, "code", "A", 4);
  EXPECT_EQ(EnumAttrMap<FrontendObj>("code")[entry].cast<int>(), 4);
  EXPECT_EQ(Caught([&] { call("ffi.EnumMark", kTVMFFIFloat); }).kind(), "TypeError");
  EXPECT_EQ(Caught([&] { call("ffi.EnumMark", -5); }).kind(), "InternalError");
  EXPECT_EQ(
      Caught([&] { call("ffi.EnumAddEntry", index, "B", nullptr, Array<int>(), Values()); }).kind(),
      "TypeError");
}

// ---------------------------------------------------------------- writes that do not wait

bool TrySet(int32_t type_index, const char* column, Any entry, Any value) {
  static const Function set = Function::GetGlobalRequired("ffi.EnumTrySetAttr");
  return set(type_index, column, entry, value).cast<bool>();
}

TEST_CLASS(TriedObj, Object);
TEST_CLASS(UnmarkedObj, Object);

TEST(EnumTrySetAttr, SetsTheStateAndTheView) {
  refl::EnumEntry<TriedObj>("A");
  refl::EnumEntry<TriedObj>("B");
  int32_t index = Index<TriedObj>();
  EnumAttrMap<TriedObj> code("code");
  auto view = [&](const char* column) {
    std::string name = std::string("__enum_attr_") + column + "__";
    return TypeAttrGet(name, index).cast<Values>();
  };
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(TrySet(index, "code", Entry<TriedObj>("A"), round));
    ASSERT_TRUE(TrySet(index, "other", Entry<TriedObj>("A"), -round));
    ASSERT_TRUE(TrySet(index, "code", Entry<TriedObj>("B"), nullptr));
    EXPECT_EQ(code[Entry<TriedObj>("A")].cast<int>(), round);
    EXPECT_EQ(view("code").at("A").cast<int>(), round);
    EXPECT_EQ(view("other").at("A").cast<int>(), -round);
    EXPECT_EQ(view("code").at("B"), nullptr);
  }
  Values kept = view("code");
  ASSERT_TRUE(TrySet(index, "code", Entry<TriedObj>("A"), 7));
  EXPECT_EQ(kept.at("A").cast<int>(), 2) << "a view that was read does not change";
  EXPECT_EQ(view("code").at("A").cast<int>(), 7);
  Any same = code[Entry<TriedObj>("A")];
  ASSERT_TRUE(TrySet(index, "code", Entry<TriedObj>("A"), same));
  EXPECT_EQ(view("code").at("A").cast<int>(), 7);
}

TEST(EnumTrySetAttr, RefusesOtherObjects) {
  refl::EnumEntry<TriedObj>("Known");
  int32_t index = Index<TriedObj>();
  EXPECT_FALSE(TrySet(index, "refused", ObjectRef(make_object<TriedObj>()), 1));
  EXPECT_FALSE(TrySet(index, "refused", ObjectRef(make_object<UnmarkedObj>()), 1));
  EXPECT_FALSE(TrySet(index, "refused", nullptr, 1));
  ObjectRef unmarked(make_object<UnmarkedObj>());
  EXPECT_FALSE(TrySet(Index<UnmarkedObj>(), "refused", unmarked, 1));
  EXPECT_EQ(Function::GetGlobalRequired("ffi.EnumFindState")(Index<UnmarkedObj>()), nullptr);
  EXPECT_EQ(TypeAttrGet("__enum_attr_refused__", index), nullptr);
}

TEST_CLASS(OrderedObj, Object);

TEST(EnumTrySetAttr, OrdersTheColumnLikeADict) {
  Dict<String, Any> model;
  int32_t index = Index<OrderedObj>();
  for (int i = 0; i < 6; ++i) {
    std::string name = "E" + std::to_string(i);
    refl::EnumEntry<OrderedObj>(name.c_str());
    for (int changed = i; changed >= 0; changed -= 2) {
      std::string key = "E" + std::to_string(changed);
      model.Set(key, i);
      ASSERT_TRUE(TrySet(index, "ordered", Entry<OrderedObj>(key.c_str()), i));
    }
    std::vector<std::string> expected, found;
    for (const auto& [key, value] : model) expected.push_back(key);
    for (const auto& [entry, value] : State<OrderedObj>()->attrs.at("ordered")) {
      found.push_back(Function::GetGlobalRequired("ffi.EnumNameOf")(entry).cast<std::string>());
    }
    EXPECT_EQ(found, expected);
  }
}

TEST_CLASS(DroppedObj, Object);

/*! \brief A value whose destructor writes the column of which the value was a part. */
class WritingObj : public Object {
 public:
  explicit WritingObj(int* num_written) : num_written_(num_written) {}
  ~WritingObj() {
    // The write of another thread succeeds only if this thread does not hold the lock.
    std::thread([this] {
      if (TrySet(Index<DroppedObj>(), "dropped", Entry<DroppedObj>("A"), "by destructor")) {
        ++*num_written_;
      }
    }).join();
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_store.Writing", WritingObj, Object);

 private:
  int* num_written_;
};

TEST(EnumTrySetAttr, DestroysFormerValuesWithoutTheLock) {
  refl::EnumEntry<DroppedObj>("A");
  int32_t index = Index<DroppedObj>();
  EnumAttrMap<DroppedObj> column("dropped");
  ObjectRef entry = Entry<DroppedObj>("A");
  int num_written = 0;
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(TrySet(index, "dropped", entry, ObjectRef(make_object<WritingObj>(&num_written))));
    EXPECT_EQ(num_written, round);
    ASSERT_TRUE(TrySet(index, "dropped", entry, round));
    EXPECT_EQ(num_written, round + 1) << "no view keeps the former value alive";
    EXPECT_EQ(column[entry].cast<String>(), "by destructor");
  }
}

TEST(EnumTrySetAttr, GivesUpIfAnotherThreadHoldsTheLock) {
  int32_t index = hooked::KeyObj::RuntimeTypeIndex();
  std::vector<ObjectRef> entries;
  for (int i = 0; i < 6; ++i) {
    entries.push_back(hooked::Key(i, i));
    Function::GetGlobalRequired("ffi.EnumAddEntry")(index, "E" + std::to_string(i), nullptr,
                                                    entries[i], Values());
    ASSERT_TRUE(TrySet(index, "locked", entries[i], i));
  }
  int num_tried = 0;
  int num_set = 0;
  hooked::on_call = [&] {  // a lookup calls the hook with the lock held
    ++num_tried;
    std::thread([&] { num_set += TrySet(index, "locked", entries[1], 9) ? 1 : 0; }).join();
  };
  Function get = Function::GetGlobalRequired("ffi.EnumGetAttr");
  EXPECT_EQ(get(index, "locked", entries[0], true).cast<int>(), 0);
  hooked::on_call = nullptr;
  EXPECT_GT(num_tried, 0);
  EXPECT_EQ(num_set, 0);
  EXPECT_EQ(get(index, "locked", entries[1], true).cast<int>(), 1);
}

TEST_CLASS(OverwrittenObj, Object);

TEST(EnumTrySetAttr, ThreadsWriteSideBySide) {
  refl::EnumEntry<OverwrittenObj>("A");
  ObjectRef entry = Entry<OverwrittenObj>("A");
  EnumAttrMap<OverwrittenObj> column("pair");
  OnThreads(4, [&](int i) {
    for (int round = 0; round < 500; ++round) {
      Array<int> pair{i, round};
      if (!TrySet(Index<OverwrittenObj>(), "pair", entry, pair)) {
        refl::EnumAttrDef<OverwrittenObj>("pair").set("A", pair);
      }
      EXPECT_EQ(column[entry].cast<Array<int>>().size(), 2U);
      if (round % 50 == 0) {
        EXPECT_EQ(TypeAttrGet("__enum_attr_pair__", Index<OverwrittenObj>()).cast<Values>().size(),
                  1U);
      }
    }
  });
  EXPECT_EQ(column[entry].cast<Array<int>>()[1], 499);
}

}  // namespace
