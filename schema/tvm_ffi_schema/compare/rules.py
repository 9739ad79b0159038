# SPDX-License-Identifier: Apache-2.0
"""The rules of `validate`: which difference at which path is a finding, and what it says.

A line of the table has a pattern of paths, the signs of the differences (see `facts.different`),
the id of the finding, the function that decides, the function of `edits` that repairs, and the
text. In a text, `{name}` is the part of the path that `*` matches, `{cls}` the C++ class, `{key}`
the type key, `{here}` what the schema says and `{there}` what C++ says. The word `body` marks a
rule that is uncertain if a part of the class body was not read.

A function returns None if callers see no difference, or else further words for the text; without a
function, every difference is a finding. The words `span`, `help`, `label` and `notes` go into the
finding. For a library, `library` decides and writes the texts; the last rows are only for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from typing import Any, NamedTuple

from ..cxx import signatures, values
from ..cxx.constructs import TABLE
from ..cxx.model import Call, CppClass, last_name
from ..cxx.pattern import Construct
from ..diag import Edit, near
from ..ir import FieldDef, abi
from ..link import equality
from . import edits
from .facts import Fact, name_of, part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .class_check import ClassCheck

Words = dict[str, Any]
#: The function of a rule: (class, name, fact here, fact there) -> words; None without a difference.
Differs = Callable[["ClassCheck", str, Any, Any], "Words | None"]
#: The function that repairs a difference: (class, path, fact here, fact there) -> edits.
Fix = Callable[["ClassCheck", str, Any, Any], "list[Edit]"]


class Rule(NamedTuple):
    """One line of the table."""

    path: str
    signs: str
    code: str
    text: str
    differs: Differs | None = None
    fix: Fix | None = None
    is_of_body: bool = False


_UNSUPPORTED = "kTVMFFISEqHashKindUnsupported"
#: Types for which `Type(x)` and `Type{x}` have the same value.
_PLAIN = re.compile(r"(?:\A|::)(?:Bytes\Z|(?:Tuple|Variant)<)")
_RETURNED = re.compile(r"\[\]\(\)(?:->[^{]*)?\{return\b ?(?P<value>.*);\}\Z", re.DOTALL)


# --- head, macro and constants


def _bases(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    bases = there.value
    known = not any("<" in base for base in bases)
    # Some bases may come from base classes that are not object classes. In this case, report a
    # wrong base only if all bases are known.
    if bases != c.own.bases:
        known = known and all(c.lookup.find(base, c.found.inside) for base in bases)
    if not known or any(c.is_class(base, here.value[0]) for base in bases):
        return None
    names = ", ".join(last_name(base) for base in bases) or "nothing"
    return {"there": names, "here": last_name(here.value[0])}


def _unequal(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    return None if here.value == there.value else {}


def _class_name(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    named = last_name(there.value)
    if named == c.found.name or c.found.templates or named in c.found.params:
        return None
    return {"there": named, "here": c.found.name}


def _macro_parent(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    bases = [base for base in c.found.bases if "<" not in base]
    inside = c.found.inside
    if not bases or any(c.lookup.same_class(there.value, inside, b, inside) for b in bases):
        return None
    return {"there": last_name(there.value), "here": last_name(bases[0])}


def _has_children(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    if not there.value or not c.cls.children:
        return None
    return {"children": ", ".join(one.obj for one in c.cls.children[:3])}


def _final(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    if here.value == there.value or (there.value and c.cls.children):
        return None
    one, other = ("C++", "the schema")[:: 1 if there.value else -1]
    return {"one": one, "other": other, "help": "use the other macro, or change `final` there"}


def _kind(c: ClassCheck, name: str, here: Fact | None, there: Fact | None) -> Words | None:
    kind = last_name(there.value) if there is not None else ""
    expected = last_name(here.value) if here is not None else ""
    given = "" if kind == _UNSUPPORTED != expected else kind
    effective = equality.effective_kind(c.cls, c.customs())
    if given == expected or _is_said_by_reducers(c, expected):
        return None
    if not expected and given == abi.STRUCTURAL_KINDS_IN_C.get(effective):
        return None  # the class states the kind that it would otherwise inherit
    return {"there": given or "not stated", "here": expected or "none"}


def _is_said_by_reducers(c: ClassCheck, kind: str) -> bool:
    """Return whether the class is in the classic dialect, where SEqualReduce implies `kind`."""
    plain = kind in ("", abi.STRUCTURAL_KINDS_IN_C["tree"], abi.STRUCTURAL_KINDS_IN_C["var"])
    return c.is_classic and plain and "SEqualReduce" in c.found.methods


def _slots(c: ClassCheck, name: str, here: Fact | None, there: Fact) -> Words | None:
    given, wanted = c.value(there.value), c.cls.slots
    if type(given) is not int or given == wanted:
        return None
    return {"there": given, "few": "too few" if given < wanted else "more than needed"}


def _no_slots(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    # A final class has no slots: the rule about the macro says so.
    is_final = c.found.macro is not None and c.found.macro.is_final
    return None if is_final or not c.cls.slots else {}


def _constant(c: ClassCheck, name: str, here: Fact | None, there: Fact | None) -> Words | None:
    usual = c.usual(name)
    one = here.value if here is not None else usual
    other = there.value if there is not None else usual
    if not values.differ(c.value(one), c.value(other)):
        return None
    constant = TABLE.row("BODY", name.rpartition("/")[2]).constant
    return {"constant": constant, "here": one, "there": other if there else "not stated"}


# --- members


def _no_member(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    one = c.fields[name]
    members = [member.name for member in c.found.members]
    return {"help": near(name, members)} if one.reflect else None


def _unknown_member(c: ClassCheck, name: str, here: None, there: Fact) -> Words | None:
    return {"help": "or mark it reflect=False there", "notes": None}


def _type(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    return None if c.lookup.same_type(there.value, c.found.inside, here.value) else {}


def _default_words(c: ClassCheck, name: str, here: Fact, there: Fact) -> tuple[str, str] | None:
    """Return the default in C++ and in the schema; None if they are not compared."""
    one, member = c.fields[name], c.there[f"fields/{name}"].value
    if one.default is not None and one.default.kind not in ("value", "cpp"):
        return None
    given = _without_type(c, there.value, member.type)
    expected = _without_type(c, here.value, member.type) if here.value else ""
    if one.name in c.cls.broken or _is_own_start(c, one, given):
        return None
    return given, expected


def _no_default(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    words = _default_words(c, name, here, there)
    if words is None or words[0] or not words[1] or c.there[f"fields/{name}"].value.has_value:
        return None
    starts_empty = not c.names.is_plain(c.fields[name].type)
    if starts_empty and values.same(c.value(words[1]), values.ZERO):
        return None
    return {"here": words[1]}


def _extra_default(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    words = _default_words(c, name, here, there)
    if words is None or not words[0] or words[1] or values.same(c.value(words[0]), values.ZERO):
        return None
    return {"there": words[0]}


def _default(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    words = _default_words(c, name, here, there)
    has_value = c.there[f"fields/{name}"].value.has_value
    if words is None or not words[1] or not (words[0] or has_value):
        return None
    if _same_value(c, *words):
        return None
    return {"there": words[0] or "{}", "here": words[1]}


def _without_type(c: ClassCheck, spelled: str, type_: str) -> str:
    """Return `{}` for `Type()`, and `x` for `Type{x}`, if `Type` is the type of the member.

    Return an expression such as `Type(x)` unchanged if `Type{x}` could have another meaning, as for
    containers.
    """
    made, arguments = values.construction(spelled)
    if not made or (arguments and spelled[-1] == ")" and not _PLAIN.search(made)):
        return spelled
    place = c.found.inside
    is_own = c.lookup.alike(c.lookup.tokens(made, place), c.lookup.tokens(type_, place))
    return (arguments or "{}") if is_own else spelled


def _same_value(c: ClassCheck, given: str, expected: str) -> bool:
    """Return whether two expressions have the same value.

    If a value is unknown, compare the texts. If `given` is a name with an unknown value and
    `expected` is not a name, return True.
    """
    one, other = c.value(given), c.value(expected)
    if one is not None and other is not None:
        return values.same(one, other)
    if values.is_name(given) and not values.is_name(expected):
        return True
    given, expected = values.with_plain_texts(given), values.with_plain_texts(expected)
    return c.lookup.same_type(given, c.found.inside, expected)


def _is_own_start(c: ClassCheck, one: FieldDef, given: str) -> bool:
    """Return whether `given` is the initial value that the generator would write."""
    own = c.names.initialiser(c.cls, one).partition("= ")[2]
    return given == own or bool(given and own and c.same_tokens(given, own))


def _order(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    order = [one for one in here.value if one in there.value]
    current = [one for one in there.value if one in order]
    if current == order:
        return None
    first = next(a for a, b in zip(current, order) if a != b)
    span = c.there[f"fields/{first}"].span
    return {"there": ", ".join(current), "here": ", ".join(order), "span": span}


# --- constructors and methods


def _constructors(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    """Compare the constructors of an object class or a reference class with the schema.

    A constructor that takes all fields must take them in the order of the schema. A reference class
    may have constructors with other parameters.
    """
    is_ref = name.startswith("ref/")
    found: CppClass = c.there["ref"].value if is_ref else c.found
    wanted = here.value[0].params
    order = [signatures.name(one) for one in wanted]
    expected = c.parameters(wanted, found)
    copies = c.lookup.tokens(found.name, found.inside)
    others: list[Words] = []
    for one in there.value:
        names, types = [signatures.name(p) for p in one.params], c.parameters(one.params, found)
        takes_all = sorted(names) == sorted(order)
        if takes_all and names != order:
            text = f"a constructor of {found.name} takes its arguments in another order"
            others.append({"span": one.span, "text": text})
        elif signatures.all_alike(types, expected, c.lookup):
            return None
        elif (takes_all or not (is_ref or types in ([], [copies]))) and last_name(
            types[0][-1]
        ) != "UnsafeInit":
            text = f"no constructor of {found.name} follows the fields"
            others.append({"span": one.span, "text": text})
    return {**others[0], "help": f"{found.name}({', '.join(wanted)})"} if others else None


def _no_method(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    entries = [c.there.get(f"entries/{m.name}") for m in c.methods_of(name)]
    by_hand = all(one is not None and not one.value.text("member") for one in entries)
    if c.owner(name) is not None or by_hand:
        return None
    method = c.methods_of(name)[0]
    span = method.span or c.cls.span
    return {"span": span, "help": f"declare  {here.value[0].text};", "notes": None}


def _signature(c: ClassCheck, name: str, here: Fact, there: Fact | None) -> Words | None:
    owner = c.owner(name)
    if owner is None:
        return None
    given = [signatures.shape(f, c.lookup, c.found.inside) for f in owner.methods[name]]
    for one in here.value:
        wanted = signatures.shape(one, c.lookup, c.found.inside)
        if not any(signatures.alike(wanted, shape, c.lookup) for shape in given):
            return {"span": owner.methods[name][-1].span, "help": f"declare  {one.text};"}
    return None


# --- registration


def _no_entry(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    if here.value.kind not in ("ro", "rw"):
        return None
    statement, member = c.object_statements[0], c.there.get(f"fields/{c.member_of(name)}")
    obj = c.found.name
    line = f'.{here.value.method}("{name}", &{obj}::{c.member_of(name)})'
    calls = [call for one in c.object_statements for call in one.entries]
    known = ", ".join(repr(call.name) for call in calls)
    words = f"registration of {obj} starts here and has {known or 'nothing'}"
    return {
        "span": member.span if member is not None else statement.span,
        "help": f"add  {line}  or mark the field reflect=False",
        "label": "declared here" if member is not None else "",
        "notes": [(statement.span, words)] if member is not None else [],
    }


def _no_registered_method(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    call: Call = here.value
    if call.kind in ("ro", "rw"):
        return None
    if call.kind == "init":
        known = "entries/__ffi_init__" in c.there
        span = c.found.constructors[0].span if c.found.constructors else c.found.span
        line = f".def(refl::init<{call.text('types')}>())"
        return None if known else {"span": span, "help": f"add  {line}"}
    target = c.targets_of(name)[0]
    owner = c.owner(target)
    if owner is None:
        return None
    line = f'.{call.method}("{name}", &{c.found.name}::{target})'
    return {"span": owner.methods[target][-1].span, "help": f"add  {line}"}


def _unknown_entry(c: ClassCheck, name: str, here: None, there: Fact) -> Words | None:
    if there.value.kind in ("ro", "rw"):
        return {"help": near(name, c.reflected)}
    # A schema cannot declare a method with underscores, and C++ may register a method again that
    # an ancestor declares, or that has a body in Python.
    methods = [m.name for one in (c.cls, *c.cls.ancestors()) for m in one.d.methods]
    is_known = name.startswith("__") or there.value.kind == "init" or name in methods
    return None if is_known else {"help": near(name, methods)}


def _word(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    if here.value == there.value or "init" in (here.value, there.value):
        return None
    return {"here": here.text, "there": there.text}


def _target(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    """Compare the members for which an entry is registered; expressions are not compared."""
    given = [last_name(call.text("member")) for call in there.value if call.text("member")]
    is_field = name in c.reflected
    wanted = [c.member_of(name)] if is_field else c.targets_of(name)
    wrong = [one for one in given if one not in wanted]
    if not wrong or not (is_field or any(map(c.owner, wanted))):
        return None
    return {"there": wrong[0], "here": wanted[0]}


def _init(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    """Compare the registered constructors: the lists of the types of their parameters."""
    wanted, given = (
        [c.parameters(signatures.split(one), c.found) for one in fact.value]
        for fact in (here, there)
    )
    for types in wanted:
        if not any(signatures.all_alike(types, one, c.lookup) for one in given):
            return {"there": there.value[0] or "nothing", "here": here.value[0] or "nothing"}
    return None


def _twice(c: ClassCheck, name: str, here: None, there: Fact) -> Words | None:
    return {"notes": there.value, "help": "remove one of them"}


def _overloads(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    wanted = [call for call in here.value if call.text("member")]
    given: list[Call] = there.value
    return {"here": len(wanted), "there": len(given)} if len(given) < len(wanted) else None


def _flags(
    c: ClassCheck, name: str, here: Fact, there: Fact, unsaid: Set[str] = frozenset()
) -> Words | None:
    extra = ", ".join(sorted((set(here.value) ^ set(there.value)) - unsaid))
    return {"there": extra} if extra else None


def _class_flags(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    # A schema cannot say that a class with objects has no constructor for Python.
    return _flags(c, name, here, there, {"init(false)"} - set(here.value))


def _registered_default(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    one, given = c.reflected.get(name), there.value.text("value")
    default = one.default if one is not None else None
    if one is None or default is None or "value" not in (default.kind, there.value.kind):
        return _factory(c, here.value, there.value)
    if there.value.kind != "default" or default.kind != "value":
        return None
    expected = c.names.default(c.cls, one)
    if not values.differ(values.value(given), values.value(expected)):
        return None
    return {"there": given, "here": expected}


def _factory(c: ClassCheck, here: Construct, there: Construct) -> Words | None:
    """Compare the values that two factories return, if both are known."""
    found = [_RETURNED.match(one.text("value")) for one in (here, there)]
    if here.kind != there.kind or None in found:
        return None
    one, other = (m["value"] for m in found if m is not None)
    types = [values.construction(text) for text in (one, other)]
    differ = values.differ(c.value(one), c.value(other))
    if types[0][0] and types[1][0]:
        differ = not all(map(c.same_tokens, types[1], types[0]))
    return {"there": other, "here": one} if differ else None


def _doc(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    return None if here.value.split() == there.value.split() else {}


def _metadata(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    one, other = (values.with_plain_texts(fact.value) for fact in (here, there))
    return None if c.lookup.same_type(other, c.found.inside, one) else {}


def _no_metadata(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    return {} if name in c.reflected else None


def _attribute(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    one, other = here.value, there.value
    if one.startswith("&") and other.startswith("&"):
        return None if last_name(one) == last_name(other) else {}
    return {} if values.differ(c.value(one), c.value(other)) else None


def _no_attribute(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    span = c.object_statements[0].span if c.object_statements else c.found.span
    return {"span": span} if name in c.cls.d.type_attrs and c.object_statements else None


def _no_visit(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    line = f'v->Visit("{name}", &{c.member_of(name)});'
    methods = c.found.methods.get("VisitAttrs")
    span = methods[-1].span if methods else c.found.span
    return {"span": span, "help": f"add  {line}  to VisitAttrs"}


def _unknown_visit(c: ClassCheck, name: str, here: None, there: Fact) -> Words | None:
    return {"help": near(name, c.reflected)}


def _visited(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    member = last_name(there.value.removeprefix("this->"))
    wanted = c.member_of(name)
    is_known = member.isidentifier() and member != wanted
    return {"there": member, "here": wanted} if is_known else None


# --- enum entries


def _no_label(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    # An entry whose name is not a literal has an empty name; it may be any entry.
    if "labels/" in c.there or c.is_unsure:
        return None
    head = here.value.head
    number = f", {head.text('number')}" if head.text("number") else ""
    known = [*c.entry_statements, *c.object_statements]
    return {
        "span": known[0].span if known else c.found.span,
        "help": f'add  refl::{here.value.word}<{c.found.name}>("{name}"{number})',
        "notes": [*c.note_of_entry(name), *c.notes_of_templates()],
        "is_guess": bool(c.notes_of_templates()) and not c.entry_statements,
    }


def _number(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    given = there.value
    if values.is_name(given) or not values.differ(values.value(given), values.value(here.value)):
        return None
    return {"notes": c.note_of_entry(name), "name": c.entry_name(name)}


def _no_value(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    label, what = name.split("\n")
    statement, value = c.there[f"labels/{part(label)}"].value, here.value.text("value")
    return {
        "span": statement.span,
        "value": value,
        "what": what,
        "name": c.entry_name(label),
        "help": f'add  .set("{what}", {value})',
        "notes": c.note_of_entry(label),
    }


def _unknown_value(c: ClassCheck, name: str, here: None, there: Fact) -> Words | None:
    label, what = name.split("\n")
    above = f"labels/{part(label)}/set/"
    known = [name_of(path[len(above) :]) for path in c.here if path.startswith(above)]
    notes = c.note_of_entry(label)
    return {"what": what, "name": c.entry_name(label), "help": near(what, known), "notes": notes}


def _value(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    label, what = name.split("\n")
    call: Call = there.value
    expected = here.value.text("value")
    given = call.text("value")
    one, other = values.value(given), values.value(expected)
    if one is not None and other is not None:
        same = values.same(one, other)
    else:
        is_unknown = values.is_name(given) and not values.is_name(expected)
        place = c.there[f"labels/{part(label)}"].value.place
        same = is_unknown or c.lookup.same_type(given, place, expected)
    if same:
        return None
    return {
        "span": call.place("value"),
        "there": given,
        "here": expected,
        "what": what,
        "name": c.entry_name(label),
        "notes": c.note_of_entry(label),
    }


# --- reference class


def _no_reference(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    return {"help": "write it, or `ref = False` in the schema"}


def _no_macro(c: ClassCheck, name: str, here: Fact, there: None) -> Words | None:
    says_itself = f"{c.there['ref'].value.full}::ContainerType" in c.sources.aliases
    return None if says_itself else {"span": c.there["ref"].span}


def _ref_bases(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    inside = c.there["ref"].value.inside
    same = any(c.lookup.same_class(base, inside, here.value[0]) for base in there.value)
    unknown = any("<" in base for base in there.value)
    return None if same or unknown else {"here": last_name(here.value[0])}


def _ref_class(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    meant = c.lookup.find(there.value, c.there["ref"].value.inside)
    return None if meant is c.own or last_name(there.value) == c.cls.obj else {"here": c.cls.obj}


def _ref_name(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    found: CppClass = c.there["ref"].value
    is_own = last_name(there.value) in (found.name, *found.params)
    return None if is_own else {"there": last_name(there.value), "here": found.name}


def _ref_parent(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    same = c.lookup.same_class(there.value, c.there["ref"].value.inside, here.value)
    return None if same else {"here": last_name(here.value)}


def _nullable(c: ClassCheck, name: str, here: Fact, there: Fact) -> Words | None:
    return None if here.value == there.value else {"word": "not " if here.value else ""}


_TABLE = """
bases | ~ | TS404 | bases | {cls} derives from {there}, not from {here}
base | + | TS423 | | {cls} derives from {there}, which is final in C++
info/key | ~ | TS403 | unequal, replace | the type key is "{there}", the schema says "{here}"
info/class | ~ | TS405 | class_name, replace | the macro names {there}, the class is {here}
info/parent | ~ | TS405 | macro_parent | the macro names {there}, the class derives from {here}
info/final | ~ | TS424 | has_children | {cls} is final, but has {children} below it
info/final | ~ | TS424 | final, macro | {cls} is final in {one}, not in {other}
fields/* | - | TS412 body | no_member | there is no member {name} in {cls}
fields/* | + | TS427 body | unknown_member | {name} is not in the schema
fields/*/type | ~ | TS411 body | type | {name} has type {there}, the schema says {here}
fields/*/access | ~ | TS429 body | unequal | {name} is {there}, the schema says {here}
fields/*/default | ~ | TS415 body | no_default | {name} has no default, the schema says {here}
fields/*/default | ~ | TS415 body | extra_default \
    | {name} defaults to {there}, the schema has no default
fields/*/default | ~ | TS414 body | default | {name} defaults to {there}, the schema says {here}
order | ~ | TS412 body | order | the members are in the order {there}, the schema has {here}
constants/kind | -+~ | TS417 body | kind, constant \
    | the kind of structural equality is {there}, the schema says {here}
