# SPDX-License-Identifier: Apache-2.0
"""The cache of unchanged files changes the time that a run takes, but not its results."""

from __future__ import annotations

import hashlib
import os
import pickle
import random
import re
import shutil

import pytest

from tvm_ffi_schema import cache

FILES = {
    "base": """
__tschema__ = module(namespace="s", type_key_prefix="s.")
LIMIT = 7
Names = ty.Array[ty.String]

@declare
class RootNode(Object):
    \"\"\"The root.\"\"\"
    type_key = "Root"
    structural_eq = "tree"

@declare
class LeafNode(RootNode):
    \"\"\"A leaf.\"\"\"
    type_key = "Leaf"
    text: ty.String = field(default="a", kw_only=True)

@declare
class Mode(IntEnum):
    \"\"\"Modes.\"\"\"
    type_key = "Mode"
    On = entry(1)
    Off = entry(2)
""",
    "user": """
from base import LIMIT, Mode, Names, RootNode
__tschema__ = module(namespace="s", type_key_prefix="s.")

@declare
class UserNode(RootNode):
    \"\"\"A user.\"\"\"
    type_key = "User"
    names: Names
    mode: Mode
    limit: int = LIMIT
    link: "LeafNode | None" = None
    other: "FarNode | None" = None
""",
    "far": """
import base
__tschema__ = module(namespace="s::far", type_key_prefix="far.")
Span = extern("o.Span", obj="::o::SpanNode", ref="::o::Span", header="<o/span.h>")

@declare
class FarNode(base.LeafNode):
    \"\"\"Far away.\"\"\"
    type_key = "Far"
    span: Span
    user: "UserNode"

    @method
    def size(self, n: int = 3) -> int:
        \"\"\"The size.\"\"\"
""",
    "alone": """
__tschema__ = module(namespace="alone", type_key_prefix="alone.")

@declare
class AloneNode(Object):
    \"\"\"Alone.\"\"\"
    type_key = "Alone"
    value: ty.float64 = 1.0
""",
}
EXTERN = "Unused = extern('o.Unused', obj='o::S', ref='o::R')\n"
DESCRIBED = "Alone.\n\n    Attributes\n    ----------\n    value\n        {n}.\n    "
# (file, pattern, replacement): typical edits of a schema; some of them cause errors.
EDITS = [
    ("base", r"The root\.", "The root of all."),
    ("base", r'default="\w+"', 'default="{n}"'),
    ("base", r"LIMIT = \d+", "LIMIT = {n}"),
    ("base", r"Names = .*", "Names = ty.List[ty.String]"),
    ("base", r"Names = .*", "Names = ty.Array[ty.String]"),
    ("base", r"Off = entry\(\d+\)", "Off = entry({n})"),
    ("base", r"    On = entry\(1\)\n", "    On = entry(1)\n    New{n} = entry({n})\n"),
    ("base", r"class LeafNode", "class LeaveNode"),
    ("base", r"class LeaveNode", "class LeafNode"),
    ("base", r'structural_eq = "\w+"', 'structural_eq = "dag"'),
    ("base", r"\Z", '\n@declare\nclass More{n}Node(RootNode):\n    type_key = "More{n}"\n'),
    ("user", r"    names: Names", "    Array: int\n    names: Names"),
    ("user", r"    names: Names", "    extra{n}: int\n    names: Names"),
    ("user", r"    mode: Mode\n", "    mode: Mode = Mode.Off\n"),
    ("user", r"    mode: Mode = Mode.Off\n", "    mode: Mode\n"),
    ("user", r"RootNode\):", "Object):"),
    ("user", r"User\"", 'User{n}"'),
    ("user", r"import LIMIT,", "import LeafNode, LIMIT,"),
    ("far", r"n: int = \d+", "n: int = {n}"),
    ("far", r'namespace="[\w:]+"', 'namespace="s::near{n}"'),
    ("far", r"import base\n", "import base\nfrom alone import AloneNode\n"),
    ("far", r"span: Span", 'span: "AloneNode"'),
    ("far", r"::o::Span\"", '::o::Span{n}"'),
    ("alone", r"Object\)", "Oject)"),
    ("alone", r"Oject\)", "Object)"),
    ("alone", r"value: ty.float64", "value: ty.Nope"),
    ("alone", r"ty.Nope", "ty.float64"),
    ("alone", r"\Z", "\nfrom base import Mode\nextend(Mode, X{n}=entry({n}0))\n"),
    ("alone", r"\Z", "\n@mixin\nclass M{n}:\n    m{n}: int\n"),
    ("alone", r"AloneNode\(Object\)", "AloneNode(M5, Object)"),
    ("alone", r"Alone\.\n?", DESCRIBED),
]  # fmt: skip


