# SPDX-License-Identifier: Apache-2.0
"""Modules: collections of functions, usually the functions of a shared library."""

from __future__ import annotations

import os

from . import _ffi_api, core
from ._library_error import LibraryNotFoundError
from .registry import register_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from _typeshed import StrOrBytesPath

    from ._values.property_mask import ModulePropertyMask as ModulePropertyMask
    from .container import Array

__all__ = ["LibraryNotFoundError", "Module", "ModulePropertyMask", "load_module", "system_lib"]


def _get_lazily(name: str) -> Any:
    """Import ``ModulePropertyMask`` at its first use."""
    if name == "ModulePropertyMask":
        from ._values.property_mask import ModulePropertyMask

        globals()[name] = ModulePropertyMask
        return ModulePropertyMask
    raise AttributeError(f"module 'tvm_ffi.module' has no attribute {name!r}")


if not TYPE_CHECKING:  # Hidden from type checkers, so that they report unknown names.
    __getattr__ = _get_lazily


# The bits of `ModulePropertyMask` in `_values/property_mask.py`.
_BINARY_SERIALIZABLE, _RUNNABLE, _COMPILATION_EXPORTABLE = 1, 2, 4


# Maximum number of functions in a message.
_MAX_SHOWN = 8
_NO_FUNCTIONS = (
    "; it exports none: pass functions=... to load_inline, or write TVM_FFI_DLL_EXPORT_TYPED_FUNC "
    "in the source"
)


