# SPDX-License-Identifier: Apache-2.0
"""`validate` compares registrations with the schema: defaults, flags, methods, classic dialect."""

from __future__ import annotations

import pytest

from .test_validate_styles import (
    CHAIN,
    HEADER,
    LEVEL,
    SCHEMA,
    SOURCE,
    edited,
    header,
    source,
    written,
)

LINE = '.def_ro("level", &CallNode::level, refl::default_value(3))'


@pytest.mark.spec("SC101.34")
@pytest.mark.parametrize(
    ("line", "rule", "words"),
    [
        ("refl::default_value(4)", "TS414", "with the default 4, the schema says 3"),
        ("refl::DefaultValue(int64_t{4})", "TS414", "the schema says 3"),
        ("", "TS415", "'level' is registered with no default, the schema has one"),
        ("refl::default_value(kThree)", "", ""),
        ("refl::default_factory([]() { return 3; })", "", ""),
    ],
)
def test_a_registered_default_is_that_of_the_schema(project, line, rule, words):
    given = LINE.replace(", refl::default_value(3)", f", {line}" if line else "")
    written(project, source(LINE, given))
    assert project.run("validate") == int(bool(rule)), project.err
    assert project.ids() == [rule] * bool(rule) and words in project.err


@pytest.mark.spec("SC101.35")
def test_a_default_that_only_c_plus_plus_has(project):
    written(
        project,
        source('"args", &CallNode::args', '"args", &CallNode::args, refl::default_value(1)'),
    )
    assert project.run("validate") == 1
    assert project.ids() == ["TS415"]
    assert "'args' is registered with a default, the schema has none" in project.err


FLAGS = [
    ('structural_eq="def"', "SEqHashDefPattern()", "refl::AttachFieldFlag::SEqHashDefPattern()"),
    ("repr=False", "repr(false)", "refl::repr(false)"),
    ("compare=False", "compare(false)", "refl::compare(false)"),
    ("hash=False", "hash(false)", "refl::hash(false)"),
    ("init=False, default_factory=list", "init(false)", "refl::init(false)"),
    ("kw_only=True", "kw_only(true)", "refl::kw_only(true)"),
]


@pytest.mark.spec("SC101.36")
@pytest.mark.parametrize(("option", "shown", "argument"), FLAGS)
def test_each_flag_is_compared_and_mended(project, option, shown, argument):
    factory = ", refl::default_factory([]() { return Array<Base>(); })" if "list" in option else ""
    plain = f'"args", &CallNode::args{factory}'
    text = edited(SOURCE, '"args", &CallNode::args', plain)
    constructor = edited(HEADER, "CallNode(ffi::String op,", "Call2Node(ffi::String op,")
    written(project, (constructor.replace("Call2Node", "void Other"), text))
    project.schema(SCHEMA.replace("ty.Array[BaseNode]", f"ty.Array[BaseNode] = field({option})"))
    assert project.run("validate") == 1
    assert project.ids() == ["TS416"], project.err
    assert f"'args' is registered with other flags: {shown}" in project.err
    project.run("validate", "--fix")
    assert argument in project.read("src/ir.cc")
    assert project.run("validate") == 0, project.err


@pytest.mark.spec("SC101.40")
def test_a_method_that_is_not_registered(project):
    written(project, source('\n      .def("arity", &CallNode::arity)', ""))
    assert project.run("validate") == 1
    assert project.ids() == ["TS420"]
    assert "method 'arity' of demo.Call is not registered" in project.err
    assert 'add  .def("arity", &CallNode::arity)' in project.err


@pytest.mark.spec("SC101.41")
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("class Call : public Base {", "class Cell : public Base {", "no reference class Call"),
        (
            "  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Call, Base, CallNode);\n",
            "",
            "no macro for",
        ),
        ("(Call, Base, CallNode)", "(Call, Base, BaseNode)", "Call refers to BaseNode"),
        ("_NULLABLE(Call,", "_NOTNULLABLE(Call,", "Call is not nullable in C++"),
        ("class Call : public Base", "class Call : public X", "Call does not derive from Base"),
    ],
)
def test_ts421_each_way_to_miss_a_reference_class(project, old, new, words):
    written(project, header(old, new))
    assert project.run("validate") == 1
    assert project.ids() == ["TS421"] and words in project.err


@pytest.mark.spec("SC101.42")
def test_ts422_too_few_and_stale(project):
    for slots, words in (("0", "too few"), ("5", "more than needed")):
        written(project, header("_type_child_slots = 1", f"_type_child_slots = {slots}"))
        assert project.run("validate") == 1
        assert project.ids() == ["TS422"]
        assert f"{slots} child slots are {words}; the schema computes 1" in project.err


@pytest.mark.spec("SC101.23")
def test_a_key_that_is_a_constant_is_mended_there(project):
    key = '  static constexpr const char* _type_key = "demo.Cal";\n'
    text = ('INFO("demo.Call", CallNode', "INFO(CallNode::_type_key, CallNode", LEVEL, LEVEL + key)
    written(project, header(*text))
    assert project.run("validate", "--fix") == 1
    assert project.ids() == ["TS403"]
    assert '_type_key = "demo.Call"' in project.read("include/ir.h")
    assert project.run("validate") == 0, project.err


