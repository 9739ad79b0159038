// SPDX-License-Identifier: Apache-2.0
// The type table: one entry per registered type, at an address that never changes.
#ifndef TVM_FFI_SRC_CORE_TYPE_TABLE_H_
#define TVM_FFI_SRC_CORE_TYPE_TABLE_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief The arguments of TVMFFITypeGetOrAllocIndex; see the description of that function. */
struct TypeRequest {
  std::string_view key;
  int32_t static_index = -1;
  int32_t depth = 0;
  int32_t child_slots = 0;
  bool overflows = false;
  int32_t parent = -1;
  /*! \brief Whether the request comes from native code, which has a C++ class for the type. */
  bool is_declaration = false;
};

// Readers take no lock and do not write shared memory. Writers take the table's lock; no foreign
// code runs while it is held. All functions may be called from any thread.

/*! \brief Return the entry of a type, or NULL. Does not raise an error. */
const TVMFFITypeInfo* find_type(int32_t type_index);

/*!
 * \brief Return the type index of a key, or -1 when the key is unknown. Does not raise an error.
 */
int32_t find_type_key(std::string_view key);

/*!
 * \brief Free the key of a type whose registration has failed before it was complete.
 *
 * The key refers to no type until it is registered again, with another index. The type itself is
 * kept, because objects of it may exist.
 */
void forget_type_key(int32_t type_index);

/*!
 * \brief Add a type, a child of `parent`, under the key of the type `former`.
 *
 * The key refers to `former` until take_type_key is called, which need not happen.
 * \return its index, or -1 with an error raised. May throw std::bad_alloc.
 */
int32_t add_type_again(int32_t former, int32_t parent);

/*!
 * \brief Make the key of a type refer to this type. The former type of the key keeps its index, its
 * members and its objects. May throw std::bad_alloc.
 */
void take_type_key(int32_t type_index);

/*!
 * \brief Return the name of a type for messages: its key, or "an earlier definition of `KEY`" if
 * the key refers to a later definition.
 */
std::string type_title(int32_t type_index);

/*!
 * \brief Whether native code has a class for the type, but has not registered the members of the
 * class. The size of its objects is then unknown.
 */
bool has_unknown_members(const TVMFFITypeInfo* info);

struct TypeEntry;

/*!
 * \brief Remove a type that a failed load has added. Its index is used again when the same type is
 * registered again.
 */
void withdraw_type(TypeEntry* entry) noexcept;

/*!
 * \brief Make a withdrawn type known again, with its former index, unless another type has its key.
 */
void readmit_type(TypeEntry* entry);

/*!
 * \brief Return the entry of a type, or raise `Cannot find type info for type_index=N` and return
 * NULL.
 */
const TVMFFITypeInfo* find_type_or_raise(int32_t type_index);

/*!
 * \brief Return the type index of the requested key, allocating one for a new key; -1 with an error
 * raised on failure. May throw std::bad_alloc.
 */
int32_t get_or_alloc_type(const TypeRequest& request);

/*! \brief Return the keys of all types in order of registration. */
std::vector<std::string_view> registered_type_keys();

// Register fields, methods and metadata of types. Each function returns 0, or -1 with an error
// raised. Texts are copied. Values must be owned; on success the table takes over the caller's
// reference. May throw std::bad_alloc.
int add_type_field(int32_t type_index, const TVMFFIFieldInfo& info);
int add_type_method(int32_t type_index, const TVMFFIMethodInfo& info);
int set_type_metadata(int32_t type_index, const TVMFFITypeMetadata& metadata);

// Functions for types that a library load adds or defines again (core/type_change.h).

/*!
 * \brief If the library load in progress on this thread defines the type again, replace the former
 * definition by the new one.
 * \throws Error RuntimeError that lists the differences when the layout differs.
 */
void publish_type_definition(int32_t type_index);

/*!
 * \brief Whether attributes of a type may be set. False while a library load defines the type again
 * with another layout, because the load is going to fail.
 */
bool accepts_attributes(int32_t type_index);

/*! \brief Whether the library load in progress on this thread defines the type again. */
bool is_redefined_by_load(int32_t type_index);

// Functions for the text that names who defined a type, for error messages.

/*!
 * \brief Set who defined a type, e.g. "the Python class `m.Point`". Has no effect on unknown types.
 */
void set_type_origin(int32_t type_index, std::string_view origin);

/*! \brief Return the text that names who defined a type; empty if it is not known. */
std::string_view type_origin(int32_t type_index);

/*!
 * \brief Return a text for messages that names who defined a type. Call with the lock held.
 */
std::string definer_of(const TypeEntry& entry);

/*!
 * \brief Record whether a registered type is an enum.
 *
 * If the class of an enum specifies no structural equality, its objects are compared by identity.
 * Both this function and the registration of metadata set this rule.
 */
void set_type_is_enum(int32_t type_index, bool is_enum);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TYPE_TABLE_H_
