# SPDX-License-Identifier: Apache-2.0
"""The rules about changes between two versions of a schema, and the categories of rules."""

from __future__ import annotations

import subprocess

import pytest

from tvm_ffi_schema.diag.breaking import CATEGORIES

OLD = '''
__tschema__ = module(namespace="demo", header="demo/a.h")
@declare
class PNode(Object):
    """P."""
    type_key = "demo.P"
    a: ty.int32_t
    b: str = "x"
    c: ty.Array[int] = field(kw_only=True, structural_eq="ignore")
    type_attrs = {"demo.rank": 1}

    @method
    def f(self, x: int) -> int: ...

@declare
class QNode(PNode):
    """Q."""
    type_key = "demo.Q"

@declare
class E(IntEnum):
    """E."""
    type_key = "demo.E"
    One = entry(1)
    Two = entry(2)
'''
P = 'type_key = "demo.P"\n'
EDITS = [
    ("TYPE_NO_DELETE", OLD[OLD.index("@declare\nclass E") :], ""),
    ("TYPE_SAME_KEY", 'type_key = "demo.Q"', 'type_key = "demo.R"\n    renamed_from = "demo.Q"\n    ref = "Q"'),
    ("TYPE_SAME_CPP_NAME", "class QNode", "class QObj"),
    ("TYPE_SAME_NAMESPACE", 'namespace="demo"', 'namespace="demo::x"'),
    ("TYPE_SAME_HEADER", "demo/a.h", "demo/b.h"),
    ("TYPE_SAME_PARENT", "QNode(PNode)", "QNode(Object)"),
    ("TYPE_NO_NEW_FINAL", 'type_key = "demo.Q"', 'type_key = "demo.Q"\n    final = True'),
    ("TYPE_NO_NEW_SEALED", 'type_key = "demo.Q"', 'type_key = "demo.Q"\n    sealed = True'),
    ("TYPE_NO_NEW_ABSTRACT", P, P + "    abstract = True\n"),
    ("TYPE_SAME_SIZE", 'b: str = "x"', 'b: str = "x"\n    z: int = 0'),
    ("TYPE_SAME_EQ_KIND", P, P + '    structural_eq = "dag"\n'),
    ("REF_SAME_NULLABILITY", P, P + "    nullable = False\n"),
    ("FIELD_NO_DELETE", '    b: str = "x"\n', ""),
    ("FIELD_SAME_NAME", "a: ty.int32_t", "aa: ty.int32_t"),
    ("FIELD_RENAMED", "a: ty.int32_t", "aa: ty.int32_t = field(renamed_from='a')"),
    ("FIELD_SAME_TYPE", "a: ty.int32_t", "a: ty.int16_t"),
    ("FIELD_WIDENED_TYPE", "a: ty.int32_t", "a: ty.int64_t"),
    ("FIELD_WIDENED_TYPE", "a: ty.int32_t", "a: ty.Optional[ty.int32_t]"),
    ("FIELD_SAME_OFFSET", "a: ty.int32_t", "a: ty.Any"),
    ("FIELD_SAME_ORDER", '    a: ty.int32_t\n    b: str = "x"\n', '    b: str = "x"\n    a: ty.int32_t = 0\n'),
    ("FIELD_NO_NEW_REQUIRED", "a: ty.int32_t", "a: ty.int32_t\n    n: int"),
    ("FIELD_NEW_IN_STRUCTURE", 'b: str = "x"', 'b: str = "x"\n    n: int = 0'),
    ("FIELD_SAME_DEFAULT", 'b: str = "x"', 'b: str = "y"'),
    ("FIELD_SAME_STRUCTURAL_FLAG", ', structural_eq="ignore")', ", structural_eq=None)"),
    ("FIELD_SAME_STRUCTURAL_FLAG", 'b: str = "x"', 'b: str = field(default="x", repr=False)'),
    ("FIELD_SAME_STRUCTURAL_FLAG", 'b: str = "x"', 'b: str = field(default="x", compare=False)'),
    ("FIELD_SAME_STRUCTURAL_FLAG", 'b: str = "x"', 'b: str = field(default="x", hash=False)'),
    ("FIELD_SAME_INIT", 'b: str = "x"', 'b: str = field(default="x", init=False)'),
    ("FIELD_SAME_KW_ONLY", 'b: str = "x"', 'b: str = field(default="x", kw_only=True)'),
    ("METHOD_NO_DELETE", "    @method\n    def f(self, x: int) -> int: ...\n", ""),
    ("METHOD_SAME_SIGNATURE", "def f(self, x: int)", "def f(self, x: str)"),
    ("CTOR_SAME_SIGNATURE", '    b: str = "x"\n', ""),
    ("ENUM_ENTRY_NO_DELETE", "    One = entry(1)\n", ""),
    ("ENUM_ENTRY_SAME_VALUE", "entry(2)", "entry(3)"),
    ("ENUM_ENTRY_SAME_ORDINAL", "    One = entry(1)\n    Two = entry(2)", "    Two = entry(2)\n    One = entry(1)"),
    ("ATTR_NO_DELETE", '    type_attrs = {"demo.rank": 1}\n', ""),
    ("ATTR_SAME_VALUE", '"demo.rank": 1', '"demo.rank": 2'),
    ("TYPE_SAME_MUTABILITY", P.strip(), "%swas mutable"),
]  # fmt: skip


