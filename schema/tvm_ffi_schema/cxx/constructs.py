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

A row has the group, the name, and the dialect that writes the construct; the attribute of a field
or of a class that the construct states, perhaps with its value; and the pattern.

Of the rows with the same group, name, value (of `ir`), dialect and holes, the first is written. A
row with the name ``other`` matches what no other row matches, so that nothing is lost silently.
"""

from __future__ import annotations

from .pattern import Row, Table

#: Flags of a field that have these values without a trait.
USUAL = {"repr": True, "compare": True, "init": True, "hash": True, "kw_only": False}

_TABLE = """
BODY info modern | final=False | TVM_FFI_DECLARE_OBJECT_INFO($key:expr, $cls:name, $parent:name)
BODY info modern | final=True | TVM_FFI_DECLARE_OBJECT_INFO_FINAL($key:expr, $cls:name, $parent:name)
BODY info classic | final=False | TVM_DECLARE_BASE_OBJECT_INFO($cls:name, $parent:name)
BODY info classic | final=True | TVM_DECLARE_FINAL_OBJECT_INFO($cls:name, $parent:name)
BODY info | final=False | TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY($cls:name, $parent:name)
BODY info | final=False | TVM_FFI_DECLARE_OBJECT_INFO_STATIC($key:expr, $cls:name, $parent:name)
BODY ref modern | nullable=True | TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE($ref:name, $parent:name, $cls:name)
BODY ref modern | nullable=False | TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE($ref:name, $parent:name, $cls:name)
BODY ref classic | nullable=True | TVM_DEFINE_OBJECT_REF_METHODS($ref:name, $parent:name, $cls:name)
BODY ref classic | nullable=False | TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS($ref:name, $parent:name, $cls:name)
BODY ref | nullable=True | TVM_FFI_DEFINE_OBJECT_REF_METHODS($ref:name, $parent:name, $cls:name)
BODY ref | nullable=True | TVM_DEFINE_MUTABLE_OBJECT_REF_METHODS($ref:name, $parent:name, $cls:name)
BODY ref | nullable=False | TVM_DEFINE_MUTABLE_NOTNULLABLE_OBJECT_REF_METHODS($ref:name, $parent:name, $cls:name)
BODY kind | structural_eq | static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = $value:expr
BODY mutable | mutable | static constexpr bool _type_mutable = $value:expr
BODY slots | slots | static constexpr const uint32_t _type_child_slots = $value:expr
BODY overflow | sealed | static constexpr bool _type_child_slots_can_overflow = $value:expr
BODY key classic | type_key | static constexpr const char* _type_key = $value:expr
BODY final other | final | static constexpr bool _type_final = $value:expr
STATEMENT object | | refl::ObjectDef<$cls:name>($traits:TRAIT*)
STATEMENT object | overloads=True | refl::OverloadObjectDef<$cls:name>($traits:TRAIT*)
STATEMENT object classic | | NodeDef<$cls:name>($traits:TRAIT*)
STATEMENT object classic | | NodeDef<$cls:name, $made:expr>($traits:TRAIT*)
STATEMENT attrs | | refl::TypeAttrDef<$cls:name>()
STATEMENT entry | | refl::EnumDef<$cls:name>($name:str)
STATEMENT entry | | refl::EnumDef<$cls:name>($name:str, $number:expr)
STATEMENT entry | fields=True | refl::EnumEntry<$cls:name>($name:str)
STATEMENT entry | fields=True | refl::EnumEntry<$cls:name>($name:str, $number:expr)
STATEMENT entry | | refl::EnumDef<$cls:name>($other:expr)
STATEMENT entry | | refl::EnumEntry<$cls:name>($other:expr)
STATEMENT column | | refl::EnumAttrDef<$cls:name>($name:str)
ENTRY ro | | .def_ro($name:str, &$member:name$traits:TRAIT*)
ENTRY ro | | .def_ro($name:str, $value:expr$traits:TRAIT*)
ENTRY rw | | .def_rw($name:str, &$member:name$traits:TRAIT*)
ENTRY rw | | .def_rw($name:str, $value:expr$traits:TRAIT*)
ENTRY method | | .def($name:str, &$member:name$traits:TRAIT*)
ENTRY method | | .def($name:str, refl::overload_cast<$types:expr>(&$member:name, $const:expr)$traits:TRAIT*)
ENTRY method | | .def($name:str, refl::overload_cast<$types:expr>(&$member:name)$traits:TRAIT*)
ENTRY method | | .def($name:str, static_cast<$types:expr>(&$member:name)$traits:TRAIT*)
ENTRY method | | .def($name:str, $value:expr$traits:TRAIT*)
ENTRY static | | .def_static($name:str, &$member:name$traits:TRAIT*)
ENTRY static | | .def_static($name:str, refl::overload_cast<$types:expr>(&$member:name, $const:expr)$traits:TRAIT*)
ENTRY static | | .def_static($name:str, refl::overload_cast<$types:expr>(&$member:name)$traits:TRAIT*)
ENTRY static | | .def_static($name:str, static_cast<$types:expr>(&$member:name)$traits:TRAIT*)
ENTRY static | | .def_static($name:str, $value:expr$traits:TRAIT*)
ENTRY init | | .def(refl::init<$types:expr>()$traits:TRAIT*)
ENTRY attr | | .def_type_attr($name:str, $value:expr)
ENTRY enum | | .as_enum()
ENTRY other | | .$word:name($args:expr)
ATTR attr | | .def($name:str, $value:expr)
ATTR attr | | .attr($name:str, $value:expr)
ATTR other | | .$word:name($args:expr)
VALUE set | | .set($name:str, $value:expr)
VALUE attr | | .set_attr($name:str, $value:expr)
VALUE other | | .$word:name($args:expr)
VISIT visit | | ->Visit($name:str, &$member:expr)
VISIT other | | ->Visit($args:expr)
TRAIT default | default | refl::default_value($value:expr)
TRAIT default | default | refl::DefaultValue($value:expr)
TRAIT default | default | refl::default_value{$value:expr}
TRAIT default | default | refl::DefaultValue{$value:expr}
TRAIT factory | default | refl::default_factory($value:expr)
TRAIT factory | default | refl::DefaultFactory($value:expr)
TRAIT structural_eq | structural_eq=ignore | refl::AttachFieldFlag::SEqHashIgnore()
TRAIT structural_eq | structural_eq=def | refl::AttachFieldFlag::SEqHashDefPattern()
TRAIT structural_eq | structural_eq=def | refl::AttachFieldFlag::SEqHashDef()
TRAIT structural_eq | structural_eq=def-simple | refl::AttachFieldFlag::SEqHashDefSimple()
TRAIT repr | repr=False | refl::repr(false)
TRAIT repr | repr=True | refl::repr(true)
TRAIT compare | compare=False | refl::compare(false)
TRAIT compare | compare=True | refl::compare(true)
TRAIT init | init=False | refl::init(false)
TRAIT init | init=True | refl::init(true)
TRAIT hash | hash=False | refl::hash(false)
TRAIT hash | hash=True | refl::hash(true)
TRAIT kw_only | kw_only=True | refl::kw_only(true)
TRAIT kw_only | kw_only=False | refl::kw_only(false)
TRAIT not_null | not_null=True | refl::Metadata{{"not_null", true}}
TRAIT one_of | | refl::one_of<&$member:name>($values:expr)
TRAIT short | short=True | refl::short_call()
TRAIT metadata | metadata | refl::Metadata{$pairs:expr}
TRAIT doc | doc | $text:str
TRAIT other | | $text:expr
"""  # noqa: E501 (one row a line)


def _row(line: str) -> Row:
    names, ir, text = (one.strip() for one in line.split("|"))
    group, name, *dialect = names.split()
    attribute, _, value = ir.partition("=")
    said = {"": None, "True": True, "False": False}.get(value, value)
    return Row(group, name, text, (attribute, said) if attribute else None, *dialect)


TABLE = Table(map(_row, _TABLE.strip().splitlines()))
NODE_TYPE_MACRO = "TVM_REGISTER_NODE_TYPE"
