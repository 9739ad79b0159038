# SPDX-License-Identifier: Apache-2.0
"""The static reader: parse schema files without running them."""

from __future__ import annotations

import ast
import collections.abc
import os
import re
import typing
from typing import Any

from .. import dsl
from ..diag import Bag, near
from ..files import source
from ..ir import Span
from . import annotation, decorators, registered
from .class_body import ClassBody
from .evaluate import Evaluator
from .known import KNOWN_MODULES
from .raw import ClassName, Places, RawClass, RawExtend, RawModule, Unreadable, report

#: The beginnings of the marker lines of a merge conflict.
_CONFLICT = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


def read_files(paths: list[str], bag: Bag) -> list[RawModule]:
    """Read a set of schema files; report and omit files that cannot be read."""
    return [file.module for file in read_set(paths, bag).values()]


def read_set(
    paths: list[str],
    bag: Bag,
    wanted: list[str] | None = None,
    known: dict[str, set[str]] | None = None,
) -> dict[str, File]:
    """Read a set of schema files; return path -> file. Report and omit files with errors.

    Prototypes of the set are run, all in one process.

    Parameters
    ----------
    paths : list[str]
        The files of the set.
    bag : Bag
        Receives the findings.
    wanted : Optional[list[str]]
        The files to read; all by default. Files from which these files import values are also read.
    known : Optional[dict[str, set[str]]]
        File stem -> names in the file that are not classes. Any other name that is imported from
        such a file counts as a class, so the file need not be read.

    """
    made = _Set(paths, bag, known or {})
    found = {path: made.file(stem_of(path)) for path in (paths if wanted is None else wanted)}
    files = {path: file for path, file in found.items() if file is not None}
    run = registered.read({p: f.parsed for p, f in files.items() if f.is_prototype}, bag)
    for path in [path for path, file in files.items() if file.is_prototype]:
        if path in run:
            files[path].module = run[path]
        else:
            del files[path]
    return files


class _Set:
    """The files of one set, by stem; reading a file first reads the files that it imports."""

    def __init__(
        self,
        paths: list[str],
        bag: Bag,
        known: dict[str, set[str]],
    ) -> None:
        self.bag = bag
        self.paths = {stem_of(path): path for path in paths}
        self.known = known
        self.done: dict[str, File | None] = {}
        self.stack: list[str] = []

    def file(self, stem: str) -> File | None:
        """Return a file of the set; read it if it was not read before."""
        if stem not in self.done:
            self.stack.append(stem)
            self.done[stem] = None
            found = source.read(self.paths[stem], self.bag)
            if found is not None:
                file = File(stem, self.paths[stem], found.text, self)
                self.done[stem] = file if file.read() else None
            self.stack.pop()
        return self.done[stem]

    def assigns(self, stem: str, name: str) -> bool:
        """Return whether a file assigns to a name; if so, the name need not be that of a class."""
        found = source.read(self.paths[stem], Bag())
        return found is not None and bool(re.search(rf"(?m)^{name}\s*(:[^=\n]+)?=", found.text))


def dotted_name(path: str) -> tuple[str, str]:
    """Return the directory for `sys.path` and the module name with which Python imports a file."""
    directory, name = os.path.split(os.path.abspath(path))
    parts = [] if name == "__init__.py" else [os.path.splitext(name)[0]]
    while os.path.exists(os.path.join(directory, "__init__.py")):
        directory, package = os.path.split(directory)
        parts.insert(0, package)
    return directory, ".".join(parts)


def stem_of(path: str) -> str:
    """Return the name under which other files import a file."""
    name = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(os.path.abspath(path))) if name == "__init__" else name


