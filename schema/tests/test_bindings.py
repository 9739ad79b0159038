# SPDX-License-Identifier: Apache-2.0
"""Python bindings: when stubs are written, and how modules of one package import one another."""

from __future__ import annotations

import ast

import pytest

HEAD = '__tschema__ = module(type_key_prefix="b.", python="pkg.one")\n\n'
PLAIN = '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "P"\n    x: int = 1\n'


@pytest.mark.spec("SC92.3")
@pytest.mark.parametrize(
    ("more", "has_stub"),
    [
        ("", False),
        ("    y: list[int] = field(default_factory=list, kw_only=True)\n", False),
        ("    def size(self) -> int:\n        return self.x\n", False),
        ("    @method\n    def size(self) -> int: ...\n", True),
        ("    y: int = cpp('1 + 1')\n", True),
    ],
)
def test_a_stub_is_there_when_annotations_do_not_say_everything(project, more, has_stub):
    project.schema(HEAD + PLAIN + more)
    assert project.run("generate", "-q", "--to", "python") == 0, project.err
    assert (project.root / "python/pkg/one.pyi").exists() == has_stub


@pytest.mark.spec("SC92.4")
def test_modules_of_one_package_import_one_another_relatively(project):
    project.schema(HEAD + PLAIN, "schema/one.py")
    text = '@declare\nclass QNode(PNode):\n    """B."""\n    type_key = "Q"\n'
    text += "    p: PNode = field(kw_only=True)\n"
    head = HEAD.replace("pkg.one", "pkg.deep.two")
    project.schema("from one import PNode\n" + head + text, "schema/two.py")
    head = HEAD.replace("pkg.one", "pkg.three")
    text = text.replace("QNode", "RNode").replace('"Q"', '"R"')
    project.schema("from one import PNode\n" + head + text, "schema/three.py")
    assert project.run("generate", "-q", "--to", "python,pyi") == 0, project.err
    for suffix in ("py", "pyi"):
        assert "from .one import P\n" in project.read(f"python/pkg/three.{suffix}")
        assert "from pkg.one import P\n" in project.read(f"python/pkg/deep/two.{suffix}")


@pytest.mark.spec("SC92.1")
def test_the_module_lists_its_names(project):
    project.schema(HEAD + PLAIN + PLAIN.replace("P", "Q"))
    assert project.run("generate", "-q", "--to", "python") == 0, project.err
    tree = ast.parse(project.read("python/pkg/one.py"))
    (names,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    assert names == ["P", "Q"]
    assert ast.get_docstring(tree)
    assert {n.name: ast.get_docstring(n) for n in tree.body if isinstance(n, ast.ClassDef)} == {
        "P": "A.",
        "Q": "A.",
    }


def test_devices_and_data_types_in_containers_have_their_type_in_defaults(project):
    """An earlier version wrote devices and data types as strings, which type checkers refuse."""
    fields = """    a: ty.Array[ty.Device] = ("cpu", "cuda:1")
    b: dict[str, list[ty.DataType]] = field(default_factory=lambda: {"a": ["int8"]})
    c: tuple[ty.Device, int] = ("cpu", 1)
"""
    project.schema(HEAD + PLAIN + fields)
    assert project.run("generate", "-q", "--to", "python,pyi") == 0, project.err
    text = project.read("python/pkg/one.py")
    assert 'default=[Device("cpu"), Device("cuda:1")]' in text
    assert '{"a": [dtype("int8")]}' in text
    assert 'default=(Device("cpu"), 1)' in text
    assert 'a: Sequence[Device] = [Device("cpu"), Device("cuda:1")]' in project.read(
        "python/pkg/one.pyi"
    )
