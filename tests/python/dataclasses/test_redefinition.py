# SPDX-License-Identifier: Apache-2.0
"""Test classes and enums that are defined again, by notebook cells and reloaded modules."""

from __future__ import annotations

import copy
import gc
import importlib
import pickle
import sys
import threading
import types
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from running import run_threads

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core
from tvm_ffi.dataclasses import py_class, replace, resolve
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

_numbers = count()

PRELUDE = """
from typing import ClassVar, Generic, Optional, TypeVar
import tvm_ffi
from tvm_ffi.dataclasses import Enum, EnumObject, IntEnum, StrEnum, entry, field, py_class, py_enum
"""

POINT = """
@py_class
class Point(tvm_ffi.Object):
    x: int
    next: Optional["Point"] = None

    def double(self):
        return 2 * self.x
"""

COLOUR = """
@py_enum
class Colour(EnumObject):
    code: int
    red: ClassVar["Colour"] = entry(code=1)
    blue: ClassVar["Colour"] = entry(code=2)
"""


class Notebook:
    """A module that runs cells of code, like a notebook."""

    def __init__(self) -> None:
        self.module: Any = types.ModuleType(f"notebook_{next(_numbers)}")
        sys.modules[self.module.__name__] = self.module
        self.run(PRELUDE)

    def run(self, cell: str) -> Any:
        """Run a cell and return the module."""
        exec(compile(cell, f"<cell {next(_numbers)}>", "exec"), vars(self.module))
        return self.module

    def key(self, name: str) -> str:
        """Return the automatic key of a class."""
        return f"{self.module.__name__}.{name}"


@pytest.fixture
def notebook():
    made = Notebook()
    yield made
    forget(made.module)


def forget(module: Any) -> None:
    """Remove a module, so that annotations in other modules do not find its classes by name."""
    del sys.modules[module.__name__]
    resolve._classes.pop(module.__name__, None)


def round_trip(value: Any) -> Any:
    return from_json_graph_str(to_json_graph_str(value))


# ---- classes


def test_a_cell_that_runs_again_replaces_its_class(notebook):
    old = notebook.run(POINT).Point
    new = notebook.run(POINT).Point
    assert old is not new
    point = new(1, new(2))
    assert type(round_trip(point)) is type(pickle.loads(pickle.dumps(point)).next) is new
    assert core._type_index_to_type_info(point.__tvm_ffi_type_info__.type_index).type_cls is new


def test_the_changed_cell_counts(notebook):
    notebook.run(POINT)
    changed = notebook.run(POINT.replace("x: int", "x: str").replace("2 * self.x", "self.x + '!'"))
    assert changed.Point("a").double() == "a!"
    assert round_trip(changed.Point("a")).x == "a"


def test_old_objects_keep_their_class_and_stay_usable(notebook):
    old = notebook.run(POINT).Point
    point = old(1, old(2))
    held = tvm_ffi.Array([old(3)])
    notebook.run(POINT)
    assert (point.double(), point.next.x, repr(point.next)) == (
        2,
        2,
        f"{notebook.key('Point')}(x=2, next=None)",
    )
    point.next = old(5)
    assert type(copy.deepcopy(point).next) is type(copy.copy(point)) is old
    assert replace(point, x=7).x == 7
    assert type(held[0]) is old and held[0].x == 3
    assert old(1).x == 1


def test_old_objects_are_not_instances_of_the_new_class(notebook):
    point = notebook.run(POINT).Point(1)
    new = notebook.run(POINT).Point
    assert not isinstance(point, new) and not isinstance(new(1), type(point))


def test_json_and_pickle_of_an_old_object_say_that_it_is_old(notebook):
    point = notebook.run(POINT).Point(1)
    new = notebook.run(POINT).Point
    message = f"`{notebook.key('Point')}` was defined again; this object belongs to the earlier"
    for value in (point, [1, {"a": point}]):
        with pytest.raises(TypeError, match=message):
            to_json_graph_str(value)
    with pytest.raises(TypeError, match=message):
        pickle.dumps(point)
    assert type(from_json_graph_str(to_json_graph_str(new(1)))) is new


