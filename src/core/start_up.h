// SPDX-License-Identifier: Apache-2.0
// Start-up of the runtime: one initializer runs the registration steps in a fixed order, so that
// the link order does not matter.
#pragma once

namespace tvm::ffi::runtime {

/*!
 * \brief Run the registration steps (listed below) if they have not run.
 *
 * The constructor of the runtime library calls this function. The constructor of another library
 * may run earlier and call entry points of the runtime, so these entry points also call this
 * function. After start-up a call is cheap. While the steps run, calls on the same thread return
 * immediately, because the steps use the entry points. Other threads wait. Never throws.
 */
void start_up();

/*!
 * \brief Whether the registration steps are still running.
 *
 * Other threads wait in start_up(). So after a call of start_up(), this function returns true only
 * on the thread that runs the steps.
 */
bool is_starting_up();

/*! \brief Return the text of the first error that a step threw; NULL if there was none. */
const char* start_up_failure();

// The steps, in this order. Each may use the public headers and every C entry point. A step may
// throw: start_up_failure reports the first error, and the later steps run nevertheless.

/*! \brief Register the kinds of plain values, the root type and the object types with fixed
 * indices. (src/core/static_types.cc) */
void register_static_types();
/*! \brief Create the type attribute columns that always exist. (src/core/type_attr.cc) */
void register_attribute_columns();
/*! \brief Register the reflection of ffi.Module. (src/module/) */
void register_module_type();
/*! \brief Register the global functions of containers, of the registry and of types.
 * (src/functions/) */
void register_functions();
/*! \brief Register the global functions of modules and of the system library. (src/module/) */
void register_module_functions();
/*! \brief Register `__ffi_convert__` of the fixed object types. (src/core/convert_attributes.cc) */
void register_attributes();

}  // namespace tvm::ffi::runtime
