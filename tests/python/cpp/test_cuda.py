# SPDX-License-Identifier: Apache-2.0
"""Test CUDA sources and cubins with the real compiler; a launch needs a GPU."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tvm_ffi.cpp import build_inline, cuda, load_inline
from tvm_ffi.cpp.gpu import first_line

KERNEL = 'extern "C" __global__ void twice(int* x) { *x *= 2; }\n'
LAUNCHER = """
#include <tvm/ffi/extra/cuda/cubin_launcher.h>
#include <cuda_runtime.h>
TVM_FFI_EMBED_CUBIN(kernels);
int twice(int value) {
  static auto kernel = TVM_FFI_EMBED_CUBIN_GET_KERNEL(kernels, "twice");
  int* x = nullptr;
  cudaMalloc(&x, sizeof(int));
  cudaMemcpy(x, &value, sizeof(int), cudaMemcpyHostToDevice);
  void* args[] = {&x};
  TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(kernel.Launch(args, {1, 1, 1}, {1, 1, 1}, nullptr));
  cudaMemcpy(&value, x, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(x);
  return value;
}
"""

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc on this machine")
needs_gpu = pytest.mark.skipif(
    first_line(["nvidia-smi", "--list-gpus"]) is None, reason="no GPU on this machine"
)


def cubin(directory, arch):
    (directory / "kernel.cu").write_text(KERNEL)
    path = directory / "kernel.cubin"
    command = ["nvcc", "-cubin", f"-arch={arch}", str(directory / "kernel.cu"), "-o", str(path)]
    subprocess.run(command, check=True)
    return path.read_bytes()


def options():
    home = cuda.find_home()
    return {
        "functions": "twice",
        "extra_include_paths": [f"{home}/include"],
        "extra_ldflags": [f"-L{home}/lib64 -lcudart"],
    }


@pytest.mark.unsanitized("nvcc does not start under a sanitizer")
def test_cubin_is_embedded(tmp_path):
    data = cubin(tmp_path, "sm_90")
    path = build_inline(
        "embedded", cpp_sources=LAUNCHER, embed_cubin={"kernels": data}, **options()
    )
    assert data in Path(path).read_bytes()


@pytest.mark.unsanitized("nvcc does not start under a sanitizer")
def test_device_code_that_is_cut_off_is_refused(tmp_path):
    """CUDA reads past the end of such code, which ended the process."""
    source = """
    #include <tvm/ffi/extra/cuda/cubin_launcher.h>
    void load(tvm::ffi::Bytes image) { tvm::ffi::CubinModule module(image); }
    """
    module = load_inline("cut_off", cpp_sources=source, **{**options(), "functions": "load"})
    data = cubin(tmp_path, "sm_90")
    for size in (0, 4, 200, len(data) - 1):
        with pytest.raises(ValueError, match="device code"):
            module.load(data[:size])


@pytest.mark.unsanitized("nvcc does not start under a sanitizer")
def test_embedded_code_that_is_cut_off_is_refused(tmp_path):
    data = cubin(tmp_path, "sm_90")[:200]
    module = load_inline(
        "cut_off_embedded", cpp_sources=LAUNCHER, embed_cubin={"kernels": data}, **options()
    )
    for _ in range(2):
        with pytest.raises(ValueError, match="the device code is cut off"):
            module.twice(21)


@pytest.mark.unsanitized("nvcc does not start under a sanitizer")
def test_source_is_compiled(monkeypatch):
    monkeypatch.setenv("TVM_FFI_CUDA_ARCH_LIST", "9.0")
    source = KERNEL + "int one() { return 1; }"
    module = load_inline("kernel", cuda_sources=source, functions="one")
    assert module.one() == 1


@pytest.mark.spec("TOOL-X13")
@needs_gpu
def test_embedded_kernel_runs(tmp_path):
    (flag,) = cuda.arch_flags()
    data = cubin(tmp_path, flag.rpartition("code=")[2])
    module = load_inline(
        "embedded", cpp_sources=LAUNCHER, embed_cubin={"kernels": data}, **options()
    )
    assert module.twice(21) == 42
