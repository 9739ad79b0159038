# SPDX-License-Identifier: Apache-2.0
"""Test devices."""

from __future__ import annotations

import copy
import inspect
import pickle
import re

import pytest

import tvm_ffi
from tvm_ffi import core

Kind = tvm_ffi.DLDeviceType
NAMES = {
    "cpu": Kind.kDLCPU,
    "cuda": Kind.kDLCUDA,
    "opencl": Kind.kDLOpenCL,
    "vulkan": Kind.kDLVulkan,
    "metal": Kind.kDLMetal,
    "vpi": Kind.kDLVPI,
    "rocm": Kind.kDLROCM,
    "ext_dev": Kind.kDLExtDev,
    "hexagon": Kind.kDLHexagon,
    "webgpu": Kind.kDLWebGPU,
    "maia": Kind.kDLMAIA,
    "trn": Kind.kDLTrn,
}


@pytest.mark.spec("PY-D91", "PY-I239", "PY-I241")
@pytest.mark.parametrize(("name", "kind"), NAMES.items())
def test_name(name, kind, echo):
    device = tvm_ffi.device(name, 1)
    assert (device.type, device.index, device.dlpack_device_type()) == (name, 1, kind)
    assert str(device) == f"{name}:1"
    assert repr(device) == f"device(type='{name}', index=1)"
    for other in (
        tvm_ffi.device(f"{name}:1"),
        tvm_ffi.device(kind, 1),
        tvm_ffi.device(int(kind), 1),
    ):
        assert other == device
        assert hash(other) == hash(device)
    assert echo(device) == device
    assert type(echo(device)) is tvm_ffi.Device


@pytest.mark.spec("PY-I239")
def test_other_names_and_defaults():
    assert tvm_ffi.device("mps").type == "metal"
    assert tvm_ffi.device("wgpu").type == "webgpu"
    assert tvm_ffi.device("cpu") == tvm_ffi.device("cpu", 0)
    for kind in (Kind.kDLCUDAHost, Kind.kDLROCMHost, Kind.kDLCUDAManaged, Kind.kDLOneAPI):
        name = tvm_ffi.device(kind).type
        assert name in ("cuda_host", "rocm_host", "cuda_managed", "oneapi")
        with pytest.raises(ValueError, match=f"Unknown device: {name}"):
            tvm_ffi.device(name)


@pytest.mark.spec("PY-I239")
def test_index_in_the_text():
    assert tvm_ffi.device("cuda:3", 1).index == 3
    assert tvm_ffi.device("cuda:-1").index == -1
    assert tvm_ffi.device("cuda:2 with more text").index == 2
    assert tvm_ffi.device("cuda with more text").type == "cuda"


