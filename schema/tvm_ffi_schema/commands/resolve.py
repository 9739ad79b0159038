# SPDX-License-Identifier: Apache-2.0
"""``resolve``: merge conflicts in generated text, and hand edits of it.

A conflict that lies in generated text is taken from either side, since that text is made anew; a
conflict in a custom section is left for its author. With ``--adopt-edits``, lines of a block that
the schema does not produce move into a custom section.
"""

from __future__ import annotations

from .. import plan, source
from ..back.writer import lines_of
from ..diag import Bag
from ..ir import Span
from ..source import shown
from ..weave import fsio, markers, tokens
from ..weave.weave import Policy
from .session import OK, PROTECTED, Session


def resolve(session: Session) -> int:
    """Resolve what can be resolved in the named files; the rest is reported."""
    args = session.args
    changes = []
    for path in args.files:
        found = source.read(path, session.bag, "TS120")
        if found is None:
            continue
        text = _without_conflicts(found.text, shown(path), session.bag)
        if args.adopt_edits:
            text = _adopted(session, path, text)
        if text != found.text:
            changes.append(fsio.Change(path, found.encode(found.text), found.encode(text)))
    with fsio.reported(session.bag), fsio.lock(session.config.root, session.say):
        fsio.commit(session.config.root, changes)
    session.show()
    for change in changes:
        session.say(f"resolved {shown(change.path)}; run tvm-ffi-schema generate now")
    return session.status() or (PROTECTED if session.bag.has_errors else OK)


def _without_conflicts(text: str, path: str, bag: Bag) -> str:
    """Return a text whose conflicts outside custom sections take our side."""
    out: list[str] = []
    state = inside = ""
    pending: list[str] = []
    sides: dict[str, list[str]] = {}
    first = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if line.startswith("<<<<<<<") and not state:
            state, pending, sides, first = "ours", [line], {"ours": [], "theirs": []}, number
        elif state and line.startswith("|||||||"):
            state = "base"
            pending.append(line)
        elif state and line.startswith("======="):
            state = "theirs"
            pending.append(line)
        elif state and line.startswith(">>>>>>>"):
            pending.append(line)
            out += _decided(pending, sides, inside, path, first, bag)
            state = ""
        elif state:
            pending.append(line)
            sides.setdefault(state, []).append(line)
        else:
            if "tschema:" in line:
                inside = _inside(line, inside)
            out.append(line)
    return "".join(out + (pending if state else []))


def _inside(line: str, before: str) -> str:
    word = line.partition("tschema:")[2].strip()
    if word.startswith("custom-begin"):
        return "custom"
    if word.startswith("custom-end"):
        return "block"
    if word.startswith("end"):
        return ""
    return "block" if word not in ("on", "off") else before


def _decided(
    pending: list[str], sides: dict[str, list[str]], inside: str, path: str, line: int, bag: Bag
) -> list[str]:
    generated = inside == "block" or _are_end_markers(sides)
    if generated and not any("tschema: custom" in text for text in pending):
        return sides["ours"]
    text = "this conflict is in hand-written text"
    bag.add("TS110", text, Span(path, line), help="edit it, then run resolve again")
    return pending


def _are_end_markers(sides: dict[str, list[str]]) -> bool:
    lines = [line for side in ("ours", "theirs") for line in sides.get(side, ())]
    return bool(lines) and all("tschema: end" in line for line in lines)


def _adopted(session: Session, path: str, text: str) -> str:
    """Move lines that the schema does not produce into custom sections at their block's end."""
    program = session.program(session.args.schema)
    if program is None:
        return text
    options = plan.Options(policy=Policy(guard=session.config.guard), inplace_files=[path])
    emitter = plan.emitter(session.config, program, session.bag, options, path, text)
    parsed = markers.parse(shown(path), text, session.bag)
    lines = list(parsed.lines)
    for block in reversed(parsed.blocks):
        pieces = emitter(block)
        if pieces is None:
            continue
        made = list(lines_of(pieces, with_stubs=False))
        edits = _edits(block, made, parsed.language)
        if edits is None:
            text_ = f"the edit of {block.name} is not made of whole members"
            session.bag.add("TS108", text_, block.span, help="move it into the schema by hand")
            continue
        if edits:
            eol = "\r\n" if block.tail.endswith("\r\n") else "\n"
            section = [f"// tschema: custom-begin{eol}", *edits, f"// tschema: custom-end{eol}"]
            customs = [line for custom in block.customs for line in _lines_of(custom)]
            tail = f"// tschema: end{eol}"
            lines[block.first : block.last + 1] = [block.head, *customs, *section, tail]
    return "".join(lines)


def _lines_of(custom: markers.Custom) -> list[str]:
    return [custom.begin, *custom.lines, custom.end]


def _edits(block: markers.Block, made: list[str], language: str) -> list[str] | None:
    """Return the added lines of a block; None when lines were changed rather than added."""
    have = [tuple(tokens.stream(line, language)) for line in made]
    extra: list[str] = []
    missing = list(have)
    for line in block.generated:
        words = tuple(tokens.stream(line, language))
        if words and words in missing:
            missing.remove(words)
        elif words:
            extra.append(line)
    depth = sum(line.count("{") - line.count("}") for line in extra)
    left = [words for words in missing if words]
    whole = depth == 0 and (not extra or extra[-1].rstrip().endswith(("}", ";", "};")))
    return extra if whole and not left else None
