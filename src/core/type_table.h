// SPDX-License-Identifier: Apache-2.0
// The type table: one entry per registered type, at an address that never changes.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tvm::ffi::runtime {

/*! \brief The arguments of TVMFFITypeGetOrAllocIndex; see the description of that function. */
struct TypeRequest {
  std::string_view key;
  int32_t static_index = -1;
  int32_t depth = 0;
  int32_t child_slots = 0;
  bool overflows = false;
  int32_t parent = -1;
  /*! \brief Whether the request comes from native code that has a C++ class for the type. */
  bool is_declaration = false;
};

// Readers take no lock and do not write shared memory. Writers take the table's lock; no foreign
// code runs while it is held. All functions may be called from any thread.

/*! \brief Return the entry of a type, or NULL. Does not raise an error. */
const TVMFFITypeInfo* find_type(int32_t type_index);

/*! \brief Return the type index of a key, or -1 when the key is unknown. Does not raise an
 * error. */
int32_t find_type_key(std::string_view key);

/*!
 * \brief Separate a type from its key, because the registration of the type was not completed.
 *
 * The key does not refer to any type until it is registered again, with another index. The type
 * itself is kept, because objects of this type may exist.
 */
void forget_type_key(int32_t type_index);

/*!
 * \brief Add a new type with the key of the type `former` and the parent `parent`.
 *
 * The key continues to refer to `former`, unless take_type_key is called for the new type.
 * \return the index of the new type, or -1 with an error raised. May throw std::bad_alloc.
 */
int32_t add_type_again(int32_t former, int32_t parent);

/*! \brief Make the key of a type refer to this type. The type to which the key has referred before
 * keeps its index, its members and its objects. May throw std::bad_alloc. */
void take_type_key(int32_t type_index);

/*! \brief Return the name of a type for messages: its key, or "an earlier definition of `KEY`" if
 * the key refers to a later definition. */
std::string type_title(int32_t type_index);

/*! \brief Whether native code has a class for the type, but has not registered the members of the
 * class. The size of its objects is then unknown. */
bool has_unknown_members(const TVMFFITypeInfo* info);

struct TypeEntry;

/*! \brief Remove a type that a failed library load has added. If the same type is registered again,
 * it gets the same index, unless another type has used the index in the meantime. */
void withdraw_type(TypeEntry* entry) noexcept;

/*! \brief Make a withdrawn type known again, with its former index, unless another type has its
 * key. */
void readmit_type(TypeEntry* entry);

/*! \brief Return the entry of a type, or raise `Cannot find type info for type_index=N` and return
 * NULL. */
const TVMFFITypeInfo* find_type_or_raise(int32_t type_index);

/*!
 * \brief Return the type index of the requested key; for a new key, add the type.
 * \return -1 with an error raised on failure. May throw std::bad_alloc.
 */
int32_t get_or_alloc_type(const TypeRequest& request);

/*! \brief Return the keys of all types in order of registration. */
std::vector<std::string_view> registered_type_keys();

// Register fields, methods and metadata of types. Each function returns 0, or -1 with an error
// raised. Texts are copied. The caller must own the values; on success the table takes over this
// ownership. May throw std::bad_alloc.
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

/*! \brief Whether attributes of a type may be set. Returns false while a library load defines the
 * type again with another layout, because this load is going to fail. */
bool accepts_attributes(int32_t type_index);

/*! \brief Whether the library load in progress on this thread defines the type again. */
bool is_redefined_by_load(int32_t type_index);

// Functions for the text that names who defined a type, for error messages.

/*! \brief Set who defined a type, e.g. "the Python class `m.Point`". Has no effect on unknown
 * types. */
void set_type_origin(int32_t type_index, std::string_view origin);

/*! \brief Return the text that names who defined a type; empty if it is not known. */
std::string_view type_origin(int32_t type_index);

/*! \brief Return the text that names who defined a type; a general text if this is not known. Call
 * with the lock held. */
std::string definer_of(const TypeEntry& entry);

/*! \brief Return the text that names who is registering now, for messages. */
std::string current_library();

/*!
 * \brief Record whether a registered type is an enum.
 *
 * If the metadata of an enum do not specify structural equality, the structural kind becomes
 * comparison by identity. This function sets it if the metadata are already registered; otherwise
 * the registration of the metadata sets it.
 */
void set_type_is_enum(int32_t type_index, bool is_enum);

}  // namespace tvm::ffi::runtime
