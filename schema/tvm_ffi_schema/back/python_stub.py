# SPDX-License-Identifier: Apache-2.0
"""Write the Python stub of the classes of a module."""

from __future__ import annotations

from collections import Counter

from ..ir import FieldDef, MethodDef, Module
from ..link.program import Class, Program
from . import cpp_width, python_method, python_text, python_width
from .cpp_file import FIRST_LINE
from .python_type import PythonNames, base_of, is_keyword, python_name, relative
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
        for whole in python_text.import_lines({relative(other, package): found})
        for line in python_width.broken(whole)
    )
    return [*lines, *sorted(names.lines), *body]


def _class(cls: Class, names: PythonNames) -> Pieces:
    out: Pieces = [f"class {python_name(cls)}({base_of(cls, names)}):"]
    for one in cls.d.fields:
        if one.reflect and not is_keyword(one):
            out += _field(cls, one, names)
    if cls.d.enum is not None:
        mark = names.need("typing", "ClassVar")
        out += [f"    {e.name}: {mark}[{python_name(cls)}]" for e in cls.d.enum.entries]
    elif cls.d.ctor and not cls.d.abstract:
        out += _init(cls, names)
    counts = Counter(m.name for m in cls.d.methods if m.native)
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
    writable = one.frozen is False or (cls.d.mutable and one.frozen is not True)
    type_ = names.accepted(one.type, one.default)
    if writable:
        return [f"    {name}: {type_}"]
    return _member(
        [f"@{names.need('builtins', 'property')}", *python_text.function(name, ["self"], type_)]
    )


def _init(cls: Class, names: PythonNames) -> list[str]:
    by_hand = [m for m in cls.d.methods if m.native and m.name == "__init__"]
    if by_hand:
        lines = []
        for method in by_hand:
            if len(by_hand) > 1:
                lines.append(f"    @{names.need('typing', 'overload')}")
            lines += _method(method, names)
        return lines
    parameters = [
        python_text.Parameter(
            one.reflected_name or one.name,
            names.accepted(one.type, one.default),
            names.default(one),
            one.kw_only,
        )
        for one in cls.init_fields()
        if one.reflect and not is_keyword(one)
    ]
    taken = any(one.name == "self" for one in parameters)
    texts = python_text.parameter_list(parameters, "_self" if taken else "self")
    return _member(python_text.function("__init__", texts, "None", width=_WIDTH))


def _method(method: MethodDef, names: PythonNames) -> list[str]:
    parameters = [
        python_text.Parameter(
            one.name,
            names.accepted(one.type, one.default),
            "" if one.default is None else names.typed(one.default.value, one.type),
        )
        for one in method.params
    ]
    receiver = "_self" if any(one.name == "self" for one in method.params) else "self"
    texts = python_text.parameter_list(parameters, "" if method.static else receiver)
    returns = names.type(method.returns) if method.returns.origin != "None" else "None"
    static = method.static
    lines = python_text.function(method.name, texts, returns, is_static=static, width=_WIDTH)
    return _member(lines)


def _member(lines: list[str]) -> list[str]:
    """Return a signature with the indentation of a class; break lines that are too wide."""
    out = []
    for line in lines:
        may_break = line.startswith("    ") and "'" not in line
        out += cpp_width.broken(f"    {line}") if may_break else [f"    {line}"]
    return out
