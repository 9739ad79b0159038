# SPDX-License-Identifier: Apache-2.0
"""Test ``c_enum`` after a variant has reached Python, and after a ``c_enum`` that failed."""

from __future__ import annotations

import pytest

REACHED = {
    "by_return_value": 'v = lib.activation_get("GeLU")',
    "by_json": """
from tvm_ffi import serialization
v = serialization.from_json_graph_str(serialization.to_json_graph_str(lib.activation_get("GeLU")))
""",
    "by_pickle": """
import pickle
v = pickle.loads(pickle.dumps(lib.activation_get("GeLU")))
""",
    "by_field": 'v = lib.make_layer(lib.activation_get("GeLU")).activation',
    "by_thread": """
import threading
found = []
thread = threading.Thread(target=lambda: found.append(lib.activation_get("GeLU")))
thread.start(); thread.join()
v = found[0]
""",
    "by_attribute_of_a_column": """
from tvm_ffi import core
state = core._type_get_attr(core._object_type_key_to_index("nn.Activation"), "__ffi_enum__")
v = state.entries[1]
""",
}

DEFINE = """
def define():
    @c_enum("nn.Activation")
    class Activation(EnumObject):
        approximate: bool
        inplace: bool
    return Activation
"""


@pytest.mark.parametrize("how", REACHED)
def test_c_enum_works_after_a_variant_reached_python(run_enum_program, how):
    out = run_enum_program(
        f"""
load()
from tvm_ffi.dataclasses import *
{REACHED[how]}
{DEFINE}
for _ in range(2):
    A = define()
    print(A.GeLU is v, A.get("GeLU") is v, isinstance(v, A), type(v) is A, v.__entry_name__)
    print(v.approximate, list(A.entries()), lib.activation_get("ReLU") is A.ReLU, A["GeLU"] is v)
"""
    )
    assert out.splitlines() == ["True True True True GeLU", "True ['ReLU', 'GeLU'] True True"] * 2


def test_a_variant_has_the_members_of_an_enum_before_there_is_a_class(run_enum_program):
    out = run_enum_program(
        """
load()
from tvm_ffi.dataclasses import EnumObject
v = lib.activation_get("GeLU")
print(v.__entry_name__, isinstance(v, EnumObject), type(v).get("ReLU").__entry_name__, len(type(v)))
"""
    )
    assert out.splitlines() == ["GeLU True ReLU 2"]


@pytest.mark.parametrize("is_known", [False, True])
def test_a_failed_attempt_leaves_nothing_behind(run_enum_program, is_known):
    out = run_enum_program(
        f"""
load()
from tvm_ffi.dataclasses import *
from tvm_ffi import core
known = {is_known}
if known:
    v = lib.activation_get("GeLU")
    before = type(v)
for _ in range(2):
    class Broken(EnumObject):
        approximate: bool
        inplace: bool
        Fine = entry(inplace=True)
        Wrong = entry(nothing=1)
    body = dict(vars(Broken))
    try:
        c_enum("nn.Activation")(Broken)
    except TypeError as error:
        print(error)
    after = dict(vars(Broken))
    print(sorted(n for n in {{**body, **after}} if body.get(n) is not after.get(n)))
    if known:
        print(type(v) is before)
{DEFINE}
A = define()
print(list(A.entries()), type(lib.activation_get("GeLU")) is A)
"""
    )
    text = "class `Broken` has no field `nothing` (its fields: approximate, inplace)"
    failed = [f"Broken.Wrong: invalid enum entry: {text}", "[]"]
    once = [*failed, "True"] if is_known else failed
    assert out.splitlines() == [*once, *once, "['ReLU', 'GeLU'] True"]


def test_a_base_with_a_payload_that_the_type_lacks_is_refused(run_enum_program):
    out = run_enum_program(
        """
load()
from tvm_ffi.dataclasses import *
for base in (IntEnum, StrEnum):
    for define in (
        lambda: c_enum("nn.Mode")(type(base)("Wrong", (base,), {})),
        lambda: type(base)("Wrong", (base,), {}, type_key="nn.Mode"),
    ):
        try:
            define()
        except TypeError as error:
            print(error)
@c_enum("nn.Mode")
class Mode(Enum):
    weight: int
print(Mode.Fast.weight)
"""
    )
    assert out.splitlines() == [
        *["Wrong derives from IntEnum, but the type 'nn.Mode' does not derive from 'ffi.IntEnum'"]
        * 2,
        *["Wrong derives from StrEnum, but the type 'nn.Mode' does not derive from 'ffi.StrEnum'"]
        * 2,
        "1",
    ]


def test_variants_of_native_enums_are_frozen_by_default(run_enum_program):
    out = run_enum_program(
        """
load()
from typing import ClassVar
from tvm_ffi.dataclasses import *
def try_to_set(cls):
    try:
        cls.Fast.weight = 5
        print("set")
    except AttributeError:
        print("frozen", cls.Fast.weight)
@c_enum("nn.Mode")
class Mode(EnumObject):
    weight: int
try_to_set(Mode)
class Keyword(Enum, type_key="nn.Mode"):
    weight: int
    Fast: "ClassVar[Keyword]"
try_to_set(Keyword)
Keyword.weight.set(Keyword.Fast, 3)
print(Keyword.Fast.weight)
@c_enum("nn.Mode", frozen=False)
class Open(EnumObject):
    weight: int
try_to_set(Open)
"""
    )
    assert out.splitlines() == ["frozen 1", "frozen 1", "3", "set"]


def test_native_and_python_threads_overwrite_a_column_and_read_it(run_enum_program):
    out = run_enum_program(
        """
import threading
load()
from tvm_ffi.dataclasses import *
from tvm_ffi import core
@c_enum("nn.Activation")
class Activation(EnumObject):
    approximate: bool
    inplace: bool
column = Activation.def_attr("f_compute")
index = Activation.__tvm_ffi_type_info__.type_index
failures = []
done = threading.Event()
def guarded(body):
    def run():
        try:
            for i in range(400):
                body(i)
        except BaseException as error:
            failures.append(error)
    return run
def write_natively(i):
    lib.set_compute_of("GeLU", lambda x, i=i: x + 1)
    if i % 8 == 0:
        lib.add_entry(f"more{i}")
    lib.set_trait("nn.Activation", "shared", "text " * 5 if i % 2 else [i, i])
def write_from_python(i):
    column[Activation.GeLU] = lambda x: x + 1
def read_natively(i):
    assert lib.compute(Activation.GeLU, 4) in (5, 8)
    lib.column_of("nn.Activation", "__enum_attr_f_compute__")
    lib.trait_of("shared", "nn.Activation")
def read_from_python(i):
    assert column[Activation.GeLU](4) in (5, 8)
    assert len(Activation) >= 2 and len(column) >= 1
    core._type_get_attr(index, "shared")
bodies = (write_natively, write_from_python, read_natively, read_from_python, read_from_python)
threads = [threading.Thread(target=guarded(body)) for body in bodies]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(failures)
"""
    )
    assert out.splitlines() == ["[]"]