@pytest.fixture
def version(project):
    project.schema(OLD, "old/ir.py")
    project.schema(OLD)
    return project


def test_no_change_breaks_nothing(version):
    assert version.run("breaking", "--against", "old") == 0, version.err
    assert version.ids() == []


@pytest.mark.spec("SC102.4", "SC102.5", "SC102.6", "SC102.7", "SC102.8", "SC102.9", "SC102.11")
@pytest.mark.spec("SC102.12", "SC102.13", "SC102.14", "SC102.15", "SC102.16", "SC102.17")
@pytest.mark.spec("SC102.18", "SC102.19", "SC102.20", "SC102.21", "SC102.22", "SC102.23")
@pytest.mark.spec("SC102.24", "SC102.25")
@pytest.mark.parametrize(
    ("rule", "old", "new"), [e for e in EDITS if e[0] != "TYPE_SAME_MUTABILITY"]
)
def test_rule(version, rule, old, new):
    assert old in OLD
    text = OLD.replace(old, new)
    version.schema(text)
    status = version.run("breaking", "--against", "old")
    assert f"[{rule}: {', '.join(CATEGORIES[rule])}]" in version.err, version.err
    assert set(version.ids()) == {"TS500"}
    assert status == 1


@pytest.mark.spec("SC102.26")
def test_other_slots_are_not_a_break(version):
    version.schema(OLD.replace(P, P + "    child_slots = 7\n"))
    assert version.run("breaking", "--against", "old") == 0
    assert version.ids() == []


@pytest.mark.spec("SC102.1")
def test_categories_choose(version):
    version.schema(OLD.replace('b: str = "x"', 'b: str = "y"'))
    assert version.run("breaking", "--against", "old", "--use", "ABI") == 0
    assert version.run("breaking", "--against", "old", "--use", "ABI,JSON") == 1
    assert version.run("breaking", "--against", "old", "--use", "NONE") == 2


@pytest.mark.spec("SC102.32", "SC102.33", "SC102.34")
def test_suppression_needs_a_reason_and_expires(version):
    text = OLD.replace('b: str = "x"', 'b: str = "y"')
    allowed = text.replace(
        P, P + "    # tschema: allow FIELD_SAME_DEFAULT -- no caller used the old one\n"
    )
    version.schema(allowed)
    assert version.run("breaking", "--against", "old") == 0, version.err
    pytest.importorskip("tomllib")
    config = '[[breaking.ignore]]\nrule = "FIELD_SAME_DEFAULT"\ntype = "demo.P"\n'
    version.schema(text)
    version.write("tschema.toml", config)
    assert version.run("breaking", "--against", "old") == 2
    assert "the suppression of FIELD_SAME_DEFAULT needs a reason" in version.err
    version.write("tschema.toml", config + 'reason = "agreed"\n')
    assert version.run("breaking", "--against", "old") == 0
    version.schema(OLD)
    assert version.run("breaking", "--against", "old") == 0
    assert version.ids() == ["TS501"]


@pytest.mark.spec("SC102.30")
def test_versions_that_cannot_be_read(version):
    assert version.run("breaking") == 2
    assert version.ids() == ["TS502"]
    assert version.run("breaking", "--against", "nowhere") == 2
    assert version.ids() == ["TS005"] and "a commit is named git:nowhere" in version.err
    version.write("broken/ir.py", "class (")
    assert version.run("breaking", "--against", "broken") == 2
    assert version.ids() == ["TS502"]
    assert version.run("breaking", "--against", "git:nowhere") == 2
    assert version.ids() == ["TS502"]
    assert version.run("breaking", "--against", "git:--output=x") == 2


@pytest.mark.spec("SC102.28")
def test_a_commit_as_the_old_version(version):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "schema"], ["commit", "-qm", "one"]):
        done = subprocess.run([*git, *command], cwd=version.root, check=False)
        if done.returncode:
            pytest.skip("git is not here")
    assert version.run("breaking", "--against", "git:HEAD") == 0, version.err
    version.schema(OLD.replace('b: str = "x"', 'b: str = "y"'))
    assert version.run("breaking", "--against", "git:HEAD") == 1
