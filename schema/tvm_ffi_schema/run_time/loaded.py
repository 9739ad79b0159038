# SPDX-License-Identifier: Apache-2.0
"""Use schemas at run time: load images, and query the definition of a type.

The functions of this module use the native library; importing the module does not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from ..diag import Bag
from ..files.source import check_input
from ..ir import ObjectDef, Schema
from ..ir import json as ir_json
from ..link import layout as layout_pass
from ..link.program import Program

_LIBRARIES = (".so", ".dylib", ".dll")
_ENUM_BASES = {"ffi.Enum": "Enum", "ffi.IntEnum": "IntEnum", "ffi.StrEnum": "StrEnum"}


class Image(Mapping[str, type]):
    """The classes of a loaded image: a mapping from type keys to classes.

    Each class is also an attribute under its name.
    """

    def __init__(self, path: str, classes: dict[str, type]) -> None:
        self._path = path
        self._classes = classes
        self._names = {cls.__name__: cls for cls in classes.values()}

    def __getitem__(self, key: str) -> type:
        return self._classes[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_names"][name]
        except KeyError:
            raise AttributeError(f"{self._path} has no class {name!r}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._names})

    def __repr__(self) -> str:
        return f"<schema image {self._path!r}: {', '.join(self._names)}>"


def load(path: str | os.PathLike[str]) -> Image:
    """Register the types of a schema image, or of a library that embeds its schema.

    The function makes the Python classes and returns them. A type that was loaded before is not
    registered again, and keeps its class.

    Parameters
    ----------
    path
        A file that ``tvm-ffi-schema build -o x.tfs`` or ``-o x.so`` has written.

    Raises
    ------
    ImportError
        If the native library cannot be imported.
    OSError
        If the file cannot be read.
    RuntimeError
        If the file is a library that cannot be loaded.
    ValueError
        If the image is damaged or one of its types cannot be registered; no type is registered
        then. Also if a library has no schema; the library is not loaded then.

    """
    core: Any = import_module("tvm_ffi").core
    name = os.fsdecode(path)
    check_input(name)
    with open(name, "rb"):  # for a file that cannot be read, raise the usual error of `open`
        pass
    keys = _keys_of_library(name) if name.endswith(_LIBRARIES) else _keys_of_image(name)
    with import_module("tvm_ffi.dataclasses.registration").lock:
        return Image(name, {str(key): _class_of(core, str(key)) for key in keys})


def _keys_of_image(name: str) -> list[str]:
    return [str(key) for key in _function("ffi.schema.LoadImageFile")(name, 0)]


def _keys_of_library(name: str) -> list[str]:
    """Load a library, and return the type keys in its schema."""
    from ..front import binary
    from ..link import reader

    bag = Bag()
    modules = binary.read(name, bag)
    if bag.has_errors:
        raise ValueError(f"{bag.items[0].message}; {bag.items[0].help}".rstrip("; "))
    program = reader.linked(Schema(tuple(modules)), Bag())
    import_module("tvm_ffi").load_module(os.path.abspath(name))
    return [cls.type_key for cls in program.order]


def _function(name: str) -> Any:
    return import_module("tvm_ffi").get_global_func(name)


def _class_of(core: Any, key: str) -> type:
    """Return the Python class of a type; create the class if there is none."""
    info = core._lookup_or_register_type_info_from_type_key(key)
    if info.type_cls is not None and "__ffi_is_dataclass__" in vars(info.type_cls):
        found: type = info.type_cls
        return found
    dataclasses: Any = import_module("tvm_ffi.dataclasses")
    parent = info.parent_type_info
    is_enum = core._lookup_type_attr(info.type_index, "__ffi_enum__") is not None
    base: Any = _base_of(core, parent.type_key, is_enum, dataclasses)
    definition = _definition(key)
    body: dict[str, Any] = {
        "__reduce__": _reduce,
        "__annotations__": {field.name: Any for field in info.fields},
        "__module__": __name__,
        "__slots__": (),
    }
    name = key.rpartition(".")[2]
    if definition is not None:
        name = definition.ref.name if definition.ref else definition.name
        body["__doc__"] = definition.doc.summary or None
    body["__qualname__"] = name
    decorate = dataclasses.c_enum if is_enum else dataclasses.c_class
    made: Any = decorate(key)(type(base)(name, (base,), body))
    if definition is not None and definition.enum is not None:
        for entry in definition.enum.entries:  # an enum of texts registers values, not names
            if not hasattr(made, entry.name):
                setattr(made, entry.name, made.get(entry.value))
    bound: type = made
    return bound


def _reduce(self: Any) -> Any:
    """Pickle an object as graph JSON; pickling by class needs a module that contains the class."""
    serialization = import_module("tvm_ffi").serialization
    return serialization.from_json_graph_str, (self.__getstate__()["handle"],)


def _restore(text: str) -> Any:
    """Unpickle an object that an earlier version of this package has pickled."""
    return import_module("tvm_ffi").serialization.from_json_graph_str(text)


def _base_of(core: Any, key: str, is_enum: bool, dataclasses: Any) -> type:
    if key in _ENUM_BASES:
        known: type = getattr(dataclasses, _ENUM_BASES[key])
        return known
    if key == "ffi.Object":
        root: type = dataclasses.EnumObject if is_enum else dataclasses.Object
        return root
    return _class_of(core, key)


def _definition(key: str) -> ObjectDef | None:
    program = _program_of(key)
    cls = program.classes.get(key) if program is not None else None
    return None if cls is None else cls.d


def _program_of(key: str) -> Program | None:
    """Return the linked schema that contains a type; None if no loaded schema contains it."""
    known = _by_key.get(key)
    if known is not None:
        return known
    data = _function("ffi.schema.Definition")(key)
    if data is None:
        return None
    data = bytes(data)
    if data not in _programs:
        from ..front import binary
        from ..link import reader

        schema = ir_json.loads(binary.unpack(data))
        _programs[data] = reader.linked(schema, Bag())
    return _by_key.setdefault(key, _programs[data])


_programs: dict[bytes, Program] = {}
_by_key: dict[str, Program] = {}  # a cache for `_program_of`


def of(key: str) -> ObjectDef:
    """Return the definition of a type whose library or image is loaded.

    Raises
    ------
    KeyError
        If no loaded library or image contains the schema of the type.

    """
    found = _definition(key)
    if found is None:
        raise KeyError(f"no schema of {key!r} was loaded")
    return found


def layout(key: str) -> layout_pass.Layout:
    """Return the layout of a type whose library or image is loaded, for code generators.

    Raises
    ------
    KeyError
        If no loaded library or image contains the schema of the type.
    """
    program = _program_of(key)
    if program is None or key not in program.classes:
        raise KeyError(f"no schema of {key!r} was loaded")
    return layout_pass.compute(program.classes[key], program)
