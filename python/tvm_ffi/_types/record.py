# SPDX-License-Identifier: Apache-2.0
"""Base class of the records of the type table, whose members are filled in when they are read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _DataclassFields:
    """Descriptor of ``__dataclass_fields__``, computed when :mod:`dataclasses` reads it.

    Importing :mod:`dataclasses` takes longer than importing this whole package, and records do not
    need it otherwise.
    """

    def __get__(self, instance: object, owner: type[_Record]) -> Any:
        import dataclasses

        defaults = owner._DEFAULTS
        spec: list[Any] = [
            (name, kind, dataclasses.field(default=defaults[name]))
            if name in defaults
            else (name, kind)
            for name, kind in owner.__annotations__.items()
            if name in owner.__match_args__
        ]
        made = dataclasses.make_dataclass(owner.__name__, spec, eq=False)
        return made.__dataclass_fields__  # type: ignore[attr-defined]


class _Record:
    """Base of classes that behave like data classes with ``eq=False``.

    The public annotated names of a subclass are its fields. When a field that has no value is first
    read, ``_fill`` computes the value.
    """

    __match_args__: tuple[str, ...] = ()
    __dataclass_fields__ = _DataclassFields()
    _DEFAULTS: dict[str, Any] = {}  # noqa: RUF012 - replaced by subclasses, not changed

    def __init_subclass__(cls) -> None:
        names = tuple(name for name in cls.__annotations__ if name[0] != "_")
        cls.__match_args__ = names  # type: ignore[misc]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        names = self.__match_args__
        title = f"{type(self).__name__}.__init__()"
        if len(args) > len(names):
            raise TypeError(f"{title} takes at most {len(names)} arguments, got {len(args)}")
        values = {**self._DEFAULTS, **dict(zip(names, args))}
        for name, value in kwargs.items():
            if name not in names:
                raise TypeError(f"{title} got an unexpected keyword argument {name!r}")
            if name in names[: len(args)]:
                raise TypeError(f"{title} got multiple values for argument {name!r}")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise TypeError(f"{title} missing required arguments: {', '.join(missing)}")
        vars(self).update(values)

    def __getattr__(self, name: str) -> Any:
        if name in self.__match_args__:
            for made, value in self._fill(name).items():
                vars(self).setdefault(made, value)
            if name in vars(self):
                return vars(self)[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _fill(self, name: str) -> dict[str, Any]:
        """Return the missing value, and other values that are computed together with it."""
        return {}

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({values})"


class _WithMetadata(_Record):
    """A record whose ``metadata`` may be given as JSON text, which is parsed at the first read."""

    _metadata_text: str

    def _fill(self, name: str) -> dict[str, Any]:
        import json

        text = vars(self).get("_metadata_text")
        return {"metadata": json.loads(text) if text else {}}
