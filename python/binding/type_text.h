// SPDX-License-Identifier: Apache-2.0
// Translation of the names of C++ types to Python names, for error messages.
#pragma once

#include <string>
#include <string_view>

namespace binding::type_text {

// Translates the name of a C++ type to a Python annotation: `Array<DLTensor*>` becomes
// `Array[Tensor]`, `(0: int) -> ffi.String` becomes `Callable[[int], str]`. In text that is not a
// type, replaces the known names.
std::string to_python(std::string_view type);

// The text of a parameter (`x`, `self`) and of its default (` = 3`).
struct Label {
  std::string name;
  std::string initial;
};

// Translates the signature of a function: `name(0: T0, 1: T1) -> R`. A parameter without a label
// keeps its number. Stores the number of parameters, -1 if the text is not a signature; the text is
// then returned without changes.
std::string signature_to_python(std::string_view signature, const Label* labels, size_t count,
                                int* num_parameters);

// Returns the name of the function in a signature.
std::string_view function_name(std::string_view signature);

}  // namespace binding::type_text
