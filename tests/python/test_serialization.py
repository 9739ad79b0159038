# SPDX-License-Identifier: Apache-2.0
"""Test the conversion of values to JSON graphs, and back."""

from __future__ import annotations

import ctypes
import math
import os
import sys

import pytest
from running import execute

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str


def node(kind, data=None):
    """Return the text of a JSON graph with one node."""
    payload = "" if data is None else f',"data":{data}'
    return f'{{"root_index":0,"nodes":[{{"type":"{kind}"{payload}}}]}}'


def make_base(**fields):
    return tvm_ffi.testing.create_object("testing.TestObjectBase", **fields)


# ---- writing ----


@pytest.mark.spec("PY-J259", "PY-J260")
@pytest.mark.parametrize(
    ("value", "kind", "data"),
    [
        (None, "None", None),
        (True, "bool", "true"),
        (False, "bool", "false"),
        (1, "int", "1"),
        (-(2**63), "int", str(-(2**63))),
        (1.0, "float", "1.0"),
        (1.5, "float", "1.5"),
        (0.1, "float", "0.10000000000000001"),
        (math.inf, "float", "Infinity"),
        (-math.inf, "float", "-Infinity"),
        (math.nan, "float", "NaN"),
        ("a", "ffi.String", '"a"'),
        ("é\n\x01", "ffi.String", '"é\\n\\u0001"'),
        ("x" * 40, "ffi.String", '"' + "x" * 40 + '"'),
        (b"ab", "ffi.Bytes", '"YWI="'),
        (tvm_ffi.dtype("float32"), "DataType", '"float32"'),
        (tvm_ffi.device("cuda", 1), "Device", "[2,1]"),
    ],
)
def test_leaf(value, kind, data):
    text = to_json_graph_str(value)
    assert text == node(kind, data)
    back = from_json_graph_str(text)
    assert isinstance(back, type(value))
    assert back == value or (back != back and value != value)


@pytest.mark.parametrize("value", [2**63, -(2**70), 10**40])
def test_big_integer(value):
    text = to_json_graph_str(value)
    assert text == node("ffi.BigInt", f'"{value}"')
    assert from_json_graph_str(text) == value


@pytest.mark.spec("PY-J260")
@pytest.mark.parametrize(
    "value",
    [
        *("", "ünïcödé ✓", b"", b"\x00\xff" * 20, tvm_ffi.Shape((1, -2, 3))),
        *(tvm_ffi.Array([1, ("a",)]), tvm_ffi.List([None]), tvm_ffi.Map({1: 2}), tvm_ffi.Dict({})),
    ],
    ids=repr,
)
def test_value_comes_back(value):
    back = from_json_graph_str(to_json_graph_str(value))
    assert back == value
    assert isinstance(back, type(value))


@pytest.mark.spec("PY-J259")
def test_verified_examples():
    assert to_json_graph_str(tvm_ffi.Array([1, "a", 1, None])) == (
        '{"root_index":3,"nodes":[{"type":"int","data":1},{"type":"ffi.String","data":"a"},'
        '{"type":"None"},{"type":"ffi.Array","data":[0,1,0,2]}]}'
    )
    assert to_json_graph_str(tvm_ffi.testing.TestIntPair(1, 2)) == (
        '{"root_index":0,"nodes":[{"type":"testing.TestIntPair","data":{"a":1,"b":2}}]}'
    )
    assert to_json_graph_str(make_base(v_i64=3)) == (
        '{"root_index":1,"nodes":[{"type":"ffi.String","data":"hello"},'
        '{"type":"testing.TestObjectBase","data":{"v_i64":3,"v_f64":10.0,"v_str":0}}]}'
    )


def test_equal_values_share_a_node_and_different_types_do_not():
    assert to_json_graph_str([1, True, 1.0, 1, "a", "a"]).count('"type"') == 5
    inner = tvm_ffi.Array([1])
    shared = from_json_graph_str(to_json_graph_str([inner, inner]))
    assert shared[0].same_as(shared[1])
    apart = from_json_graph_str(to_json_graph_str([tvm_ffi.Array([1]), tvm_ffi.Array([1])]))
    assert not apart[0].same_as(apart[1])


def test_mappings_are_flat_lists():
    text = to_json_graph_str({"a": 1, 2: "b"})
    assert text.endswith('{"type":"ffi.Map","data":[0,1,2,3]}]}')
    assert to_json_graph_str(from_json_graph_str(text)) == text


def test_objects_come_back_with_their_class_and_fields():
    base = make_base(v_i64=3, v_f64=2.5, v_str="text")
    back = from_json_graph_str(to_json_graph_str([base, base]))[0]
    assert type(back) is type(base)
    assert (back.v_i64, back.v_f64, back.v_str) == (3, 2.5, "text")
    assert not back.same_as(base)


