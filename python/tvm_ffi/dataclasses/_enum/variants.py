# SPDX-License-Identifier: Apache-2.0
"""Create and register the variants that a class declares."""

from __future__ import annotations

from ... import core
from ..._types.info import _all_fields
from ..library_type import SchemaMismatchError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .entry import _EnumEntry

_INDEX_FIELDS = ("_int_index", "_str_index")


def mark(type_index: int) -> None:
    """Mark a type as an enum without variants."""
    _function("ffi.EnumMark")(type_index)


def unmark(type_index: int) -> None:
    """Remove the variants of a type whose registration has failed."""
    _function("ffi.TypeAttrSet")(type_index, "__ffi_enum__", None)


def _function(name: str) -> core.Function:
    found = core._get_global_func(name, False)
    assert found is not None
    return found


def add(
    cls: Any, declarations: dict[str, _EnumEntry], payload: type | None, *, is_native: bool
) -> None:
    """Create the variants of a class, register them and bind them to their names.

    If the number (for an int payload) or the name (otherwise) is already registered, the attribute
    becomes another name of the registered variant. All variants of a native enum are created before
    the first one is registered, so a failure registers no variant.

    Raise TypeError if the payload is missing or of another type, or the variant cannot be created.
    Raise OverflowError if a number does not fit 64 bits. Raise ValueError if the name (for an int
    payload) or the number (otherwise) belongs to another variant. Raise SchemaMismatchError if the
    fields of a registered variant differ from the declaration.
    """
    new: dict[Any, tuple[int, str, Any]] = {}
    bound: dict[str, Any] = {}
    owners: dict[Any, str] = {}
    for name, declared in declarations.items():
        ordinal = len(cls) + len(new)
        number, text, args, kwargs = _indices(cls, name, declared, payload, ordinal)
        key, other = (number, text) if payload is int else (text, number)
        bound[name] = key
        known = core._enum_find(cls, key)
        if known is not None and is_native:
            _compare(cls, name, known, kwargs)
        if known is None and key not in new:
            taken = core._enum_find(cls, other)
            if taken is not None or other in owners:
                owner = owners[other] if taken is None else taken.__entry_name__
                raise _duplicate(cls, name, other, owner)
            make = _make_native if is_native else _make
            new[key] = (number, text, _made(cls, name, make, number, text, args, kwargs))
            owners[other] = name
        if not is_native:
            _register(cls, new, bound)
    _register(cls, new, bound)


def _register(cls: type, new: dict[Any, tuple[int, str, Any]], bound: dict[str, Any]) -> None:
    """Register new variants, and bind names to variants."""
    info = cls.__tvm_ffi_type_info__  # type: ignore[attr-defined]
    for number, text, variant in new.values():
        _function("ffi.EnumAddEntry")(info.type_index, text, number, variant, {})
    for name, key in bound.items():
        core._enum_bind(cls, name, core._enum_find(cls, key))
    new.clear()
    bound.clear()


def _compare(cls: type, name: str, known: Any, declared: dict[str, Any]) -> None:
    """Raise an error if a field of a native variant differs from the declaration."""
    for field, value in declared.items():
        found = getattr(known, field, core.MISSING)
        try:
            is_same = found is value or found == value or core._structural_equal(found, value)
        except TypeError:
            is_same = False
        if not is_same:
            raise SchemaMismatchError(
                f"{cls.__name__}.{name}: the library has {field}={found!r}, its declaration says "
                f"{value!r}; build the library again, or change the declaration"
            )


def bind(cls: type, name: str, type_key: str) -> None:
    """Bind a variant of a native enum to its name.

    Raise RuntimeError if there is no variant with this name.
    """
    known = core._enum_find(cls, name)
    if known is None:
        raise RuntimeError(f"{type_key!r} has no enum at string index {name!r}")
    core._enum_bind(cls, name, known)


