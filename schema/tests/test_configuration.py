# SPDX-License-Identifier: Apache-2.0
"""Configuration files: every key, wrong values of every kind, and arbitrary files."""

from __future__ import annotations

import dataclasses
import json
import os
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tvm_ffi_schema import config
from tvm_ffi_schema.config import check as config_check
from tvm_ffi_schema.config import table as config_table
from tvm_ffi_schema.diag import Bag

from .conftest import Project

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="reading TOML needs it")
SCHEMA = '''
@declare
class PNode(Object):
    """A."""
    type_key = "t.P"
    #: X.
    x: int = 1

@declare
class QNode(Object):
    """B."""
    type_key = "t.Q"
'''
#: The documented keys with their defaults, and the keys that some outputs need.
DOCUMENTED = {
    "sources": ["schema/**/*.py"],
    "frontend": "static",
    "mode": "full",
    "dialect": "modern",
    "namespace": "",
    "cpp_include_root": "include",
    "cpp_source_root": "src",
    "python_root": "python",
    "rust_root": "rust/src/schema",
    "inplace": [],
    "outputs": ["cpp"],
    "ffi_alias": "",
    "export_macros": [],
    "object_macros": [],
    "embed_ir": True,
    "license": "",
    "rust_externs": {},
    "breaking": {},
}


@pytest.mark.spec("SC104", "SC104.17")
def test_every_key_is_known_and_has_its_default():
    assert {name: key.value for name, key in config_table.KEYS.items()} == DOCUMENTED
    made = config.Config()
    for key, value in DOCUMENTED.items():
        assert getattr(made, key.replace("-", "_")) == value, key
    names = {f.name for f in dataclasses.fields(made)} - {"root", "path", "text", "export"}
    assert names == {key.replace("-", "_") for key in DOCUMENTED}


# --- the effect of each key


@pytest.fixture
def ready(project):
    project.schema(SCHEMA)
    return project


def generated(project, text: str, *options: str) -> dict[str, str]:
    """Return the files that are generated with a configuration."""
    project.write("tschema.toml", text)
    assert project.run("generate", *options) == 0, project.err
    skip = ("schema/", "tschema.toml")
    return {n: b.decode() for n, b in project.files().items() if not n.startswith(skip)}


@pytest.mark.spec("SC104.18")
def test_sources(project):
    project.schema(SCHEMA, "defs/deep/ir.py")
    assert "include/ir.h" in generated(project, 'sources = ["defs/**/*.py"]')


@pytest.mark.spec("SC104.18")
def test_frontend(project):
    project.schema("for n in 'XY':\n    declare(type(n + 'Node', (Object,), {'type_key': n}))\n")
    assert "class XNode" in generated(project, 'frontend = "import"')["include/ir.h"]
    assert project.run("check", "--frontend", "static") == 3


@pytest.mark.spec("SC104.18")
def test_mode(ready):
    ready.write("include/ir.h", "// tschema: PNode\n// tschema: end\n")
    files = generated(ready, 'mode = "inplace"')
    assert list(files) == ["include/ir.h"] and "class PNode" in files["include/ir.h"]


def test_inplace_names_more_files(ready):
    ready.write("other/x.hh", "// tschema: PNode\n// tschema: end\n")
    files = generated(ready, 'mode = "inplace"\ninplace = ["other/*.hh"]')
    assert "class PNode" in files["other/x.hh"]


@pytest.mark.spec("SC104.18")
def test_dialect(ready):
    modern = generated(ready, 'dialect = "modern"')["include/ir.h"]
    assert generated(ready, 'dialect = "classic"')["include/ir.h"] != modern


def test_namespace(ready):
    assert (
        "namespace deep {" in generated(ready, 'namespace = "very::deep"')["include/very/deep/ir.h"]
    )


@pytest.mark.spec("SC104.18")
def test_roots(ready):
    text = 'cpp_include_root = "inc"\ncpp_source_root = "lib"\npython_root = "py"\n'
    text += 'outputs = ["cpp", "python", "pyi", "docs", "json"]\n'
    files = generated(ready, text)
    tops = {name.split("/")[0] for name in files}
    assert tops == {"inc", "lib", "py", "docs", "schema.tschema.json"}


