# SPDX-License-Identifier: Apache-2.0
"""Read and evaluate annotations, and resolve the names in them."""

from __future__ import annotations

import builtins
import collections.abc
import re
import sys
import typing
from functools import lru_cache, reduce
from operator import or_

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType
    from typing import Any

    from tvm_ffi._types.info import TypeInfo


def own_annotations(cls: type) -> dict[str, Any]:
    """Return the annotations of the class's own body; some names in them may be undefined."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, get_annotations

        return get_annotations(cls, format=Format.FORWARDREF)
    found: dict[str, Any] = vars(cls).get("__annotations__", {})
    return found


def function_annotations(func: Any) -> dict[str, Any]:
    """Return the annotations of a function; some names in them may be undefined."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, get_annotations

        return get_annotations(func, format=Format.FORWARDREF)
    found: dict[str, Any] = getattr(func, "__annotations__", {})
    return found


# ---- names ----

# Classes by module and name, so that classes in one function can refer to each other.
_classes: dict[str, dict[str, type]] = {}


def remember(cls: type) -> None:
    """Allow annotations to refer to the class by name."""
    _classes.setdefault(cls.__module__, {})[cls.__name__] = cls


def forget(cls: type, former: TypeInfo | None = None) -> None:
    """Undo `remember`; the name refers to the former definition again, if any."""
    siblings = _classes.get(cls.__module__, {})
    if siblings.get(cls.__name__) is not cls:
        return
    del siblings[cls.__name__]
    if former is not None and former.type_cls is not None:
        remember(former.type_cls)


class Scope(dict):  # type: ignore[type-arg]
    """The local names for an evaluation: the classes in ``nearest``, then classes of the module.

    With ``wide``, a name that is not defined is also looked up among the classes of all modules,
    to support imports under ``TYPE_CHECKING``.
    """

    def __init__(self, owner: type, nearest: Iterable[type]) -> None:
        super().__init__((cls.__name__, cls) for cls in nearest)
        self.module = owner.__module__
        module = sys.modules.get(self.module)
        self.globals: dict[str, Any] = {} if module is None else vars(module)
        self.wide = False

    def __missing__(self, name: str) -> Any:
        siblings = _classes.get(self.module)
        if siblings is not None and name in siblings:
            return siblings[name]
        if self.wide and name not in self.globals and not hasattr(builtins, name):
            for others in list(_classes.values()):
                if name in others:
                    return others[name]
        raise KeyError(name)

    def knows(self, name: str) -> bool:
        """Return whether the name is defined now."""
        if name in self.globals or name in self or hasattr(builtins, name):
            return True
        return any(name in others for others in list(_classes.values()))

    def find(self, name: str) -> Any:
        """Return the value of the name; raise ``NameError`` if it is not defined."""
        try:
            return self[name]
        except KeyError:
            pass
        if name in self.globals:
            return self.globals[name]
        try:
            return getattr(builtins, name)
        except AttributeError:
            raise NameError(f"name {name!r} is not defined", name=name) from None


# ---- evaluation ----


def evaluate(annotation: Any, scope: Scope) -> Any:
    """Return an annotation with all strings in it evaluated.

    Raise NameError or AttributeError if the annotation uses a name that is not defined, or not
    defined yet. Raise SyntaxError if a string is not an expression.
    """
    scope.wide = False
    try:
        return _evaluate_nested(annotation, scope)
    except (NameError, AttributeError):
        scope.wide = True
        return _evaluate_nested(annotation, scope)


def _evaluate_nested(form: Any, scope: Scope) -> Any:
    if isinstance(form, str):
        return _evaluate_nested(_evaluate_text(form, scope), scope)
    if _is_builtin_class(form) or (isinstance(form, type) and not hasattr(form, "__args__")):
        return form
    if isinstance(form, typing.ForwardRef):
        return _evaluate_nested(_evaluate_text(form.__forward_arg__, scope), scope)
    if is_init_var(form):
        return type(form)(_evaluate_nested(form.type, scope))
    args = getattr(form, "__args__", None)
    origin = getattr(form, "__origin__", None)
    if not isinstance(args, tuple) or origin is typing.ClassVar or _is_literal(origin):
        return form
    evaluated = tuple(_evaluate_nested(arg, scope) for arg in args)
    if all(new is old for new, old in zip(evaluated, args)):
        return form
    return _rebuild(form, evaluated)


