# SPDX-License-Identifier: Apache-2.0
"""Test programs that define enums by decorator and use every part of the interface.

Each program runs in a new interpreter, after the imports of `PRELUDE`. Assertions at the end of a
program check the statements in its comments.
"""

from __future__ import annotations

import pytest

PRELUDE = """
from typing import ClassVar
from tvm_ffi import Object, core
from tvm_ffi.dataclasses import EnumAttrMap, EnumObject, py_class
"""

ACTIVATION = """
from typing import ClassVar

from tvm_ffi.dataclasses import py_enum, entry

@py_enum("nn.Activation")
class Activation(EnumObject):
    approximate: bool = False
    inplace: bool = False

    ReLU: ClassVar[Activation] = entry()
    GeLU: ClassVar[Activation] = entry(approximate=True)
    SiLU: ClassVar[Activation] = entry(inplace=True)
"""

CONV = """
@py_class
class Conv2D(Object):
    activation: Activation
    channels: int
"""

PYTHON_BLOCKS = {
    "primary form": ACTIVATION
    + """
Activation.ReLU                  # frozen singleton (Activation instance)
Activation.ReLU.approximate      # False - direct field access
Activation.GeLU.approximate      # True
Activation.get("ReLU")           # same object as Activation.ReLU
Activation.ReLU is Activation.get("ReLU")  # True

assert isinstance(Activation.ReLU, Activation)
assert Activation.ReLU.approximate is False
assert Activation.GeLU.approximate is True
assert Activation.ReLU is Activation.get("ReLU")
try:
    Activation.ReLU.approximate = True
    raise SystemExit("not frozen")
except AttributeError:
    pass
""",
    "call forms": """
from tvm_ffi.dataclasses import py_enum, entry

@py_enum                          # type_key = "{module}.Activation"
class Activation(EnumObject): ...
assert Activation.__tvm_ffi_type_info__.type_key == "__main__.Activation"

@py_enum("nn.Activation")         # explicit type_key
class Activation(EnumObject): ...
assert Activation.__tvm_ffi_type_info__.type_key == "nn.Activation"

@py_enum("nn.Activation2", eq=True)  # with py_class options
class Activation(EnumObject): ...
assert Activation.__tvm_ffi_type_info__.type_key == "nn.Activation2"
""",
    "simple integer enum": """
from tvm_ffi.dataclasses import py_enum, entry

@py_enum("nn.Precision")
class Precision(EnumObject):
    FP32: ClassVar[Precision] = entry(0)
    FP16: ClassVar[Precision] = entry(1)
    BF16: ClassVar[Precision] = entry(2)

Precision.FP32.value      # 0
Precision.get("FP16")     # Precision.FP16 singleton

assert Precision.FP32.value == 0
assert Precision.get("FP16") is Precision.FP16
""",
    "what that is sugar for": """
from tvm_ffi.dataclasses import py_enum, entry

@py_enum("nn.Precision")
class Precision(EnumObject):
    value: int

    FP32: ClassVar[Precision] = entry(value=0)
    FP16: ClassVar[Precision] = entry(value=1)
    BF16: ClassVar[Precision] = entry(value=2)

assert Precision.FP32.value == 0
assert Precision.get("FP16") is Precision.FP16
""",
    "query": ACTIVATION
    + CONV
    + """
conv = Conv2D(activation=Activation.ReLU, channels=1)
seen = []
print = lambda *args: seen.append(args)
# By class attribute
act = Activation.ReLU

# By string name (Op::Get pattern)
act = Activation.get("ReLU")

# Iteration
for name, member in Activation.entries():
    print(name, member.approximate)

# Identity comparison (singletons)
assert conv.activation is Activation.ReLU

del print
assert seen == [("ReLU", False), ("GeLU", True), ("SiLU", False)]
assert act is Activation.ReLU
assert isinstance(Activation.entries(), dict)
assert Activation.ReLU.__entry_name__ == "ReLU"
""",
    "attributes": ACTIVATION
    + CONV
    + """
relu_fn = lambda x: max(x, 0)
gelu_fn = lambda x: 2 * x
sigmoid = lambda x: 0.5
conv = Conv2D(activation=Activation.SiLU, channels=1)

f_compute = Activation.def_attr("f_compute")

# Register from anywhere
f_compute[Activation.ReLU] = relu_fn
f_compute[Activation.GeLU] = gelu_fn

# Decorator form
@f_compute.register(Activation.SiLU)
def silu_compute(x):
    return x * sigmoid(x)

# Query
fn = f_compute[conv.activation]

assert fn(4) == 2.0
assert f_compute[Activation.ReLU](-1) == 0
assert silu_compute(2) == 1.0
table = core._type_get_attr(
    Activation.__tvm_ffi_type_info__.type_index, "__enum_attr_f_compute__"
)
assert sorted(table) == ["GeLU", "ReLU", "SiLU"]
entries = core._type_get_attr(Activation.__tvm_ffi_type_info__.type_index, "__enum_entries__")
assert entries["GeLU"] is Activation.GeLU
""",
    "the map": ACTIVATION
    + """
column: EnumAttrMap[Activation] = EnumAttrMap(Activation, "c")
try:
    column[Activation.ReLU]
except KeyError as error:
    assert "c not set for 'ReLU'" in error.args[0]
assert column.get(Activation.ReLU) is None
assert column.get(Activation.ReLU, default=3) == 3
EnumAttrMap[Activation]
""",
    "sentinel": """
from tvm_ffi.dataclasses import entry
from tvm_ffi.dataclasses.enum import _EnumEntry
made = entry(0, approximate=True)
assert isinstance(made, _EnumEntry)
assert made.args == (0,)
assert made.kwargs == {"approximate": True}
""",
    "pure Python enum": """
from tvm_ffi.dataclasses import py_enum, entry
@py_enum("nn.Padding")
class Padding(EnumObject):
    top: int = 0
    bottom: int = 0
    left: int = 0
    right: int = 0

    Zero: ClassVar[Padding] = entry()
    Same: ClassVar[Padding] = entry(top=1, bottom=1, left=1, right=1)
    Custom: ClassVar[Padding] = entry(top=2, bottom=2, left=3, right=3)

# Simple integer enum
@py_enum("nn.Precision")
class Precision(EnumObject):
    FP32: ClassVar[Precision] = entry(0)
    FP16: ClassVar[Precision] = entry(1)
    BF16: ClassVar[Precision] = entry(2)

Precision.FP32.value    # 0
Precision.get("FP16")   # Precision.FP16 singleton

assert (Padding.Custom.top, Padding.Custom.right, Padding.Zero.left) == (2, 3, 0)
assert Precision.FP32.value == 0
assert Precision.get("FP16") is Precision.FP16
""",
}


