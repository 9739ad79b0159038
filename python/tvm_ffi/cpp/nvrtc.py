# SPDX-License-Identifier: Apache-2.0
"""Compiles CUDA source in this process, with NVRTC."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["nvrtc_compile"]


def nvrtc_compile(
    source: str,
    *,
    name: str = "kernel.cu",
    arch: str | None = None,
    extra_opts: Sequence[str | bytes] | None = None,
) -> bytes:
    """Compile CUDA source to a cubin.

    Parameters
    ----------
    source
        The source.
    name
        The name of the source in messages.
    arch
        The architecture, such as ``"sm_80"``; that of the current device when left out.
    extra_opts
        Options besides the architecture and ``-default-device``.

    Raises
    ------
    RuntimeError
        If the CUDA bindings are not installed, no architecture is known, or the source does not
        compile; then the text holds the log.

    """
    try:
        from cuda.bindings import driver, nvrtc  # A third party, and only here wanted.
    except ImportError as error:
        raise RuntimeError(
            "CUDA bindings not available. Install with: pip install cuda-python"
        ) from error

    options = [f"--gpu-architecture={arch or _current_arch(driver)}".encode(), b"-default-device"]
    options += [o if isinstance(o, bytes) else o.encode() for o in extra_opts or ()]
    status, program = nvrtc.nvrtcCreateProgram(source.encode(), name.encode(), 0, [], [])
    _require(nvrtc, status, "nvrtcCreateProgram")
    try:
        (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise RuntimeError(f"NVRTC compilation failed:\n{_log(nvrtc, program)}")
        status, size = nvrtc.nvrtcGetCUBINSize(program)
        _require(nvrtc, status, "nvrtcGetCUBINSize")
        cubin: bytes = b" " * size
        (status,) = nvrtc.nvrtcGetCUBIN(program, cubin)
        _require(nvrtc, status, "nvrtcGetCUBIN")
        return cubin
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _require(nvrtc: Any, status: Any, what: str) -> None:
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise RuntimeError(f"{what} failed: {status}")


def _log(nvrtc: Any, program: Any) -> str:
    _, size = nvrtc.nvrtcGetProgramLogSize(program)
    log: bytes = b" " * size
    nvrtc.nvrtcGetProgramLog(program, log)
    return log.rstrip(b"\0 ").decode(errors="replace")


def _current_arch(driver: Any) -> str:
    """Ask the driver for the architecture of the current device."""
    attributes = driver.CUdevice_attribute
    names = [
        attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
        attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
    ]
    try:
        _driver_value(driver.cuInit(0))
        status, device = driver.cuCtxGetDevice()
        if int(status) != 0:  # No context is current; the first device stands in.
            device = _driver_value(driver.cuDeviceGet(0))
        major, minor = (_driver_value(driver.cuDeviceGetAttribute(n, device)) for n in names)
    except Exception as error:  # The driver may be absent in many ways.
        raise RuntimeError(
            f"Could not detect the CUDA architecture ({error}). Please pass `arch`, e.g. 'sm_80'."
        ) from error
    return f"sm_{major}{minor}"


def _driver_value(result: tuple[Any, ...]) -> Any:
    status, *values = result
    if int(status) != 0:
        raise RuntimeError(str(status))
    return values[0] if values else None
