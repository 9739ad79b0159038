# SPDX-License-Identifier: Apache-2.0
"""Test prepared calls: same results and errors as the function, and no leaks."""

from __future__ import annotations

import gc
import inspect
import sys
import threading
import weakref
from typing import Any

import numpy
import pytest
from running import run_threads

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.cpp import load_inline

EXPORTS = """
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#define EXPORT_ADD(name)                                                                       \\
  TVM_FFI_DLL_EXPORT_TYPED_FUNC(name, add, tvm::ffi::reflection::arg_names("a", "b"),          \\
                                tvm::ffi::reflection::arg_defaults("[10]"))
double add(double a, double b) { return a + b; }
EXPORT_ADD(add0);
EXPORT_ADD(add1);
EXPORT_ADD(add2);
EXPORT_ADD(add3);
EXPORT_ADD(add4);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(plain, add);

double scale(tvm::ffi::TensorView x, double factor) {
  return static_cast<double*>(x.data_ptr())[0] * factor;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, scale, tvm::ffi::reflection::arg_names("x", "factor"),
                              tvm::ffi::reflection::arg_defaults("[2]"));
"""

echo = tvm_ffi.get_global_func("testing.echo")


@pytest.fixture(scope="module")
def library() -> core.Module:
    """Return a module; each of its functions is called in only one test."""
    return load_inline("tests_prepared", cpp_sources=EXPORTS)


def outcome(function: Any, *args: Any, **keywords: Any) -> Any:
    """Return the result of a call, or the type and the text of its error."""
    try:
        return function(*args, **keywords)
    except Exception as error:
        return type(error), str(error)


def received() -> tuple[list[Any], core.Function]:
    """Return a list, and a function that appends its arguments to the list."""
    seen: list[Any] = []

    def keep(*args: Any) -> int:
        seen.append(args)
        return len(args)

    return seen, tvm_ffi.convert(keep)


def test_a_prepared_call_is_made_by_prepare_alone():
    with pytest.raises(TypeError, match="PreparedCall"):
        core.PreparedCall()


def test_repr_and_signature_are_those_of_the_function():
    prepared = echo.prepare(1)
    assert repr(prepared) == f"<PreparedCall {echo!r}>"
    assert prepared.function is echo
    assert inspect.signature(prepared) == inspect.signature(echo)


@pytest.mark.parametrize(
    "value", [None, True, 7, 2**63 - 1, -1.5, "text", "a" * 40, b"bytes", (1, 2), {"a": 1}]
)
def test_values_that_are_not_tensors_pass_as_in_any_call(value):
    prepared = echo.prepare(value)
    for _ in range(3):
        assert prepared(value) == echo(value)


def test_an_argument_of_another_kind_is_converted_as_in_any_call():
    prepared = echo.prepare(numpy.zeros(3))
    assert prepared(5) == 5
    assert prepared("text") == "text"
    assert prepared(numpy.arange(3)).numpy().tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "shape", [(), (0,), (5,), (2, 3), (2, 1, 4), (1,) * 8, (1,) * 9, (2, 0, 3)]
)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "float64", "complex128"])
def test_arrays_arrive_as_in_any_call(shape, dtype):
    array = numpy.ones(shape, dtype)
    result, expected = echo.prepare(array)(array), echo(array)
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    assert result.strides == expected.strides
    assert result.numpy().tolist() == array.tolist()


def test_shape_strides_and_type_are_read_at_each_call():
    prepared = echo.prepare(numpy.zeros((2, 2)))
    whole = numpy.arange(24, dtype="int32").reshape(4, 6)
    for array in (
        whole,
        whole[::2, ::-1],
        whole.T,
        whole[0],
        whole.astype("float16"),
        whole[1, 2:3],
    ):
        assert prepared(array).numpy().tolist() == array.tolist()


@pytest.mark.parametrize(
    "array",
    [
        numpy.zeros(3, ">f8"),
        numpy.zeros(9, "uint8")[1:].view("float64"),
        numpy.zeros(3, "U4"),
        numpy.broadcast_to(numpy.zeros(1), 3),
        numpy.zeros(4, [("a", "int32"), ("b", "int64")])["b"],
        numpy.array([None, 1]),
    ],
    ids=["byte order", "alignment", "text", "read-only", "strides", "objects"],
)
def test_refused_arrays_are_refused_with_the_same_text(array):
    prepared = echo.prepare(numpy.zeros(3))
    outcomes = []
    for function in (echo, prepared):
        try:
            outcomes.append(function(array).numpy().tolist())
        except Exception as error:
            outcomes.append((type(error), str(error)))
    assert outcomes[0] == outcomes[1]