@pytest.mark.parametrize("root", ["src", "lib", ".", "a/b"])
def test_source_is_relative_to_the_project_whatever_the_root_of_sources_is(ready, root):
    ready.schema('__tschema__ = module(source="src/one.cc")\n' + SCHEMA)
    names = generated(ready, f'cpp_source_root = "{root}"\noutputs = ["cpp", "ir"]')
    record = "schema_ir.cc" if root == "." else f"{root}/schema_ir.cc"
    assert {name for name in names if name.endswith(".cc")} == {"src/one.cc", record}
    ready.schema(SCHEMA)
    expected = "ir.cc" if root == "." else f"{root}/ir.cc"
    assert expected in generated(ready, f'cpp_source_root = "{root}"')


@pytest.mark.parametrize("key", ["cpp_include_root", "cpp_source_root", "python_root"])
@pytest.mark.parametrize("where", ["../other", "a/../../other", "/absolute"])
def test_a_root_outside_of_the_project_needs_a_flag(ready, key, where):
    root = where if where[0] != "/" else str(ready.root.parent / "absolute")
    ready.write("p/tschema.toml", f'{key} = "{root}"\noutputs = ["cpp", "python"]\n')
    ready.schema(SCHEMA, "p/schema/ir.py")
    before = ready.files()
    for command in ("generate", "check", "resolve"):
        assert ready.run(command, "-C", "p") == 2
        assert f"{key} must be a directory of the project, found '{root}'" in ready.err
        assert "--allow-outside" in ready.err and "tschema.toml:1:1" in ready.err
    assert ready.files() == before
    assert ready.run("generate", "-C", "p", "--allow-outside") == 0, ready.err
    assert ready.run("check", "-C", "p", "--allow-outside") == 0
    found = ready.root.parent / "absolute" if where[0] == "/" else ready.root / "other"
    assert any(path.is_file() for path in found.rglob("*"))


@pytest.mark.spec("SC104.18")
def test_outputs(ready):
    assert any(name.endswith(".pyi") for name in generated(ready, 'outputs = ["pyi"]'))


@pytest.mark.spec("SC104.18")
def test_ffi_alias(ready):
    ready.schema(SCHEMA.replace("x: int = 1", "x: str = 'a'"))
    text = generated(ready, 'ffi_alias = "ffi"')["include/ir.h"]
    assert "ffi::String x" in text and "::tvm::ffi::String x" not in text


@pytest.mark.spec("SC101.1", "SC104.18")
def test_macros(ready):
    head = "#include <tvm/ffi/object.h>\nclass MINE PNode : public tvm::ffi::Object {\n public:\n"
    body = '  int64_t x = 1;\n  OURS("t.P", PNode, tvm::ffi::Object);\n};\n'
    ready.write("include/ir.h", head + body)
    ready.write("src/ir.cc", "")
    ready.write("tschema.toml", 'export_macros = ["MINE"]\nobject_macros = ["OURS"]\n')
    ready.run("validate")
    assert "TS403" not in ready.ids() and "no C++ class PNode" not in ready.err


@pytest.mark.spec("SC103.23", "SC104.18")
def test_embed_ir(ready):
    assert ready.run("build", "-q", "-o", "a.tfs") == 0
    assert ready.run("export", "-q", "a.tfs") == 0
    ready.write("tschema.toml", "embed_ir = false\n")
    assert ready.run("build", "-q", "-o", "a.tfs") == 0
    assert ready.run("export", "-q", "a.tfs") == 3


@pytest.mark.spec("SC102.1", "SC104.18")
def test_breaking_table(ready):
    ready.schema(SCHEMA.replace("x: int = 1", "x: int = 2"), "old/ir.py")
    ready.write("tschema.toml", '[breaking]\nagainst = "old"\n')
    assert ready.run("breaking") == 1 and ready.ids() == ["TS500"]
    assert ready.run("breaking", "--use", "ABI") == 0, ready.err


# --- errors

