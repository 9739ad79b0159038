# SPDX-License-Identifier: Apache-2.0
"""Hand-written C++ in many styles; classes that agree with the schema have no finding."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "handwritten"
SCHEMA, HEADER, SOURCE = ((HERE / f"ir.{end}.txt").read_text() for end in ("py", "h", "cc"))
HEADER = HEADER.replace("TVM_DLL ", "")
CHAIN = SOURCE[SOURCE.index("  refl::ObjectDef<CallNode>") : SOURCE.index("}\n}  //")]
LEVEL = "  int64_t level = 3;\n"
EMPTY = "  CallNode() = default;\n"
ARITY = "int64_t arity(int64_t extra = 0) const"
OTHER = """
namespace other {
class CallNode : public ::tvm::ffi::Object {
 public:
  int z = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("other.Call", CallNode, ::tvm::ffi::Object);
};
class Call : public ::tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Call, ::tvm::ffi::ObjectRef, CallNode);
};
}
"""
BLOCK = "namespace demo {\nTVM_FFI_STATIC_INIT_BLOCK() { refl::ObjectDef<BaseNode>(); %s }\n}\n"
INFO = 'TVM_FFI_DECLARE_OBJECT_INFO("demo.Call", CallNode, BaseNode);\n'
SLOTS = "  static constexpr const uint32_t _type_child_slots = 0;\n"
KEY = '  static constexpr const char* _type_key = "demo.Call";\n'
FIRST_TWO = "  ffi::String op;\n  tvm::ffi::Array<Base> args;\n"
TEMPLATE = (
    "template <typename T>\nclass BinaryNode : public BaseNode {\n public:\n"
    + FIRST_TWO
    + SLOTS
    + "%s  TVM_FFI_DECLARE_OBJECT_INFO%s;\n};\n"
    "class CallNode : public BinaryNode<CallNode> {\n public:\n" + KEY
)
OF_TEMPLATE = (
    "  static void RegisterReflection() {\n    namespace refl = ffi::reflection;\n"
    + CHAIN.replace("CallNode", "T")
    + "  }\n"
)


def edited(text: str, *pairs: str) -> str:
    for old, new in zip(pairs[::2], pairs[1::2]):
        assert old in text, old
        text = text.replace(old, new)
    return text


def header(*pairs: str) -> tuple[str, str]:
    return edited(HEADER, *pairs), SOURCE


def source(*pairs: str) -> tuple[str, str]:
    return HEADER, edited(SOURCE, *pairs)


def with_template(members: str, macro: str) -> str:
    head = "class CallNode : public BaseNode {\n public:\n" + FIRST_TWO
    return edited(HEADER, head, TEMPLATE % (members, macro), SLOTS + "  " + INFO, "")


def commented(text: str) -> str:
    text = re.sub(r"(?<=[\w;{}(),:=]) (?=[\w{:=(])", " /* c; */ ", text)
    return text.replace(";", "; // x {\n")


HEAD = "class CallNode : public BaseNode {\n"
STYLES = {
    "line ends": (HEADER.replace("\n", "\r\n"), SOURCE.replace("\n", "\r\n")),
    "comments": (commented(HEADER), re.sub(r'(?<=[,(])(?=[\w&"])', "/* , */ ", SOURCE)),
    "an export macro that is not configured": header("class CallNode", "class MY_API CallNode"),
    "an export macro with arguments": header("class CallNode", "class EXPORT(1) CallNode"),
    "declspec": header("class CallNode", "class __declspec(dllexport) CallNode"),
    "attributes": header(
        "class CallNode", 'class __attribute__((visibility("default"))) [[nodiscard]] CallNode'
    ),
    "alignas": header("class CallNode", "class [[nodiscard]] alignas(8) CallNode"),
    "struct": header(HEAD + " public:\n", "struct CallNode : BaseNode {\n"),
    "final": header("class CallNode :", "class CallNode final :"),
    "declared before": header("class CallNode :", "class CallNode;\nclass Call;\nclass CallNode :"),
    "namespace opened again": header(
        "class Call : public", "}\nnamespace demo {\nclass Call : public"
    ),
    "macros before members": header(LEVEL, "  MY_HOOK(a, b)\n  MY_MARK\n" + LEVEL),
    "macros as statements": header(LEVEL, "  MY_HOOK(a, b);\n" + LEVEL + "  TVM_PRINTER();\n"),
    "an alias of the base": header(
        "class CallNode : public BaseNode", "using Up = BaseNode;\nclass CallNode : public Up"
    ),
    "aliases of types": header(
        LEVEL,
        "  using Level = int64_t;\n  Level level = 3;\n",
        "  tvm::ffi::Array<Base> args;",
        "  List<Base> args;",
        "class CallNode :",
        "template <typename T>\nusing List = ffi::Array<T>;\nclass CallNode :",
    ),
    "a typedef": header(
        "class CallNode :",
        "typedef long long Level;\nclass CallNode :",
        LEVEL,
        "  Level level = 3;\n",
    ),
    "an alias of the same name elsewhere": header(
        "class CallNode :",
        "namespace a { using Level = int64_t; }\nnamespace b { using Level = char; }\n"
        "class CallNode :",
        LEVEL,
        "  a::Level level = 3;\n",
    ),
    "types of the standard": header(LEVEL, "  std::int64_t level = 3;\n"),
    "qualified types": header(
        "tvm::ffi::Array<Base> args;", "::tvm::ffi::Array< demo::Base > args;"
    ),
    "a default in parts": header(
        LEVEL, "  static constexpr int64_t kLevel = 3;\n  int64_t level = kLevel;\n"
    ),
    "a default from elsewhere": header(
        "class CallNode :",
        "constexpr int64_t kLevel = 3;\nclass CallNode :",
        "level = 3",
        "level = kLevel",
    ),
    "a lambda as method": (
        edited(HEADER, "  " + ARITY + " { return extra; }\n", ""),
        edited(SOURCE, "&CallNode::arity", "[](const CallNode* self, int64_t n) { return n; }"),
    ),
    "by reference": header(
        "int64_t extra = 0",
        "const int64_t& extra = 0",
        "CallNode(ffi::String op, ",
        "CallNode(const ffi::String& op, ",
    ),
    "words around a method": header(
        ARITY,
        "[[nodiscard]] TVM_DLL inline virtual int64_t arity(int64_t = {}) const noexcept override",
    ),
    "a late result": header(ARITY, "auto arity(int64_t extra = 0) const -> int64_t"),
    "copies": header(
        EMPTY, EMPTY + "  CallNode(const CallNode&) = delete;\n  CallNode(CallNode&&) = default;\n"
    ),
    "more constructors": header(EMPTY, EMPTY + "  explicit CallNode(ffi::String op) : op(op) {}\n"),
    "a method of the parent": header(
        "  " + ARITY + " { return extra; }\n",
        "",
        "  static constexpr const uint32_t _type_child_slots = 1;\n",
        "  static constexpr const uint32_t _type_child_slots = 1;\n  " + ARITY + ";\n",
    ),
    "operators": header(
        EMPTY,
        EMPTY + "  CallNode& operator=(const CallNode&) = default;\n  bool operator()(int) const;\n"
        "  explicit operator bool() const { return true; }\n  void operator<<(int);\n",
    ),
    "shifts": header(EMPTY, "  static constexpr int kA = 1 << 2, kB = 3;\n" + EMPTY),
    "deep templates": header(
        EMPTY, EMPTY + "  " + "A<" * 200 + "int" + ">" * 200 + " deep() const;\n"
    ),
    "a name in two namespaces": (
        HEADER + OTHER,
        SOURCE
        + "namespace other {\nvoid f() {\n"
        + '  refl::ObjectDef<CallNode>().def_ro("z", &CallNode::z);\n}\n}\n',
    ),
    "a name in two namespaces, qualified": (
        HEADER + OTHER,
        re.sub(r"\b(CallNode|BaseNode)\b", r"demo::\1", SOURCE.replace("namespace demo {", "{"))
        + 'void f() { refl::ObjectDef<::other::CallNode>().def_ro("z", &other::CallNode::z); }\n',
    ),
    "a name in two namespaces, opened": (
        HEADER + OTHER,
        "using namespace demo;\n" + SOURCE.replace("namespace demo {", "{"),
    ),
    "a variable": source(
        "refl::ObjectDef<CallNode>()\n      .def_ro", "refl::ObjectDef<CallNode> def;\n  def.def_ro"
    ),
    "a variable by auto": source(
        "refl::ObjectDef<CallNode>()\n      .def_ro",
        "auto def = refl::ObjectDef<CallNode>();\n  def.def_ro",
    ),
    "a member registers": (
        edited(HEADER, EMPTY, EMPTY + "  static void RegisterReflection() {\n" + CHAIN + "  }\n"),
        BLOCK % "CallNode::RegisterReflection();",
    ),
    "a member registers elsewhere": (
        edited(HEADER, EMPTY, EMPTY + "  static void RegisterReflection();\n"),
        "namespace demo {\nvoid CallNode::RegisterReflection() {\n"
        + CHAIN
        + "}\n}\n"
        + BLOCK % "demo::CallNode::RegisterReflection();",
    ),
    "the block as an argument": (
        edited(HEADER, EMPTY, EMPTY + "  static void RegisterReflection() {\n" + CHAIN + "  }\n"),
        (BLOCK % "CallNode::RegisterReflection();").replace("() {", "({").replace("; }", "; });"),
    ),
    "left out by #if 0": header(LEVEL, "#if 0\n  int32_t level = 4;\n#endif\n" + LEVEL),
    "branches": header(LEVEL, "#ifdef BIG\n" + LEVEL + "#else\n" + LEVEL + "#endif\n"),
    "two heads of a class": header(
        HEAD, "#ifdef BIG\n" + HEAD + "#else\nstruct CallNode : public BaseNode {\n#endif\n"
    ),
    "two heads of a method": header(
        EMPTY, "#ifdef BIG\n  void f() {\n#else\n  void f(int x) {\n#endif\n  }\n" + EMPTY
    ),
    "an old class in #if 0": header(
        HEAD, "#if 0  // old\nclass CallNode : public X {\n  " + INFO + "};\n#endif\n" + HEAD
    ),
    "documentation in parts": source('"What is called."', '"What is "\n "called."'),
    "documentation as it is": source('"What is called."', 'R"doc(What is called.)doc"'),
    "a key in parts": header('"demo.Call"', '"demo" ".Call"'),
    "a key as a constant": header('"demo.Call"', "CallNode::_type_key", EMPTY, KEY + EMPTY),
    "a key before": header(
        INFO, INFO.replace('INFO("demo.Call", ', "INFO_PREDEFINED_TYPE_KEY("), EMPTY, KEY + EMPTY
    ),
    "slots with a suffix": header("_type_child_slots = 1", "_type_child_slots = 0x1u"),
    "a template above": (with_template("", "(T::_type_key, T, BaseNode)"), SOURCE),
    "a template that registers": (
        with_template(OF_TEMPLATE, "_PREDEFINED_TYPE_KEY(T, BaseNode)"),
        BLOCK % "CallNode::RegisterReflection();",
    ),
    "a plain class beside the base": header(
        HEAD + " public:\n" + FIRST_TWO,
        "struct Parts {\n"
        + FIRST_TWO
        + "};\nclass CallNode : public BaseNode, public Parts {\n public:\n",
    ),
    "a class of that name without a name": (
        HEADER,
        SOURCE.replace("demo {\n", "demo {\nnamespace { struct Call { int x; }; }\n", 1),
    ),
    "another way to say the default": source(
        "refl::default_value(3)", "tvm::ffi::reflection::DefaultValue(int64_t{3})"
    ),
    "flags that say nothing": source(
        "&CallNode::args", "&CallNode::args, refl::repr(true), refl::kw_only(false)"
    ),
}


def written(project, pair: tuple[str, str]) -> None:
    project.schema(SCHEMA)
    project.write("include/ir.h", pair[0])
    project.write("src/ir.cc", pair[1])


@pytest.mark.spec(
    "SC101", "SC101.2", "SC101.4", "SC101.6", "SC101.7", "SC101.9", "SC101.12", "SC101.13"
)
@pytest.mark.parametrize("style", STYLES)
def test_what_agrees_has_no_finding(project, style):
    written(project, STYLES[style])
    status = project.run("validate")
    others = [name for name in project.ids() if name != "TS402"]  # TS402: another namespace
    assert (status, others) == (0, []), project.err


VALUES = [
    *("{3}", " = {3}", " = 3L", " = 0x3", " = 03", " = 0b11", " = int64_t(3)", " = (3)"),
    *(" = 3ULL", " = static_cast<int64_t>(3)", " = 0'3", " = INT64_C(3)"),
    *(" = std::int64_t{3}", " = 3.0"),
]


@pytest.mark.spec("SC101.34")
@pytest.mark.parametrize("value", VALUES)
def test_the_same_value_in_other_words(project, value):
    written(project, header("level = 3", f"level{value}"))
    assert project.run("validate") == 0, project.err
    written(project, header("level = 3", f"level{value.replace('3', '5').replace('b11', 'b1')}"))
    assert project.run("validate") == 1
    assert project.ids() == ["TS414"], project.err


#: A prototype. The C++ for it below is correct, but has a style that the generator does not use.
VALUES_MODEL = """
from __future__ import annotations
from typing import Optional, Union
from tvm_ffi import Object
from tvm_ffi.dataclasses import auto_class


