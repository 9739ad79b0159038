# SPDX-License-Identifier: Apache-2.0
"""The two engines that read C++ say the same; what only one of them can tell is said as such."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path

import pytest

from tvm_ffi import libinfo
from tvm_ffi_schema.compare import cpp_facts, cpp_neutral, cpp_reader, cpp_scan, cpp_tokens

HERE = Path(__file__).parent
SCHEMA, HEADER, SOURCE = (
    (HERE / f"handwritten/ir.{end}.txt").read_text() for end in ("py", "h", "cc")
)
#: Headers and sources; views of types declare none, and are nothing to compare with.
GENERATED = sorted(
    path
    for end in ("h", "cc")
    for path in (HERE / "golden").rglob(f"*.{end}.txt")
    if "_view." not in path.name
)
RUNTIME = sorted(Path(libinfo.find_include_path()).rglob("tvm/ffi/**/*.h"))
MISSING = importlib.util.find_spec("tree_sitter_cpp") is None
needs_tree = pytest.mark.skipif(MISSING, reason="the extra `schema` is not installed")
ENGINES = ["scan", pytest.param("tree-sitter", marks=needs_tree)]


def facts(text: str, engine: str, macros: tuple[str, ...] = ()) -> cpp_facts.Sources:
    found = cpp_facts.Sources()
    cpp_reader.read("x.h", text, found, (), macros, cpp_reader.engine(engine)[1])
    return found


def by_name(path: Path) -> str:
    return "/".join(path.parts[-3:])


@needs_tree
@pytest.mark.parametrize("path", GENERATED, ids=by_name)
def test_engines_agree_on_what_is_generated(path):
    text = path.read_text()
    assert facts(text, "scan") == facts(text, "tree-sitter")


@needs_tree
def test_engines_agree_on_the_headers_of_the_runtime():
    """They hold everything that C++ has; templates of values are none of the engines' business."""
    classes = 0
    for path in RUNTIME:
        one, other = (facts(path.read_text(), engine) for engine in ("scan", "tree-sitter"))
        for facts_ in (one, other):
            facts_.aliases.clear()
            facts_.classes = {n: c for n, c in facts_.classes.items() if c.macro is not None}
        assert one == other, path
        classes += len(one.classes)
    assert classes > 20


