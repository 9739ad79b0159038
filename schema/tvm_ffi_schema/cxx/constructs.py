# SPDX-License-Identifier: Apache-2.0
"""The table of constructs: every C++ construct that says something about an object class.

`pattern` explains the patterns. To add a construct, add a row: `read` then finds it, `compare`
compares it, and ``validate --fix`` writes it. The groups are:

=========  ===================================================================================
BODY       macros and constants in the body of a class
STATEMENT  the beginning of a statement that registers a class, attributes or an enum entry
ENTRY      a chained call that registers a member of a class
ATTR       a chained call that registers a type attribute
VALUE      a chained call that sets a value of an enum entry
TRAIT      an argument of such a statement or call: default, flag, description
VISIT      a statement of ``VisitAttrs``, in the classic dialect
=========  ===================================================================================

Of the rows with the same group, name, value (of `ir`), dialect and holes, the first is written. A
row with the name ``other`` matches what no other row matches, so that nothing is lost silently.
"""

from __future__ import annotations

from .pattern import Row, Table

_INFO = "TVM_FFI_DECLARE_OBJECT_INFO"
_REF = "TVM_FFI_DEFINE_OBJECT_REF_METHODS"
_OLD = "TVM_DEFINE_"
_OF_REF = "($ref:name, $parent:name, $cls:name)"

#: Flags of a field that have these values without a trait.
USUAL = {"repr": True, "compare": True, "init": True, "hash": True, "kw_only": False}


def _body() -> list[Row]:
    def row(name: str, text: str, ir: tuple[str, object], dialect: str = "") -> Row:
        return Row("BODY", name, text, ir, dialect)

    static = "static constexpr"
    final, still_open = ("final", True), ("final", False)
    yes, no = ("nullable", True), ("nullable", False)
    return [
        row("info", f"{_INFO}($key:expr, $cls:name, $parent:name)", still_open, "modern"),
        row("info", f"{_INFO}_FINAL($key:expr, $cls:name, $parent:name)", final, "modern"),
        row("info", "TVM_DECLARE_BASE_OBJECT_INFO($cls:name, $parent:name)", still_open, "classic"),
        row("info", "TVM_DECLARE_FINAL_OBJECT_INFO($cls:name, $parent:name)", final, "classic"),
        row("info", f"{_INFO}_PREDEFINED_TYPE_KEY($cls:name, $parent:name)", still_open),
        row("info", f"{_INFO}_STATIC($key:expr, $cls:name, $parent:name)", still_open),
        row("ref", f"{_REF}_NULLABLE{_OF_REF}", yes, "modern"),
        row("ref", f"{_REF}_NOTNULLABLE{_OF_REF}", no, "modern"),
        row("ref", f"{_OLD}OBJECT_REF_METHODS{_OF_REF}", yes, "classic"),
        row("ref", f"{_OLD}NOTNULLABLE_OBJECT_REF_METHODS{_OF_REF}", no, "classic"),
        row("ref", f"{_REF}{_OF_REF}", yes),
        row("ref", f"{_OLD}MUTABLE_OBJECT_REF_METHODS{_OF_REF}", yes),
        row("ref", f"{_OLD}MUTABLE_NOTNULLABLE_OBJECT_REF_METHODS{_OF_REF}", no),
        row(
            "kind",
            f"{static} TVMFFISEqHashKind _type_s_eq_hash_kind = $value:expr",
            ("structural_eq", None),
        ),
        row("mutable", f"{static} bool _type_mutable = $value:expr", ("mutable", None)),
        row("slots", f"{static} const uint32_t _type_child_slots = $value:expr", ("slots", None)),
        row(
            "overflow",
            f"{static} bool _type_child_slots_can_overflow = $value:expr",
            ("sealed", None),
        ),
        row("key", f"{static} const char* _type_key = $value:expr", ("type_key", None), "classic"),
        row("final", f"{static} bool _type_final = $value:expr", ("final", None), "other"),
    ]


