# SPDX-License-Identifier: Apache-2.0
"""Compare the enum entries that C++ registers, and their values, with the schema."""

from __future__ import annotations

from ..back import cpp_source
from ..cxx import values as cpp_value
from ..cxx.model import Call, Place, Statement
from ..diag import near
from ..ir import EntryDef
from .class_check import ClassCheck


class Entries(ClassCheck):
    """Checks the entries of one enum class."""

    def entries(self) -> None:
        """Report missing entries, and entries whose number or values differ from the schema."""
        if self.cls.d.enum is None:
            return
        wanted = {cpp_source.registered_name(self.cls, e): e for e in self.cls.d.enum.entries}
        given: dict[str, list[Statement]] = {}
        for chain in self.entry_chains:
            given.setdefault(_name_and_number(chain)[0], []).append(chain)
        for name, one in wanted.items():
            for chain in given.get(name, ()):
                self._number(chain, one)
                self._entry(chain, one)
            if name not in given and "" not in given:  # "" is the name of unknown entries
                self._missing(name, one)

    def _missing(self, name: str, one: EntryDef) -> None:
        enum = self.cls.d.enum
        if enum is None or self.own.full in self.context.unsure:
            return
        number = f", {one.value}" if self._has_numbers() else ""
        word = "EnumEntry" if one.fields or enum.base == "object" else "EnumDef"
        help_ = f'add  refl::{word}<{self.found.name}>("{name}"{number})'
        notes = [(one.span, "the entry is declared here")] if one.span is not None else []
        text = f"entry {name!r} of {self.cls.type_key} is not registered"
        chains = [*self.entry_chains, *self.object_chains]
        span = chains[0].span if chains else self.found.span
        chains_of_templates = [
            (c.span, "a template registers here") for c in self.context.of_templates[:1]
        ]
        is_guess = bool(chains_of_templates) and not self.entry_chains
        self.add(
            "TS430", text, span, help=help_, notes=[*notes, *chains_of_templates], is_guess=is_guess
        )

    def _has_numbers(self) -> bool:
        return self.cls.d.enum is not None and self.cls.d.enum.base == "int"

    def _number(self, chain: Statement, one: EntryDef) -> None:
        given = _name_and_number(chain)[1]
        if not self._has_numbers() or not given or cpp_value.is_name(given):
            return
        if cpp_value.differ(cpp_value.value(given), one.value):
            notes = [(one.span, "the entry is declared here")] if one.span is not None else []
            text = f"entry {one.name!r} has the number {given}, the schema says {one.value}"
            self.add("TS430", text, chain.span, notes=notes)

    def _entry(self, chain: Statement, one: EntryDef) -> None:
        types = {f.name: f.type for f in self.cls.all_fields()}
        expected = {
            self.cls.reflected(name): self.names.literal(value, types.get(name))
            for name, value in one.fields.items()
        }
        given = {e.name: e for e in chain.entries if e.method == "set"}
        notes = [(one.span, "the entry is declared here")] if one.span is not None else []
        for name, value in expected.items():
            entry = given.get(name)
            if entry is None:
                text = f"entry {one.name!r} does not set {name!r}, the schema says {value}"
                help_ = f'add  .set("{name}", {value})'
                self.add("TS430", text, chain.span, help=help_, notes=notes)
            elif not self._is_same(entry, value, chain.place):
                text = f"entry {one.name!r} sets {name!r} to {', '.join(entry.args) or 'nothing'}, "
                span = entry.arg_spans[0] if entry.arg_spans else entry.word
                self.add("TS430", f"{text}the schema says {value}", span, notes=notes)
        for name, entry in given.items():
            if name not in expected:
                text = f"entry {one.name!r} sets {name!r}, the schema does not"
                help_ = near(name, expected)
                self.add("TS430", text, entry.name_span, help=help_, notes=notes)

    def _is_same(self, entry: Call, expected: str, place: Place) -> bool:
        """Return whether a call sets the expected value; also True if the value is not known."""
        if len(entry.args) != 1:
            return False
        given = entry.args[0]
        one, other = cpp_value.value(given), cpp_value.value(expected)
        if one is not None and other is not None:
            return cpp_value.same(one, other)
        is_unknown = cpp_value.is_name(given) and not cpp_value.is_name(expected)
        return is_unknown or self.lookup.same_type(given, place, expected)


def _name_and_number(chain: Statement) -> tuple[str, str]:
    """Return the name and the number of an entry, as C++ text.

    The name is empty if it is not a string literal. The number is empty if the chain has none.
    """
    name = cpp_value.text(chain.arguments)
    if name is not None:
        return name, ""
    before, _, number = chain.arguments.rpartition(",")
    name = cpp_value.text(before)
    return (name, number.strip()) if name is not None else ("", "")
