# SPDX-License-Identifier: Apache-2.0
"""Test read-only arrays as arguments: const parameters accept them, other parameters reject them.

The error names the parameter that rejects the array.
"""

from __future__ import annotations

import copy
import gc
import inspect
import sys
import threading

import numpy as np
import pytest
from running import run_threads

import tvm_ffi
from tvm_ffi import core
from tvm_ffi._values import read_only
from tvm_ffi.cpp import load_inline

SOURCE = r"""
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

double Sum(ffi::ConstTensorView x) {
  double sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i) sum += static_cast<const double*>(x.data_ptr())[i];
  return sum;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sum, Sum, refl::arg_names("x"));

void Copy(ffi::ConstTensorView source, ffi::TensorView target) {
  for (int64_t i = 0; i < source.numel(); ++i) {
    static_cast<double*>(target.data_ptr())[i] = static_cast<const double*>(source.data_ptr())[i];
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(copy, Copy, refl::arg_names("source", "target"));

void Unnamed(int64_t, ffi::Tensor x) {}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unnamed, Unnamed);

void Touch(ffi::TensorView x) {}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(touch, Touch, refl::arg_names("x"));

double SumOfAll(ffi::Array<ffi::ConstTensor> tensors, ffi::Array<ffi::Tensor> others) {
  double sum = 0;
  for (const ffi::ConstTensor& x : tensors) sum += Sum(x);
  return sum;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sum_of_all, SumOfAll, refl::arg_names("tensors", "others"));

double SumOfMap(ffi::Map<ffi::String, ffi::Optional<ffi::ConstTensor>> named) {
  double sum = 0;
  for (const auto& [name, x] : named) {
    if (!x.has_value()) continue;
    ffi::ConstTensor tensor = *x;
    sum += Sum(tensor);
  }
  return sum;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sum_of_map, SumOfMap, refl::arg_names("named"));

bool Given(ffi::Optional<ffi::ConstTensor> x) { return x.has_value(); }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(given, Given, refl::arg_names("x"));

ffi::ConstTensor Same(ffi::ConstTensor x) { return x; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(same, Same, refl::arg_names("x"));
ffi::ConstTensor Freeze(ffi::ConstTensor x) { return x.AsReadOnly(); }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(freeze, Freeze, refl::arg_names("x"));

// Passes the tensor on: the flag is in the object.
void Apply(ffi::ConstTensor x, ffi::Function f) { f(x); }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply, Apply, refl::arg_names("x", "f"));

bool IsReadOnly(ffi::Any x) { return x.cast<ffi::Tensor>().IsReadOnly(); }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(is_read_only, IsReadOnly, refl::arg_names("x"));

void Fill(ffi::Function make) { make().cast<ffi::Tensor>(); }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill, Fill, refl::arg_names("make"));
"""


@pytest.fixture(scope="module")
def mod():
    return load_inline("read_only_parameters", cpp_sources=SOURCE)


def frozen(*values):
    array = np.array(values or (1.0, 2.0, 3.0))
    array.flags.writeable = False
    return array


