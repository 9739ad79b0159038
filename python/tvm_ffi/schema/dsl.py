# SPDX-License-Identifier: Apache-2.0
"""The words of schema files.

Each word checks its arguments when it is used and makes a plain record; nothing is registered with
a native library. The static reader calls the same functions with the literals that it finds, so
that both readers refuse the same things.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, Callable, Optional, TypeVar, overload

T = TypeVar("T")


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING: Any = _Missing()


class _KwOnly:
    """Annotating ``_`` with it makes all later fields keyword-only."""


KW_ONLY = _KwOnly


class Object:
    """Stand-in for `tvm_ffi.Object` as a base of schema classes; has no native code."""


class Enum(Object):
    """Stand-in for the base of enums whose entries have fields."""


class IntEnum(Enum):
    """Stand-in for the base of enums whose entries are integers."""


class StrEnum(Enum):
    """Stand-in for the base of enums whose entries are texts."""


class CppText:
    """C++ text that stands for a value."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str) or not text.strip():
            raise TypeError(f"cpp() takes C++ text, not {text!r}")
        self.text = text


def cpp(text: str) -> Any:
    """Return a value that only C++ can write; it appears there verbatim.

    Raises
    ------
    TypeError
        If `text` is no text, or empty.

    """
    return CppText(text)


STRUCTURAL = ("ignore", "def", "def-pattern", "def-simple")
ACCESS = ("public", "protected", "private")
STORAGE = ("", "any", "objectptr")


class FieldSpec:
    """The arguments of `field`."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


_FIELD_TYPES: dict[str, tuple[type, ...]] = {
    "cpp_default": (str, type(None)),
    "frozen": (bool, type(None)),
    "init": (bool,),
    "kw_only": (bool, type(None)),
    "repr": (bool,),
    "compare": (bool,),
    "hash": (bool, type(None)),
    "structural_eq": (str, type(None)),
    "doc": (str, type(None)),
    "metadata": (dict, type(None)),
    "name": (str, type(None)),
    "access": (str,),
    "storage": (str, type(None)),
    "reflect": (bool,),
    "renamed_from": (str, type(None)),
    "since": (str, type(None)),
    "deprecated": (str, type(None)),
}


def field(*, default: Any = MISSING, default_factory: Any = MISSING, **options: Any) -> Any:
    """Describe a field beyond its type.

    Parameters
    ----------
    default, default_factory
        Its default: a literal or ``cpp(...)``; a callable without parameters for mutable values.
    **options
        ``cpp_default``, ``frozen``, ``init``, ``kw_only``, ``repr``, ``compare``, ``hash``,
        ``structural_eq``, ``doc``, ``metadata``, ``name``, ``access``, ``storage``, ``reflect``,
        ``renamed_from``, ``since``, ``deprecated``.

    Raises
    ------
    TypeError, ValueError
        For an unknown option, a value of another type, or two defaults.

    """
    _check_options("field()", options, _FIELD_TYPES)
    given = [
        default is not MISSING,
        default_factory is not MISSING,
        bool(options.get("cpp_default")),
    ]
    if sum(given) > 1:
        raise ValueError("field() takes one of default, default_factory and cpp_default")
    if default_factory is not MISSING and not callable(default_factory):
        raise TypeError("field(): default_factory must be callable without arguments")
    _check_choice("field()", options, "structural_eq", (None, *STRUCTURAL))
    _check_choice("field()", options, "access", ACCESS)
    _check_choice("field()", options, "storage", (None, *STORAGE))
    return FieldSpec({"default": default, "default_factory": default_factory, **options})


def _check_options(who: str, options: dict[str, Any], types: dict[str, tuple[type, ...]]) -> None:
    from .diag import near

    for name, value in options.items():
        if name not in types:
            hint = near(name, types)
            raise TypeError(f"{who} has no option {name!r}" + (f"; {hint}" if hint else ""))
        if type(value) not in types[name]:
            wanted = " or ".join(t.__name__ for t in types[name] if t is not type(None))
            raise TypeError(f"{who}: {name} must be {wanted}, not {value!r}")


def _check_choice(who: str, options: dict[str, Any], name: str, known: tuple[Any, ...]) -> None:
    if options.get(name, known[0]) not in known:
        words = ", ".join(repr(k) for k in known if k)
        raise ValueError(f"{who}: {name} is one of {words}, not {options[name]!r}")


class EntrySpec:
    """The arguments of `entry`; `owner` and `name` are known once the class is made."""

    def __init__(self, value: Any, attrs: dict[str, Any], fields: dict[str, Any]) -> None:
        self.value = value
        self.attrs = attrs
        self.fields = fields
        self.owner = ""
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        if not self.owner:  # as the default of a field it is assigned once more
            self.owner, self.name = owner.__name__, name


def entry(value: Any = MISSING, *, attrs: Optional[dict[str, Any]] = None, **fields: Any) -> Any:
    """Describe an entry of an enum: its value, its field values, its extensible attributes.

    Raises
    ------
    TypeError
        If `attrs` is no dict.

    """
    if attrs is not None and not isinstance(attrs, dict):
        raise TypeError(f"entry(): attrs must be a dict, not {attrs!r}")
    return EntrySpec(value, attrs or {}, fields)


def auto() -> Any:
    """Return an entry that takes the next integer, or its own name."""
    return EntrySpec(MISSING, {}, {})


class AutoSlots:
    """Computed child slots with headroom."""

    def __init__(self, extra: int) -> None:
        self.extra = extra


def auto_slots(extra: int = 0) -> Any:
    """Ask for computed child slots and `extra` more.

    Raises
    ------
    TypeError
        If `extra` is no integer from 0 on.

    """
    if type(extra) is not int or extra < 0:
        raise TypeError(f"auto_slots(): extra must be a count, not {extra!r}")
    return AutoSlots(extra)


class Trait:
    """A type attribute with its value, under a name of its own."""

    def __init__(self, name: str, value: Any = True) -> None:
        if not isinstance(name, str) or not name:
            raise TypeError(f"Trait(): the name must be a text, not {name!r}")
        self.name = name
        self.value = value


class ModuleSpec:
    """The arguments of `module`."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


