# SPDX-License-Identifier: Apache-2.0
"""Compare the registration of a class with the schema: fields, flags, structural attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..back import cpp_source
from ..back.cpp_layout import link
from ..cxx import values as cpp_value
from ..cxx.model import Call, Statement, last_name
from ..diag import Bag, Edit, near
from ..files import source
from ..ir import FieldDef, Span
from . import fixes
from .class_check import ClassCheck

_QUALIFIER = re.compile(r"(?:\b\w+)?::")
_DEFAULT = re.compile(
    r"(?:[\w:]*::)?(?:default_value|DefaultValue)[({](?P<value>.*)[)}]\Z", re.DOTALL
)
_FACTORY = re.compile(r"(?:[\w:]*::)?(?:default_factory|DefaultFactory)\b")
#: `_USUAL` has flags with their default values. `_OLDER` maps old names of flags to new names.
_USUAL = frozenset(("repr(true)", "compare(true)", "hash(true)", "init(true)", "kw_only(false)"))
_OLDER = {"SEqHashDef()": "SEqHashDefPattern()"}
_REFL = "::tvm::ffi::reflection::"
_BRANCH = re.compile(r"\s*#\s*(?:el|endif)")


class Registration(ClassCheck):
    """Checks the registration of one class."""

    def registration(self) -> None:
        """Report a missing registration, or the differences of a registration to the schema."""
        if self.own.full in self.context.node_types:
            self._visited()
            return
        if not self.object_chains:
            if self.own.full in self.context.unsure:
                return
            help_ = f"add  refl::ObjectDef<{self.found.name}>()"
            text = f"{self.found.name} is never registered"
            notes = [(c.span, "a template registers here") for c in self.context.of_templates[:1]]
            fix = [] if notes else self._new_registration()
            span, is_guess = self.found.span, bool(notes)
            self.add("TS406", text, span, fix=fix, help=help_, notes=notes, is_guess=is_guess)
            return
        if self.found.has_register and self.own.full not in self.context.called:
            text = f"nothing calls {self.found.name}::RegisterReflection()"
            self.add("TS407", text, self.found.methods["RegisterReflection"][-1].span)
        entries = [e for chain in self.object_chains for e in chain.entries]
        fields: dict[str, Call] = {}
        for given in entries:
            if given.method in ("def_ro", "def_rw"):
                self._once(given, fields.setdefault(given.name, given))
        wanted = self._wanted()
        for name, one in wanted.items():
            entry = fields.get(name)
            if entry is None:
                self._missing_field(name, one)
            else:
                self._field(entry, one)
        self._unknown(fields, wanted)
        self._attributes()

    def _once(self, entry: Call, first: Call) -> None:
        """Report a second registration of a field, unless both are in different `#if` branches."""
        if entry is first or _are_in_branches(first.word, entry.word):
            return
        text = f"{entry.name!r} is registered twice"
        notes = [(first.name_span, "the first registration is here")]
        self.add("TS409", text, entry.name_span, help="remove one of them", notes=notes)

    def _wanted(self) -> dict[str, FieldDef]:
        own = self.cls.d.fields if self.cls.d.visit_attrs else ()
        return {f.reflected_name or f.name: f for f in own if f.reflect}

    def _unknown(self, fields: dict[str, Call], wanted: dict[str, FieldDef]) -> None:
        for name, entry in fields.items():
            if name not in wanted:
                text = f"{name!r} is registered, but not in the schema"
                self.add("TS410", text, entry.name_span, help=near(name, wanted))

    def _visited(self) -> None:
        """Report differences between the schema and the fields that VisitAttrs visits."""
        visited = self.found.visited
        equal, hash_ = ("SEqualReduce" in self.found.methods, "SHashReduce" in self.found.methods)
        if equal != hash_:
            given, missing = ("SEqualReduce", "SHashReduce")[:: 1 if equal else -1]
            self.add("TS418", f"{given} without {missing}", self.found.methods[given][-1].span)
        if visited is None:
            return
        fields = {e.name: e for e in visited}
        wanted = self._wanted()
        for name, one in wanted.items():
            entry = fields.get(name)
            if entry is None:
                line = f'v->Visit("{name}", &{self.member(one)});'
                text = f"field {name!r} of {self.cls.type_key} is not registered"
                span = self.found.methods["VisitAttrs"][-1].span
                self.add("TS408", text, span, one, help=f"add  {line}  to VisitAttrs")
            else:
                self._member(entry, one)
        inherited = {f.reflected_name or f.name: f for f in self.cls.inherited() if f.reflect}
        self._unknown(fields, {**inherited, **wanted})

    # --- a class that is not registered

    def _new_registration(self) -> list[Edit]:
        """Return an edit that adds the registration after the registration of another class.

        The result is empty if there is no suitable place, or if C++ members are missing.
        """
        chain = next(self._neighbours(), None)
        names = {m.name for m in self.found.members}
        native = {m.cpp_name or m.name for m in self.cls.d.methods if m.native} - {"__init__"}
        whole = all(self.member(one) in names for one in self._wanted().values())
        if chain is None or chain.stop is None or not (whole and native <= set(self.found.methods)):
            return []
        stop = chain.stop
        at = Span(stop.file, stop.end_line, stop.end_col, stop.end_line, stop.end_col)
        text = "".join("\n" + line for line in cpp_source.statements(self.cls, self.spelled()))
        if chain.place.scope != self.own.place.scope:
            text = re.sub(rf"(?<!::)\b{self.cls.obj}\b", f"::{self.own.full}", text)
        return [Edit(at, text.replace("refl::", _REFL))]

    def _neighbours(self) -> Iterator[Statement]:
        """Yield the registrations after which this class can be registered, the best one first.

        Each of them is outside of classes, in a file that declares this class or includes its file.
        """
        found = []
        for number, chain in enumerate(self.sources.statements):
            here, there = chain.span.file, self.found.span.file
            same_file = here == there
            if chain.owner or chain.kind != "object" or chain.stop is None:
                continue
            if same_file and chain.span.line <= self.found.span.end_line:
                continue
            other = self.lookup.find(chain.target, chain.place)
            beside = other is not None and other.span.file == there
            if (
                same_file
                or beside
                or fixes.sees(chain.span.file, self.found.span.file, self.sources)
            ):
                other_scope = chain.place.scope != self.own.place.scope
                found.append((other_scope, not beside, -number, chain))
        found.sort(key=lambda item: item[:3])
        yield from (item[3] for item in found)

    # --- fields

    def _missing_field(self, name: str, one: FieldDef) -> None:
        chain = self.object_chains[0]
        end = chain.end
        member = next((m for m in self.found.members if m.name == self.member(one)), None)
        span = member.span if member else chain.span
        line = f'.def_ro("{name}", &{self.found.name}::{self.member(one)})'
        if self._writable(one):
            line = line.replace("def_ro", "def_rw")
        at = Span(end.file, end.end_line, end.end_col, end.end_line, end.end_col)
        fix = [Edit(at, self._line(chain, one))] if member else []
        text = f"field {name!r} of {self.cls.type_key} is not registered"
        help_ = f"add  {line}  or mark the field reflect=False"
        known = ", ".join(repr(e.name) for chain in self.object_chains for e in chain.entries)
        words = f"registration of {self.found.name} starts here and has {known or 'nothing'}"
        label = "declared here" if member else ""
        notes = [(chain.span, words)] if member else []
        self.add("TS408", text, span, one, fix=fix, help=help_, label=label, notes=notes)

    def _line(self, chain: Statement, one: FieldDef) -> str:
        """Return the text that registers a field and its flags, with the qualifiers in `chain`."""
        lines = link(cpp_source.field(self.cls, one, self.spelled()))
        text = "".join("\n" + line for line in lines)
        text = text.replace(f"&{self.cls.obj}::", f"&{chain.target}::")
        return text.replace("refl::", chain.prefix or _REFL)

    def _writable(self, one: FieldDef) -> bool:
        return one.frozen is False or (self.cls.d.mutable and one.frozen is not True)

    def _member(self, entry: Call, one: FieldDef) -> None:
        member = last_name(entry.args[0].lstrip("&")) if entry.args else ""
        is_name = member.isidentifier() and entry.args[0].startswith("&")
        if member != self.member(one) and (is_name or not member):
            text = f"{entry.name!r} is registered for {member}, not for {self.member(one)}"
            self.add("TS409", text, entry.name_span, one)

    def _field(self, entry: Call, one: FieldDef) -> None:
        self._member(entry, one)
        word = "def_rw" if self._writable(one) else "def_ro"
        if entry.method != word:
            text = f"{entry.name!r} is registered with {entry.method}, the schema says {word}"
            self.add("TS413", text, entry.word, one, fix=[Edit(entry.word, word)])
        given = {_trait(arg) for arg in entry.args[1:]} - {""}
        expected = {_trait(arg) for arg in cpp_source.traits(one, self.names)} - {""}
        if given != expected:
            extra = ", ".join(sorted(given ^ expected))
            text = f"{entry.name!r} is registered with other flags: {extra}"
            fix = self._flags(entry, one, given, expected)
            self.add("TS416", text, entry.name_span, one, fix=fix)
        self._registered_default(entry, one)
        docs = [doc for doc in map(cpp_value.text, entry.args[1:]) if doc is not None]
        if docs and one.doc and docs[-1].split() != one.doc.split():
            text = f"{entry.name!r} is described in other words"
            self.add("TS425", text, entry.name_span, one)

    def _registered_default(self, entry: Call, one: FieldDef) -> None:
        """Report a difference between the registered default and the default in the schema."""
        matches = [(_DEFAULT.match(arg), _FACTORY.match(arg)) for arg in entry.args[1:]]
        given = next((m["value"] for m, _ in matches if m is not None), None)
        has_one = given is not None or any(factory is not None for _, factory in matches)
        says = one.default is not None
        if has_one != says:
            here, there = ("a default", "none") if has_one else ("no default", "one")
            text = f"{entry.name!r} is registered with {here}, the schema has {there}"
            self.add("TS415", text, entry.name_span, one)
        elif given is not None and one.default is not None and one.default.kind == "value":
            expected = self.names.default(self.cls, one)
            if cpp_value.differ(cpp_value.value(given), cpp_value.value(expected)):
                text = f"{entry.name!r} is registered with the default {given}, "
                self.add("TS414", f"{text}the schema says {expected}", entry.name_span, one)

    def _flags(self, entry: Call, one: FieldDef, given: set[str], expected: set[str]) -> list[Edit]:
        extra = [i for i, arg in enumerate(entry.args) if i and _trait(arg) in given - expected]
        prefix = self.object_chains[0].prefix or _REFL
        missing = [
            arg.replace("refl::", prefix, 1)
            for arg in cpp_source.traits(one, self.spelled())
            if _trait(arg) in expected - given
        ]
        return fixes.flags(entry, extra, missing)

    def _attributes(self) -> None:
        entries = [e for chain in (*self.attr_chains, *self.object_chains) for e in chain.entries]
        names = {e.name: e for e in entries if e.method in ("def", "attr", "def_type_attr")}
        pair = [names.get(f"__s_{word}__") for word in ("equal", "hash")]
        if (pair[0] is None) != (pair[1] is None):
            entry = pair[0] or pair[1]
            assert entry is not None
            missing = "__s_hash__" if pair[1] is None else "__s_equal__"
            self.add("TS418", f"{entry.name} without {missing}", entry.name_span)


def _trait(argument: str) -> str:
    """Return a flag without qualifiers; empty for other arguments, and for flags in `_USUAL`."""
    text = _QUALIFIER.sub("", argument)
    others = ("default", "Default", "Metadata", "&")
    if cpp_value.text(argument) is not None or text.startswith(others):
        return ""
    text = text.replace("AttachFieldFlag", "").replace(" ", "")
    return "" if text in _USUAL else _OLDER.get(text, text)


def _are_in_branches(first: Span, second: Span) -> bool:
    """Return whether `#else`, `#elif` or `#endif` is between two places of a file."""
    found = source.read(first.file, Bag(), any_bytes=True) if first.file == second.file else None
    lines = found.text.splitlines()[first.line : second.line] if found is not None else []
    return any(_BRANCH.match(line) for line in lines)
