# SPDX-License-Identifier: Apache-2.0
"""Write types and literals in Python notation, for bindings and stubs."""

from __future__ import annotations

import functools
import keyword
import math
import re
from collections.abc import Iterable
from typing import Any

from .. import ty
from ..front.fields import fits
from ..ir import Default, FieldDef, TypeRef
from ..ir.names import stripped
from ..link.program import Class, Foreign, Program
from .schema_doc import literal


class PythonNames:
    """Writes types for one module, and collects the imports for these types."""

    def __init__(self, program: Program, module: str) -> None:
        self.program = program
        self.module = module
        self.imports: dict[str, set[str]] = {}
        #: Modules whose names the binding uses at run time, and not only in annotations.
        self.at_run_time: set[str] = set()
        #: Import lines that the Python code of methods needs.
        self.lines: set[str] = set()
        self.fields = program.field_names()

    def need(self, module: str, name: str) -> str:
        """Record the import of a name; return the name, or `_name` if a field has this name."""
        if module == "builtins" and name not in self.fields:
            return name
        if name in self.fields:
            self.imports.setdefault(module, set()).add(f"{name} as _{name}")
            return f"_{name}"
        self.imports.setdefault(module, set()).add(name)
        return name

    def class_name(self, key: str, at_run_time: bool = False) -> str:
        """Return the Python class of a type key."""
        found = self.program.find(key)
        if found is None or isinstance(found, Foreign):
            if isinstance(found, Foreign) and found.is_runtime and key != "ffi.Object":
                return self.need("tvm_ffi.dataclasses", key.rpartition(".")[2])
            return self.need("tvm_ffi", "Object")
        name = python_name(found)
        other = binding_module(found)
        if other != self.module:
            self.need(other, name)
            if at_run_time:
                self.at_run_time.add(other)
        return name

    def type(self, type_: TypeRef) -> str:
        """Return the Python annotation for a type; record the imports that it needs."""
        if type_.cpp is not None:
            if type_.cpp.as_type is not None:
                return self.type(type_.cpp.as_type)
            return self.need("typing", "Any")
        if type_.origin == "class":
            found = self.program.classes.get(type_.name)
            ref = found.d.ref if found is not None else None
            with_none = ref is not None and ref.accepts_none
            return self.class_name(type_.name) + (" | None" if with_none else "")
        if type_.origin in ("Optional", "Union"):
            texts = [*map(self.type, type_.args), *["None"][: type_.origin == "Optional"]]
            is_none = any(text.endswith("None") for text in texts)
            plain = [text.removesuffix(" | None") for text in texts]
            return _union([*plain, *["None"][:is_none]])
        row = ty.row_of(type_.origin)
        assert row is not None
        if type_.literals:
            return _generic(self.need("typing", "Literal"), map(self.literal, type_.literals))
        if type_.origin == "None":
            return "None"
        name = self.need(row.python_import or "builtins", row.python)
        args = [self.type(arg) for arg in type_.args]
        if type_.origin == "Function":
            parameters = f"[{', '.join(args[1:])}]" if args else "..."
            return f"{name}[{parameters}, {args[0] if args else self.need('typing', 'Any')}]"
        return _generic(name, args)

    def accepted(self, type_: TypeRef, default: Default | None) -> str:
        """Return the annotation of a parameter, with `| None` if its default value is None."""
        text = self.type(type_)
        by_none = default is not None and default.kind == "value" and default.value is None
        plain = type_.origin not in ("Optional", "Any") and not text.endswith("| None")
        return f"{text} | None" if by_none and plain else text

    def literal(self, value: Any) -> str:
        """Return a literal in Python; `...` for a value that only C++ can compute."""
        if isinstance(value, dict) and ("$cpp" in value or "$entry" in value):
            return "..."
        if isinstance(value, dict):
            pairs = (f"{self.literal(k)}: {self.literal(v)}" for k, v in value.items())
            return "{" + ", ".join(pairs) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self.literal, value)) + "]"
        if isinstance(value, float) and not math.isfinite(value):
            name = self.need("math", "nan" if math.isnan(value) else "inf")
            return f"-{name}" if value < 0 else name
        return literal(value)

    def typed(self, value: Any, type_: TypeRef) -> str:
        """Return a literal in Python, with a call of the constructor of its type if needed."""
        if type_.origin in ("Optional", "Union"):
            inner = next((arg for arg in type_.args if fits(arg, value)), None)
            return self.literal(value) if inner is None else self.typed(value, inner)
        if type_.origin in ("DataType", "Device", "Shape") and isinstance(value, (str, list)):
            return f"{self.type(type_)}({self.literal(value)})"
        if type_.origin == "Tuple" and isinstance(value, list):
            items = [self.typed(item, arg) for item, arg in zip(value, type_.args)]
            return f"({', '.join(items)}{',' * (len(items) == 1)})"
        if type_.origin in ("Array", "List") and isinstance(value, list):
            return f"[{', '.join(self.typed(item, type_.args[0]) for item in value)}]"
        if type_.origin in ("Map", "Dict") and isinstance(value, dict) and "$cpp" not in value:
            key, item = type_.args
            pairs = (f"{self.typed(k, key)}: {self.typed(v, item)}" for k, v in value.items())
            return "{" + ", ".join(pairs) + "}"
        return self.literal(value)

    def default(self, one: FieldDef) -> str:
        """Return the default of a field for a stub; empty if there is no default."""
        default = one.default
        if default is None:
            return ""
        if default.kind in ("cpp", "entry", "factory"):
            return "..."
        return self.typed(default.value, one.type)


