// SPDX-License-Identifier: Apache-2.0
// Test Array: construction, reading, writing with copy-on-write, growth, conversion, errors.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>

#include <algorithm>
#include <iterator>
#include <list>
#include <numeric>
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

template <typename T>
std::vector<T> Items(const Array<T>& array) {
  return std::vector<T>(array.begin(), array.end());
}

using Ints = std::vector<int64_t>;

template <typename T, typename = void>
constexpr bool can_be_element = false;
template <typename T>
constexpr bool can_be_element<T, std::void_t<Array<T>>> = true;

TEST(Array, DefaultIsEmptyWithRoomForFour) {
  Array<int64_t> array;
  EXPECT_TRUE(array.defined());
  EXPECT_TRUE(array.empty());
  EXPECT_EQ(array.size(), 0u);
  EXPECT_EQ(array.capacity(), 4u);
  EXPECT_EQ(make_object<ArrayObj>()->capacity(), 4u);
}

// spec: I01
TEST(Array, ConstructorsFillExactly) {
  Ints numbers{1, 2, 3, 4, 5};
  EXPECT_EQ(Items(Array<int64_t>(numbers.begin(), numbers.end())), numbers);
  EXPECT_EQ(Items(Array<int64_t>(numbers)), numbers);
  EXPECT_EQ(Items(Array<int64_t>{1, 2, 3, 4, 5}), numbers);
  EXPECT_EQ(Array<int64_t>(numbers).capacity(), 5u);
  EXPECT_EQ(Array<int64_t>(Ints()).capacity(), 0u);
  Array<int64_t> repeated(3, 7);
  EXPECT_EQ(Items(repeated), (Ints{7, 7, 7}));
  EXPECT_EQ(repeated.capacity(), 3u);
  std::istringstream stream("4 5 6");
  EXPECT_EQ(Items(Array<int64_t>(std::istream_iterator<int64_t>(stream),
                                 std::istream_iterator<int64_t>())),
            (Ints{4, 5, 6}));
}

// spec: I01
TEST(Array, BadConstructionIsRefused) {
  EXPECT_ERROR(Array<int64_t>(ObjectPtr<Object>(nullptr)), "InternalError",
               "Check not null: data_.get() ");
  EXPECT_ERROR(Array<int64_t>(static_cast<size_t>(-1), 7), "ValueError",
               "cannot construct an Array of negative size");
  EXPECT_ERROR(ArrayObj::CreateRepeated(-3, Any(1)), "ValueError",
               "cannot construct an Array of negative size");
  EXPECT_EQ(Caught([] { Array<int64_t>(size_t{1} << 62, 7); }).kind(), "ValueError");
  int64_t numbers[2] = {1, 2};
  EXPECT_ERROR(Array<int64_t>(numbers + 2, numbers), "ValueError",
               "cannot construct an Array of negative size");
}

TEST(Array, ConversionThatThrowsHalfwayLeaksNothing) {
  struct Thrower : std::vector<int>::const_iterator {
    using Base = std::vector<int>::const_iterator;
    explicit Thrower(Base base) : Base(base) {}
    Element operator*() const {
      if (Base::operator*() == 2) throw std::runtime_error("no");
      return Element(Base::operator*());
    }
  };
  TakeReleased();
  std::vector<int> ids{0, 1, 2, 3};
  EXPECT_THROW(Array<Element>(Thrower(ids.begin()), Thrower(ids.end())), std::runtime_error);
  EXPECT_EQ(TakeReleased(), (std::vector<int>{0, 1}));
}

// spec: I14
TEST(Array, OnlyStorableElements) {
  EXPECT_TRUE(can_be_element<int64_t>);
  EXPECT_TRUE(can_be_element<Any>);
  EXPECT_FALSE(can_be_element<std::string>);
  EXPECT_FALSE(can_be_element<const char*>);
}

