# SPDX-License-Identifier: Apache-2.0
"""Use the classes: ``python use.py [FILE]``, where FILE is a library or an image to load first."""

from __future__ import annotations

import sys

import tvm_ffi

for library in sys.argv[1:]:
    tvm_ffi.load_module(library)

from geometry import Path, Point  # noqa: E402 - the classes bind to what is loaded by now

path = Path([Point(0.0), Point(3.0, 4.0)], name="diagonal")
path.points.append(Point(3.0))
print(path)
print(path.length())
