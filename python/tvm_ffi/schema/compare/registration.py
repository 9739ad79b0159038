# SPDX-License-Identifier: Apache-2.0
"""What a class registers, against the schema: fields, their flags, structural attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Optional

from ..back import cpp_source
from ..back.cpp_type import CppNames
from ..diag import Bag, Edit, near
from ..ir import FieldDef, Span
from ..passes.program import Class
from . import fixes
from .cpp_facts import Chain, CppClass, Entry, Sources, last_name

#: What is found by looking at the body of a class.
_OF_THE_BODY = frozenset(
    ["TS407", "TS411", "TS412", "TS414", "TS415", "TS417", "TS419", "TS420", "TS422", "TS427"]
)
_QUALIFIER = re.compile(r"(?:\b\w+)?::")


class Registration:
    """The rules for registrations, and how the rules of one class report."""

    cls: Class
    found: CppClass
    sources: Sources
    names: CppNames
    bag: Bag
    object_chains: list[Chain]
    attr_chains: list[Chain]

    def add(
        self,
        rule: str,
        text: str,
        span: Span,
        one: Optional[FieldDef] = None,
        *,
        fix: Iterable[Edit] = (),
        help: str = "",
        label: str = "",
        notes: Iterable[tuple[Span, str]] = (),
    ) -> None:
        """Add a finding about this class, or about the field `one` of it.

        One about a body that was not read whole is a guess.
        """
        place = one.span if one is not None and one.span is not None else self.cls.span
        notes = [*notes, (place, "declared in the schema here")]
        severity = None
        if self.found.damaged and rule in _OF_THE_BODY:
            severity, text, fix = "warning", f"possibly: {text}", ()
            help = "a part of this class could not be read, see TS428"
        self.bag.add(
            rule, text, span, severity=severity, label=label, notes=notes, fix=fix, help=help
        )

    def registration(self) -> None:
        """Report what is registered otherwise than the schema says, or not at all."""
        cls, found = self.cls, self.found
        if found.name in self.sources.node_types:
            return
        if not self.object_chains:
            fix = self._new_registration()
            text = f"{found.name} is never registered"
            self.add(
                "TS406", text, found.span, fix=fix, help=f"add  refl::ObjectDef<{found.name}>()"
            )
            return
        if found.has_register and found.name not in self.sources.register_calls:
            text = f"nothing calls {found.name}::RegisterReflection()"
            self.add("TS407", text, found.methods["RegisterReflection"][1])
        entries = [e for chain in self.object_chains for e in chain.entries]
        fields = {e.name: e for e in entries if e.method in ("def_ro", "def_rw")}
        wanted = {f.reflected_name or f.name: f for f in cls.d.fields if f.reflect}
        for name, one in wanted.items():
            entry = fields.get(name)
            if entry is None:
                self._missing_field(name, one)
            else:
                self._field(entry, one)
        for name, entry in fields.items():
            if name not in wanted:
                text = f"{name!r} is registered, but not in the schema"
                self.add("TS410", text, entry.name_span, help=near(name, wanted))
        self._attributes()

    def _new_registration(self) -> list[Edit]:
        if not self.sources.chains:
            return []
        last = self.sources.chains[-1].end
        at = Span(last.file, last.end_line, last.end_col + 1, last.end_line, last.end_col + 1)
        lines = cpp_source.statements(self.cls, self.names)
        text = "".join("\n  " + line for line in lines)
        return [Edit(at, text.replace("refl::", "::tvm::ffi::reflection::"))]

    def _missing_field(self, name: str, one: FieldDef) -> None:
        end = self.object_chains[0].end
        member = next((m for m in self.found.members if m.name == self.cls.member(one)), None)
        span = member.span if member else self.object_chains[0].span
        line = f'.def_ro("{name}", &{self.found.name}::{self.cls.member(one)})'
        if self._writable(one):
            line = line.replace("def_ro", "def_rw")
        at = Span(end.file, end.end_line, end.end_col, end.end_line, end.end_col)
        fix = [Edit(at, "\n      " + line)] if member else []
        text = f"field {name!r} of {self.cls.type_key} is not registered"
        help_ = f"add  {line}  or mark the field reflect=False"
        known = ", ".join(repr(e.name) for chain in self.object_chains for e in chain.entries)
        chain = self.object_chains[0]
        words = f"registration of {self.found.name} starts here and has {known or 'nothing'}"
        label = "declared here" if member else ""
        notes = [(chain.span, words)] if member else []
        self.add("TS408", text, span, one, fix=fix, help=help_, label=label, notes=notes)

    def _writable(self, one: FieldDef) -> bool:
        return one.frozen is False or (self.cls.d.mutable and one.frozen is not True)

    def _field(self, entry: Entry, one: FieldDef) -> None:
        member = last_name(entry.args[0]) if entry.args else ""
        if member != self.cls.member(one):
            text = f"{entry.name!r} is registered for {member}, not for {self.cls.member(one)}"
            self.add("TS409", text, entry.name_span, one)
        word = "def_rw" if self._writable(one) else "def_ro"
        if entry.method != word:
            text = f"{entry.name!r} is registered with {entry.method}, the schema says {word}"
            self.add("TS413", text, entry.span, one, fix=[Edit(entry.span, word)])
        given = {_trait(arg) for arg in entry.args[1:]} - {""}
        expected = {_trait(arg) for arg in cpp_source.traits(one, self.names)} - {""}
        if given != expected:
            extra = ", ".join(sorted(given ^ expected))
            text = f"{entry.name!r} is registered with other flags: {extra}"
            fix = self._flags(entry, one, given, expected)
            self.add("TS416", text, entry.name_span, one, fix=fix)
        docs = [arg for arg in entry.args[1:] if arg.startswith('"')]
        if docs and one.doc and " ".join(docs[-1].strip('"').split()) != " ".join(one.doc.split()):
            text = f"{entry.name!r} is described in other words"
            self.add("TS425", text, entry.name_span, one)

    def _flags(
        self, entry: Entry, one: FieldDef, given: set[str], expected: set[str]
    ) -> list[Edit]:
        extra = [i for i, arg in enumerate(entry.args) if i and _trait(arg) in given - expected]
        prefix = self.object_chains[0].prefix or "::tvm::ffi::reflection::"
        missing = [
            arg.replace("refl::", prefix, 1)
            for arg in cpp_source.traits(one, self.names)
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
    """Return a flag of a field in short; documentation and defaults are judged elsewhere."""
    text = _QUALIFIER.sub("", argument)
    if text.startswith(('"', "default", "Default", "Metadata", "&")):
        return ""
    return text.replace("AttachFieldFlag", "").replace(" ", "")
