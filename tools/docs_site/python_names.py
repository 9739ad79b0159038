# SPDX-License-Identifier: Apache-2.0
"""The public names of the Python package, with the text and the signature of each.

A name comes from ``__all__`` of a public module, or from the public definitions of a module
without one. An object that several modules export has one entry, in the first of these modules.
Texts and signatures that the extension ``tvm_ffi.core`` lacks at run time come from ``core.pyi``.
"""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import itertools
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

#: The modules that have a page. ``tvm_ffi.core`` is last, so its page lists only names that no
#: other module exports.
MODULES = (
    "tvm_ffi",
    "tvm_ffi.access_path",
    "tvm_ffi.config",
    "tvm_ffi.container",
    "tvm_ffi.cpp",
    "tvm_ffi.cpp.dtype",
    "tvm_ffi.cpp.nvrtc",
    "tvm_ffi.dataclasses",
    "tvm_ffi.error",
    "tvm_ffi.libinfo",
    "tvm_ffi.module",
    "tvm_ffi.registry",
    "tvm_ffi.serialization",
    "tvm_ffi.stream",
    "tvm_ffi.structural",
    "tvm_ffi.type_attr",
    "tvm_ffi.utils",
    "tvm_ffi.core",
)
#: Texts for values that Python itself defines.
_TEXTS = {"KW_ONLY": "The marker of `dataclasses`: fields that follow are keyword-only."}
#: The stub imports the class `dtype` under a private name, since properties are named `dtype`.
_PRIVATE_NAME = ("_dtype_class", "dtype")
_ADDRESS = re.compile(r"<(?:function )?(\S+) (?:object )?at 0x[0-9a-f]+>")
_CLASS = re.compile(r"<class (?:\w+\.)*(\w+)>")
_DTYPE = re.compile(r"(?:bool|(?:u?int|b?float)\d\w*)$")


@dataclass
class Entry:
    """A public name with its module, its kind, and the content of its reference entry."""

    module: str
    name: str
    kind: str
    doc: str
    signature: str | None = None
    value: Any = None
    type: str = ""
    members: list[Entry] = field(default_factory=list)

    @property
    def full_name(self) -> str:
        """The name with its module."""
        return f"{self.module}.{self.name}"

    def gaps(self) -> list[str]:
        """Return the parts that the entry lacks."""
        found = [] if self.doc.strip() else ["no text"]
        if self.kind in ("function", "method", "classmethod", "staticmethod"):
            if self.signature is None:
                found.append("no signature")
            elif not _has_types(self.signature):
                found.append("a parameter or the result has no type")
            if raised := sorted(set(_raised(self.value)) - _named_errors(self.doc)):
                found.append(f"raises {', '.join(raised)}, which the text does not say")
        return found


def modules() -> list[tuple[str, str, list[Entry]]]:
    """Return (module, its text, its entries) for every public module."""
    seen: set[int] = set()
    found = []
    for name in MODULES:
        module = importlib.import_module(name)
        entries = [entry for entry in _entries(module) if _is_first(entry, seen)]
        found.append((name, inspect.getdoc(module) or "", entries))
    return found


def everything() -> Iterator[Entry]:
    """Yield each entry, and after each class the entries of its members."""
    for _, _, entries in modules():
        for entry in entries:
            yield entry
            yield from entry.members


def gaps() -> tuple[int, list[str]]:
    """Return the number of public names, and a line for each incomplete entry."""
    entries = list(everything())
    return len(entries), [f"{e.full_name}: {'; '.join(g)}" for e in entries if (g := e.gaps())]


def _is_first(entry: Entry, seen: set[int]) -> bool:
    # Equal small values can be the same object, so data are not compared by identity.
    if entry.kind == "data":
        return entry.module == "tvm_ffi" or not _DTYPE.match(entry.name)
    first = id(entry.value) not in seen
    seen.add(id(entry.value))
    return first


