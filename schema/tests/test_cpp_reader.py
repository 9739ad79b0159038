# SPDX-License-Identifier: Apache-2.0
"""The reader of hand-written C++: its results, damaged files, and a missing tree-sitter."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest
from running import execute

from tvm_ffi import libinfo
from tvm_ffi_schema.cxx import cursor as cpp_cursor
from tvm_ffi_schema.cxx import macros as cpp_macros
from tvm_ffi_schema.cxx import model
from tvm_ffi_schema.cxx import read as cpp_reader

HERE = Path(__file__).parent
SCHEMA, HEADER, SOURCE = (
    (HERE / f"handwritten/ir.{end}.txt").read_text() for end in ("py", "h", "cc")
)
#: Generated headers and sources, except for `*_view.h`, which do not declare object classes.
GENERATED = sorted(
    path
    for end in ("h", "cc")
    for path in (HERE / "golden").rglob(f"*.{end}.txt")
    if "_view." not in path.name
)
RUNTIME = sorted(Path(libinfo.find_include_path()).rglob("tvm/ffi/**/*.h"))
OBJECT_MACRO = re.compile(
    r"(?<!define )\b(?:TVM_FFI_DECLARE_OBJECT_INFO\w*|TVM_DECLARE_\w+_OBJECT_INFO)\("
)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def facts(text: str, macros: tuple[str, ...] = ()) -> model.Sources:
    found = model.Sources()
    cpp_reader.read("x.h", text, found, (), macros)
    return found


def by_name(path: Path) -> str:
    return "/".join(path.parts[-3:])


def objects(text: str) -> list[model.CppClass]:
    return [one for one in facts(text).classes.values() if one.declares_object]


@pytest.mark.spec("SC101.5")
@pytest.mark.parametrize("path", GENERATED, ids=by_name)
def test_every_generated_class_is_read_whole(path):
    text = path.read_text()
    assert len(objects(text)) == len(OBJECT_MACRO.findall(COMMENT.sub("", text)))
    assert not [one.name for one in facts(text).classes.values() if one.damaged]


@pytest.mark.spec("SC101.19")
def test_every_object_class_of_the_runtime_is_read_whole():
    """Read the headers of the runtime, because they use most features of C++."""
    count = 0
    for path in RUNTIME:
        text = path.read_text()
        found = objects(text)
        assert not [one.name for one in found if one.damaged], path
        code = re.sub(r"(?m)^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", "", COMMENT.sub("", text))
        assert len(found) == len(OBJECT_MACRO.findall(code)), path
        count += len(found)
    assert count > 20


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


@pytest.mark.spec("SC101.3", "SC101.5", "SC101.8")
def test_the_corners_of_a_class():
    found = facts(PLACES)
    assert set(found.classes) == {"a::b::BinaryNode", "a::b::BinaryNode::Inner", "a::b::Last"}
    cls = found.classes["a::b::BinaryNode"]
    assert not cls.damaged
    assert cls.bases == ["Object", "detail::Mixed<int,T>"]
    assert [(m.name, m.type, m.default) for m in cls.members] == [
        ("a", "T", ""),
        ("b", "T*", ""),
        ("c", "T[3]", "{1,2,3}"),
        ("d", "int64_t:3", ""),
        ("e", "int64_t", "4"),
        ("map", "std::map<std::string,int>", "std::map<std::string,int>{}"),
        ("fn", "std::function<int(int)>", ""),
        ("counted", "int", ""),
        ("pointer", "int(*)(int)", ""),
        ("conditional", "int", ""),
    ]
    assert set(cls.methods) == {"size", "as"}
    assert cls.constructors[0].params == []
    assert cls.constructors[1].params == ["T a", "int e=f(1,2)"]
    macro = cls.macro
    assert macro is not None
    assert [macro.text(hole) for hole in ("key", "cls", "parent")] == [
        '"a.B"',
        "BinaryNode",
        "Object",
    ]
    assert found.classes["a::b::BinaryNode::Inner"].macro.text("key") == '"a.I"'
    assert found.classes["a::b::Last"].bases == ["BinaryNode<int>"]
    assert found.node_types == [("a::b::Last", model.Place("a::b"))]
    assert [(c.kind, c.target, len(c.entries)) for c in found.statements] == [
        ("object", "a::b::Last", 2),
        ("entry", "Last", 0),
    ]
    assert found.statements[1].head.values["name"] == "ReLU"
    assert [e.write() for e in found.statements[0].entries] == [
        r'.def_ro("x\"y", &Last::x, "ab")',
        '.def("f", f<1,2>())',
    ]
    assert ("a::b::Last", model.Place()) in found.register_calls


@pytest.mark.parametrize("seed", range(40))
def test_damaged_cpp_is_read(seed):
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
    facts(text)


@pytest.mark.spec("SC101.11")
def test_what_a_damaged_body_makes_uncertain(project):
    project.schema(SCHEMA)
    text = HEADER.replace("class TVM_DLL Base", "class Base")
    project.write(
        "include/ir.h", text.replace("int64_t level = 3;", "int64_t level = 4; MACRO x(]")
    )
    project.write("src/ir.cc", SOURCE)
    project.run("validate")
    assert "TS428" in project.ids()
    assert "warning[TS414]: possibly: level defaults to 4" in project.err


@pytest.mark.spec("SC101.4")
def test_macros_of_the_project_are_left_out(project):
    project.schema(SCHEMA)
    text = HEADER.replace("TVM_DLL ", "").replace(
        "  ffi::String op;", "  HOOKS(a, (b))\n  ffi::String op;"
    )
    project.write("include/ir.h", text)
    project.write("src/ir.cc", SOURCE)
    project.write("tschema.toml", "")
    assert project.run("validate") in (0, 1)
    project.write("tschema.toml", 'object_macros = ["HOOKS"]\n')
    assert project.run("validate") == 0, project.err


@pytest.mark.spec("SC101.1", "SC101.3")
def test_blanked_text_keeps_every_place():
    found = cpp_macros.blanked("x.h", PLACES, ["DLL"], ["static_assert"])
    assert len(found.lines.text) == len(PLACES)
    assert [i for i, c in enumerate(found.lines.text) if c == "\n"] == [
        i for i, c in enumerate(PLACES) if c == "\n"
    ]
    assert 'TVM_FFI_DECLARE_OBJECT_INFO("a.I"' not in found.lines.text
    assert 'TVM_FFI_DECLARE_OBJECT_INFO("a.I"' in found.bodies.text
    assert "TVM_DLL" not in found.bodies.text and "static_assert" in found.bodies.text
    assert "TVM_DLL" not in found.lines.text and "static_assert" not in found.lines.text
    assert 'TVM_FFI_DECLARE_OBJECT_INFO("no"' in found.lines.text  # the macro is in a comment


def test_spelling_by_blanks_is_spelling_by_tokens():
    texts = {"a -> b", "x>y", "a >= b", "f ( a , b )", "A<B<int> > x", "unsigned  long\n*p", "~ X"}
    for path in GENERATED:
        cursor = cpp_cursor.Cursor(cpp_cursor.Lines("x.h", path.read_text()))
        for first in range(0, len(cursor) - 12, 5):
            start, end = cursor.offsets[first], cursor.offsets[first + 11]
            texts.add(cursor.lines.text[start:end])
    for text in texts:
        assert cpp_cursor.normal(text) == cpp_cursor.normal_by_tokens(text), text


@pytest.fixture
def fresh(project, monkeypatch):
    """Undo the import of tree-sitter, and return a project with C++ files."""
    cpp_reader._parser.cache_clear()
    monkeypatch.delitem(sys.modules, "tvm_ffi_schema.cxx.parser", raising=False)
    monkeypatch.delattr("tvm_ffi_schema.cxx.parser", raising=False)
    project.schema(SCHEMA)
    project.write("tschema.toml", 'export_macros = ["TVM_DLL"]\n')
    project.write("include/ir.h", HEADER)
    project.write("src/ir.cc", SOURCE)
    yield project
    cpp_reader._parser.cache_clear()


def test_an_older_tree_sitter_is_a_finding(fresh, monkeypatch):
    """Versions of tree-sitter before 0.25 have no QueryCursor."""
    import tree_sitter

    monkeypatch.delattr(tree_sitter, "QueryCursor")
    assert fresh.run("validate") == 2
    assert fresh.ids() == ["TS013"] and "do not fit together" in fresh.err


@pytest.mark.spec("SC101.15")
@pytest.mark.parametrize("package", ["tree_sitter", "tree_sitter_cpp"])
def test_a_missing_package_is_a_finding(fresh, tmp_path, package):
    """A finder of the subprocess makes the import fail like the import of a missing package."""
    program = (
        "import sys; from importlib.abc import MetaPathFinder\n"
        "class Gone(MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {package!r}: raise ModuleNotFoundError('No module named '"
        " + repr(name), name=name)\n"
        "sys.meta_path.insert(0, Gone())\n"
        "from tvm_ffi_schema.commands import cli; sys.exit(cli.main(['validate']))"
    )
    done = execute(sys.executable, "-c", program, status=2, cwd=fresh.root)
    assert done.stderr.startswith(
        ".:1:1: error[TS013]: reading C++ needs the packages tree-sitter and"
        f" tree-sitter-cpp: No module named '{package}'\n"
    )
    assert "help: pip install tree-sitter tree-sitter-cpp\n" in done.stderr
    assert "difference" not in done.stderr


@pytest.mark.spec("SC101.16")
def test_a_package_that_cannot_be_loaded_is_not_said_to_be_missing(fresh, monkeypatch):
    monkeypatch.setitem(sys.modules, "tree_sitter", object())
    (fresh.root / "broken").mkdir()
    fresh.write("broken/tree_sitter_cpp.py", "raise ImportError('libfoo.so: cannot open')\n")
    monkeypatch.delitem(sys.modules, "tree_sitter_cpp", raising=False)
    monkeypatch.syspath_prepend(str(fresh.root / "broken"))
    assert fresh.run("validate") == 2
    assert fresh.ids() == ["TS013"]
    assert "tree-sitter cannot be imported: libfoo.so: cannot open" in fresh.err
    assert "pip install" not in fresh.err


@pytest.mark.spec("SC101.17")
def test_a_grammar_that_does_not_fit_is_a_finding(fresh, monkeypatch):
    import tree_sitter

    def refuse(pointer):
        raise ValueError("Incompatible Language version 99. Must be between 13 and 15")

    monkeypatch.setattr(tree_sitter, "Language", refuse)
    assert fresh.run("validate") == 2
    assert fresh.ids() == ["TS013"]
    assert "do not fit together: Incompatible Language version 99" in fresh.err
    assert "install the versions that tvm-ffi-schema asks for" in fresh.err


@pytest.mark.spec("SC101.20")
def test_one_slip_of_a_bracket_stays_local():
    text = "class A { int x; void f( { } };\nclass B { public: int y; };\n"
    found = model.Sources()
    cpp_reader.read("x.h", text, found)
    assert [m.name for m in found.classes["B"].members] == ["y"]
