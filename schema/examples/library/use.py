# SPDX-License-Identifier: Apache-2.0
"""Use the classes of an image, which was built without a compiler: ``python use.py nodes.tfs``."""

from __future__ import annotations

import pickle
import sys

import tvm_ffi
from tvm_ffi import schema

nodes = schema.load(sys.argv[1])
tree = nodes.Fork(nodes.Leaf(1), nodes.Fork(nodes.Leaf(2), nodes.Leaf(3)))
print(tree)
copy = pickle.loads(pickle.dumps(tree))
print(tvm_ffi.structural_equal(tree, copy), schema.layout("example.nodes.Leaf").size)