def _entries(module: types.ModuleType) -> Iterator[Entry]:
    for name in _names(module):
        value = getattr(module, name)
        if isinstance(value, types.ModuleType):
            continue
        yield describe(module.__name__, name, value)


def _names(module: types.ModuleType) -> list[str]:
    if module.__name__ == "tvm_ffi":
        private = ("_convert", "_dtype", "_tensor")
        more = [
            name
            for source, names in module._NAMES_OF.items()
            for name in names.split()
            if source in private or name not in module.__all__
        ]
        return list(dict.fromkeys([*module.__all__, *more]))
    if hasattr(module, "__all__"):
        return list(module.__all__)
    if module.__name__ == "tvm_ffi.core":
        return [name for name in stub() if "." not in name and not name.startswith("_")]
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]


def describe(module: str, name: str, value: Any) -> Entry:
    """Return the entry of a name of a module."""
    if isinstance(value, type):
        entry = Entry(module, name, "class", _class_doc(value), _class_signature(value), value)
        entry.members = list(_members(module, name, value))
        return entry
    if callable(value) and not isinstance(value, str):
        return Entry(module, name, "function", _doc(value), _signature(value), value)
    return Entry(module, name, "data", _data_doc(module, name, value), None, value)


# ---- classes


def _members(module: str, name: str, cls: type) -> Iterator[Entry]:
    seen = set()
    for base in cls.__mro__:
        # A private base is a part of the implementation, so its members count as members of `cls`.
        if base is not cls and not base.__name__.startswith("_"):
            continue
        if base.__module__ not in ("tvm_ffi.core", "tvm_ffi") and not (
            base.__module__.startswith("tvm_ffi")
        ):
            continue
        for key, value in list(vars(base).items()):  # Reading a class may change it.
            if key.startswith("_") or key in seen:
                continue
            seen.add(key)
            yield _member(module, f"{name}.{key}", base, key, value)


def _member(module: str, name: str, owner: type, key: str, value: Any) -> Entry:
    declared = stub().get(f"{owner.__name__}.{key}") or stub().get(f"_{owner.__name__}.{key}")
    kind = "method"
    target = value
    if isinstance(value, classmethod | types.ClassMethodDescriptorType):
        kind, target = "classmethod", getattr(owner, key)
    elif isinstance(value, staticmethod):
        kind, target = "staticmethod", value.__func__
    elif not callable(value) or isinstance(value, property):
        is_property = isinstance(value, property | types.GetSetDescriptorType) or hasattr(
            value, "fget"
        )
        kind = "property" if is_property else "attribute"
    doc = _own_doc(target) if kind != "attribute" else _attribute_doc(owner, key, value)
    doc = doc or _attribute_docs(owner).get(key, "") or _listed_attribute(owner, key)
    signature = None
    if kind not in ("property", "attribute"):
        signature = declared.signature if declared else _signature(target)
    kind_text = declared.type if declared else _type_of(owner, key, value)
    if declared and len(declared.doc) > len(doc):
        doc = declared.doc
    return Entry(module, name, kind, doc, signature, target, kind_text)


def _type_of(owner: type, key: str, value: Any) -> str:
    """Return the type of a property or an attribute, if it is declared."""
    getter = getattr(value, "fget", None)
    found = getattr(getter, "__annotations__", {}).get("return")
    found = found or inspect.get_annotations(owner).get(key, "")
    return found if isinstance(found, str) else getattr(found, "__name__", str(found))


def _class_doc(cls: type) -> str:
    own = cls.__dict__.get("__doc__")  # a descriptor, not a str, if instances have a `__doc__`
    doc = own if isinstance(own, str) else ""
    declared = stub().get(cls.__name__)
    if declared and len(declared.doc) > len(doc):
        doc = declared.doc
    # For a dataclass without a docstring, Python generates a text that begins with `Name(`.
    return "" if doc.startswith(f"{cls.__name__}(") else inspect.cleandoc(doc)


