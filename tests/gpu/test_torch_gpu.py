# SPDX-License-Identifier: Apache-2.0
"""Test calls with tensors of PyTorch on an NVIDIA GPU: memory, streams, operators, mistakes."""

from __future__ import annotations

import copy
import pickle
import re
import threading

import pytest
from running import run_threads

import tvm_ffi
from tvm_ffi.cpp import cuda, load_inline
from tvm_ffi.cpp.nvrtc import nvrtc_compile

torch = pytest.importorskip("torch", reason="needs PyTorch and an NVIDIA GPU")
np = pytest.importorskip("numpy")
pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU on this machine"),
    # torch.compile itself uses deprecated functions of PyTorch.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:torch"),
    # It captures an empty graph of CUDA itself.
    pytest.mark.filterwarnings("ignore:The CUDA Graph is empty:UserWarning"),
]

SOURCE = r"""
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/cuda/device_guard.h>
#include <tvm/ffi/tvm_ffi.h>

namespace ffi = tvm::ffi;

__global__ void multiply(const float* from, float* to, int64_t n, float factor) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) to[i] = from[i] * factor;
}

cudaStream_t Stream(ffi::TensorView x) {
  DLDevice device = x.device();
  return static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
}

void Multiply(ffi::TensorView x, ffi::TensorView y, double factor) {
  if (x.device().device_type != kDLCUDA || !x.IsContiguous()) {
    TVM_FFI_THROW(ValueError) << "x: expected a contiguous tensor on a GPU";
  }
  ffi::CUDADeviceGuard guard(x.device().device_id);
  int64_t n = x.numel();
  if (n == 0) return;
  multiply<<<(n + 255) / 256, 256, 0, Stream(x)>>>(static_cast<const float*>(x.data_ptr()),
                                                 static_cast<float*>(y.data_ptr()), n,
                                                 static_cast<float>(factor));
  TVM_FFI_CHECK_CUDA_ERROR(cudaGetLastError());
}

void scale(ffi::TensorView x, double factor) { Multiply(x, x, factor); }
ffi::Tensor times(ffi::TensorView x, double factor) {
  ffi::Tensor y = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, x.shape(), x.dtype(), x.device());
  Multiply(x, ffi::TensorView(y), factor);
  return y;
}
int64_t stream_of(ffi::TensorView x) { return reinterpret_cast<int64_t>(Stream(x)); }
int64_t stream_of_second(ffi::TensorView x, ffi::TensorView y) { return stream_of(y); }
ffi::Tensor same(ffi::Tensor x) { return x; }
void too_many_threads(ffi::TensorView x) {
  multiply<<<1, 1 << 20, 0, Stream(x)>>>(nullptr, nullptr, 0, 0);
  TVM_FFI_CHECK_CUDA_ERROR(cudaGetLastError());
}
"""


