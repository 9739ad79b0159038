# SPDX-License-Identifier: Apache-2.0
"""Check and convert texts of data types and devices, like the runtime."""

from __future__ import annotations

import re

#: Name of a device -> its `DLDeviceType` in C++.
DEVICES = {
    "cpu": "kDLCPU",
    "cuda": "kDLCUDA",
    "opencl": "kDLOpenCL",
    "vulkan": "kDLVulkan",
    "metal": "kDLMetal",
    "mps": "kDLMetal",
    "vpi": "kDLVPI",
    "rocm": "kDLROCM",
    "ext_dev": "kDLExtDev",
    "hexagon": "kDLHexagon",
    "wgpu": "kDLWebGPU",
    "webgpu": "kDLWebGPU",
    "maia": "kDLMAIA",
    "trn": "kDLTrn",
}
_DEVICE = re.compile(r"([a-z_]+)(?::([0-9]{1,10}))?", re.ASCII)
_DTYPE = re.compile(
    r"((?:float|fp)8_e(?:3m4|4m3|4m3b11fnuz|4m3fn|4m3fnuz|5m2|5m2fnuz|8m0fnu)"
    r"|(?:float|fp)6_e(?:2m3fn|3m2fn)|(?:float|fp)4_e2m1fn"
    r"|(?P<word>int|uint|float|bfloat|handle|bool|custom\[[^\]]+\]|(?:i|u|bf|f)(?=[0-9]))"
    r"(?P<bits>[0-9]*)(?P<scalable>xvscale)?)(?:x(?P<lanes>[0-9]+))?",
    re.ASCII,
)
_DEVICE_ALIASES = {"mps": "metal", "wgpu": "webgpu"}
_DTYPE_ALIASES = {"i": "int", "u": "uint", "f": "float", "bf": "bfloat"}
_USUAL_BITS = {"int": 32, "uint": 32, "float": 32, "bfloat": 16, "bool": 8}
_MOST_BITS, _MOST_LANES, _LAST_DEVICE = 255, 65535, (1 << 31) - 1


def cpp_device(text: str) -> str | None:
    """Return a C++ expression for a device such as ``cuda:1``; None if the text is not a device."""
    found = _DEVICE.fullmatch(text)
    if found is None or found[1] not in DEVICES or int(found[2] or 0) > _LAST_DEVICE:
        return None
    return f"DLDevice{{{DEVICES[found[1]]}, {int(found[2] or 0)}}}"


def is_dtype(text: str) -> bool:
    """Return whether a text is a data type such as ``float32x4``; the empty text means void."""
    found = _DTYPE.fullmatch(text)
    if found is None:
        return text in ("", "void")
    lanes = found["lanes"]
    in_range = lanes is None or 0 < int(lanes) <= _MOST_LANES
    return in_range and int(found["bits"] or 0) <= _MOST_BITS


def device_name(text: str) -> str:
    """Return the text that the runtime writes for a device: ``metal:0`` for ``mps``."""
    name, _, number = text.partition(":")
    return f"{_DEVICE_ALIASES.get(name, name)}:{int(number or 0)}"


def dtype_name(text: str) -> str:
    """Return the text that the runtime writes for a data type: ``int32`` for ``i32x1``."""
    found = _DTYPE.fullmatch(text)
    if found is None:
        return ""
    lanes = int(found["lanes"] or 1)
    mark = (found["scalable"] or "") + f"x{lanes}" if lanes > 1 else ""
    if found["word"] is None:
        return found[1].replace("fp", "float", 1) + mark
    word = _DTYPE_ALIASES.get(found["word"], found["word"])
    if word == "handle":
        return word
    bits = int(found["bits"] or 0) or _USUAL_BITS.get(word, 0)
    return f"{word}{'' if (word, bits) == ('bool', 8) else bits}{mark}"