def _class_signature(cls: type) -> str | None:
    if issubclass(cls, enum.Enum):
        return None
    declared = stub().get(f"{cls.__name__}.__init__") or stub().get(f"{cls.__name__}.__new__")
    if cls.__module__ == "tvm_ffi.core" and declared:
        return declared.signature
    try:
        return str(inspect.signature(cls))
    except (TypeError, ValueError):
        return None


def _attribute_doc(owner: type, key: str, value: Any) -> str:
    if doc := _attribute_docs(owner).get(key):
        return doc
    if isinstance(value, types.MemberDescriptorType) or not isinstance(
        value, str | int | float | bytes | tuple | dict | list | type(None)
    ):
        return _own_doc(value)
    return ""


def _listed_attribute(owner: type, key: str) -> str:
    """Return the text of an attribute from the section "Attributes" of the class docstring."""
    doc = owner.__dict__.get("__doc__")
    if not isinstance(doc, str) or "Attributes\n" not in doc:
        return ""
    section = inspect.cleandoc(doc).split("Attributes\n----------\n", 1)[-1].split("\n\n")[0]
    for names, text in re.findall(r"^(\w[\w, ]*)\n((?:    .*\n?)+)", section + "\n", re.MULTILINE):
        if key in names.split(", "):
            return " ".join(text.split())
    return ""


@cache
def _attribute_docs(owner: type) -> dict[str, str]:
    """Return the docstrings below the attributes of a class, from the source."""
    # `__module__` can name a public module that does not contain the source, so use the class name.
    return _texts_below([part for body in _class_bodies().get(owner.__name__, []) for part in body])


@cache
def _class_bodies() -> dict[str, list[list[ast.stmt]]]:
    """Return class name -> the bodies of all classes in the package that have this name."""
    package = Path(importlib.import_module("tvm_ffi").__file__ or "").parent
    found: dict[str, list[list[ast.stmt]]] = {}
    for path in sorted(package.rglob("*.py")):
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.ClassDef):
                found.setdefault(statement.name, []).append(statement.body)
    return found


def _texts_below(body: list[ast.stmt]) -> dict[str, str]:
    found = {}
    for statement, below in itertools.pairwise(body):
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            if isinstance(statement, ast.AnnAssign):
                targets = [statement.target]
            for target in targets:
                if isinstance(target, ast.Name) and isinstance(below.value.value, str):
                    found[target.id] = inspect.cleandoc(below.value.value)
    return found


# ---- functions and values


def _doc(value: Any) -> str:
    doc = _own_doc(value)
    declared = stub().get(getattr(value, "__name__", ""))
    return declared.doc if declared and len(declared.doc) > len(doc) else doc


def _own_doc(value: Any) -> str:
    doc = getattr(value, "__doc__", None)
    return inspect.cleandoc(doc) if isinstance(doc, str) else ""


def _signature(value: Any) -> str | None:
    name = getattr(value, "__name__", "")
    declared = stub().get(name) or stub().get(f"_{name}")
    if isinstance(value, types.BuiltinFunctionType) and declared:
        return declared.signature
    if getattr(value, "__module__", None) == "tvm_ffi.core" and declared:
        return declared.signature
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return declared.signature if declared else None


def _data_doc(module: str, name: str, value: Any) -> str:
    if _DTYPE.match(name):
        return f"The data type `{value}`, a `tvm_ffi.dtype`."
    version = "tvm_ffi._version"
    for source in (module, version, getattr(type(value), "__module__", "")):
        if doc := _module_docs(source).get(name):
            return doc
    declared = stub().get(name)
    return _TEXTS.get(name) or (declared.doc if declared else "")


@cache
def _module_docs(name: str) -> dict[str, str]:
    """Return the docstrings below the variables of a module."""
    if not name.startswith("tvm_ffi") or name == "tvm_ffi.core":
        return {}
    file = importlib.import_module(name).__file__
    if file is None or not file.endswith(".py"):
        return {}
    body = ast.parse(Path(file).read_text(encoding="utf-8")).body
    found = _texts_below(body)
    for statement in body:  # also search blocks such as `if TYPE_CHECKING:`
        if isinstance(statement, ast.If):
            found.update(_texts_below(statement.body))
    return found


