# SPDX-License-Identifier: Apache-2.0
"""Parameter names of native functions, for keyword calls; the extension calls this module."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # Names of all parameters, and the defaults of the last ones.
    Parameters = tuple[tuple[str, ...], tuple[Any, ...]]


def of_metadata(text: str | bytes) -> Parameters | None:
    """Return the parameters in the entries ``arg_names`` and ``arg_defaults`` of metadata.

    Raises
    ------
    ValueError
        If the metadata is malformed: a repeated or empty name, or more defaults than names.

    """
    return of_entries(json.loads(text) if text else {})


def of_entries(metadata: dict[str, Any]) -> Parameters | None:
    """Return the same for metadata that has been read."""
    joined = metadata.get("arg_names")
    if joined is None:
        return None
    names = tuple(name.strip() for name in joined.split(",")) if joined else ()
    defaults = tuple(json.loads(metadata.get("arg_defaults", "[]")))
    if len(set(names)) != len(names) or "" in names or len(defaults) > len(names):
        raise ValueError(f"malformed parameter names {joined!r} with {len(defaults)} defaults")
    return names, defaults


def hint(name: str, names: tuple[str, ...]) -> str:
    """Return what a message adds about a keyword that a function with these parameters lacks."""
    from difflib import get_close_matches  # slow to import, and rarely needed

    close = get_close_matches(name, names, 1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; its parameters are {', '.join(names)}" if names else "; it takes no arguments"
