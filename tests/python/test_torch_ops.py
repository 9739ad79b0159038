# SPDX-License-Identifier: Apache-2.0
"""Test functions as operators of PyTorch: schemas, results, opcheck, torch.compile."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tvm_ffi
from tvm_ffi.cpp import load_inline

torch = pytest.importorskip("torch", reason="needs PyTorch: run make test-torch")
pytestmark = [
    pytest.mark.torch,
    # torch.compile itself uses deprecated functions of PyTorch.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:torch"),
]

SOURCE = r"""
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

namespace ffi = tvm::ffi;

const float* In(ffi::TensorView x) { return static_cast<const float*>(x.data_ptr()); }
float* Out(ffi::TensorView x) { return static_cast<float*>(x.data_ptr()); }

void AddOne(ffi::TensorView x, ffi::TensorView y) {
  for (int64_t i = 0; i < x.numel(); ++i) Out(y)[i] = In(x)[i] + 1;
}
void Fill(ffi::ConstTensorView x, ffi::TensorView y) {
  for (int64_t i = 0; i < y.numel(); ++i) Out(y)[i] = static_cast<const float*>(x.data_ptr())[0];
}
void Scale(ffi::TensorView x, double factor) {
  for (int64_t i = 0; i < x.numel(); ++i) Out(x)[i] *= static_cast<float>(factor);
}
ffi::Tensor Empty(ffi::TensorView like) {
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, like.shape(), like.dtype(), like.device());
}
ffi::Tensor Double(ffi::TensorView x) {
  ffi::Tensor y = Empty(x);
  for (int64_t i = 0; i < x.numel(); ++i) Out(y)[i] = In(x)[i] * 2;
  return y;
}
ffi::Array<ffi::Tensor> Both(ffi::Array<ffi::Tensor> xs) {
  ffi::Array<ffi::Tensor> out;
  for (ffi::Tensor x : xs) out.push_back(Double(x));
  return out;
}
ffi::Tuple<ffi::Tensor, int64_t> Counted(ffi::TensorView x) {
  return ffi::Tuple<ffi::Tensor, int64_t>(Double(x), x.numel());
}
int64_t Dimensions(ffi::TensorView x, ffi::Optional<int64_t> more, bool twice, ffi::String mode,
                   ffi::Array<int64_t> shape, DLDataType dtype, DLDevice device) {
  return x.ndim() + more.value_or(0) + static_cast<int64_t>(shape.size()) * (twice ? 2 : 1);
}
ffi::Map<ffi::String, int64_t> Unusual(ffi::TensorView x) { return {}; }
void Packed(ffi::PackedArgs args, ffi::Any* result) { *result = args.size(); }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, AddOne, "Write x + 1 to y.",
                              ffi::reflection::arg_names("x,y"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, Scale, "Multiply x.", ffi::reflection::arg_names("x,factor"),
                              ffi::reflection::arg_defaults("[2.0]"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill, Fill, ffi::reflection::arg_names("x,y"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(twice, Double);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(both, Both);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(counted, Counted);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dimensions, Dimensions);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unusual, Unusual);
"""


def backward(ctx, grad):
    del ctx
    return grad * 2


@pytest.fixture(scope="module")
def module():
    return load_inline("torch_ops_test", cpp_sources=SOURCE)


@pytest.fixture(scope="module")
def ops(module):
    return tvm_ffi.torch.register_ops(
        module,
        mutates={"add_one": ["y"]},
        fake={
            "twice": torch.empty_like,
            "both": lambda xs: [torch.empty_like(x) for x in xs],
            "counted": lambda x: (torch.empty_like(x), x.numel()),
        },
        autograd={"twice": backward},
    )


def test_all_functions_with_expressible_types_are_operators(ops):
    assert set(ops) == {"add_one", "fill", "scale", "twice", "both", "counted", "dimensions"}
    assert "unusual" in ops.skipped
    assert "result" in ops.skipped["unusual"]
    assert repr(ops).startswith("<Operators torch.ops.torch_ops_test: ")
    assert "twice" in dir(ops)
    assert len(ops) == 7


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("add_one", "torch_ops_test::add_one(Tensor x, Tensor(a0!) y) -> ()"),
        ("fill", "torch_ops_test::fill(Tensor x, Tensor(a0!) y) -> ()"),
        ("scale", "torch_ops_test::scale(Tensor(a0!) x, float factor=2.) -> ()"),
        ("twice", "torch_ops_test::twice(Tensor arg0) -> Tensor"),
        ("both", "torch_ops_test::both(Tensor[] arg0) -> Tensor[]"),
        ("counted", "torch_ops_test::counted(Tensor arg0) -> (Tensor, SymInt)"),
        (
            "dimensions",
            "torch_ops_test::dimensions(Tensor arg0, SymInt? arg1, bool arg2, str arg3, "
            "SymInt[] arg4, ScalarType arg5, Device arg6) -> SymInt",
        ),
    ],
)
def test_schemas(ops, name, schema):
    assert str(getattr(ops, name).default._schema) == schema


def test_calls(ops):
    x, y = torch.arange(3.0), torch.zeros(3)
    assert ops.add_one(x, y) is None
    assert y.tolist() == [1, 2, 3]
    ops.scale(y)
    ops.scale(y, factor=10.0)
    assert y.tolist() == [20, 40, 60]
    assert ops.twice(x).tolist() == [0, 2, 4]
    assert [t.tolist() for t in ops.both([x, y])] == [[0, 2, 4], [40, 80, 120]]
    tensor, count = ops.counted(x)
    assert (tensor.tolist(), count) == ([0, 2, 4], 3)
    found = ops.dimensions(x, 5, True, "mode", [1, 2], torch.float16, torch.device("cpu"))
    assert found == 1 + 5 + 4
    assert ops.dimensions(x, None, False, "", [], torch.int8, torch.device("cpu")) == 1


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("add_one", lambda: (torch.arange(3.0), torch.zeros(3))),
        ("scale", lambda: (torch.arange(3.0), 3.0)),
        ("twice", lambda: (torch.randn(2, 3),)),
        ("twice", lambda: (torch.randn(2, 3, requires_grad=True),)),
        ("both", lambda: ([torch.randn(2), torch.randn(3)],)),
        ("counted", lambda: (torch.randn(4),)),
    ],
)
def test_opcheck(ops, name, args):
    torch.library.opcheck(getattr(ops, name).default, args())


def test_gradients_follow_the_formula(ops):
    x = torch.arange(3.0, requires_grad=True)
    ops.twice(x).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_torch_compile_runs_the_operators_in_one_graph(ops):
    def model(x, y):
        ops.add_one(x, y)
        z = ops.twice(y) + 1
        return ops.both([z, x])[0] * 3

    compiled = torch.compile(model, fullgraph=True)
    x = torch.arange(4.0)
    for size in (4, 6):
        x, y, z = torch.arange(float(size)), torch.zeros(size), torch.zeros(size)
        assert compiled(x, y).tolist() == model(x, z).tolist()
        assert y.tolist() == z.tolist()


def test_without_a_fake_function_tracing_says_what_to_pass(module):
    plain = tvm_ffi.torch.register_ops(module, "torch_ops_plain", functions=["twice"])
    with pytest.raises(Exception, match=r"fake=\{'twice': function\}"):
        torch.compile(lambda x: plain.twice(x), fullgraph=True)(torch.zeros(2))


def test_a_second_registration_replaces_the_first(module):
    for factor in (3, 4):
        again = tvm_ffi.torch.register_ops(
            module,
            "torch_ops_again",
            functions=["twice"],
            fake={"twice": torch.empty_like},
            autograd={"twice": lambda ctx, grad, factor=factor: grad * factor},
        )
        x = torch.ones(2, requires_grad=True)
        again.twice(x).sum().backward()
        assert x.grad.tolist() == [factor, factor]


def test_errors_of_the_library_pass_through(ops):
    with pytest.raises(Exception, match=r"doesn't have storage|parse"):
        ops.twice(torch.zeros(2).to_sparse())


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"functions": ["unusual"]}, TypeError, "'unusual' cannot be an operator: PyTorch has no"),
        ({"functions": ["absent"]}, AttributeError, "absent"),
        ({"mutates": {"absent": ["x"]}}, ValueError, "mutates names 'absent'"),
        ({"mutates": {"add_one": ["z"]}}, ValueError, "does not have a tensor 'z'"),
        ({"mutates": {"fill": ["x"]}}, ValueError, "these tensors are y"),
        ({"fake": {"absent": torch.empty_like}}, ValueError, "fake names 'absent'"),
        ({"namespace": "not a name"}, ValueError, "is not an identifier"),
    ],
)
def test_mistakes_are_explained(module, options, kind, text):
    with pytest.raises(kind, match=text):
        tvm_ffi.torch.register_ops(module, **options)


def test_an_unknown_operator_names_the_others(ops):
    with pytest.raises(AttributeError, match="has no operator 'twise'; it has "):
        _ = ops.twise
    with pytest.raises(AttributeError, match="PyTorch has no type for its result"):
        _ = ops.unusual


# PyTorch ends the process when it gets a tensor with negative strides.
REVERSED = r"""
import sys, torch, tvm_ffi
from tvm_ffi.cpp import load_inline

SOURCE = '''
struct Memory {
  void AllocData(DLTensor* x) {
    static float data[4] = {0, 1, 2, 3};
    x->data = data + 3;
  }
  void FreeData(DLTensor*) {}
};
tvm::ffi::Tensor backwards(int64_t size) {
  auto x = tvm::ffi::Tensor::FromNDAlloc(Memory(), {size}, {kDLFloat, 32, 1}, {kDLCPU, 0});
  const_cast<DLTensor*>(x.GetDLTensorPtr())->strides[0] = -1;
  return x;
}
'''
lib = load_inline(
    "backwards", cpp_sources=SOURCE, functions=["backwards"], build_directory=sys.argv[1]
)
assert lib.backwards(4).numpy().tolist() == [3, 2, 1, 0]
tvm_ffi.torch.register_ops(lib)
try:
    torch.ops.backwards.backwards(4)
except BufferError as error:
    assert "cannot have negative strides" in str(error), error
    raise SystemExit(0)
raise SystemExit(1)
"""


def test_an_operator_whose_result_has_negative_strides_raises(tmp_path):
    subprocess.run([sys.executable, "-c", REVERSED, str(tmp_path)], check=True)


TYPED = r"""
namespace ffi = tvm::ffi;

template <typename T>
using Product = ffi::TypedTensor<T, ffi::Dims<'m', 'n'>>;
Product<float> MatMul(ffi::TypedTensorView<const float, ffi::Dims<'m', 'k'>> a,
                      ffi::TypedTensorView<const float, ffi::Dims<'k', 'n'>> b) {
  Product<float> c = Product<float>::Empty({a.size(0), b.size(1)});
  for (int64_t i = 0; i < c.size(0); ++i) {
    for (int64_t j = 0; j < c.size(1); ++j) {
      c(i, j) = 0;
      for (int64_t k = 0; k < a.size(1); ++k) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}
void AddTo(ffi::TypedTensorView<const float, ffi::Dims<'n'>> x,
           ffi::TypedTensorView<float, ffi::Dims<'n'>> y) {
  for (int64_t i = 0; i < x.size(0); ++i) y(i) += x(i);
}
// The result has the type of its argument, and an extent more.
ffi::TypedTensor<ffi::OneOf<float, double>, ffi::Dims<2, 'n'>> Stack(
    ffi::TypedTensor<const ffi::OneOf<float, double>, ffi::Dims<'n'>> x) {
  ffi::Tensor y = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, {2, x.size(0)}, x.dtype(),
                                            x.device());
  char* to = static_cast<char*>(y.data_ptr());
  size_t bytes = ffi::GetDataSize(y) / 2;
  x.visit([&](auto view) {
    for (int row = 0; row < 2; ++row) std::memcpy(to + row * bytes, view.data(), bytes);
  });
  return ffi::TypedTensor<ffi::OneOf<float, double>, ffi::Dims<2, 'n'>>(y);
}
"""


@pytest.fixture(scope="module")
def typed_ops():
    lib = load_inline(
        "typed_ops",
        cpp_sources="#include <cstring>\n" + TYPED,
        functions=["MatMul", "AddTo", "Stack"],
    )
    return tvm_ffi.torch.register_ops(lib)


def test_typed_results_need_no_fake_function(typed_ops):
    a, b = torch.randn(2, 3), torch.randn(3, 4)
    torch.testing.assert_close(typed_ops.MatMul(a, b), a @ b)
    torch.library.opcheck(typed_ops.MatMul.default, (a, b))
    torch.library.opcheck(typed_ops.AddTo.default, (torch.ones(3), torch.zeros(3)))
    for dtype in (torch.float32, torch.float64):
        torch.library.opcheck(typed_ops.Stack.default, (torch.ones(3, dtype=dtype),))

    @torch.compile(fullgraph=True, backend="eager")
    def step(a, b):
        return typed_ops.MatMul(a, b) + 1

    torch.testing.assert_close(step(a, b), a @ b + 1)
    torch.testing.assert_close(step(b, a.new_ones(4, 2)), b @ a.new_ones(4, 2) + 1)
    with pytest.raises(ValueError, match="expected shape"):
        typed_ops.MatMul(a, a)
    with pytest.raises(TypeError, match=r"convert it with x\.to\(torch\.float32\)$"):
        typed_ops.MatMul(a.double(), b)
    with pytest.raises(ValueError, match=r"use x\.contiguous\(\)$"):
        typed_ops.MatMul(a, a.T)
