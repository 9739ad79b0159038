// SPDX-License-Identifier: Apache-2.0
// The type attribute `__ffi_convert__` of the object types with fixed indices.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include "core/start_up.h"

namespace tvm::ffi::runtime {

void register_attributes() {
  reflection::TypeAttrDef<Object>().def_convert<ObjectRef>();
  reflection::TypeAttrDef<detail::StringObj>().def_convert<String>();
  reflection::TypeAttrDef<detail::BytesObj>().def_convert<Bytes>();
  reflection::TypeAttrDef<ErrorObj>().def_convert<Error>();
  reflection::TypeAttrDef<FunctionObj>().def_convert<Function>();
  reflection::TypeAttrDef<ShapeObj>().def_convert<Shape>();
  reflection::TypeAttrDef<TensorObj>().def_convert<Tensor>();
  reflection::TypeAttrDef<ArrayObj>().def_convert<Array<Any>>();
  reflection::TypeAttrDef<MapObj>().def_convert<Map<Any, Any>>();
  reflection::TypeAttrDef<ListObj>().def_convert<List<Any>>();
  reflection::TypeAttrDef<DictObj>().def_convert<Dict<Any, Any>>();
}

}  // namespace tvm::ffi::runtime