TEST(Array, UpcastSharesTheObject) {
  Array<sample::Int> ints{sample::Int(1), sample::Int(2)};
  Array<sample::Number> numbers = ints;
  Array<ObjectRef> refs = numbers;
  Array<Any> anys = refs;
  EXPECT_TRUE(anys.same_as(ints));
  EXPECT_EQ(ints.use_count(), 4);
  numbers = Array<sample::Int>{sample::Int(3)};
  EXPECT_EQ(numbers.size(), 1u);
  EXPECT_FALSE((std::is_convertible_v<Array<sample::Number>, Array<sample::Int>>));
  EXPECT_TRUE((type_subsumes_v<Array<Any>, Array<int64_t>>));
  EXPECT_FALSE((type_subsumes_v<Array<int64_t>, Array<Any>>));
}

// spec: I02
TEST(Array, ReadingOutOfRangeIsAnIndexError) {
  Array<int64_t> array{1, 2, 3};
  EXPECT_EQ(array[2], 3);
  EXPECT_EQ(array.front(), 1);
  EXPECT_EQ(array.back(), 3);
  EXPECT_ERROR(array[3], "IndexError", "Index 3 out of bounds 3");
  EXPECT_ERROR(array[-1], "IndexError", "Index -1 out of bounds 3");
  array.clear();
  EXPECT_ERROR(array[0], "IndexError", "Index 0 out of bounds 0");
  EXPECT_ERROR(array.front(), "IndexError", "front() on empty sequence");
  EXPECT_ERROR(array.back(), "IndexError", "back() on empty sequence");
}

// spec: I05
TEST(Array, WritingOutOfRangeChangesNothing) {
  Array<int64_t> array{1, 2, 3};
  const void* before = array.get();
  Ints more{8, 9};
  EXPECT_ERROR(array.Set(3, 1), "IndexError", "Index 3 out of bounds 3");
  EXPECT_ERROR(array.insert(array.begin() + 4, 1), "IndexError", "Index 4 out of bounds [0, 3]");
  EXPECT_ERROR(array.insert(array.begin() - 1, 1), "IndexError", "Index -1 out of bounds [0, 3]");
  EXPECT_ERROR(array.insert(array.begin() + 7, more.begin(), more.end()), "IndexError",
               "Index 7 out of bounds [0, 3]");
  EXPECT_ERROR(array.erase(array.end()), "IndexError", "Index 3 out of bounds 3");
  EXPECT_ERROR(array.erase(array.begin() - 1), "IndexError", "Index -1 out of bounds 3");
  EXPECT_ERROR(array.erase(array.begin() + 2, array.begin() + 5), "IndexError",
               "Erase range [2, 5) out of bounds 3");
  EXPECT_ERROR(array.erase(array.begin() + 2, array.begin() + 1), "IndexError",
               "Erase range [2, 1) out of bounds 3");
  EXPECT_ERROR(array.resize(-1), "ValueError", "cannot resize an Array to negative size");
  EXPECT_EQ(Caught([&] { array.resize(INT64_MAX); }).kind(), "ValueError");
  EXPECT_EQ(Caught([&] { array.reserve(INT64_MAX); }).kind(), "ValueError");
  EXPECT_EQ(Items(array), (Ints{1, 2, 3}));
  EXPECT_EQ(array.get(), before);
  array.erase(array.begin() + 9, array.begin() + 9);
  array.insert(array.begin() + 9, more.begin(), more.begin());
  EXPECT_EQ(Items(array), (Ints{1, 2, 3}));
  array.clear();
  EXPECT_ERROR(array.pop_back(), "IndexError", "pop_back on empty sequence");
}

