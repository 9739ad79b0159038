# SPDX-License-Identifier: Apache-2.0
"""Two classes: the tool writes the first between markers, the second is written by hand."""

from tvm_ffi.schema import Object, declare, module, ty

__tschema__ = module(namespace="demo", type_key_prefix="example.in_place.")


@declare
class OwnerNode(Object):
    """A person who has accounts.

    Attributes
    ----------
    name
        What they are called.
    """

    type_key = "Owner"
    name: ty.String


@declare
class AccountNode(Object):
    """An account.

    Attributes
    ----------
    owner
        The owner of the account.
    balance
        The amount of money in the account.
    """

    type_key = "Account"
    mutable = True
    structural_eq = "tree"
    owner: OwnerNode
    balance: ty.int64_t = 0
