# SPDX-License-Identifier: Apache-2.0
"""Test the errors for frequent mistakes in declarations and calls of enums."""

from __future__ import annotations

import inspect
from typing import ClassVar

import pytest

import tvm_ffi
from tvm_ffi.dataclasses import (
    Enum,
    EnumObject,
    IntEnum,
    StrEnum,
    auto,
    c_class,
    c_enum,
    entry,
    init_property,
    py_class,
    py_enum,
)


class Number(IntEnum, type_key="tests.enum_mistakes.Number"):
    one = 1
    two = 2


class Text(StrEnum, type_key="tests.enum_mistakes.Text"):
    a = "x"


class Plain(Enum, type_key="tests.enum_mistakes.Plain"):
    cost: int = 0
    a = entry()


# ---- a forgotten type key


@pytest.mark.parametrize(("base", "value"), [(IntEnum, 1), (StrEnum, "x")])
def test_a_variant_of_a_class_without_a_type_key_was_a_plain_value(base, value):
    class Level(base):
        a = value

    expected = r"^Level\.a is not a variant yet: .* or write `type_key=` in its class statement$"
    uses = (lambda: list(Level), lambda: len(Level), Level.entries, Level.all_entries)
    for use in (lambda: Level.a, *uses):
        with pytest.raises(TypeError, match=expected):
            use()
    assert bool(Level)


def test_a_decorator_registers_the_plain_values_of_a_class_without_a_type_key(key):
    @py_enum(key())
    class Level(IntEnum):
        a = 1
        b: ClassVar[int] = 2
        c = a + 2

    assert [(level.name, level.value) for level in Level] == [("a", 1), ("b", 2), ("c", 3)]


def test_an_abstract_base_has_methods_fields_and_constants(key):
    class Base(IntEnum):
        cost: int = 4
        _limit = 7

        def doubled(self):
            return 2 * self.value

    assert (list(Base), len(Base), Base._limit) == ([], 0, 7)

    class Level(Base, type_key=key()):
        a = 1

    assert (Level.a.doubled(), Level.a.cost, Level._limit, len(Level)) == (2, 4, 7, 1)


def test_an_annotated_value_made_an_enum_without_variants(key):
    name = key()
    text = r"^Level\.a: int = 1 declares a field, and the enum has no variants: write a = 1 "
    with pytest.raises(TypeError, match=text):

        class Level(IntEnum, type_key=name):
            a: int = 1

    text = r"^Sign\.a: str = 'x' declares a field, .*: write a = 'x' "
    with pytest.raises(TypeError, match=text):

        class Sign(StrEnum, type_key=name):
            a: str = "x"

    class Again(IntEnum, type_key=name):
        cost: int = 1
        a = 2

    assert (Again.a.cost, len(Again)) == (1, 1)


class Forgotten(IntEnum):
    a = 1


def test_a_field_of_an_unregistered_enum_names_the_enum(key):
    text = "the enum `Forgotten` is not registered .*`type_key=`.* for field `level` of class"
    with pytest.raises(TypeError, match=text):

        @py_class(key())
        class Node(tvm_ffi.Object):
            level: Forgotten


# ---- a name that is assigned twice


@pytest.mark.parametrize(
    ("base", "first", "second"),
    [
        (EnumObject, entry(), entry()),
        (Enum, entry(), auto()),
        (Enum, entry(), 3),
        (Enum, 3, entry()),
        (IntEnum, 1, 2),
        (IntEnum, entry(1), len),
        (StrEnum, "x", entry("y")),
    ],
)
def test_the_second_declaration_of_a_variant_won(base, first, second):
    with pytest.raises(TypeError, match=r"^E\.a is assigned twice: a variant is declared once"):

        class E(base):
            a = first
            a = second  # noqa: PIE794