@register_object("ffi.Module")
class Module(core.Object):
    """A module. Its functions are attributes, and each function keeps the module loaded.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.system_lib("testing.").add_one(10)
    11

    """

    imports_: Array[Module]
    """The modules that this module imports."""

    __slots__ = ("__dict__",)
    entry_name = "main"
    """The name of the function that a call of the module itself runs."""

    @property
    def kind(self) -> str:
        """The kind of the module, ``"library"`` for a shared library."""
        kind: str = _ffi_api.ModuleGetKind(self)
        return kind

    @property
    def imports(self) -> Array[Module]:
        """The modules that this module imports."""
        return self.imports_

    def __getattr__(self, name: str) -> core.Function:
        """Return the function with this name, and store it as an attribute."""
        function = self.get_function(name)
        setattr(self, name, function)
        return function

    def __getitem__(self, name: str) -> core.Function:
        """Return the function with this name."""
        if not isinstance(name, str):
            raise ValueError("Can only take string as function name")
        return self.get_function(name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Reduce the module to the digest and the path of its library for pickle.

        ``tvm_ffi.distributed.ship`` adds the bytes of the library.
        """
        from ._pickle import library

        return restore_module, library.reduce(self)

    def __copy__(self) -> Module:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Module:
        return self

    def __dir__(self) -> list[str]:
        """Return the attributes and, for completion, the functions of a library."""
        from ._display.module import function_names

        return sorted({*super().__dir__(), *(function_names(self) or ())})

    def __repr__(self) -> str:
        """Return a text with the kind of the module; for a library, also its path and functions."""
        from ._display.module import text_of

        return text_of(self)

    def _repr_html_(self) -> str | None:
        """Return a table of the functions for a notebook."""
        from ._display.module import html_of

        return html_of(self)

    def __call__(self, *args: Any) -> Any:
        """Call the entry function, ``main``."""
        return self.get_function(self.entry_name)(*args)

    def implements_function(self, name: str, query_imports: bool = False) -> bool:
        """Return whether the module has a function with this name.

        Parameters
        ----------
        name
            The name.
        query_imports
            Whether to search the imported modules too.

        """
        return bool(_ffi_api.ModuleImplementsFunction(self, name, query_imports))

    def get_function(self, name: str, query_imports: bool = False) -> core.Function:
        """Return the function with this name.

        Parameters
        ----------
        name
            The name.
        query_imports
            Whether to search the imported modules too.

        Raises
        ------
        AttributeError
            If there is no such function.

        """
        function: core.Function | None = _ffi_api.ModuleGetFunction(self, name, query_imports)
        if function is None:
            text = f"Module has no function '{name}'{self._hint(name)}"
            # With the module as `obj`, Python's tracebacks would append their own suggestion.
            raise AttributeError(text, name=name, obj=None)
        if not core._name_in_module(function, name):
            self._describe(function, name, query_imports)
        return function

    def _describe(self, function: core.Function, name: str, query_imports: bool) -> None:
        """Store metadata and documentation in a function whose module is not a library."""
        metadata = _ffi_api.ModuleGetFunctionMetadata(self, name, query_imports)
        doc = _ffi_api.ModuleGetFunctionDoc(self, name, query_imports)
        if metadata:
            core._set_metadata(function, metadata)
        if doc:
            function.__doc__ = doc

    def _hint(self, name: str) -> str:
        """Return a hint for the message about a function that the module does not have."""
        # Programs test for attributes such as `_repr_latex_` and do not show the error, so omit the
        # hint.
        if name.startswith("_"):
            return ""
        exported: Array[str] | None = _ffi_api.ModuleGetFunctionNames(self)
        if exported is None:
            return ""
        names = [other for other in exported if not other.startswith("_")]
        if not names:
            return _NO_FUNCTIONS
        from . import _nearest  # Imported here because only error messages need the module.

        shown = [*names[:_MAX_SHOWN], *(["..."] if len(names) > _MAX_SHOWN else [])]
        return _nearest.hint(name, names, f"; it has {', '.join(shown)}")

    def get_function_metadata(
        self, name: str, query_imports: bool = False
    ) -> dict[str, Any] | None:
        """Return the metadata of a function, such as its ``type_schema``.

        Return ``None`` if the library does not export metadata.
        """
        import json  # Takes as long as loading a small library, and is rarely needed.

        text = _ffi_api.ModuleGetFunctionMetadata(self, name, query_imports)
        return None if text is None else json.loads(text)

    def get_function_doc(self, name: str, query_imports: bool = False) -> str | None:
        """Return the documentation of a function, or ``None`` if the library exports none."""
        text: str | None = _ffi_api.ModuleGetFunctionDoc(self, name, query_imports)
        return text or None

    def import_module(self, module: Module) -> None:
        """Add a module to the imports of this module.

        Raises
        ------
        RuntimeError
            If ``module`` is this module, or imports this module directly or indirectly.

        """
        _ffi_api.ModuleImportModule(self, module)

    def clear_imports(self) -> None:
        """Remove all imports of the module."""
        _ffi_api.ModuleClearImports(self)

    def inspect_source(self, fmt: str = "") -> str:
        """Return the source in the given format; empty if the module has none."""
        source: str = _ffi_api.ModuleInspectSource(self, fmt)
        return source

    def get_write_formats(self) -> Array[str]:
        """Return the formats that ``write_to_file`` can write."""
        formats: Array[str] = _ffi_api.ModuleGetWriteFormats(self)
        return formats

    def write_to_file(self, file_name: str, fmt: str = "") -> None:
        """Write the module to a file.

        Raises
        ------
        RuntimeError
            If the module cannot be written.

        """
        _ffi_api.ModuleWriteToFile(self, file_name, fmt)

    def get_property_mask(self) -> int:
        """Return the properties of the module, as bits of ``ModulePropertyMask``."""
        return int(_ffi_api.ModuleGetPropertyMask(self))

    def is_binary_serializable(self) -> bool:
        """Return whether the module can be written as bytes and read back."""
        return bool(self.get_property_mask() & _BINARY_SERIALIZABLE)

    def is_runnable(self) -> bool:
        """Return whether functions of the module can be called."""
        return bool(self.get_property_mask() & _RUNNABLE)

    def is_compilation_exportable(self) -> bool:
        """Return whether the module can be written as an object file or as source."""
        return bool(self.get_property_mask() & _COMPILATION_EXPORTABLE)


# Do not use `register_error`: importing `tvm_ffi.error` takes longer than importing this module.
core.ERROR_NAME_TO_TYPE["LibraryNotFoundError"] = LibraryNotFoundError
core.ERROR_TYPE_TO_NAME[LibraryNotFoundError] = "LibraryNotFoundError"


def load_module(path: StrOrBytesPath, keep_module_alive: bool = True) -> Module:
    """Load a module from a file.

    A rebuilt library replaces the registrations of the earlier build: see "Defining things
    again" in ``docs/functions.md``. Undefined symbols are resolved immediately, unless the
    environment variable ``TVM_FFI_LAZY_BINDING`` is set to ``1``.

    Parameters
    ----------
    path
        The file. The suffix of its name selects the loader; names of shared libraries end in
        ``.so``, ``.dylib`` or ``.dll``.
    keep_module_alive
        Whether the module stays loaded until the process ends. If a module is unloaded while
        objects that it created are alive, the code of these objects is missing.

    Raises
    ------
    LibraryNotFoundError
        If there is no such file; the error is an ``OSError`` and a ``RuntimeError``.
    ValueError
        If the path contains NUL.
    RuntimeError
        If the file is not a module, lacks a symbol, or belongs to another version of the ABI.
    Exception
        The exception of a static-init block of the library. The registrations of the library are
        then removed, so that a corrected library can be loaded.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.load_module("missing.so")
    Traceback (most recent call last):
        ...
    tvm_ffi.module.LibraryNotFoundError: ...

    """
    file_name = os.fsdecode(path)
    if "\0" in file_name:
        raise ValueError(f"the path of a module contains NUL: {file_name!r}")
    origin = _build_name(file_name)
    module: Module
    try:
        if origin:
            module = _ffi_api._ModuleLoadVersion(file_name, f"the tvm_ffi.cpp module `{origin}`")
        else:
            module = _ffi_api.ModuleLoadFromFile(file_name)
    except Exception as error:
        if type(error) is LibraryNotFoundError and error.filename is None:
            error.filename = file_name
        _add_note(error, file_name)
        raise
    finally:
        _refresh_classes()
    if keep_module_alive:
        _ffi_api.ModuleGlobalsAdd(module)
    return module


def restore_module(digest: str, path: str, content: bytes | None, imports: Any = ()) -> Module:
    """Return the module of a library, by the SHA-256 and the former path of its file.

    Pickles call ``tvm_ffi.serialization.restore_module`` by this name, so do not rename it.
    ``content`` has the bytes of the file, or None; the module must import the modules ``imports``.
    Raise LibraryNotFoundError if the library is not found, and ValueError if the bytes do not have
    the digest.
    """
    from ._pickle import library

    module = library.find(digest, path, content, load_module)
    for other in imports:
        if not any(other.same_as(known) for known in module.imports_):
            module.import_module(other)
    return module


restore_module.__module__ = "tvm_ffi.serialization"  # The published path.


def _build_name(file_name: Any) -> str | None:
    """Return the name of the build if ``tvm_ffi.cpp`` built the file.

    Builds with the same name are versions of one module, although each has its own directory.
    """
    if not isinstance(file_name, str):
        return None
    directory, name = os.path.split(file_name)
    is_built = os.path.isfile(os.path.join(directory, "build.record"))
    return os.path.splitext(name)[0] if is_built else None


def _add_note(error: BaseException, file_name: str) -> None:
    """Add a note with a library's path to an exception that was raised while the library loaded."""
    add_note: Callable[[str], None] | None = getattr(error, "add_note", None)  # Python 3.11
    if add_note is not None and os.path.basename(file_name) not in str(error):
        add_note(f"raised while the library `{file_name}` was loaded")


def _refresh_classes() -> None:
    """Give the Python classes of redefined types the new members of these types."""
    while (type_index := _ffi_api._TakeChangedType()) >= 0:
        cls: Any = core._refresh_class(type_index)
        if isinstance(cls, core._EnumMeta):
            _refresh_variants(cls)


def _refresh_variants(cls: Any) -> None:
    """Rebind the attributes of an enum class to variants that were registered again."""
    names = [name for name, value in vars(cls).items() if isinstance(value, cls)]
    core._enum_reset(cls)
    for name in names:
        try:
            core._enum_bind(cls, name, cls.get(name))
        except (KeyError, ValueError):
            pass  # The variant is not registered any more; keep the old one.


def system_lib(symbol_prefix: str = "") -> Module:
    """Return the module of the functions that are linked into the process.

    Parameters
    ----------
    symbol_prefix
        The prefix of the symbols of the functions. There is one module per prefix.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.system_lib() == tvm_ffi.system_lib()
    True

    """
    if symbol_prefix.startswith("testing."):
        core._load_testing_library()
    module: Module = _ffi_api.SystemLib(symbol_prefix)
    return module
