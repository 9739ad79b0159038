# SPDX-License-Identifier: Apache-2.0
"""Build the library with the DLPack exchange table of PyTorch's tensors; run as a script.

Several processes may run this script for the same library: one builds while the others wait. The
file is written atomically.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# The build must not search for the library that it builds.
os.environ["TVM_FFI_DISABLE_TORCH_C_DLPACK"] = "1"

SOURCE = Path(__file__).resolve().parent / "torch_c_dlpack_addon.cc"
IS_WINDOWS = sys.platform == "win32"


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line; raise ValueError if both CUDA and ROCm are requested."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--build-dir", help="where to compile; a temporary directory by default")
    parser.add_argument("--output-dir", help="where the library goes; the cache by default")
    parser.add_argument("--build-with-cuda", action="store_true", help="with CUDA's streams")
    parser.add_argument("--build-with-rocm", action="store_true", help="with ROCm's streams")
    parser.add_argument("--libname", default="auto", help="name of the file, or auto")
    options = parser.parse_args(arguments)
    if options.build_with_cuda and options.build_with_rocm:
        raise ValueError("Cannot enable both CUDA and ROCm at the same time.")
    return options


def library_name(torch: Any, options: argparse.Namespace) -> str:
    """Return the file name that the options select."""
    if options.libname != "auto":
        return str(options.libname)
    major, minor = torch.__version__.split(".")[:2]
    device = "cuda" if options.build_with_cuda else "rocm" if options.build_with_rocm else "cpu"
    suffix = "dll" if IS_WINDOWS else "so"
    return f"libtorch_c_dlpack_addon_torch{major}{minor}-{device}.{suffix}"


def compile_command(torch: Any, options: argparse.Namespace, output: str) -> list[str]:
    """Return the command that compiles the source into ``output``."""
    from torch.utils import cpp_extension

    from tvm_ffi import libinfo

    with_gpu = options.build_with_cuda or options.build_with_rocm
    # These headers come first, because PyTorch has its own copy of DLPack.
    includes = [
        libinfo.find_dlpack_include_path(),
        *cpp_extension.include_paths("cuda" if with_gpu else "cpu"),
        sysconfig.get_paths()["include"],
    ]
    libraries = ["torch", "torch_cpu", "c10", "torch_python"]
    defines = [f"_GLIBCXX_USE_CXX11_ABI={int(bool(torch.compiled_with_cxx11_abi()))}"]
    if options.build_with_cuda:
        libraries += ["torch_cuda", "c10_cuda"]
        defines.append("BUILD_WITH_CUDA")
    elif options.build_with_rocm:
        libraries += ["torch_hip", "c10_hip"]
        defines += ["BUILD_WITH_ROCM", "USE_ROCM", "__HIP_PLATFORM_AMD__=1"]
    directories = cpp_extension.library_paths("cuda" if with_gpu else "cpu")
    compile_flags = shlex.split(os.environ.get("TVM_FFI_JIT_EXTRA_CFLAGS", ""))
    link_flags = shlex.split(os.environ.get("TVM_FFI_JIT_EXTRA_LDFLAGS", ""))
    if IS_WINDOWS:
        return [
            *("cl", "/nologo", "/LD", "/std:c++17", "/O2", "/EHsc", "/MD"),
            *(f"/I{directory}" for directory in includes),
            *(f"/D{name}" for name in defines),
            *(*compile_flags, str(SOURCE), f"/Fe{output}", "/link"),
            *(f"/LIBPATH:{directory}" for directory in directories),
            *(f"{name}.lib" for name in libraries),
            *link_flags,
        ]
    return [
        *shlex.split(os.environ.get("CXX") or "c++"),
        *("-shared", "-fPIC", "-O2", "-std=c++17"),
        *(f"-I{directory}" for directory in includes),
        *(f"-D{name}" for name in defines),
        *(*compile_flags, str(SOURCE), "-o", output),
        *(
            flag
            for directory in directories
            for flag in (f"-L{directory}", f"-Wl,-rpath,{directory}")
        ),
        *(f"-l{name}" for name in libraries),
        *link_flags,
    ]


def build(torch: Any, options: argparse.Namespace, target: Path) -> None:
    """Compile in a separate directory, then move the library to its path atomically."""
    with tempfile.TemporaryDirectory(dir=options.build_dir) as directory:
        output = os.path.join(directory, target.name)
        command = compile_command(torch, options, output)
        done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=directory)
        if done.returncode != 0:
            raise RuntimeError(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
        # The temporary directory may be on another file system, so copy the file next to the target
        # first.
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        beside.write_bytes(Path(output).read_bytes())
        os.replace(beside, target)


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the library if it does not exist."""
    options = parse(arguments)
    import torch

    from tvm_ffi.cpp import cache
    from tvm_ffi.utils import FileLock

    directory = Path(options.output_dir or cache.root())
    directory.mkdir(parents=True, exist_ok=True)
    if options.build_dir is not None:
        Path(options.build_dir).mkdir(parents=True, exist_ok=True)
    target = directory / library_name(torch, options)
    with FileLock(f"{target}.lock"):
        if not target.exists():
            build(torch, options, target)


if __name__ == "__main__":
    main()
