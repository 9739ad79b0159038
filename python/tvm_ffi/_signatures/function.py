# SPDX-License-Identifier: Apache-2.0
"""Names, documentation and signatures of functions; the extension calls this module.

Each attribute is computed when it is read. The runtime finds the record of a function by the
function's address: in the library that exports it, among the global functions, or among the methods
of types.
"""

from __future__ import annotations

import inspect
import json
import os
from inspect import Parameter, Signature

from .. import core
from .._types import info as infos
from .._types.schema import TypeSchema
from . import annotation, keywords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tvm_ffi.core import Function

_RECEIVER = Parameter("self", Parameter.POSITIONAL_ONLY)
_ANYTHING = Parameter("args", Parameter.VAR_POSITIONAL)


class Record:
    """The runtime's description of a function: its name, Python callable and overloads.

    Attributes
    ----------
    module, qualname
        Where the function is registered or exported: the two parts of its full name.
    callable
        The Python callable inside the function, if it was made from one.
    overloads
        The metadata and the documentation of each overload; most functions have one.
    has_receiver
        Whether the first parameter is the receiver of a method.

    """

    __slots__ = ("callable", "has_receiver", "module", "overloads", "qualname")

    def __init__(self, function: Function) -> None:
        self.callable, hint, found, kept = core._describe_function(function)
        kind, place, name, *texts = map(str, found) if len(found) else ("", "", hint)
        self.overloads: list[tuple[dict[str, Any], str]] = [
            (_read(metadata), doc) for metadata, doc in zip(texts[::2], texts[1::2])
        ]
        self.has_receiver = kind == "method"
        if not self.overloads:
            self.overloads = _stored(function, kept)
        if kind == "module":
            self.module: str | None = library_name(place)
            self.qualname: str | None = name or hint or None
        elif kind in ("method", "static"):
            self.module, _, owner = place.rpartition(".")
            self.qualname = f"{owner}.{name}"
        else:
            self.module, _, self.qualname = name.rpartition(".")
        self.module = self.module or None
        self.qualname = self.qualname or None

    @property
    def full_name(self) -> str | None:
        """The full name: the registered name, or the module and the name of the function in it."""
        parts = [part for part in (self.module, self.qualname) if part]
        return ".".join(parts) if self.qualname else None


def _read(metadata: str) -> dict[str, Any]:
    """Return the parsed metadata; an empty dictionary if it is empty or malformed."""
    try:
        read = json.loads(metadata) if metadata else {}
    except ValueError:
        read = {}
    return read if isinstance(read, dict) else {}


def _stored(function: Function, kept: Any) -> list[tuple[dict[str, Any], str]]:
    """Return the metadata that the function itself stores.

    ``Module.get_function`` stores the metadata of a function that is not from a library. For other
    functions, ``kept`` has the parameters that the extension stored when it looked up the function;
    they stay valid even after another function was registered under the same name.
    """
    stored = vars(function).get("__tvm_ffi_metadata__")
    if stored is not None:
        return [(_read(stored), "")]
    if isinstance(kept, bytes):
        return [(_read(kept.decode("utf-8", "replace")), "")]
    if isinstance(kept, tuple) and not isinstance(kept[0], keywords.Unfit):
        names, defaults = kept
        entries = {"arg_names": ",".join(names), "arg_defaults": json.dumps(defaults)}
        return [(entries, "")]
    return []


def library_name(path: str) -> str:
    """Return the module name for a library: ``kernels`` for ``/x/libkernels.so.1``."""
    stem = os.path.basename(path).partition(".")[0]
    stem = stem[3:] if stem.startswith("lib") and len(stem) > 3 else stem
    return stem if stem.isidentifier() else ""


# ---- attributes ----


def attribute(function: Function, name: str) -> Any:
    """Return an attribute of a function.

    Raise AttributeError if the function does not have a name, or its parameters are unknown.
    """
    value = _READERS[name](Record(function))
    if value is None and name not in ("__doc__", "__module__"):
        raise AttributeError(f"this function has no {name}: it is not registered under a name")
    return value


def _name(record: Record) -> str | None:
    if record.qualname is not None:
        return record.qualname.rpartition(".")[2]
    name: str | None = getattr(record.callable, "__name__", None)
    return name