_MODULE_TYPES: dict[str, tuple[type, ...]] = {
    "namespace": (str,),
    "type_key_prefix": (str,),
    "header": (str,),
    "source": (str,),
    "python": (str,),
    "includes": (list, tuple),
    "source_includes": (list, tuple),
    "export": (str,),
    "closed": (bool,),
    "obj_suffix": (str,),
    "license": (str,),
    "dialect": (str,),
}


def module(**options: Any) -> Any:
    """Describe the file: ``__tschema__ = module(namespace="demo", ...)``.

    Raises
    ------
    TypeError, ValueError
        For an unknown option or a value of another type.

    """
    _check_options("module()", options, _MODULE_TYPES)
    _check_choice("module()", options, "dialect", ("", "modern", "classic"))
    for name in ("includes", "source_includes"):
        if not all(isinstance(item, str) for item in options.get(name, ())):
            raise TypeError(f"module(): {name} must hold texts, not {options[name]!r}")
    return ModuleSpec(options)


class ExternSpec:
    """The arguments of `extern`; may be a base class and a type."""

    def __init__(self, type_key: str, options: dict[str, Any]) -> None:
        self.type_key = type_key
        self.options = options

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (type(self.type_key, (Object,), {"__tschema_extern__": self}),)

    def __or__(self, other: Any) -> Any:
        from .ty import TypeExpr

        return TypeExpr("Union", (self, other))

    def __ror__(self, other: Any) -> Any:
        from .ty import TypeExpr

        return TypeExpr("Union", (other, self))


_EXTERN_TYPES: dict[str, tuple[type, ...]] = {
    "obj": (str,),
    "ref": (str,),
    "header": (str,),
    "parent": (str,),
    "slots": (int,),
}


def extern(type_key: str, **options: Any) -> Any:
    """Name a class that another library owns.

    Raises
    ------
    TypeError
        If an argument is missing, unknown or of another type.

    """
    if not isinstance(type_key, str) or not type_key:
        raise TypeError(f"extern(): the type key must be a text, not {type_key!r}")
    _check_options("extern()", options, _EXTERN_TYPES)
    for name in ("obj", "ref"):
        if not options.get(name):
            raise TypeError(f"extern() needs {name}=, the C++ name of the class")
    return ExternSpec(type_key, options)


class MethodMark:
    """A function marked by `method`."""

    def __init__(self, function: Any, const: bool, cpp_name: str, static: bool = False) -> None:
        self.function = function
        self.const = const
        self.cpp_name = cpp_name
        self.static = static


@overload
def method(function: Callable[..., T], /) -> Callable[..., T]: ...


@overload
def method(*, const: bool = ..., cpp: str = ...) -> Callable[[T], T]: ...


