# SPDX-License-Identifier: Apache-2.0
"""Test the classes of `model`, which behave alike for all ways to define them.

`test_ways` runs this file once for each way to define the classes.
"""

from __future__ import annotations

import copy
import inspect
import os
import pickle

import model as m
import pytest

import tvm_ffi
from tvm_ffi.dataclasses import Enum, asdict, astuple, fields, replace
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

EQUAL = tvm_ffi.structural_equal
#: The errors for integers of more than 64 bits. The type of the error depends on whether the class
#: is defined in Python, in C++, or in an image.
OUT_OF_RANGE = (TypeError, OverflowError)
#: The errors for using a default that its field cannot hold.
REFUSED_DEFAULT = (TypeError, RuntimeError)


def same(lhs, rhs, **options):
    """Return whether two objects are equal; assert that equal objects have equal hashes."""
    found = EQUAL(lhs, rhs, **options)
    hashes = [tvm_ffi.structural_hash(one, **options) for one in (lhs, rhs)]
    assert found == (hashes[0] == hashes[1])
    return found


# ---- construction


def test_parameters_and_defaults():
    assert str(m.Span(1)) == "ways.Span(line=1, col=0)"
    assert (m.Span(1, 2).line, m.Span(line=1, col=2).col) == (1, 2)
    assert str(inspect.signature(m.Span)) == "(line: int, col: int = 0)"
    assert m.Span.__match_args__ == ("line", "col")
    value = m.Values()
    assert (value.flag, value.number, value.ratio) == (True, -(2**63), 0.5)
    assert (value.text, value.data) == ('with "quotes" and \\ and ü', b"\x00\xff")
    assert value.anything is None and value.maybe is None and value.either == 3
    assert value.nested["a"][1] == 2 and list(value.frozen_map) == []
    assert list(value.open_list) == [1.0, 2.0] and len(value.open_dict) == 0
    assert value.element == "float32" and value.place is None and value.tensor is None
    assert value.op is m.Op.ADD and value.colour is m.Colour.scarlet and value.level is None


@pytest.mark.parametrize("name", ["nested", "frozen_map", "open_list", "open_dict", "words"])
def test_each_object_has_containers_of_its_own(name):
    first, second = m.Values(), m.Values()
    assert getattr(first, name) is not None
    if name != "frozen_map":
        assert not getattr(first, name).same_as(getattr(second, name))


def test_types_of_containers():
    value = m.Values(words=["a"], nested={"b": [1]}, frozen_map={"c": 2})
    kinds = [type(getattr(value, n)).__name__ for n in ("words", "nested", "frozen_map")]
    assert kinds == ["List", "Dict", "Map"]
    assert type(m.Const().shape).__name__ == "Array"
    assert type(m.Const().pair) is type(m.Const(pair=(3, "x")).pair)


def test_keyword_only_parameters():
    made = m.Options("n", depth=1)
    assert str(made) == 'ways.Options(tag="none", width=16, name="n", depth=1, limit=3)'
    assert m.Options("n", depth=1, tag="t", width=2, limit=4).tag == "t"
    with pytest.raises(TypeError, match="missing required keyword-only argument: 'depth'"):
        m.Options("n")
    with pytest.raises(TypeError, match="at most 1 positional"):
        m.Options("n", 3)
    assert m.Options.__match_args__ == ("name",)
    with pytest.raises(TypeError):
        m.Expr(m.Span(1))


def test_required_parameters_come_first():
    made = m.Mixed("b", 7, d=1)
    assert (made.a, made.b, made.c, made.d) == (7, "b", 3, 1.0)
    assert type(made.d) is float
    assert str(inspect.signature(m.Mixed)) == "(b: str, a: int = 1, *, d: float, c: int = 3)"
    with pytest.raises(TypeError, match="missing required argument: 'b'"):
        m.Mixed(d=1)
    made = m.Lambda([m.Var("x")], m.Var("y"), span=m.Span(3))
    assert (made.body.name, made.span.line) == ("y", 3)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: m.Span(), "missing required argument: 'line'"),
        (lambda: m.Span(1, 2, 3), "at most 2 positional argument"),
        (lambda: m.Span(1, line=2), "multiple values for argument 'line'"),
        (lambda: m.Span(1, width=2), "unexpected keyword argument 'width'"),
        (lambda: m.Flags(1, cache={}), "unexpected keyword argument 'cache'"),
        (lambda: m.Unmade(), "cannot be constructed directly"),
    ],
)
def test_calls_that_are_refused(make, text):
    with pytest.raises(TypeError, match=text):
        make()