// spec: I09
TEST(Array, NullReadsAsEmptyAndIsMadeAnew) {
  Array<int64_t> source{1, 2};
  Array<int64_t> array = std::move(source);
  EXPECT_FALSE(source.defined());  // NOLINT(bugprone-use-after-move): that is the subject
  EXPECT_EQ(source.size(), 0u);
  EXPECT_EQ(source.capacity(), 0u);
  EXPECT_TRUE(source.empty());
  EXPECT_TRUE(source.begin() == source.end());
  EXPECT_TRUE(source.rbegin() == source.rend());
  source.clear();
  EXPECT_FALSE(source.defined());
  EXPECT_ERROR(source[0], "IndexError", "cannot index a null array");
  EXPECT_ERROR(source.front(), "IndexError", "cannot index a null array");
  EXPECT_ERROR(source.back(), "IndexError", "cannot index a null array");
  EXPECT_ERROR(source.insert(source.begin(), 1), "RuntimeError", "cannot insert a null array");
  EXPECT_ERROR(source.insert(source.begin(), array.begin(), array.end()), "RuntimeError",
               "cannot insert a null array");
  EXPECT_ERROR(source.pop_back(), "RuntimeError", "cannot pop_back a null array");
  EXPECT_ERROR(source.erase(source.begin()), "RuntimeError", "cannot erase a null array");
  EXPECT_ERROR(source.erase(source.begin(), source.end()), "RuntimeError",
               "cannot erase a null array");
  EXPECT_ERROR(source.resize(-1), "ValueError", "cannot resize an Array to negative size");
  source.push_back(5);
  EXPECT_EQ(Items(source), Ints{5});
  EXPECT_EQ(source.capacity(), 4u);

  Array<int64_t> reserved(UnsafeInit{});
  reserved.reserve(2);
  EXPECT_EQ(reserved.capacity(), 2u);
  Array<int64_t> resized(UnsafeInit{});
  resized.resize(6);
  EXPECT_EQ(resized.size(), 6u);
  Array<int64_t> assigned(UnsafeInit{});
  assigned.Assign(array.begin(), array.end());
  EXPECT_EQ(Items(assigned), (Ints{1, 2}));
  Array<int64_t> set(UnsafeInit{});
  EXPECT_ERROR(set.Set(0, 1), "IndexError", "Index 0 out of bounds 0");
  EXPECT_TRUE(set.defined());
}

// spec: I03
TEST(Array, WritingASharedOneLeavesTheOtherAlone) {
  const Ints original{1, 2, 3, 4};
  auto check = [&](auto write, const Ints& expected) {
    Array<int64_t> array(original);
    array.reserve(8);
    Array<int64_t> other = array;
    write(array);
    EXPECT_EQ(Items(array), expected);
    EXPECT_EQ(Items(other), original);
    EXPECT_EQ(other.use_count(), 1);
  };
  Ints more{8, 9};
  check([](auto& a) { a.push_back(5); }, {1, 2, 3, 4, 5});
  check([](auto& a) { a.emplace_back(5); }, {1, 2, 3, 4, 5});
  check([](auto& a) { a.insert(a.begin() + 1, 5); }, {1, 5, 2, 3, 4});
  check([&](auto& a) { a.insert(a.begin() + 1, more.begin(), more.end()); }, {1, 8, 9, 2, 3, 4});
  check([](auto& a) { a.pop_back(); }, {1, 2, 3});
  check([](auto& a) { a.erase(a.begin()); }, {2, 3, 4});
  check([](auto& a) { a.erase(a.begin() + 1, a.begin() + 3); }, {1, 4});
  check([](auto& a) { a.resize(2); }, {1, 2});
  check([](auto& a) { a.reserve(100); }, original);
  check([](auto& a) { a.clear(); }, {});
  check([](auto& a) { a.Set(0, 9); }, {9, 2, 3, 4});
  check([&](auto& a) { a.Assign(more.begin(), more.end()); }, more);
  check([](auto& a) { a.MutateByApply([](int64_t x) { return x + 1; }); }, {2, 3, 4, 5});
  check([](auto& a) { a.CopyOnWrite()->SetItem(0, Any(9)); }, {9, 2, 3, 4});
}

// spec: I03
TEST(Array, WritingAUniqueOneKeepsTheObjectWhileThereIsRoom) {
  Array<int64_t> array{1, 2, 3};
  array.reserve(16);
  const void* before = array.get();
  array.push_back(4);
  array.insert(array.begin(), 0);
  array.erase(array.begin());
  array.Set(0, 7);
  array.pop_back();
  array.resize(5);
  array.clear();
  EXPECT_EQ(array.get(), before);
  EXPECT_EQ(array.capacity(), 16u);
}

