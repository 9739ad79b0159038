# SPDX-License-Identifier: Apache-2.0
"""Imports, and the text of signatures."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tvm_ffi.stub import consts, python_text
from tvm_ffi.stub.type_text import named_type, signature_of, write_schema
from tvm_ffi.stub.utils import FuncInfo, ObjectInfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tvm_ffi.core import TypeSchema

_BUILTINS = frozenset({"None", "bool", "bytes", "float", "int", "str", "tuple"})


def is_name(text: str) -> bool:
    """Tell whether Python can say a name; other languages have names that it has not."""
    return text.isidentifier() and not keyword.iskeyword(text)


@dataclass(frozen=True)
class ImportItem:
    """One imported name."""

    full_name: str
    type_checking_only: bool = False
    alias: str = ""

    @property
    def mod(self) -> str:
        """The module, under its Python name; empty when there is none."""
        module, _, _ = self.full_name.rpartition(".")
        head, dot, rest = module.partition(".")
        return consts.MODULE_OF_NAMESPACE.get(head, head) + dot + rest

    @property
    def name(self) -> str:
        """The name in the module."""
        return self.full_name.rpartition(".")[2]

    @property
    def text(self) -> str:
        """The name as an import statement has it."""
        renamed = self.alias and self.alias != self.name
        return f"{self.name} as {self.alias}" if renamed else self.name


@dataclass
class PythonImports:
    """The names that a file needs, and the names of types."""

    ty_map: Mapping[str, str]
    # Names of the block that is written, which no type may hide behind.
    taken: frozenset[str] = frozenset()
    # What a name means in the whole file: a class by its full name, something else by "".
    defined: dict[str, str] = field(default_factory=dict)
    items: dict[ImportItem, None] = field(default_factory=dict)

    def add(self, full_name: str, type_checking_only: bool, alias: str = "") -> None:
        """Import a name."""
        self.items[ImportItem(full_name, type_checking_only, alias)] = None

    def need_type_checking(self) -> None:
        """Import what ``if TYPE_CHECKING:`` needs."""
        self.add("typing.TYPE_CHECKING", False)

    def output_text(self, schema: TypeSchema) -> str:
        """Write the type of a result or field."""
        return write_schema(schema, self._name_of)

    def input_text(self, schema: TypeSchema) -> str:
        """Write the type of a parameter."""
        return write_schema(schema, self._input_name_of)

    def _input_name_of(self, origin: str) -> str:
        wider = consts.PYTHON_INPUT_TY_MAP.get(origin)
        return self._name_of(origin) if wider is None or origin in self.ty_map else self._use(wider)

    def _name_of(self, origin: str) -> str:
        if origin in _BUILTINS:
            return origin
        mapped = self.ty_map.get(origin) or consts.PYTHON_TY_MAP.get(origin, origin)
        if not all(map(is_name, mapped.split("."))):
            return self._use("typing.Any")
        return self._use(mapped) if "." in mapped else mapped

    def _use(self, full_name: str) -> str:
        """Import a type; return its name here, with underscores where it means something else."""
        name = full_name.rpartition(".")[2]
        here = name
        while here in self.taken or self._is_other(here, full_name):
            here = f"_{here}"
        self.add(full_name, True, "" if here == name else here)
        return here

    def _is_other(self, name: str, full_name: str) -> bool:
        """Tell whether a name means something else in the file than this type."""
        if self.defined.get(name, full_name) != full_name:
            return True
        wanted = ImportItem(full_name)
        same = (wanted.mod, wanted.name)
        return any(
            (item.alias or item.name) == name and (item.mod, item.name) != same
            for item in self.items
        )


# ---- signatures ----


def render_func_signature(
    name: str, schema: TypeSchema, imports: PythonImports, *, is_member: bool = False
) -> str:
    """Write the signature of a function; the receiver of a member is called ``self``."""
    parameters = _positional(schema, imports, is_member)
    result = imports.output_text(signature_of(schema)[0])
    return python_text.function(name, parameters, result)[0]


def _positional(schema: TypeSchema, imports: PythonImports, is_member: bool) -> list[str]:
    receiver = ["self"] if is_member else []
    parameters = signature_of(schema)[1]
    if parameters is None:
        return [*receiver, f"*args: {imports.output_text(named_type('Any'))}"]
    texts = [f"_{i}: {imports.input_text(p)}" for i, p in enumerate(parameters)]
    if is_member and texts:
        texts = [*receiver, *texts[1:]]
    elif is_member:
        texts = receiver
    return [*texts, "/"] if texts else []


def render_object_fields(info: ObjectInfo, imports: PythonImports) -> list[str]:
    """Write the types of the own fields."""
    own = [f for f in info.fields if is_name(f.name)]
    return [f"{f.name}: {imports.output_text(f.schema)}" for f in own]


def render_object_init(info: ObjectInfo, imports: PythonImports, name: str) -> list[str]:
    """Write the constructor as the fields of the chain make it."""
    if not all(is_name(f.name) and f.name != "self" for f in info.init_fields):
        anything = imports.output_text(named_type("Any"))
        texts = ["self", f"*args: {anything}", f"**kwargs: {anything}"]
        return python_text.function(name, texts, "None")
    fields = sorted(info.init_fields, key=lambda f: (f.kw_only, f.has_default))
    parameters = [
        python_text.Parameter(
            f.name, imports.input_text(f.schema), "..." if f.has_default else "", f.kw_only
        )
        for f in fields
    ]
    return python_text.function(name, python_text.parameter_list(parameters), "None")


def render_object_ffi_init(info: ObjectInfo, imports: PythonImports) -> list[str]:
    """Write the native constructor: by its own type where it was registered with one."""
    for method in info.methods:
        if method.schema.name == "__ffi_init__":
            schema = method.schema.schema
            parameters = ["self", *_positional(schema, imports, False)]
            return python_text.function("__ffi_init__", parameters, "None")
    return render_object_init(info, imports, "__ffi_init__")


def render_object_methods(info: ObjectInfo, imports: PythonImports) -> list[str]:
    """Write the own methods; several of one name are overloads."""
    groups: dict[tuple[str, bool], list[FuncInfo]] = {}
    for method in info.methods:
        if method.schema.name != "__ffi_init__" and is_name(method.schema.name):
            groups.setdefault((method.schema.name, method.is_member), []).append(method)
    lines = []
    for (name, is_member), methods in groups.items():
        for method in methods:
            if len(methods) > 1:
                imports.add("typing.overload", True)
                lines.append("@overload")
            if not is_member:
                lines.append("@staticmethod")
            schema = method.schema.schema
            lines.append(render_func_signature(name, schema, imports, is_member=is_member))
    return lines


def render_imports(items: Iterable[ImportItem]) -> list[str]:
    """Write import statements, modules and names sorted."""
    real: dict[str, set[str]] = {}
    checking: dict[str, set[str]] = {}
    for item in items:
        group = checking if item.type_checking_only else real
        group.setdefault(item.mod, set()).add(item.text)
    for module, names in real.items():
        checking[module] = checking.get(module, set()) - names
    checking = {module: names for module, names in checking.items() if names}
    if checking:
        real.setdefault("typing", set()).add("TYPE_CHECKING")
    lines = python_text.import_lines(real)
    if checking:
        lines += [
            "if TYPE_CHECKING:",
            *(f"    {line}" for line in python_text.import_lines(checking)),
        ]
    return lines
