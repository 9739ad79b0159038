# SPDX-License-Identifier: Apache-2.0
"""Test rejected operations on variants, declarations of variants, and columns of attributes."""

from __future__ import annotations

import copy
import enum as standard_enum
import functools
import inspect
import re
import sys
import threading
import typing
import typing as t
from typing import ClassVar
from typing import ClassVar as Shared

import pytest
from running import execute, run_threads

import tvm_ffi
from tvm_ffi import (
    Function,
    Object,
    convert,
    core,
    get_global_func,
    structural_equal,
    structural_hash,
)
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
    replace,
)

Alias = typing.ClassVar


@pytest.fixture(params=["py_enum", "Enum", "IntEnum", "StrEnum"])
def enum(request, key):
    """Return an enum with the variants `one` (field `cost` is 1) and `two` (`cost` is 2)."""
    if request.param == "py_enum":

        @py_enum(key("E"))
        class E(EnumObject):
            cost: int
            one: ClassVar[E] = entry(cost=1)
            two: ClassVar[E] = entry(cost=2)

        return E
    base, first, second = {
        "Enum": (Enum, (), ()),
        "IntEnum": (IntEnum, (10,), (20,)),
        "StrEnum": (StrEnum, ("a",), ("b",)),
    }[request.param]

    class K(base, type_key=key("K")):
        cost: int
        one = entry(*first, cost=1)
        two = entry(*second, cost=2)

    return K


# ---- variants cannot be changed


def test_a_variant_cannot_be_replaced(enum):
    for attempt in (
        lambda: enum.one.__replace__(cost=5),
        lambda: enum.one.__replace__(),
        lambda: replace(enum.one, cost=5),
    ):
        for _ in range(2):
            with pytest.raises(TypeError, match="is an enum variant and cannot be replaced"):
                attempt()
    assert [variant.cost for variant in enum] == [1, 2]


def test_a_variant_cannot_be_initialized_again(enum):
    for name in ("__init__", "__ffi_init__"):
        initialize = getattr(enum.one, name, None)
        if initialize is None:
            continue
        for arguments in ((), (5,)):
            with pytest.raises(TypeError, match="is an enum variant and cannot be initialized"):
                initialize(*arguments)
    assert enum.one.cost == 1
    assert [variant.__entry_name__ for variant in enum] == [v.__entry_name__ for v in list(enum)]
    assert len(enum) == 2


def test_a_variant_cannot_be_given_another_object(enum):
    for attempt in (
        lambda: enum.one.__setstate__({"handle": None}),
        lambda: enum.one.__move_handle_from__(enum.two),
        lambda: copy.copy(enum.one).__move_handle_from__(enum.two),
        lambda: enum.one.__init_handle_by_constructor__(convert(plain), 1),
    ):
        with pytest.raises(TypeError, match="is an enum variant and cannot be initialized again"):
            attempt()
    assert [variant.cost for variant in enum] == [1, 2]


def test_a_variant_is_frozen(enum):
    with pytest.raises(AttributeError):
        enum.one.cost = 5
    assert enum.one.cost == 1


# ---- declarations of variants


def test_class_var_under_any_name_declares_a_variant(key):
    @py_enum(key("E"))
    class E(EnumObject):
        a: ClassVar[E]
        b: t.ClassVar[E]
        c: typing.ClassVar[E] = entry()
        d: Shared[E]
        e: Alias[E]
        f: t . ClassVar[E] = entry()  # fmt: skip
        _g: t.ClassVar[E]
        _h: ClassVar[E] = entry()
        _i = entry()
        _cache: ClassVar[dict]

    assert sorted(E.entries()) == ["_g", "_h", "_i", *"abcdef"]
    for name, variant in E.entries():
        assert getattr(E, name) is E.get(name) is variant


def test_class_var_under_any_name_declares_a_variant_of_the_keyword_family(key):
    class E(Enum, type_key=key("E")):
        a: t.ClassVar[E]
        b: Alias[E] = entry()
        _c: Shared[E] = auto()

    assert sorted(E.entries()) == ["_c", "a", "b"]
    assert E._c is E.get("_c")


def test_a_module_that_is_imported_for_type_checkers_alone_is_believed(key):
    @py_enum(key("E"))
    class E(EnumObject):
        a: unknown.ClassVar[E]  # noqa: F821

    assert list(E.entries()) == ["a"]


OF_EVERY_ENUM = {"get", "entries", "all_entries", "def_attr", "attr_dict"}
OF_EVERY_CLASS = {"mro": "a member of every class", "__init__": "a special name of Python"}
OF_EVERY_CLASS["__any__"] = OF_EVERY_CLASS["__init__"]


