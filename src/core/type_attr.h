// SPDX-License-Identifier: Apache-2.0
// Attributes of types in two tiers: a map that holds everything, and dense columns for frequent
// hooks and for the attributes that clients read by column.
#ifndef TVM_FFI_SRC_CORE_TYPE_ATTR_H_
#define TVM_FFI_SRC_CORE_TYPE_ATTR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "core/load_scope.h"
#include "core/name_table.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Values of one attribute by type index; never holds None. */
using TypeAttrMap = std::unordered_map<int32_t, Any>;

/*! \brief How an attribute is stored. A tier never goes back to a lower one. */
enum class TypeAttrTier : int {
  /*! \brief A client uses the map; no value was registered. */
  kMapOnly,
  /*! \brief Registered; the column is made when asked for. */
  kSparse,
  /*! \brief The column exists and follows the map. */
  kDense,
};

/*! \brief The part of an attribute that readers of columns use. */
struct TypeAttrNode : NameNode {
  std::atomic<TypeAttrTier> tier{TypeAttrTier::kMapOnly};
  /*! \brief It belongs to enums and is updated before it is read (core/enum_store.h). */
  bool is_updated_when_read = false;
  /*! \brief Read directly by clients; changed by release stores. */
  TVMFFITypeAttrColumn column{nullptr, 0, 0};
};
extern NameTable type_attr_names;

/*! \brief The column of a name when it exists and can be read as it is, else NULL. */
inline const TVMFFITypeAttrColumn* existing_type_attr_column(std::string_view name) {
  const NameNode* node = type_attr_names.find(name.data(), name.size());
  if (node == nullptr) return nullptr;
  const auto* attr = static_cast<const TypeAttrNode*>(node);
  bool is_dense = attr->tier.load(std::memory_order_acquire) == TypeAttrTier::kDense;
  return is_dense && !attr->is_updated_when_read ? &attr->column : nullptr;
}

// Readers of a column, of a map and of a borrowed value take no lock and may use a value that has
// been replaced. So an object that is replaced in an attribute is released only if no reader could
// use the attribute that way; otherwise it is kept for the life of the process, once however often
// it is replaced. A column that was never requested does not keep objects.
//
// All are safe from any thread and may throw std::bad_alloc. `__structural_equal__` is another name
// of `__s_equal__` everywhere. Values of the published views of enums are merged into the enum
// store by both writers, which then throw what that throws.

/*!
 * \brief Register an attribute by the rules of TVMFFITypeRegisterAttr: well-known names once, other
 * names again and again; what the library itself has registered stays, without an error.
 * \return 0, or -1 with an error raised.
 */
int register_type_attr(int32_t type_index, std::string_view name, Any value);

/*! \brief Set any attribute, overwriting. \return 0, or -1 when the type is unknown or a well-known
 * attribute does not accept the value (core/type_attr_rules.h). */
int set_type_attr(int32_t type_index, std::string_view name, Any value);

/*! \brief Remove the attributes that the owner of a former definition has registered for a type,
 * except those of a load. */
void remove_former_type_attrs(int32_t type_index, const Owner& former, uint64_t load);

/*! \brief Value of an attribute, None when absent. */
Any get_type_attr(std::string_view name, int32_t type_index);

/*! \brief The same for a caller that uses the value without owning it: what replaces the value from
 * now on does not release it. */
Any get_type_attr_to_borrow(std::string_view name, int32_t type_index);

/*! \brief Create the dense column, which may be empty. */
void ensure_type_attr_column(std::string_view name);

/*!
 * \brief The column of a name, made on the first request; NULL when the name was never registered.
 * Takes no lock once the column is there. Stable address.
 */
const TVMFFITypeAttrColumn* find_type_attr_column(std::string_view name);

/*! \brief The map of a name, made on demand. Stable address; reading it must not race with a
 * writer of the same attribute. */
const TypeAttrMap& type_attr_map(std::string_view name);

// What the enum store uses to keep its data here: plain access, without any of the rules above.

/*! \brief Value of a slot, None when empty. */
Any load_type_attr(int32_t type_index, std::string_view name);

/*! \brief Put a value into a slot. \return the value before, to be released after all locks:
 * releasing it may run foreign code. */
Any exchange_type_attr(int32_t type_index, std::string_view name, Any value);

/*!
 * \brief Change the value of a slot. It has no other owner if no other reader could use it;
 * otherwise `change` gets a second reference and must not change the object itself.
 * \param change must leave a value behind, also when it throws; runs under the lock.
 */
void update_type_attr(int32_t type_index, std::string_view name,
                      const std::function<void(Any*)>& change);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TYPE_ATTR_H_
