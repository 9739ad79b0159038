#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Build for another platform, and run the tests as far as this machine can:
# `check.sh aarch64|windows|musl|macos PYTHON [TEXT]`. PYTHON makes environments; with TEXT only the C++ test
# programs with that text in their names run. Where a tool is missing and cannot be installed, the
# script says so and succeeds. The Makefile calls it, with the tools of .venv first in PATH.
set -eu

platform=$1
python=$2
only=${3:-}
tools=$(cd "$(dirname "$0")/.." && pwd)
root=$(dirname "$tools")
build="$root/build/$platform"
jobs=${JOBS:-1}

# set_up <arguments of set_up.sh>
set_up() {
  "$tools/set_up.sh" "$@" || {
    echo "$platform: skipped, since the tools are missing (see above)"
    exit 0
  }
}

# build_for <toolchain> <further CMake arguments>
build_for() {
  toolchain=$1
  shift
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$tools/platforms/$toolchain.cmake" \
    -DCMAKE_BUILD_TYPE=Release -DTVM_FFI_WERROR=ON -DTVM_FFI_BUILD_TESTS=ON \
    "$@" --log-level=WARNING -Wno-author >/dev/null
  cmake --build "$build" --parallel "$jobs"
}

# build_libcxx <folder of zig's commands>: the shared C++ runtime for musl
build_libcxx() {
  zig_sources=$("$1/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "lib"))')
  cmake -S "$tools/platforms/libcxx" -B "$root/build/musl-libcxx" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$tools/platforms/x86_64-linux-musl.cmake" -DTVM_FFI_ZIG="$1" \
    -DTVM_FFI_ZIG_SOURCES="$zig_sources" --log-level=WARNING >/dev/null
  cmake --build "$root/build/musl-libcxx" --parallel "$jobs"
}

run_cpp_tests() {
  name=$1
  shift
  python3 "$tools/platforms/run_tests.py" "$build" --name "$name" --only "$only" -- "$@"
}

# The short form of the Python suite: each kind of value, calls, classes, errors, cycles.
run_python_tests() {
  interpreter=$1
  "$tools/stage.sh" "$build"
  cd "$root/tests/python"
  PYTHONPATH="$build/site" PYTHONDONTWRITEBYTECODE=1 "$interpreter" -m pytest \
    -p no:cacheprovider -q test_convert.py test_function.py test_object.py test_class_fields.py test_list.py test_dict.py test_map.py \
    test_array.py test_tensor.py test_error.py test_cycles.py test_dtype.py test_shape.py
}

case $platform in
  aarch64)
    set_up aarch64
    arm="$root/build/aarch64-python"
    set_up aarch64-python "$arm" "$python"
    emulator="qemu-aarch64 -L $arm/root"
    build_for aarch64-linux-gnu -DTVM_FFI_BUILD_PYTHON_MODULE=ON \
      -DCMAKE_CROSSCOMPILING_EMULATOR="qemu-aarch64;-L;$arm/root" \
      -DPython_EXECUTABLE="$arm/root/usr/bin/python" \
      -DPython_INCLUDE_DIR="$arm/root/usr/include/python3.11" \
      -DCMAKE_CXX_FLAGS="-idirafter $arm/root/usr/include"
    run_cpp_tests aarch64 $emulator
    [ -n "$only" ] || run_python_tests "$arm/root/usr/bin/python"
    ;;
  windows)
    set_up windows
    build_for x86_64-w64-mingw32
    libraries=$(dirname "$(x86_64-w64-mingw32-g++-posix -print-file-name=libstdc++-6.dll)")
    export WINEPREFIX="$root/build/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
    export WINEPATH="Z:$build/lib;Z:$libraries;Z:/usr/x86_64-w64-mingw32/lib;Z:$build/bin"
    cd "$build"
    run_cpp_tests windows wine
    ;;
  musl)
    set_up musl
    set_up zig "$root/build/zig" "$python"
    export ZIG_GLOBAL_CACHE_DIR="$root/build/zig-cache"
    build_libcxx "$root/build/zig/bin"
    build_for x86_64-linux-musl -DTVM_FFI_ZIG="$root/build/zig/bin" \
      -DTVM_FFI_LIBCXX="$root/build/musl-libcxx/libcxx.so"
    run_cpp_tests musl /lib/ld-musl-x86_64.so.1
    ;;
  macos)
    set_up zig "$root/build/zig" "$python"
    export ZIG_GLOBAL_CACHE_DIR="$root/build/zig-cache"
    build_for aarch64-macos -DTVM_FFI_ZIG="$root/build/zig/bin"
    echo "macos: the runtime and $(ls "$build"/tests/cpp/test_* | grep -cv '\.cmake$') test programs are linked; nothing of it ran"
    ;;
  *)
    echo "usage: check.sh aarch64|windows|musl|macos PYTHON [TEXT]" >&2
    exit 2
    ;;
esac
