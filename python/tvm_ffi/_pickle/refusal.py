# SPDX-License-Identifier: Apache-2.0
"""Errors for values that cannot be pickled, inside a container or an object."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def explain(root: Any, path: str, error: BaseException) -> None:
    """Raise ``error`` again with a message that has the position of the value inside ``root``."""
    place = path.removeprefix("value")
    text = str(error)
    text = text.removeprefix("cannot pickle ")
    message = f"cannot pickle `{place}` of {type(root).__qualname__}: {text}"
    try:
        raised = type(error)(message)
    except Exception:
        raised = TypeError(message)
    raise raised from error
