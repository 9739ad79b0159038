# SPDX-License-Identifier: Apache-2.0
"""Compile CUDA source in this process, with NVRTC."""

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
        The architecture, such as ``"sm_80"``; by default the architecture of the current device.
    extra_opts
        Options besides the architecture and ``-default-device``.

    Raises
    ------
    RuntimeError
        If the CUDA bindings are not installed, the architecture is unknown, or the source does not
        compile; then the message contains the log.

    """
    try:
        from cuda.bindings import driver, nvrtc  # third-party, and needed only here
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
    """Return the architecture of the current device."""
    attributes = driver.CUdevice_attribute
    names = [
        attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
        attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
    ]
    try:
        _driver_value(driver.cuInit(0))
        status, device = driver.cuCtxGetDevice()
        if int(status) != 0:  # No context is current; use the first device.
            device = _driver_value(driver.cuDeviceGet(0))
        major, minor = (_driver_value(driver.cuDeviceGetAttribute(n, device)) for n in names)
    except Exception as error:  # The driver may be missing or fail in many ways.
        raise RuntimeError(
            f"Could not detect the CUDA architecture ({error}). Please pass `arch`, e.g. 'sm_80'."
        ) from error
    return f"sm_{major}{minor}"


def _driver_value(result: tuple[Any, ...]) -> Any:
    status, *values = result
    if int(status) != 0:
        raise RuntimeError(str(status))
    return values[0] if values else None
