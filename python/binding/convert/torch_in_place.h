// SPDX-License-Identifier: Apache-2.0
// Reads the C++ objects of PyTorch's tensors in place. The layout of these objects differs between
// releases, so it is found at run time, by sample tensors whose contents are known. A tensor is
// read in place only if PyTorch has described a tensor of the same kind before, with the same
// result. docs/decisions/torch-in-place.md gives the reasons, and says when this is to go.
//
// Gain: a call with 26 tensors takes 0.7 of the time that it takes if PyTorch describes each tensor
// (timeit with testing.nop; PyTorch 2.13, CPython 3.11, x86-64). Together with tensor_borrow and
// the cached exchange table, a call with one tensor went from 1.07 to 0.25 of the peer's time (make
// bench-torch).
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"

namespace binding {

// Describes `x`, which has the exchange table `api`, as its function
// dltensor_from_py_object_no_sync does. The result borrows the shape and strides of `x`. Returns
// false, without an exception, if PyTorch has to be asked. The negative and conjugate bits are
// clear if the result is true.
bool torch_describe_in_place(PyObject* x, const DLPackExchangeAPI* api, DLTensor* out);

// Takes note of how PyTorch has described `x`, whose negative and conjugate bits are clear, for
// later calls of torch_describe_in_place. If the description differs from what is read in place,
// nothing is read in place from now on, and Python warns. Returns 0, or -1 with an exception set if
// the warning is an error.
int torch_note_description(PyObject* x, const DLPackExchangeAPI* api, const DLTensor& tensor);

// Returns whether tensors on the device may be read in place: CPU, CUDA and ROCm.
bool torch_device_is_known(DLDevice device);

struct TorchStorage {
  const char* data;
  uint64_t bytes;
};
// Reads the storage of `x` in place; false, without an exception, if that is impossible.
bool torch_read_storage(PyObject* x, TorchStorage* out);
// Asks PyTorch for the storage of `x`. Returns 1, 0 if that is impossible, or -1 with an exception
// set that is not an Exception. May run Python.
BINDING_COLD int torch_storage_memory(PyObject* x, TorchStorage* out);
// Returns whether the bits of `x` (the conjugate bit only if `is_complex`) are known to be clear.
bool torch_bits_are_clear(PyObject* x, bool is_complex);
// Returns whether torch_bits_are_clear can read tensors of this class.
bool torch_class_is_readable(PyTypeObject* type);
// Lets tensors of this class be read in place if that is possible. May run Python, on another
// thread. Returns 0, or -1 with an exception set that is not an Exception.
BINDING_COLD int torch_learn_class(PyTypeObject* type);

}  // namespace binding
