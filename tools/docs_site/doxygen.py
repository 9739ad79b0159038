# SPDX-License-Identifier: Apache-2.0
"""Run Doxygen over the public headers, for the reference pages and for the count of names."""

from __future__ import annotations

import subprocess
from pathlib import Path

#: Macros that are part of declarations.
_MACROS = (
    *(
        "TVM_FFI_DLL=",
        "TVM_FFI_CAUGHT_BY_OTHERS_=",
        "TVM_FFI_INLINE=inline",
        "TVM_FFI_C_ENUM_INT32=",
    ),
    *("TVM_FFI_C_UNNAMED_UNION=union", "DOXYGEN=1"),
)
_SETTINGS = {
    "INPUT": "include/tvm/ffi",
    "RECURSIVE": "YES",
    "FILE_PATTERNS": "*.h",
    "EXCLUDE_PATTERNS": "*_detail.h */internal/*",
    "STRIP_FROM_INC_PATH": "include",
    "GENERATE_HTML": "NO",
    "GENERATE_LATEX": "NO",
    "GENERATE_XML": "YES",
    "XML_PROGRAMLISTING": "NO",
    "QUIET": "YES",
    "WARN_IF_UNDOCUMENTED": "NO",
    "WARN_IF_INCOMPLETE_DOC": "NO",
    "EXTRACT_ALL": "YES",
    "AUTOLINK_SUPPORT": "NO",
    "SORT_MEMBER_DOCS": "NO",
    "MACRO_EXPANSION": "YES",
    "EXPAND_ONLY_PREDEF": "YES",
    "PREDEFINED": " ".join(_MACROS),
}


def run(root: Path, output: Path) -> Path:
    """Write the XML of the public headers into a folder; return the folder of the XML."""
    output.mkdir(parents=True, exist_ok=True)
    settings = {**_SETTINGS, "OUTPUT_DIRECTORY": str(output)}
    text = "".join(f"{name} = {value}\n" for name, value in settings.items())
    done = subprocess.run(
        ["doxygen", "-"], input=text, cwd=root, text=True, capture_output=True, check=False
    )
    (output / "doxygen.log").write_text(done.stderr, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(f"doxygen failed:\n{done.stderr}")
    return output / "xml"