@pytest.mark.spec("PY-J261")
def test_metadata_appears_only_when_given():
    assert "metadata" not in to_json_graph_str(1)
    text = to_json_graph_str(1, {"a": 1, "b": [1, "x", {"c": 2.5}]})
    assert text == (
        '{"root_index":0,"nodes":[{"type":"int","data":1}],'
        '"metadata":{"a":1,"b":[1,"x",{"c":2.5}]}}'
    )
    assert from_json_graph_str(text) == 1
    with pytest.raises(ValueError, match=r"Unsupported type: `ffi\.OpaquePyObject`"):
        to_json_graph_str(1, {"a": object()})


@pytest.mark.spec("PY-J263")
@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (lambda: None, "ffi.Function"),
        (object(), "ffi.OpaquePyObject"),
        (ValueError("x"), "ffi.Error"),
        (core.MISSING, "ffi.Object"),
    ],
)
def test_what_cannot_be_made_again_is_refused(value, kind):
    message = (
        f"^Type `{kind}` does not support ToJSONGraph "
        r"\(no native creator or __ffi_new__ type attr\)"
    )
    for holder in (value, [1, value]):
        with pytest.raises(TypeError, match=message):
            to_json_graph_str(holder)


@pytest.mark.spec("PY-J263")
def test_modules_and_tensors_are_refused():
    numpy = pytest.importorskip("numpy")
    for value in (tvm_ffi.system_lib(), tvm_ffi.from_dlpack(numpy.zeros(2))):
        with pytest.raises(TypeError, match="does not support ToJSONGraph"):
            to_json_graph_str(value)


def test_pointers_are_refused():
    with pytest.raises(RuntimeError, match=r"Cannot serialize type `void\*`"):
        to_json_graph_str(ctypes.c_void_p(5))


# ---- reading ----


@pytest.mark.spec("PY-J262")
@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", ValueError, "line 1 column 1 (char 0)"),
        (node("int", 1) + "x", ValueError, "Extra data: line 1 column 51 (char 50)"),
        ("[]", ValueError, "Invalid JSON Object Graph, expected an object"),
        ("5", ValueError, "Invalid JSON Object Graph, expected an object"),
        ("{}", ValueError, "expected `root_index` integer field"),
        ('{"root_index":0.0,"nodes":[]}', ValueError, "expected `root_index` integer field"),
        ('{"root_index":0}', ValueError, "expected `nodes` array field"),
        ('{"root_index":0,"nodes":5}', ValueError, "expected `nodes` array field"),
        (
            '{"root_index":5,"nodes":[{"type":"None"}]}',
            ValueError,
            "Invalid JSON Object Graph: invalid node index 5",
        ),
        ('{"root_index":-1,"nodes":[{"type":"None"}]}', ValueError, "invalid node index -1"),
        (node("ffi.Array", "[7]"), ValueError, "invalid node index 7"),
        (node("ffi.Array", "[0]"), ValueError, "Invalid JSON Object Graph"),
        (
            node("ffi.Map", "[0]"),
            ValueError,
            "Map/Dict data must contain an even number of [key, value] entries, got 1",
        ),
        (node("Device", "5"), TypeError, "Cannot convert from type `int`"),
        (node("Device", "[1]"), ValueError, "Device data must be an array of"),
        (node("zzz"), RuntimeError, "Cannot find type `zzz`"),
        (node("int", '"x"'), TypeError, "Cannot convert from type `str` to `int`"),
        (
            node("testing.TestIntPair", '{"a":1}'),
            TypeError,
            "Required field `b` not set in type `testing.TestIntPair`",
        ),
        ('{"root_index":0,"nodes":[{"data":1}]}', ValueError, ": node 0 has no `type`"),
        ('{"root_index":0,"nodes":[{"data":1}]}', KeyError, ": node 0 has no `type`"),
        (node("int"), ValueError, "Invalid JSON Object Graph: node 0 has no `data`"),
        (node("ffi.Array"), ValueError, "Invalid JSON Object Graph: node 0 has no `data`"),
        (
            node("ffi.Function", 1),
            ValueError,
            ": node 0 has the type `ffi.Function`, whose objects cannot be read from JSON",
        ),
        (node("ffi.Bytes", '"!!"'), RuntimeError, "invalid base64"),
        (node("DataType", '"zz"'), ValueError, "zz"),
        ('{"root_index":0,"nodes":[5]}', TypeError, "Cannot convert"),
    ],
)
def test_malformed_graph(text, error, message):
    with pytest.raises(error) as caught:
        from_json_graph_str(text)
    assert message in str(caught.value)


