# SPDX-License-Identifier: Apache-2.0
"""Test that tensors of PyTorch that are read in place give what PyTorch's own export gives."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import tvm_ffi

torch = pytest.importorskip("torch", reason="needs PyTorch: run make test-torch")
pytestmark = pytest.mark.torch

echo = tvm_ffi.get_global_func("testing.echo")

# Before the first conversion, the function of PyTorch's exchange table that describes a tensor is
# replaced by one that counts its calls.
COUNTED = """
import ctypes, torch, tvm_ffi

class Table(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)] + [
        (name, ctypes.c_void_p)
        for name in ("previous", "allocator", "from_py", "to_py", "describe", "stream")
    ]

api = ctypes.pythonapi
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
name = b"dlpack_exchange_api"
table = Table.from_address(
    api.PyCapsule_GetPointer(torch.Tensor.__dlpack_c_exchange_api__, name)
)
function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)
describe, count = function(table.describe), 0

@function
def counted(x, out):
    global count
    count += 1
    return describe(x, out)

copy = Table.from_buffer_copy(table)
copy.describe = ctypes.cast(counted, ctypes.c_void_p).value
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
torch.Tensor.__dlpack_c_exchange_api__ = api.PyCapsule_New(ctypes.addressof(copy), name, None)

nop = tvm_ffi.get_global_func("testing.nop")
"""


def run_counted(program: str) -> None:
    subprocess.run([sys.executable, "-c", COUNTED + program], check=True)


def test_pytorch_rarely_describes_a_kind_of_tensor_again():
    """PyTorch leaves a bit of a tensor uninitialized, so it may describe a kind twice."""
    run_counted("""
