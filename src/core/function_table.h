// SPDX-License-Identifier: Apache-2.0
// The table of global functions.
#ifndef TVM_FFI_SRC_CORE_FUNCTION_TABLE_H_
#define TVM_FFI_SRC_CORE_FUNCTION_TABLE_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

// All are safe from any thread. No foreign code runs under the table's lock.

/*! \brief A function by name, owned, or NULL; takes no lock, raises nothing. */
TVMFFIObject* get_global_function(std::string_view name);

/*! \brief What is said about a global function. */
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

/*! \brief Forget a function; false when there is none. Its reference is released. */
bool remove_global_function(std::string_view name);

/*! \brief Who registered a function; empty when that is not known. */
std::string_view global_function_origin(std::string_view name);

/*! \brief Names in order of registration. The texts live for ever. */
std::vector<std::string_view> global_function_names();

/*! \brief Copy of what is said about a function. */
struct GlobalFunctionDescription {
  std::string doc;
  std::string metadata;
  int64_t flags = 0;
};

/*! \brief false when there is no function of that name. */
bool describe_global_function(std::string_view name, GlobalFunctionDescription* out);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_FUNCTION_TABLE_H_
