# SPDX-License-Identifier: Apache-2.0
"""Test stubs of a library with typed tensors: type checkers, documentation, calls."""

from __future__ import annotations

import sys

import pytest

from tvm_ffi import cpp
from tvm_ffi.core import TypeSchema
from tvm_ffi.stub.python_generator.utils import PythonImports

SOURCE = """
#include <tvm/ffi/reflection/registry.h>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

using Product = ffi::TypedTensor<float, ffi::Dims<'m', 'n'>>;
using Image = ffi::TypedTensor<ffi::OneOf<int8_t, bool>, ffi::Dims<3, ffi::kAny>, ffi::Strided>;

void Scale(ffi::TypedTensorView<float, 1> x, double factor) {
  for (float& value : x) value *= static_cast<float>(factor);
}
Product MatMul(ffi::TypedTensorView<const float, ffi::Dims<'m', 'k'>> a,
               ffi::TypedTensorView<const float, ffi::Dims<'k', 'n'>> b) {
  return Product::Empty({a.size(0), b.size(1)});
}
int64_t Count(ffi::Array<Image> images, ffi::Optional<ffi::TypedTensor<double>> weights) {
  return images.size();
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::GlobalDef()
      .def("stub_library.scale", Scale, "Scale x.", refl::arg_names("x,factor"))
      .def("stub_library.matmul", MatMul)
      .def("stub_library.count", Count, refl::arg_names("images,weights"));
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Return the path of the library."""
    folder = tmp_path_factory.mktemp("library")
    return cpp.build_inline("stub_library", cpp_sources=SOURCE, build_directory=str(folder))


USES = """
import ctypes

import numpy as np
import tvm_ffi

ctypes.CDLL({library!r})
# tvm-ffi-stubgen(begin): global/stub_library
# tvm-ffi-stubgen(end)


def shape(x: tvm_ffi.Tensor) -> tuple[int, ...]:
    return tuple(x.shape)


assert shape(matmul(np.ones((2, 3), "float32"), np.ones((3, 4), "float32"))) == (2, 4)
assert count([np.ones((3, 5), "int8")], None) == 1
scale(np.ones(3, "float32"), 2.0)
"""
STUB = """
def count(images: Sequence[Annotated[TensorLike, "int8 | bool, (3, *)"]], \
weights: Annotated[TensorLike, "float64"] | None) -> int:
    \"\"\"`weights`: a float64 array, C-contiguous, on cpu, or None.\"\"\"
    ...
def matmul(_0: Annotated[TensorLike, "float32, (m, k)"], \
_1: Annotated[TensorLike, "float32, (k, n)"], /) -> Annotated[Tensor, "float32, (m, n)"]:
    \"\"\"`_0`: a float32 array of shape (m, k), C-contiguous, on cpu.
    `_1`: a float32 array of shape (k, n), C-contiguous, on cpu.
    Returns a float32 array of shape (m, n), C-contiguous, on cpu.
    \"\"\"
    ...
def scale(x: Annotated[TensorLike, "float32, 1"], factor: float) -> None:
    \"\"\"Scale x.

    `x`: a float32 array of 1 dimension, C-contiguous, on cpu.
    \"\"\"
    ...
"""


def test_stub_of_typed_tensors(library, tmp_path, stubgen, run_tool, check_types):
    path = tmp_path / "uses.py"
    path.write_text(USES.format(library=library))
    status, out = stubgen("--dlls", library, path)
    assert status == 0, out
    text = path.read_text()
    assert all(line.strip() in text for line in STUB.splitlines())
    check_types(path, mode="strict")
    done = run_tool(tmp_path, sys.executable, path.name)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "entry", [{}, {"dtype": []}, {"dtype": "int8"}, {"dtype": [1], "device": 1}]
)
def test_declaration_of_a_typed_tensor_of_another_form_is_ignored(entry):
    schema = TypeSchema.from_json_obj({"type": "ffi.Tensor", "tensor": entry})
    assert PythonImports({}).output_text(schema) == "Tensor"
