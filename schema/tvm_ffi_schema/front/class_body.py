# SPDX-License-Identifier: Apache-2.0
"""Read class statements: decorators, fields, settings, entries, methods.

The values in the body of a class come from the static evaluation of its statements, or from the
class if the file was run. Places, comments and methods come from the syntax tree in both cases.
"""

from __future__ import annotations

import ast
import dataclasses
import re
import sys
from collections.abc import Mapping
from typing import Any

from .. import dsl
from ..diag import Bag, near
from ..ir import Default, MethodDef, ParamDef, Span
from . import annotation, numpydoc, python_code
from .annotation import Quoted, is_class_variable, name_of
from .evaluate import Evaluator
from .known import import_of
from .raw import Places, RawClass, RawField, Unreadable, report

ALLOW = re.compile(r"#\s*tschema:\s*allow\s+([A-Z0-9_, ]+?)\s*(?:--\s*(.*))?$")
_KINDS: dict[Any, str] = {dsl.declare: "declare", dsl.mixin: "mixin"}
_MARKS = (dsl.KW_ONLY, getattr(dataclasses, "KW_ONLY", dsl.KW_ONLY))


def allowances(node: ast.ClassDef, places: Places) -> list[str]:
    """Return the rules that comments in a class and on the line above the class allow."""
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    found = []
    for line in places.lines[max(first - 2, 0) : node.end_lineno or node.lineno]:
        match = ALLOW.search(line) if "tschema:" in line else None
        if match and match[2]:  # a comment without a reason is ignored
            found += re.findall(r"[A-Z0-9_]+", match[1])
    return found