TEST(Array, AWeakReferenceMakesItShared) {
  ObjectPtr<ArrayObj> object = ArrayObj::Empty(8);
  WeakObjectPtr<ArrayObj> weak(object);
  Array<int64_t> array{ObjectPtr<Object>(std::move(object))};
  array.push_back(1);
  EXPECT_NE(weak.lock().get(), array.GetArrayObj());
  EXPECT_EQ(array.capacity(), 8u);
  EXPECT_EQ(Items(array), Ints{1});
}

// spec: I04
TEST(Array, ResizeAppendsNone) {
  Array<Any> array{1};
  array.resize(3);
  EXPECT_TRUE(array[1] == nullptr);
  EXPECT_TRUE(array[2] == nullptr);
  EXPECT_EQ(array.capacity(), 3u);
}

// spec: I05
TEST(Array, InsertAndEraseAtEveryPlace) {
  for (int64_t at = 0; at <= 5; ++at) {
    Ints model{0, 1, 2, 3, 4};
    Array<int64_t> array(model);
    Ints more{10, 11, 12};
    array.insert(array.begin() + at, 9);
    model.insert(model.begin() + at, 9);
    EXPECT_EQ(Items(array), model);
    array.insert(array.begin() + at, more.begin(), more.end());
    model.insert(model.begin() + at, more.begin(), more.end());
    EXPECT_EQ(Items(array), model);
    array.erase(array.begin() + at);
    model.erase(model.begin() + at);
    EXPECT_EQ(Items(array), model);
    array.erase(array.begin() + at, array.end());
    model.erase(model.begin() + at, model.end());
    EXPECT_EQ(Items(array), model);
  }
  Array<int64_t> array{1, 2};
  std::list<int64_t> linked{5, 6, 7};
  array.insert(array.end(), linked.begin(), linked.end());
  EXPECT_EQ(Items(array), (Ints{1, 2, 5, 6, 7}));
  std::istringstream stream("8 9");
  array.insert(array.begin(), std::istream_iterator<int64_t>(stream),
               std::istream_iterator<int64_t>());
  EXPECT_EQ(Items(array), (Ints{8, 9, 1, 2, 5, 6, 7}));
}

TEST(Array, RangesMayComeFromTheArrayItself) {
  Array<int64_t> array{1, 2, 3};
  array.insert(array.begin() + 1, array.begin(), array.end());
  EXPECT_EQ(Items(array), (Ints{1, 1, 2, 3, 2, 3}));
  array.Assign(array.begin() + 2, array.end() - 1);
  EXPECT_EQ(Items(array), (Ints{2, 3, 2}));
}

// spec: I13
TEST(Array, InsertingItselfInsertsASnapshot) {
  Array<Any> array{1};
  array.push_back(array);
  array.push_back(array);
  ASSERT_EQ(array.size(), 3u);
  EXPECT_EQ(array[1].cast<Array<Any>>().size(), 1u);
  EXPECT_EQ(array[2].cast<Array<Any>>().size(), 2u);

  Array<ObjectRef> refs;
  refs.push_back(refs);  // appends a reference to the former, empty array
  EXPECT_EQ(refs.size(), 1u);
  EXPECT_FALSE(refs[0].same_as(refs));
}

TEST(Array, PushingAnElementOfItselfSurvivesGrowth) {
  Array<String> array{"a string that lives on the heap"};
  ASSERT_EQ(array.capacity(), 1u);
  const Any& inside = array.GetArrayObj()->at(0);
  array.push_back(reinterpret_cast<const String&>(inside));
  EXPECT_EQ(array[1], "a string that lives on the heap");
  EXPECT_EQ(array[0], array[1]);
}

// spec: I06
TEST(Array, MapSharesWhenNothingChanges) {
  Array<int64_t> ints{1, 2, 3};
  EXPECT_TRUE(ints.Map([](int64_t x) { return x; }).same_as(ints));
  Array<sample::Int> objects{sample::Int(1), sample::Int(2)};
  EXPECT_TRUE(objects.Map([](const sample::Int& x) { return x; }).same_as(objects));
  EXPECT_TRUE(objects.Map([](const sample::Int& x) { return ObjectRef(x); }).same_as(objects));
  Array<Any> anys{1, "a"};
  EXPECT_TRUE(anys.Map([](const Any& x) { return x; }).same_as(anys));
  EXPECT_EQ(ints.use_count(), 1);
}

