# SPDX-License-Identifier: Apache-2.0
"""Write one HTML file for a whole schema: tables, an inheritance diagram as SVG, a search box."""

from __future__ import annotations

from html import escape

from ..link.program import Class, Foreign, Program
from .cpp_file import FIRST_LINE
from .docs_facts import Table, tables, used_by
from .writer import Pieces

_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}"
    "code{background:#f4f4f4}svg text{font:13px monospace}"
)
#: A script that shows the search box, and hides sections that lack a searched word. A browser that
#: does not run scripts shows all sections and no search box.
_SEARCH = (
    "var box=document.getElementById('search');box.hidden=false;"
    "box.oninput=function(){var words=box.value.toLowerCase().split(/\\s+/);"
    "document.querySelectorAll('section').forEach(function(one){"
    "one.hidden=!words.every(function(w){return one.dataset.words.indexOf(w)>=0})})}"
)
_ROW, _INDENT = 22, 24


def page(program: Program) -> Pieces:
    """Return the HTML page for a whole schema."""
    out = [
        f"<!-- {FIRST_LINE} the schema. -->",
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8"><title>Object schema</title>',
        f"<style>{_STYLE}</style></head><body>",
        "<h1>Object schema</h1>",
        '<p><input id="search" type="search" placeholder="search classes and fields" hidden></p>',
        *_tree(program),
    ]
    users = used_by(program)
    for cls in program.order:
        out += _class(program, cls, users.get(cls.type_key, []))
    return [*out, f"<script>{_SEARCH}</script>", "</body></html>"]


def _tree(program: Program) -> list[str]:
    """Draw the inheritance diagram: one row per class, children indented below their parent."""
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


def _class(program: Program, cls: Class, users: list[tuple[str, str]]) -> list[str]:
    key, doc = escape(cls.type_key), cls.d.doc
    out = [
        f'<section data-words="{escape(_words(cls))}">',
        f'<h2 id="{key}">{_safe(cls.d.name)}</h2>',
    ]
    parent = _link(program, cls.parent.type_key)
    out.append(f"<p><code>{key}</code>, derives from {parent}</p>")
    if cls.d.deprecated:
        out.append(f"<p><strong>Deprecated:</strong> {_safe(cls.d.deprecated)}</p>")
    for text in (doc.summary, doc.text, doc.notes):
        if text:
            out.append(f"<p>{_safe(text)}</p>")
    if doc.examples:
        out.append(f"<pre>{_safe(doc.examples)}</pre>")
    if doc.see_also:
        names = ", ".join(f"<code>{_safe(name)}</code>" for name in doc.see_also)
        out.append(f"<p>See also: {names}</p>")
    for table in tables(program, cls):
        out += [f"<h3>{_safe(table.title)}</h3>", *_table(table)]
    if users:
        links = ", ".join(f"{_link(program, k)} (<code>{_safe(n)}</code>)" for k, n in users)
        out.append(f"<p>Used by: {links}</p>")
    return [*out, "</section>"]


def _words(cls: Class) -> str:
    """Return the words that the search box compares with the input, in lower case."""
    fields = [one.reflected_name or one.name for one in cls.d.fields]
    entries = [one.name for one in cls.d.enum.entries] if cls.d.enum is not None else []
    methods = [one.name for one in cls.d.methods]
    words = [cls.type_key, cls.d.name, cls.ref, *fields, *entries, *methods, cls.d.doc.summary]
    return " ".join(" ".join(words).lower().split())


def _table(table: Table) -> list[str]:
    out = ["<table><tr>" + "".join(f"<th>{_safe(text)}</th>" for text in table.head) + "</tr>"]
    for row in table.rows:
        cells = (
            f"<code>{_safe(text)}</code>" if at in table.code and text else _safe(text)
            for at, text in enumerate(row)
        )
        out.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return [*out, "</table>"]


def _link(program: Program, key: str) -> str:
    code = f"<code>{escape(key)}</code>"
    return f'<a href="#{escape(key)}">{code}</a>' if key in program.classes else code


def _safe(text: str) -> str:
    return escape(text)