def _qualname(record: Record) -> str | None:
    if record.qualname is not None:
        return record.qualname
    name: str | None = getattr(record.callable, "__qualname__", None)
    return name


def _module(record: Record) -> str | None:
    name: str | None = getattr(record.callable, "__module__", None)
    return record.module if name is None else name


def _doc(record: Record) -> str | None:
    text = _own_doc(record)
    fault = _fault(record)
    if fault is None:
        return text
    note = f"Its parameters have no names or defaults, because {fault}."
    return f"{text}\n\n{note}" if text else note


def _fault(record: Record) -> str | None:
    """Return why the parameter names in the metadata are ignored; None if they are not ignored."""
    if record.callable is not None or len(record.overloads) != 1:
        return None
    metadata = record.overloads[0][0]
    types, _ = types_of(metadata)
    return keywords.fault_of(metadata, None if types is None else len(types) - record.has_receiver)


def _own_doc(record: Record) -> str | None:
    documented = [doc for _, doc in record.overloads if doc]
    if len(record.overloads) > 1:
        name = (record.qualname or "").rpartition(".")[2]
        return _overloads_text(name, record.overloads, record.has_receiver)
    if documented:
        return documented[0]
    doc: str | None = None if record.callable is None else inspect.getdoc(record.callable)
    return doc


def overloads_doc(type_index: int, name: str) -> str | None:
    """Return the documentation of an overloaded method of a type; the extension calls this."""
    info = infos._info_of(type_index)
    found = [m for m in (info.methods if info else ()) or () if m.name == name]
    overloads = [(m.metadata, m.doc or "") for m in found]
    has_receiver = bool(found) and not found[0].is_static
    return _overloads_text(name, overloads, has_receiver) if found else None


def _overloads_text(
    name: str, overloads: list[tuple[dict[str, Any], str]], has_receiver: bool
) -> str:
    """Write the signature and documentation of each overload."""
    texts = []
    for metadata, doc in overloads:
        line = f"{name}{signature_text(of_metadata(metadata, has_receiver))}"
        body = [f"    {part}".rstrip() for part in inspect.cleandoc(doc).splitlines()]
        texts.append("\n".join([line, *body]))
    return "\n\n".join(texts)


def _signature(record: Record) -> Signature | None:
    if record.callable is not None:
        return _python_signature(record.callable)
    if len(record.overloads) == 1:
        return of_metadata(record.overloads[0][0], record.has_receiver)
    if record.overloads:
        return Signature([*([_RECEIVER] if record.has_receiver else []), _ANYTHING])
    return Signature([_ANYTHING])


_READERS = {
    "__name__": _name,
    "__qualname__": _qualname,
    "__module__": _module,
    "__doc__": _doc,
    "__signature__": _signature,
}


# ---- signatures ----


def _python_signature(callable_: Any) -> Signature:
    """Return the signature of a function around a Python callable.

    Such a function accepts no keywords, even if the callable does.
    """
    try:
        signature = inspect.signature(callable_)
    except (TypeError, ValueError):
        return Signature([_ANYTHING])
    kept = []
    for parameter in signature.parameters.values():
        if parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD):
            kept.append(parameter.replace(kind=Parameter.POSITIONAL_ONLY))
        elif parameter.kind is Parameter.VAR_POSITIONAL:
            kept.append(parameter)
    return signature.replace(parameters=kept)


def of_metadata(metadata: dict[str, Any], has_receiver: bool = False) -> Signature:
    """Return the signature in the metadata of a function or method.

    Parameters without names are positional-only, and called ``arg0``, ``arg1`` and so on.
    """
    types, result = types_of(metadata)
    if types is None:
        receiver = [_RECEIVER] if has_receiver else []
        known = _named(metadata, None)
        return Signature([*receiver, *(known or [_ANYTHING])], return_annotation=result)
    receiver = [_RECEIVER] if has_receiver and types else []
    types = types[len(receiver) :]
    named = _named(metadata, types)
    if named is None:
        named = [
            Parameter(f"arg{i}", Parameter.POSITIONAL_ONLY, annotation=type_)
            for i, type_ in enumerate(types)
        ]
    return Signature([*receiver, *named], return_annotation=result)


