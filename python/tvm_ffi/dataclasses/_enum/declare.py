# SPDX-License-Identifier: Apache-2.0
"""What the body of an enum class declares: binders, entries, and what is neither."""

from __future__ import annotations

import re
import sys

from ... import core
from .. import resolve
from .entry import _EnumEntry
from .enum_object import EnumObject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The name that an annotation in text form begins with, up to its brackets.
_HEAD = re.compile(r"\s*((?:\w+\s*\.\s*)*\w+)\s*(?:\[|$)")


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


def is_class_var(annotation: Any, cls: type) -> bool:
    """Tell whether an annotation of a body means ``ClassVar``, under any name of it.

    Text is resolved in the module of ``cls``. ``ClassVar`` and ``<module>.ClassVar`` count without
    being resolved, because they may be imported for type checkers alone.
    """
    if not isinstance(annotation, str):
        # `typing` has been imported by whoever wrote a ClassVar that is not text.
        return "typing" in sys.modules and resolve.is_class_var(annotation)
    # Text in quotes is text twice under `from __future__ import annotations`.
    match = _HEAD.match(annotation.strip(" \"'"))
    if match is None:
        return False
    head = "".join(match[1].split())
    try:
        found = resolve.evaluate(head, resolve.Scope(cls, (cls,)))
    except (NameError, AttributeError):
        return head.rpartition(".")[2] == "ClassVar"
    return resolve.is_class_var(found)


def _is_special(name: str) -> bool:
    """Tell whether a name has a meaning for the interpreter."""
    return name.startswith("__") and name.endswith("__")


def _names_own_class(annotation: Any, cls: type) -> bool:
    """Tell whether the argument of a ``ClassVar`` annotation is the class itself."""
    if isinstance(annotation, str):
        argument = annotation.partition("[")[2].rpartition("]")[0]
    else:
        found = getattr(annotation, "__args__", ("",))[0]
        argument = getattr(found, "__forward_arg__", getattr(found, "__name__", ""))
    return argument.strip(" \"'").rpartition(".")[2] in (cls.__name__, "Self")


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
        If the body takes the name ``value`` of a payload enum, declares a variant under the
        annotation of a field, or declares a variant with the name of a member of the base class.

    """
    found = Declarations()
    body = vars(cls)
    annotations = own_annotations(cls)
    class_vars = {name for name, form in annotations.items() if is_class_var(form, cls)}
    if payload is not None and ("value" in annotations or "value" in body):
        family = {int: "IntEnum", str: "StrEnum"}[payload]
        raise TypeError(f"{family} reserves `value` as its canonical index alias")
    for name, annotation in annotations.items():
        if name not in class_vars or name in body or _is_special(name):
            continue
        # Other underscore names are private class variables.
        if name[:1] != "_" or _names_own_class(annotation, cls):
            found.binders.append(name)
    for name, value in body.items():
        if _is_special(name):
            continue
        is_field = name in annotations and name not in class_vars
        if isinstance(value, _EnumEntry):
            if is_field and not any_annotation:
                raise TypeError(f"{cls.__name__}.{name}: annotate an enum entry as ClassVar")
            found.entries[name] = value
        elif payload is not None and name[:1] != "_" and not is_field and _is_payload(value):
            found.entries[name] = _EnumEntry(value=value)
    for name in (*found.binders, *found.entries):
        _check_free(cls, name)
    return found


def _check_free(cls: type, name: str) -> None:
    """Refuse a variant whose name would hide a member that every enum class has."""
    for base in cls.__mro__[1:]:
        if name in vars(base):
            # A variant of a base is no member; its name may be used again.
            if isinstance(vars(base)[name], (_EnumEntry, EnumObject)):
                return
            owner = "every enum class" if base in EnumObject.__mro__ else base.__name__
            raise TypeError(
                f"{cls.__name__}.{name}: `{name}` is a member of {owner}; "
                "give the variant another name"
            )


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
            if name not in self.found.entries or is_class_var(annotation, self.cls)
        }
        self.cls.__annotations__ = {**own, **after}


def remove_defaults(cls: type, type_key: str) -> None:
    """Remove the defaults of fields that a native type has: as attributes they would hide them."""
    info = core._lookup_or_register_type_info_from_type_key(type_key)
    annotated = own_annotations(cls)
    for field in info.fields or ():
        if field.name in annotated and field.name in vars(cls):
            delattr(cls, field.name)


def declares_fields(cls: type, base: type) -> bool:
    """Tell whether a body, or one of the unregistered classes it builds on, annotates a field.

    What ``base`` and its bases annotate does not count.
    """
    for owner in cls.__mro__:
        if owner in base.__mro__ or "__tvm_ffi_type_info__" in vars(owner):
            continue
        annotations = own_annotations(owner).values()
        if any(not is_class_var(one, owner) and not _is_marker(one) for one in annotations):
            return True
    return False


def _is_marker(annotation: Any) -> bool:
    """Tell whether an annotation is ``KW_ONLY``, which stands for no field."""
    if isinstance(annotation, str):
        return annotation.replace(" ", "").rsplit(".", 1)[-1] == "KW_ONLY"
    return getattr(annotation, "__name__", type(annotation).__name__).strip("_") == "KW_ONLY"
