# SPDX-License-Identifier: Apache-2.0
"""Test the compilation of CUDA source in this process, with fake CUDA bindings."""

from __future__ import annotations

import sys
import types

import pytest

from tvm_ffi.cpp.nvrtc import nvrtc_compile


@pytest.mark.spec("TOOL-X15")
def test_without_bindings(monkeypatch):
    monkeypatch.setitem(sys.modules, "cuda", None)
    message = r"^CUDA bindings not available\. Install with: pip install cuda-python$"
    with pytest.raises(RuntimeError, match=message):
        nvrtc_compile("")


@pytest.fixture
def bindings(monkeypatch):
    """Install fake bindings, which record the source and the options that the compiler gets."""
    given = types.SimpleNamespace(options=None, source=None, fails=False, destroyed=0)

    class Result:
        NVRTC_SUCCESS = 0

    def fill(buffer, content):
        import ctypes

        # The real bindings write into bytes objects.
        ctypes.memmove(id(buffer) + bytes.__basicsize__ - 1, content, len(content))
        return (0,)

    def create(source, name, *rest):
        given.source, given.name = source, name
        return 0, "program"

    def compile_program(program, count, options):
        given.options = options
        assert count == len(options)
        return (6,) if given.fails else (0,)

    def destroy(program):
        given.destroyed += 1
        return (0,)

    nvrtc = types.SimpleNamespace(
        nvrtcResult=Result,
        nvrtcCreateProgram=create,
        nvrtcCompileProgram=compile_program,
        nvrtcDestroyProgram=destroy,
        nvrtcGetCUBINSize=lambda program: (0, 5),
        nvrtcGetCUBIN=lambda program, buffer: fill(buffer, b"cubin"),
        nvrtcGetProgramLogSize=lambda program: (0, 12),
        nvrtcGetProgramLog=lambda program, buffer: fill(buffer, b"bad kernel\0\0"),
    )
    attribute = types.SimpleNamespace(
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR="major",
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR="minor",
    )
    driver = types.SimpleNamespace(
        CUdevice_attribute=attribute,
        cuInit=lambda flags: (0,),
        cuCtxGetDevice=lambda: (201, None),
        cuDeviceGet=lambda index: (0, index),
        cuDeviceGetAttribute=lambda name, device: (0, {"major": 9, "minor": 0}[name]),
    )
    package = types.ModuleType("cuda")
    package.bindings = types.ModuleType("cuda.bindings")
    package.bindings.nvrtc, package.bindings.driver = nvrtc, driver
    monkeypatch.setitem(sys.modules, "cuda", package)
    monkeypatch.setitem(sys.modules, "cuda.bindings", package.bindings)
    given.driver = driver
    return given


def test_options(bindings):
    cubin = nvrtc_compile("code", arch="sm_80", extra_opts=["-lineinfo", b"-w"])
    assert cubin == b"cubin"
    assert bindings.options == [
        b"--gpu-architecture=sm_80",
        b"-default-device",
        b"-lineinfo",
        b"-w",
    ]
    assert (bindings.source, bindings.name, bindings.destroyed) == (b"code", b"kernel.cu", 1)


def test_architecture_of_the_device(bindings):
    nvrtc_compile("code", name="mine.cu")
    assert bindings.options[0] == b"--gpu-architecture=sm_90"
    assert bindings.name == b"mine.cu"


def test_no_device(bindings):
    bindings.driver.cuInit = lambda flags: (100,)
    with pytest.raises(RuntimeError, match="pass `arch`"):
        nvrtc_compile("code")


def test_failure_shows_the_log(bindings):
    bindings.fails = True
    with pytest.raises(RuntimeError, match=r"^NVRTC compilation failed:\nbad kernel$"):
        nvrtc_compile("code", arch="sm_80")
    assert bindings.destroyed == 1
