# SPDX-License-Identifier: Apache-2.0
"""Invalid schema images: the runtime reports the position of the error, and never crashes."""

from __future__ import annotations

import binascii
import contextlib
import random
import struct
import sys

import pytest
from running import execute

import tvm_ffi
from tvm_ffi_schema.ir import image_bytes
from tvm_ffi_schema.ir.image_bytes import HEADER, MAGIC, ImageBytes

LOAD = tvm_ffi.get_global_func("ffi.schema.LoadImage")
CHECK_ONLY = 1

SCHEMA = '''
__tschema__ = module(namespace="h", type_key_prefix="hostile.PREFIX.")

@declare
class ColorNode(Object):
    """An enum."""
    type_key = "Color"
    red: int = 0
    Red = entry(red=255)

@declare
class BaseNode(Object):
    """A base."""
    type_key = "Base"
    x: ty.int8_t = 3
    y: "ty.Optional[ty.Map[str, ty.Array[BaseNode]]]" = None
    z: "ty.Union[int, str, ty.Tuple[int, float]]" = field(default="z", kw_only=True)

@declare
class ChildNode(BaseNode):
    """A child."""
    type_key = "Child"
    type_attrs = {"hostile.list": [1, 2.5, None, {"a": True}]}
    color: ColorNode = ColorNode.Red
    raw: bytes = b"raw"
    call: "ty.Optional[ty.Function]" = None
    @method
    def run(self, level: int) -> int: ...
'''


@pytest.fixture
def image(project) -> bytes:
    project.schema(SCHEMA.replace("PREFIX", "a"))
    assert project.run("build", "-q", "-o", "a.tfs") == 0, project.err
    return (project.root / "a.tfs").read_bytes()


def resealed(data: bytes) -> bytes:
    """Return a changed image; correct the size and the checksum in its header."""
    magic, version, flags, _, _, schema = HEADER.unpack_from(data)
    body = data[HEADER.size :]
    head = HEADER.pack(magic, version, flags, len(data), binascii.crc32(body), schema)
    return head + body


def check(data: bytes) -> None:
    """Let the runtime check an image; it may raise only ValueError and TypeError."""
    with contextlib.suppress(ValueError, TypeError):
        LOAD(data, CHECK_ONLY)


def test_the_image_itself_is_fine(image):
    keys = LOAD(image, CHECK_ONLY)
    assert [str(key) for key in keys] == [f"hostile.a.{n}" for n in ("Color", "Base", "Child")]
    with pytest.raises(ValueError, match="flags of a schema image are 0 or 1, got 2"):
        LOAD(image, 2)


@pytest.mark.spec("SC103.10")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "byte 0: this is not a schema image"),
        (lambda data: b"\x7fELF" + data[4:], "byte 0: this is not a schema image"),
        (lambda data: data.replace(b"\r\n", b"\n"), "byte 0: this is not a schema image"),
        (lambda data: data[:20], r"byte \d+: the image ends too early"),
        (lambda data: data[:-1], "it should have"),
        (lambda data: data + b"\0", "it should have"),
        (lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:], "checksum differs"),
        (
            lambda data: data[:8] + struct.pack("<I", 2) + data[12:],
            "format has version 2, this library reads version 1",
        ),
        (lambda data: data[:12] + b"\1" + data[13:], "features that this library does not know"),
    ],
)
def test_broken_headers_have_different_messages(image, change, message):
    with pytest.raises(ValueError, match=rf"schema image <bytes>, .*{message}"):
        LOAD(change(image), 0)


@pytest.mark.spec("SC103.10")
def test_every_truncation_is_found(image):
    for size in range(len(image)):
        with pytest.raises(ValueError, match="schema image <bytes>"):
            LOAD(image[:size], CHECK_ONLY)
        if size >= HEADER.size:
            with pytest.raises(ValueError, match=r"schema image <bytes>, (byte|type)"):
                LOAD(resealed(image[:size]), CHECK_ONLY)


