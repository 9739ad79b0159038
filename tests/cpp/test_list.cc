// SPDX-License-Identifier: Apache-2.0
// Test List: construction, shared mutation, growth, conversion, errors, reentrancy.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "caught.h"
#include "container_probe.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;  // NOLINT
using probe::Element;
using probe::TakeReleased;
using Ints = std::vector<int64_t>;
using Ids = std::vector<int>;

template <typename T>
std::vector<T> Items(const List<T>& list) {
  return std::vector<T>(list.begin(), list.end());
}

TEST(List, DefaultHasNoBuffer) {
  List<int64_t> list;
  EXPECT_TRUE(list.defined());
  EXPECT_EQ(list.size(), 0u);
  EXPECT_EQ(list.capacity(), 0u);
  EXPECT_EQ(list.GetListObj()->begin(), nullptr);
  EXPECT_TRUE(list.begin() == list.end());
  EXPECT_TRUE(list.rbegin() == list.rend());
  EXPECT_EQ(list.type_index(), 75);
}

// spec: I01
TEST(List, ConstructorsFill) {
  Ints numbers{1, 2, 3, 4, 5};
  EXPECT_EQ(Items(List<int64_t>(numbers.begin(), numbers.end())), numbers);
  EXPECT_EQ(Items(List<int64_t>(numbers)), numbers);
  EXPECT_EQ(Items(List<int64_t>{1, 2, 3, 4, 5}), numbers);
  EXPECT_EQ(List<int64_t>(numbers).capacity(), 5u);
  EXPECT_EQ((List<int64_t>{1, 2, 3}).capacity(), 4u);
  EXPECT_EQ(List<int64_t>(Ints()).capacity(), 4u);
  List<int64_t> repeated(3, 7);
  EXPECT_EQ(Items(repeated), (Ints{7, 7, 7}));
  EXPECT_EQ(repeated.capacity(), 3u);
  std::istringstream stream("4 5 6");
  EXPECT_EQ(Items(List<int64_t>(std::istream_iterator<int64_t>(stream),
                                std::istream_iterator<int64_t>())),
            (Ints{4, 5, 6}));
}

TEST(List, BadConstructionIsRefused) {
  EXPECT_ERROR(List<int64_t>(ObjectPtr<Object>(nullptr)), "InternalError",
               "Check not null: data_.get() ");
  EXPECT_ERROR(List<int64_t>(static_cast<size_t>(-1), 7), "ValueError",
               "cannot construct a List of negative size");
  EXPECT_ERROR(ListObj::CreateRepeated(-1, Any(1)), "ValueError",
               "cannot construct a List of negative size");
  EXPECT_EQ(Caught([] { List<int64_t>(size_t{1} << 62, 7); }).kind(), "ValueError");
}

// spec: I10
TEST(List, EveryHolderSeesEveryChange) {
  List<int64_t> list{1, 2, 3};
  List<int64_t> other = list;
  Any any = list;
  const void* address = list.get();
  for (int64_t i = 0; i < 100; ++i) list.push_back(i);
  EXPECT_EQ(list.get(), address);
  EXPECT_EQ(other.size(), 103u);
  EXPECT_EQ(any.cast<List<int64_t>>().size(), 103u);
  other.resize(2);
  EXPECT_EQ(Items(list), (Ints{1, 2}));
  any.cast<List<int64_t>>().Set(0, 9);
  EXPECT_EQ(list[0], 9);
  list.clear();
  EXPECT_TRUE(other.empty());
  EXPECT_GE(other.capacity(), 103u);
  Ints fresh{4, 5};
  list.Assign(fresh.begin(), fresh.end());
  EXPECT_EQ(Items(other), fresh);
  EXPECT_EQ(other.get(), address);
}

// spec: I02
TEST(List, ReadingAndWritingOutOfRange) {
  List<int64_t> list{1, 2, 3};
  Ints more{8, 9};
  EXPECT_ERROR(list[3], "IndexError", "Index 3 out of bounds 3");
  EXPECT_ERROR(list[-1], "IndexError", "Index -1 out of bounds 3");
  EXPECT_ERROR(list.Set(3, 1), "IndexError", "Index 3 out of bounds 3");
  EXPECT_ERROR(list.insert(list.begin() + 4, 1), "IndexError", "Index 4 out of bounds [0, 3]");
  EXPECT_ERROR(list.insert(list.begin() - 1, more.begin(), more.end()), "IndexError",
               "Index -1 out of bounds [0, 3]");
  EXPECT_ERROR(list.erase(list.end()), "IndexError", "Index 3 out of bounds 3");
  EXPECT_ERROR(list.erase(list.begin() + 2, list.begin() + 5), "IndexError",
               "Erase range [2, 5) out of bounds 3");
  EXPECT_ERROR(list.resize(-1), "ValueError", "cannot resize a List to negative size");
  EXPECT_EQ(Caught([&] { list.resize(INT64_MAX); }).kind(), "ValueError");
  EXPECT_EQ(Caught([&] { list.reserve(INT64_MAX); }).kind(), "ValueError");
  EXPECT_EQ(Items(list), (Ints{1, 2, 3}));
  list.erase(list.begin() + 9, list.begin() + 9);
  list.clear();
  EXPECT_ERROR(list.front(), "IndexError", "front() on empty sequence");
  EXPECT_ERROR(list.back(), "IndexError", "back() on empty sequence");
  EXPECT_ERROR(list.pop_back(), "IndexError", "pop_back on empty sequence");
}