WRONG = [
    ("fromtend = 'static'", "TS010", 1, "did you mean 'frontend'?"),
    ("xyz = 1", "TS010", 1, "known are breaking, cpp_include_root"),
    ("frontend = 'dynamic'", "TS011", 1, "frontend is one of static, import, not 'dynamic'"),
    ("mode = true", "TS011", 1, "mode must be a text, found True"),
    ("namespace = 'a b'", "TS011", 1, "namespace must be a C++ namespace, found 'a b'"),
    ("ffi_alias = '1x'", "TS011", 1, "ffi_alias must be a C++ name"),
    ("export_macros = ['A B']", "TS011", 1, "export_macros must be names of macros"),
    ('python_root = "a\\u0000b"', "TS011", 1, "python_root must be printable text"),
    ("sources = [1]", "TS011", 1, "sources must be a list of texts"),
    ("embed_ir = 'yes'", "TS011", 1, "embed_ir must be a bool"),
    ("[breaking]\nagainst = 3", "TS011", 2, "breaking.against must be a text"),
    ("[breaking]\nagianst = 'x'", "TS010", 2, "did you mean 'against'?"),
    ("[breaking]\nignore = ['x']", "TS011", 2, "must be a list of tables"),
    ("[[breaking.ignore]]\nrule = 'X'\nreason = 'y'", "TS011", 2, "there is no rule 'X'"),
    ("[[breaking.ignore]]\nrule = 'FIELD_NO_DELET'", "TS011", 2, "did you mean 'FIELD_NO_DELETE'"),
    ("[[breaking.ignore]]\nrule = 'FIELD_NO_DELETE'", "TS011", 2, "needs a reason"),
    ("[[breaking.ignore]]\nrule = 'FIELD_NO_DELETE'\nreason = ' '", "TS011", 2, "needs a reason"),
    ("[[breaking.ignore]]\nrul = 'x'", "TS010", 2, "did you mean 'rule'?"),
]


@pytest.mark.spec("SC104.19", "SC104.20")
@pytest.mark.parametrize(("text", "rule", "line", "words"), WRONG)
@pytest.mark.parametrize("name", ["tschema.toml", "pyproject.toml"])
def test_a_wrong_value_is_reported_at_its_place(ready, text, rule, line, words, name):
    head = "[project]\nname = 'x'\n[tool.tvm-ffi.schema]\n" if name != "tschema.toml" else ""
    if head:
        text = text.replace("[[", "[[tool.tvm-ffi.schema.").replace(
            "\n[", "\n[tool.tvm-ffi.schema."
        )
        text = "[tool.tvm-ffi.schema." + text[1:] if text[0] == "[" and text[1] != "[" else text
        head = head if not text.startswith("[") else ""
    ready.write(name, head + text + "\n")
    before = ready.files()
    assert ready.run("generate") == 2, ready.err
    assert ready.files() == before
    assert set(ready.ids()) == {rule} and words in ready.err
    assert f"{name}:{line + head.count(chr(10))}:" in ready.err


#: Type of a configuration key -> a value of this type in TOML.
KINDS = {
    "bool": "true",
    "text": "'full'",
    "integer": "1",
    "float": "1.5",
    "date": "1979-05-27",
    "texts": "['cpp']",
    "numbers": "[1]",
    "tables": "[{a = 1}]",
    "table": "{a = 1}",
}
TAKEN = {str: {"text"}, bool: {"bool"}, list: {"texts"}, dict: {"table"}}


@pytest.mark.spec("SC104.19")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", config_table.KEYS)
def test_every_key_refuses_every_other_kind_of_value(ready, key, kind):
    ready.write("tschema.toml", f"{key} = {KINDS[kind]}\n")
    status = ready.run("outputs")
    if kind in TAKEN[config_table.KEYS[key].kind.type]:
        assert status in (0, 2, 3, 4), ready.err  # a value of the right type may still be invalid
        return
    assert status == 2 and ready.ids() == ["TS011"], ready.err
    assert "tschema.toml:1:1: error" in ready.err and f"{key} must be a" in ready.err


def test_an_unknown_key_of_breaking_does_not_hide_a_wrong_category(ready):
    ready.write("tschema.toml", "[breaking]\nagianst = 'x'\nignore = 3\n")
    assert ready.run("breaking") == 2
    assert {"TS010", "TS011"} <= set(ready.ids())


