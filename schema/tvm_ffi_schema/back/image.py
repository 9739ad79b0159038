# SPDX-License-Identifier: Apache-2.0
"""Schema images (`.tfs`): classes that the runtime registers without compiled code."""

from __future__ import annotations

import json
import zlib
from typing import Any

from ..diag import Bag
from ..ir import Default, EntryDef, FieldDef, MethodDef, TypeRef, abi
from ..ir import json as ir_json
from ..ir.image_bytes import ImageBytes, ImageError
from ..link import layout
from ..link.equality import effective_kind
from ..link.program import Class, Program, literals_of
from ..ty import is_object_pointer, is_optional_pointer
from . import cpp_keywords
from .cpp_source import registered_name

# Flags of a class.
_NO_INIT, _ABSTRACT, _FINAL, _SEALED, _ENUM = 1, 2, 4, 8, 16
#: Value of the setting `structural_eq` of a field -> flag of the field.
_STRUCTURAL = {
    "": 0,
    "ignore": abi.FIELD_SEQ_HASH_IGNORE,
    "def": abi.FIELD_SEQ_HASH_DEF_PATTERN,
    "def-simple": abi.FIELD_SEQ_HASH_DEF_SIMPLE,
}

#: Type of schema files -> its name in the JSON form of type schemas, which the runtime stores. Any
#: other type `T` has the name ``ffi.T``.
_SCHEMA_NAMES = dict.fromkeys(("float", "double"), "float")
_SCHEMA_NAMES.update((name, name) for name in ("bool", "DataType", "Device", "Any", "Optional"))
_SCHEMA_NAMES.update({"Handle": "void*", "Union": "Variant", "Tuple": "Tuple", "None": "None"})
_SCHEMA_NAMES["ObjectRef"] = "ffi.Object"


def emit(program: Program, bag: Bag, embed_ir: bool = True) -> bytes:
    """Return the image of a program; report parts that an image cannot hold."""
    out = ImageBytes()
    nullable = {c.type_key: c.d.ref is None or c.d.ref.nullable for c in program.order}
    classes = _parents_first(program)
    out.u32(len(classes))
    for cls in classes:
        _Writer(out, cls, program, bag, nullable).write()
    text = ir_json.dumps(program.schema).encode("utf-8") if embed_ir else b""
    return out.finish(zlib.compress(text, 9) if text else b"")


def _parents_first(program: Program) -> list[Class]:
    done: dict[str, Class] = {}
    for cls in program.order:
        for one in [*reversed(list(cls.ancestors())), cls]:
            done.setdefault(one.type_key, one)
    return list(done.values())


