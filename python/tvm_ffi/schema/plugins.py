# SPDX-License-Identifier: Apache-2.0
"""Lint rules of other packages, found by the entry points of the group ``tvm_ffi.schema.rules``.

::

    # acme/rules.py; in pyproject.toml:  [project.entry-points."tvm_ffi.schema.rules"]
    #                                    owner = "acme.rules:owner"
    from tvm_ffi.schema.plugins import rule

    @rule("ACME001", "a class without a version", "Write `since`.")
    def owner(definition, report):
        if not definition.since:
            report(f"{definition.name} does not say since when it is there")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Optional

from . import rules
from .diag import Bag, Diagnostic, Edit
from .ir import ObjectDef, Span
from .passes.program import Program

GROUP = "tvm_ffi.schema.rules"
_ID = re.compile(r"(?!TS\d)[A-Z][A-Z0-9]*\d{3}\Z")
_MARK = "__tschema_rule__"

#: What a rule is called with: a definition, and what reports a finding about it.
Check = Callable[[ObjectDef, Callable[..., None]], object]


def rule(
    name: str, title: str, advice: str, *, severity: str = "warning"
) -> Callable[[Check], Check]:
    """Make a function a lint rule.

    It is called with each class of the schema, a `tvm_ffi.schema.ir.ObjectDef`, and with
    ``report(message, span=None, help="", fix=())``. Without a place the class is it.

    Parameters
    ----------
    name : str
        The id: capitals and digits, three digits last, not of the form ``TS123``.
    title : str
        What is wrong, in a few words.
    advice : str
        What to do about it.
    severity : str
        ``error``, ``warning`` or ``note``.

    Raises
    ------
    ValueError
        If the id or the severity is of another form.

    """
    if not isinstance(name, str) or not _ID.match(name):
        raise ValueError(f"rule(): an id is like 'ACME001', not {name!r}")
    if severity not in ("error", "warning", "note"):
        raise ValueError(f"rule(): severity is error, warning or note, not {severity!r}")
    made = rules.Rule(severity, str(title), str(advice))

    def mark(check: Check) -> Check:
        setattr(check, _MARK, (name, made))
        return check

    return mark


def load(bag: Bag) -> dict[str, Check]:
    """Return the rules that are installed by their ids, and make the catalogue know them.

    What cannot be imported, or is no rule, is reported as TS014.
    """
    found: dict[str, Check] = {}
    for point in _entry_points():
        problem = ""
        try:
            check = point.load()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            problem = f"importing it failed: {type(error).__name__}: {error}"
        else:
            name, made = getattr(check, _MARK, ("", None))
            if made is None:
                problem = "it was not made by tvm_ffi.schema.plugins.rule"
            elif name in found and found[name] is not check:
                problem = f"{name} is the id of another rule"
            else:
                found[name] = check
                rules.PLUGGED[name] = made
        if problem:
            bag.add("TS014", f"the rule {point.name} = {point.value!r}: {problem}", Span("."))
    return found


def _entry_points() -> list[Any]:
    return entry_points_of(GROUP)


def entry_points_of(group: str) -> list[Any]:
    """Return the entry points that installed packages have in a group, by name."""
    from importlib import metadata

    points: Any = metadata.entry_points()
    if hasattr(points, "select"):
        return sorted(points.select(group=group), key=lambda point: point.name)
    return list(points.get(group, ()))  # Python 3.9


def run(checks: dict[str, Check], program: Program, bag: Bag) -> list[Diagnostic]:
    """Return what rules find; one that fails is reported as TS014 and left."""
    found = Bag()
    for name, check in checks.items():
        for cls in program.order:
            try:
                check(cls.d, _Reporter(name, cls.span, found))
            except Exception as error:
                text = f"rule {name} failed for {cls.d.name}: {type(error).__name__}: {error}"
                bag.add("TS014", text, cls.span)
                break
    return found.items


class _Reporter:
    """Takes the findings of one rule about one class."""

    def __init__(self, name: str, span: Span, bag: Bag) -> None:
        self.name = name
        self.span = span
        self.bag = bag

    def __call__(
        self,
        message: str,
        span: Optional[Span] = None,
        help: str = "",
        fix: Iterable[Edit] = (),
    ) -> None:
        self.bag.add(self.name, str(message), span or self.span, help=str(help), fix=tuple(fix))
