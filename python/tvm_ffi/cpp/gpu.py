# SPDX-License-Identifier: Apache-2.0
"""Select the GPU backend for sources with the suffix ``.cu``."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from pathlib import Path

BACKENDS = ("cuda", "hip")


def resolve_backend(backend: str | None) -> str:
    """Return the given backend, or detect the backend of this machine.

    Raise ValueError if there is no such backend.
    """
    chosen = _detect_backend() if backend is None else backend
    if chosen not in BACKENDS:
        raise ValueError(f"Invalid backend: {chosen}. Supported backends are 'cuda' and 'hip'.")
    return chosen


@functools.lru_cache(maxsize=1)
def _detect_backend() -> str:
    """Detect the backend once per process, from the environment, torch or compilers."""
    named = os.environ.get("TVM_FFI_GPU_BACKEND")
    if named:
        return named.lower()
    version = getattr(sys.modules.get("torch"), "version", None)
    if getattr(version, "hip", None) is not None:
        return "hip"
    if getattr(version, "cuda", None) is not None:
        return "cuda"
    has_cuda = find_tool("nvcc", ("CUDA_HOME", "CUDA_PATH")) is not None
    has_hip = find_tool("hipcc", ("ROCM_HOME", "ROCM_PATH")) is not None
    return "hip" if has_hip and not has_cuda else "cuda"


def find_tool(name: str, home_variables: tuple[str, ...]) -> str | None:
    """Return the path of a tool below a home directory from the environment, or on PATH."""
    for variable in home_variables:
        home = os.environ.get(variable)
        if home:
            found = shutil.which(name, path=str(Path(home) / "bin"))
            if found:
                return found
    return shutil.which(name)


def first_line(command: list[str]) -> str | None:
    """Return the first line of a program's output; None if it fails or is missing."""
    lines = lines_of(command)
    return lines[0] if lines else None


def lines_of(command: list[str]) -> list[str]:
    """Return the lines of a program's output; an empty list if it fails or is missing."""
    import subprocess  # Imported here because only GPU sources need it.

    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]
