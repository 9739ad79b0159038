# SPDX-License-Identifier: Apache-2.0
"""``breaking``: compare this schema with an older one."""

from __future__ import annotations

from typing import Any

from ..check.suppress import Suppressions
from ..compare import changes as engine
from ..compare import older
from ..config.table import USES
from ..diag import breaking as rules
from ..diag import near
from ..ir import Span
from ..link.program import Program
from .session import FINDINGS, OK, Session


def breaking(session: Session) -> int:
    """Report the changes that break users of the older version, in the chosen categories."""
    options = session.config.breaking
    reference = session.args.against or options.get("against")
    if not reference:
        session.bag.add("TS502", "no older version is named", Span("."), help="use --against REF")
        reference = ""
    uses = session.args.use.split(",") if session.args.use else ["ALL"]
    for use in uses:
        if use not in USES:
            known = ", ".join(USES)
            session.bag.add("TS011", f"{use!r} is not a category", Span("."), help=f"use {known}")
    new = session.program(session.args.paths)
    paths = session.args.paths
    old = older.read(reference, session.config, session.bag, paths) if new is not None else None
    if new is None or old is None:
        session.show()
        return session.status()
    judge = _Judge(session, new, uses)
    for change in engine.compare(old, new):
        judge.change(change)
    judge.report_unused()
    session.show()
    count = sum(d.id == "TS500" for d in session.bag.items)
    session.say(f"{count} breaking change{'s' * (count != 1)} against {reference}")
    return session.status() or (FINDINGS if session.bag.has_errors else OK)


class _Judge:
    """Converts changes to findings."""

    def __init__(self, session: Session, new: Program, uses: list[str]) -> None:
        self.session = session
        self.uses = uses
        self.ignored: list[dict[str, Any]] = session.config.breaking.get("ignore", [])
        self.spent: set[int] = set()
        self.inline: set[tuple[str, str]] = set()
        self.suppressions = Suppressions(new)

    def change(self, change: engine.Change) -> None:
        """Report one change, unless its categories are not chosen or the user allows it."""
        categories = rules.CATEGORIES[change.rule]
        if not self._is_used(change.rule) or self._is_allowed(change):
            return
        text = f"{change.text} [{change.rule}: {', '.join(categories)}]"
        hint = f"suppress it with  # tschema: allow {change.rule} -- reason"
        hint = f"{change.remedy}, or {hint}" if change.remedy else hint
        self.session.bag.add("TS500", text, change.span, help=hint)

    def _is_allowed(self, change: engine.Change) -> bool:
        for number, entry in enumerate(self.ignored):
            if entry["rule"] == change.rule and entry.get("type") in (None, change.type_key):
                self.spent.add(number)
                return True
        if change.cls is not None and change.rule in change.cls.d.allow:
            self.inline.add((change.cls.type_key, change.rule))
            return True
        return change.cls is None and self.suppressions.covers(change.rule, change.span)

    def report_unused(self) -> None:
        """Report unused suppressions of rules in the chosen categories, and wrong suppressions."""
        bag, config = self.session.bag, self.session.config
        for number, entry in enumerate(self.ignored):
            if number not in self.spent and self._is_used(entry["rule"]):
                span = config.place("rule", "breaking.ignore")
                bag.add("TS501", f"nothing raises {entry['rule']} any more", span)
        for one, rule, span in self.suppressions.unused():
            if any((key, rule) in self.inline for key in self.suppressions.owners(one)):
                continue
            if rule in rules.CATEGORIES and self._is_used(rule):
                bag.add("TS501", f"nothing raises {rule} here", span)
            elif rule not in rules.CATEGORIES and not rule.startswith("TS"):
                hint = near(rule, rules.CATEGORIES)
                if hint:
                    bag.add("TS501", f"there is no rule {rule!r}", span, help=hint)
        for one in self.suppressions.items:
            if not one.reason:
                text = f"the suppression of {', '.join(one.rules)} gives no reason, and is not used"
                bag.add("TS501", text, one.span, help="write it behind the rules:  -- the reason")

    def _is_used(self, rule: str) -> bool:
        categories = rules.CATEGORIES.get(rule, ())
        return "ALL" in self.uses or bool(set(self.uses) & set(categories))
