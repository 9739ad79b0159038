# SPDX-License-Identifier: Apache-2.0
"""Test exchange tables for releases of PyTorch without such a table, with a fake package."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import _optional_torch_c_dlpack as addon
from tvm_ffi.utils import _build_optional_torch_c_dlpack as builder


def fake_torch(cuda="12.4", hip=None, available=True, version="2.6.1+cu124"):
    return types.SimpleNamespace(
        cuda=types.SimpleNamespace(is_available=lambda: available),
        version=types.SimpleNamespace(cuda=cuda, hip=hip),
        compiled_with_cxx11_abi=lambda: True,
        __version__=version,
    )


@pytest.mark.spec("PY-I249")
@pytest.mark.parametrize(
    ("torch", "device"),
    [
        (fake_torch(available=False), "cpu"),
        (fake_torch(), "cuda"),
        (fake_torch(cuda=None, hip="6.1"), "rocm"),
        (fake_torch(cuda=None), "cuda"),
    ],
)
def test_249_device_that_the_library_is_built_for(torch, device):
    assert addon._torch_extension_device(torch) == device


def test_name_of_the_library():
    name = addon._library_name(fake_torch(), "cuda")
    # The name ends with the first eight digits of sha256("2.6.1+cu124|cxx11abi=1").
    assert name == "libtorch_c_dlpack_addon_torch26-cuda-" + name[-11:-3] + ".so"
    assert name != addon._library_name(fake_torch(version="2.6.1"), "cuda")


def test_capsule_around_a_table():
    capsule = addon._create_dlpack_exchange_api_capsule(4096)
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    assert get(capsule, b"dlpack_exchange_api") == 4096
    with pytest.raises(ValueError, match="null pointer"):
        addon._create_dlpack_exchange_api_capsule(0)


def test_table_under_its_older_name():
    capsule = addon._create_dlpack_exchange_api_capsule(4096)

    class Neither:
        pass

    class Older:
        __c_dlpack_exchange_api__ = capsule

    class OlderAddress:
        __c_dlpack_exchange_api__ = 4096

    class Newer:
        __dlpack_c_exchange_api__ = 5

    assert addon._check_and_update_dlpack_c_exchange_api(Neither) is False
    assert addon._check_and_update_dlpack_c_exchange_api(Older) is True
    assert Older.__dlpack_c_exchange_api__ is capsule
    assert addon._check_and_update_dlpack_c_exchange_api(OlderAddress) is True
    assert "dlpack_exchange_api" in repr(OlderAddress.__dlpack_c_exchange_api__)
    assert addon._check_and_update_dlpack_c_exchange_api(Newer) is True
    assert Newer.__dlpack_c_exchange_api__ == 5


# ---- a fake package torch in a new process ----


def write_package(directory: Path, name: str, text: str) -> None:
    (directory / name).mkdir(parents=True)
    (directory / name / "__init__.py").write_text(text)


@pytest.fixture
def run_with(tmp_path):
    """Return a function that runs a program with packages of the given source texts."""

    def run(program, **packages):
        for name, text in packages.items():
            write_package(tmp_path / "packages", name, text)
        parent = str(Path(tvm_ffi.__file__).parents[1])
        environment = {
            **{k: v for k, v in os.environ.items() if k != "TVM_FFI_DISABLE_TORCH_C_DLPACK"},
            "PYTHONPATH": os.pathsep.join([parent, str(tmp_path / "packages")]),
            "TVM_FFI_CACHE_DIR": str(tmp_path / "cache"),
        }
        done = execute(sys.executable, "-W", "always", "-c", program, env=environment)
        return done.stdout.splitlines(), done.stderr

    return run


TORCH = """
class Tensor:
    pass
class cuda:
    is_available = staticmethod(lambda: False)
class version:
    cuda = hip = None
__version__ = "2.4.0"
compiled_with_cxx11_abi = lambda: True
"""

LOAD = """
from tvm_ffi import _optional_torch_c_dlpack as addon
print(addon.load_torch_c_dlpack_extension(), addon._LIB)
import sys, torch
print(hasattr(torch.Tensor, "__dlpack_c_exchange_api__"), "torch_c_dlpack_ext" in sys.modules)
"""


@pytest.mark.spec("PY-I249")
def test_249_an_existing_attribute_prevents_the_import_of_the_package(run_with):
    text = TORCH + "Tensor.__dlpack_c_exchange_api__ = 5\n"
    out, err = run_with(LOAD, torch=text, torch_c_dlpack_ext="raise SystemExit(3)")
    assert out == ["None None", "True False"]
    assert err == ""


def test_the_package_is_asked_first(run_with):
    extension = "import torch; torch.Tensor.__dlpack_c_exchange_api__ = 7"
    out, err = run_with(LOAD, torch=TORCH, torch_c_dlpack_ext=extension)
    assert out == ["None None", "True True"]
    assert err == ""


def test_without_torch_nothing_happens(run_with):
    program = LOAD.splitlines()
    out, err = run_with("import sys; sys.modules['torch'] = None\n" + "\n".join(program[:3]))
    assert out == ["None None"]
    assert err == ""


def test_a_build_that_fails_is_one_warning(run_with):
    out, err = run_with(LOAD, torch=TORCH)
    assert out == ["None None", "False False"]
    assert err.count("Failed to JIT torch c dlpack extension") == 1
    assert "pip install torch-c-dlpack-ext" in err


def test_it_can_be_switched_off(run_with):
    program = "import os; os.environ['TVM_FFI_DISABLE_TORCH_C_DLPACK'] = '1'\n" + LOAD
    out, err = run_with(program, torch=TORCH, torch_c_dlpack_ext="raise SystemExit(3)")
    assert out == ["None None", "False False"]
    assert err == ""


def test_importing_the_package_imports_no_torch(run_with):
    out, _ = run_with("import tvm_ffi, sys; print('torch' in sys.modules)", torch="1/0")
    assert out == ["False"]


def test_an_older_table_is_used_from_the_first_tensor_on(run_with):
    text = """
