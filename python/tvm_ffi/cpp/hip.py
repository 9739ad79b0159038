# SPDX-License-Identifier: Apache-2.0
"""The HIP compiler and its flags."""

from __future__ import annotations

import functools
import os
import re
import shutil
from pathlib import Path

from .gpu import lines_of

_DEFAULT_HOME = "/opt/rocm"


def find_home() -> str:
    """Return the directory where ROCm is installed; raise RuntimeError if ROCm is not found."""
    for variable in ("ROCM_HOME", "ROCM_PATH"):
        home = os.environ.get(variable)
        if home:
            return home
    hipcc = shutil.which("hipcc")
    if hipcc is not None:
        return str(Path(hipcc).resolve().parents[1])
    if Path(_DEFAULT_HOME).is_dir():
        return _DEFAULT_HOME
    raise RuntimeError(
        "Could not find ROCm. Set the environment variable ROCM_HOME to its directory, "
        "or put hipcc on PATH."
    )


def compiler() -> str:
    """Return the path of ``hipcc``."""
    return str(Path(find_home()) / "bin" / "hipcc")


def include_directory() -> str:
    """Return the directory of the HIP headers."""
    return str(Path(find_home()) / "include")


def library_directory() -> str:
    """Return the directory of the HIP runtime library."""
    return str(Path(find_home()) / "lib")


def arch_flags() -> list[str]:
    """Return the flags of the architectures to compile for.

    Raise RuntimeError if ``TVM_FFI_ROCM_ARCH_LIST`` is not set and no GPU is found.
    """
    listed = os.environ.get("TVM_FFI_ROCM_ARCH_LIST", "").split() or list(_detect_archs())
    return [f"--offload-arch={arch}" for arch in listed]


@functools.lru_cache(maxsize=1)
def _detect_archs() -> tuple[str, ...]:
    """Return the architectures of the GPUs from the ROCm tools; queried once per process."""
    tools = Path(find_home()) / "bin"
    for command in ("rocm_agent_enumerator", "rocminfo"):
        path = tools / command
        lines = lines_of([str(path) if path.is_file() else command])
        # The CPU is listed as gfx000.
        found = re.findall(r"\bgfx[0-9a-f]+\b", "\n".join(lines))
        archs = dict.fromkeys(arch for arch in found if arch != "gfx000")
        if archs:
            return tuple(archs)
    raise RuntimeError(
        "Could not detect ROCm GPU architecture automatically. "
        "Please set TVM_FFI_ROCM_ARCH_LIST environment variable (e.g. 'gfx90a gfx942')."
    )
