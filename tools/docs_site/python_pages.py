# SPDX-License-Identifier: Apache-2.0
"""Write the reference pages of the Python package, one for each public module."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.ext.napoleon import Config, NumpyDocstring

from docs_site import python_names
from docs_site.python_names import Entry
from docs_site.staging import write_if_changed

_CONFIG = Config(napoleon_use_rtype=False, napoleon_use_ivar=True)
_DIRECTIVES = {"data": "data", "property": "property", "attribute": "attribute"}
_ADDRESS = re.compile(r"<(\S+) (?:object )?at 0x[0-9a-f]+>")


def write(target: Path) -> int:
    """Write all pages into a folder; return the number of entries."""
    index = ["Python reference", "================", "", _INTRODUCTION, ""]
    toctree = [".. toctree::", "   :hidden:", ""]
    count = 0
    for name, text, entries in python_names.modules():
        write_if_changed(target / f"{name}.rst", _page(name, text, entries))
        summary = text.split("\n\n")[0].replace("\n", " ")
        index += [f":doc:`{name}`", f"   {summary}", ""]
        toctree.append(f"   {name}")
        count += len(entries) + sum(len(entry.members) for entry in entries)
    write_if_changed(target / "index.rst", "\n".join([*index, *toctree, ""]))
    return count


_INTRODUCTION = """Every public name of the package ``tvm_ffi``, with its types and errors. A name that several
modules offer has its entry on the page of the module that stands first in this list."""


def _page(name: str, text: str, entries: list[Entry]) -> str:
    lines = [name, "=" * len(name), "", f".. py:module:: {name}", "", _body(text), ""]
    elsewhere = sorted(_elsewhere(name, {entry.name for entry in entries}))
    if elsewhere:
        links = ", ".join(f":py:obj:`{name} <{full}>`" for name, full in elsewhere)
        lines += [f"Names with their entry on another page: {links}.", ""]
    constants = [e for e in entries if e.kind == "data"]
    for title, part in (
        ("Classes", [e for e in entries if e.kind == "class"]),
        ("Functions", [e for e in entries if e.kind == "function"]),
        ("Values", constants),
    ):
        if part:
            lines += [title, "-" * len(title), ""]
            for entry in sorted(part, key=lambda e: e.name.lower()):
                lines += _entry(entry, "")
    return "\n".join(lines)


def _elsewhere(module: str, here: set[str]) -> list[tuple[str, str]]:
    """Return (name, full name of its entry) for the names whose entry is on another page."""
    import importlib

    names = getattr(importlib.import_module(module), "__all__", ())
    entries = {entry.name: entry.full_name for _, _, found in _ALL() for entry in found}
    return [(name, entries[name]) for name in names if name not in here and name in entries]


def _ALL() -> list[tuple[str, str, list[Entry]]]:  # noqa: N802
    return python_names.modules()


def _entry(entry: Entry, indent: str) -> list[str]:
    kind = _DIRECTIVES.get(entry.kind, entry.kind)
    short = entry.name if not indent else entry.name.rpartition(".")[2]
    signature = _ADDRESS.sub(r"\1", (entry.signature or "").replace("'", ""))
    signature = signature.replace("\n", " ")
    if kind in ("method", "classmethod") and signature:
        signature = re.sub(r"\((self|cls|[a-z]+, /)(, /)?(, )?", "(", signature, count=1)
    if kind == "class":
        signature = re.sub(r"^\(self(, )?", "(", signature.replace(" -> None", ""))
    lines = [f"{indent}.. py:{kind}:: {short}{signature}"]
    if entry.type:
        lines.append(f"{indent}   :type: {entry.type}")
    lines.append("")
    body = _body(entry.doc)
    lines += [f"{indent}   {line}".rstrip() for line in body.split("\n")] + [""]
    for member in sorted(entry.members, key=lambda e: e.name.lower()):
        lines += _entry(member, indent + "   ")
    return lines


def _body(doc: str) -> str:
    return str(NumpyDocstring(doc, _CONFIG)).strip("\n")
