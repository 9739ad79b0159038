# SPDX-License-Identifier: Apache-2.0
"""What the extension module ``tvm_ffi.core`` offers, for type checkers and for readers.

Loading the extension makes the symbols of ``libtvm_ffi.so`` global, so that compiled clients find
them. These values connect the extension with the Python modules above it, so that it never imports
one without need:

* ``_lazy_class_module``: when a value whose type key is in this dictionary is returned for the
first
  time, the extension imports the module named there, which registers its class as it is imported.
  Key ``"DataType"`` stands for returned data types.
* ``_testing_loader``: called without arguments when a name that begins with ``testing.`` is not
found;
  the look-up is then repeated. It is ``None`` from its first call on.
* ``__getattr__``: set by ``tvm_ffi/__init__.py``; gives ``DLDeviceType``, and ``torch``, ``numpy``,
  ``ml_dtypes`` and ``cuda_driver`` as they stand in ``sys.modules``.
* ``_WITH_APPEND_BACKTRACE`` and ``_TRACEBACK_TO_BACKTRACE_STR``: see ``tvm_ffi.error``; ``None``
unless
  that module has been imported, and the extension then uses its own code for both.
"""

import ctypes
from abc import ABCMeta
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any, ClassVar, Generic, SupportsIndex, TypeVar, overload

from typing_extensions import Self

from ._dtype import dtype as _dtype_class
from ._tensor import DLDeviceType as DLDeviceType

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)

__dlpack_version__: tuple[int, int]

# ---- objects ----

class _ObjectSlotsMeta(ABCMeta):
    """Metaclass of ``Object``: a class body without ``__slots__`` gets ``__slots__ = ()``."""

class CObject:
    """Anything that holds the handle of a native object; ``cls.__new__(cls)`` is empty."""

    def __chandle__(self) -> int: ...
    def __ctypes_handle__(self) -> ctypes.c_void_p: ...
    @property
    def id_(self) -> int: ...
    def same_as(self, other: object) -> bool: ...
    def is_(self, other: object) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __move_handle_from__(self, other: CObject) -> None: ...
    def __init_handle_by_constructor__(self, fconstructor: Function, /, *args: Any) -> None: ...

class Object(CObject, metaclass=_ObjectSlotsMeta):
    """Base class of every registered object class."""

    __slots__ = ()
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def _move(self) -> ObjectRValueRef: ...

class CContainerBase(CObject):
    """A container; it remembers which framework's tensors its elements are given out as."""

class _ArrayBase(CContainerBase, Generic[_T_co]):
    """What ``container.Array`` does, over the native cells.

    Subscripting it, or a class derived from it, gives ``types.GenericAlias``.
    """

    def __init__(self, input_list: Iterable[_T_co]) -> None: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    @overload
    def __getitem__(self, idx: SupportsIndex, /) -> _T_co: ...
    @overload
    def __getitem__(self, idx: slice, /) -> list[_T_co]: ...
    def __iter__(self) -> Iterator[_T_co]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def __add__(self, other: Iterable[Any], /) -> Self: ...
    def __radd__(self, other: Iterable[Any], /) -> Self: ...

class ObjectConvertible:
    """Base class of Python values that know how to become an object."""

    def asobject(self) -> Object: ...

class ObjectRValueRef:
    """A reference that the callee may take over; ``obj`` is empty afterwards."""

    obj: CObject
    def __init__(self, obj: CObject) -> None: ...

class OpaquePyObject(CObject):
    """A native box around a Python value."""

    def pyobject(self) -> Any: ...

class Function(CObject):
    """A native function; it takes keywords only where it names its parameters."""

    __name__: str
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
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

class Error(CObject):
    """An error object of the library. It is no exception; ``py_error()`` makes one."""

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
    """Base class of value types that may carry their native form."""

    _tvm_ffi_cached_object: Object | None
    def __init_cached_object_by_constructor__(
        self, fconstructor: Function, /, *args: Any
    ) -> None: ...

class String(str, PyNativeObject):
    """A ``str`` that keeps the native string it came from."""

    _tvm_ffi_cached_object: Object | None
    def __new__(cls, value: object = ...) -> Self: ...

class Bytes(bytes, PyNativeObject):
    """A ``bytes`` that keeps the native bytes it came from."""

    _tvm_ffi_cached_object: Object | None

class DataType:
    """A data type as the ABI has it; ``tvm_ffi.dtype`` is the class for users."""

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
    def dlpack_device_type(self) -> int: ...
    def __device_type_name__(self) -> str: ...

class Tensor(CObject):
    """A view of memory with shape, strides, dtype and device; exchanged through DLPack."""

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
    def numel(self) -> int: ...
    def size(self, idx: SupportsIndex, /) -> int: ...
    def data_ptr(self) -> int: ...
    def is_contiguous(self) -> bool: ...
    def numpy(self) -> Any: ...
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

class FFIProperty:
    """A reflected field on its class. ``set`` writes also where assignment is refused."""

    def get(self, obj: Any, /) -> Any: ...
    def set(self, obj: Any, value: Any, /) -> None: ...

class FieldGetter:
    """Reads one field; accepts attributes."""

    def __init__(self, field: FFIProperty) -> None: ...
    def __call__(self, obj: Any) -> Any: ...

