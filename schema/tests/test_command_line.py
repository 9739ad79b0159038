# SPDX-License-Identifier: Apache-2.0
"""The command line: every command, every flag of all commands, every exit status, the hooks."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi_schema._version import __version__
from tvm_ffi_schema.commands import cli, session
from tvm_ffi_schema.config import OUTPUTS, table
from tvm_ffi_schema.diag import render
from tvm_ffi_schema.link import reader

ROOT = Path(__file__).parents[2]
SCHEMA = '''
@declare
class PNode(Object):
    """A."""
    type_key = "t.P"
    #: X.
    x: int = 1
'''
MAIN = ["init", "generate", "check", "validate", "breaking", "build"]
MORE = ["adopt", "export", "promote", "resolve", "outputs"]
FLAGS = ("--config", "-C", "--format", "-q", "-v", "--color", "--version")


@pytest.fixture
def ready(project):
    project.schema(SCHEMA)
    return project


@pytest.mark.spec("SC104", "SC104.1")
def test_every_command_is_there_with_every_global_flag():
    assert list(cli.COMMANDS) == MAIN + MORE
    subparsers = cli.parser()._subparsers
    assert subparsers is not None
    (action,) = subparsers._group_actions
    for name, one in action.choices.items():  # type: ignore[union-attr]
        options = {flag for item in one._actions for flag in item.option_strings}
        assert set(FLAGS) <= options, name
    top = {flag for item in cli.parser()._actions for flag in item.option_strings}
    assert set(FLAGS) <= top


def test_options_that_stand_for_keys_of_the_configuration_are_described_by_its_table(capsys):
    with pytest.raises(SystemExit):
        cli.main(["generate", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for key in ("dialect", "frontend"):
        described = table.KEYS[key].doc.rstrip(".")[1:]
        choices = ",".join(table.KEYS[key].kind.choices)
        assert f"--{key} {{{choices}}}" in text
        assert f"{described}; instead of `{key}` in the configuration" in text, key
    assert f"compares: {', '.join(OUTPUTS)}; instead of" in text


@pytest.mark.spec("SC104.1")
def test_help_describes_six_commands_and_names_the_rest(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    text = capsys.readouterr().out
    described = re.findall(r"^    (\w+) +\w", text, re.MULTILINE)
    assert described == MAIN
    assert f"\nmore:\n  {', '.join(MORE[:-1])}\n" in text


@pytest.mark.spec("SC104.11")
def test_flags_of_every_command_go_before_it_too(ready):
    before = ready.root.parent
    assert ready.run("-q", "-C", str(ready.root), "generate", "--no-cache") == 0
    assert (ready.out, ready.err) == ("", "")
    assert ready.run("-C", str(before), "-C", str(ready.root), "check") == 0
    assert ready.run("--format", "json", "check", "--format", "text") == 0
    ready.schema("x = y\n")
    assert ready.run("--format=json", "--color", "always", "check") == 3
    assert json.loads(ready.out)["id"] == "TS020"
    if sys.version_info >= (3, 11):
        ready.write("other.toml", 'mode = "ful"\n')
        assert ready.run("--config", "other.toml", "check") == 2
    for arguments in (["--version"], ["generate", "--version"], ["-q", "check", "--version"]):
        with pytest.raises(SystemExit) as caught:
            ready.run(*arguments)
        assert caught.value.code == 0
        assert ready.capfd.readouterr()[0] == f"tvm-ffi-schema {__version__}\n"


def test_flags_go_before_and_after_paths(ready):
    assert ready.run("generate", "-q", "schema/ir.py", "--no-cache") == 0
    assert (ready.out, ready.err) == ("", "")


@pytest.mark.spec("SC104.11")
def test_config(ready):
    ready.write("other/mine.toml", 'sources = ["*.py"]\nmode = "full"\n')
    ready.write("other/shapes.py", ready.read("schema/ir.py"))
    if sys.version_info >= (3, 11):
        assert ready.run("generate", "--config", "other/mine.toml") == 0
        assert (ready.root / "other/include/shapes.h").exists()


@pytest.mark.spec("SC104.11")
def test_chdir(ready):
    (ready.root / "sub").mkdir()
    assert ready.run("generate", "-C", str(ready.root)) == 0
    assert ready.run("check", "-C", "nowhere") == 2
    assert ready.err == "tvm-ffi-schema: nowhere: No such file or directory\n"


@pytest.mark.spec("SC104.11")
def test_frontend(project):
    project.schema("for n in 'XY':\n    declare(type(n + 'Node', (Object,), {'type_key': n}))\n")
    assert project.run("generate", "--frontend", "import") == 0
    assert project.run("generate", "--frontend", "static") == 3


@pytest.mark.spec("SC104.16")
@pytest.mark.parametrize("name", sorted(render.FORMATS))
def test_machine_formats_are_alone_on_standard_output(ready, name):
    assert ready.run("generate", "--format", name) == 0
    assert ready.out == render.FORMATS[name]([])
    assert ready.err == "2 of 2 files written\n"
    ready.schema(SCHEMA + "    mutabel = 1\n")
    for command in ("generate", "check", "validate", "outputs", "export"):
        assert ready.run(command, "--format", name) == 3
        text = ready.out
        assert "TS021" in text and "error[TS021]" not in ready.err
        if name in ("json", "sarif"):
            [json.loads(line) for line in (text.splitlines() if name == "json" else [text])]


def test_what_is_written_to_standard_output_stays_alone_there(ready):
    ready.schema(SCHEMA + "    default_sequal_reduce = False\n")  # a warning
    assert ready.run("export", "--format", "json") == 0
    assert json.loads(ready.out)["version"]
    assert json.loads(ready.err)["id"] == "TS025"


@pytest.mark.spec("SC104.11")
def test_quiet_and_verbose(ready):
    ready.schema(SCHEMA + "    default_sequal_reduce = False\n")
    assert ready.run("generate", "-q") == 0
    assert (ready.out, ready.err) == ("", "")
    assert ready.run("generate", "-v", "--no-cache") == 0
    words = ["settings none", "schema   schema/ir.py (static)", "unchanged include/ir.h"]
    assert [word for word in words if word not in ready.err] == []


@pytest.mark.spec("SC104.13")
def test_one_summary_line_when_nothing_is_wrong(ready):
    assert ready.run("generate") == 0
    for command in ("generate", "check", "validate"):
        assert ready.run(command, "--no-cache") == 0
        assert ready.err.count("\n") == 1, ready.err


@pytest.mark.spec("SC104.11")
@pytest.mark.parametrize(
    ("color", "variables", "coloured"),
    [("always", {}, True), ("never", {}, False), ("auto", {}, False), ("auto", {"NO_COLOR": "1"}, False)],
)  # fmt: skip
def test_color(ready, monkeypatch, color, variables, coloured):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ready.schema("x = y\n")
    ready.run("generate", "--color", color)
    assert ("\x1b[" in ready.err) == coloured


class Terminal(io.StringIO):
    """A replacement for standard error that looks like a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.spec("SC104.14")
