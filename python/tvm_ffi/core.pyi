# SPDX-License-Identifier: Apache-2.0
"""The interface of the extension module ``tvm_ffi.core``, for type checkers and readers.

Loading the extension makes the symbols of ``libtvm_ffi.so`` global, so that compiled clients find
them. The following values connect the extension with Python modules, which are imported on demand:

* ``_lazy_class_module``: type key -> the module that registers its class. The extension imports the
  module when it returns the first value of the type. The key ``"DataType"`` means data types.
* ``_testing_loader``: called without arguments when a name that begins with ``testing.`` is not
  found; then the lookup is repeated. The value is ``None`` after the first call.
* ``__getattr__``: set by ``tvm_ffi/_native.py``; returns ``DLDeviceType``, and ``torch``,
  ``numpy``, ``ml_dtypes`` and ``cuda_driver`` if they are in ``sys.modules``.
* ``_WITH_APPEND_BACKTRACE`` and ``_TRACEBACK_TO_BACKTRACE_STR``: see ``tvm_ffi.error``; ``None``
  unless that module has been imported. Without that module, the extension uses its own code.
"""

import ctypes
from abc import ABCMeta
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from inspect import Signature
from types import ModuleType
from typing import Any, ClassVar, Generic, Literal, SupportsIndex, TypeVar, overload

from typing_extensions import Self

from ._dtype import dtype as _dtype_class
from ._tensor import DLDeviceType as DLDeviceType
from ._types.define import _register_fields as _register_fields
from ._types.define import _register_py_class as _register_py_class
from ._types.define import _register_py_methods as _register_py_methods
from ._types.define import _rollback_py_class as _rollback_py_class
from ._types.define import _take_type_key as _take_type_key
from ._types.field import FieldGetter as FieldGetter
from ._types.field import FieldSetter as FieldSetter
from ._types.field import TypeField as TypeField
from ._types.field import TypeMethod as TypeMethod
from ._types.info import TypeInfo as TypeInfo
from ._types.info import (
    _lookup_or_register_type_info_from_type_key as _lookup_or_register_type_info_from_type_key,
)
from ._types.info import _print_debug_info as _print_debug_info
from ._types.info import _set_type_cls as _set_type_cls
from ._types.info import _type_cls_to_type_info as _type_cls_to_type_info
from ._types.info import _type_index_to_type_info as _type_index_to_type_info
from ._types.schema import TypeSchema as TypeSchema
from ._types.schema import _ConvertError as _ConvertError
from .container import Array, List
from .typing import DeviceLike, TensorLike

_S = TypeVar("_S")
_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_K = TypeVar("_K")
_V = TypeVar("_V")
_V_co = TypeVar("_V_co", covariant=True)

__dlpack_version__: tuple[int, int]

# ---- objects ----

class _ObjectSlotsMeta(ABCMeta):
    """Metaclass of ``Object``.

    Adds ``__slots__ = ()`` to a class body that defines neither ``__slots__`` nor ``__setattr__``.
    """

class CObject:
    """Base class of objects with a native handle; ``cls.__new__(cls)`` has an empty handle."""

    def __chandle__(self) -> int: ...
    def _repr_html_(self) -> str | None: ...
    def __ctypes_handle__(self) -> ctypes.c_void_p: ...
    @property
    def id_(self) -> int: ...
    def same_as(self, other: object) -> bool: ...
    def is_(self, other: object) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __getstate__(self) -> object: ...
    def __setstate__(self, state: dict[str, str | None], /) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __move_handle_from__(self, other: CObject) -> None: ...
    def __init_handle_by_constructor__(self, fconstructor: Function, /, *args: Any) -> None: ...

class Object(CObject, metaclass=_ObjectSlotsMeta):
    """Base class of every registered object class."""

    __slots__ = ()
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def _move(self) -> ObjectRValueRef: ...