@pytest.mark.parametrize("block", PYTHON_BLOCKS)
def test_block(block, run_python):
    program = "from __future__ import annotations\n" + PRELUDE + PYTHON_BLOCKS[block]
    assert run_python(program + "\nprint('ran')") == "ran"


def test_full_example_of_a_native_enum(run_enum_program):
    out = run_enum_program(
        PRELUDE
        + """
load()
from tvm_ffi.dataclasses import c_enum
relu_grad_fn = lambda x: 1 if x > 0 else 0

@c_enum("nn.Activation")
class Activation(EnumObject):
    approximate: bool
    inplace: bool

# Entries are auto-discovered from C++ registration:
Activation.ReLU.approximate      # False
Activation.GeLU.approximate      # True
Activation.get("ReLU")           # same singleton

# Query C++-registered extensible attrs
f_compute = Activation.def_attr("f_compute")
fn = f_compute[Activation.ReLU]

# Extend with Python-defined attrs
f_gradient = Activation.def_attr("f_gradient")
f_gradient[Activation.ReLU] = relu_grad_fn

# Use as @py_class field
@py_class
class Conv2D(Object):
    activation: Activation
    channels: int

conv = Conv2D(activation=Activation.ReLU, channels=64)
assert conv.activation is Activation.ReLU

assert Activation.ReLU.approximate is False
assert Activation.GeLU.approximate is True
assert Activation.get("ReLU") is Activation.ReLU
assert fn(-3) == 0
assert f_gradient[Activation.ReLU](3) == 1
assert lib.column_of("nn.Activation", "__enum_attr_f_gradient__")["ReLU"](3) == 1
# The other direction: a native field holds what Python put there, and is the same object.
layer = lib.make_layer(Activation.GeLU)
assert layer.activation is Activation.GeLU
layer.activation = Activation.ReLU
assert layer.activation is Activation.ReLU
assert lib.activation_get("ReLU") is Activation.ReLU
try:
    layer.activation = conv
    raise SystemExit("took a Conv2D")
except TypeError:
    pass
print("ran")
"""
    )
    assert out == "ran"


def test_serialization_is_type_key_and_name(run_enum_program):
    out = run_enum_program(
        PRELUDE
        + """
load()
from tvm_ffi.dataclasses import c_enum
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str
import json, pickle
@c_enum("nn.Activation")
class Activation(EnumObject):
    approximate: bool
    inplace: bool
from tvm_ffi.dataclasses import c_class
@c_class("nn.Layer")
class Layer(Object):
    activation: Activation
node = json.loads(to_json_graph_str(Activation.GeLU))["nodes"]
print([n for n in node if n["type"] == "nn.Activation"])
print(from_json_graph_str(to_json_graph_str(Activation.GeLU)) is Activation.GeLU)
layer = lib.make_layer(Activation.GeLU)
print(from_json_graph_str(to_json_graph_str(layer)).activation is Activation.GeLU)
print(pickle.loads(pickle.dumps([layer, Activation.GeLU]))[0].activation is Activation.GeLU)
"""
    )
    assert out.splitlines() == ["[{'type': 'nn.Activation', 'data': 'GeLU'}]", *["True"] * 3]
