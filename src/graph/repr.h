// SPDX-License-Identifier: Apache-2.0
// Conversion of any value to text.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

namespace tvm::ffi::runtime {

/*!
 * \brief Print a value, its children and the fields of objects.
 *
 * If the type of an object has the attribute `__ffi_repr__`, this hook prints the object. May run
 * foreign code and throws its errors; throws ValueError for values or hooks nested too deep and for
 * texts too long.
 */
String repr_print(const Any& value);

/*!
 * \brief Print a value as repr_print() does, but omit parts of a large value.
 *
 * The text equals that of repr_print() up to the limits of kSummaryLimits[0] (repr_limits.h).
 * Beyond these limits, a container shows its length and its first and last elements, a string shows
 * its begin and end, and an object that is nested too deep shows its name. If the value itself is
 * printed by a hook, its text is not shortened. A nested hook that fails, or a field that cannot be
 * read, prints as the error.
 */
String repr_summary(const Any& value);

}  // namespace tvm::ffi::runtime
