# SPDX-License-Identifier: Apache-2.0
"""The public names of the C and C++ headers, read from the XML of Doxygen.

Overloads of one function are one name. Not counted are names in ``detail``, specialisations of
templates and their members, copy and move operations, and the expansions of macros in a class.
"""

from __future__ import annotations

import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from docs_site import doxygen_text
from repository import ROOT

TOP = "include/tvm/ffi/"
_SCOPES = frozenset(("class", "struct", "union"))
#: Names that mean the same in every class -> their description, for classes without a comment.
CONVENTIONS = {
    "_type_child_slots": "Number of type indices that are reserved for derived classes.",
    "_type_child_slots_can_overflow": "Whether more derived classes than reserved slots may exist.",
    "_type_depth": "Number of ancestors of the class.",
    "_type_final": "Whether no class may derive from this one.",
    "_type_index": "The static type index of the class.",
    "_type_is_nullable": "Whether a reference may be null; `None` is then accepted from Python.",
    "_type_key": "The type key of the class.",
    "_type_mutable": "Whether a reference gives access to a mutable object.",
    "_type_s_eq_hash_kind": "The structural kind of the class.",
    "_GetOrAllocRuntimeTypeIndex": "Return the type index; register the type at the first call.",
    "GetRefusal": "Return why a value was refused although its type is right.",
    "RuntimeTypeIndex": "Return the type index; register the type at the first call.",
    "ContainerType": "The class of the object behind the reference.",
    "TypeSchema": "Return the type as the JSON text of the metadata.",
    "value_type": "The type of an element.",
    "key_type": "The type of a key.",
    "mapped_type": "The type of a value.",
    "size_type": "The type of a number of elements.",
    "difference_type": "The type of a distance between iterators.",
    "pointer": "The type of a pointer to an element.",
    "reference": "The type of a reference to an element.",
    "iterator_category": "The category of the iterator.",
    "iterator": "The iterator over the elements.",
    "const_iterator": "The iterator over the elements; they cannot be changed through it.",
    "reverse_iterator": "The iterator over the elements from the last to the first.",
    "const_reverse_iterator": "The iterator from the last element to the first, read only.",
    "begin": "Return an iterator to the first element.",
    "end": "Return the iterator behind the last element.",
    "rbegin": "Return a reverse iterator to the last element.",
    "rend": "Return the reverse iterator before the first element.",
    "size": "Return the number of elements.",
    "empty": "Return whether there is no element.",
    "swap": "Exchange the values of two objects.",
    "operator*": "Return the value that is pointed to.",
    "operator->": "Access a member of the value that is pointed to.",
    "operator++": "Move to the next element.",
    "operator--": "Move to the element before.",
    "operator==": "Return whether both are equal.",
    "operator!=": "Return whether both differ.",
    "operator<": "Return whether this value is less than the other.",
    "operator>": "Return whether this value is greater than the other.",
    "operator<=": "Return whether this value is not greater than the other.",
    "operator>=": "Return whether this value is not less than the other.",
    "operator Untyped": "Return the same array without its type.",
    "operator+": "Return the sum, or the concatenation.",
    "operator-": "Return the difference.",
    "operator<<": "Write the value to a stream, or shift it left.",
    "operator bool": "Return whether there is a value.",
    "operator[]": "Return the element at an index or of a key.",
    "operator()": "Call the object.",
    "get": "Return the pointer or the value.",
    "value": "The result.",
    "get_mutable": "Return a pointer that allows changes.",
    "convert_enabled": "Whether values of the type can be passed to and from functions.",
    "storage_enabled": "Whether an `Any` can hold the type.",
    "field_static_type_index": "The type index that a field of the type reports.",
    "_type_container_is_exact": "Whether a container of the type has only elements of its type.",
    "TypeStr": "Return the name of the type, for messages.",
    "CopyToAnyView": "Write the value to a view that borrows it.",
    "MoveToAny": "Move the value into an owning `TVMFFIAny`.",
    "CheckAnyStrict": "Return whether a value has exactly this type, without a conversion.",
    "CopyFromAnyViewAfterCheck": "Read a value for which `CheckAnyStrict` is true.",
    "MoveFromAnyAfterCheck": "Take a value for which `CheckAnyStrict` is true.",
    "TryCastFromAnyView": "Convert a value; the result is empty if it cannot be converted.",
    "GetMismatchTypeInfo": "Return the type of a value that cannot be converted, for messages.",
    "GetOverflowInfo": "Return why a number is out of range, for messages.",
    "Apply": "Add the property to the information that is registered.",
}
#: Matches the macros of a family that share one comment, above the first macro of the family.
_FAMILY = re.compile(r"(TVM_FFI_(?:RET_)?[ID]?CHECK)_(?:LT|GT|LE|GE|EQ|NE|NOTNULL)$")


