# SPDX-License-Identifier: Apache-2.0
"""Python bindings of the classes of a module, and the names of their files."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from ..ir import EntryDef, FieldDef, Module
from ..link.program import Class, Program
from . import python_method, python_stub, python_width
from .cpp_file import FIRST_LINE
from .cpp_source import registered_name
from .python_type import (
    PythonNames,
    base_of,
    binding_module,
    import_line,
    is_keyword,
    python_name,
    relative,
)
from .schema_doc import safe
from .writer import WIDTH, Anchor, Pieces

#: The options of `textwrap` for the text of an attribute in a docstring.
_ATTRIBUTE: dict[str, Any] = {
    "initial_indent": " " * 8,
    "subsequent_indent": " " * 8,
    "break_long_words": False,
    "break_on_hyphens": False,
}


def file_names(program: Program, module: Module, outputs: set[str]) -> list[str]:
    """Return the paths of the files for the chosen outputs, relative to the Python root."""
    classes = program.of_module(module)
    if not classes:
        return []
    path = binding_module(classes[0]).replace(".", "/")
    ends = (("python", ".py"), ("pyi", ".pyi"))
    return [path + end for output, end in ends if output in _wanted(classes, outputs)]


def _wanted(classes: list[Class], outputs: set[str]) -> set[str]:
    """Return `outputs`, with a stub added if the annotations in the binding are incomplete."""
    if "python" in outputs and not all(map(_is_said_by_annotations, classes)):
        return outputs | {"pyi"}
    return outputs


def _is_said_by_annotations(cls: Class) -> bool:
    plain = all(f.default is None or f.default.kind in ("value", "factory") for f in cls.d.fields)
    plain = plain and cls.enum_base != "object"
    return plain and not cls.native


def emit(program: Program, module: Module, outputs: set[str]) -> Iterator[tuple[str, Pieces]]:
    """Yield (path below the Python root, text) for each file of the chosen outputs."""
    classes = program.of_module(module)
    if not classes:
        return
    name = binding_module(classes[0])
    path = name.replace(".", "/")
    outputs = _wanted(classes, outputs)
    if "python" in outputs:
        yield f"{path}.py", _binding(program, module, name, classes)
    if "pyi" in outputs:
        yield f"{path}.pyi", python_stub.stub(program, module, name, classes)


def _head(module: Module, text: str) -> list[str]:
    lines = [f"# {FIRST_LINE} {module.path or module.stem}."]
    return [*lines, f'"""{text}"""', "", "from __future__ import annotations", ""]


def _binding(program: Program, module: Module, name: str, classes: list[Class]) -> Pieces:
    names = PythonNames(program, name)
    body: Pieces = []
    for cls in classes:
        body += ["", "", *one_class(cls, names)]
    exported = sorted(python_name(c) for c in classes)
    out: Pieces = [*_head(module, f"Classes of `{module.stem}`, bound to their C++ definitions.")]
    out += import_lines(names, name)
    out += ["", "__all__ = [", *(f'    "{one}",' for one in exported), "]"]
    return [*out, *body]


def import_lines(names: PythonNames, own: str) -> list[str]:
    """Return the import lines of the module `own`; imports in its package are relative."""
    package = own.rpartition(".")[0]
    typing_only: list[str] = []
    lines: list[str] = []
    for module, found in sorted(names.imports.items()):
        source = relative(module, package)
        line = import_line(source, found)
        if source == module:
            lines.append(line)
        else:
            typing_only.append(f"    {line}")
    needed = _needed_at_run_time(names) | names.at_run_time
    for module in [m for m in names.imports if m in needed]:
        text = f"    from .{module[len(package) + 1 if package else 0 :]} import "
        for line in [t for t in typing_only if t.startswith(text)]:
            typing_only.remove(line)
            lines.append(line.strip())
    lines = [*sorted(names.lines), *lines]
    if typing_only:
        if "TYPE_CHECKING" not in names.imports.get("typing", ()):
            lines.insert(0, "from typing import TYPE_CHECKING")
        lines += ["", "if TYPE_CHECKING:", *typing_only]
    return [part for line in lines for part in python_width.broken(line)]


def _needed_at_run_time(names: PythonNames) -> set[str]:
    """Return the modules that define base classes of this module."""
    return {
        binding_module(cls.parent)
        for cls in names.program.order
        if isinstance(cls.parent, Class) and binding_module(cls) == names.module
    }


def one_class(cls: Class, names: PythonNames) -> Pieces:
    """Return the binding of a class."""
    out: Pieces = [*_class_head(cls, names), *_docstring(cls)]
    lines = [] if cls.enum_base == "object" else _fields(cls, names)
    if lines:
        out += ["", *lines]
    if cls.d.enum is not None:
        mark = names.need("typing", "ClassVar")
        out.append("")
        named = _named(cls)
        out += [f"    {e.name}: {mark}[{python_name(cls)}]" for e in named]
        later = [e for e in cls.entries if e not in named]
        if later:
            out.append(f"    if {names.need('typing', 'TYPE_CHECKING')}:")
            out += [f"        {e.name}: {mark}[{python_name(cls)}]" for e in later]
    for method in cls.d.methods:
        if method.python_code:
            out += ["", *python_method.code(cls, method, names)]
    out.append(Anchor(f"{python_name(cls)}.tail"))
    for entry in cls.entries:
        text = registered_name(cls, entry)
        if text != entry.name:
            target = f"{python_name(cls)}.{entry.name}"
            out += ["", "", f"{target} = {python_name(cls)}.get({names.literal(text)})"]
    return out


def _named(cls: Class) -> list[EntryDef]:
    """Return the entries that are registered under their names in the schema."""
    return [entry for entry in cls.entries if registered_name(cls, entry) == entry.name]


def _class_head(cls: Class, names: PythonNames) -> list[str]:
    name, base = python_name(cls), base_of(cls, names)
    if cls.enum_base == "object":
        decorator = names.need("tvm_ffi.dataclasses", "c_enum")
        base = names.need("tvm_ffi.dataclasses", "EnumObject")
    elif cls.d.enum is not None:
        return [f'class {name}({base}, type_key="{cls.type_key}"):']
    else:
        decorator = names.need("tvm_ffi.dataclasses", "c_class")
    return [f'@{decorator}("{cls.type_key}")', f"class {name}({base}):"]


def _fields(cls: Class, names: PythonNames) -> list[str]:
    seen_kw_only = False
    lines: list[str] = []
    for one in [f for f in cls.d.fields if not f.kw_only] + [f for f in cls.d.fields if f.kw_only]:
        if not one.reflect:
            continue
        if one.kw_only and not seen_kw_only:
            seen_kw_only = True
            lines.append(f"    _: {names.need('tvm_ffi.dataclasses', 'KW_ONLY')}")
        if is_keyword(one):
            name = one.reflected_name or one.name
            lines.append(f'    # {name!r} is a keyword of Python: getattr(x, "{name}")')
        else:
            lines += python_width.broken("    " + _field(one, names))
    return lines


def _field(one: FieldDef, names: PythonNames) -> str:
    """Return the annotation of a field, with `field(...)` for its default and options if needed."""
    text = f"{one.reflected_name or one.name}: {names.accepted(one.type, one.default)}"
    default = one.default
    options = []
    if default is not None and default.kind == "value":
        # Write `field(...)`: a plain value would become a class attribute that hides the field.
        options.append(f"default={names.typed(default.value, one.type)}")
    elif default is not None and default.kind == "factory":
        options.append(f"default_factory={_factory(one, names)}")
    elif default is not None:
        cast, anything = names.need("typing", "cast"), names.need("typing", "Any")
        options.append(f"default={cast}({anything}, ...)")  # C++ computes the default
    if not one.init:
        options.append("init=False")
    if not options:
        return text
    call = names.need("tvm_ffi.dataclasses", "field")
    return f"{text} = {call}({', '.join(options)})"


def _factory(one: FieldDef, names: PythonNames) -> str:
    assert one.default is not None
    known = {"[]": "list", "{}": "dict"}
    text = names.typed(one.default.value, one.type)
    return names.need("builtins", known[text]) if text in known else f"lambda: {text}"


def _docstring(cls: Class) -> list[str]:
    doc = cls.d.doc
    summary = doc.summary or f"`{cls.type_key}`."
    shown = [f for f in cls.d.fields if f.reflect and f.doc]
    if not (doc.text or shown):
        return [f'    """{safe(summary)}"""']
    lines = [f'    """{safe(summary)}']
    if doc.text:
        lines += ["", *(f"    {safe(line)}".rstrip() for line in doc.text.splitlines())]
    if shown:
        lines += ["", "    Attributes", "    ----------"]
        for one in shown:
            lines.append(f"    {one.reflected_name or one.name}")
            for line in safe(one.doc).splitlines():
                lines += textwrap.wrap(line, WIDTH, **_ATTRIBUTE) or [""]
    return [*lines, "", '    """']
