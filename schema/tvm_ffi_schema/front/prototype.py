# SPDX-License-Identifier: Apache-2.0
"""Convert classes of `tvm_ffi.dataclasses` to classes of a schema.

A prototype is a Python module that programs import and run. Besides classes, the module may contain
functions, constants and other statements. These parts and the methods of classes stay in Python.
"""

from __future__ import annotations

import ast
from typing import Any

from .. import dsl
from ..diag import Bag
from ..ir import Span, TypeRef, abi, names
from .raw import RawClass, RawField

#: The kinds of classes of prototypes; `enum` is a class with an enum base and no decorator.
CLASSES = ("py_class", "auto_class")
ENUMS = ("py_enum", "enum")
KINDS = (*CLASSES, *ENUMS)

_SCHEMA_PACKAGES = ("tvm_ffi.schema", "tvm_ffi_schema")
_PAYLOADS: dict[Any, type] = {dsl.IntEnum: int, dsl.StrEnum: str}
_FLAGS = (
    *("frozen", "init", "repr", "eq", "order", "unsafe_hash", "match_args", "kw_only"),
    *("slots", "weakref_slot", "auto_methods"),
)
_STRUCTURE = (None, *tuple(abi.STRUCTURAL_KINDS)[1:])


def is_prototype(tree: ast.Module) -> bool:
    """Return whether a file imports the runtime, but not the schema language."""
    uses_runtime = False
    conditional = [inner for node in tree.body if isinstance(node, ast.If) for inner in node.body]
    for node in (*tree.body, *conditional):
        found: list[str] = []
        if isinstance(node, ast.ImportFrom) and not node.level:
            found = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        for name in found:
            if name in _SCHEMA_PACKAGES or name.startswith(_SCHEMA_PACKAGES):
                return False
            uses_runtime = uses_runtime or name.partition(".")[0] == "tvm_ffi"
    return uses_runtime


