# SPDX-License-Identifier: Apache-2.0
"""``field`` and ``Field``: the options of one field in a class body."""

from __future__ import annotations

import sys

from tvm_ffi import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import KW_ONLY as KW_ONLY
    from typing import Any, TypeVar, overload

    _T = TypeVar("_T")
    # Fields convert the containers of Python, so `list` may be the factory of a `List`.
    _PlainContainer = type[list[Any]] | type[dict[Any, Any]] | type[tuple[Any, ...]]


def _get_lazily(name: str) -> Any:
    """Return ``KW_ONLY`` of :mod:`dataclasses`, a module that is slow to import."""
    if name != "KW_ONLY":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import dataclasses

    return dataclasses.KW_ONLY


if not TYPE_CHECKING:  # Hidden from type checkers, which then report unknown names.
    __getattr__ = _get_lazily


def is_keyword_only_marker(form: Any) -> bool:
    """Return whether an annotation is ``KW_ONLY``, without importing :mod:`dataclasses`."""
    stdlib = sys.modules.get("dataclasses")
    return stdlib is not None and form is stdlib.KW_ONLY


MISSING = core.MISSING

_STRUCTURAL_EQ = (None, "ignore", "def", "def-pattern", "def-simple")


def _field_converter(value: Any) -> Any:
    """Tell type checkers that a field converts its values; never called."""
    return value


