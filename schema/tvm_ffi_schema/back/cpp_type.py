# SPDX-License-Identifier: Apache-2.0
"""Write types, literals and parameters in C++ notation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .. import ty
from ..cxx.pattern import quoted
from ..front.fields import fits
from ..ir import Default, FieldDef, ParamDef, TypeRef, native_text
from ..link.program import Class, Foreign, Program, held_classes, is_one_object
from .writer import CppOptions

_PLAIN = frozenset(
    (
        *("bool", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t"),
        *("uint32_t", "uint64_t", "float", "double", "DataType", "Device", "Handle"),
    )
)


class CppNames:
    """Writes types and values for one namespace."""

    def __init__(self, program: Program, options: CppOptions, namespace: str) -> None:
        self.program = program
        self.options = options
        self.namespace = namespace
        # Caches with the `id` of an object as key. The value contains the object, so that the
        # object stays alive and no other object gets the same `id`.
        self._types: dict[int, tuple[TypeRef, str]] = {}
        self._parameters: dict[int, tuple[FieldDef, str]] = {}
        #: Type key of a parent -> its constructor call, which all derived classes share.
        self.parents: dict[str, str] = {}
        #: Type key -> the cached result of `cpp_object.reference_forms`.
        self.reference_forms: dict[str, list[list[str]]] = {}
        # Type key -> the cached result of `needs_tag`, which depends on all ancestors.
        self._tagged: dict[str, bool] = {}

    def qualified(self, namespace: str, name: str) -> str:
        """Return the text by which code in `self.namespace` refers to a name in `namespace`."""
        if namespace == self.namespace or not name or self._is_visible(namespace, name):
            return name
        return f"::{namespace}::{name}" if namespace else f"::{name}"

    def _is_visible(self, namespace: str, name: str) -> bool:
        """Return whether no class hides a name in an enclosing namespace."""
        own = f"{self.namespace}::"
        if not (self.options.is_short and namespace and own.startswith(f"{namespace}::")):
            return False
        hidden = self.program.namespaces(name)
        return not any(len(s) > len(namespace) and own.startswith(f"{s}::") for s in hidden)

    def object_class(self, key: str) -> str:
        """Return the C++ name of the object class that has the type key `key`."""
        found = self.program.find(key)
        if isinstance(found, Foreign):
            return self._foreign(found, found.obj)
        return self.qualified(found.namespace, found.obj) if found else key

    def ref_class(self, key: str) -> str:
        """Return the C++ name of a reference class; a pointer type if the class has none."""
        found = self.program.find(key)
        if isinstance(found, Foreign):
            return self._foreign(found, found.ref)
        if found is None:
            return key
        if not found.ref:
            return f"{self.options.ffi}ObjectPtr<{self.object_class(key)}>"
        return self.qualified(found.namespace, found.ref)

    def _foreign(self, found: Foreign, name: str) -> str:
        if found.is_runtime:
            return name.replace("::tvm::ffi::", self.options.ffi)
        namespace, _, last = name.removeprefix("::").rpartition("::")
        return self.qualified(namespace, last) if name.startswith("::") else name

    def type(self, type_: TypeRef) -> str:
        """Return the C++ text of a type."""
        known = self._types.get(id(type_))
        if known is None:
            known = self._types[id(type_)] = (type_, self._type(type_))
        return known[1]

    def parameter(self, one: FieldDef) -> str:
        """Return the parameter of a field in constructors of its class and of derived classes."""
        known = self._parameters.get(id(one))
        if known is None:
            text = f"{self.type(one.type)} {one.name}"
            known = self._parameters[id(one)] = (one, text)
        return known[1]

    def _type(self, type_: TypeRef) -> str:
        if type_.cpp is not None:
            return type_.cpp.text
        if type_.origin == "class":
            return self.ref_class(type_.name)
        return self._generic(type_, self.type)

    def _generic(self, type_: TypeRef, write: Callable[[TypeRef], str]) -> str:
        """Return the C++ text of a type of the table; `write` writes its arguments."""
        row = ty.row_of(type_.origin)
        assert row is not None, type_.origin
        args = [write(arg) for arg in type_.args]
        if type_.origin == "Function" and args:
            return f"{self.options.ffi}TypedFunction<{args[0]}({', '.join(args[1:])})>"
        name = row.cpp.replace("~", self.options.ffi)
        return f"{name}<{', '.join(args)}>" if args else name

    def pointer_type(self, type_: TypeRef) -> str:
        """Return the C++ text of a type, with object pointers in place of reference classes.

        Recursive classes have fields with these types.
        """
        if is_one_object(type_):
            return self._pointer(type_)
        if not type_.args:
            return self.type(type_)
        return self._generic(type_, self.pointer_type)

    def _pointer(self, type_: TypeRef) -> str:
        """Return the type of a pointer to an object: `Arc` if never null, otherwise `ObjectPtr`."""
        inner = type_.args[0] if type_.origin == "Optional" else type_
        word = "ObjectPtr" if inner is not type_ or self.is_nullable(inner) else "Arc"
        return f"{self.options.ffi}{word}<{self.object_class(inner.name)}>"

    def signature_type(self, cls: Class | None, type_: TypeRef) -> str:
        """Return a type in the signature of a method.

        In the body of a class, the class itself and the classes declared after it are incomplete.
        C++ cannot name a container of references to an incomplete class, so the signature has a
        container of object pointers instead.
        """
        if cls is None or not any(self.program.is_later(cls, key) for key in held_classes(type_)):
            return self.type(type_)
        return self._held(cls, type_, False)

    def _held(self, cls: Class, type_: TypeRef, inside: bool) -> str:
        if type_.origin == "class" and inside and self.program.is_later(cls, type_.name):
            return self.pointer_type(type_)
        if type_.cpp is not None or not type_.args:
            return self.type(type_)
        is_optional = type_.origin == "Optional"
        if is_optional and inside and type_.args[0].origin == "class":
            return self._held(cls, type_.args[0], inside)
        within = type_.origin != "Function" and (inside or not is_optional)
        return self._generic(type_, lambda arg: self._held(cls, arg, within))

    def field_type(self, cls: Class, one: FieldDef) -> str:
        """Return the C++ text of the type of a member."""
        return self.pointer_type(one.type) if cls.is_pointer(one.name) else self.type(one.type)

    # --- values

    def literal(self, value: Any, type_: TypeRef | None = None) -> str:
        """Return a literal as a C++ expression."""
        if isinstance(value, dict) and "$cpp" in value:
            return str(value["$cpp"])
        if isinstance(value, dict) and "$entry" in value:
            return self.entry(value["$entry"])
        origin = type_.origin if type_ else ""
        if value is None:
            if type_ is None or origin in ("", "Any", "Handle"):
                return "nullptr"
            return self.absent(type_)
        if origin in ("Optional", "Union") and type_:
            return self.typed(value, type_)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int) and origin not in ("float", "double"):
            return _integer(value, origin)
        if isinstance(value, (int, float)):
            return _real(float(value), "float" if origin == "float" else "double")
        if isinstance(value, str):
            return self._text(value, origin)
        if isinstance(value, bytes):
            body = "".join(f"\\{byte:03o}" for byte in value)
            return f'{self.options.ffi}Bytes("{body}", {len(value)})'
        return self._container(value, type_)

    def absent(self, type_: TypeRef) -> str:
        """Return the C++ expression that represents None as a value of a type."""
        is_plain = type_.origin in ("Optional", "Union")
        return "std::nullopt" if is_plain else f"{self.type(type_)}()"

    def _text(self, value: str, origin: str) -> str:
        text = quoted(value)
        if origin == "DataType":
            return f"{self.options.ffi}StringToDLDataType({text})"
        if origin == "Device":
            return native_text.cpp_device(value) or text
        if origin == "" or origin == "Any" or origin == "Union":
            return f"{self.options.ffi}String({text})"
        return text

    def _container(self, value: Any, type_: TypeRef | None) -> str:
        if type_ is not None and type_.origin == "Any":
            type_ = None  # Any has no constructor from elements, so write a container type
        args = type_.args if type_ else ()
        name = self.type(type_) if type_ else ""
        if isinstance(value, dict):
            if not name:
                name = f"{self.options.ffi}Map<{self.options.ffi}String, {self.options.ffi}Any>"
            key, item = args if len(args) == 2 else (TypeRef("String"), TypeRef("Any"))
            pairs = (
                f"{{{self.literal(k, key)}, {self.literal(v, item)}}}" for k, v in value.items()
            )
            return f"{name}{{{', '.join(pairs)}}}"
        if not name:
            name = f"{self.options.ffi}Array<{self.options.ffi}Any>"
        if type_ is not None and type_.origin == "Tuple":
            items = [self.literal(v, a) for v, a in zip(value, args)]
            return f"{name}({', '.join(items)})"
        inner = args[0] if args else TypeRef("Any")
        return f"{name}{{{', '.join(self.literal(v, inner) for v in value)}}}"

    def entry(self, pair: list[str]) -> str:
        """Return the C++ expression of an enum entry: a call such as `Color::red()`."""
        owner, name = pair
        for key, cls in self.program.classes.items():
            if owner in (key, cls.d.name):
                return f"{self.ref_class(key)}::{name}()"
        return f"{owner}::{name}()"

    def default(self, cls: Class, one: FieldDef) -> str:
        """Return the default of an own or inherited field; empty if the field has no default.

        The expression has the type of the constructor parameter, which may be a container of object
        pointers.
        """
        if one.default is None:
            return ""
        as_pointers = cls.is_pointer(one.name) and not is_one_object(one.type)
        names = PointerNames(self) if as_pointers else self
        return names.default_value(one.default, one.type)

    def default_value(self, default: Default, type_: TypeRef) -> str:
        """Return the default of a field as a C++ expression of the type of the field."""
        if default.kind == "cpp":
            return str(default.value)
        if default.kind == "entry":
            return self.entry(default.value)
        if default.value is None and type_.origin == "Optional":
            return self.absent(type_)
        return self.literal(default.value, type_)

    def typed(self, value: Any, type_: TypeRef) -> str:
        """Return a literal as an expression of an optional or union type.

        The literal gets the first type in the optional or union that accepts it.
        """
        inner = next((arg for arg in type_.args if fits(arg, value)), type_.args[0])
        text = self.literal(value, inner)
        if inner.origin not in ("Optional", "Union") and not text.startswith(self.type(inner)):
            text = f"{self.type(inner)}({text})"
        return f"{self.type(type_)}({text})" if type_.origin == "Union" else text

    def is_plain(self, type_: TypeRef) -> bool:
        """Return whether a value of this type is copied rather than moved."""
        return type_.origin in _PLAIN

    def initialiser(self, cls: Class, one: FieldDef) -> str:
        """Return the initialiser of a member: the text between its name and the semicolon."""
        value = self.default(cls, one)
        if value and one.default is not None and one.default.kind == "entry":
            return ""  # an initialiser could run before the library has registered the entry
        if value and one.name not in cls.broken:
            return assigned(one, self.field_type(cls, one), value)
        if one.type.origin == "Union":
            # A null reference is not a value of the type; prefer a type that has a default value.
            inner = one.type.args
            first = next((arg for arg in inner if arg.origin != "class"), inner[0])
            spelled = self.pointer_type(first) if one.name in cls.broken else self.type(first)
            return f" = {spelled}{{}}"
        return "{}" if self.is_plain(one.type) or one.type.cpp is not None else ""

    def is_nullable(self, type_: TypeRef) -> bool:
        """Return whether a default-constructed member of this type has a valid value."""
        if type_.origin != "class":
            return True
        found = self.program.classes.get(type_.name)
        return found is None or found.d.ref is None or found.d.ref.nullable

    def needs_tag(self, cls: Class) -> bool:
        """Return whether the class has a member without a valid default-constructed value."""
        known = self._tagged.get(cls.type_key)
        if known is None:
            above = isinstance(cls.parent, Class) and self.needs_tag(cls.parent)
            known = above or any(self.is_unset(cls, one) for one in cls.d.fields)
            self._tagged[cls.type_key] = known
        return known

    def is_unset(self, cls: Class, one: FieldDef) -> bool:
        """Return whether a default-constructed member has no valid value."""
        return not self.is_nullable(one.type)


class PointerNames(CppNames):
    """Writes values in the types of `CppNames.pointer_type`: object pointers, not references."""

    def __init__(self, names: CppNames) -> None:
        super().__init__(names.program, names.options, names.namespace)
        self._names = names

    def type(self, type_: TypeRef) -> str:
        """Return the C++ text of a type, with object pointers in place of reference classes."""
        return self._names.pointer_type(type_)

    def absent(self, type_: TypeRef) -> str:
        """Return the C++ expression for None: a null pointer for an object."""
        if is_one_object(type_):
            return f"{self.type(type_)}()"
        return super().absent(type_)


def passed(one: FieldDef | ParamDef, names: CppNames) -> str:
    """Return the expression that passes a parameter on to another call."""
    return one.name if names.is_plain(one.type) else f"std::move({one.name})"


def assigned(one: FieldDef | ParamDef, spelled: str, value: str) -> str:
    """Return the initialiser of a variable of the type `spelled`, without a repeated type.

    An expression that the user wrote in C++ keeps its type, which may have explicit constructors.
    """
    is_ours = one.default is not None and one.default.kind != "cpp"
    is_repeated = is_ours and value.startswith(spelled + "{")
    return f" = {value[len(spelled) :] if is_repeated else value}"


def _real(value: float, type_: str) -> str:
    if math.isfinite(value):
        return repr(value) + ("f" if type_ == "float" else "")
    limits = f"std::numeric_limits<{type_}>"
    if math.isnan(value):
        return f"{limits}::quiet_NaN()"
    return f"{'-' * (value < 0)}{limits}::infinity()"


def needs_limits(value: Any) -> bool:
    """Return whether a literal contains a number that is not finite."""
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, dict):
        return any(map(needs_limits, value.values()))
    return isinstance(value, (list, tuple)) and any(map(needs_limits, value))


def _integer(value: int, origin: str) -> str:
    if origin == "uint64_t" and value >= 1 << 63:
        return f"{value}ULL"
    if value == -(1 << 63):
        return "INT64_MIN"
    if value > 0x7FFFFFFF or value < -0x80000000:
        return f"INT64_C({value})"
    return str(value)
