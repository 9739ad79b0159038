# SPDX-License-Identifier: Apache-2.0
"""Test that new processes accept classes of ``__main__``, which cloudpickle sends by value."""

from __future__ import annotations

import shutil

import pytest

LAYER = """
from __future__ import annotations
from typing import Any
import tvm_ffi
from tvm_ffi.dataclasses import Enum, IntEnum, StrEnum, EnumObject, entry, field, py_class, py_enum

SCALE = 10

@py_class("driver.Layer", eq=True)
class Layer(tvm_ffi.Object):
    "A layer."
    name: str
    sizes: list[int] = field(default_factory=lambda: [1, 2])
    scale: float = 0.5
    below: Layer | None = None
    extra: Any = None
    LIMIT = 3

    def total(self):
        return SCALE * sum(self.sizes)

    @property
    def upper(self):
        return self.name.upper()

    @staticmethod
    def make(name):
        return Layer(name)

    def __post_init__(self):
        self.scale = self.scale + 1
"""


@pytest.mark.spec("DIST-D01", "DIST-D05")
def test_an_object_comes_with_its_class(send):
    sender = LAYER + 'value = Layer("a", [5], below=Layer("b"))'
    out = send(
        sender,
        """
        cls = type(value)
        print(cls.__qualname__, cls.__module__, cls.LIMIT, cls.__doc__)
        print(value.name, value.sizes, value.scale, value.below.sizes, value.total(), value.upper)
        made = cls.make("c")
        print(made.sizes, made.scale, made.below, made == cls("c"))
        print(cls.__tvm_ffi_type_info__.type_key)
        import tvm_ffi
        print(type(tvm_ffi.Array([made])[0]) is cls, repr(cls("d", [])))
        """,
    )
    assert out.splitlines() == [
        "Layer __main__ 3 A layer.",
        "a [5] 1.5 [1, 2] 50 A",
        "[1, 2] 1.5 None True",
        "driver.Layer",
        'True driver.Layer(name="d", sizes=[], scale=1.5, below=None, extra=None)',
    ]


@pytest.mark.spec("DIST-D05")
def test_a_class_alone_travels_and_comes_back_as_itself(send):
    out = send(
        LAYER + "value = Layer",
        """
        answer = (value, value("x", below=value("y")))
        print(value("x").total())
        """,
        back="""
        cls, made = answer
        print(cls is Layer, type(made) is Layer, made.below.name, Layer("z").total())
        print([f.name for f in __import__("tvm_ffi").dataclasses.fields(Layer)], Layer("q").scale)
        """,
    )
    assert out.splitlines() == [
        "30",
        "True True y 30",
        "['name', 'sizes', 'scale', 'below', 'extra'] 1.5",
    ]


@pytest.mark.spec("DIST-D05")
def test_a_subclass_brings_its_base(send):
    sender = LAYER + (
        '@py_class("driver.Dense")\nclass Dense(Layer):\n    units: int = 4\n\n'
        "    def total(self):\n        return super().total() + self.units\n"
        'value = [Dense("d", [1]), Layer("l", [1])]'
    )
    out = send(
        sender,
        """
        dense, layer = value
        print(isinstance(dense, type(layer)), dense.total(), layer.total(), dense.units)
        """,
    )
    assert out == "True 14 10 4"


@pytest.mark.spec("DIST-D05")
def test_a_user_written_initializer_and_hooks_travel(send):
    sender = """
import tvm_ffi
from tvm_ffi.dataclasses import py_class

@py_class("driver.Own")
class Own(tvm_ffi.Object):
    x: int

    def __init__(self, x):
        self.x = x + 1

    def __repr__(self):
        return f"<Own {self.x}>"

    def __data_to_json__(self):
        return {"x": self.x}

    @staticmethod
    def __data_from_json__(data):
        return Own(data["x"] - 1)

value = tvm_ffi.Array([Own(1), Own(2)])
"""
    assert send(sender, "print(list(value), type(value[0])(5))") == "[<Own 2>, <Own 3>] <Own 6>"


@pytest.mark.spec("DIST-D05")
def test_loading_twice_gives_the_same_class(send):
    out = send(
        LAYER + 'value = (Layer("a"), Layer("b"))',
        """
        import pickle
        stream = cloudpickle.dumps(value)
        again = pickle.loads(stream)
        print(type(again[0]) is type(value[0]) is type(again[1]), again[0] == value[0])
        """,
    )
    assert out == "True True"


