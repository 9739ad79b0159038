// SPDX-License-Identifier: Apache-2.0
// The table of global functions.
#ifndef TVM_FFI_SRC_CORE_FUNCTION_TABLE_H_
#define TVM_FFI_SRC_CORE_FUNCTION_TABLE_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/nearest_name.h"

namespace tvm {
namespace ffi {
namespace runtime {

// All are safe from any thread. No foreign code runs under the table's lock.

/*! \brief Return a function by name, owned, or NULL. Raises nothing. */
TVMFFIObject* get_global_function(std::string_view name);

/*! \brief Documentation, metadata and flags of a global function. */
struct GlobalFunctionInfo {
  std::string_view doc;
  std::string_view metadata;
  int64_t flags = 0;
};

/*!
 * \brief Put a function under a name.
 *
 * A library load replaces a function that an earlier load of the same origin has registered.
 * \param name unique name, copied.
 * \param function taken over on success only.
 * \param info texts are copied.
 * \param allow_override replace a function that is there, whose reference is then released.
 * \return false when the name is taken; nothing has changed then.
 * May throw std::bad_alloc.
 */
bool set_global_function(std::string_view name, TVMFFIObject* function,
                         const GlobalFunctionInfo& info, bool allow_override);

/*! \brief Remove a function and release its reference; false when the name has no function. */
bool remove_global_function(std::string_view name);

/*! \brief Who registered a function; empty when that is not known. */
std::string_view global_function_origin(std::string_view name);

/*! \brief Names in order of registration. The texts live for ever. */
std::vector<std::string_view> global_function_names();

/*! \brief Offer all names, without a copy of the list. May throw std::bad_alloc. */
void offer_global_function_names(NearestName* nearest);

/*! \brief A copy of the description, which stays valid when the function is replaced. */
struct GlobalFunctionDescription {
  std::string doc;
  std::string metadata;
  int64_t flags = 0;
};

/*! \brief false when there is no function of that name. */
bool describe_global_function(std::string_view name, GlobalFunctionDescription* out);

/*!
 * \brief Find the name under which a function is registered.
 * \param hint the name that it probably has; the others are searched only when it is wrong.
 * \return the name, which lives for ever; empty when the function is not registered.
 */
std::string_view find_global_function_name(const TVMFFIObject* function, std::string_view hint,
                                           GlobalFunctionDescription* out);

/*! \brief The lock of the table, for fork handlers. */
std::mutex& function_table_mutex();

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_FUNCTION_TABLE_H_
