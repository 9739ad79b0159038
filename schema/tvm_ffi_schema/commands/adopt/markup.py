# SPDX-License-Identifier: Apache-2.0
"""Insert markers into C++ texts: replace classes by blocks, and move other code into sections."""

from __future__ import annotations

from ...back.writer import CppOptions
from ...cxx.constructs import TABLE
from ...cxx.model import CppClass
from . import comments
from .body import CONSTANTS, Piece
from .class_def import Candidate
from .registered import Registration
from .tree import CppFile

_GONE_IN_CLASSIC = ("_type_has_method_sequal_reduce", "_type_has_method_shash_reduce")
_TYPES = ("using", "typedef", "enum", "struct", "class", "union")
_BEGIN, _END = "// tschema: custom-begin", "// tschema: custom-end"
Edit = tuple[int, int, str]


class Markup:
    """Collects edits of all files; a block in another dialect than the project states it."""

    def __init__(self, options: CppOptions) -> None:
        self.options = options
        self.edits: dict[str, list[Edit]] = {}
        self._files: dict[str, CppFile] = {}

    def add(self, file: CppFile, first: int, end: int, text: str) -> None:
        """Add an edit that replaces the range from `first` to `end` of a file."""
        self._files[file.path] = file
        self.edits.setdefault(file.path, []).append((first, end, text))

    def _option(self, is_classic: bool) -> str:
        dialect = "classic" if is_classic else "modern"
        return f" dialect={dialect}" if dialect != self.options.dialect else ""

    def object_class(self, one: Candidate, name: str) -> None:
        """Replace an object class by a block; `name` is the name in the marker."""
        option = self._option(one.is_classic)
        head, methods = _sections(one)
        text = f"// tschema: {name}{option}\n"
        text += _custom("head", head) + _custom("methods", methods) + "// tschema: end"
        self._put(one.file, one.found.first, one.found.closing + 2, text)

    def reference(
        self, one: Candidate, name: str, ref: CppClass, file: CppFile, pieces: list[Piece]
    ) -> None:
        """Replace a reference class by a block."""
        head, tail = _of_head(ref, file), list[Piece]()
        kept = head
        for piece in pieces:
            is_macro = piece.kind == "macro" and "OBJECT_REF_METHODS" in piece.names[0]
            kept = tail if is_macro else kept
            if is_macro or (one.has_ctor and piece.kind == "constructor"):
                kept += _comment(_lines(comments.inside(piece.text)), piece)
            else:
                kept.append(piece)
        text = f"// tschema: {name}{self._option(one.is_classic)}\n"
        text += _custom("head", _joined(head)) + _custom("tail", _joined(tail))
        self._put(file, ref.first, ref.closing + 2, text + "// tschema: end")

    def _put(self, file: CppFile, start: int, end: int, text: str) -> None:
        """Replace a range by lines; keep the indent, and put what follows on a line of its own."""
        line = file.text[file.text.rfind("\n", 0, start) + 1 : start]
        if line.strip():
            text = "\n" + text
        else:
            start -= len(line)
        stop = file.text.find("\n", end)
        rest = file.text[end : len(file.text) if stop < 0 else stop].rstrip("\r")
        if rest.strip():
            text += "\n"
        else:
            end += len(rest)
        self.add(file, start, end, text)

    def registration(self, one: Candidate, name: str, where: Registration) -> None:
        """Replace the statement that registers a class by a block, if it is not in the class."""
        if where.way == "inline" or one.by_hand:
            return
        file = where.file
        indent = "  " if where.way else ""
        held = _lines(comments.inside(file.text[where.first : where.end])).lstrip("\n")
        part = "statements" if where.way else "reflection"
        text = f"{indent}// tschema: {name}.{part}{self._option(one.is_classic)}\n"
        if where.needs_refl:
            text = f"{indent}namespace refl = {self.options.ffi}reflection;\n{text}"
        text += _custom("registration", f"{held}\n" if held else "") + f"{indent}// tschema: end"
        self._put(file, where.first, where.end, text)

    def texts(self) -> dict[str, str]:
        """Return path -> edited text, for each file that has edits."""
        return {path: _edited(self._files[path].text, edits) for path, edits in self.edits.items()}


