# SPDX-License-Identifier: Apache-2.0
"""Load data that an older version of a schema wrote: renames and upgrade functions."""

from __future__ import annotations

import json

import pytest

import tvm_ffi
from tvm_ffi import schema
from tvm_ffi.serialization import to_json_graph_str

OLD = '''
@declare
class OldCallNode(Object):
    """A call."""
    type_key = "up.KEY.OldCall"
    args: ty.Array[ty.String]
    level: int = 0
'''
NEW = '''
@declare
class CallNode(Object):
    """A call."""
    type_key = "up.KEY.Call"
    renamed_from = "up.KEY.OldCall"
    operands: ty.Array[ty.String] = field(renamed_from="args")
    level: int = 0
    name: ty.String = field(kw_only=True)
'''


def build(project, text: str, key: str, name: str):
    project.schema(text.replace("KEY", key))
    assert project.run("build", "-q", "-o", name) == 0, project.err
    return schema.load(project.root / name)


@pytest.fixture
def old_text(project):
    """Return a function that returns an object of the old version as JSON text."""

    def write(key: str) -> str:
        old = build(project, OLD, key, "old.tfs")
        return to_json_graph_str(old.OldCall(["a", "b"], 3))

    return write


@pytest.mark.spec("SC102.36")
def test_renames_of_types_and_fields(project, old_text):
    text = old_text("rename")
    new = build(project, NEW.replace(" = field(kw_only=True)", ' = "n"'), "rename", "new.tfs")
    made = schema.loads(text)
    assert type(made) is new.Call
    assert (list(made.operands), made.level, made.name) == (["a", "b"], 3, "n")
    assert schema.loads(schema.dumps(made)).operands[1] == "b"


@pytest.mark.spec("SC102.37")
def test_upgrades_run_in_order_on_the_records_of_older_versions(project, old_text):
    text = old_text("order")
    build(project, NEW, "order", "new.tfs")
    seen = []

    @schema.upgrade("up.order.Call", from_version=1)
    def first(record):
        seen.append(dict(record))
        assert record.node(record["operands"])[0] == "ffi.Array"
        record["name"] = record.add("ffi.String", "first")

    @schema.upgrade("up.order.Call", from_version=2)
    def second(record):
        record["level"] = record["level"] * 10

    made = schema.loads(text)
    assert (made.level, made.name, list(made.operands)) == (30, "first", ["a", "b"])
    assert sorted(seen[0]) == ["level", "operands"] and len(seen) == 1
    again = schema.loads(schema.dumps(made))  # data of version 3 needs no upgrade
    assert (again.level, len(seen)) == (30, 1)
    assert json.loads(schema.dumps(made))["metadata"]["schema_versions"]["up.order.Call"] == 3
    with pytest.raises(ValueError, match=r"version 1 of 'up.order.Call' has an upgrade already"):
        schema.upgrade("up.order.Call", from_version=1)(first)
    newer = json.loads(schema.dumps(made))
    newer["metadata"]["schema_versions"]["up.order.Call"] = 4
    with pytest.raises(ValueError, match=r"data of version 4 of 'up.order.Call'; this program kn"):
        schema.loads(json.dumps(newer))


@pytest.mark.spec("SC102.37")
def test_an_upgrade_that_fails_is_named(project, old_text):
    text = old_text("fail")
    build(project, NEW, "fail", "new.tfs")

    @schema.upgrade("up.fail.Call")
    def broken(record):
        record.node(1000)

    with pytest.raises(ValueError, match=r"upgrade of 'up.fail.Call' from version 1 failed: Index"):
        schema.loads(text)
    with pytest.raises(ValueError, match="versions are numbers from 1 on, not 0"):
        schema.upgrade("up.fail.Call", from_version=0)


@pytest.mark.spec("SC102.36")
def test_run_time_classes_record_their_renames():
    @schema.declare(bind="python")
    class NowNode(schema.Object):
        type_key = "up.bind.Now"
        renamed_from = "up.bind.Before"
        x: int = schema.field(renamed_from="y")

    text = to_json_graph_str(NowNode(4)).replace("up.bind.Now", "up.bind.Before")
    assert schema.loads(text.replace('"x"', '"y"')).x == 4


@pytest.mark.parametrize("text", ["", "[]", "{", '{"nodes": 3}', '{"nodes": [3], "metadata": 4}'])
def test_text_that_is_not_a_graph_is_refused(text):
    with pytest.raises(Exception) as ours:
        schema.loads(text)
    with pytest.raises(type(ours.value)):
        tvm_ffi.serialization.from_json_graph_str(text)


@pytest.mark.spec("SC102.37")
def test_upgrades_may_stand_in_schema_files(project):
    text = NEW.replace("KEY", "file")
    more = "\n@upgrade('up.file.Call', from_version=1)\ndef change(record):\n    record.clear()\n"
    texts = []
    for added in ("", more):
        head = "from tvm_ffi.schema import upgrade\n"
        project.schema(head + text + added)
        for frontend in ("static", "import"):
            assert project.run("export", "-q", "--frontend", frontend) == 0, project.err
            texts.append(project.out)
    assert len(set(texts)) == 1
    project.schema(text + "\ndef change(record):\n    record.clear()\n")
    assert project.run("export") == 3
