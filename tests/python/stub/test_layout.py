# SPDX-License-Identifier: Apache-2.0
"""Test the check that C++ structs can reproduce the layout of a type, and the report on layouts."""

from __future__ import annotations

import json

import pytest

from tvm_ffi.stub import layout
from tvm_ffi.stub.layout import ByteRange, FieldBytes, TypeBytes

ROOT = TypeBytes("ffi.Object")
KEYS = [
    *("verdict", "reason", "detail", "parent", "ancestors", "total_size", "is_final"),
    *("own_bytes", "fields", "uncovered", "padding"),
]


def judge(total_size, *fields, **more):
    types = {"ffi.Object": ROOT}
    made = tuple(FieldBytes(*f) for f in fields)
    types["t.T"] = TypeBytes("t.T", "ffi.Object", total_size, fields=made, **more)
    return layout.classify(types)["t.T"]


@pytest.mark.spec("TOOL-W1")
def test_root_is_complete():
    assert layout.classify({"ffi.Object": ROOT})["ffi.Object"].is_complete


@pytest.mark.spec("TOOL-W1")
def test_complete():
    verdict = judge(48, ("a", 24, 8, 8), ("c", 40, 8, 8), ("b", 32, 8, 8))
    assert verdict.is_complete
    assert (verdict.own_bytes, verdict.padding) == (ByteRange(24, 48), [])
    assert verdict.detail == "reflected fields fill [24, 48) exactly"


@pytest.mark.spec("TOOL-W1")
def test_padding_between_and_behind():
    verdict = judge(40, ("a", 24, 1, 1), ("b", 28, 4, 4), ("c", 32, 2, 2))
    assert verdict.is_complete
    assert verdict.padding == [ByteRange(25, 28), ByteRange(34, 40)]
    assert "alignment padding [25, 28), [34, 40)" in verdict.detail


@pytest.mark.spec("TOOL-W2")
@pytest.mark.parametrize(
    ("size", "fields", "reason"),
    [
        (40, [("a", 24, 8, 8)], "uncovered-bytes"),
        (40, [("b", 32, 8, 8)], "uncovered-bytes"),
        (40, [], "uncovered-bytes"),
        (40, [("a", 24, 8, 8), ("b", 28, 4, 4)], "field-overlap"),
        (40, [("a", 16, 8, 8), ("b", 32, 8, 8)], "field-overlap"),
        (32, [("a", 24, 16, 8)], "field-overlap"),
        (None, [("a", 24, 8, 8)], "layout-unknown"),
    ],
)
def test_opaque(size, fields, reason):
    verdict = judge(size, *fields)
    assert (verdict.verdict, verdict.reason) == ("opaque", reason)
    assert verdict.detail


@pytest.mark.spec("TOOL-W2")
def test_field_of_unknown_size():
    assert judge(32, unknown_field="x").reason == "layout-unknown"


@pytest.mark.spec("TOOL-W2")
def test_children_of_opaque_parents():
    types = {
        "ffi.Object": ROOT,
        "t.P": TypeBytes("t.P", "ffi.Object", 40),
        "t.C": TypeBytes("t.C", "t.P", 48, fields=(FieldBytes("a", 40, 8, 8),)),
        "t.G": TypeBytes("t.G", "t.C", 48),
    }
    verdicts = layout.classify(types)
    assert [verdicts[k].reason for k in ("t.P", "t.C", "t.G")] == [
        "uncovered-bytes",
        "parent-opaque",
        "parent-opaque",
    ]


def test_child_begins_where_the_parent_ends():
    types = {
        "t.C": TypeBytes("t.C", "t.P", 48, fields=(FieldBytes("b", 40, 4, 4),)),
        "t.P": TypeBytes("t.P", "ffi.Object", 40, fields=(FieldBytes("a", 24, 16, 16),)),
        "ffi.Object": ROOT,
    }
    # The parent has an alignment of 16, so the child begins at 48.
    types["t.P"] = TypeBytes("t.P", "ffi.Object", 48, fields=(FieldBytes("a", 32, 16, 16),))
    types["t.C"] = TypeBytes("t.C", "t.P", 64, fields=(FieldBytes("b", 48, 4, 4),))
    verdicts = layout.classify(types)
    assert verdicts["t.C"].is_complete
    assert verdicts["t.C"].padding == [ByteRange(52, 64)]


@pytest.mark.spec("TOOL-W2")
def test_veto_only_demotes_what_is_complete():
    types = {"ffi.Object": ROOT, "t.A": TypeBytes("t.A", "ffi.Object", 24)}
    types["t.B"] = TypeBytes("t.B", "ffi.Object", 40)
    verdicts = layout.classify(types, {"t.A": "by-directive", "t.B": "by-directive"})
    assert (verdicts["t.A"].reason, verdicts["t.B"].reason) == ("by-directive", "uncovered-bytes")


def test_missing_ancestor():
    with pytest.raises(KeyError, match=r"Ancestor 't\.P' is not among the types to classify"):
        layout.classify({"t.C": TypeBytes("t.C", "t.P", 40)})


def test_align_up():
    assert [layout.align_up(n, 8) for n in (0, 1, 8, 9)] == [0, 8, 8, 16]


@pytest.mark.spec("TOOL-W3")
def test_report(stubgen, tmp_path):
    path = tmp_path / "report.json"
    assert stubgen("--coverage-out", path)[0] == 0
    text = path.read_text()
    assert text.endswith("}\n")
    report = json.loads(text)
    assert list(report) == sorted(report)
    assert all(list(entry) == KEYS for entry in report.values())
    assert text == json.dumps(report, indent=2) + "\n"
    derived = report["testing.TestObjectDerived"]
    assert derived["verdict"] == "complete"
    assert derived["ancestors"] == ["ffi.Object", "testing.TestObjectBase"]
    assert (derived["own_bytes"], derived["total_size"]) == ([56, 72], 72)
    assert derived["fields"][0] == {"name": "v_map", "offset": 56, "size": 8, "alignment": 8}
    mixed = report["testing.SchemaAllTypes"]
    assert mixed["verdict"] == "complete"
    assert [25, 32] in mixed["padding"]
    assert report["ffi.Array"]["reason"] == "layout-unknown"
    assert report["ffi.Object"]["detail"] == "object header [0, 24): owned by the C ABI"
    assert report["testing.TestIntPair"]["is_final"] is True


@pytest.mark.spec("TOOL-S1")
def test_report_beside_files(stubgen, stub_file, tmp_path):
    path = stub_file("object/testing.TestIntPair")
    assert stubgen("--coverage-out", tmp_path / "report.json", path)[0] == 0
    assert "a: int" in path.read_text()
    assert (tmp_path / "report.json").exists()


@pytest.mark.parametrize("text", ["print('mine')\n", '{"name": "settings"}\n', "[]\n"])
def test_report_does_not_replace_another_file(stubgen, tmp_path, text):
    path = tmp_path / "cov.py"
    path.write_text(text)
    status, out = stubgen("--coverage-out", path)
    assert status == 2
    assert f"--coverage-out {path}: the file exists and is not a report on layouts" in out
    assert path.read_text() == text


def test_report_replaces_an_earlier_report(stubgen, tmp_path):
    path = tmp_path / "report.json"
    for earlier in ("", "{}\n", None):
        if earlier is not None:
            path.write_text(earlier)
        assert stubgen("--coverage-out", path)[0] == 0
        assert "ffi.Object" in json.loads(path.read_text())