class Entry(dsl.EntrySpec):
    """The arguments of `tvm_ffi.dataclasses.entry`, not yet assigned to the fields of the enum."""

    def __init__(self, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        super().__init__(args[0] if args else dsl.MISSING, {}, fields)
        self.args = args


def entry(*args: Any, **fields: Any) -> Any:
    """Return the record of a call of `tvm_ffi.dataclasses.entry`."""
    return Entry(args, fields)


def field(*, converter: Any = None, **options: Any) -> Any:
    """Return the record of a call of `tvm_ffi.dataclasses.field`; a converter is ignored."""
    return dsl.field(**options)


def check_options(kind: str, options: dict[str, Any]) -> None:
    """Refuse options that the decorator or the base class does not accept.

    Raises
    ------
    TypeError
        If an option is unknown, or has a wrong type.
    ValueError
        If the structural kind is unknown.

    """
    for name, value in options.items():
        if name == "type_key" and isinstance(value, str):
            continue
        if name == "structural_eq":
            if value not in _STRUCTURE:
                kinds = ", ".join(map(repr, _STRUCTURE))
                raise ValueError(f"structural_eq is one of {kinds}, not {value!r}")
        elif name == "native":
            if value not in (None, "auto"):
                raise ValueError(f"native is None or 'auto', not {value!r}")
        elif name not in _FLAGS:
            raise TypeError(f"unknown option {name!r}")
        elif type(value) is not bool:
            raise TypeError(f"{name} is a bool, not {value!r}")


def payload_of(raw: RawClass) -> type | None:
    """Return the type of the payloads of an enum; None if the entries have no payload."""
    return next((_PAYLOADS[base] for base, _ in raw.bases if base in _PAYLOADS), None)


def settle(raw: RawClass, module: str, bag: Bag) -> None:
    """Convert the options and attributes of a class of a prototype to settings of a schema.

    Parameters
    ----------
    raw
        The class as it was read.
    module
        The name under which Python imports the file; it is used for a class without a type key.
    bag
        Receives the findings.

    """
    options, is_enum = raw.options, raw.kind in ENUMS
    attributes = {name: value for name, (value, _) in raw.settings.items() if name[:1] != "_"}
    spans = [span for _, span in raw.settings.values()]
    raw.settings = {}

    def state(name: str, value: Any, span: Span = raw.span) -> None:
        raw.settings[name] = (value, span)

    key = options.get("type_key") or f"{module}.{raw.name}"
    state("type_key", key)
    if key.rpartition(".")[2] not in (raw.name, names.stripped(raw.name)):
        state("ref", raw.name)
    is_frozen = options.get("frozen", is_enum)
    if not is_frozen:
        state("mutable", True)
    is_family = any(isinstance(one, type) and issubclass(one, dsl.Enum) for one, _ in raw.bases)
    if is_family and not is_enum:
        text = f"class {raw.name} is an enum, whose entries {raw.kind} does not make"
        base = next(one.__name__ for one, _ in raw.bases if isinstance(one, type))
        help_ = f'write  class {raw.name}({base}, type_key="{key}")  without a decorator'
        bag.add("TS036", text, raw.span, help=help_)
    if not is_family or "structural_eq" in options:
        kind = options.get("structural_eq", "singleton" if is_enum else "tree")
        state("structural_eq", kind or "unsupported")
        if kind is None:
            state("default_sequal_reduce", False)
            state("default_shash_reduce", False)
    if payload_of(raw) is None:
        state("nullable", False)
    if attributes:
        state("type_attrs", attributes, spans[0])
    raw.allow.append("TS026")  # the decorator moves parameters without a default to the front
    if is_enum:
        _settle_entries(raw, bag)
    kw_only = options.get("kw_only", False)
    for one in raw.fields:
        _settle_field(one, is_frozen, kw_only)


def _settle_field(one: RawField, is_frozen: bool, kw_only: bool) -> None:
    spec = one.default
    if isinstance(spec, (list, dict, set)):  # as in the runtime, each object gets a new container
        value = spec
        spec = dsl.field(default_factory=lambda: value)
    if not isinstance(spec, dsl.FieldSpec):
        if not kw_only:
            one.default = spec
            return
        spec = dsl.field(default=spec)
    options = spec.options
    options.pop("metadata", None)  # metadata for Python code is not registered
    if options.get("kw_only") is None:
        options["kw_only"] = kw_only
    options["frozen"] = True if options.get("frozen") and not is_frozen else None
    one.default = spec


def _settle_entries(raw: RawClass, bag: Bag) -> None:
    """Assign values to entries and to their fields."""
    payload = payload_of(raw)
    _add_number(raw)
    order = [one.name for one in raw.fields]
    seen: set[Any] = set()
    kept = []
    # Sort entries without a value to the front, since Python creates them first.
    for name, spec, span in sorted(raw.entries, key=lambda one: one[1] is not None):
        made = spec if spec is not None else Entry((), {})
        if isinstance(made, Entry):
            if len(made.args) - (payload is not None) > len(order):
                text = f"{raw.name}.{name} has {len(made.args)} values for {len(order)} fields"
                bag.add("TS036", text, span)
            made = _settled(made, payload, order)
        value = made.value
        if payload is not None and value is dsl.MISSING:
            text = f"{raw.name}.{name} has no value, which an enum of Python needs"
            bag.add("TS036", text, span, help=f"write  {name} = ...  with its {payload.__name__}")
        elif payload is not None:
            if value in seen:
                continue  # an alias of an earlier entry stays in Python
            seen.add(value)
        kept.append((name, made, span))
    raw.entries = kept


def _settled(spec: Entry, payload: type | None, order: list[str]) -> dsl.EntrySpec:
    args, fields = list(spec.args), dict(spec.fields)
    value = dsl.MISSING
    if payload is not None:
        value = fields.pop("value", dsl.MISSING)
        if value is dsl.MISSING and args:
            value = args.pop(0)
    made = dsl.EntrySpec(value, {}, {**dict(zip(order, args)), **fields})
    made.owner, made.name, made.doc = spec.owner, spec.name, spec.doc
    return made


def _add_number(raw: RawClass) -> None:
    """Add a field `value` to an enum that has no fields, but entries with numbers."""
    is_seed = raw.kind == "py_enum" and not raw.fields
    if is_seed and any(isinstance(spec, Entry) and spec.args for _, spec, _ in raw.entries):
        raw.fields.append(RawField("value", TypeRef("int64_t"), dsl.MISSING, raw.span))