class CContainerBase(CObject):
    """Base class of containers. A container stores the framework of the tensors that it returns."""

class _SequenceBase(CContainerBase, Generic[_T_co]):
    """Base class of sequences, which access the native cells.

    Subscripting this class, or a subclass, returns a ``types.GenericAlias``.
    """

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    @overload
    def __getitem__(self, idx: SupportsIndex, /) -> _T_co: ...
    @overload
    def __getitem__(self, idx: slice, /) -> list[_T_co]: ...
    def __iter__(self) -> Iterator[_T_co]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def index(self, value: Any, start: int | None = 0, stop: int | None = None) -> int: ...
    def count(self, value: Any) -> int: ...

class _ArrayBase(_SequenceBase[_T_co]):
    """The implementation of ``container.Array``."""

    def __add__(self, other: Iterable[_T], /) -> Array[_T_co | _T]: ...
    def __radd__(self, other: Iterable[_T], /) -> Array[_T_co | _T]: ...
    def __init__(self, input_list: Iterable[_T_co]) -> None: ...

class _ListBase(_SequenceBase[_T]):
    """The implementation of ``container.List``, with the rules of ``list``."""

    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, input_list: Iterable[_T]) -> None: ...
    @overload
    def __setitem__(self, idx: SupportsIndex, value: _T, /) -> None: ...
    @overload
    def __setitem__(self, idx: slice, values: Iterable[_T], /) -> None: ...
    def __delitem__(self, idx: SupportsIndex | slice, /) -> None: ...
    def __add__(self, other: Iterable[_S], /) -> List[_T | _S]: ...
    def __radd__(self, other: Iterable[_S], /) -> List[_T | _S]: ...
    def __iadd__(self, values: Iterable[_T], /) -> Self: ...  # type: ignore[misc]
    def append(self, value: _T) -> None: ...
    def extend(self, values: Iterable[_T]) -> None: ...
    def insert(self, index: SupportsIndex, value: _T) -> None: ...
    def pop(self, index: SupportsIndex = -1) -> _T: ...
    def remove(self, value: _T) -> None: ...
    def clear(self) -> None: ...
    def reverse(self) -> None: ...

class _StructuralKeyBase(CObject):
    """The implementation of ``structural.StructuralKey``: structural equality and hash."""

    def __init__(self, key: Any) -> None: ...

