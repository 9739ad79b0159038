# SPDX-License-Identifier: Apache-2.0
"""The text and the HTML of a module: its file and its functions."""

from __future__ import annotations

from html import escape

from .. import _ffi_api, core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..module import Module

_MAX_NAMES = 20
_MAX_ROWS = 200


def text_of(module: Module) -> str:
    """Implement ``repr`` of a module; never raises an exception."""
    if not module.__chandle__():
        return core.CObject.__repr__(module)
    try:
        return _text_of(module)
    except Exception:
        return core.CObject.__repr__(module)


def _text_of(module: Module) -> str:
    parts = [f"kind={str(module.kind)!r}"]
    path: str | None = _ffi_api.ModuleGetPath(module)
    if path is not None:
        parts.append(f"path={str(path)!r}")
    names = function_names(module)
    if names is not None:
        shown = [*names[:_MAX_NAMES], *(["..."] if len(names) > _MAX_NAMES else [])]
        length = f"; length {len(names)}" if len(names) > _MAX_NAMES else ""
        parts.append(f"functions=[{', '.join(shown)}{length}]")
    if len(module.imports_):
        parts.append(f"imports_={module.imports_!r}")
    return f"ffi.Module({', '.join(parts)})"


def function_names(module: Module) -> list[str] | None:
    """Return the sorted names of the functions of a library; None if they are not known."""
    names = _ffi_api.ModuleGetFunctionNames(module) if module.__chandle__() else None
    return None if names is None else [str(name) for name in names]


def html_of(module: Module) -> str | None:
    """Return a table of the functions with signatures and documentation, or None if unknown."""
    names = function_names(module)
    if names is None:
        return None
    path = _ffi_api.ModuleGetPath(module)
    count = f"{len(names)} function{'' if len(names) == 1 else 's'}"
    title = f"<b>ffi.Module</b> <code>{escape(str(path))}</code>, {count}"
    rows = "".join(_row(module, name) for name in names[:_MAX_ROWS])
    rest = len(names) - _MAX_ROWS
    more = f"<div>{rest} more functions</div>" if rest > 0 else ""
    return (
        f"<details open><summary>{title}</summary>"
        f"<table><tr><th>function</th><th>documentation</th></tr>{rows}</table>{more}</details>"
    )


def _row(module: Module, name: str) -> str:
    style = 'style="text-align: left; white-space: pre-wrap"'
    signature, doc = _described(module, name)
    return (
        f"<tr><td {style}><code>{escape(name)}{escape(signature)}</code></td>"
        f"<td {style}>{escape(doc)}</td></tr>"
    )


def _described(module: Module, name: str) -> tuple[str, str]:
    """Return the signature, if it is known, and the documentation of a function."""
    import inspect

    try:
        function = module.get_function(name)
        doc = module.get_function_doc(name) or ""
    except Exception as error:  # Code of the library may run here.
        return "", f"{type(error).__name__}: {error}"
    try:
        return str(inspect.signature(function)), doc
    except (TypeError, ValueError):
        return "", doc
