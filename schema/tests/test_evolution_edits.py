# SPDX-License-Identifier: Apache-2.0
"""Edits of a schema that have no rule of their own, and all ways to name an older version."""

from __future__ import annotations

import json
import subprocess

import pytest

from tvm_ffi_schema.compare import changes

from .conftest import needs_compiler
from .test_evolution import OLD, P
from .test_evolution_matrix import program

A, B, F = "a: ty.int32_t", 'b: str = "x"', "def f(self, x: int) -> int: ..."
#: (old text, new text, the rules that report the edit)
EDITS = [
    (A, "a: ty.int32_t = field(name='aa')", {"FIELD_SAME_NAME"}),
    (A, "a: ty.int32_t = field(name='aa', renamed_from='a')", {"FIELD_RENAMED"}),
    (A, "aa: ty.int32_t = field(renamed_from='a')", {"FIELD_RENAMED"}),
    (A, "aa: ty.int32_t = field(name='a', renamed_from='a')", {"FIELD_RENAMED"}),
    ("@method\n    def f(", "@method(renamed_from='f')\n    def g(", {"METHOD_NO_DELETE"}),
    (A, "a: ty.int32_t = field(reflect=False)", {"FIELD_NO_DELETE"}),
    (P, P + "    default_visit_attrs = False\n", {"FIELD_NO_DELETE"}),
    (P, P + "    ctor = False\n", {"CTOR_SAME_SIGNATURE"}),
    (B, B + "\n    d: int = field(default=0, init=False, structural_eq='ignore')",
     {"TYPE_SAME_SIZE", "FIELD_SAME_OFFSET"}),
    (F, F + "\n    @method\n    def f(self, x: str) -> int: ...", set()),
    (F, "def f(self, y: int) -> int: ...", set()),
    (F, F + "\n\n    @method\n    def g(self) -> int: ...", set()),
    ("entry(2)", "entry(2)\n    Three = entry(3)", set()),
    ("entry(2)", "entry(2, attrs={'demo.w': 1})", set()),
    ('{"demo.rank": 1}', '{"demo.rank": 1, "demo.more": 2}', set()),
    (P, P + "    mutable = True\n", set()),
    (A, A + " = 0", set()),
    ('"""P."""', '"""Another text."""', set()),
    (P, P + "    includes = ['<vector>']\n", set()),
    (P, P + "    deprecated = 'use Q'\n", set()),
    (A, "a: ty.int32_t = field(access='protected')", set()),
    (A, "a: ty.int32_t = field(metadata={'k': 1})", set()),
    (A, "a: ty.int32_t = field(frozen=False)", set()),
    (A, "a: ty.int32_t = field(doc='What it is.')", set()),
]  # fmt: skip


@pytest.mark.spec("SC102.3", "SC102.12", "SC102.13")
@pytest.mark.parametrize(("old", "new", "rules"), EDITS)
def test_an_edit_touches_these_rules_and_is_listed(tmp_path, old, new, rules):
    assert old in OLD
    before = program(tmp_path / "ir.py", OLD)
    after = program(tmp_path / "ir.py", OLD.replace(old, new))
    assert {change.rule for change in changes.compare(before, after)} == rules
    assert not list(changes.compare(after, after))


BACK = [
    (F, F + "\n    @method\n    def f(self, x: str) -> int: ...", {"METHOD_SAME_SIGNATURE"}),
    ("entry(2)", "entry(2, attrs={'demo.w': 1})", {"ATTR_NO_DELETE"}),
    (A, "a: ty.int32_t = field(frozen=False)", {"TYPE_SAME_MUTABILITY"}),
    (A, "a: ty.int32_t = 0", {"FIELD_NO_NEW_REQUIRED"}),
    (A, "a: ty.int32_t = field(reflect=False)", {"FIELD_NO_NEW_REQUIRED"}),
    (B, 'b: str = field(default="x", reflect=False)', set()),
]


@pytest.mark.spec("SC102.10", "SC102.21", "SC102.25")
@pytest.mark.parametrize(("old", "new", "rules"), BACK)
def test_what_may_be_loosened_may_not_be_tightened(tmp_path, old, new, rules):
    before = program(tmp_path / "ir.py", OLD.replace(old, new))
    after = program(tmp_path / "ir.py", OLD)
    assert {change.rule for change in changes.compare(before, after)} == rules


