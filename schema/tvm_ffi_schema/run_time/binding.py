# SPDX-License-Identifier: Apache-2.0
"""Make run-time classes from schema classes, for ``@declare(bind=...)``.

The functions of this module and of `loaded` use the native library; importing the modules does not.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from .. import dsl
from ..dsl.table import CLASS
from ..ir import abi
from . import binding_type, upgrades

_FIELD_OPTIONS = ("init", "kw_only", "repr", "compare", "hash", "structural_eq", "doc")
_ENUMS = {dsl.IntEnum: "IntEnum", dsl.StrEnum: "StrEnum", dsl.Enum: "Enum"}
_NOT_COPIED = ("__dict__", "__weakref__", "__annotations__", "__annotate__", "__annotate_func__")


def bind_class(cls: type, bind: str) -> type:
    """Return the run-time class of a declaration.

    Parameters
    ----------
    cls
        The declared class; its base is a stand-in of `dsl` or a run-time class.
    bind
        ``python``: define the class in Python; ``native``: bind the class to the registered native
        class; ``auto``: bind the class if a native class is registered, or else define it.

    Raises
    ------
    ImportError
        If the native library cannot be imported.
    SchemaMismatchError
        If a registered class differs from the declaration; it is a subclass of ``TypeError``.
    TypeError
        If the declaration contains a value that only C++ can compute.
    ValueError
        If there is no native class to bind, or if the type key is already in use.

    """
    return _Binding(cls).made(bind)


class _Binding:
    """Makes the run-time class of one declaration."""

    def __init__(self, cls: type) -> None:
        self.dataclasses: Any = import_module("tvm_ffi.dataclasses")
        self.native: Any = import_module("tvm_ffi.dataclasses.native")
        self.core: Any = import_module("tvm_ffi").core
        self.cls = cls
        module = sys.modules.get(cls.__module__)
        self.env: dict[str, Any] = dict(vars(module)) if module is not None else {}
        self.settings = {name: value for name, value in vars(cls).items() if name in CLASS}
        self.key = self._key()
        self.renamed: list[tuple[str, str]] = []

    def _key(self) -> str:
        key = self.settings.get("type_key")
        if not isinstance(key, str):
            raise TypeError(f"class {self.cls.__name__} has no type_key")
        spec = self.env.get("__tschema__")
        prefix = spec.options.get("type_key_prefix", "") if spec is not None else ""
        return key if "." in key else prefix + key

    def made(self, bind: str) -> type:
        entries = {n: v for n, v in vars(self.cls).items() if isinstance(v, dsl.EntrySpec)}
        enum = next((b for b in _ENUMS if issubclass(self.cls, b)), None)
        is_native = bind != "python" and self.native.is_native(self.key)
        if bind == "native" and not is_native:
            raise ValueError(f"no library has registered {self.key!r}")
        body = self._body(is_native)
        for name, spec in entries.items():
            body[name] = self._entry(spec)
        if enum is not None:
            base: Any = getattr(self.dataclasses, _ENUMS[enum])
            made: Any = type(base)(self.cls.__name__, (base,), body, type_key=self.key)
        elif entries:
            base = self.dataclasses.EnumObject
            decorate = self.dataclasses.c_enum if is_native else self.dataclasses.py_enum
            if is_native:
                body = {n: v for n, v in body.items() if n not in body["__annotations__"]}
            made = decorate(self.key)(type(base)(self.cls.__name__, (base,), body))
        else:
            made = self._plain(body, is_native)
        self._attributes(made, entries, is_native)
        renamed = str(self.settings.get("renamed_from", ""))
        upgrades.note_renames(self.key, renamed, self.renamed)
        bound: type = made
        return bound

    def _plain(self, body: dict[str, Any], is_native: bool) -> Any:
        bases = tuple(self._base(base) for base in self.cls.__bases__ if _is_object(base))
        made = type(bases[0])(self.cls.__name__, bases, body)
        options = {"init": self._is_constructed(), "structural_eq": self._kind(bases[0])}
        if not is_native:
            return self.dataclasses.py_class(self.key, **options)(made)
        names = ("frozen", "eq", "order", "unsafe_hash")
        options.update(dict.fromkeys(names, False), repr=True, match_args=True, types_only=True)
        return self.native.bind(made, self.key, options)

    def _base(self, base: type) -> type:
        runtime: type = self.dataclasses.Object
        if base is dsl.Object:
            return runtime
        spec = vars(base).get("__tschema_extern__")
        if spec is None:
            return base
        info = self.core._lookup_or_register_type_info_from_type_key(spec.type_key)
        found: type = info.type_cls
        return found

    def _is_constructed(self) -> bool:
        return not self.settings.get("abstract", False) and bool(self.settings.get("ctor", True))

    def _is_made_by_subclasses(self, init: Any) -> bool:
        """Return whether the class is abstract, but declares `__init__` for its subclasses."""
        return isinstance(init, dsl.MethodMark) and bool(self.settings.get("abstract", False))

    def _kind(self, base: type) -> str | None:
        """Return the stated structural kind, or the inherited kind, or else the default kind."""
        if self.settings.get("structural_eq"):
            kind = str(self.settings["structural_eq"])
            return None if kind == "unsupported" else kind
        info = self.core._type_cls_to_type_info(base)
        number = self.native._kind_of(info) if info is not None else 0
        if number:
            return tuple(abi.STRUCTURAL_KINDS)[number]
        stated = (self.settings.get(f"default_{n}_reduce", True) for n in ("sequal", "shash"))
        return "tree" if all(stated) else None

    # --- the body

    def _body(self, is_native: bool) -> dict[str, Any]:
        """Return the class body, with the annotations and defaults of a run-time class."""
        body: dict[str, Any] = {"__annotations__": {}}
        owners = [base for base in self.cls.__bases__ if not _is_object(base)]
        for owner in (*owners, self.cls):
            values = dict(vars(owner))
            for name, hint in binding_type.annotations_of(owner).items():
                self._field(body, name, hint, values.pop(name, dsl.MISSING), is_native)
            for name, value in values.items():
                if name in CLASS or name in _NOT_COPIED or isinstance(value, dsl.EntrySpec):
                    continue
                if name == "__init__" and self._is_made_by_subclasses(value):
                    continue
                if owner is self.cls or not name.startswith("__"):
                    body[name] = self._method(name, value)
        return body

    def _field(self, body: dict[str, Any], name: str, hint: Any, value: Any, native: bool) -> None:
        if hint is dsl.KW_ONLY or (isinstance(hint, str) and hint.rpartition(".")[2] == "KW_ONLY"):
            body["__annotations__"][name] = self.dataclasses.KW_ONLY
            return
        if "ClassVar" in str(hint):
            return
        options = dict(value.options) if isinstance(value, dsl.FieldSpec) else {"default": value}
        if not options.get("reflect", True):
            return
        name = options.get("name") or name
        if options.get("renamed_from"):
            self.renamed.append((options["renamed_from"], name))
        type_ = binding_type.runtime_type(hint, self.env, self.cls.__name__)
        body["__annotations__"][name] = type_
        if native:
            return
        if options.get("cpp_default") or isinstance(options.get("default"), dsl.CppText):
            raise TypeError(f"{self.key}.{name}: only C++ can make this default")
        chosen = {n: options[n] for n in _FIELD_OPTIONS if options.get(n) is not None}
        for which in ("default", "default_factory"):
            if options.get(which, dsl.MISSING) is not dsl.MISSING:
                chosen[which] = options[which]
        frozen = options.get("frozen")
        writable = frozen is False or (self.settings.get("mutable", False) and frozen is not True)
        body[name] = self.dataclasses.field(frozen=not writable, **chosen)

    def _method(self, name: str, value: Any) -> Any:
        if not isinstance(value, dsl.MethodMark):
            return value
        function = value.function
        if _is_empty(function):
            text = f"{self.key}.{name} is native, and no library with it is loaded"

            def missing(*args: Any, **kwargs: Any) -> Any:
                raise NotImplementedError(text)

            missing.__name__, missing.__doc__ = name, function.__doc__
            function = missing
        return staticmethod(function) if value.static else function

    def _entry(self, spec: Any) -> Any:
        if spec.value is dsl.MISSING:
            return self.dataclasses.entry(**spec.fields)
        return self.dataclasses.entry(spec.value, **spec.fields)

    # --- type attributes

    def _attributes(self, made: Any, entries: dict[str, Any], is_native: bool) -> None:
        if is_native:
            return
        index = made.__tvm_ffi_type_info__.type_index
        values = {trait.name: trait.value for trait in self.settings.get("traits", ())}
        values.update(self.settings.get("type_attrs", {}))
        for name, value in values.items():
            if not isinstance(value, dsl.CppText):
                self.core._type_register_attr(index, name, value)
        set_attr = import_module("tvm_ffi").get_global_func("ffi.EnumSetAttr")
        for name, spec in entries.items():
            for column, value in spec.attrs.items():
                if not isinstance(value, dsl.CppText):
                    set_attr(index, column, str(getattr(made, name).name), value)


def _is_object(base: type) -> bool:
    """Return whether a base is an object class and not a mixin."""
    if issubclass(base, dsl.Object):
        return True
    return issubclass(base, import_module("tvm_ffi").Object)


def _empty() -> None: ...


def _documented() -> None:
    """Do nothing; `_is_empty` compares the code of other functions with this function."""


def _refusing() -> None:
    raise NotImplementedError


def _calling() -> None:
    raise NotImplementedError()


def _is_empty(function: Any) -> bool:
    """Return whether a function has no body, so that it only declares a method."""
    code = function.__code__
    alike = [_empty, _documented] if not code.co_names else [_refusing, _calling]
    known = [one.__code__ for one in alike]
    return any((one.co_code, one.co_names) == (code.co_code, code.co_names) for one in known)