def test_old_and_new_objects_compare_as_different_types(notebook):
    cell = POINT.replace("@py_class", "@py_class(eq=True, order=True)")
    old = notebook.run(cell).Point
    new = notebook.run(cell).Point
    assert old(1) == old(1) and new(1) == new(1)
    assert old(1) != new(1)
    assert not tvm_ffi.structural_equal(old(1), new(1))
    assert str(tvm_ffi.get_first_structural_mismatch(old(1), new(1))[0]) == "<root>"
    mismatch = tvm_ffi.get_first_structural_mismatch([old(1)], [new(1)])
    assert str(mismatch[0]) == "<root>[0]"
    less = tvm_ffi.get_global_func("ffi.RecursiveLt")
    with pytest.raises(TypeError, match=r"an earlier definition of `notebook_.*` vs notebook_"):
        less(old(1), new(1))


def test_an_old_object_for_a_new_field_is_refused_by_name(notebook):
    point = notebook.run(POINT).Point(1)
    new = notebook.run(POINT).Point
    key = notebook.key("Point")
    expected = f"expected {key}, got an object of an earlier definition of `{key}`"
    with pytest.raises(TypeError, match=expected):
        new(2, point)
    made = new(2)
    with pytest.raises(TypeError, match=expected):
        made.next = point


LINE = """
@py_class
class Line(tvm_ffi.Object):
    a: Point
    more: "list[Point]" = field(default_factory=list)
    by_name: "dict[str, Optional[Point]]" = field(default_factory=dict)
"""


def test_fields_of_a_class_that_did_not_run_again_take_later_objects(notebook):
    line = notebook.run(POINT + LINE).Line
    old = notebook.module.Point
    before = line(old(1))
    new = notebook.run(POINT).Point
    made = line(new(1), [new(2), old(3)], {"c": new(4)})
    assert [type(item) for item in made.more] == [new, old]
    assert type(copy.deepcopy(made).more[0]) is new
    assert type(copy.deepcopy(before).a) is old
    assert type(round_trip(line(new(1))).a) is new


def test_fields_of_a_new_definition_take_new_objects_alone(notebook):
    old = notebook.run(POINT + LINE).Point
    new = notebook.run(POINT + LINE).Point
    line = notebook.module.Line
    assert type(line(new(1)).a) is new
    for make in (lambda: line(new(1), [old(2)]), lambda: line(new(1), [], {"c": old(1)})):
        with pytest.raises(TypeError, match="got an object of an earlier definition of"):
            make()


MUTUAL = """
@py_class
class Ping(tvm_ffi.Object):
    b: Optional["Pong"] = None
    all: "list[Pong]" = field(default_factory=list)

@py_class
class Pong(tvm_ffi.Object):
    a: Optional[Ping] = None
"""


def test_mutual_references_work_after_each_run(notebook):
    for _ in range(3):
        cell = notebook.run(MUTUAL)
        made = cell.Ping(cell.Pong(cell.Ping()), [cell.Pong()])
        again = round_trip(made)
        assert type(again.b) is type(again.all[0]) is cell.Pong
        assert type(again.b.a) is cell.Ping


CHAIN = """
@py_class
class Child(Point):
    y: int = 0
"""


def test_only_the_cell_of_the_parent_runs_again(notebook):
    notebook.run(POINT)
    child = notebook.run(CHAIN).Child
    old, new = notebook.module.Point, notebook.run(POINT).Point
    made = child(1, old(2), 3)
    assert (made.double(), made.y, round_trip(child(1)).x) == (2, 3, 1)
    assert isinstance(made, old) and not isinstance(made, new)
    with pytest.raises(TypeError, match=r"Child, which derives from an earlier definition of `.*P"):
        new(1, made)
    child = notebook.run(CHAIN).Child
    assert isinstance(child(1), new) and new(1, child(2)).next.y == 0


def test_a_child_of_an_old_class_can_be_defined_again(notebook):
    old = notebook.run(POINT).Point
    notebook.run(POINT)
    notebook.module.Point = old
    first, second = notebook.run(CHAIN).Child, notebook.run(CHAIN).Child
    assert first is not second and issubclass(second, old)
    assert type(round_trip(second(1))) is second


def test_the_parent_may_change(notebook):
    notebook.run(POINT + CHAIN)
    other = "@py_class\nclass Other(tvm_ffi.Object):\n    z: int\n"
    cell = notebook.run(other + CHAIN.replace("Point", "Other"))
    assert round_trip(cell.Child(5, 6)).z == 5
    assert not issubclass(cell.Child, cell.Point)