def _edited(text: str, edits: list[Edit]) -> str:
    """Apply edits that do not overlap to a text; keep the order of edits of the same range."""
    eol = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    out: list[str] = []
    at = 0
    for first, end, new in sorted(edits, key=lambda edit: (edit[0], edit[1])):
        out += [text[at:first], new.replace("\r\n", "\n").replace("\n", eol)]
        at = end
    return "".join([*out, text[at:]])


def _custom(anchor: str, text: str) -> str:
    return f"{_BEGIN} {anchor}\n{text}{_END}\n" if text else ""


def _sections(one: Candidate) -> tuple[str, str]:
    """Return the texts of the custom sections `head` and `methods` of an object class."""
    numbers = [n for n, p in enumerate(one.pieces) if set(p.names) & set(one.members)]
    first, last = (numbers[0], numbers[-1]) if numbers else (0, -1)
    head = _of_head(one.found, one.file)
    rest: list[Piece] = []
    for number, piece in enumerate(one.pieces):
        is_inner = first < number < last
        is_type = piece.kind == "other" and bool(piece.code) and piece.code[0] in _TYPES
        may_be_used = is_inner and (is_type or piece.kind == "constant")
        into = head if number < first or may_be_used else rest
        if not _is_generated(one, piece):
            into.append(piece)
            continue
        into += _comment(_comments_of(one, piece), piece)
    return _joined(head), _joined(rest)


def _of_head(found: CppClass, file: CppFile) -> list[Piece]:
    """Return the comments between the first token of a class and its opening brace."""
    text = file.text[found.first : found.opening]
    return _comment(_lines(comments.inside(text)), Piece("label", [], "", found.span, []))


def _comment(text: str, where: Piece) -> list[Piece]:
    return [Piece("comment", [], text, where.span, [], access=where.access)] if text else []


def _is_generated(one: Candidate, piece: Piece) -> bool:
    if piece.kind == "field":
        return bool(set(piece.names) & set(one.members))
    if piece.kind == "constructor":
        return one.has_ctor
    if piece.kind == "macro":
        return any(piece.names[0] == row.first for row in TABLE.named("BODY", "info"))
    if piece.kind == "constant":
        more = _GONE_IN_CLASSIC if one.is_classic else ()
        return set(piece.names) <= CONSTANTS.union(more)
    if piece.kind == "method":
        if one.is_classic:
            return piece.names[0] == "VisitAttrs"
        is_ours = one.registration != "init-block" and not one.by_hand
        return is_ours and piece.names[0] == "RegisterReflection"
    return False


def _comments_of(one: Candidate, piece: Piece) -> str:
    """Return the comments of a declaration; empty if they become documentation."""
    if set(piece.names) & one.documented:
        return ""
    return _lines(comments.inside(piece.text))


def _lines(found: list[str]) -> str:
    lines = [line.strip() for one in found for line in one.splitlines() if line.strip()]
    return "".join(f"\n  {' ' * line.startswith('*')}{line}" for line in lines)


def _joined(pieces: list[Piece]) -> str:
    """Return pieces as the text of a custom section; code before and after it is public."""
    out: list[str] = []
    access = "public"
    for piece in pieces:
        if piece.kind == "label":
            out.append(_lines(comments.inside(piece.text)))
            continue
        if not piece.text.strip():
            continue
        if piece.access != access and piece.kind != "comment":
            out.append(f"{chr(10) * (2 if out else 1)} {piece.access}:")
            access = piece.access
        text = (
            piece.text if piece.text.lstrip(" \t").startswith(("\n", "\r")) else "\n" + piece.text
        )
        out.append(text)
    if access != "public":
        out.append("\n public:")
    lines = "".join(out).replace("\r\n", "\n").removeprefix("\n").rstrip("\n")
    return lines + "\n" if lines.strip() else ""
