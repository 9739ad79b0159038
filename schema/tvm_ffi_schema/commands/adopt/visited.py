# SPDX-License-Identifier: Apache-2.0
"""Read the fields that VisitAttrs visits, in the classic dialect."""

from __future__ import annotations

from .chain import Registered
from .tree import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .class_def import Candidate


def read(one: Candidate) -> list[Registered]:
    """Return the own fields of a class that VisitAttrs visits, in the order of the visits.

    Raises
    ------
    Refused
        If the body of VisitAttrs is not found, or visits an expression that is not a member.

    """
    found = one.found
    if found.visited is None:
        if "VisitAttrs" in found.methods:
            span = found.methods["VisitAttrs"][-1].span
            raise Refused(f"the body of VisitAttrs of {found.name} is not in the class", span)
        return []
    own = {member.name for member in found.members}
    out = []
    for entry in found.visited:
        given = entry.args[0] if entry.args else ""
        member = given.removeprefix("&").removeprefix("this->")
        if not given.startswith("&") or not member.isidentifier():
            raise Refused(f"VisitAttrs visits {given or 'nothing'}, not a member", entry.word)
        if member in own:
            out.append(Registered(entry.name, member, entry, False, {}))
    return out
