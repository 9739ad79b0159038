# SPDX-License-Identifier: Apache-2.0
"""Write the reference pages of the C and C++ headers, one for each public header."""

from __future__ import annotations

from pathlib import Path

from docs_site.staging import write_if_changed

C_HEADERS = ("c_api.h", "extra/c_env_api.h")


def write(root, target: Path) -> None:
    top = root / "include/tvm/ffi"
    headers = [p.relative_to(top).as_posix() for p in sorted(top.rglob("*.h"))]
    headers = [h for h in headers if "detail" not in h and "internal" not in h]
    pages = []
    for h in headers:
        if h in C_HEADERS: 
            continue
        name = h[:-2].replace("/", "-")
        title = f"tvm/ffi/{h}"
        write_if_changed(target / f"{name}.rst", f"{title}\n{'='*len(title)}\n\n.. doxygenfile:: tvm/ffi/{h}\n")
        pages.append(name)
    write_if_changed(target / "index.rst", "C++ reference\n=============\n\n.. toctree::\n\n" + "".join(f"   {p}\n" for p in pages))
