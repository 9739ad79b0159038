// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/object.h
 * \brief Objects, owning pointers to them, and reference classes: everything that is counted.
 *
 * The parts, from the ground up, each in a file of its own.
 */
#ifndef TVM_FFI_OBJECT_H_
#define TVM_FFI_OBJECT_H_

#include <tvm/ffi/base.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/object_base.h>
#include <tvm/ffi/detail/object_ptr.h>
#include <tvm/ffi/detail/object_ref.h>
#include <tvm/ffi/detail/object_traits.h>
#include <tvm/ffi/detail/object_unsafe.h>
#include <tvm/ffi/type_traits.h>

// Last: the class Error is an ObjectRef, and what stands above throws it.
#include <tvm/ffi/error.h>

#endif  // TVM_FFI_OBJECT_H_