@pytest.fixture
def full(project):
    project.write("tschema.toml", 'outputs = ["cpp", "python", "pyi"]\n')
    for name, text in FILES.items():
        project.schema(text, f"schema/{name}.py")
    return project


def outputs(project) -> dict[str, bytes]:
    return {n: d for n, d in project.files().items() if n.startswith(("include", "src", "python"))}


def fresh_run(project) -> tuple[int, str, dict[str, bytes]]:
    """Return the results of a run without a cache and without existing outputs."""
    kept = outputs(project)
    state = (project.root / ".tschema").rename(project.root / ".tschema-kept")
    for name in kept:
        (project.root / name).unlink()
    status = project.run("generate", "--no-cache")
    err, made = project.err, outputs(project)
    for name in made:
        (project.root / name).unlink()
    for name, data in kept.items():
        (project.root / name).write_bytes(data)
    shutil.rmtree(project.root / ".tschema")
    state.rename(project.root / ".tschema")
    return status, err, made


@pytest.mark.parametrize("seed", range(12))
def test_edits_give_what_a_fresh_run_gives(full, seed):
    chance = random.Random(seed)
    assert full.run("generate", "-q") == 0, full.err
    for step in range(10):
        edit = EDITS[(seed * 10 + step) % len(EDITS)] if step % 2 else chance.choice(EDITS)
        name, pattern, new = edit
        path = full.root / f"schema/{name}.py"
        text = path.read_text()
        new = new.replace("{n}", str(chance.randrange(2, 9)))
        path.write_text(re.sub(pattern, new, text, count=1))
        before = outputs(full)
        status = full.run("generate")
        err = full.err
        fresh_status, fresh_err, fresh = fresh_run(full)
        # Ignore outputs that a fresh run does not write; `generate` does not delete such files.
        made = {n: d for n, d in outputs(full).items() if n in fresh}
        if status:
            assert status == fresh_status, (err, fresh_err)
            assert outputs(full) == before
            assert [line for line in err.splitlines() if "TS" in line] == [
                line for line in fresh_err.splitlines() if "TS" in line
            ]
            path.write_text(text)
            assert full.run("generate") == 0
        else:
            assert fresh_status == 0, fresh_err
            assert made == fresh


def _noting(read: list[str]):
    """Return a function that parses a file and appends its path to a list."""
    from tvm_ffi_schema.front import schema_files

    parse = schema_files.parse
    return lambda text, path, bag: read.append(os.path.normpath(path)) or parse(text, path, bag)


def test_one_edit_reads_and_renders_one_file(full, monkeypatch):
    from tvm_ffi_schema.back import cpp_file
    from tvm_ffi_schema.front import schema_files

    assert full.run("generate", "-q") == 0
    read, rendered = [], []
    source = cpp_file.source
    monkeypatch.setattr(schema_files, "parse", _noting(read))
    monkeypatch.setattr(
        cpp_file, "source", lambda p, m, c, o: rendered.append(m.stem) or source(p, m, c, o)
    )
    path = full.root / "schema/user.py"
    path.write_text(path.read_text().replace("A user.", "One user."))
    assert full.run("generate") == 0
    # The run also reads `base`, because `user` imports values from `base`. All other files come
    # from the cache.
    assert read == ["schema/user.py", "schema/base.py"]
    assert sorted(rendered) == ["far", "user"]
    read.clear()
    rendered.clear()
    path = full.root / "schema/alone.py"
    path.write_text(path.read_text().replace("1.0", "2.5"))
    assert full.run("generate") == 0
    assert (read, rendered) == (["schema/alone.py"], ["alone"])
    assert "2.5" in full.read("include/alone/alone.h")


def test_hand_edits_are_found_though_the_slice_is_known(full):
    assert full.run("generate", "-q") == 0
    header = full.root / "include/s/user.h"
    header.write_text(header.read_text().replace("names;", "mine;", 1))
    path = full.root / "schema/alone.py"
    path.write_text(path.read_text() + "# more\n")
    assert full.run("generate") == 4
    assert full.ids() == ["TS108"]
    header.unlink()
    assert full.run("generate") == 0
    assert header.exists()