class ClassReader:
    """Reads the classes of one file; reports and skips wrong statements."""

    def __init__(
        self, evaluator: Evaluator, places: Places, bag: Bag, tree: ast.Module | None = None
    ) -> None:
        self.evaluator = evaluator
        self.places = places
        self.bag = bag
        self.tree = tree

    def statement(self, node: ast.ClassDef) -> RawClass:
        """Return the class of a statement that is not run.

        Raises
        ------
        Unreadable
            If the decorator is missing or wrong.

        """
        raw = RawClass(node.name, self._kind(node), self.places.name_of(node, node.name))
        for base in node.bases:
            raw.bases.append((self._base(base), self.places.of(base)))
        if node.keywords:
            self._report(Unreadable(node.keywords[0].value, "no such option"), node)
        body = _Body(self.evaluator.within({}))
        for at, statement in enumerate(node.body):
            if at or not _is_text(statement):
                self._try(body.read, statement)
                if isinstance(statement, ast.AnnAssign):
                    self._try(body.read_default, statement)
        self._fill(raw, node, body.values, body.hints)
        return raw

    def of_class(self, record: dsl.Record, node: ast.ClassDef | None) -> RawClass:
        """Return the class that a decorator has recorded when the file was run."""
        cls = record.target
        span = Span(self.places.file, record.line)
        if node is not None:
            span = self.places.name_of(node, node.name)
        raw = RawClass(cls.__name__, record.kind, span, doc=cls.__doc__ or "")
        bases = getattr(cls, "__orig_bases__", None) or cls.__bases__
        for at, base in enumerate(bases):
            where = self.places.of(node.bases[at]) if node and at < len(node.bases) else span
            raw.bases.append((_base_of(base), where))
        values = {name: value for name, value in vars(cls).items() if not _stays(name, value)}
        self._fill(raw, node, values, [*_hints_of(cls).items()])
        return raw

    def _report(self, problem: Unreadable, node: Any) -> None:
        report(self.bag, self.places, problem, node, self.evaluator.was_run)

    def _try(self, function: Any, node: Any) -> Any:
        """Call a function with a node; report an error and return None if the node is refused."""
        try:
            return function(node)
        except Unreadable as problem:
            self._report(problem, node)
        except RecursionError:
            self._report(Unreadable(node, "nested too deep"), node)
        return None

    # --- the statement

    def _kind(self, node: ast.ClassDef) -> str:
        """Return the kind of class that the decorators make.

        Raises
        ------
        Unreadable
            If there is no decorator, or more than one, or an unknown one.

        """
        kinds: list[str] = []
        for item in node.decorator_list:
            call = item if isinstance(item, ast.Call) else None
            kind = kind_of(self.evaluator.resolve(call.func if call else item))
            if kind is None and not kinds:
                raise unknown(item)
            if kind is not None:
                kinds.append(kind)
            if kind is not None and call is not None:
                self._check_options(call, kind)
        if not kinds:
            raise missing(node)
        if len(kinds) > 1:
            raise several(node)
        return kinds[0]

    def _check_options(self, call: ast.Call, kind: str) -> None:
        text = ""
        if kind == "mixin":
            text = "@mixin takes no options: write it without parentheses"
        elif call.keywords:
            text = f"unknown option {call.keywords[0].arg or '**'!r}; @declare takes none"
        elif call.args:
            text = f"@{kind} takes no positional arguments"
        if text:
            raise Unreadable(call, text, "TS037")

    def _base(self, node: ast.expr) -> Any:
        found = self._try(self.evaluator.resolve, node)
        return dsl.Object if found is None else found

    # --- the body

    def _fill(
        self,
        raw: RawClass,
        node: ast.ClassDef | None,
        values: Mapping[str, Any],
        hints: list[tuple[str, Any]],
    ) -> None:
        """Fill a class with its members, in the order of `hints` and `values`."""
        members = dict(members_of(node))
        kw_only = False
        hinted = set()
        for name, given in hints:
            hint = self._unquoted(given)
            hinted.add(name)
            if any(hint is mark for mark in _MARKS):
                kw_only = True
            elif not is_class_variable(hint):
                default = values.get(name, dsl.MISSING)
                raw.fields.append(self._field(raw, name, given, default, members.get(name)))
                if kw_only:
                    raw.fields[-1].default = _kw_only(default)
        for name, value in values.items():
            place = members.get(name)
            span = raw.span if place is None else self.places.target_of(place)
            if isinstance(value, dsl.EntrySpec):
                if name not in (one.name for one in raw.fields):
                    value.owner, value.name = value.owner or raw.name, value.name or name
                    value.doc = "" if place is None else self.places.comment_above(place.lineno)
                    raw.entries.append((name, value, span))
            elif name not in hinted:
                raw.settings[name] = (value, span)
        if node is not None:
            if _is_text(node.body[0]):
                raw.doc, raw.doc_line = node.body[0].value.value, node.body[0].lineno  # type: ignore[attr-defined]
            raw.allow += allowances(node, self.places)
            methods = Methods(self, values)
            for one in node.body:
                if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    made = self._try(methods.read, one)
                    raw.methods += [] if made is None else [made]

    def _unquoted(self, hint: Any) -> Any:
        """Return an annotation without quotes; an annotation that is wrong is returned as it is."""
        if isinstance(hint, str):
            try:
                hint = self.evaluator.annotations.quoted(hint, None)
            except Unreadable:
                return hint
        return hint.value if isinstance(hint, Quoted) else hint

    def _field(self, raw: RawClass, name: str, hint: Any, default: Any, node: Any) -> RawField:
        note = None if node is None else getattr(node, "annotation", None)
        value = getattr(node, "value", None)
        span = raw.span if node is None else self.places.target_of(node)
        type_ = None
        try:
            type_ = None if hint is _REFUSED else self.evaluator.annotations.type(hint, note)
        except Unreadable as problem:
            self._report(problem, note or span)
        comment = "" if node is None else self.places.comment_above(node.lineno)
        value_span = None if value is None else self.places.of(value)
        return RawField(name, type_, default, span, comment, value_span)


#: Stands for the annotation of a field that was refused.
_REFUSED = object()