def _evaluate_text(text: str, scope: Scope) -> Any:
    if text.isidentifier() and text not in _KEYWORD_VALUES:
        return scope.find(text)
    if "ClassVar" in text and _names_class_var(text, scope):
        return typing.ClassVar
    return eval(_compile(text), scope.globals, scope)


_KEYWORD_VALUES = ("None", "True", "False")


@lru_cache(maxsize=1024)
def _compile(text: str) -> CodeType:
    # In parentheses, an annotation may span several lines.
    try:
        return compile(f"({text}\n)", "<annotation>", "eval")
    except SyntaxError:
        raise SyntaxError(f"Forward reference must be an expression -- got {text!r}") from None


# The name at the start of an annotation in text form, up to its brackets.
HEAD = re.compile(r"\s*((?:\w+\s*\.\s*)*\w+)\s*(?:\[|$)")


def _names_class_var(text: str, scope: Scope) -> bool:
    """Return whether a text means ``ClassVar`` or ``ClassVar[T]``, for any text ``T``."""
    match = HEAD.match(text)
    if match is None:
        return False
    try:
        return eval(match[1], scope.globals, scope) is typing.ClassVar
    except (NameError, AttributeError, SyntaxError):
        return False


def _rebuild(form: Any, args: tuple[Any, ...]) -> Any:
    """Return the generic ``form`` with its type arguments replaced by ``args``."""
    if hasattr(form, "__metadata__"):
        make: Any = typing.Annotated
        parts = (args[0], *form.__metadata__)
        return make[parts]
    if hasattr(form, "copy_with"):
        return form.copy_with(args)
    if hasattr(form, "__origin__"):
        if form.__origin__ is collections.abc.Callable:
            return form.__origin__[args[0] if args[0] is ... else list(args[:-1]), args[-1]]
        return form.__origin__[args]
    return reduce(or_, args)


def _is_literal(origin: Any) -> bool:
    return origin is getattr(typing, "Literal", _NOTHING)


_NOTHING = object()


def is_init_var(form: Any) -> bool:
    """Return whether a form is ``dataclasses.InitVar[T]``, without importing that module."""
    stdlib = sys.modules.get("dataclasses")
    return stdlib is not None and isinstance(form, stdlib.InitVar)


_BUILTIN_CLASSES = frozenset({bool, int, float, str, bytes, list, dict, tuple, object})


def _is_builtin_class(form: Any) -> bool:
    """Return whether an annotation is a builtin class, which does not have ``__origin__`` etc.

    Looking up an attribute that is missing takes long, because Python makes the error first.
    """
    return type(form) is type and form in _BUILTIN_CLASSES


def is_class_var(form: Any) -> bool:
    """Return whether an evaluated annotation is ``ClassVar`` or ``ClassVar[T]``."""
    if _is_builtin_class(form):
        return False
    return form is typing.ClassVar or getattr(form, "__origin__", None) is typing.ClassVar


def unwrap(form: Any) -> tuple[Any, bool]:
    """Remove ``Annotated`` and ``Final``; also return whether there was a ``Final``."""
    if _is_builtin_class(form):
        return form, False
    final = False
    while True:
        if hasattr(form, "__metadata__"):
            form = form.__origin__
        elif getattr(form, "__origin__", None) is typing.Final:
            form, final = form.__args__[0], True
        elif form is typing.Final:
            return typing.Any, True
        else:
            return form, final


def unresolved(name: str, annotation: Any, error: Exception) -> str:
    """Describe a field that cannot be resolved."""
    text = annotation if isinstance(annotation, str) else _forward_text(annotation)
    return f"{name}: {text} ({error})"


def _forward_text(annotation: Any) -> str:
    return str(getattr(annotation, "__forward_arg__", annotation))