def test_a_tensor_that_the_callee_keeps_is_its_own():
    seen, keep = received()
    prepared = keep.prepare(numpy.zeros(2))
    arrays = [numpy.full(2, n) for n in range(20)]
    for array in arrays:
        prepared(array)
    del arrays, array
    gc.collect()
    assert [args[0].numpy().tolist() for args in seen] == [[n, n] for n in range(20)]
    assert len({args[0].data_ptr() for args in seen}) == 20


def test_a_result_that_is_the_argument_stays_as_it_was():
    prepared = echo.prepare(numpy.zeros(2))
    first = prepared(numpy.array([1.0, 2.0]))
    second = prepared(numpy.array([3.0, 4.0, 5.0]))
    assert first.numpy().tolist() == [1.0, 2.0]
    assert second.numpy().tolist() == [3.0, 4.0, 5.0]


def test_neither_examples_nor_arguments_are_kept():
    nop = tvm_ffi.get_global_func("testing.nop")
    array = numpy.zeros(2)
    prepared = nop.prepare(array)
    count = sys.getrefcount(array)
    for _ in range(10):
        prepared(array)
    assert sys.getrefcount(array) == count
    gone = weakref.ref(array)
    del array
    assert gone() is None


def test_other_numbers_of_arguments_and_keywords_go_to_the_function():
    _, keep = received()
    prepared = keep.prepare(numpy.zeros(1), 2)
    assert prepared() == 0
    assert prepared(1, 2, 3) == 3
    typed = tvm_ffi.get_global_func("testing.add_one")
    with pytest.raises(TypeError) as plain:
        typed()
    with pytest.raises(TypeError) as error:
        typed.prepare(1)()
    assert str(error.value) == str(plain.value)


def test_errors_are_those_of_the_function():
    typed = tvm_ffi.get_global_func("testing.add_one")
    for bad in ("text", numpy.zeros(2), None, 2**70):
        with pytest.raises(Exception) as plain:
            typed(bad)
        with pytest.raises(type(plain.value)) as error:
            typed.prepare(numpy.zeros(2))(bad)
        assert str(error.value) == str(plain.value)


def test_an_exception_of_a_callback_keeps_its_identity():
    error = ValueError("mine")

    def fail(_: Any) -> None:
        raise error

    prepared = tvm_ffi.convert(fail).prepare(numpy.zeros(1))
    for _ in range(2):
        with pytest.raises(ValueError) as caught:
            prepared(numpy.zeros(1))
        assert caught.value is error
    assert prepared.function is not None


def test_a_call_inside_of_a_call_gets_its_own_tensors():
    seen: list[list[float]] = []

    def recurse(array: Any, depth: int) -> None:
        if depth:
            prepared(numpy.full(2, float(depth)), depth - 1)
        seen.append(array.numpy().tolist())

    prepared = tvm_ffi.convert(recurse).prepare(numpy.zeros(2), 1)
    prepared(numpy.full(2, 9.0), 3)
    assert seen == [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [9.0, 9.0]]


def test_threads_share_a_prepared_call():
    prepared = echo.prepare(numpy.zeros(2))
    failures: list[str] = []

    def work(n: int) -> None:
        for i in range(2000):
            array = numpy.full(3, n * 10000 + i)
            if prepared(array).numpy()[2] != n * 10000 + i:
                failures.append(f"{n} {i}")

    run_threads([threading.Thread(target=work, args=(n,)) for n in range(4)])
    assert failures == []


def test_cycles_through_a_prepared_call_are_collected():
    class Witness:
        pass

    _, keep = received()
    keep.prepared = keep.prepare(numpy.zeros(1))
    keep.witness = Witness()
    gone = weakref.ref(keep.witness)
    del keep
    gc.collect()
    assert gone() is None


def test_tensors_of_ours_and_views_of_callbacks_pass():
    tensor = tvm_ffi.from_dlpack(numpy.arange(3.0))
    prepared = echo.prepare(tensor)
    assert prepared(tensor).same_as(tensor) or prepared(tensor).data_ptr() == tensor.data_ptr()
    assert prepared(numpy.arange(2)).shape == (2,)


def test_thirty_arguments_in_order():
    seen, keep = received()
    args = [numpy.full(2, n) if n % 3 else n for n in range(30)]
    prepared = keep.prepare(*args)
    for _ in range(3):
        assert prepared(*args) == 30
    for call in seen:
        values = [a if isinstance(a, int) else int(a.numpy()[0]) for a in call]
        assert values == list(range(30))


def test_prepare_without_examples():
    prepared = tvm_ffi.get_global_func("testing.nop").prepare()
    assert prepared() is None


def test_prepare_refuses_an_example_that_cannot_be_passed():
    class Broken:
        __dlpack_c_exchange_api__ = "nothing"

    with pytest.raises(Exception) as plain:
        echo(Broken())
    with pytest.raises(type(plain.value)):
        echo.prepare(Broken())(Broken())


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    *(((), {}), ((1.0,), {}), ((1.0, 2.0), {}), ((1.0, 2.0, 3.0), {}), (("x",), {})),
    *(((), {"a": 1.0}), ((1.0,), {"b": 4.0}), ((1.0,), {"c": 4.0}), (("x", 2.0), {})),
]


