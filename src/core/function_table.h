// SPDX-License-Identifier: Apache-2.0
// The table of global functions.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/mutex.h"
#include "core/nearest_name.h"

namespace tvm::ffi::runtime {

// All functions may be called from any thread. No foreign code runs while the table's lock is held.

/*! \brief Return a new reference to a function, or NULL. Does not raise an error. */
TVMFFIObject* get_global_function(std::string_view name);

/*! \brief Documentation, metadata and flags of a global function. */
struct GlobalFunctionInfo {
  std::string_view doc;
  std::string_view metadata;
  int64_t flags = 0;
};

/*!
 * \brief Register a function under a name.
 *
 * If the function was registered by an earlier load of the same origin (see Owner), a library load
 * replaces it even if `allow_override` is false.
 * \param name unique name, copied.
 * \param function a reference that is taken over, but only on success.
 * \param info texts are copied.
 * \param allow_override whether to replace and release an existing function.
 * \return false when the name is taken; the table is then unchanged.
 *
 * May throw std::bad_alloc.
 */
bool set_global_function(std::string_view name, TVMFFIObject* function,
                         const GlobalFunctionInfo& info, bool allow_override);

/*! \brief Remove a function and release its reference. \return false when the name has no
 * function. */
bool remove_global_function(std::string_view name);

/*! \brief Return the text that names who registered a function; empty if it is not known. */
std::string_view global_function_origin(std::string_view name);

/*! \brief Return the names in order of registration. The texts are never freed. */
std::vector<std::string_view> global_function_names();

/*! \brief Offer all names to `nearest` without copying the list. May throw std::bad_alloc. */
void offer_global_function_names(NearestName* nearest);

/*! \brief A copy of a function's description. It stays valid when the function is replaced. */
struct GlobalFunctionDescription {
  std::string doc;
  std::string metadata;
  int64_t flags = 0;
};

/*! \brief Copy the description of a function. \return false when the name has no function. */
bool describe_global_function(std::string_view name, GlobalFunctionDescription* out);

/*!
 * \brief Find the name under which a function is registered.
 * \param hint the probable name, which is tried first. If it is wrong, all names are searched.
 * \return the name, which is never freed; empty when the function is not registered.
 */
std::string_view find_global_function_name(const TVMFFIObject* function, std::string_view hint,
                                           GlobalFunctionDescription* out);

/*! \brief Return the lock of the table, for fork handlers. */
Mutex& function_table_mutex();

}  // namespace tvm::ffi::runtime
