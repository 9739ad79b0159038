# SPDX-License-Identifier: Apache-2.0
"""Functions, modules and what surrounds them."""

from base import AttrsNode, BaseNode, ExprNode, StmtNode, TypeNode
from buffer import BufferNode
from expr import GlobalVarNode, VarNode

from tvm_ffi.schema import Object, declare, field, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.")


@declare
class DictAttrsNode(AttrsNode):
    """Attributes by name.

    Attributes
    ----------
    values
        Their values.
    """

    type_key = "DictAttrs"
    values: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class BaseFuncNode(BaseNode):
    """Base of all functions.

    Attributes
    ----------
    attrs
        Attributes.
    """

    type_key = "BaseFunc"
    abstract = True
    attrs: ty.Optional[DictAttrsNode] = field(default=None, kw_only=True)


@declare
class PrimFuncNode(BaseFuncNode):
    """A function on buffers.

    Attributes
    ----------
    params
        Parameters.
    result_type
        Type of the result.
    buffer_map
        Buffers behind parameters.
    body
        What it does.
    """

    type_key = "PrimFunc"
    params: ty.Array[VarNode] = field(structural_eq="def")
    result_type: TypeNode
    buffer_map: ty.Map[VarNode, BufferNode]
    body: StmtNode


@declare
class ExternFuncNode(BaseFuncNode):
    """A function of another language.

    Attributes
    ----------
    symbol
        Its name.
    """

    type_key = "ExternFunc"
    symbol: ty.String


@declare
class SourceNameNode(Object):
    """The name of a source text.

    Attributes
    ----------
    name
        The name.
    """

    type_key = "SourceName"
    structural_eq = "singleton"
    name: ty.String


@declare
class GlobalInfoNode(Object):
    """Something that all functions share."""

    type_key = "GlobalInfo"
    abstract = True
    structural_eq = "tree"


@declare
class VDeviceNode(GlobalInfoNode):
    """A device by number.

    Attributes
    ----------
    target_kind
        What it is.
    vdevice_id
        Its number.
    memory_scope
        Its memory.
    """

    type_key = "VDevice"
    target_kind: ty.String
    vdevice_id: ty.int64_t = 0
    memory_scope: ty.String = "global"


@declare
class IRModuleNode(Object):
    """Functions that belong together.

    Attributes
    ----------
    functions
        The functions.
    global_infos
        What they share.
    attrs
        Attributes.
    """

    type_key = "IRModule"
    structural_eq = "tree"
    functions: ty.Map[GlobalVarNode, BaseFuncNode] = field(default_factory=dict)
    global_infos: ty.Map[ty.String, ty.Array[GlobalInfoNode]] = field(default_factory=dict)
    attrs: ty.Optional[DictAttrsNode] = None


@declare
class PassInfoNode(Object):
    """About a pass.

    Attributes
    ----------
    opt_level
        From which level on it runs.
    name
        Its name.
    required
        What runs before.
    """

    type_key = "PassInfo"
    opt_level: ty.int32_t
    name: ty.String
    required: ty.Array[ty.String] = field(default_factory=list)


@declare
class TargetNode(Object):
    """What is compiled for.

    Attributes
    ----------
    kind
        The kind.
    host
        What runs the rest.
    keys
        Its names.
    options
        Options.
    """

    type_key = "Target"
    structural_eq = "tree"
    kind: ty.String
    host: "ty.Optional[TargetNode]" = None
    keys: ty.Array[ty.String] = field(default_factory=list)
    options: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class MemoryInfoNode(AttrsNode):
    """A kind of memory.

    Attributes
    ----------
    unit_bits
        Bits of a unit.
    max_num_bits
        Bits of all.
    max_simd_bits
        Bits of the widest vector instruction.
    head_address
        Where it begins.
    """

    type_key = "MemoryInfo"
    unit_bits: ty.int64_t
    max_num_bits: ty.int64_t
    max_simd_bits: ty.int64_t
    head_address: ty.Optional[ExprNode] = None


@declare
class Conv2DAttrsNode(AttrsNode):
    """A convolution.

    Attributes
    ----------
    strides
        Steps.
    padding
        Borders.
    dilation
        Distances.
    groups
        Groups.
    data_layout
        Order of dimensions.
    """

    type_key = "Conv2DAttrs"
    strides: ty.Array[ty.int64_t]
    padding: ty.Array[ty.int64_t]
    dilation: ty.Array[ty.int64_t]
    groups: ty.int32_t = 1
    data_layout: ty.String = "NCHW"