LAUNCHER = r"""
#include <cuda_runtime.h>
#include <tvm/ffi/extra/cuda/cubin_launcher.h>

int twice(tvm::ffi::Bytes image, int value) {
  tvm::ffi::CubinModule module(image);
  tvm::ffi::CubinKernel kernel = module.GetKernel("twice");
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


@pytest.fixture(scope="module")
def mod():
    names = ["scale", "times", "stream_of", "stream_of_second", "same", "too_many_threads"]
    return load_inline("gpu_tests", cuda_sources=SOURCE, functions=names)


@pytest.fixture
def x():
    return torch.arange(6.0, device="cuda").reshape(2, 3)


def test_memory_is_shared(mod, x):
    back = mod.same(x)
    assert type(back) is torch.Tensor
    assert back.data_ptr() == x.data_ptr()
    assert back.device == x.device
    mod.scale(x, 2.0)
    assert back.tolist() == [[0, 2, 4], [6, 8, 10]]
    part = x[1:]
    assert mod.same(part).data_ptr() == part.data_ptr()
    assert mod.same(x.t()).stride() == x.t().stride()
    assert mod.same(torch.empty(0, 3, device="cuda")).shape == (0, 3)


@pytest.mark.parametrize(
    "name", ["bfloat16", "float16", "float8_e4m3fn", "int8", "bool", "complex64"]
)
def test_element_types(mod, name):
    tensor = torch.zeros(4, device="cuda").to(getattr(torch, name))
    assert mod.same(tensor).dtype == tensor.dtype
    assert str(tvm_ffi.from_dlpack(tensor).dtype) == name


def test_new_memory_is_of_the_allocator_of_pytorch(mod, x):
    before = torch.cuda.memory_allocated()
    y = mod.times(torch.ones(1 << 20, device="cuda"), 3.0)
    assert type(y) is torch.Tensor
    assert torch.cuda.memory_allocated() - before == 4 << 20
    assert y.sum().item() == 3 << 20
    del y
    assert torch.cuda.memory_allocated() == before


def test_a_call_uses_the_current_stream(mod, x):
    prepared = mod.stream_of.prepare(x)
    typed = mod.stream_of_second
    cpu = torch.zeros(1)
    assert (
        mod.stream_of(x) == prepared(x) == typed(cpu, x) == torch.cuda.current_stream().cuda_stream
    )
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        assert mod.stream_of(x) == prepared(x) == typed(cpu, x) == stream.cuda_stream
        inner = torch.cuda.Stream()
        with torch.cuda.stream(inner):
            assert mod.stream_of(x) == prepared(x) == inner.cuda_stream
        assert mod.stream_of(x) == prepared(x) == stream.cuda_stream
    assert mod.stream_of(x) == prepared(x) == torch.cuda.current_stream().cuda_stream


def test_tensors_of_ours_use_the_stream_that_is_set(mod, x):
    ours = tvm_ffi.from_dlpack(x)
    stream = torch.cuda.Stream()
    with tvm_ffi.use_torch_stream(torch.cuda.stream(stream)):
        assert mod.stream_of(ours) == stream.cuda_stream
    assert mod.stream_of(ours) == 0
    with tvm_ffi.use_raw_stream(tvm_ffi.device("cuda:0"), stream.cuda_stream):
        assert mod.stream_of(ours) == stream.cuda_stream
    assert mod.stream_of(ours) == 0


def test_every_thread_has_its_stream(mod, x):
    wrong = []

    def work():
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            wrong.extend(1 for _ in range(500) if mod.stream_of(x) != stream.cuda_stream)

    run_threads([threading.Thread(target=work) for _ in range(8)])
    assert not wrong


@pytest.mark.parametrize("prepared", [False, True])
def test_a_cuda_graph_contains_the_kernel(mod, x, prepared):
    scale = mod.scale.prepare(x, 2.0) if prepared else mod.scale
    scale(x, 1.0)  # loads the kernel, which must not happen while a graph is captured
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        scale(x, 2.0)
        y = mod.times(x, 10.0)
    assert x.sum().item() == 15
    for factor in (2, 4):
        graph.replay()
        assert x.sum().item() == 15 * factor
        assert y.sum().item() == 150 * factor


def test_an_error_of_cuda_is_a_runtime_error(mod, x):
    with pytest.raises(RuntimeError, match=r"invalid (configuration argument|argument)"):
        mod.too_many_threads(x)
    mod.scale(x, 2.0)
    assert x.sum().item() == 30


def test_source_is_compiled_and_loaded_at_run_time():
    home = cuda.find_home()
    launcher = load_inline(
        "gpu_launcher",
        cpp_sources=LAUNCHER,
        functions="twice",
        extra_include_paths=[f"{home}/include"],
        extra_ldflags=[f"-L{home}/lib64 -lcudart"],
    )
    image = nvrtc_compile('extern "C" __global__ void twice(int* x) { *x *= 2; }')
    assert launcher.twice(image, 21) == 42
    for size in (0, 4, 100, 200, len(image) - 1):
        with pytest.raises(ValueError, match="device code"):
            launcher.twice(image[:size], 21)
    with pytest.raises(RuntimeError, match="cudaErrorInvalidKernelImage"):
        launcher.twice(b"not device code", 21)
    torch.zeros(1, device="cuda")  # reported the error again, when CUDA had kept it
    with pytest.raises(RuntimeError, match="NVRTC compilation failed"):
        nvrtc_compile("__global__ void f( {")
    assert launcher.twice(image, 21) == 42


def test_a_tensor_of_the_cpu_is_refused(mod):
    with pytest.raises(ValueError, match=r"^x: expected a contiguous tensor on a GPU$"):
        mod.scale(torch.zeros(3), 2.0)


def test_dlpack_goes_both_ways(x):
    ours = tvm_ffi.from_dlpack(x)
    assert ours.device == tvm_ffi.device("cuda:0")
    assert ours.__dlpack_device__() == x.__dlpack_device__()
    assert torch.from_dlpack(ours).data_ptr() == x.data_ptr()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        assert torch.from_dlpack(ours).data_ptr() == x.data_ptr()
    assert torch.utils.dlpack.from_dlpack(ours.__dlpack__()).data_ptr() == x.data_ptr()


def test_pinned_memory(mod):
    pinned = torch.arange(3.0).pin_memory()
    assert mod.same(pinned).data_ptr() == pinned.data_ptr()
    assert torch.from_dlpack(tvm_ffi.from_dlpack(pinned)).data_ptr() == pinned.data_ptr()


def test_cupy_shares_memory(mod, x):
    cupy = pytest.importorskip("cupy")
    array = cupy.arange(3, dtype="float32")
    ours = mod.same(array)
    assert type(ours) is tvm_ffi.Tensor
    assert ours.data_ptr() == array.data.ptr
    assert cupy.from_dlpack(ours).data.ptr == array.data.ptr
    assert cupy.from_dlpack(tvm_ffi.from_dlpack(x)).data.ptr == x.data_ptr()


def test_device_memory_is_not_read_as_memory_of_the_cpu(x):
    ours = tvm_ffi.from_dlpack(x)
    assert "cuda:0" in repr(ours)
    assert "cuda:0" in repr(tvm_ffi.Array([ours]))
    for read, error, message in (
        (pickle.dumps, TypeError, "cannot pickle a tensor on cuda:0; copy it to the CPU first"),
        (copy.deepcopy, TypeError, "cannot pickle a tensor on cuda:0; copy it to the CPU first"),
        (np.asarray, TypeError, "a NumPy array needs a CPU tensor, this one is on cuda:0"),
        (np.from_dlpack, BufferError, "device"),
        (memoryview, BufferError, "a buffer needs a CPU tensor, this one is on cuda:0"),
        (bytes, BufferError, "a buffer needs a CPU tensor, this one is on cuda:0"),
        (tvm_ffi.structural_hash, RuntimeError, "can only hash CPU tensor"),
    ):
        with pytest.raises(error, match=re.escape(message)):
            read(ours)
    with pytest.raises(RuntimeError, match="can only compare CPU tensor"):
        tvm_ffi.structural_equal(ours, tvm_ffi.from_dlpack(x.clone()))
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.fixture
def ops(mod):
    autograd = {
        "times": (
            lambda ctx, grad: (grad * ctx.factor, None),
            lambda ctx, inputs, output: setattr(ctx, "factor", inputs[1]),
        )
    }
    return tvm_ffi.torch.register_ops(
        mod,
        functions=["scale", "times"],
        fake={"times": lambda x, factor: torch.empty_like(x)},
        autograd=autograd,
    )


def test_operators(ops, x):
    torch.library.opcheck(ops.times.default, (x, 2.0))
    torch.library.opcheck(ops.times.default, (x.requires_grad_(), 2.0))
    torch.library.opcheck(ops.scale.default, (torch.ones(3, device="cuda"), 2.0))
    y = torch.ones(3, device="cuda", requires_grad=True)
    ops.times(y, 4.0).sum().backward()
    assert y.grad.tolist() == [4, 4, 4]


@pytest.mark.parametrize("mode", ["default", "reduce-overhead"])
def test_compiled_for_the_gpu(ops, mode):
    @torch.compile(fullgraph=True, mode=mode)
    def step(x):
        return ops.times(x + 1, 2.0) - 1

    for start in range(4):
        x = torch.arange(start, start + 6.0, device="cuda")
        assert torch.equal(step(x), (x + 1) * 2 - 1)
