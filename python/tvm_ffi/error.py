# SPDX-License-Identifier: Apache-2.0
"""Error kinds, and the text form of tracebacks.

The extension itself appends native frames to Python tracebacks. The functions in this module append
frames that are given as text, for callers that store or send backtraces as text.
"""

from __future__ import annotations

import builtins
import re
import sys
from types import CodeType, FrameType, FunctionType, TracebackType

from . import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    _ErrorT = TypeVar("_ErrorT", bound=type[BaseException])

_FRAME_LINE = re.compile(r'^\s*File "(?P<file>[^"]*)", line (?P<line>\d+), in (?P<name>.*)$')


class TracebackManager:
    """Creates traceback entries for source lines that Python did not execute."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType] = {}

    def append_traceback(
        self, tb: TracebackType | None, filename: str, lineno: int, func: str
    ) -> TracebackType:
        """Return a traceback that begins with ``func`` at this line and continues with ``tb``."""
        frame: FrameType = FunctionType(
            self._code_of(filename, func), {"_getframe": sys._getframe}
        )()
        # The instruction index -1 means that the entry does not have column numbers.
        return TracebackType(tb, frame, -1, lineno)

    def _code_of(self, filename: str, func: str) -> CodeType:
        """Return a code object named ``func`` (any text) that, when executed, returns its frame."""
        key = (filename, func)
        code = self._code.get(key)
        if code is None:
            code = compile("_getframe()", filename, "eval").replace(co_name=func)
            if sys.version_info >= (3, 11):
                code = code.replace(co_qualname=func)
            self._code[key] = code
        return code


_TRACEBACK_MANAGER = TracebackManager()


def _parse_backtrace(backtrace: str) -> list[tuple[str, int, str]]:
    """Read the frames of a backtrace text as (file, line, function); ignore other lines."""
    matches = map(_FRAME_LINE.match, backtrace.splitlines())
    return [(m["file"], int(m["line"]), m["name"].strip()) for m in matches if m]


def _with_append_backtrace(py_error: BaseException, backtrace: str) -> BaseException:
    """Append the frames of a backtrace text, most recent first, to an exception's traceback."""
    tb = py_error.__traceback__
    for filename, lineno, func in _parse_backtrace(backtrace):
        tb = _TRACEBACK_MANAGER.append_traceback(tb, filename, lineno, func)
    return py_error.with_traceback(tb)


def _traceback_to_backtrace_str(tb: TracebackType | None) -> str:
    """Write a traceback as a backtrace text: one line per frame, most recent first."""
    lines = []
    while tb is not None:
        code = tb.tb_frame.f_code
        lines.append(f'  File "{code.co_filename}", line {tb.tb_lineno}, in {code.co_name}\n')
        tb = tb.tb_next
    return "".join(reversed(lines))


if TYPE_CHECKING:

    @overload
    def register_error(name_or_cls: _ErrorT) -> _ErrorT: ...
    @overload
    def register_error(name_or_cls: str, cls: _ErrorT) -> _ErrorT: ...
    @overload
    def register_error(
        name_or_cls: str | None = None, cls: None = None
    ) -> Callable[[_ErrorT], _ErrorT]: ...


def register_error(
    name_or_cls: str | type[BaseException] | None = None, cls: type[BaseException] | None = None
) -> object:
    """Map an error kind to an exception class, in both directions.

    A native error of this kind becomes an instance of the class in Python, made from the message.
    An exception of the class, or of a subclass without a registered kind, becomes an error of this
    kind when it leaves Python. A later registration replaces an earlier one. The kind of a built-in
    exception, such as ``ValueError``, can only be mapped to a subclass of this exception, so that
    ``except ValueError`` still catches native errors of this kind.

    Parameters
    ----------
    name_or_cls
        The kind; or the class itself, whose ``__name__`` is then the kind.
    cls
        The class. If it is omitted, a decorator is returned.

    Raises
    ------
    TypeError
        If the class is not an exception class, or replaces a built-in exception without deriving
        from it.

    Examples
    --------
    >>> import tvm_ffi
    >>> @tvm_ffi.register_error
    ... class MyError(RuntimeError):
    ...     pass

    """
    if isinstance(name_or_cls, type):
        return _register(name_or_cls.__name__, name_or_cls)
    if name_or_cls is not None and not isinstance(name_or_cls, str):
        raise TypeError(f"expected a name or an exception class, not {type(name_or_cls).__name__}")
    if cls is not None:
        return _register(name_or_cls or cls.__name__, cls)
    return lambda decorated: _register(name_or_cls or decorated.__name__, decorated)


def _register(name: str, cls: type[BaseException]) -> type[BaseException]:
    if not (isinstance(cls, type) and issubclass(cls, BaseException)):
        raise TypeError(f"expected an exception class, not {cls!r}")
    known = core.ERROR_NAME_TO_TYPE.get(name)
    builtin: Any = getattr(builtins, name, None)
    is_builtin = isinstance(builtin, type) and known is not None and issubclass(known, builtin)
    if is_builtin and not issubclass(cls, builtin):
        raise TypeError(
            f"cannot register {cls.__name__} for the kind {name!r}: it is not a subclass of "
            f"the built-in {name}, so `except {name}` would miss native errors of this kind"
        )
    core.ERROR_NAME_TO_TYPE[name] = cls
    core.ERROR_TYPE_TO_NAME[cls] = name
    return cls
