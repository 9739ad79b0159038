# SPDX-License-Identifier: Apache-2.0
"""Test the lifetime of PyTorch tensors that are arguments of calls."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

import tvm_ffi

torch = pytest.importorskip("torch", reason="needs PyTorch: run make test-torch")
pytestmark = pytest.mark.torch

echo = tvm_ffi.get_global_func("testing.echo")
nop = tvm_ffi.get_global_func("testing.nop")
make_array = tvm_ffi.get_global_func("ffi.Array")

SOURCE = r"""
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <chrono>
#include <csignal>
#include <thread>
namespace ffi = tvm::ffi;
double sum(ffi::TensorView x) {
  double all = 0;
  for (int64_t i = 0; i < x.numel(); ++i) all += static_cast<const float*>(x.data_ptr())[i];
  return all;
}
double sum_after(ffi::TensorView x, ffi::Function f) {
  f();
  return sum(x);
}
ffi::Tensor kept(ffi::Tensor x, ffi::Function f) {
  f();
  return x;
}
ffi::Tensor kept_on_thread(ffi::Tensor x, ffi::Function f) {
  std::thread([&] { f(); }).join();
  return x;
}
ffi::Tensor kept_after_sleep(ffi::Tensor x) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return x;
}
ffi::Tensor kept_after_signal(ffi::Tensor x) {
  std::raise(SIGINT);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvCheckSignals());
  return x;
}
ffi::Tensor first(ffi::Tensor x, ffi::Any) { return x; }
ffi::Tensor second(ffi::Any, ffi::Tensor x) { return x; }
ffi::Optional<ffi::Tensor> last;
void keep_and_fail(ffi::Tensor x) {
  last = x;
  TVM_FFI_THROW(ErrorThatRunsCode) << "raised on purpose";
}
ffi::Optional<ffi::Tensor> take_last() { return std::exchange(last, ffi::Optional<ffi::Tensor>()); }
double nested(ffi::TensorView x, ffi::Function f) { return sum(x) + f(x).cast<double>() + sum(x); }
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    from tvm_ffi import cpp

    return cpp.load_inline(
        "torch_borrow",
        cpp_sources=SOURCE,
        functions=[
            *("sum", "sum_after", "kept", "nested", "kept_on_thread", "kept_after_sleep"),
            *("kept_after_signal", "first", "second", "keep_and_fail", "take_last"),
        ],
        extra_cflags=["-O0"],
        build_directory=str(tmp_path_factory.mktemp("torch_borrow")),
    )


def test_a_call_keeps_nothing(lib):
    x = torch.ones(1000)
    watched = weakref.ref(x)
    for _ in range(3):
        assert lib.sum(x) == 1000
    with pytest.raises(TypeError):
        lib.sum(x, x)
    with pytest.raises(TypeError):
        lib.sum_after(x, object())
    del x
    gc.collect()
    assert watched() is None


def test_a_kept_tensor_owns_its_memory():
    x = torch.arange(1000.0)
    watched = weakref.ref(x)
    kept = make_array(x)[0]
    again = echo(x)
    del x
    gc.collect()
    others = [torch.zeros(1000) for _ in range(50)]
    assert torch.equal(torch.from_dlpack(kept), torch.arange(1000.0)), others
    assert torch.equal(again, torch.arange(1000.0)), others
    del kept, again
    gc.collect()
    assert watched() is None


@pytest.mark.parametrize("how", ["plain", "after an error"])
def test_each_call_sees_the_present_memory(lib, how):
    x = torch.ones(10)
    if how == "after an error":
        with pytest.raises(TypeError):
            lib.sum(x, 1)
    assert lib.sum(x) == 10
    x.data = torch.full((4,), 3.0)
    assert lib.sum(x) == 12
    x.resize_(2)
    assert lib.sum(x) == 6


def test_calls_inside_calls(lib):
    x = torch.ones(8)
    y = torch.full((5,), 2.0)

    def inner(given):
        assert given.data_ptr() == x.data_ptr()
        return lib.sum(y) + lib.sum(x) + lib.sum(given)

    for _ in range(3):
        assert lib.nested(x, inner) == 8 + (10 + 8 + 8) + 8

    def failing(_):
        lib.sum(x)
        raise LookupError("inside")

    with pytest.raises(LookupError, match="inside"):
        lib.nested(x, failing)
    assert lib.sum(x) == 8


def test_many_arguments_dimensions_and_types():
    tensors = [torch.ones((1,) * n) for n in range(12)]
    for count in (1, 2, 7, 8, 12):
        nop(*tensors[:count])
    for x in (
        *tensors,
        torch.ones(2, 3, dtype=torch.complex64),
        torch.zeros(0, 3),
        torch.ones(4, dtype=torch.bfloat16)[::2],
        torch.nn.Parameter(torch.ones(3)),
    ):
        back = echo(x)
        assert (back.shape, back.stride(), back.dtype) == (x.shape, x.stride(), x.dtype)
        assert torch.equal(back, x)


