# SPDX-License-Identifier: Apache-2.0
"""Parameter names of native functions, for calls with keywords; the extension calls this module.

Only this module decides whether the names and defaults in metadata fit a function. Names that do
not fit are ignored, but the error of a call with keywords states the reason.
"""

from __future__ import annotations

import json
import keyword

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .._types.info import TypeSpec

    # The names of all parameters, and the defaults of the last parameters.
    Parameters = tuple[tuple[str, ...], tuple[Any, ...]]

# Types without methods, by their names in schemas.
_NO_RECEIVERS = frozenset(
    {
        *("int", "float", "bool", "str", "bytes", "None", "Device", "DataType", "dtype", "Tensor"),
        *("std::string", "const char*", "void*", "ffi.String", "ffi.SmallStr", "ffi.Bytes"),
        *("ffi.SmallBytes", "ffi.Tensor", "DLTensor*", "ffi.Array", "ffi.List", "ffi.Map"),
        *("ffi.Dict", "ffi.Shape", "ffi.Function", "ffi.Module", "Tuple", "list", "dict"),
    }
)
# Types of C++ -> the types of JSON values that convert to them. Other types are not checked.
_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (int,),
    "None": (type(None),),
    **dict.fromkeys(("std::string", "const char*", "ffi.String", "str"), (str,)),
}
# More than the number of arguments of any call.
_MANY = 1000


class Unfit(tuple[str, ...]):
    """Replaces names that do not fit the function; ``fault`` has the reason.

    The extension uses this tuple like a tuple of names. All names are empty, so no keyword is
    found. The number of names exceeds the number of arguments of any call, so the extension never
    reports too many arguments.
    """

    fault: str

    def __new__(cls, fault: str) -> Unfit:
        """Create names that no keyword equals."""
        self = super().__new__(cls, ("",) * _MANY)
        self.fault = fault
        return self


