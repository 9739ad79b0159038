# SPDX-License-Identifier: Apache-2.0
"""Write the Python stub of the classes of a module."""

from __future__ import annotations

from collections import Counter

from ..ir import FieldDef, MethodDef, Module
from ..link.program import Class, Program
from . import cpp_width, python_method, python_width
from .cpp_file import FIRST_LINE
from .python_type import PythonNames, base_of, import_line, is_keyword, python_name, relative
from .writer import Pieces

# The largest width of a signature on one line, without the indentation of a class.
_WIDTH = 96


def stub(program: Program, module: Module, name: str, classes: list[Class]) -> Pieces:
    """Return the stub of a module."""
    names = PythonNames(program, name)
    body: Pieces = []
    for cls in classes:
        body += ["", *_class(cls, names)]
    lines = [f"# {FIRST_LINE} {module.path or module.stem}."]
    package = name.rpartition(".")[0]
    lines += (
        line
        for other, found in sorted(names.imports.items())
        for line in python_width.broken(import_line(relative(other, package), found))
    )
    return [*lines, *sorted(names.lines), *body]


def _class(cls: Class, names: PythonNames) -> Pieces:
    out: Pieces = [f"class {python_name(cls)}({base_of(cls, names)}):"]
    for one in cls.d.fields:
        if one.reflect and not is_keyword(one):
            out += _field(cls, one, names)
    if cls.d.enum is not None:
        mark = names.need("typing", "ClassVar")
        out += [f"    {e.name}: {mark}[{python_name(cls)}]" for e in cls.entries]
    elif cls.d.ctor and not cls.d.abstract:
        out += _init(cls, names)
    counts = Counter(m.name for m in cls.native)
    for method in cls.d.methods:
        if method.native and method.name != "__init__":
            if counts[method.name] > 1:
                out.append(f"    @{names.need('typing', 'overload')}")
            out += _method(method, names)
        elif method.python_code:
            out += python_method.declaration(cls, method, names)
    return out if len(out) > 1 else [f"{out[0]} ..."]


def _field(cls: Class, one: FieldDef, names: PythonNames) -> list[str]:
    name = one.reflected_name or one.name
    type_ = names.accepted(one.type, one.default)
    if cls.is_writable(one):
        return [f"    {name}: {type_}"]
    line = f"def {name}(self) -> {type_}: ..."
    return _indented([f"@{names.need('builtins', 'property')}", line])


def _init(cls: Class, names: PythonNames) -> list[str]:
    if cls.hand_inits:
        lines = []
        for method in cls.hand_inits:
            if len(cls.hand_inits) > 1:
                lines.append(f"    @{names.need('typing', 'overload')}")
            lines += _method(method, names)
        return lines
    fields = [one for one in cls.init_fields() if one.reflect and not is_keyword(one)]
    parameters = [
        (one.reflected_name or one.name, names.accepted(one.type, one.default), names.default(one))
        for one in fields
    ]
    starred = next((at for at, one in enumerate(fields) if one.kw_only), None)
    return _function("__init__", parameters, "None", starred=starred)


def _method(method: MethodDef, names: PythonNames) -> list[str]:
    parameters = [
        (
            one.name,
            names.accepted(one.type, one.default),
            "" if one.default is None else names.typed(one.default.value, one.type),
        )
        for one in method.params
    ]
    return _function(method.name, parameters, names.type(method.returns), method.static)


def _function(
    name: str,
    parameters: list[tuple[str, str, str]],
    result: str,
    is_static: bool = False,
    starred: int | None = None,
) -> list[str]:
    """Return a signature; a parameter has a name, a type, and a default, which may be empty.

    The parameter with the index `starred` is the first keyword-only parameter.
    """
    texts = [f"{one}: {type_}{' = ' * bool(value)}{value}" for one, type_, value in parameters]
    if starred is not None:
        texts.insert(starred, "*")
    if not is_static:
        texts.insert(0, "_self" if any(one == "self" for one, *_ in parameters) else "self")
    lines = ["@staticmethod"] if is_static else []
    line = f"def {name}({', '.join(texts)}) -> {result}: ..."
    if len(line) <= _WIDTH:
        return _indented([*lines, line])
    return _indented([*lines, f"def {name}(", *(f"    {p}," for p in texts), f") -> {result}: ..."])


def _indented(lines: list[str]) -> list[str]:
    """Return a signature with the indentation of a class; break lines that are too wide."""
    out = []
    for line in lines:
        may_break = line.startswith("    ") and "'" not in line
        out += cpp_width.broken(f"    {line}") if may_break else [f"    {line}"]
    return out
