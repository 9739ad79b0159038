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

// Translates the signature of a function: `name(0: T0, 1: T1) -> R`. `labels` has the text of each
// parameter (`x`, `self`) and of its default (` = 3`); a parameter without a label keeps its
// number.
struct Label {
  std::string name;
  std::string initial;
};
std::string signature_to_python(std::string_view signature, const Label* labels, size_t count);

// Return the name of the function in a signature, and the number of its parameters; -1 if the text
// is not a signature.
std::string_view function_name(std::string_view signature);
int num_parameters(std::string_view signature);

}  // namespace binding::type_text
