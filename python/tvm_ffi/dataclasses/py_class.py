# SPDX-License-Identifier: Apache-2.0
"""``@py_class``: register a Python class as an object type."""

from __future__ import annotations

from .._pickle import definition
from . import native as natively
from . import weakref_slot as _weakref_slot
from .field import Field, _field_converter, field
from .methods import _DEFAULT_INHERIT_TYPE_ATTRS as _DEFAULT_INHERIT_TYPE_ATTRS
from .methods import _FFI_TYPE_ATTR_NAMES as _FFI_TYPE_ATTR_NAMES
from .methods import _collect_py_methods as _collect_py_methods
from .methods import method as method
from .registration import _STRUCTURE_KIND_MAP, Registration, lock, retry
from .transform import dataclass_transform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    from typing_extensions import Unpack

    from .options import ClassOptions, PyClassOptions

    _T = TypeVar("_T", bound=type)


if TYPE_CHECKING:

    @overload
    @dataclass_transform(eq_default=False, field_specifiers=(Field, field))
    def py_class(cls_or_type_key: _T, /) -> _T: ...
    @overload
    @dataclass_transform(eq_default=False, field_specifiers=(Field, field))
    def py_class(
        cls_or_type_key: str | None = None,
        /,
        *,
        type_key: str | None = None,
        **options: Unpack[PyClassOptions],
    ) -> Callable[[_T], _T]: ...


@dataclass_transform(
    eq_default=False,
    order_default=False,
    kw_only_default=False,
    frozen_default=False,
    field_specifiers=(Field, field),
    kwargs={"converter": _field_converter},  # type: ignore[literal-required]
)
def py_class(
    cls_or_type_key: Any = None,
    /,
    *,
    type_key: str | None = None,
    frozen: bool = False,
    init: bool = True,
    repr: bool = True,
    eq: bool = False,
    order: bool = False,
    unsafe_hash: bool = False,
    match_args: bool = True,
    kw_only: bool = False,
    structural_eq: str | None = "tree",
    slots: bool = True,
    weakref_slot: bool = False,
    auto_methods: bool = False,
    native: str | None = None,
) -> Any:
    """Register a class, derived from ``tvm_ffi.Object``, as an object type.

    The annotated attributes become native fields, which every language can read and write. The
    class gets ``__init__`` and the other members of :func:`dataclasses.dataclass`. Annotations may
    use names that are defined later; the registration is completed after they are defined.

    Parameters
    ----------
    cls_or_type_key
        The class, or the type key. The default key is the module and qualified name of the class.
    type_key
        The type key, as a keyword.
    frozen
        Reject assignment to the fields of this class; ``Cls.name.set(obj, value)`` still writes.
    init
        Generate ``__init__``, unless the body defines it.
    repr
        Show the fields in ``repr``, unless the body defines ``__repr__``.
    eq
        Compare the fields with ``==``. Unlike the standard library, this does not change
        ``__hash__``: equal objects have different hashes unless ``unsafe_hash`` is also set.
    order
        Order objects by their fields; requires ``eq``.
    unsafe_hash
        Hash the fields instead of the identity.
    match_args
        Set ``__match_args__``.
    kw_only
        Make fields keyword-only by default.
    structural_eq
        How structural comparison treats objects of the type: ``"tree"``, ``"dag"``, ``"var"``,
        ``"const-tree"``, ``"singleton"``, or None to disable it.
    slots
        Accepted for compatibility with :mod:`dataclasses`, without effect. Instances have a
        dictionary in two cases: if the body has ``__slots__ = ("__dict__",)``, or if the body
        defines ``__setattr__`` and does not define ``__slots__``.
    weakref_slot
        Allow weak references to instances. As in the standard library, this creates a new class.
    auto_methods
        Register all public functions of the body as methods, like ``@method``.
    native
        ``"auto"``: if a library has registered the key, compare the declaration with the native
        type, and bind the class to the native type, like :func:`c_class`. Load the library first.

    Raises
    ------
    SchemaMismatchError
        If the native type differs from the declaration; a subclass of ``TypeError``.
    TypeError
        If a base is missing, an annotation has no schema, or an option of a field is unknown.
    ValueError
        If the key is taken, or the options contradict each other. After any error the key can be
        used again. A class with the same module, qualified name and key replaces the earlier
        definition, whose objects keep their class.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import py_class
    >>> @py_class("doc.py_class.Point", eq=True)
    ... class Point(tvm_ffi.Object):
    ...     x: int
    ...     y: int = 0
    >>> Point(1) == Point(1, 0)
    True

    """
    if order and not eq:
        raise ValueError("order=True requires eq=True")
    if structural_eq not in _STRUCTURE_KIND_MAP:
        kinds = sorted(filter(None, _STRUCTURE_KIND_MAP))
        raise ValueError(f"structural_eq must be one of {kinds} or None, got {structural_eq!r}")
    if native not in (None, "auto"):
        raise ValueError(f"native must be None or 'auto', got {native!r}")
    options = {
        "frozen": frozen,
        "init": init,
        "repr": repr,
        "eq": eq,
        "order": order,
        "unsafe_hash": unsafe_hash,
        "match_args": match_args,
        "kw_only": kw_only,
        "structural_eq": structural_eq,
        "auto_methods": auto_methods,
    }
    key = type_key
    if isinstance(cls_or_type_key, str):
        key = cls_or_type_key
    elif cls_or_type_key is not None and not isinstance(cls_or_type_key, type):
        raise TypeError(f"py_class: expected str or type, got {type(cls_or_type_key)}")
    if key is not None and not isinstance(key, str):
        raise TypeError(f"py_class: type_key must be a str or None, got {type(key).__name__}")

    def decorate(cls: type) -> type:
        if not isinstance(cls, type):
            raise TypeError(f"py_class expects a class, got {type(cls).__name__}")
        refuse = getattr(type(cls), "_refuse_py_class", None)
        if refuse is not None:
            refuse(cls)
        if "__dataclass_fields__" in vars(cls):
            raise TypeError(
                f"`{cls.__name__}` is decorated with @dataclasses.dataclass of the standard "
                "library: leave this decorator out, because py_class adds the same members"
            )
        if weakref_slot:
            cls = _weakref_slot.added_to(cls)
        if native is not None:
            name = f"{cls.__module__}.{cls.__qualname__}" if key is None else key
            if natively.is_native(name):
                return natively.bind(cls, name, options)
        return _register(cls, key, dict(options))

    return decorate(cls_or_type_key) if isinstance(cls_or_type_key, type) else decorate


