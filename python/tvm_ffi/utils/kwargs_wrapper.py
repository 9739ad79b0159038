# SPDX-License-Identifier: Apache-2.0
"""Wrap positional-only functions in functions with parameter names and defaults."""

from __future__ import annotations

import functools
import inspect
import keyword

from tvm_ffi.core import MISSING

from .unpack_dataclass import unpack_dataclass_to_tuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

# Names that the generated code uses itself.
_TARGET = "__i_target_func"
_MISSING = "__i_MISSING"
_DEFAULTS = "__i_arg_defaults"
_UNPACK = "__i_unpack"
_INTERNAL_NAMES = {_TARGET, _MISSING, _DEFAULTS, _UNPACK}


def make_kwargs_wrapper(
    target_func: Callable[..., Any],
    arg_names: list[str],
    arg_defaults: tuple[Any, ...] = (),
    kwonly_names: list[str] | None = None,
    kwonly_defaults: dict[str, Any] | None = None,
    prototype: Callable[..., Any] | None = None,
    map_dataclass_to_tuple: list[str] | None = None,
) -> Callable[..., Any]:
    """Return a Python function with the described signature that calls ``target_func``.

    ``target_func`` gets all values by position: the values for ``arg_names``, then the values for
    ``kwonly_names``.

    Parameters
    ----------
    target_func
        The function to call.
    arg_names
        The names of the arguments that may be passed by position.
    arg_defaults
        The defaults of the last positional arguments. The signature shows a default as ``MISSING``,
        unless it is ``None`` or a Boolean; passing ``MISSING`` selects the default.
    kwonly_names
        The names of the keyword-only arguments.
    kwonly_defaults
        The defaults of keyword-only arguments, by name.
    prototype
        A function whose name, documentation and annotations are copied to the result.
    map_dataclass_to_tuple
        The names of arguments to which ``unpack_dataclass_to_tuple`` is applied.

    Raises
    ------
    TypeError
        If a name is not a string, or ``arg_defaults`` is not a tuple.
    ValueError
        If the names and defaults do not form a valid signature.

    Examples
    --------
    >>> from tvm_ffi.utils.kwargs_wrapper import make_kwargs_wrapper
    >>> scale = make_kwargs_wrapper(lambda x, factor: x * factor, ["x", "factor"], (2,))
    >>> scale(4), scale(4, factor=3)
    (8, 12)

    """
    keyword_names = list(kwonly_names or ())
    keyword_defaults = dict(kwonly_defaults or {})
    names = list(arg_names)
    _check(names, arg_defaults, keyword_names, keyword_defaults)
    defaults = dict(zip(names[len(names) - len(arg_defaults) :], arg_defaults))
    defaults.update(keyword_defaults)
    source = _wrapper_source(names, keyword_names, defaults, set(map_dataclass_to_tuple or ()))
    namespace: dict[str, Any] = {
        _TARGET: target_func,
        _MISSING: MISSING,
        _DEFAULTS: defaults,
        _UNPACK: unpack_dataclass_to_tuple,
    }
    exec(source, namespace)
    wrapper: Callable[..., Any] = namespace["wrapper"]
    return wrapper if prototype is None else functools.update_wrapper(wrapper, prototype)


