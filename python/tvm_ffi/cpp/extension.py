# SPDX-License-Identifier: Apache-2.0
"""The four functions that build sources, and load what comes of them."""

from __future__ import annotations

import os

from . import cache, ninja, record, source, toolchain
from .request import Request, check_name, check_output, flags, paths, strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tvm_ffi.module import Module

    from .builder import Given

    _Paths = Sequence[str] | str | None

__all__ = ["build", "build_inline", "load", "load_inline"]


def build_inline(
    name: str,
    *,
    cpp_sources: Sequence[str] | str | None = None,
    cuda_sources: Sequence[str] | str | None = None,
    functions: Mapping[str, str] | Sequence[str] | str | None = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | os.PathLike[str] | None = None,
    embed_cubin: Mapping[str, bytes] | None = None,
    backend: str | None = None,
    output: str | None = None,
) -> str:
    """Build sources that are given as text, and return the absolute path of the library.

    A build that is current is not repeated, and starts no process: sources, flags, compilers and
    the headers that were read are compared. Any number of processes and threads may call this for
    the same sources; one of them builds.

    Parameters
    ----------
    name
        The name of the build: one component of a path.
    cpp_sources, cuda_sources
        The sources. They see the headers of functions, tensors, errors, data types and streams.
    functions
        The names of the functions to export; or a mapping from names to documentation.
    extra_cflags, extra_cuda_cflags, extra_ldflags
        Flags that come after our own: for C and C++, for the GPU, for the link. They are words of a
        build file of ninja and of a shell, so a dollar sign is written twice.
    extra_include_paths
        Directories to look for headers in.
    build_directory
        Where to build; without it a directory of the cache, see ``tvm-ffi-cache``.
    embed_cubin
        CUDA binaries by the names that ``TVM_FFI_EMBED_CUBIN`` finds them under.
    backend
        ``"cuda"`` or ``"hip"``; without it the one that this machine is set up for.
    output
        The name of the file to make. One that ends in ``.o`` is an object file.

    Raises
    ------
    ValueError
        If there are no sources, or a name or the backend is invalid.
    RuntimeError
        If a tool is missing or fails. The text holds what the compiler said, with the file and line
        of the caller's program where the source stands in it.

    Examples
    --------
    >>> import tvm_ffi.cpp
    >>> path = tvm_ffi.cpp.build_inline(
    ...     "doc_add_one", cpp_sources="int add_one(int x) { return x + 1; }", functions="add_one"
    ... )
    >>> tvm_ffi.load_module(path).add_one(41)
    42

    """
    check_name(name)
    cpp_parts = strings("cpp_sources", cpp_sources)
    cuda_parts = strings("cuda_sources", cuda_sources)
    exported = source.exported(functions)
    texts = source.files("\n".join(cpp_parts), "\n".join(cuda_parts), exported)
    given = {
        source.CPP_FILE: ("cpp_sources", cpp_parts),
        source.CUDA_FILE: ("cuda_sources", cuda_parts),
    }
    cubins = _cubins(embed_cubin)
    return _build(
        Request(
            name=name,
            output=check_output(output, name),
            sources=tuple(file for file in texts if any(given[file][1])),
            texts=texts,
            functions=exported,
            cubins=cubins,
            cflags=flags("extra_cflags", extra_cflags),
            cuda_cflags=flags("extra_cuda_cflags", extra_cuda_cflags),
            ldflags=flags("extra_ldflags", extra_ldflags),
            include_paths=paths("extra_include_paths", extra_include_paths),
        ),
        build_directory,
        backend,
        given,
    )


def load_inline(
    name: str,
    *,
    cpp_sources: Sequence[str] | str | None = None,
    cuda_sources: Sequence[str] | str | None = None,
    functions: Mapping[str, str] | Sequence[str] | str | None = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | os.PathLike[str] | None = None,
    embed_cubin: Mapping[str, bytes] | None = None,
    keep_module_alive: bool = True,
    backend: str | None = None,
) -> Module:
    """Build sources that are given as text, and load the library as a module.

    ``keep_module_alive`` is that of ``tvm_ffi.load_module``; everything else is described at
    ``build_inline``.

    Examples
    --------
    >>> import tvm_ffi.cpp
    >>> module = tvm_ffi.cpp.load_inline(
    ...     "doc_add_one", cpp_sources="int add_one(int x) { return x + 1; }", functions="add_one"
    ... )
    >>> module.add_one(41)
    42

    """
    path = build_inline(
        name,
        cpp_sources=cpp_sources,
        cuda_sources=cuda_sources,
        functions=functions,
        extra_cflags=extra_cflags,
        extra_cuda_cflags=extra_cuda_cflags,
        extra_ldflags=extra_ldflags,
        extra_include_paths=extra_include_paths,
        build_directory=build_directory,
        embed_cubin=embed_cubin,
        backend=backend,
    )
    return _load(path, keep_module_alive)


