# SPDX-License-Identifier: Apache-2.0
"""The base class and helpers for backends of other packages: a backend is one class.

::

    from tvm_ffi_schema.back.base import Backend, Writer, register

    @register("go", suffix=".go", doc="Go structs")
    class Go(Backend):
        options = {"package": "main"}
        types = {"int64_t": "int64"}

        def emit_module(self, mod, opt):
            w = Writer(comment="//")
            w.line(f"package {opt.package}")
            for obj in mod.objects:
                w.doc(obj.doc)
                with w.block(f"type {obj.ref.name} struct {{", "}"):
                    for f in obj.fields:
                        w.line(f"{f.name.title()} {self.type(f.type)}")
            yield f"{mod.stem}.go", w

The command finds a backend by an entry point of the group ``tvm_ffi_schema.backends``, or by the
name of its module in `plugins` of the configuration. ``--to go`` then generates the files of the
backend, with the same checks as for built-in outputs. A run writes all files or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from ..config.outputs import BACKENDS, OUTPUTS
from ..ir import Doc, Module, TypeRef
from ..ir.names import is_identifier
from ..link.program import Program
from .writer import Anchor, Pieces


class Backend:
    """A backend computes text from resolved modules and options.

    One object serves one run. The text must depend only on the arguments, so that equal schemas
    give equal files.
    """

    #: Option in `[backend.NAME]` of the configuration -> its default. A value in the configuration
    #: must have the type of the default.
    options: ClassVar[dict[str, Any]] = {}
    #: Type of schema files -> name in the output language; other types keep their names.
    types: ClassVar[dict[str, str]] = {}
    #: Keywords of the output language. Fields, methods, parameters and entries must not have these
    #: names.
    reserved: ClassVar[frozenset[str]] = frozenset()
    name: ClassVar[str] = ""
    suffix: ClassVar[str] = ""
    doc: ClassVar[str] = ""

    def __init__(self, program: Program) -> None:
        self.program = program

    def emit_module(self, mod: Module, opt: Any) -> Iterable[tuple[str, Writer]]:
        """Yield (path below the output directory, writer with the text) for each file of a module.

        Parameters
        ----------
        mod : tvm_ffi_schema.ir.Module
            A module with its classes; each class has the fields of its mixins.
        opt
            An object whose attributes are the options.

        Raises
        ------
        NotImplementedError
            If a backend does not override this method. If a backend raises an exception, the
            command reports the exception and writes no file.

        """
        raise NotImplementedError(f"{type(self).__name__}.emit_module")

    def type(self, type_: TypeRef) -> str:
        """Return a type in the output language; `generic` writes types that have arguments."""
        if type_.cpp is not None:
            return type_.cpp.text if type_.cpp.as_type is None else self.type(type_.cpp.as_type)
        if type_.origin == "class":
            found = self.program.classes.get(type_.name)
            own = (found.ref or found.obj) if found is not None else ""
            return own or type_.name.rpartition(".")[2]
        name = self.types.get(type_.origin, type_.origin)
        return self.generic(name, [self.type(arg) for arg in type_.args]) if type_.args else name

    def generic(self, name: str, arguments: list[str]) -> str:
        """Return the text of a generic type; its name and arguments are in the output language."""
        return f"{name}<{', '.join(arguments)}>"


def register(
    name: str, *, suffix: str = "", doc: str = ""
) -> Callable[[type[Backend]], type[Backend]]:
    """Make a class the backend of an output.

    Parameters
    ----------
    name : str
        The name of the output in `outputs` and in ``--to``.
    suffix : str
        The suffix of the files; empty if the files have different suffixes.
    doc : str
        A short description of the output.

    Raises
    ------
    ValueError
        If the name is not an identifier, or is the name of a built-in output or another backend.
    TypeError
        If the class is not a Backend.

    """
    if not isinstance(name, str) or not is_identifier(name):
        raise ValueError(f"register(): a name is an identifier, not {name!r}")
    if name in OUTPUTS:
        raise ValueError(f"register(): {name!r} is an output of the tool")

    def mark(cls: type[Backend]) -> type[Backend]:
        if not (isinstance(cls, type) and issubclass(cls, Backend)):
            raise TypeError(f"register({name!r}): {cls!r} does not derive from Backend")
        known = BACKENDS.get(name, cls)
        if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise ValueError(f"register(): {name!r} is the back end {known.__qualname__} already")
        cls.name, cls.suffix, cls.doc = name, str(suffix), str(doc)
        BACKENDS[name] = cls
        return cls

    return mark


class Writer:
    """Collects the text of a file: indented lines, and anchors for custom sections."""

    def __init__(self, comment: str = "//", indent: str = "    ") -> None:
        self.comment = comment
        self.indent = indent
        self.pieces: Pieces = []
        self._depth = 0

    def line(self, text: str = "") -> None:
        """Write one or more lines; lines that are not empty are indented."""
        for one in str(text).split("\n"):
            self.pieces.append(f"{self.indent * self._depth}{one}".rstrip())

    def doc(self, doc: Doc | str) -> None:
        """Write documentation as comment lines."""
        text = doc if isinstance(doc, str) else "\n\n".join(p for p in (doc.summary, doc.text) if p)
        for one in text.split("\n") if text else ():
            self.line(f"{self.comment} {one}")

    @contextmanager
    def block(self, head: str, tail: str) -> Iterator[None]:
        """Write `head`, then the lines of the block with deeper indentation, then `tail`."""
        self.line(head)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
        self.line(tail)

    def anchor(self, name: str = "tail") -> None:
        """Add an anchor: a place where the user can insert a custom section."""
        self.pieces.append(Anchor(name))
