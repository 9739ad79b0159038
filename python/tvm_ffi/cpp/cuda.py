# SPDX-License-Identifier: Apache-2.0
"""The CUDA compiler and its flags."""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys
from pathlib import Path

from .gpu import first_line

# Compute capabilities of GPUs whose driver is too old to report them.
_KNOWN_GPUS = {
    "A10": "8.6",
    "A100": "8.0",
    "A30": "8.0",
    "A40": "8.6",
    "B200": "10.0",
    "GB200": "10.0",
    "GH200": "9.0",
    "H100": "9.0",
    "H20": "9.0",
    "H200": "9.0",
    "L4": "8.9",
    "L40": "8.9",
    "L40S": "8.9",
    "T4": "7.5",
    "V100": "7.0",
}
_DEFAULT_HOMES = ("/usr/local/cuda", "/opt/cuda")


def find_home() -> str:
    """Return the directory where CUDA is installed; raise RuntimeError if CUDA is not found."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        home = os.environ.get(variable)
        if home:
            return home
    nvcc = shutil.which("nvcc")
    homes = [] if nvcc is None else [str(Path(nvcc).resolve().parents[1])]
    # The nvcc on PATH may be a script outside of the installation, so check that the directory has
    # the headers.
    for home in (*homes, *_DEFAULT_HOMES):
        if (Path(home) / "include" / "cuda_runtime.h").is_file():
            return home
    if homes:
        return homes[0]
    raise RuntimeError(
        "Could not find CUDA. Set the environment variable CUDA_HOME to its directory, "
        "or put nvcc on PATH. CUDA sources need the compiler nvcc of the CUDA toolkit."
    )


def compiler() -> str:
    """Return the path of ``nvcc``."""
    return str(Path(find_home()) / "bin" / ("nvcc.exe" if sys.platform == "win32" else "nvcc"))


def existing_compiler() -> str:
    """Return the path of ``nvcc``; raise RuntimeError if there is no such file."""
    path = compiler()
    if os.path.isfile(path):
        return path
    home = find_home()
    advice = "Set the environment variable CUDA_HOME to the directory of the CUDA toolkit."
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if os.environ.get(variable) == home:
            advice = f"The environment variable {variable} names the directory {home}: correct it."
    raise RuntimeError(
        f"Could not find nvcc, the compiler of the CUDA toolkit: there is no file {path}. {advice}"
    )


def library_directory() -> str:
    """Return the directory of the CUDA runtime library."""
    return str(Path(find_home()) / ("lib/x64" if sys.platform == "win32" else "lib64"))


def arch_flags() -> list[str]:
    """Return the flags of the architectures to compile for.

    Raise ValueError if ``TVM_FFI_CUDA_ARCH_LIST`` contains an invalid architecture. Raise
    RuntimeError if the variable is not set and no GPU is found.
    """
    listed = os.environ.get("TVM_FFI_CUDA_ARCH_LIST")
    capabilities = _compute_capability().split() if listed is None else listed.split()
    flags = []
    for capability in capabilities:
        if not re.fullmatch(r"\d+\.\d+[a-z]?", capability):
            raise ValueError(
                f"Invalid CUDA architecture: {capability}. TVM_FFI_CUDA_ARCH_LIST lists compute "
                "capabilities such as `9.0` or `9.0a`, with spaces between them."
            )
        number = capability.replace(".", "")
        flags.append(f"-gencode=arch=compute_{number},code=sm_{number}")
    return flags


@functools.lru_cache(maxsize=1)
def _compute_capability() -> str:
    """Return the compute capability of the first GPU; queried once per process."""
    answer = first_line(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"])
    if answer is not None and re.fullmatch(r"\d+\.\d+", answer):
        return answer
    name = first_line(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]) or ""
    for word in re.split(r"[\s-]+", name):
        if word in _KNOWN_GPUS:
            return _KNOWN_GPUS[word]
    raise RuntimeError(
        "Could not detect CUDA compute_cap automatically. "
        "Please set TVM_FFI_CUDA_ARCH_LIST environment variable. "
        "There is no GPU that nvidia-smi can see; the value is a compute capability such as `9.0`."
    )