constants/slots | +~ | TS422 body | slots, constant \
    | {there} child slots are {few}; the schema computes {slots}
constants/slots | - | TS422 body | no_slots, constant \
    | no child slots are stated; the schema computes {slots}
constants/overflow | -+~ | TS422 body | constant, constant \
    | {constant} is {there}, the schema says {here}
constants/mutable | +~ | TS413 body | constant, constant \
    | {constant} is {there}, the schema says {here}

uncalled | + | TS407 body | | nothing calls {cls}::RegisterReflection()
unpaired | + | TS418 | | {there}
registration/flags | ~ | TS416 | class_flags | {cls} is registered with other flags: {there}
registration/enum | - | TS430 | | {cls} is not registered as an enum
registration/enum | + | TS430 | | {cls} is registered as an enum, but is not in the schema
entries/* | - | TS408 | no_entry, entry | field {name!r} of {key} is not registered
entries/* | - | TS420 body | no_registered_method | method {name!r} of {key} is not registered
entries/* | + | TS410 | unknown_entry | {name!r} is registered, but not in the schema
entries/*/word | ~ | TS413 | word, replace \
    | {name!r} is registered with {there}, the schema says {here}
entries/*/member | ~ | TS409 | target | {name!r} is registered for {there}, not for {here}
entries/*/member | ~ | TS420 | overloads | {there} of {here} overloads of {name} are registered
entries/*/types | ~ | TS420 | init | the registered constructor takes {there}, not {here}
entries/*/flags | ~ | TS416 | flags, flags | {name!r} is registered with other flags: {there}
entries/*/default | - | TS415 | | {name!r} is registered with no default, the schema has one
entries/*/default | + | TS415 | | {name!r} is registered with a default, the schema has none
entries/*/default | ~ | TS414 | registered_default \
    | {name!r} is registered with the default {there}, the schema says {here}
entries/*/doc | ~ | TS425 | doc | {name!r} is described in other words
entries/*/metadata | - | TS416 | no_metadata | {name!r} is registered without its metadata
entries/*/metadata | ~ | TS416 | metadata | {name!r} is registered with other metadata: {there}
twice/* | + | TS409 | twice | {name!r} is registered twice
attrs/* | - | TS438 | no_attribute | type attribute {name!r} of {key} is not registered
attrs/* | ~ | TS438 | attribute \
    | type attribute {name!r} of {key} is {there}, the schema says {here}
visits/* | - | TS408 | no_visit | field {name!r} of {key} is not registered
visits/* | + | TS410 | unknown_visit | {name!r} is registered, but not in the schema
visits/*/member | ~ | TS409 | visited | {name!r} is registered for {there}, not for {here}

