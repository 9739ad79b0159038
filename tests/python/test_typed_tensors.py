# SPDX-License-Identifier: Apache-2.0
"""Test typed tensors from Python: refused arrays, extents with names, fields, and signatures."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import tvm_ffi
from tvm_ffi.cpp import load_inline

SOURCE = r"""
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/extra/stl.h>
#include <tvm/ffi/reflection/registry.h>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

void Scale(ffi::TypedTensorView<float, 1> x, double factor) {
  for (float& value : x) value *= static_cast<float>(factor);
}

using Product = ffi::TypedTensor<float, ffi::Dims<'m', 'n'>>;
Product MatMul(ffi::TypedTensorView<const float, ffi::Dims<'m', 'k'>> a,
               ffi::TypedTensorView<const float, ffi::Dims<'k', 'n'>> b) {
  Product c = Product::Empty({a.size(0), b.size(1)});
  for (int64_t i = 0; i < c.size(0); ++i) {
    for (int64_t j = 0; j < c.size(1); ++j) {
      c(i, j) = 0;
      for (int64_t k = 0; k < a.size(1); ++k) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}
Product Wrong(ffi::TypedTensorView<const float, ffi::Dims<'m', 'n'>> a) {
  return Product::Empty({a.size(0) + 1, a.size(1)});
}
double Sum(ffi::TypedTensorView<const ffi::OneOf<float, double>, 2, ffi::Strided> x) {
  return x.visit([](auto view) {
    double sum = 0;
    for (int64_t i = 0; i < view.size(0); ++i) {
      for (int64_t j = 0; j < view.size(1); ++j) sum += view(i, j);
    }
    return sum;
  });
}
struct alignas(2) __half {  // as in cuda_fp16.h, which is included after our headers
  uint16_t bits;
};
int64_t FirstBits(ffi::TypedTensorView<const __half, 1> x) { return x(0).bits; }
int64_t Count(ffi::Array<ffi::TypedTensor<float, 2>> xs) { return static_cast<int64_t>(xs.size()); }
int64_t Rows(std::optional<ffi::TypedTensorView<int8_t, 2>> x) { return x ? x->size(0) : -1; }
int64_t CallBack(ffi::TypedFunction<ffi::TypedTensor<float, 2>(int64_t)> f) { return f(2).numel(); }

class BoxObj : public ffi::Object {
 public:
  ffi::TypedTensor<float, 2> matrix;
  explicit BoxObj(ffi::TypedTensor<float, 2> given) : matrix(std::move(given)) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("tests.typed_tensors.Box", BoxObj, ffi::Object);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<BoxObj>()
      .def(refl::init<ffi::TypedTensor<float, 2>>())
      .def_rw("matrix", &BoxObj::matrix);
  refl::GlobalDef().def("tests.typed_tensors.scale", Scale, refl::arg_names("x", "factor"));
}
"""
FUNCTIONS = ["Scale", "MatMul", "Wrong", "Sum", "FirstBits", "Count", "Rows", "CallBack"]


@pytest.fixture(scope="module")
def typed():
    return load_inline("typed_tensors", cpp_sources=SOURCE, functions=FUNCTIONS)


def test_a_kernel_gets_the_memory_of_an_array_that_fits(typed):
    x = np.arange(4, dtype="float32")
    typed.Scale(x, 2.5)
    assert x.tolist() == [0, 2.5, 5, 7.5]
    typed.Scale(tvm_ffi.from_dlpack(x), 2)
    assert x.tolist() == [0, 5, 10, 15]
    typed.Scale(np.zeros(0, "float32"), 2)
    typed.Scale(np.zeros(1, "float32")[::-1], 2)


@pytest.mark.parametrize(
    ("array", "kind", "text"),
    [
        (
            np.zeros(4, "int8"),
            TypeError,
            'got int8, shape (4,): convert it with x.astype("float32")',
        ),
        (np.zeros(4), TypeError, "got float64, shape (4,)"),
        (
            np.zeros(8, "float32")[::2],
            ValueError,
            "got strides (2,): use numpy.ascontiguousarray(x)",
        ),
        (np.zeros(4, "float32")[::-1], ValueError, "got strides (-1,)"),
        (np.zeros((1, 4), "float32"), ValueError, "got shape (1, 4)"),
        (
            np.frombuffer(bytearray(17), "uint8")[1:].view("float32"),
            ValueError,
            "got memory that is not aligned to 4 bytes: pass a copy",
        ),
        (3, TypeError, "but got `int`"),
        (None, TypeError, "but got `None`"),
        ([1.0], TypeError, "but got `"),
    ],
)
def test_a_kernel_never_gets_an_array_that_does_not_fit(typed, array, kind, text):
    with pytest.raises(kind) as error:
        typed.Scale(array, 2)
    assert text in str(error.value)
    expected = "expected a float32 array of 1 dimension, C-contiguous, on cpu; "
    assert expected in str(error.value) or "Tensor[float32, 1]" in str(error.value)


def test_a_prepared_call_checks_as_well(typed):
    x = np.arange(4, dtype="float32")
    call = typed.Scale.prepare(x, 2.0)
    call(x, 2.0)
    assert x.tolist() == [0, 2, 4, 6]
    with pytest.raises(TypeError, match="got int8"):
        call(np.zeros(4, "int8"), 2.0)


def test_names_are_equal_over_parameters_and_the_result(typed):
    a, b = np.ones((2, 3), "float32"), np.ones((4, 5), "float32")
    assert np.asarray(typed.MatMul(a, b[:3])).tolist() == [[3] * 5] * 2
    with pytest.raises(ValueError, match=r"expected shape \(k, n\) with k = 3 \(dimension 1 of"):
        typed.MatMul(a, b)
    with pytest.raises(RuntimeError, match="an error of this function: expected shape"):
        typed.Wrong(a)


def test_const_parameters_accept_read_only_arrays(typed):
    a = np.ones((2, 3))
    a.flags.writeable = False
    assert typed.Sum(a) == 6
    assert typed.Sum(np.ones((2, 3), "float32").T) == 6
    x = np.ones(3, "float32")
    x.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        typed.Scale(x, 2)


def test_elements_optionals_callbacks_and_fields_are_checked(typed):
    good = tvm_ffi.from_dlpack(np.ones((2, 3), "float32"))
    bad = tvm_ffi.from_dlpack(np.ones(3, "float32"))
    assert typed.Count([good, good]) == 2
    with pytest.raises(ValueError, match="index 1: expected a float32 array of 2 dimensions"):
        typed.Count([good, bad])
    assert typed.Rows(None) == -1
    assert typed.Rows(np.zeros((3, 1), "int8")) == 3
    with pytest.raises(ValueError, match=r"got shape \(3,\)"):
        typed.Rows(np.zeros(3, "int8"))
    assert typed.CallBack(lambda n: np.ones((n, n), "float32")) == 4
    with pytest.raises(ValueError, match=r"got shape \(2,\)"):
        typed.CallBack(lambda n: np.ones(n, "float32"))
    box_class = tvm_ffi.register_object("tests.typed_tensors.Box")(
        type("Box", (tvm_ffi.Object,), {"__annotations__": {"matrix": tvm_ffi.Tensor}})
    )
    box = box_class(good)
    with pytest.raises(ValueError, match=r"got shape \(3,\)"):
        box.matrix = bad
    with pytest.raises(TypeError, match="got float64"):
        box.matrix = tvm_ffi.from_dlpack(np.ones((2, 2)))
    assert box.matrix.shape == (2, 3)
    with pytest.raises(ValueError, match=r"got shape \(3,\)"):
        box_class(bad)


def test_signatures_show_the_declaration(typed):
    expected = "(arg0: Tensor[float32, (m, k)], arg1: Tensor[float32, (k, n)], /)"
    assert str(inspect.signature(typed.MatMul)) == f"{expected} -> Tensor[float32, (m, n)]"
    assert repr(typed.MatMul).endswith(f".MatMul{expected} -> Tensor[float32, (m, n)]>")
    assert "arg0: Tensor[float32 | float64, 2]" in repr(typed.Sum)
    assert "Sequence[Tensor[float32, 2]]" in repr(typed.Count)
    scale = tvm_ffi.get_global_func("tests.typed_tensors.scale")
    assert str(inspect.signature(scale)) == "(x: Tensor[float32, 1], factor: float) -> None"
    with pytest.raises(TypeError, match=r"x: Tensor\[float32, 1\]|0: Tensor\[float32, 1\]"):
        scale(x=np.zeros(3), factor=1.0)


def test_messages_name_the_parameters(typed):
    """A signature with a typed tensor was not understood, so that no message had names."""
    scale = tvm_ffi.get_global_func("tests.typed_tensors.scale")
    start = "Mismatched type on argument #{} when calling: `tests.typed_tensors.scale"
    start += "(x: Tensor[float32, 1], factor: float) -> None`. "
    x = np.ones(4, "float32")
    expected = "`x`: expected a float32 array of 1 dimension, C-contiguous, on cpu; got "
    for args, number, text in (
        (
            (x.astype("int8"), 2.0),
            0,
            expected + 'int8, shape (4,): convert it with x.astype("float32")',
        ),
        ((x[::2], 2.0), 0, expected + "strides (2,): use numpy.ascontiguousarray(x)"),
        (
            ([1.0], 2.0),
            0,
            "Expected `Tensor[float32, 1]` but got `list` for parameter `x`; pass an ",
        ),
        ((x, "2"), 1, "Expected `float` but got `str` for parameter `factor`"),
    ):
        with pytest.raises((TypeError, ValueError)) as caught:
            scale(*args)
        assert str(caught.value).startswith(start.format(number) + text)


def test_a_type_of_cuda_may_be_defined_after_the_header(typed):
    assert typed.FirstBits(np.array([1.0], "float16")) == 0x3C00
    with pytest.raises(TypeError, match=r"expected a float16 array of 1 dimension.*got uint16"):
        typed.FirstBits(np.array([1], "uint16"))


def test_a_schema_keeps_the_declaration(typed):
    metadata = typed.get_function_metadata("Scale")
    schema = tvm_ffi.core.TypeSchema.from_metadata(metadata)
    tensor = schema.named_args["params"][0]
    assert tensor.origin == "Tensor"
    assert tensor.tensor["dtype"] == ["float32"]
    assert repr(tensor) == "Tensor[float32, 1]"
    again = tvm_ffi.core.TypeSchema.from_json_obj(tensor.to_json())
    assert again == tensor
    assert again.tensor == tensor.tensor


@pytest.mark.parametrize("entry", [5, [], {}, {"dtype": 5}, {"dtype": [], "shape": "m"}])
def test_a_declaration_of_another_form_is_ignored(entry):
    schema = tvm_ffi.core.TypeSchema.from_json_obj({"type": "ffi.Tensor", "tensor": entry})
    assert schema.tensor is None
    assert repr(schema) == "Tensor"
