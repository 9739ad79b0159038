// SPDX-License-Identifier: Apache-2.0
// The names that Array and List share. The including file defines `Sequence` and `SequenceObj`.
#include <initializer_list>
#include <vector>

#include "../use.h"

namespace ffi = tvm::ffi;
using Ints = Sequence<int64_t>;

HOLDS(std::is_base_of_v<ffi::SeqBaseObj, SequenceObj>&& SequenceObj::_type_final);
HOLDS(std::is_base_of_v<ffi::ObjectRef, Ints> && !Ints::_type_is_nullable);
SAME_TYPE(Ints::ContainerType, SequenceObj);
SAME_TYPE(Ints::value_type, int64_t);
HAS_TYPE(SequenceObj::CreateRepeated(The<int64_t>(), The<const ffi::Any>()),
         ffi::ObjectPtr<SequenceObj>);

HOLDS(std::is_constructible_v<Ints, ffi::UnsafeInit>&& std::is_default_constructible_v<Ints>);
HOLDS(std::is_convertible_v<Sequence<Ints>, Sequence<ffi::ObjectRef>>);
HOLDS(std::is_constructible_v<Ints, ffi::ObjectPtr<ffi::Object>>);
HOLDS(!std::is_convertible_v<ffi::ObjectPtr<ffi::Object>, Ints>);
HOLDS(std::is_constructible_v<Ints, const int*, const int*>);
HOLDS(std::is_convertible_v<std::initializer_list<int64_t>, Ints>);
HOLDS(std::is_convertible_v<const std::vector<int64_t>&, Ints>);
HOLDS(std::is_constructible_v<Ints, size_t, const int64_t&>);
HAS_TYPE(The<const Ints>().size(), size_t);
HAS_TYPE(The<const Ints>().capacity(), size_t);
HAS_TYPE(The<const Ints>().empty(), bool);
HOLDS(std::is_same_v<std::decay_t<decltype(The<const Ints>()[0])>, int64_t>);
HOLDS(std::is_same_v<std::decay_t<decltype(The<const Ints>().front())>, int64_t>);
HOLDS(std::is_same_v<std::decay_t<decltype(The<const Ints>().back())>, int64_t>);
HAS_TYPE(The<const Ints>().begin(), Ints::iterator);
HAS_TYPE(The<const Ints>().end(), Ints::iterator);
HAS_TYPE(The<const Ints>().rbegin(), Ints::reverse_iterator);
HAS_TYPE(The<const Ints>().rend(), Ints::reverse_iterator);
void Write(Ints& ints, const int64_t* other) {
  ints.push_back(1);
  ints.emplace_back(1);
  ints.insert(ints.begin(), 1);
  ints.insert(ints.begin(), other, other);
  ints.pop_back();
  ints.erase(ints.begin());
  ints.erase(ints.begin(), ints.end());
  ints.resize(1);
  ints.reserve(1);
  ints.clear();
  ints.Set(0, 1);
  ints.Assign(other, other);
}

// A class derived by a user reads the pointer that it inherits.
struct Derived : Ints {
  bool IsNull() const { return data_ == nullptr; }
};
