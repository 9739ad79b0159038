# SPDX-License-Identifier: Apache-2.0
"""``resolve``: resolve merges, and keep hand edits of generated text.

The command checks the checksums of each side of a merge, and generates the text again from the
merged schema. A conflict remains where both sides changed the same custom section or the same
hand-written text. Lines of a block that the tool has never generated are hand edits. The command
reports hand edits; with ``--adopt-edits``, it moves them into custom sections.
"""

from __future__ import annotations

import os

from .. import config as configuration
from ..diag import Bag
from ..files import fsio
from ..files.source import shown
from ..ir import Span
from ..link.program import Program
from ..weave import plan
from ..weave.custom_owners import Owners
from ..weave.output import ORPHANED, Output
from ..weave.weave import Policy
from . import merge_driver
from .repairs import Edit, Repairs, report_left
from .session import Session


def resolve(session: Session) -> int:
    """Resolve conflicts in the named files or in all files; report the remaining conflicts."""
    args = session.args
    if args.merge_driver:
        return merge_driver.drive(*args.merge_driver)
    for path in args.files:
        if not os.path.isfile(path):
            session.bag.add("TS120", f"there is no file {path!r}", Span(shown(path)))
    if not args.allow_outside:
        configuration.check_outside(session.config, session.bag)
    written: list[str] = []
    if not session.bag.has_errors:
        with fsio.reported(session.bag), fsio.lock(session.config.root, session.say):
            written = _resolve(session)
    session.show()
    for path in written:
        session.say(f"resolved {shown(path)}")
    if not written and not session.status():
        session.say("there is nothing to resolve")
    return session.status()


def _resolve(session: Session) -> list[str]:
    """Resolve and write files; return the paths of the written files."""
    args, bag, root = session.args, session.bag, session.config.root
    program = session.program(args.schema)
    if program is None:
        return []
    named = {os.path.realpath(path) for path in args.files}
    repairs = Repairs(named, Owners(program), bag)
    outputs = _planned(session, program, repairs)
    edits = [] if bag.has_errors else repairs.edits(outputs)
    if edits and args.adopt_edits:
        repairs.adopt(edits)
        outputs = _planned(session, program, repairs)
    for edit in [] if args.adopt_edits else edits:
        _report(edit, bag)
    session.show_text()  # before writing, because findings show excerpts of the old files
    if session.status(besides="TS121"):
        return []
    for edit in edits:
        for copy in fsio.keep(root, edit.path, ["".join(edit.lines)] if edit.is_change else []):
            text = f"the edit of {edit.name} changes generated lines; no section can hold it"
            help_ = f"{shown(copy)} keeps its lines: move them into the schema"
            bag.add("TS108", text, Span(shown(edit.path)), help=help_)
    changes = plan.Plan(outputs).changes()
    fsio.commit(root, changes)
    for output in outputs:
        report_left(output, bag)
    return [change.path for change in changes]


def _planned(session: Session, program: Program, repairs: Repairs) -> list[Output]:
    """Plan the outputs, with repaired texts, and return them.

    If the command line names files, return only the outputs for these files.
    """
    config, found = session.config, Bag()
    policy = Policy(force=True, conflicts=True)  # hand edits are reported apart
    files = [] if config.mode == "full" else [*session.args.files]
    options = plan.Options(policy=policy, inplace_files=files, repair=repairs.text)
    made = plan.make(config, program, found, options)

    def is_asked_for(path: str) -> bool:
        real = os.path.realpath(path).removesuffix(ORPHANED)
        return not repairs.named or real in repairs.named

    session.bag.extend(d for d in found.items if is_asked_for(d.span.file))
    return [output for output in made.outputs if is_asked_for(output.path)]


def _report(edit: Edit, bag: Bag) -> None:
    lines = " | ".join(line.strip() for line in edit.lines[:3])
    bag.add(
        "TS108",
        f"{edit.name} has lines that this tool has not generated: {lines}",
        edit.span,
        help="move them into the schema, or run  "
        f"tvm-ffi-schema resolve --adopt-edits {shown(edit.path)}",
    )
