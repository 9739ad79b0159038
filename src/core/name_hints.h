// SPDX-License-Identifier: Apache-2.0
// Hints in messages about names that are not registered. A hint is a similar registered name, or
// advice if there is none.
#pragma once

#include <string>
#include <string_view>

namespace tvm::ffi::runtime {

// The next two functions return a text that begins with `; ` and continues a message. They are
// slow, because they compare many registered names, so call them only for messages. They may throw
// std::bad_alloc.

/*! \brief Return a hint about the name of a global function. */
std::string global_function_hint(std::string_view name);

/*! \brief Return a hint about a type key. */
std::string type_key_hint(std::string_view key);

/*! \brief Convert a hint to a separate sentence, for a message that ends with a period. */
std::string hint_sentence(std::string hint);

}  // namespace tvm::ffi::runtime