// spec: I06
TEST(Array, MapMakesANewArrayWhenSomethingChanges) {
  Array<int64_t> ints{1, 2, 3};
  EXPECT_EQ(Items(ints.Map([](int64_t x) { return x == 2 ? 9 : x; })), (Ints{1, 9, 3}));
  EXPECT_EQ(Items(ints), (Ints{1, 2, 3}));
  Array<String> texts = ints.Map([](int64_t x) { return String(std::to_string(x)); });
  EXPECT_EQ(texts[2], "3");
  EXPECT_EQ(texts.capacity(), 3u);
  EXPECT_EQ(Array<int64_t>().Map([](int64_t x) { return String(std::to_string(x)); }).size(), 0u);
  EXPECT_EQ(Array<int64_t>(UnsafeInit{}).Map([](int64_t x) { return x; }).size(), 0u);
}

TEST(Array, MapWhoseCallbackChangesTheArray) {
  Array<int64_t> ints{1, 2, 3};
  Array<int64_t> mapped = ints.Map([&](int64_t x) {
    ints.push_back(x);
    ints.clear();
    return x + 10;
  });
  EXPECT_EQ(Items(mapped), (Ints{11, 12, 13}));
}

// spec: I06
TEST(Array, MutateByApplyWorksInPlaceWhenUnique) {
  Array<sample::Int> array{sample::Int(1), sample::Int(2)};
  const void* before = array.get();
  array.MutateByApply([](sample::Int x) {
    EXPECT_TRUE(x.unique());
    x->value += 10;
    return x;
  });
  EXPECT_EQ(array.get(), before);
  EXPECT_EQ(array[1]->value, 12);

  Array<sample::Int> other = array;
  array.MutateByApply([](sample::Int x) { return sample::Int(x->value + 1); });
  EXPECT_EQ(array[0]->value, 12);
  EXPECT_EQ(other[0]->value, 11);
  other = array;
  array.MutateByApply([](sample::Int x) { return x; });
  EXPECT_TRUE(other.same_as(array));
}

TEST(Array, MutateByApplyWhoseCallbackUsesTheArray) {
  Array<Any> array{1, 2, 3, 4};
  int calls = 0;
  array.MutateByApply([&](Any x) {
    ++calls;
    if (x.cast<int>() == 2) array.pop_back();
    if (x.cast<int>() == 1) array.push_back(5);
    return Any(x.cast<int>() * 10);
  });
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(array.size(), 4u);
  EXPECT_EQ(array[3].cast<int>(), 40);

  Array<Any> kept;
  array.MutateByApply([&](Any x) {
    kept = array;  // the array is shared from here on
    return Any(x.cast<int>() + 1);
  });
  EXPECT_EQ(array[0].cast<int>(), 11);
  EXPECT_EQ(array[3].cast<int>(), 41);
  EXPECT_FALSE(kept.same_as(array));
}

// spec: I07
TEST(Array, AgregateAndConcat) {
  Array<int64_t> array{1, 2, 3};
  Array<int64_t> joined = Array<int64_t>::Agregate(array, 4, array, int64_t{5});
  EXPECT_EQ(Items(joined), (Ints{1, 2, 3, 4, 1, 2, 3, 5}));
  EXPECT_EQ(joined.capacity(), 8u);
  EXPECT_EQ(Array<int64_t>::Agregate().capacity(), 4u);
  EXPECT_EQ(Items(Concat(array, Array<int64_t>{9})), (Ints{1, 2, 3, 9}));
  EXPECT_EQ(Items(array), (Ints{1, 2, 3}));
}

