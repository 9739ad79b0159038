# SPDX-License-Identifier: Apache-2.0
"""Embed a CUDA binary into an object file, where C++ code finds it by name.

    python -m tvm_ffi.utils.embed_cubin --output-obj P --input-obj P --cubin P --name N [-v]

The exit status is 0 for success, 1 for a missing input, 2 for a tool that failed, and 3 for other
errors. Needs ``ld`` and ``objcopy`` of the GNU binutils.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from .._distribution import VERSION_TEXT
from .._overwrite import check_replaceable

__all__ = ["embed_cubin"]

# The linker derives the symbols of a binary from its file name, here `_binary_cubin_*`.
_BINARY_NAME = "cubin"
_DATA_SECTION = ".rodata"
# The CUDA driver requires this alignment.
_DATA_ALIGNMENT = 16


def embed_cubin(
    cubin_path: Path,
    input_obj_path: Path,
    output_obj_path: Path,
    name: str,
    verbose: bool = False,
) -> None:
    """Merge a CUDA binary with an object file into a new object file.

    The data is read-only and has the local symbols ``__tvm_ffi__cubin_<name>`` and
    ``__tvm_ffi__cubin_<name>_end``, which only code of the same object file can use.

    Parameters
    ----------
    cubin_path
        The binary.
    input_obj_path
        The object file whose code uses the binary.
    output_obj_path
        The output file, which may be the input file. Its directory is created. A failure leaves the
        file unchanged.
    name
        A C identifier, as in ``TVM_FFI_EMBED_CUBIN(name)``.
    verbose
        Whether to print the commands.

    Raises
    ------
    FileNotFoundError
        If one of the inputs is missing.
    FileExistsError
        If the output exists and is not an object file.
    ValueError
        If ``name`` is not a C identifier, or the output exists and is not a regular file.
    RuntimeError
        If a tool fails or is missing.

    """
    cubin, source = Path(cubin_path), Path(input_obj_path)
    target = Path(output_obj_path).absolute()  # The tools run in another directory.
    if not cubin.is_file():
        raise FileNotFoundError(f"CUBIN file not found: {cubin}")
    if not source.is_file():
        raise FileNotFoundError(f"Input object file not found: {source}")
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ValueError(f"the name of a cubin must be a C identifier, got {name!r}")
    if target.exists() and not target.is_file():  # Moving the result there would replace it.
        raise ValueError(f"the output must be a regular file, not a device or pipe: {target}")
    check_replaceable(target, "an object file", lambda content: content.startswith(b"\x7fELF"))
    target.parent.mkdir(parents=True, exist_ok=True)
    # The directory is on the same file system as the target, so that the result can be moved
    # atomically.
    with tempfile.TemporaryDirectory(prefix=".embed_", dir=target.parent) as scratch:
        merged = _merge(cubin.resolve(), source.resolve(), Path(scratch), name, verbose)
        os.replace(merged, target)


def _merge(cubin: Path, source: Path, scratch: Path, name: str, verbose: bool) -> Path:
    """Create the object file in the scratch directory."""
    data, marked, merged = (scratch / n for n in ("data.o", "marked.o", "merged.o"))
    symbol = f"__tvm_ffi__cubin_{name}"
    start, end = (f"_binary_{_BINARY_NAME}_{part}" for part in ("start", "end"))
    # The tools derive symbols from the given path, so use a fixed relative name.
    (scratch / _BINARY_NAME).write_bytes(cubin.read_bytes())
    _run(["ld", "-r", "-b", "binary", "-o", str(data), _BINARY_NAME], scratch, verbose)
    flags = f"{_DATA_SECTION},alloc,load,readonly,data,contents"
    command = ["objcopy", "--rename-section", f".data={flags}"]
    command += ["--set-section-alignment", f".data={_DATA_ALIGNMENT}"]
    # Without this section, the linker would make the stack of the whole program executable.
    command += ["--add-section", ".note.GNU-stack=/dev/null"]
    command += ["--set-section-flags", ".note.GNU-stack=contents,readonly"]
    command += ["--redefine-sym", f"{start}={symbol}", "--redefine-sym", f"{end}={symbol}_end"]
    command += ["--strip-symbol", f"_binary_{_BINARY_NAME}_size", str(data), str(marked)]
    _run(command, scratch, verbose)
    _run(["ld", "-r", "-o", str(merged), str(source), str(marked)], scratch, verbose)
    command = ["objcopy", "--localize-symbol", symbol, "--localize-symbol", f"{symbol}_end"]
    _run([*command, str(merged)], scratch, verbose)
    return merged


def _run(command: list[str], directory: Path, verbose: bool) -> None:
    line = " ".join(command)
    if verbose:
        print(f"+ {line}")
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise RuntimeError(
            f"Command failed: {line}\n`{command[0]}` is not installed (GNU binutils)"
        ) from error
    if done.returncode != 0:
        raise RuntimeError(
            f"Command failed with status {done.returncode}: {line}\n"
            f"stdout:\n{done.stdout}\nstderr:\n{done.stderr}"
        )


def main(arguments: list[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tvm_ffi.utils.embed_cubin",
        description="Embed a CUDA binary into an object file.",
    )
    parser.add_argument("--version", action="version", version=VERSION_TEXT)
    parser.add_argument("--output-obj", required=True, help="the object file to write")
    parser.add_argument("--input-obj", required=True, help="the object file to add the binary to")
    parser.add_argument("--cubin", required=True, help="the CUDA binary (cubin or fatbin)")
    parser.add_argument("--name", required=True, help="the name in TVM_FFI_EMBED_CUBIN(name)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the commands")
    options = parser.parse_args(arguments)
    try:
        embed_cubin(
            Path(options.cubin),
            Path(options.input_obj),
            Path(options.output_obj),
            options.name,
            options.verbose,
        )
    except FileNotFoundError as error:
        return _fail(error, 1)
    except RuntimeError as error:
        return _fail(error, 2)
    except Exception as error:
        return _fail(error, 3)
    return 0


def _fail(error: Exception, status: int) -> int:
    print(f"Error: {error}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
