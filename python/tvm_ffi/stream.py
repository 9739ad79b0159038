# SPDX-License-Identifier: Apache-2.0
"""The streams on which native code of this thread runs its kernels."""

from __future__ import annotations

from ctypes import c_void_p

from . import core
from ._values.tensor import device as _device

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Any

    from .core import Device

__all__ = ["StreamContext", "get_raw_stream", "use_raw_stream", "use_torch_stream"]


def _pair_of(device: Any) -> tuple[int, int]:
    """Return type and index of a device, or of an object with the same attributes."""
    try:
        return int(device.dlpack_device_type()), device.index
    except AttributeError:
        if isinstance(device, core.Device):
            raise
        hint = f"; pass tvm_ffi.device({device!r})" if isinstance(device, str) else ""
        raise TypeError(f"expected a Device, got {type(device).__name__}{hint}") from None


class StreamContext:
    """A context that sets the current stream of a device.

    The table of current streams belongs to the thread: enter and leave a context in one thread.

    Parameters
    ----------
    device
        The device.
    stream
        The handle of the stream.

    """

    def __init__(self, device: Device, stream: int | c_void_p) -> None:
        self.device_type, self.device_id = _pair_of(device)
        self.stream = stream

    def __enter__(self) -> StreamContext:
        """Set the stream, and store the previous stream."""
        handle = self.stream.value or 0 if isinstance(self.stream, c_void_p) else self.stream
        self.prev_stream = core._env_set_current_stream(self.device_type, self.device_id, handle)
        return self

    def __exit__(self, *exception: object) -> None:
        """Restore the previous stream."""
        core._env_set_current_stream(self.device_type, self.device_id, self.prev_stream)


class _TorchStreamContext:
    """A context that enters a torch context, and sets the current stream of torch."""

    def __init__(self, context: AbstractContextManager[Any] | None) -> None:
        self._torch_context = context
        self._ffi_context: StreamContext | None = None

    def __enter__(self) -> _TorchStreamContext:
        import torch  # Installed: `use_torch_stream` has imported it.

        if self._torch_context is not None:
            self._torch_context.__enter__()
        try:
            current = torch.cuda.current_stream()
            place = _device(str(current.device))
            self._ffi_context = StreamContext(place, current.cuda_stream)
            self._ffi_context.__enter__()
        except BaseException:
            if self._torch_context is not None:
                self._torch_context.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *exception: Any) -> None:
        try:
            if self._torch_context is not None:
                self._torch_context.__exit__(*exception)
        finally:
            if self._ffi_context is not None:
                self._ffi_context.__exit__(*exception)
                self._ffi_context = None


def use_torch_stream(context: Any = None) -> AbstractContextManager[Any]:
    """Return a context in which native code runs on the current stream of torch.

    Parameters
    ----------
    context
        A context of torch to enter first, ``torch.cuda.stream(s)`` or ``torch.cuda.graph(g)``. By
        default, no context is entered.

    Raises
    ------
    ImportError
        If torch cannot be imported.

    Examples
    --------
    With a torch module ``torch`` and a CUDA device::

        with tvm_ffi.use_torch_stream(torch.cuda.stream(torch.cuda.Stream())):
            launch(tensor)

    """
    try:
        import torch  # noqa: F401 - third-party, and needed only here
    except ImportError as error:
        raise ImportError("Cannot import torch") from error
    return _TorchStreamContext(context)


def use_raw_stream(device: Device, stream: int | c_void_p) -> StreamContext:
    """Return a context that sets the current stream of a device.

    Parameters
    ----------
    device
        The device.
    stream
        The handle of the stream: a number or a pointer.

    Raises
    ------
    TypeError
        If ``device`` is not a device.
    ValueError
        If ``stream`` is neither a number nor a pointer.
    OverflowError
        On entering the context, if the number is not a valid pointer.

    Examples
    --------
    >>> import tvm_ffi
    >>> with tvm_ffi.use_raw_stream(tvm_ffi.device("cuda:0"), 4096):
    ...     tvm_ffi.get_raw_stream(tvm_ffi.device("cuda:0"))
    4096

    """
    if not isinstance(stream, (int, c_void_p)):
        raise ValueError(
            "use_raw_stream only accepts int or c_void_p as stream input, "
            f"got {type(stream).__name__}; use_torch_stream takes what torch.cuda.stream and "
            "torch.cuda.graph return"
        )
    return StreamContext(device, stream)


def get_raw_stream(device: Device) -> int:
    """Return the handle of the current stream of a device in this thread; 0 if none was set.

    Raises
    ------
    TypeError
        If ``device`` is not a device.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.get_raw_stream(tvm_ffi.device("cuda:0"))
    0

    """
    return core._env_get_current_stream(*_pair_of(device))