if TYPE_CHECKING:

    @overload
    @dataclass_transform(eq_default=False, field_specifiers=(Field, field))
    def auto_class(cls_or_type_key: _T, /) -> _T: ...
    @overload
    @dataclass_transform(eq_default=False, field_specifiers=(Field, field))
    def auto_class(
        cls_or_type_key: str | None = None,
        /,
        *,
        type_key: str | None = None,
        **options: Unpack[ClassOptions],
    ) -> Callable[[_T], _T]: ...


@dataclass_transform(
    eq_default=False,
    order_default=False,
    kw_only_default=False,
    frozen_default=False,
    field_specifiers=(Field, field),
    kwargs={"converter": _field_converter},  # type: ignore[literal-required]
)
def auto_class(cls_or_type_key: Any = None, /, **options: Any) -> Any:
    """Return ``py_class(..., native="auto")``.

    A class that is first defined in Python can get a native implementation later, from
    ``tvm-ffi-schema promote``, without a change to its source.

    Parameters
    ----------
    cls_or_type_key, **options
        As for :func:`py_class`.

    Raises
    ------
    TypeError, ValueError
        Under the same conditions as :func:`py_class`.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import auto_class
    >>> @auto_class("doc.auto_class.Point")
    ... class Point(tvm_ffi.Object):
    ...     x: float
    ...     y: float = 0.0
    >>> Point(1).y
    0.0

    """
    return py_class(cls_or_type_key, native="auto", **options)


def _register(cls: type, type_key: str | None, options: dict[str, Any]) -> type:
    """Register a class. Pickles of classes call this function by name."""
    key = f"{cls.__module__}.{cls.__qualname__}" if type_key is None else type_key
    body, given = dict(vars(cls)), dict(options)
    with lock:
        registration = Registration(cls, key, options)
        try:
            is_complete = registration.complete()
            if not is_complete:
                registration.defer()
            cls.__ffi_is_dataclass__ = True  # type: ignore[attr-defined]
        except BaseException:
            registration.roll_back()
            raise
        if definition.ATTRIBUTE not in body:
            definition.note(cls, _register, key, given, body)
        if is_complete:
            retry()
    return cls
