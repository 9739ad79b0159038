// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/list.h>

#include <initializer_list>
#include <vector>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::List;
using Ints = List<int64_t>;

HOLDS(std::is_base_of_v<ffi::SeqBaseObj, ffi::ListObj>&& ffi::ListObj::_type_final);
HOLDS(ffi::ListObj::_type_index == kTVMFFIList);
HOLDS(std::is_base_of_v<ffi::ObjectRef, Ints> && !Ints::_type_is_nullable);
SAME_TYPE(Ints::ContainerType, ffi::ListObj);
SAME_TYPE(Ints::value_type, int64_t);
HAS_TYPE(ffi::ListObj::CreateRepeated(The<int64_t>(), The<const ffi::Any>()),
         ffi::ObjectPtr<ffi::ListObj>);
HAS_TYPE(The<const Ints>().GetListObj(), ffi::ListObj*);
HOLDS(ffi::TypeTraits<Ints>::field_static_type_index == kTVMFFIList);

HOLDS(std::is_constructible_v<Ints, ffi::UnsafeInit>&& std::is_default_constructible_v<Ints>);
HOLDS(std::is_convertible_v<List<Ints>, List<ffi::ObjectRef>>);
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