def test_the_names_of_all_public_members_of_enums_are_refused():
    members = {name for name in dir(EnumObject) if name[:1] != "_"}
    assert members - set(dir(Object)) == OF_EVERY_ENUM


@pytest.mark.parametrize("name", [*OF_EVERY_CLASS, *sorted(OF_EVERY_ENUM)])
def test_a_field_with_a_name_that_the_class_needs_is_refused(key, name):
    body = {"__annotations__": {name: int}, "__module__": __name__}
    reason = OF_EVERY_CLASS.get(name, "a member of every enum class")
    message = f"^E.{name}: `{name}` is {reason}; give the field another name$"
    with pytest.raises(TypeError, match=message):
        py_enum(key("A"))(type(EnumObject)("E", (EnumObject,), dict(body)))
    with pytest.raises(TypeError, match=message):
        type(Enum)("E", (Enum,), dict(body), type_key=key("B"))
    plain = type(Object)("E", (Object,), dict(body))
    if name in OF_EVERY_CLASS:
        with pytest.raises(TypeError, match=message):
            py_class(key("C"))(plain)
    else:
        assert getattr(py_class(key("C"))(plain)(3), name) == 3


@pytest.mark.parametrize("name", [*OF_EVERY_CLASS, *sorted(OF_EVERY_ENUM)])
def test_a_variant_with_the_name_of_a_member_is_refused(key, name):
    type_key = key("E")
    message = f"`{name}` is {OF_EVERY_CLASS.get(name, 'a member of every enum class')}; give"
    for _ in range(2):
        body = {name: entry(), "__annotations__": {name: "ClassVar[E]"}, "__module__": __name__}
        with pytest.raises(TypeError, match=message):
            py_enum(type_key)(type(EnumObject)("E", (EnumObject,), body))
        with pytest.raises(TypeError, match=message):
            type(Enum)("E", (Enum,), {name: auto()}, type_key=type_key)
        with pytest.raises(TypeError, match=message):
            type(IntEnum)("E", (IntEnum,), {name: entry(1)}, type_key=type_key)
    # The failed definition did not register anything.
    assert list(type(IntEnum)("E", (IntEnum,), {"fine": 1}, type_key=type_key).entries()) == [
        "fine"
    ]


def test_a_bare_class_var_with_the_name_of_a_member_is_refused(key):
    with pytest.raises(TypeError, match="`get` is a member of every enum class"):

        @py_enum(key("E"))
        class E(EnumObject):
            get: ClassVar[E]


def test_a_variant_of_a_base_may_be_declared_again(key):
    class Base(Enum, type_key=key("Base")):
        a = auto()

    class Derived(Base, type_key=key("Derived")):
        a = auto()

    assert Derived.a is not Base.a


# ---- errors for duplicates


def test_duplicate_indices_name_both_variants(key):
    type_key = key("E")

    class E(IntEnum, type_key=type_key):
        x = 1
        y = 2

    index = E.__tvm_ffi_type_info__.type_index
    add = get_global_func("ffi.EnumAddEntry")
    start = f"Duplicate enum index for type `{type_key}`: cannot register "
    for name, number, variant, text in (
        ("x", 5, E.x, "`x`, the name is taken"),
        ("x2", 1, copy.copy(E.x), "`x2`, index 1 belongs to `x`"),
        ("y2", 7, E.y, "`y2`, its object is registered as `y`"),
    ):
        if name != variant.name:
            continue
        with pytest.raises(ValueError, match=re.escape(start + text)):
            add(index, name, number, variant, {})
    assert len(E) == 2


def test_duplicate_declarations_name_both_variants(run_enum_program):
    out = run_enum_program(
        """
load()
from tvm_ffi.dataclasses import *
class Level(IntEnum, type_key="dup.Level"):
    low = 10
import tvm_ffi.testing
for body in ({"low": 11}, {"mid": 12, "high": 20, "mid2": 12}):
    try:
        made = type(IntEnum)("L", (IntEnum,), body, type_key="testing.TestCxxIntEnum")
        print(sorted(made.entries()), made.mid2 is made.mid)
    except ValueError as error:
        print(error)
"""
    )
    assert out.splitlines() == [
        "duplicate enum index in L.low: 'low' is an index of L.low already",
        "['high', 'low', 'mid'] True",
    ]


# ---- columns


def plain(x):
    return x


class Callable:
    def __call__(self):
        return 1

    def method(self):
        return 2


