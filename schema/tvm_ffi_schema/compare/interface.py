# SPDX-License-Identifier: Apache-2.0
"""Compare the parts of a class that callers use: constructors, methods, the reference class."""

from __future__ import annotations

from ..back import cpp_methods, cpp_object, cpp_ref
from ..cxx import signatures
from ..cxx.constructs import TABLE
from ..cxx.model import CppClass, joined_name, last_name
from ..diag import Edit
from ..ir import MethodDef, Span
from .class_check import ClassCheck


class Interface(ClassCheck):
    """Checks the interface of one class."""

    def interface(self) -> None:
        """Report differences between the interface and the schema, and missing parts."""
        self._constructors(self.found, for_reference=False)
        self._methods()
        self._reference()

    def _constructors(self, found: CppClass, *, for_reference: bool) -> None:
        """Compare the constructors of an object class or a reference class with the schema.

        A constructor that takes all fields must take them in the order of the schema. A reference
        class may have constructors with other parameters.
        """
        cls = self.cls
        if not cls.d.ctor or not cls.init_fields() or not found.constructors:
            return
        if cpp_object.hand_inits(cls):
            return  # hand-written constructors may have any parameters
        wanted = cpp_object.parameters(cls, self.names, for_reference=for_reference)
        order = [signatures.name(one) for one in wanted]
        expected = self._types(wanted, found)
        copies = self.lookup.tokens(found.name, found.inside)
        others: list[tuple[Span, str]] = []
        for given, span in ((f.params, f.span) for f in found.constructors):
            names, types = [signatures.name(one) for one in given], self._types(given, found)
            takes_all = sorted(names) == sorted(order)
            if takes_all and names != order:
                text = f"a constructor of {found.name} takes its arguments in another order"
                others.append((span, text))
            elif signatures.all_alike(types, expected, self.lookup):
                return
            elif (takes_all or not (for_reference or types in ([], [copies]))) and last_name(
                types[0][-1]
            ) != "UnsafeInit":
                others.append((span, f"no constructor of {found.name} follows the fields"))
        if others:
            span, text = others[0]
            self.add("TS419", text, span, help=f"{found.name}({', '.join(wanted)})")

    def _types(self, parameters: list[str], found: CppClass) -> list[signatures.Type]:
        return [signatures.parameter(one, self.lookup, found.inside) for one in parameters]

    def _methods(self) -> None:
        entries = [e for chain in self.object_chains for e in chain.entries]
        registered = {e.name: e for e in entries if e.method in ("def", "def_static")}
        for method in self.cls.d.methods:
            if not method.native or method.name == "__init__":
                continue
            entry = registered.get(method.name)
            name = method.cpp_name or method.name
            owner = self._owner(name)
            if owner is not None:
                self._signature(method, name, owner)
            elif entry is None or (entry.args[:1] and entry.args[0].startswith("&")):
                head = " ".join(
                    "".join(cpp_methods.signature(method, self.names, cls=self.cls)).split()
                )
                text = f"{self.found.name} has no method {name}"
                span = method.span or self.cls.span
                self.bag.add("TS420", text, span, help=f"declare  {head};")
                continue
            if entry is None and self.object_chains:
                text = f"method {method.name!r} of {self.cls.type_key} is not registered"
                place = self.found.span if owner is None else owner.methods[name][-1].span
                line = f'.def("{method.name}", &{self.found.name}::{name})'
                if method.static:
                    line = line.replace(".def(", ".def_static(")
                self.add("TS420", text, place, help=f"add  {line}")

    def _owner(self, name: str) -> CppClass | None:
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

    def _signature(self, method: MethodDef, name: str, owner: CppClass) -> None:
        head = " ".join("".join(cpp_methods.signature(method, self.names, cls=self.cls)).split())
        wanted = signatures.shape(head, self.lookup, self.found.inside)
        given = [
            signatures.shape(one.text, self.lookup, self.found.inside)
            for one in owner.methods[name]
        ]
        if not any(signatures.alike(wanted, one, self.lookup) for one in given):
            text = f"method {name} has another signature than the schema"
            self.add("TS420", text, owner.methods[name][-1].span, help=f"declare  {head};")

    # --- the reference class

    def _reference(self) -> None:
        cls = self.cls
        if not cls.ref:
            return
        scopes = (cls.namespace, self.own.place.scope)
        found = next((c for s in scopes if (c := self._class_at(s)) is not None), None)
        if found is None:
            text = f"there is no reference class {cls.ref}"
            self.add(
                "TS421", text, self.found.span, help="write it, or `ref = False` in the schema"
            )
            return
        parent = self.names.ref_class(cls.parent.type_key)
        spelled = self.spelled().ref_class(cls.parent.type_key)
        is_parent = [self.lookup.same_class(base, found.inside, parent) for base in found.bases]
        if not any(is_parent) and not any("<" in base for base in found.bases):
            fix = [Edit(found.base_span, spelled)] if len(found.bases) == 1 else []
            text = f"{cls.ref} does not derive from {last_name(parent)}"
            self.add("TS421", text, found.base_span, fix=fix)
        macro = found.macro
        if macro is None or not found.declares_reference:
            self.add("TS421", f"{cls.ref} has no macro for reference classes", found.span)
            return
        meant = self.lookup.find(macro.text("cls"), found.inside)
        if meant is not self.own and last_name(macro.text("cls")) != cls.obj:
            text = f"{cls.ref} refers to {macro.text('cls')}, not to {cls.obj}"
            self.add("TS421", text, macro.place("cls"), fix=[Edit(macro.place("cls"), cls.obj)])
        if not self.lookup.same_class(macro.text("parent"), found.inside, parent):
            text = f"the macro says that {cls.ref} derives from {macro.text('parent')}, "
            text += f"not from {last_name(parent)}"
            self.add(
                "TS421", text, macro.place("parent"), fix=[Edit(macro.place("parent"), spelled)]
            )
        self._nullability(found)
        if cpp_ref.has_constructor(cls):
            self._constructors(found, for_reference=True)

    def _class_at(self, scope: str) -> CppClass | None:
        return self.sources.classes.get(joined_name(scope, self.cls.ref))

    def _nullability(self, found: CppClass) -> None:
        cls, macro = self.cls, found.macro
        assert cls.d.ref is not None
        assert macro is not None
        nullable = cls.d.ref.nullable
        if macro.is_nullable == nullable:
            return
        dialect = "classic" if macro.is_classic else "modern"
        name = TABLE.row("BODY", "ref", nullable, dialect).first
        text = f"{cls.ref} is {'not ' if nullable else ''}nullable in C++"
        self.add("TS421", text, macro.word, fix=[Edit(macro.word, name)])