# ---- the stub of the extension


@dataclass(frozen=True)
class Declared:
    """The declaration of a name in ``core.pyi``."""

    doc: str
    signature: str | None
    type: str = ""


def _text(annotation: ast.expr | None) -> str:
    return "" if annotation is None else ast.unparse(annotation).replace(*_PRIVATE_NAME)


@cache
def stub() -> dict[str, Declared]:
    """Return qualified name -> declaration in ``core.pyi``; of overloads, only the first."""
    package = Path(importlib.import_module("tvm_ffi").__file__ or "").parent
    tree = ast.parse((package / "core.pyi").read_text(encoding="utf-8"))
    found: dict[str, Declared] = {}
    _read_stub(tree.body, "", found)
    return found


def _read_stub(body: list[ast.stmt], prefix: str, found: dict[str, Declared]) -> None:
    for name, text in _texts_below(body).items():
        found[prefix + name] = Declared(text, None)
    for statement in body:
        if isinstance(statement, ast.FunctionDef):
            doc = ast.get_docstring(statement) or ""
            decorators = [d.id for d in statement.decorator_list if isinstance(d, ast.Name)]
            if "property" in decorators:
                found[prefix + statement.name] = Declared(doc, None, _text(statement.returns))
            elif prefix + statement.name not in found or doc:
                found[prefix + statement.name] = Declared(doc, _stub_signature(statement))
        elif isinstance(statement, ast.ClassDef):
            found[prefix + statement.name] = Declared(ast.get_docstring(statement) or "", None)
            _read_stub(statement.body, f"{prefix}{statement.name}.", found)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            former = found.get(prefix + statement.target.id, Declared("", None))
            kind = _text(statement.annotation)
            found[prefix + statement.target.id] = Declared(former.doc, None, kind)
        elif isinstance(statement, ast.If):
            _read_stub(statement.body, prefix, found)


def _stub_signature(function: ast.FunctionDef) -> str:
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(function.args)}){result}".replace(*_PRIVATE_NAME)


# ---- the content of an entry, and its required parts


def printable(signature: str) -> str:
    """Return a signature in which a default such as ``<class 'a.B'>`` is replaced by its name."""
    text = _CLASS.sub(r"\1", _ADDRESS.sub(r"\1", signature.replace("'", "")))
    # A private name as a default is an implementation detail; a type variable is not.
    text = re.sub(r"\bself: [^,)]*(?:\[[^]]*\])?", "self", re.sub(r" = _\w+", " = ...", text))
    return re.sub(r"\b_([A-Z])", r"\1", text).replace("\n", " ")


def _has_types(signature: str) -> bool:
    try:
        tree = ast.parse(f"def f{signature}: ...").body[0]
    except SyntaxError:  # a default that is not an expression, such as <object ...>
        return "->" in signature
    assert isinstance(tree, ast.FunctionDef)
    arguments = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
    named = [a for a in arguments if a.arg not in ("self", "cls")]
    return tree.returns is not None and all(a.annotation is not None for a in named)


def _raised(value: Any) -> Iterator[str]:
    """Yield the names of the error classes in the `raise` statements of a function."""
    function = inspect.unwrap(value) if callable(value) else value
    if not isinstance(function, types.FunctionType):
        return
    try:
        tree = ast.parse(inspect.cleandoc("\n" + inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return
    for node in ast.walk(tree):
        called = node.exc if isinstance(node, ast.Raise) else None
        name = called.func if isinstance(called, ast.Call) else None
        if isinstance(name, ast.Name) and name.id[:1].isupper():
            yield name.id


def _named_errors(doc: str) -> set[str]:
    return set(re.findall(r"\b[A-Z]\w+", doc))