def test_generic_classes(notebook):
    cell = """
T = TypeVar("T")
@py_class
class Box(tvm_ffi.Object, Generic[T]):
    value: int
@py_class
class Boxes(tvm_ffi.Object):
    first: Box[int]
"""
    old = notebook.run(cell).Box
    new = notebook.run(cell)
    assert new.Boxes(new.Box[int](3)).first.value == 3
    with pytest.raises(TypeError, match="an earlier definition"):
        new.Boxes(old(3))


def test_a_reloaded_module_replaces_all_its_classes(tmp_path, monkeypatch):
    name = f"reloaded_{next(_numbers)}"
    path = tmp_path / f"{name}.py"
    path.write_text(f"from __future__ import annotations\n{PRELUDE}{MUTUAL}{POINT}{CHAIN}{COLOUR}")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module(name)
    before = module.Ping(module.Pong())
    old = module.Point
    importlib.reload(module)
    made = module.Ping(module.Pong())
    assert type(round_trip(made).b) is module.Pong
    assert module.Point is not old and module.Child(1, module.Point(2)).next.x == 2
    assert pickle.loads(pickle.dumps(module.Colour.red)) is module.Colour.red
    with pytest.raises(TypeError, match="was defined again"):
        to_json_graph_str(before)
    forget(module)


def test_classes_of_a_function_replace_each_other(notebook):
    notebook.run("def make():\n" + POINT.replace("\n", "\n    ") + "\n    return Point\n")
    first, second = notebook.module.make(), notebook.module.make()
    assert first(1).double() == second(1).double() == 2
    assert type(round_trip(second(1))) is second
    with pytest.raises(TypeError, match="was defined again"):
        to_json_graph_str(first(1))


def test_a_class_with_weak_references_runs_again(notebook):
    cell = POINT.replace("@py_class", "@py_class(weakref_slot=True)")
    notebook.run(cell)
    new = notebook.run(cell).Point
    assert new(1, new(2)).next.x == 2


# ---- type keys in use


@pytest.mark.parametrize(
    "other",
    [
        POINT.replace("class Point", "class Other").replace('"Point"', '"Other"'),
        f"class Space:\n{POINT}".replace("\n@", "\n    @").replace("\nclass P", "\n    class P"),
    ],
    ids=["name", "module"],
)
def test_another_class_under_a_taken_key_is_refused(notebook, other):
    key = f"test.redefinition.{next(_numbers)}"
    notebook.run(POINT.replace("@py_class", f"@py_class({key!r})"))
    kept = notebook.module.Point
    apart = Notebook()
    cell = apart if "Space" in other else notebook
    source = POINT if "Space" in other else other
    with pytest.raises(ValueError) as raised:
        cell.run(source.replace("@py_class", f"@py_class({key!r})"))
    assert str(raised.value) == (
        f"Type key '{key}' is already registered: it belongs to class "
        f"`{notebook.module.__name__}.Point`. Give this class another key (type_key=...), or "
        "restart Python"
    )
    assert type(round_trip(kept(1))) is kept
    forget(apart.module)


@pytest.mark.parametrize("first", ["__mp_main__", "__main__"])
def test_a_spawned_process_may_get_the_classes_of_the_main_program(first):
    """multiprocessing imports the program as ``__mp_main__``; cloudpickle names ``__main__``."""
    key = f"test.redefinition.{next(_numbers)}"

    def define(module):
        body = {"__module__": module, "__qualname__": "Point", "__annotations__": {"x": int}}
        return py_class(key)(type("Point", (tvm_ffi.Object,), body))

    second = "__main__" if first == "__mp_main__" else "__mp_main__"
    define(first)
    current = define(second)
    assert type(from_json_graph_str(to_json_graph_str(current(1)))) is current


def test_the_key_of_a_library_is_refused(notebook):
    assert tvm_ffi.testing
    with_class, without = "ffi.Map", "testing.TestVisitHook"
    for key, owner in ((with_class, "class `tvm_ffi.container.Map`"), (without, "a type of a lib")):
        with pytest.raises(ValueError, match=f"it belongs to {owner}") as raised:
            notebook.run(POINT.replace("@py_class", f"@py_class({key!r})"))
        assert "another key (type_key=...)" in str(raised.value)


# ---- failed and deferred definitions