@auto_class("demo.Values")
class Values(Object):
    least: int = -(2**63)
    pair: tuple[int, str] = (1, "a")
    either: Union[int, str] = 3
    data: bytes = b"\\x00\\xff"
    parent: Optional[Values] = None
"""
VALUES_CPP = r"""
#include <tvm/ffi/tvm_ffi.h>
namespace ffi = tvm::ffi;
class ValuesNode;
template <>
inline constexpr bool tvm::ffi::is_object_subclass_v<ValuesNode> = true;
class ValuesNode : public ffi::Object {
 public:
  int64_t least = std::numeric_limits<int64_t>::min();
  ffi::Tuple<int64_t, ffi::String> pair{1, "a"};
  ffi::Variant<int64_t, ffi::String> either = int64_t{3};
  ffi::Bytes data{"\x00\xff", 2};
  ffi::ObjectPtr<ValuesNode> parent;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("demo.Values", ValuesNode, ffi::Object);
};
class Values : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Values, ffi::ObjectRef, ValuesNode);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<ValuesNode>()
      .def_rw("least", &ValuesNode::least, refl::default_value(INT64_MIN))
      .def_rw("pair", &ValuesNode::pair,
              refl::default_value(ffi::Tuple<int64_t, ffi::String>(1, "a")))
      .def_rw("either", &ValuesNode::either, refl::default_value(3))
      .def_rw("data", &ValuesNode::data, refl::default_value(ffi::Bytes("\x00\xff", 2)))
      .def_rw("parent", &ValuesNode::parent, refl::default_value(nullptr));
}
"""


@pytest.mark.spec("SC101.29", "SC101.32", "SC101.34")
@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("", "", ""),
        ("std::numeric_limits<int64_t>::min()", "INT64_MIN", ""),
        ("std::numeric_limits<int64_t>::min()", "std::numeric_limits<int64_t>::max()", "TS414"),
        ("std::numeric_limits<int64_t>::min()", "INT32_MIN", "TS414"),
        ('pair{1, "a"}', 'pair = ffi::Tuple<int64_t, ffi::String>{1, "a"}', ""),
        ('pair{1, "a"}', 'pair{1, "b"}', "TS414"),
        ("int64_t{3}", "ffi::Variant<int64_t, ffi::String>(3)", ""),
        ("int64_t{3}", "int64_t{4}", "TS414"),
        (r'{"\x00\xff", 2}', r' = ffi::Bytes("\000\377", 2)', ""),
        (r'{"\x00\xff", 2}', r'{"\x01\xff", 2}', "TS414"),
        ("ValuesNode> parent;", "ValuesNode> ancestor;", "TS412"),
        ("&ValuesNode::parent", "&ValuesNode::either", "TS409"),
    ],
)
def test_values_and_names_that_the_generator_would_not_write(project, old, new, rule):
    project.write("model.py", VALUES_MODEL)
    project.write("values.cc", edited(VALUES_CPP, old, new) if old else VALUES_CPP)
    status = project.run("validate", "model.py", "--cpp", "values.cc")
    assert (status == 1, rule in project.ids()) == (bool(rule), bool(rule)), project.err
    assert rule or project.ids() == [], project.err


@pytest.mark.spec("SC101.14")
def test_files_that_are_not_utf8_are_read_and_kept(project):
    written(project, header())
    head = "// caf\xe9 \xff\n"
    project.write("include/ir.h", "")
    for slots in ("1", "4"):
        text = head + HEADER.replace("_type_child_slots = 1", f"_type_child_slots = {slots}")
        (project.root / "include/ir.h").write_bytes(text.encode("latin-1"))
        assert project.run("validate") == int(slots != "1"), project.err
    assert project.run("validate", "--fix") == 1
    assert (project.root / "include/ir.h").read_bytes() == (head + HEADER).encode("latin-1")
    (project.root / "include/ir.h").write_bytes(HEADER.encode("utf-16"))
    assert project.run("validate") == 4
    assert "TS120" in project.ids()


@pytest.mark.spec("SC101.6", "SC101.21")
def test_a_class_of_another_namespace_is_not_the_class(project):
    written(project, (OTHER, ""))
    assert project.run("validate") == 1
    assert project.ids() == ["TS402", "TS401", "TS401"]
    assert "there is no C++ class demo::CallNode" in project.err
    assert "there is other::CallNode; write that `namespace` in the schema" in project.err


@pytest.mark.spec("SC101.12", "SC101.31")
def test_a_member_of_the_class_of_that_name_elsewhere_has_another_type(project):
    near = "namespace other { class Base; class BaseNode { int x; }; class Base { int x; }; }\n"
    text = edited(HEADER, "tvm::ffi::Array<Base> args", "tvm::ffi::Array<other::Base> args")
    written(project, (near + text, SOURCE))
    assert project.run("validate") == 1
    assert "TS411" in project.ids()
    assert (
        "args has type tvm::ffi::Array<other::Base>, the schema says Array<::demo::Base>"
        in project.err
    )


#: Rule -> (pattern, replacement) that makes an error; the rule must report it in every style.
LOSSES = {
    "TS408": (r'\.def_ro\((?:/\*.*?\*/)?"args".*?[&:]args\)', ""),
    "TS411": (r"ObjectRef( /\* c; \*/)? span;", "Any span;"),
    "TS403": (r"\"demo\.Call\"|\"demo\" \"\.Call\"", '"demo.Cal"'),
    "TS417": (r"HashKindTreeNode", "HashKindDAGNode"),
    "TS421": (r"_NULLABLE\(Call", "_NOTNULLABLE(Call"),
}


@pytest.mark.spec("SC101", "SC101.7", "SC101.8", "SC101.28")
@pytest.mark.parametrize("style", STYLES)
def test_what_differs_is_found_in_every_style(project, style):
    pair, expected = list(STYLES[style]), set()
    for rule, (old, new) in LOSSES.items():
        for number in (0, 1):
            pair[number], count = re.subn(old, new, pair[number])
            expected |= {rule} if count else set()
    written(project, (pair[0], pair[1]))
    assert project.run("validate") == 1
    assert expected <= set(project.ids()), (expected - set(project.ids()), project.err)
    assert set(project.ids()) - expected <= {"TS402", "TS422", "TS423"}, project.err
    assert len(expected) > 2


PARTS = ["{", "}", "(", ")", '"', "<", ">", ";", "::", "/*", "\\", "#if 0\n", "#else\n", "#endif\n"]
PARTS += ["class ", "namespace a {", "template <", "using ", "refl::ObjectDef<", "\xfc", 'R"(']


@pytest.mark.spec("SC101.20", "SC101.64")
@pytest.mark.parametrize("seed", range(12))
def test_damaged_files_end_in_located_findings(project, seed):
    chance = random.Random(seed)
    for _ in range(6):
        style = STYLES[chance.choice(list(STYLES))]
        pair = []
        for text in style:
            for _ in range(chance.randrange(4)):
                at = chance.randrange(len(text) + 1)
                end = at + chance.choice((0, 0, 1, 20, len(text)))
                text = text[:at] + chance.choice(PARTS) + text[end:]
            pair.append(text)
        written(project, (pair[0], pair[1]))
        assert project.run("validate") in (0, 1), project.err
        heads = [line for line in project.err.splitlines() if re.search(r"(error|note)\[TS", line)]
        assert all(re.match(r"\S+:\d+:\d+: ", line) for line in heads), project.err
        before = project.files()
        assert project.run("validate", "--fix-dry-run") in (0, 1)
        assert project.files() == before
        assert project.run("validate", "--fix") in (0, 1)


ENDLESS = {
    "classes": "class " * 4000,
    "chains": "ObjectDef<" * 4000,
    "namespaces": "namespace a {" * 4000,
    "bodies": "struct A{" * 2000,
    "conditions": "class X {" + "#if A\n" * 3000 + "int x;\n" + "#endif\n" * 3000 + "};",
    "macros": "TVM_FFI_DECLARE_OBJECT_INFO(" * 2000,
    "typedefs": "typedef " * 4000,
    "an alias of itself": "using A = B; using B = A; struct CallNode { A op; };",
    "an alias that grows": "template <class T> using A = A<A<T>>; struct CallNode { A<int> a; };",
    "parents": "".join(f"class X{i} : public X{i + 1} {{}};\n" for i in range(2000))
    + "class CallNode : public X0 {};",
    "brackets": "({[" * 4000,
    "a template of templates": "struct CallNode { " + "A<" * 4000 + "int" + ">" * 4000 + " op; };",
}


@pytest.mark.spec("SC101.20")
@pytest.mark.parametrize("name", ENDLESS)
def test_what_has_no_end_is_read(project, name):
    written(project, ("namespace demo {\n" + ENDLESS[name], SOURCE))
    assert project.run("validate") == 1


CALC = {end: (HERE / f"calc.{end}.txt").read_text() for end in ("py", "h", "cc")}


@pytest.mark.spec("SC101.19")
@pytest.mark.parametrize(
    ("old", "new", "rules", "words"),
    [
        ("#include", "#include", [], ""),
        ("  SubNode::RegisterReflection();\n", "", ["TS407"], "calls SubNode::RegisterReflection"),
        ('"ops.Sub"', '"ops.Sob"', ["TS403"], 'the type key is "ops.Sob"'),
        ('.def_ro("b", &T::b)', "", ["TS408", "TS408"], "field 'b' of ops.Sub is not registered"),
        ("  PrimExpr b;", "  graph::Var b;", ["TS411", "TS411"], "b has type graph::Var"),
        ("class SubNode : public BinaryOpNode<SubNode>", "class SubNode : public BaseExprNode",
         ["TS404", "TS412", "TS412", "TS406"], "SubNode derives from BaseExprNode"),
    ],
)  # fmt: skip
def test_a_tree_of_nodes_with_templates_and_members_that_register(project, old, new, rules, words):
    project.schema(CALC["py"])
    assert old in CALC["h"] + CALC["cc"]
    project.write("include/calc/expr.h", CALC["h"].replace(old, new))
    project.write("src/expr.cc", CALC["cc"].replace(old, new))
    assert project.run("validate") == int(bool(rules)), project.err
    found = [name for name in project.ids() if name != "TS402"]
    assert sorted(found) == sorted(rules) and words in project.err, project.err
    assert "calc::graph::VarNode is not in the schema" in project.err
