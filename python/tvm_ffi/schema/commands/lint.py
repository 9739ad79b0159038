# SPDX-License-Identifier: Apache-2.0
"""``lint``: judge the schema itself."""

from __future__ import annotations

from ..passes import lint as rules
from .session import FINDINGS, OK, Session


def lint(session: Session) -> int:
    """Report style and safety findings."""
    program = session.program(session.args.paths)
    if program is None:
        session.show()
        return session.status()
    before = len(session.bag.items)
    rules.run(program, session.bag, session.config.lint, session.config.dialect)
    count = len(session.bag.items) - before
    session.show()
    session.say(f"{count} finding{'s' * (count != 1)}")
    return FINDINGS if count else OK
