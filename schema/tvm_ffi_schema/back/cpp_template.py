# SPDX-License-Identifier: Apache-2.0
"""Write the class template of a mixin: its members, and constructors for derived classes."""

from __future__ import annotations

from ..ir import FieldDef
from ..link import templates
from ..link.program import Class
from ..link.templates import Template
from . import cpp_doc, cpp_object
from .cpp_type import CppNames
from .writer import Anchor, Pieces, with_inits


def emit(template: Template, names: CppNames) -> Pieces:
    """Return the template, with anchors for custom sections."""
    first = template.users[0]
    out: Pieces = [Anchor("before")]
    out += cpp_doc.comment(cpp_doc.of_class(template.mixin.doc, ""))
    parent = names.object_class(template.parent.type_key)
    out += ["template <typename T>", f"class {template.name} : public {parent} {{", " public:"]
    out.append(Anchor("head"))
    if any(one.access == "private" for one in template.fields):
        out += ["  friend T;  // constructs and registers the private members", ""]
    out += cpp_object.access_sections(first, template.fields, names)
    out += [Anchor("fields"), "", *_constructors(template, parent, names), Anchor("tail"), "};"]
    return [*out, Anchor("after")]


def _constructors(template: Template, parent: str, names: CppNames) -> list[str]:
    first = template.users[0]
    unset = [f for f in template.fields if names.is_unset(first, f)]
    tagged = isinstance(template.parent, Class) and names.needs_tag(template.parent)
    out = []
    if unset or tagged:
        tag = f"{names.options.ffi}UnsafeInit tag"
        inits = [f"{parent}(tag)"] if tagged else []
        inits += [f"{one.name}(tag)" for one in unset]
        out += with_inits(f"  explicit {template.name}", [tag], inits)
    else:
        out.append(f"  {template.name}() = default;")
    above = templates.parent_fields(template)
    own = [one for one in template.fields if one.init]
    if above or own:
        out += _full(template, above, own, parent, names)
    return out


def _full(
    template: Template,
    above: list[FieldDef],
    own: list[FieldDef],
    parent: str,
    names: CppNames,
) -> list[str]:
    first = template.users[0]
    params = [cpp_object.parameter(first, one, names, False) for one in (*above, *own)]
    inits, assigned = cpp_object.parent_made(first, names)
    inits += [f"{first.member(one)}({cpp_object.passed(one, names)})" for one in own]
    inits += [
        f"{one.name}({names.options.ffi}UnsafeInit{{}})"
        for one in template.fields
        if not one.init and names.is_unset(first, one)
    ]
    word = "explicit " if len(params) == 1 else ""
    lines = with_inits(f"  {word}{template.name}", params, inits)
    if assigned:
        lines[-1] = lines[-1][: -len("{}")] + "{"
        return [*lines, *assigned, "  }"]
    return lines
