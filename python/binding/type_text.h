// SPDX-License-Identifier: Apache-2.0
// Names of C++ types in the words of Python, for the messages of errors.
#pragma once

#include <string>
#include <string_view>

namespace binding::type_text {

// The Python annotation of a type as C++ code names it: `Array<DLTensor*>` is `Array[Tensor]`,
// `(0: int) -> ffi.String` is `Callable[[int], str]`. Text that is not a type is returned with the
// known names in it replaced.
std::string to_python(std::string_view type);

// The same for the signature of a function: `name(0: T0, 1: T1) -> R`. `labels` has the text of
// each parameter (`x`, `self`) and of its default (` = 3`); without an entry the number stays.
struct Label {
  std::string name;
  std::string initial;
};
std::string signature_to_python(std::string_view signature, const Label* labels, size_t count);

// The name of the function in a signature, and how many parameters follow it; -1 where the text is
// not a signature.
std::string_view function_name(std::string_view signature);
int num_parameters(std::string_view signature);

}  // namespace binding::type_text
