// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/array.h>

template <typename T>
using Sequence = tvm::ffi::Array<T>;
using SequenceObj = tvm::ffi::ArrayObj;

#include "sequence.h"

HOLDS(ffi::ArrayObj::_type_index == kTVMFFIArray);
HAS_TYPE(The<const Ints>().GetArrayObj(), ffi::ArrayObj*);
HOLDS(ffi::TypeTraits<Ints>::field_static_type_index == kTVMFFIArray);

HAS_TYPE(ffi::ArrayObj::CopyFrom(The<int64_t>(), The<ffi::ArrayObj*>()),
         ffi::ObjectPtr<ffi::ArrayObj>);
HAS_TYPE(ffi::ArrayObj::MoveFrom(The<int64_t>(), The<ffi::ArrayObj*>()),
         ffi::ObjectPtr<ffi::ArrayObj>);
HAS_TYPE(The<Ints>().CopyOnWrite(), ffi::ArrayObj*);
double Half(int64_t x) { return static_cast<double>(x) / 2; }
int64_t Twice(int64_t x) { return 2 * x; }
HAS_TYPE(The<const Ints>().Map(Half), ffi::Array<double>);
HAS_TYPE(The<Ints>().MutateByApply(Twice), void);
HAS_TYPE(Ints::Agregate(The<int64_t>(), The<Ints>()), Ints);
HAS_TYPE(ffi::Concat(The<Ints>(), The<const Ints>()), Ints);
HOLDS(ffi::is_valid_iterator<int64_t, const int64_t*>::value);
HOLDS(ffi::is_valid_iterator_v<ffi::Any, const int64_t*>);
HOLDS(ffi::is_valid_iterator_v<ffi::Optional<int64_t>, const int64_t*>);
HOLDS(ffi::type_subsumes_v<ffi::Array<ffi::Any>, Ints>);
