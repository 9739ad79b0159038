# SPDX-License-Identifier: Apache-2.0
"""Names of output files: a run writes only inside of the project, and each file once."""

from __future__ import annotations

import json
import os

import pytest

CLASS = '\n@declare\nclass PNode(Object):\n    """A."""\n    type_key = "t.P"\n    x: int = 1\n'
OUTPUTS = "cpp,python,pyi,docs,json,ir"
MODULE = [
    ('python="../x"', "python must be the name of a module, found '../x'"),
    ('python="/x"', "python must be"),
    ('python="a/b"', "python must be"),
    ('python="class.x"', "python must be"),
    ('python="a..b"', "python must be"),
    ('python=".a"', "python must be"),
    ('header="../x.h"', "header must be a relative path without '..', found '../x.h'"),
    ('header="/x.h"', "header must be"),
    (r'header="..\\x.h"', "header must be"),
    (r'header="\\x.h"', "header must be"),
    ('header="C:/x.h"', "header must be"),
    ('source="a/../../x.cc"', "source must be"),
    ('namespace="a::class"', "namespace must be a C++ namespace, found 'a::class'"),
    ('namespace="a b"', "namespace must be a C++ namespace"),
    ('includes=["<x"]', "includes must be like"),
    (r'includes=["x\ny"]', "includes must be like"),
    ("includes=['<x>\"']", "includes must be like"),
    ('source_includes=[""]', "includes must be like"),
]


@pytest.mark.spec("SC104.26")
@pytest.mark.parametrize(("option", "words"), MODULE, ids=[option for option, _ in MODULE])
@pytest.mark.parametrize("frontend", ["static", "import"])
def test_options_of_a_module(project, option, words, frontend):
    """In an earlier version ``python="../x"`` wrote a file outside of the project."""
    project.schema(f"__tschema__ = module({option})\n" + CLASS)
    before = project.files()
    assert project.run("generate", "--to", OUTPUTS, "--frontend", frontend) == 3
    assert project.ids() == ["TS023"] and words in project.err
    assert "schema/ir.py:2:" in project.err
    assert project.files() == before


@pytest.mark.spec("SC104.26")
@pytest.mark.parametrize(
    "setting", ['header = "../x.h"', 'includes = ["a\\nb"]', 'namespace = "if"']
)
def test_settings_of_a_class(project, setting):
    project.schema(CLASS + f"    {setting}\n")
    assert project.run("generate", "--to", OUTPUTS) == 3
    assert project.ids() == ["TS023"] and "schema/ir.py:" in project.err
    assert list(project.files()) == ["schema/ir.py"]


@pytest.mark.spec("SC104.26")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("stem", value) for value in ("../x", "/x", "a/b", "..", "a\nb", "a\\b")),
        *(("python", value) for value in ("../x", "/etc/x")),
        *(("header", value) for value in ("../x.h", "/x.h")),
        *(("source", value) for value in ("../x.cc", "/x.cc")),
        ("namespace", "a/../../b"),
        ("includes", ["x>\n"]),
    ],
)
def test_modules_that_come_as_json(project, key, value):
    project.schema(CLASS)
    assert project.run("export", "-q") == 0
    data = json.loads(project.out)
    data["modules"][0][key] = value
    (project.root / "schema/ir.py").unlink()
    project.write("ir.tschema.json", json.dumps(data))
    before = project.files()
    assert project.run("generate", "ir.tschema.json", "--to", OUTPUTS) == 3, project.out
    assert set(project.ids()) <= {"TS023", "TS003"} and "ir.tschema.json:" in project.err
    assert project.files() == before


@pytest.mark.spec("SC92.9")
@pytest.mark.parametrize("stem", ["a-b", "a.b", "a b", "2d", "class", "größe", "x,y"])
def test_any_name_of_a_schema_file_gives_a_binding_that_can_be_imported(project, stem):
    project.schema(CLASS, f"schema/{stem}.py")
    assert project.run("generate", "-q", "--to", "cpp,python") == 0, project.err
    names = os.listdir(project.root / "python")
    assert len(names) == 1 and names[0].endswith(".py") and names[0][:-3].isidentifier()


@pytest.mark.spec("SC104.26")
@pytest.mark.parametrize(
    ("option", "name"),
    [
        ('python="one.binding"', "python/one/binding.py"),
        ('header="one.h"', "include/one.h"),
        ('source="src/one.cc"', "src/one.cc"),
    ],
)
def test_two_modules_never_write_one_file(project, option, name):
    """In an earlier version, the file of the second module replaced the file of the first one."""
    for key in "AB":
        head = f"__tschema__ = module({option})\n"
        project.schema(
            head + CLASS.replace("t.P", key).replace("PNode", f"{key}Node"), f"schema/{key}.py"
        )
    assert project.run("generate", "--to", "cpp,python") == 3
    assert set(project.ids()) == {"TS023"} and f"{name} would be written twice" in project.err
    assert sorted(project.files()) == ["schema/A.py", "schema/B.py"]
