// SPDX-License-Identifier: Apache-2.0
// Types without a C++ class, whose objects are made according to a layout.
#pragma once

#include <tvm/ffi/c_api.h>

#include "layout/object_layout.h"

namespace tvm::ffi::runtime {

/*! \brief How objects of a type are made. */
enum class LaidOutUse {
  /*! \brief The automatic constructor makes objects. */
  kConstructed,
  /*! \brief Only deserialization makes objects. It sets the fields after the object is made. */
  kAllocated,
  /*! \brief The type has no objects. */
  kAbstract,
};

/*!
 * \brief For a type whose fields are registered, register those of the attributes `__ffi_init__`,
 * `__ffi_new__` and `__ffi_shallow_copy__` that `use` needs.
 * \param total_size number of bytes of an object, including the header.
 * \return false, without any change, when the type has a layout already.
 * \throws TypeError or ValueError as make_object_layout does, without any change.
 */
bool register_laid_out_class(const TVMFFITypeInfo* type, int32_t total_size, LaidOutUse use);

}  // namespace tvm::ffi::runtime
