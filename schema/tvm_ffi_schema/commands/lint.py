# SPDX-License-Identifier: Apache-2.0
"""``lint``: check style and safety of a schema; with --fix, correct findings in the files."""

from __future__ import annotations

from typing import Any

from ..check import lint as passes
from ..check import reserved
from ..diag import Edit, near, rules
from ..diag.breaking import CATEGORIES
from ..files import fsio, source
from ..weave import plan
from .session import FINDINGS, OK, Session


def lint(session: Session) -> int:
    """Report style and safety findings."""
    if not session.args.fix:
        return _lint(session)
    # Take the lock before reading: `fsio.lock` completes the writes of a run that was killed.
    with fsio.reported(session.bag), fsio.lock(session.config.root, session.say):
        return _lint(session)
    session.show()
    return session.status()


def _lint(session: Session) -> int:
    _check_selection(session)
    program = session.program(session.args.paths)
    if program is not None:
        options, dialect = session.config.lint, session.config.dialect
        reserved.check(program, plan.reserved_words(session.config), session.bag)
        refused = session.status()
        passes.run(program, session.bag, options, dialect, CATEGORIES)
    else:
        refused = session.status()
    if session.args.fix:
        _fix(session)
    session.show()
    count = len(session.bag.items)
    session.say(f"{count} finding{'s' * (count != 1)}")
    return refused or (FINDINGS if count else OK)


def _check_selection(session: Session) -> None:
    """Report words in `select` and `ignore` with which no rule id begins."""
    known = list(rules.RULES)
    options: dict[str, Any] = session.config.lint
    for key in ("select", "ignore"):
        for word in options.get(key, ()):
            if word != "ALL" and not (word and any(name.startswith(word) for name in known)):
                text = f"lint.{key}: there is no rule {word!r}"
                span = session.config.place(key)
                session.bag.add("TS011", text, span, help=near(word, [*known, "ALL"]))


def _fix(session: Session) -> None:
    """Apply the edits of the findings to the files, and remove the findings that have edits."""
    from ..check import lint_fixes
    from .validate import apply

    changes: list[fsio.Change] = []
    done: set[int] = set()
    for file in sorted({d.span.file for d in session.bag.items}):
        one = source.read(file, session.bag) if file.endswith(".py") else None
        if one is None:
            continue
        found = [d for d in session.bag.items if d.span.file == file]
        edits: list[Edit] = []
        for item, made in lint_fixes.edits(file, one.text, found):
            edits += made
            done.add(id(item))
        text = apply(one.text, edits)
        if text != one.text:
            changes.append(fsio.Change(file, one.encode(one.text), one.encode(text)))
    fsio.commit(session.config.root, changes)
    session.bag.items = [d for d in session.bag.items if id(d) not in done]
    if changes:
        session.say(f"changed {len(changes)} file{'s' * (len(changes) != 1)}; run lint again")
