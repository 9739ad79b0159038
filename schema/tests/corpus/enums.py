# SPDX-License-Identifier: Apache-2.0
"""Enums of every base."""

from typing import ClassVar

from tvm_ffi_schema import Enum, IntEnum, Object, StrEnum, auto, cpp, declare, entry, extend, module

__tschema__ = module(namespace="corpus", type_key_prefix="enums.")


@declare
class Activation(Enum):
    """Activation functions."""

    type_key = "Activation"
    approximate: bool = False
    inplace: bool = False

    ReLU = entry()
    GeLU = entry(approximate=True)
    SiLU: ClassVar["Activation"] = entry(attrs={"f_compute": cpp('::tvm::ffi::String("silu")')})


@declare
class Precision(IntEnum):
    """Bits."""

    type_key = "Precision"
    FP32 = entry(32)
    FP33 = auto()
    FP16 = entry(16)


@declare
class Layout(StrEnum):
    """Orders of dimensions."""

    type_key = "Layout"
    NCHW = auto()
    NHWC = entry("nhwc")


@declare
class ColorNode(Object):
    """An enum on a plain object."""

    type_key = "Color"
    red: int = 0
    Black = entry()
    Red = entry(red=255)


@declare
class PaintNode(Object):
    """Has an enum as default."""

    type_key = "Paint"
    color: ColorNode = ColorNode.Red


extend(Activation, Tanh=entry(inplace=True))