def test_names_that_are_not_variants_may_be_assigned_twice(key):
    class E(IntEnum, type_key=key()):
        """The text."""

        _scale = 1
        _scale = 2  # noqa: PIE794
        cost: int = 1
        cost = 2  # noqa: PIE794
        a = entry(1)
        b = entry(3)
        del b
        b = entry(2)  # noqa: PIE794

        @property
        def double(self):
            return self.value

        @double.setter
        def double(self, value):
            raise AssertionError

        @property
        def double(self):
            return 2 * self.value

    assert (E._scale, E.a.cost, E.b.value, E.b.double) == (2, 2, 2, 4)


# ---- calls


@pytest.mark.parametrize("cls", [Number, Text, Plain])
@pytest.mark.parametrize("args", [(), (1.5,), (None,), (b"a",), (1, 2)])
def test_a_call_that_is_not_a_lookup_named_a_constructor(cls, args):
    got = ", ".join(type(arg).__name__ for arg in args) or "nothing"
    text = rf"^{cls.__name__}\(\) expects the (value|value or the name|name or the number) of a "
    with pytest.raises(TypeError, match=rf"{text}variant, got {got}; "):
        cls(*args)


def test_a_field_by_keyword_is_not_a_lookup():
    with pytest.raises(TypeError, match=r"^Plain\(\) expects .*, got cost=\.\.\.; new variants "):
        Plain(cost=3)
    stray = Plain(_int_index=9, _str_index="stray", cost=3)
    assert (stray.cost, len(Plain)) == (3, 1)


def test_a_class_with_its_own_initializer_is_called(key):
    class Level(Enum, type_key=key()):
        cost: int

        def __init__(self, cost=1.5, *, _int_index=9, _str_index="stray"):
            self.__ffi_init__(int(cost), _int_index=_int_index, _str_index=_str_index)

    assert (Level(2.5).cost, Level().cost) == (2, 1)


@pytest.mark.parametrize("cls", [Number, Text, Plain])
def test_the_signature_of_an_enum_is_that_of_a_lookup(cls):
    (parameter,) = inspect.signature(cls).parameters.values()
    assert (parameter.name, parameter.kind) == ("index", inspect.Parameter.POSITIONAL_ONLY)
    assert parameter.annotation == int | str


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("number", "a", r"got str \(pass a variant, or its value: an int\)"),
        ("number", 1.5, r"got float \(pass a variant, or its value: an int\)"),
        ("number", 7, r"got int \(no variant has the value 7\)"),
        ("text", 1, r"got int \(pass a variant, or its value: a str\)"),
        ("text", "a", r"got str \(no variant has the value 'a'\)"),
    ],
)
def test_a_refused_value_of_an_enum_field_says_which_values_are_accepted(name, value, text):
    values = {"number": 1, "text": "x", name: value}
    with pytest.raises(TypeError, match=rf"field '{name}':\n  expected tests\.\S+, {text}$"):
        Holder(**values)


@py_class("tests.enum_mistakes.Holder")
class Holder(tvm_ffi.Object):
    number: Number
    text: Text


@pytest.mark.parametrize(("base", "example"), [(IntEnum, "1"), (StrEnum, "'text'")])
def test_auto_in_a_payload_enum_says_what_to_write(key, base, example):
    text = rf"value: write `a = {example}` or .*; `auto\(\)` does not choose a value$"
    with pytest.raises(TypeError, match=text):

        class Level(base, type_key=key()):
            a = auto()


# ---- decorators


@pytest.mark.parametrize("decorator", [c_class, c_enum])
def test_a_decorator_without_its_type_key_returned_a_function(decorator):
    name = decorator.__name__
    text = rf'^{name} expects a type key, got the class `A`: write @{name}\("\.\.\."\)'
    with pytest.raises(TypeError, match=text):

        @decorator
        class A(tvm_ffi.Object):
            pass

    with pytest.raises(TypeError, match=f"^{name} expects a type key, got int: "):
        decorator(3)


def test_init_property_expects_a_method():
    with pytest.raises(TypeError, match=r"^init_property expects a method, got int: "):
        init_property(3)
