# SPDX-License-Identifier: Apache-2.0
"""Functions, modules, targets, and attributes of operators."""

from base import AttrsNode, BaseNode, ExprNode, StmtNode, TypeNode
from buffer import BufferNode
from expr import GlobalVarNode, VarNode

from tvm_ffi.schema import Object, declare, field, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.")


@declare
class DictAttrsNode(AttrsNode):
    """Attributes in a dictionary.

    Attributes
    ----------
    values
        Values of the attributes by name.
    """

    type_key = "DictAttrs"
    values: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class BaseFuncNode(BaseNode):
    """Base of all functions.

    Attributes
    ----------
    attrs
        Attributes of the function.
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
        The parameters.
    result_type
        Type of the result.
    buffer_map
        Parameter -> the buffer that is passed.
    body
        Body of the function.
    """

    type_key = "PrimFunc"
    params: ty.Array[VarNode] = field(structural_eq="def")
    result_type: TypeNode
    buffer_map: ty.Map[VarNode, BufferNode]
    body: StmtNode


@declare
class ExternFuncNode(BaseFuncNode):
    """A function that is written in another language.

    Attributes
    ----------
    symbol
        Symbol name of the function.
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
    """Base of information that all functions of a module share."""

    type_key = "GlobalInfo"
    abstract = True
    structural_eq = "tree"


@declare
class VDeviceNode(GlobalInfoNode):
    """A virtual device.

    Attributes
    ----------
    target_kind
        Kind of the target.
    vdevice_id
        Number of the device.
    memory_scope
        Memory scope of the device.
    """

    type_key = "VDevice"
    target_kind: ty.String
    vdevice_id: ty.int64_t = 0
    memory_scope: ty.String = "global"


@declare
class IRModuleNode(Object):
    """A collection of functions.

    Attributes
    ----------
    functions
        The functions.
    global_infos
        Information that the functions share.
    attrs
        Attributes of the module.
    """

    type_key = "IRModule"
    structural_eq = "tree"
    functions: ty.Map[GlobalVarNode, BaseFuncNode] = field(default_factory=dict)
    global_infos: ty.Map[ty.String, ty.Array[GlobalInfoNode]] = field(default_factory=dict)
    attrs: ty.Optional[DictAttrsNode] = None


@declare
class PassInfoNode(Object):
    """Description of a compiler pass.

    Attributes
    ----------
    opt_level
        Lowest optimisation level at which the pass runs.
    name
        Name of the pass.
    required
        Names of the passes that must run before this pass.
    """

    type_key = "PassInfo"
    opt_level: ty.int32_t
    name: ty.String
    required: ty.Array[ty.String] = field(default_factory=list)


@declare
class TargetNode(Object):
    """A target of compilation.

    Attributes
    ----------
    kind
        Kind of the target, such as ``cuda``.
    host
        Target for the code that runs on the host.
    keys
        Other names of the target.
    options
        Options of the target.
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
        Bits of an addressable unit.
    max_num_bits
        Total size in bits.
    max_simd_bits
        Bits of the widest vector access.
    head_address
        Address of the first unit.
    """

    type_key = "MemoryInfo"
    unit_bits: ty.int64_t
    max_num_bits: ty.int64_t
    max_simd_bits: ty.int64_t
    head_address: ty.Optional[ExprNode] = None


@declare
class Conv2DAttrsNode(AttrsNode):
    """Attributes of a two-dimensional convolution.

    Attributes
    ----------
    strides
        Strides of the convolution.
    padding
        Number of padding elements on each side.
    dilation
        Dilation of the kernel.
    groups
        Number of groups.
    data_layout
        Order of the dimensions of the input.
    """

    type_key = "Conv2DAttrs"
    strides: ty.Array[ty.int64_t]
    padding: ty.Array[ty.int64_t]
    dilation: ty.Array[ty.int64_t]
    groups: ty.int32_t = 1
    data_layout: ty.String = "NCHW"


@declare
class Pool2DAttrsNode(AttrsNode):
    """Attributes of a two-dimensional pooling.

    Attributes
    ----------
    pool_size
        Size of the window.
    strides
        Strides of the window.
    ceil_mode
        Whether to round the size of the output up.
    """

    type_key = "Pool2DAttrs"
    pool_size: ty.Array[ty.int64_t]
    strides: ty.Array[ty.int64_t]
    ceil_mode: bool = False


@declare
class DenseAttrsNode(AttrsNode):
    """Attributes of a matrix product.

    Attributes
    ----------
    units
        Number of columns of the result.
    out_dtype
        Data type of the result.
    """

    type_key = "DenseAttrs"
    units: ty.Optional[ty.int64_t] = None
    out_dtype: ty.Optional[ty.DataType] = None


@declare
class SoftmaxAttrsNode(AttrsNode):
    """Attributes of a softmax.

    Attributes
    ----------
    axis
        The normalised axis.
    """

    type_key = "SoftmaxAttrs"
    axis: ty.int64_t = -1


@declare
class TransposeAttrsNode(AttrsNode):
    """Attributes of a transposition.

    Attributes
    ----------
    axes
        New order of the axes.
    """

    type_key = "TransposeAttrs"
    axes: ty.Array[ty.int64_t]


@declare
class ReshapeAttrsNode(AttrsNode):
    """Attributes of a change of shape.

    Attributes
    ----------
    newshape
        Shape of the result.
    """

    type_key = "ReshapeAttrs"
    newshape: ty.Array[ty.int64_t]


@declare
class ConcatAttrsNode(AttrsNode):
    """Attributes of a concatenation of tensors.

    Attributes
    ----------
    axis
        The axis along which tensors are joined.
    """

    type_key = "ConcatAttrs"
    axis: ty.int64_t = 0


@declare
class SplitAttrsNode(AttrsNode):
    """Attributes of a split of a tensor.

    Attributes
    ----------
    sections
        Number of equal sections, or the indices of the splits.
    axis
        The axis that is split.
    """

    type_key = "SplitAttrs"
    sections: ty.Union[ty.int64_t, ty.Array[ty.int64_t]]
    axis: ty.int64_t = 0


@declare
class ReduceAttrsNode(AttrsNode):
    """Attributes of a reduction.

    Attributes
    ----------
    axis
        The axes that are reduced.
    keepdims
        Whether reduced axes stay with the extent 1.
    """

    type_key = "ReduceAttrs"
    axis: ty.Array[ty.int64_t]
    keepdims: bool = False


@declare
class CastAttrsNode(AttrsNode):
    """Attributes of a conversion to another data type.

    Attributes
    ----------
    dtype
        Data type of the result.
    """

    type_key = "CastAttrs"
    dtype: ty.DataType


@declare
class ClipAttrsNode(AttrsNode):
    """Attributes of an operator that limits values to a range.

    Attributes
    ----------
    minimum
        The smallest allowed value.
    maximum
        The largest allowed value.
    """

    type_key = "ClipAttrs"
    minimum: ty.float64
    maximum: ty.float64


@declare
class BatchNormAttrsNode(AttrsNode):
    """Attributes of a batch normalisation.

    Attributes
    ----------
    axis
        The axis of the channels.
    epsilon
        A small number that is added to the variance.
    center
        Whether to add an offset.
    scale
        Whether to multiply by a factor.
    """

    type_key = "BatchNormAttrs"
    axis: ty.int64_t = 1
    epsilon: ty.float64 = 1e-05
    center: bool = True
    scale: bool = True


@declare
class DropoutAttrsNode(AttrsNode):
    """Attributes of a dropout.

    Attributes
    ----------
    rate
        Fraction of the elements that become zero.
    """

    type_key = "DropoutAttrs"
    rate: ty.float64 = 0.5


@declare
class TopKAttrsNode(AttrsNode):
    """Attributes of a selection of the largest elements.

    Attributes
    ----------
    k
        Number of elements.
    axis
        The axis along which elements are compared.
    is_ascend
        Whether to select the smallest elements instead.
    """

    type_key = "TopKAttrs"
    k: ty.Optional[ty.int64_t] = None
    axis: ty.int64_t = -1
    is_ascend: bool = False


@declare
class ResizeAttrsNode(AttrsNode):
    """Attributes of an operator that resizes an image.

    Attributes
    ----------
    size
        Size of the result.
    method
        Interpolation method.
    """

    type_key = "ResizeAttrs"
    size: ty.Array[ty.int64_t]
    method: ty.String = "linear"


@declare
class LayoutAttrsNode(AttrsNode):
    """Attributes of a change of the layout.

    Attributes
    ----------
    src_layout
        Layout of the input.
    dst_layout
        Layout of the result.
    """

    type_key = "LayoutAttrs"
    src_layout: ty.String
    dst_layout: ty.String