def _indices(
    cls: type, name: str, declared: _EnumEntry, payload: type | None, ordinal: int
) -> tuple[int, str, tuple[Any, ...], dict[str, Any]]:
    """Return number and name of a declaration, and the remaining arguments for the fields."""
    title = f"{cls.__name__}.{name}"
    args, kwargs = declared.args, dict(declared.kwargs)
    if any(field in kwargs for field in _INDEX_FIELDS):
        raise TypeError(f"{title}: enum indices are inferred")
    if payload is None:
        return ordinal, name, args, kwargs
    value: Any
    if "value" in kwargs:
        value = kwargs.pop("value")
    elif args:
        value, args = args[0], args[1:]
    else:
        kind, example = ("int", 1) if payload is int else ("str", "text")
        raise TypeError(
            f"{title} requires a {kind} value: write `{name} = {example!r}` or "
            f"`{name} = entry({example!r})`; `auto()` does not choose a value"
        )
    is_exact: bool = type(value) is payload
    if not is_exact:
        raise TypeError(f"{title} value must be {payload.__name__}")
    if payload is str:
        return ordinal, value, args, kwargs
    if not -(2**63) <= value < 2**63:
        raise OverflowError(f"enum integer index {value} is outside int64")
    return value, name, args, kwargs


def _made(cls: type, name: str, make: Callable[..., Any], *parts: Any) -> Any:
    """Create the object of a variant; add the name of the variant to errors."""
    try:
        return make(cls, *parts)
    except MemoryError:
        raise
    except Exception as error:
        reason = _unknown_field(cls, make is _make, parts[-1], error) or error
        raise TypeError(f"{cls.__name__}.{name}: invalid enum entry: {reason}") from error


def _unknown_field(
    cls: type, can_declare: bool, given: dict[str, Any], error: Exception
) -> str | None:
    """Return a message if the error is about a field that the class does not have, else None.

    ``error`` is the exception that the creation of the object raised; ``can_declare`` tells whether
    the class body defines the fields.
    """
    text = str(error)
    if "unexpected keyword argument" not in text and "no reflected setter" not in text:
        return None
    fields = _field_names(cls)
    for name, value in given.items():
        if name not in fields and repr(name) in text:
            text = f"class `{cls.__name__}` has no field `{name}` (its fields: "
            text += f"{', '.join(fields) or 'none'})"
            example = f"`{name}: {type(value).__name__}`"
            hint = f"; declare it in the class body, for example {example}"
            return text + hint if can_declare else text
    return None


def _field_names(cls: type) -> list[str]:
    """Return the names of the fields that a variant can set, fields of ancestors first."""
    fields = _all_fields(cls.__tvm_ffi_type_info__)  # type: ignore[attr-defined]
    return [field.name for field in fields if field.name[0] != "_"]


def _duplicate(cls: type, name: str, index: int | str, owner: str) -> ValueError:
    return ValueError(
        f"duplicate enum index in {cls.__name__}.{name}: "
        f"{index!r} is an index of {cls.__name__}.{owner} already"
    )


def _make(cls: type, number: int, text: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Create an object of a class that is defined in Python."""
    if hasattr(cls, "_str_index"):
        kwargs = {**kwargs, "_int_index": number, "_str_index": text}
    # The metaclass would look up a variant.
    return type.__call__(cls, *args, **kwargs)


def _make_native(
    cls: type, number: int, text: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Create an object of a native class with that class's allocator, and set its fields."""
    if args:
        raise TypeError("C++-backed enum entries require keyword fields")
    info = cls.__tvm_ffi_type_info__  # type: ignore[attr-defined]
    allocate = core._type_get_attr(info.type_index, "__ffi_new__")
    if allocate is None:
        raise TypeError("enum type has no allocator")
    setters = {field: _setter(cls, field) for field in kwargs}
    variant = allocate()
    for field, value in kwargs.items():
        setters[field](variant, value)
    return variant


def _setter(cls: type, field: str) -> Any:
    for owner in cls.__mro__:
        descriptor = vars(owner).get(field)
        if isinstance(descriptor, core.FFIProperty):
            return descriptor.set
    raise TypeError(f"field {field!r} has no reflected setter")
