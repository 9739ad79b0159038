# SPDX-License-Identifier: Apache-2.0
"""``TypeSchema``: one type and its arguments."""

from __future__ import annotations

from ... import core
from ..record import _DataclassFields
from . import annotation as annotation_form
from . import json_form, origins, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


class _ConvertError(TypeError):
    """A value does not match a schema; ``message`` is the text without any prefix.

    Conversion raises plain ``TypeError``; this class exists for programs that import it.
    """

    @property
    def message(self) -> str:
        """The text without any prefix."""
        return str(self.args[0]) if self.args else ""


_UNKNOWN = origins.UNKNOWN_INDEX

# Name of a type without arguments -> type index: a fast path for most schemas.
_ATOMS = {
    name: index
    for name, index in origins.INDEX_OF_NAME.items()
    if index != origins.CHOICE_INDEX and name not in ("Array", "List", "Map", "Dict")
}

# Origin -> number of arguments, if it is fixed.
_ARITY = {
    **dict.fromkeys(("list", "Array", "List"), 1),
    **dict.fromkeys(("dict", "Map", "Dict"), 2),
}


class TypeSchema(core._SchemaBase):
    """A type as it appears in annotations, metadata and messages.

    Parameters
    ----------
    origin
        The name of the type: ``"int"``, ``"List"``, ``"Callable"``, an object type key.
    args
        The arguments of the type. For ``tuple``, None means any length.
    origin_type_index
        The type index of the origin; looked up by name if not given. -1 means Any, -2 Optional or
        Union, -3 an origin without a type index.
    fallback
        The schema whose text is written in place of this one while ``origin`` is unknown.
    named_args
        Groups of arguments: ``return`` and ``params`` of ``Callable``.
    type_key
        The name of the type in JSON, if it differs from ``origin``. Not compared.
    literals
        The only values of the type: ints, strings, bools and None.
    tensor
        What a typed tensor requires: the entry ``tensor`` of its JSON. Not compared.

    Records are mutable and not hashable. ``convert(value)`` returns a value of the type as
    ``CAny``; ``check_value(value)`` only checks. Both raise ``TypeError`` if the value does not
    match, and ``ValueError`` if only the literals refuse the value. The first call of either method
    compiles the schema; later changes of the record do not affect these methods.

    Raises
    ------
    ValueError
        If the number of arguments is wrong for the origin, or a name is empty.
    TypeError
        If an argument is not a schema.

    """

    origin: str
    args: tuple[TypeSchema, ...] | None
    origin_type_index: int
    fallback: TypeSchema | None
    named_args: dict[str, tuple[TypeSchema, ...]] | None
    type_key: str | None
    literals: tuple[Any, ...] | None
    tensor: dict[str, Any] | None

    __match_args__ = (
        *("origin", "args", "origin_type_index", "fallback", "named_args", "type_key"),
        *("literals", "tensor"),
    )
    __dataclass_fields__ = _DataclassFields()
    _DEFAULTS = {  # noqa: RUF012 - read by the descriptor above
        "args": None,
        "origin_type_index": origins.UNKNOWN_INDEX,
        **dict.fromkeys(("fallback", "named_args", "type_key", "literals", "tensor")),
    }
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        origin: str,
        args: Iterable[TypeSchema] | None = None,
        origin_type_index: int = origins.UNKNOWN_INDEX,
        fallback: TypeSchema | None = None,
        named_args: dict[str, tuple[TypeSchema, ...]] | None = None,
        type_key: str | None = None,
        literals: Iterable[Any] | None = None,
        tensor: dict[str, Any] | None = None,
    ) -> None:
        if not isinstance(origin, str) or not origin:
            raise ValueError("schema type must be a nonempty string")
        self.tensor = tensor
        if args is None and fallback is None and named_args is None and literals is None:
            atom = _ATOMS.get(origin)
            if atom is not None and type_key is None and origin_type_index == _UNKNOWN:
                self.origin, self.args, self.origin_type_index = origin, (), atom
                self.named_args = self.fallback = self.type_key = self.literals = None
                return
        if fallback is not None and not isinstance(fallback, TypeSchema):
            raise TypeError(f"fallback must be a TypeSchema, got {type(fallback).__name__}")
        self.origin = origin
        self.args = _checked_args(origin, args)
        self.named_args = _checked_groups(named_args)
        self.fallback = fallback
        self.type_key = type_key
        self.literals = _checked_literals(literals)
        if origin == "Callable":
            self._normalize_callable()
        self._normalize_arity()
        if origin_type_index == _UNKNOWN:
            origin_type_index = origins.index_of(origin)
        self.origin_type_index = origin_type_index

    @classmethod
    def _made(cls, origin: str, args: tuple[TypeSchema, ...]) -> TypeSchema:
        """Create a record without checks, for an origin with an index and correct arguments."""
        self = cls.__new__(cls)
        self.origin, self.args = origin, args
        self.origin_type_index = origins.INDEX_OF_NAME[origin]
        self.fallback = self.named_args = self.type_key = self.literals = self.tensor = None
        return self

    def _normalize_callable(self) -> None:
        if self.named_args is None:
            if self.args:
                self.named_args = {"return": self.args[:1]}
                if len(self.args) > 1:
                    self.named_args["params"] = self.args[1:]
                self.args = ()
            return
        if self.args or not self.named_args.keys() <= {"return", "params"}:
            raise ValueError("Callable uses only named return and params groups")
        if len(self.named_args.get("return", ())) != 1:
            raise ValueError("Callable return group must contain exactly one type")

    def _normalize_arity(self) -> None:
        count = len(self.args or ())
        if self.origin == "Union" and count < 2:
            raise ValueError("Union must have at least two arguments")
        if self.origin == "Optional" and count != 1:
            raise ValueError("Optional must have exactly one argument")
        wanted = _ARITY.get(self.origin)
        if wanted is None:
            return
        if count == 0:
            self.args = tuple([TypeSchema("Any") for _ in range(wanted)])
        elif count != wanted:
            plural = "s" if wanted > 1 else ""
            raise ValueError(f"{self.origin} must have 0 or {wanted} argument{plural}")

    def _compared(self) -> tuple[Any, ...]:
        literals = None if self.literals is None else [(type(x), x) for x in self.literals]
        return (
            *(self.origin, self.args, self.origin_type_index, self.fallback, self.named_args),
            literals,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TypeSchema):
            return NotImplemented
        return self is other or self._compared() == other._compared()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    def __repr__(self) -> str:
        return text.render(self, None)

    # ---- external forms

    @staticmethod
    def from_annotation(annotation: object) -> TypeSchema:
        """Return the schema of an annotation.

        Raises
        ------
        TypeError
            If the annotation is not supported, or has a wrong number of arguments.

        """
        return _annotations.schema_of(annotation)

    @staticmethod
    def from_json_obj(obj: dict[str, Any]) -> TypeSchema:
        """Return the schema that a JSON object describes.

        Raises
        ------
        TypeError
            If the object is not a dictionary with a ``type``, or a part of it is of a wrong type.
        ValueError
            If the number of arguments is wrong for the origin, or a name is empty.

        """
        return json_form.from_object(TypeSchema, obj)

    @staticmethod
    def from_json_str(s: str) -> TypeSchema:
        """Return the schema that JSON text describes; see :meth:`from_json_obj`."""
        return json_form.from_object(TypeSchema, json_form.loads(s))

    @staticmethod
    def from_metadata(metadata: dict[str, Any]) -> TypeSchema | None:
        """Return the schema in the metadata of a field or function, or None if there is none.

        Native metadata has the schema as JSON text, metadata from Python has it as a JSON object.
        """
        given = metadata.get("type_schema")
        if given is None:
            return None
        return (
            TypeSchema.from_json_str(given)
            if isinstance(given, str)
            else (TypeSchema.from_json_obj(given))
        )

    @staticmethod
    def from_type_index(type_index: int, args: tuple[TypeSchema, ...] = ()) -> TypeSchema:
        """Return the schema of a type of the type table.

        Raises
        ------
        ValueError
            If there is no such type.

        """
        name = origins.NAME_OF_INDEX.get(type_index)
        if name is None:
            spec = core._describe_type(type_index)
            if spec is None:
                raise ValueError(f"there is no type with index {type_index}")
            name = spec[0]
        key = origins.BIG_INT_KEY if type_index == origins.BIG_INT_INDEX else None
        given = None if name == "tuple" and not args else args
        return TypeSchema(name, given, type_index, type_key=key)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the schema."""
        return json_form.to_object(self)

    def repr(self, ty_map: Callable[[str], str] | None = None) -> str:
        """Return the schema as source text; ``ty_map`` maps each origin to its name."""
        return text.render(self, ty_map)

    def output_repr(self, ty_map: Callable[[str], str] | None = None) -> str:
        """Return the text for a returned value: the same as :meth:`repr`."""
        return self.repr(ty_map)

    def input_repr(self, ty_map: Callable[[str], str] | None = None) -> str:
        """Return the text for an accepted value, such as a parameter.

        An object type is replaced by the types that convert to it, which its type attribute
        ``__ffi_convert_type_schema__`` lists.
        """
        return text.render_input(self, ty_map)

    # ---- semantics

    def _normalize_payload(self, value: Any) -> Any:
        """Return the variant for a raw payload of an enum; return other values unchanged."""
        if type(value) not in (int, bool, str) or not self._is_payload_enum():
            return value
        return core._to_py_class_value(self.convert(value))

    def _is_payload_enum(self) -> bool:
        bases = map(core._object_type_key_to_index, ("ffi.IntEnum", "ffi.StrEnum"))
        spec = core._describe_type(self.origin_type_index)
        return spec is not None and any(base in spec[1] for base in bases if base is not None)

    def is_subtype_of(self, target_cls: type) -> bool:
        """Return whether all values of the schema are instances of the type of ``target_cls``."""
        if not isinstance(target_cls, type) or not issubclass(target_cls, core.CObject):
            return False
        target = core._type_cls_to_type_info(target_cls)
        index = self.origin_type_index
        if target is None or index < origins.INDEX_OF_NAME["Object"]:
            return False
        if index == target.type_index:
            return True
        spec = core._describe_type(index)
        return spec is not None and target.type_index in spec[1]


def _checked_args(origin: str, args: Iterable[TypeSchema] | None) -> tuple[TypeSchema, ...] | None:
    if args is None:
        return None if origin == "tuple" else ()
    args = tuple(args)
    for arg in args:
        if not isinstance(arg, TypeSchema):
            raise TypeError("schema arguments must be TypeSchema instances")
    return args


def _checked_groups(groups: Any) -> dict[str, tuple[TypeSchema, ...]] | None:
    if groups is None:
        return None
    if not isinstance(groups, dict):
        raise TypeError("named_args must be a map of names to type lists")
    for name, members in groups.items():
        if not isinstance(name, str) or not name:
            raise ValueError("named_args keys must be nonempty strings")
        if not isinstance(members, (list, tuple)):
            raise TypeError("named_args values must be lists of type schemas")
        if not all(isinstance(member, TypeSchema) for member in members):
            raise TypeError("named_args values must contain type schemas")
    return {name: tuple(members) for name, members in groups.items()}


def _checked_literals(literals: Iterable[Any] | None) -> tuple[Any, ...] | None:
    if literals is None:
        return None
    literals = tuple(literals)
    if not literals or not all(x is None or type(x) in (bool, int, str) for x in literals):
        raise TypeError("literals must be at least one int, str, bool or None")
    return literals


for _public in (TypeSchema, _ConvertError):
    _public.__module__ = "tvm_ffi.core"

_annotations = annotation_form.Reader(TypeSchema)
