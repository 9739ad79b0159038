// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/json.h
 * \brief Conversion of JSON text to values, and of values to JSON text.
 */
#ifndef TVM_FFI_EXTRA_JSON_H_
#define TVM_FFI_EXTRA_JSON_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

namespace tvm::ffi {
/*! \brief Conversion from and to JSON text. In this namespace, Array and Object are the types for
 * JSON arrays and objects. */
namespace json {

/*! \brief A JSON value: null is None; true and false are bool; numbers are int64_t or double;
 * strings are String. */
using Value = Any;
/*! \brief A JSON object; its keys are String, in the order of the text. */
using Object = ffi::Map<Any, Any>;
/*! \brief A JSON array. */
using Array = ffi::Array<Any>;

/*!
 * \brief Read one JSON text (RFC 8259 and the literals `NaN`, `Infinity`, `-Infinity`).
 *
 * Numbers without fraction and exponent that fit int64_t are int64_t; all others are the nearest
 * double. Of equal keys the last value is kept. Bytes of strings that are not valid UTF-8 are kept.
 * Only memory limits the nesting.
 * \param json_str the text.
 * \param error_msg NULL, or receives the message: empty when the text was read.
 * \return the value; None when the text is invalid and `error_msg` is given.
 * \throws ValueError `TEXT: line L column C (char P)` when the text is invalid and `error_msg` is
 *         NULL.
 */
TVM_FFI_EXTRA_CXX_API Value Parse(const String& json_str, String* error_msg = nullptr);

/*!
 * \brief Write a value as JSON text.
 *
 * Accepts None, bool, int64_t, double (17 significant digits, `.0` after integral numbers below
 * 2^53), String, Array, List, and Map with String keys.
 * \param value the value.
 * \param indent number of blanks for each level, with every element on its own line; a negative
 *         number gives these lines without indentation; nullopt or zero gives no white space at
 *         all.
 * \throws ValueError for any other value or key, for a List that contains itself, and for texts of
 *         more than 2 GiB.
 */
TVM_FFI_EXTRA_CXX_API String Stringify(const Value& value,
                                       const Optional<int>& indent = Optional<int>(std::nullopt));

}  // namespace json
}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_JSON_H_
