// SPDX-License-Identifier: Apache-2.0
// Makes the values of graph JSON. The readers of texts and of documents find the data of each node.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "graph/graph_json.h"
#include "graph/graph_json_type.h"
#include "graph/walk.h"
#include "text/value_stack.h"

namespace tvm::ffi::runtime {

/*! \brief Throw a ValueError about the structure of a document. */
[[noreturn]] void throw_malformed_graph(const std::string& what);

/*!
 * \brief Makes the values of nodes. The functions convert data for the current node, and their
 * errors name it.
 *
 * Parameters called `made` are functions. They take the data that refers to a node, which is the
 * index of the node, and return the value of the node, which must exist already.
 */
class GraphMaker {
 public:
  /*! \brief Set the current node. `type` is NULL until it is known. */
  void set_node(int64_t index, const TypeOfNode* type) {
    index_ = index;
    type_ = type;
  }
  /*! \brief The index of the current node. */
  int64_t index() const { return index_; }

  /*! \brief Convert data. If `field` is not NULL, the data belongs to this field. */
  template <typename T>
  T read_as(const Any& data, const TVMFFIFieldInfo* field = nullptr) const {
    try {
      return data.cast<T>();
    } catch (const Error& error) {
      throw_with_place(error, field);
    }
  }

  /*! \brief Make the value of a node of kind kLeaf, kEnum or kHook. A hook is foreign code. */
  Any make_leaf(const Any& data) const;

  /*! \brief Make an Array, List, Map or Dict from the indices of its elements. */
  template <typename Made>
  Any make_container(const Any* begin, const Any* end, const Made& made) const {
    switch (type_->type_index) {
      case kTVMFFIArray:
        return make_sequence<Array<Any>>(begin, end, made);
      case kTVMFFIList:
        return make_sequence<List<Any>>(begin, end, made);
      case kTVMFFIMap:
        return make_mapping<Map<Any, Any>>(begin, end, made);
      default:
        return make_mapping<Dict<Any, Any>>(begin, end, made);
    }
  }

  /*!
   * \brief Make an object, which runs foreign code.
   * \param data_of called for each field in order. Returns the data, borrowed, or NULL to set the
   * default.
   */
  template <typename DataOf, typename Made>
  Any make_object(const DataOf& data_of, const Made& made) const {
    ObjectPtr<Object> object = CreateEmptyObject(type_->type);
    char* header = reinterpret_cast<char*>(detail::ObjectUnsafe::GetHeader(object.get()));
    for (const PlannedField& field : type_->plan->fields) {
      const TVMFFIFieldInfo& info = *field.info;
      const Any* data = data_of(info);
      if (data == nullptr) {
        reflection::SetFieldToDefault(&info, header + info.offset);
      } else if (is_inline_field(info)) {
        set_field(info, plain_value(info.field_static_type_index, *data, &info), object.get());
      } else {
        set_field(info, made(*data), object.get());
      }
    }
    return Any(ObjectRef(std::move(object)));
  }

 private:
  template <typename Sequence, typename Made>
  static Any make_sequence(const Any* begin, const Any* end, const Made& made) {
    Sequence result;
    result.reserve(end - begin);
    for (const Any* index = begin; index != end; ++index) result.push_back(made(*index));
    return Any(std::move(result));
  }

  template <typename Mapping, typename Made>
  static Any make_mapping(const Any* begin, const Any* end, const Made& made) {
    constexpr std::ptrdiff_t kMany = 64;
    if (end - begin > kMany && has_text_keys(begin, end, made)) {
      return make_mapping_of_texts(Mapping::ContainerType::RuntimeTypeIndex(), begin, end, made);
    }
    Mapping result;
    for (const Any* index = begin; index != end; index += 2) {
      result.Set(made(index[0]), made(index[1]));  // may run a hook of the key
    }
    return Any(std::move(result));
  }

  template <typename Made>
  static bool has_text_keys(const Any* begin, const Any* end, const Made& made) {
    for (const Any* index = begin; index != end; index += 2) {
      int32_t kind = made(*index).type_index();
      if (kind != kTVMFFISmallStr && kind != kTVMFFIStr) return false;
    }
    return true;
  }

  // Builds the mapping in one step, which is fast even if many keys have equal hashes.
  template <typename Made>
  static Any make_mapping_of_texts(int32_t type_index, const Any* begin, const Any* end,
                                   const Made& made) {
    ValueStack values;
    for (const Any* index = begin; index != end; ++index) values.push(Any(made(*index)));
    values.make_mapping(type_index, 0);
    return values.pop();
  }

  // Makes a value of the types None, bool, int, float or DataType.
  Any plain_value(int32_t type_index, const Any& data, const TVMFFIFieldInfo* field) const;
  void set_field(const TVMFFIFieldInfo& info, const Any& value, Object* object) const;

  // Throws an error again, with the place in the document added to its message.
  [[noreturn]] void throw_with_place(const Error& error, const TVMFFIFieldInfo* field) const;

  int64_t index_ = 0;
  const TypeOfNode* type_ = nullptr;
};

}  // namespace tvm::ffi::runtime
