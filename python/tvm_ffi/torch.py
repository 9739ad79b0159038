# SPDX-License-Identifier: Apache-2.0
"""Functions of a library as operators of PyTorch.

``register_ops(module)`` reads the types of the functions from their metadata and registers each
function as a custom operator, which ``torch.compile``, ``torch.export`` and autograd understand::

    ops = tvm_ffi.torch.register_ops(module, mutates={"add_one": ["y"]})
    ops.add_one(x, y)  # torch.ops.<name of the library>.add_one

PyTorch is imported at the first use.
"""

from __future__ import annotations

import inspect
import json
import keyword
from typing import TYPE_CHECKING

from . import _ffi_api, core
from ._display.module import function_names
from ._signatures.function import library_name
from ._signatures.keywords import of_metadata
from ._tensor import device
from ._values.read_only import readers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from .module import Module

__all__ = ["Operators", "register_ops"]

# Scalar types -> PyTorch's schema types. Integers may be symbolic while a graph is traced.
_SCALARS = {
    "int": "SymInt",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "Tensor": "Tensor",
    "dtype": "ScalarType",
    "Device": "Device",
}
_ELEMENTS = frozenset({"int", "float", "bool", "Tensor"})
_SEQUENCES = frozenset({"Array", "List", "list"})
_RESULTS = frozenset({"int", "float", "bool", "Tensor"})


