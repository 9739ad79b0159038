// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/serialization.h
 * \brief Conversion of a value, with all objects that it refers to, to one JSON document and back.
 * An object with several references in the value is written, and made again, only once.
 */
#ifndef TVM_FFI_EXTRA_SERIALIZATION_H_
#define TVM_FFI_EXTRA_SERIALIZATION_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

namespace tvm::ffi {

/*!
 * \brief Describe a value as a graph of nodes.
 *
 * The document is `{"root_index": i, "nodes": [{"type": key, "data": ...}, ...]}`. Equal values
 * (same object, or equal as keys of a Map) are one node. A node comes after the nodes that it
 * refers to. Objects are described by their reflected fields, or by the hook
 * `__data_to_json__` of their type. The function may run foreign code: getters and this hook.
 * \param value the value to describe.
 * \param metadata JSON data for the key `metadata`; None for no such key.
 * \return a tree of Map and Array, ready for json::Stringify.
 * \throws TypeError for objects that cannot be made by reflection, RuntimeError for other values
 *         without a description (pointers), ValueError for objects that contain themselves.
 */
TVM_FFI_EXTRA_CXX_API json::Value ToJSONGraph(const Any& value, const Any& metadata = Any(nullptr));

/*!
 * \brief Make the value that a document describes; the inverse of ToJSONGraph.
 *
 * Nodes may be in any order; nodes that the root does not need are ignored. A missing field gets
 * its default, keys that are not fields are ignored, and enum instances are looked up. Documents
 * may come from untrusted sources: every defect is an error. The function may run foreign code:
 * creators, setters and the hooks `__data_from_json__`.
 * \throws ValueError beginning with `Invalid JSON Object Graph` for a malformed document or a node
 *         that contains itself, TypeError for data of a wrong type and for a missing required
 *         field, KeyError for a node without type or data, RuntimeError for a type that is unknown
 *         or cannot be made.
 */
TVM_FFI_EXTRA_CXX_API Any FromJSONGraph(const json::Value& value);

namespace type_attr {

/*! \brief The hook that converts an object to the JSON data for the member `data` of its node. */
inline constexpr reflection::AttrKey<TypedFunction<Any(AnyView)>> kDataToJson{"__data_to_json__"};
/*! \brief The inverse of kDataToJson: converts the member `data` of a node to the object. */
inline constexpr reflection::AttrKey<TypedFunction<Any(AnyView)>> kDataFromJson{
    "__data_from_json__"};

}  // namespace type_attr
}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_SERIALIZATION_H_
