// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/dict.h>

#include <initializer_list>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Dict;
using ffi::DictObj;
using Counts = Dict<ffi::String, int64_t>;
using Pair = std::pair<ffi::String, int64_t>;

HOLDS(std::is_base_of_v<ffi::MapBaseObj, DictObj>&& DictObj::_type_final);
HOLDS(DictObj::_type_index == kTVMFFIDict && sizeof(DictObj) == sizeof(ffi::MapBaseObj));
HAS_TYPE(DictObj::ShallowCopy(The<const DictObj*>()), ffi::ObjectPtr<ffi::Object>);
HOLDS(std::is_base_of_v<ffi::ObjectRef, Counts> && !Counts::_type_is_nullable);
SAME_TYPE(Counts::key_type, ffi::String);
SAME_TYPE(Counts::mapped_type, int64_t);
SAME_TYPE(Counts::ContainerType, DictObj);
HOLDS(std::is_constructible_v<Counts, ffi::UnsafeInit>);
HOLDS(std::is_default_constructible_v<Counts>);
HOLDS(std::is_convertible_v<Dict<ffi::String, Counts>, Dict<ffi::Any, ffi::ObjectRef>>);
HOLDS(std::is_constructible_v<Counts, ffi::ObjectPtr<ffi::Object>>);
HOLDS(!std::is_convertible_v<ffi::ObjectPtr<ffi::Object>, Counts>);
HOLDS(std::is_constructible_v<Counts, const Pair*, const Pair*>);
HOLDS(std::is_constructible_v<Counts, std::initializer_list<Pair>>);
using Unordered = std::unordered_map<ffi::String, int64_t>;
HOLDS(std::is_constructible_v<Counts, const Unordered&>);
HOLDS(std::is_same_v<std::decay_t<decltype(The<const Counts>().at("a"))>, int64_t>);
HOLDS(std::is_same_v<std::decay_t<decltype(The<const Counts>()["a"])>, int64_t>);
HAS_TYPE(The<const Counts>().size(), size_t);
HAS_TYPE(The<const Counts>().count("a"), size_t);
HAS_TYPE(The<const Counts>().empty(), bool);
HAS_TYPE(The<Counts>().clear(), void);
HAS_TYPE(The<Counts>().Set("a", 1), void);
HAS_TYPE(The<const Counts>().begin(), Counts::iterator);
HAS_TYPE(The<const Counts>().end(), Counts::iterator);
HAS_TYPE(The<const Counts>().find("a"), Counts::iterator);
HAS_TYPE(The<const Counts>().Get("a"), std::optional<int64_t>);
HAS_TYPE(The<Counts>().erase("a"), void);
HOLDS(std::is_default_constructible_v<Counts::iterator>);
SAME_TYPE(std::iterator_traits<Counts::iterator>::iterator_category,
          std::bidirectional_iterator_tag);
HOLDS(std::is_same_v<std::decay_t<decltype(*The<const Counts::iterator>())>, Pair>);
HOLDS(ffi::TypeTraits<Counts>::field_static_type_index == kTVMFFIObject);

// A class derived by a user reads the pointer that it inherits.
struct Derived : Counts {
  bool IsNull() const { return data_ == nullptr; }
};