@pytest.mark.spec("DIST-D05")
def test_a_class_that_is_defined_again_replaces_the_earlier_one(send):
    again = LAYER.replace("SCALE = 10", "SCALE = 20").replace(
        "from __future__ import annotations", ""
    )
    again = again.replace("Layer | None", '"Layer | None"')
    sender = (
        LAYER + "import cloudpickle\nfirst = cloudpickle.dumps(Layer('first', [1]))\n" + again
    ) + "second = cloudpickle.dumps(Layer('second', [1]))\nvalue = (first, second)\n"
    out = send(
        sender,
        """
        first, second = map(pickle.loads, value)
        print(first.total(), second.total(), type(first) is type(second))
        import tvm_ffi
        print(type(pickle.loads(cloudpickle.dumps(second))) is type(second))
        """,
    )
    assert out.splitlines() == ["10 20 False", "True"]


ENUMS = """
from __future__ import annotations
from typing import ClassVar
import tvm_ffi
from tvm_ffi.dataclasses import Enum, IntEnum, StrEnum, EnumObject, entry, py_enum

class Color(Enum, type_key="driver.Color"):
    cost: int = 0
    red = entry(cost=5)
    green = entry()

    def shown(self):
        return f"{self.__entry_name__}:{self.cost}"

class Level(IntEnum, type_key="driver.Level"):
    low = 10
    high = 20

class Op(StrEnum, type_key="driver.Op"):
    add = "+"

@py_enum("driver.Act")
class Act(EnumObject):
    approximate: bool = False
    ReLU: ClassVar[Act] = entry()
    GeLU: ClassVar[Act] = entry(approximate=True)
"""


@pytest.mark.spec("DIST-D01", "DIST-D06")
@pytest.mark.parametrize(
    "form",
    [
        "[Color.red, Level.high, Op.add, Act.GeLU, Color, Level, Op, Act]",
        "[*(cls := [Color, Level, Op, Act])[:0], Color.red, Level.high, Op.add, Act.GeLU, *cls]",
        "tvm_ffi.Array([Color.red, Level.high, Op.add, Act.GeLU]), Color, Level, Op, Act",
    ],
)
def test_enums_travel_and_variants_are_those_of_the_process(send, form):
    out = send(
        ENUMS + f"value = {form}\n",
        """
        import tvm_ffi
        if len(value) == 5:
            value = [*value[0], *value[1:]]
        red, high, add, gelu, Color, Level, Op, Act = value
        print(red is Color.red is Color.get("red"), high is Level.high is Level(20))
        print(add is Op.add is Op("+"), gelu is Act.GeLU, red.shown(), high == 20, gelu.approximate)
        print([name for name, _ in Color.entries()], len(Level), len(Act))
        answer = [tvm_ffi.Array([red]), high, add, gelu, Color]
        """,
        back="""
        print(answer[0][0] is Color.red, answer[1] is Level.high, answer[2] is Op.add)
        print(answer[3] is Act.GeLU, answer[4] is Color, Color.red.shown())
        """,
    )
    assert out.splitlines() == [
        "True True",
        "True True red:5 True True",
        "['red', 'green'] 2 2",
        "True True True",
        "True True red:5",
    ]


@pytest.mark.spec("DIST-D01")
def test_a_closure_over_functions_and_tensors_travels(send):
    sender = """
import numpy as np
import tvm_ffi
echo = tvm_ffi.get_global_func("testing.echo")
own = tvm_ffi.convert(lambda x: x + offset)
offset = 5
data = tvm_ffi.Map({"w": tvm_ffi.from_dlpack(np.arange(3.0))})

def value():
    return echo(own(1)), data["w"].numpy().sum(), tvm_ffi.Array([own])[0](2)
"""
    assert send(sender, "a, b, c = value(); print(a, float(b), c)") == "6 3.0 7"


@pytest.mark.spec("DIST-D08")
def test_exceptions_keep_class_text_and_cause(send):
    sender = """
import tvm_ffi

@tvm_ffi.register_error("DriverError")
class DriverError(RuntimeError):
    pass

@tvm_ffi.convert
def fails(kind):
    if kind == "cause":
        try:
            1 / 0
        except ZeroDivisionError as error:
            raise ValueError("with cause") from error
    raise DriverError("own class") if kind == "own" else KeyError("k")

def run(kind):
    try:
        fails(kind)
    except Exception as error:
        return error

value = [run("cause"), run("own"), run("key")]
"""
    out = send(
        sender,
        "for error in value: print(type(error).__name__, error, isinstance(error, RuntimeError))",
    )
    assert out.splitlines() == [
        "ValueError with cause False",
        "DriverError own class True",
        "KeyError 'k' False",
    ]


