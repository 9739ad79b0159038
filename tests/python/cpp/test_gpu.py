# SPDX-License-Identifier: Apache-2.0
"""Test command lines for GPUs, with scripts that replace the compilers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tvm_ffi import libinfo
from tvm_ffi.cpp import build, build_inline, cuda, gpu, hip

# A script that replaces a GPU compiler: it logs the call, and compiles with the host's compiler.
FAKE = """\
echo "$0 $*" >> '{log}'
for argument; do
  case $argument in
    *.cu) source=$argument;;
    *.o) object=$argument;;
    *.d) deps=$argument;;
  esac
done
exec cc -x c -MMD -MF "$deps" -I{include} -c "$source" -o "$object"
"""


@pytest.fixture(autouse=True)
def no_gpu(tmp_path, monkeypatch):
    """Hide the GPU tools of this machine, and clear the caches of earlier searches."""
    for variable in ("CUDA_HOME", "CUDA_PATH", "ROCM_HOME", "ROCM_PATH"):
        monkeypatch.delenv(variable, raising=False)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("cc", "c++", "ninja", "sh", "mv", "ld", "as", "cp"):
        (tools / tool).symlink_to(shutil.which(tool))
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setattr(cuda, "_DEFAULT_HOMES", ())
    monkeypatch.setattr(hip, "_DEFAULT_HOME", str(tmp_path / "no rocm"))
    caches = (gpu._detect_backend, cuda._compute_capability, hip._detect_archs)
    for cached in caches:
        cached.cache_clear()
    yield tools
    for cached in caches:
        cached.cache_clear()


@pytest.fixture
def home(tmp_path, script, monkeypatch):
    """Make installations of CUDA and ROCm, in a directory with a space in its name."""
    log = tmp_path / "log"
    body = FAKE.format(log=log, include=libinfo.find_include_path())
    for variable, folder, compiler, library in (
        ("CUDA_HOME", "my cuda", "nvcc", "lib64/libcudart.so"),
        ("ROCM_HOME", "my rocm", "hipcc", "lib/libamdhip64.so"),
    ):
        script(f"{folder}/bin/{compiler}", body)
        path = tmp_path / folder / library
        path.parent.mkdir()
        subprocess.run(["cc", "-shared", "-x", "c", os.devnull, "-o", str(path)], check=True)
        (tmp_path / folder / "include").mkdir()
        monkeypatch.setenv(variable, str(tmp_path / folder))
    return log


@pytest.fixture
def cu_file(c_file):
    path = c_file.with_suffix(".cu")
    c_file.rename(path)
    return path


def test_cuda_command_line(home, cu_file, monkeypatch, tmp_path):
    monkeypatch.setenv("TVM_FFI_CUDA_ARCH_LIST", "8.0 10.0a")
    path = Path(build("kernel", cuda_files=str(cu_file), extra_cuda_cflags=["--fmad=false"]))
    command = home.read_text().strip()
    work = command.split()[-1].partition("/")[0]
    assert work.startswith(".build.")
    assert command.startswith(f"{tmp_path}/my cuda/bin/nvcc ")
    assert (
        "--generate-dependencies-with-compile -MT cuda_0.o --dependency-output "
        f"{work}/cuda_0.o.d "
        "-Xcompiler -fPIC -std=c++17 -O2 -gencode=arch=compute_80,code=sm_80 "
        "-gencode=arch=compute_100a,code=sm_100a --fmad=false "
        f"-I{libinfo.find_include_path()}"
    ) in command
    assert command.endswith(f"-c {cu_file} -o {work}/cuda_0.o")
    text = (path.parent / "build.ninja").read_text()
    assert f"'-L{tmp_path}/my cuda/lib64' -lcudart" in text
    assert path.is_file()


def test_hip_command_line(home, cu_file, monkeypatch, tmp_path):
    monkeypatch.setenv("TVM_FFI_ROCM_ARCH_LIST", "gfx90a gfx942")
    path = Path(build("kernel", cuda_files=str(cu_file), backend="hip"))
    command = home.read_text().strip()
    assert command.startswith(f"{tmp_path}/my rocm/bin/hipcc ")
    assert (
        "-std=c++17 -O2 -fPIC -D__HIP_PLATFORM_AMD__=1 -fno-gpu-rdc "
        "--offload-arch=gfx90a --offload-arch=gfx942"
    ) in command
    assert f"-I{tmp_path}/my rocm/include" in command
    assert f"'-L{tmp_path}/my rocm/lib' -lamdhip64" in (path.parent / "build.ninja").read_text()


def test_backend_and_architectures_change_the_directory(home, cu_file, monkeypatch):
    monkeypatch.setenv("TVM_FFI_ROCM_ARCH_LIST", "gfx90a")
    monkeypatch.setenv("TVM_FFI_CUDA_ARCH_LIST", "8.0")
    paths = {build("kernel", sources=str(cu_file), backend=b) for b in ("cuda", "hip")}
    monkeypatch.setenv("TVM_FFI_CUDA_ARCH_LIST", "9.0")
    paths.add(build("kernel", sources=str(cu_file), backend="cuda"))
    assert len(paths) == 3


def test_inline_sources_for_a_gpu(home, monkeypatch):
    monkeypatch.setenv("TVM_FFI_CUDA_ARCH_LIST", "8.0")
    with pytest.raises(RuntimeError):  # The script compiles C, but the headers are C++.
        build_inline("k", cuda_sources="int f() { return 1; }", functions="f", build_directory="d")
    files = {p.name: p.read_text() for p in Path("d").iterdir() if p.suffix in (".cu", ".cpp")}
    shutil.rmtree("d")
    assert "TVM_FFI_DLL_EXPORT_TYPED_FUNC(f, f);" in files["cuda.cu"]
    assert "TVM_FFI_DLL_EXPORT" not in files["main.cpp"]
    assert "main.cpp" not in home.read_text()


# ---- the choice of the backend ----


@pytest.mark.spec("TOOL-X10")
def test_invalid_backend(cu_file, c_file, monkeypatch):
    message = r"^Invalid backend: xx\. Supported backends are 'cuda' and 'hip'\.$"
    with pytest.raises(ValueError, match=message):
        build("kernel", sources=str(cu_file), backend="xx")
    monkeypatch.setenv("TVM_FFI_GPU_BACKEND", "XX")
    with pytest.raises(ValueError, match=message):
        build("kernel", sources=str(cu_file))
    c_file.write_text("int x;")  # The backend is only checked if there are sources for a GPU.
    assert build("kernel", sources=str(c_file), backend="xx")


def test_environment_names_the_backend(monkeypatch):
    monkeypatch.setenv("TVM_FFI_GPU_BACKEND", "HIP")
    assert gpu.resolve_backend(None) == "hip"
    assert gpu.resolve_backend("cuda") == "cuda"


@pytest.mark.parametrize(
    ("version", "backend"),
    [
        ({"hip": "6.1", "cuda": None}, "hip"),
        ({"hip": None, "cuda": "12.4"}, "cuda"),
        ({"hip": None, "cuda": None}, "cuda"),
    ],
)
def test_torch_names_the_backend(monkeypatch, version, backend):
    fake = types.SimpleNamespace(version=types.SimpleNamespace(**version))
    monkeypatch.setitem(sys.modules, "torch", fake)
    assert gpu.resolve_backend(None) == backend


def test_compilers_name_the_backend(no_gpu, script, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert gpu.resolve_backend(None) == "cuda"
    gpu._detect_backend.cache_clear()
    script("tools/hipcc", "true")
    assert gpu.resolve_backend(None) == "hip"
    script("tools/nvcc", "true")
    assert gpu.resolve_backend(None) == "hip"  # the result is cached for the process
    gpu._detect_backend.cache_clear()
    assert gpu.resolve_backend(None) == "cuda"


# ---- homes and architectures ----


def test_cuda_home(tmp_path, script, monkeypatch):
    with pytest.raises(RuntimeError, match="CUDA_HOME"):
        cuda.find_home()
    script("tools/nvcc", "true")
    assert cuda.find_home() == str(tmp_path)
    # The compiler in PATH may be a script outside of the installation, so a directory with the
    # headers is preferred.
    header = tmp_path / "real" / "include" / "cuda_runtime.h"
    header.parent.mkdir(parents=True)
    header.write_text("")
    monkeypatch.setattr(cuda, "_DEFAULT_HOMES", (str(tmp_path / "real"),))
    assert cuda.find_home() == str(tmp_path / "real")
    monkeypatch.setenv("CUDA_PATH", "/path")
    assert cuda.find_home() == "/path"
    monkeypatch.setenv("CUDA_HOME", "/home")
    assert cuda.find_home() == "/home"
    assert (cuda.compiler(), cuda.library_directory()) == ("/home/bin/nvcc", "/home/lib64")


@pytest.mark.spec("TOOL-X10")
@pytest.mark.parametrize("bad", ["sm_90", "9", "9.0+PTX", "9.x", "9.0;8.0"])
def test_invalid_cuda_architecture(home, cu_file, monkeypatch, bad):
    monkeypatch.setenv("TVM_FFI_CUDA_ARCH_LIST", f"8.0 {bad}")
    with pytest.raises(ValueError, match=r"^Invalid CUDA architecture: "):
        build("kernel", sources=str(cu_file))


def test_cuda_architecture_from_the_driver(script):
    script("tools/nvidia-smi", 'case "$*" in *compute_cap*) echo 9.0; echo 8.0;; esac')
    assert cuda.arch_flags() == ["-gencode=arch=compute_90,code=sm_90"]


def test_cuda_architecture_from_the_name_of_the_card(script):
    script(
        "tools/nvidia-smi", 'case "$*" in *=name*) echo "NVIDIA A100-SXM4-80GB";; *) exit 1;; esac'
    )
    assert cuda.arch_flags() == ["-gencode=arch=compute_80,code=sm_80"]


@pytest.mark.parametrize("answer", ["exit 1", "echo strange", "true"])
def test_no_cuda_architecture(script, answer):
    script("tools/nvidia-smi", answer)
    with pytest.raises(
        RuntimeError,
        match=r"^Could not detect CUDA compute_cap automatically\. "
        r"Please set TVM_FFI_CUDA_ARCH_LIST environment variable\. There is no GPU",
    ):
        cuda.arch_flags()


def test_rocm_home(tmp_path, script, monkeypatch):
    with pytest.raises(RuntimeError, match="ROCM_HOME"):
        hip.find_home()
    (tmp_path / "no rocm").mkdir()
    assert hip.find_home() == str(tmp_path / "no rocm")
    script("tools/hipcc", "true")
    assert hip.find_home() == str(tmp_path)
    monkeypatch.setenv("ROCM_PATH", "/path")
    assert hip.find_home() == "/path"
    monkeypatch.setenv("ROCM_HOME", "/home")
    assert (hip.compiler(), hip.include_directory()) == ("/home/bin/hipcc", "/home/include")


def test_rocm_architectures(tmp_path, script, monkeypatch):
    monkeypatch.setenv("ROCM_HOME", str(tmp_path / "rocm"))
    with pytest.raises(RuntimeError, match="TVM_FFI_ROCM_ARCH_LIST"):
        hip.arch_flags()
    script("rocm/bin/rocminfo", 'echo "  Name:   gfx1100"; echo "  Name:  gfx1100"')
    assert hip.arch_flags() == ["--offload-arch=gfx1100"]
    hip._detect_archs.cache_clear()
    script("rocm/bin/rocm_agent_enumerator", "echo gfx000; echo gfx90a; echo gfx942")
    assert hip.arch_flags() == ["--offload-arch=gfx90a", "--offload-arch=gfx942"]
