# SPDX-License-Identifier: Apache-2.0
"""Defaults that are not valid values of their types are refused at their declarations."""

from __future__ import annotations

import pytest

from .conftest import needs_compiler

HEAD = """
from typing import Literal, Optional, Union

__tschema__ = module(namespace="dft", type_key_prefix="dft.")


@declare
class ANode(Object):
    type_key = "A"
"""

# (field, words of the message)
REFUSED = [
    ('x: ty.Device = "gpu:1"', "field 'x': 'gpu:1' is not of type Device"),
    ('x: Optional[ty.Device] = "gpu"', "field 'x': 'gpu' is not of type Device | None"),
    ('x: ty.DataType = "flaot32"', "field 'x': 'flaot32' is not of type DataType"),
    ("x: ty.uint64_t = 1 << 63", "so it is at most 9223372036854775807"),
    ('x: Literal["a", "b"] = "c"', "field 'x': 'c' is not of type Literal['a', 'b']"),
    ('x: Literal["a", None] = "c"', "field 'x': 'c' is not of type Literal['a'] | None"),
    ('x: Optional[Literal["a"]] = "b"', "field 'x': 'b' is not of type Literal['a'] | None"),
    ("x: Literal[1] = True", "field 'x': True is not of type Literal[1]"),
    ('x: Literal[1, "a"] = 2', "field 'x': 2 is not of type Literal[1] | Literal['a']"),
    ("x: list[Literal[1, 2]] = field(default_factory=lambda: [1, 3])", "[1, 3] is not of type"),
    ('x: dict[str, Literal["a"]] = field(default_factory=lambda: {"k": "b"})', "is not of type"),
]
ACCEPTED = [
    'x: ty.Device = "cuda:1"',
    'x: Literal["a"] | str = "c"',
    'x: str | Literal["a"] = "c"',
    'x: Union[Literal["a"], Literal["b"]] = "b"',
    'x: Literal[1, True, "a", None] = True',
    'x: Optional[Literal["a"]] = None',
    "x: list[Literal[1, 2]] = field(default_factory=lambda: [2, 1])",
]


@pytest.mark.parametrize("frontend", ["static", "import"])
@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_a_default_outside_of_its_type_is_refused(project, frontend, text, words):
    """Earlier versions accepted wrong devices, data types and values of a Literal."""
    project.schema(f"{HEAD}    {text}\n")
    assert project.run("generate", "--frontend", frontend) == 3
    assert words in project.err
    assert project.ids() == ["TS035"]


@pytest.mark.parametrize("frontend", ["static", "import"])
@pytest.mark.parametrize("text", ACCEPTED)
def test_a_default_inside_of_its_type_is_taken(project, frontend, text):
    project.schema(f"{HEAD}    {text}\n")
    assert project.run("check", "--frontend", frontend, "-q") == 1, project.err
    assert not project.err


def test_a_refused_default_is_a_default(project):
    """A field with a refused default may precede other fields that have defaults."""
    project.schema(f"{HEAD}    w: int = 1\n    x: int = 'a'\n    y: list[int] = []\n")
    assert project.run("generate") == 3
    assert project.ids() == ["TS035", "TS320"]


def test_a_parameter_with_a_default_outside_of_its_literal_is_refused(project):
    method = '    @method\n    def f(self, mode: Literal["a"] = "b") -> int: ...\n'
    project.schema(f"{HEAD}{method}")
    assert project.run("generate") == 3
    assert "parameter 'mode': 'b' is not of type Literal['a']" in project.err


BUILT = (
    HEAD
    + '''    device: ty.Device = "cuda:1"
    devices: tuple[ty.Device, ...] = ("cpu", "mps:2")
    either: Union[ty.Device, int] = "wgpu"
    dtype: ty.DataType = "i32"
    dtypes: dict[str, ty.DataType] = field(default_factory=lambda: {"a": "f16x4"})
    maybe: Optional[ty.Device] = "cpu"
    _depth: int = field(default=3, access="private")

    @method
    def size(self, packed: bool = False) -> int:
        """Compute it."""


@declare
class KindNode(Enum):
    """A kind."""

    type_key = "Kind"
    name_: str = field(name="title", default="")
    gpu = entry(name_="GPU")
'''
)
USE = """
import sys
from tvm_ffi import schema

demo = schema.load(sys.argv[1])
made = demo.A()
assert [str(d) for d in (made.device, made.maybe, made.either)] == ["cuda:1", "cpu:0", "webgpu:0"]
assert [str(d) for d in made.devices] == ["cpu:0", "metal:2"]
assert (str(made.dtype), str(made.dtypes["a"]), made._depth) == ("int32", "float16x4", 3)
assert demo.Kind.gpu.title == "GPU"
try:
    made.size(packed=True)
except (NotImplementedError, RuntimeError) as error:
    assert "A.size" in str(error), error
"""


def check_built(project, output):
    project.schema(BUILT)
    assert project.run("build", "-o", output) == 0, project.err
    project.use(USE, output)
    assert project.run("validate", "--lib", output) == 0, project.err


@needs_compiler
def test_devices_private_fields_and_entries_under_other_names_load(project):
    """Libraries of earlier versions with these features did not compile or could not be loaded."""
    check_built(project, "lib.so")
    assert project.run("generate") == 0, project.err
    assert project.run("validate") == 0, project.err
    project.compile("src/ir.cc")


def test_an_image_keeps_names_of_entry_fields_and_of_parameters(project):
    """Earlier versions lost values of fields with `name=`, and refused keyword arguments."""
    check_built(project, "lib.tfs")


@needs_compiler
def test_an_initialiser_does_not_repeat_its_type(project):
    """Earlier versions wrote `List<T> x = List<T>{}`, `DLDevice(DLDevice{…})`, and for a variant a
    null reference, although another type of the variant has a default value."""
    project.schema(
        HEAD
        + '    first: "Union[ANode, int]"\n'
        + "    names: list[int] = field(default_factory=list)\n"
        + '    device: ty.Device = cpp("DLDevice{kDLCPU, 0}")\n'
        + "    @method\n    def f(self, sizes: ty.Array[int] = (1, 2)) -> int: ...\n"
    )
    assert project.run("generate", "-q", "--force") == 0, project.err
    header, source = project.read("include/dft/ir.h"), project.read("src/ir.cc")
    assert "> first = int64_t{};" in header
    assert "::tvm::ffi::List<int64_t> names = {};" in header
    assert "::tvm::ffi::List<int64_t> names = {}, DLDevice device = DLDevice{kDLCPU, 0});" in header
    assert "int64_t f(::tvm::ffi::Array<int64_t> sizes = {1, 2}) const;" in header
    assert "refl::default_value(DLDevice{kDLCPU, 0})" in source
    project.compile("src/ir.cc")