// spec: I09
TEST(List, NullReadsAsEmptyAndIsMadeAnew) {
  List<int64_t> source{1, 2};
  List<int64_t> list = std::move(source);
  EXPECT_FALSE(source.defined());  // NOLINT(bugprone-use-after-move): that is the subject
  EXPECT_EQ(source.size(), 0u);
  EXPECT_EQ(source.capacity(), 0u);
  EXPECT_TRUE(source.begin() == source.end());
  source.clear();
  EXPECT_FALSE(source.defined());
  EXPECT_ERROR(source[0], "IndexError", "cannot index a null list");
  EXPECT_ERROR(source.front(), "IndexError", "cannot index a null list");
  EXPECT_ERROR(source.insert(source.begin(), 1), "RuntimeError", "cannot insert to a null list");
  EXPECT_ERROR(source.pop_back(), "RuntimeError", "cannot pop_back a null list");
  EXPECT_ERROR(source.erase(source.begin()), "RuntimeError", "cannot erase a null list");
  source.push_back(5);
  EXPECT_EQ(Items(source), Ints{5});
  EXPECT_EQ(source.capacity(), 4u);
  List<int64_t> resized(UnsafeInit{});
  resized.resize(2);
  EXPECT_EQ(resized.size(), 2u);
  EXPECT_EQ(resized.capacity(), 4u);
  List<int64_t> reserved(UnsafeInit{});
  reserved.reserve(20);
  EXPECT_EQ(reserved.capacity(), 20u);
}

// spec: I05
TEST(List, InsertAndEraseAtEveryPlace) {
  for (int64_t at = 0; at <= 5; ++at) {
    Ints model{0, 1, 2, 3, 4};
    List<int64_t> list(model);
    Ints more{10, 11, 12};
    list.insert(list.begin() + at, 9);
    model.insert(model.begin() + at, 9);
    list.insert(list.begin() + at, more.begin(), more.end());
    model.insert(model.begin() + at, more.begin(), more.end());
    EXPECT_EQ(Items(list), model);
    list.erase(list.begin() + at);
    model.erase(model.begin() + at);
    list.erase(list.begin() + at, list.end());
    model.erase(model.begin() + at, model.end());
    EXPECT_EQ(Items(list), model);
  }
}

// spec: I13
TEST(List, MayContainItself) {
  List<Any> list{1};
  list.push_back(list);
  EXPECT_EQ(list.size(), 2u);
  EXPECT_TRUE(list[1].cast<List<Any>>().same_as(list));
  list.insert(list.begin(), list.begin(), list.end());
  EXPECT_EQ(list.size(), 4u);
  EXPECT_TRUE(list[1].cast<List<Any>>().same_as(list));
  list.clear();  // breaks the cycle
}

TEST(List, RangesMayComeFromTheListItself) {
  List<int64_t> list{1, 2, 3};
  list.insert(list.begin() + 1, list.begin(), list.end());
  EXPECT_EQ(Items(list), (Ints{1, 1, 2, 3, 2, 3}));
  list.Assign(list.begin() + 2, list.end() - 1);
  EXPECT_EQ(Items(list), (Ints{2, 3, 2}));
}

// spec: I11
TEST(List, ConversionFromAndToArrayCopies) {
  List<Any> list{1, 2};
  EXPECT_TRUE(Any(list).cast<List<int64_t>>().same_as(list));
  Array<int64_t> array = Any(list).cast<Array<int64_t>>();
  List<int64_t> back = Any(array).cast<List<int64_t>>();
  EXPECT_FALSE(back.same_as(list));
  back.push_back(3);
  EXPECT_EQ(array.size(), 2u);
  List<double> doubles = Any(list).cast<List<double>>();
  EXPECT_FALSE(doubles.same_as(list));
  EXPECT_EQ(doubles[1], 2.0);
  EXPECT_ERROR(Any(Array<Any>{1, "x"}).cast<List<int64_t>>(), "TypeError",
               "Cannot convert from type `List[index 1: ffi.SmallStr]` to `List<int>`");
  EXPECT_ERROR(Any(3).cast<List<int64_t>>(), "TypeError",
               "Cannot convert from type `int` to `List<int>`");
  EXPECT_FALSE(Any(Array<Any>{1}).as<List<int64_t>>().has_value());
}

