# SPDX-License-Identifier: Apache-2.0
"""Rules of other packages, found by the entry points of the group ``tvm_ffi_schema.rules``.

::

    # acme/rules.py; in pyproject.toml:  [project.entry-points."tvm_ffi_schema.rules"]
    #                                    owner = "acme.rules:owner"
    from tvm_ffi_schema.plugins import rule

    @rule("ACME001", "a class without a version", "Write `since`.")
    def owner(definition, report):
        if not definition.since:
            report(f"{definition.name} does not say since when it is there")

``lint`` runs a `rule` on the schema. ``breaking`` runs a `breaking_rule` on two versions of the
schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from .diag import Bag, Diagnostic, Edit, rules
from .files import installed
from .ir import ObjectDef, Span
from .link.program import Program

GROUP = "tvm_ffi_schema.rules"
_ID = re.compile(r"(?!TS\d)[A-Z][A-Z0-9]*\d{3}\Z")
_MARK = "__tschema_rule__"

#: The type of a rule: a function with two arguments, a definition and a function that reports a
#: finding.
Check = Callable[[ObjectDef, Callable[..., None]], object]
#: The type of a rule of evolution: a function of the older definition, the newer definition, and a
#: function that reports a finding.
BreakingCheck = Callable[[ObjectDef, ObjectDef, Callable[..., None]], object]


def rule(
    name: str, title: str, advice: str, *, severity: str = "warning"
) -> Callable[[Check], Check]:
    """Make a function a lint rule.

    The arguments of the function are a class of the schema, a `tvm_ffi_schema.ir.ObjectDef`, and
    ``report(message, span=None, help="", fix=())``. Without `span`, the finding is at the class.

    Parameters
    ----------
    name : str
        The id: capitals and digits, with three digits at the end, but not of the form ``TS123``.
    title : str
        A short description of the error.
    advice : str
        A description of the remedy.
    severity : str
        ``error``, ``warning`` or ``note``.

    Raises
    ------
    ValueError
        If the id or the severity has another form.

    """
    made: Callable[[Check], Check] = _marked("lint", name, title, advice, severity)
    return made


def breaking_rule(
    name: str, title: str, advice: str, *, severity: str = "error"
) -> Callable[[BreakingCheck], BreakingCheck]:
    """Make a function a rule of evolution.

    The function has three arguments: the older and the newer version of a class, both as
    `tvm_ffi_schema.ir.ObjectDef`, and ``report`` as for `rule`. Comments in a schema file can allow
    the findings.

    Parameters
    ----------
    name, title, advice, severity : str
        As for `rule`.

    Raises
    ------
    ValueError
        If the id or the severity has another form.

    """
    made: Callable[[BreakingCheck], BreakingCheck]
    made = _marked("breaking", name, title, advice, severity)
    return made


def _marked(kind: str, name: str, title: str, advice: str, severity: str) -> Any:
    if not isinstance(name, str) or not _ID.match(name):
        raise ValueError(f"rule(): an id is like 'ACME001', not {name!r}")
    if severity not in ("error", "warning", "note"):
        raise ValueError(f"rule(): severity is error, warning or note, not {severity!r}")
    made = rules.Rule(severity, str(title), str(advice))

    def mark(check: Any) -> Any:
        setattr(check, _MARK, (name, made, kind))
        return check

    return mark


def load(bag: Bag, kind: str = "lint") -> dict[str, Any]:
    """Return id -> installed rule of a kind; add all installed rules to the catalogue.

    An entry point that cannot be imported, or is not a rule, is reported as TS014.
    """
    found: dict[str, Any] = {}
    chosen: dict[str, Any] = {}
    for point in _entry_points():
        problem = ""
        try:
            check = point.load()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            problem = f"importing it failed: {type(error).__name__}: {error}"
        else:
            name, made, of = getattr(check, _MARK, ("", None, ""))
            if made is None:
                problem = "it was not made by tvm_ffi_schema.plugins.rule"
            elif name in found and found[name] is not check:
                problem = f"{name} is the id of another rule"
            else:
                found[name] = check
                rules.PLUGGED[name] = made
                if of == kind:
                    chosen[name] = check
        if problem:
            bag.add("TS014", f"the rule {point.name} = {point.value!r}: {problem}", Span("."))
    return chosen


def _entry_points() -> list[Any]:
    return installed.entry_points_of(GROUP)


def run(checks: dict[str, Check], program: Program, bag: Bag) -> list[Diagnostic]:
    """Run the rules and return their findings; report and skip a rule that raises, as TS014."""
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


def run_breaking(
    checks: dict[str, BreakingCheck], old: Program, new: Program, bag: Bag
) -> list[Diagnostic]:
    """Run rules of evolution on two versions; return the findings, except allowed findings."""
    found = Bag()
    renamed = {cls.d.renamed_from: cls for cls in new.order if cls.d.renamed_from}
    for name, check in checks.items():
        for was in old.order:
            now = new.classes.get(was.type_key) or renamed.get(was.type_key)
            if now is None or name in now.d.allow:
                continue
            try:
                check(was.d, now.d, _Reporter(name, now.span, found))
            except Exception as error:
                text = f"rule {name} failed for {now.d.name}: {type(error).__name__}: {error}"
                bag.add("TS014", text, now.span)
                break
    return found.items


class _Reporter:
    """The `report` argument for one rule and one class."""

    def __init__(self, name: str, span: Span, bag: Bag) -> None:
        self.name = name
        self.span = span
        self.bag = bag

    def __call__(
        self,
        message: str,
        span: Span | None = None,
        help: str = "",
        fix: Iterable[Edit] = (),
    ) -> None:
        self.bag.add(self.name, str(message), span or self.span, help=str(help), fix=tuple(fix))