class Operators:
    """The operators that ``register_ops`` made, as attributes, as in ``torch.ops.<namespace>``.

    Attributes
    ----------
    namespace
        The namespace of the operators.
    skipped
        Name of a function of the library that did not become an operator -> the reason.

    """

    def __init__(self, namespace: str, names: tuple[str, ...], skipped: Mapping[str, str]) -> None:
        """Create the collection of operators that are already registered."""
        self.namespace = namespace
        self.skipped = dict(skipped)
        self._names = names

    def __getattr__(self, name: str) -> Any:
        """Return the operator with this name."""
        if name.startswith("_") or name not in self._names:
            reason = self.skipped.get(name) if not name.startswith("_") else None
            about = f": {reason}" if reason else f"; it has {', '.join(self._names) or 'none'}"
            raise AttributeError(f"{self.namespace!r} has no operator {name!r}{about}")
        return getattr(getattr(_pytorch().ops, self.namespace), name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the operators."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return the number of operators."""
        return len(self._names)

    def __dir__(self) -> list[str]:
        """Return the attributes and the names of the operators."""
        return sorted({*super().__dir__(), *self._names})

    def __repr__(self) -> str:
        """Return a text with the namespace and the names of the operators."""
        return f"<Operators torch.ops.{self.namespace}: {', '.join(self._names)}>"


def register_ops(
    module: Module,
    namespace: str | None = None,
    *,
    functions: Iterable[str] | None = None,
    mutates: Mapping[str, Iterable[str]] | None = None,
    fake: Mapping[str, Callable[..., Any]] | None = None,
    autograd: Mapping[str, Callable[..., Any] | tuple[Callable[..., Any], Callable[..., Any]]]
    | None = None,
) -> Operators:
    """Register functions of a library as operators of PyTorch.

    A second registration under the same name replaces the first.

    Parameters
    ----------
    module
        The library. Its functions need metadata, which exported functions have by default.
    namespace
        The operators are ``torch.ops.<namespace>.<function>``; by default, the namespace is the
        name of the library.
    functions
        The functions to register; by default, all functions whose types PyTorch can express. The
        attribute ``skipped`` of the result has the reasons for the other functions.
    mutates
        Maps the name of a function to the names of the tensors that it writes. By default, a
        function without a result writes all of its tensors, except tensors that it declares const
        (``ConstTensorView`` in C++), and a function with a result does not write any tensor.
        Parameters without names are called ``arg0``, ``arg1``, ….
    fake
        Maps the name of a function to the function that ``torch.compile`` calls instead. That
        function takes tensors without memory, and returns an empty tensor with the shape, data type
        and device of the result. It is needed only if a result is a tensor whose type does not say
        this: a ``TypedTensor`` with ``Dims`` of numbers and of names that parameters have does.
    autograd
        Maps the name of a function to ``backward(ctx, *grads)``, or to a pair ``(backward,
        setup_context)`` with ``setup_context(ctx, inputs, output)``, as for
        ``torch.library.register_autograd``.

    Returns
    -------
        The operators.

    Raises
    ------
    ImportError
        If PyTorch is missing.
    ValueError
        If the namespace is not an identifier, or a given name of a function or parameter does not
        exist.
    TypeError
        If ``functions`` names a function whose types are unknown, or are not types of operators.

    """
    name = _namespace_of(module, namespace)
    chosen = _names_of(module) if functions is None else list(dict.fromkeys(functions))
    options: dict[str, Mapping[str, Any]] = {
        "mutates": mutates or {},
        "fake": fake or {},
        "autograd": autograd or {},
    }
    for option, given in options.items():
        for function in given:
            if function not in chosen:
                raise ValueError(f"{option} names {function!r}, which is not registered")
    plans, skipped = [], {}
    for function in chosen:
        try:
            plans.append(_Plan(module, function, options["mutates"].get(function)))
        except _NotAnOperatorError as error:
            if functions is not None or any(function in given for given in options.values()):
                raise TypeError(f"{function!r} cannot be an operator: {error}") from None
            skipped[function] = str(error)
    for plan in plans:
        plan.register(name, options["fake"].get(plan.name), options["autograd"].get(plan.name))
    return Operators(name, tuple(plan.name for plan in plans), skipped)


def _pytorch() -> Any:
    import torch

    return torch


class _NotAnOperatorError(Exception):
    """A function cannot become an operator of PyTorch; the message gives the reason."""


class _Plan:
    """The data for registering a function as an operator: the function and its PyTorch schema."""

    def __init__(self, module: Module, name: str, mutates: Iterable[str] | None) -> None:
        if not name.isidentifier() or keyword.iskeyword(name):
            raise _NotAnOperatorError("its name is not an identifier")
        self.name = name
        self.function = module.get_function(name)
        metadata = module.get_function_metadata(name) or {}
        result, parameters = _types_of(metadata)
        names, defaults = _parameters_of(metadata, len(parameters))
        written = _written(metadata, names, parameters)
        self.mutated = _mutated(name, written, result, mutates)
        self.result = result
        self.parameters = parameters
        self.devices = [i for i, schema in enumerate(parameters) if _is_device(schema)]
        first_default = len(names) - len(defaults)
        described = [
            _parameter(self.mutated, parameter, types)
            + (_default(defaults[i - first_default]) if i >= first_default else "")
            for i, (parameter, types) in enumerate(zip(names, parameters))
        ]
        self.schema = f"({', '.join(described)}) -> {_result(result)}"

    def register(
        self,
        namespace: str,
        fake: Callable[..., Any] | None,
        autograd: Callable[..., Any] | tuple[Callable[..., Any], Callable[..., Any]] | None,
    ) -> None:
        qualified = f"{namespace}::{self.name}"
        operator = _pytorch().library.custom_op(
            qualified, self._implementation(), mutates_args=self.mutated, schema=self.schema
        )
        operator.register_fake(fake or self._fake(qualified))
        if autograd is not None:
            backward, setup = autograd if isinstance(autograd, tuple) else (autograd, None)
            operator.register_autograd(backward, setup_context=setup)

    def _implementation(self) -> Callable[..., Any]:
        function, convert, devices = self.function, _converter_of(self.result), self.devices

        def run(*args: Any) -> Any:
            return function(*args)

        if devices or convert is not _same:

            def run(*args: Any) -> Any:
                given = list(args)
                for i in devices:
                    given[i] = None if args[i] is None else device(str(args[i]))
                return convert(function(*given))

        run.__name__ = run.__qualname__ = self.name
        run.__doc__ = inspect.getdoc(function)
        return run

    def _fake(self, qualified: str) -> Callable[..., Any]:
        if not _has_tensor(self.result):
            zero = None if self.result.origin == "None" else _zero(self.result)
            return lambda *_args, **_kwargs: zero
        if _is_determined(self.result, self.parameters):
            return lambda *args: _empty(self.result, self.parameters, args)

        def unknown(*_args: Any, **_kwargs: Any) -> Any:
            raise NotImplementedError(
                f"{qualified}: the shape of the result is not known while a graph is traced; pass "
                f"fake={{{self.name!r}: function}} to tvm_ffi.torch.register_ops"
            )

        return unknown


# ---- metadata of the library ----


def _namespace_of(module: Module, namespace: str | None) -> str:
    if namespace is None:
        path = _ffi_api.ModuleGetPath(module)
        namespace = library_name(str(path)) if path else ""
        if not namespace:
            raise ValueError(
                "the module does not have the name of a library; pass a namespace to register_ops"
            )
    if not namespace.isidentifier() or keyword.iskeyword(namespace):
        raise ValueError(f"the namespace {namespace!r} is not an identifier")
    return namespace


def _names_of(module: Module) -> list[str]:
    names = function_names(module)
    if names is None:
        raise ValueError("a module of this kind does not list its functions; pass functions=[...]")
    return list(names)


def _types_of(metadata: dict[str, Any]) -> tuple[core.TypeSchema, tuple[core.TypeSchema, ...]]:
    text = metadata.get("type_schema")
    if not text:
        raise _NotAnOperatorError("the library has no metadata about it")
    schema = core.TypeSchema.from_json_str(text if isinstance(text, str) else json.dumps(text))
    groups = schema.named_args
    if groups is None:
        raise _NotAnOperatorError("it takes packed arguments, whose types are not known")
    return groups["return"][0], groups["params"]


def _parameters_of(metadata: dict[str, Any], count: int) -> tuple[list[str], tuple[Any, ...]]:
    """Return the names of all parameters, and the defaults of the last parameters."""
    found = of_metadata(json.dumps(metadata))
    names, defaults = found if found is not None else ((), ())
    if len(names) != count or not all(n.isidentifier() for n in names):
        return [f"arg{i}" for i in range(count)], ()
    return list(names), tuple(defaults)


def _written(
    metadata: dict[str, Any], names: list[str], types: tuple[core.TypeSchema, ...]
) -> list[str]:
    """Return the names of the parameters with tensors that are not declared const."""
    readers = readers_of(metadata) or [False] * len(names)
    return [
        name
        for name, schema, only_reads in zip(names, types, readers)
        if _has_tensor(schema) and not only_reads
    ]


def _mutated(
    function: str, tensors: list[str], result: core.TypeSchema, given: Iterable[str] | None
) -> list[str]:
    if given is None:
        return tensors if result.origin == "None" else []
    given = [given] if isinstance(given, str) else list(given)
    for parameter in given:
        if parameter not in tensors:
            raise ValueError(
                f"mutates: {function!r} does not have a tensor {parameter!r} that it may write; "
                f"these tensors are {', '.join(tensors) or 'none'}"
            )
    return given


# ---- schemas of PyTorch ----


def _has_tensor(schema: core.TypeSchema) -> bool:
    return schema.origin == "Tensor" or any(_has_tensor(arg) for arg in schema.args or ())


def _is_device(schema: core.TypeSchema) -> bool:
    return schema.origin == "Device" or (
        schema.origin == "Optional" and any(_is_device(arg) for arg in schema.args or ())
    )


def _parameter(mutated: list[str], name: str, schema: core.TypeSchema) -> str:
    text = _type(schema, name)
    if name in mutated:
        alias = f"a{mutated.index(name)}!"
        text = text.replace("Tensor", f"Tensor({alias})", 1)
    return f"{text} {name}"


def _type(schema: core.TypeSchema, name: str) -> str:
    args = schema.args or ()
    if schema.origin in _SCALARS:
        return _SCALARS[schema.origin]
    if schema.origin == "Optional" and len(args) == 1:
        return _type(args[0], name) + "?"
    if schema.origin == "Shape":
        return "SymInt[]"
    if schema.origin in _SEQUENCES and len(args) == 1:
        element = args[0]
        if element.origin in _ELEMENTS:
            return f"{_SCALARS[element.origin]}[]"
    raise _NotAnOperatorError(f"PyTorch has no type for its parameter {name!r}: {schema}")


def _default(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, float)):
        return f"={value!r}"
    if isinstance(value, str):
        return f"={json.dumps(value)}"
    raise _NotAnOperatorError(f"PyTorch has no default like {value!r}")


