# SPDX-License-Identifier: Apache-2.0
"""Read prototypes: Python modules whose classes `tvm_ffi.dataclasses` registers when they run.

Another process imports the modules. The facts about a class come from the registry, because a
native class must register the same facts. Places, documentation of members and the code of methods,
which stays in Python, come from the syntax tree.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Any

from .. import dsl, ty
from ..diag import Bag
from ..ir import MethodDef, Span, TypeRef, abi, names
from ..ir import json as ir_json
from . import annotation, numpydoc, python_code, running
from .class_body import allowances, members_of
from .raw import ClassName, EntryName, Places, RawClass, RawField, RawModule, files_run
from .registry import facts_of

_KINDS = tuple(abi.STRUCTURAL_KINDS)
_BASES: dict[str, Any] = {
    "ffi.Object": dsl.Object,
    "ffi.Enum": dsl.Enum,
    "ffi.IntEnum": dsl.IntEnum,
    "ffi.StrEnum": dsl.StrEnum,
}
#: Name in type schemas -> name in schema files, if they differ by more than the prefix ``ffi.``.
_NAMES = {"int": "int64_t", "float": "double", "void*": "Handle", "Variant": "Union"}
_NAMES.update({"str": "String", "bytes": "Bytes", "ffi.SmallStr": "String", "dtype": "DataType"})
_NAMES.update({"Object": "ObjectRef", "ffi.Object": "ObjectRef", "tuple": "Tuple"})
_BINDINGS = ("c_class", "c_enum")


def read(files: dict[str, tuple[Places, ast.Module]], bag: Bag) -> dict[str, RawModule]:
    """Run prototypes, given as path -> places and tree; return path -> content.

    Report and omit prototypes that fail.
    """
    facts = facts_of("module", [*files], bag) if files else []
    failed = [running.Failure(**one["failure"]) for one in facts or () if one["failure"]]
    running.report(failed, bag)
    made = {}
    for (path, (places, tree)), found in zip(files.items(), facts or ()):
        files_run.update(found["files"])
        if not found["failure"]:
            stem = found["module"].rpartition(".")[2]
            made[path] = _Prototype(places, tree, bag).read(stem, found)
    return made


class _Prototype:
    """Converts the facts about the classes of one file."""

    def __init__(self, places: Places, tree: ast.Module, bag: Bag) -> None:
        self.places = places
        self.tree = tree
        self.bag = bag
        self.nodes = {one.name: one for one in ast.walk(tree) if isinstance(one, ast.ClassDef)}

    def read(self, stem: str, found: dict[str, Any]) -> RawModule:
        """Return the file as a schema."""
        module = RawModule(stem, self.places.file, ast.get_docstring(self.tree) or "")
        module.classes = [self._class(one) for one in found["classes"] if not self._is_bound(one)]
        return module

    def _is_bound(self, one: dict[str, Any]) -> bool:
        """Return whether a class is only a binding of a class that C++ declares."""
        node = self.nodes.get(one["name"])
        calls = node.decorator_list if node is not None else []
        heads = (ast.unparse(call.func if isinstance(call, ast.Call) else call) for call in calls)
        return any(head.rpartition(".")[2] in _BINDINGS for head in heads)

    def _class(self, one: dict[str, Any]) -> RawClass:
        node = self.nodes.get(one["name"])
        span = Span(self.places.file)
        if node is not None:
            span = self.places.name_of(node, node.name)
        raw = RawClass(one["name"], "declare", span, doc=one["doc"])
        raw.bases = [(_BASES.get(one["parent"], ClassName(one["parent"], "key")), span)]
        functions = (
            [one for one in ast.walk(node) if isinstance(one, ast.FunctionDef)] if node else []
        )
        members: dict[str, Any] = {one.name: one for one in functions} | dict(members_of(node))
        self._settings(raw, one)
        self._refuse(one, members, span)
        known = dict(one["fields"] and [(field["name"], field) for field in one["fields"]])
        for field in one["fields"]:
            if field["name"] not in one["init_properties"]:
                raw.fields.append(self._field(field, one, members.get(field["name"]), span))
        for entry in one["entries"] or ():
            raw.entries.append(self._entry(entry, one, known, members, span))
        if node is not None:
            raw.doc_line = node.body[0].lineno
            raw.allow += allowances(node, self.places)
            raw.methods = [*self._methods(node)]
        raw.allow.append("TS026")  # the decorator moves parameters without a default to the front
        return raw

    def _settings(self, raw: RawClass, one: dict[str, Any]) -> None:
        key, span = one["key"], raw.span
        made: dict[str, Any] = {"type_key": key}
        if key.rpartition(".")[2] not in (raw.name, names.stripped(raw.name)):
            made["ref"] = raw.name
        if not _is_frozen(one):
            made["mutable"] = True
        base = _BASES.get(one["parent"])
        if base in (None, dsl.Object) or one["entries"] is None:
            made["structural_eq"] = _KINDS[one["kind"]] if one["kind"] else "unsupported"
            if not one["kind"]:
                made["default_sequal_reduce"] = made["default_shash_reduce"] = False
        if base not in (dsl.IntEnum, dsl.StrEnum):
            made["nullable"] = False
        if one["attributes"]:
            facts = one["attributes"].items()  # only literals: the others stay in Python
            made["type_attrs"] = {name: _value(v) for name, (kind, v) in facts if kind == "literal"}
        raw.settings = {name: (value, span) for name, value in made.items()}

    def _refuse(self, one: dict[str, Any], members: dict[str, Any], span: Span) -> None:
        """Report the members that a native class cannot have."""
        for name in one["init_vars"]:
            text = "an InitVar is not a field: only a class of Python has such a parameter"
            help_ = "make it a field, or move the class into a file that is not promoted"
            self.bag.add("TS030", text, self._place(members.get(name), span), help=help_)
        for name in one["init_properties"]:
            text = "an init_property is computed by Python, so that a native class cannot have it"
            help_ = "write  field(init=False)  with a default, and compute it in __post_init__"
            self.bag.add("TS030", text, self._place(members.get(name), span), help=help_)

    def _place(self, node: Any, span: Span) -> Span:
        if node is None:
            return span
        is_function = isinstance(node, ast.FunctionDef)
        return self.places.name_of(node, node.name) if is_function else self.places.target_of(node)

    # --- members

    def _field(self, one: dict[str, Any], owner: dict[str, Any], node: Any, span: Span) -> RawField:
        options = {name: one[name] for name in ("init", "kw_only", "repr", "compare")}
        options["hash"] = None if one["hash"] == one["compare"] else one["hash"]
        options["frozen"] = True if one["frozen"] and not _is_frozen(owner) else None
        options["structural_eq"] = one["structural_eq"] or None
        options["doc"] = one["doc"]
        type_ = self._type(json_of(one["metadata"].get("type_schema")))
        if one["default"] is not None:
            word, kind, default = one["default"]
            options.update(_default(word, kind, default, type_))
        value = getattr(node, "value", None)
        return RawField(
            one["name"],
            type_,
            dsl.field(**options),
            self._place(node, span),
            self.places.comment_above(node.lineno) if node is not None else "",
            None if value is None else self.places.of(value),
        )

    def _entry(
        self,
        one: dict[str, Any],
        owner: dict[str, Any],
        known: dict[str, Any],
        members: dict[str, Any],
        span: Span,
    ) -> tuple[str, Any, Span]:
        given = {}
        for name, value in one["fields"].items():
            default = known.get(name, {}).get("default")
            if default is None or default[2] != value:
                given[name] = _value(value)
        value = {"ffi.IntEnum": one["number"], "ffi.StrEnum": one["name"]}.get(
            owner["parent"], dsl.MISSING
        )
        node = members.get(one["word"])
        made = dsl.EntrySpec(value, {}, given)
        made.doc = self.places.comment_above(node.lineno) if node is not None else ""
        return one["word"], made, self._place(node, span)

    def _methods(self, node: ast.ClassDef) -> Iterator[MethodDef]:
        """Yield the functions in the body of a class; their code stays in Python."""
        for one in node.body:
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield MethodDef(
                    name=one.name,
                    static=any(ast.unparse(text) == "staticmethod" for text in one.decorator_list),
                    native=False,
                    python_code=python_code.text_of(one, self.places.lines),
                    python_imports=python_code.imports_of(one, self.tree),
                    doc=numpydoc.parse(ast.get_docstring(one, clean=False) or ""),
                    span=self.places.name_of(one, one.name),
                )

    def _type(self, schema: Any) -> TypeRef:
        """Return the type that a type schema describes."""
        name = schema.get("type", "Any")
        named = schema.get("named_args", {})
        if named:
            if "params" not in named:
                return TypeRef("Function")
            parts = [*named.get("return", ({"type": "None"},)), *named["params"]]
            return TypeRef("Function", tuple(map(self._type, parts)))
        args = [self._type(arg) for arg in schema.get("args", ())]
        origin = _NAMES.get(name, name[4:] if name.startswith("ffi.") else name)
        if ty.row_of(origin) is None:
            return TypeRef("class", name=f"key:{name}")
        if origin in ("Tuple", "Union", "Optional") and not args:
            return TypeRef("Any")
        made = annotation.apply(origin, args, None)
        literals = tuple(schema.get("literals", ()))
        return TypeRef(made.origin, made.args, literals=literals) if literals else made


class _Unwritable:
    """A default that has no literal form."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _default(word: str, kind: str, value: Any, type_: TypeRef) -> dict[str, Any]:
    """Return the option of `field` for the facts about a default."""
    if kind == "entry":
        return {"default": EntryName(*value)}
    made = _value(value) if kind == "literal" else _Unwritable(str(value))
    if word == "value" and isinstance(made, list) and type_.origin in ("Array", "Tuple"):
        made = tuple(made)
    is_factory = word == "factory" or isinstance(made, (list, dict))
    return {"default_factory": lambda: made} if is_factory else {"default": made}


def _is_frozen(one: dict[str, Any]) -> bool:
    stated = one["is_frozen"]
    return all(f["frozen"] for f in one["fields"]) if stated is None else bool(stated)


def _value(value: Any) -> Any:
    return ir_json._literal_in(value)


def json_of(value: Any) -> Any:
    """Return a type schema; the registry gives it as JSON text or as parsed JSON."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {}
