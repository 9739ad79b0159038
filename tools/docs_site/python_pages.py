# SPDX-License-Identifier: Apache-2.0
"""Write the reference pages of the Python package: one for each public module but ``tvm_ffi``.

The names of ``tvm_ffi`` have a page for each topic, which begins with what users call.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from sphinx.ext.napoleon import Config, NumpyDocstring

from docs_site import python_names
from docs_site.python_names import Entry
from docs_site.staging import write_if_changed

_CONFIG = Config(napoleon_use_rtype=False, napoleon_use_ivar=True)


#: Page -> its title, and the names of ``tvm_ffi`` on it, in order.
TOPICS = {
    "functions": (
        "Functions, modules and values",
        "load_module get_global_func Function register_global_func convert convert_func Module "
        "system_lib register_error init_ffi_api get_global_func_metadata remove_global_func CAny",
    ),
    "tensors": (
        "Tensors, devices and streams",
        "from_dlpack Tensor Shape device Device DLDeviceType use_torch_stream use_raw_stream "
        "get_raw_stream StreamContext",
    ),
    "dtypes": (
        "Data types",
        "dtype float32 float16 bfloat16 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
        "bool float8_e4m3fn float8_e5m2 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz "
        "float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu float6_e2m3fn float6_e3m2fn "
        "float4_e2m1fn float4_e2m1fnx2",
    ),
    "containers": ("Containers", "Array List Dict Map CContainerBase"),
    "objects": (
        "Objects and classes",
        "py_class register_object Object method ObjectConvertible get_type_attr set_type_attr "
        "format_full",
    ),
    "structure": (
        "Structural equality and traversal",
        "structural_equal structural_hash get_first_structural_mismatch StructuralKey "
        "structural_walk structural_map structural_visit structural_mutate WalkOrder WalkResult "
        "VisitInterrupt StructuralVisitor StructuralMutator InplaceMode DefRegionKind",
    ),
    "package": ("Version and library", "__version__ __version_tuple__ LIB"),
}


def write(target: Path) -> list[Path]:
    """Write all pages into a folder; return the files."""
    everything = python_names.modules()
    homes = {entry.name: entry.full_name for _, _, found in everything for entry in found}
    index = ["Python reference", "================", "", ".. py:module:: tvm_ffi", ""]
    pages = {}
    for name, text, entries in everything:
        if name == "tvm_ffi":
            index += [_body(text), "", _INTRODUCTION, ""]
            found = _topics(entries)
            pages.update(found)
            for page, (title, names) in TOPICS.items():
                links = ", ".join(f":py:obj:`{n} <{name}.{n}>`" for n in names.split()[:10])
                index += [f":doc:`{title} <{page}>`", f"   {links}", ""]
        else:
            pages[name] = _page(name, text, entries, homes)
            summary = text.split("\n\n")[0].replace("\n", " ")
            index += [f":doc:`{name}`", f"   {summary}", ""]
    index += [".. toctree::", "   :hidden:", "", *(f"   {page}" for page in pages), ""]
    pages["index"] = "\n".join(index)
    for page, text in pages.items():
        write_if_changed(target / f"{page}.rst", text)
    return [target / f"{page}.rst" for page in pages]


def _topics(entries: list[Entry]) -> dict[str, str]:
    """Return page -> text for the names of ``tvm_ffi``."""
    by_name = {entry.name: entry for entry in entries}
    pages = {}
    for page, (title, names) in TOPICS.items():
        lines = [title, "=" * len(title), "", ".. py:currentmodule:: tvm_ffi", ""]
        for name in names.split():
            lines += _entry(by_name.pop(name), "")
        pages[page] = "\n".join(lines)
    if by_name:
        raise SystemExit(f"{__file__}: TOPICS lacks {', '.join(by_name)}")
    return pages


_INTRODUCTION = """Every public name of the package, with its types and errors. A name that several
modules offer has its entry on the page that stands first in this list.
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
    kind = entry.kind
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
