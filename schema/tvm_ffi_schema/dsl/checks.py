# SPDX-License-Identifier: Apache-2.0
"""Check the options of `module`, `field` and `extern` against the table of settings."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .table import Setting

_F = TypeVar("_F", bound=Callable[..., Any])


def options_of(table: Mapping[str, Setting]) -> Callable[[_F], _F]:
    """Return a decorator that checks options: a wrong option raises TypeError or ValueError."""

    def decorate(function: _F) -> _F:
        who = f"{function.__name__}()"

        @functools.wraps(function)
        def checked(*args: Any, **options: Any) -> Any:
            for name, value in options.items():
                _check(who, name, value, table)
            return function(*args, **options)

        made: Any = checked
        return made  # type: ignore[no-any-return]

    return decorate


def _check(who: str, name: str, value: Any, table: Mapping[str, Setting]) -> None:
    row = table.get(name)
    if row is None:
        from ..diag import near

        hint = near(name, table)
        raise TypeError(f"{who} has no option {name!r}" + (f"; {hint}" if hint else ""))
    wanted = row.problem(value)
    if wanted is not None:
        raise row.kind.error(f"{who}: {name} must be {wanted}, not {value!r}")


def given(values: Mapping[str, Any], table: Mapping[str, Setting]) -> dict[str, Any]:
    """Return the options that differ from their defaults."""
    return {name: values[name] for name, row in table.items() if values[name] != row.value}