@pytest.mark.spec("SC101.26")
def test_a_template_of_functions_may_register_any_class(project):
    template = "template <typename T>\nvoid Register() { refl::ObjectDef<T>(); }\n"
    text = SOURCE.replace("  refl::ObjectDef<BaseNode>();\n", "  Register<BaseNode>();\n")
    written(project, (HEADER, text))
    assert project.run("validate") == 1
    assert project.ids() == ["TS406"]
    written(project, (HEADER, template + text))
    assert project.run("validate") == 0
    assert "warning[TS406]: possibly: BaseNode is never registered" in project.err
    assert "src/ir.cc:2:25: note: a template registers here" in project.err
    before = project.files()
    project.run("validate", "--fix")
    assert project.files() == before


@pytest.mark.spec("SC101.19")
def test_registrations_in_sources_of_every_kind(project):
    for name in ("src/ir.cu", "src/ir.cxx", "src/ir.mm", "include/ir.inl"):
        written(project, (HEADER, ""))
        project.write(name, SOURCE)
        assert project.run("validate") == 0, project.err
        (project.root / name).unlink()


@pytest.mark.spec("SC101.8")
def test_two_chains_and_attributes_of_one_class(project):
    more = (
        '  refl::ObjectDef<CallNode>().def_ro("level", &CallNode::level, refl::default_value(3));\n'
    )
    text = edited(SOURCE, "      " + LINE + "\n", "", "}\n}  //", more + "}\n}  //")
    written(project, (HEADER, text))
    assert project.run("validate") == 0, project.err
    assert CHAIN in SOURCE


CLASSIC = '''
__tschema__ = module(dialect="classic")

@declare
class BaseNode(Object):
    """B."""
    type_key = "c.Base"
    default_sequal_reduce = False
    default_shash_reduce = False

@declare
class IntNode(BaseNode):
    """I."""
    type_key = "c.Int"
    final = True
    value: int = 0
    more: int = 1
'''
NODES = """
class BaseNode : public tvm::runtime::Object {
 public:
  static constexpr const char* _type_key = "c.Base";
  static constexpr const uint32_t _type_child_slots = 1;
  TVM_DECLARE_BASE_OBJECT_INFO(BaseNode, tvm::runtime::Object);
};
class Base : public tvm::runtime::ObjectRef {
 public:
  TVM_DEFINE_OBJECT_REF_METHODS(Base, tvm::runtime::ObjectRef, BaseNode);
};
TVM_REGISTER_NODE_TYPE(BaseNode);
class IntNode : public BaseNode {
 public:
  int64_t value = 0;
  int64_t more = 1;
  void VisitAttrs(AttrVisitor* v) {
    v->Visit("value", &value);
    v->Visit("more", &more);
  }
  bool SEqualReduce(const IntNode* other, SEqualReducer equal) const { return true; }
  void SHashReduce(SHashReducer hash) const {}
  static constexpr const char* _type_key = "c.Int";
  TVM_DECLARE_FINAL_OBJECT_INFO(IntNode, BaseNode);
};
class Int : public Base {
 public:
  TVM_DEFINE_OBJECT_REF_METHODS(Int, Base, IntNode);
};
TVM_REGISTER_NODE_TYPE(IntNode);
"""


@pytest.mark.spec("SC101.10", "SC101.26", "SC101.28", "SC101.29", "SC101.30", "SC101.38")
@pytest.mark.parametrize(
    ("rule", "old", "new"),
    [
        ("", "AttrVisitor", "tvm::AttrVisitor"),
        ("TS403", "c.Int", "c.Inx"),
        ("TS406", "TVM_REGISTER_NODE_TYPE(IntNode);\n", ""),
        ("TS408", '    v->Visit("more", &more);\n', ""),
        ("TS409", "&more", "&value"),
        ("TS410", "  }\n", '    v->Visit("other", &other);\n  }\n'),
        ("TS418", "  void SHashReduce(SHashReducer hash) const {}\n", ""),
        (
            "TS421",
            "TVM_DEFINE_OBJECT_REF_METHODS(Int",
            "TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS(Int",
        ),
    ],
)
def test_the_classic_dialect_by_hand(project, rule, old, new):
    project.schema(CLASSIC.replace("    final", '    structural_eq = "tree"\n    final'))
    project.write("include/nodes.h", edited(NODES, old, new))
    project.write("src/empty.cc", "")
    assert project.run("validate", "--strict") == int(bool(rule)), project.err
    assert project.ids() == [rule] * bool(rule)
    if rule in ("TS403", "TS421"):
        project.run("validate", "--fix")
        assert project.read("include/nodes.h") == NODES


