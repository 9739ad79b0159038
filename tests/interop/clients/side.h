// SPDX-License-Identifier: Apache-2.0
// What every client shares. Each is compiled twice: INTEROP_SIDE is "ours" or "peer", after the
// headers that it sees. Only what both header sets promise is used.
#ifndef TVM_FFI_TESTS_INTEROP_CLIENTS_SIDE_H_
#define TVM_FFI_TESTS_INTEROP_CLIENTS_SIDE_H_

#include <tvm/ffi/tvm_ffi.h>

#ifndef INTEROP_SIDE
#error "INTEROP_SIDE tells against which headers this is compiled"
#endif

/*! \brief A name of this side: `interop.ours.Point`. */
#define INTEROP_KEY(name) "interop." INTEROP_SIDE "." name

/*! \brief Export a function under the name that it has here. */
#define INTEROP_EXPORT(name) TVM_FFI_DLL_EXPORT_TYPED_FUNC(name, name)

#endif  // TVM_FFI_TESTS_INTEROP_CLIENTS_SIDE_H_
