# SPDX-License-Identifier: Apache-2.0
"""Imports and signatures of generated Python code."""

from __future__ import annotations

import ast
import inspect
import json
import keyword
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tvm_ffi._types.schema.text import tensor_arguments, tensor_words
from tvm_ffi.core import TypeSchema
from tvm_ffi.stub import consts, python_text
from tvm_ffi.stub.file_utils import CodeBlock
from tvm_ffi.stub.lib_state import object_info_from_type_key, payload_of_enum
from tvm_ffi.stub.type_text import signature_of, write_schema
from tvm_ffi.stub.utils import FuncInfo, ObjectInfo

from .module_text import (
    ModuleText,
    accepts_future_import,
    class_bindings,
    derives_from_more,
    needs_annotations_import,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tvm_ffi._signatures.keywords import Parameters

_BUILTINS = frozenset(
    {"BaseException", "None", "bool", "bytearray", "bytes", "float", "int", "str", "tuple"}
)


def is_name(text: str) -> bool:
    """Return whether a name, which may come from another language, is a Python identifier."""
    return text.isidentifier() and not keyword.iskeyword(text)


@dataclass(frozen=True)
class ImportItem:
    """One imported name."""

    full_name: str
    type_checking_only: bool = False
    alias: str = ""

    @property
    def mod(self) -> str:
        """The Python name of the module; empty if there is none."""
        module, _, _ = self.full_name.rpartition(".")
        head, dot, rest = module.partition(".")
        return consts.MODULE_OF_NAMESPACE.get(head, head) + dot + rest

    @property
    def name(self) -> str:
        """The name in the module."""
        return self.full_name.rpartition(".")[2]

    @property
    def text(self) -> str:
        """The name in an import statement, with its alias."""
        renamed = self.alias and self.alias != self.name
        return f"{self.name} as {self.alias}" if renamed else self.name


@dataclass
class PythonImports:
    """The imports of a file, and the names of types in the file."""

    ty_map: Mapping[str, str]
    # Names that the class around the current block defines. In this class, these names hide types
    # with the same name.
    taken: frozenset[str] = frozenset()
    # Name bound in the file -> the full name of the import, or of the class of a type; else "".
    defined: dict[str, str] = field(default_factory=dict)
    items: dict[ImportItem, None] = field(default_factory=dict)
    # The user's part of the file.
    module: ModuleText | None = None
    # Type key -> the name of the class around the `object` block of this type in the file.
    classes: dict[str, str] = field(default_factory=dict)
    added_section: CodeBlock | None = None
    # Whether the class around the current block has a base class other than `Object`.
    overrides: bool = False

    def add(self, full_name: str, type_checking_only: bool, alias: str = "") -> None:
        """Import a name."""
        self.items[ImportItem(full_name, type_checking_only, alias)] = None

    @property
    def type_checking(self) -> str:
        """``TYPE_CHECKING``, or ``typing.TYPE_CHECKING`` if the file defines the short name."""
        own = self.module is not None and self.module.bound.get("TYPE_CHECKING") == ""
        return "typing.TYPE_CHECKING" if own else "TYPE_CHECKING"

    def need_type_checking(self) -> str:
        """Import ``TYPE_CHECKING``, and return its name in the file."""
        condition = self.type_checking
        self.add("typing" if "." in condition else "typing.TYPE_CHECKING", False)
        return condition

    def local_name(self, type_key: str) -> str:
        """Return the name of the outermost class around the block of a type; empty if none."""
        return self.classes.get(type_key, "").partition(".")[0]

    def members_at(self, lineno: int) -> list[str]:
        """Return the names that the user's code defines in the class around a line."""
        return [] if self.module is None else list(class_bindings(self.module, lineno))

    def enter(self, block: CodeBlock, members: Iterable[str]) -> None:
        """Begin an ``object`` block, whose members hide names of the module."""
        line = block.lineno_start
        self.taken = frozenset([*members, *self.members_at(line)])
        self.overrides = self.module is not None and derives_from_more(self.module, line)

    def class_at(self, lineno: int) -> str:
        """Return the name of the class around a line; empty if there is none or it is hidden."""
        classes = [] if self.module is None else self.module.class_of(lineno)
        names = [c.name for c in classes]
        return ".".join(names) if names and names[0] not in self.taken else ""

    def is_alone(self, lineno: int) -> bool:
        """Return whether the block that begins at a line is the whole body of a class."""
        return self.module is not None and self.module.is_alone(lineno)

    def is_written_by_hand(self, name: str) -> bool:
        """Return whether the user's code defines a name at module level."""
        return self.module is not None and name in self.module.bound

    def future_belongs_in(self, section: CodeBlock) -> bool:
        """Return whether an import section must import ``annotations`` first."""
        if self.module is None:
            return True
        wanted = needs_annotations_import(self.module)
        return wanted and accepts_future_import(self.module, section)

    def output_text(self, schema: TypeSchema) -> str:
        """Return the Python type of a result or field."""
        names = (self._name_of, self._input_name_of, self._name_of)
        return write_schema(schema, *names, self._typed_tensor)

    def input_text(self, schema: TypeSchema) -> str:
        """Return the Python type of a parameter."""
        names = (self._input_name_of, self._name_of, self._name_of)
        return write_schema(schema, *names, self._typed_tensor)

    def _typed_tensor(self, name: str, tensor: dict[str, Any]) -> str:
        """Annotate a tensor type with requirements, which type checkers ignore."""
        return f"{self.use('typing.Annotated')}[{name}, {json.dumps(tensor_arguments(tensor))}]"

    def _input_name_of(self, origin: str) -> str:
        wider = () if origin in self.ty_map else consts.PYTHON_INPUT_TY_MAP.get(origin, ())
        if not wider:
            payload = payload_of_enum(origin)
            name = self._name_of(origin)
            return python_text.union([name, self._name_of(payload)]) if payload else name
        return python_text.union(map(self._wider_name_of, wider))

    def _wider_name_of(self, full_name: str) -> str:
        if "." not in full_name:
            return self._name_of(full_name)
        name, _, argument = full_name.partition("[")
        return python_text.generic(self.use(name), filter(None, [argument.rstrip("]")]))

    def _name_of(self, origin: str) -> str:
        if origin in _BUILTINS:
            return self.use(f"builtins.{origin}") if self._is_hidden(origin) else origin
        local = self.classes.get(origin)
        if local is not None:
            return local if local.partition(".")[0] not in self.taken else self.use("typing.Any")
        mapped = self.ty_map.get(origin) or consts.PYTHON_TY_MAP.get(origin, origin)
        if not all(map(is_name, mapped.split("."))):
            return self.use("typing.Any")
        return self.use(mapped) if "." in mapped else mapped

    def use(self, full_name: str) -> str:
        """Import a type; return its name in the file, with added underscores if it is taken."""
        name = here = full_name.rpartition(".")[2]
        while here in self.taken or self._is_other(here, full_name):
            here = f"_{here}"
        self.add(full_name, True, "" if here == name else here)
        return here

    def _is_other(self, name: str, full_name: str) -> bool:
        """Return whether the file uses ``name`` for something other than the type ``full_name``."""
        wanted = ImportItem(full_name)
        same = (wanted.mod, wanted.name)
        known = ImportItem(self.defined.get(name, full_name))
        if (known.mod, known.name) != same:
            return True
        return any(
            (item.alias or item.name) == name and (item.mod, item.name) != same
            for item in self.items
        )

    def _is_hidden(self, name: str) -> bool:
        """Return whether the file, or the class around the block, redefines a built-in name."""
        return name != "None" and (name in self.taken or name in self.defined)


# ---- signatures ----


def render_func_signature(
    name: str,
    schema: TypeSchema,
    imports: PythonImports,
    *,
    is_member: bool = False,
    parameters: Parameters | None = None,
) -> str:
    """Return the source of a signature; the receiver of a member is called ``self``.

    ``parameters`` has the names and defaults; if it is None, the parameters are positional-only.
    """
    texts = _named(schema, imports, is_member, parameters)
    result = imports.output_text(signature_of(schema)[0])
    return python_text.function(name, texts, result)[0]


def render_function(name: str, function: FuncInfo, imports: PythonImports) -> list[str]:
    """Write a function or method: its signature, and its documentation below it."""
    schema = function.schema.schema
    texts = _named(schema, imports, function.is_member, function.parameters)
    line = python_text.function(name, texts, imports.output_text(signature_of(schema)[0]))[0]
    return with_doc(line, _documentation(function, texts))


def _documentation(function: FuncInfo, parameters: Iterable[str]) -> str:
    """Return the documentation of a function, and below it what its typed tensors require.

    ``parameters`` are the texts of its parameters.
    """
    result, types = signature_of(function.schema.schema)
    named = [(text.partition(":")[0], _words_of(t)) for text, t in zip(parameters, types or ())]
    notes = [f"`{name}`: {words}." for name, words in named if words]
    if _words_of(result):
        notes.append(f"Returns {_words_of(result)}.")
    return "\n\n".join(filter(None, [inspect.cleandoc(function.doc or ""), "\n".join(notes)]))


def _words_of(schema: TypeSchema) -> str:
    """Return what a typed tensor, or an optional one, requires; empty for another type."""
    if schema.origin == "Optional" and schema.args:
        words = _words_of(schema.args[0])
        return f"{words}, or None" if words else ""
    return "" if schema.tensor is None else tensor_words(schema.tensor)


def with_doc(line: str, doc: str | None) -> list[str]:
    """Insert documentation into a function that is one line, ``def f(): ...``."""
    text = inspect.cleandoc(doc).strip() if doc else ""
    if not text:
        return [line]
    # Keep the dots, because type checkers assume that a body with only a docstring returns None.
    lines = [*_docstring(text), "..."]
    return [line.removesuffix(" ..."), *(f"    {part}" if part else "" for part in lines)]


def _docstring(text: str) -> list[str]:
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    escaped = "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in escaped)
    if escaped.endswith('"'):
        escaped = f'{escaped[:-1]}\\"'
    lines = [line.rstrip() for line in escaped.split("\n")]
    if len(lines) == 1:
        return [f'"""{lines[0]}"""']
    return [f'"""{lines[0]}', *lines[1:], '"""']


def docstring_of(info: ObjectInfo) -> list[str]:
    """Write the docstring of a class: the documentation of the type, or a substitute."""
    return _docstring(inspect.cleandoc(info.doc or "") or f"FFI binding for `{info.type_key}`.")


def default_text(value: object) -> str:
    """Return the source of a default: a literal (finite number, string, None) or ``...``."""
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    return repr(value) if isinstance(value, float) and math.isfinite(value) else "..."


def _named(
    schema: TypeSchema, imports: PythonImports, is_member: bool, parameters: Parameters | None
) -> list[str]:
    types = signature_of(schema)[1] or ()
    receiver = ["self"] if is_member else []
    names, defaults = parameters or ((), ())
    usable = all(is_name(name) and name not in receiver for name in names)
    if parameters is None or not usable or len(names) != len(types) - len(receiver):
        return _positional(schema, imports, is_member)
    texts = [*[""] * (len(names) - len(defaults)), *map(default_text, defaults)]
    own = types[len(receiver) :]
    described = [
        python_text.Parameter(name, imports.input_text(type_), text)
        for name, type_, text in zip(names, own, texts)
    ]
    return [*receiver, *python_text.parameter_list(described, receiver="")]


def _positional(schema: TypeSchema, imports: PythonImports, is_member: bool) -> list[str]:
    receiver = ["self"] if is_member else []
    parameters = signature_of(schema)[1]
    if parameters is None:
        return [*receiver, f"*args: {imports.output_text(TypeSchema('Any'))}"]
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


def render_variants(info: ObjectInfo, class_name: str, imports: PythonImports) -> list[str]:
    """Write the variants of an enum as attributes of the class."""
    own = {f.name for f in info.fields} | {m.schema.name for m in info.methods}
    names = [v for v in info.variants or () if is_name(v) and v not in own]
    if not names or not class_name:
        return []
    annotation = f"{imports.use('typing.ClassVar')}[{class_name}]"
    return [f"{name}: {annotation}" for name in names]


def render_object_init(info: ObjectInfo, imports: PythonImports, name: str) -> list[str]:
    """Write ``__init__`` with its registered signature; without one, with the fields' types."""
    registered = _registered_init(info, imports, name)
    if registered:
        return registered
    if not all(is_name(f.name) and f.name != "self" for f in info.init_fields):
        anything = imports.output_text(TypeSchema("Any"))
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
    """Return the lines of the native constructor ``__ffi_init__``.

    Type checkers require that an overriding method, other than ``__init__``, accepts the arguments
    of the overridden method. So if the constructor differs from the constructor of an ancestor, the
    generated signature accepts any arguments.
    """
    ancestor = _ancestor_with_init(info) if imports.overrides else None
    if ancestor is not None and _constructor_facts(ancestor) != _constructor_facts(info):
        anything = imports.output_text(TypeSchema("Any"))
        texts = ["self", f"*args: {anything}", f"**kwargs: {anything}"]
        return python_text.function("__ffi_init__", texts, "None")
    return render_object_init(info, imports, "__ffi_init__")


def _ancestor_with_init(info: ObjectInfo) -> ObjectInfo | None:
    key = info.parent_type_key
    while key is not None:
        ancestor = object_info_from_type_key(key)
        if ancestor is None or ancestor.has_init:
            return ancestor
        key = ancestor.parent_type_key
    return None


def _constructor_facts(info: ObjectInfo) -> tuple[list[str], list[str]]:
    """Return the data that determine the parameters of a constructor, for comparison."""
    schemas = [repr(m.schema.schema) for m in info.methods if m.schema.name == "__ffi_init__"]
    return schemas, [] if schemas else [repr(f) for f in info.init_fields]


def _registered_init(info: ObjectInfo, imports: PythonImports, name: str) -> list[str]:
    """Write the constructors that ``refl::init`` has registered, as overloads if there are several.

    All parameters are required, in the order of the C++ constructor; the order and the defaults of
    the fields do not matter.
    """
    methods = [m for m in info.methods if m.schema.name == "__ffi_init__"]
    lines: list[str] = []
    for method in methods:
        if len(methods) > 1:
            lines.append(f"@{imports.use('typing.overload')}")
        # Overloaded constructors do not accept keyword arguments.
        named = method.parameters if len(methods) == 1 else None
        parameters = _constructor_parameters(info, method, imports, name, named)
        line = python_text.function(name, ["self", *parameters], "None")[0]
        lines += with_doc(line, _documentation(method, parameters))
    return lines


def _constructor_parameters(
    info: ObjectInfo,
    method: FuncInfo,
    imports: PythonImports,
    name: str,
    parameters: Parameters | None,
) -> list[str]:
    """Write the parameters of a C++ constructor.

    Without registered names, the constructor takes no keywords. The parameters of ``__init__`` show
    the names of the first fields, if the parameters have the same types as these fields.
    """
    schema = method.schema.schema
    if parameters is not None:
        return _named(schema, imports, False, parameters)
    types = signature_of(schema)[1]
    fields = [f for f in info.init_fields if is_name(f.name) and f.name != "self"]
    named = name == "__init__" and types is not None and len(types) <= len(fields)
    if named and all(repr(t) == repr(f.schema) for t, f in zip(types or (), fields)):
        texts = [f"{f.name}: {imports.input_text(f.schema)}" for f, _ in zip(fields, types or ())]
        return [*texts, "/"] if texts else []
    return _positional(schema, imports, False)


def render_object_methods(info: ObjectInfo, imports: PythonImports) -> list[str]:
    """Write the own methods; methods with the same name become overloads."""
    groups: dict[tuple[str, bool], list[FuncInfo]] = {}
    for method in info.methods:
        if method.schema.name != "__ffi_init__" and is_name(method.schema.name):
            groups.setdefault((method.schema.name, method.is_member), []).append(method)
    lines = []
    for (name, is_member), methods in groups.items():
        for method in methods:
            if len(methods) > 1:
                lines.append(f"@{imports.use('typing.overload')}")
            if not is_member:
                lines.append("@staticmethod")
            lines += render_function(name, method, imports)
    return lines


def names_in(lines: Iterable[str]) -> set[str]:
    """Return the words of a text that could be names."""
    return {word for line in lines for word in re.findall(r"[^\W\d]\w*", line)}


def read_imports(lines: Iterable[str]) -> list[ImportItem]:
    """Read import statements; imports inside ``if`` are only for type checkers."""
    try:
        tree = ast.parse("\n".join(lines))
    except SyntaxError:  # Ignore the content, because the generator replaces this section.
        return []
    found = []
    for statement in tree.body:
        is_checking = isinstance(statement, ast.If)
        inner = statement.body if isinstance(statement, ast.If) else [statement]
        for node in inner:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
                found += [
                    ImportItem(module + alias.name, is_checking, alias.asname or "")
                    for alias in node.names
                    if module != "__future__."  # The generator adds this import itself.
                ]
    return found


def render_imports(items: Iterable[ImportItem], imports: PythonImports | None = None) -> list[str]:
    """Write sorted import statements."""
    condition = "TYPE_CHECKING" if imports is None else imports.type_checking
    real: dict[str, set[str]] = {}
    checking: dict[str, set[str]] = {}
    for item in items:
        group = checking if item.type_checking_only else real
        group.setdefault(item.mod, set()).add(item.text)
    for module, names in real.items():
        checking[module] = checking.get(module, set()) - names
    checking = {module: names for module, names in checking.items() if names}
    if checking and "." in condition:
        real.setdefault("", set()).add("typing")
    elif checking:
        real.setdefault("typing", set()).add("TYPE_CHECKING")
    lines = python_text.import_lines(real)
    if checking:
        lines += [
            f"if {condition}:",
            *(f"    {line}" for line in python_text.import_lines(checking)),
        ]
    return lines
