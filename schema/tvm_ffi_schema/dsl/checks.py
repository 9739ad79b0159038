# SPDX-License-Identifier: Apache-2.0
"""What the words check of their options."""

from __future__ import annotations

from typing import Any


def check_options(who: str, options: dict[str, Any], types: dict[str, tuple[type, ...]]) -> None:
    """Raise TypeError for an option that is not known or has another type."""
    from ..diag import near

    for name, value in options.items():
        if name not in types:
            hint = near(name, types)
            raise TypeError(f"{who} has no option {name!r}" + (f"; {hint}" if hint else ""))
        if type(value) not in types[name]:
            wanted = " or ".join(t.__name__ for t in types[name] if t is not type(None))
            raise TypeError(f"{who}: {name} must be {wanted}, not {value!r}")


def check_choice(who: str, options: dict[str, Any], name: str, known: tuple[Any, ...]) -> None:
    """Raise ValueError for a value that is not one of the known ones."""
    if options.get(name, known[0]) not in known:
        words = ", ".join(repr(k) for k in known if k)
        raise ValueError(f"{who}: {name} is one of {words}, not {options[name]!r}")