@pytest.mark.parametrize(
    "broken",
    [
        POINT.replace("x: int", "x: set"),
        POINT.replace("x: int", "x: '1 / 0'"),
        POINT.replace("x: int", "x: int = field(default=1, unknown=2)"),
        POINT.replace("x: int", "x: int = field(default=1, doc=3)"),
    ],
)
def test_a_definition_that_fails_leaves_the_old_one_in_force(notebook, broken):
    kept = notebook.run(POINT).Point
    for _ in range(2):
        with pytest.raises((TypeError, ZeroDivisionError)):
            notebook.run(broken)
    assert notebook.module.Point is kept
    assert type(round_trip(kept(1, kept(2))).next) is kept
    assert notebook.run(LINE).Line(kept(1)).a.x == 1
    new = notebook.run(POINT).Point
    assert type(round_trip(new(1))) is new


def test_a_definition_that_waits_leaves_the_old_one_in_force(notebook):
    kept = notebook.run(POINT).Point
    waiting = notebook.run(POINT.replace("x: int", "x: Optional['NamedLater']")).Point
    assert type(round_trip(kept(1))) is kept
    with pytest.raises(TypeError, match="unresolved forward references"):
        waiting(1)
    assert type(round_trip(kept(1))) is kept


def test_a_definition_that_has_waited_takes_the_key(notebook):
    kept = notebook.run(POINT).Point
    waiting = notebook.run(POINT.replace("x: int", "x: Optional['NamedLater']")).Point
    later = notebook.run("@py_class\nclass NamedLater(tvm_ffi.Object):\n    z: int\n").NamedLater
    assert type(round_trip(waiting(later(1)))) is waiting
    with pytest.raises(TypeError, match="was defined again"):
        to_json_graph_str(kept(1))


def test_a_cell_runs_again_while_its_class_waits(notebook):
    cell = POINT.replace("x: int", "x: 'NamedLater'")
    first, second = notebook.run(cell).Point, notebook.run(cell).Point
    with pytest.raises(TypeError, match="was defined again before this definition was complete"):
        first(1)
    with pytest.raises(ValueError, match="is already registered"):
        notebook.run(
            f"@py_class({notebook.key('Point')!r})\nclass Other(tvm_ffi.Object):\n    a: int\n"
        )
    later = notebook.run("@py_class\nclass NamedLater(tvm_ffi.Object):\n    z: int\n").NamedLater
    assert type(round_trip(second(later(1)))) is second


def test_a_definition_that_was_used_too_early_takes_the_key_when_complete(notebook):
    kept = notebook.run(POINT).Point
    waiting = notebook.run(POINT.replace("x: int", "x: 'NamedLater'")).Point
    with pytest.raises(TypeError, match="unresolved forward references"):
        waiting(1)
    assert type(round_trip(kept(1))) is kept
    later = notebook.run("@py_class\nclass NamedLater(tvm_ffi.Object):\n    z: int\n").NamedLater
    assert type(round_trip(waiting(later(1)))) is waiting


def test_a_corrected_cell_replaces_a_class_that_was_used_too_early(notebook):
    waiting = notebook.run(POINT.replace("x: int", "x: 'Nope'")).Point
    with pytest.raises(TypeError, match="unresolved forward references"):
        waiting(1)
    new = notebook.run(POINT).Point
    notebook.run("Nope = int")
    assert type(round_trip(new(1))) is new
    with pytest.raises(TypeError, match="was defined again before this definition was complete"):
        waiting(1)


def test_a_class_that_was_given_up_can_be_decorated_again(notebook):
    cell = notebook.run("class Plain(tvm_ffi.Object):\n    a: 'Nope' = 3\n    b: int = 4\n")
    decorated = py_class(cell.Plain)
    with pytest.raises(TypeError, match="unresolved forward references"):
        decorated()
    cell.Plain.__annotations__ = {"a": int, "b": int}
    assert py_class(cell.Plain)().a == 3


def test_a_class_that_is_decorated_twice_is_refused(notebook):
    point = notebook.run(POINT).Point
    with pytest.raises(ValueError, match="is already registered, by this very class"):
        py_class(point)
    with pytest.raises(TypeError, match="Point is already registered as"):
        py_class("some.other.key")(point)
    assert point(1).x == 1