@pytest.mark.parametrize("examples", [(1.0,), (1.0, 2.0)], ids=len)
def test_a_prepared_call_adds_the_defaults_of_the_function(library, examples):
    name = f"add{len(examples) - 1}"
    prepared = library[name].prepare(*examples)
    for _ in range(2):
        assert prepared(1.0) == 11.0
        for args, keywords in CALLS:
            expected = outcome(library[name], *args, **keywords)
            assert outcome(prepared, *args, **keywords) == expected


@pytest.mark.parametrize("examples", [(1,), (1, 2), (1, 2, 3)], ids=len)
def test_a_prepared_call_adds_the_defaults_of_a_global_function(examples):
    weigh = tvm_ffi.get_global_func("testing.weigh")
    prepared = weigh.prepare(*examples)
    for args in [(), (1,), (1, 5), (1, 5, 6), (1, 5, 6, 7), ("x", 1)]:
        for _ in range(2):
            assert outcome(prepared, *args) == outcome(weigh, *args)
    assert prepared(1) == 321
    assert prepared(x=1, z=6) == 621


def test_an_error_of_a_prepared_call_keeps_names_and_defaults(library):
    prepared = library.add2.prepare(1.0, 2.0)
    with pytest.raises(TypeError, match=r"add2\(a: float, b: float = 10\) -> float`.*`a`"):
        prepared("x", 2.0)
    assert library.add2(1.0) == 11.0
    assert library.add2(a=1.0) == 11.0
    with pytest.raises(TypeError, match="unexpected keyword argument 'c'; its parameters are a, b"):
        library.add2(c=1.0)


def test_a_prepared_call_before_any_other_keeps_names_and_defaults(library):
    prepared = library.add3.prepare(1.0, 2.0)
    assert prepared(1.0, 2.0) == 3.0
    for _ in range(2):
        assert outcome(prepared, "x", 2.0) == outcome(library.add3, "x", 2.0)
        assert prepared(1.0, 2.0) == 3.0
        assert prepared(1.0) == library.add3(1.0) == 11.0


def test_names_that_are_set_after_prepare_are_used():
    function = tvm_ffi.convert(lambda *args: list(args))
    prepared = function.prepare(1)
    assert prepared(1) == [1]
    core._set_metadata(function, '{"arg_names": "x,y", "arg_defaults": "[7]"}')
    for _ in range(2):
        assert prepared(1) == function(1) == [1, 7]


def test_keywords_are_examples_for_their_parameters(library):
    array = numpy.full(2, 5.0)
    prepared = library.scale.prepare(array, factor=3.0)
    assert prepared(array, 4.0) == 20.0
    assert prepared(array, factor=6.0) == 30.0
    assert prepared(array) == 10.0
    assert library.scale.prepare(x=array)(array, 3.0) == 15.0
    for keywords in ({"factr": 3.0}, {"x": array}, {"factor": 1.0, "y": 2}):
        expected = outcome(library.scale, array, **keywords)
        assert expected[0] is TypeError
        assert outcome(library.scale.prepare, array, **keywords) == expected
    with pytest.raises(TypeError, match="takes positional arguments only"):
        library.plain.prepare(1.0, b=2.0)


@pytest.mark.parametrize("examples", [(), (1.0, 2.0, 3.0)], ids=len)
def test_a_number_of_examples_that_the_function_does_not_take_is_refused(library, examples):
    for function in (library.add4, tvm_ffi.get_global_func("testing.add_one"), library.plain):
        kind, text = outcome(function, *examples)
        refused, why = outcome(function.prepare, *examples)
        assert refused is kind is TypeError
        assert why.partition(". Expected ")[2] == text.partition(". Expected ")[2].partition(";")[0]
        assert why.startswith("Mismatched number of arguments when calling: `")


def test_any_number_of_examples_passes_where_metadata_does_not_tell():
    for examples in [(), (1,), (1, 2, 3)]:
        tvm_ffi.get_global_func("testing.nop").prepare(*examples)
        tvm_ffi.convert(lambda x: x).prepare(*examples)


def test_an_array_that_a_prepared_call_cannot_pass_names_its_argument(library):
    prepared = library.scale.prepare(numpy.zeros(2), 1.0)
    for array in (numpy.zeros(2, "U5"), numpy.array([None]), numpy.zeros(2, ">f4")):
        expected = outcome(library.scale, array)
        assert expected[0] is BufferError
        assert expected[1].startswith("Argument #0 `x` of `scale`: ")
        assert outcome(prepared, array, 1.0) == expected