// spec: I08
TEST(Array, IteratorsAreRandomAccess) {
  Array<int64_t> array{5, 1, 4, 2, 3};
  EXPECT_TRUE((std::is_same_v<std::iterator_traits<Array<int64_t>::iterator>::iterator_category,
                              std::random_access_iterator_tag>));
  auto it = array.begin();
  EXPECT_EQ(*(it + 2), 4);
  EXPECT_EQ(it[3], 2);
  it += 4;
  EXPECT_EQ(*it, 3);
  EXPECT_EQ(*it--, 3);
  EXPECT_EQ(*--it, 4);
  EXPECT_EQ(*it++, 4);
  EXPECT_EQ(array.end() - array.begin(), 5);
  EXPECT_TRUE(array.begin() < array.end());
  EXPECT_EQ(Ints(array.rbegin(), array.rend()), (Ints{3, 2, 4, 1, 5}));
  EXPECT_EQ(*(array.rbegin() + 1), 2);
  EXPECT_EQ(array.rend() - array.rbegin(), 5);
  EXPECT_EQ(std::accumulate(array.begin(), array.end(), int64_t{0}), 15);
  EXPECT_EQ(std::find(array.begin(), array.end(), 4) - array.begin(), 2);
  EXPECT_EQ(*std::max_element(array.begin(), array.end()), 5);
}

// spec: I11
TEST(Array, ConversionSharesWhenElementsAreStrict) {
  Array<Any> anys{1, 2};
  EXPECT_TRUE(Any(anys).cast<Array<int64_t>>().same_as(anys));
  EXPECT_TRUE(Any(anys).as<Array<int64_t>>()->same_as(anys));
  EXPECT_TRUE(Any(Array<Any>()).as<Array<String>>().has_value());
  Array<Any> mixed{1, true};
  EXPECT_FALSE(Any(mixed).as<Array<int64_t>>().has_value());
  Array<int64_t> converted = Any(mixed).cast<Array<int64_t>>();
  EXPECT_FALSE(converted.same_as(mixed));
  EXPECT_EQ(Items(converted), (Ints{1, 1}));
  Array<double> doubles = Any(anys).cast<Array<double>>();
  EXPECT_EQ(doubles[1], 2.0);
  List<Any> list{1, 2};
  Array<int64_t> copied = Any(list).cast<Array<int64_t>>();
  EXPECT_FALSE(copied.same_as(list));
  list.push_back(3);
  EXPECT_EQ(Items(copied), (Ints{1, 2}));
}

// spec: I11
TEST(Array, MismatchNamesTheFirstBadElement) {
  Any array = Array<Any>{1, 2.5};
  EXPECT_ERROR(array.cast<Array<int64_t>>(), "TypeError",
               "Cannot convert from type `Array[index 1: float]` to `Array<int>`");
  EXPECT_ERROR(array.as_or_throw<Array<int64_t>>(), "TypeError",
               "Cannot treat type `Array[index 1: float]` as type `Array<int>`");
  EXPECT_ERROR(Any(List<Any>{1, 2.5}).cast<Array<int64_t>>(), "TypeError",
               "Cannot convert from type `Array[index 1: float]` to `Array<int>`");
  EXPECT_ERROR((Any(Array<Any>{Array<Any>{1, "x"}}).cast<Array<Array<int64_t>>>()), "TypeError",
               "Cannot convert from type `Array[index 0: Array[index 1: ffi.SmallStr]]` to "
               "`Array<Array<int>>`");
  EXPECT_ERROR(Any(3).cast<Array<int64_t>>(), "TypeError",
               "Cannot convert from type `int` to `Array<int>`");
  EXPECT_ERROR((Any(Array<Any>{true, 1}).as_or_throw<Array<int64_t>>()), "TypeError",
               "Cannot treat type `Array[index 0: bool]` as type `Array<int>`");
  EXPECT_FALSE(Any(nullptr).try_cast<Array<int64_t>>().has_value());
}

TEST(Array, NamesAndSchema) {
  EXPECT_EQ(details::Type2Str<Array<String>>::v(), "Array<str>");
  EXPECT_EQ(details::TypeSchema<Array<int64_t>>::v(),
            R"({"type":"ffi.Array","args":[{"type":"int"}]})");
  EXPECT_EQ(TypeTraits<Array<Any>>::field_static_type_index, 71);
  EXPECT_EQ(sizeof(Array<Any>), sizeof(void*));
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<Array<int64_t>>);
  EXPECT_EQ(ArrayObj::RuntimeTypeIndex(), 71);
}

