# SPDX-License-Identifier: Apache-2.0
"""Test that calls with tensors of PyTorch return tensors of PyTorch."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import tvm_ffi
from tvm_ffi.dataclasses import py_class

torch = pytest.importorskip("torch", reason="needs PyTorch: run make test-torch")
np = pytest.importorskip("numpy")
pytestmark = pytest.mark.torch

echo = tvm_ffi.get_global_func("testing.echo")
apply = tvm_ffi.get_global_func("testing.apply")


@pytest.fixture
def tensor():
    return torch.arange(6.0).reshape(2, 3)


@pytest.mark.spec("PY-I226")
def test_a_tensor_comes_back_as_one(tensor):
    back = echo(tensor)
    assert type(back) is torch.Tensor
    assert back.data_ptr() == tensor.data_ptr()
    assert back.shape == tensor.shape
    assert back.dtype == tensor.dtype
    assert echo(tensor.t()).stride() == tensor.t().stride()
    assert type(echo(torch.nn.Parameter(tensor))) is torch.Tensor
    assert echo(torch.zeros((), dtype=torch.bfloat16)).dtype == torch.bfloat16


@pytest.mark.spec("PY-I227", "PY-I229")
def test_containers_give_tensors_out(tensor):
    assert type(echo([tensor])[0]) is torch.Tensor
    assert type(echo({"a": tensor})["a"]) is torch.Tensor
    assert type(echo([[tensor]])[0][0]) is torch.Tensor
    assert type(echo(echo([tensor]))[0]) is torch.Tensor
    assert [type(x) for x in echo([tensor, tensor])] == [torch.Tensor] * 2
    assert type(next(iter(echo({"a": tensor}).values()))) is torch.Tensor


@pytest.mark.spec("PY-I227")
def test_without_a_call_they_stay_ours(tensor):
    assert type(tvm_ffi.convert([tensor])[0]) is tvm_ffi.Tensor
    assert type(tvm_ffi.Array([tensor])[0]) is tvm_ffi.Tensor
    assert type(echo(np.zeros(3))) is tvm_ffi.Tensor


@pytest.mark.spec("PY-I228")
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


# ---- properties of a tensor that DLPack cannot express ----


def conjugated():
    return torch.tensor([1 + 2j, 3 - 4j]).conj()


BITS = [
    (conjugated, "conjugate", "resolve_conj"),
    (lambda: conjugated().reshape(2, 1).t(), "conjugate", "resolve_conj"),
    (lambda: conjugated().imag, "negative", "resolve_neg"),
    (lambda: torch._neg_view(torch.ones(3)), "negative", "resolve_neg"),
    (lambda: torch._neg_view(torch.ones(3, dtype=torch.int8)), "negative", "resolve_neg"),
    (lambda: torch._neg_view(torch.tensor([1j])), "negative", "resolve_neg"),
]
WAYS = [
    tvm_ffi.from_dlpack,
    tvm_ffi.convert,
    echo,
    lambda x: echo([x]),
    lambda x: echo({"a": [x]}),
    lambda x: apply(lambda _: x, 1),
    lambda x: tvm_ffi.Array([x]),
]


@pytest.mark.parametrize("way", range(len(WAYS)))
@pytest.mark.parametrize(("make", "bit", "remedy"), BITS)
def test_a_conjugate_or_negative_bit_is_refused_instead_of_dropped(make, bit, remedy, way):
    bad = make()
    with pytest.raises(BufferError, match=rf"the {bit} bit set, use tensor\.{remedy}\(\)"):
        WAYS[way](bad)
    good = getattr(bad, remedy)()
    assert torch.equal(echo(good), bad)


def test_conjugates_without_the_bit_cross():
    for tensor in (torch.tensor([1 + 2j]), torch.tensor([1.0]).conj(), conjugated().conj()):
        assert torch.equal(echo(tensor), tensor)


def test_a_subclass_may_answer_for_its_bits():
    class Failing(torch.Tensor):
        def is_neg(self):
            raise LookupError("asked")

    for use in (echo, tvm_ffi.from_dlpack):
        with pytest.raises(LookupError, match="asked"):
            use(torch.ones(2).as_subclass(Failing))


def test_a_tensor_that_requires_grad_crosses_as_its_memory():
    leaf = torch.ones(2, requires_grad=True)
    for tensor in (leaf, torch.nn.Parameter(torch.ones(2)), leaf * 2):
        back = echo(tensor)
        assert back.data_ptr() == tensor.data_ptr()
        assert not back.requires_grad
        assert back.grad_fn is None
        assert tvm_ffi.from_dlpack(tensor).data_ptr() == tensor.data_ptr()


# ---- torch.compile ----


def scaled_operation(name):
    """Register a native function as an operation of PyTorch."""

    @torch.library.custom_op(name, mutates_args=())
    def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
        # The results of an operation must not share memory with its arguments.
        return echo(x * factor)

    @scaled.register_fake
    def _(x, factor):
        return torch.empty_like(x)

    return scaled


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
@pytest.mark.filterwarnings("ignore")  # warnings of PyTorch's compiler
def test_torch_compile_over_a_registered_function(backend, tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TORCHINDUCTOR_COMPILE_THREADS", "1")
    scaled = scaled_operation(f"tvm_ffi_{backend}::scaled")

    @torch.compile(fullgraph=True, backend=backend)
    def step(x):
        return scaled(x + 1, 3.0) * 2

    x = torch.arange(4.0)
    assert torch.equal(step(x), (x + 1) * 6)
    assert torch.equal(step(x), (x + 1) * 6)


def test_the_exchange_table_is_that_of_torch():
    assert type(torch.Tensor.__dlpack_c_exchange_api__).__name__ == "PyCapsule"
    for tensor in (torch.arange(3), torch.zeros(2, 0), torch.tensor(1.5), torch.ones(2, 3).t()):
        back = tvm_ffi.from_dlpack(tensor)
        assert (back.shape, back.strides) == (tuple(tensor.shape), tensor.stride())
        assert torch.equal(torch.from_dlpack(back), tensor)


def test_other_values_of_torch():
    assert echo(torch.float32) == "float32"
    assert echo(torch.device("cpu")) == torch.device("cpu")
    assert list(echo(torch.Size([1, 2]))) == [1, 2]


def test_without_the_exchange_table():
    """Test that the call path for older releases of PyTorch gives the same results."""
    program = """
