# SPDX-License-Identifier: Apache-2.0
"""``generate`` and ``check``: compute the new files, then write them or print how they differ."""

from __future__ import annotations

import os
import sys

from .. import cache
from .. import config as configuration
from ..check import warnings
from ..config.outputs import DOCS_ROOT
from ..files import fsio
from ..files.source import shown
from ..ir import Span
from ..weave import plan
from ..weave.weave import Policy
from . import depfile
from .session import FINDINGS, OK, Session

#: The number of written files whose names are printed; further files are only counted.
_NAMED = 20


def _options(session: Session) -> plan.Options:
    args = session.args
    policy = Policy(
        force=getattr(args, "force", False),
        normalize=getattr(args, "normalize", False),
    )
    return plan.Options(
        only=args.only or "",
        insert=getattr(args, "insert", False),
        prune=getattr(args, "prune", False),
        policy=policy,
        inplace_files=list(args.inplace or ()),
        slices=session.slices if args.command == "generate" else None,
        blocks=session.record.blocks if session.record else {},
    )


def _plan(session: Session) -> plan.Plan | None:
    args = session.args
    if not getattr(args, "allow_outside", False):
        configuration.check_outside(session.config, session.bag)
    if args.inplace:
        session.config.mode = "inplace"
        for path in args.inplace:
            if not os.path.isfile(path):
                session.bag.add("TS120", f"there is no file {path!r}", Span(shown(path)))
    session.record = cache.Record(session.config, args)
    if session.config.mode == "full":
        for name in ("only", "insert", "prune"):
            if getattr(args, name, None):
                text = f"--{name} is for files with blocks; the mode of this project is full"
                session.bag.add("TS011", text, Span("."), help="name such files with --inplace")
    program = session.program(args.paths)
    if program is None:
        return None
    warnings.check(program, session.config.dialect, session.bag)
    made = plan.make(session.config, program, session.bag, _options(session))
    made.orphans = [] if session.bag.has_errors else _orphans(session, made)
    for path in made.orphans:
        text = "this generated file has no source in the schema any more"
        session.bag.add("TS116", text, Span(shown(path)), help="remove it")
    writes_depfile = getattr(args, "depfile", None) and not getattr(args, "dry_run", False)
    if writes_depfile and not session.bag.has_errors:
        depfile.write(session, args.depfile, args.depfile_target or "schema")
    return made


def generate(session: Session) -> int:
    """Write the outputs that have changed; after an error, write no file."""
    args = session.args
    if args.dry_run:
        return _dry_run(session)
    if not (session.config.path or args.paths or session.config.files()):
        session.program()  # report that there is no project; do not create a lock file
        session.show()
        return session.status()
    summary = ""
    with fsio.reported(session.bag), fsio.lock(session.config.root, session.say):
        summary = _write(session)
    session.show()
    if summary:
        session.say(summary)
    return session.status()


def _write(session: Session) -> str:
    """Write the outputs that have changed; return a summary, or an empty text after errors."""
    made = _plan(session)
    session.show_text()  # before writing, because findings show excerpts of the old files
    refused = session.status(besides="TS121")  # TS121 only says where sections were saved
    if made is None or (refused and not session.args.keep_going):
        return ""
    root = session.config.root
    for output in made.outputs:
        if output.saved:
            for path in fsio.keep(root, output.path, output.saved):
                session.say(f"kept a copy: {shown(path)}")
    for output in made.outputs:
        session.tell(f"{output.status:<8} {shown(output.path)}")
    changes = made.changes()
    fsio.commit(root, changes)
    _name_written(session, [o for o in made.outputs if o.status != "unchanged"])
    if not session.status():
        _remember(session, made)
    count = len(made.outputs)
    return f"{len(changes)} of {count} file{'s' * (count != 1)} written"


def _name_written(session: Session, written: list[plan.Output]) -> None:
    """Print the names of the written files, unless -v has printed them already."""
    if session.args.format != "text" or session.args.verbose:
        return
    for output in written[:_NAMED]:
        session.say(f"{output.status:<8} {shown(output.path)}")
    if len(written) > _NAMED:
        session.say(f"and {len(written) - _NAMED} more, which -v names")


def _remember(session: Session, made: plan.Plan) -> None:
    """Record the run, so that the next run can skip what has not changed."""
    record, slices = session.record, session.slices
    assert record is not None
    # The files that schema files import are known only after the run.
    for path in depfile.imported_by(session):
        record.add(path, None)
    if session.args.depfile:
        record.add(session.args.depfile, None)
    if slices is not None:
        for name, key, paths in made.rendered:
            slices.rendered(name, key, paths)
    packed = slices.packed() if slices is not None else cache.read_slices(record.root)
    contents = {o.path: o.new for o in made.outputs}
    record.write(contents, made.orphans, made.blocks, packed)


def _dry_run(session: Session) -> int:
    """Print what `generate` would do; only the findings after errors in a machine format."""
    made = _plan(session)
    refused = session.status() != OK and session.args.format != "text"
    session.show(beside=made is not None and not refused)
    for output in made.outputs if made is not None and not refused else []:
        print(f"{output.status:<9} {shown(output.path)}")
    return session.status()


def check(session: Session) -> int:
    """Check that all outputs are current; write nothing."""
    made = _plan(session)
    stale = [o for o in made.outputs if o.status != "unchanged"] if made else []
    session.show()
    for output in stale:
        if session.args.format == "text":
            if session.args.quiet:
                print(shown(output.path))
            else:
                sys.stdout.write(output.diff())
    if session.status():
        return session.status()
    if stale:
        session.say(
            f"{len(stale)} stale file{'s' * (len(stale) != 1)}; run tvm-ffi-schema generate"
        )
        return FINDINGS
    session.say("all files are current")
    return OK


def _orphans(session: Session, made: plan.Plan) -> list[str]:
    """Return the generated files that the last run wrote, or `check` finds, without a source."""
    from ..back.cpp_file import is_generated

    config = session.config
    expected = {os.path.realpath(output.path) for output in made.outputs}
    found = list(session.record.outputs) if session.record else []
    named = session.args.paths or session.args.to
    if session.args.command == "check" and config.mode == "full" and not named:
        roots = {config.cpp_include_root, config.cpp_source_root, config.python_root, DOCS_ROOT}
        for root in sorted(roots | {config.rust_root}):
            is_project = os.path.normpath(root) == "."
            for folder, folders, names in os.walk(os.path.join(config.root, root)):
                folders[:] = [] if is_project else folders
                found += [os.path.join(folder, name) for name in names]
    return [
        path
        for path in dict.fromkeys(map(os.path.normpath, found))
        if os.path.realpath(path) not in expected and is_generated(path)
    ]
