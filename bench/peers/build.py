#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build the peer modules for this interpreter.

    pip install nanobind pybind11 cython msgspec cffi numpy
    python build.py OUT_DIR

Writes nanobind_peer, pybind11_peer, cython_peer, pyo3_peer, cffi_peer and the C library c_peer
into OUT_DIR, and nanobind_peer once more into OUT_DIR/size, with the optimization for size that
nanobind's own CMake function selects.  If nanobind, pybind11, Cython, cffi or cargo is not
installed, the script prints a note and does not build the module that uses it.

cargo downloads PyO3 from crates.io.  PYO3_CRATES=FOLDER takes PyO3 and all that it needs from a
folder of crates, such as the one that Debian's librust-pyo3-dev fills.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig

HERE = os.path.dirname(os.path.abspath(__file__))
CXX = os.environ.get("CXX", "c++")
CC = os.environ.get("CC", "cc")
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
FLAGS = ["-O3", "-DNDEBUG", "-fPIC", "-shared", "-fvisibility=hidden"]


def sh(*cmd, **variables):
    print(" ".join(cmd))
    subprocess.run(cmd, check=True, env={**os.environ, **variables})


def build_pyo3(folder, module):
    crates = os.environ.get("PYO3_CRATES")
    source = ()
    if crates:
        directory = json.dumps(os.path.abspath(crates))
        source = (
            *("--offline", "--config", 'source.crates-io.replace-with="folder"'),
            *("--config", f"source.folder.directory={directory}"),
        )
    manifest = os.path.join(HERE, "pyo3", "Cargo.toml")
    arguments = ("--release", "--manifest-path", manifest, "--target-dir", folder)
    sh("cargo", "build", *arguments, *source, PYO3_PYTHON=sys.executable)
    shutil.copy(os.path.join(folder, "release", "libpyo3_peer.so"), module)


def main():
    out = os.path.abspath(sys.argv[1])
    os.makedirs(out, exist_ok=True)
    py = ["-I" + sysconfig.get_path("include")]
    source = lambda name: os.path.join(HERE, name)
    target = lambda name: os.path.join(out, name)
    sh(CC, *FLAGS, source("c_peer.c"), "-o", target("c_peer.so"))
    try:
        import pybind11

        sh(
            CXX,
            "-std=c++17",
            *FLAGS,
            *py,
            "-I" + pybind11.get_include(),
            source("pybind11_peer.cpp"),
            "-o",
            target("pybind11_peer" + SUFFIX),
        )
    except ImportError:
        print("pybind11 is not installed")
    try:
        import nanobind

        root = os.path.dirname(nanobind.include_dir())
        os.makedirs(target("size"), exist_ok=True)
        for folder, optimization in (("", []), ("size", ["-Os"])):
            sh(
                CXX,
                "-std=c++17",
                *FLAGS,
                *optimization,
                "-fno-strict-aliasing",
                *py,
                "-I" + nanobind.include_dir(),
                "-I" + os.path.join(root, "ext", "robin_map", "include"),
                source("nanobind_peer.cpp"),
                os.path.join(root, "src", "nb_combined.cpp"),
                "-o",
                os.path.join(out, folder, "nanobind_peer" + SUFFIX),
            )
    except ImportError:
        print("nanobind is not installed")
    try:
        import Cython  # noqa: F401

        translated = target("cython_peer.cpp")
        sh(
            sys.executable,
            "-m",
            "cython",
            "-3",
            "--cplus",
            source("cython_peer.pyx"),
            "-o",
            translated,
        )
        flags = [*FLAGS, "-fno-strict-aliasing", *py]
        sh(CXX, "-std=c++17", *flags, translated, "-o", target("cython_peer" + SUFFIX))
    except ImportError:
        print("Cython is not installed")
    if shutil.which("cargo"):
        try:
            build_pyo3(target("pyo3"), target("pyo3_peer" + SUFFIX))
        except subprocess.CalledProcessError:
            print("PyO3 was not built: cargo failed, see above; PYO3_CRATES needs no network")
    else:
        print("cargo is not installed")
    try:
        import cffi

        ffi = cffi.FFI()
        ffi.cdef("""
            typedef struct { int64_t a, b; } IntPair;
            void nop0(void); void nop1(int64_t); void nop3(int64_t, int64_t, int64_t);
            void nop8(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
            int64_t echo_int(int64_t); double echo_float(double);
            const char *echo_str(const char *);
            int64_t sum(const IntPair *);
            int64_t apply(int64_t (*)(int64_t), int64_t);
            extern "Python" int64_t py_callback(int64_t);
        """)
        with open(source("c_peer.c")) as f:
            text = f.read().replace("API ", "static ")
        ffi.set_source("cffi_peer", text, extra_compile_args=["-O3"])
        ffi.compile(tmpdir=out)
    except ImportError:
        print("cffi is not installed")


if __name__ == "__main__":
    main()
