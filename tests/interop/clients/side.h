// SPDX-License-Identifier: Apache-2.0
// Included by all clients. Each client is compiled twice, with the headers of this project ("ours")
// and of the peer ("peer"), and INTEROP_SIDE names the headers. Clients may only use what both sets
// of headers promise.
#ifndef TVM_FFI_TESTS_INTEROP_CLIENTS_SIDE_H_
#define TVM_FFI_TESTS_INTEROP_CLIENTS_SIDE_H_

#include <tvm/ffi/tvm_ffi.h>

#ifndef INTEROP_SIDE
#error "INTEROP_SIDE tells against which headers this is compiled"
#endif

/*! \brief Return a name with the side: `interop.ours.Point`. */
#define INTEROP_KEY(name) "interop." INTEROP_SIDE "." name

/*! \brief Export a function under its C++ name. */
#define INTEROP_EXPORT(name) TVM_FFI_DLL_EXPORT_TYPED_FUNC(name, name)

#endif  // TVM_FFI_TESTS_INTEROP_CLIENTS_SIDE_H_
