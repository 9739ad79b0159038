# SPDX-License-Identifier: Apache-2.0
"""Test keyword arguments of functions whose metadata has parameter names."""

from __future__ import annotations

import dataclasses
import inspect
import json

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi._signatures import function as signatures
from tvm_ffi._signatures import keywords as _keywords
from tvm_ffi.core import MISSING
from tvm_ffi.utils.kwargs_wrapper import make_kwargs_wrapper, make_kwargs_wrapper_from_signature

weigh = tvm_ffi.get_global_func("testing.weigh")  # x + 10 * y + 100 * z; y and z default to 2 and 3


@pytest.mark.spec("PY-D112")
def test_keywords_are_bound_to_positions():
    assert weigh(1, 2, 3) == 321
    assert weigh(1, 2, z=4) == 421
    assert weigh(1, z=4) == 421
    assert weigh(x=1) == 321
    assert weigh(z=1, y=1, x=1) == 111


@pytest.mark.spec("PY-D112")
@pytest.mark.parametrize(
    ("args", "keywords", "text"),
    [
        ((1,), {"q": 1}, "got an unexpected keyword argument 'q'; its parameters are x, y, z"),
        ((1,), {"x": 2}, "got multiple values for argument 'x'"),
        ((), {"y": 2}, "missing required argument: 'x'"),
        ((1, 2, 3, 4), {"x": 2}, "takes 3 positional arguments but 4 were given"),
    ],
)
def test_mistakes_are_named(args, keywords, text):
    with pytest.raises(TypeError) as caught:
        weigh(*args, **keywords)
    assert str(caught.value) == f"testing.weigh() {text}"


def test_other_functions_take_none():
    echo = tvm_ffi.get_global_func("testing.echo")
    for function in (echo, tvm_ffi.convert(lambda x: x)):
        for _ in range(2):
            with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
                function(x=1)
    assert echo(1) == 1


def test_arguments_are_converted_once():
    with pytest.raises(TypeError, match="Mismatched type on argument #0"):
        weigh(x="a")


def test_defaults_stand_for_what_a_call_by_position_leaves_out():
    function = tvm_ffi.get_global_func("testing.weigh")
    for _ in range(3):  # the first call reads the defaults, later calls use the cached ones
        assert function(1) == 321
        assert function(1, 5) == 351
        assert function(1, 5, 6) == 651
        assert function(1, z=6) == 621
    for _ in range(2):
        with pytest.raises(
            TypeError, match=r"`testing.weigh\(.*Expected 1 to 3 but got 0 arguments; missing `x`"
        ):
            function()
        with pytest.raises(TypeError, match="Expected 1 to 3 but got 4 arguments"):
            function(1, 2, 3, 4)
        with pytest.raises(TypeError, match="Mismatched type on argument #0"):
            function("a")


def test_an_error_from_within_is_not_taken_for_missing_arguments():
    text = "Mismatched number of arguments when calling: `testing.apply(...)`. Expected 3 but got 2"
    errors = [TypeError(f"{text} arguments"), TypeError(""), TypeError("`"), TypeError()]
    left = iter(errors)

    def fail(_):
        raise next(left)

    apply = tvm_ffi.get_global_func("testing.apply")
    for error in errors:
        with pytest.raises(TypeError) as caught:
            apply(fail, 1)
        assert caught.value is error
    assert next(left, None) is None  # each call was made once


class Counted:
    """A value that counts its conversions."""

    def __init__(self, value):
        self.value = value
        self.conversions = 0

    def __tvm_ffi_value__(self):
        self.conversions += 1
        return self.value


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(
    ("call", "result"),
    [
        (lambda f, x: f(x), 321),
        (lambda f, x: f(x, 5), 351),
        (lambda f, x: f(x, 5, 6), 651),
        (lambda f, x: f(x, z=6), 621),
        (lambda f, x: f(5, x), 315),
        (lambda f, x: f(x=x), 321),
    ],
)
def test_a_conversion_with_side_effects_happens_once_per_call(call, result, is_first):
    function = tvm_ffi.get_global_func("testing.weigh")
    if not is_first:
        function(1)
    counted = Counted(1)
    assert call(function, counted) == result
    assert counted.conversions == 1
    with pytest.raises(TypeError, match="Expected 1 to 3 but got 4 arguments"):
        function(counted, counted, counted, counted)
    assert counted.conversions == 5


def test_a_conversion_that_raises_an_arity_error_is_not_made_again():
    text = "Mismatched number of arguments when calling: `testing.weigh(...)`. Expected 3 but got 1"
    calls = []

    class Failing:
        def __tvm_ffi_value__(self):
            calls.append(1)
            raise TypeError(f"{text} arguments")

    for _ in range(2):
        with pytest.raises(TypeError, match="Expected 3 but got 1"):
            tvm_ffi.get_global_func("testing.weigh")(Failing())
    assert len(calls) == 2


