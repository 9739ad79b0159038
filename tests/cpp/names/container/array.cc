// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/array.h>

#include <initializer_list>
#include <vector>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Array;
using Ints = Array<int64_t>;

HOLDS(std::is_base_of_v<ffi::SeqBaseObj, ffi::ArrayObj>&& ffi::ArrayObj::_type_final);
HOLDS(ffi::ArrayObj::_type_index == kTVMFFIArray);
HOLDS(std::is_base_of_v<ffi::ObjectRef, Ints> && !Ints::_type_is_nullable);
SAME_TYPE(Ints::ContainerType, ffi::ArrayObj);
SAME_TYPE(Ints::value_type, int64_t);
HAS_TYPE(ffi::ArrayObj::CreateRepeated(The<int64_t>(), The<const ffi::Any>()),
         ffi::ObjectPtr<ffi::ArrayObj>);
HAS_TYPE(The<const Ints>().GetArrayObj(), ffi::ArrayObj*);
HOLDS(ffi::TypeTraits<Ints>::field_static_type_index == kTVMFFIArray);

HOLDS(std::is_constructible_v<Ints, ffi::UnsafeInit>&& std::is_default_constructible_v<Ints>);
HOLDS(std::is_convertible_v<Array<Ints>, Array<ffi::ObjectRef>>);
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

HAS_TYPE(ffi::ArrayObj::CopyFrom(The<int64_t>(), The<ffi::ArrayObj*>()),
         ffi::ObjectPtr<ffi::ArrayObj>);
HAS_TYPE(ffi::ArrayObj::MoveFrom(The<int64_t>(), The<ffi::ArrayObj*>()),
         ffi::ObjectPtr<ffi::ArrayObj>);
HAS_TYPE(The<Ints>().CopyOnWrite(), ffi::ArrayObj*);
double Half(int64_t x) { return static_cast<double>(x) / 2; }
int64_t Twice(int64_t x) { return 2 * x; }
HAS_TYPE(The<const Ints>().Map(Half), Array<double>);
HAS_TYPE(The<Ints>().MutateByApply(Twice), void);
HAS_TYPE(Ints::Agregate(The<int64_t>(), The<Ints>()), Ints);
HAS_TYPE(ffi::Concat(The<Ints>(), The<const Ints>()), Ints);
HOLDS(ffi::is_valid_iterator<int64_t, const int64_t*>::value);
HOLDS(ffi::is_valid_iterator_v<ffi::Any, const int64_t*>);
HOLDS(ffi::is_valid_iterator_v<ffi::Optional<int64_t>, const int64_t*>);
HOLDS(ffi::type_subsumes_v<Array<ffi::Any>, Ints>);

// A class derived by a user reads the pointer that it inherits.
struct Derived : Ints {
  bool IsNull() const { return data_ == nullptr; }
};