class OtherArray:
    """An array of another framework."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


KINDS = {
    "numpy": lambda array: array,
    "subclass of numpy": lambda array: array.view(type("Sub", (np.ndarray,), {})),
    "strided": lambda array: np.stack([array, array], axis=1)[:, 0],
    "broadcast": lambda array: np.broadcast_to(array, (3,)),
    "DLPack": OtherArray,
    "Tensor": tvm_ffi.from_dlpack,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_const_parameter_takes_a_read_only_array(mod, kind):
    array = KINDS[kind](frozen())
    if isinstance(array, np.ndarray) and kind == "strided":
        array.flags.writeable = False
        assert mod.same(array).strides == (2,)
    else:
        assert mod.sum(array) == 6
    assert mod.given(array) is True
    assert mod.same(array).numpy().flags.writeable is False
    target = np.zeros(3)
    if kind != "strided":
        mod.copy(array, target)
        assert target.tolist() == [1, 2, 3]


def test_a_const_parameter_takes_what_a_mutable_one_takes(mod):
    array = np.array([1.0, 2.0, 3.0])
    tensor = tvm_ffi.from_dlpack(array)
    assert mod.sum(array) == mod.sum(tensor) == mod.sum(x=array) == 6
    assert mod.same(tensor) is tensor
    assert mod.same(array).numpy().flags.writeable
    with pytest.raises(TypeError, match=r"`sum\(x: Tensor\).*Expected `Tensor` but got `int`"):
        mod.sum(1)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("numpy", "numpy.ndarray"), ("DLPack", f"{__name__}.OtherArray"), ("Tensor", "Tensor")],
)
def test_a_mutable_parameter_refuses_with_its_name(mod, kind, name):
    array = KINDS[kind](frozen())
    for call in (
        lambda: mod.copy(np.zeros(3), array),
        lambda: mod.copy(source=array, target=array),
        lambda: mod.copy.prepare(np.zeros(3), np.zeros(3))(np.zeros(3), array),
    ):
        with pytest.raises(BufferError) as raised:
            call()
        assert str(raised.value).startswith(
            f"cannot pass a read-only {name} to parameter `target` of "
        )
        assert "copy`, which could write to it; if the function only reads" in str(raised.value)
        assert "ConstTensorView" in str(raised.value)


def test_a_parameter_without_a_name_is_counted(mod):
    with pytest.raises(BufferError, match=r"to argument #1 of `\w+\.unnamed`, which could write"):
        mod.unnamed(1, frozen())
    with pytest.raises(BufferError, match=r"to argument #0 of `testing\.echo`"):
        tvm_ffi.get_global_func("testing.echo")(frozen())


def test_the_copy_that_the_message_asks_for_is_accepted(mod):
    tensor = tvm_ffi.from_dlpack(frozen())
    mod.copy(tensor, copy.copy(tensor))
    mod.copy(frozen(), frozen().copy())


def test_containers_of_const_tensors(mod):
    array, tensor = frozen(), tvm_ffi.from_dlpack(frozen())
    assert mod.sum_of_all([array, tensor, np.ones(2)], []) == 14
    assert mod.sum_of_all([array], [np.ones(2)]) == 6
    assert mod.sum_of_map({"a": array, "b": None}) == 6
    with pytest.raises(BufferError, match=r"a list with a read-only tensor to parameter `others`"):
        mod.sum_of_all([array], [array])
    with pytest.raises(BufferError, match=r"a dict with a read-only tensor to argument #0 of"):
        tvm_ffi.get_global_func("testing.echo")({"a": [array]})


def test_the_memory_is_shared_and_stays_alive(mod):
    array = frozen()
    references = sys.getrefcount(array)
    tensor = mod.same(array)
    assert np.shares_memory(tensor.numpy(), array)
    assert sys.getrefcount(array) > references
    del tensor
    gc.collect()
    assert sys.getrefcount(array) == references
    for _ in range(2):
        with pytest.raises(BufferError):
            mod.copy(array, array)
    assert sys.getrefcount(array) == references


@pytest.mark.parametrize("shape", [(), (0,), (2, 3), (1,) * 9])
@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "complex128"])
def test_shapes_and_types_of_read_only_arrays(mod, shape, dtype):
    array = np.ones(shape, dtype)
    array.flags.writeable = False
    for tensor in (mod.same(array), tvm_ffi.from_dlpack(array)):
        assert (tensor.shape, str(tensor.dtype)) == (shape, dtype)
        assert np.array_equal(tensor.numpy(), array)
        assert not tensor.numpy().flags.writeable


def test_from_dlpack_of_a_read_only_array_is_read_only():
    array = frozen()
    tensor = tvm_ffi.from_dlpack(array)
    assert core._tensor_is_read_only(tensor)
    assert np.shares_memory(tensor.numpy(), array)
    capsule = tensor.__dlpack__(max_version=(1, 1))
    assert core._tensor_is_read_only(tvm_ffi.from_dlpack(capsule))
    with pytest.raises(BufferError, match="without a DLPack version"):
        tensor.__dlpack__()


def test_native_code_passes_a_read_only_tensor_on(mod):
    seen = []
    mod.apply(frozen(), lambda x: seen.append(x.numpy().flags.writeable))
    assert seen == [False]
    with pytest.raises(BufferError, match=r"Read-only tensor on argument #0 when calling: `touch"):
        mod.apply(frozen(), mod.touch)
    with pytest.raises(BufferError, match="cannot pass a read-only Tensor to parameter `x` of"):
        mod.apply(frozen(), tvm_ffi.convert(lambda x: mod.touch(x)))


def test_native_code_sees_the_flag_and_sets_it(mod):
    tensor = tvm_ffi.from_dlpack(np.ones(3))
    assert mod.is_read_only(tensor) is False
    result = mod.freeze(tensor)
    assert not result.numpy().flags.writeable
    assert np.shares_memory(result.numpy(), tensor.numpy())
    assert mod.freeze(result) is result
    assert tensor.numpy().flags.writeable


def test_a_callback_does_not_return_a_read_only_array(mod):
    with pytest.raises(BufferError, match=r"cannot return a read-only numpy\.ndarray to native"):
        mod.fill(frozen)


def test_signatures_show_a_tensor(mod):
    assert str(inspect.signature(mod.sum).parameters["x"].annotation).endswith("TensorLike") or (
        "Tensor" in str(inspect.signature(mod.sum))
    )
    metadata = mod.get_function_metadata("copy")
    assert '{"type":"DLTensor*","const":true}' in metadata["type_schema"]
    assert [str(p) for p in tvm_ffi.core.TypeSchema.from_metadata(metadata).named_args["params"]]
    assert read_only.readers(mod.copy) == b"\1\0"
    assert read_only.readers(mod.sum_of_map) == b"\1"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "DLTensor*"}, False),
        ({"type": "ffi.Tensor", "const": True}, True),
        ({"type": "ffi.Tensor", "const": 1}, False),
        ({"type": "int"}, True),
        ({"type": "Any"}, False),
        ({"type": "ffi.Array"}, False),
        ({"type": "Optional", "args": [{"type": "DLTensor*", "const": True}]}, True),
        ({"type": "ffi.Array", "args": [{"type": "ffi.Tensor"}]}, False),
        ({"type": "Tuple", "args": [{"type": "int"}, {"type": "ffi.Tensor", "const": True}]}, True),
        (
            {"type": "Tuple", "args": [{"type": "Any"}, {"type": "ffi.Tensor", "const": True}]},
            False,
        ),
        ({"type": "ffi.List", "args": [{"type": "ffi.Tensor", "const": True}]}, True),
        ({"type": "my.Class", "args": [{"type": "ffi.Tensor", "const": True}]}, False),
    ],
    ids=lambda value: str(value),
)
def test_which_types_only_read(schema, expected):
    assert read_only.only_reads(schema) is expected


def test_threads_share_what_is_known_of_a_function(mod):
    array = frozen()
    errors = []

    def run():
        for _ in range(200):
            if mod.sum(array) != 6:
                errors.append("sum")
            try:
                mod.copy(array, array)
                errors.append("copy")
            except BufferError:
                pass

    run_threads([threading.Thread(target=run) for _ in range(4)])
    assert errors == []