import ctypes
calls = []
From = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
class Table(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("prev", ctypes.c_void_p),
                ("allocator", ctypes.c_void_p), ("from_py", From), ("to_py", ctypes.c_void_p),
                ("view", ctypes.c_void_p), ("stream", ctypes.c_void_p)]
table = Table(major=1, from_py=From(lambda x, out: calls.append("table") or -1))
class Tensor:
    def __dlpack__(self): calls.append("dlpack")
    __c_dlpack_exchange_api__ = ctypes.addressof(table)
"""
    program = """
import tvm_ffi, torch
echo = tvm_ffi.get_global_func("testing.echo")
print(hasattr(torch.Tensor, "__dlpack_c_exchange_api__"))
for _ in range(2):
    try:
        echo(torch.Tensor())
    except RuntimeError as error:
        print(error)
print(torch.calls, hasattr(torch.Tensor, "__dlpack_c_exchange_api__"))
"""
    out, _ = run_with(program, torch=text)
    failed = "the exchange API failed without an exception"
    assert out == ["False", failed, failed, "['table', 'table'] True"]


def test_streams_get_their_protocol(run_with):
    text = """
class Tensor: pass
class _Stream:
    def __init__(self): self.stream = 77
    @property
    def cuda_stream(self): return self.stream
class cuda:
    Stream = _Stream
    is_available = staticmethod(lambda: True)
"""
    program = """
import tvm_ffi, torch
echo = tvm_ffi.get_global_func("testing.echo")
print(hasattr(torch.cuda.Stream, "__cuda_stream__"), type(echo(object())).__name__)
print(echo(torch.cuda.Stream()).value, torch.cuda.Stream().__cuda_stream__())
from tvm_ffi import _optional_torch_c_dlpack as addon
addon.patch_torch_cuda_stream_protocol()
"""
    out, err = run_with(program, torch=text)
    assert out == ["False object", "77 (0, 77)"]
    assert err == ""


def test_a_stream_of_something_else_stays_what_it_is(run_with):
    program = """
import tvm_ffi
echo = tvm_ffi.get_global_func("testing.echo")
class Mine:
    cuda_stream = 5
mine = Mine()
print(echo(mine) is mine)
"""
    assert run_with(program)[0] == ["True"]


# ---- the script ----


def test_options():
    with pytest.raises(ValueError, match="both CUDA and ROCm"):
        builder.parse(["--build-with-cuda", "--build-with-rocm"])
    torch = fake_torch()
    for arguments, name in (
        ([], "libtorch_c_dlpack_addon_torch26-cpu.so"),
        (["--build-with-cuda"], "libtorch_c_dlpack_addon_torch26-cuda.so"),
        (["--build-with-rocm"], "libtorch_c_dlpack_addon_torch26-rocm.so"),
        (["--libname", "mine.so"], "mine.so"),
    ):
        assert builder.library_name(torch, builder.parse(arguments)) == name
    assert builder.SOURCE.is_file()


def test_the_script_builds_once_and_whole(tmp_path):
    """Run `builder` three times concurrently, with a fake compiler that records its calls."""
    write_package(tmp_path, "torch", TORCH)
    write_package(tmp_path / "torch", "utils", "")
    (tmp_path / "torch/utils/cpp_extension.py").write_text(
        "include_paths = lambda device: ['/torch/include']\n"
        "library_paths = lambda device: ['/torch/lib']\n"
    )
    compiler = tmp_path / "compiler with space"
    compiler.write_text(
        f"#!{sys.executable}\n"
        "import sys, pathlib\n"
        f"with open({str(tmp_path / 'calls')!r}, 'a') as calls:\n"
        "    calls.write(' '.join(sys.argv) + '\\n')\n"
        "pathlib.Path(sys.argv[sys.argv.index('-o') + 1]).write_bytes(b'library')\n"
    )
    compiler.chmod(0o755)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(tvm_ffi.__file__).parents[1]), str(tmp_path)]),
        "CXX": f"'{compiler}'",
        "TVM_FFI_JIT_EXTRA_CFLAGS": "-DEXTRA=1",
        "TVM_FFI_JIT_EXTRA_LDFLAGS": "-lextra",
    }
    output = tmp_path / "out put"
    command = [sys.executable, builder.__file__, "--output-dir", str(output), "--build-with-cuda"]
    command += ["--build-dir", str(tmp_path / "build")]
    started = [subprocess.Popen(command, env=environment) for _ in range(3)]
    assert [process.wait() for process in started] == [0, 0, 0]
    library = "libtorch_c_dlpack_addon_torch24-cuda.so"
    assert sorted(os.listdir(output)) == [library, f"{library}.lock"]
    assert (output / library).read_bytes() == b"library"
    (call,) = (tmp_path / "calls").read_text().splitlines()
    for flag in ("-I/torch/include", "-L/torch/lib", "-lc10_cuda", "-DBUILD_WITH_CUDA"):
        assert flag in call
    assert "-DEXTRA=1" in call
    assert call.endswith("-lextra")
    assert list((tmp_path / "build").iterdir()) == []
