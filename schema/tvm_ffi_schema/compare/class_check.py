# SPDX-License-Identifier: Apache-2.0
"""The base class of all checks of a class: its data, and functions that several rules use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..back.cpp_type import CppNames
from ..back.writer import CppOptions
from ..cxx.model import CppClass, Sources, Statement
from ..cxx.names import Lookup
from ..diag import Bag, Edit
from ..ir import FieldDef, Span
from ..link.program import Class, Program

#: The rules that examine the body of a class.
_OF_THE_BODY = frozenset(
    ("TS407", "TS411", "TS412", "TS414", "TS415", "TS417", "TS419", "TS420", "TS422", "TS427")
) | {"TS429"}


@dataclass
class Context:
    """State that all checks of one run share."""

    program: Program
    sources: Sources
    lookup: Lookup
    bag: Bag
    names: CppNames
    #: `chains` maps the full name of a class to the chains that register it. `template_chains` maps
    #: the full name of a class template to chains in it that register its template parameter.
    chains: dict[str, list[Statement]] = field(default_factory=dict)
    template_chains: dict[str, list[Statement]] = field(default_factory=dict)
    #: Full names of classes. `called`: a statement calls `RegisterReflection` of the class.
    #: `node_types`: the class has TVM_REGISTER_NODE_TYPE. `unsure`: a chain with an ambiguous name
    #: may register the class.
    called: set[str] = field(default_factory=set)
    node_types: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    #: Chains whose target is a template parameter of a function, which may be any class.
    of_templates: list[Statement] = field(default_factory=list)


class ClassCheck:
    """A class to check.

    `own` has the declarations in the C++ class. `found` also has the declarations in its base
    classes that are not object classes.
    """

    def __init__(self, context: Context, cls: Class, own: CppClass, found: CppClass) -> None:
        self.context = context
        self.cls = cls
        self.own = own
        self.found = found
        self.sources = context.sources
        self.lookup = context.lookup
        self.names = context.names
        self.bag = context.bag
        chains = list(context.chains.get(own.full, ()))
        for template in found.templates:
            chains += context.template_chains.get(template, ())
        self.object_chains = [c for c in chains if c.kind == "object"]
        self.attr_chains = [c for c in chains if c.kind == "attrs"]
        self.entry_chains = [c for c in chains if c.kind == "entry"]

    def add(
        self,
        rule: str,
        text: str,
        span: Span,
        one: FieldDef | None = None,
        *,
        fix: Iterable[Edit] = (),
        help: str = "",
        label: str = "",
        notes: Iterable[tuple[Span, str]] = (),
        is_guess: bool = False,
    ) -> None:
        """Add a finding about this class, or about its field `one`.

        If the body of the class was not read completely, a finding about the body is a warning and
        begins with "possibly".
        """
        place = one.span if one is not None and one.span is not None else self.cls.span
        notes = [*notes, (place, "declared in the schema here")]
        severity = None
        if self.found.damaged and rule in _OF_THE_BODY:
            severity, text, fix = "warning", f"possibly: {text}", ()
            help = "a part of this class could not be read, see TS428"
        elif is_guess:
            severity, text = "warning", f"possibly: {text}"
        self.bag.add(
            rule, text, span, severity=severity, label=label, notes=notes, fix=fix, help=help
        )

    def member(self, one: FieldDef) -> str:
        """Return the name of the C++ member of a field; the name of a pointer may end with `_`."""
        name, names = self.cls.member(one), {m.name for m in self.found.members}
        return one.name if name not in names and one.name in names else name

    def is_class(self, written: str, expected: str) -> bool:
        """Return whether a name inside the class refers to the class `expected`."""
        return self.lookup.same_class(written, self.found.inside, expected)

    def spelled(self) -> CppNames:
        """Return the `CppNames` for text in the namespace of the class."""
        return CppNames(self.context.program, CppOptions(), self.own.place.scope)
