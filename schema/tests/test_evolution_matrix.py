# SPDX-License-Identifier: Apache-2.0
"""The rules that report each edit of a schema, and the categories of these rules."""

from __future__ import annotations

import json

import pytest

from tvm_ffi_schema.compare import changes
from tvm_ffi_schema.diag import Bag
from tvm_ffi_schema.diag.breaking import CATEGORIES
from tvm_ffi_schema.link import reader

from .conftest import PRELUDE
from .test_evolution import EDITS, OLD, P

USES = ("ABI", "API", "JSON", "SEMANTIC")
#: Rule and its categories, one rule per line.
TABLE = """
TYPE_NO_DELETE             ABI API JSON
TYPE_SAME_KEY              ABI API
TYPE_SAME_CPP_NAME         API
TYPE_SAME_NAMESPACE        API
TYPE_SAME_HEADER           API
TYPE_SAME_PARENT           ABI API SEMANTIC
TYPE_NO_NEW_FINAL          ABI API
TYPE_NO_NEW_SEALED         ABI API
TYPE_NO_NEW_ABSTRACT       ABI API
TYPE_SAME_SIZE             ABI
TYPE_SAME_EQ_KIND          SEMANTIC
TYPE_SAME_MUTABILITY       API
REF_SAME_NULLABILITY       ABI API
FIELD_NO_DELETE            ABI API JSON SEMANTIC
FIELD_SAME_NAME            API JSON
FIELD_RENAMED              API
FIELD_SAME_TYPE            ABI API JSON SEMANTIC
FIELD_WIDENED_TYPE         ABI API SEMANTIC
FIELD_SAME_OFFSET          ABI
FIELD_SAME_ORDER           API SEMANTIC
FIELD_NO_NEW_REQUIRED      API JSON
FIELD_SAME_DEFAULT         API JSON SEMANTIC
FIELD_SAME_STRUCTURAL_FLAG SEMANTIC
FIELD_NEW_IN_STRUCTURE     SEMANTIC
FIELD_SAME_INIT            API
FIELD_SAME_KW_ONLY         API
METHOD_NO_DELETE           ABI API
METHOD_SAME_SIGNATURE      ABI API
CTOR_SAME_SIGNATURE        ABI API
ENUM_ENTRY_NO_DELETE       ABI API JSON SEMANTIC
ENUM_ENTRY_SAME_VALUE      ABI API JSON SEMANTIC
ENUM_ENTRY_SAME_ORDINAL    ABI SEMANTIC
ATTR_NO_DELETE             API SEMANTIC
ATTR_SAME_VALUE            API SEMANTIC
"""
#: The rules that report an edit that changes the size of a class and the offsets of its fields.
GROWS = {"TYPE_SAME_SIZE", "FIELD_SAME_OFFSET"}
#: (rule, new text of an edit) -> rules that report the edit besides `rule`.
BESIDES: dict[tuple[str, str], set[str]] = {
    ("TYPE_SAME_PARENT", "QNode(Object)"): {"TYPE_SAME_SIZE", "CTOR_SAME_SIGNATURE"},
    ("TYPE_SAME_SIZE", 'b: str = "x"\n    z: int = 0'): {
        *GROWS,
        "FIELD_NEW_IN_STRUCTURE",
        "CTOR_SAME_SIGNATURE",
    },
    ("FIELD_NO_DELETE", ""): {*GROWS, "CTOR_SAME_SIGNATURE"},
    ("CTOR_SAME_SIGNATURE", ""): {*GROWS, "FIELD_NO_DELETE"},
    ("FIELD_WIDENED_TYPE", "a: ty.Optional[ty.int32_t]"): GROWS,
    ("FIELD_SAME_OFFSET", "a: ty.Any"): {*GROWS, "FIELD_WIDENED_TYPE"},
    ("FIELD_SAME_ORDER", '    b: str = "x"\n    a: ty.int32_t = 0\n'): {"FIELD_SAME_OFFSET"},
    ("FIELD_NO_NEW_REQUIRED", "a: ty.int32_t\n    n: int"): {
        *GROWS,
        "CTOR_SAME_SIGNATURE",
        "FIELD_NEW_IN_STRUCTURE",
    },
    ("FIELD_NEW_IN_STRUCTURE", 'b: str = "x"\n    n: int = 0'): {*GROWS, "CTOR_SAME_SIGNATURE"},
    ("ENUM_ENTRY_NO_DELETE", ""): {"ENUM_ENTRY_SAME_ORDINAL"},
}


