# SPDX-License-Identifier: Apache-2.0
"""The four public functions: build sources, or build and load them."""

from __future__ import annotations

import os

from . import cache, ninja, record, source, toolchain
from .request import Request, check_name, check_output, check_sources, flags, paths, strings

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
    verbose: bool | None = None,
) -> str:
    """Build sources that are given as text, and return the absolute path of the library.

    If the library is up to date, it is not built again and no process is started: sources, flags,
    compilers and included headers are compared. Several processes and threads may call this for the
    same sources; one of them builds.

    Parameters
    ----------
    name
        The name of the build: one component of a path.
    cpp_sources, cuda_sources
        The sources. The headers for functions, tensors, errors, data types and streams are included
        before them.
    functions
        The names of the functions to export; or a mapping from names to documentation.
    extra_cflags, extra_cuda_cflags, extra_ldflags
        Flags after the default ones: for C and C++, for the GPU compiler, for the linker. They are
        inserted into a ninja file and a shell command, so write a dollar sign twice.
    extra_include_paths
        Directories to search for headers.
    build_directory
        The directory to build in; the default is in the cache, see ``tvm-ffi-cache``.
    embed_cubin
        CUDA binaries by name, for ``TVM_FFI_EMBED_CUBIN``.
    backend
        ``"cuda"`` or ``"hip"``; detected by default.
    output
        The name of the output file. With the suffix ``.o`` it is an object file.
    verbose
        Whether to write what is compiled, and for how long. By default, progress is written only on
        a terminal (to ``stderr``) and in IPython and notebooks (to ``stdout``). A build that is up
        to date writes nothing.

    Raises
    ------
    ValueError
        If there are no sources, or a name or the backend is invalid.
    RuntimeError
        If a tool is missing or fails. The message contains the compiler output, with positions in
        the caller's program if the source is found there.

    Examples
    --------
    >>> import tvm_ffi.cpp
    >>> path = tvm_ffi.cpp.build_inline(
    ...     "doc_add_one", cpp_sources="int add_one(int x) { return x + 1; }", functions="add_one"
    ... )
    >>> tvm_ffi.load_module(path).add_one(41)
    42

    """
    __tracebackhide__ = True
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
        verbose,
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
    verbose: bool | None = None,
) -> Module:
    """Build sources that are given as text, and load the library as a module.

    See ``tvm_ffi.load_module`` for ``keep_module_alive``, and ``build_inline`` for everything else.

    Examples
    --------
    >>> import tvm_ffi.cpp
    >>> module = tvm_ffi.cpp.load_inline(
    ...     "doc_add_one", cpp_sources="int add_one(int x) { return x + 1; }", functions="add_one"
    ... )
    >>> module.add_one(41)
    42

    """
    __tracebackhide__ = True
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
        verbose=verbose,
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
    verbose: bool | None = None,
) -> str:
    """Build source files, and return the absolute path of the library.

    The files must export their functions with ``TVM_FFI_DLL_EXPORT_TYPED_FUNC``. The suffix of a
    file determines its language: ``.c`` is C, ``.cu`` is for a GPU, ``.o`` and ``.obj`` are linked,
    everything else is C++.

    Parameters
    ----------
    name
        The name of the build: one component of a path.
    sources, cpp_files, cuda_files
        The files; all three parameters have the same meaning.
    extra_cflags, extra_cuda_cflags, extra_ldflags, extra_include_paths, build_directory, backend
        The same as for ``build_inline``.
    output
        The name of the output file. With the suffix ``.o`` it is an object file, which can be a
        source of another build.
    verbose
        The same as for ``build_inline``.

    Raises
    ------
    ValueError
        If there are no sources, or a name or the backend is invalid.
    FileNotFoundError
        If a file does not exist.
    RuntimeError
        If a tool is missing or fails; the message contains its output.

    """
    __tracebackhide__ = True
    check_name(name)
    files = (
        *paths("sources", sources),
        *paths("cpp_files", cpp_files),
        *paths("cuda_files", cuda_files),
    )
    check_sources(files)
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
        verbose,
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
    verbose: bool | None = None,
) -> Module:
    """Build source files, and load the library as a module.

    See ``tvm_ffi.load_module`` for ``keep_module_alive``, and ``build`` for everything else.
    """
    __tracebackhide__ = True
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
        verbose=verbose,
    )
    return _load(path, keep_module_alive)


# ---- implementation ----


def _load(path: str, keep_module_alive: bool) -> Module:
    from tvm_ffi.module import load_module  # The only import that needs the extension.

    return load_module(path, keep_module_alive=keep_module_alive)


def _cubins(given: Mapping[str, bytes] | None) -> dict[str, bytes]:
    if not given:
        return {}
    if toolchain.IS_WINDOWS:
        raise NotImplementedError("CUBIN embedding is not yet supported on Windows")
    if not hasattr(given, "items"):
        raise TypeError(f"embed_cubin must be a mapping, got {type(given).__name__}: {given!r}")
    for name, data in given.items():
        # The name is the suffix of a symbol, so it may begin with a digit.
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
    verbose: bool | None,
) -> str:
    """Build the output of a request, unless it is up to date."""
    __tracebackhide__ = True  # A notebook shows the frame of the user after an error, not ours.
    if verbose is not None and not isinstance(verbose, bool):
        raise TypeError(f"verbose must be a bool or None, got {type(verbose).__name__}")
    if not request.sources:
        raise ValueError("sources must be provided. Name a file, or pass C++ or CUDA as text.")
    tools = toolchain.resolve(request.kinds, backend, request.include_paths)
    if build_directory is None:
        directory = cache.directory_of(request, tools)
    else:
        directory = os.path.realpath(os.fsdecode(build_directory))
    text = ninja.build_file(request, tools, directory)
    if build_directory is None:
        cache.private_root()
        if os.path.lexists(directory):
            cache.check_private(directory)
    fingerprint = cache.digest(text, request.texts, request.cubins, tools.identity())
    if record.is_current(directory, request.output, fingerprint):
        record.mark_used(directory)
    else:
        # Imported only for a build, which takes seconds anyway.
        from . import builder, progress, runner

        runner.find_ninja()
        toolchain.check_programs(tools, request.kinds)
        with progress.announced(request, tools, verbose):
            builder.build(request, directory, text, fingerprint, given)
    return os.path.join(directory, request.output)
