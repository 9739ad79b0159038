# SPDX-License-Identifier: Apache-2.0
"""Write files for sources that are given as text."""

from __future__ import annotations

from . import request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CPP_FILE = "main.cpp"
CUDA_FILE = "cuda.cu"

_PREAMBLE = """\
#include <tvm/ffi/container/const_tensor.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/typed_tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

"""
# The number of lines before the user's first line.
PREAMBLE_LINES = _PREAMBLE.count("\n")

# Control characters become octal escapes of three digits, the maximum in C++. So a digit that
# follows in the text does not become a part of the escape.
_ESCAPES = str.maketrans(
    {
        **{chr(code): f"\\{code:03o}" for code in (*range(32), 127)},
        "\\": "\\\\",
        '"': '\\"',
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
    }
)


def exported(functions: Mapping[str, str] | Sequence[str] | str | None) -> dict[str, str]:
    """Return the names of the functions to export, with their documentation.

    Raise TypeError if a name or a documentation is not a string. Raise ValueError if a name is not
    an identifier of C++.
    """
    if isinstance(functions, str) or functions is None or not hasattr(functions, "items"):
        found = dict.fromkeys(request.strings("functions", functions), "")
    else:
        found = dict(functions.items())
    for name, doc in found.items():
        for what, value in (("name", name), ("documentation", doc)):
            if not isinstance(value, str):
                raise TypeError(f"the {what} of a function must be a string, got {value!r}")
        if not name.isidentifier():
            raise ValueError(f"functions must be identifiers of C++, got {name!r}")
    return found


def file_text(source: str, functions: Mapping[str, str]) -> str:
    """Return the text of a file: the includes, the source, the exports."""
    lines = [_PREAMBLE + source]
    for name, doc in functions.items():
        lines.append(f"TVM_FFI_DLL_EXPORT_TYPED_FUNC({name}, {name});")
        if doc:
            text = doc.translate(_ESCAPES)
            lines.append(f'TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC({name}, "{text}");')
    return "\n".join(lines) + "\n"


def files(cpp_source: str, cuda_source: str, functions: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a build by name; without C++ source, the CUDA file has the exports."""
    in_cpp = functions if cpp_source else {}
    texts = {CPP_FILE: file_text(cpp_source, in_cpp)}
    if cuda_source:
        texts[CUDA_FILE] = file_text(cuda_source, {} if cpp_source else functions)
    return texts