def make_kwargs_wrapper_from_signature(
    target_func: Callable[..., Any],
    signature: inspect.Signature,
    prototype: Callable[..., Any] | None = None,
    exclude_arg_names: Iterable[str] | None = None,
    map_dataclass_to_tuple: list[str] | None = None,
) -> Callable[..., Any]:
    """Return a Python function with the given signature that calls ``target_func``.

    Parameters
    ----------
    target_func
        The function to call, with all values by position.
    signature
        The names and defaults; positional-only parameters are treated like other parameters.
    prototype
        A function whose name, documentation and annotations are copied to the result.
    exclude_arg_names
        Names in the signature to omit; they are not passed to ``target_func``.
    map_dataclass_to_tuple
        The names of arguments to which ``unpack_dataclass_to_tuple`` is applied.

    Raises
    ------
    ValueError
        If the signature has ``*args`` or ``**kwargs``, or is invalid after omitting names.

    """
    excluded = set(exclude_arg_names or ())
    names: list[str] = []
    defaults: list[Any] = []
    keyword_names: list[str] = []
    keyword_defaults: dict[str, Any] = {}
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            raise ValueError("*args not supported in wrapper generation")
        if parameter.kind is parameter.VAR_KEYWORD:
            raise ValueError("**kwargs not supported in wrapper generation")
        if name in excluded:
            continue
        given = parameter.default is not parameter.empty
        if parameter.kind is parameter.KEYWORD_ONLY:
            keyword_names.append(name)
            if given:
                keyword_defaults[name] = parameter.default
        else:
            names.append(name)
            if given:
                defaults.append(parameter.default)
            elif defaults:
                raise ValueError(
                    f"Required positional parameter {name!r} cannot follow parameters with defaults"
                )
    return make_kwargs_wrapper(
        target_func,
        names,
        tuple(defaults),
        keyword_names,
        keyword_defaults,
        prototype,
        map_dataclass_to_tuple,
    )


# ---- checks ----


def _check(
    names: list[str], defaults: tuple[Any, ...], kwonly: list[str], kwonly_defaults: dict[str, Any]
) -> None:
    if len(set(names)) != len(names):
        raise ValueError(f"Duplicate argument names found in: {names}")
    if len(set(kwonly)) != len(kwonly):
        raise ValueError(f"Duplicate keyword-only argument names found in: {kwonly}")
    for name in (*names, *kwonly):
        _check_name(name)
    if not isinstance(defaults, tuple):
        raise TypeError(f"arg_defaults must be a tuple, got {type(defaults).__name__}")
    if len(defaults) > len(names):
        raise ValueError(
            f"arg_defaults has {len(defaults)} values but only {len(names)} positional arguments"
        )
    for name in kwonly_defaults:
        if name not in kwonly:
            raise ValueError(
                f"Default provided for {name!r} which is not in kwonly_names: {kwonly}"
            )
    both = set(names) & set(kwonly)
    if both:
        raise ValueError(f"Arguments cannot be both positional and keyword-only: {both}")
    reserved = _INTERNAL_NAMES & {*names, *kwonly}
    if reserved:
        raise ValueError(
            f"Argument names conflict with internal names: {reserved}. "
            'Please avoid using names starting with "__i_"'
        )


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        raise TypeError(f"Argument name must be a string, got {type(name).__name__}: {name!r}")
    if not name.isidentifier():
        raise ValueError(f"Invalid argument name: {name!r} is not a valid Python identifier")
    if keyword.iskeyword(name):
        raise ValueError(
            f"Invalid argument name: {name!r} is a Python keyword "
            "and cannot be used as a parameter name"
        )


# ---- the generated code ----


def _wrapper_source(
    names: list[str], kwonly: list[str], defaults: dict[str, Any], unpacked: set[str]
) -> str:
    parameters = [_parameter(name, defaults) for name in names]
    if kwonly:
        parameters += ["*", *(_parameter(name, defaults) for name in kwonly)]
    arguments = (_argument(name, defaults, unpacked) for name in (*names, *kwonly))
    return f"def wrapper({', '.join(parameters)}):\n    return {_TARGET}({', '.join(arguments)})\n"


def _is_literal(default: object) -> bool:
    """Return whether the signature shows a default unchanged."""
    return default is None or isinstance(default, bool)


def _parameter(name: str, defaults: dict[str, Any]) -> str:
    if name not in defaults:
        return name
    default = defaults[name]
    return f"{name}={default if _is_literal(default) else _MISSING}"


def _argument(name: str, defaults: dict[str, Any], unpacked: set[str]) -> str:
    value = name
    if name in defaults and not _is_literal(defaults[name]):
        value = f"({_DEFAULTS}[{name!r}] if {name} is {_MISSING} else {name})"
    return f"{_UNPACK}({value})" if name in unpacked else value