class Field:
    """The options of one field; :func:`field` creates them with the defaults for class bodies.

    Attributes
    ----------
    name, type
        The name and the resolved annotation; None until the decorator fills them in.
    default, default_factory
        The default, or the function that returns one per object; ``MISSING`` if not given.
    frozen
        Whether assignment is rejected.
    init, kw_only
        Whether ``__init__`` has a parameter for the field, and whether that parameter is
        keyword-only. ``kw_only=None`` means the option of the class.
    repr, hash, compare
        Whether the operation uses the field. ``hash=None`` means the same as ``compare``.
    metadata
        A dictionary for users; the package ignores it.
    structural_eq
        None, ``"ignore"``, ``"def-pattern"`` (``"def"`` for short) or ``"def-simple"``.
    doc
        The documentation of the field.
    converter
        Tells type checkers that ``__init__`` converts the value; not called.
    extra_kwargs
        Other keywords, for the hooks ``__ffi_on_fields_resolved__``.

    Raises
    ------
    ValueError
        If both defaults are given, or ``structural_eq`` is unknown.
    TypeError
        If ``default_factory`` is not callable.

    """

    __slots__ = (
        "_ty_schema",
        "compare",
        "converter",
        "default",
        "default_factory",
        "doc",
        "extra_kwargs",
        "frozen",
        "hash",
        "init",
        "kw_only",
        "metadata",
        "name",
        "repr",
        "structural_eq",
        "type",
    )

    name: str  # None until the field belongs to a class
    type: Any
    _ty_schema: Any
    default: Any
    default_factory: Any
    frozen: bool
    init: bool
    repr: bool
    hash: bool | None
    compare: bool
    kw_only: bool | None
    metadata: dict[str, Any]
    structural_eq: str | None
    doc: str | None
    converter: Callable[[Any], Any]
    extra_kwargs: dict[str, Any]

    def __init__(
        self,
        name: str | None = None,
        _ty_schema: Any = None,
        *,
        default: Any = MISSING,
        default_factory: Any = MISSING,
        frozen: bool = False,
        init: bool = True,
        repr: bool = True,
        hash: bool | None = True,
        compare: bool = False,
        kw_only: bool | None = False,
        metadata: Mapping[str, Any] | None = None,
        structural_eq: str | None = None,
        doc: str | None = None,
        converter: Callable[[Any], Any] = _field_converter,
        **extra_kwargs: Any,
    ) -> None:
        if default_factory is not MISSING:
            if default is not MISSING:
                raise ValueError("cannot specify both default and default_factory")
            if not callable(default_factory):
                got = _type_name(default_factory)
                raise TypeError(f"default_factory must be a callable, got {got}")
        if structural_eq not in _STRUCTURAL_EQ:
            words = [None, *sorted(filter(None, _STRUCTURAL_EQ))]
            raise ValueError(f"structural_eq must be one of {words}, got {structural_eq!r}")
        self.name = name  # type: ignore[assignment]
        self.type = None
        self._ty_schema = _ty_schema
        self.default = default
        self.default_factory = default_factory
        self.frozen = frozen
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.kw_only = kw_only
        self.metadata = {} if metadata is None else dict(metadata)
        self.structural_eq = structural_eq
        self.doc = doc
        self.converter = converter
        self.extra_kwargs = extra_kwargs

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the settings, without attributes that the registration of a class has added."""
        settings = {name: getattr(self, name) for name in _SETTINGS}
        given = {name: value for name, value in settings.items() if value is not MISSING}
        return _restore_field, (given, self.extra_kwargs)

    def __copy__(self) -> Field:
        """Copy the settings; ``metadata`` and ``extra_kwargs`` are copied one level deep."""
        made = type(self).__new__(type(self))
        for name in _slots_of(type(self)):
            if hasattr(self, name):
                object.__setattr__(made, name, getattr(self, name))
        if hasattr(self, "__dict__"):
            vars(made).update(vars(self))
        made.metadata = dict(self.metadata)
        made.extra_kwargs = dict(self.extra_kwargs)
        return made


# The settings that the caller of `Field` chooses.
_SETTINGS = (
    *("default", "default_factory", "frozen", "init", "repr", "hash", "compare", "kw_only"),
    *("metadata", "structural_eq", "doc", "converter"),
)


def _restore_field(settings: dict[str, Any], extra_kwargs: dict[str, Any]) -> Field:
    return Field(**settings, **extra_kwargs)


def _type_name(value: object) -> str:
    return type(value).__name__


def _slots_of(cls: type) -> list[str]:
    names: list[str] = []
    for owner in cls.__mro__:
        slots = vars(owner).get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    return [name for name in names if name not in ("__dict__", "__weakref__")]


if TYPE_CHECKING:

    @overload
    def field(
        *,
        default: _T,
        frozen: bool = False,
        init: bool = True,
        repr: bool = True,
        hash: bool | None = None,
        compare: bool = True,
        kw_only: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
        structural_eq: str | None = None,
        doc: str | None = None,
        converter: Callable[[Any], Any] = ...,
        **extra_kwargs: Any,
    ) -> _T: ...
    @overload
    def field(
        *,
        default_factory: _PlainContainer,
        frozen: bool = False,
        init: bool = True,
        repr: bool = True,
        hash: bool | None = None,
        compare: bool = True,
        kw_only: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
        structural_eq: str | None = None,
        doc: str | None = None,
        converter: Callable[[Any], Any] = ...,
        **extra_kwargs: Any,
    ) -> Any: ...
    @overload
    def field(
        *,
        default_factory: Callable[[], _T],
        frozen: bool = False,
        init: bool = True,
        repr: bool = True,
        hash: bool | None = None,
        compare: bool = True,
        kw_only: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
        structural_eq: str | None = None,
        doc: str | None = None,
        converter: Callable[[Any], Any] = ...,
        **extra_kwargs: Any,
    ) -> _T: ...
    @overload
    def field(
        *,
        frozen: bool = False,
        init: bool = True,
        repr: bool = True,
        hash: bool | None = None,
        compare: bool = True,
        kw_only: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
        structural_eq: str | None = None,
        doc: str | None = None,
        converter: Callable[[Any], Any] = ...,
        **extra_kwargs: Any,
    ) -> Any: ...


def field(
    *,
    default: Any = MISSING,
    default_factory: Any = MISSING,
    frozen: bool = False,
    init: bool = True,
    repr: bool = True,
    hash: bool | None = None,
    compare: bool = True,
    kw_only: bool | None = None,
    metadata: Mapping[str, Any] | None = None,
    structural_eq: str | None = None,
    doc: str | None = None,
    converter: Callable[[Any], Any] = _field_converter,
    **extra_kwargs: Any,
) -> Any:
    """Set the options of a field in a class body; see :class:`Field`.

    Raises
    ------
    ValueError
        If both defaults are given, or ``structural_eq`` is unknown.
    TypeError
        If ``default_factory`` is not callable.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import field, py_class
    >>> @py_class("doc.field.Tree")
    ... class Tree(tvm_ffi.Object):
    ...     name: str
    ...     children: list["Tree"] = field(default_factory=list, repr=False)
    >>> Tree("root")
    doc.field.Tree(name="root")

    """
    return Field(
        default=default,
        default_factory=default_factory,
        frozen=frozen,
        init=init,
        repr=repr,
        hash=hash,
        compare=compare,
        kw_only=kw_only,
        metadata=metadata,
        structural_eq=structural_eq,
        doc=doc,
        converter=converter,
        **extra_kwargs,
    )
