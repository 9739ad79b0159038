# SPDX-License-Identifier: Apache-2.0
"""Convert Doxygen comments to documentation of the schema."""

from __future__ import annotations

import re

from ...back.writer import one_line
from ...files import tokens
from ...ir import Doc

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DOXYGEN = re.compile(r"\s*(?:/\*[*!]|//[/!])")
_LEADER = re.compile(r"[ \t]*(?:/\*[*!]?<?|//[/!]?<?|\*(?!/))?[ \t]?")
_COMMAND = re.compile(r"[\\@](?P<name>[a-z]+)\b[ \t]*(?P<rest>.*)", re.DOTALL)
_WORK = re.compile(r"NOLINT|TODO|FIXME|XXX|clang-format|tschema")


def inside(text: str) -> list[str]:
    """Return the comments of C++ code."""
    return [found for kind, found, _ in tokens.scan(text) if kind in ("line", "block")]


def is_only_comments(text: str) -> bool:
    """Return whether a text consists only of comments and white space."""
    return bool(_COMMENT.search(text)) and not _COMMENT.sub("", text).strip()


def last_block(text: str) -> str:
    """Return the comments after the last blank line of a text that begins behind code.

    Return the empty text if there is no blank line, or if a directive comes after it.
    """
    start = len(text)
    for kind, found, at in tokens.scan(text):
        if kind == "space" and found.count("\n") > 1:
            start = at + found.rindex("\n") + 1
        elif kind not in ("space", "line", "block"):
            start = len(text)
    return text[start:]


def of_field(text: str) -> str | None:
    """Return the summary in the comments of a field; None if they contain more than a summary."""
    if _WORK.search(text):
        return None
    doc = read(text, is_doxygen=False)
    if doc is None or doc.text or doc.notes or doc.see_also:
        return None
    return doc.summary


def read(text: str, is_doxygen: bool = True) -> Doc | None:
    """Return the documentation in a comment; None if a schema cannot express the comment.

    With `is_doxygen`, also return None for a comment that Doxygen ignores.
    """
    if not is_only_comments(text) or (is_doxygen and _DOXYGEN.match(text) is None):
        return None
    summary = ""
    body: list[str] = []
    notes: list[str] = []
    see_also: list[str] = []
    for paragraph in _paragraphs(text):
        command = _COMMAND.match(paragraph)
        name = command["name"] if command is not None else ""
        rest = (command["rest"] if command is not None else paragraph).strip()
        if not name and not (summary or body):
            summary = one_line(rest)
        elif not name:
            body.append(rest)
        elif name == "brief" and not (summary or body):
            summary = one_line(rest)
        elif name == "note" and not notes:
            notes.append(rest)
        elif name in ("sa", "see") and rest.isidentifier():
            see_also.append(rest)
        else:
            return None
    if any(mark in "".join([summary, *body, *notes]) for mark in ("\\", "---", "===")):
        return None
    return Doc(
        summary=summary,
        text="\n\n".join(body),
        notes="\n".join(notes),
        see_also=tuple(see_also),
    )


def _paragraphs(text: str) -> list[str]:
    out: list[str] = []
    is_open = False
    for comment in _COMMENT.findall(text):
        inner = comment[:-2] if comment.startswith("/*") else comment
        for line in inner.splitlines():
            words = line[_LEADER.match(line).end() :].rstrip()  # type: ignore[union-attr]
            if not words:
                is_open = False
            elif not is_open or _COMMAND.match(words):
                out.append(words)
                is_open = True
            else:
                out[-1] += "\n" + words
    return out