PLACES = """\
#define TVM_FFI_DECLARE_OBJECT_INFO(a, b, c) nothing
// class CommentNode { TVM_FFI_DECLARE_OBJECT_INFO("no", CommentNode, Object); };
const char* text = "class TextNode : Object { int x; };";
const char* raw = R"(class RawNode : Object { int x; };)";
enum class Color : int { kRed };
template <> struct Traits<ANode> { int x; };
namespace a::b {
template <typename T>
class BinaryNode : public Object, private detail::Mixed<int, T> {
 public:
  T a, *b, c[3] = {1, 2, 3};
  mutable int64_t d : 3, e{4};
  std::map<std::string, int> map = std::map<std::string, int>{};
  std::function<int(int)> fn;
  static inline int counter = 0;
  int counted;
  static constexpr bool kHas = sizeof(T) < 8, kMore = true;
  BinaryNode() = default;
  explicit BinaryNode(T a, int e = f(1, 2)) : a{a}, e(e) { int inner = 0; }
  ~BinaryNode() { int gone; }
  bool operator<(const BinaryNode& o) const { return a < o.a; }
  bool operator()(int x) { return x; }
  operator bool() const { return true; }
  friend bool operator==(const BinaryNode& x, const BinaryNode& y) { return true; }
  friend class Other;
  using Self = BinaryNode;
  typedef int (*Callback)(int);
  int (*pointer)(int);
  virtual auto size() const -> size_t { return 0; }
  template <typename U = int>
  U as(U u = {}) const { return u; }
  static_assert(sizeof(T) > 1, "text");
  struct Inner { int inside; TVM_FFI_DECLARE_OBJECT_INFO("a.I", Inner, Object); };
  enum { kNo, kYes };
#ifdef NOWHERE
  int conditional;
#endif
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("a.B",
                                    BinaryNode, Object);
};
class [[nodiscard]] TVM_DLL Last final : public BinaryNode<int> {};
void Last::RegisterReflection() { BinaryNode<int>::RegisterReflection(); }
int after = 0;
TVM_REGISTER_NODE_TYPE(a::b::Last);
}
TVM_FFI_STATIC_INIT_BLOCK() {
  a::b::Last::RegisterReflection();
  refl::ObjectDef<a::b::Last>().def_ro("x\\"y", &Last::x, "a" "b").def<int>("f", f<1, 2>());
  refl::EnumDef<Last>("ReLU");
  Use(static_cast<ObjectDef<Last>*>(nullptr));
}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_the_corners_of_a_class(engine):
    found = facts(PLACES, engine)
    assert set(found.classes) == {"a::b::BinaryNode", "a::b::BinaryNode::Inner", "a::b::Last"}
    cls = found.classes["a::b::BinaryNode"]
    assert not cls.damaged
    assert cls.bases == ["Object", "detail::Mixed<int,T>"]
    assert [(m.name, m.type, m.default) for m in cls.members] == [
        ("a", "T", ""),
        ("b", "T*", ""),
        ("c", "T[3]", "{1,2,3}"),
        ("d", "int64_t", ""),
        ("e", "int64_t", "4"),
        ("map", "std::map<std::string,int>", "std::map<std::string,int>{}"),
        ("fn", "std::function<int(int)>", ""),
        ("counted", "int", ""),
        ("conditional", "int", ""),
    ]
    assert set(cls.methods) == {"size", "as"}
    assert cls.constructors[0][0] == []
    assert cls.constructors[1][0] == ["T a", "int e=f(1,2)"]
    assert cls.macro is not None and cls.macro.args == ['"a.B"', "BinaryNode", "Object"]
    assert found.classes["a::b::BinaryNode::Inner"].macro.args[0] == '"a.I"'
    assert found.classes["a::b::Last"].bases == ["BinaryNode<int>"]
    assert found.node_types == [("a::b::Last", cpp_facts.Place("a::b"))]
    assert [(c.kind, c.target, len(c.entries)) for c in found.chains] == [
        ("ObjectDef", "a::b::Last", 2),
        ("EnumDef", "Last", 0),
    ]
    assert [(e.name, e.args) for e in found.chains[0].entries] == [
        ('x"y', ["&Last::x", '"a""b"']),
        ("f", ["f<1,2>()"]),
    ]
    assert ("a::b::Last", cpp_facts.Place()) in found.register_calls


@needs_tree
def test_engines_agree_on_the_corners():
    one, other = facts(PLACES, "scan"), facts(PLACES, "tree-sitter")
    assert one.classes == other.classes
    assert one.chains == other.chains


@needs_tree
@pytest.mark.parametrize("seed", range(40))
def test_no_engine_falls_over_damaged_cpp(seed):
    chance = random.Random(seed)
    text = chance.choice([HEADER, SOURCE, PLACES, GENERATED[seed % len(GENERATED)].read_text()])
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(text) + 1)
        kind = chance.randrange(3)
        if kind == 0:
            text = text[:at] + text[at + chance.randrange(1, 30) :]
        elif kind == 1:
            text = (
                text[:at]
                + chance.choice(["{", "}", "(", ")", '"', "<", ";", "/*", "ü"])
                + text[at:]
            )
        else:
            text = text[: max(at, 1)]
    for engine in ("scan", "tree-sitter"):
        facts(text, engine)


@needs_tree
def test_what_a_damaged_body_makes_uncertain(project):
    project.schema(SCHEMA)
    text = HEADER.replace("class TVM_DLL Base", "class Base")
    project.write(
        "include/ir.h", text.replace("int64_t level = 3;", "int64_t level = 4; MACRO x(]")
    )
    project.write("src/ir.cc", SOURCE)
    project.run("validate", "--engine", "tree-sitter")
    assert "TS428" in project.ids()
    assert "warning[TS414]: possibly: level defaults to 4" in project.err


def test_macros_of_the_project_are_left_out(project):
    project.schema(SCHEMA)
    text = HEADER.replace("TVM_DLL ", "").replace(
        "  ffi::String op;", "  HOOKS(a, (b))\n  ffi::String op;"
    )
    project.write("include/ir.h", text)
    project.write("src/ir.cc", SOURCE)
    for engine in ("scan", "auto"):
        project.write("tschema.toml", "")
        assert project.run("validate", "--engine", engine) in (0, 1)
        project.write("tschema.toml", 'object_macros = ["HOOKS"]\n')
        assert project.run("validate", "--engine", engine) == 0, project.err


def test_neutral_text_keeps_every_place():
    found = cpp_neutral.neutralise("x.h", PLACES, ["DLL"], ["static_assert"])
    assert len(found.lines.text) == len(PLACES)
    assert [i for i, c in enumerate(found.lines.text) if c == "\n"] == [
        i for i, c in enumerate(PLACES) if c == "\n"
    ]
    assert [m.args[0] for _, m in found.macros if m.args[0] != "a"] == ['"a.I"', '"a.B"']
    assert "TVM_DLL" not in found.lines.text and "static_assert" not in found.lines.text
    assert 'TVM_FFI_DECLARE_OBJECT_INFO("no"' in found.lines.text  # in a comment


def test_spelling_by_blanks_is_spelling_by_tokens():
    texts = {"a -> b", "x>y", "a >= b", "f ( a , b )", "A<B<int> > x", "unsigned  long\n*p", "~ X"}
    for path in GENERATED:
        cursor = cpp_tokens.Cursor(cpp_tokens.Lines("x.h", path.read_text()))
        for first in range(0, len(cursor) - 12, 5):
            start, end = cursor.offsets[first], cursor.offsets[first + 11]
            texts.add(cursor.lines.text[start:end])
    for text in texts:
        assert cpp_tokens.normal(text) == cpp_tokens.normal_by_tokens(text), text


def test_without_tree_sitter_the_scanner_reads(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    monkeypatch.delitem(sys.modules, "tvm_ffi_schema.compare.cpp_tree", raising=False)
    monkeypatch.delattr("tvm_ffi_schema.compare.cpp_tree", raising=False)
    project.schema(SCHEMA)
    project.write("tschema.toml", 'export_macros = ["TVM_DLL"]\n')
    project.write("include/ir.h", HEADER)
    project.write("src/ir.cc", SOURCE)
    assert project.run("validate") == 0
    assert project.err == "0 differences, C++ read by scan\n"
    assert project.run("validate", "--engine", "tree-sitter") == 2
    assert project.ids() == ["TS013"] and "tvm-ffi[schema]" in project.err


@needs_tree
def test_a_grammar_that_does_not_fit_is_noted(project, monkeypatch):
    import tree_sitter

    def refuse(pointer):
        raise ValueError("Incompatible Language version 99. Must be between 13 and 15")

    monkeypatch.setattr(tree_sitter, "Language", refuse)
    project.schema(SCHEMA)
    project.write("include/ir.h", HEADER)
    project.write("src/ir.cc", SOURCE)
    assert project.run("validate") == 0
    assert "note[TS013]: C++ is read by the built-in scanner" in project.err
    assert "version 99" in project.err
    assert project.run("validate", "--engine", "tree-sitter") == 2


def test_one_slip_of_a_bracket_stays_local():
    text = "class A { int x; void f( { } };\nclass B { public: int y; };\n"
    found = cpp_facts.Sources()
    cpp_reader.read("x.h", text, found, use=cpp_scan.read)
    assert [m.name for m in found.classes["B"].members] == ["y"]
