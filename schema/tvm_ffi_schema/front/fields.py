# SPDX-License-Identifier: Apache-2.0
"""Make definitions of fields from annotated names, and check defaults against types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import dsl
from ..diag import Bag
from ..dsl.table import FIELD, attributes
from ..ir import Default, FieldDef, Span, TypeRef, native_text
from ..ir.native_text import DEVICES
from .raw import EntryName, RawField
from .settings import literal

_BITS = {"int8_t": 8, "int16_t": 16, "int32_t": 32, "int64_t": 64}
_UNSIGNED = {f"u{name}": bits for name, bits in _BITS.items()}
_OVER = 1 << 63
#: Replaces a default that was refused, so that later checks treat the field as one with a default.
_REFUSED = Default("cpp")
_SEQUENCES = ("Array", "List", "Tuple", "Shape")


def build(
    raw: RawField,
    resolve: Callable[[TypeRef, Span], TypeRef | None],
    entry_of: Callable[[str, str, Span], list[str] | None],
    described: str,
    bag: Bag,
) -> FieldDef | None:
    """Return the definition of a field; None if its type was refused.

    `described` is the text about the field in the docstring of the class.
    """
    options: dict[str, Any] = {}
    value = raw.default
    if isinstance(value, dsl.FieldSpec):
        options = dict(value.options)
        value = options.pop("default")
    factory = options.pop("default_factory", dsl.MISSING)
    _check_alias(raw, options, bag)
    if raw.type is None:
        return None
    type_ = resolve(raw.type, raw.span)
    if type_ is None:
        return None
    if type_.origin == "None":
        help_ = "write for example  ty.Optional[int]"
        bag.add("TS030", f"field {raw.name!r} cannot be None alone", raw.span, help=help_)
        return None
    span = raw.value_span or raw.span
    default = _default(raw.name, type_, value, factory, options, span, entry_of, bag)
    return _definition(raw, type_, default, options, _doc(raw, described, options, bag), bag)


def _doc(raw: RawField, described: str, options: dict[str, Any], bag: Bag) -> str:
    texts = [text for text in (described, options.get("doc"), raw.comment) if text]
    if len(set(texts)) > 1:
        bag.add("TS311", f"field {raw.name!r} has two different texts", raw.span)
    return texts[0] if texts else ""


def _check_alias(raw: RawField, options: dict[str, Any], bag: Bag) -> None:
    alias = options.get("name")
    if alias is not None and not alias.isidentifier():
        bag.add("TS039", f"field {raw.name!r}: {alias!r} is not a Python name", raw.span)


def _default(
    name: str,
    type_: TypeRef,
    value: Any,
    factory: Any,
    options: dict[str, Any],
    span: Span,
    entry_of: Callable[[str, str, Span], list[str] | None],
    bag: Bag,
) -> Default | None:
    if factory is not dsl.MISSING:
        return _from_factory(name, type_, factory, span, bag)
    if value is dsl.MISSING:
        return None
    if isinstance(value, dsl.CppText):
        return Default("cpp", value.text)
    if isinstance(value, (dsl.EntrySpec, EntryName)):
        pair = entry_of(value.owner, value.name, span)
        return _REFUSED if pair is None else Default("entry", pair)
    if isinstance(value, (list, dict, set)):
        bag.add(
            "TS320",
            f"field {name!r} has a mutable default",
            span,
            help="write field(default_factory=lambda: ...)",
        )
        return _REFUSED
    return _checked(name, type_, "value", value, span, bag)


def _checked(name: str, type_: TypeRef, kind: str, value: Any, span: Span, bag: Bag) -> Default:
    """Check a value against the type; return the default, or `_REFUSED` after an error."""
    count = len(bag.items)
    plain = literal(value, span, bag, f"field {name!r}")
    if len(bag.items) > count:
        return _REFUSED
    if not fits(type_, plain):
        report_misfit(f"field {name!r}", type_, plain, span, bag)
        return _REFUSED
    return Default(kind, plain)


def _from_factory(name: str, type_: TypeRef, factory: Any, span: Span, bag: Bag) -> Default | None:
    from .raw import Unreadable

    try:
        made = factory()
    except Unreadable as problem:
        help_ = problem.help_in(span.file)
        bag.add(problem.rule, problem.message, span, label=problem.label, help=help_)
        return _REFUSED
    except Exception as error:
        bag.add("TS035", f"field {name!r}: the default factory failed: {error}", span)
        return _REFUSED
    return _checked(name, type_, "factory", made, span, bag)


def fits(type_: TypeRef, value: Any) -> bool:
    """Return whether a literal is a valid value of a type."""
    origin = type_.origin
    if origin == "Any" or (isinstance(value, dict) and set(value) == {"$cpp"}):
        return True
    if type_.literals and (type(value), value) not in [(type(one), one) for one in type_.literals]:
        return False
    if origin == "Optional":
        return value is None or fits(type_.args[0], value)
    if origin == "Union":
        return any(fits(arg, value) for arg in type_.args)
    if origin == "bool":
        return isinstance(value, bool)
    if origin in _BITS or origin in _UNSIGNED:
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        bits = _BITS.get(origin)
        low, high = (
            (-(1 << (bits - 1)), 1 << (bits - 1)) if bits else (0, 1 << min(_UNSIGNED[origin], 63))
        )
        return low <= value < high
    if origin in ("float", "double"):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if origin == "String":
        return isinstance(value, str)
    if origin == "DataType":
        return isinstance(value, str) and native_text.is_dtype(value)
    if origin == "Device":
        return isinstance(value, str) and native_text.cpp_device(value) is not None
    if origin == "Bytes":
        return isinstance(value, bytes)
    return _container_fits(type_, value)


def _container_fits(type_: TypeRef, value: Any) -> bool:
    if type_.origin in _SEQUENCES:
        if not isinstance(value, (list, tuple)):
            return False
        if type_.origin == "Tuple":
            return len(value) == len(type_.args) and all(map(fits, type_.args, value))
        item = type_.args[0] if type_.args else TypeRef("int64_t")
        return all(fits(item, one) for one in value)
    if type_.origin in ("Map", "Dict"):
        return isinstance(value, dict) and all(
            fits(type_.args[0], key) and fits(type_.args[1], item) for key, item in value.items()
        )
    return value is None


def report_misfit(what: str, type_: TypeRef, value: Any, span: Span, bag: Bag) -> None:
    """Report a default that is not a value of the type."""
    help_ = "correct the value or the type, or use cpp(...)"
    inner = type_.args[0] if type_.origin == "Optional" else type_
    if inner.origin == "uint64_t" and type(value) is int and value >= _OVER:
        help_ = f"an integer has 64 bits with a sign in the runtime, so it is at most {_OVER - 1}"
    elif inner.origin == "Device":
        help_ = f"write a name and a number, such as cuda:1; names are {', '.join(DEVICES)}"
    bag.add("TS035", f"{what}: {value!r} is not of type {describe(type_)}", span, help=help_)


def describe(type_: TypeRef) -> str:
    """Return the text of a type for an error message."""
    if type_.literals:
        return f"Literal[{', '.join(map(repr, type_.literals))}]"
    if type_.origin == "class":
        return type_.name
    if type_.cpp is not None:
        return type_.cpp.text
    if type_.origin == "Optional":
        return f"{describe(type_.args[0])} | None"
    if type_.origin == "Union":
        return " | ".join(map(describe, type_.args))
    if type_.origin == "Function" and type_.args:
        inner = ", ".join(map(describe, type_.args[1:]))
        return f"Function[[{inner}], {describe(type_.args[0])}]"
    inner = ", ".join(map(describe, type_.args))
    return f"{type_.origin}[{inner}]" if inner else type_.origin


def _definition(
    raw: RawField,
    type_: TypeRef,
    default: Default | None,
    options: dict[str, Any],
    doc: str,
    bag: Bag,
) -> FieldDef:
    made = attributes(FIELD, options) if options else {}
    if type_.cpp is not None and type_.cpp.as_type is None:
        made["reflect"] = False
    for key, value in (options.get("metadata") or {}).items():
        if not isinstance(value, (bool, int, str, dsl.CppText)):
            text = f"field {raw.name!r}: metadata is a bool, an int or a text, not {value!r:.40}"
            bag.add("TS023", f"{text} ({key!r})", raw.value_span or raw.span)
    if made.get("hash") is None and not made.get("compare", True):
        made["hash"] = False  # the hash has the same fields as the comparison
    if made.get("metadata"):
        made["metadata"] = literal(made["metadata"], raw.span, bag, f"field {raw.name!r}")
    return FieldDef(name=raw.name, type=type_, default=default, doc=doc, span=raw.span, **made)
