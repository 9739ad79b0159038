// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/seq_base.h>

// array.h has the types that the templates of the base class need.
#include <tvm/ffi/container/array.h>

#include <optional>
#include <string>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::SeqBaseObj;

HOLDS(std::is_base_of_v<ffi::Object, SeqBaseObj>&& std::is_base_of_v<TVMFFISeqCell, SeqBaseObj>);
HAS_TYPE(The<const SeqBaseObj>().size(), size_t);
HAS_TYPE(The<const SeqBaseObj>().capacity(), size_t);
HAS_TYPE(The<const SeqBaseObj>().empty(), bool);
HAS_TYPE(The<const SeqBaseObj>().at(The<int64_t>()), const Any&);
HAS_TYPE(The<const SeqBaseObj>()[The<int64_t>()], const Any&);
HAS_TYPE(The<const SeqBaseObj>().front(), const Any&);
HAS_TYPE(The<const SeqBaseObj>().back(), const Any&);
HAS_TYPE(The<const SeqBaseObj>().begin(), const Any*);
HAS_TYPE(The<const SeqBaseObj>().end(), const Any*);
HAS_TYPE(The<SeqBaseObj>().clear(), void);
HAS_TYPE(The<SeqBaseObj>().SetItem(1, The<Any>()), void);
HAS_TYPE(The<SeqBaseObj>().SetItemAfterCheck(1, The<Any>()), void);
using Range = const Any*;
void Use(SeqBaseObj& seq) {
  seq.InitRange(0, Range(), Range());
  seq.pop_back();
  seq.erase(1);
  seq.erase(1, 2);
  seq.insert(1, Any());
  seq.insert(1, Range(), Range());
  seq.Reverse();
  seq.resize(1);
}
struct Inside : SeqBaseObj {
  void Use() {
    HAS_TYPE(MutableBegin(), Any*);
    HAS_TYPE(MutableEnd(), Any*);
    EmplaceInit(0, 1);
    EnlargeBy(1);
    ShrinkBy(1);
    MoveElementsLeft(0, 1, 2);
    MoveElementsRight(0, 1, 2);
    data_deleter = nullptr;
  }
};
using Ints = ffi::Array<int64_t>;
using Traits = ffi::TypeTraits<Ints>;
HOLDS(std::is_base_of_v<ffi::SeqTypeTraitsBase<Traits, Ints, int64_t>, Traits>);
HAS_TYPE(Traits::CheckAnyStrict(The<const TVMFFIAny*>()), bool);
HAS_TYPE(Traits::TryCastFromAnyView(The<const TVMFFIAny*>()), std::optional<Ints>);
HAS_TYPE(Traits::GetMismatchTypeInfo(The<const TVMFFIAny*>()), std::string);
HOLDS(Traits::kPrimaryTypeIndex == kTVMFFIArray && Traits::kOtherTypeIndex == kTVMFFIList);
HOLDS(Traits::kTypeName != nullptr);
