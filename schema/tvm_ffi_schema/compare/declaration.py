# SPDX-License-Identifier: Apache-2.0
"""Rules for the declaration of a class: its bases, its macro, its members and constants."""

from __future__ import annotations

import re

from ..cxx import values as cpp_value
from ..cxx.model import Member, last_name
from ..diag import Edit, near
from ..ir import FieldDef, abi
from ..link import equality, slots
from . import fixes
from .class_check import ClassCheck

_UNSUPPORTED = "kTVMFFISEqHashKindUnsupported"
#: Types for which `Type(x)` and `Type{x}` have the same value.
_PLAIN = re.compile(r"(?:\A|::)(?:Bytes\Z|(?:Tuple|Variant)<)")


class Declaration(ClassCheck):
    """Checks the declaration of one class."""

    def declaration(self) -> None:
        """Report differences between the declaration and the schema, and missing parts."""
        self._bases()
        self._macro()
        self._members()
        self._kind()
        self._slots()

    # --- head and macro

    def _bases(self) -> None:
        found = self.found
        parent = self.names.object_class(self.cls.parent.type_key)
        bases = found.bases
        known = not any("<" in base for base in bases)
        # Some bases may come from base classes that are not object classes. In this case, report
        # a wrong base only if all bases are known.
        if bases != self.own.bases:
            known = known and all(self.lookup.find(base, found.inside) for base in bases)
        if known and not any(self.is_class(base, parent) for base in bases):
            names = ", ".join(last_name(base) for base in bases) or "nothing"
            text = f"{found.name} derives from {names}, not from {last_name(parent)}"
            self.add("TS404", text, found.base_span)
        for base in bases:
            other = self.lookup.find(base, found.inside)
            if other is not None and other.macro is not None and other.macro.is_final:
                text = f"{found.name} derives from {other.name}, which is final in C++"
                self.add("TS423", text, found.base_span)

    def _macro(self) -> None:
        cls, found, macro = self.cls, self.found, self.found.macro
        if macro is None or not found.declares_object:
            return
        key, span = found.key
        if key is not None and key != cls.type_key:
            expected = f'"{cls.type_key}"'
            text = f'the type key is "{key}", the schema says {expected}'
            self.add("TS403", text, span, fix=[Edit(span, expected)])
        bases = [base for base in found.bases if "<" not in base]
        inside, named = found.inside, macro.text("parent")
        if bases and not any(self.lookup.same_class(named, inside, b, inside) for b in bases):
            text = f"the macro names {last_name(named)}, "
            text += f"the class derives from {last_name(bases[0])}"
            self.add("TS405", text, macro.place("parent"))
        if macro.is_final and cls.children:
            children = ", ".join(c.obj for c in cls.children[:3])
            self.add("TS424", f"{found.name} is final, but has {children} below it", macro.word)

    # --- members

    def _members(self) -> None:
        members: dict[str, Member] = {}
        for member in self.found.members:  # two branches of `#if` may declare the same member
            members.setdefault(member.name, member)
        order = []
        for one in self.cls.d.fields:
            name = self.member(one)
            found = members.get(name)
            if found is None:
                if one.reflect:
                    text = f"there is no member {name} in {self.found.name}"
                    self.add("TS412", text, self.found.span, help=near(name, members))
                continue
            order.append(name)
            expected = self.names.field_type(self.cls, one)
            if not self.lookup.same_type(found.type, self.found.inside, expected):
                text = f"{name} has type {found.type}, the schema says {expected}"
                self.add("TS411", text, found.span, one)
            if found.access != one.access:
                text = f"{name} is {found.access}, the schema says {one.access}"
                self.add("TS429", text, found.span, one)
            self._default(one, found)
        current = [name for name in members if name in order]
        if current != order:
            first = next(a for a, b in zip(current, order) if a != b)
            text = f"the members are in the order {', '.join(current)}, "
            self.add("TS412", text + f"the schema has {', '.join(order)}", members[first].span)
        known = {self.member(f) for f in self.cls.d.fields}
        for member in self.own.members:
            if member.name not in known and member.access == "public":
                text = f"{member.name} is not in the schema"
                self.bag.add("TS427", text, member.span, help="or mark it reflect=False there")

    def _default(self, one: FieldDef, member: Member) -> None:
        expected = self.names.default(self.cls, one)
        if one.default is not None and one.default.kind not in ("value", "cpp"):
            return
        given = self._without_type(member.default, member)
        expected = self._without_type(expected, member) if expected else ""
        if one.name in self.cls.broken or self._is_own_start(one, given):
            return
        value = self.value(given)
        if expected and not given and not member.has_value:
            starts_empty = not self.names.is_plain(one.type)
            if starts_empty and cpp_value.same(self.value(expected), cpp_value.ZERO):
                return
            text = f"{member.name} has no default, the schema says {expected}"
            self.add("TS415", text, member.span, one)
        elif given and not expected:
            if not cpp_value.same(value, cpp_value.ZERO):
                text = f"{member.name} defaults to {given}, the schema has no default"
                self.add("TS415", text, member.span, one)
        elif expected and not self.same_value(given, expected):
            text = f"{member.name} defaults to {given or '{}'}, the schema says {expected}"
            self.add("TS414", text, member.span, one)

    def _without_type(self, spelled: str, member: Member) -> str:
        """Return `{}` for `Type()`, and `x` for `Type{x}`, if `Type` is the type of the member.

        Return an expression such as `Type(x)` unchanged if `Type{x}` could have another meaning, as
        for containers.
        """
        type_, arguments = cpp_value.construction(spelled)
        if not type_ or (arguments and spelled[-1] == ")" and not _PLAIN.search(type_)):
            return spelled
        place = self.found.inside
        own = self.lookup.tokens(member.type, place)
        is_own = self.lookup.alike(self.lookup.tokens(type_, place), own)
        return (arguments or "{}") if is_own else spelled

    def value(self, spelled: str) -> object:
        """Return the value of an expression in the class; None if it is not simple enough."""
        return cpp_value.value(spelled, lambda name: self._constant(last_name(name)))

    def _constant(self, name: str) -> str:
        return self.found.constants.get(name, ("", None))[0]

    def same_value(self, given: str, expected: str) -> bool:
        """Return whether two expressions have the same value.

        If a value is unknown, compare the texts. If `given` is a name with an unknown value and
        `expected` is not a name, return True.
        """
        one, other = self.value(given), self.value(expected)
        if one is not None and other is not None:
            return cpp_value.same(one, other)
        if cpp_value.is_name(given) and not cpp_value.is_name(expected):
            return True
        given, expected = cpp_value.with_plain_texts(given), cpp_value.with_plain_texts(expected)
        return self.lookup.same_type(given, self.found.inside, expected)

    def _is_own_start(self, one: FieldDef, given: str) -> bool:
        """Return whether `given` is the initial value that the generator would write."""
        own = self.names.initialiser(self.cls, one).partition("= ")[2]
        place = self.found.inside
        return given == own or (
            bool(given and own)
            and self.lookup.alike(self.lookup.tokens(given, place), self.lookup.tokens(own, place))
        )

    # --- constants

    def customs(self) -> dict[str, frozenset[str]]:
        """Return class name -> names of its methods, for functions of `equality`."""
        return {self.cls.obj: frozenset(self.found.methods)}

    def _kind(self) -> None:
        name = "_type_s_eq_hash_kind"
        written, span = self.found.constants.get(name, ("", self.found.span))
        kind = last_name(written)
        expected = abi.STRUCTURAL_KINDS_IN_C.get(equality.stated_kind(self.cls, self.customs()), "")
        given = "" if kind == _UNSUPPORTED != expected else kind
        effective = equality.effective_kind(self.cls, self.customs())
        if self._is_said_by_reducers(expected) or given == expected:
            return
        if not expected and given == abi.STRUCTURAL_KINDS_IN_C.get(effective):
            return  # the class states the kind that it would otherwise inherit
        fix = [Edit(span, expected or _UNSUPPORTED)] if name in self.own.constants else []
        if not written:
            fix = fixes.constant(self.own, "TVMFFISEqHashKind", name, expected)
        text = f"the kind of structural equality is {given or 'not stated'}"
        self.add("TS417", f"{text}, the schema says {expected or 'none'}", span, fix=fix)

    def _is_said_by_reducers(self, kind: str) -> bool:
        """Return whether the class is in the classic dialect, where SEqualReduce implies `kind`."""
        macro = self.found.macro
        is_classic = macro is not None and macro.is_classic
        plain = kind in ("", abi.STRUCTURAL_KINDS_IN_C["tree"], abi.STRUCTURAL_KINDS_IN_C["var"])
        return is_classic and plain and "SEqualReduce" in self.found.methods

    def _slots(self) -> None:
        name = "_type_child_slots"
        written, span = self.found.constants.get(name, ("", self.found.span))
        given, wanted = self.value(written), self.cls.slots
        if written and type(given) is int and given != wanted:
            few = "too few" if given < wanted else "more than needed"
            text = f"{given} child slots are {few}; the schema computes {wanted}"
            fix = [Edit(span, str(wanted))] if name in self.own.constants else []
            self.add("TS422", text, span, fix=fix)
        elif not written and wanted and slots.must_state(self.cls):
            macro = self.found.macro
            if macro is not None and macro.is_final:
                return  # a final class has no slots, see TS424
            text = f"no child slots are stated; the schema computes {wanted}"
            fix = fixes.constant(self.own, "const uint32_t", name, str(wanted))
            self.add("TS422", text, span, fix=fix)