labels/* | - | TS430 | no_label | entry {name!r} of {key} is not registered
labels/*/number | ~ | TS430 | number \
    | entry {name!r} has the number {there}, the schema says {here}
labels/*/set/* | - | TS430 | no_value \
    | entry {name!r} does not set {what!r}, the schema says {value}
labels/*/set/* | + | TS430 | unknown_value | entry {name!r} sets {what!r}, the schema does not
labels/*/set/* | ~ | TS430 | value \
    | entry {name!r} sets {what!r} to {there}, the schema says {here}
labels/*/attr/* | - | TS430 | no_value \
    | entry {name!r} does not set the attribute {what!r}, the schema says {value}
labels/*/attr/* | ~ | TS430 | value \
    | entry {name!r} sets the attribute {what!r} to {there}, the schema says {here}

constructors | ~ | TS419 body | constructors | {text}
methods/* | - | TS420 | no_method | {cls} has no method {name}
methods/* | -~ | TS420 body | signature | method {name} has another signature than the schema
ref | - | TS421 | no_reference | there is no reference class {ref}
ref/bases | ~ | TS421 | ref_bases, base | {ref} does not derive from {here}
ref/macro | - | TS421 | no_macro | {ref} has no macro for reference classes
ref/macro/class | ~ | TS421 | ref_class, replace | {ref} refers to {there}, not to {here}
ref/macro/ref | ~ | TS421 | ref_name, replace | the macro names {there}, the class is {here}
ref/macro/parent | ~ | TS421 | ref_parent, replace \
    | the macro says that {ref} derives from {there}, not from {here}
ref/macro/nullable | ~ | TS421 | nullable, macro | {ref} is {word}nullable in C++
ref/constructors | ~ | TS419 body | constructors | {text}

fields/*/place | ~ | TS434 | | {name} is {there}, the schema says {here}
entries/*/flags/* | ~ | TS416 | | {name} is {there}, the schema says {here}
labels | ~ | TS430 | | the entries are {there}, the schema says {here}
"""


def _rule(line: str) -> Rule:
    path, signs, code, functions, text = (one.strip() for one in line.split("|"))
    differs, _, fix = functions.partition(", ")
    return Rule(
        path,
        signs,
        code.split()[0],
        text,
        globals()[f"_{differs}"] if differs else None,
        getattr(edits, fix) if fix else None,
        code.endswith("body"),
    )


#: The rules. The first rule of a path that finds a difference is the finding; a difference without
#: a rule is not a finding.
RULES = tuple(_rule(line) for line in _TABLE.splitlines() if line)
_BY_PATH: dict[str, list[Rule]] = {}
for _one in RULES:
    _BY_PATH.setdefault(_one.path, []).append(_one)
#: The first parts of paths in which every second part is a name.
_WITH_NAMES = {rule.path.partition("/")[0] for rule in RULES if "*" in rule.path}


def rules_of(path: str, sign: str) -> tuple[list[Rule], str]:
    """Return the rules for a difference, and the names in the path, or the path without names."""
    parts = path.split("/")
    names = parts[1::2] if parts[0] in _WITH_NAMES else []
    if names:
        parts[1::2] = ["*"] * len(names)
    rules = [rule for rule in _BY_PATH.get("/".join(parts), ()) if sign in rule.signs]
    return rules, "\n".join(map(name_of, names)) or path
