# SPDX-License-Identifier: Apache-2.0
"""Write the reference pages of the C and C++ headers, one for each public header."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from docs_site import cpp_names
from docs_site.cpp_names import Name, is_of_c
from docs_site.staging import write_if_changed

_CPP = {
    "class": "class",
    "struct": "struct",
    "union": "union",
    "function": "function",
    "variable": "var",
    "typedef": "type",
    "enum": "enum",
    "enumvalue": "enumerator",
}
_C = {**_CPP, "variable": "member", "define": "macro"}
_PARTS = (
    ("Classes", ("class", "struct", "union")),
    ("Functions", ("function",)),
    ("Types and enumerations", ("typedef", "enum", "enumvalue")),
    ("Variables", ("variable",)),
    ("Macros", ("define",)),
)


def write(xml: Path, cpp: Path, c: Path) -> list[Path]:
    """Write the pages of C++ headers to ``cpp`` and of C headers to ``c``; return the files."""
    texts = cpp_names.header_texts(xml)
    by_header: dict[str, list[Name]] = defaultdict(list)
    written = []
    for name in cpp_names.names(xml):
        by_header[name.header].append(name)
    for folder, title, introduction, language in (
        (cpp, "C++ reference", _CPP_INTRODUCTION, "cpp"),
        (c, "C reference", _C_INTRODUCTION, "c"),
    ):
        headers = [h for h in sorted(texts) if is_of_c(h) == (language == "c")]
        index = [title, "=" * len(title), "", introduction, ""]
        toctree = [".. toctree::", "   :hidden:", ""]
        for header in headers:
            if not by_header[header]:
                continue
            page = header.removesuffix(".h").replace("/", "-")
            text = texts[header]
            written.append(folder / f"{page}.rst")
            write_if_changed(written[-1], _page(header, text, by_header[header]))
            summary = text.split("\n\n")[0].replace("\n", " ")
            index += [f":doc:`tvm/ffi/{header} <{page}>`", f"   {summary}", ""]
            toctree.append(f"   tvm/ffi/{header} <{page}>")
        written.append(folder / "index.rst")
        write_if_changed(written[-1], "\n".join([*index, *toctree, ""]))
    return written


_CPP_INTRODUCTION = """Every public name of the headers, which are C++17 and need no library but
``libtvm_ffi``. Include ``tvm/ffi/tvm_ffi.h`` for the most common ones. Names are in namespace
``tvm::ffi``; what a private header (``detail/``) declares is not listed, and may change.

Conversions between values raise ``tvm::ffi::Error`` with kind ``TypeError``; each entry names
further errors.
"""
_C_INTRODUCTION = """The C headers. Unless its entry says otherwise, a function returns 0, or -1
with an error raised; its arguments are borrowed and its results are owned. :doc:`/reference/c-abi`
describes the binary layout, and has a complete program."""


def _page(header: str, text: str, names: list[Name]) -> str:
    in_c = is_of_c(header)
    title = f"tvm/ffi/{header}"
    lines = [title, "=" * len(title), "", text, "", f"``#include <{title}>``", ""]
    scopes = {name.qualified for name in names if name.kind in ("class", "struct", "union", "enum")}
    members: dict[str, list[Name]] = defaultdict(list)
    top = []
    for name in names:
        if name.scope in scopes:
            members[name.scope].append(name)
        else:
            top.append(name)
    if in_c:
        _put_values_into_their_enums(top, members)
    for heading, kinds in _PARTS:
        part = [name for name in top if name.kind in kinds]
        if part:
            lines += [heading, "-" * len(heading), ""]
            for name in part:
                lines += _entry(name, members, "", "c" if in_c else "cpp", name.scope)
    return "\n".join(lines)


def _put_values_into_their_enums(top: list[Name], members: dict[str, list[Name]]) -> None:
    enums = [name for name in top if name.kind == "enum"]
    for value in [name for name in top if name.kind == "enumvalue"]:
        owner = max((e for e in enums if e.line <= value.line), key=lambda e: e.line)
        members[owner.qualified].append(value)
        top.remove(value)


def _entry(
    name: Name, members: dict[str, list[Name]], indent: str, language: str, scope: str
) -> list[str]:
    directives = _C if language == "c" else _CPP
    if name.kind == "define":
        language = "c"
    kind = _C["define"] if name.kind == "define" else directives[name.kind]
    if name.kind == "typedef" and language == "c":
        kind = "type"
    declarations = [declaration for declaration, _ in name.declarations]
    if not indent and scope and language == "cpp":
        declarations = [_qualified(d, name.name, scope) for d in declarations]
    if kind == "enum" and language == "cpp" and name.scope and _is_strong(name, members):
        kind = "enum-class"
    lines = []
    texts = [text for _, text in name.declarations]
    if len(set(texts)) == 1:
        groups = [(declarations, texts[0])]
    else:
        groups = [([d], t) for d, t in zip(declarations, texts, strict=True)]
    for listed, text in groups:
        start = f"{indent}.. {language}:{kind}:: "
        lines += [start + listed[0]]
        lines += [" " * len(start) + declaration for declaration in listed[1:]]
        lines += ["", *(f"{indent}   {line}".rstrip() for line in text.split("\n")), ""]
    scoped = name.kind in ("class", "struct", "union", "enum")
    for member in members.get(name.qualified, []) if scoped else []:
        lines += _entry(member, members, indent + "   ", language, scope)
    return lines


def _is_strong(name: Name, members: dict[str, list[Name]]) -> bool:
    return bool(members.get(name.qualified))


def _qualified(declaration: str, name: str, scope: str) -> str:
    """Return a declaration with ``scope::`` in front of the declared name."""
    position = declaration.find(f"{name}(")
    if position >= 0:
        return f"{declaration[:position]}{scope}::{declaration[position:]}"
    position = declaration.rfind(name)
    return f"{declaration[:position]}{scope}::{declaration[position:]}"
