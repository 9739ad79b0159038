# SPDX-License-Identifier: Apache-2.0
"""Write the Python modules with constants of the C ABI, from include/tvm/ffi/c_api.h.

``tvm_ffi`` and ``tvm_ffi_schema`` get a module each, because the schema tool works without the
runtime package.
"""

from __future__ import annotations

import re
from pathlib import Path

HEADER = "include/tvm/ffi/c_api.h"

FLAGS = "TVMFFIFieldFlagBitMask"
#: File -> its C enums, besides TVMFFISEqHashKind.
OUTPUTS = {
    "python/tvm_ffi/_abi.py": ("TVMFFITypeIndex", FLAGS),
    "schema/tvm_ffi_schema/ir/abi.py": (FLAGS,),
}
#: C enum -> {prefix of enumerators: prefix of the Python names}; the first matching prefix is used.
ENUMS = {
    "TVMFFITypeIndex": {"kTVMFFI": "TYPE_"},
    FLAGS: {
        "kTVMFFIFieldFlagBitMask": "FIELD_",
        "kTVMFFIFieldFlagBit": "FIELD_",
        "kTVMFFIMethodFlagBitMask": "METHOD_",
    },
}
#: Enumerators of TVMFFISEqHashKind -> their published names in Python.
KINDS = {
    "Unsupported": "unsupported",
    "TreeNode": "tree",
    "FreeVar": "var",
    "DAGNode": "dag",
    "ConstTreeNode": "const-tree",
    "UniqueInstance": "singleton",
}
HEAD = f'''\
# SPDX-License-Identifier: Apache-2.0
# Written by tools/generate_abi.py from {HEADER}; do not edit.
"""Constants of the C ABI."""

from __future__ import annotations
'''
ENUM = r"typedef enum {} \S+ \{{(.*?)\}} {};"
ENUMERATOR = re.compile(r"^\s*(k\w+) = ([^,]+),", re.MULTILINE)


def enumerators(header: str, name: str) -> dict[str, str]:
    """Return the enumerators of a C enum, and the source texts of their values.

    Raises
    ------
    ValueError
        If the header has no such enum.

    """
    body = re.search(ENUM.format(name, name), header, re.DOTALL)
    if body is None:
        raise ValueError(f"{HEADER} has no enum {name}")
    return dict(ENUMERATOR.findall(body[1]))


def python_name(name: str, prefixes: dict[str, str]) -> str:
    """Return the Python name of an enumerator, in upper case."""
    prefix = next(one for one in prefixes if name.startswith(one))
    return prefixes[prefix] + _upper_case(name.removeprefix(prefix))


def _upper_case(name: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return words.replace("S_Eq_Hash", "SEQ_HASH").replace("SEq_Hash", "SEQ_HASH").upper()


def module_text(header: str, enums: tuple[str, ...]) -> str:
    """Return the Python module for a header, with the constants of some enums."""
    lines = [HEAD]
    for enum in enums:
        lines.append(f"# {enum}")
        for name, value in enumerators(header, enum).items():
            lines.append(f"{python_name(name, ENUMS[enum])} = {value}")
        lines.append("")
    kinds = enumerators(header, "TVMFFISEqHashKind")
    lines += ["#: TVMFFISEqHashKind: structural kinds by their names in Python, in numeric order."]
    lines += ["STRUCTURAL_KINDS = {"]
    for name, value in kinds.items():
        lines.append(f'    "{KINDS[name.removeprefix("kTVMFFISEqHashKind")]}": {value},')
    lines += ["}", "#: Structural kinds by their names in Python -> their names in C."]
    lines += ["STRUCTURAL_KINDS_IN_C = {"]
    for name in kinds:
        lines.append(f'    "{KINDS[name.removeprefix("kTVMFFISEqHashKind")]}": "{name}",')
    return "\n".join([*lines, "}", ""])


def texts(root: Path) -> dict[str, str]:
    """Return the modules."""
    header = (root / HEADER).read_text(encoding="utf-8")
    return {name: module_text(header, enums) for name, enums in OUTPUTS.items()}
