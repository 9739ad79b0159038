# SPDX-License-Identifier: Apache-2.0
"""The command: configuration, output formats, exit status, loaded modules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi_schema.commands.arguments import parser as arguments_parser

PARENT = str(Path(tvm_ffi.__file__).parents[1])
SCHEMA = '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "t.P"\n    x: int\n'


def python(program: str, *, cwd: Path, argv=("-c",)) -> subprocess.CompletedProcess:
    environment = {"PYTHONPATH": PARENT, "PATH": os.environ.get("PATH", "")}
    return execute(
        *(sys.executable, *argv, *([program] if program else [])),
        status=None,
        cwd=cwd,
        env=environment,
    )


@pytest.mark.spec("SC101.18", "SC103.21")
def test_the_command_loads_neither_native_code_nor_other_packages(project):
    project.schema(SCHEMA)
    program = (
        "import sys; sys.argv = ['tvm-ffi-schema', 'generate', '-q'];"
        "before = set(sys.modules);"
        "from tvm_ffi_schema.commands import cli; status = cli.main();"
        "names = {n.partition('.')[0] for n in set(sys.modules) - before};"
        "known = {*sys.stdlib_module_names, 'tvm_ffi_schema'} - {'ctypes', 'subprocess'};"
        "print(status, sorted(names - known))"
    )
    done = python(program, cwd=project.root)
    assert done.stdout.strip() == "0 []", done.stdout + done.stderr
    done = python("", cwd=project.root, argv=("-m", "tvm_ffi_schema", "check"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "all files are current\n")


@pytest.mark.spec("SC103.21")
def test_the_package_works_without_a_native_part(project, tmp_path):
    """The copied packages contain only Python files, so native modules cannot be imported."""
    bare = tmp_path / "bare"
    source = Path(tvm_ffi.__file__).parents[1]
    for path in [*source.glob("tvm_ffi/**/*.py"), *source.glob("tvm_ffi_schema/**/*.py")]:
        target = bare / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    project.schema(SCHEMA)
    execute(
        *(sys.executable, "-m", "tvm_ffi_schema", "generate"),
        cwd=project.root,
        env={"PYTHONPATH": str(bare)},
    )
    assert (project.root / "include/ir.h").exists()


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["chek"], "did you mean 'check'?"),
        (["genrate"], "did you mean 'generate'?"),
        (["check", "--frontend", "statc"], "did you mean 'static'?"),
        (["qqqqqq"], "invalid choice: 'qqqqqq'"),
    ],
)
def test_misspelled_commands_and_choices(capsys, arguments, hint):
    with pytest.raises(SystemExit) as stopped:
        arguments_parser().parse_args(arguments)
    assert stopped.value.code == 2
    assert hint in capsys.readouterr().err


def test_misspelled_file(project):
    project.schema(SCHEMA)
    assert project.run("check", "schema/irr.py") == 2
    assert project.ids() == ["TS005"]
    assert "did you mean 'ir.py'?" in project.err
    assert project.run("check", "schemas/ir.py") == 2
    assert "there is no directory 'schemas'" in project.err


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        ("mode = 'ful'", "TS011", "mode is one of inplace, full"),
        ("modus = 'full'", "TS010", "did you mean 'mode'?"),
        ("sources = 'x'", "TS011", "sources must be a list of texts"),
        ("outputs = ['cxx']", "TS011", "unknown output 'cxx'"),
        ("embed_ir = 1", "TS011", "must be a bool"),
        ("[breaking]\nagianst = 'x'", "TS010", "did you mean 'against'?"),
        ("guard = 'none'", "TS010", "unknown key 'guard'"),
        ("a = = 3", "TS012", "not valid TOML"),
        ("x = '\ud800'", "TS012", "UTF-8"),
    ],
)
def test_configuration_faults(project, text, rule, words):
    pytest.importorskip("tomllib")
    project.schema(SCHEMA)
    path = project.root / "tschema.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    before = project.files()
    assert project.run("generate") == 2
    assert project.ids() == [rule]
    assert words in project.err
    assert "tschema.toml:" in project.err
    assert project.files() == before


@pytest.mark.spec("SC104.20")
def test_pyproject_and_the_import_reader(project):
    pytest.importorskip("tomllib")
    text = '[tool.tvm-ffi.schema]\nsources = ["defs/*.py"]\nnamespace = "n"\nfrontend = "import"\n'
    project.write("pyproject.toml", text)
    project.schema(SCHEMA, "defs/a.py")
    loop = "for n in 'XY':\n    declare(type(n + 'Node', (Object,), {'type_key': 't.' + n}))\n"
    project.schema(loop, "defs/b.py")
    assert project.run("generate") == 0, project.err
    assert "class YNode" in project.read("include/n/b.h")
    (project.root / "sub").mkdir()
    assert project.run("check", "-C", str(project.root / "sub")) == 0, project.err


@pytest.mark.spec("SC12")
def test_usage(project):
    assert project.run("check", "-C", "nowhere") == 2
    with pytest.raises(SystemExit) as caught:
        project.run("generat")
    assert caught.value.code == 2


def test_what_a_schema_imports_is_looked_at_when_nothing_else_has_changed(project):
    project.write("sizes.py", "NAME = 'X'\n")
    project.write("tschema.toml", 'frontend = "import"\n')
    head = f"import sys\nsys.path.insert(0, {str(project.root)!r})\nfrom sizes import NAME\n"
    node = "declare(type(NAME + 'Node', (Object,), {'type_key': 't.' + NAME}))\n"
    project.schema(head + node)
    assert project.run("generate") == 0, project.err
    assert project.run("generate") == 0 and "nothing to do" in project.err
    project.write("sizes.py", "NAME = 'Other'\n")
    del sys.modules["sizes"]  # so that the next run imports the module again
    assert project.run("generate") == 0, project.err
    assert "class OtherNode" in project.read("include/ir.h")


def test_changes_outside_the_static_subset_are_rendered(project):
    """Earlier versions did not notice changes of schemas in JSON files or in files that are run."""
    texts = []
    for type_ in ("int", "float", "str"):
        project.schema(SCHEMA.replace("x: int", f"x: {type_}"))
        assert project.run("export", "schema/ir.py", "-q", "-o", "ir.tschema.json") == 0
        assert project.run("generate", "ir.tschema.json", "-q") == 0, project.err
        texts.append(project.read("include/ir.h"))
        project.write("ir.tschema.json", project.read("ir.tschema.json") + "\n")
    assert len(set(texts)) == 3


@pytest.mark.spec("SC105.4")
def test_machine_formats(project):
    project.schema(SCHEMA + "    y: ty.Nope\n    mutabel = 1\n")
    assert project.run("generate", "--format", "json") == 3
    found = [json.loads(line) for line in project.out.splitlines()]
    assert [item["id"] for item in found] == ["TS030", "TS021"]
    assert {"file", "line", "column", "message", "severity"} <= set(found[0])
    assert project.run("generate", "--format", "sarif") == 3
    log = json.loads(project.out)
    run = log["runs"][0]
    assert log["version"] == "2.1.0"
    assert [r["ruleId"] for r in run["results"]] == ["TS030", "TS021"]
    for result in run["results"]:
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "schema/ir.py"
        assert place["region"]["startLine"] > 1
    prints = [r["partialFingerprints"] for r in run["results"]]
    path = project.root / "schema/ir.py"
    path.write_text("\n\n" + path.read_text())
    project.run("generate", "--format", "sarif")
    moved = json.loads(project.out)["runs"][0]["results"]
    assert [r["partialFingerprints"] for r in moved] == prints
    assert project.run("generate", "--format", "github") == 3
    assert project.out.startswith("::error file=schema/ir.py,line=")


@pytest.mark.spec("SC105.4")
def test_fixes_are_in_the_machine_formats(project):
    here = Path(__file__).parent / "handwritten"
    project.schema((here / "ir.py.txt").read_text())
    project.write("include/ir.h", (here / "ir.h.txt").read_text().replace('"demo.Call"', '"x"'))
    project.write("src/ir.cc", (here / "ir.cc.txt").read_text())
    assert project.run("validate", "--format", "json") == 1
    assert json.loads(project.out)["fix"][0]["text"] == '"demo.Call"'
    assert project.run("validate", "--format", "sarif") == 1
    change = json.loads(project.out)["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]
    assert change["artifactLocation"]["uri"] == "include/ir.h"
    assert change["replacements"][0]["insertedContent"]["text"] == '"demo.Call"'


def test_colour_is_for_those_who_ask(project):
    project.schema("x = y\n")
    project.run("generate", "--color", "always")
    assert "\x1b[31m" in project.err
    project.run("generate")
    assert "\x1b" not in project.err


@pytest.mark.spec("SC97.1", "SC104.7")
def test_export_and_outputs(project):
    project.schema(SCHEMA)
    assert project.run("export", "-o", "ir.json") == 0
    assert json.loads(project.read("ir.json"))["version"] == "tschema-ir/1"
    assert project.run("generate", "-q") == 0
    assert project.run("check", "ir.json") == 1
    # In each of the two files, the name, the first line and the checksum differ.
    assert project.out.count("\n+") == 6, project.out
    assert project.run("outputs") == 0
    assert project.out.split() == ["include/ir.h", "src/ir.cc"]


@pytest.mark.spec("SC104.2")
def test_init_makes_a_project_that_generates(project):
    pytest.importorskip("tomllib")
    assert project.run("init", "my-proj") == 0
    assert "then  cd my-proj && tvm-ffi-schema generate" in project.out + project.err
    folder = str(project.root / "my-proj")
    assert project.run("generate", "-C", folder) == 0, project.err
    assert (project.root / "my-proj/include/my_proj/ir.h").exists()
    assert project.ids() == []
    before = project.files()
    assert project.run("init", "my-proj") == 0
    assert project.files() == before


def test_internal_errors_are_said_shortly(project, monkeypatch):
    from tvm_ffi_schema.link import reader
    from tvm_ffi_schema.weave import file_texts
    from tvm_ffi_schema.weave.weave import Conservation

    project.schema(SCHEMA)
    with monkeypatch.context() as patch:
        patch.setattr(reader, "read", lambda *args: 1 / 0)
        assert project.run("generate") == 70
    assert "internal error: ZeroDivisionError" in project.err

    def lost(*args):
        raise Conservation("a section would be lost")

    with monkeypatch.context() as patch:
        patch.setattr(file_texts, "weave", lost)
        assert project.run("generate") == 70
    assert project.ids() == ["TS901", "TS901"]
    assert list(project.files()) == ["schema/ir.py"]