STORED = {
    "function": plain,
    "lambda": lambda: 3,
    "builtin": len,
    "class": Callable,
    "enum class": IntEnum,
    "partial": functools.partial(plain, 1),
    "method": Callable().method,
    "callable": Callable(),
    "ffi function": convert(plain),
    "object": object(),
    "none": None,
    "number": 5,
}


@pytest.mark.parametrize("what", STORED)
def test_values_of_a_column_come_back_as_themselves(enum, what):
    value = STORED[what]
    column = enum.def_attr("stored")
    for _ in range(2):
        column[enum.one] = value
        assert column[enum.one] is value or (what == "ffi function" and column[enum.one] == value)
        assert enum.def_attr("stored").get(enum.one) is column[enum.one]
    assert column.register(enum.two)(value) is value
    assert column.get(enum.two) is column[enum.two]


def test_a_stored_function_is_a_function_for_other_languages(enum):
    column = enum.def_attr("called")
    column[enum.one] = plain
    found = enum.attr_dict["called"][enum.one]
    assert isinstance(found, Function)
    assert found(4) == 4


def test_a_column_has_length_iteration_and_membership(enum):
    column = enum.def_attr("sized")
    assert (len(column), list(column), enum.one in column) == (0, [], False)
    column[enum.two] = None
    assert (len(column), list(column), enum.two in column) == (1, [enum.two], True)
    column[enum.one] = 1
    column[enum.one] = 2
    # The column has the order of the variants, not the order of the assignments.
    assert [variant.cost for variant in column] == [1, 2]
    assert len(enum.def_attr("sized")) == 2
    assert {variant: column[variant] for variant in column} == {enum.one: 2, enum.two: None}
    assert 3 not in column
    assert list(enum.def_attr("sized", default=7)) == list(column)
    for variant in column:  # changing the column during the iteration is allowed
        enum.def_attr("another")[variant] = 1
        column[variant] = 0


def test_threads_overwrite_and_read_a_column(enum):
    column = enum.def_attr("threads")
    column[enum.one] = [0, 0]
    wrong = []

    def write():
        for i in range(300):
            column[enum.one] = [i, i]
            enum.def_attr(f"more{i}")[enum.two] = plain

    def read():
        for _ in range(300):
            pair = list(column[enum.one])
            if pair[0] != pair[1] or len(column) != 1:
                wrong.append(pair)

    run_threads([threading.Thread(target=job) for job in (write, read, write, read)])
    assert not wrong


def test_a_view_that_was_read_keeps_its_content(enum):
    def view():
        index = core._object_type_key_to_index(enum.__tvm_ffi_type_info__.type_key)
        return core._type_get_attr(index, "__enum_attr_viewed__")

    column = enum.def_attr("viewed")
    column[enum.one] = 1
    former = view()
    column[enum.one] = column[enum.one]
    column[enum.two] = None
    column[enum.one] = 2
    one, two = enum.one.__entry_name__, enum.two.__entry_name__
    assert dict(former) == {one: 1}
    assert dict(view()) == {one: 2, two: None}


def test_a_destructor_of_a_former_value_writes_the_same_column(enum):
    column = enum.def_attr("dropped")
    written = []

    class Value:
        def __del__(self):
            column[enum.one] = "by destructor"
            written.append(column[enum.one])

    for i in range(3):
        column[enum.one] = Value()
        column[enum.one] = i
        assert column[enum.one] == "by destructor"
    assert written == ["by destructor"] * 3


def test_a_write_waits_for_a_thread_that_runs_python_with_the_lock(key):
    class K(Enum, type_key=key("K")):
        a, b, c, d, e, f = (entry() for _ in range(6))

    column = K.def_attr("locked")
    is_slow = False
    entered, leave = threading.Event(), threading.Event()
    numbers = {name: number for number, name in enumerate("abcdef")}

    def hash_variant(variant):
        # The runtime calls this function with the lock of all enums held.
        if is_slow and threading.current_thread() is not threading.main_thread():
            entered.set()
            leave.wait(10)
        return numbers[variant.__entry_name__]

    index = core._object_type_key_to_index(K.__tvm_ffi_type_info__.type_key)
    get_global_func("ffi.TypeAttrSet")(index, "__any_hash__", convert(hash_variant))
    for variant in K:
        column[variant] = 0
    is_slow = True
    reader = threading.Thread(target=lambda: column[K.a])
    reader.start()
    assert entered.wait(10)
    threading.Timer(0.05, leave.set).start()
    column[K.b] = 5
    assert leave.is_set()
    reader.join()
    is_slow = False
    assert [column[variant] for variant in K] == [0, 5, 0, 0, 0, 0]


