# SPDX-License-Identifier: Apache-2.0
"""``explain``: print the meaning of a rule, a setting or a configuration key."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from ..config import table as config_table
from ..diag import near, rules
from ..dsl import table
from .session import OK, USAGE, Session

#: (description of a place in a schema or configuration, the settings that are allowed there)
_PLACES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("in the body of a class", table.CLASS),
    ("an argument of field()", table.FIELD),
    ("an argument of module()", table.MODULE),
    ("an argument of extern()", table.EXTERN),
    ("a key of the configuration", config_table.TABLE),
)


def explain(session: Session) -> int:
    """Print the meaning of all settings, or of the rule, with the name on the command line."""
    word = session.args.word
    settings = "\n".join(_settings(word))
    if settings:
        sys.stdout.write(settings)
        return OK
    rule = word.upper()
    if rule not in rules.RULES:
        hint = near(rule, rules.RULES) or near(
            word, {name for _, place in _PLACES for name in place}
        )
        text = f"tvm-ffi-schema: {word!r} is neither a rule nor a setting"
        print(f"{text}; {hint}" if hint else text, file=sys.stderr)
        return USAGE
    sys.stdout.write(rules.explain(rule))
    return OK


def _settings(word: str) -> Iterator[str]:
    for where, place in _PLACES:
        found = place.get(word)
        if found is not None:
            default = f"{found.default} by default" if found.default else "no default"
            yield (
                f"{word}, {where}: {found.kind.words}; {default}\n\n"
                f"{found.doc}\n\n    {found.example}\n"
            )