@pytest.mark.parametrize(
    ("make", "place", "wanted"),
    [
        (lambda: m.Span("1"), "line", "int"),
        (lambda: m.Span(1, 1.5), "col", "int"),
        (lambda: m.Values(flag="x"), "flag", "bool"),
        (lambda: m.Values(text=b"x"), "text", "str"),
        (lambda: m.Values(nested={"a": [1, "x"]}), "nested", "int"),
        (lambda: m.Values(open_list=["x"]), "open_list", "float"),
        (lambda: m.Values(either=1.5), "either", "int"),
        (lambda: m.Values(maybe="x"), "maybe", "int"),
        (lambda: m.Values(op=3), "op", r"ways\.Op"),
        (lambda: m.Values(call=3), "call", "call"),
        (lambda: m.Const(pair=(1, 2)), "pair", "pair"),
        (lambda: m.Lambda([m.Const()], m.Var()), "params", r"ways\.Var"),
        (lambda: m.Lambda([], m.Span(1)), "body", r"ways\.Expr"),
        (lambda: m.Lambda([], None), "body", r"ways\.Expr"),
        (lambda: m.Lambda([None], m.Var()), "params", r"ways\.Var"),
        (lambda: m.Lambda(None, m.Var()), "params", "List"),
        (lambda: m.Left(None), "right", r"ways\.Right"),
        (lambda: m.Tree("a", [None]), "kids", r"ways\.Tree"),
        (lambda: m.Tree("a", [], by_name={"a": None}), "by_name", r"ways\.Tree"),
        (lambda: m.Right(lefts=[None]), "lefts", r"ways\.Left"),
        (lambda: m.Renamed(None), "x", r"model\.Unnamed"),
        (lambda: m.Values(words=None), "words", "List"),
        (lambda: m.Values(op=None), "op", r"ways\.Op"),
        (lambda: m.Values(text=None), "text", "str"),
        (lambda: m.Values(flag=None), "flag", "bool"),
    ],
)
def test_values_that_are_refused(make, place, wanted):
    with pytest.raises(TypeError, match=wanted) as caught:
        make()
    assert f"field '{place}'" in str(caught.value)


@pytest.mark.parametrize(
    ("make", "place", "value", "wanted"),
    [
        (lambda: m.Span(1), "line", "x", "int"),
        (lambda: m.Lambda([], m.Var()), "body", None, r"ways\.Expr"),
        (lambda: m.Left(m.Right()), "right", None, r"ways\.Right"),
        (lambda: m.Tree("a", []), "kids", [None], r"ways\.Tree"),
        (lambda: m.Values(), "nested", {"a": 1}, "List"),
    ],
)
def test_assignments_that_are_refused(make, place, value, wanted):
    made = make()
    before = str(made)
    with pytest.raises(TypeError, match=wanted):
        setattr(made, place, value)
    assert str(made) == before


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30])
def test_integers_out_of_range(number):
    with pytest.raises(OUT_OF_RANGE):
        m.Span(number)
    made = m.Span(0)
    with pytest.raises(OUT_OF_RANGE):
        made.line = number
    with pytest.raises(OUT_OF_RANGE):
        m.Const(shape=(number,))
    assert made.line == 0 and m.Span(2**63 - 1).line == 2**63 - 1


@pytest.mark.parametrize(
    ("make", "type_", "place"),
    [
        (lambda n: m.Span(n), "int", ""),
        (lambda n: setattr(m.Span(1), "line", n), "int", ""),
        (lambda n: m.Const(shape=(1, n)), "Array[int]", "index 1: "),
        (lambda n: m.Const(pair=(n, "a")), "tuple[int, str]", "index 0: "),
        (lambda n: m.Values(maybe=n), "int | None", ""),
        (lambda n: m.Values(either=n), "int | str", ""),
        (lambda n: m.Values(frozen_map={"a": n}), "Map[str, int]", 'some value at key "a": '),
        (lambda n: m.Values(open_dict={n: "a"}), "Dict[int, str]", "some key: "),
        (
            lambda n: m.Values(nested={"a": [1, n]}),
            "Dict[str, List[int]]",
            'some value at key "a": index 1: ',
        ),
    ],
)
def test_words_of_native_code_about_integers_out_of_range(make, type_, place):
    with pytest.raises(OUT_OF_RANGE) as caught:
        make(2**63)
    if os.environ.get("MODEL_WAY") == "python":
        return  # because classes that are defined in Python raise another error
    assert caught.type is OverflowError
    assert str(caught.value).endswith(
        f"Cannot convert to `{type_}`: {place}integer of more than 64 bits out of int64 range "
        "[-9223372036854775808, 9223372036854775807]"
    )
    assert str(caught.value).startswith(("ways.", "field `line`: "))


