#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Install the requirements of the Makefile:
#   set_up.sh venv DIR PYTHON              environment of the development tools
#   set_up.sh torch DIR PYTHON             environment of the tests with PyTorch
#   set_up.sh torch-oldest DIR PYTHON      the same with the oldest PyTorch that is supported
#   set_up.sh distributed DIR PYTHON       environment of the tests with Ray and Dask
#   set_up.sh docs DIR PYTHON              environment of the documentation site
#   set_up.sh zig DIR PYTHON               zig's compiler
#   set_up.sh python3.14|python3.15 DIR    Python of this version
#   set_up.sh python3.13t DIR [OPTION...]  Python 3.13 without the GIL, built from its sources with these options
#   set_up.sh aarch64-python DIR PYTHON    Python for AArch64
#   set_up.sh rust                         Rust compiler, and the packages that the macros use; links
#                                          to them in build/rust-packages
#   set_up.sh doxygen|gtest|valgrind       the tool of this name
#   set_up.sh clang                        compiler with libFuzzer
#   set_up.sh chromium                     browser with its driver
#   set_up.sh aarch64|windows|musl         requirements of `make test-aarch64`, `test-windows`, ...
# As root on Debian, missing packages are installed with apt-get; otherwise a message says what to
# install. Tests that need the browser or these Pythons are skipped if it is missing, so that is not an
# error.
set -eu

tools=$(cd "$(dirname "$0")" && pwd)

# need <what> <Debian packages...>: install the packages, or say what to do.
need() {
  what=$1
  shift
  if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null; then
    echo "set-up: installing $*"
    export DEBIAN_FRONTEND=noninteractive
    # Another process may hold the lock of the package manager.
    wait='DPkg::Lock::Timeout=300'
    if { apt-get -o "$wait" install -y --no-install-recommends "$@" ||
      { apt-get update && apt-get -o "$wait" install -y --no-install-recommends "$@"; }; } >/dev/null 2>&1; then
      return
    fi
  fi
  echo "set-up: $what is missing: please install it (Debian: apt-get install $*)" >&2
  exit 1
}

check_compiler() {
  command -v "${CXX:-g++}" >/dev/null || need "a C++17 compiler" g++
}

check_python() {
  command -v "$1" >/dev/null || need "Python 3.10 or newer" python3 python3-dev python3-venv
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
    echo "set-up: $1 is older than Python 3.10: run make PYTHON=<a newer one>" >&2
    exit 1
  }
  "$1" -c 'import ensurepip, venv' 2>/dev/null || need "the venv module of Python" python3-venv
  header=$("$1" -c 'import os, sysconfig; print(os.path.join(sysconfig.get_paths()["include"], "Python.h"))')
  [ -e "$header" ] || need "Python's C header $header" python3-dev
}

# venv --clear empties the target of a link, which another checkout may use.
refuse_link() {
  [ ! -L "$1" ] || {
    echo "set-up: $1 is a symbolic link: remove it, or update the environment that it points to" >&2
    exit 1
  }
}

make_venv() {
  refuse_link "$1"
  check_compiler
  check_python "$2"
  echo "set-up: development tools into $1"
  "$2" -m venv --clear "$1"
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check -r "$tools/requirements-dev.txt"
}

# The wheels of PyTorch on PyPI include the CUDA libraries, which the tests do not need. So PyTorch's
# index of smaller wheels is tried first, where it can be reached.
make_torch_venv() {
  refuse_link "$1"
  check_compiler
  check_python "$2"
  echo "set-up: PyTorch into $1"
  mkdir -p "$(dirname "$1")"
  "$2" -m venv --clear "$1"
  pip() { "$python" -m pip install --quiet --disable-pip-version-check "$@"; }
  python=$1/bin/python
  pip -r "$tools/requirements-dev.txt"
  pip --index-url https://download.pytorch.org/whl/cpu --retries 0 --timeout 15 -r "$3" 2>/dev/null ||
    pip -r "$3"
  "$python" -c 'import torch; print("set-up: PyTorch", torch.__version__)'
}

make_distributed_venv() {
  refuse_link "$1"
  check_compiler
  check_python "$2"
  echo "set-up: Ray and Dask into $1"
  mkdir -p "$(dirname "$1")"
  "$2" -m venv --clear "$1"
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check \
    -r "$tools/requirements-distributed.txt"
}