def types_of(metadata: dict[str, Any]) -> tuple[list[Any] | None, Any]:
    """Return the annotations of the parameters (None if unknown) and of the result."""
    schema = schema_of(metadata)
    groups = None if schema is None else schema.named_args
    if groups is None:
        return None, Signature.empty
    result = annotation.of_schema(groups["return"][0])
    params = groups.get("params", ())
    return [annotation.of_schema(param, is_input=True) for param in params], result


def schema_of(metadata: dict[str, Any]) -> TypeSchema | None:
    """Return the schema in metadata; None if the schema is missing or malformed."""
    try:
        return TypeSchema.from_metadata(metadata)
    except (TypeError, ValueError):
        return None


def _named(metadata: dict[str, Any], types: Sequence[Any] | None) -> list[Parameter] | None:
    """Return parameters with their names and defaults, or None if the names are missing or unfit.

    ``types`` is None if the types are unknown.
    """
    parameters = keywords.of_entries(metadata, None if types is None else len(types))
    if parameters is None:
        return None
    names, defaults = parameters
    if types is None:
        types = [Parameter.empty] * len(names)
    missing = [Parameter.empty] * (len(names) - len(defaults))
    return [
        Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=type_, default=default)
        for name, type_, default in zip(names, types, [*missing, *defaults])
    ]


def method_signature(type_index: int, name: str) -> Signature:
    """Return the signature of a reflected method of a type; the extension calls this."""
    info = infos._info_of(type_index) if type_index >= 0 else None
    found = [m for m in (info.methods if info else ()) or () if m.name == name and not m.is_static]
    if len(found) == 1:
        return of_metadata(found[0].metadata, has_receiver=True)
    return Signature([_RECEIVER, _ANYTHING])


def check_number(function: Function, number: int) -> None:
    """Check a number of positional arguments against the metadata; the extension calls this.

    Without metadata that tells the number of parameters, every number is accepted.

    Raise TypeError if the function does not take this number of arguments.
    """
    record = Record(function)
    signature = None if record.callable is not None else _signature(record)
    parameters = () if signature is None else tuple(signature.parameters.values())
    if signature is None or any(p.kind is Parameter.VAR_POSITIONAL for p in parameters):
        return
    most = len(parameters)
    least = sum(parameter.default is Parameter.empty for parameter in parameters)
    if not least <= number <= most:
        name = (record.qualname or "").rpartition(".")[2]
        takes = f"{most}" if least == most else f"{least} to {most}"
        raise TypeError(
            f"Mismatched number of arguments when calling: `{name}{signature_text(signature)}`. "
            f"Expected {takes} but got {number} arguments"
        )


# ---- text ----


def signature_text(signature: Signature) -> str:
    """Write a signature with the short names of types: ``(x: Tensor, eps: float = 1e-05)``.

    The result is left out if it is unknown or None.
    """
    texts = []
    parameters = list(signature.parameters.values())
    for i, parameter in enumerate(parameters):
        star = "*" if parameter.kind is Parameter.VAR_POSITIONAL else ""
        text = star + parameter.name
        is_typed = parameter.annotation is not Parameter.empty
        if is_typed:
            text += f": {annotation.text_of(parameter.annotation)}"
        if parameter.default is not Parameter.empty:
            text += f" = {parameter.default!r}" if is_typed else f"={parameter.default!r}"
        texts.append(text)
        is_last_positional = parameter.kind is Parameter.POSITIONAL_ONLY and (
            i + 1 == len(parameters) or parameters[i + 1].kind is not Parameter.POSITIONAL_ONLY
        )
        if is_last_positional:
            texts.append("/")
    result = signature.return_annotation
    arrow = "" if result in (Signature.empty, None) else f" -> {annotation.text_of(result)}"
    return f"({', '.join(texts)}){arrow}"


def text_of(function: Function) -> str | None:
    """Return the repr of a function, or None if nothing is known about the function."""
    record = Record(function)
    name = record.full_name
    if name is None:
        name = getattr(record.callable, "__qualname__", None)
    if name is None:
        return None
    signature = _signature(record) or Signature([_ANYTHING])
    fault = _fault(record)
    note = "" if fault is None else f"; its parameters have no names, because {fault}"
    return f"<Function {name}{signature_text(signature)}{note}>"