@pytest.mark.parametrize(
    "damage", ["truncated", "flipped", "empty", "no format", "no slices", "code"]
)
def test_a_damaged_record_counts_as_none(full, damage, tmp_path):
    assert full.run("generate", "-q") == 0
    path = full.root / ".tschema/cache"
    data = path.read_bytes()
    head = data.index(b"\n", data.index(b"\n") + 1) + 1
    assert data.startswith(cache._FORMAT) and len(data) > head + 200
    proof = tmp_path / "executed"
    if damage == "code":

        class Code:
            def __reduce__(self):
                return os.mkdir, (str(proof),)

        payload = pickle.dumps(("key", {}, Code()))
        digest = hashlib.blake2b(payload, digest_size=16).digest()
        data = data[:head] + digest + payload
    path.write_bytes(
        {
            "truncated": data[: (head + len(data)) // 2],
            "flipped": data[: head + 60] + bytes([data[head + 60] ^ 1]) + data[head + 61 :],
            "empty": b"",
            "no format": data[len(cache._FORMAT) :],
            "no slices": data[:head],
            "code": data,
        }[damage]
    )
    name = full.root / "schema/user.py"
    name.write_text(name.read_text().replace("A user.", "One user."))
    assert full.run("generate") == 0
    assert "One user." in full.read("include/s/user.h")
    assert not proof.exists()


def test_other_commands_take_from_the_record_and_say_the_same(full):
    assert full.run("generate", "-q") == 0
    for command in ("outputs", "validate"):
        results = []
        for option in ([], ["--no-cache"]):
            results.append((full.run(command, *option), full.out, full.err))
        assert results[0] == results[1]
    assert full.run("check") == 0


def test_a_warning_is_repeated_by_every_run(full):
    path = full.root / "schema/alone.py"
    hint = 'Alone"\n    default_shash_reduce = False\n'
    path.write_text(path.read_text().replace('Alone"\n', hint))
    for text in ("", "# one\n", "# two\n"):
        path.write_text(path.read_text() + text)
        assert full.run("generate") == 0
        assert full.ids() == ["TS025"]


def test_a_project_may_be_moved(full, monkeypatch):
    """The cache holds relative paths, so it is valid in another directory."""
    from tvm_ffi_schema.front import schema_files

    assert full.run("generate", "-q") == 0
    moved = full.root / "moved"
    moved.mkdir()
    for path in list(full.root.iterdir()):
        if path != moved:
            path.rename(moved / path.name)
    full.root = moved
    assert full.run("generate") == 0 and full.err == "nothing to do\n"
    assert full.run("check") == 0
    path = full.root / "schema/alone.py"
    path.write_text(path.read_text().replace("1.0", "2.5"))
    read = []
    monkeypatch.setattr(schema_files, "parse", _noting(read))
    assert full.run("generate") == 0
    assert read == ["schema/alone.py"]


@pytest.mark.parametrize("where", ["build", "schema", "."])
def test_no_absolute_path_is_kept(full, where, monkeypatch):
    """A build system may call the tool from another directory with absolute file names."""
    from tvm_ffi_schema.front import schema_files

    (full.root / "build").mkdir()
    names = [str(full.root / f"schema/{name}.py") for name in FILES]
    options = ["-C", where, "--config", str(full.root / "tschema.toml"), *names]
    assert full.run("generate", *options) == 0, full.err
    path = full.root / "schema/alone.py"
    path.write_text(path.read_text().replace("1.0", "2.5"))
    read = []
    monkeypatch.setattr(schema_files, "parse", _noting(read))
    assert full.run("generate", *options) == 0, full.err
    assert [name.rpartition("/")[2] for name in read] == ["alone.py"]
    kept = [one for one in (full.root / ".tschema").rglob("*") if one.is_file()]
    assert full.root / ".tschema/cache" in kept
    for one in kept:
        assert str(full.root).encode() not in one.read_bytes(), one


def test_findings_quote_the_files_from_where_a_run_stands(full):
    """Each run prints paths relative to its own working directory, also for cached findings."""
    assert full.run("generate", "-q") == 0
    path = full.root / "schema/alone.py"
    path.write_text(path.read_text() + "S = extern('o.S', obj='o::S', ref='o::R')\n")
    assert full.run("generate") == 0
    names = set(re.findall(r"^(\S+?):\d+:\d+: ", full.err, re.MULTILINE))
    assert names and all(name.startswith("schema/") for name in names), full.err
    assert full.run("generate", "-C", "schema") == 0
    below = set(re.findall(r"^(\S+?):\d+:\d+: ", full.err, re.MULTILINE))
    assert below == {name.removeprefix("schema/") for name in names}, full.err


# --- what the record of the last run must not hide


def keep_time(path, text: str) -> None:
    """Replace the text of a file by a text of the same size; keep its modification time."""
    before = path.stat()
    assert len(text) == before.st_size and text != path.read_text()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_an_edit_that_keeps_size_and_time_is_found(full):
    assert full.run("generate", "-q") == 0
    header = full.root / "include/alone/alone.h"
    good = header.read_text()
    keep_time(header, good.replace("value", "valve", 1))
    for command in ("check", "generate"):
        assert full.run(command) == 4
        assert full.ids() == ["TS108"]
    keep_time(header, good)
    assert full.run("check") == 0
    schema = full.root / "schema/alone.py"
    keep_time(schema, schema.read_text().replace("1.0", "2.5"))
    assert full.run("check") == 1
    assert full.run("generate") == 0 and "2.5" in header.read_text()


@pytest.mark.skipif(os.name != "posix", reason="times of POSIX file systems")
def test_check_reads_contents_though_no_time_changed(full, monkeypatch):
    assert full.run("generate", "-q") == 0
    times = {}
    real = cache.stat_of
    monkeypatch.setattr(cache, "stat_of", lambda path: times.setdefault(path, real(path)))
    assert full.run("check") == 0 and full.run("generate") == 0
    header = full.root / "include/alone/alone.h"
    header.write_text(header.read_text().replace("value", "valve", 1))
    assert full.run("check") == 4


def test_a_file_that_is_touched_or_copied_is_current(full):
    assert full.run("generate", "-q") == 0
    for path in full.root.rglob("*"):
        os.utime(path)
    assert full.run("generate") == 0 and full.err == "nothing to do\n"


@pytest.mark.parametrize("arguments", [(), ("schema",)])
def test_files_of_a_deleted_schema_file_are_named_until_they_are_removed(full, arguments):
    assert full.run("generate", "-q", *arguments) == 0
    (full.root / "schema/alone.py").unlink()
    names = ["include/alone/alone.h", "python/_alone.py", "python/_alone.pyi", "src/alone.cc"]
    for command in ("check", "generate", "check", "generate"):
        assert full.run(command, *arguments) == 0
        assert full.ids() == ["TS116"] * len(names), full.err
        assert all(f"{name}:1:1: warning" in full.err for name in names)
    for name in names:
        (full.root / name).unlink()
    assert full.run("generate", *arguments) == 0 and full.ids() == []
    assert full.run("generate", *arguments) == 0 and full.err == "nothing to do\n"


def test_a_schema_that_changes_during_a_run_is_read_by_the_next_one(full, monkeypatch):
    from tvm_ffi_schema.weave import plan

    path = full.root / "schema/alone.py"
    real = plan.make

    def slow(*args):
        path.write_text(path.read_text().replace("1.0", "2.5"))
        return real(*args)

    with monkeypatch.context() as patch:
        patch.setattr(plan, "make", slow)
        assert full.run("generate") == 0
    assert "2.5" not in full.read("include/alone/alone.h")
    assert full.run("check") == 1
    assert full.run("generate") == 0
    assert "2.5" in full.read("include/alone/alone.h")


def test_a_project_with_warnings_is_cached_like_any_other(full, monkeypatch):
    from tvm_ffi_schema.back import cpp_file
    from tvm_ffi_schema.front import schema_files

    path = full.root / "schema/far.py"  # a warning of the reader, and one about the linked schema
    hint = 'Far"\n    default_shash_reduce = False\n'
    path.write_text(path.read_text().replace('Far"\n', hint) + EXTERN)
    assert full.run("generate") == 0
    assert full.ids() == ["TS025", "TS330"]
    read, rendered = [], []
    source = cpp_file.source
    monkeypatch.setattr(schema_files, "parse", _noting(read))
    monkeypatch.setattr(
        cpp_file, "source", lambda p, m, c, o: rendered.append(m.stem) or source(p, m, c, o)
    )
    path = full.root / "schema/alone.py"
    path.write_text(path.read_text().replace("1.0", "2.5"))
    assert full.run("generate") == 0
    assert full.ids() == ["TS025", "TS330"]
    assert (read, rendered) == (["schema/alone.py"], ["alone"])