make_docs_venv() {
  refuse_link "$1"
  check_python "$2"
  echo "set-up: Sphinx into $1"
  mkdir -p "$(dirname "$1")"
  "$2" -m venv --clear "$1"
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check -r "$tools/requirements-docs.txt"
}

have_gtest() {
  [ -e /usr/src/googletest/CMakeLists.txt ] || echo '#include <gtest/gtest.h>' |
    "${CXX:-g++}" -std=c++17 -x c++ -fsyntax-only - 2>/dev/null
}

have_fuzzer() {
  command -v clang++ >/dev/null && echo 'extern "C" int LLVMFuzzerTestOneInput() { return 0; }' |
    clang++ -x c++ -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null
}

have_chromium() {
  command -v chromedriver >/dev/null && { command -v chromium || command -v chromium-browser; } >/dev/null
}

# The stable releases of Debian have no Python 3.14 or 3.15 yet.
unpack_python() {
  [ "$("python$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" != "$1" ] || return 0
  command -v patchelf >/dev/null || (need patchelf patchelf) || return 0
  "$tools/unpack_python.sh" "$1" "$2" || :
}

# The packages of Rust come from Debian as a directory of sources, so that builds need no registry.
# rustup's compiler is used if there is one: it may be newer than that of Debian.
set_up_rust() {
  for command in cargo rustc; do
    command -v "$command" >/dev/null || need "the compiler of Rust" cargo rustc
  done
  oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$tools/../rust/Cargo.toml")
  version=$(rustc --version | cut -d' ' -f2)
  if [ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" != "$oldest" ]; then
    echo "set-up: rustc $version is older than $oldest: install a newer one, for example with rustup" >&2
    exit 1
  fi
  for command in clippy rustfmt; do
    cargo "${command#rust}" --version >/dev/null 2>&1 || need "$command of Rust" "rust-clippy" rustfmt
  done
  for package in proc-macro2 quote syn unicode-ident; do
    set -- /usr/share/cargo/registry/"$package"-[0-9]*
    [ -e "$1/Cargo.toml" ] || need "the package $package of Rust" \
      librust-proc-macro2-dev librust-quote-dev librust-syn-dev
  done
  link_rust_packages
}

# Debian's packages do not have the checksums of crates.io, which Cargo.lock has, and Cargo compares
# them. Make a folder of links to the packages with these checksums.
link_rust_packages() {
  links="$tools/../build/rust-packages"
  awk -F'"' '/^name/ { name = $2 "-" } /^version/ { name = name $2 } /^checksum/ { print name, $2 }' \
    "$tools/../rust/Cargo.lock" | while read -r package checksum; do
    [ -d "/usr/share/cargo/registry/$package" ] || continue
    mkdir -p "$links/$package"
    ln -sfn "/usr/share/cargo/registry/$package"/* "$links/$package/"
    echo "{\"package\":\"$checksum\",\"files\":{}}" >"$links/$package/.cargo-checksum.json"
  done
}

# The C++ tests are compiled from the sources of GoogleTest for other platforms.
need_gtest_sources() {
  [ -e /usr/src/googletest/CMakeLists.txt ] || need "the source of GoogleTest" googletest
}

set_up_aarch64() {
  need_gtest_sources
  command -v aarch64-linux-gnu-g++ >/dev/null || need "a compiler for AArch64" g++-aarch64-linux-gnu
  command -v qemu-aarch64 >/dev/null || need "qemu's user mode" qemu-user
}

set_up_windows() {
  need_gtest_sources
  command -v x86_64-w64-mingw32-g++-posix >/dev/null ||
    need "a compiler for Windows" g++-mingw-w64-x86-64-posix
  command -v wine >/dev/null || need "Wine" wine wine64
}

set_up_musl() {
  need_gtest_sources
  [ -e /lib/ld-musl-x86_64.so.1 ] || need "the C library musl" musl
}

# zig's compiler from PyPI, with the headers and libraries of its targets. CMake takes programs without
# arguments, so each of zig's commands gets a name.
set_up_zig() {
  [ ! -e "$1/bin/zig-c++" ] || return 0
  refuse_link "$1"
  check_python "$2"
  echo "set-up: zig into $1"
  mkdir -p "$(dirname "$1")"
  "$2" -m venv --clear "$1"
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check -r "$tools/requirements-zig.txt"
  zig=$("$1/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
  for command in cc ar ranlib c++; do
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" "$command" >"$1/bin/zig-$command"
    chmod +x "$1/bin/zig-$command"
  done
}

# Debian's Python for AArch64 with its libraries and what the tests import, unpacked into DIR/root.
# DIR/root/usr/bin/python starts it. apt has a state of its own, so the packages of this machine stay as they are.
set_up_aarch64_python() {
  [ ! "$1/.ready" -nt "$tools/requirements-test.txt" ] || return 0
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || {
    echo "set-up: a Python for AArch64 is taken from Debian's packages, and there is no apt-get" >&2
    exit 1
  }
  echo "set-up: Python for AArch64 into $1"
  rm -rf "$1"
  mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial" "$1/root"
  cd "$1/apt"
  : >status
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "http://deb.debian.org/debian bookworm main" >sources.list
  set -- "$1" "$2" -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$PWD" \
    -o "Dir::State::lists=$PWD/lists" -o "Dir::State::status=$PWD/status" -o "Dir::Cache=$PWD/cache" \
    -o "Dir::Etc::sourcelist=$PWD/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Acquire::Languages=none -o APT::Sandbox::User=root
  folder=$1
  python=$2
  shift 2
  apt-get "$@" update >/dev/null 2>&1 && apt-get "$@" install -y --no-install-recommends --download-only \
    python3.11 libpython3.11-dev libstdc++6 >/dev/null 2>&1 || {
    echo "set-up: Debian's packages of Python for AArch64 cannot be downloaded" >&2
    exit 1
  }
  for package in cache/archives/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
  # The command passes its own path as the name of the program, so sys.executable is this command.
  printf '#!/bin/sh\nexec qemu-aarch64 -L "%s" -0 "$0" "%s/usr/bin/python3.11" "$@"\n' "$folder/root" "$folder/root" \
    >"$folder/root/usr/bin/python"
  chmod +x "$folder/root/usr/bin/python"
  grep -E '^(pytest|numpy|ml_dtypes|hypothesis)==' "$tools/requirements-test.txt" >"$folder/requirements.txt"
  "$python" -m pip install --quiet --disable-pip-version-check --target "$folder/root/usr/lib/python3/dist-packages" \
    --only-binary=:all: --python-version 3.11 --implementation cp --platform manylinux_2_28_aarch64 \
    --platform manylinux_2_27_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
    --platform any -r "$folder/requirements.txt" typing_extensions
  touch "$folder/.ready"
}

case $1 in
  venv) make_venv "$2" "$3" ;;
  torch) make_torch_venv "$2" "$3" "$tools/requirements-torch.txt" ;;
  torch-oldest) make_torch_venv "$2" "$3" "$tools/requirements-torch-oldest.txt" ;;
  distributed) make_distributed_venv "$2" "$3" ;;
  docs) make_docs_venv "$2" "$3" ;;
  doxygen) command -v doxygen >/dev/null || need "Doxygen" doxygen ;;
  gtest) have_gtest || need "GoogleTest" libgtest-dev ;;
  clang) have_fuzzer || need "clang with libFuzzer and the sanitizers" clang libclang-rt-dev ;;
  chromium) have_chromium || (need "Chromium with its driver" chromium chromium-driver) || : ;;
  python3.1[45]) unpack_python "${1#python}" "$2" ;;
  python3.13t) shift && "$tools/build_python.sh" "$@" ;;
  rust) set_up_rust ;;
  valgrind) command -v valgrind >/dev/null || need "Valgrind" valgrind ;;
  aarch64) set_up_aarch64 ;;
  aarch64-python) set_up_aarch64_python "$2" "$3" ;;
  windows) set_up_windows ;;
  musl) set_up_musl ;;
  zig) set_up_zig "$2" "$3" ;;
  *)
    echo "usage: set_up.sh venv DIR PYTHON | torch|torch-oldest DIR PYTHON | distributed DIR PYTHON | docs DIR PYTHON | doxygen | gtest | clang | chromium" \
      "| python3.13t|python3.14|python3.15 DIR | rust | valgrind | aarch64 | aarch64-python DIR PYTHON | windows | musl | zig DIR PYTHON" >&2
    exit 2
    ;;
esac
