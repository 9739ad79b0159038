# SPDX-License-Identifier: Apache-2.0
"""Recognize ``ClassVar`` annotations in the body of an enum class."""

from __future__ import annotations

import sys

from .. import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def own_annotations(cls: type) -> dict[str, Any]:
    """Return a copy of the annotations of a class's own body, unevaluated."""
    return dict(resolve.own_annotations(cls))


def is_class_var(annotation: Any, cls: type) -> bool:
    """Return whether an annotation of a body means ``ClassVar``, under any alias.

    Text is resolved in the module of ``cls``. ``ClassVar`` and ``<module>.ClassVar`` are accepted
    unresolved, because they may be imported only for type checkers.
    """
    if not isinstance(annotation, str):
        # Only code that has imported `typing` can use a ClassVar that is not text.
        return "typing" in sys.modules and resolve.is_class_var(annotation)
    # Under `from __future__ import annotations`, an annotation that is quoted in the source has
    # quotation marks in its text, so remove them.
    match = resolve.HEAD.match(annotation.strip(" \"'"))
    if match is None:
        return False
    head = "".join(match[1].split())
    try:
        found = resolve.evaluate(head, resolve.Scope(cls, (cls,)))
    except (NameError, AttributeError):
        return head.rpartition(".")[2] == "ClassVar"
    return resolve.is_class_var(found)


def names_own_class(annotation: Any, cls: type) -> bool:
    """Return whether the argument of a ``ClassVar`` annotation is the class itself."""
    if isinstance(annotation, str):
        argument = annotation.partition("[")[2].rpartition("]")[0]
    else:
        found = getattr(annotation, "__args__", ("",))[0]
        argument = getattr(found, "__forward_arg__", getattr(found, "__name__", ""))
    return argument.strip(" \"'").rpartition(".")[2] in (cls.__name__, "Self")