class _MappingBase(CContainerBase, Generic[_K, _V_co]):
    """Base class of mappings, which access the native entries."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __getitem__(self, key: _K, /) -> _V_co: ...
    def __iter__(self) -> Iterator[_K]: ...
    def __contains__(self, key: object, /) -> bool: ...
    @overload
    def get(self, key: Any, default: None = None) -> _V_co | None: ...
    @overload
    def get(self, key: Any, default: _V_co) -> _V_co: ...  # type: ignore[misc]
    @overload
    def get(self, key: Any, default: _T) -> _V_co | _T: ...
    def keys(self) -> KeysView[_K]: ...
    def values(self) -> ValuesView[_V_co]: ...
    def items(self) -> ItemsView[_K, _V_co]: ...

class _MapBase(_MappingBase[_K, _V_co]):
    """The implementation of ``container.Map``."""

    def __init__(self, input_dict: Mapping[_K, _V_co] | Iterable[tuple[_K, _V_co]]) -> None: ...

class _DictBase(_MappingBase[_K, _V]):
    """The implementation of ``container.Dict``, with the rules of ``dict``."""

    def __init__(
        self, input_dict: Mapping[_K, _V] | Iterable[tuple[_K, _V]] | None = None
    ) -> None: ...
    def __setitem__(self, key: _K, value: _V, /) -> None: ...
    def __delitem__(self, key: _K, /) -> None: ...
    @overload
    def pop(self, key: Any) -> _V: ...
    @overload
    def pop(self, key: Any, default: _V) -> _V: ...
    @overload
    def pop(self, key: Any, default: _T) -> _V | _T: ...
    def popitem(self) -> tuple[_K, _V]: ...
    @overload
    def setdefault(self: _DictBase[_K, _T | None], key: _K, default: None = None) -> _T | None: ...
    @overload
    def setdefault(self, key: _K, default: _V) -> _V: ...
    def clear(self) -> None: ...
    def update(self, other: Mapping[_K, _V] | Iterable[tuple[_K, _V]]) -> None: ...

class _KeysView:
    """A live view of the keys of a mapping."""

    def __init__(self, mapping: _MappingBase[Any, Any]) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __contains__(self, value: object, /) -> bool: ...

class _ValuesView:
    """A live view of the values of a mapping."""

    def __init__(self, mapping: _MappingBase[Any, Any]) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __contains__(self, value: object, /) -> bool: ...

class _ItemsView:
    """A live view of the entries of a mapping."""

    def __init__(self, mapping: _MappingBase[Any, Any]) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __contains__(self, value: object, /) -> bool: ...

class CAny:
    """An unconverted FFI value."""

    def __init__(self, value: Any = None) -> None: ...
    @property
    def type_index(self) -> int: ...

class DLTensorTestWrapper:
    """A wrapper of ``Tensor`` that tests use as the tensor class of another framework."""

    def __init__(self, tensor: Tensor) -> None: ...
    def __dlpack__(self, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __tvm_ffi_env_stream__(self) -> int: ...

def _to_py_class_value(self: CAny) -> Any: ...
def _testing_drop_last_ref_without_thread_state() -> None: ...
def _count_wrappers_at_exit(buffer: Any, /) -> None:
    """At interpreter exit, write the number of live wrappers that were created after this call.

    The number is written as an int64 to the start of the buffer, which stays referenced.
    """

def _live_wrappers() -> dict[type[CObject], int]:
    """Return the number of live wrappers of native objects, by class."""

def _shape_obj_get_py_tuple(obj: CObject) -> tuple[int, ...]: ...
def _shape_object(sizes: tuple[SupportsIndex, ...], /) -> Object: ...
def _make_strides_from_shape(shape: tuple[int, ...]) -> tuple[int, ...]: ...
def _env_set_current_stream(device_type: int, device_id: int, stream: int) -> int: ...
def _env_get_current_stream(device_type: int, device_id: int) -> int: ...
def _set_view_classes(keys: type, values: type, items: type, /) -> None: ...

class ObjectConvertible:
    """Base class of Python values that can be converted to an object."""

    def asobject(self) -> Object: ...

class ObjectRValueRef:
    """A reference that the callee may take over; ``obj`` is empty afterwards."""

    obj: CObject
    def __init__(self, obj: CObject) -> None: ...

class OpaquePyObject(CObject):
    """A native box around a Python value."""

    def pyobject(self) -> Any: ...

class Function(CObject):
    """A native function; it accepts keywords only if its metadata names the parameters."""

    __name__: str
    __qualname__: str
    __signature__: Signature
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def prepare(self, *examples: Any, **keywords: Any) -> PreparedCall:
        """Return a version of this function for repeated calls with arguments like the examples.

        A keyword gives the example for the parameter with that name.

        Raises
        ------
        TypeError
            If the metadata of the function shows that it does not take this number of arguments,
            or does not have a parameter with the name of a keyword.

        """

    @property
    def release_gil(self) -> bool: ...
    @release_gil.setter
    def release_gil(self, value: bool, /) -> None: ...
    @staticmethod
    def __from_extern_c__(c_symbol: int, *, keep_alive_object: object = None) -> Function: ...
    @staticmethod
    def __from_mlir_packed_safe_call__(
        mlir_packed_symbol: int, *, keep_alive_object: object = None
    ) -> Function: ...

class PreparedCall:
    """A function for repeated calls, made by ``Function.prepare``.

    It accepts the same arguments as the function, and has the same results and errors. A call is
    faster if it has an argument for each parameter, by position, and its arrays have the types of
    the examples: then the arrays are read in place. The examples are not kept. Threads may share
    the object.
    """

    @property
    def function(self) -> Function: ...
    @property
    def __wrapped__(self) -> Function: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Error(CObject):
    """A native error object. It is not an exception; ``py_error()`` returns one."""

    def __init__(self, kind: str, message: str, backtrace: str) -> None: ...
    @property
    def kind(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def backtrace(self) -> str: ...
    @property
    def extra_context(self) -> Any: ...
    def update_backtrace(self, backtrace: str) -> None: ...
    def py_error(self) -> BaseException: ...

# ---- values ----

class PyNativeObject:
    """Base class of value types that may have a reference to their native object."""

    _tvm_ffi_cached_object: Object | None
    def __init_cached_object_by_constructor__(
        self, fconstructor: Function, /, *args: Any
    ) -> None: ...

class String(str, PyNativeObject):
    """A ``str`` with a reference to the native string that it was created from."""

    _tvm_ffi_cached_object: Object | None
    def __new__(cls, value: object = ...) -> Self: ...

class Bytes(bytes, PyNativeObject):
    """A ``bytes`` with a reference to the native bytes that it was created from."""

    _tvm_ffi_cached_object: Object | None

class DataType:
    """A data type as in the ABI; ``tvm_ffi.dtype`` is the class for users."""

    def __init__(self, dtype_str: str) -> None: ...
    @property
    def type_code(self) -> int: ...
    @property
    def bits(self) -> int: ...
    @property
    def lanes(self) -> int: ...
    @property
    def itemsize(self) -> int: ...

class Device:
    """A device type and an index, e.g. ``Device("cuda", 1)`` or ``Device("cuda:1")``."""

    _DEVICE_TYPE_TO_NAME: ClassVar[dict[int, str]]
    _DEVICE_NAME_TO_TYPE: ClassVar[dict[str, int]]
    def __init__(
        self, device_type: str | int | DLDeviceType, index: SupportsIndex | None = None
    ) -> None: ...
    @property
    def type(self) -> str: ...
    @property
    def index(self) -> int: ...
    # For type checkers: a data class field of this type accepts the same values as a parameter of
    # this type.
    def __get__(self, instance: object, owner: Any, /) -> Self: ...
    def __set__(self, instance: object, value: DeviceLike, /) -> None: ...
    def dlpack_device_type(self) -> int: ...
    def __device_type_name__(self) -> str: ...

class Tensor(CObject):
    """A view of memory with shape, strides, dtype and device; exchanged through DLPack.

    CPU tensors are pickled and copied with their elements; protocol 5 passes the memory out of
    band. A loaded tensor is contiguous and owns its memory.
    """

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def dtype(self) -> _dtype_class: ...
    @property
    def device(self) -> Device: ...
    # For type checkers: a data class field of this type accepts the same values as a parameter of
    # this type.
    def __get__(self, instance: object, owner: Any, /) -> Self: ...
    def __set__(self, instance: object, value: TensorLike, /) -> None: ...
    def numel(self) -> int: ...
    def size(self, idx: SupportsIndex) -> int: ...
    def data_ptr(self) -> int: ...
    def is_contiguous(self) -> bool: ...
    def numpy(self) -> Any:
        """Return a NumPy array over the memory; raise ``TypeError`` if it is not on the CPU.

        Small floating-point types are those of package ``ml_dtypes``.
        """
    def tolist(self) -> Any:
        """Return the elements as nested lists; the element itself if there are no dimensions."""
    def __len__(self) -> int:
        """Return the extent of the first dimension; raise ``TypeError`` if there is none."""
    def __getitem__(self, key: Any, /) -> Any:
        """Return an element as a number, or a tensor over a part of the memory.

        The key has integers, slices, ``...`` and None, as in NumPy. Only elements on the CPU can be
        read; parts can be taken on every device.
        """
    def __iter__(self) -> Iterator[Any]:
        """Return an iterator over the first dimension."""
    def __bool__(self) -> bool:
        """Return whether the only element is true; raise ``ValueError`` if there is not one."""
    def __int__(self) -> int:
        """Return the only element; raise ``TypeError`` if there is not exactly one."""
    def __float__(self) -> float:
        """Return the only element; raise ``TypeError`` if there is not exactly one."""
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return a NumPy array, over the memory unless ``dtype`` or ``copy`` require a copy.

        Raises ``TypeError`` if the tensor is not on the CPU, and ``ValueError`` if ``copy`` is
        false and ``dtype`` needs a copy.
        """
    # Python calls this method since 3.12; type checkers require it for earlier versions as well.
    def __buffer__(self, flags: int, /) -> memoryview:
        """Return a writable view of the memory, for ``memoryview(tensor)``.

        Raises ``BufferError`` if the tensor is not on the CPU, or if its data type has no format.
        """
    def __dlpack__(
        self,
        *,
        stream: Any | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def _to_dlpack(self) -> Any: ...
    def _to_dlpack_versioned(self) -> Any: ...

# ---- type information ----

class FFIProperty(property):
    """The descriptor of a reflected field. ``set`` also writes fields that reject assignment.

    ``fset`` is None for a frozen field. Access to a field of an instance without a native object
    raises AttributeError.
    """

    frozen: bool
    __name__: str
    __objclass__: type | None
    def __init__(
        self,
        fget: Callable[[Any], Any] | None,
        fset: Callable[[Any, Any], None] | None,
        frozen: bool,
        fdel: Callable[[Any], None] | None = None,
        doc: str | None = None,
    ) -> None: ...
    @property
    def _fset(self) -> Callable[[Any, Any], None]: ...
    def get(self, obj: Any) -> Any: ...
    def set(self, obj: Any, value: Any) -> None: ...
    def _freeze(self) -> None: ...

# ---- classes defined in Python ----

_copy_method: Any
"""``__copy__`` of data classes: a method descriptor for any subclass of Object."""

_replace_method: Any
"""``__replace__`` of data classes: a copy with new values for the fields given by name."""

_operators: dict[str, Any]
"""Method descriptors for comparison, hash and deep copy of data classes, by name."""

def _use_operators(cls: type, /) -> None:
    """Install fast paths for those methods in ``core._operators`` that the class has."""

class _Initializer:
    """``__init__`` or ``__ffi_init__`` of a class defined in Python; behaves as a function."""

    __name__: str
    __qualname__: str
    def __call__(self, instance: Any, /, *args: Any, **kwargs: Any) -> None: ...
    def __get__(self, instance: Any, owner: type | None = None, /) -> Any: ...

def _make_init(
    cls: type,
    type_info: TypeInfo,
    post_init: bool = False,
    init_properties: Iterable[tuple[str, Callable[[Any], Any]]] | None = None,
) -> _Initializer:
    """Install and return the ``__init__`` for the registered fields of ``cls``.

    ``init_properties`` are evaluated in order after the fields are set; each value is stored in the
    field of the same name, even if that field is frozen. With ``post_init``, ``__post_init__`` is
    called last.
    Raises TypeError if the fields of ``cls`` are not registered.
    """

def _make_ffi_init(cls: type, type_info: TypeInfo, /) -> _Initializer:
    """Install and return ``__ffi_init__``; it creates an object and skips ``__post_init__``."""

def _allocate(instance: Object, /) -> None:
    """Create the native object for an empty instance of a Python class, with all fields unset."""

def _class_open(parent_type_index: int, type_key: str, cls: type, former: int = ..., /) -> int: ...
def _class_take_key(type_index: int, former: int, /) -> None: ...
def _class_close(type_index: int, cls: type, /) -> None: ...
def _class_rebind(type_index: int, cls: type | None, /) -> None: ...
def _class_fields(
    type_index: int, cls: type, entries: tuple[tuple[Any, ...], ...], structure_kind: int, /
) -> list[tuple[int, int, int, int, FFIProperty]]: ...
def _class_method(
    type_index: int, name: str, function: Any, is_static: bool, metadata: str, /
) -> None: ...

class _TypeConverter:
    """A compiled type schema. Immutable; may be shared between threads."""

    def __init__(self, schema: TypeSchema) -> None: ...

class _SchemaBase:
    """Base class of ``TypeSchema``; compiles the schema at its first conversion."""

    @property
    def _converter(self) -> _TypeConverter: ...
    def convert(self, value: object) -> CAny:
        """Return a value converted to the type.

        Raises
        ------
        TypeError
            If the value does not match the type, or an origin is unknown. The message names the
            position in the value. If user code raised an exception, that exception is the cause.
        ValueError
            If the value has the type of a ``Literal``, but is another value.

        """

    def check_value(self, value: object) -> None:
        """Raise the error that :meth:`convert` would raise."""

# ---- functions ----

def from_dlpack(
    ext_tensor: Any, *, require_alignment: int = 0, require_contiguous: bool = False
) -> Tensor: ...
def _tensor_from_buffer(
    cls: type, dtype: tuple[int, int, int], shape: tuple[int, ...], elements: Any, /
) -> Tensor:
    """Return a contiguous tensor with a copy of the elements; pickled tensors call this."""

def _tensor_over_buffer(
    cls: type, dtype: tuple[int, int, int], shape: tuple[int, ...], elements: Any, /
) -> Tensor:
    """Return a contiguous tensor over the memory of a buffer; read-only if the buffer is."""

def _tensor_is_read_only(tensor: Tensor, /) -> bool:
    """Return whether the memory of a tensor must not be written to."""

def _tensor_check_for_torch(tensor: Tensor, /) -> None:
    """Refuse a tensor for which ``torch.from_dlpack`` would end the process."""

def _restore_graph(
    cls: type | None, program: bytes, types: tuple[Any, ...], externals: tuple[Any, ...], /
) -> Any:
    """Return the object of a packed graph; pickles call this."""

def _set_class_attribute(cls: type, name: str, value: Any = ..., /) -> None:
    """Set or delete an attribute of a class, even if its metaclass overrides ``__setattr__``."""

def _tensor_with_dtype(tensor: Tensor, dtype: tuple[int, int, int], /) -> Tensor:
    """Return a tensor over the memory of another tensor, with a data type of the same width."""

def _tensor_strided(
    tensor: Tensor, shape: tuple[int, ...], strides: tuple[int, ...], offset: int, /
) -> Tensor:
    """Return a tensor over the memory of another tensor, without a check of the addresses.

    ``offset`` is the distance of its first element from that of ``tensor``, in elements.
    """

def object_repr(obj: CObject) -> str: ...
def _traverse(function: Callable[..., _T], /, *args: Any) -> _T: ...
def _structural_equal(
    lhs: Any, rhs: Any, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> bool: ...
def _structural_hash(
    value: Any, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> int: ...
def _get_first_structural_mismatch(
    lhs: Any, rhs: Any, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> Any | None: ...
def _convert(value: Any, /) -> Any:
    """The implementation of ``tvm_ffi.convert``."""

def _convert_to_ffi_func(
    pyfunc: Callable[..., Any], tensor_cls: type | None = None
) -> Function: ...
def _convert_to_ffi_error(error: BaseException) -> Error: ...
def _convert_to_opaque_object(pyobject: Any) -> OpaquePyObject: ...
@overload
def get_global_func(name: str, allow_missing: Literal[False] = False) -> Function: ...
@overload
def get_global_func(name: str, allow_missing: bool) -> Function | None: ...
def _get_global_func(name: str, allow_missing: bool) -> Function | None: ...
def _register_global_func(name: str, pyfunc: Callable[..., Any], override: bool) -> Function: ...
def _object_type_key_to_index(type_key: str) -> int | None: ...
def _refresh_class(type_index: int, /) -> type | None:
    """Update the class of a redefined type to its new members, and return the class."""

def _register_object_by_index(type_index: int, cls: type, init: bool = True) -> TypeInfo:
    """Bind a class to a type, and add the reflected members that its body does not define.

    Fields become descriptors (with ``set(obj, value)`` in addition to the descriptor protocol) and
    methods become method descriptors. ``__init__`` becomes the type's initializer if ``init`` is
    true.
    """

def _describe_function(function: Function, /) -> tuple[Any, str, Any, Any]:
    """Return the Python callable in a function, its name, its description and its parameters.

    The description is a sequence of strings; it is empty for an unknown function. It begins with
    the kind of place that registers the function (such as ``global``), the place, and the name
    there. Then follow the metadata and the documentation of each overload. The parameters are those
    that the function stores for calls with keywords: None, metadata, or names and defaults.
    """

def _name_in_module(function: Function, name: str, /) -> bool:
    """Set the name of a function in its module; return False if the module is not a library."""

def _set_metadata(function: Function, metadata: str, /) -> None:
    """Store the metadata of a function whose module is not a library."""

def _describe_type(
    type_index: int, /
) -> tuple[str, list[int], int, list[tuple[Any, ...]], list[tuple[Any, ...]], str | None] | None:
    """Return key, ancestors, size or 0, fields, methods and documentation of a type, or None.

    A field is (name, doc, size, alignment, offset, static type index, flags, metadata text,
    default or its factory or ``MISSING``, descriptor); a method (name, doc, metadata text,
    function, is static).
    """

def _convert_numpy_dtype_to_ffi_dtype(numpy_dtype: Any) -> _dtype_class: ...
def _convert_torch_dtype_to_ffi_dtype(torch_dtype: Any) -> _dtype_class: ...
def _register_type_attr(type_index: int, attr_key: str, value: Any) -> None:
    """Set a type attribute; RuntimeError if it exists. Type index 0 only makes the name known."""

def _type_register_attr(type_index: int, attr_key: str, value: Any, /) -> None:
    """Set or replace a type attribute; RuntimeError for a hook that the runtime registered."""

def _type_set_attr(type_index: int, attr_key: str, value: Any, /) -> None:
    """Set a type attribute; reading a stored Python callable returns the same callable."""

def _type_get_attr(type_index: int, attr_key: str, ancestor: bool = False) -> Any:
    """Return a type attribute of a type or of its nearest ancestor that has it, or None."""

def _lookup_type_attr(type_index: int, attr_key: str, ancestor: bool = False) -> Any: ...
def _trait_new(type_index: int, name: str, value: Any, /) -> _Trait:
    """Create a descriptor that reads a type attribute, whose current value is ``value``."""

def _class_set(cls: type, name: str, *value: Any) -> None:
    """Set a class attribute, or delete it if no value is given; do not change type attributes."""

class _Trait:
    """A class attribute that is also a type attribute: reading it reads the type table."""

    def __get__(self, instance: object, owner: type | None = None, /) -> Any: ...

def _set_class_object(cls: type) -> None: ...
def _set_class_tensor(cls: type) -> None: ...
def _set_class_device(cls: type) -> None: ...
def _set_class_dtype(cls: type) -> None:
    """Set the class of returned data types, a subclass of ``str``.

    The extension creates an instance from the canonical text and sets its attribute
    ``_tvm_ffi_dtype`` to the ``DataType``; ``__new__`` and ``__init__`` of the class are not run.
    Conversion of arguments reads that attribute.
    """

def _new_object(cls: type[_T]) -> _T: ...
def _create_device_from_tuple(cls: type[_T], device_type: int, device_id: int) -> _T: ...
def _create_cdtype_from_tuple(cls: type[_T], code: int, bits: int, lanes: int) -> _T: ...

# ---- enums ----

class _EnumMeta(_ObjectSlotsMeta):
    """Metaclass of enums: a class is the collection of its variants; a call looks up a variant."""

    def __iter__(cls: type[_T]) -> Iterator[_T]: ...
    def __len__(cls) -> int: ...
    def __contains__(cls, x: object, /) -> bool: ...
    def __getitem__(cls: type[_T], index: int | str, /) -> _T: ...
    def __bool__(cls) -> Literal[True]: ...

class _EnumBase(CObject):
    """The lookup methods of enum classes."""

    @classmethod
    def get(cls, index: int | str = ..., *, name: int | str = ...) -> Self: ...
    @property
    def __entry_name__(self) -> str: ...

class _IntPayload(CObject):
    """Variants that compare, hash and print like their number."""

class _StrPayload(CObject):
    """Variants that compare, hash and print like their text."""

class _EnumCache:
    """The cache of an enum class for its variants."""

class _EnumAttrMap:
    """One column of an enum: a live mapping from variants to values."""

    @property
    def name(self) -> str: ...
    @property
    def _enum_cls(self) -> type: ...
    @property
    def _default(self) -> Any: ...
    @overload
    def __init__(self, enum_cls: type, name: str, *, default: Any = ...) -> None: ...
    @overload
    def __init__(self, enum_cls: type, *, attr_name: str, default: Any = ...) -> None: ...
    def __getitem__(self, variant: Any, /) -> Any: ...
    def __setitem__(self, variant: Any, value: Any, /) -> None: ...
    def __contains__(self, variant: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def get(self, variant: Any, default: Any = None) -> Any: ...

def _enum_reset(cls: type, /) -> None:
    """Clear the cache of an enum class after its registration."""

def _enum_close(cls: type, is_closed: bool, /) -> None:
    """Set whether calls of an enum class only look up variants."""

def _enum_is_closed(cls: type, /) -> bool:
    """Return whether calls of an enum class only look up variants."""

def _enum_is_variant(x: Any, /) -> bool:
    """Return whether an object is a registered variant of an enum."""

def _enum_bind(cls: type, name: str, value: Any, /) -> None:
    """Set an attribute of an enum class, even one that is bound to a variant."""

def _enum_find(cls: type, index: int | str, /) -> Any:
    """Return the variant with a name or number, or None."""

def _reason_against_name(name: str, is_enum: bool, /) -> str | None:
    """Return why a field or a variant cannot have a name, or None."""

# ---- values of the module ----

MISSING: Object
"""The marker of an absent default."""
KWARGS: Object
"""The marker in front of keyword arguments of a packed call."""
ERROR_NAME_TO_TYPE: dict[str, type[BaseException]]
"""Error kind to exception class."""
ERROR_TYPE_TO_NAME: dict[type[BaseException], str]
"""Exception class to error kind."""
_OPAQUE_PTR_HANDLERS: dict[type, Callable[[Any], int]]
_CLASS_OBJECT: type
_CLASS_TENSOR: type[Tensor]
_CLASS_DEVICE: type[Device]
_CLASS_DTYPE: type | None
_lazy_class_module: dict[str, str]
_testing_loader: Callable[[], object] | None

def _load_testing_library() -> None:
    """Load the library of test fixtures, unless it is loaded or absent."""

torch: ModuleType | None
"""The module, if it has been imported."""
numpy: ModuleType | None
"""The module, if it has been imported."""
ml_dtypes: ModuleType | None
"""The module, if it has been imported."""
cuda_driver: ModuleType | None
"""The module, if it has been imported."""
_WITH_APPEND_BACKTRACE: Callable[[BaseException, str], BaseException] | None
_TRACEBACK_TO_BACKTRACE_STR: Callable[[Any], str] | None
