// SPDX-License-Identifier: Apache-2.0
// What messages say about a name that is not registered: a similar one, or what to do.
#ifndef TVM_FFI_SRC_CORE_NAME_HINTS_H_
#define TVM_FFI_SRC_CORE_NAME_HINTS_H_

#include <string>
#include <string_view>

namespace tvm {
namespace ffi {
namespace runtime {

// Both return a text that continues a message, beginning with `; `. They look at all registered
// names, so they are only for messages. May throw std::bad_alloc.

/*! \brief About the name of a global function. */
std::string global_function_hint(std::string_view name);

/*! \brief About the key of a type. */
std::string type_key_hint(std::string_view key);

/*! \brief A hint for a message that ends with a period: a sentence of its own. */
std::string hint_sentence(std::string hint);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_NAME_HINTS_H_