@declare
class Pool2DAttrsNode(AttrsNode):
    """A pooling.

    Attributes
    ----------
    pool_size
        Window.
    strides
        Steps.
    ceil_mode
        Whether to round upwards.
    """

    type_key = "Pool2DAttrs"
    pool_size: ty.Array[ty.int64_t]
    strides: ty.Array[ty.int64_t]
    ceil_mode: bool = False


@declare
class DenseAttrsNode(AttrsNode):
    """A matrix product.

    Attributes
    ----------
    units
        Rows of the result.
    out_dtype
        Type of the result.
    """

    type_key = "DenseAttrs"
    units: ty.Optional[ty.int64_t] = None
    out_dtype: ty.Optional[ty.DataType] = None


@declare
class SoftmaxAttrsNode(AttrsNode):
    """A softmax.

    Attributes
    ----------
    axis
        Along what.
    """

    type_key = "SoftmaxAttrs"
    axis: ty.int64_t = -1


@declare
class TransposeAttrsNode(AttrsNode):
    """Dimensions in another order.

    Attributes
    ----------
    axes
        The order.
    """

    type_key = "TransposeAttrs"
    axes: ty.Array[ty.int64_t]


@declare
class ReshapeAttrsNode(AttrsNode):
    """Another shape.

    Attributes
    ----------
    newshape
        The shape.
    """

    type_key = "ReshapeAttrs"
    newshape: ty.Array[ty.int64_t]


@declare
class ConcatAttrsNode(AttrsNode):
    """Several in one.

    Attributes
    ----------
    axis
        Along what.
    """

    type_key = "ConcatAttrs"
    axis: ty.int64_t = 0


@declare
class SplitAttrsNode(AttrsNode):
    """One in several.

    Attributes
    ----------
    sections
        How many, or where.
    axis
        Along what.
    """

    type_key = "SplitAttrs"
    sections: ty.Union[ty.int64_t, ty.Array[ty.int64_t]]
    axis: ty.int64_t = 0


@declare
class ReduceAttrsNode(AttrsNode):
    """A reduction.

    Attributes
    ----------
    axis
        Along what.
    keepdims
        Whether the dimensions stay.
    """

    type_key = "ReduceAttrs"
    axis: ty.Array[ty.int64_t]
    keepdims: bool = False


@declare
class CastAttrsNode(AttrsNode):
    """Another type.

    Attributes
    ----------
    dtype
        The type.
    """

    type_key = "CastAttrs"
    dtype: ty.DataType


@declare
class ClipAttrsNode(AttrsNode):
    """Values within bounds.

    Attributes
    ----------
    minimum
        The least.
    maximum
        The largest.
    """

    type_key = "ClipAttrs"
    minimum: ty.float64
    maximum: ty.float64


@declare
class BatchNormAttrsNode(AttrsNode):
    """A normalisation.

    Attributes
    ----------
    axis
        Along what.
    epsilon
        What is added.
    center
        Whether to shift.
    scale
        Whether to scale.
    """

    type_key = "BatchNormAttrs"
    axis: ty.int64_t = 1
    epsilon: ty.float64 = 1e-05
    center: bool = True
    scale: bool = True


@declare
class DropoutAttrsNode(AttrsNode):
    """Random zeros.

    Attributes
    ----------
    rate
        How many.
    """

    type_key = "DropoutAttrs"
    rate: ty.float64 = 0.5


@declare
class TopKAttrsNode(AttrsNode):
    """The largest.

    Attributes
    ----------
    k
        How many.
    axis
        Along what.
    is_ascend
        Whether the smallest.
    """

    type_key = "TopKAttrs"
    k: ty.Optional[ty.int64_t] = None
    axis: ty.int64_t = -1
    is_ascend: bool = False


@declare
class ResizeAttrsNode(AttrsNode):
    """Another size.

    Attributes
    ----------
    size
        The size.
    method
        How.
    """

    type_key = "ResizeAttrs"
    size: ty.Array[ty.int64_t]
    method: ty.String = "linear"


@declare
class LayoutAttrsNode(AttrsNode):
    """Another layout.

    Attributes
    ----------
    src_layout
        From.
    dst_layout
        To.
    """

    type_key = "LayoutAttrs"
    src_layout: ty.String
    dst_layout: ty.String