def _result(schema: core.TypeSchema) -> str:
    if schema.origin == "None":
        return "()"
    if schema.origin == "tuple":
        return f"({', '.join(_one_result(arg) for arg in schema.args or ())})"
    return _one_result(schema)


def _one_result(schema: core.TypeSchema) -> str:
    if schema.origin in _RESULTS:
        return _SCALARS[schema.origin]
    args = schema.args or ()
    if schema.origin in _SEQUENCES and len(args) == 1 and args[0].origin == "Tensor":
        return "Tensor[]"
    raise _NotAnOperatorError(f"PyTorch has no type for its result: {schema}")


# ---- results ----


def _same(value: Any) -> Any:
    return value


def _tensor(value: Any) -> Any:
    """Convert a ``Tensor`` to a PyTorch tensor; return other values unchanged."""
    if isinstance(value, core.Tensor):
        core._tensor_check_for_torch(value)
        return _pytorch().from_dlpack(value)
    return value


def _converter_of(schema: core.TypeSchema) -> Callable[[Any], Any]:
    if schema.origin == "Tensor":
        return _tensor
    if schema.origin == "tuple":
        each = [_converter_of(arg) for arg in schema.args or ()]
        return lambda values: tuple(convert(v) for convert, v in zip(each, values))
    if schema.origin in _SEQUENCES:
        return lambda values: [_tensor(value) for value in values]
    return _same


