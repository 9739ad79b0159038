# SPDX-License-Identifier: Apache-2.0
"""The import reader: run schema files, and read the classes that decorators have recorded.

Values come from the classes; source places and declarations of methods come from the syntax tree.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import os
import sys
from collections.abc import Iterator
from typing import Any

from .. import dsl
from ..diag import Bag
from ..files import source
from ..ir import Span
from . import annotation, decorators, failures, registered
from .class_body import ClassBody
from .failures import Failure, of_error
from .raw import ClassName, Places, RawClass, RawExtend, RawField, RawModule, Unreadable, files_run
from .static_py import dotted_name, parse, stem_of


def read_files(paths: list[str], bag: Bag) -> list[RawModule]:
    """Run a set of schema files and read them; report and omit files that fail.

    Two threads must not call this function at the same time, since it changes `sys.path` and
    `sys.modules`.
    """
    files = []
    with _importing(), dsl.recording() as records:
        failed: list[Failure] = []
        prototypes: dict[str, registered.Parsed] = {}
        for path in paths:
            file = _load(path, bag, failed, prototypes)
            if file is not None:
                files.append(file)
        failures.report(failed, bag)
    for file in files:
        file.collect([record for record in records if record.module == file.dotted])
    return [*(file.module for file in files), *registered.read(prototypes, bag).values()]


@contextlib.contextmanager
def _importing() -> Iterator[None]:
    """Restore `sys.modules` and `sys.path` after the block."""
    modules, path = dict(sys.modules), list(sys.path)
    try:
        yield
    finally:
        for name in [n for n in sys.modules if n not in modules]:
            file = getattr(sys.modules[name], "__file__", None)
            if isinstance(file, str):
                files_run.add(os.path.abspath(file))
            if _is_schema_file(sys.modules[name]):
                del sys.modules[name]
        sys.modules.update(modules)
        sys.path[:] = path


def _is_schema_file(module: Any) -> bool:
    return any(
        isinstance(value, (dsl.ModuleSpec, dsl.ExternSpec, dsl.Trait))
        or (isinstance(value, type) and issubclass(value, dsl.Object))
        for value in list(vars(module).values())
        if module.__name__.partition(".")[0] != "tvm_ffi"
    )


def _make_findable(directory: str, name: str) -> None:
    """Make an import find `name` in `directory`, even if another module of this name is loaded."""
    top = name.partition(".")[0]
    for key in list(sys.modules):
        if key == top or key.startswith(top + "."):
            file = getattr(sys.modules[key], "__file__", None) or ""
            if not os.path.abspath(file).startswith(directory + os.sep):
                del sys.modules[key]
    if directory not in sys.path[:1]:
        sys.path.insert(0, directory)
    importlib.invalidate_caches()


def run(path: str) -> tuple[Any, Failure | None]:
    """Import a file; return the module (None if that fails), and the failure."""
    directory, dotted = dotted_name(path)
    _make_findable(directory, dotted)
    try:
        return importlib.import_module(dotted), None
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return None, of_error(error, path)


def _load(
    path: str, bag: Bag, failed: list[Failure], prototypes: dict[str, registered.Parsed]
) -> _File | None:
    found = source.read(path, bag)
    if found is None:
        return None
    places = Places(source.shown(path), found.text)
    tree = parse(found.text, places, bag)
    if tree is None:
        return None
    if registered.is_prototype(tree):
        prototypes[path] = registered.Parsed(stem_of(path), places, tree)
        return None
    module, failure = run(path)
    if failure is not None:
        failed.append(failure)
        return None
    return _File(path, module.__name__, tree, places, module, bag)


class _File:
    """One file that has been run."""

    def __init__(
        self, path: str, dotted: str, tree: ast.Module, places: Places, module: Any, bag: Bag
    ) -> None:
        self.path = path
        self.dotted = dotted
        self.tree = tree
        self.places = places
        self.env = vars(module)
        self.bag = bag
        self.stem = stem_of(path)
        self.module = RawModule(self.stem, places.file, ast.get_docstring(tree) or "")

    def collect(self, records: list[dsl.Record]) -> None:
        """Fill the raw module with the records of decorators."""
        self._header()
        self._check_decorators(records)
        for record in records:
            if record.kind == "extend":
                self._extend(record)
            else:
                self._class(record)

    def _check_decorators(self, records: list[dsl.Record]) -> None:
        """Report object classes with no decorator or with several decorators."""
        seen = [record.target for record in records if record.kind != "extend"]
        for node in self.tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            cls = self.env.get(node.name)
            if not isinstance(cls, type) or cls.__module__ != self.dotted or _is_extern(cls):
                continue
            problem = None
            if cls not in seen and issubclass(cls, dsl.Object):
                problem = decorators.missing(node)
            elif seen.count(cls) > 1:
                problem = decorators.several(node)
                records.remove(next(r for r in records if r.target is cls))
            if problem is not None:
                place = self.places.name_of(node, cls.__name__)
                self.bag.add(problem.rule, problem.message, place, help=problem.help or "")

    def _header(self) -> None:
        imported = {
            alias.asname or alias.name
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        places = {
            target.id: node
            for node in self.tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for name, value in self.env.items():
            node = places.get(name)
            span = self.places.of(node.targets[0]) if node else Span(self.places.file)
            if name == "__tschema__":
                self._spec(value, self.places.of(node.value) if node else span)
            elif isinstance(value, dsl.ExternSpec) and name not in imported:
                self.module.externs[name] = (value, span)
            elif _is_extern(value) and value.__module__ == self.dotted:
                made = next(n for n in self.tree.body if getattr(n, "name", "") == name)
                place = self.places.name_of(made, name)
                self.module.externs[name] = (value.__tschema_extern__, place)

    def _spec(self, value: Any, span: Span) -> None:
        if isinstance(value, dsl.ModuleSpec):
            self.module.spec, self.module.spec_span = value, span
        else:
            self.bag.add("TS023", "__tschema__ must be module(...)", span)

    def _extend(self, record: dsl.Record) -> None:
        span = Span(self.places.file, record.line)
        entries = [(name, value, span) for name, value in record.options.items()]
        target = record.target
        enum = ClassName(target.__name__, target.__module__.rpartition(".")[2])
        self.module.extends.append(RawExtend(enum, entries, span))

    # --- classes

    def _node_of(self, record: dsl.Record) -> ast.ClassDef | None:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef) and node.name == record.target.__name__:
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                if first <= record.line <= (node.end_lineno or node.lineno):
                    return node
        return None

    def _class(self, record: dsl.Record) -> None:
        cls = record.target
        node = self._node_of(record)
        span = self.places.name_of(node, node.name) if node else Span(self.places.file, record.line)
        raw = RawClass(cls.__name__, record.kind, span, options=dict(record.options))
        shape = RawClass(cls.__name__, record.kind, span)
        if node is not None:
            silent = Bag()
            body = ClassBody({**self.env, **vars(cls)}, self.places, silent, shape, self.tree)
            body.read(node)
            raw.methods, raw.allow, raw.doc_line = shape.methods, shape.allow, shape.doc_line
        raw.doc = cls.__doc__ or ""
        bases = getattr(cls, "__orig_bases__", None) or cls.__bases__
        for at, base in enumerate(bases):
            where = self.places.of(node.bases[at]) if node and at < len(node.bases) else span
            raw.bases.append((self._base(base), where))
        self._fields(cls, raw, shape, node)
        self._values(cls, raw, node)
        self.module.classes.append(raw)

    def _base(self, base: Any) -> Any:
        if isinstance(base, type) and "__tschema_extern__" in vars(base):
            return vars(base)["__tschema_extern__"]
        if isinstance(base, type) and base not in (object, *dsl.WORDS.values()):
            return ClassName(base.__name__, base.__module__.rpartition(".")[2])
        return dsl.Object if base is object else base

    def _annotations(self, cls: type) -> dict[str, Any]:
        try:
            found = vars(cls).get("__annotations__")
            if found is None:
                found = cls.__annotations__ if sys.version_info >= (3, 14) else {}
            return dict(found)
        except NameError:  # a lazy annotation names a class that is defined later
            import annotationlib  # type: ignore[import-not-found,unused-ignore]

            form = annotationlib.Format.STRING
            return dict(annotationlib.get_annotations(cls, format=form))

    def _fields(self, cls: type, raw: RawClass, shape: RawClass, node: ast.ClassDef | None) -> None:
        seen = {f.name: f for f in shape.fields}
        kw_only = False
        for name, value in self._annotations(cls).items():
            text = value if isinstance(value, str) else ""
            if value is dsl.KW_ONLY or text.rpartition(".")[2] == "KW_ONLY":
                kw_only = True
                continue
            origin = getattr(value, "__origin__", value)
            if "ClassVar" in text or getattr(origin, "_name", "") == "ClassVar":
                continue
            place = seen.get(name)
            span = place.span if place else raw.span
            type_ = None
            try:
                type_ = annotation.from_value(value, self.env)
            except Unreadable as problem:
                help_ = problem.help or ""  # omit the advice to run the file, since it was run
                self.bag.add(problem.rule, problem.message, span, label=problem.label, help=help_)
            default = vars(cls).get(name, dsl.MISSING)
            if kw_only:
                default = _kw_only(default)
            comment = place.comment if place else ""
            raw.fields.append(
                RawField(name, type_, default, span, comment, place.value_span if place else None)
            )

    def _values(self, cls: type, raw: RawClass, node: ast.ClassDef | None) -> None:
        targets = {
            target.id: target
            for statement in (node.body if node else ())
            if isinstance(statement, (ast.Assign, ast.AnnAssign))
            for target in getattr(statement, "targets", [getattr(statement, "target", None)])
            if isinstance(target, ast.Name)
        }
        fields = {f.name for f in raw.fields}
        for name, value in vars(cls).items():
            if name in fields or (name.startswith("__") and name.endswith("__")):
                continue
            span = self.places.of(targets[name]) if name in targets else raw.span
            if isinstance(value, dsl.EntrySpec):
                if name in targets:
                    value.doc = self.places.comment_above(targets[name].lineno)
                raw.entries.append((name, value, span))
            elif not isinstance(
                value, (dsl.MethodMark, staticmethod, classmethod, property)
            ) and not hasattr(value, "__code__"):
                raw.settings[name] = (value, span)


def _is_extern(value: Any) -> bool:
    return isinstance(value, type) and "__tschema_extern__" in vars(value)


def _kw_only(default: Any) -> Any:
    if not isinstance(default, dsl.FieldSpec):
        default = dsl.field() if default is dsl.MISSING else dsl.field(default=default)
    if default.options.get("kw_only") is None:
        default.options["kw_only"] = True
    return default