class _Writer:
    """Writes one class."""

    def __init__(
        self, out: ImageBytes, cls: Class, program: Program, bag: Bag, nullable: dict[str, bool]
    ) -> None:
        self.out = out
        self.cls = cls
        self.program = program
        self.bag = bag
        self.nullable = nullable
        places = layout.compute(cls, program)
        self.offsets = {} if places.opaque else {s.name: s.offset for s in places.slots}
        if not all(map(_is_stored, cls.all_fields())):
            # The C++ class also has members that the image lacks, so the image states no offsets.
            self.offsets = {}

    def write(self) -> None:
        cls, out = self.cls, self.out
        out.text(cls.type_key)
        out.text(cls.parent.type_key)
        out.text(cls.ref or cls.d.name)
        out.text(cls.d.doc.summary)
        out.u8(self._flags())
        kind = effective_kind(cls, {})
        kind = kind or ("singleton" if cls.d.enum is not None else "unsupported")
        out.u8(abi.STRUCTURAL_KINDS[kind])
        out.u32(cls.slots)
        fields = [one for one in cls.d.fields if self._is_reflected(one)]
        out.u32(len(fields))
        for one in fields:
            self._field(one)
        methods = [one for one in cls.native if one.name != "__init__"]
        out.u32(len(methods))
        for method in methods:
            self._method(method)
        self._named(cls.d.type_attrs, "type attribute")
        out.u32(len(cls.entries))
        for entry in cls.entries:
            self._entry(entry)

    def _flags(self) -> int:
        d = self.cls.d
        flags = _ABSTRACT | _NO_INIT if d.abstract else 0
        if not d.ctor or self.cls.enum_base not in ("", "object"):
            flags |= _NO_INIT
        flags |= _FINAL if self.cls.final else 0
        flags |= _SEALED if d.sealed else 0
        return flags | (_ENUM if d.enum is not None else 0)

    def _note(self, text: str, span: Any) -> None:
        self.bag.add("TS604", f"{self.cls.type_key}.{text}", span or self.cls.span)

    # --- fields

    def _is_reflected(self, one: FieldDef) -> bool:
        reflected = one.reflect and self.cls.d.visit_attrs
        if not reflected:
            self._note(f"{one.name} is not in the image, since it is not reflected", one.span)
        return reflected

    def _field(self, one: FieldDef) -> None:
        out = self.out
        out.text(one.reflected_name or one.name)
        out.text(one.doc)
        out.text(self._metadata(one))
        out.u8(_is_wide(one.type))
        try:
            nullable = {} if not self.program.is_required(one) else {one.type.name: False}
            out.type(_stored_type(one), {**self.nullable, **nullable})
            out.u32(self.offsets.get(one.name, 0))
            out.u32(self._field_flags(one))
            default = one.default or _natural_default(one)
            if one.name in self.cls.refused:
                # The default is None, but the reference is not nullable. Store a C++ expression as
                # the default, because using such a default raises an error.
                default = Default("cpp", "nullptr")
            out.u8(default is not None)
            if default is not None:
                out.default(default)
        except ImageError as error:
            text = f"{self.cls.type_key}.{one.name}: {error}"
            self.bag.add("TS603", text, one.span or self.cls.span)
            return
        if one.default is not None and one.default.kind == "cpp":
            self._note(f"{one.name} has a default in C++, which the image does not hold", one.span)

    def _metadata(self, one: FieldDef) -> str:
        out = {"type_schema": _json(schema_of(one.type)), **one.metadata}
        if allowed := literals_of(one.type):
            out["one_of"] = allowed
        elif self.program.is_required(one):
            out["not_null"] = True
        return _json(out)

    def _field_flags(self, one: FieldDef) -> int:
        flags = _STRUCTURAL[one.structural_eq]
        flags |= abi.FIELD_WRITABLE if self.cls.is_writable(one) else 0
        flags |= 0 if one.repr else abi.FIELD_REPR_OFF
        flags |= 0 if one.compare else abi.FIELD_COMPARE_OFF
        flags |= abi.FIELD_HASH_OFF if one.hash is False else 0
        flags |= 0 if one.init else abi.FIELD_INIT_OFF
        return flags | (abi.FIELD_KW_ONLY if one.kw_only else 0)

    # --- methods, attributes and entries

    def _method(self, method: MethodDef) -> None:
        self._note(f"{method.name} is native code, which the image does not hold", method.span)
        self.out.text(method.name)
        self.out.text(method.doc.summary)
        params = [p.type for p in method.params]
        if not method.static:
            params.insert(0, TypeRef("class", name=self.cls.type_key))
        signature = TypeRef("Function", (method.returns, *params))
        keywords = dict(cpp_keywords.pairs(self.cls, method))
        self.out.text(_json({"type_schema": _json(schema_of(signature)), **keywords}))
        self.out.u8(method.static)

    def _named(self, values: dict[str, Any], what: str) -> None:
        self.out.u32(len(values))
        for name, value in values.items():
            self.out.text(name)
            self._value(value, f"{what} {name!r}")

    def _value(self, value: Any, what: str) -> None:
        if isinstance(value, dict) and "$cpp" in value:
            text = f"the {what} is C++, which the image does not hold"
            self.bag.add("TS604", f"{self.cls.type_key}: {text}", self.cls.span)
        try:
            self.out.value(value)
        except ImageError as error:
            self.bag.add("TS603", f"{self.cls.type_key}: {what}: {error}", self.cls.span)

    def _entry(self, entry: EntryDef) -> None:
        self.out.text(registered_name(self.cls, entry))
        try:
            self.out.value(entry.value if self.cls.enum_base == "int" else None)
        except ImageError as error:
            self.bag.add("TS603", f"{self.cls.type_key}.{entry.name}: {error}", self.cls.span)
        fields = {self.cls.reflected(name): value for name, value in entry.fields.items()}
        self._named(fields, f"field of {entry.name!r}")
        self._named(entry.attrs, f"attribute of {entry.name!r}")


def _is_stored(one: FieldDef) -> bool:
    return one.reflect and one.type.cpp is None


def _natural_default(one: FieldDef) -> Default | None:
    """Return the initial value of a field with `init=False` as a default; None if it is zero."""
    if one.init:
        return None
    type_ = one.type.cpp.as_type if one.type.cpp is not None else one.type
    found = _EMPTY.get(type_.origin) if type_ is not None else None
    return None if found is None else Default("value", found)


_EMPTY: dict[str, Any] = {"String": "", "Bytes": b"", "Map": {}, "Dict": {}}
_EMPTY.update({"Array": [], "List": []})


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _is_wide(type_: TypeRef) -> bool:
    """Return whether a type is an optional typed function, which C++ stores in 16 bytes."""
    inner = type_.args[0] if type_.origin == "Optional" else type_
    return type_.origin == "Optional" and is_object_pointer(inner) != is_optional_pointer(inner)


def _stored_type(one: FieldDef) -> TypeRef:
    """Return the type that the image stores for a field.

    An object type becomes an optional type if the default of the field is None.
    """
    default = one.default
    by_none = default is not None and default.kind == "value" and default.value is None
    plain = one.type.cpp is None and one.type.origin not in ("Optional", "class")
    if by_none and plain and is_object_pointer(one.type):
        return TypeRef("Optional", (one.type,))
    return one.type


def schema_of(type_: TypeRef) -> dict[str, Any]:
    """Return the type schema of a type, in the JSON form that the runtime stores."""
    if type_.cpp is not None:
        inner: TypeRef | None = type_.cpp.as_type
        return schema_of(inner) if inner is not None else {"type": "Any"}
    if type_.origin == "class":
        return {"type": type_.name}
    if "int" in type_.origin:
        return {"type": "int"}
    name = _SCHEMA_NAMES.get(type_.origin, f"ffi.{type_.origin}")
    args = [schema_of(arg) for arg in type_.args]
    if type_.origin == "Function" and args:
        return {"type": name, "named_args": {"return": args[:1], "params": args[1:]}}
    return {"type": name, "args": args} if args else {"type": name}