# ---- results without memory, from the declared types ----


def _is_determined(result: core.TypeSchema, parameters: tuple[core.TypeSchema, ...]) -> bool:
    """Return whether shape and data type of each tensor in a result follow from the parameters."""
    if result.origin == "tuple":
        return all(_is_determined(arg, parameters) for arg in result.args or ())
    if result.origin != "Tensor":
        return not _has_tensor(result)
    if result.tensor is None:
        return False
    typed = [parameter.tensor for parameter in parameters if parameter.tensor]
    named = {name for other in typed for name in other.get("shape") or () if name is not None}
    shape, dtypes = result.tensor.get("shape"), result.tensor["dtype"]
    return (
        bool(typed)
        and shape is not None
        and all(isinstance(extent, int) or extent in named for extent in shape)
        and (len(dtypes) == 1 or any(other["dtype"] == dtypes for other in typed))
    )


def _empty(
    result: core.TypeSchema, parameters: tuple[core.TypeSchema, ...], args: tuple[Any, ...]
) -> Any:
    """Return a result without memory for arguments without memory."""
    if result.origin == "tuple":
        return tuple(_empty(arg, parameters, args) for arg in result.args or ())
    if result.origin != "Tensor" or result.tensor is None:
        return _zero(result)
    given = [(p.tensor, arg) for p, arg in zip(parameters, args) if p.tensor and arg is not None]
    extents = {
        name: arg.shape[i]
        for tensor, arg in reversed(given)
        for i, name in enumerate(tensor.get("shape") or ())
        if isinstance(name, str)
    }
    shape = [extents.get(extent, extent) for extent in result.tensor["shape"]]
    dtypes = result.tensor["dtype"]
    if len(dtypes) == 1:
        dtype = getattr(_pytorch(), dtypes[0])
    else:
        dtype = next(arg.dtype for tensor, arg in given if tensor["dtype"] == dtypes)
    return given[0][1].new_empty(shape, dtype=dtype)


def _zero(schema: core.TypeSchema) -> Any:
    kinds: dict[str, Any] = {"int": 0, "float": 0.0, "bool": False}
    if schema.origin == "tuple":
        return tuple(_zero(arg) for arg in schema.args or ())
    return kinds[schema.origin]