@pytest.mark.spec("PY-I240")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cpu:0:0", "Invalid device: cpu:0:0"),
        ("cpu:?", "Invalid device index: ?"),
        ("cpu:", "Invalid device index"),
        ("cpu:1.5", "Invalid device index: 1.5"),
        *(
            (name, f"Unknown device: {name}")
            for name in ("llvm", "c", "test", "nvptx", "cl", "CPU")
        ),
    ],
)
def test_bad_text(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        tvm_ffi.device(text)


@pytest.mark.spec("PY-I240")
@pytest.mark.parametrize("bad", ["?", 1.5, [1], object()])
def test_bad_index(bad):
    with pytest.raises(TypeError, match="Invalid device index"):
        tvm_ffi.device("cpu", bad)


@pytest.mark.parametrize("bad", [2**31, -(2**31) - 1, 2**64])
def test_number_out_of_range(bad):
    with pytest.raises(OverflowError):
        tvm_ffi.device("cpu", bad)
    with pytest.raises(OverflowError):
        tvm_ffi.device(bad, 0)


@pytest.mark.parametrize("bad", [None, [1], object(), b"cpu"])
def test_bad_type(bad):
    with pytest.raises(TypeError):
        tvm_ffi.device(bad)


def test_index_of_other_integers():
    class Scalar:
        def item(self):
            return 3

    assert tvm_ffi.device("cpu", True).index == 1
    assert tvm_ffi.device("cpu", Scalar()).index == 3
    np = pytest.importorskip("numpy")
    assert tvm_ffi.device("cpu", np.int64(2)).index == 2


@pytest.mark.spec("PY-I241")
def test_equality():
    device = tvm_ffi.device("cuda", 1)
    assert device != tvm_ffi.device("cuda", 2)
    assert device != tvm_ffi.device("cpu", 1)
    assert device != "cuda:1"
    assert (device == 5) is False
    with pytest.raises(AttributeError):
        device.index = 2


@pytest.mark.spec("PY-I243")
@pytest.mark.parametrize("kind", [128, 200, 2**31 - 1])
def test_device_type_without_a_name(echo, kind):
    device = tvm_ffi.device(kind, 2)
    assert (device.dlpack_device_type(), device.index) == (kind, 2)
    assert echo(device) == device
    assert echo(device).dlpack_device_type() == kind
    assert isinstance(str(device), str)
    assert isinstance(repr(device), str)


def test_tables():
    names = core.Device._DEVICE_TYPE_TO_NAME
    assert names[Kind.kDLCUDAHost] == "cuda_host"
    for name, kind in core.Device._DEVICE_NAME_TO_TYPE.items():
        assert tvm_ffi.device(name).dlpack_device_type() == kind
    assert Kind.kDLTrn == 18
    assert core.DLDeviceType is Kind


@pytest.mark.spec("PY-I241")
def test_copies():
    device = tvm_ffi.device("cuda", 1)
    for other in (pickle.loads(pickle.dumps(device)), copy.copy(device), copy.deepcopy(device)):
        assert type(other) is tvm_ffi.Device
        assert other == device


@pytest.mark.spec("PY-D116")
def test_typed_function():
    identity = tvm_ffi.get_global_func("testing.schema_id_device")
    assert identity("cuda:1") == tvm_ffi.device("cuda", 1)
    assert identity(tvm_ffi.device("cpu")) == tvm_ffi.device("cpu")
    with pytest.raises(TypeError):
        identity("no such device")


@pytest.fixture
def device_class():
    """Restore the class of returned devices after the test."""
    original = core._CLASS_DEVICE
    yield
    core._set_class_device(original)


@pytest.mark.spec("PY-D119", "PY-I242")
@pytest.mark.usefixtures("device_class")
def test_class_of_returned_devices(echo):
    class Mine(core.Device):
        def __init__(self, *args):
            raise AssertionError("not called for returned devices")

        def __device_type_name__(self):
            return "mine"

    core._set_class_device(Mine)
    assert core._CLASS_DEVICE is Mine
    device = echo(core.Device("cuda", 1))
    assert type(device) is Mine
    assert (device.type, str(device)) == ("mine", "mine:1")
    assert repr(device) == "device(type='mine', index=1)"
    with pytest.raises(AssertionError):
        tvm_ffi.device("cpu")
    with pytest.raises(TypeError):
        core._set_class_device(int)


def test_signature():
    assert list(inspect.signature(tvm_ffi.device).parameters) == ["device_type", "index"]


@pytest.mark.parametrize("bad", [1.5, -1, -1.0, float("nan"), float("inf")])
def test_number_without_a_meaning_is_not_a_device_type(bad):
    """Before the fix, 1.5 was a CPU, and -1 was accepted."""
    with pytest.raises((ValueError, OverflowError), match=r"device type|cannot convert float"):
        tvm_ffi.device(bad)
    assert tvm_ffi.device(2.0) == tvm_ffi.device("cuda")


@pytest.mark.parametrize("text", ["cuda:1_0", "cuda:\u0663", "cuda:0x1"])
def test_index_in_a_spelling_of_python_is_refused(text):
    with pytest.raises(ValueError, match="Invalid device index: "):
        tvm_ffi.device(text)


def test_two_colons_tell_the_form_of_a_device():
    with pytest.raises(ValueError, match=r"Invalid device: cpu:0:1; .* such as `cuda:1`$"):
        tvm_ffi.device("cpu:0:1")
