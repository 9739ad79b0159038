# SPDX-License-Identifier: Apache-2.0
"""What the body of an enum class declares: binders, entries, and what is neither."""

from __future__ import annotations

import sys

from .entry import _EnumEntry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Declarations:
    """The declarations of one body, in order.

    ``binders`` are the names annotated ``ClassVar`` without a value; ``entries`` maps the other
    names to their sentinels.
    """

    __slots__ = ("binders", "entries")

    def __init__(self) -> None:
        self.binders: list[str] = []
        self.entries: dict[str, _EnumEntry] = {}

    def in_order(self) -> dict[str, _EnumEntry]:
        """Return all of them, the binders first, as entries."""
        return {**{name: _EnumEntry() for name in self.binders}, **self.entries}


def own_annotations(cls: type) -> dict[str, Any]:
    """Return the annotations of a class's own body, as they were written."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, get_annotations

        return dict(get_annotations(cls, format=Format.FORWARDREF))
    return dict(vars(cls).get("__annotations__", {}))


def is_class_var(annotation: Any) -> bool:
    """Tell whether an annotation says ``ClassVar``, written out or as a string."""
    if isinstance(annotation, str):
        return annotation.replace(" ", "").startswith(("ClassVar", "typing.ClassVar"))
    typing = sys.modules.get("typing")
    if typing is None:
        return False
    class_var = typing.ClassVar
    return annotation is class_var or getattr(annotation, "__origin__", None) is class_var


def _is_payload(value: Any) -> bool:
    """Tell whether a value of a payload enum's body is short for ``entry(value=...)``."""
    return not isinstance(value, (staticmethod, classmethod, property)) and not callable(value)


def collect(cls: type, payload: type | None, *, any_annotation: bool = False) -> Declarations:
    """Read the declarations of a class's own body.

    Parameters
    ----------
    cls
        The class; it is not changed.
    payload
        ``int`` or ``str`` where plain values declare variants, else ``None``.
    any_annotation
        Whether a sentinel declares a variant even under an annotation that is no ``ClassVar``.

    Raises
    ------
    TypeError
        If the body takes the name ``value`` of a payload enum, or declares a variant under the
        annotation of a field.

    """
    found = Declarations()
    body = vars(cls)
    annotations = own_annotations(cls)
    if payload is not None and ("value" in annotations or "value" in body):
        family = {int: "IntEnum", str: "StrEnum"}[payload]
        raise TypeError(f"{family} reserves `value` as its canonical index alias")
    for name, annotation in annotations.items():
        if name[:1] != "_" and name not in body and is_class_var(annotation):
            found.binders.append(name)
    for name, value in body.items():
        if name[:1] == "_":
            continue
        is_field = name in annotations and not is_class_var(annotations[name])
        if isinstance(value, _EnumEntry):
            if is_field and not any_annotation:
                raise TypeError(f"{cls.__name__}.{name}: annotate an enum entry as ClassVar")
            found.entries[name] = value
        elif payload is not None and not is_field and _is_payload(value):
            found.entries[name] = _EnumEntry(value=value)
    return found


class removed:  # noqa: N801 - read as a statement
    """While this context lasts, a class is without its declarations: an ordinary class.

    The values of entries do not come back, since variants take their place; annotations do. They
    are put aside so that nobody evaluates them: ``ClassVar`` may be imported for type checkers
    alone.
    """

    def __init__(self, cls: type, found: Declarations) -> None:
        self.cls = cls
        self.found = found

    def __enter__(self) -> None:
        cls, names = self.cls, {*self.found.binders, *self.found.entries}
        for name in self.found.entries:
            delattr(cls, name)
        self.before = own_annotations(cls)
        if names & self.before.keys():
            cls.__annotations__ = {n: a for n, a in self.before.items() if n not in names}

    def __exit__(self, *exc_info: object) -> None:
        after = own_annotations(self.cls)
        own = {
            name: annotation
            for name, annotation in self.before.items()
            if name not in self.found.entries or is_class_var(annotation)
        }
        self.cls.__annotations__ = {**own, **after}


def declares_fields(cls: type, base: type) -> bool:
    """Tell whether a body, or one of the unregistered classes it builds on, annotates a field.

    What ``base`` and its bases annotate does not count.
    """
    for owner in cls.__mro__:
        if owner in base.__mro__ or "__tvm_ffi_type_info__" in vars(owner):
            continue
        annotations = own_annotations(owner).values()
        if any(not is_class_var(one) and not _is_marker(one) for one in annotations):
            return True
    return False


def _is_marker(annotation: Any) -> bool:
    """Tell whether an annotation is ``KW_ONLY``, which stands for no field."""
    if isinstance(annotation, str):
        return annotation.replace(" ", "").rsplit(".", 1)[-1] == "KW_ONLY"
    return getattr(annotation, "__name__", type(annotation).__name__).strip("_") == "KW_ONLY"
