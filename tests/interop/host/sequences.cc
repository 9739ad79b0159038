// SPDX-License-Identifier: Apache-2.0
// Check arrays, lists, shapes and tuples.
#include <algorithm>
#include <utility>
#include <vector>

#include "checks.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

void CheckArrays() {
  const std::vector<int> numbers{3, 1, 2};
  Array<int> array(numbers.begin(), numbers.end());
  CHECK_THAT(array.size() == 3 && array.front() == 3 && array.back() == 2);
  CHECK_THAT(Array<String>(4, "x")[3] == "x" && Array<int>().empty());
  CHECK_THROWS("IndexError", "", (void)array[3]);
  CHECK_THROWS("IndexError", "", (void)array[-1]);

  Array<int> other = array;
  const Object* shared = array.get();
  other.push_back(4);
  CHECK_THAT(array.size() == 3 && other.size() == 4 && other.get() != shared);
  array.Set(0, 5);
  CHECK_THAT(array.get() == shared && array[0] == 5);
  other.insert(other.begin() + 1, 7);
  other.erase(other.begin() + 2, other.begin() + 4);
  CHECK_THAT(other.size() == 3 && other[1] == 7 && other[2] == 4);
  other.resize(1);
  CHECK_THAT(other.size() == 1);
  other.clear();
  CHECK_THAT(other.empty());

  CHECK_THAT(array.Map([](int a) { return a; }).same_as(array));
  CHECK_THAT(array.Map([](int a) { return a + 1; })[0] == 6);
  CHECK_THAT(Concat(array, Array<int>{8}).size() == 4);
  int sum = 0;
  for (int value : array) sum += value;
  CHECK_THAT(sum == 8 && std::find(array.begin(), array.end(), 1) == array.begin() + 1);
  CHECK_THAT(*array.rbegin() == 2);

  Array<int> moved = std::move(array);
  CHECK_THAT(array.size() == 0 && moved.size() == 3);  // NOLINT(bugprone-use-after-move)
  array.push_back(1);
  CHECK_THAT(array.size() == 1);
}

void CheckLists() {
  List<String> list{"a", "b"};
  List<String> same = list;
  Any held = list;
  list.push_back("c");
  for (int i = 0; i < 100; ++i) list.push_back("more");
  CHECK_THAT(same.size() == 103 && held.cast<List<String>>().same_as(list));
  same.erase(same.begin());
  same.Set(0, "z");
  CHECK_THAT(list[0] == "z" && list.size() == 102);
  CHECK_THROWS("IndexError", "", (void)list[102]);

  Array<String> copied = Any(list).cast<Array<String>>();
  list.clear();
  CHECK_THAT(copied.size() == 102 && same.empty());
  CHECK_THROWS("TypeError", "List[index 0: ffi.SmallStr]",
               (void)Any(List<Any>{String("a")}).cast<List<int>>());
}

void CheckFixed() {
  Tuple<int, String> pair(1, "one");
  auto [number, text] = std::make_pair(pair.get<0>(), pair.get<1>());
  CHECK_THAT(number == 1 && text == "one");
  Tuple<int, String> copy = pair;
  copy.Set<0>(2);
  CHECK_THAT(pair.get<0>() == 1 && copy.get<0>() == 2);
  CHECK_THROWS("TypeError", "", (void)Any(Array<Any>{1}).cast<Tuple<int, String>>());
  Shape shape({2, 0, 3});
  CHECK_THAT(shape.Product() == 0 && Shape().Product() == 1);
  CHECK_THROWS("IndexError", "indexing 3 on a Shape of size 3", (void)shape.at(3));
  CHECK_THAT(Any(Array<int>{4, 5}).cast<Shape>()[1] == 5);
}

}  // namespace

void host::CheckSequences() {
  CheckArrays();
  CheckLists();
  CheckFixed();
}