TEST(List, UpcastNamesAndSchema) {
  List<sample::Int> ints{sample::Int(1)};
  List<ObjectRef> refs = ints;
  EXPECT_TRUE(refs.same_as(ints));
  EXPECT_EQ(details::Type2Str<List<List<int>>>::v(), "List<List<int>>");
  EXPECT_EQ(details::TypeSchema<List<Any>>::v(), R"({"type":"ffi.List","args":[{"type":"Any"}]})");
  EXPECT_EQ(TypeTraits<List<Any>>::field_static_type_index, 75);
}

// spec: I12
TEST(ListObj, GrowsOnlyWhereAsked) {
  ObjectPtr<ListObj> list = ListObj::CreateRepeated(2, Any(7));
  EXPECT_EQ(list->capacity(), 2u);
  EXPECT_ERROR(list->insert(0, Any(1)), "ValueError", "Not enough capacity");
  EXPECT_ERROR(list->resize(3), "ValueError", "Not enough capacity");
  list->Reserve(8);
  list->Reserve(3);
  EXPECT_EQ(list->capacity(), 8u);
  list->insert(1, Any(1));
  list->resize(5);
  EXPECT_TRUE(list->at(4) == nullptr);
  EXPECT_EQ(list->at(1).cast<int>(), 1);
}

/* ---------------------------------------------------------------- release */

List<Element> Six() {
  List<Element> list;
  for (int i = 0; i < 6; ++i) list.push_back(Element(i));
  TakeReleased();
  return list;
}

// spec: Z7
TEST(ListRelease, OrderOfEachOperation) {
  List<Element> list = Six();
  list.clear();
  EXPECT_EQ(TakeReleased(), (Ids{5, 4, 3, 2, 1, 0}));
  list = Six();
  list.resize(2);
  EXPECT_EQ(TakeReleased(), (Ids{5, 4, 3, 2}));
  list.erase(list.begin());
  EXPECT_EQ(TakeReleased(), Ids{0});
  list = Six();
  TakeReleased();
  list.erase(list.begin() + 1, list.begin() + 4);
  EXPECT_EQ(TakeReleased(), (Ids{1, 2, 3}));
  list.Set(0, Element(9));
  EXPECT_EQ(TakeReleased(), Ids{0});
  list = List<Element>();
  EXPECT_EQ(TakeReleased(), (Ids{9, 4, 5}));
}

// Each operation releases elements whose destructors insert elements, remove one, or make the list
// grow.
// spec: Z7
TEST(ListRelease, DestructorsMayChangeTheList) {
  auto meddle = [](List<Any>* list, int round) {
    return [list, round] {
      list->push_back(100 + round);
      list->insert(list->begin(), 200 + round);
      if (round % 2 == 0) list->reserve(static_cast<int64_t>(list->capacity()) * 2);
      if (round % 3 == 0 && !list->empty()) list->pop_back();
    };
  };
  for (int operation = 0; operation < 7; ++operation) {
    TakeReleased();
    {
      List<Any> list;
      for (int i = 0; i < 8; ++i) list.push_back(Element(i, meddle(&list, i)));
      Ints fresh{1, 2};
      switch (operation) {
        case 0:
          list.clear();
          break;
        case 1:
          list.resize(3);
          break;
        case 2:
          list.pop_back();
          break;
        case 3:
          list.erase(list.begin() + 2);
          break;
        case 4:
          list.erase(list.begin() + 2, list.begin() + 6);
          break;
        case 5:
          list.Set(3, 5);
          break;
        default:
          list.Assign(fresh.begin(), fresh.end());
          break;
      }
      for (int round = 0; !list.empty() && round < 100; ++round) list.clear();
      EXPECT_TRUE(list.empty());
    }
    Ids all = TakeReleased();
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (Ids{0, 1, 2, 3, 4, 5, 6, 7})) << "operation " << operation;
  }
}

TEST(ListRelease, ADestructorMayDropTheListItself) {
  TakeReleased();
  {
    auto holder = std::make_shared<List<Any>>();
    holder->push_back(Element(1, [holder_raw = holder.get()] { *holder_raw = List<Any>(); }));
    List<Any> keep = *holder;
    keep.clear();
    EXPECT_FALSE(holder->same_as(keep));
  }
  EXPECT_EQ(TakeReleased(), Ids{1});
}

}  // namespace
