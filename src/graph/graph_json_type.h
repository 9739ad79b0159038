// SPDX-License-Identifier: Apache-2.0
// The description of a type for the readers of graph JSON, and lookups in the maps of a document.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/string.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "graph/field_plan.h"
#include "text/inline_stack.h"

namespace tvm::ffi::runtime {

/*! \brief How to read the data of a node. */
enum class DataKind : uint8_t { kLeaf, kSequence, kMapping, kEnum, kHook, kFields };

/*! \brief How the readers make values of a type. */
struct TypeOfNode {
  int32_t type_index;
  DataKind kind;
  const TVMFFITypeInfo* type;
  /*! \brief The fields, if the kind is kFields. */
  const FieldPlan* plan;
  /*! \brief Whether JSON texts contain the names of the fields as they are, without escapes. */
  bool has_plain_names;
};

/*! \brief Return the function that makes objects of a type from their data; None if the type has
 * none, or no longer has it. */
AnyView data_hook_of(int32_t type_index);

/*! \brief The descriptions of the types of a document, in the order of their first use. */
class TypesOfNodes {
 public:
  /*!
   * \brief Find the description of a type, or add it.
   * \param key the type key.
   * \param position the position of the description.
   * \return false if there is no type with this key.
   */
  bool find(std::string_view key, uint32_t* position);

  /*! \brief A description, borrowed until the next call of find(). */
  const TypeOfNode& operator[](uint32_t position) const { return types_[position]; }

 private:
  static constexpr size_t kNumRecent = 32;

  InlineStack<TypeOfNode, 8> types_;
  uint32_t recent_[kNumRecent] = {};  // positions in `types_`, by a hash of the key
};

/*! \brief Return the value of a key, borrowed from the map; NULL when the key is missing. */
inline const Any* find_entry(const MapObj* map, std::string_view key) {
  auto it = map->find(String(key.data(), key.size()));
  return it == map->end() ? nullptr : &it->second;
}

/*! \brief Looks up keys in a map. The search is short when keys are requested in the order of the
 * map. */
class EntryCursor {
 public:
  explicit EntryCursor(const MapObj* map) : map_(map), next_(map->begin()), end_(map->end()) {}

  /*! \brief Return the value of a key, borrowed from the map; NULL when the key is missing. */
  const Any* find(std::string_view key) {
    if (next_ != end_ &&
        detail::TryStringView(detail::AnyUnsafe::TVMFFIAnyPtrFromAny(next_->first)) == key) {
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

}  // namespace tvm::ffi::runtime
