# SPDX-License-Identifier: Apache-2.0
"""The edits of ``validate --fix``: replace the text at a place, or insert it beside its neighbour.

The text is always what `lower` says, spelled for the namespace of the class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..back.cpp_layout import link
from ..cxx.constructs import TABLE
from ..cxx.model import Call, Sources, Statement, last_name
from ..diag import Edit
from ..ir import Span
from ..weave import markers
from .facts import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .class_check import ClassCheck

_REFL = "::tvm::ffi::reflection::"


def replace(c: ClassCheck, path: str, here: Fact, there: Fact) -> list[Edit]:
    """Replace a text by the text of the schema."""
    return [Edit(there.span, c.spelled[path].text)]


def base(c: ClassCheck, path: str, here: Fact, there: Fact) -> list[Edit]:
    """Replace the base of a reference class, if it is the only one."""
    return replace(c, path, here, there) if len(there.value) == 1 else []


def macro(c: ClassCheck, path: str, here: Fact, there: Fact) -> list[Edit]:
    """Replace the name of a macro by the name in the same dialect."""
    owner = c.there["ref"].value if path.startswith("ref/") else c.own
    if owner.macro is None:
        return []
    dialect = "classic" if owner.macro.is_classic else "modern"
    row = TABLE.row("BODY", owner.macro.kind, here.value, dialect)
    return [Edit(there.span, row.first)] if row.holes == set(owner.macro.values) else []


def constant(c: ClassCheck, path: str, here: Fact | None, there: Fact | None) -> list[Edit]:
    """Replace the value of a constant, or insert the constant above the macro of the class."""
    row = TABLE.row("BODY", path.rpartition("/")[2])
    value = here.value if here is not None else c.usual(path)
    if there is not None:
        return [Edit(there.span, value)] if row.constant in c.own.constants else []
    if c.own.macro is None:
        return []
    indent = " " * (c.own.macro.word.col - 1)
    return [Edit(_before(c.own.macro.word), f"{row.write({'value': value})};\n{indent}")]


def entry(c: ClassCheck, path: str, here: Fact, there: None) -> list[Edit]:
    """Insert the call that registers a field behind the last call, if the member exists."""
    call: Call = c.spelled[path].value
    statement = c.object_statements[0]
    if f"fields/{c.member_of(call.text('name'))}" not in c.there:
        return []
    member = f"{statement.target}::{last_name(call.text('member'))}"
    text = call.row.call({**call.values, "member": member}, _prefix(statement))
    return [Edit(_after(statement.end), "\n" + "\n".join(link(text)))]


def flags(c: ClassCheck, path: str, here: Fact, there: Fact) -> list[Edit]:
    """Remove and insert flags of a registered member."""
    call: Call = c.there[path.rpartition("/")[0]].value
    if call.row.holes != {"name", "member", "traits"}:
        return []  # an expression is registered; the place of its end is not known
    expected = c.spelled[path].value
    places = [call.place("member"), *(trait.span for trait in call.items("traits"))]
    edits = []
    for before, trait in zip(places, call.items("traits")):
        if any(trait is there.value[name] for name in set(there.value) - set(expected)):
            at = Span(trait.span.file, before.end_line, before.end_col, *_end(trait.span))
            edits.append(Edit(at, ""))
    missing = [expected[name].write(_prefix(c.object_statements[0])) for name in expected]
    missing = [text for name, text in zip(expected, missing) if name not in there.value]
    gone = [trait for name, trait in there.value.items() if name not in expected]
    kept = [t.span for t in call.items("traits") if t.kind != "doc" and t not in gone]
    last = [places[0], *kept][-1]
    text = "".join(f", {one}" for one in missing)
    return [*edits, Edit(_after(last), text)] if text else edits


def registration(c: ClassCheck) -> list[Edit]:
    """Insert the registration of a class behind the registration of another class.

    The result is empty if there is no suitable place, or if C++ members are missing.
    """
    chain = next(_neighbours(c), None)
    members = {member.name for member in c.found.members}
    native = {m.cpp_name or m.name for m in c.cls.native} - {"__init__"}
    whole = all(c.member_of(name) in members for name in c.reflected)
    if chain is None or chain.stop is None or not (whole and native <= set(c.found.methods)):
        return []
    text = "".join("\n" + line for line in c.statements())
    if chain.place.scope != c.own.place.scope:
        text = re.sub(rf"(?<!::)\b{c.cls.obj}\b", f"::{c.own.full}", text)
    return [Edit(_after(chain.stop), text.replace("refl::", _REFL))]


def _neighbours(c: ClassCheck) -> Iterator[Statement]:
    """Yield the registrations after which a class can be registered, the best one first.

    Each of them is outside of classes, in a file that declares this class or includes its file.
    """
    found = []
    there = c.found.span.file
    for number, chain in enumerate(c.sources.statements):
        here = chain.span.file
        if chain.owner or chain.kind != "object" or chain.stop is None:
            continue
        if here == there and chain.span.line <= c.found.span.end_line:
            continue
        other = c.lookup.find(chain.target, chain.place)
        beside = other is not None and other.span.file == there
        if here == there or beside or _sees(here, there, c.sources):
            other_scope = chain.place.scope != c.own.place.scope
            found.append((other_scope, not beside, -number, chain))
    found.sort(key=lambda item: item[:3])
    yield from (item[3] for item in found)


def _sees(file: str, header: str, sources: Sources) -> bool:
    """Return whether a file includes a header, directly or through other known files."""
    paths = {path: "/" + path for path in sources.includes}
    todo, seen = [file], {file}
    while todo:
        for name in sources.includes.get(todo.pop(), ()):
            for path, whole in paths.items():
                if whole.endswith("/" + name) and path not in seen:
                    seen.add(path)
                    todo.append(path)
    return header in seen


def _prefix(statement: Statement) -> str:
    """Return the qualifier of traits; the word `NodeDef` is in another namespace than they are."""
    return _REFL if statement.word == "NodeDef" else statement.prefix or _REFL


def _before(span: Span) -> Span:
    return Span(span.file, span.line, span.col, span.line, span.col)


def _after(span: Span) -> Span:
    return Span(span.file, *_end(span), *_end(span))


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_col


def generated_lines(path: str, text: str, whole: bool) -> set[int]:
    """Return the numbers of the generated lines, whose edits a run of `generate` would undo."""
    from ..diag import Bag

    parsed = markers.parse(path, text, Bag(), whole=whole)
    lines: set[int] = set()
    for block in parsed.blocks:
        lines.update(range(block.first + 1, block.last + 2))
        for custom in block.customs:
            lines.difference_update(
                range(custom.span.line, custom.span.line + len(custom.lines) + 2)
            )
    return lines