def test_progress_is_for_terminals_that_wait(ready, monkeypatch):
    for name in "abc":
        ready.write(f"include/{name}.h", "")
    ready.schema("")
    ready.write("src/ir.cc", "")
    shown = {}
    for patience in (60.0, -1.0):
        for stream in (Terminal(), io.StringIO()):
            monkeypatch.setattr(session, "_PATIENCE", patience)
            monkeypatch.setattr(sys, "stderr", stream)
            assert ready.run("validate") == 0
            shown[patience, stream.isatty()] = stream.getvalue()
    assert shown[-1.0, True].startswith("\rreading 1 of 4\rreading 2 of 4\r")
    assert shown[-1.0, True].replace("\r" + " " * 14 + "\r", "").endswith("\n")
    assert all("\r" not in text for key, text in shown.items() if key != (-1.0, True))


@pytest.mark.spec("SC104.11")
def test_jobs(ready):
    assert ready.run("build", "-o", "x.tfs", "--jobs", "2") == 0
    for wrong in ("0", "-1", "many"):
        with pytest.raises(SystemExit) as caught:
            ready.run("build", "-o", "x.tfs", "--jobs", wrong)
        assert caught.value.code == 2


@pytest.mark.spec("SC104.4")
@pytest.mark.parametrize("option", [("--only", "t.P"), ("--insert",), ("--prune",)])
def test_options_of_blocks_are_refused_without_blocks(ready, option):
    """An earlier version accepted these options without blocks, and ignored the options."""
    for more in ((), ("--dry-run",)):
        assert ready.run("generate", *option, *more) == 2
        assert ready.ids() == ["TS011"] and f"{option[0]} is for files with blocks" in ready.err
    assert list(ready.files()) == ["schema/ir.py"]


@pytest.mark.spec("SC104.11")
def test_no_cache(ready):
    assert ready.run("generate") == 0
    assert ready.run("generate") == 0 and ready.err == "nothing to do\n"
    assert ready.run("generate", "--no-cache") == 0 and ready.err == "0 of 2 files written\n"


# --- exit statuses


@pytest.mark.spec("SC104.5", "SC104.12")
def test_0_and_1(ready):
    assert ready.run("check") == 1
    assert ready.run("generate") == 0
    assert ready.run("check") == 0
    ready.schema(SCHEMA.replace("x: int", "y: int"))
    assert ready.run("check") == 1
    ready.schema(SCHEMA, "old/ir.py")
    ready.schema(SCHEMA.replace("x: int", "x: str").replace("= 1", "= ''"))
    assert ready.run("breaking", "--against", "old") == 1
    ready.write("include/ir.h", "class PNode : public ffi::Object {};\n")
    ready.write("src/ir.cc", "")
    assert ready.run("validate") == 1