def _statements() -> list[Row]:
    def row(name: str, text: str, ir: tuple[str, object] | None = None, dialect: str = "") -> Row:
        return Row("STATEMENT", name, text, ir, dialect)

    fields = ("fields", True)
    return [
        row("object", "refl::ObjectDef<$cls:name>($traits:TRAIT*)"),
        row("object", "refl::OverloadObjectDef<$cls:name>($traits:TRAIT*)", ("overloads", True)),
        row("object", "NodeDef<$cls:name>($traits:TRAIT*)", None, "classic"),
        row("object", "NodeDef<$cls:name, $made:expr>($traits:TRAIT*)", None, "classic"),
        row("attrs", "refl::TypeAttrDef<$cls:name>()"),
        row("entry", "refl::EnumDef<$cls:name>($name:str)"),
        row("entry", "refl::EnumDef<$cls:name>($name:str, $number:expr)"),
        row("entry", "refl::EnumEntry<$cls:name>($name:str)", fields),
        row("entry", "refl::EnumEntry<$cls:name>($name:str, $number:expr)", fields),
        row("entry", "refl::EnumDef<$cls:name>($other:expr)"),
        row("entry", "refl::EnumEntry<$cls:name>($other:expr)"),
        row("column", "refl::EnumAttrDef<$cls:name>($name:str)"),
    ]


def _entries() -> list[Row]:
    rows = []
    for name, word in (
        ("ro", "def_ro"),
        ("rw", "def_rw"),
        ("method", "def"),
        ("static", "def_static"),
    ):
        targets = ["&$member:name"]
        if name in ("method", "static"):
            targets += [
                "refl::overload_cast<$types:expr>(&$member:name, $const:expr)",
                "refl::overload_cast<$types:expr>(&$member:name)",
                "static_cast<$types:expr>(&$member:name)",
            ]
        for target in (*targets, "$value:expr"):
            rows.append(Row("ENTRY", name, f".{word}($name:str, {target}$traits:TRAIT*)"))
    return [
        *rows,
        Row("ENTRY", "init", ".def(refl::init<$types:expr>()$traits:TRAIT*)"),
        Row("ENTRY", "attr", ".def_type_attr($name:str, $value:expr)"),
        Row("ENTRY", "enum", ".as_enum()"),
        Row("ENTRY", "other", ".$word:name($args:expr)"),
        Row("ATTR", "attr", ".def($name:str, $value:expr)"),
        Row("ATTR", "attr", ".attr($name:str, $value:expr)"),
        Row("ATTR", "other", ".$word:name($args:expr)"),
        Row("VALUE", "set", ".set($name:str, $value:expr)"),
        Row("VALUE", "attr", ".set_attr($name:str, $value:expr)"),
        Row("VALUE", "other", ".$word:name($args:expr)"),
        Row("VISIT", "visit", "->Visit($name:str, &$member:expr)"),
        Row("VISIT", "other", "->Visit($args:expr)"),
    ]


def _traits() -> list[Row]:
    def row(name: str, text: str, ir: tuple[str, object] | None = None) -> Row:
        return Row("TRAIT", name, text, ir)

    rows = [
        row("default", "refl::default_value($value:expr)", ("default", None)),
        row("default", "refl::DefaultValue($value:expr)", ("default", None)),
        row("default", "refl::default_value{$value:expr}", ("default", None)),
        row("default", "refl::DefaultValue{$value:expr}", ("default", None)),
        row("factory", "refl::default_factory($value:expr)", ("default", None)),
        row("factory", "refl::DefaultFactory($value:expr)", ("default", None)),
    ]
    for word, value in (
        ("SEqHashIgnore", "ignore"),
        ("SEqHashDefPattern", "def"),
        ("SEqHashDef", "def"),
        ("SEqHashDefSimple", "def-simple"),
    ):
        text = f"refl::AttachFieldFlag::{word}()"
        rows.append(row("structural_eq", text, ("structural_eq", value)))
    for flag, usual in USUAL.items():
        for is_on in (not usual, usual):  # the usual value is not written
            rows.append(row(flag, f"refl::{flag}({str(is_on).lower()})", (flag, is_on)))
    return [
        *rows,
        row("metadata", "refl::Metadata{$pairs:expr}", ("metadata", None)),
        row("doc", "$text:str", ("doc", None)),
        row("other", "$text:expr"),
    ]


TABLE = Table([*_body(), *_statements(), *_entries(), *_traits()])
NODE_TYPE_MACRO = "TVM_REGISTER_NODE_TYPE"