@dataclass
class Name:
    """A public name with all its declarations."""

    header: str
    scope: str
    name: str
    kind: str
    declarations: list[tuple[str, str]] = field(default_factory=list)
    line: int = 0

    @property
    def qualified(self) -> str:
        """The name with its namespaces and classes."""
        return f"{self.scope}::{self.name}" if self.scope else self.name

    @property
    def is_described(self) -> bool:
        """Whether a declaration has a comment, or a description from `CONVENTIONS`."""
        return any(text for _, text in self.declarations)


def run_doxygen(root: Path, output: Path) -> Path:
    """Write the XML of the headers below ``root`` into a folder; return the folder of the XML."""
    output.mkdir(parents=True, exist_ok=True)
    settings = (ROOT / "docs" / "Doxyfile").read_text() + f"OUTPUT_DIRECTORY = {output}\n"
    done = subprocess.run(
        ["doxygen", "-"], input=settings, cwd=root, text=True, capture_output=True
    )
    if done.returncode:
        raise RuntimeError(f"doxygen failed:\n{done.stderr}")
    return output / "xml"


def names(xml: Path) -> list[Name]:
    """Return all public names, in the order of headers and lines."""
    found: dict[tuple[str, str, str], Name] = {}
    compounds = {compound.get("id"): compound for compound in _compounds(xml)}
    for compound in compounds.values():
        for header, scope, name, kind, declaration, text, line in _declared(compound, compounds):
            entry = found.setdefault((scope, name, kind), Name(header, scope, name, kind, [], line))
            if all(declaration != known for known, _ in entry.declarations):
                entry.declarations.append((declaration, text))
    _apply_conventions(found)
    # The sort is stable, so the values of an enumeration keep their order.
    return sorted(found.values(), key=lambda n: (n.header, n.line))


def is_of_c(header: str) -> bool:
    """Return whether a header is one of C."""
    return PurePosixPath(header).name.startswith("c_")


def gaps(xml: Path) -> tuple[dict[str, int], list[str]]:
    """Return the number of names of C and of C++, and a line for each name without a text."""
    found = names(xml)
    in_c = sum(is_of_c(name.header) for name in found)
    bare = [name for name in found if not name.is_described]
    lines = [f"{TOP}{name.header}:{name.line}: {name.qualified}: no text" for name in bare]
    return {"C": in_c, "C++": len(found) - in_c}, lines


def _apply_conventions(found: dict[tuple[str, str, str], Name]) -> None:
    for entry in found.values():
        if entry.is_described:
            continue
        own = entry.scope.rpartition("::")[2]
        family = _FAMILY.match(entry.name)
        first = found.get((entry.scope, f"{family[1]}_LT", "define")) if family else None
        if entry.kind == "function" and entry.name == own:
            text = "Create the value."
        elif first is not None and first is not entry:
            text = first.declarations[0][1]
        elif own == "StaticTypeKey":
            text = f"The type key of the type index ``{entry.name}``."
        else:
            text = CONVENTIONS.get(entry.name, "")
        entry.declarations = [(declaration, text) for declaration, _ in entry.declarations]


def _compounds(xml: Path) -> Iterator[ET.Element]:
    for compound in ET.parse(xml / "index.xml").getroot().iter("compound"):
        if compound.get("kind") in (*_SCOPES, "namespace", "file"):
            found = ET.parse(xml / f"{compound.get('refid')}.xml").getroot().find("compounddef")
            if found is not None:
                yield found


def _declared(
    compound: ET.Element, compounds: dict[str | None, ET.Element]
) -> Iterator[tuple[str, str, str, str, str, str, int]]:
    kind = compound.get("kind", "")
    full = compound.findtext("compoundname") or ""
    if "<" in full or "detail" in full.split("::") or _is_private(compound):
        return
    if kind in _SCOPES:
        where = _header(compound)
        if where is None:
            return
        scope, _, name = full.rpartition("::")
        text = doxygen_text.of(compound)
        yield (where, scope, name, kind, _template(compound) + name, text, _line(compound))
        for base in _private_bases(compound, compounds):
            for member in base.iter("memberdef"):
                if not _is_private(member):
                    yield from _members(member, where, full)
    in_c = kind == "file"
    for member in compound.iter("memberdef"):
        where = _header(member)
        if where is None or _is_private(member):
            continue
        if in_c and not is_of_c(where) and member.get("kind") != "define":
            continue
        scope = "" if in_c else full
        yield from _members(member, where, scope)


def _private_bases(
    compound: ET.Element, compounds: dict[str | None, ET.Element]
) -> Iterator[ET.Element]:
    """Yield the bases in ``detail``, whose members count as members of the class."""
    for reference in compound.findall("basecompoundref"):
        base = compounds.get(reference.get("refid"))
        if base is not None and "detail" in (base.findtext("compoundname") or "").split("::"):
            yield base
            yield from _private_bases(base, compounds)