@pytest.mark.spec("SC101.10")
def test_visited_elsewhere_is_not_judged(project):
    project.schema(CLASSIC.replace("    final", '    structural_eq = "tree"\n    final'))
    start, end = NODES.index("(AttrVisitor* v) {"), NODES.index("  bool SEqual")
    project.write("include/nodes.h", NODES[:start] + "(AttrVisitor* v);\n" + NODES[end:])
    project.write("src/empty.cc", "")
    assert project.run("validate", "--strict") == 0, project.err


DEVICES = '''
@declare
class Device(Enum):
    """D."""
    type_key = "demo.Device"
    title: str = ""
    rank: int = field(default=0, name="order")
    cpu = entry()
    gpu = entry(title="GPU", rank=2)
'''


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('.set("title", "GPU")', "", "entry 'gpu' does not set 'title'"),
        ('"GPU")', '"CPU")', "entry 'gpu' sets 'title' to \"CPU\", the schema says"),
        ('.set("order", 2)', '.set("order", 3)', "sets 'order' to 3, the schema says 2"),
        ('("cpu")', '("cpu").set("order", 1)', "entry 'cpu' sets 'order', the schema does not"),
        ("2)", "int64_t{2})", ""),
        ("2)", "kRank)", ""),
    ],
)
def test_values_that_an_enum_entry_sets_were_not_compared(project, old, new, words):
    project.schema(DEVICES)
    assert project.run("generate", "-q") == 0, project.err
    text = project.read("src/ir.cc").replace("EnumDef<DeviceNode>", "EnumEntry<DeviceNode>")
    project.write("src/ir.cc", edited(text, old, new))
    assert project.run("validate") == int(bool(words)), project.err
    assert project.ids() == ["TS430"] * bool(words) and words in project.err
    line = next((i for i, t in enumerate(text.splitlines(), 1) if old in t and "refl" in t), 0)
    assert not words or f"src/ir.cc:{line}:" in project.err


SIZES = '''
@declare
class Size(IntEnum):
    """S."""
    type_key = "demo.Size"
    small = entry(1)
    large = entry(10)

@declare
class Unit(StrEnum):
    """U."""
    type_key = "demo.Unit"
    plus = entry("+")
    minus = entry("-")
'''
LARGE = '  refl::EnumDef<SizeNode>("large", 10);\n'


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (LARGE, "", "entry 'large' of demo.Size is not registered"),
        ('"large"', '"huge"', "entry 'large' of demo.Size is not registered"),
        ('"small", 1', '"small", 2', "entry 'small' has the number 2, the schema says 1"),
        ('"small", 1', '"small", int64_t{0x1}', ""),
        ('"small", 1', '"small", kSmall', ""),
        ('EnumDef<SizeNode>("small"', 'EnumEntry<SizeNode>("small"', ""),
        ('  refl::EnumDef<UnitNode>("-");\n', "", "entry '-' of demo.Unit is not registered"),
        (LARGE, "  for (const auto& one : kSizes) refl::EnumDef<SizeNode>(one.name, one.n);\n", ""),
    ],
)
def test_entries_that_are_missing_or_have_another_number(project, old, new, words):
    project.schema(SIZES)
    assert project.run("generate", "-q") == 0, project.err
    project.write("src/ir.cc", edited(project.read("src/ir.cc"), old, new))
    assert project.run("validate") == int(bool(words)), project.err
    assert project.ids() == ["TS430"] * bool(words) and words in project.err


@pytest.mark.parametrize("access", ["private", "protected"])
def test_the_access_of_a_member_was_not_compared(project, access):
    option = f"field(default=3, access='{access}', reflect=False, init=False)"
    head = '@declare\nclass ANode(Object):\n    """A."""\n    type_key = "d.A"\n'
    project.schema(f"{head}    x: int = {option}\n")
    assert project.run("generate", "-q") == 0, project.err
    text = project.read("include/ir.h")
    assert project.run("validate") == 0, project.err
    project.write("include/ir.h", edited(text, f" {access}:\n", " public:\n"))
    assert project.run("validate") == 1
    assert project.ids() == ["TS429"]
    assert f"x is public, the schema says {access}" in project.err


def test_a_public_member_in_a_private_section_was_not_found(project):
    line = "  int64_t level = 3;\n"
    written(project, header(line, f" private:\n{line} public:\n"))
    assert project.run("validate") == 1
    assert project.ids() == ["TS429"]
    assert "level is private, the schema says public" in project.err


def test_nested_containers_of_a_factory_are_equal_under_any_qualifier(project):
    """A version compared the elements as text, with the namespaces in front of their types."""
    default = "field(default_factory=lambda: {'a': [%s]})"
    head = '@declare\nclass ANode(Object):\n    """A."""\n    type_key = "d.A"\n'
    project.schema(f"{head}    x: dict[str, list[int]] = {default % '1, 2'}\n")
    assert project.run("generate", "-q") == 0, project.err
    assert project.run("validate", "--strict") == 0, project.err
    project.write("src/ir.cc", edited(project.read("src/ir.cc"), "{1, 2}", "{1, 3}"))
    assert project.run("validate") == 1 and project.ids() == ["TS414"]