import torch, tvm_ffi
echo = tvm_ffi.get_global_func("testing.echo")
t = torch.arange(6.0).reshape(2, 3)
back = echo(t)
assert type(back) is torch.Tensor and back.data_ptr() == t.data_ptr() and back.shape == t.shape
assert type(echo([t])[0]) is torch.Tensor
assert type(echo(torch.nn.Parameter(t))) is torch.Tensor
assert tvm_ffi.get_global_func("testing.apply")(lambda x: type(x).__name__, t) == "Tensor"
bits = ((torch.tensor([1j]).conj(), "resolve_conj"), (torch._neg_view(t), "resolve_neg"))
for bad, remedy in bits:
    for use in (echo, tvm_ffi.from_dlpack):
        try:
            use(bad)
        except BufferError as error:
            assert remedy in str(error)
        else:
            raise AssertionError(remedy)
"""
    environ = {**os.environ, "TVM_FFI_SKIP_DLPACK_C_EXCHANGE_API": "1"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environ)


def test_devices_and_data_types_of_pytorch_are_taken_by_name():
    @py_class("test_torch.Placed")
    class Placed(tvm_ffi.Object):
        device: tvm_ffi.Device
        dtype: tvm_ffi.dtype

    placed = Placed(torch.device("cuda", 1), torch.float16)
    assert (str(placed.device), placed.dtype) == ("cuda:1", "float16")
    assert tvm_ffi.device(torch.device("cpu")) == tvm_ffi.device("cpu")
    assert tvm_ffi.dtype(torch.bfloat16) == "bfloat16"
    with pytest.raises(TypeError, match="not list"):
        tvm_ffi.device([])