for prepared in (False, True):
    for dtype in (torch.float32, torch.bfloat16, torch.int64, torch.complex64):
        nop(torch.ones(4, 5, dtype=dtype)[1:])
        call = nop.prepare(torch.ones(1, dtype=dtype)) if prepared else nop
        before = count
        for n in range(1, 50):
            call(torch.ones(n, 2, dtype=dtype))
            call(torch.ones(1, n, dtype=dtype)[:, n // 2:])
        assert count - before < 10, (count - before, dtype)
assert count > 0
""")


def test_pytorch_describes_what_is_not_read_in_place():
    run_counted("""
shared = torch.ones(3)
nop(shared), nop(shared)
clone = torch._lazy_clone(shared)
for x in (torch.ones((1,) * 6), torch.zeros(0, 2), shared):
    before = count
    nop(x)
    assert count == before + 1, x
class Own(torch.Tensor):
    def is_neg(self):
        return False
for _ in range(3):
    before = count
    nop(torch.ones(3).as_subclass(Own))
    assert count == before + 2  # again after is_neg, which could have changed the tensor
""")


KINDS = [
    *(torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float64),
    *(torch.bool, torch.int8, torch.uint16, torch.int64, torch.complex64, torch.complex128),
]


def random_view(choose: random.Random, x: torch.Tensor) -> torch.Tensor:
    """Return a view of the tensor, a clone or the tensor itself."""
    way = choose.randrange(8)
    if way == 0 and x.dim() > 0:
        return x[choose.randrange(x.shape[0] + 1) :]
    if way == 1 and x.dim() > 0:
        dim = choose.randrange(x.dim())
        start = choose.randrange(x.shape[dim] + 1)
        return x.narrow(dim, start, choose.randrange(x.shape[dim] - start + 1))
    if way == 2:
        return x.permute(choose.sample(range(x.dim()), x.dim()))
    if way == 3 and x.dim() < 9:
        return x.unsqueeze(choose.randrange(x.dim() + 1))
    if way == 4 and x.dim() < 9:
        return x.expand(choose.choice([2, 4]), *x.shape)
    if way == 5:
        return x.reshape(-1)[choose.randrange(3) :: 2]
    if way == 6:
        return torch._lazy_clone(x)
    return torch.nn.Parameter(x) if x.is_floating_point() else x.clone()


def description(x: torch.Tensor) -> tuple[object, ...]:
    return (tuple(x.shape), x.stride(), x.dtype, x.device, x.data_ptr())


@pytest.mark.parametrize("seed", range(8))
def test_random_views_and_tensors_that_change(seed):
    choose = random.Random(seed)
    tensors = [torch.ones(2, 3, dtype=kind) for kind in KINDS]
    prepared = echo.prepare(tensors[0])
    for step in range(2000):
        place = choose.randrange(len(tensors))
        x = tensors[place] = random_view(choose, tensors[place]).detach()
        change = choose.randrange(4)
        if change == 0:
            shape = [choose.randrange(4) for _ in range(choose.randrange(8))]
            x = tensors[place] = torch.empty(shape, dtype=x.dtype)
        if change == 1:
            x.data = choose.choice(tensors)
        if choose.random() < 0.05:
            prepared = echo.prepare(x)
        for call in (echo, prepared):
            back = call(x)
            if x.numel() == 0:
                assert (back.shape, back.dtype) == (x.shape, x.dtype), (seed, step)
            else:
                assert description(back) == description(x), (seed, step)


CHANGES = {
    "resize": lambda x: x.resize_(1000, 2),
    "transpose": lambda x: x.t_(),
    "set": lambda x: x.set_(torch.ones(3)),
    "data of another type": lambda x: setattr(x, "data", torch.zeros(3, 4, dtype=torch.int8)),
    "resize the storage": lambda x: x.untyped_storage().resize_(100_000),
}


@pytest.mark.parametrize("change", CHANGES)
def test_other_memory_under_the_same_tensor_is_seen(change):
    x = torch.ones(2, 3)
    prepared = echo.prepare(x)
    assert description(echo(x)) == description(prepared(x)) == description(x)
    CHANGES[change](x)
    for call in (echo, prepared, echo, prepared):
        assert description(call(x)) == description(x)


def test_a_write_does_not_reach_a_lazy_clone():
    x = torch.ones(3)
    for _ in range(2):
        echo(x)
    clone = torch._lazy_clone(x)
    torch.from_dlpack(echo(x)).fill_(7)
    assert clone.tolist() == [1, 1, 1]


def test_a_tensor_that_forbids_access_is_refused():
    x = torch.ones(3)
    prepared = echo.prepare(x)
    assert torch.equal(echo(x), prepared(x))
    torch._C._set_throw_on_mutable_data_ptr(x)
    for call in (echo, prepared):
        with pytest.raises(RuntimeError, match="Cannot access data pointer"):
            call(x)


# ---- modes, the comparison and the switch ----

MODES = """
import torch, tvm_ffi
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

nop = tvm_ffi.get_global_func("testing.nop")
x = torch.ones(3)
seen = []

class Dispatch(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        seen.append(func)
        return func(*args, **(kwargs or {}))

class Function(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        seen.append(func)
        return func(*args, **(kwargs or {}))

def twice(a):
    nop(x)
    return a * 2
"""

FIRST_CALLS = {
    "dispatch mode": "with Dispatch(): nop(x)\nassert seen == []",
    "function mode": "with Function(): nop(x)\nassert seen == []",
    "profiler": "with torch.profiler.profile() as p: nop(x)\nassert len(p.events()) == 0",
    "make_fx": """
from torch.fx.experimental.proxy_tensor import make_fx
assert len(make_fx(twice)(torch.ones(3)).graph.nodes) == 3
""",
    "jit.trace": "torch.jit.trace(twice, (torch.ones(3),))",
    "transforms": """
torch.func.vmap(twice)(torch.ones(2, 3))
torch.func.grad(lambda a: twice(a).sum())(torch.ones(3))
""",
    "default device": "torch.set_default_device('meta')\nnop(x)",
}

IS_READ_IN_PLACE = """
class Refuses(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise AssertionError(func)
with Refuses():
    nop(x)
"""


@pytest.mark.parametrize("mode", FIRST_CALLS)
def test_no_mode_sees_the_samples_of_the_first_call(mode):
    program = MODES + FIRST_CALLS[mode] + IS_READ_IN_PLACE
    subprocess.run([sys.executable, "-c", program], check=True)


LYING = """
import warnings

@function
def lying(x, out):
    status = describe(x, out)
    if count == "lie":
        ctypes.c_uint64.from_address(out).value += 4
    return status

copy.describe = ctypes.cast(lying, ctypes.c_void_p).value
x = torch.ones(4)[:2]  # the wrong address is in its storage, too
for _ in range(100):
    nop(x)
count = "lie"
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(1100):
        nop(x)
assert [w.category for w in caught] == [RuntimeWarning], caught
assert "TVM_FFI_TORCH_IN_PLACE=0" in str(caught[0].message)
copy.describe = ctypes.cast(counted, ctypes.c_void_p).value
count = 0
for _ in range(10):
    nop(x)
assert count == 10
"""


def test_one_difference_from_pytorch_turns_the_reads_off():
    run_counted(LYING)


def test_the_environment_turns_the_reads_off(monkeypatch):
    monkeypatch.setenv("TVM_FFI_TORCH_IN_PLACE", "0")
    run_counted("""
x = torch.ones(3)
nop(x)  # imports what the calls need, and then describes the tensor again
count = 0
for _ in range(10):
    nop(x)
assert count == 10
""")


def test_ctrl_c_while_samples_are_made_is_raised():
    program = """
import _thread, signal, torch, tvm_ffi
from tvm_ffi._values import torch as values
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in background jobs
made = values.samples
def interrupted():
    _thread.interrupt_main()
    return made()
values.samples = interrupted
try:
    for _ in range(100):
        tvm_ffi.get_global_func("testing.nop")(torch.ones(3))
except KeyboardInterrupt:
    raise SystemExit(0)
raise SystemExit(1)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


# ---- tensors without memory ----


def fake() -> torch.Tensor:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        return torch.ones(3)


def freed(start: int) -> torch.Tensor:
    x = torch.ones(3)[start:]
    echo(x)
    x.untyped_storage().resize_(0)
    return x


def cut_off() -> torch.Tensor:
    """Return a tensor of 12 bytes whose storage has 4."""
    x = torch.ones(3)
    echo(x)
    x.untyped_storage().resize_(4)
    return x


WAYS = {
    "argument": echo,
    "prepared": echo.prepare(torch.ones(3)),
    "item of a list": lambda x: echo([x]),
    "from_dlpack": tvm_ffi.from_dlpack,
    "convert": tvm_ffi.convert,
    "result": lambda x: tvm_ffi.get_global_func("testing.apply")(lambda _: x, 1),
}


@pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", [fake, lambda: freed(0), lambda: freed(1), cut_off])
def test_a_tensor_with_elements_and_without_memory_is_refused(make, way):
    """Native code that reads such a tensor crashes."""
    x = make()
    for _ in range(2):
        with pytest.raises(BufferError, match="has elements but no memory"):
            WAYS[way](x)


def test_a_tensor_without_elements_crosses():
    for x in (torch.zeros(0), torch.zeros(3, 0), torch.ones(4)[4:]):
        assert echo(x).shape == x.shape
        assert tvm_ffi.from_dlpack(x).shape == tuple(x.shape)


def test_a_storage_that_is_too_small_is_refused_without_the_reads(monkeypatch):
    monkeypatch.setenv("TVM_FFI_TORCH_IN_PLACE", "0")
    program = """
import torch, tvm_ffi
x = torch.ones(3)
x.untyped_storage().resize_(8)
try:
    tvm_ffi.get_global_func("testing.nop")(x)
except BufferError:
    raise SystemExit(0)
raise SystemExit(1)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_uninitialized_parameter_is_refused_each_time():
    x = torch.nn.UninitializedParameter()
    echo(torch.nn.Parameter(torch.ones(1)))
    for _ in range(3):
        for call in (echo, tvm_ffi.from_dlpack, lambda x: echo([x])):
            with pytest.raises(ValueError, match="uninitialized"):
                call(x)


# Each kind of tensor is passed three times in a process of its own, whose first tensor it is.
EACH_KIND = """
import json, os, sys, torch, tvm_ffi

make = {
    "no elements": lambda: torch.zeros(3, 0, 2),
    "no dimensions": lambda: torch.tensor(3.0),
    "bool": lambda: torch.ones(2).bool(),
    "complex": lambda: torch.ones(2, dtype=torch.complex64),
    "float8": lambda: torch.ones(2).to(torch.float8_e4m3fn),
    "gradient": lambda: torch.ones(2, requires_grad=True),
    "broadcast": lambda: torch.ones(1).expand(2),
    "conjugate": lambda: torch.ones(2, dtype=torch.complex64).conj(),
    "negative": lambda: torch._neg_view(torch.ones(2)),
    "zero tensor": lambda: torch._efficientzerotensor((2,)),
    "sparse": lambda: torch.eye(2).to_sparse(),
    "compressed": lambda: torch.eye(2).to_sparse_csr(),
    "meta": lambda: torch.ones(2, device="meta"),
    "quantized": lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8),
    "nested": lambda: torch.nested.nested_tensor([torch.ones(1), torch.ones(2)]),
}
tests = {
    "call": tvm_ffi.get_global_func("testing.echo"),
    "from_dlpack": lambda x: torch.from_dlpack(tvm_ffi.from_dlpack(x)),
}
inside = {"vmap": torch.vmap, "grad": lambda f: torch.func.grad(lambda x: f(x).sum())}
inside["functionalize"] = torch.func.functionalize

def outcome(convert, x):
    try:
        y = convert(x)
        return "equal" if torch.equal(x.detach().to(y.dtype), y) and x.dtype == y.dtype else "other"
    except Exception as error:
        return type(error).__name__

def outcomes(kind, convert):
    found = []
    def collect(x):
        found.extend(outcome(convert, x) for _ in range(3))
        return x * 1
    if kind in inside:
        inside[kind](collect)(torch.ones(2))
    else:
        x = make[kind]()
        found = [outcome(convert, x) for _ in range(3)]
    return "|".join(sorted(set(found)))

for kind in [*make, *inside]:
    for way, convert in tests.items():
        if (child := os.fork()) == 0:
            print(kind, way, outcomes(kind, convert), sep=":", flush=True)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0, kind
"""
REFUSED = {
    "BufferError": "conjugate|negative|zero tensor|functionalize",
    "RuntimeError": "sparse|compressed|meta|quantized|nested|vmap|grad",
}


@pytest.mark.filterwarnings("ignore")
def test_a_kind_of_tensor_gives_the_same_at_the_first_and_at_later_calls():
    """A kind was refused at the first call, and passed at the second."""
    command = [sys.executable, "-W", "ignore", "-c", EACH_KIND]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 2 * 18
    for line in lines:
        kind, _, outcome = line.split(":")
        expected = [error for error, kinds in REFUSED.items() if kind in kinds.split("|")]
        assert outcome == (expected[0] if expected else "equal"), line