@pytest.mark.spec("SC102.22")
def test_the_constructor_of_a_child_takes_what_its_parent_takes(tmp_path):
    base = "@declare\nclass ANode(Object):\n    type_key = 'a.A'\n    a: int\n%s"
    text = base + "@declare\nclass BNode(ANode):\n    type_key = 'a.B'\n    b: int%s\n"
    before = program(tmp_path / "ir.py", text % ("", ""))

    def touched(*parts: str) -> set[tuple[str, str]]:
        after = program(tmp_path / "ir.py", text % parts)
        found = changes.compare(before, after)
        return {(c.rule, c.type_key) for c in found if c.rule == "CTOR_SAME_SIGNATURE"}

    assert touched("", "\n    c: int = 0") == set()
    assert touched("    c: int = field(default=0, init=False)\n", "") == set()
    both = {("CTOR_SAME_SIGNATURE", "a.A"), ("CTOR_SAME_SIGNATURE", "a.B")}
    assert touched("    c: int\n", "") == both
    assert touched("    c: int = 0\n", " = 0") == {("CTOR_SAME_SIGNATURE", "a.B")}


@pytest.mark.spec("SC102.15")
def test_a_renamed_field_at_another_offset(tmp_path):
    before = program(tmp_path / "ir.py", OLD)
    first = "z: int = field(default=0, kw_only=True)\n    "
    text = OLD.replace(A, first + "aa: ty.int32_t = field(renamed_from='a')")
    found = [c.text for c in changes.compare(before, program(tmp_path / "ir.py", text))]
    assert "demo.P.aa: offset 24 is now 32" in found


@pytest.fixture
def repository(project):
    """Return a project in git with files inside and outside of `schema`."""
    one = '@declare\nclass %sNode(Object):\n    """A."""\n    type_key = "git.%s"\n    x: int = 0\n'
    paths = {"A": "schema/a.py", "B": "schema/deep/b.py", "C": "schema/.c.py", "D": "other/d.py"}
    for name, path in paths.items():
        project.schema(one % (name, name), path)
    names = 'KEY = "git.E"\n@declare\nclass ENode(Object):\n    """E."""\n    type_key = KEY\n'
    project.schema(names, "schema/e.py")
    project.write("tschema.toml", 'frontend = "static"\n')
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"], ["tag", "v1"]):
        done = subprocess.run([*git, *command], cwd=project.root, check=False)
        if done.returncode:
            pytest.skip("git is not here")
    return project


@pytest.mark.spec("SC102.28")
def test_the_same_files_of_a_commit_are_compared(repository):
    pytest.importorskip("tomllib")
    for paths in ((), ("schema/a.py",), ("schema",), ("schema/deep", "schema/a.py"), ("schema.a",)):
        assert repository.run("breaking", "--against", "git:v1", *paths) == 0, repository.err
        assert "0 breaking changes" in repository.err
    assert repository.run("breaking", "--against", "git:v1", "other/d.py") == 0, repository.err
    assert repository.run("breaking", "--against", "git:v1", "-C", "schema", "a.py") == 0, (
        repository.err
    )
    text = repository.read("schema/a.py")
    repository.write("schema/a.py", text.replace("x: int", "y: int"))
    assert repository.run("breaking", "--against", "git:v1", "schema/deep/b.py") == 0
    assert repository.run("breaking", "--against", "git:HEAD", "schema/a.py") == 1
    repository.write("schema/new.py", text.replace("git.A", "git.N").replace("ANode", "NNode"))
    assert repository.run("breaking", "--against", "git:v1", "schema/new.py") == 2
    assert repository.ids() == ["TS502"]


@pytest.mark.spec("SC102.28")
def test_patterns_of_sources_mean_the_same_in_a_commit(repository):
    pytest.importorskip("tomllib")
    config = repository.read("tschema.toml")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for sources in (["schema/*.py"], ["./schema/[ad]*.py", "schema/e.py"], ["**/[a-d].py"]):
        repository.write("tschema.toml", f"sources = {json.dumps(sources)}\n" + config)
        subprocess.run([*git, "commit", "-qam", "more"], cwd=repository.root, check=True)
        assert repository.run("breaking", "--against", "git:HEAD") == 0, repository.err
        assert repository.ids() == []


@pytest.mark.spec("SC102.28")
@pytest.mark.parametrize("kind", ["commit", "directory"])
def test_an_older_version_is_read_by_its_own_configuration(repository, kind):
    """An earlier version of the tool read the older schema with the present configuration."""
    pytest.importorskip("tomllib")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    (repository.root / "schema").rename(repository.root / "defs")
    config = repository.read("tschema.toml")
    repository.write("tschema.toml", 'sources = ["defs/**/*.py"]\n' + config)
    reference = "git:v1"
    if kind == "directory":
        command = [*git, "worktree", "add", "-q", "old version", "v1"]
        subprocess.run(command, cwd=repository.root, check=True)
        reference = "old version"
    assert repository.run("breaking", "--against", reference) == 0, repository.err
    text = repository.read("defs/a.py")
    repository.write("defs/a.py", text.replace("x: int", "y: int"))
    assert repository.run("breaking", "--against", reference) == 1
    if kind == "commit":
        config = repository.read("tschema.toml")
        repository.write("tschema.toml", f"mode = 1\n{config}")
        subprocess.run([*git, "commit", "-qam", "wrong"], cwd=repository.root, check=True)
        repository.write("tschema.toml", config)
        assert repository.run("breaking", "--against", "git:HEAD") == 2
        assert "git:HEAD:tschema.toml:1:1: " in repository.err and repository.ids() == ["TS502"]


