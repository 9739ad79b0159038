# SPDX-License-Identifier: Apache-2.0
"""Steps of tilelang: kernels parsed, compared, lowered to CUDA text, and run on the CPU."""

# Forms of the CUDA target: older versions of TVM take the text, newer ones the dict.
CUDA_FORMS = ({"kind": "cuda", "arch": "sm_80"}, "cuda -arch=sm_80")


def _tir():
    """Return TVM's module of statements and expressions; older versions call it `tvm.tir`."""
    import tilelang  # noqa: F401 - sets the path to its TVM
    import tvm

    return tvm.tirx if hasattr(tvm, "tirx") else tvm.tir


def _cuda_target():
    from tvm.target import Target

    for form in CUDA_FORMS:
        try:
            return Target(form)
        except ValueError as error:
            problem = error
    raise problem


def _add(length):
    import tilelang.language as T

    @T.prim_func
    def add(
        a: T.Tensor((length,), "float32"),
        b: T.Tensor((length,), "float32"),
        c: T.Tensor((length,), "float32"),
    ):
        with T.Kernel(1, threads=128) as _:
            for i in T.Parallel(length):
                c[i] = a[i] + b[i]

    return add


def _add_on_cpu(length):
    import inspect

    import tilelang.language as T

    def with_kernel():
        @T.prim_func
        def add(
            a: T.Tensor((length,), "float32"),
            b: T.Tensor((length,), "float32"),
            c: T.Tensor((length,), "float32"),
        ):
            with T.Kernel(1, is_cpu=True) as _:
                for i in T.serial(length):
                    c[i] = a[i] + b[i]

        return add

    def without_kernel():
        @T.prim_func
        def add(
            a: T.Tensor((length,), "float32"),
            b: T.Tensor((length,), "float32"),
            c: T.Tensor((length,), "float32"),
        ):
            for i in T.serial(length):
                c[i] = a[i] + b[i]

        return add

    has_cpu_kernels = "is_cpu" in inspect.signature(T.Kernel).parameters
    return with_kernel() if has_cpu_kernels else without_kernel()


def imports():
    import tilelang

    assert tilelang.__version__


def parses_a_kernel():
    text = _add(128).script()
    forms = ("T.launch_thread", "T.thread_binding", "T.Kernel")  # of different versions
    assert any(form in text for form in forms), text
    assert "+ b[" in text, text


def compares_kernels():
    import tilelang  # noqa: F401 - sets the path to its TVM
    from tvm import ir

    one, same, other = _add(128), _add(128), _add(256)
    ir.assert_structural_equal(one, same)
    assert ir.structural_hash(one) == ir.structural_hash(same)
    try:
        ir.assert_structural_equal(one, other)
    except ValueError as error:
        text = str(error)
    else:
        text = "no error"
    assert "128" in text, text
    ir.assert_structural_equal(ir.load_json(ir.save_json(one)), one)


def attributes_of_functions():
    """Use ``DictAttrs``, a class whose only field is named ``__dict__``."""
    import tilelang  # noqa: F401
    from tvm import ir

    attrs = ir.make_node("ir.DictAttrs", a=1, b="x")
    assert sorted(attrs.keys()) == ["a", "b"]
    assert attrs["b"] == "x"
    assert dict(attrs.items())["a"] == 1
    assert ir.structural_equal(ir.load_json(ir.save_json(attrs)), attrs)


def visits_with_a_derived_object():
    """Use a visitor class in Python that ``derived_object`` wraps and that stores attributes."""
    functor = _tir().functor

    @functor.visitor
    class Counter(functor.PyStmtExprVisitor):
        def __init__(self):
            super().__init__()
            self.count = 0

        def visit_for_(self, op):
            self.count += 1
            self.visit_stmt(op.body)

    counter = Counter()
    counter.visit_stmt(_add(128).body)
    assert counter.count >= 1, counter.count


def raises_errors():
    import tilelang  # noqa: F401

    import tvm_ffi

    for i in range(100):
        try:
            tvm_ffi.get_global_func("ir.EnvFuncGet")(f"no function {i}")
        except Exception as error:
            text = str(error)
        else:
            text = "no error"
        assert f"no function {i}" in text, text


def lowers_to_cuda():
    import tilelang

    target = _cuda_target()
    with target:
        artifact = tilelang.lower(_add(128), target=target, enable_device_compile=False)
    assert "__global__" in artifact.kernel_source


def runs_on_the_cpu():
    import tilelang
    import torch

    kernel = tilelang.compile(_add_on_cpu(128), target="c", out_idx=-1)
    a, b = torch.randn(128), torch.randn(128)
    torch.testing.assert_close(kernel(a, b), a + b)
