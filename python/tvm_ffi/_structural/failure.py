# SPDX-License-Identifier: Apache-2.0
"""Add the position of a failure to errors of traversals; the extension calls this module."""

from __future__ import annotations

from .. import core


def add_path(error: BaseException) -> None:
    """Add to the message of an exception the access path of the object that was visited.

    Only exceptions about a value that a callback returned are changed; exceptions that callbacks
    raise are not.
    """
    if type(error) is not TypeError and type(error) is not OverflowError:
        return
    text = str(error)
    if not text.startswith("CallExpected: ") and " field `" not in text:
        return
    path = _path_of(getattr(error, "__tvm_ffi_error__", None))
    if path is not None:
        error.args = (f"{text}, inside {path}",)


def _path_of(error: core.Error | None) -> str | None:
    """Return the path from the root of the traversal to the innermost object."""
    context = getattr(error, "extra_context", None)
    # Innermost object first.
    objects = getattr(context, "reverse_visit_pattern", None)
    if not objects:
        return None
    find = core._get_global_func("ffi.VisitErrorContext.FindAccessPaths", False)
    assert find is not None
    paths = find(objects[-1], context, True)
    return str(paths[0]) if len(paths) else None
