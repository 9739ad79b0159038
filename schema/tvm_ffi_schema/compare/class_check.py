# SPDX-License-Identifier: Apache-2.0
"""Compare one class of C++ sources with the schema, and report the differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from ..back import cpp_source
from ..back.cpp_type import CppNames
from ..back.writer import CppOptions
from ..cxx import signatures, values
from ..cxx.model import CppClass, Sources, Statement, joined_name, last_name
from ..cxx.names import Lookup
from ..diag import Bag, Edit
from ..ir import FieldDef, MethodDef, Span
from ..link.program import Class, Program
from . import edits
from .facts import Fact, Facts, different, flat, part
from .lower import lower
from .rules import Rule, Words, rules_of

_USUAL = {"kind": "kTVMFFISEqHashKindUnsupported", "mutable": "false", "overflow": "true"}
Notes = list[tuple[Span, str]]


@dataclass
class Context:
    """State that all checks of one run share."""

    program: Program
    sources: Sources
    lookup: Lookup
    bag: Bag
    names: CppNames
    #: `statements` maps the full name of a class to the statements that register it.
    #: `template_statements` maps the full name of a class template to statements in it that
    #: register its template parameter.
    statements: dict[str, list[Statement]] = field(default_factory=dict)
    template_statements: dict[str, list[Statement]] = field(default_factory=dict)
    #: Full names of classes. `called`: a statement calls `RegisterReflection` of the class.
    #: `node_types`: the class has TVM_REGISTER_NODE_TYPE. `unsure`: a statement with an ambiguous
    #: name may register the class.
    called: set[str] = field(default_factory=set)
    node_types: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    #: Statements whose target is a template parameter of a function, which may be any class.
    of_templates: list[Statement] = field(default_factory=list)
    #: Type keys of the classes whose own fields differ, and type key of such a class -> findings
    #: about constructors of classes below it, which differ for this reason.
    differing: set[str] = field(default_factory=set)
    below: dict[str, list[Callable[[str], None]]] = field(default_factory=dict)

    def report_below(self) -> None:
        """Report the first constructor below each class whose fields differ, and their number."""
        for key, found in self.below.items():
            name, more = self.program.classes[key].obj, len(found) - 1
            text = f", like {more} more constructors below {name}, whose fields differ"
            found[0](text if more else "")


class ClassCheck:
    """A class to check.

    `own` has the declarations in the C++ class. `found` also has the declarations in its base
    classes that are not object classes. `here` has the facts of the schema, `there` those of C++.
    """

    def __init__(self, context: Context, cls: Class, own: CppClass, found: CppClass) -> None:
        self.context = context
        self.cls = cls
        self.own = own
        self.found = found
        self.sources = context.sources
        self.lookup = context.lookup
        self.names = context.names
        statements = list(context.statements.get(own.full, ()))
        for template in found.templates:
            statements += context.template_statements.get(template, ())
        self.object_statements = [one for one in statements if one.kind == "object"]
        self.entry_statements = [one for one in statements if one.kind == "entry"]
        self.is_unsure = own.full in context.unsure
        self.is_classic = found.macro is not None and found.macro.is_classic
        #: Name of a C++ member -> field, and registered name -> field.
        self.fields = {self._member(one): one for one in cls.d.fields}
        visible = [one for one in cls.d.fields if one.reflect and cls.d.visit_attrs]
        self.reflected = {one.reflected_name or one.name: one for one in visible}
        self.here = self._facts(context.names)
        self.there = flat(found, self._reference(), statements)

    # --- facts

    def _facts(self, names: CppNames) -> Facts:
        customs = {**names.options.customs, **self.customs()}
        options = CppOptions(ffi=names.options.ffi, customs=customs)
        made = lower(self.cls, CppNames(names.program, options, names.namespace))
        for one, member in zip(self.cls.d.fields, made.obj.members):
            member.name = self._member(one)
        return flat(made.obj, made.ref, made.statements)

    @cached_property
    def spelled(self) -> Facts:
        """Return the facts of the schema, spelled for the namespace of the class."""
        return self._facts(self._speller)

    @cached_property
    def _speller(self) -> CppNames:
        return CppNames(self.context.program, CppOptions(), self.own.place.scope)

    def statements(self) -> list[str]:
        """Return the lines that register the class."""
        return cpp_source.statements(self.cls, self._speller)

    def usual(self, path: str) -> str:
        """Return the value of a constant that the schema does not state."""
        return _USUAL.get(path.rpartition("/")[2], str(self.cls.slots))

    def _reference(self) -> CppClass | None:
        scopes = (self.cls.namespace, self.own.place.scope)
        names = [joined_name(scope, self.cls.ref) for scope in scopes if self.cls.ref]
        return next((c for n in names if (c := self.sources.classes.get(n)) is not None), None)

    # --- questions of the rules

    def customs(self) -> dict[str, frozenset[str]]:
        """Return class name -> names of its methods, for functions of `equality`."""
        return {self.cls.marker: frozenset(self.found.methods)}

    def _member(self, one: FieldDef) -> str:
        """Return the name of the C++ member of a field; the name of a pointer may end with `_`."""
        name, names = self.cls.member(one), {m.name for m in self.found.members}
        return one.name if name not in names and one.name in names else name

    def member_of(self, name: str) -> str:
        """Return the C++ member of the own or inherited field that is registered with a name."""
        one = self.reflected.get(name)
        if one is None:
            named = (f for f in self.cls.inherited() if (f.reflected_name or f.name) == name)
            one = next(named, None)
            return self.cls.member(one) if one is not None else name
        return self._member(one)

    def methods_of(self, target: str) -> list[MethodDef]:
        """Return the methods of the schema that have a name in C++."""
        return [m for m in self.cls.native if (m.cpp_name or m.name) == target]

    def targets_of(self, name: str) -> list[str]:
        """Return the names in C++ of the methods that are registered with a name."""
        named = [m for m in self.cls.native if m.name == name]
        return [m.cpp_name or m.name for m in named] or [name]

    def owner(self, name: str) -> CppClass | None:
        """Return the class that declares a method: this class or the nearest ancestor."""
        at: CppClass | None = self.found
        seen: set[str] = set()
        while at is not None and at.full not in seen:
            if name in at.methods:
                return at
            seen.add(at.full)
            above = (self.lookup.find(base, at.inside) for base in at.bases)
            at = next((one for one in above if one is not None), None)
        return None

    def is_class(self, written: str, expected: str) -> bool:
        """Return whether a name inside the class refers to the class `expected`."""
        return self.lookup.same_class(written, self.found.inside, expected)

    def same_tokens(self, one: str, other: str) -> bool:
        """Return whether two expressions in the class have equal tokens."""
        place = self.found.inside
        return self.lookup.alike(self.lookup.tokens(one, place), self.lookup.tokens(other, place))

    def parameters(self, params: list[str], found: CppClass) -> list[signatures.Type]:
        """Return the types of parameters."""
        place = found.inside
        return [signatures.parameter(one, self.lookup, place) for one in params]

    def value(self, spelled: str) -> object:
        """Return the value of an expression in the class; None if it is not simple enough."""
        known = self.found.constants
        return values.value(spelled, lambda name: known.get(last_name(name), ("", None))[0])

    def entry_name(self, label: str) -> str:
        """Return the name of the enum entry that is registered with a label."""
        named = (
            e.name for e in self.cls.entries if cpp_source.registered_name(self.cls, e) == label
        )
        return next(named, label)

    def note_of_entry(self, label: str) -> Notes:
        """Return the note with the place of an enum entry in the schema."""
        found = (e for e in self.cls.entries if cpp_source.registered_name(self.cls, e) == label)
        return [(e.span, "the entry is declared here") for e in found if e.span is not None]

    def notes_of_templates(self) -> Notes:
        """Return the note with a template of functions that may register any class."""
        return [(one.span, "a template registers here") for one in self.context.of_templates[:1]]

    # --- the check

    def run(self) -> None:
        """Report every difference of the class."""
        if self.found.damaged:
            text = f"a part of the body of {self.found.name} could not be read"
            self.context.bag.add("TS428", text, self.found.span)
        self._registration()
        self._own_rules()
        for path, sign, here, there in different(self.here, self.there):
            rules, name = rules_of(path, sign)
            for rule in rules:
                words = rule.differs(self, name, here, there) if rule.differs else {}
                if words is not None:
                    self._found(rule, path, name, here, there, dict(words))
                    break

    def _registration(self) -> None:
        """Prepare the facts for the way in which the class is registered."""
        is_node_type = self.own.full in self.context.node_types
        is_visited = is_node_type or self.is_classic
        # The body of VisitAttrs may be outside of the class; then it is not known.
        if (self.found.visited is not None and is_visited) or (
            is_node_type and "VisitAttrs" not in self.found.methods
        ):
            self._expect_visits()
        if not is_node_type and not self.object_statements and not self.is_unsure:
            notes = self.notes_of_templates()
            help_ = f"add  refl::ObjectDef<{self.found.name}>()"
            fix = [] if notes else edits.registration(self)
            text = f"{self.found.name} is never registered"
            span, guess = self.found.span, bool(notes)
            self.add("TS406", text, span, fix=fix, help=help_, notes=notes, guess=guess)
        if is_node_type or not self.object_statements:
            for facts in (self.here, self.there):
                for path in [p for p in facts if p.split("/")[0] in ("registration", "entries")]:
                    del facts[path]
        if not is_visited:
            for path in [path for path in self.there if path.startswith("visits/")]:
                del self.there[path]

    def _expect_visits(self) -> None:
        inherited = [f.reflected_name or f.name for f in self.cls.inherited() if f.reflect]
        known = [name for name in inherited if f"visits/{part(name)}" in self.there]
        for name in (*known, *self.reflected):
            self.here[f"visits/{part(name)}"] = Fact(None)
            self.here[f"visits/{part(name)}/member"] = Fact(None)

    def _own_rules(self) -> None:
        """Add facts about C++ that are wrong whatever the schema says."""
        found, there = self.found, self.there
        for base in found.bases:
            other = self.lookup.find(base, found.inside)
            if other is not None and other.macro is not None and other.macro.is_final:
                there["base"] = Fact(other.name, found.base_span)
        bases = [base for base in found.bases if "<" not in base]
        if bases:  # the macro must name the parent that C++ has
            self.here["info/parent"] = Fact(bases[0])
        is_called = self.own.full in self.context.called
        if self.object_statements and found.has_register and not is_called:
            there["uncalled"] = Fact(True, found.methods["RegisterReflection"][-1].span)
        self._pair()

    def _pair(self) -> None:
        """Add a fact if only one of structural equality and hash is registered."""
        pair: dict[str, Span] = {}
        names = ["__s_equal__", "__s_hash__"]
        if self.is_classic or self.own.full in self.context.node_types:
            names = ["SEqualReduce", "SHashReduce"]
            pair = {n: self.found.methods[n][-1].span for n in names if n in self.found.methods}
        for name in names:
            known = (self.there.get(f"{root}/{name}") for root in ("attrs", "entries"))
            pair.update((name, one.span) for one in known if one is not None)
        if len(pair) == 1:
            given = next(iter(pair))
            missing = names[1] if given == names[0] else names[0]
            self.there["unpaired"] = Fact(f"{given} without {missing}", pair[given])

    def _found(
        self, rule: Rule, path: str, name: str, here: Fact | None, there: Fact | None, words: Words
    ) -> None:
        values_ = {
            "name": name,
            "cls": self.found.name,
            "key": self.cls.type_key,
            "ref": self.cls.ref,
            "slots": self.cls.slots,
            "here": here.value if here is not None else None,
            "there": there.value if there is not None else None,
            **words,
        }
        one = None
        if path.startswith("fields/"):
            one = self.fields.get(name)
        elif path.startswith(("entries/", "visits/")):
            one = self.reflected.get(name)
        span = words.get("span") or (there.span if there is not None else self.found.span)
        text = rule.text.format(**values_)

        def report(more: str = "") -> None:
            self.add(
                rule.code,
                text + more,
                span,
                one if rule.signs != "+" else None,
                fix=rule.fix(self, path, here, there) if rule.fix is not None else (),
                help=words.get("help", ""),
                label=words.get("label", ""),
                notes=words.get("notes", ()),
                guess=words.get("is_guess", False),
                is_of_body=rule.is_of_body,
            )

        differing = self.context.differing
        cause = [a.type_key for a in self.cls.ancestors() if a.type_key in differing]
        if path.endswith("constructors") and cause:
            self.context.below.setdefault(cause[-1], []).append(report)
            return
        if rule.path in ("fields/*", "fields/*/type") and here is not None:
            differing.add(self.cls.type_key)
        report()

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
        notes: Iterable[tuple[Span, str]] | None = (),
        guess: bool = False,
        is_of_body: bool = False,
    ) -> None:
        """Add a finding about this class, or about its field `one`.

        If the body of the class was not read completely, a finding about the body is a warning and
        begins with "possibly". If `notes` is None, the place in the schema is not added to them.
        """
        place = one.span if one is not None and one.span is not None else self.cls.span
        given = [] if notes is None else [*notes, (place, "declared in the schema here")]
        severity = None
        if self.found.damaged and is_of_body:
            severity, text, fix = "warning", f"possibly: {text}", ()
            help = "a part of this class could not be read, see TS428"
        elif guess:
            severity, text = "warning", f"possibly: {text}"
        self.context.bag.add(
            rule, text, span, severity=severity, label=label, notes=given, fix=fix, help=help
        )
