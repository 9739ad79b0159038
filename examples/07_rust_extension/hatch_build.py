# SPDX-License-Identifier: Apache-2.0
"""Build hook for hatchling: build the library with cargo, and put it into the wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARY = {"darwin": "librust_tools.dylib", "win32": "rust_tools.dll"}.get(
    sys.platform, "librust_tools.so"
)


class CargoBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            raise NotImplementedError("the library is copied into the wheel: install without -e")
        # The build script of `tvm-ffi-sys` asks `tvm-ffi-config` for the folder of libtvm_ffi.
        subprocess.run(["cargo", "build", "--release"], cwd=self.root, check=True)
        target = Path(self.root, os.environ.get("CARGO_TARGET_DIR", "target"))
        build_data["force_include"][str(target / "release" / LIBRARY)] = f"rust_tools/{LIBRARY}"
        # The library is the same for every Python.
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
        build_data["pure_python"] = False
