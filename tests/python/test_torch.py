# SPDX-License-Identifier: Apache-2.0
"""Calls with tensors of PyTorch give tensors of PyTorch back."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import tvm_ffi

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")

echo = tvm_ffi.get_global_func("testing.echo")
apply = tvm_ffi.get_global_func("testing.apply")


@pytest.fixture
def tensor():
    return torch.arange(6.0).reshape(2, 3)


def test_a_tensor_comes_back_as_one(tensor):
    back = echo(tensor)
    assert type(back) is torch.Tensor
    assert back.data_ptr() == tensor.data_ptr()
    assert back.shape == tensor.shape
    assert back.dtype == tensor.dtype
    assert echo(tensor.t()).stride() == tensor.t().stride()
    assert type(echo(torch.nn.Parameter(tensor))) is torch.Tensor
    assert echo(torch.zeros((), dtype=torch.bfloat16)).dtype == torch.bfloat16


def test_containers_give_tensors_out(tensor):
    assert type(echo([tensor])[0]) is torch.Tensor
    assert type(echo({"a": tensor})["a"]) is torch.Tensor
    assert type(echo([[tensor]])[0][0]) is torch.Tensor
    assert type(echo(echo([tensor]))[0]) is torch.Tensor
    assert [type(x) for x in echo([tensor, tensor])] == [torch.Tensor] * 2
    assert type(next(iter(echo({"a": tensor}).values()))) is torch.Tensor


def test_without_a_call_they_stay_ours(tensor):
    assert type(tvm_ffi.convert([tensor])[0]) is tvm_ffi.Tensor
    assert type(tvm_ffi.Array([tensor])[0]) is tvm_ffi.Tensor
    assert type(echo(np.zeros(3))) is tvm_ffi.Tensor


@pytest.mark.parametrize(
    "name", ["array_with_tensor", "nested_array_with_tensor", "map_with_tensor", "dict_with_tensor"]
)
def test_containers_made_by_native_code(name, tensor):
    made = tvm_ffi.get_global_func(f"testing.make_{name}")(tensor)
    first = made["tensor"] if "tensor" in made else made[0]
    while isinstance(first, tvm_ffi.Array):
        first = first[0]
    assert type(first) is torch.Tensor
    ours = tvm_ffi.get_global_func(f"testing.make_{name}")(tvm_ffi.from_dlpack(tensor))
    first = ours["tensor"] if "tensor" in ours else ours[0]
    while isinstance(first, tvm_ffi.Array):
        first = first[0]
    assert type(first) is tvm_ffi.Tensor


def test_callbacks(tensor):
    assert type(apply(lambda x: x, tensor)) is torch.Tensor

    def fails(_):
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        apply(fails, tensor)


def test_refused_tensors():
    for bad in (torch.empty(2, device="meta"), torch.eye(3).to_sparse()):
        with pytest.raises(RuntimeError):
            echo(bad)


def test_other_values_of_torch():
    assert echo(torch.float32) == "float32"
    assert echo(torch.device("cpu")) == torch.device("cpu")
    assert list(echo(torch.Size([1, 2]))) == [1, 2]


def test_without_the_exchange_table():
    """The road of older releases of PyTorch gives the same results."""
    program = """
import torch, tvm_ffi
echo = tvm_ffi.get_global_func("testing.echo")
t = torch.arange(6.0).reshape(2, 3)
back = echo(t)
assert type(back) is torch.Tensor and back.data_ptr() == t.data_ptr() and back.shape == t.shape
assert type(echo([t])[0]) is torch.Tensor
assert type(echo(torch.nn.Parameter(t))) is torch.Tensor
assert tvm_ffi.get_global_func("testing.apply")(lambda x: type(x).__name__, t) == "Tensor"
"""
    environ = {**os.environ, "TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API": "1"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environ)
