// SPDX-License-Identifier: Apache-2.0
// The packed form of a graph of values, which is stored in pickles: a program of bytes that builds
// the graph, the types that the program uses, and the values that the caller has to store.
//
// The program is a sequence of operations on a stack. An operation that builds a value pops its
// parts, in order, and pushes the value. Numbers are unsigned, with seven bits per byte, the lowest
// bits first. Signed numbers have their sign in bit 0. Fixed-size numbers are little-endian.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cstdint>

namespace tvm::ffi::runtime {

/*! \brief The operations. Their numbers are part of stored pickles: existing ones must not
 * change. */
enum class PackOp : uint8_t {
  kNone = 0,
  kFalse = 1,
  kTrue = 2,
  kInt = 3,        // signed number
  kFloat = 4,      // 8 bytes
  kStr = 5,        // length, text
  kBytes = 6,      // length, bytes
  kDataType = 7,   // code, bits: one byte each; lanes: two
  kDevice = 8,     // signed type, signed id
  kShape = 9,      // length, signed extents
  kExternal = 10,  // number of an external
  kRef = 11,       // number of a value that a kKeep has stored
  kKeep = 12,      // stores the value on top of the stack under the next number
  kArray = 13,     // length; pops the elements
  kList = 14,
  kMap = 15,  // number of entries; pops keys and values in turn
  kDict = 16,
  kObject = 17,  // number of a type; pops the fields
  kEnum = 18,    // number of a type; pops the number or the name of the variant
  kHook = 19,    // number of a type; pops the data of `__data_from_json__`
  kInts = 20,    // 0 or 1 for Array or List; bytes per integer: 1, 2, 4 or 8; length; integers
  kFloats = 21,  // 0 or 1 for Array or List; length; numbers of 8 bytes
  kEnd = 22,     // ends every program, so that truncation is noticed
};

/*! \brief The result of pack_graph. */
struct PackedGraph {
  Bytes program;
  /*! \brief For each type an array: the type index, then the names of the fields in order. */
  Array<Array<Any>> types;
  /*! \brief The externals: values that the caller has to store. */
  Array<Any> externals;
};

/*!
 * \brief Pack a value and all values that it refers to.
 * \param value the root.
 * \param is_external `(type index) -> bool`: whether the objects of a type become externals. It is
 * called once for each type that could be packed. Tensors, functions, modules, errors and Python
 * objects always become externals.
 * \throws ValueError for a value that contains itself; TypeError, with the path to the object, for
 * an object that cannot be made by unpack_graph.
 */
PackedGraph pack_graph(const Any& value, const Function& is_external);

/*! \brief Return the path from the root to an external of pack_graph, such as `.layers[3].fn`. */
String path_of_external(const Any& value, const Function& is_external, int64_t external);

/*!
 * \brief Build the value from its packed form. The program is checked, not trusted.
 * \throws ValueError for an invalid program; the errors of making the objects.
 */
Any unpack_graph(const Bytes& program, const Array<Array<Any>>& types, const Array<Any>& externals);

}  // namespace tvm::ffi::runtime