def test_a_wrapper_keeps_its_parameters_when_another_function_gets_the_name(run_python):
    out = run_python(
        """
import tvm_ffi
function = tvm_ffi.get_global_func("testing.weigh")
tvm_ffi.register_global_func("testing.weigh", lambda *args: len(args), override=True)
other = tvm_ffi.get_global_func("testing.weigh")
print(function(1), function(1, z=6), other(1))
try:
    other(1, z=6)
except TypeError as error:
    print(error)
"""
    )
    assert out.splitlines() == [
        "321 621 1",
        "testing.weigh() got an unexpected keyword argument 'z': it takes positional arguments "
        "only, because it is registered without the names of its parameters (in C++ and Rust: "
        "arg_names)",
    ]


# ---- methods ----


@tvm_ffi.register_object("testing.TestMethodKeywords")
class Weighing(tvm_ffi.Object):
    """An object whose methods have parameter names."""


def test_methods_take_keywords():
    thing = Weighing()
    assert thing.weigh(1, 2, 3) == 1321
    assert thing.weigh(1, 2, z=4) == 1421
    assert thing.weigh(x=1) == 1321
    assert thing.weigh(z=1, y=1, x=1) == 1111
    assert Weighing.weigh(thing, 1, z=4) == 1421
    method = thing.weigh
    for _ in range(3):
        assert method(y=0, x=0) == 1300
    assert thing.weigh(1, y=2, z=3) == 1321


def test_methods_have_defaults_by_position():
    thing = Weighing()
    for _ in range(3):
        assert thing.weigh(1) == 1321
        assert thing.weigh(1, 5) == 1351
        assert Weighing.weigh(thing, 1, 5) == 1351
        assert thing.weigh(1, y=5, z=6) == 1651
        with pytest.raises(TypeError, match="Expected 2 to 4 but got 1 arguments"):
            thing.weigh()
        with pytest.raises(TypeError, match="Expected 4 but got 2 arguments"):
            thing.bare(1)


def test_arguments_of_methods_are_converted_once():
    for call in (Weighing().weigh, lambda x: Weighing.weigh(Weighing(), x)):
        counted = Counted(1)
        assert call(counted) == 1321
        assert counted.conversions == 1


def test_static_methods_take_keywords():
    assert Weighing.difference(y=1, x=5) == 4
    assert Weighing().difference(5, y=1) == 4
    with pytest.raises(
        TypeError, match=r"^Weighing.difference\(\) missing required argument: 'y'$"
    ):
        Weighing.difference(x=1)


@pytest.mark.parametrize(
    ("args", "keywords", "text"),
    [
        ((1,), {"q": 1}, "got an unexpected keyword argument 'q'; its parameters are x, y, z"),
        ((1,), {"x": 2}, "got multiple values for argument 'x'"),
        (
            (1,),
            {"self": 2},
            "got an unexpected keyword argument 'self'; its parameters are x, y, z",
        ),
        ((), {"y": 2}, "missing required argument: 'x'"),
        ((1, 2, 3, 4), {"x": 2}, "takes 3 positional arguments but 4 were given"),
    ],
)
def test_mistakes_of_methods_are_named(args, keywords, text):
    with pytest.raises(TypeError) as caught:
        Weighing().weigh(*args, **keywords)
    assert str(caught.value) == f"Weighing.weigh() {text}"


def test_methods_that_name_nothing_take_no_keywords():
    thing = Weighing()
    assert thing.bare(1, 2, 3) == 1321
    for _ in range(2):
        with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
            thing.bare(x=1, y=2, z=3)
    with pytest.raises(TypeError, match="needs an argument"):
        Weighing.weigh()
    with pytest.raises(TypeError):
        Weighing.weigh(x=1)


