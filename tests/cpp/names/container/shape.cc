// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/shape.h>

#include <initializer_list>
#include <ostream>
#include <vector>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Shape;
using ffi::ShapeObj;
using ffi::ShapeView;

HOLDS(std::is_default_constructible_v<ShapeView>);
HOLDS(std::is_constructible_v<ShapeView, const int64_t*, size_t>);
HOLDS(std::is_convertible_v<std::initializer_list<int64_t>, ShapeView>);
HAS_TYPE(The<const ShapeView>().data(), const int64_t*);
HAS_TYPE(The<const ShapeView>().size(), size_t);
HAS_TYPE(The<const ShapeView>().Product(), int64_t);
HAS_TYPE(The<const ShapeView>().begin(), const int64_t*);
HAS_TYPE(The<const ShapeView>().end(), const int64_t*);
HAS_TYPE(The<const ShapeView>().empty(), bool);
template <typename T>
constexpr bool ReadsExtents() {
  HOLDS(std::is_same_v<std::decay_t<decltype(The<const T>()[0])>, int64_t>);
  HOLDS(std::is_same_v<std::decay_t<decltype(The<const T>().front())>, int64_t>);
  HOLDS(std::is_same_v<std::decay_t<decltype(The<const T>().back())>, int64_t>);
  HOLDS(std::is_same_v<std::decay_t<decltype(The<const T>().at(1))>, int64_t>);
  return true;
}
HOLDS(ReadsExtents<ShapeView>() && ReadsExtents<Shape>());
HOLDS(std::is_base_of_v<ffi::Object, ShapeObj>&& std::is_base_of_v<TVMFFIShapeCell, ShapeObj>);
HOLDS(ShapeObj::_type_index == kTVMFFIShape && !ShapeObj::_type_final);
SAME_TYPE(ShapeObj::index_type, int64_t);
HAS_TYPE(The<const ShapeObj>().Product(), int64_t);
HOLDS(std::is_constructible_v<ffi::detail::ShapeObjStdImpl, std::vector<int64_t>>);
HAS_TYPE(ffi::detail::MakeEmptyShape(The<size_t>(), The<int64_t**>()), ffi::ObjectPtr<ShapeObj>);
HAS_TYPE(ffi::detail::MakeInplaceShape(The<const int64_t*>(), The<const int64_t*>()),
         ffi::ObjectPtr<ShapeObj>);
HAS_TYPE(ffi::detail::FillStridesFromShape(The<ShapeView>(), The<int64_t*>()), void);
HAS_TYPE(ffi::detail::MakeStridesFromShape(The<ShapeView>()), ffi::ObjectPtr<ShapeObj>);

HOLDS(std::is_default_constructible_v<Shape> && !Shape::_type_is_nullable);
HOLDS(std::is_constructible_v<Shape, const int*, const int*>);
HOLDS(std::is_convertible_v<ffi::Array<int64_t>, Shape>);
HOLDS(std::is_convertible_v<std::initializer_list<int64_t>, Shape>);
HOLDS(std::is_convertible_v<std::vector<int64_t>, Shape>&& std::is_convertible_v<ShapeView, Shape>);
HOLDS(std::is_convertible_v<Shape, ShapeView>);
HAS_TYPE(Shape::StridesFromShape(The<ShapeView>()), Shape);
HAS_TYPE(The<const Shape>().data(), const int64_t*);
HAS_TYPE(The<const Shape>().size(), size_t);
HAS_TYPE(The<const Shape>().empty(), bool);
HAS_TYPE(The<const Shape>().begin(), const int64_t*);
HAS_TYPE(The<const Shape>().end(), const int64_t*);
HAS_TYPE(The<const Shape>().Product(), int64_t);
HAS_TYPE(The<std::ostream>() << The<const Shape>(), std::ostream&);
HOLDS(ffi::TypeTraits<Shape>::field_static_type_index == kTVMFFIShape);