class _Body:
    """Evaluates the statements of a class body; later statements know earlier settings."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.values: dict[str, Any] = {}
        self.hints: list[tuple[str, Any]] = []

    def read(self, node: ast.stmt) -> None:
        """Read one statement."""
        if isinstance(node, ast.AnnAssign):
            if not isinstance(node.target, ast.Name):
                raise Unreadable(node.target, "a field is a plain name")
            self.hints.append((node.target.id, _REFUSED))
            self.hints[-1] = (node.target.id, self.evaluator.hint(node.annotation))
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if not isinstance(target, ast.Name):
                raise Unreadable(target, "a setting is a plain name")
            value = self.values[target.id] = self.evaluator.value(node.value)
            self.evaluator.env[target.id] = value
        elif not (
            isinstance(node, (ast.Pass, ast.FunctionDef, ast.AsyncFunctionDef))
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ):
            word = "nested class" if isinstance(node, ast.ClassDef) else "statement"
            raise Unreadable(node, f"a schema class holds no such {word}")

    def read_default(self, node: ast.AnnAssign) -> None:
        """Read the value of an annotated name; omit the field if the value is refused."""
        if node.value is not None and isinstance(node.target, ast.Name):
            try:
                self.values[node.target.id] = self.evaluator.value(node.value)
            except Unreadable:
                self.hints.pop()
                raise


class Methods:
    """Reads the methods of one class."""

    def __init__(self, owner: ClassReader, names: Mapping[str, Any]) -> None:
        self.places = owner.places
        self.bag = owner.bag
        self.tree = owner.tree
        self.evaluator = owner.evaluator
        self.names = names

    def read(self, node: Any) -> MethodDef | None:
        """Return a method; None if it is declared in no way, which is reported."""
        mark, static = self._mark(node)
        body = [one for one in node.body if mark is None or not _is_refusing(one)]
        span = self.places.name_of(node, node.name)
        doc = numpydoc.parse(ast.get_docstring(node, clean=False) or "")
        if mark is None:
            if is_empty(body) and not node.decorator_list:
                text = f"method {node.name!r} has neither a body nor @method"
                help_ = "give it a body, or write @method before it and the body in C++"
                self.bag.add("TS040", text, span, help=help_)
                return None
            return MethodDef(
                name=node.name,
                static=static,
                native=False,
                python_code=python_code.text_of(node, self.places.lines),
                python_imports=python_code.imports_of(node, self.tree),
                doc=doc,
                span=span,
            )
        params = tuple(self._params(node, static))
        returns = annotation.NONE
        if node.returns is not None:
            returns = self.evaluator.type(node.returns)
        elif node.name != "__init__":
            text = f"method {node.name!r} needs a result type"
            raise Unreadable(node, text, "TS040", help="write  -> None  if it has no result")
        for one in body:
            if not is_empty([one]):
                text = f"method {node.name!r} has a body in Python, but C++ defines a @method"
                help_ = "remove @method to keep the body in Python, or write the body in C++"
                raise Unreadable(one, text, "TS040", help=help_)
        return MethodDef(
            name=node.name,
            params=params,
            returns=returns,
            static=static,
            doc=doc,
            span=span,
            **mark.options,
        )

    def _mark(self, node: Any) -> tuple[dsl.MethodMark | None, bool]:
        mark: dsl.MethodMark | None = None
        static = False
        for item in node.decorator_list:
            text = ast.unparse(item)
            call = item if isinstance(item, ast.Call) else None
            if text == "staticmethod":
                static = True
            elif text in ("overload", "typing.overload", "property", "classmethod"):
                continue
            elif self.evaluator.resolve(call.func if call else item) is dsl.method:
                options = (
                    {k.arg or "**": self.evaluator.value(k.value) for k in call.keywords}
                    if call
                    else {}
                )
                try:
                    mark = dsl.method(lambda: None, **options)
                except TypeError as error:
                    raise Unreadable(item, str(error), "TS040") from None
            elif not self._is_imported(call.func if call else item):
                raise unknown(item)
        return mark, static

    def _is_imported(self, node: ast.expr) -> bool:
        """Return whether a decorator is imported, so that its effect is unknown."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.evaluator.env

    def _params(self, node: Any, static: bool) -> list[ParamDef]:
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise Unreadable(node, "a native method takes positional parameters only", "TS040")
        names = [*arguments.posonlyargs, *arguments.args]
        if not static:
            if not names:
                text = f"method {node.name!r} has no self"
                raise Unreadable(node, text, "TS040", help="add self, or write @staticmethod")
            names = names[1:]
        defaults = [None] * (len(names) - len(arguments.defaults)) + list(arguments.defaults)
        result = []
        for name, default in zip(names, defaults[-len(names) :] if names else []):
            if name.annotation is None:
                text = f"parameter {name.arg!r} needs a type"
                raise Unreadable(name, text, "TS040", help="annotate it; ty.Any takes everything")
            value = None
            if default is not None:
                value = Default("value", self.evaluator.within(self.names).value(default))
            result.append(ParamDef(name.arg, self.evaluator.type(name.annotation), value))
        return result