def test_a_class_with_slots_names_the_remedy(run_python):
    pytest.importorskip("cloudpickle")
    out = run_python(
        """
import cloudpickle, tvm_ffi
from tvm_ffi.dataclasses import py_class
@py_class("driver.Slots")
class Slots(tvm_ffi.Object):
    __slots__ = ("__dict__",)
    x: int
try:
    cloudpickle.dumps(Slots(1))
except TypeError as error:
    print(error)
"""
    )
    assert "put it into a module that all processes import" in out


def test_plain_pickle_names_classes_of_main(run_python):
    out = run_python(
        ENUMS.replace("from __future__ import annotations", "").replace("[Act]", '["Act"]')
        + "import pickle\n"
        "print(pickle.loads(pickle.dumps([Color.red, Act.ReLU]))[0] is Color.red)\n"
        "print(b'shown' in pickle.dumps(Color.red))"
    )
    assert out.splitlines() == ["True", "False"]


NATIVE = """
import tvm_ffi, tvm_ffi.testing
from tvm_ffi.dataclasses import EnumObject, c_class, c_enum

@tvm_ffi.register_object("testing.TestIntPair")
class Pair(tvm_ffi.Object):
    "A pair."
    a: int
    b: int
    def twice(self):
        return 2 * self.sum()

@c_class("testing.TestObjectBase", eq=True)
class Base(tvm_ffi.Object):
    v_i64: int
    v_f64: float
    v_str: str

@c_enum("testing.TestEnumVariant")
class Variant(EnumObject):
    code: int
"""


@pytest.mark.spec("DIST-D05")
def test_classes_of_native_types_come_with_their_values(send):
    """Before the fix, pickling failed because of the methods and hooks of these classes."""
    out = send(
        NATIVE + 'value = [Pair(1, 2), Base(v_str="x"), Variant.Beta, Pair, Variant]',
        """
        import tvm_ffi
        import tvm_ffi.testing
        pair, base, variant, Pair, Variant = value
        inside = tvm_ffi.Array([pair])[0]
        print(pair.twice(), Pair(3, 4).twice(), Pair.__doc__, type(inside) is Pair)
        print(base.v_str, base == type(base)(v_str="x"))
        print(variant is Variant.Beta, type(Variant.Alpha) is Variant, Variant.__module__)
        answer = value
        """,
        back="print([x is y for x, y in zip(answer[2:], [Variant.Beta, Pair, Variant])])",
    )
    assert out.splitlines() == [
        "6 14 A pair. True",
        "x True",
        "True True __main__",
        "[True, True, True]",
    ]


LIBRARY = r"""
#include <tvm/ffi/tvm_ffi.h>
class UnitObj : public tvm::ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test_classes.Unit", UnitObj, tvm::ffi::Object);
};
TVM_FFI_STATIC_INIT_BLOCK() { tvm::ffi::reflection::ObjectDef<UnitObj>(); }
"""


@pytest.mark.spec("DIST-D05")
@pytest.mark.skipif(shutil.which("ninja") is None, reason="builds a library")
def test_a_class_whose_library_is_not_loaded_names_the_remedy(send, tmp_path):
    from tvm_ffi import cpp

    source = tmp_path / "unit.cc"
    source.write_text(LIBRARY)
    library = cpp.build(
        "unit", cpp_files=[str(source)], build_directory=str(tmp_path), extra_cflags=["-O0"]
    )
    out = send(
        f"""
import tvm_ffi
tvm_ffi.load_module({library!r})
@tvm_ffi.register_object("test_classes.Unit")
class Unit(tvm_ffi.Object):
    pass
value = {{"stream": __import__("cloudpickle").dumps(Unit)}}
""",
        f"""
        import pickle, tvm_ffi
        try:
            pickle.loads(value["stream"])
        except ValueError as error:
            print(error)
        tvm_ffi.load_module({library!r})
        print(pickle.loads(value["stream"]).__tvm_ffi_type_info__.type_key)
        """,
    )
    refused, key = out.splitlines()
    assert refused.startswith("Cannot find object type index for test_classes.Unit")
    assert "load the library that registers the type first" in refused
    assert key == "test_classes.Unit"