@pytest.mark.spec("SC103.10")
def test_every_flipped_bit_is_found(image):
    for at in range(len(image)):
        data = bytearray(image)
        data[at] ^= 1 << (at % 8)
        with pytest.raises(ValueError, match="schema image <bytes>"):
            LOAD(bytes(data), CHECK_ONLY)


@pytest.mark.spec("SC103.10")
def test_changed_images_with_a_correct_checksum_never_crash(image):
    chance = random.Random(6)
    for _ in range(6000):
        data = bytearray(image)
        for _ in range(chance.choice((1, 1, 2, 8))):
            at = chance.randrange(HEADER.size, len(data))
            kind = chance.randrange(3)
            if kind == 0:
                data[at] ^= 1 << chance.randrange(8)
            elif kind == 1:
                data[at : at + 4] = struct.pack("<I", chance.choice((0, 1, 0xFF, 0xFFFFFFFF)))
            else:
                del data[at : at + chance.randrange(1, 9)]
        check(resealed(bytes(data)))


REGISTER = """
import binascii, random, sys
import tvm_ffi
from tvm_ffi_schema.ir.image_bytes import HEADER
load = tvm_ffi.get_global_func("ffi.schema.LoadImage")
image = open(sys.argv[1], "rb").read()
chance = random.Random(7)
registered = 0
for number in range(1500):
    data = bytearray(image.replace(b"hostile.a.", b"h%08d." % number))
    at = chance.randrange(HEADER.size, len(data))
    data[at] ^= 1 << chance.randrange(8)
    fields = list(HEADER.unpack_from(data))
    fields[3:5] = len(data), binascii.crc32(data[HEADER.size:])
    data[:HEADER.size] = HEADER.pack(*fields)
    try:
        keys = load(bytes(data), 0)
    except (ValueError, TypeError, RuntimeError, OverflowError):
        continue
    registered += 1
    for key in keys:
        info = tvm_ffi.core._lookup_or_register_type_info_from_type_key(str(key))
        try:
            made = info.type_cls()
            repr(made), tvm_ffi.structural_hash(made)
            tvm_ffi.serialization.to_json_graph_str(made)
        except (TypeError, ValueError, AttributeError, RuntimeError, UnicodeDecodeError,
                OverflowError, KeyError):
            pass
assert registered > 100, registered
"""


def test_what_such_images_register_can_be_used(image, project):
    """Load randomly damaged images, and use the types that the images register.

    The embedded schema takes most bytes of an image. After damage to the schema, the image still
    registers types.
    """
    command = [sys.executable, "-c", REGISTER, str(project.root / "a.tfs")]
    execute(*command)


# ---- images that no tool writes


def one_type(key: str = "hostile.b.T", parent: str = "ffi.Object", **parts) -> bytes:
    """Return an image of one type; each function in `parts` writes one list of the type."""
    out = ImageBytes()
    out.u32(1)
    for text in (key, parent, "T", ""):
        out.text(text)
    out.u8(parts.get("flags", 0))
    out.u8(parts.get("kind", 1))
    out.u32(parts.get("slots", 0))
    for name in ("fields", "methods", "attributes", "entries"):
        parts.get(name, lambda out: out.u32(0))(out)
    return out.finish(b"")


