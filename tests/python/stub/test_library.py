# SPDX-License-Identifier: Apache-2.0
"""Test stubs of a library: typed tensors, and the functions that the library exports."""

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

int64_t Save(int64_t x) { return x; }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(matmul, MatMul);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(save, Save, "Save x.", refl::arg_names("x"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(kind, Save);
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


MODULE = """
from typing import cast

import numpy as np
import tvm_ffi


class Kernels(tvm_ffi.Module):
    # tvm-ffi-stubgen(begin): module/stub_library
    # tvm-ffi-stubgen(end)


mod = cast(Kernels, tvm_ffi.load_module({library!r}))
x = np.ones((2, 2), "float32")
assert tuple(mod.matmul(x, x).shape) == (2, 2)
assert mod.save(1) + mod.save(x=2) == 3
"""


def test_stub_of_what_a_library_exports(library, tmp_path, stubgen, run_tool, check_types):
    path = tmp_path / "uses.py"
    path.write_text(MODULE.format(library=library))
    status, out = stubgen("--dlls", library, path)
    assert status == 0, out
    text = path.read_text()
    assert 'def save(x: int) -> int:\n            """Save x."""\n' in text
    assert "def kind" not in text  # `Module.kind` is a property.
    check_types(path)
    done = run_tool(tmp_path, sys.executable, path.name)
    assert done.returncode == 0, done.stderr
    assert stubgen("--dlls", library, "--check", path)[0] == 0
    wrong = tmp_path / "wrong.py"
    wrong.write_text(text.replace("mod.save(1)", 'mod.save("1")'))
    with pytest.raises(AssertionError, match="save"):
        check_types(wrong)


def test_stub_of_exports_needs_the_library_and_a_class(library, tmp_path, stubgen):
    path = tmp_path / "uses.py"
    path.write_text(MODULE.format(library=library))
    assert stubgen("--dlls", library, path)[0] == 0
    text = path.read_text()
    status, out = stubgen(path)
    assert (status, path.read_text()) == (2, text)
    assert "`module/stub_library` (line 21): no library of this name is given with --dlls" in out
    path.write_text(MODULE.format(library=library).replace("module/stub_l", "module/stubl"))
    hint = "no library of this name is given with --dlls; did you mean 'stub_library'"
    assert hint in stubgen("--dlls", library, path)[1]
    path.write_text("# tvm-ffi-stubgen(begin): module/stub_library\n# tvm-ffi-stubgen(end)\n")
    message = "line 1 must be in a class that derives from `tvm_ffi.Module`"
    assert message in stubgen("--dlls", library, path)[1]


@pytest.mark.parametrize(
    "entry", [{}, {"dtype": []}, {"dtype": "int8"}, {"dtype": [1], "device": 1}]
)
def test_declaration_of_a_typed_tensor_of_another_form_is_ignored(entry):
    schema = TypeSchema.from_json_obj({"type": "ffi.Tensor", "tensor": entry})
    assert PythonImports({}).output_text(schema) == "Tensor"