def test_a_hook_that_defines_its_own_class_again(notebook):
    cell = """
depth = 0
def define():
    @py_class
    class Odd(tvm_ffi.Object):
        x: int

        @staticmethod
        def hook(info, fields):
            global depth
            if depth == 0:
                depth = 1
                define()
        hook.__func__.__ffi_on_fields_resolved__ = True
    return Odd
Odd = define()
"""
    odd = notebook.run(cell).Odd
    assert type(round_trip(odd(1))) is odd


# ---- enums


def test_an_enum_cell_that_runs_again_replaces_its_enum(notebook):
    old = notebook.run(COLOUR).Colour
    new = notebook.run(COLOUR).Colour
    assert new.red is new.get("red") and new.red is not old.red
    assert round_trip(new.red) is pickle.loads(pickle.dumps(new.red)) is new.red


def test_old_variants_stay_usable(notebook):
    old = notebook.run(COLOUR).Colour
    cost = old.def_attr("cost")
    cost[old.red] = 7
    notebook.run(COLOUR)
    assert old.get("blue") is old.blue and [name for name, _ in old.entries()] == ["red", "blue"]
    assert (old.blue.code, cost[old.red], old.red.__entry_name__) == (2, 7, "red")
    assert copy.deepcopy(old.red) is copy.copy(old.red) is old.red
    assert old.red != notebook.module.Colour.red


def test_a_column_of_values_says_which_definition_a_variant_is_of(notebook):
    old = notebook.run(COLOUR).Colour
    cost = old.def_attr("cost")
    new = notebook.run(COLOUR).Colour
    earlier = f"an earlier definition of `{notebook.key('Colour')}`"
    texts = []
    for use in (lambda: cost[new.red], lambda: cost.__setitem__(new.red, 4)):
        with pytest.raises(TypeError) as raised:
            use()
        texts.append(str(raised.value))
    with pytest.raises(TypeError) as raised:
        new.def_attr("cost")[old.red]
    assert str(raised.value) == f"expected Colour, got an object of {earlier}"
    wanted = f"expected a variant of {earlier}, got Colour; call def_attr of the new class"
    assert texts == [wanted, wanted]
    assert old.red not in new.def_attr("cost") and new.red not in cost


def test_json_and_pickle_of_an_old_variant_say_that_it_is_old(notebook):
    red = notebook.run(COLOUR).Colour.red
    notebook.run(COLOUR)
    for write in (to_json_graph_str, pickle.dumps):
        with pytest.raises(TypeError, match=r"Colour` was defined again; this \w+ belongs to the"):
            write(red)


def test_a_field_of_an_enum_takes_variants_of_the_new_one(notebook):
    holder = "@py_class\nclass Holder(tvm_ffi.Object):\n    colour: Colour\n"
    old = notebook.run(COLOUR + holder)
    red, first = old.Colour.red, old.Holder
    new = notebook.run(COLOUR + holder)
    assert new.Holder(new.Colour.red).colour is new.Colour.red
    assert first(new.Colour.red).colour is new.Colour.red
    with pytest.raises(TypeError, match=r"got an object of an earlier definition of `\w+.Colour`"):
        new.Holder(red)


def test_an_enum_that_fails_leaves_the_old_one_in_force(notebook):
    kept = notebook.run(COLOUR).Colour
    for _ in range(2):
        with pytest.raises(TypeError, match="invalid enum entry"):
            notebook.run(COLOUR.replace("entry(code=2)", "entry(code='x')"))
    assert notebook.module.Colour is kept
    assert round_trip(kept.blue) is kept.blue
    line = notebook.run("@py_class\nclass Use(tvm_ffi.Object):\n    c: 'Colour'\n").Use
    assert line(kept.red).c is kept.red


@pytest.mark.parametrize(
    ("body", "index"),
    [
        ("class Level(IntEnum, type_key={key!r}):\n    low = 1\n    high = 2\n", 2),
        ("class Level(StrEnum, type_key={key!r}):\n    low = 'l'\n    high = 'h'\n", "h"),
        ("class Level(Enum, type_key={key!r}):\n    low = entry()\n    high = entry()\n", 1),
    ],
)
def test_class_statements_of_enums_run_again(notebook, body, index):
    cell = body.format(key=f"test.redefinition.{next(_numbers)}")
    old = notebook.run(cell).Level
    new = notebook.run(cell).Level
    assert new(index) is new.high and old(index) is old.high and old.high is not new.high
    assert round_trip(new.high) is new.high


