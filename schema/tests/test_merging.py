# SPDX-License-Identifier: Apache-2.0
"""Git merges of two branches, each of which changes a schema and the C++ files of the schema."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from running import execute

import tvm_ffi

SCHEMA = '''
__tschema__ = module(namespace="demo", type_key_prefix="demo.", header="demo/ir.h")

@declare
class PointNode(Object):
    """A point."""
    type_key = "Point"
    x: ty.float64
    # the last field of PointNode

    @method
    def norm(self) -> ty.float64:
        """Return the norm."""

    @method
    def area(self) -> ty.float64:
        """Return the area."""

@declare
class LineNode(Object):
    """A line."""
    type_key = "Line"
    a: ty.float64
    # the last field of LineNode
'''
HEADER, SOURCE = "include/demo/ir.h", "src/ir.cc"
INPLACE_HEADER = """#pragma once
#include <tvm/ffi/object.h>
namespace demo {
// first line of the user
// tschema: PointNode.all
// tschema: end

// second line of the user
// tschema: LineNode.all
// tschema: end
// third line of the user
}  // namespace demo
"""
INPLACE_SOURCE = """#include <demo/ir.h>
namespace demo {
// tschema: @registration
// tschema: end
// last line of the user
}  // namespace demo
"""


class Repository:
    """A project in a git repository; `two_branches` adds the branches of two users."""

    def __init__(self, project, mode: str, config: str = "") -> None:
        self.project = project
        self.mode = mode
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "one@example.com")
        self.git("config", "user.name", "One")
        project.write(".gitignore", ".tschema\n")
        project.write("tschema.toml", f'mode = "{mode}"\noutputs = ["cpp", "python"]\n' + config)
        project.schema(SCHEMA)
        if mode == "inplace":
            project.write(HEADER, INPLACE_HEADER)
            project.write(SOURCE, INPLACE_SOURCE)
        self.generate()
        self.commit("base")

    def git(self, *arguments: str, status: int | None = 0) -> str:
        env = {**os.environ, "GIT_EDITOR": "true"}
        env["PYTHONPATH"] = str(Path(tvm_ffi.__file__).parents[1])
        done = execute("git", *arguments, status=status, cwd=self.project.root, env=env)
        return done.stdout + done.stderr

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def generate(self) -> None:
        assert self.project.run("generate") == 0, self.project.err

    def edit(self, name: str, *pairs: tuple[str, str]) -> None:
        text = self.project.read(name)
        for old, new in pairs:
            assert old in text, (name, old)
            text = text.replace(old, new, 1)
        self.project.write(name, text)

    def body(self, method: str, text: str) -> None:
        """Replace the body of a method of `PointNode` in the source file."""
        pattern = rf"(PointNode::{method}\(\) const {{\n)(.*?)(\n}}\n// tschema: custom-end)"
        source = self.project.read(SOURCE)
        made, count = re.subn(pattern, rf"\g<1>{text}\g<3>", source, flags=re.DOTALL)
        assert count == 1, source
        self.project.write(SOURCE, made)

    def branch(self, name: str, start: str = "main") -> None:
        self.git("checkout", "-q", "-b", name, start)

    def two_branches(self, *, same_section: bool = True) -> None:
        """Make two branches that add fields and write method bodies; check out branch `one`."""
        self.branch("one")
        field = "    # the last field of PointNode\n"
        self.edit("schema/ir.py", (field, "    y: ty.float64 = 1.0\n" + field))
        self.body("norm", "  return x + y;")
        self.generate()
        self.commit("one")
        self.branch("two")
        field = "    # the last field of LineNode\n"
        self.edit("schema/ir.py", (field, "    b: ty.float64 = 2.0\n" + field))
        self.edit(
            "schema/ir.py", ("    x: ty.float64\n", "    x0: ty.int64_t\n    x: ty.float64\n")
        )
        self.body("area", "  return x * 2;")
        if same_section:
            self.body("norm", "  return x + 2;")
        self.generate()
        self.commit("two")
        self.git("checkout", "-q", "one")

    def conflicts(self) -> list[str]:
        """Return "file:line" for each line that begins a merge conflict."""
        found = []
        for name, data in self.project.files().items():
            if not name.startswith(".git"):
                lines = data.decode("utf-8", "replace").splitlines()
                found += [f"{name}:{n}" for n, one in enumerate(lines, 1) if one[:7] == "<" * 7]
        return found

    def is_current(self) -> bool:
        return self.project.run("check") == 0


@pytest.fixture(params=["full", "inplace"])
def repo(request, project):
    return Repository(project, request.param)


@pytest.fixture
def full(project):
    return Repository(project, "full")


@pytest.fixture
def inplace(project):
    return Repository(project, "inplace")


def holds_everything(text: str) -> None:
    """Check that the source file has the changes of both branches that `two_branches` made."""
    assert "return x * 2;" in text and "x0" in text and "LineNode::b" in text
    assert '"y", &PointNode::y' in text


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_a_merge_leaves_a_conflict_only_in_the_section_that_both_changed(repo, style):
    repo.git("config", "merge.conflictStyle", style)
    repo.two_branches()
    repo.git("merge", "two", status=1)
    assert repo.project.run("generate") == 4
    assert "run  tvm-ffi-schema resolve" in repo.project.err
    assert repo.project.run("resolve") == 4
    assert "the custom section 'PointNode.method:norm' has an unresolved" in repo.project.err
    assert len(repo.conflicts()) == 1 and repo.conflicts()[0].startswith(SOURCE)
    text = repo.project.read(SOURCE)
    holds_everything(text)
    lines = "<<<<<<< ours\n  return x + y;\n=======\n  return x + 2;\n>>>>>>> theirs\n"
    assert lines in text
    assert repo.project.run("generate") == 4
    assert "edit the section and remove the conflict lines" in repo.project.err
    repo.project.write(SOURCE, text.replace(lines, "  return x + y + 2;\n"))
    repo.generate()
    assert repo.is_current() and not repo.conflicts()
    assert repo.project.run("resolve") == 0
    assert "there is nothing to resolve" in repo.project.err
    repo.commit("merged")
    assert repo.git("status", "--short") == ""


def test_a_merge_of_different_sections_mends_itself(repo):
    repo.two_branches(same_section=False)
    repo.git("merge", "two", status=1)
    assert repo.project.run("resolve") == 0, repo.project.err
    assert f"resolved {SOURCE}" in repo.project.err
    text = repo.project.read(SOURCE)
    holds_everything(text)
    assert "return x + y;" in text and not repo.conflicts()
    assert repo.is_current()


@pytest.mark.parametrize("command", ["rebase", "cherry-pick"])
def test_a_rebase_and_a_cherry_pick_are_resolved_alike(full, command):
    full.two_branches(same_section=False)
    full.git(command, "two", status=1)
    assert full.project.run("resolve") == 0, full.project.err
    holds_everything(full.project.read(SOURCE))
    assert full.is_current()


def test_a_conflict_from_the_first_line_on_is_one_of_the_tool(full):
    ours = full.project.read(HEADER)
    full.edit("schema/ir.py", ("x: ty.float64", "y: ty.int64_t\n    x: ty.float64"))
    full.generate()
    theirs = full.project.read(HEADER)
    full.project.write(HEADER, f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> two\n")
    assert full.project.run("generate") == 4
    assert full.project.ids() == ["TS110"]
    assert full.project.run("resolve") == 0, full.project.err
    assert full.project.read(HEADER) == theirs


def test_one_named_file_is_resolved_alone(full):
    full.two_branches(same_section=False)
    full.git("merge", "two", status=1)
    before = full.project.read(HEADER)
    assert full.project.run("resolve", SOURCE) == 0, full.project.err
    holds_everything(full.project.read(SOURCE))
    assert full.project.read(HEADER) == before
    assert f"resolved {HEADER}" not in full.project.err


def test_a_file_that_is_not_there_is_reported(full):
    assert full.project.run("resolve", "src/other.cc") == 4
    assert "there is no file 'src/other.cc'" in full.project.err
    assert "resolved" not in full.project.err


def test_windows_line_ends_are_kept(full):
    full.git("config", "core.autocrlf", "false")
    data = full.project.read(SOURCE).replace("\n", "\r\n")
    full.project.write(SOURCE, data)
    full.commit("line ends")
    full.branch("one")
    full.edit(SOURCE, (' << "demo.Point.norm is not implemented";', ' << "ours";'))
    full.edit("schema/ir.py", ("x: ty.float64\n", "x: ty.float64\n    y: ty.float64\n"))
    full.generate()
    full.commit("one")
    full.branch("two", "one~1")
    full.edit(SOURCE, (' << "demo.Point.norm is not implemented";', ' << "theirs";'))
    full.edit("schema/ir.py", ("a: ty.float64\n", "a: ty.float64\n    b: ty.float64\n"))
    full.generate()
    full.commit("two")
    full.git("merge", "one", status=1)
    assert full.project.run("resolve") == 4
    text = full.project.read(SOURCE)
    assert text.count("\n") == text.count("\r\n")
    assert "=======\r\n" in text and '"y", &PointNode::y' in text and '"b", &LineNode::b' in text


def test_a_schema_with_a_conflict_is_said_to_have_one(full):
    for name in ("one", "two"):
        full.branch(name, "main")
        full.edit("schema/ir.py", ("x: ty.float64\n", f"x: ty.float64\n    {name}: ty.float64\n"))
        full.generate()
        full.commit(name)
    full.git("merge", "one", status=1)
    before = full.project.files()
    for command in ("resolve", "generate"):
        assert full.project.run(command) == 3
        assert "schema/ir.py:10:1" in full.project.err
        assert "this file has an unresolved merge conflict" in full.project.err
        assert "\nresolved" not in full.project.err
    assert full.project.files() == before
    text = re.sub(r"(<<<<<<<|=======|>>>>>>>).*\n", "", full.project.read("schema/ir.py"))
    full.project.write("schema/ir.py", text)
    assert full.project.run("resolve") == 0, full.project.err
    assert full.is_current()


def test_a_section_that_was_merged_by_hand_before_stays(full):
    full.two_branches()
    full.git("merge", "two", status=1)
    text = full.project.read(SOURCE)
    mine = re.sub(r"  return x \+ y;\n", "  return 42;\n", text)
    mine = re.sub(r"  return x \+ 2;\n", "  return 42;\n", mine)
    assert mine.count("return 42;") == 2  # each side of the conflict contains the line
    full.project.write(SOURCE, mine)
    assert full.project.run("resolve") == 0, full.project.err
    text = full.project.read(SOURCE)
    assert text.count("return 42;") == 1 and "return x + " not in text
    holds_everything(text)
    assert full.is_current()


def test_a_conflict_with_a_side_that_is_not_whole_names_the_command_that_restores_it(full):
    full.two_branches()
    full.git("merge", "two", status=1)
    text = full.project.read(SOURCE)
    broken = text.replace("// tschema: custom-begin PointNode.method:norm\n", "", 1)
    full.project.write(SOURCE, broken)
    assert full.project.run("resolve") == 4
    assert "a side of this conflict is not whole" in full.project.err
    assert f"git checkout -m -- {SOURCE}" in full.project.err
    assert full.project.read(SOURCE) == broken
    full.git("checkout", "-m", "--", SOURCE)
    assert full.project.run("resolve") == 4
    holds_everything(full.project.read(SOURCE))


@pytest.mark.parametrize("committed", [False, True])
def test_a_merge_made_by_hand_with_a_wrong_checksum_is_regenerated(repo, committed):
    repo.two_branches(same_section=False)
    repo.git("merge", "two", status=1)
    for name in (HEADER, SOURCE, "python/_ir.py"):
        if repo.mode == "full" or name != "python/_ir.py":
            text = repo.project.read(name)
            text = re.sub(r"<{7}.*?\n(.*?)={7}\n(.*?)>{7}.*?\n", r"\1", text, flags=re.DOTALL)
            repo.project.write(name, text)
    repo.git("add", "-A")
    if committed:
        repo.git("commit", "-q", "-m", "merged by hand")
    assert repo.project.run("generate") == 4
    assert "TS108" in repo.project.ids()
    assert "differs from its checksum" in repo.project.err
    assert repo.project.run("resolve") == 0, repo.project.err
    assert repo.is_current()


def test_a_conflict_without_git_is_taken_from_its_markers(full):
    full.two_branches()
    full.git("merge", "two", status=1)
    shutil.rmtree(full.project.root / ".git")
    before = full.project.files()
    assert full.project.run("resolve") == 4
    # Outside of the conflicts, the text has changes of both sides, so no checksum matches.
    assert "TS108" in full.project.ids() and full.project.files() == before
    assert full.project.run("resolve", "--adopt-edits") == 4
    assert len(full.conflicts()) == 1
    text = full.project.read(SOURCE)
    holds_everything(text)
    full.project.write(SOURCE, re.sub(r"(<<<<<<<|=======|>>>>>>>).*\n", "", text))
    full.generate()
    assert full.is_current()


@pytest.mark.parametrize("which", ["ours", "theirs"])
def test_an_edit_of_generated_text_on_one_side_is_found_and_adopted(repo, which):
    repo.two_branches(same_section=False)
    repo.git("checkout", "-q", "one" if which == "ours" else "two")
    member = "  int twice() const {\n    return 2;\n  }\n"
    repo.edit(HEADER, ("  PointNode() = default;\n", member + "  PointNode() = default;\n"))
    repo.commit("edit")
    repo.git("checkout", "-q", "one")
    repo.git("merge", "two", status=1)
    before = repo.project.files()
    assert repo.project.run("resolve") == 4
    assert "has lines that this tool has not generated: int twice() const {" in repo.project.err
    assert "tvm-ffi-schema resolve --adopt-edits include/demo/ir.h" in repo.project.err
    assert repo.project.files() == before
    assert repo.project.run("resolve", "--adopt-edits") == 0, repo.project.err
    text = repo.project.read(HEADER)
    assert member + "  // tschema: custom-end" in text or member + "// tschema: custom-end" in text
    section = text.index("int twice")
    assert text.index("class PointNode") < section < text.index("class Point :")
    assert repo.is_current()


def test_edits_of_a_whole_file_become_sections_of_their_class(full):
    full.edit(
        HEADER,
        ("  LineNode() = default;\n", "  int mine() { return 1; }\n  LineNode() = default;\n"),
    )
    full.edit(
        SOURCE,
        (
            "TVM_FFI_STATIC_INIT_BLOCK",
            "static int free_function() { return 2; }\nTVM_FFI_STATIC_INIT_BLOCK",
        ),
    )
    assert full.project.run("generate") == 4
    assert full.project.run("resolve", "--adopt-edits") == 0, full.project.err
    header, source = full.project.read(HEADER), full.project.read(SOURCE)
    mine = header.index("int mine()")
    assert "// tschema: custom-begin LineNode.tail" in header
    assert header.index("class LineNode") < mine < header.index("class Line :")
    free = source.index("static int free_function")
    assert source.index("def_ro") < free < source.index("}  // namespace demo")
    assert full.is_current()


def test_an_edit_that_changes_a_line_is_kept_aside_and_the_text_is_current(full):
    full.edit(HEADER, ("  double x{};\n", "  float x{};\n"))
    assert full.project.run("resolve") == 4
    assert "float x{};" in full.project.read(HEADER)
    assert full.project.run("resolve", "--adopt-edits") == 4
    assert "changes generated lines" in full.project.err
    kept = re.search(r"(\S+lost\+found/\S+) keeps its lines", full.project.err)
    assert kept and full.project.read(kept[1]) == "  float x{};\n"
    assert "double x{};" in full.project.read(HEADER)
    assert full.is_current()


def test_two_people_add_a_block_at_the_same_place(inplace):
    for name in ("One", "Two"):
        inplace.branch(name.lower(), "main")
        text = (
            f'\n@declare\nclass {name}Node(Object):\n    """{name}."""\n    type_key = "{name}"\n'
        )
        inplace.project.write(
            f"schema/{name.lower()}.py",
            inplace.project.read("schema/ir.py").partition("@declare")[0] + text.lstrip(),
        )
        inplace.edit(
            HEADER, ("// third line", f"// tschema: {name}Node.all\n// tschema: end\n// third line")
        )
        inplace.generate()
        inplace.commit(name)
    inplace.git("merge", "one", status=1)
    assert inplace.project.run("resolve") == 0, inplace.project.err
    text = inplace.project.read(HEADER)
    assert "class OneNode" in text and "class TwoNode" in text and not inplace.conflicts()
    assert inplace.is_current()


def test_a_conflict_of_hand_written_text_stays_and_is_reported(inplace):
    for name in ("one", "two"):
        inplace.branch(name, "main")
        inplace.edit(HEADER, ("// second line of the user", f"// second line of {name}"))
        old = "x: ty.float64" if name == "one" else "a: ty.float64"
        inplace.edit("schema/ir.py", (old, f"{name}: ty.int64_t\n    {old}"))
        inplace.generate()
        inplace.commit(name)
    inplace.git("merge", "one", status=1)
    assert inplace.project.run("resolve") == 4
    assert "hand-written text has an unresolved merge conflict" in inplace.project.err
    text = inplace.project.read(HEADER)
    assert "// second line of two\n=======\n// second line of one\n" in text
    assert "int64_t one{};" in text and "int64_t two{};" in text
    assert len(inplace.conflicts()) == 1


def test_a_body_that_one_deleted_and_the_other_changed_is_kept_beside(full):
    full.branch("one")
    removed = '    @method\n    def area(self) -> ty.float64:\n        """Return the area."""\n'
    full.edit("schema/ir.py", (removed, ""))
    assert full.project.run("generate") == 4
    (full.project.root / f"{SOURCE}.orphaned").unlink()
    full.generate()
    full.commit("one")
    full.branch("two", "main")
    full.body("area", "  return 77;")
    full.edit("schema/ir.py", ("a: ty.float64", "a: ty.float64\n    b: ty.float64"))
    full.generate()
    full.commit("two")
    full.git("merge", "one", status=1)
    assert full.project.run("resolve") == 4
    assert "TS121" in full.project.ids()
    assert "return 77;" in full.project.read(f"{SOURCE}.orphaned")
    assert "return 77;" not in full.project.read(SOURCE)


def test_a_renamed_method_and_a_changed_body_come_together(repo):
    repo.body("norm", "  int long_enough = 1;\n  int to_be_known = 2;\n  return x;")
    repo.commit("body")
    repo.branch("one")
    old = "    @method\n    def norm"
    repo.edit("schema/ir.py", (old, '    @method(renamed_from="norm")\n    def length'))
    repo.generate()
    repo.commit("one")
    repo.branch("two", "main")
    repo.edit(SOURCE, ("  return x;", "  return x + 1;"))
    repo.edit("schema/ir.py", ("a: ty.float64", "a: ty.float64\n    b: ty.float64"))
    repo.generate()
    repo.commit("two")
    repo.git("merge", "one", status=1)
    assert repo.project.run("resolve") == 0, repo.project.err
    text = repo.project.read(SOURCE)
    assert text.count("return x + 1;") == 1 and "return x;" not in text
    assert "custom-begin PointNode.method:length" in text and "method:norm" not in text


@pytest.mark.parametrize("change", ["replaced", "removed"])
@pytest.mark.parametrize(("anchor", "length"), [("tail", 1), ("head", 2), ("after", 12)])
def test_a_section_that_both_changed_is_a_conflict(inplace, anchor, length, change):
    """An earlier version recognised sections by similarity, and kept both versions."""
    end = "// tschema: end"
    lines = "".join(f"int base_{n}();\n" for n in range(length))
    section = f"// tschema: custom-begin {anchor}\n{lines}// tschema: custom-end\n"
    inplace.edit(HEADER, (end, section + end))
    inplace.generate()
    inplace.commit("section")
    field = "    x: ty.float64\n"
    for name in ("one", "two"):
        inplace.branch(name, "main")
        more = f"    {name}: ty.int64_t\n"
        inplace.edit("schema/ir.py", (field, field + more if name == "one" else more + field))
        if name == "two" and change == "removed":
            inplace.edit(HEADER, (section, ""))
        else:
            inplace.edit(HEADER, *((f"base_{n}", f"{name}_{n}") for n in range(length)))
        inplace.generate()
        inplace.commit(name)
    inplace.git("merge", "one", status=1)
    schema = inplace.project.read("schema/ir.py")
    inplace.project.write("schema/ir.py", re.sub(r"(<<<<<<<|=======|>>>>>>>).*\n", "", schema))
    assert inplace.project.run("resolve") == 4
    assert len(inplace.conflicts()) == 1 and inplace.conflicts()[0].startswith(HEADER)
    text = inplace.project.read(HEADER)
    ours = "" if change == "removed" else lines.replace("base_", "two_")
    assert f"<<<<<<< ours\n{ours}=======\n" + lines.replace("base_", "one_") + ">>>>" in text
    assert "int64_t one{};" in text and "int64_t two{};" in text
    assert inplace.project.run("check") == 4
    assert inplace.project.run("resolve") == 4


# --- the merge driver


def test_the_merge_driver_leaves_git_only_the_conflicts_of_sections(repo):
    assert repo.project.run("init", "--merge-driver") == 0, repo.project.err
    assert "git config merge.tschema.driver" in repo.project.err
    assert "include/** merge=tschema" in repo.project.read(".gitattributes")
    before = repo.project.files()
    assert repo.project.run("init", "--merge-driver") == 0
    assert repo.project.files() == before
    repo.commit("driver")
    repo.two_branches()
    said = repo.git("merge", "two", status=1)
    assert f"CONFLICT (content): Merge conflict in {SOURCE}" in said
    assert "run  tvm-ffi-schema generate  after this merge" in said
    assert HEADER not in re.findall(r"Merge conflict in (\S+)", said)
    assert len(repo.conflicts()) == 1
    text = repo.project.read(SOURCE)
    repo.project.write(SOURCE, re.sub(r"(<<<<<<<|=======|>>>>>>>).*\n", "", text))
    repo.generate()
    holds_everything(repo.project.read(SOURCE))
    assert repo.is_current()


def test_the_merge_driver_lets_git_conclude_a_merge_without_conflicts(repo):
    assert repo.project.run("init", "--merge-driver") == 0
    repo.commit("driver")
    repo.two_branches(same_section=False)
    repo.git("merge", "two")
    repo.generate()
    text = repo.project.read(SOURCE)
    holds_everything(text)
    assert "return x + y;" in text
    assert repo.is_current()


def test_the_merge_driver_merges_other_files_like_git(full):
    assert full.project.run("init", "--merge-driver") == 0
    lines = [f"int line_{number};\n" for number in range(20)]
    full.project.write("src/other.cc", "".join(lines))
    full.commit("driver")
    for name, number in (("one", 2), ("two", 17), ("three", 2)):
        full.branch(name, "main")
        full.edit("src/other.cc", (lines[number], f"int {name};\n"))
        full.commit(name)
    full.git("checkout", "-q", "one")
    full.git("merge", "two")
    text = full.project.read("src/other.cc")
    assert "int one;" in text and "int two;" in text
    said = full.git("merge", "three", status=1)
    assert "Merge conflict in src/other.cc" in said
    assert "<<<<<<< ours\nint one;\n=======\nint three;\n>>>>>>> theirs" in full.project.read(
        "src/other.cc"
    )


def test_the_merge_driver_leaves_edited_text_to_resolve(full):
    assert full.project.run("init", "--merge-driver") == 0
    full.commit("driver")
    full.two_branches(same_section=False)
    full.edit(HEADER, ("  double x{};\n", "  double x{};  // mine\n"))
    full.commit("edit")
    said = full.git("merge", "two", status=1)
    assert HEADER in re.findall(r"Merge conflict in (\S+)", said)
    assert full.project.run("resolve") == 4
    assert "double x{};  // mine" in full.project.err
    assert full.project.run("resolve", "--adopt-edits") == 4
    assert full.is_current()


def test_the_merge_driver_outside_of_git_says_what_to_run(project):
    project.schema(SCHEMA)
    assert project.run("init", "--merge-driver") == 0, project.err
    assert "run in every clone" in project.err
    assert not (project.root / "CMakeLists.txt").exists()