def dashes_are_a_value() -> bool:
    """Return whether the argparse of this Python takes ``--`` as a value after ``=``."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("--option")
    try:
        return parser.parse_args(["--option=--"]).option == "--"
    except argparse.ArgumentError:
        return False


@pytest.mark.spec("SC104.12")
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("generat",),
        ("generate", "--formt", "text"),
        ("generate", "--format", "markdown"),
        ("--format", "markdown", "generate"),
        ("promote",),
        ("build",),
        ("validate", "--lib=--"),
        ("validate", "--cpp=--"),
        ("generate", "--inplace=--"),
        ("generate", "--config=--"),
        ("build", "-o", "x.so", "--sources=--"),
    ],
)
def test_2_for_arguments(ready, arguments):
    if any(argument.endswith("=--") for argument in arguments) and dashes_are_a_value():
        pytest.skip("the argparse of this Python takes -- as a value, here the name of a file")
    with pytest.raises(SystemExit) as caught:
        ready.run(*arguments)
    assert caught.value.code == 2
    _, err = ready.capfd.readouterr()
    assert err.startswith("usage: tvm-ffi-schema")


@pytest.mark.spec("SC104.12")
def test_2_for_what_is_not_there(ready):
    assert ready.run("generate", "nowhere.py") == 2
    assert ready.run("breaking", "--against", "nowhere") == 2


def test_a_file_named_for_its_blocks_must_be_there(ready):
    """An earlier version printed "nothing to do" for a misspelt file name."""
    assert ready.run("generate", "--inplace", "include/nowhere.h") == 4
    assert ready.ids() == ["TS120"] and "there is no file 'include/nowhere.h'" in ready.err


@pytest.mark.spec("SC103.8", "SC104.12")
def test_3_4_5_and_70(ready, monkeypatch):
    ready.write("include/ir.h", "int mine;\n")
    assert ready.run("generate") == 4
    monkeypatch.setenv("CXX", "/nowhere/c++")
    assert ready.run("build", "-o", "x.so") == 5
    ready.schema("x = y\n")
    assert ready.run("generate") == 3
    monkeypatch.setattr(reader, "read", lambda *args: 1 / 0)
    assert ready.run("generate") == 70
    assert "Traceback" not in ready.err and "ZeroDivisionError" in ready.err


def test_130_when_interrupted(ready, monkeypatch):
    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(reader, "read", interrupted)
    assert ready.run("generate") == 130
    assert list(ready.files()) == ["schema/ir.py"]


def test_the_worst_status_wins(ready):
    """If the schema and an output file are wrong, the exit status is 3, as for a wrong schema."""
    ready.write("include/ir.h", "int mine;\n")
    ready.schema(SCHEMA + "    mutabel = 1\n")
    assert ready.run("generate") == 3


# --- hooks


def hooks() -> list[dict[str, str]]:
    """Read the hooks in `.pre-commit-hooks.yaml` without a YAML parser, and return them."""
    found: list[dict[str, str]] = []
    for line in (ROOT / ".pre-commit-hooks.yaml").read_text().splitlines():
        match = re.match(r"(- |  )(\w+): (.+)$", line)
        if match:
            if match[1] == "- ":
                found.append({})
            found[-1][match[2]] = match[3]
    return found


@pytest.mark.spec("SC104.24")
def test_hooks(ready):
    by_id = {hook["id"]: hook for hook in hooks()}
    assert set(by_id) == {"tvm-ffi-schema-generate", "tvm-ffi-schema-check"}
    for hook in by_id.values():
        assert hook["language"] == "system" and hook["pass_filenames"] == "false"
        assert re.search(hook["files"], "schema/ir.py") and re.search(hook["files"], "a/b.cc")
        assert not re.search(hook["files"], "README.md")
    check = by_id["tvm-ffi-schema-check"]["entry"].split()
    write = by_id["tvm-ffi-schema-generate"]["entry"].split()
    assert check[0] == write[0] == "tvm-ffi-schema"
    assert ready.run(*check[1:]) == 1
    assert ready.run(*write[1:]) == 0
    assert ready.run(*check[1:]) == 0


def test_the_command_of_the_hooks_is_installed_by_the_package(ready):
    text = (ROOT / "schema/pyproject.toml").read_text()
    assert 'tvm-ffi-schema = "tvm_ffi_schema.__main__:main"' in text
    program = "from tvm_ffi_schema.__main__ import main; main()"
    done = execute(
        *(sys.executable, "-c", program, "--version"),
        status=None,
        cwd=ready.root,
        env={**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])},
    )
    assert (done.returncode, done.stdout[:15]) == (0, "tvm-ffi-schema ")


@pytest.mark.parametrize("command", ["generate", "check"])
def test_a_directory_without_a_project_is_named_and_left_as_it_is(project, command):
    """An earlier version left its lock file in a directory without a project."""
    assert project.run(command) == 2
    assert "there is no tschema.toml in this directory or above it" in project.err
    assert "start with  init" in project.err
    assert list(project.root.iterdir()) == []
