// SPDX-License-Identifier: Apache-2.0
// All clients include this header. Each client is compiled twice: with the headers of this project
// (side "ours") and with the headers of the peer (side "peer"). INTEROP_SIDE is the side. Clients
// may use only names that both sets of headers promise.
#ifndef TVM_FFI_TESTS_INTEROP_CLIENTS_SIDE_H_
#define TVM_FFI_TESTS_INTEROP_CLIENTS_SIDE_H_

#include <tvm/ffi/tvm_ffi.h>

#ifndef INTEROP_SIDE
#error "INTEROP_SIDE tells against which headers this is compiled"
#endif

/*! \brief Return a type key that contains the side, such as `interop.ours.Point`. */
#define INTEROP_KEY(name) "interop." INTEROP_SIDE "." name

/*! \brief Export a function under its C++ name. */
#define INTEROP_EXPORT(name) TVM_FFI_DLL_EXPORT_TYPED_FUNC(name, name)

#endif  // TVM_FFI_TESTS_INTEROP_CLIENTS_SIDE_H_
