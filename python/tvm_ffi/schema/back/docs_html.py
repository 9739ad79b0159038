# SPDX-License-Identifier: Apache-2.0
"""One HTML file for a whole schema: tables, an inheritance diagram as SVG, no scripts."""

from __future__ import annotations

from html import escape

from ..front.fields import describe
from ..passes.program import Class, Foreign, Program
from .cpp_file import FIRST_LINE
from .writer import Pieces

_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}"
    "code{background:#f4f4f4}svg text{font:13px monospace}"
)
_ROW, _INDENT = 22, 24


def page(program: Program) -> Pieces:
    """Return the page."""
    out = [
        f"<!-- {FIRST_LINE} the schema. -->",
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8"><title>Object schema</title>',
        f"<style>{_STYLE}</style></head><body>",
        "<h1>Object schema</h1>",
        *_tree(program),
    ]
    for cls in program.order:
        out += _class(cls)
    return [*out, "</body></html>"]


def _tree(program: Program) -> list[str]:
    """Draw the forest of classes: one row each, children indented below their parent."""
    rows: list[tuple[int, Class]] = []
    roots = [c for c in program.order if isinstance(c.parent, Foreign)]
    stack = [(0, c) for c in reversed(roots)]
    while stack:
        depth, cls = stack.pop()
        rows.append((depth, cls))
        stack += [(depth + 1, child) for child in reversed(cls.children)]
    height = _ROW * len(rows) + 8
    width = max([40 * _INDENT, *((d + 1) * _INDENT + 9 * len(c.d.name) for d, c in rows)])
    out = [f'<svg width="{width}" height="{height}" role="img" aria-label="class diagram">']
    at: dict[int, int] = {}
    for number, (depth, cls) in enumerate(rows):
        y = number * _ROW + 18
        x = depth * _INDENT + 8
        if depth:
            top = at[depth - 1]
            corner = x - _INDENT + 6
            path = f"M{corner} {top + 4}V{y - 4}H{x - 2}"
            out.append(f'<path d="{path}" fill="none" stroke="#888"/>')
        at[depth] = y
        name = escape(cls.d.name)
        out.append(f'<a href="#{escape(cls.type_key)}"><text x="{x}" y="{y}">{name}</text></a>')
    return [*out, "</svg>"]


def _class(cls: Class) -> list[str]:
    out = [f'<h2 id="{escape(cls.type_key)}">{escape(cls.d.name)}</h2>']
    parent = escape(cls.parent.type_key)
    out.append(
        f"<p><code>{escape(cls.type_key)}</code>, derives from "
        f'<a href="#{parent}"><code>{parent}</code></a></p>'
    )
    for text in (cls.d.doc.summary, cls.d.doc.text):
        if text:
            out.append(f"<p>{escape(text)}</p>")
    if cls.d.fields:
        out.append("<table><tr><th>field</th><th>type</th><th>description</th></tr>")
        for one in cls.d.fields:
            cells = (
                f"<code>{escape(one.name)}</code>",
                f"<code>{escape(describe(one.type))}</code>",
            )
            words = "".join(f"<td>{cell}</td>" for cell in (*cells, escape(one.doc)))
            out.append(f"<tr>{words}</tr>")
        out.append("</table>")
    if cls.d.enum is not None:
        names = ", ".join(f"<code>{escape(e.name)}</code>" for e in cls.d.enum.entries)
        out.append(f"<p>Entries: {names}</p>")
    return out
