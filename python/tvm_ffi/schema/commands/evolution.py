# SPDX-License-Identifier: Apache-2.0
"""``breaking`` and ``diff-schema``: this schema against an older one."""

from __future__ import annotations

from typing import Any

from ..compare import changes as engine
from ..compare import older
from ..ir import Span
from .session import FINDINGS, OK, USAGE, Session


def breaking(session: Session) -> int:
    """Report the changes that break users of the older version, in the chosen categories."""
    options = session.config.breaking
    reference = session.args.against or options.get("against")
    if not isinstance(reference, str) or not reference:
        session.bag.add("TS502", "no older version is named", Span("."), help="use --against REF")
        reference = ""
    uses = session.args.use.split(",") if session.args.use else options.get("use", ["ALL"])
    for use in uses:
        if use not in ("ALL", engine.ABI, engine.API, engine.JSON, engine.SEMANTIC):
            session.bag.add("TS011", f"{use!r} is no category", Span("."))
    new = session.program(session.args.paths)
    old = older.read(reference, session.config, session.bag) if new is not None else None
    if new is None or old is None:
        session.show()
        return session.status()
    ignored = options.get("ignore", [])
    spent: set[int] = set()
    for change in engine.compare(old, new):
        _judge(session, change, uses, ignored, spent)
    for number, entry in enumerate(ignored):
        if number not in spent:
            session.bag.add("TS501", f"nothing raises {entry.get('rule')} any more", _top(session))
    session.show()
    count = sum(d.id == "TS500" for d in session.bag.items)
    session.say(f"{count} breaking change{'s' * (count != 1)} against {reference}")
    return FINDINGS if session.bag.has_errors else OK


def _top(session: Session) -> Span:
    return Span(session.config.path or ".")


def _judge(
    session: Session, change: engine.Change, uses: list[str], ignored: list[Any], spent: set[int]
) -> None:
    categories = engine.CATEGORIES[change.rule]
    if "ALL" not in uses and not set(uses) & set(categories):
        return
    if change.rule in engine.INFORMATION:
        return
    for number, entry in enumerate(ignored):
        same_type = entry.get("type") in (None, change.type_key)
        if entry.get("rule") == change.rule and same_type and entry.get("reason"):
            spent.add(number)
            return
    if change.cls is not None and change.rule in change.cls.d.allow:
        return
    text = f"{change.text} [{change.rule}: {', '.join(categories)}]"
    hint = f"suppress it with  # tschema: allow {change.rule} -- reason"
    session.bag.add("TS500", text, change.span, help=hint)


def changes(session: Session) -> int:
    """List every change between two versions, without judging."""
    pair = []
    for reference in (session.args.old, session.args.new):
        program = older.read(reference, session.config, session.bag)
        if program is None:
            session.show()
            return session.status() or USAGE
        pair.append(program)
    for change in engine.compare(*pair):
        print(f"{change.rule}: {change.text}")
    for text in engine.additions(*pair):
        print(f"NEW: {text}")
    return OK