# ---- classes of library types, and functions


@pytest.fixture
def _pair_is_put_back():
    """Register the class of `testing.TestIntPair` again, which other tests use."""
    original = tvm_ffi.testing.TestIntPair
    yield
    tvm_ffi.register_object("testing.TestIntPair")(original)


@pytest.mark.usefixtures("_pair_is_put_back")
@pytest.mark.parametrize("decorator", ["tvm_ffi.register_object", "c_class"])
def test_a_class_of_a_library_type_runs_again(notebook, decorator):
    cell = f"""
from tvm_ffi.dataclasses import c_class
@{decorator}("testing.TestIntPair")
class Pair(tvm_ffi.Object):
    a: int
    b: int
    def total(self):
        return self.a + self.b
"""
    old = notebook.run(cell).Pair
    first = old(1, 2)
    new = notebook.run(cell.replace("self.a + self.b", "'new'")).Pair
    assert (first.total(), new(1, 2).total()) == (3, "new")
    assert type(pickle.loads(pickle.dumps(new(3, 4)))) is new
    # The type is the same, but an object whose wrapper is alive keeps its former class.
    assert type(first) is old and tvm_ffi.Array([first])[0] is first


FUNCTION = """
@tvm_ffi.register_global_func({name!r})
def answer(x):
    return x + {step}
"""


def test_a_global_function_runs_again(notebook):
    name = f"test.redefinition.f{next(_numbers)}"
    old = notebook.run(FUNCTION.format(name=name, step=1)).answer
    notebook.run(FUNCTION.format(name=name, step=2))
    assert (old(1), tvm_ffi.get_global_func(name)(1)) == (2, 3)
    tvm_ffi.remove_global_func(name)


def test_another_function_of_a_taken_name_is_refused(notebook):
    name = f"test.redefinition.f{next(_numbers)}"
    notebook.run(FUNCTION.format(name=name, step=1))
    hint = "Pass override=True to replace it"
    with pytest.raises(RuntimeError, match=rf"registered: it is `notebook_\d+.answer`. {hint}"):
        notebook.run(FUNCTION.format(name=name, step=2).replace("answer", "other"))
    with pytest.raises(RuntimeError, match=hint):
        tvm_ffi.register_global_func(name, abs)
    assert tvm_ffi.get_global_func(name)(1) == 2
    tvm_ffi.register_global_func(name, lambda x: 1, override=True)
    for other in (lambda x: 2, len):
        with pytest.raises(RuntimeError, match=f"`{name}` is already registered. {hint}"):
            tvm_ffi.register_global_func(name, other)
    tvm_ffi.remove_global_func(name)


# ---- memory use and threads


def test_a_thousand_definitions_leave_type_entries_alone(notebook):
    def grown(times: int) -> int:
        gc.collect()
        before = len(gc.get_objects())
        for _ in range(times):
            notebook.run(POINT)
        gc.collect()
        return len(gc.get_objects()) - before

    grown(50)
    point = notebook.module.Point(1)
    keys = list(tvm_ffi.registry.get_registered_type_keys())
    first, second = grown(500), grown(500)
    # Each definition leaves fewer than 60 Python objects: the class and its parts.
    assert first < 500 * 60 and second < 1.05 * first
    assert list(tvm_ffi.registry.get_registered_type_keys()) == keys
    assert keys.count(notebook.key("Point")) == 1
    assert point.double() == 2


def test_threads_define_and_use_a_class_at_the_same_time(notebook):
    failures: list[BaseException] = []
    texts: set[str] = set()

    def work() -> None:
        try:
            for _ in range(25):
                scope = {**vars(notebook.module)}
                exec(POINT, scope)
                point = scope["Point"](1, scope["Point"](2))
                assert point.next.double() == 4 and copy.deepcopy(point).next.x == 2
                try:
                    round_trip(point)
                except TypeError as error:
                    texts.add(str(error))
        except BaseException as error:
            failures.append(error)

    run_threads([threading.Thread(target=work) for _ in range(6)])
    assert failures == []
    # Another thread can define the class again between any two steps, so these errors can occur.
    assert all("earlier definition" in text or "expected" in text for text in texts)
    new: Callable[..., Any] = notebook.run(POINT).Point
    assert type(round_trip(new(1))) is new