def test_numbers_of_other_types():
    assert m.Values(ratio=3).ratio == 3.0 and type(m.Values(ratio=3).ratio) is float
    assert m.Span(True).line == 1
    assert m.Values(flag=1).flag is True
    assert m.Const(True).value in (True, 1)
    assert type(m.Const(3).value) is int and type(m.Const(2.5).value) is float


def test_a_default_that_is_refused_when_it_is_used():
    assert m.Late(span=m.Span(1)).span.line == 1
    number, span = inspect.signature(m.Late).parameters.values()
    assert (str(number), span.name) == ("number: int = 0", "span")
    assert span.default is not inspect.Parameter.empty
    with pytest.raises(REFUSED_DEFAULT, match="default for field 'span'"):
        m.Late()


# ---- assignment


def test_fields_can_be_assigned():
    made = m.Span(1)
    made.line = 5
    assert made.line == 5
    made = m.Values()
    made.nested = {"z": [3]}
    assert made.nested["z"][0] == 3
    made.maybe = 4
    made.maybe = None
    assert made.maybe is None


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (lambda: m.Const(1), "value", 2),
        (lambda: m.Const(1), "shape", ()),
        (lambda: m.Fixed([1]), "items", [2]),
        (lambda: m.Flags(1), "constant", 1),
        (lambda: m.Flags(1), "locked", 1),
        (lambda: m.Colour.grey, "red", 1),
        (lambda: m.Activation.gelu, "slope", 1.0),
    ],
)
def test_frozen_fields(make, name, value):
    made = make()
    before = getattr(made, name)
    with pytest.raises(AttributeError):
        setattr(made, name, value)
    assert str(getattr(made, name)) == str(before)


def test_inherited_fields_of_a_frozen_class_can_be_assigned():
    made = m.Const(1)
    made.span = m.Span(9)
    assert made.span.line == 9


def test_unknown_attributes():
    with pytest.raises(AttributeError):
        m.Span(1).width = 1
    with pytest.raises(AttributeError):
        m.Span(1).width  # noqa: B018


# ---- structure


def test_trees():
    assert same(m.Span(1), m.Span(1)) and not same(m.Span(1), m.Span(2))
    assert same(m.Const(1, (2,)), m.Const(1, (2,))) and not same(m.Const(1), m.Const(1.0))
    assert same(m.Const(1, span=m.Span(1)), m.Const(1, span=m.Span(2)))  # ignored
    assert not same(m.Tree("a", [m.Tree("b", [])]), m.Tree("a", [m.Tree("c", [])]))


def test_variables():
    x, y = m.Var("x"), m.Var("y")
    assert not same(x, y) and same(x, y, map_free_vars=True)
    assert same(m.Lambda([x], x), m.Lambda([y], y))
    assert not same(m.Lambda([x, y], x), m.Lambda([x, y], y))


def test_shared_objects():
    one, other = m.Shared(1), m.Shared(1)
    pair = tvm_ffi.Array
    assert same(pair([one, one]), pair([other, other]))
    assert not EQUAL(pair([one, one]), pair([m.Shared(1), m.Shared(1)]))


def test_constant_trees_and_singletons():
    assert same(m.Fixed([1, 2]), m.Fixed([1, 2])) and not same(m.Fixed([1]), m.Fixed([2]))
    one = m.Single(1)
    assert same(one, one) and not EQUAL(one, m.Single(1))


def test_no_structure():
    with pytest.raises(TypeError):
        EQUAL(m.Opaque(1), m.Opaque(1))
    with pytest.raises(TypeError):
        tvm_ffi.structural_hash(m.Opaque(1))


@pytest.mark.xfail(
    os.environ.get("MODEL_WAY") == "classic",
    reason="the reducers of the classic dialect give the runtime no names of fields",
    strict=True,
)
def test_mismatch_has_a_place():
    lhs, rhs = m.Tree("a", [m.Tree("b", [])]), m.Tree("a", [m.Tree("c", [])])
    assert str(tvm_ffi.get_first_structural_mismatch(lhs, rhs)[0]) == "<root>.kids[0].label"


