# SPDX-License-Identifier: Apache-2.0
"""The values that enum entries set in C++, against the schema."""

from __future__ import annotations

from ..back import cpp_source
from ..diag import near
from ..ir import EntryDef
from . import cpp_value
from .class_check import ClassCheck
from .cpp_facts import Chain, Entry, Place


class Entries(ClassCheck):
    """The rules for the entries of one enum class."""

    def entries(self) -> None:
        """Report the calls of `set` that differ from the schema, are missing, or are unknown."""
        if self.cls.d.enum is None:
            return
        wanted = {cpp_source.registered_name(self.cls, e): e for e in self.cls.d.enum.entries}
        for chain in self.entry_chains:
            one = wanted.get(_entry_name(chain))
            if one is not None:
                self._entry(chain, one)

    def _entry(self, chain: Chain, one: EntryDef) -> None:
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
                span = entry.arg_spans[0] if entry.arg_spans else entry.span
                self.add("TS430", f"{text}the schema says {value}", span, notes=notes)
        for name, entry in given.items():
            if name not in expected:
                text = f"entry {one.name!r} sets {name!r}, the schema does not"
                help_ = near(name, expected)
                self.add("TS430", text, entry.name_span, help=help_, notes=notes)

    def _is_same(self, entry: Entry, expected: str, place: Place) -> bool:
        """Tell whether a call sets a value; a name from elsewhere may be any value."""
        if len(entry.args) != 1:
            return False
        given = entry.args[0]
        one, other = cpp_value.value(given), cpp_value.value(expected)
        if one is not None and other is not None:
            return cpp_value.same(one, other)
        is_unknown = cpp_value.is_name(given) and not cpp_value.is_name(expected)
        return is_unknown or self.lookup.same_type(given, place, expected)


def _entry_name(chain: Chain) -> str:
    """Return the name that a chain registers, before the number if there is one; else nothing."""
    name = cpp_value.text(chain.arguments)
    if name is None:
        name = cpp_value.text(chain.arguments.rpartition(",")[0])
    return name or ""