def test_register_object_binds_registered_variants():
    """Test that the class gets its variants as attributes, since stubs declare them there."""
    program = """
import tvm_ffi, tvm_ffi.testing
from tvm_ffi.dataclasses import Enum

@tvm_ffi.register_object("testing.TestEnumVariant")
class Variant(Enum):
    pass

print(Variant.Alpha is Variant.get("Alpha"), Variant.Beta, [v for v in Variant])
"""
    done = execute(sys.executable, "-c", program, status=None)
    assert done.stdout == (
        "True testing.TestEnumVariant.Beta "
        "[testing.TestEnumVariant.Alpha, testing.TestEnumVariant.Beta]\n"
    ), done.stderr


def test_an_entry_of_an_undecorated_class_is_not_read_as_a_variant(enum):
    class E(enum):
        neg = entry(cost=3)

    expected = r"^E\.neg is not a variant yet: decorate the class `E` with @py_enum"
    for owner in (E, type("Derived", (E,), {})):
        with pytest.raises(TypeError, match=expected):
            owner.neg  # noqa: B018
    assert E.one is enum.one


def test_a_class_without_a_type_key_says_why_it_has_no_variants():
    class Level(IntEnum):
        low = 1

    with pytest.raises(ValueError, match=r"^1 is not a valid Level: the class is not registered; "):
        Level(1)


def test_an_entry_of_a_class_that_is_no_enum_is_itself():
    class Plain:
        one = entry(1)

    assert Plain.one.args == (1,)


def test_an_enum_whose_variants_need_an_unknown_name_is_taken_back(key):
    name = key()

    def define():
        @py_enum(name)
        class Waits(EnumObject):
            cost: CostOfWaits  # noqa: F821
            one: ClassVar[Waits] = entry(cost=1)

        return Waits

    with pytest.raises(TypeError, match="unresolved forward references"):
        define()
    globals()["CostOfWaits"] = int
    try:
        py_class(key())(type(Object)("Unrelated", (Object,), {}))
        assert define().one.cost == 1
    finally:
        del globals()["CostOfWaits"]


def test_plain_values_in_an_enum_without_variants_are_an_error(key) -> None:
    """Before the fix, `X = 1` was ignored without an error, and the enum was empty."""
    with pytest.raises(TypeError, match=r"^E\.X = 1 does not declare a variant.* X = entry\(1\)"):

        @py_enum(key("E"))
        class E(EnumObject):
            X = 1
            Y = 2

    with pytest.raises(TypeError, match=r"^F\.X = .* X = entry\(\)"):

        class F(Enum, type_key=key("F")):
            X = standard_enum.auto()

    @py_enum(key("E"))
    class G(EnumObject):
        _private = 1
        X: ClassVar[G] = entry()
        cost = 2

    assert [name for name, _ in G.entries()] == ["X"]
    assert G.cost == 2


def test_variants_have_a_structural_hash_whatever_their_fields(key):
    type_key = key()

    @py_enum(type_key)
    class Op(EnumObject):
        fold: Function
        cost: int = 0
        Add: ClassVar[Op] = entry(max)
        Mul: ClassVar[Op] = entry(max)

    assert structural_hash(Op.Add) != structural_hash(Op.Mul)
    assert structural_hash([Op.Add, 1]) == structural_hash([Op.Add, 1])
    assert not structural_equal(Op.Add, Op.Mul)

    class Level(IntEnum, type_key=key()):
        cost: int = 3
        low = 1
        high = 2

    assert structural_hash(Level.low) != structural_hash(Level.high)


def test_structural_hash_of_a_variant_is_that_of_its_name(key):
    # The hash is the same in every process, also if the addresses in the fields differ.
    type_key = key()

    def define():
        @py_enum(type_key)
        class Op(EnumObject):
            fold: Function
            Add: ClassVar[Op] = entry(lambda: 0)

        return Op.Add

    assert structural_hash(define()) == structural_hash(define())


def test_dir_has_only_names():
    """Check that dir() does not show the entry by which pickle finds the variants first."""
    scope = {"__name__": "__main__"}
    code = "from tvm_ffi.dataclasses import Enum, entry\n"
    exec(
        code + "class Level(Enum, type_key='test.enum_variant.Level'):\n    low = entry()\n", scope
    )
    level = scope["Level"]
    assert [n for n in (*dir(level), *dir(level.low)) if not n.isidentifier()] == []
    assert {"low", "entries"} <= set(dir(level)) & set(dir(level.low))


# ---- the errors for frequent mistakes in declarations and calls of enums


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