def method(function: Any = None, /, *, const: bool = True, cpp: str = "") -> Any:
    """Mark a method as native: declared here, written in C++.

    Raises
    ------
    TypeError
        If an option has another type.

    """
    if type(const) is not bool or not isinstance(cpp, str):
        raise TypeError("method(): const is a bool and cpp a text")
    if function is None:
        return lambda f: method(f, const=const, cpp=cpp)  # type: ignore[call-overload]
    if isinstance(function, (staticmethod, classmethod)):
        return MethodMark(function.__func__, const, cpp, static=True)
    return MethodMark(function, const, cpp)


class Record:
    """A class that a decorator has seen, or the entries that `extend` adds to one."""

    def __init__(
        self, kind: str, target: Any, options: dict[str, Any], module: str, line: int
    ) -> None:
        self.kind = kind
        self.module = module
        self.target = target
        self.options = options
        self.line = line


_recorders: list[list[Record]] = []


@contextlib.contextmanager
def recording() -> Iterator[list[Record]]:
    """Collect what decorators see inside the block, in order. One thread at a time."""
    records: list[Record] = []
    _recorders.append(records)
    try:
        yield records
    finally:
        _recorders.remove(records)


def _record(kind: str, target: Any, options: dict[str, Any], depth: int = 2) -> None:
    if _recorders:
        frame = sys._getframe(depth)
        module = frame.f_globals.get("__name__", "")
        _recorders[-1].append(Record(kind, target, options, module, frame.f_lineno))


BINDS = ("none", "auto", "python", "native")


def check_bind(bind: Any) -> None:
    """Raise ValueError unless `bind` is one of the known words."""
    if bind not in BINDS:
        raise ValueError(f"declare(): bind is one of {', '.join(BINDS)}, not {bind!r}")


@overload
def declare(cls: type[T], /) -> type[T]: ...


@overload
def declare(*, bind: str = ...) -> Callable[[type[T]], type[T]]: ...


def declare(cls: Any = None, /, *, bind: str = "none") -> Any:
    """Declare a class of objects.

    Without `bind` the definition is recorded and nothing happens at run time. With it, the run-time
    class is made from the same body: Python-defined (``python``), bound to a native class
    (``native``), or whichever exists (``auto``).

    Raises
    ------
    TypeError, ValueError
        If it decorates no class, or `bind` is another word.

    """
    check_bind(bind)
    if cls is None:

        def decorate(target: type[T]) -> type[T]:
            made: type[T] = _declared(target, bind)
            return made

        return decorate
    return _declared(cls, bind)


def _declared(cls: Any, bind: str) -> Any:
    if not isinstance(cls, type):
        raise TypeError(f"@declare goes before a class, not before {cls!r}")
    _record("declare", cls, {"bind": bind}, depth=3)
    if bind != "none" and not _recorders:
        from .binding import bind_class

        return bind_class(cls, bind)
    return cls


EMITS = ("flat", "crtp")


def check_emit(emit: Any) -> None:
    """Raise ValueError unless `emit` is one of the known words."""
    if emit not in EMITS:
        raise ValueError(f"mixin(): emit is one of {', '.join(EMITS)}, not {emit!r}")


@overload
def mixin(cls: type[T], /) -> type[T]: ...


@overload
def mixin(*, emit: str = ...) -> Callable[[type[T]], type[T]]: ...


def mixin(cls: Any = None, /, *, emit: str = "flat") -> Any:
    """Declare fields that several classes share; no type of its own.

    Raises
    ------
    ValueError
        If `emit` is another word.

    """
    check_emit(emit)
    if cls is None:

        def decorate(target: type[T]) -> type[T]:
            _record("mixin", target, {"emit": emit})
            return target

        return decorate
    _record("mixin", cls, {"emit": emit})
    return cls


def extend(enum: Any, **entries: Any) -> None:
    """Add entries to an enum that another file declares.

    Raises
    ------
    TypeError
        If a value is not made by `entry` or `auto`.

    """
    for name, value in entries.items():
        if not isinstance(value, EntrySpec):
            raise TypeError(f"extend(): {name} must be entry(...) or auto(), not {value!r}")
    _record("extend", enum, dict(entries))


#: Names that a schema file may import from this package.
WORDS: dict[str, Any] = {
    name: globals()[name]
    for name in (
        *("KW_ONLY", "MISSING", "Enum", "IntEnum", "Object", "StrEnum", "Trait", "auto"),
        *("auto_slots", "cpp", "declare", "entry", "extend", "extern", "field", "method"),
        *("mixin", "module"),
    )
}