def field(
    name: str, type_: str, offset: int = 0, flags: int = 0, storage: int = 0, metadata: str = ""
):
    """Return a function that writes a list with one field; the field has no default."""

    def write(out: ImageBytes) -> None:
        out.u32(1)
        for text in (name, "", metadata):
            out.text(text)
        out.u8(storage)
        out.u8(image_bytes.KINDS.index(type_))
        out.u32(offset)
        out.u32(flags)
        out.u8(0)

    return write


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"key": ""}, "type ``: its type key is empty"),
        ({"key": "a\0b"}, "contains a null character"),
        ({"key": "ffi.Object"}, "type `ffi.Object`: the type is registered already"),
        ({"parent": "hostile.none"}, "parent `hostile.none` is not registered"),
        ({"parent": "ffi.Map"}, "parent `ffi.Map` has members that are not reflected"),
        ({"flags": 64}, r"\(type `hostile.b.T`\): it has unknown flags"),
        ({"kind": 6}, "its structural kind is unknown"),
        ({"slots": 1 << 30}, "it reserves 1073741824 child slots"),
        ({"fields": lambda out: out.u32(1 << 31)}, "there cannot be 2147483648 of these"),
        ({"fields": field("", "int64_t")}, "a field has no name"),
        ({"fields": field("x", "int64_t", 32)}, "field `x`: it should lie at offset 32, but lies"),
        ({"fields": field("x", "int64_t", flags=2)}, "field `x`.: it has flags that this library"),
        ({"fields": field("x", "int64_t", storage=3)}, "there is no storage 3"),
        ({"parent": "ffi.Enum", "fields": field("_int_index", "int64_t")}, "two of this name"),
    ],
)
def test_types_that_cannot_be(parts, message):
    with pytest.raises(ValueError, match=message):
        LOAD(one_type(**parts), 0)
    assert tvm_ffi.core._object_type_key_to_index("hostile.b.T") is None


@pytest.mark.parametrize(
    ("values", "refused"),
    [
        ("[7]", ValueError),
        ("[7.5, 7]", TypeError),
        ('[{"a": []}, [1, [2]], null, 1.5, 7]', TypeError),
        ('["a", true]', None),  # nothing of the kind of the field
        ("[]", None),
        ("[7", None),
        ("7", None),
    ],
)
def test_any_metadata_can_state_the_values_of_a_field(values, refused):
    key = f"hostile.values.x{binascii.crc32(values.encode())}"
    text = f'{{"one_of":{values}}}'
    LOAD(one_type(key, fields=field("x", "int64_t", metadata=text)), 0)
    load = tvm_ffi.serialization.from_json_graph_str
    graph = '{"root_index":0,"nodes":[{"type":"KEY","data":{"x":X}}]}'.replace("KEY", key)
    assert load(graph.replace("X", "7")).x == 7
    with pytest.raises(refused) if refused else contextlib.nullcontext():
        load(graph.replace("X", "8"))


def test_types_and_values_that_are_nested_too_deep():
    def deep_type(out: ImageBytes) -> None:
        out.u32(1)
        for text in ("x", "", ""):
            out.text(text)
        out.u8(0)
        for _ in range(101):
            out.u8(image_bytes.KINDS.index("Array"))

    def deep_value(out: ImageBytes) -> None:
        out.u32(1)
        out.text("a")
        for _ in range(100):
            out.u8(7)
            out.u32(1)
        out.u8(0)

    with pytest.raises(ValueError, match="a type is nested too deep"):
        LOAD(one_type(fields=deep_type), 0)
    with pytest.raises(ValueError, match="a value is nested too deep"):
        LOAD(one_type(attributes=deep_value), 0)


def test_a_failure_half_way_frees_the_keys():
    def entry(value: object):
        def write(out: ImageBytes) -> None:
            out.u32(1)
            out.text("E")
            out.value(None)
            out.u32(1)
            out.text("x")
            out.value(value)
            out.u32(0)

        return write

    parts = {"key": "hostile.half", "flags": 16, "fields": field("x", "int8_t")}
    for wrong, error in (("text", TypeError), (300, OverflowError)):
        with pytest.raises(error):  # while the runtime creates the object of the entry
            LOAD(one_type(**parts, entries=entry(wrong)), 0)
        assert tvm_ffi.core._object_type_key_to_index("hostile.half") is None
    assert [str(key) for key in LOAD(one_type(**parts, entries=entry(3)), 0)] == ["hostile.half"]


def test_the_tool_reports_what_is_wrong_with_a_file(image):
    assert image_bytes.embedded_ir(image)
    for data in (b"", b"x" * 40, image[:-1], MAGIC + bytes(40)):
        with pytest.raises(image_bytes.ImageError):
            image_bytes.embedded_ir(data)
