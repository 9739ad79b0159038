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

/*! \brief What TVMFFITypeGetOrAllocIndex asks for; see there. */
struct TypeRequest {
  std::string_view key;
  int32_t static_index = -1;
  int32_t depth = 0;
  int32_t child_slots = 0;
  bool overflows = false;
  int32_t parent = -1;
};

// Readers: no lock, nothing shared is written. Writers take the table's lock; no foreign code runs
// under it. All are safe from any thread.

/*! \brief Entry of a type or NULL; raises nothing. */
const TVMFFITypeInfo* find_type(int32_t type_index);

/*! \brief Index of a key, or -1 when it is unknown; raises nothing. */
int32_t find_type_key(std::string_view key);

/*!
 * \brief Free the key of a type whose registration has failed half way.
 *
 * The key names no type until it is registered again, under another index. The type stays for its
 * existing objects.
 */
void forget_type_key(int32_t type_index);

/*! \brief Add a type, a child of `parent`, under the key of the type `former`.
 *
 * The key names `former` until take_type_key, and for ever where that is not called.
 * \return its index, or -1 with an error raised. May throw std::bad_alloc.
 */
int32_t add_type_again(int32_t former, int32_t parent);

/*! \brief Let the key of a type name this type. The type that it named before keeps its index, its
 * members and its objects. May throw std::bad_alloc. */
void take_type_key(int32_t type_index);

/*! \brief What messages call a type: its key; for a type whose key names a later definition, "an
 * earlier definition of `KEY`". */
std::string type_title(int32_t type_index);

struct TypeEntry;

/*! \brief Forget a type that a failed load has added; its index is reused when the same type is
 * registered again. */
void withdraw_type(TypeEntry* entry) noexcept;

/*! \brief Make a withdrawn type known again, under its index, unless its key is in use. */
void readmit_type(TypeEntry* entry);

/*! \brief The same as find_type; NULL with `Cannot find type info for type_index=N` raised. */
const TVMFFITypeInfo* find_type_or_raise(int32_t type_index);

/*! \brief Index of the key, allocated when new; -1 with an error raised when impossible. May throw
 * std::bad_alloc. */
int32_t get_or_alloc_type(const TypeRequest& request);

/*! \brief Keys of all types in order of registration. */
std::vector<std::string_view> registered_type_keys();

// Registration of what a type consists of: 0, or -1 with an error raised. Texts are copied, values
// must already be owned (the caller's reference is taken over on success). May throw
// std::bad_alloc.
int add_type_field(int32_t type_index, const TVMFFIFieldInfo& info);
int add_type_method(int32_t type_index, const TVMFFIMethodInfo& info);
int set_type_metadata(int32_t type_index, const TVMFFITypeMetadata& metadata);

// Types that a library load adds or defines again (core/type_change.h).

/*!
 * \brief End the definition of a type that the load of this thread defines again: replace the
 * former definition. Nothing happens for other types.
 * \throws Error RuntimeError that lists what has changed when the layout differs.
 */
void publish_type_definition(int32_t type_index);

/*! \brief Whether attributes of a type may be set: not while it is defined again with another
 * layout, which is about to fail. */
bool accepts_attributes(int32_t type_index);

/*! \brief Whether the load of this thread defines the type again. */
bool is_redefined_by_load(int32_t type_index);

// Who defined a type, as error messages name it.

/*! \brief Name who defined a type, e.g. "the Python class `m.Point`"; no effect on unknown types.
 */
void set_type_origin(int32_t type_index, std::string_view origin);

/*! \brief Who defined a type; empty when that is not known. */
std::string_view type_origin(int32_t type_index);

/*!
 * \brief Note whether a registered type is an enum.
 *
 * Objects of an enum are structurally equal when they are the same one, unless their class says
 * otherwise; this function and the registration of metadata both set that.
 */
void set_type_is_enum(int32_t type_index, bool is_enum);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TYPE_TABLE_H_