@pytest.mark.spec("PY-J262")
def test_unknown_fields_are_ignored_and_defaults_fill_in():
    pair = from_json_graph_str(node("testing.TestIntPair", '{"a":1,"b":2,"zz":3}'))
    assert (pair.a, pair.b) == (1, 2)
    base = from_json_graph_str(node("testing.TestObjectBase", "{}"))
    assert (base.v_i64, base.v_f64, base.v_str) == (10, 10.0, "hello")


def test_only_text_is_read():
    for value in (5, None, b"{}"):
        with pytest.raises(TypeError):
            from_json_graph_str(value)


def test_deep_and_cyclic_documents_do_not_kill_the_process(run_python):
    out = run_python(
        """
import resource, tvm_ffi
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str
depth = 100_000
nodes = ",".join(f'{{"type":"ffi.Array","data":[{i + 1}]}}' for i in range(depth))
deep = '{"root_index":0,"nodes":[' + nodes + ',{"type":"None"}]}'
value = from_json_graph_str(deep)
print(len(to_json_graph_str(value)) > depth)
for cycle in ("[1]", "[0]"):
    text = '{"root_index":0,"nodes":[{"type":"ffi.List","data":%s},' \
           '{"type":"ffi.List","data":[0]}]}' % cycle
    try:
        from_json_graph_str(text)
    except (ValueError, RuntimeError) as error:
        print(type(error).__name__)
"""
    )
    assert out.split()[0] == "True"
    assert len(out.split()) == 3


def test_module_is_light():
    program = "import sys, tvm_ffi.serialization as s; s.to_json_graph_str(1); print(*sys.modules)"
    out = execute(
        sys.executable,
        "-c",
        program,
        env={**os.environ, "PYTHONPATH": str(tvm_ffi.__path__[0]).rsplit("/", 1)[0]},
    ).stdout.split()
    assert not {"json", "numpy"} & set(out)


def test_absent_field_names_the_other_names_of_the_data():
    """Before the fix, the error about a renamed field named only the absent field."""

    @tvm_ffi.dataclasses.py_class("test_serialization.Renamed")
    class Renamed(tvm_ffi.Object):
        attrs: int
        other: int = 0

    text = to_json_graph_str(Renamed(5)).replace('"attrs"', '"attr"')
    with pytest.raises(TypeError) as raised:
        from_json_graph_str(text)
    assert str(raised.value) == (
        "Required field `attrs` not set in type `test_serialization.Renamed`; the data also has "
        "`attr`, not fields of the type: was a field renamed?"
    )
    with pytest.raises(TypeError, match=r"not set in type `test_serialization\.Renamed`$"):
        from_json_graph_str(text.replace('"attr":5,', ""))


def test_refused_value_is_named_with_its_class_and_place():
    """Before the fix, the error named only the type `ffi.OpaquePyObject`."""

    @tvm_ffi.dataclasses.py_class("test_serialization.Attributes")
    class Attributes(tvm_ffi.Object):
        attrs: dict[str, object]

    for value, name in (({1}, "set"), (lambda: 1, "tvm_ffi.core.Function")):
        with pytest.raises(TypeError) as raised:
            to_json_graph_str(Attributes({"k": [1, value]}))
        place = f'; to_json_graph_str reached a `{name}` at <root>.attrs["k"][1]'
        assert str(raised.value).endswith(place)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (node("int", '"x"'), "from type `str` to `int` in node 0 (`int`)"),
        (node("ffi.Array", '["x"]'), "from type `str` to `int` in node 0 (`ffi.Array`)"),
        (node("ffi.Shape", "5"), " in node 0 (`ffi.Shape`)"),
        (node("testing.TestIntPair", "5"), " in node 0 (`testing.TestIntPair`)"),
        (
            node("testing.TestIntPair", '{"a":"x","b":1}'),
            "from type `str` to `int` in field `a` of node 0 (`testing.TestIntPair`)",
        ),
        (
            '{"root_index":1,"nodes":[{"type":"int","data":3},{"type":"testing.TestObjectBase",'
            '"data":{"v_str":0}}]}',
            "to `str` in field `v_str` of node 1 (`testing.TestObjectBase`)",
        ),
        ('{"root_index":0,"nodes":[5]}', " in node 0"),
    ],
)
def test_value_of_a_wrong_type_is_named_with_node_and_field(text, place):
    """Before the fix, the message was only `Cannot convert from type `str` to `int``."""
    with pytest.raises(TypeError) as caught:
        from_json_graph_str(text)
    assert place in str(caught.value)
