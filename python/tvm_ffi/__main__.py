# SPDX-License-Identifier: Apache-2.0
"""``python -m tvm_ffi``: prints the information for a bug report, on one screen.

Prints versions, paths, compilers and packages, even if native code cannot be loaded; and for each
loaded library that uses the runtime, the release that it was built for.
"""

from __future__ import annotations

import argparse
import os
import sys

from . import __version__, libinfo
from ._distribution import (
    DISTRIBUTION,
    PEER,
    VERSION,
    VERSION_TEXT,
    describe_mixture,
    installed_at,
    is_stand_in,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_PACKAGES = (
    *("tvm-ffi-schema", "numpy", "ml_dtypes", "torch", "jax", "cupy", "ninja"),
    *("ipython", "typing_extensions"),
)
_TIMEOUT = 10  # Seconds, for a program that prints its version.


def _path(find: Callable[[], str]) -> str:
    try:
        return find()
    except (RuntimeError, OSError) as error:
        return f"not found: {error}"


def _runtime_version() -> str:
    """Load the runtime library and the extension, and return their version or the error."""
    import ctypes

    version = (ctypes.c_uint32 * 3)()
    try:
        import tvm_ffi

        tvm_ffi.LIB.TVMFFIGetVersion(version)
    except (ImportError, OSError, RuntimeError) as error:
        return f"not loaded: {error}"
    return f"{version[0]}.{version[1]} (runtime {'.'.join(map(str, version))})"


def _compilers() -> dict[str, str]:
    """Return the programs that ``tvm_ffi.cpp`` uses, and CMake, with their versions."""
    from .cpp.toolchain import find_program

    commands = {
        "c++": os.environ.get("CXX") or "c++",
        "cc": os.environ.get("CC") or "cc",
        "nvcc": _nvcc(),
        "hipcc": "hipcc",
        "ninja": "ninja",
        "cmake": "cmake",
    }
    found = {}
    for name, command in commands.items():
        path = find_program(command)
        if path is None and name == "ninja":
            path = find_program(os.path.join(os.path.dirname(sys.executable), "ninja"))
        found[name] = "not found" if path is None else f"{path} ({_version_of(path)})"
    return found


def _nvcc() -> str:
    from .cpp import cuda

    try:
        return cuda.compiler()
    except RuntimeError:
        return "nvcc"


def _version_of(program: str) -> str:
    """Run a program and return the line of its output that has the version."""
    import subprocess

    try:
        done = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"does not run: {type(error).__name__}"
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    # The first lines of nvcc's output are the copyright, so look for the line with the release.
    release = [line for line in lines if "release" in line.lower() and "V" in line]
    return (release or lines or ["no output"])[0]


def _packages() -> dict[str, str]:
    """Return the versions of the optional packages that are installed, without importing them."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            pass
    return found


def _installation() -> dict[str, str]:
    """Return the distributions that are installed into the directory of the package, by name."""
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = {}
    for name in (DISTRIBUTION, PEER):
        for one in installed_at(site, name):
            note = " (a stand-in, written by tvm-ffi-provide)" if is_stand_in(one) else ""
            found[name] = one.version + note
    if found:
        found["files"] = describe_mixture() or "as they were installed"
    return found


def _environment() -> dict[str, str]:
    names = ("CXX", "CC", "CUDA_HOME", "CUDA_PATH", "ROCM_PATH", "MAX_JOBS")
    return {
        name: value
        for name, value in sorted(os.environ.items())
        if name in names or name.startswith("TVM_FFI_")
    }


def _load(name: str) -> str | None:
    """Import a module, or load a library; return the error, if any."""
    import importlib

    try:
        if os.path.isfile(name):
            import tvm_ffi

            tvm_ffi.load_module(name)
        else:
            importlib.import_module(name)
    except Exception as error:  # The code of the module may raise any error.
        return f"not loaded: {type(error).__name__}: {error}"
    return None


def _libraries(names: Iterable[str]) -> dict[str, str]:
    """Load modules and libraries, and return the release that each loaded library is built for."""
    from .stub.abi import loaded

    failed = {name: error for name in names if (error := _load(name)) is not None}
    return {**loaded.releases(), **failed}


def report(names: Iterable[str] = ()) -> dict[str, Any]:
    """Return the report: the title of each section -> a text, or a table of names and texts.

    ``names`` are modules and libraries to load first.
    """
    import platform

    from .cpp.cache import root

    return {
        DISTRIBUTION: VERSION,
        "interface": __version__,
        "abi": _runtime_version(),
        "paths": {
            "package": os.path.dirname(os.path.abspath(__file__)),
            "runtime": _path(libinfo.find_libtvm_ffi),
            "extension": _path(libinfo.find_cython_lib),
            "headers": _path(libinfo.find_include_path),
            "cmake": _path(libinfo.find_cmake_path),
            "build cache": _path(root),
        },
        "installation": _installation(),
        "python": f"{sys.version.split()[0]} ({platform.python_implementation()})",
        "executable": sys.executable,
        "platform": platform.platform(),
        "compilers": _compilers(),
        "packages": _packages(),
        "libraries": _libraries(names),
        "environment": _environment(),
    }


def _as_text(facts: dict[str, Any]) -> str:
    lines = []
    for name, value in facts.items():
        if not isinstance(value, dict):
            lines.append(f"{name:<12} {value}")
            continue
        lines.append(f"{name}:" if value else f"{name}: none")
        width = max(map(len, value), default=0)
        lines += [f"  {key:<{width}}  {text}" for key, text in value.items()]
    return "\n".join(lines)


def main() -> None:
    """Run the command with the arguments of the process."""
    parser = argparse.ArgumentParser(
        prog="python -m tvm_ffi",
        description="Print versions, paths, compilers and packages for a bug report.",
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="module to import, or library to load; then each loaded library that uses tvm-ffi is "
        "listed with the release that it was built for",
    )
    parser.add_argument("--version", action="version", version=VERSION_TEXT)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    facts = report(options.names)
    if options.json:
        import json

        text = json.dumps(facts, indent=2)
    else:
        text = _as_text(facts)
    try:
        print(text, flush=True)
    except BrokenPipeError:  # The reader has closed the pipe; the flush at exit must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
