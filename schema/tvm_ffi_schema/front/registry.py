# SPDX-License-Identifier: Apache-2.0
"""Get the facts about registered types from another process, which loads or imports files.

``python -c "...; main()" lib NAME...`` loads libraries and prints the types that they register;
``... module PATH...`` imports Python files and prints the types that each file registers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from ..diag import Bag
from ..files.source import shown
from ..ir import Span

#: The environment variable with the names of the type attributes to read, as a JSON array.
ATTRIBUTES = "TVM_FFI_SCHEMA_ATTRIBUTES"
_RAW_FIELD = ("name", "doc", "offset", "size", "frozen", "metadata")
_FLAGS = ("init", "kw_only", "repr", "compare", "hash")


def main() -> None:
    """Load the files in the arguments, and print the facts."""
    ffi: Any = import_module("tvm_ffi")
    kind, *names = sys.argv[1:]
    if kind == "module":
        found = _of_files(ffi, names)
    else:
        before = set(map(str, ffi.registry.get_registered_type_keys()))
        for name in names:
            ffi.load_module(os.path.abspath(name))
        wanted = json.loads(os.environ.get(ATTRIBUTES, "[]"))
        keys = [str(key) for key in ffi.registry.get_registered_type_keys()]
        found = [_facts(ffi, key, wanted) for key in keys if key not in before]
    # Separate the JSON from text that the loaded files have written to standard output.
    sys.stdout.write("\n" + json.dumps(found) + "\n")


def _of_files(ffi: Any, paths: list[str]) -> list[dict[str, Any]]:
    """Import Python files; return for each file its name in Python, its failure, its types."""
    from . import running

    made: list[dict[str, Any]] = []
    for path in paths:
        module, failure = running.run_file(path)
        one: dict[str, Any] = {
            "module": getattr(module, "__name__", None),
            "classes": [],
            "files": [],
        }
        made.append({**one, "failure": failure and vars(failure)})
    made[0]["files"] = [one.__file__ for one in [*sys.modules.values()] if _has_file(one)]
    for key in map(str, ffi.registry.get_registered_type_keys()):
        cls = ffi.core._lookup_or_register_type_info_from_type_key(key).type_cls
        for one in made:
            if one["module"] == getattr(cls, "__module__", ""):
                one["classes"].append({**_facts(ffi, key), **_declared(ffi, cls)})
    return made


def _has_file(module: Any) -> bool:
    return isinstance(getattr(module, "__file__", None), str)


def _declared(ffi: Any, cls: Any) -> dict[str, Any]:
    """Return what the declaration of a class in Python says beyond what it registers."""
    own = vars(cls)
    options = vars(own["__tvm_ffi_type_info__"]).get("_decorator_args", {})
    computed = [field.name for field, is_var in own.get("__ffi_own_parameters__", ()) if is_var]
    traits = [name for name, value in own.items() if isinstance(value, ffi.core._Trait)]
    return {
        "name": cls.__name__,
        "is_frozen": options.get("frozen"),
        "init_vars": computed,
        "init_properties": [*own.get("__ffi_init_property_funcs__", ())],
        "attributes": {name: _literal(ffi, getattr(cls, name)) for name in traits},
    }


def _doc_of(cls: type | None) -> str:
    """Return the docstring that a class itself has; empty if there is none."""
    doc = None if cls is None else vars(cls).get("__doc__")
    return doc if isinstance(doc, str) else ""


def _facts(ffi: Any, key: str, attributes: Iterable[str] = ()) -> dict[str, Any]:
    """Return what the runtime knows about a type, and the values of the named type attributes."""
    info = ffi.core._lookup_or_register_type_info_from_type_key(key)
    cls = info.type_cls
    attribute = ffi.core._lookup_type_attr
    layout = ffi.get_global_func("ffi.schema.Layout")(key)
    values = {name: attribute(info.type_index, name) for name in attributes}
    return {
        "key": key,
        "parent": info.parent_type_info.type_key if info.parent_type_info is not None else "",
        "doc": _doc_of(cls),
        "kind": int(ffi.get_global_func("ffi.schema.StructuralKind")(info.type_index)),
        "final": attribute(info.type_index, "__ffi_type_final__") is True,
        "abstract": attribute(info.type_index, "__ffi_init__") is None,
        "fields": [_field(ffi, one) for one in info.fields or ()],
        "methods": [
            {"name": m.name, "doc": m.doc or "", "metadata": m.metadata, "static": m.is_static}
            for m in info.methods
        ],
        "entries": _entries(ffi, info),
        "slots": int(layout["child_slots"]),
        "sealed": not layout["overflows"],
        "size": layout["size"],
        "attributes": {n: _literal(ffi, v) for n, v in values.items() if v is not None},
    }


def _field(ffi: Any, one: Any) -> dict[str, Any]:
    facts = {name: getattr(one, name) for name in _RAW_FIELD}
    facts.update({name: getattr(one, f"c_{name}") for name in _FLAGS})
    facts["structural_eq"] = one.c_structural_eq or ""
    default = None
    if one.c_default is not ffi.core.MISSING:
        default = ["value", *_literal(ffi, one.c_default)]
    elif one.c_default_factory is not ffi.core.MISSING:
        try:
            default = ["factory", *_literal(ffi, one.c_default_factory())]
        except Exception as error:
            default = ["factory", "none", f"{type(error).__name__}: {error}"]
    facts["default"] = default
    return facts


def _literal(ffi: Any, value: Any) -> tuple[str, Any]:
    """Return ``("literal", value)``, ``("entry", [key, name])`` or ``("none", description)``."""
    word = _word_of(value)
    if word is not None:
        key = str(ffi.core._type_cls_to_type_info(type(value)).type_key)
        return "entry", [key, word]
    try:
        return "literal", _plain(value)
    except TypeError:
        return "none", repr(value)


def _word_of(value: Any) -> str | None:
    """Return the name of an entry of an enum; None for any other value."""
    if getattr(value, "__entry_name__", None) is None:
        return None
    words = (name for name, one in vars(type(value)).items() if one is value)
    return next(words, str(value.__entry_name__))


def _plain(value: Any, depth: int = 0) -> Any:
    if depth > 32:
        raise TypeError("too deep")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, str):
        return str(value)
    kind, word = type(value).__name__, _word_of(value)
    if word is not None:
        return {"$entry": [kind, word]}
    if kind in ("dtype", "DataType", "Device"):
        return str(value)
    if kind in ("Array", "List", "list", "tuple", "Shape"):
        return [_plain(item, depth + 1) for item in value]
    if kind in ("Map", "Dict", "dict"):
        return {_plain(k, depth + 1): _plain(v, depth + 1) for k, v in value.items()}
    raise TypeError(kind)


def _entries(ffi: Any, info: Any) -> list[dict[str, Any]] | None:
    state = ffi.core._lookup_type_attr(info.type_index, "__ffi_enum__")
    if state is None:
        return None
    return [_entry(ffi, info, one) for one in state.entries]


def _entry(ffi: Any, info: Any, one: Any) -> dict[str, Any]:
    fields = {}
    for field in _own_fields(info):
        kind, value = _literal(ffi, getattr(one, field))
        if kind == "literal":
            fields[field] = value
    return {
        "name": str(ffi.get_global_func("ffi.EnumNameOf")(one)),
        "word": _word_of(one),
        "number": getattr(one, "_int_index", None),
        "fields": fields,
    }


def _own_fields(info: Any) -> Iterable[str]:
    while info is not None and not info.type_key.startswith("ffi."):
        yield from (one.name for one in info.fields or ())
        info = info.parent_type_info


# ---- the process that asks

_PROGRAM = "from tvm_ffi_schema.front.registry import main; main()"


def facts_of(
    kind: str, sources: list[str], bag: Bag, attributes: Sequence[str] = ()
) -> list[dict[str, Any]] | None:
    """Return the facts of all registered types, from another process; None after an error.

    Errors are reported. `attributes` has the names of the type attributes to read.
    """
    environ = {**os.environ, ATTRIBUTES: json.dumps(list(attributes))}
    # The other process finds the packages that this one finds, also in another directory.
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, kind, *sources],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=environ,
    )
    lines = done.stdout.splitlines()
    try:
        data = json.loads(lines[-1]) if done.returncode == 0 and lines else None
    except ValueError:
        data = None
    if isinstance(data, list):
        return data
    reasons = done.stderr.strip().splitlines() or ["no reason"]
    if done.returncode < 0:
        reasons.append(f"the process that loaded it was ended by signal {-done.returncode}")
    names = ", ".join(map(shown, sources))
    rule, text = ("TS431", "loaded") if kind == "lib" else ("TS004", "imported")
    bag.add(rule, f"{names} cannot be {text}: {reasons[-1]}", Span(shown(sources[0])))
    return None
