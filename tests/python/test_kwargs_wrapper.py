# SPDX-License-Identifier: Apache-2.0
"""Test functions with keywords and defaults that call functions with positional parameters."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from tvm_ffi.core import MISSING
from tvm_ffi.utils.kwargs_wrapper import make_kwargs_wrapper, make_kwargs_wrapper_from_signature


def collect(*args):
    return args


@dataclasses.dataclass
class Point:
    x: int
    y: object


def signature_of(function):
    return str(inspect.signature(function)).replace(repr(MISSING), "MISSING")


@pytest.mark.spec("PY-J272")
def test_all_values_go_by_position():
    f = make_kwargs_wrapper(
        collect,
        ["a", "b", "c"],
        (None, [1]),
        kwonly_names=["k", "j"],
        kwonly_defaults={"j": True},
    )
    assert f.__name__ == "wrapper"
    assert signature_of(f) == "(a, b=None, c=MISSING, *, k, j=True)"
    assert f(1, k=2) == (1, None, [1], 2, True)
    assert f(1, 2, 3, k=4, j=5) == (1, 2, 3, 4, 5)
    assert f(c=7, a=1, k=0) == (1, None, 7, 0, True)


def test_missing_stands_for_the_default():
    f = make_kwargs_wrapper(collect, ["a", "b"], (5, None), ["k"], {"k": "d"})
    assert f(MISSING, MISSING, k=MISSING) == (5, MISSING, "d")


def test_default_is_the_same_object_in_every_call():
    default = [1]
    f = make_kwargs_wrapper(collect, ["a"], (default,))
    assert f()[0] is default
    assert f()[0] is default


def test_no_arguments_at_all():
    assert make_kwargs_wrapper(collect, [])() == ()


def test_wrong_calls():
    f = make_kwargs_wrapper(collect, ["a", "b"], (1,), ["k"])
    for call in (lambda: f(k=1), lambda: f(1), lambda: f(1, k=1, z=2), lambda: f(1, 2, 3, k=1)):
        with pytest.raises(TypeError, match=r"^wrapper\(\)"):
            call()


def test_prototype_gives_name_and_documentation():
    def scale(x: int, by: str = "x") -> int:
        """Scale it."""

    f = make_kwargs_wrapper(collect, ["x", "by"], ("x",), prototype=scale)
    assert (f.__name__, f.__qualname__) == (scale.__name__, scale.__qualname__)
    assert f.__doc__ == "Scale it."
    assert f.__annotations__ == scale.__annotations__
    assert f.__wrapped__ is scale


def test_dataclasses_become_tuples_where_asked():
    f = make_kwargs_wrapper(
        collect, ["a", "b"], (Point(1, 2),), ["c"], map_dataclass_to_tuple=["a", "c", "none"]
    )
    nested = Point(1, Point(2, 3))
    assert f(nested, nested, c=[nested]) == ((1, (2, 3)), nested, [(1, (2, 3))])
    mapped = make_kwargs_wrapper(collect, ["a"], (Point(1, 2),), map_dataclass_to_tuple=["a"])
    assert mapped() == ((1, 2),)


@pytest.mark.spec("PY-J272")
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((["a", "a"],), ValueError, "Duplicate argument names found in: ['a', 'a']"),
        (
            ([], (), ["b", "b"]),
            ValueError,
            "Duplicate keyword-only argument names found in: ['b', 'b']",
        ),
        ((["1a"],), ValueError, "'1a' is not a valid Python identifier"),
        ((["a.b"],), ValueError, "'a.b' is not a valid Python identifier"),
        (
            (["for"],),
            ValueError,
            "'for' is a Python keyword and cannot be used as a parameter name",
        ),
        (([], (), ["if"]), ValueError, "'if' is a Python keyword"),
        (
            (["a"], (1, 2)),
            ValueError,
            "arg_defaults has 2 values but only 1 positional arguments",
        ),
        (
            (["a"], (), None, {"z": 1}),
            ValueError,
            "Default provided for 'z' which is not in kwonly_names: []",
        ),
        (
            (["a"], (), ["a"]),
            ValueError,
            "Arguments cannot be both positional and keyword-only: {'a'}",
        ),
        (
            (["__i_MISSING"],),
            ValueError,
            "Argument names conflict with internal names: {'__i_MISSING'}. "
            'Please avoid using names starting with "__i_"',
        ),
        (([1],), TypeError, "Argument name must be a string, got int: 1"),
        ((["a"], [1]), TypeError, "arg_defaults must be a tuple, got list"),
    ],
)
def test_descriptions_that_make_no_signature(arguments, error, message):
    with pytest.raises(error) as caught:
        make_kwargs_wrapper(collect, *arguments)
    assert message in str(caught.value)


def test_reserved_names_are_four():
    for name in ("__i_target_func", "__i_MISSING", "__i_arg_defaults", "__i_unpack"):
        with pytest.raises(ValueError, match="conflict with internal names"):
            make_kwargs_wrapper(collect, [], kwonly_names=[name])
    assert make_kwargs_wrapper(collect, ["__i_other"])(1) == (1,)


# ---- from a signature ----


@pytest.mark.spec("PY-J272")
def test_from_signature():
    def model(a, b=1, *, c, d=5):
        pass

    f = make_kwargs_wrapper_from_signature(collect, inspect.signature(model))
    assert signature_of(f) == "(a, b=MISSING, *, c, d=MISSING)"
    assert f(1, c=2) == (1, 1, 2, 5)


def test_names_of_positional_arguments_may_be_used():
    def model(a, /, b=3):
        pass

    f = make_kwargs_wrapper_from_signature(collect, inspect.signature(model))
    assert f(a=1) == (1, 3)


def test_excluded_names():
    def model(a, b=1, c=2):
        pass

    f = make_kwargs_wrapper_from_signature(
        collect, inspect.signature(model), exclude_arg_names=["a", "unknown"]
    )
    assert f() == (1, 2)


def test_prototype_of_a_signature():
    def model(x: int = 1):
        """Document it."""

    f = make_kwargs_wrapper_from_signature(collect, inspect.signature(model), prototype=model)
    assert (f.__name__, f.__doc__) == ("model", "Document it.")


def test_variable_arguments_are_refused():
    def stars(a, *args):
        pass

    def names(a, **kwargs):
        pass

    with pytest.raises(ValueError, match=r"^\*args not supported in wrapper generation$"):
        make_kwargs_wrapper_from_signature(collect, inspect.signature(stars))
    with pytest.raises(ValueError, match=r"^\*\*kwargs not supported in wrapper generation$"):
        make_kwargs_wrapper_from_signature(collect, inspect.signature(names))


@pytest.mark.spec("PY-J272")
def test_required_after_optional_is_refused():
    class Loose:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = {  # noqa: RUF012
            "a": inspect.Parameter("a", kind, default=1),
            "b": inspect.Parameter("b", kind),
        }

    message = "Required positional parameter 'b' cannot follow parameters with defaults"
    with pytest.raises(ValueError, match=message):
        make_kwargs_wrapper_from_signature(collect, Loose())
    f = make_kwargs_wrapper_from_signature(collect, Loose(), exclude_arg_names={"a"})
    assert f(2) == (2,)
