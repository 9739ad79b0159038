# SPDX-License-Identifier: Apache-2.0
"""Find the mixins that become class templates in C++, and the classes that derive from them."""

from __future__ import annotations

from ..diag import Bag
from ..ir import FieldDef, MixinDef
from ..ir.names import stripped
from .program import Class, Foreign, Program


class Template:
    """The class template of a mixin.

    The classes `users` derive from the template, and the template derives from their common parent.
    """

    def __init__(self, mixin: MixinDef, first: Class) -> None:
        self.mixin = mixin
        self.parent = first.parent
        self.users = [first]

    @property
    def name(self) -> str:
        """Return the name in C++, with the suffix of object classes."""
        name = self.mixin.name
        return name if stripped(name) != name else f"{name}Node"

    @property
    def fields(self) -> list[FieldDef]:
        """Return the fields of the mixin, taken from the first user."""
        return [one for one in self.users[0].d.fields if one.mixin == self.mixin.name]


def assign(program: Program, bag: Bag) -> None:
    """Find the templates of a program; report mixins that cannot become templates."""
    owners = {m.name: mod for mod in program.schema.modules for m in mod.mixins if m.emit == "crtp"}
    for module in program.schema.modules:
        mixins = {one.name: one for one in module.mixins if one.emit == "crtp"}
        flat = {one.name for one in module.mixins if one.emit != "crtp"}
        for cls in program.of_module(module):
            found = [mixins[name] for name in cls.d.mixins if name in mixins]
            if len(found) > 1:
                text = f"{cls.d.name} has {len(found)} mixins with emit='crtp'; one is possible"
                bag.add("TS041", text, cls.span)
            for name in cls.d.mixins:
                if name in owners and name not in mixins and name not in flat:
                    text = f"{cls.d.name} uses the mixin {name} of {owners[name].stem}, which has"
                    help_ = "declare the class in that file, or leave emit out"
                    bag.add("TS041", f"{text} emit='crtp'", cls.span, help=help_)
            for mixin in found[:1]:
                _join(program, mixin, cls, bag)
    for template in program.templates.values():
        broken = set().union(*(user.broken for user in template.users))
        own = {one.name for one in template.fields}
        for user in template.users:
            user.broken |= broken & own


def _join(program: Program, mixin: MixinDef, cls: Class, bag: Bag) -> None:
    key = (cls.module.stem, mixin.name)
    template = program.templates.get(key)
    if template is None:
        template = program.templates[key] = Template(mixin, cls)
    elif template.parent.type_key != cls.parent.type_key:
        first = template.users[0]
        bag.add(
            "TS041",
            f"{cls.d.name} and {first.d.name} have different parents, and share the mixin "
            f"{mixin.name} with emit='crtp'",
            cls.span,
            notes=[(first.span, f"derives from {template.parent.type_key}")],
            help="give them one parent, or leave emit out",
        )
        return
    else:
        template.users.append(cls)
    cls.template = template


def of(cls: Class) -> Template | None:
    """Return the template that a class derives from, or None."""
    template = cls.template
    assert template is None or isinstance(template, Template)
    return template


def own_fields(cls: Class) -> list[FieldDef]:
    """Return the fields whose C++ members are in the class itself, and not in its template."""
    template = of(cls)
    if template is None:
        return list(cls.d.fields)
    return [one for one in cls.d.fields if one.mixin != template.mixin.name]


def parent_fields(template: Template) -> list[FieldDef]:
    """Return the fields that the constructor of a template passes to the parent's constructor."""
    return template.parent.init_fields() if not isinstance(template.parent, Foreign) else []
