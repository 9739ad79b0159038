// SPDX-License-Identifier: Apache-2.0
// The description of a type for the reader of graph JSON, and lookups in the maps of a document.
#ifndef TVM_FFI_SRC_GRAPH_GRAPH_JSON_TYPE_H_
#define TVM_FFI_SRC_GRAPH_GRAPH_JSON_TYPE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief How to read the data of a node. */
enum class DataKind : uint8_t { kLeaf, kSequence, kMapping, kEnum, kHook, kFields };

/*! \brief A reflected field, and its key in the data. */
struct FieldOfData {
  const TVMFFIFieldInfo* info;
  bool is_inline;
  Any name;
};

/*! \brief How the reader makes objects of a type. */
struct TypeOfNode {
  Any key;
  int32_t type_index;
  const TVMFFITypeInfo* type;
  DataKind kind;
  /*! \brief The attribute `__data_from_json__`, if the kind is kHook. */
  Any hook;
  std::vector<FieldOfData> fields;
};

/*! \brief Look up a type key. \throws InternalError when the key is unknown. */
std::unique_ptr<TypeOfNode> describe_type(const String& key);

/*! \brief Return the value of a key, borrowed from the map; NULL when the key is missing. */
inline const Any* find_entry(const MapObj* map, const Any& key) {
  auto it = map->find(key);
  return it == map->end() ? nullptr : &it->second;
}

/*!
 * \brief Looks up keys in a map. The search is short when keys are requested in the order of the
 * map.
 */
class EntryCursor {
 public:
  explicit EntryCursor(const MapObj* map) : map_(map), next_(map->begin()), end_(map->end()) {}

  /*! \brief Return the value of a key, borrowed from the map; NULL when the key is missing. */
  const Any* find(const Any& key) {
    if (next_ != end_ && AnyEqual()(next_->first, key)) {
      const Any* value = &next_->second;
      ++next_;
      return value;
    }
    return find_entry(map_, key);
  }

 private:
  const MapObj* map_;
  MapBaseObj::iterator next_;
  MapBaseObj::iterator end_;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_GRAPH_JSON_TYPE_H_
