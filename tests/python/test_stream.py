# SPDX-License-Identifier: Apache-2.0
"""Test the current streams of devices."""

from __future__ import annotations

import ctypes
import sys
import threading
import types

import pytest

import tvm_ffi

CUDA = tvm_ffi.device("cuda", 3)
OTHER = tvm_ffi.device("cuda", 4)


@pytest.mark.spec("PY-I244")
def test_streams_nest_and_are_restored():
    assert tvm_ffi.get_raw_stream(CUDA) == 0
    with tvm_ffi.use_raw_stream(CUDA, 8) as outer:
        assert isinstance(outer, tvm_ffi.StreamContext)
        assert (outer.device_type, outer.device_id, outer.stream) == (2, 3, 8)
        assert outer.prev_stream == 0
        assert tvm_ffi.get_raw_stream(CUDA) == 8
        with tvm_ffi.use_raw_stream(CUDA, 16) as inner, tvm_ffi.use_raw_stream(OTHER, 24):
            assert inner.prev_stream == 8
            assert tvm_ffi.get_raw_stream(CUDA) == 16
            assert tvm_ffi.get_raw_stream(OTHER) == 24
        assert tvm_ffi.get_raw_stream(CUDA) == 8
        assert tvm_ffi.get_raw_stream(OTHER) == 0
    assert tvm_ffi.get_raw_stream(CUDA) == 0


def test_stream_is_restored_after_an_exception():
    with pytest.raises(KeyError), tvm_ffi.use_raw_stream(CUDA, 8):
        raise KeyError
    assert tvm_ffi.get_raw_stream(CUDA) == 0


@pytest.mark.spec("PY-I244")
def test_tables_belong_to_threads():
    seen = []
    with tvm_ffi.use_raw_stream(CUDA, 8):
        thread = threading.Thread(target=lambda: seen.append(tvm_ffi.get_raw_stream(CUDA)))
        thread.start()
        thread.join()
    assert seen == [0]


@pytest.mark.spec("PY-I244")
def test_pointers_are_streams():
    for handle in (ctypes.c_void_p(8), ctypes.c_void_p(None), True, 2**64 - 1):
        with tvm_ffi.use_raw_stream(CUDA, handle):
            value = handle.value or 0 if isinstance(handle, ctypes.c_void_p) else int(handle)
            assert tvm_ffi.get_raw_stream(CUDA) == value


def test_numbers_that_are_not_pointers():
    for number in (-1, 2**64):
        with pytest.raises(OverflowError):
            tvm_ffi.use_raw_stream(CUDA, number).__enter__()
    assert tvm_ffi.get_raw_stream(CUDA) == 0


@pytest.mark.spec("PY-I245")
@pytest.mark.parametrize("stream", ["x", None, 1.0])
def test_other_values_are_not_streams(stream):
    with pytest.raises(
        ValueError, match=r"^use_raw_stream only accepts int or c_void_p as stream input"
    ):
        tvm_ffi.use_raw_stream(CUDA, stream)


# ---- a fake torch, since real streams need a device ----


@pytest.mark.spec("PY-I246")
def test_without_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="Cannot import torch"):
        tvm_ffi.use_torch_stream()


@pytest.fixture
def torch(monkeypatch):
    """Replace torch by a fake module that has a current stream and records calls."""
    fake = types.ModuleType("torch")
    fake.events = []
    fake.stream = types.SimpleNamespace(device="cuda:3", cuda_stream=8)
    fake.cuda = types.SimpleNamespace(current_stream=lambda: fake.stream)

    class Context:
        def __enter__(self):
            fake.events.append("enter")
            fake.stream = types.SimpleNamespace(device="cuda:3", cuda_stream=16)

        def __exit__(self, *exception):
            fake.events.append(("exit", tvm_ffi.get_raw_stream(CUDA)))

    fake.Context = Context
    monkeypatch.setitem(sys.modules, "torch", fake)
    return fake


def test_current_stream_of_torch(torch):
    with tvm_ffi.use_torch_stream():
        assert tvm_ffi.get_raw_stream(CUDA) == 8
    assert tvm_ffi.get_raw_stream(CUDA) == 0


def test_context_of_torch_is_left_first(torch):
    with tvm_ffi.use_torch_stream(torch.Context()):
        assert tvm_ffi.get_raw_stream(CUDA) == 16
    assert torch.events == ["enter", ("exit", 16)]
    assert tvm_ffi.get_raw_stream(CUDA) == 0


def test_context_of_torch_is_left_when_its_stream_cannot_be_read(torch):
    class Broken(torch.Context):
        def __enter__(self):
            super().__enter__()
            torch.stream = None

    with pytest.raises(AttributeError):
        tvm_ffi.use_torch_stream(Broken()).__enter__()
    assert torch.events == ["enter", ("exit", 0)]


def test_text_is_not_a_device():
    """Before the fix, the error was an AttributeError about dlpack_device_type."""
    text = r"expected a Device, got str; pass tvm_ffi\.device\('cpu'\)"
    for call in (lambda: tvm_ffi.get_raw_stream("cpu"), lambda: tvm_ffi.use_raw_stream("cpu", 3)):
        with pytest.raises(TypeError, match=text):
            call()
    with pytest.raises(TypeError, match=r"expected a Device, got NoneType$"):
        tvm_ffi.get_raw_stream(None)