def test_a_configuration_that_is_named_but_not_there(ready):
    assert ready.run("generate", "--config", "nowhere.toml") == 2
    assert ready.ids() == ["TS012"]


# --- arbitrary files

KEYS = st.sampled_from([*config_table.KEYS, "oops"])
VALUES = st.recursive(
    st.one_of(
        st.booleans(),
        st.integers(-5, 5),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(["", "ALL", "ABI", "cpp", "inplace", "import", "a::b", "../x", "**", "["]),
        st.text(max_size=6),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["select", "ignore", "use", "rule", "x"]), inner, max_size=3
        ),
    ),
    max_leaves=5,
)
COMMANDS = [
    ("generate",),
    ("check",),
    ("validate",),
    ("breaking", "--against", "schema"),
    ("outputs",),
]


def inline(value) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(escaped(char) for char in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(item)}" for key, item in value.items()) + "}"
    return repr(value)


def escaped(char: str) -> str:
    plain = char.isascii() and char.isprintable() and char not in '"\\'
    code = ord(char) if not "\ud800" <= char <= "\udfff" else 0xFFFD
    return char if plain else f"\\U{code:08x}"


@pytest.mark.spec("SC104.21")
@settings(max_examples=250, deadline=None)
@given(entries=st.dictionaries(KEYS, VALUES, max_size=4), command=st.sampled_from(COMMANDS))
def test_any_configuration_of_known_keys(tmp_path_factory, entries, command):
    root = tmp_path_factory.mktemp("config")
    text = "".join(f"{key} = {inline(value)}\n" for key, value in entries.items())
    run(root, {"tschema.toml": text.encode(), "schema/ir.py": PLAIN.encode()}, command)


@pytest.mark.spec("SC104.21")
@settings(max_examples=120, deadline=None)
@given(
    data=st.one_of(
        st.binary(max_size=60), st.text(max_size=60).map(lambda t: t.encode("utf-8", "replace"))
    ),
    command=st.sampled_from(COMMANDS),
    where=st.sampled_from(["tschema.toml", "schema/ir.py", "include/ir.h", "python/ir.py"]),
)
def test_any_bytes_in_any_file(tmp_path_factory, data, command, where):
    root = tmp_path_factory.mktemp("bytes")
    files = {"schema/ir.py": PLAIN.encode(), "include/x.h": b"", "src/x.cc": b"", where: data}
    run(root, files, command)


PLAIN = (
    "from tvm_ffi.schema import Object, declare\n\n\n"
    '@declare\nclass PNode(Object):\n    """A."""\n\n    type_key = "t.P"\n    x: int = 1\n'
)


class Silent:
    """A replacement for the fixture `capfd`; tests with hypothesis cannot use this fixture."""

    def readouterr(self) -> tuple[str, str]:
        return "", ""


def run(root, files: dict[str, bytes], command: tuple[str, ...]) -> None:
    """Run a command; check that its exit status is documented and that findings have a place."""
    import contextlib
    import io

    project = Project(root, Silent())
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = project.run(*command, "--format", "json")
    assert status in (0, 1, 2, 3, 4), (status, err.getvalue())
    assert "Traceback" not in err.getvalue()
    found = [json.loads(line) for line in out.getvalue().splitlines() if line.startswith('{"')]
    assert status < 2 or found
    for item in found:
        assert item["file"] and item["line"] >= 1 and item["column"] >= 1
        assert item.get("help") != ""
    left = [name for name in os.listdir(root / "schema") if name.endswith(".tmp")]
    assert not left


def test_the_checker_takes_any_table():
    for data in (None, 3, [], "x", {}):
        config_check.Checker("", "x.toml", Bag()).good(data)


def test_a_loop_of_links_leads_to_each_file_once(project):
    """Earlier versions read the file once for each path, and reported 40 errors."""
    project.schema('@declare\nclass A(Object):\n    """A."""\n    type_key = "A"\n')
    (project.root / "schema/a_loop").symlink_to(".", target_is_directory=True)
    assert project.run("generate", "-q") == 0, project.err
    assert project.ids() == [] and sorted(os.listdir(project.root / "include")) == ["ir.h"]