# ---- comparison and hash


def test_flags_of_fields():
    one = m.Flags(1, uid=1, unhashed=2, hidden=3)
    assert one == m.Flags(1, uid=9, unhashed=2, hidden=9) != m.Flags(1, unhashed=3)
    assert hash(one) == hash(m.Flags(1, uid=9, unhashed=9, hidden=9))
    assert hash(one) != hash(m.Flags(2))
    assert m.Flags(1) < m.Flags(2) <= m.Flags(2)
    assert "hidden" not in str(one) and "uid=1" in str(one)
    one.cache["a"] = 1
    assert one.cache["a"] == 1 and len(m.Flags(1).cache) == 0
    assert m.Span(1) != m.Span(1) and len({m.Span(1), m.Span(1)}) == 2


def test_what_fields_say():
    found = {one.name: one for one in fields(m.Flags)}
    assert list(found)[:3] == ["key", "constant", "locked"]
    assert found["noted"].metadata == {"unit": "m", "more": [1]}
    assert (found["locked"].frozen, found["key"].frozen) == (True, False)
    assert not found["cache"].init and not found["uid"].compare and not found["unhashed"].hash
    assert found["locked"].default == 6 and found["key"].default is not found["locked"].default
    said = {one.name: one for one in fields(m.Options)}
    assert (said["name"].kw_only, said["width"].kw_only, said["tag"].kw_only) == (False, True, True)
    assert said["limit"].doc == "How many." and said["limit"].type is int
    assert {one.name: one.structural_eq for one in fields(m.Lambda)}["params"] in (
        "def",
        "def-pattern",
    )


# ---- enums


def test_numbered_enums():
    assert [(name, one.value) for name, one in m.Op.entries()] == [("ADD", 1), ("MUL", 40)]
    assert m.Op.TIMES is m.Op.MUL and m.Op(40) is m.Op.MUL and m.Op.get("ADD") is m.Op.ADD
    assert m.Op.ADD == 1 and int(m.Op.MUL) == 40 and m.Op.ADD.inverse() is m.Op.MUL
    assert repr(m.Op.ADD) == "Op.ADD" and m.Op.ADD.name == "ADD" and len(m.Op) == 2
    assert m.Values(op=40).op is m.Op.MUL
    with pytest.raises(ValueError, match="2"):
        m.Op(2)


def test_text_enums():
    assert [one.value for one in m.Unit] == ["+", "-"]
    assert m.Unit("-") is m.Unit.minus and m.Unit.plus == "+" and str(m.Unit.plus) == "+"
    assert repr(m.Unit.minus) == repr(m.Unit("-"))


def test_enums_with_fields():
    names = [name for name, _ in m.Colour.entries()]
    assert names == ["black", "crimson", "scarlet", "grey"]
    assert [one.red for one in m.Colour] == [0, 220, 255, 0]
    assert (m.Colour.crimson.note, m.Colour.grey.note) == ("dark", "-")
    assert m.Colour(1) is m.Colour.crimson
    assert str(m.Colour.crimson) == "ways.Colour.crimson"


def test_enums_of_plain_objects():
    assert [name for name, _ in m.Activation.entries()] == ["relu", "gelu"]
    assert (m.Activation.relu.approximate, m.Activation.gelu.slope) == (False, 0.5)
    assert m.Activation.get("gelu") is m.Activation.gelu
    assert (m.Level.low.value, m.Level.high.value) == (1, 7)
    assert m.Values(level=m.Level.low).level is m.Level.low
    assert str(m.Activation.gelu) == "ways.Activation.gelu"


@pytest.mark.parametrize("one", [m.Op.ADD, m.Unit.plus, m.Colour.grey, m.Level.high])
def test_entries_are_single(one):
    assert pickle.loads(pickle.dumps(one)) is one
    assert copy.deepcopy(one) is one
    assert (copy.copy(one) is one) == (not isinstance(one, Enum))
    assert from_json_graph_str(to_json_graph_str(one)) is one
    assert EQUAL(one, one) and not EQUAL(one, next(x for x in type(one) if x is not one))


# ---- copies