_TWO = r"""{"type": "ffi.Function", "named_args": {"return": [{"type": "int"}],
"params": [{"type": "int"}, {"type": "int"}]}}"""
_NO_FIT = [
    ({"arg_names": "a"}, "arg_names 'a' has 1 name, but the function has 2 parameters"),
    ({"arg_names": ""}, "arg_names '' has 0 names, but the function has 2 parameters"),
    ({"arg_names": "a,b,c"}, "arg_names 'a,b,c' has 3 names, but the function has 2 parameters"),
    ({"arg_names": "a,a"}, "arg_names 'a,a' repeats 'a'"),
    ({"arg_names": "a,"}, "arg_names 'a,' has '', which is not an identifier of Python"),
    (
        {"arg_names": "a,lambda"},
        "arg_names 'a,lambda' has 'lambda', which is not an identifier of Python",
    ),
    ({"arg_names": 3}, "arg_names 3 is not text"),
    (
        {"arg_names": "a,b", "arg_defaults": "[1"},
        "arg_defaults '[1' is not JSON (Expecting ',' delimiter: line 1 column 3 (char 2))",
    ),
    (
        {"arg_names": "a,b", "arg_defaults": "[1,2,3]"},
        "arg_defaults '[1,2,3]' has 3 values, but its arg_names 'a,b' only 2",
    ),
    ({"arg_names": "a,b", "arg_defaults": "1"}, "arg_defaults '1' is not a JSON array"),
    (
        {"arg_names": "a,b", "arg_defaults": '{"a": 1}'},
        """arg_defaults '{"a": 1}' is not a JSON array""",
    ),
    (
        {"arg_names": "a,b", "arg_defaults": "[1, 2.5]"},
        "arg_defaults '[1, 2.5]' has 2.5 for the parameter 'b' of type int",
    ),
]


@pytest.mark.parametrize(("entries", "fault"), _NO_FIT)
def test_names_that_do_not_fit_are_refused_by_keyword_only(entries, fault):
    metadata = {"type_schema": _TWO, **entries}
    names, defaults = _keywords.of_metadata(json.dumps(metadata))
    assert defaults == ()
    text = _keywords.hint("a", names)
    assert text == f": it takes positional arguments only, because its {fault}"
    assert _keywords.of_entries(metadata, 2) is None
    assert str(signatures.of_metadata(metadata)) == "(arg0: int, arg1: int, /) -> int"


@pytest.mark.parametrize(
    ("type_", "good", "bad"),
    [
        ({"type": "float"}, ["1", "1.5", "NaN"], ['"a"', "null", "[]"]),
        ({"type": "bool"}, ["true", "0"], ['"a"', "1.5"]),
        ({"type": "ffi.String"}, ['"a"'], ["1", "null"]),
        ({"type": "Optional", "args": [{"type": "int"}]}, ["null", "1"], ['"a"', "1.5"]),
        (
            {"type": "Variant", "args": [{"type": "int"}, {"type": "ffi.String"}]},
            ["1", '"a"'],
            ["null"],
        ),
        ({"type": "DataType"}, ['"float32"'], []),
        ({"type": "Any"}, ["null", "[1]", '"a"'], []),
        ({"type": "Optional"}, ["1"], []),
    ],
)
def test_default_of_another_type_does_not_fit(type_, good, bad):
    schema = {"type": "ffi.Function", "named_args": {"return": [], "params": [type_]}}
    for texts, fits in ((good, True), (bad, False)):
        for text in texts:
            metadata = {"type_schema": json.dumps(schema), "arg_names": "a"}
            metadata["arg_defaults"] = f"[{text}]"
            assert (_keywords.fault_of(metadata, 1) is None) is fits
            assert (_keywords.of_entries(metadata, 1) is not None) is fits
            found = _keywords.of_metadata(json.dumps(metadata))
            assert isinstance(found[0], _keywords.Unfit) is not fits


@pytest.mark.parametrize("text", ['{"arg_names": "a"', '["arg_names"]', b'"arg_names"'])
def test_metadata_that_cannot_be_read_is_refused_by_keyword_only(text):
    names, defaults = _keywords.of_metadata(text)
    assert defaults == ()
    assert _keywords.hint("a", names).endswith(", because its metadata is not a JSON object")


def test_receivers_have_no_names():
    info = core._lookup_or_register_type_info_from_type_key("ffi.reflection.AccessPath")
    (method,) = [m for m in info.methods if m.name == "_array_item"]
    for names, fits in [("index", True), ("self,index", True), ("a,b,c", False), ("", False)]:
        found = _keywords.of_metadata(json.dumps({**method.metadata, "arg_names": names}))
        # A list of names fits with or without a leading `self`, because the metadata can describe a
        # method or a function.
        assert isinstance(found[0], _keywords.Unfit) is not fits


def test_metadata_without_names():
    assert _keywords.of_metadata("") is None
    assert _keywords.of_metadata("{}") is None
    assert _keywords.of_metadata('{"arg_names": ""}') == ((), ())


# ---- functions with keywords and defaults that call functions with positional parameters


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
        collect, ["a", "b", "c"], (None, [1]), kwonly_names=["k", "j"], kwonly_defaults={"j": True}
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
        ((["a"], (1, 2)), ValueError, "arg_defaults has 2 values but only 1 positional arguments"),
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