def of_metadata(text: str | bytes) -> Parameters | None:
    """Return the parameters in the entries ``arg_names`` and ``arg_defaults`` of metadata.

    Names that do not fit are returned as ``Unfit``. The receiver of a method does not have a name,
    but the metadata does not show whether it describes a function or a method. It describes a
    method if the type of the first parameter has a method with this metadata.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    try:
        metadata = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        metadata = None
    if not isinstance(metadata, dict):
        return Unfit("its metadata is not a JSON object"), ()
    if metadata.get("arg_names") is None:
        return None
    found = _read(metadata)
    if isinstance(found, str):
        return Unfit(found), ()
    types = _types_of(metadata)
    if types is None:
        return found
    has_receiver = bool(types) and _could_be_receiver(types[0])
    if has_receiver and len(found[0]) == len(types):
        has_receiver = _is_method(types[0], text)
    own_types = types[has_receiver:]
    fault = _count_fault(metadata, found, len(own_types)) or _default_fault(
        metadata, found, own_types
    )
    return found if fault is None else (Unfit(fault), ())


def of_entries(metadata: dict[str, Any], size: int | None) -> Parameters | None:
    """Return the parameters in parsed metadata; None if names are missing or do not fit.

    ``size`` is the number of parameters without a receiver, None if unknown.
    """
    found = _checked(metadata, size)
    return None if isinstance(found, str) else found


def fault_of(metadata: dict[str, Any], size: int | None) -> str | None:
    """Return why the names and defaults in metadata do not fit; None if they fit or are missing."""
    found = _checked(metadata, size)
    return found if isinstance(found, str) else None


def _checked(metadata: dict[str, Any], size: int | None) -> Parameters | str | None:
    """Return the parameters, or the text of the fault if they do not fit.

    Return None if the metadata has no names.
    """
    if metadata.get("arg_names") is None:
        return "it has arg_defaults without arg_names" if metadata.get("arg_defaults") else None
    found = _read(metadata)
    if isinstance(found, str) or size is None:
        return found
    types = (_types_of(metadata) or [])[-size:] if size else []
    fault = _count_fault(metadata, found, size) or _default_fault(metadata, found, types)
    return fault or found


def _read(metadata: dict[str, Any]) -> Parameters | str:
    """Read ``arg_names`` and ``arg_defaults``; return the text of the fault if one is malformed."""
    joined, text = metadata["arg_names"], metadata.get("arg_defaults", "[]")
    if not isinstance(joined, str):
        return f"its arg_names {joined!r} is not text"
    names = tuple(name.strip() for name in joined.split(",")) if joined else ()
    for i, name in enumerate(names):
        if not name.isidentifier() or keyword.iskeyword(name):
            return f"its arg_names {joined!r} has {name!r}, which is not an identifier of Python"
        if name in names[:i]:
            return f"its arg_names {joined!r} repeats {name!r}"
    try:
        defaults = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        return f"its arg_defaults {text!r} is not JSON ({error})"
    if not isinstance(defaults, list):
        return f"its arg_defaults {text!r} is not a JSON array"
    if len(defaults) > len(names):
        has = f"{len(defaults)} value{'s' * (len(defaults) != 1)}"
        return (
            f"its arg_defaults {text!r} has {has}, but its arg_names {joined!r} only {len(names)}"
        )
    return names, tuple(defaults)


def _count_fault(metadata: dict[str, Any], found: Parameters, size: int) -> str | None:
    given = len(found[0])
    if given == size:
        return None
    has = f"{given} name{'s' * (given != 1)}"
    return (
        f"its arg_names {metadata['arg_names']!r} has {has}, "
        f"but the function has {size} parameter{'s' * (size != 1)}"
    )


def _default_fault(metadata: dict[str, Any], found: Parameters, types: list[Any]) -> str | None:
    """Return the fault of the first default that cannot be converted to the type of its parameter.

    ``types`` are the types of the last parameters.
    """
    names, defaults = found
    if not defaults:
        return None
    for name, default, type_ in zip(names[::-1], defaults[::-1], types[::-1]):
        if not _could_be(default, type_):
            return (
                f"its arg_defaults {metadata['arg_defaults']!r} has {default!r} for the parameter "
                f"{name!r} of type {_key_of(type_)}"
            )
    return None


def _could_be(default: Any, type_: Any) -> bool:
    """Return whether a JSON value may be converted to a type; True if the type is not checked."""
    key = _key_of(type_)
    if key in ("Optional", "Variant"):
        options = type_.get("args")
        inner = options if isinstance(options, list) else []
        is_null = key == "Optional" and default is None
        return is_null or not inner or any(_could_be(default, option) for option in inner)
    known = None if key is None else _JSON_TYPES.get(key)
    return known is None or isinstance(default, known)


def _types_of(metadata: dict[str, Any]) -> list[Any] | None:
    """Return the types of the parameters in the schema; None if the schema does not list them."""
    schema: Any = metadata.get("type_schema")
    try:
        schema = json.loads(schema) if isinstance(schema, str) else schema
        types = schema["named_args"]["params"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    return types if isinstance(types, list) else None


def _key_of(type_: Any) -> str | None:
    return type_.get("type") if isinstance(type_, dict) else None


def _could_be_receiver(type_: Any) -> bool:
    return _key_of(type_) not in _NO_RECEIVERS


def _is_method(receiver: Any, text: str) -> bool:
    """Return whether the type of the first parameter has a method with this metadata."""
    from .. import core

    key = _key_of(receiver)
    index = None if key is None else core._object_type_key_to_index(key)
    spec: TypeSpec | None = None if index is None else core._describe_type(index)
    methods = () if spec is None else spec[4]
    return any(known == text and not is_static for _, _, known, _, is_static in methods)


def hint(name: str, names: tuple[str, ...]) -> str:
    """Return a hint for the error about a keyword that the function does not have."""
    if isinstance(names, Unfit):
        return f": it takes positional arguments only, because {names.fault}"
    from difflib import get_close_matches  # slow to import, and rarely needed

    close = get_close_matches(name, names, 1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; its parameters are {', '.join(names)}" if names else "; it takes no arguments"