def program(path, text):
    path.write_text(PRELUDE + text)
    bag = Bag()
    made = reader.linked(reader.read([str(path)], bag), bag)
    assert not bag.has_errors, [item.message for item in bag.items]
    return made


def pair(rule: str, old: str, new: str) -> tuple[str, str]:
    """Return the schema before and after an edit."""
    if rule == "TYPE_SAME_MUTABILITY":
        return OLD.replace(P, P + "    mutable = True\n"), OLD
    assert old in OLD
    return OLD, OLD.replace(old, new)


@pytest.mark.spec("SC102.2")
def test_the_table_is_the_one_of_the_design():
    rows = [line.split() for line in TABLE.strip().splitlines()]
    assert {row[0]: tuple(row[1:]) for row in rows} == CATEGORIES
    assert {rule for rule, _, _ in EDITS} == set(CATEGORIES)


@pytest.mark.spec("SC102", "SC102.3", "SC102.4", "SC102.5", "SC102.6", "SC102.7", "SC102.8")
@pytest.mark.spec("SC102.9", "SC102.10", "SC102.11", "SC102.12", "SC102.13", "SC102.14", "SC102.15")
@pytest.mark.spec("SC102.16", "SC102.17", "SC102.18", "SC102.19", "SC102.20", "SC102.21")
@pytest.mark.spec("SC102.22", "SC102.23", "SC102.24", "SC102.25")
@pytest.mark.parametrize(("rule", "old", "new"), EDITS)
def test_an_edit_touches_exactly_these_rules(tmp_path, rule, old, new):
    texts = pair(rule, old, new)
    before, after = (program(tmp_path / "ir.py", text) for text in texts)
    found = {change.rule for change in changes.compare(before, after)}
    assert found == {rule} | BESIDES.get((rule, new), set())
    assert not list(changes.compare(after, after))


@pytest.mark.spec("SC102", "SC102.1")
@pytest.mark.parametrize(("rule", "old", "new"), EDITS)
def test_each_category_sees_its_rules_alone(project, rule, old, new):
    before, after = pair(rule, old, new)
    project.schema(before, "old/ir.py")
    project.schema(after)
    touched = {rule} | BESIDES.get((rule, new), set())
    for use in USES:
        want = {name for name in touched if use in CATEGORIES[name]}
        status = project.run("breaking", "--against", "old", "--use", use, "--format", "json")
        lines = [json.loads(line) for line in project.out.splitlines()]
        seen = {line["message"].rpartition("[")[2].partition(":")[0] for line in lines}
        assert (status, seen) == (int(bool(want)), want), project.out


@pytest.fixture
def version(project):
    project.schema(OLD, "old/ir.py")
    project.schema(OLD.replace('b: str = "x"', 'b: str = "y"\n    n: int = 0'))
    return project


@pytest.mark.spec("SC102.39")
def test_every_output(version):
    assert version.run("breaking", "--against", "old", "--format", "sarif") == 1
    results = json.loads(version.out)["runs"][0]["results"]
    assert results and {one["ruleId"] for one in results} == {"TS500"}
    assert version.run("breaking", "--against", "old", "--format", "github") == 1
    assert version.out.count("::error file=schema/ir.py,line=") == len(results)