def members_of(node: ast.ClassDef | None) -> list[tuple[str, Any]]:
    """Return (name, statement) for the assignments to names in the body of a class."""
    return [
        (target.id, one)
        for one in (node.body if node is not None else ())
        if isinstance(one, (ast.Assign, ast.AnnAssign))
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        if isinstance(target, ast.Name)
    ]


# ---- classes that were run


def _stays(name: str, value: Any) -> bool:
    """Return whether a member of a class that was run is not a field, a setting or an entry."""
    is_special = name.startswith("__") and name.endswith("__")
    kinds = (dsl.MethodMark, staticmethod, classmethod, property)
    return is_special or isinstance(value, kinds) or hasattr(value, "__code__")


def _base_of(base: Any) -> Any:
    if isinstance(base, type) and "__tschema_extern__" in vars(base):
        return vars(base)["__tschema_extern__"]
    if isinstance(base, type) and base not in (object, *dsl.WORDS.values()):
        return name_of(base)
    return dsl.Object if base is object else base


def _hints_of(cls: type) -> dict[str, Any]:
    try:
        found = vars(cls).get("__annotations__")
        if found is None:
            found = cls.__annotations__ if sys.version_info >= (3, 14) else {}
        return dict(found)
    except NameError:  # a lazy annotation names a class that is defined later
        import annotationlib  # type: ignore[import-not-found,unused-ignore]

        return dict(annotationlib.get_annotations(cls, format=annotationlib.Format.STRING))


def _kw_only(default: Any) -> Any:
    if not isinstance(default, dsl.FieldSpec):
        default = dsl.field() if default is dsl.MISSING else dsl.field(default=default)
    if default.options.get("kw_only") is None:
        default.options["kw_only"] = True
    return default


# ---- decorators


def kind_of(function: Any) -> str | None:
    """Return the kind of class that a decorator makes; None if the decorator is not known."""
    try:
        return _KINDS.get(function)
    except TypeError:
        return None


def missing(node: ast.ClassDef) -> Unreadable:
    """Return the error for a class without a decorator."""
    help_ = "write @declare or @mixin before it"
    return Unreadable(node, f"class {node.name} has no decorator", "TS037", help=help_)


def several(node: ast.ClassDef) -> Unreadable:
    """Return the error for a class with more than one decorator of the schema language."""
    text = f"class {node.name} has several decorators of schemas"
    return Unreadable(node, text, "TS037", help="leave one; is the class of the other missing?")


def unknown(node: ast.expr) -> Unreadable:
    """Return the error for an unknown decorator."""
    function = node.func if isinstance(node, ast.Call) else node
    name = function.id if isinstance(function, ast.Name) else ""
    help_ = import_of(name)
    if help_:
        return Unreadable(node, f"the decorator '@{name}' is not imported", "TS037", help=help_)
    text = f"unknown decorator '@{ast.unparse(node)}'"
    return Unreadable(node, text, "TS037", help=near(name, ("declare", "mixin", "method")))


def extern_of(node: ast.ClassDef, evaluator: Evaluator) -> dsl.ExternSpec | None:
    """Return the arguments of the decorator `@extern(...)`; None if a class does not have it.

    Raises
    ------
    Unreadable
        If the class has other decorators or a body, or if an argument is wrong.

    """
    for item in node.decorator_list:
        call = item if isinstance(item, ast.Call) else None
        if call is None or evaluator.resolve(call.func) is not dsl.extern:
            continue
        if len(node.decorator_list) > 1:
            raise Unreadable(item, "@extern goes with no other decorator", "TS037")
        if not is_empty(node.body):
            text = f"class {node.name} is extern: its body can hold documentation alone"
            raise Unreadable(node.body[-1], text, "TS037")
        spec: dsl.ExternSpec = evaluator.value(call)
        return spec
    return None


def is_empty(body: list[ast.stmt]) -> bool:
    """Return whether a body consists only of a docstring, `...` or `pass`."""
    return all(
        isinstance(node, ast.Pass)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in body
    )


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a text, such as the docstring of a class."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _is_refusing(node: ast.stmt) -> bool:
    """Return whether a statement is ``raise NotImplementedError``, a body for type checkers."""
    error = node.exc if isinstance(node, ast.Raise) else None
    if isinstance(error, ast.Call) and not (error.args or error.keywords):
        error = error.func
    return isinstance(error, ast.Name) and error.id == "NotImplementedError"
