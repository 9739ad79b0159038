# SPDX-License-Identifier: Apache-2.0
"""Fields and native methods with typed tensors, from the schema to the error about an array."""

from __future__ import annotations

import pytest

from tvm_ffi_schema import ty

from .conftest import needs_compiler

LAYER = """
from tvm_ffi.schema import Object, declare, method, module, ty
__tschema__ = module(namespace="demo", type_key_prefix="demo.")

@declare
class LayerNode(Object):
    type_key = "Layer"
    weight: ty.Tensor["float32", ("m", "k")]
    bias: ty.Tensor["const float64", (3,), "strided"]

    @method
    def scaled(self, x: ty.Tensor["float32", 2]) -> ty.Tensor["float32", 2]:
        ...
"""
BODY = """\
  for (float& value : x) value *= weight(0, 0);
  return x;
}
"""
PROGRAM = """
import sys
import numpy as np
import tvm_ffi
from tvm_ffi.dataclasses import c_class

tvm_ffi.load_module(sys.argv[1])

@c_class("demo.Layer")
class Layer(tvm_ffi.Object):
    weight: tvm_ffi.Tensor
    bias: tvm_ffi.Tensor

def error(kind, call):
    try:
        call()
    except kind as raised:
        return str(raised)
    raise AssertionError("nothing was raised")

weight, bias = np.full((2, 3), 2, "float32"), np.zeros(6)[::2]
layer = Layer(weight, bias)
x = np.ones((1, 2), "float32")
assert np.asarray(layer.scaled(x)).tolist() == [[2, 2]]
text = error(TypeError, lambda: layer.scaled(np.ones((1, 2))))
assert "expected a float32 array of 2 dimensions, C-contiguous, on cpu; got float64" in text, text
text = error(ValueError, lambda: Layer(weight, np.zeros(4)))
assert "field 'bias'" in text and "expected a float64 array of shape (3,)" in text, text
text = error(TypeError, lambda: Layer(3, bias))
assert "Tensor[float32, (m, k)]" in text, text
"""


@needs_compiler
def test_a_wrong_array_is_refused(project):
    project.schema(LAYER)
    assert project.run("generate", "-q") == 0, project.err
    head, found, rest = project.read("src/ir.cc").partition("  (void)x;\n")
    assert found
    project.write("src/ir.cc", head + BODY + rest.partition("\n}\n")[2])
    project.compile("src/ir.cc", output="liblayer.so")
    project.use(PROGRAM, "liblayer.so")


def test_arguments_become_those_of_cpp():
    text = ty.Tensor["const int8", ("m", 3, None), "strided", "cuda"].cpp.text
    assert text.replace("::tvm::ffi::", "") == (
        "TypedTensor<const int8_t, Dims<'m', 3, kAny>, Strided, Cuda>"
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('"float", 2', "Tensor: expected one of the data types bool, int8,"),
        ("3", "Tensor: expected one of the data types"),
        ('"int8", ("rows",)', "a name of one letter such as 'm'; got 'rows'"),
        ('"int8", (-1,)', "an extent is a number, None, or a name"),
        ('"int8", ("1",)', "got '1'"),
        (
            '"int8", -1',
            "expected the number of dimensions, a tuple of extents, or one of row_major",
        ),
        ('"int8", "gpu"', "got 'gpu'"),
        ('"int8", ["m"]', "got ['m']"),
        ('"int8", m', "malformed node or string"),
    ],
)
def test_a_wrong_declaration_says_what_is_expected(project, arguments, expected):
    project.schema(LAYER.replace('"float32", ("m", "k")', arguments))
    assert project.run("generate", "-q") != 0
    assert project.ids() == ["TS030"]
    assert expected in project.err