class FieldSetter:
    """Writes one field, also a read-only one; accepts attributes."""

    def __init__(self, field: FFIProperty) -> None: ...
    def __call__(self, obj: Any, value: Any) -> None: ...

class TypeField:
    """One reflected field of a type; ``MISSING`` stands for a default that it has not."""

    name: str
    doc: str | None
    size: int
    alignment: int
    offset: int
    field_static_type_index: int
    frozen: bool
    metadata: dict[str, Any]
    getter: Callable[[Any], Any]
    setter: Callable[[Any, Any], None]
    c_init: bool
    c_kw_only: bool
    c_has_default: bool
    c_default: Any
    c_default_factory: Any
    c_repr: bool
    c_compare: bool
    c_hash: bool
    c_structural_eq: str | None
    dataclass_field: Any
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class TypeMethod:
    """One reflected method of a type."""

    name: str
    doc: str | None
    func: Function
    metadata: dict[str, Any]
    is_static: bool
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class TypeInfo:
    """What the type table knows of one type, and the Python class that stands for it."""

    type_cls: type | None
    type_index: int
    type_key: str
    type_ancestors: list[int]
    fields: list[TypeField] | None
    methods: list[TypeMethod]
    parent_type_info: TypeInfo | None
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def total_size(self) -> int: ...

# ---- functions ----

def from_dlpack(
    ext_tensor: Any, *, require_alignment: int = 0, require_contiguous: bool = False
) -> Tensor: ...
def object_repr(obj: CObject) -> str: ...
def _convert(value: Any) -> Any:
    """The whole of ``tvm_ffi.convert``."""

def _convert_to_ffi_func(
    pyfunc: Callable[..., Any], tensor_cls: type | None = None
) -> Function: ...
def _convert_to_ffi_error(error: BaseException) -> Error: ...
def _convert_to_opaque_object(obj: Any) -> OpaquePyObject: ...
def _get_global_func(name: str, allow_missing: bool) -> Function | None: ...
def _register_global_func(name: str, f: Callable[..., Any], override: bool) -> Function: ...
def _object_type_key_to_index(type_key: str) -> int | None: ...
def _register_object_by_index(type_index: int, cls: type, init: bool = True) -> TypeInfo:
    """Bind a class to a type, and give it the reflected members that its body does not define.

    Fields become descriptors (with ``set(obj, value)`` beside the descriptor protocol), methods
    method descriptors, ``__init__`` the type's initializer unless ``init`` is false.
    """

def _type_cls_to_type_info(cls: type) -> TypeInfo | None: ...
def _type_index_to_type_info(type_index: int) -> TypeInfo | None: ...
def _lookup_or_register_type_info_from_type_key(type_key: str) -> TypeInfo: ...
def _describe_type(
    type_index: int, /
) -> tuple[str, list[int], int, list[tuple[Any, ...]], list[tuple[Any, ...]]] | None:
    """Key, ancestors, size of an object or 0, fields and methods of a type; None if there is none.

    A field is (name, doc, size, alignment, offset, static type index, flags, metadata text,
    default or its factory or ``MISSING``, descriptor); a method (name, doc, metadata text,
    function, is static).
    """

def _convert_numpy_dtype_to_ffi_dtype(numpy_dtype: Any) -> _dtype_class: ...
def _convert_torch_dtype_to_ffi_dtype(torch_dtype: Any) -> _dtype_class: ...
def _lookup_type_attr(type_index: int, attr_key: str, ancestor: bool = False) -> Any: ...
def _set_class_object(cls: type) -> None: ...
def _set_class_tensor(cls: type) -> None: ...
def _set_class_device(cls: type) -> None: ...
def _set_class_dtype(cls: type) -> None:
    """Set the class of returned data types, a subclass of ``str``.

    An instance is made of the canonical text, with attribute ``_tvm_ffi_dtype`` set to the
    ``DataType``; neither ``__new__`` nor ``__init__`` of the class is run. As arguments, instances
    are read through that attribute.
    """

def _new_object(cls: type[_T]) -> _T: ...
def _create_device_from_tuple(cls: type[_T], device_type: int, device_id: int) -> _T: ...
def _create_cdtype_from_tuple(cls: type[_T], code: int, bits: int, lanes: int) -> _T: ...

# ---- values of the module ----

MISSING: Object
KWARGS: Object
ERROR_NAME_TO_TYPE: dict[str, type[BaseException]]
ERROR_TYPE_TO_NAME: dict[type[BaseException], str]
_OPAQUE_PTR_HANDLERS: dict[type, Callable[[Any], int]]
_CLASS_OBJECT: type
_CLASS_TENSOR: type[Tensor]
_CLASS_DEVICE: type[Device]
_CLASS_DTYPE: type | None
_lazy_class_module: dict[str, str]
_testing_loader: Callable[[], object] | None
torch: ModuleType | None
numpy: ModuleType | None
ml_dtypes: ModuleType | None
cuda_driver: ModuleType | None
_WITH_APPEND_BACKTRACE: Callable[[BaseException, str], BaseException] | None
_TRACEBACK_TO_BACKTRACE_STR: Callable[[Any], str] | None