def test_classes_of_tensors_are_told_apart():
    class Plain(torch.Tensor):
        pass

    class Asked(torch.Tensor):
        def is_neg(self):
            return True

    real = torch.ones(2)
    for _ in range(3):
        for x in (real, torch.nn.Parameter(real), real.as_subclass(Plain)):
            assert torch.equal(echo(x), real)
            with pytest.raises(BufferError, match="resolve_neg"):
                echo(torch._neg_view(x.detach()))
        with pytest.raises(BufferError, match="resolve_neg"):
            echo(real.as_subclass(Asked))
    Plain.is_neg = lambda self: True
    with pytest.raises(BufferError, match="resolve_neg"):
        echo(real.as_subclass(Plain))


def test_threads_pass_their_own_tensors(lib):
    def work(value):
        x = torch.full((100,), float(value))
        for _ in range(300):
            assert lib.sum_after(x, lambda: None) == 100 * value
            assert lib.sum(x) == 100 * value

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(work, range(6))) == [None] * 6


def set_data(x):
    x.data = torch.full((1000,), 9.0)


def set_storage(x):
    x.set_(torch.full((1000,), 9.0))


def make_empty(x):
    x.set_()


CHANGES = [set_data, set_storage, make_empty]


def check_values(tensor):
    others = [torch.full((1000,), 7.0) for _ in range(50)]
    assert torch.equal(torch.from_dlpack(tensor), torch.arange(1000.0)), others


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("call", ["plain", "prepared", "keyword"])
def test_other_memory_during_a_call_does_not_free_that_of_a_tensor(lib, change, call):
    """A callback gave other memory to the argument, and the result was read from freed memory."""
    x = torch.arange(1000.0)
    function = lib.kept.prepare(torch.ones(1), print) if call == "prepared" else lib.kept
    for given in (x, torch.nn.Parameter(torch.arange(1000.0))):
        with torch.no_grad():
            check_values(function(given, lambda given=given: change(given)))


class Given:
    """A value that runs code when it is converted."""

    def __init__(self, convert):
        self.convert = convert

    def __tvm_ffi_value__(self):
        return self.convert()


class Dropped:
    """A value that runs code when it is freed."""

    def __init__(self, run):
        self.run = run

    def __del__(self):
        self.run()


def on_other_thread(lib, x, run):
    thread = threading.Timer(0.03, run)
    thread.start()
    kept = lib.kept_after_sleep(x)
    thread.join()
    return kept


def on_signal(lib, x, run):
    before = signal.signal(signal.SIGINT, lambda *_: run())
    try:
        return lib.kept_after_signal(x)
    finally:
        signal.signal(signal.SIGINT, before)


def on_error(lib, x, run):
    class ErrorThatRunsCode(Exception):
        def __init__(self, *args):
            super().__init__(*args)
            run()

    tvm_ffi.register_error("ErrorThatRunsCode", ErrorThatRunsCode)
    with pytest.raises(ErrorThatRunsCode):
        lib.keep_and_fail(x)
    return lib.take_last()


MOMENTS = {
    "conversion of the next argument": lambda _, x, run: make_array(x, Given(run))[0],
    "conversion of an element": lambda _, x, run: make_array(x, [Given(run)])[0],
    "conversion in a prepared call": lambda _, x, run: make_array.prepare(x, 1)(x, Given(run))[0],
    "end of the argument before": lambda lib, x, run: lib.second(Given(lambda: Dropped(run)), x),
    "end of the next argument": lambda lib, x, run: lib.first(x, Given(lambda: Dropped(run))),
    "callback on a thread": lambda lib, x, run: lib.kept_on_thread(x, run),
    "another thread": on_other_thread,
    "signal": on_signal,
    "error": on_error,
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("moment", MOMENTS)
def test_other_memory_at_any_moment_does_not_free_that_of_a_tensor(lib, change, moment):
    """A call takes the storage of a tensor only when Python code runs, or when the call ends."""
    x = torch.arange(1000.0)
    ran = []
    kept = MOMENTS[moment](lib, x, lambda: ran.append(change(x)))
    assert ran == [None]
    check_values(kept)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    "take",
    [
        tvm_ffi.from_dlpack,
        lambda x: tvm_ffi.from_dlpack(x, require_alignment=4, require_contiguous=True),
        lambda x: make_array(x)[0],
        lambda x: tvm_ffi.convert([x])[0],
        echo.prepare(torch.ones(1)),
    ],
    ids=["from_dlpack", "from_dlpack checked", "call", "element", "prepared"],
)
def test_other_memory_of_a_tensor_does_not_change_ours(take, change):
    """PyTorch's managed tensor shares shape and memory with the tensor, also after ``set_()``."""
    x = torch.arange(1000.0)
    ours = take(x)
    change(x)
    assert tuple(ours.shape) == (1000,)
    check_values(ours)


