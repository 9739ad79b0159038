# SPDX-License-Identifier: Apache-2.0
"""Read schema files.

A file is evaluated statement by statement within the static subset, or run by Python if the
configuration says ``frontend = "import"``. In both cases the same code reads the header, the extern
classes and the classes; the values differ in where they come from. The path of a file, as messages
show it, identifies the file.
"""

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
from .class_body import ClassReader, extern_of, missing, several
from .evaluate import Evaluator
from .known import KNOWN_MODULES, import_of
from .raw import ClassName, Places, RawExtend, RawModule, Unreadable, report

_SCHEMA_PACKAGES = ("tvm_ffi.schema", "tvm_ffi_schema")
#: The beginnings of the marker lines of a merge conflict.
_CONFLICT = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


def read_files(paths: list[str], bag: Bag, frontend: str = "static") -> list[RawModule]:
    """Read a set of schema files; report and omit files that cannot be read."""
    if frontend != "import":
        return [file.module for file in read_set(paths, bag).values()]
    from . import running

    files = [file for file in (File.of(path, bag) for path in paths) if file is not None]
    prototypes = _prototypes({file.path: file for file in files}, bag)
    run = running.run([file for file in files if not file.is_prototype], bag)
    return [file.module for file in files if file in run or file.path in prototypes]


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
        Path -> names in the file that are not classes. Any other name that is imported from such a
        file counts as a class, so the file need not be read.

    """
    made = _Set(paths, bag, known or {})
    found = {path: made.file(path) for path in (paths if wanted is None else wanted)}
    files = {path: file for path, file in found.items() if file is not None}
    run = _prototypes(files, bag)
    return {path: file for path, file in files.items() if not file.is_prototype or path in run}


def _prototypes(files: dict[str, File], bag: Bag) -> set[str]:
    """Run the prototypes among files and read them; return the paths of those that can be run."""
    parsed = {path: (one.places, one.tree) for path, one in files.items() if one.is_prototype}
    if not parsed:
        return set()
    from . import registered

    run = registered.read(parsed, bag)
    for path, module in run.items():
        files[path].module = module
    return set(run)


def is_prototype(tree: ast.Module) -> bool:
    """Return whether a file imports the runtime, but not the schema language."""
    uses_runtime = False
    conditional = [inner for node in tree.body if isinstance(node, ast.If) for inner in node.body]
    for node in (*tree.body, *conditional):
        found: list[str] = []
        if isinstance(node, ast.ImportFrom) and not node.level:
            found = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        for name in found:
            if name in _SCHEMA_PACKAGES or name.startswith(_SCHEMA_PACKAGES):
                return False
            uses_runtime = uses_runtime or name.partition(".")[0] == "tvm_ffi"
    return uses_runtime


class _Set:
    """The files of one set; reading a file first reads the files that it imports."""

    def __init__(self, paths: list[str], bag: Bag, known: dict[str, set[str]]) -> None:
        self.bag = bag
        self.known = known
        self.done: dict[str, File | None] = {}
        self.stack: list[str] = []
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(stem_of(path), []).append(path)

    def find(self, module: str, importer: str, level: int = 0) -> str | None:
        """Return the file that an import names; None if it is not in the set.

        The set need not be a package, so only the last parts of the names have to agree. Of several
        files, the one with the most equal parts is meant, and then the one nearest to the importer.
        """
        parts = module.split(".")
        folder = os.path.dirname(os.path.abspath(importer)).split(os.sep)
        if level:
            parts = [*folder[: len(folder) - level + 1], *parts]

        def rank(path: str) -> tuple[int, int]:
            there = _parts_of(path)
            return _common(there[::-1], parts[::-1]), _common(there, folder)

        return max(self._by_name.get(parts[-1], ()), key=rank, default=None)

    def file(self, path: str) -> File | None:
        """Return a file of the set; read it if it was not read before."""
        if path not in self.done:
            self.stack.append(path)
            file = self.done[path] = File.of(path, self.bag)
            if file is not None and not file.is_prototype:
                self.done[path] = None  # while the file is read
                _Statements(file, self).read()
                self.done[path] = file
            self.stack.pop()
        return self.done[path]

    def assigns(self, path: str, name: str) -> bool:
        """Return whether a file assigns to a name; if so, the name need not be that of a class."""
        found = source.read(path, Bag())
        return found is not None and bool(re.search(rf"(?m)^{name}\s*(:[^=\n]+)?=", found.text))


def _parts_of(path: str) -> list[str]:
    name = os.path.splitext(os.path.abspath(path))[0]
    return (os.path.dirname(name) if os.path.basename(name) == "__init__" else name).split(os.sep)


def _common(one: list[str], other: list[str]) -> int:
    """Return the number of equal parts at the start of two lists."""
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count


def stem_of(path: str) -> str:
    """Return the name under which other files import a file."""
    return _parts_of(path)[-1]


class File:
    """A parsed file, and its content when it was read.

    `imports` lists the files of the set from which this file imports names. `values_of` lists the
    files from which this file imports values that are not classes.
    """

    def __init__(self, path: str, text: str, tree: ast.Module, bag: Bag) -> None:
        self.path = path
        self.tree = tree
        self.bag = bag
        self.places = Places(source.shown(path), text)
        self.module = RawModule(stem_of(path), self.places.file, ast.get_docstring(tree) or "")
        self.is_prototype = is_prototype(tree)
        self.env: dict[str, Any] = {}
        self.imports: set[str] = set()
        self.values_of: set[str] = set()

    @classmethod
    def of(cls, path: str, bag: Bag) -> File | None:
        """Return the parsed file; report an error and return None if it cannot be read."""
        found = source.read(path, bag)
        tree = None if found is None else parse(found.text, path, bag)
        return None if found is None or tree is None else cls(path, found.text, tree, bag)

    def report(self, problem: Unreadable, node: Any = None, was_run: bool = False) -> None:
        """Report an error in this file."""
        report(self.bag, self.places, problem, node, was_run)

    def header(self) -> None:
        """Take the header and the extern classes from the names of the file."""
        places: dict[str, Any] = {}
        for node in self.tree.body:
            for target in _targets(node):
                places[target.id] = node
            if isinstance(node, ast.ClassDef):
                places[node.name] = node
            if isinstance(node, ast.Expr) and _called(node.value, self.env) is dsl.module:
                self._unused(self.places.of(node.value))
        for name, value in self.env.items():
            place: Any = places.get(name)
            is_spec = isinstance(value, dsl.ModuleSpec) and value is not self.env.get("__tschema__")
            if is_spec and place is not None:
                self._unused(self.places.target_of(place))
            if name == "__tschema__":
                span = Span(self.places.file) if place is None else self.places.of(place.value)
                if isinstance(value, dsl.ModuleSpec):
                    self.module.spec, self.module.spec_span = value, span
                else:
                    self.bag.add("TS023", "__tschema__ must be module(...)", span)
                continue
            spec = vars(value).get("__tschema_extern__") if isinstance(value, type) else value
            if isinstance(spec, dsl.ExternSpec) and place is not None:
                is_class = isinstance(place, ast.ClassDef)
                of = self.places.name_of(place, name) if is_class else self.places.target_of(place)
                self.module.externs[name] = (spec, of)

    def _unused(self, span: Span) -> None:
        words = "the result of module() is not used"
        self.bag.add("TS023", words, span, help="write  __tschema__ = module(...)")

    def extend(self, enum: Any, entries: dict[str, Any], call: Any, span: Span) -> None:
        """Record the entries that a call of `extend` adds to an enum."""
        at = {} if call is None else {k.arg: self.places.of(k.value) for k in call.keywords}
        made = [(name, value, at.get(name, span)) for name, value in entries.items()]
        self.module.extends.append(RawExtend(enum, made, span))

    def collect(self, records: list[dsl.Record], module: str) -> None:
        """Read the names of a file that was run, and what decorators have recorded."""
        self.header()
        self._check_decorators(records, module)
        classes = [one for one in ast.walk(self.tree) if isinstance(one, ast.ClassDef)]
        calls = {one.lineno: one for one in ast.walk(self.tree) if isinstance(one, ast.Call)}
        reader = ClassReader(Evaluator(self.env, was_run=True), self.places, self.bag, self.tree)
        for record in records:
            if record.kind == "extend":
                span = Span(self.places.file, record.line)
                self.extend(record.target, record.options, calls.get(record.line), span)
            else:
                node = next((one for one in classes if _is_of(one, record)), None)
                self.module.classes.append(reader.of_class(record, node))

    def _check_decorators(self, records: list[dsl.Record], module: str) -> None:
        """Report object classes with no decorator or with several decorators."""
        seen = [record.target for record in records if record.kind != "extend"]
        for node in self.tree.body:
            cls = self.env.get(getattr(node, "name", ""))
            if not isinstance(node, ast.ClassDef) or not isinstance(cls, type):
                continue
            if cls.__module__ != module or "__tschema_extern__" in vars(cls):
                continue
            problem = None
            if cls not in seen and issubclass(cls, dsl.Object):
                problem = missing(node)
            elif seen.count(cls) > 1:
                problem = several(node)
                records.remove(next(r for r in records if r.target is cls))
            if problem is not None:
                problem.node = None
                self.report(problem, self.places.name_of(node, cls.__name__), was_run=True)


def _is_of(node: ast.ClassDef, record: dsl.Record) -> bool:
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    is_there = first <= record.line <= (node.end_lineno or node.lineno)
    return is_there and node.name == record.target.__name__


def _called(node: ast.expr, env: dict[str, Any]) -> Any:
    """Return the value of the name that an expression calls, if it is such a call."""
    return env.get(getattr(node.func, "id", "")) if isinstance(node, ast.Call) else None


def _targets(node: ast.stmt) -> list[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [one for one in targets if isinstance(one, ast.Name)]


class _Statements:
    """Evaluates the statements of a file that is not run."""

    def __init__(self, file: File, owner: _Set) -> None:
        self.file = file
        self.owner = owner
        self.bag = file.bag
        self.env = file.env
        self.evaluator = Evaluator(self.env)
        self.classes = ClassReader(self.evaluator, file.places, file.bag, file.tree)

    def read(self) -> None:
        """Read every statement; report errors and skip wrong statements."""
        for at, node in enumerate(self.file.tree.body):
            if at == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            try:
                self._statement(node)
            except Unreadable as problem:
                self.file.report(problem, node)
            except RecursionError:
                self.file.report(Unreadable(node, "nested too deep"), node)
        self.file.header()

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._assign(node.targets[0], node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, node.value)
        elif isinstance(node, ast.ClassDef):
            spec = extern_of(node, self.evaluator)
            if spec is None:
                self.file.module.classes.append(self.classes.statement(node))
            self.env[node.name] = spec or ClassName(node.name, self.file.places.file)
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

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Name):
            raise Unreadable(target, "only a plain name can be assigned here")
        self.env[target.id] = self.evaluator.value(value)

    def _extend(self, call: ast.Call) -> None:
        if _called(call, self.env) is dsl.module:
            return  # File.header reports it
        if _called(call, self.env) is not dsl.extend or not call.args:
            raise Unreadable(call, "this call cannot be read without running the file")
        entries = {k.arg or "": self.evaluator.value(k.value) for k in call.keywords}
        for name, value in entries.items():
            if not isinstance(value, dsl.EntrySpec):
                raise Unreadable(call, f"{name} must be entry(...) or auto()", "TS023")
        enum = self.evaluator.resolve(call.args[0])
        self.file.extend(enum, entries, call, self.file.places.of(call))

    # --- imports

    def _import(self, node: Any, for_types: bool = False) -> None:
        """Read an import. An import below TYPE_CHECKING (`for_types`) may be circular."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._import_module(alias)
            return
        for alias in node.names:
            if alias.name == "*":
                raise Unreadable(node, "'import *' cannot be read without running the file")
            found = self._imported(node.module or "", alias.name, node, for_types)
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
                help_ = import_of(name) if module == "dataclasses" else ""
                help_ = help_ or near(name, [one for one in names if not one.startswith("_")])
                raise Unreadable(node, text, "TS020", "not known to the reader", help_)
            return value
        path = self.owner.find(module or name, self.file.path, node.level)
        if path is None:
            return ClassName(name, (module or name).rpartition(".")[2])
        own = ClassName(name, source.shown(path))
        self.file.imports.add(path)
        if name not in self.owner.known.get(path, {name}):
            return own
        if for_types and not self.owner.assigns(path, name):
            return own
        if path in self.owner.stack:
            if path != self.file.path and not for_types:
                self._report_cycle(path, node)
            return own
        other = self.owner.file(path)
        if other is None or not module:
            return own
        value = other.env.get(name, own)
        if value != own:
            self.file.values_of.add(path)
        return value

    def _report_cycle(self, path: str, node: ast.AST) -> None:
        ring = [*self.owner.stack[self.owner.stack.index(path) :], path]
        self.bag.add(
            "TS202",
            "these files import one another: " + " -> ".join(map(stem_of, ring)),
            self.file.places.of(node),
            help="write the class name as a string, or put the import under TYPE_CHECKING "
            "in one of them and move the shared names into a third file",
        )


def _word(node: ast.stmt) -> str:
    words = {"FunctionDef": "function", "For": "loop", "While": "loop", "With": "with block"}
    name = type(node).__name__
    return words.get(name, f"{name.lower()} statement")


def parse(text: str, path: str, bag: Bag) -> ast.Module | None:
    """Return the syntax tree of a file; report an error and return None if it is not valid."""
    shown = source.shown(path)
    try:
        return ast.parse(text)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        span = Span(shown, line, max(column, 1))
        lines = Places(shown, text).lines
        if lines[line - 1 : line] and lines[line - 1].startswith(_CONFLICT):
            text_ = "this file has an unresolved merge conflict"
            bag.add("TS002", text_, span, help="edit it and remove the conflict lines")
        else:
            bag.add("TS002", f"this is not valid Python: {error.msg}", span)
    except (RecursionError, MemoryError):
        bag.add("TS002", "this is not valid Python: it is nested too deep", Span(shown))
    except ValueError as error:
        bag.add("TS002", f"this is not valid Python: {error}", Span(shown))
    return None
