# SPDX-License-Identifier: Apache-2.0
"""Classes of a small library.

``tvm-ffi-schema build nodes.py -o libnodes.so`` makes a library of these classes. With
``-o nodes.tfs`` the command makes an image and needs no compiler; see ``use.py``.
"""

from tvm_ffi.schema import Object, declare, module, ty

__tschema__ = module(namespace="nodes", type_key_prefix="example.nodes.")


@declare
class LeafNode(Object):
    """A value.

    Attributes
    ----------
    value
        The value.
    """

    type_key = "Leaf"
    value: ty.int64_t


@declare
class ForkNode(Object):
    """Two branches.

    Attributes
    ----------
    left
        The first branch.
    right
        The second branch.
    """

    type_key = "Fork"
    left: "ty.ObjectRef"
    right: "ty.ObjectRef"