class File:
    """Reads one file.

    `imports` lists the files of the set from which this file imports names. `values_of` lists the
    files from which this file imports values that are not classes.
    """

    def __init__(self, stem: str, path: str, text: str, owner: _Set) -> None:
        self.text = text
        self.tree: ast.Module | None = None
        self.owner = owner
        self.bag = owner.bag
        self.stem = stem
        self.env: dict[str, Any] = {}
        self.places = Places(source.shown(path), text)
        self.module = RawModule(stem, source.shown(path))
        self.evaluator = Evaluator(self.env)
        self.is_prototype = False
        self.imports: set[str] = set()
        self.values_of: set[str] = set()

    def read(self) -> bool:
        """Read every statement; return False if the text is not valid Python."""
        tree = self.tree = parse(self.text, self.places, self.bag)
        if tree is None:
            return False
        self.module.doc = ast.get_docstring(tree) or ""
        self.is_prototype = registered.is_prototype(tree)
        self.parsed = registered.Parsed(self.stem, self.places, tree)
        if self.is_prototype:
            return True
        for at, node in enumerate(tree.body):
            if at == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            try:
                self._statement(node)
            except Unreadable as problem:
                report(self.bag, self.places, problem, node)
            except RecursionError:
                report(self.bag, self.places, Unreadable(node, "nested too deep"), node)
        return True

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._assign(node.targets[0], node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, node.value)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self._extend(node.value)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for inner in node.body:
                if not isinstance(inner, (ast.Import, ast.ImportFrom)):
                    raise Unreadable(inner, "only imports belong under TYPE_CHECKING")
                self._import(inner, for_types=True)
        elif not isinstance(node, ast.Pass):
            raise Unreadable(
                node,
                f"a schema file holds no {_word(node)}",
                label="not part of the static subset",
            )

    # --- imports

    def _import(self, node: Any, for_types: bool = False) -> None:
        """Read an import. An import below TYPE_CHECKING (`for_types`) may be circular."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._import_module(alias)
            return
        module = node.module or ""
        for alias in node.names:
            if alias.name == "*":
                raise Unreadable(node, "'import *' cannot be read without running the file")
            found = self._imported(module, alias.name, node, for_types)
            self.env[alias.asname or alias.name] = found

    def _import_module(self, alias: ast.alias) -> None:
        known = KNOWN_MODULES.get(alias.name)
        if alias.asname:
            self.env[alias.asname] = known if known is not None else ClassName(alias.name)
        else:
            top = alias.name.partition(".")[0]
            value = KNOWN_MODULES.get(top)
            if alias.name == "collections.abc":
                value = {"abc": collections.abc}
            self.env[top] = value if value is not None else ClassName(top)

    def _imported(self, module: str, name: str, node: ast.ImportFrom, for_types: bool) -> Any:
        known = None if node.level else KNOWN_MODULES.get(module)
        if known is not None:
            if name in ("Annotated", "TYPE_CHECKING", "annotations", "overload", "ClassVar"):
                return getattr(typing, name, None)
            value = known.get(name) if isinstance(known, dict) else getattr(known, name, None)
            if value is None:
                text = f"there is no {name!r} in {module}"
                names = known if isinstance(known, dict) else vars(known)
                help_ = near(name, [one for one in names if not one.startswith("_")])
                raise Unreadable(node, text, "TS020", "not known to the reader", help_)
            return value
        stem = (module or name).rpartition(".")[2]
        if stem not in self.owner.paths:
            return ClassName(name, stem)
        self.imports.add(stem)
        if name not in self.owner.known.get(stem, {name}):
            return ClassName(name, stem)
        if for_types and not self.owner.assigns(stem, name):
            return ClassName(name, stem)
        if stem in self.owner.stack:
            if stem != self.stem and not for_types:
                self._report_cycle(stem, node)
            return ClassName(name, stem)
        other = self.owner.file(stem)
        if other is None or not module:
            return ClassName(name, stem)
        value = other.env.get(name, ClassName(name, stem))
        if value != ClassName(name, stem):
            self.values_of.add(stem)
        return value

    def _report_cycle(self, stem: str, node: ast.AST) -> None:
        ring = [*self.owner.stack[self.owner.stack.index(stem) :], stem]
        self.bag.add(
            "TS202",
            "these files import one another: " + " -> ".join(ring),
            self.places.of(node),
            help="write the class name as a string, or put the import under TYPE_CHECKING "
            "in one of them and move the shared names into a third file",
        )

    # --- constants, aliases, the module header

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Name):
            raise Unreadable(target, "only a plain name can be assigned here")
        result = self.evaluator.value(value)
        self.env[target.id] = result
        if target.id == "__tschema__":
            if not isinstance(result, dsl.ModuleSpec):
                raise Unreadable(value, "__tschema__ must be module(...)", "TS023")
            self.module.spec, self.module.spec_span = result, self.places.of(value)
        elif isinstance(result, dsl.ExternSpec):
            self.module.externs[target.id] = (result, self.places.of(target))

    def _extend(self, call: ast.Call) -> None:
        if self.evaluator.env.get(getattr(call.func, "id", "")) is not dsl.extend or not call.args:
            raise Unreadable(call, "this call cannot be read without running the file")
        entries = [
            (k.arg or "", self.evaluator.value(k.value), self.places.of(k.value))
            for k in call.keywords
        ]
        for name, value, _ in entries:
            if not isinstance(value, dsl.EntrySpec):
                raise Unreadable(call, f"{name} must be entry(...) or auto()", "TS023")
        enum = annotation.value_of(call.args[0], self.env)
        self.module.extends.append(RawExtend(enum, entries, self.places.of(call)))

    # --- classes

    def _class(self, node: ast.ClassDef) -> None:
        span = self.places.name_of(node, node.name)
        spec = decorators.extern_of(node, self.evaluator)
        if spec is not None:
            self.env[node.name] = spec
            self.module.externs[node.name] = (spec, span)
            return
        kind, options = decorators.read(node, self.evaluator)
        raw = RawClass(node.name, kind, span, options=options)
        self.env[node.name] = ClassName(node.name, self.stem)
        for base in node.bases:
            raw.bases.append((self._base(base), self.places.of(base)))
        if node.keywords:
            report(self.bag, self.places, Unreadable(node.keywords[0].value, "no such option"))
        ClassBody(self.env, self.places, self.bag, raw, self.tree).read(node)
        self.module.classes.append(raw)

    def _base(self, node: ast.expr) -> Any:
        try:
            return annotation.value_of(node, self.env)
        except Unreadable as problem:
            report(self.bag, self.places, problem, node)
            return dsl.Object


def _word(node: ast.stmt) -> str:
    words = {"FunctionDef": "function", "For": "loop", "While": "loop", "With": "with block"}
    name = type(node).__name__
    return words.get(name, f"{name.lower()} statement")


def parse(text: str, places: Places, bag: Bag) -> ast.Module | None:
    """Return the syntax tree of a file; report an error and return None if it is not valid."""
    try:
        return ast.parse(text)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        span = Span(places.file, line, max(column, 1))
        if places.lines[line - 1 : line] and places.lines[line - 1].startswith(_CONFLICT):
            text_ = "this file has an unresolved merge conflict"
            bag.add("TS002", text_, span, help="edit it and remove the conflict lines")
        else:
            bag.add("TS002", f"this is not valid Python: {error.msg}", span)
    except (RecursionError, MemoryError):
        bag.add("TS002", "this is not valid Python: it is nested too deep", Span(places.file))
    except ValueError as error:
        bag.add("TS002", f"this is not valid Python: {error}", Span(places.file))
    return None
