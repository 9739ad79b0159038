# SPDX-License-Identifier: Apache-2.0
"""Write the reference pages of the Python package, one for each public module."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from sphinx.ext.napoleon import Config, NumpyDocstring

from docs_site import python_names
from docs_site.python_names import Entry
from docs_site.staging import write_if_changed

_CONFIG = Config(napoleon_use_rtype=False, napoleon_use_ivar=True)
_DIRECTIVES = {"data": "data", "property": "property", "attribute": "attribute"}


def write(target: Path) -> list[Path]:
    """Write all pages into a folder; return the files."""
    index = ["Python reference", "================", "", _INTRODUCTION, ""]
    toctree = [".. toctree::", "   :hidden:", ""]
    written = [target / "index.rst"]
    everything = python_names.modules()
    homes = {entry.name: entry.full_name for _, _, found in everything for entry in found}
    for name, text, entries in everything:
        written.append(target / f"{name}.rst")
        write_if_changed(written[-1], _page(name, text, entries, homes))
        summary = text.split("\n\n")[0].replace("\n", " ")
        index += [f":doc:`{name}`", f"   {summary}", ""]
        toctree.append(f"   {name}")
    write_if_changed(written[0], "\n".join([*index, *toctree, ""]))
    return written


_INTRODUCTION = """Every public name of the package ``tvm_ffi``, with its types and errors. A name
that several modules offer has its entry on the page of the module that stands first in this list.
"""


def _page(name: str, text: str, entries: list[Entry], homes: dict[str, str]) -> str:
    lines = [name, "=" * len(name), "", f".. py:module:: {name}", "", _body(text), ""]
    here = {entry.name for entry in entries}
    offered = getattr(importlib.import_module(name), "__all__", ())
    elsewhere = sorted((n, homes[n]) for n in offered if n not in here and n in homes)
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


def _entry(entry: Entry, indent: str) -> list[str]:
    kind = _DIRECTIVES.get(entry.kind, entry.kind)
    short = entry.name if not indent else entry.name.rpartition(".")[2]
    signature = python_names.printable(entry.signature or "")
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
