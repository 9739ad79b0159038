# SPDX-License-Identifier: Apache-2.0
"""Rules for hand-written C++: where it does not say what the schema says."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable

from ..back import cpp_object
from ..back.cpp_type import CppNames
from ..back.writer import CppOptions
from ..diag import Bag, Edit, near
from ..ir import FieldDef
from ..passes import equality, slots
from ..passes.program import Class, Program
from . import fixes
from .cpp_facts import Chain, CppClass, Member, Sources, last_name
from .registration import Registration

_QUALIFIER = re.compile(r"(?:\b\w+)?::")


def run(program: Program, sources: Sources, bag: Bag, strict: bool) -> None:
    """Report every place where sources and schema differ."""
    names = CppNames(program, CppOptions(ffi=""), "")
    chains = _by_target(sources.chains)
    for cls in program.order:
        if cls.obj not in sources.classes:
            hint = near(cls.obj, sources.classes)
            bag.add("TS401", f"there is no C++ class {cls.obj}", cls.span, help=hint)
            continue
        found = _with_templates(sources.classes[cls.obj], sources)
        check = _Check(cls, found, sources, names, bag, chains.get(cls.obj, []))
        check.run()
    known = {c.obj for c in program.order}
    for found in sources.classes.values():
        is_object = found.macro is not None and len(found.macro.args) in (2, 3)
        is_ref = "REF_METHODS" in (found.macro.name if found.macro else "")
        if is_object and not is_ref and found.name not in known:
            severity = "error" if strict else "note"
            text = f"{found.name} is not in the schema"
            bag.add("TS402", text, found.span, severity=severity)


def _with_templates(found: CppClass, sources: Sources) -> CppClass:
    """Return a class with what it has from a template between it and its parent."""
    if not any("<" in base for base in found.bases):
        return found
    bases, members = [], list(found.members)
    for base in found.bases:
        above = sources.classes.get(last_name(base.partition("<")[0])) if "<" in base else None
        if above is None or above.macro is not None:
            bases.append(base)
        else:
            bases += above.bases
            members = [*above.members, *members]
    return dataclasses.replace(found, bases=bases, members=members)


def _by_target(chains: Iterable[Chain]) -> dict[str, list[Chain]]:
    found: dict[str, list[Chain]] = {}
    for chain in chains:
        found.setdefault(chain.target, []).append(chain)
    return found


def plain_type(text: str, aliases: dict[str, str] | None = None) -> str:
    """Return a type without namespaces and blanks, with aliases replaced."""
    text = _QUALIFIER.sub("", text.replace(" ", "").replace("const&", ""))
    for _ in range(8):
        replaced = re.sub(
            r"\w+", lambda m: _QUALIFIER.sub("", (aliases or {}).get(m[0], m[0])), text
        ).replace(" ", "")
        if replaced == text:
            break
        text = replaced
    return text


class _Check(Registration):
    """Compares one class."""

    def __init__(
        self,
        cls: Class,
        found: CppClass,
        sources: Sources,
        names: CppNames,
        bag: Bag,
        chains: list[Chain],
    ) -> None:
        self.cls = cls
        self.found = found
        self.sources = sources
        self.names = names
        self.bag = bag
        self.object_chains = [c for c in chains if c.kind == "ObjectDef"]
        self.attr_chains = [c for c in chains if c.kind == "TypeAttrDef"]

    def same(self, one: str, other: str) -> bool:
        return plain_type(one, self.sources.aliases) == plain_type(other, self.sources.aliases)

    def run(self) -> None:
        if self.found.damaged:
            text = f"a part of the body of {self.found.name} could not be read"
            self.bag.add("TS428", text, self.found.span)
        self._macro()
        self._members()
        self._constants()
        self.registration()
        self._constructors()
        self._methods()
        self._reference()

    # --- head and macro

    def _macro(self) -> None:
        cls, found = self.cls, self.found
        parent = last_name(self.names.object_class(cls.parent.type_key))
        bases = [last_name(base) for base in found.bases]
        if parent not in bases and not any("<" in base for base in found.bases):
            text = f"{found.name} derives from {', '.join(bases) or 'nothing'}, not from {parent}"
            self.add("TS404", text, found.base_span)
        for base in bases:
            other = self.sources.classes.get(base)
            if other is not None and other.macro is not None and "_FINAL" in other.macro.name:
                notes = f"{found.name} derives from {base}, which is final in C++"
                self.add("TS423", notes, found.base_span)
        macro = found.macro
        if macro is None:
            return
        args = macro.args
        if len(args) == 3:
            expected = f'"{cls.type_key}"'
            if args[0] != expected:
                fix = [Edit(macro.spans[0], expected)]
                text = f"the type key is {args[0]}, the schema says {expected}"
                self.add("TS403", text, macro.spans[0], fix=fix)
        in_macro = last_name(args[-1]) if args else ""
        if bases and in_macro not in bases and "REF_METHODS" not in macro.name:
            text = f"the macro names {in_macro}, the class derives from {bases[0]}"
            self.add("TS405", text, macro.spans[-1])
        if "FINAL" in macro.name and cls.children:
            children = ", ".join(c.obj for c in cls.children[:3])
            self.add("TS424", f"{found.name} is final, but has {children} below it", macro.span)

    # --- members

    def _members(self) -> None:
        members = {m.name: m for m in self.found.members}
        order = []
        for one in self.cls.d.fields:
            name = self.cls.member(one)
            member = members.get(name)
            if member is None:
                if one.reflect:
                    text = f"there is no member {name} in {self.found.name}"
                    self.add("TS412", text, self.found.span, help=near(name, members))
                continue
            order.append(name)
            expected = self.names.field_type(self.cls, one)
            if not self.same(member.type, expected):
                text = f"{name} has type {member.type}, the schema says {expected}"
                self.add("TS411", text, member.span, one)
            self._default(one, member)
        current = [m.name for m in self.found.members if m.name in order]
        if current != order:
            first = next(a for a, b in zip(current, order) if a != b)
            text = f"the members are in the order {', '.join(current)}, "
            self.add("TS412", text + f"the schema has {', '.join(order)}", members[first].span)
        known = {self.cls.member(f) for f in self.cls.d.fields}
        for member in self.found.members:
            if member.name not in known and member.access == "public":
                text = f"{member.name} is not in the schema"
                self.bag.add("TS427", text, member.span, help="or mark it reflect=False there")

    def _default(self, one: FieldDef, member: Member) -> None:
        expected = self.names.default(one)
        if one.default is not None and one.default.kind not in ("value", "cpp"):
            return
        given = member.default
        if one.name in self.cls.broken or given == self._own_start(one):
            return
        if expected and not given:
            text = f"{member.name} has no default, the schema says {expected}"
            self.add("TS415", text, member.span, one)
        elif given and not expected:
            if given not in ("0", "nullptr", "0.0", "false", "std::nullopt"):
                text = f"{member.name} defaults to {given}, the schema has no default"
                self.add("TS415", text, member.span, one)
        elif given and not self.same(given, expected):
            text = f"{member.name} defaults to {given}, the schema says {expected}"
            self.add("TS414", text, member.span, one)

    def _own_start(self, one: FieldDef) -> str:
        """Return what the generator itself writes for a member without a default."""
        return self.names.initialiser(self.cls, one).partition("= ")[2]

    # --- constants

    def _constants(self) -> None:
        constants = self.found.constants
        stated = equality.stated_kind(self.cls, self._customs())
        given, span = constants.get("_type_s_eq_hash_kind", ("", self.found.span))
        expected = equality.CPP_KINDS.get(stated, "")
        if last_name(given) == "kTVMFFISEqHashKindUnsupported":
            given = ""
        if self._is_said_by_reducers(expected):
            pass
        elif last_name(given) != expected and (given or expected):
            inherited = not expected and given == equality.CPP_KINDS.get(
                equality.effective_kind(self.cls, self._customs())
            )
            if not inherited:
                fix = [Edit(span, expected or "kTVMFFISEqHashKindUnsupported")]
                if not given:
                    name = "_type_s_eq_hash_kind"
                    fix = fixes.constant(self.found, "TVMFFISEqHashKind", name, expected)
                text = f"the kind of structural equality is {given or 'not stated'}"
                self.add("TS417", f"{text}, the schema says {expected or 'none'}", span, fix=fix)
        given, span = constants.get("_type_child_slots", ("", self.found.span))
        if given.isdigit() and int(given) != self.cls.slots:
            few = "too few" if int(given) < self.cls.slots else "more than needed"
            text = f"{given} child slots are {few}; the schema computes {self.cls.slots}"
            self.add("TS422", text, span, fix=[Edit(span, str(self.cls.slots))])
        elif not given and self.cls.slots and slots.must_state(self.cls):
            text = f"no child slots are stated; the schema computes {self.cls.slots}"
            value = str(self.cls.slots)
            fix = fixes.constant(self.found, "const uint32_t", "_type_child_slots", value)
            self.add("TS422", text, span, fix=fix)

    def _is_said_by_reducers(self, kind: str) -> bool:
        """Tell whether a class of the classic dialect states its kind by having reducers."""
        macro = self.found.macro
        is_classic = macro is not None and macro.name.startswith("TVM_DECLARE_")
        plain = kind in ("", equality.CPP_KINDS["tree"], equality.CPP_KINDS["var"])
        return is_classic and plain and "SEqualReduce" in self.found.methods

    def _customs(self) -> dict[str, frozenset[str]]:
        return {self.found.name: frozenset(self.found.methods)}

    # --- constructors, methods, reference class

    def _constructors(self) -> None:
        if not self.cls.d.ctor or not self.cls.init_fields() or not self.found.constructors:
            return
        if cpp_object.hand_inits(self.cls):
            return  # it need not follow the fields
        expected = [
            plain_type(p.rpartition(" ")[0], self.sources.aliases)
            for p in cpp_object.parameters(self.cls, self.names, for_reference=False)
        ]
        given = [[_parameter_type(p, self.sources) for p in c] for c, _ in self.found.constructors]
        full = [c for c in given if c and c != ["UnsafeInit"]]
        if full and expected not in given:
            span = next(s for c, s in self.found.constructors if c)
            wanted = ", ".join(cpp_object.parameters(self.cls, self.names, for_reference=False))
            text = f"no constructor of {self.found.name} follows the fields"
            self.add("TS419", text, span, help=f"{self.found.name}({wanted})")

    def _methods(self) -> None:
        for method in self.cls.d.methods:
            if not method.native or method.name == "__init__":
                continue
            name = method.cpp_name or method.name
            head = "".join(cpp_object.signature(method, self.names, cls=self.cls))
            if name not in self.found.methods:
                span = method.span or self.cls.span
                text = f"{self.found.name} has no method {name}"
                self.bag.add("TS420", text, span, help=f"declare  {' '.join(head.split())};")
                continue
            _, span = self.found.methods[name]
            if _shape(head) not in map(_shape, self.found.overloads[name]):
                text = f"method {name} has another signature than the schema"
                self.add("TS420", text, span, help=f"declare  {' '.join(head.split())};")

    def _reference(self) -> None:
        cls = self.cls
        if not cls.ref:
            return
        found = self.sources.classes.get(cls.ref)
        if found is None:
            self.add("TS421", f"there is no reference class {cls.ref}", self.found.span)
            return
        parent = last_name(self.names.ref_class(cls.parent.type_key))
        if parent not in [last_name(base) for base in found.bases]:
            fix = [Edit(found.base_span, parent)] if len(found.bases) == 1 else []
            self.add("TS421", f"{cls.ref} does not derive from {parent}", found.base_span, fix=fix)
        macro = found.macro
        if macro is None or "REF_METHODS" not in macro.name or len(macro.args) != 3:
            self.add("TS421", f"{cls.ref} has no macro for reference classes", found.span)
            return
        if last_name(macro.args[2]) != cls.obj:
            text = f"{cls.ref} refers to {macro.args[2]}, not to {cls.obj}"
            self.add("TS421", text, macro.spans[2], fix=[Edit(macro.spans[2], cls.obj)])
        if last_name(macro.args[1]) != parent:
            text = f"the macro says that {cls.ref} derives from {macro.args[1]}, not from {parent}"
            self.add("TS421", text, macro.spans[1], fix=[Edit(macro.spans[1], parent)])
        assert cls.d.ref is not None
        if ("NOTNULLABLE" in macro.name) == cls.d.ref.nullable:
            word = "NULLABLE" if cls.d.ref.nullable else "NOTNULLABLE"
            name = f"TVM_FFI_DEFINE_OBJECT_REF_METHODS_{word}"
            text = f"{cls.ref} is {'not ' if cls.d.ref.nullable else ''}nullable in C++"
            self.add("TS421", text, macro.span, fix=[Edit(macro.span, name)])


def _parameter_type(text: str, sources: Sources) -> str:
    text = text.partition("=")[0].strip()
    name = re.search(r"[\s>&*](\w+)$", text)
    if name:
        text = text[: name.start(1)]
    return plain_type(text, sources.aliases)


def _shape(text: str) -> str:
    """Return a signature without names of parameters, defaults, namespaces and blanks."""
    head, _, rest = text.partition("(")
    inner, _, tail = rest.rpartition(")")
    params = [_parameter_type(p, Sources()) for p in _split(inner)]
    words = [w for w in head.split() if w not in ("inline", "virtual", "TVM_FFI_INLINE")]
    name = words[-1] if words else ""
    returns = "".join(plain_type(word) for word in words[:-1])
    const = "const" if "const" in tail else ""
    return f"{returns} {last_name(name)}({','.join(params)}){const}"


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "<({") - (char in ">)}")
        if char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [p for p in (*parts, text[start:]) if p.strip()]
