# SPDX-License-Identifier: Apache-2.0
"""Test that Python can load a library written in Rust, and call its functions."""

from __future__ import annotations

import inspect
import threading
import traceback
from pathlib import Path

import pytest
from running import run_threads

import tvm_ffi


@pytest.fixture(scope="module")
def exports(rust_library):
    return tvm_ffi.load_module(rust_library(metadata=True))


def places(error):
    """Return the function names and file names in the traceback of an error."""
    return [(at.name, Path(at.filename).name) for at in traceback.extract_tb(error.__traceback__)]


@pytest.mark.spec("RUST-R26")
def test_functions_convert_arguments_and_results(exports):
    assert exports.add_one(41) == 42
    assert exports.greet("world", None) == "Hello, world"
    assert exports.greet("world", "Good morning") == "Good morning, world"
    assert exports.make_adder(5)(6) == 11
    assert list(exports.call(lambda value: [value], 3)) == [3]


@pytest.mark.spec("RUST-R26")
def test_metadata_and_documentation_are_exported(exports):
    schema = (
        '{"type":"ffi.Function","named_args":{"return":[{"type":"int"}],"params":[{"type":"int"}]}}'
    )
    assert exports.get_function_metadata("add_one") == {"type_schema": schema}
    assert exports.get_function_doc("add_one") == "Return the number after `value`."
    assert exports.get_function_doc("greet") is None


@pytest.mark.spec("RUST-R25")
def test_without_the_feature_nothing_is_exported_but_functions(rust_library):
    module = tvm_ffi.load_module(rust_library(metadata=False))
    assert module.add_one(1) == 2
    assert module.get_function_metadata("add_one") is None
    assert module.get_function_doc("add_one") is None


@pytest.mark.spec("RUST-R26")
def test_errors_have_kind_message_and_the_place_in_rust(exports):
    with pytest.raises(ValueError, match=r"^bad$") as caught:
        exports.fail("bad")
    assert ("rust_exports::fail", "rust_exports.rs") in places(caught.value)


def message_of(kind, function, *arguments):
    """Return the message of the error of a call."""
    with pytest.raises(kind) as caught:
        function(*arguments)
    return str(caught.value)


@pytest.mark.spec("RUST-R11", "RUST-R26")
def test_errors_about_arguments_have_the_signature(exports):
    call = "when calling: `add_one(0: int) -> int`"
    assert message_of(TypeError, exports.add_one, "text") == (
        f"Argument #0: Cannot convert from type `str` to `int` {call}"
    )
    assert message_of(ValueError, exports.add_one, 1, 2) == f"Expected 1 arguments, got 2 {call}"
    call = "when calling: `scale(x: float, factor: float = 2.0) -> float`"
    assert message_of(TypeError, exports.scale, 1, "text") == (
        f"Argument #1: Cannot convert from type `str` to `float` {call}"
    )
    assert message_of(ValueError, exports.scale) == (
        f"Expected 2 arguments, got 0 {call}; missing `x`"
    )
    assert message_of(ValueError, exports.scale, 1, 2, 3) == f"Expected 2 arguments, got 3 {call}"


@pytest.mark.parametrize(
    "text",
    [
        "a.B.__ffi_init__() field 'x':\n  Cannot convert from type `ffi.SmallStr` to `ffi.String`",
        "Cannot convert from type `ffi.SmallStr` to `Array<int>`",
        "No `f(0: Array<int>) -> None` when calling: `g(0: Array<int>) -> None`",
    ],
)
def test_texts_of_users_are_not_translated(exports, text):
    assert message_of(TypeError, exports.refuse, text) == text


def test_errors_about_results_of_callbacks_are_translated(exports):
    error = message_of(TypeError, exports.call_for_int, lambda: "text")
    assert error == "Cannot convert from type `str` to `int` in the result of the call"


def test_errors_about_arguments_of_a_closure_name_the_closure(exports):
    assert message_of(ValueError, exports.make_adder(5)) == (
        "Expected 1 arguments, got 0 when calling: "
        "`rust_exports::__tvm_ffi_make_adder::{{closure}}(0: int) -> int`"
    )


@pytest.mark.spec("RUST-R24")
def test_a_panic_is_an_internal_error_with_its_place(exports):
    with pytest.raises(RuntimeError, match=r"^panicked: boom$") as caught:
        exports.panic_with("boom")
    assert caught.value.__tvm_ffi_error__.kind == "InternalError"
    assert ("<panic>", "rust_exports.rs") in places(caught.value)


@pytest.mark.spec("RUST-R27")
def test_an_exception_of_a_callback_keeps_its_identity(exports):
    error = KeyError("of the callback")

    def callback(_value):
        raise error

    with pytest.raises(KeyError) as caught:
        exports.call(callback, 1)
    assert caught.value is error


@pytest.mark.spec("RUST-R24")
def test_a_panic_in_one_thread_does_not_affect_another(exports):
    results = []

    def work():
        for value in range(50):
            with pytest.raises(RuntimeError, match=f"^panicked: {value}$"):
                exports.panic_with(str(value))
            results.append(exports.add_one(value))

    run_threads([threading.Thread(target=work) for _ in range(4)])
    assert sorted(results) == sorted(list(range(1, 51)) * 4)


@pytest.mark.spec("RUST-R26")
def test_exported_functions_have_names_and_defaults(exports):
    scale = exports.scale
    assert str(inspect.signature(scale)) == "(x: float, factor: float = 2.0) -> float"
    assert scale.__doc__ == "Return `x` times `factor`."
    assert exports.get_function_metadata("scale")["arg_names"] == "x, factor"
    assert exports.get_function_metadata("scale")["arg_defaults"] == "[2.0]"
    assert scale(3) == 6
    assert scale(3, 4) == 12
    assert scale(factor=5, x=3) == 15
    with pytest.raises(TypeError, match="missing required argument: 'x'"):
        scale(factor=5)
    with pytest.raises(TypeError, match="did you mean 'factor'"):
        scale(3, faktor=5)


@pytest.mark.spec("RUST-R26")
def test_global_functions_have_names_and_defaults(exports):
    exports.register_global()
    clamp = tvm_ffi.get_global_func("rust_exports.clamp")
    assert str(inspect.signature(clamp)) == "(x: int, low: int = 0, high: int = 100) -> int"
    assert clamp.__doc__ == "Return `x`, or the nearer end of a range."
    assert (clamp(250), clamp(-7, low=-5), clamp(x=3)) == (100, -5, 3)
    call = "when calling: `rust_exports.clamp(x: int, low: int = 0, high: int = 100) -> int`"
    assert message_of(ValueError, clamp, 1, 2, 3, 4) == f"Expected 3 arguments, got 4 {call}"


def test_a_call_by_keyword_says_why_defaults_do_not_fit(exports):
    reason = r"because its arg_defaults '\[1' is not JSON"
    assert exports.wrong_defaults(1) == 2
    with pytest.raises(TypeError, match=reason):
        exports.wrong_defaults(value=1)
