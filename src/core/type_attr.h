// SPDX-License-Identifier: Apache-2.0
// Attributes of types. Each attribute has a map with all its values. Attributes that are read often
// or that clients read by column also have a dense column.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "core/load_scope.h"
#include "core/name_table.h"

namespace tvm::ffi::runtime {

/*! \brief Return the lock that guards the attributes. No foreign code runs while it is held. */
Mutex& type_attr_mutex();

/*! \brief Values of one attribute by type index. None is not stored. */
using TypeAttrMap = std::unordered_map<int32_t, Any>;

/*! \brief How an attribute is stored. The tier of an attribute can only change to a later constant
 * of this list. */
enum class TypeAttrTier : int {
  /*! \brief A client has requested the map, but no value was registered. */
  kMapOnly,
  /*! \brief A value was registered. The column is created on request. */
  kSparse,
  /*! \brief The column exists and is updated together with the map. */
  kDense,
};

/*! \brief The part of an attribute that readers of columns use. */
struct TypeAttrNode : NameNode {
  std::atomic<TypeAttrTier> tier{TypeAttrTier::kMapOnly};
  /*! \brief Whether the enum store updates the attribute before each read. */
  bool is_updated_when_read = false;
  /*! \brief Clients read the column directly; it is changed by release stores. */
  TVMFFITypeAttrColumn column{nullptr, 0, 0};
};
extern NameTable type_attr_names;

/*! \brief Return the column of a name; NULL if the column does not exist, or must be updated before
 * it is read. */
inline const TVMFFITypeAttrColumn* existing_type_attr_column(std::string_view name) {
  const NameNode* node = type_attr_names.find(name.data(), name.size());
  if (node == nullptr) return nullptr;
  const auto* attr = static_cast<const TypeAttrNode*>(node);
  bool is_dense = attr->tier.load(std::memory_order_acquire) == TypeAttrTier::kDense;
  return is_dense && !attr->is_updated_when_read ? &attr->column : nullptr;
}

// A reader that has the column, the map or a borrowed value of an attribute takes no lock, and may
// use a value after another value has replaced it. So as soon as an attribute has given one of the
// three to a reader, the replaced objects of this attribute live until the process ends.
//
// All functions may be called from any thread and may throw std::bad_alloc. `__structural_equal__`
// is always another name of `__s_equal__`. Some attributes are views of the enum store:
// register_type_attr and set_type_attr merge a value for them into the store, and throw the errors
// of merge_enum_view.

/*!
 * \brief Register an attribute by the rules of TVMFFITypeRegisterAttr. A well-known name can be
 * registered once per type; other names can be registered again. If the runtime itself has
 * registered a value, the call returns 0 and keeps the value of the runtime.
 * \return 0, or -1 with an error raised.
 */
int register_type_attr(int32_t type_index, std::string_view name, Any value);

/*! \brief Set or overwrite any attribute. \return 0, or -1 when the type is unknown or a well-known
 * attribute does not accept the value (core/type_attr_rules.h). */
int set_type_attr(int32_t type_index, std::string_view name, Any value);

/*! \brief Remove the attributes that `former`, the owner of a former definition, has registered for
 * a type. Attributes that were registered in the load `load` are kept. */
void remove_former_type_attrs(int32_t type_index, const Owner& former, uint64_t load);

/*! \brief Return the value of an attribute; None if it is absent. */
Any get_type_attr(std::string_view name, int32_t type_index);

/*! \brief Return the value of an attribute for a caller that will borrow it. If the value is
 * replaced later, the table keeps it alive. */
Any get_type_attr_to_borrow(std::string_view name, int32_t type_index);

/*! \brief Create the dense column, which may be empty. */
void ensure_type_attr_column(std::string_view name);

/*! \brief Return the column of a name, created on the first request; NULL when the name was never
 * registered. Takes no lock once the column exists. The address of the column does not change. */
const TVMFFITypeAttrColumn* find_type_attr_column(std::string_view name);

/*! \brief Return the map of a name, created on the first request. Its address does not change. A
 * read must not run at the same time as a write of the same attribute. */
const TypeAttrMap& type_attr_map(std::string_view name);

// The following functions are for the enum store (core/enum_store.h). They read and write one
// attribute of one type without updating the enum store and without checking the value.

/*! \brief Return the value of an attribute; None if there is none. */
Any load_type_attr(int32_t type_index, std::string_view name);

/*! \brief Replace the value of an attribute. \return the former value. The caller must release it
 * after unlocking all locks, because the release may run foreign code. */
Any exchange_type_attr(int32_t type_index, std::string_view name, Any value);

}  // namespace tvm::ffi::runtime
