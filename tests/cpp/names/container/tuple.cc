// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/tuple.h>

#include <tuple>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::String;
using ffi::Tuple;
using Row = Tuple<int64_t, String>;

HOLDS(std::is_default_constructible_v<Row>&& std::is_constructible_v<Row, ffi::UnsafeInit>);
HOLDS(std::is_constructible_v<Row, int, const char*> && !Row::_type_is_nullable);
HOLDS(std::is_nothrow_move_constructible_v<Row>&& std::is_nothrow_copy_constructible_v<Row>);
HOLDS(std::is_convertible_v<Tuple<Row>, Tuple<ffi::ObjectRef>>);
HAS_TYPE(The<const Row>().get<0>(), int64_t);
HAS_TYPE(Moved<Row>().get<1>(), String);
HAS_TYPE(The<Row>().Set<0>(1), void);
HAS_TYPE(ffi::get<0>(The<const Row>()), int64_t);
HAS_TYPE(ffi::get<1>(Moved<Row>()), String);
HOLDS(std::tuple_size<Row>::value == 2);
using Second = std::tuple_element<1, Row>::type;
SAME_TYPE(Second, String);
HAS_TYPE(Tuple(The<const int>(), The<const String>()), Tuple<int, String>);
int64_t Bind(const Row& row) {
  auto [number, text] = row;
  return number + static_cast<int64_t>(text.size());
}
HOLDS(ffi::type_subsumes_v<Tuple<ffi::Any, ffi::Any>, Row>);
HOLDS(ffi::TypeTraits<Row>::field_static_type_index == kTVMFFIObject);