@pytest.mark.spec("SC102.32")
def test_a_removed_type_is_allowed_by_a_comment_of_the_file(version):
    text = OLD[: OLD.index("@declare\nclass E")]
    version.schema(text)
    assert version.run("breaking", "--against", "old") == 1
    version.schema("# tschema: allow TYPE_NO_DELETE -- E moved to another package\n" + text)
    assert version.run("breaking", "--against", "old") == 0, version.err
    version.schema("# tschema: allow TYPE_NO_DELETE -- E moved to another package\n" + OLD)
    assert version.run("breaking", "--against", "old") == 0
    assert version.ids() == ["TS501"]


@pytest.mark.spec("SC102.34")
def test_unused_comments_and_comments_without_a_reason_are_reported(version):
    comment = "    # tschema: allow FIELD_SAME_DEFAULT\n"
    version.schema(OLD.replace(P, P + comment).replace('"x"', '"y"'))
    assert version.run("breaking", "--against", "old") == 1
    assert sorted(version.ids()) == ["TS500", "TS501"]
    assert "the suppression of FIELD_SAME_DEFAULT gives no reason" in version.err
    version.schema(OLD.replace(P, P + comment.rstrip() + ", FIELD_SAME_ORDR -- why\n"))
    assert version.run("breaking", "--against", "old") == 0
    assert "did you mean 'FIELD_SAME_ORDER'?" in version.err
    assert version.ids() == ["TS501", "TS501"]
    # With `--use`, a suppression of a rule in another category is not reported as unused.
    assert version.run("breaking", "--against", "old", "--use", "ABI") == 0
    assert version.ids() == ["TS501"] and "FIELD_SAME_ORDR" in version.err


@pytest.mark.spec("SC102.36")
@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("a: ty.int32_t", 'aa: ty.int32_t = field(renamed_from="a")', "FIELD_RENAMED: API"),
        (
            "a: ty.int32_t",
            'a: ty.int32_t = field(name="aa", renamed_from="a")',
            "FIELD_RENAMED: API",
        ),
        (
            'type_key = "demo.Q"',
            'type_key = "demo.R"\n    renamed_from = "demo.Q"\n    ref = "Q"',
            "TYPE_SAME_KEY: ABI, API",
        ),
    ],
)
def test_renamed_from_excuses_data_and_not_source_text(version, old, new, rule):
    version.schema(OLD.replace(old, new))
    assert version.run("breaking", "--against", "old", "--use", "JSON") == 0, version.err
    assert version.run("breaking", "--against", "old") == 1
    assert version.err.count("TS500") == 1 and f"[{rule}]" in version.err


@pytest.mark.parametrize(
    ("old", "new", "help_"),
    [
        ("a: ty.int32_t", "a: ty.int32_t\n    n: int", "give it a default, or"),
        ("a: ty.int32_t", "aa: ty.int32_t", 'for stored data, write  renamed_from="a"  in the new'),
        ('    b: str = "x"\n', "", 'if it was renamed, write  renamed_from="b"  in the new field'),
        (
            OLD[OLD.index("@declare\nclass E") :],
            "",
            'if it was renamed, write  renamed_from = "demo.E"  in the new class',
        ),
        ('b: str = "x"', 'b: str = "x"\n    n: int = 0', 'with  structural_eq="ignore"'),
        ('b: str = "x"', 'b: str = "y"', "help: suppress it with  # tschema: allow FIELD_SAME_DEF"),
    ],
)
def test_the_help_of_a_break_offers_its_remedy(version, old, new, help_):
    assert old in OLD
    version.schema(OLD.replace(old, new))
    assert version.run("breaking", "--against", "old") == 1
    assert help_ in version.err and "# tschema: allow" in version.err


@pytest.mark.spec("SC102.27")
@pytest.mark.parametrize("reference", ["old", "old/ir.py", "old.tschema.json"])
def test_what_is_compared_against(version, reference):
    assert version.run("export", "old/ir.py", "-q", "-o", "old.tschema.json") == 0
    assert version.run("breaking", "--against", reference, "--use", "SEMANTIC") == 1
    assert "demo.P.b defaults to 'y', it did to 'x'" in version.err