// spec: I12
TEST(ArrayObj, ItemsAreChangedInPlace) {
  ObjectPtr<ArrayObj> array = ArrayObj::Empty(6);
  array->insert(0, Any(1));
  array->insert(1, Any(3));
  array->insert(1, Any(2));
  EXPECT_EQ(array->size(), 3u);
  EXPECT_EQ(array->at(1).cast<int>(), 2);
  array->SetItem(0, Any(9));
  EXPECT_ERROR(array->SetItem(3, Any(9)), "IndexError", "Index 3 out of bounds 3");
  EXPECT_ERROR(array->insert(4, Any(9)), "IndexError", "Index 4 out of bounds [0, 3]");
  array->insert(3, array->begin(), array->end());  // inserts elements of the same array
  EXPECT_EQ(array->size(), 6u);
  EXPECT_EQ(array->at(3).cast<int>(), 9);
  EXPECT_ERROR(array->insert(0, Any(9)), "ValueError", "Not enough capacity");
  EXPECT_ERROR(array->resize(7), "ValueError", "Not enough capacity");
  EXPECT_ERROR(array->resize(-1), "ValueError", "Cannot resize to negative size");
  array->erase(3, 6);
  array->Reverse();
  EXPECT_EQ(array->front().cast<int>(), 3);
  EXPECT_EQ(array->back().cast<int>(), 9);
  array->resize(4);
  EXPECT_TRUE(array->at(3) == nullptr);
  array->pop_back();
  array->erase(0);
  EXPECT_EQ(array->size(), 2u);
  array->clear();
  EXPECT_TRUE(array->empty());
  EXPECT_EQ(array->capacity(), 6u);
}

TEST(ArrayObj, CopyFromAndMoveFromWantRoom) {
  ObjectPtr<ArrayObj> array = ArrayObj::CreateRepeated(3, Any(7));
  EXPECT_EQ(array->capacity(), 3u);
  EXPECT_ERROR(ArrayObj::CopyFrom(2, array.get()), "ValueError", "Not enough capacity");
  EXPECT_ERROR(ArrayObj::MoveFrom(2, array.get()), "RuntimeError", "Not enough capacity");
  EXPECT_EQ(ArrayObj::CopyFrom(5, array.get())->size(), 3u);
  EXPECT_EQ(array->size(), 3u);
  ObjectPtr<ArrayObj> moved = ArrayObj::MoveFrom(5, array.get());
  EXPECT_EQ(moved->size(), 3u);
  EXPECT_EQ(array->size(), 0u);
}

// spec: I12, Z7
TEST(ArrayRelease, OrderOfEachOperation) {
  auto make = [] {
    Array<Element> array;
    for (int i = 0; i < 6; ++i) array.push_back(Element(i));
    TakeReleased();
    return array;
  };
  using Ids = std::vector<int>;
  Array<Element> array = make();
  array.clear();
  EXPECT_EQ(TakeReleased(), (Ids{5, 4, 3, 2, 1, 0}));
  array = make();
  array.resize(2);
  EXPECT_EQ(TakeReleased(), (Ids{5, 4, 3, 2}));
  array.pop_back();
  EXPECT_EQ(TakeReleased(), (Ids{1}));
  array = make();
  array.erase(array.begin() + 1, array.begin() + 4);
  EXPECT_EQ(TakeReleased(), (Ids{0, 1, 2, 3}));  // 0 is from the array that was replaced
  array.erase(array.begin() + 1);
  EXPECT_EQ(TakeReleased(), Ids{4});
  array.Set(0, Element(9));
  EXPECT_EQ(TakeReleased(), Ids{0});
  array = make();
  TakeReleased();
  array = Array<Element>();
  EXPECT_EQ(TakeReleased(), (Ids{0, 1, 2, 3, 4, 5}));
  array = make();
  Array<Element> fresh{Element(10), Element(11)};
  array.Assign(fresh.begin(), fresh.end());
  EXPECT_EQ(TakeReleased(), (Ids{5, 4, 3, 2, 1, 0}));
}

}  // namespace
