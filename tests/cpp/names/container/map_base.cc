// SPDX-License-Identifier: Apache-2.0
#define TVM_FFI_DEBUG_WITH_ABI_CHANGE 0
#include <tvm/ffi/container/map_base.h>

#include <iterator>
#include <utility>

// map.h has the types that the templates of the base class need.
#include <tvm/ffi/container/map.h>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::MapBaseObj;

HOLDS(std::is_base_of_v<ffi::Object, MapBaseObj>);
SAME_TYPE(MapBaseObj::key_type, Any);
SAME_TYPE(MapBaseObj::mapped_type, Any);
using Pair = std::pair<Any, Any>;
SAME_TYPE(MapBaseObj::KVType, Pair);
HOLDS(std::is_base_of_v<MapBaseObj, ffi::SmallMapBaseObj>);
HOLDS(std::is_base_of_v<MapBaseObj, ffi::DenseMapBaseObj>);
using Iter = MapBaseObj::iterator;
HAS_TYPE(The<const MapBaseObj>().size(), size_t);
HAS_TYPE(The<const MapBaseObj>().count(The<const Any>()), size_t);
HOLDS(std::is_same_v<std::decay_t<decltype(The<const MapBaseObj>().at(The<const Any>()))>, Any>);
HAS_TYPE(The<const MapBaseObj>().begin(), Iter);
HAS_TYPE(The<const MapBaseObj>().end(), Iter);
HAS_TYPE(The<const MapBaseObj>().find(The<const Any>()), Iter);
HAS_TYPE(The<MapBaseObj>().erase(The<const Iter>()), void);
HAS_TYPE(The<MapBaseObj>().erase(The<const Any>()), void);
HAS_TYPE(The<MapBaseObj>().clear(), void);
SAME_TYPE(std::iterator_traits<Iter>::iterator_category, std::bidirectional_iterator_tag);
HAS_TYPE(*The<const Iter>(), Pair&);
HAS_TYPE(The<const Iter>()->first, Any);
struct Inside : MapBaseObj {
  void Use() {
    HOLDS(sizeof(data_) == 8 && sizeof(size_) == 8 && sizeof(slots_) == 8);
    HOLDS(sizeof(data_deleter_) == 8);
    using Ptr = ffi::ObjectPtr<ffi::Object>;
    HAS_TYPE(Empty<ffi::MapObj>(), Ptr);
    HAS_TYPE((CreateFromRange<ffi::MapObj>(The<const Pair*>(), The<const Pair*>())), Ptr);
    HAS_TYPE((InsertMaybeReHash<ffi::MapObj>(Moved<KVType>(), The<const Ptr>())), Ptr);
    HAS_TYPE(CopyFrom<ffi::MapObj>(The<MapBaseObj*>()), Ptr);
  }
};
using Counts = ffi::Map<ffi::String, int64_t>;
using Traits = ffi::TypeTraits<Counts>;
HOLDS(std::is_base_of_v<ffi::MapTypeTraitsBase<Traits, Counts, ffi::String, int64_t>, Traits>);
HOLDS(Traits::kPrimaryTypeIndex == kTVMFFIMap && Traits::kOtherTypeIndex == kTVMFFIDict);
HOLDS(Traits::kTypeName != nullptr);