def _union(members: Iterable[str]) -> str:
    """Write a union: each member once, and ``None`` last."""
    texts = dict.fromkeys(members)
    last = ["None"] if texts.pop("None", 0) is None else []
    return " | ".join([*texts, *last])


def _generic(name: str, arguments: Iterable[str]) -> str:
    """Write a type with its arguments in brackets; without arguments, write only the name."""
    text = ", ".join(arguments)
    return f"{name}[{text}]" if text else name


def needed_names(program: Program) -> set[str]:
    """Return the names that a binding may import, which a field with the same name would hide."""
    names = {
        "Any",
        "ClassVar",
        "KW_ONLY",
        "Object",
        "TYPE_CHECKING",
        "c_class",
        "cast",
        "field",
        "inf",
        "nan",
        "overload",
    }
    names |= {key.rpartition(".")[2] for key, one in program.foreign.items() if one.is_runtime}
    names |= {row.python for row in ty.TABLE.values()}
    return names | {python_name(cls) for cls in program.order}


def python_name(cls: Class) -> str:
    """Return the Python name of a class: the name of its reference class, if it has one.

    Of a class with the setting `cpp_name`, it is the name in the schema, without its suffix.
    """
    is_renamed = cls.d.cpp_name and cls.ref not in ("", cls.d.name)
    return stripped(cls.d.name) if is_renamed else cls.ref or cls.d.name


def binding_module(cls: Class) -> str:
    """Return the Python module with the binding of a class."""
    return cls.module.python or _private_module(cls.module.stem)


@functools.cache
def _private_module(stem: str) -> str:
    return "_" + re.sub(r"\W", "_", stem)


def base_of(cls: Class, names: PythonNames) -> str:
    """Return the Python class that a class derives from."""
    if isinstance(cls.parent, Foreign) and not cls.parent.is_runtime:
        return names.need("tvm_ffi", "Object")
    return names.class_name(cls.parent.type_key)


def is_keyword(one: FieldDef) -> bool:
    """Return whether the name of a field is a Python keyword."""
    return keyword.iskeyword(one.reflected_name or one.name)


def import_line(module: str, names: Iterable[str]) -> str:
    """Return an import statement."""
    return f"from {module} import {', '.join(sorted(names))}"


def relative(module: str, package: str) -> str:
    """Return the name of a module for an import statement, relative within the same package."""
    if package:
        is_inside = module.startswith(package + ".")
        return module[len(package) :] if is_inside else module
    return f".{module}" if module.startswith("_") else module