def test_the_memory_is_freed_with_the_last_tensor(lib):
    x = torch.arange(1000.0)
    storage = x.untyped_storage()
    first = sys.getrefcount(storage)
    prepared = lib.kept.prepare(x, print)
    ours = [
        *(tvm_ffi.from_dlpack(x), make_array(x)[0], *tvm_ffi.convert([x])),
        *(lib.kept(x, lambda: None), prepared(x, lambda: None)),
    ]
    assert sys.getrefcount(storage) > first
    del x
    for tensor in ours:
        check_values(tensor)
    del ours, tensor
    gc.collect()
    alone = torch.zeros(1).untyped_storage()
    assert sys.getrefcount(storage) == sys.getrefcount(alone)


@pytest.mark.parametrize("kind", ["mode", "class"])
def test_torch_functions_do_not_see_a_call(kind):
    from torch.overrides import TorchFunctionMode

    seen = []

    class Mode(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            seen.append(function)
            return function(*args, **(kwargs or {}))

    class Watched(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            seen.append(function)
            return super().__torch_function__(function, types, args, kwargs or {})

    x = torch.arange(1000.0)
    if kind == "class":
        x = x.as_subclass(Watched)
        nop(x)
        array = make_array(x)
    else:
        with Mode():
            nop(x)
            array = make_array(x)
    # The first tensor of a class is asked for its negative bit.
    assert [function for function in seen if function.__name__ != "is_neg"] == []
    set_data(x)
    check_values(array[0])


# Functions that do not exist in each release of PyTorch are taken away, or the reads in place.
STORAGE = """
import sys, torch, tvm_ffi
from torch.overrides import TorchFunctionMode

for name in sys.argv[1:]:
    delattr(torch._C, name)
seen = []

class Mode(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        seen.append(function.__name__)
        return function(*args, **(kwargs or {}))

make_array = tvm_ffi.get_global_func("ffi.Array")
for _ in range(2):
    x = torch.arange(3.0)
    with Mode():
        ours = make_array(x)[0]
    x.data = torch.zeros(1000)
    assert torch.from_dlpack(ours).tolist() == [0, 1, 2]
    assert "untyped_storage" not in seen or sys.argv[1:], seen
y = torch.ones(3)
y.untyped_storage().resize_(4)
try:
    make_array(y)
except BufferError:
    raise SystemExit(0)
raise SystemExit(1)
"""


@pytest.mark.parametrize("in_place", ["0", "1"])
def test_torch_functions_do_not_see_the_check_of_the_storage(in_place, monkeypatch):
    """With ``TVM_FFI_TORCH_IN_PLACE=0``, a mode saw calls of ``untyped_storage``."""
    monkeypatch.setenv("TVM_FFI_TORCH_IN_PLACE", in_place)
    subprocess.run([sys.executable, "-c", STORAGE], check=True)


@pytest.mark.parametrize("in_place", ["0", "1"])
@pytest.mark.parametrize("missing", ["DisableTorchFunction", "_len_torch_function_stack", "both"])
def test_tensors_convert_without_private_functions_of_pytorch(missing, in_place, monkeypatch):
    """Each conversion raised AttributeError."""
    monkeypatch.setenv("TVM_FFI_TORCH_IN_PLACE", in_place)
    names = (
        ["DisableTorchFunction", "_len_torch_function_stack"] if missing == "both" else [missing]
    )
    subprocess.run([sys.executable, "-c", STORAGE, *names], check=True)


def test_functions_that_take_views_are_known():
    from tvm_ffi._values.read_only import takes_only_views

    get = tvm_ffi.get_global_func
    assert takes_only_views(get("testing.schema_tensor_view_input"))
    for name in ("testing.echo", "testing.schema_id_any", "testing.nop", "ffi.Array"):
        assert not takes_only_views(get(name))


# PyTorch ends the process when it gets a tensor with negative strides.
REVERSED = """
import numpy, torch, tvm_ffi

x, reverse = torch.ones(3), numpy.arange(6.0)[::-1]
apply = tvm_ffi.get_global_func("testing.apply")
back = apply(lambda _: reverse, x)
assert type(back) is tvm_ffi.Tensor and back.shape == (6,), back
items = apply(lambda _: [reverse], x)
callback = tvm_ffi.convert_func(lambda x: None, tensor_cls=torch.Tensor)
for refused in (lambda: items[0], lambda: callback(reverse)):
    try:
        refused()
    except BufferError as error:
        assert "cannot have negative strides" in str(error), error
    else:
        raise AssertionError
"""


def test_negative_strides_do_not_reach_pytorch():
    subprocess.run([sys.executable, "-c", REVERSED], check=True)