@pytest.mark.parametrize(
    "one",
    [
        m.Const(1, (2, 3), (4, "b"), span=m.Span(1)),
        m.Tree("a", [m.Tree("b", [], by_name={})], by_name={"k": m.Tree("c", [])}),
        m.Right(m.Left(m.Right()), [m.Left(m.Right())]),
        m.Values(anything=[1, "x"], maybe=3, either="e", thing=m.Span(1), level=m.Level.low),
        m.Options("n", depth=1),
        m.Flags(1),
        m.Shared(3),
    ],
)
def test_copies(one):
    for made in (
        pickle.loads(pickle.dumps(one)),
        copy.deepcopy(one),
        from_json_graph_str(to_json_graph_str(one)),
    ):
        assert type(made) is type(one) and EQUAL(one, made) and str(made) == str(one)
    assert str(copy.copy(one)) == str(one)


def test_texts_of_objects():
    made = m.Const(1, span=m.Span(1))
    assert str(made) == 'ways.Const(value=1, shape=(), pair=(1, "a"))'
    assert made.shown() == f"<{made}>"
    assert str(m.Tree("a", [], None)) == 'ways.Tree(label="a", kids=[], parent=None, by_name=None)'
    assert str(m.Left(m.Right())) == "ways.Left(right=ways.Right(left=None, lefts=None))"


def test_serialized_text():
    text = to_json_graph_str(m.Options("n", depth=1))
    assert [word for word in ("tag", "width", "name", "depth") if f'"{word}":' not in text] == []
    assert to_json_graph_str(from_json_graph_str(text)) == text


def test_replacement_and_conversion():
    made = replace(m.Const(1, (2,)), value=5)
    assert (made.value, list(made.shape)) == (5, [2])
    with pytest.raises(TypeError):
        replace(m.Span(1), line="x")
    assert asdict(m.Span(1)) == {"line": 1, "col": 0} and astuple(m.Span(1)) == (1, 0)


def test_patterns():
    assert m.Lambda.__match_args__ == ("params", "body")
    assert m.Flags.__match_args__ == tuple(
        one.name for one in fields(m.Flags) if one.init and not one.kw_only
    )


# ---- types


def test_hierarchy():
    assert isinstance(m.Const(1), m.Expr) and issubclass(m.Opaque, m.Expr)
    info = m.Const.__tvm_ffi_type_info__
    assert (info.type_key, info.parent_type_info.type_key) == ("ways.Const", "ways.Expr")
    assert m.Unnamed.__tvm_ffi_type_info__.type_key == "model.Unnamed"
    assert str(m.Renamed(m.Unnamed(1))) == "ways.OtherName(x=model.Unnamed(x=1))"


def test_schemas_of_fields():
    found = {one.name: repr(one._ty_schema) for one in fields(m.Values)}
    assert found["nested"] == "Dict[str, List[int]]"
    assert found["thing"] == "Object | None"
    assert {one.name: repr(one._ty_schema) for one in fields(m.Tree)} == {
        "label": "str",
        "kids": "List[ways.Tree]",
        "parent": "ways.Tree | None",
        "by_name": "Dict[str, ways.Tree] | None",
    }


# ---- features that stay in Python


def test_methods():
    made = m.Behaviour(3)
    assert (made.total, made.half, m.Behaviour.of(4).total, made.zero()) == (6, 1.5, 8, 0)
    assert repr(made) == "Behaviour of 3" and made.twice() == 6
    assert m.Const(3, (1,)).scaled(2).value == 6
    assert m.Tree("a", [m.Tree("b", [])]).total() == 2
    assert [one.x for one in sorted([m.Ordered(2), m.Ordered(1)])] == [1, 2]
    assert m.Values(call=m.double).call(4) == 8 and m.Values(any_call=max).any_call(1, 5) == 5


def test_methods_for_other_languages():
    names = {one.name for one in m.Behaviour.__tvm_ffi_type_info__.methods}
    assert "twice" in names and "of" not in names
    assert "plus" in {one.name for one in m.Public.__tvm_ffi_type_info__.methods}
    assert m.Public(1).plus(2) == 3
    assert tvm_ffi.get_type_attr(m.Behaviour, "is_elementwise") is True
    assert m.Behaviour.is_elementwise is True and m.Behaviour.cost["flops"] == 2
    assert str(tvm_ffi.Array([m.Shown(3)])) == "(shown(3),)"


def test_own_initializers():
    assert (m.Made("12").x, m.Made("12").y) == (12, 2)