def _members(member: ET.Element, header: str, scope: str) -> Iterator[tuple]:  # type: ignore[type-arg]
    kind = member.get("kind", "")
    name = member.findtext("name") or ""
    if kind in ("friend",) or _is_part_of_the_implementation(kind, name, scope, member):
        return
    text = doxygen_text.of(member)
    yield header, scope, name, kind, declaration(member, kind, name), text, _line(member)
    if kind == "enum":
        inner = f"{scope}::{name}" if scope and member.get("strong") == "yes" else scope
        for value in member.findall("enumvalue"):
            label = value.findtext("name") or ""
            text = f"{label} {(value.findtext('initializer') or '').strip()}".strip()
            doc = doxygen_text.of(value)
            yield header, inner if scope else "", label, "enumvalue", text, doc, _line(member)


def _is_part_of_the_implementation(kind: str, name: str, scope: str, member: ET.Element) -> bool:
    own = scope.rpartition("::")[2]
    if kind == "define":
        return name.endswith(("_", "_H")) or name.startswith("TVM_FFI_DETAIL_")
    if "<" in name or not name or name.startswith(("~", "@")):
        return True
    if re.fullmatch(r"[A-Z][A-Z0-9_]{5,}", name) and kind == "function":
        return True  # a macro in a class body, which Doxygen takes for a function
    if kind == "function" and name.endswith("_") and not scope:
        return True  # an inline function of C that other inline functions call
    if kind in ("variable", "typedef") and name.endswith("_") and scope:
        return name not in ("default_",)
    arguments = member.findtext("argsstring") or ""
    type_text = _flat(member.find("type"))
    if kind == "typedef" and re.fullmatch(rf"(?:struct|enum|union) {re.escape(name)}", type_text):
        return True  # `typedef struct A A` in C
    if kind == "function" and not type_text and "->" in arguments:
        return True  # a deduction guide
    if kind == "function" and not type_text and scope and not name.startswith(("operator", own)):
        return True  # an inherited constructor
    copies = re.match(rf"\((?:const )?{re.escape(own)}(?:<[^)]*>)? ?(?:&|&&) ?\w*\)", arguments)
    return bool(copies) and name in (own, "operator=") and bool(own)


def declaration(member: ET.Element, kind: str, name: str) -> str:
    """Return the declaration as the C++ domain of Sphinx reads it."""
    if kind == "define":
        params = [p.findtext("defname") or "" for p in member.findall("param")]
        return f"{name}({', '.join(params)})" if member.find("param") is not None else name
    if kind == "enum":
        return name
    type_text = _flat(member.find("type"))
    type_text = re.sub(r"\b(?:friend|inline|constexpr|TVM_FFI_\w+)\b ?", "", type_text).strip()
    arguments = member.findtext("argsstring") or ""
    arguments = re.sub(r"\s*=\s*(?:default|delete|0)$| TVM_FFI_\w+$", "", arguments)
    arguments = re.sub(r"&noexcept", "& noexcept", arguments)
    if kind == "typedef":
        definition = member.findtext("definition") or ""
        if definition.startswith("using "):
            return f"{_template(member)}{name} = {type_text}"
        return f"{type_text} {name}{arguments}"
    prefix = "static " if member.get("static") == "yes" and kind == "function" else ""
    if member.get("explicit") == "yes" and kind == "function":
        prefix += "explicit "
    text = f"{_template(member)}{prefix}{type_text} {name}{arguments}"
    return re.sub(r"\s+", " ", text).strip()


def _template(element: ET.Element) -> str:
    listed = element.find("templateparamlist")
    if listed is None:
        return ""
    parts = []
    for param in listed.findall("param"):
        text = _flat(param.find("type"))
        name = param.findtext("declname") or ""
        if name and not re.search(rf"\b{re.escape(name)}$", text):
            text = f"{text} {name}"
        default = _flat(param.find("defval"))
        if "enable_if" in text or "enable_if" in default:
            continue  # omit a condition on the types; the text of the comment states it
        parts.append(f"{text} = {default}" if default else text)
    return f"template<{', '.join(parts)}> " if parts else ""


def _flat(element: ET.Element | None) -> str:
    return "" if element is None else re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def _is_private(element: ET.Element) -> bool:
    return element.get("prot") in ("private", "protected")


def _header(element: ET.Element) -> str | None:
    location = element.find("location")
    file = "" if location is None else location.get("declfile") or location.get("file") or ""
    header = file.partition(TOP)[2]
    return header if header and not header.startswith("detail/") else None


def _line(element: ET.Element) -> int:
    location = element.find("location")
    return 0 if location is None else int(location.get("line") or 0)


def header_texts(xml: Path) -> dict[str, str]:
    """Return the text of the comment at the top of each header."""
    return {
        header: doxygen_text.of(compound)
        for compound in _compounds(xml)
        if compound.get("kind") == "file" and (header := _header(compound)) is not None
    }
