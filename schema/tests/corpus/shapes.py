# SPDX-License-Identifier: Apache-2.0
"""Every kind of class: parents, recursion, methods, mixins, references by hand."""

from values import NumbersNode

from tvm_ffi_schema import Object, Trait, auto_slots, cpp, declare, field, method, mixin, module, ty

__tschema__ = module(namespace="corpus::shapes", type_key_prefix="shapes.", closed=True)

Pure = Trait("corpus.pure")


@declare
class BaseNode(Object):
    """Base of all.

    Longer text, with a star slash */ in it, and words that make the line so long that it has to be
    broken somewhere in the comment that C++ gets.

    Notes
    -----
    Abstract.

    Examples
    --------
    >>> 1 + 1
    2
    """

    type_key = "Base"
    abstract = True
    structural_eq = "tree"
    child_slots = auto_slots(extra=4)
    name: ty.String = field(structural_eq="ignore")


@declare
class LinkNode(BaseNode):
    """A list that is linked."""

    type_key = "Link"
    value: ty.int64_t
    next: "ty.Optional[Link]" = None


@declare
class TreeNode(BaseNode):
    """A tree with many children."""

    type_key = "Tree"
    structural_eq = "dag"
    children: "ty.Array[Tree]"


@declare
class LeftNode(BaseNode):
    """Holds the right."""

    type_key = "Left"
    right: "ty.Optional[Right]"


@declare
class RightNode(BaseNode):
    """Holds the left."""

    type_key = "Right"
    left: "ty.Optional[Left]"


@mixin
class Pair:
    """Two operands.

    Attributes
    ----------
    a
        The first.
    b
        The second.
    """

    a: NumbersNode
    b: NumbersNode


@declare
class SumNode(BaseNode, Pair):
    """a + b"""

    type_key = "Sum"
    traits = [Pure]
    type_attrs = {"corpus.precedence": 9, "corpus.eval": cpp("1 + 1"), "corpus.name": "sum"}


@declare
class StrictNode(Object):
    """Cannot be null, nor hold null."""

    type_key = "Strict"
    nullable = False
    value: ty.int64_t = 3


@declare
class HolderNode(Object):
    """Holds something that is never null."""

    type_key = "Holder"
    nullable = False
    strict: StrictNode
    count: int = 0


@declare
class EmptyNode(Object):
    """Has nothing."""

    type_key = "Empty"


@declare
class ActionNode(Object):
    """Does something."""

    type_key = "Action"
    mutable = True
    structural_eq = "singleton"
    deprecated = "use another"
    registration = "member"
    level: int = 0

    @method
    def run(self, level: int = 0, by: ty.String = "me") -> "ty.Optional[Action]":
        """Run it.

        Parameters
        ----------
        level
            How much.
        by
            Who.

        Returns
        -------
        result
            What came out.

        Raises
        ------
        ValueError
            When it fails.
        """

    @method(const=False, cpp="AddTo")
    def add(self, other: int) -> None: ...

    @staticmethod
    @method
    def make(text: str) -> "ActionNode": ...

    def only_python(self):
        """Twice the level."""
        return 2 * self.level


@declare
class Named(Object):
    """Named like its reference."""

    type_key = "Named"
    x: int = 0


@declare
class ByHandNode(Object):
    """Its reference is declared by hand."""

    type_key = "ByHand"
    nullable = False
    x: int = 0
