// SPDX-License-Identifier: Apache-2.0
// Start-up of the runtime: one initialiser runs the registration steps in a fixed order, so that
// nothing depends on link order.
#ifndef TVM_FFI_SRC_CORE_START_UP_H_
#define TVM_FFI_SRC_CORE_START_UP_H_

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Make sure that every step has run.
 *
 * The library's constructor calls it. Every entry point that the constructor of a library that was
 * initialised earlier may call does so, too. Cheap once done. While the steps run, calls from the
 * same thread return immediately, since a step uses the entry points itself; other threads wait.
 * Never throws.
 */
void start_up();

/*!
 * \brief Whether the registrations of the library itself are still going on.
 *
 * Others wait for them in start_up(), so after that call it is true on the thread that runs the
 * steps alone.
 */
bool is_starting_up();

/*! \brief Text of the first error that a step threw; NULL when all went well. */
const char* start_up_failure();

// The steps, in this order. Each may use the public headers and every C entry point; each may
// throw, which is remembered (start_up_failure) and does not stop the later ones.

/*! \brief Plain kinds, the root and the fixed object types. (src/core/static_types.cc) */
void register_static_types();
/*! \brief The attribute columns that exist at load. (src/core/type_attr.cc) */
void register_attribute_columns();
/*! \brief Reflection of ffi.Module. (src/module/) */
void register_module_type();
/*! \brief Global functions of the core: containers, registry, types. (src/functions/) */
void register_functions();
/*! \brief Global functions of modules and of the system library. (src/module/) */
void register_module_functions();
/*! \brief `__ffi_convert__` of the fixed object types. (src/core/convert_attributes.cc) */
void register_attributes();

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_START_UP_H_
