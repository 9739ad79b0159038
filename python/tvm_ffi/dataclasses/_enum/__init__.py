# SPDX-License-Identifier: Apache-2.0
"""The implementation of ``tvm_ffi.dataclasses.enum``.

``entry`` (sentinels in a class body), ``declare`` (declarations of a body), ``state`` (the native
state), ``entries`` (a listing), ``attr_map`` (values by variant), ``enum_object`` (base class of
enums), ``variants`` (creating and registering variants), ``family`` (``Enum``, ``IntEnum``,
``StrEnum``) and ``decorators`` (``py_enum``, ``c_enum``).
"""
