# SPDX-License-Identifier: Apache-2.0
"""Compare the size of our headers with the size of the peer's headers."""

from __future__ import annotations

import os
import shutil

import pytest
from outside import run

from tvm_ffi import libinfo

COMPILER = os.environ.get("CXX", "g++")


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"needs {COMPILER}")
def test_object_h_brings_about_as_few_lines_as_the_peers(peer, tmp_path):
    source = tmp_path / "object.cc"
    source.write_text("#include <tvm/ffi/object.h>\n")
    lines = []
    for folders in (
        [libinfo.find_include_path(), libinfo.find_dlpack_include_path()],
        [peer.ask("--includedir"), peer.ask("--dlpack-includedir")],
    ):
        flags = [part for folder in folders for part in ("-I", folder)]
        text = run(COMPILER, "-std=c++17", *flags, "-E", "-P", source)
        lines.append(text.count("\n"))
    # The records of classes, which the peer does not have, are about 150 lines.
    assert lines[0] < lines[1] + 200