def test_of_a_checkout_the_same_files_are_compared(repository):
    pytest.importorskip("tomllib")
    command = ["git", "worktree", "add", "-q", "old", "v1"]
    subprocess.run(command, cwd=repository.root, check=True)
    assert repository.run("breaking", "--against", "old", "schema/a.py") == 0, repository.err
    assert repository.run("breaking", "--against", "old", "schema/deep") == 0, repository.err
    assert repository.run("breaking", "--against", "old", "other/d.py") == 2


def test_generated_files_of_an_older_version_are_not_a_schema(project):
    """An earlier version failed because it also read the generated Python files in `old`."""
    project.schema(OLD, "ir.py")
    (project.root / "old").mkdir()
    project.schema(OLD, "old/ir.py")
    options = ("--to", "cpp,python", "-q", "-C", str(project.root / "old"), "ir.py")
    assert project.run("generate", *options) == 0, project.err
    assert list((project.root / "old").rglob("_ir.py"))
    assert project.run("breaking", "--against", "old", "ir.py") == 0, project.err


@pytest.mark.spec("SC102.30")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("old/ir.py", "x = 1\n"),
        ("old/ir.py", ""),
        ("old/notes.txt", ""),
        ("old", '{"version": "tschema-ir/1", "modules": []}'),
    ],
)
def test_an_older_version_without_classes_is_an_error(project, name, text):
    """An earlier version of the tool reported no error for an older version without classes."""
    project.schema(OLD)
    name = f"{name}.json" if name == "old" else name
    project.write(name, text)
    reference = name if name.endswith(".json") else "old"
    assert project.run("breaking", "--against", reference) == 2
    assert project.ids() == ["TS502"]
    assert f"the older version, {reference}, has no classes" in project.err


@pytest.mark.spec("SC102.30")
def test_an_error_in_an_older_version_is_shown_where_it_is(repository):
    pytest.importorskip("tomllib")
    whole = repository.read("schema/a.py")
    repository.write("schema/a.py", whole + "    y: Nowhere\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "commit", "-qam", "two"], cwd=repository.root, check=True)
    repository.write("schema/a.py", whole)
    assert repository.run("breaking", "--against", "git:HEAD") == 2
    line = whole.count("\n") + 1
    assert f"git:HEAD:schema/a.py:{line}:5: error[TS502]: the older version" in repository.err


@pytest.mark.spec("SC102.29")
@needs_compiler
def test_a_built_file_as_the_old_version(project):
    project.schema(OLD, "ir.py")
    for command in (["-o", "old.tfs"], ["-o", "old.so"]):
        assert project.run("build", "-q", *command, "ir.py") == 0, project.err
    for name in ("old.tfs", "old.so"):
        assert project.run("breaking", "--against", name, "ir.py") == 0, project.err
    project.schema(OLD.replace(B, 'b: str = "y"'), "ir.py")
    for name in ("old.tfs", "old.so"):
        assert project.run("breaking", "--against", name, "ir.py") == 1
        assert "FIELD_SAME_DEFAULT" in project.err


SPELLED = """@declare
class ANode(Object):
    type_key = "t.A"
    a: ty.Array[int] = {}
    b: ty.Device = {}
    c: tuple[ty.Device, ty.DataType] = {}
"""


def test_another_spelling_of_a_default_is_not_a_break(project):
    """An earlier version reported a change if a tuple became an equal `default_factory`."""
    project.schema(SPELLED.format("()", '"cpu"', '("mps", "i32")'), "old/ir.py")
    factory = "field(default_factory=list)"
    project.schema(SPELLED.format(factory, '"cpu:0"', '("metal:0", "int32")'))
    assert project.run("breaking", "--against", "old", "schema") == 0, project.err
    project.schema(SPELLED.format("(1,)", '"cpu:1"', '("metal:0", "int64")'))
    assert project.run("breaking", "--against", "old", "schema", "--use", "JSON") == 1
    assert project.err.count("FIELD_SAME_DEFAULT: ") == 3, project.err