def build(
    name: str,
    *,
    sources: _Paths = None,
    cpp_files: _Paths = None,
    cuda_files: _Paths = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | os.PathLike[str] | None = None,
    backend: str | None = None,
    output: str | None = None,
) -> str:
    """Build source files, and return the absolute path of the library.

    The files export functions by themselves, with ``TVM_FFI_DLL_EXPORT_TYPED_FUNC``. The suffix of
    a file tells its language: ``.c`` is C, ``.cu`` is for a GPU, ``.o`` and ``.obj`` go to the
    linker, everything else is C++.

    Parameters
    ----------
    name
        The name of the build: one component of a path.
    sources, cpp_files, cuda_files
        The files; all three mean the same.
    extra_cflags, extra_cuda_cflags, extra_ldflags, extra_include_paths, build_directory, backend
        As at ``build_inline``.
    output
        The name of the file to make. One that ends in ``.o`` is an object file, which can be a
        source of another build.

    Raises
    ------
    ValueError
        If there are no sources, or a name or the backend is invalid.
    RuntimeError
        If a tool is missing or fails; the text holds what it said.

    """
    check_name(name)
    files = (
        *paths("sources", sources),
        *paths("cpp_files", cpp_files),
        *paths("cuda_files", cuda_files),
    )
    return _build(
        Request(
            name=name,
            output=check_output(output, name),
            sources=tuple(dict.fromkeys(files)),
            cflags=flags("extra_cflags", extra_cflags),
            cuda_cflags=flags("extra_cuda_cflags", extra_cuda_cflags),
            ldflags=flags("extra_ldflags", extra_ldflags),
            include_paths=paths("extra_include_paths", extra_include_paths),
        ),
        build_directory,
        backend,
        {},
    )


def load(
    name: str,
    *,
    sources: _Paths = None,
    cpp_files: _Paths = None,
    cuda_files: _Paths = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | os.PathLike[str] | None = None,
    keep_module_alive: bool = True,
    backend: str | None = None,
) -> Module:
    """Build source files, and load the library as a module.

    ``keep_module_alive`` is that of ``tvm_ffi.load_module``; everything else is described at
    ``build``.
    """
    path = build(
        name,
        sources=sources,
        cpp_files=cpp_files,
        cuda_files=cuda_files,
        extra_cflags=extra_cflags,
        extra_cuda_cflags=extra_cuda_cflags,
        extra_ldflags=extra_ldflags,
        extra_include_paths=extra_include_paths,
        build_directory=build_directory,
        backend=backend,
    )
    return _load(path, keep_module_alive)


# ---- how a build goes ----


def _load(path: str, keep_module_alive: bool) -> Module:
    from tvm_ffi.module import load_module  # Native; building alone is not.

    return load_module(path, keep_module_alive=keep_module_alive)


def _cubins(given: Mapping[str, bytes] | None) -> dict[str, bytes]:
    if not given:
        return {}
    if toolchain.IS_WINDOWS:
        raise NotImplementedError("CUBIN embedding is not yet supported on Windows")
    if not hasattr(given, "items"):
        raise TypeError(f"embed_cubin must be a mapping, got {type(given).__name__}: {given!r}")
    for name, data in given.items():
        # The name ends a longer one, so that it may begin with a digit.
        is_name = isinstance(name, str) and name.isascii() and f"_{name}".isidentifier()
        if not (is_name and name):
            raise ValueError(f"the name of a cubin must be an identifier of C, got {name!r}")
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"embed_cubin[{name!r}] must be bytes, got {type(data).__name__}")
    return {name: bytes(data) for name, data in given.items()}


def _build(
    request: Request,
    build_directory: str | os.PathLike[str] | None,
    backend: str | None,
    given: Given,
) -> str:
    """Make the output of a request, unless it is there already."""
    if not request.sources:
        raise ValueError("sources must be provided.")
    tools = toolchain.resolve(request.kinds, backend, request.include_paths)
    if build_directory is None:
        directory = cache.directory_of(request, tools)
    else:
        directory = os.path.realpath(build_directory)
    text = ninja.build_file(request, tools, directory)
    if build_directory is None:
        cache.private_root()
        if os.path.lexists(directory):
            cache.check_private(directory)
    fingerprint = cache.digest(text, request.texts, request.cubins, tools.identity())
    if record.is_current(directory, request.output, fingerprint):
        record.mark_used(directory)
    else:
        from . import builder  # What follows takes seconds; all else, a millisecond.

        builder.build(request, directory, text, fingerprint, given)
    return os.path.join(directory, request.output)
