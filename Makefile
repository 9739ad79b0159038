# SPDX-License-Identifier: Apache-2.0
# One word per chore. The first use makes .venv with the pinned tools of tools/requirements-dev.txt.
#
#   make demo     compile the first example and show what crosses the border, with times; then the
#                 schema tool's
#   make test     C++ tests, Python tests, wheel test, Rust tests
#   make test-pythons  the Python tests on each of Python 3.10 to 3.15 that is found;
#                 make test-pythons-short  tests of the extension, on all but the default one
#   make test-freethreaded  the Python tests on Python 3.13 without the GIL, which make python-t builds from Debian's
#                 sources (TSAN=1: with ThreadSanitizer); TVM_FFI_THREAD_SECONDS is the time for each pair of
#                 operations in tests/threads
#   make test-torch  the tests that need PyTorch, in an environment of their own (a large download)
#   make test-torch-oldest  the same tests with the oldest PyTorch that is supported
#   make clients  published packages that use the peer, on this build (large downloads)
#   make test-distributed  the tests that need Ray or Dask, in an environment of their own
#   make test-rust  the crates of rust/: formatting, clippy, tests, and their libraries from Python
#   make valgrind-rust  the tests of the crates with Valgrind; make asan-rust with AddressSanitizer
#   make test-aarch64  the C++ tests and a part of the Python tests for 64-bit Arm, under qemu
#   make test-windows  the C++ tests for Windows, under Wine; make test-musl  with the C library musl
#   make build-macos   compile and link for macOS; nothing of it can run here
#   make leaks    every test module again and again in one process: nothing may grow
#   make model    the containers beside list, tuple and dict, 100,000 steps each
#   make wheels   a wheel for each of these Pythons in dist, built twice with equal bytes, checked, tagged and tried
#   make lint     formatting, types, licence lines, arrows, generated files
#   make format   let the tools rewrite the formatting
#   make bench    the shared benchmark against the peer (apache-tvm-ffi from PyPI)
#   make bench-torch the rows of the benchmark that need PyTorch
#   make bench-real   work of apache-tvm and xgrammar, on this build and on the peer (large downloads)
#   make bench-rust  the crate tvm-ffi against the C++ API; RUST_BENCH_ARGS adds the peer's crate
#   make asan     C++ and Python tests with AddressSanitizer and UBSan
#   make tsan     C++ tests with ThreadSanitizer, and tests/threads on a Python without the GIL
#   make fuzz     libFuzzer on every reader, under the sanitizers, FUZZ_SECONDS for each
#   make abi      regenerate what comes from the ABI facts; check the exported symbols
#   make docs     run the examples of the documents, check their links, and build the site in build/docs
#   make site     build the site in build/docs, without running the examples
#   make build    the development build and its staged package in build/dev/site, whose Python files are
#                 links. FLAVOUR=files compiles each file by itself, so one edit compiles one file; it is
#                 also for build-tests, test-cpp and test-python
#   make clean    remove build products (.venv stays; make distclean removes it too)

PYTHON ?= python3
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
ROUNDS ?= 3
FUZZ_SECONDS ?= 600
PYTEST_ARGS ?=
# conftest.py says which tests share a process.
PYTEST = python -m pytest -p no:cacheprovider -n $(JOBS) --no-loadscope-reorder
FLAVOUR ?= dev
PEER ?= apache-tvm-ffi==0.1.15.post2

ROOT := $(CURDIR)
VENV := $(ROOT)/.venv
BIN := $(VENV)/bin
# PyTorch is large, and `make test` does without it. `torch-oldest` is the oldest supported release.
TORCH := torch
TORCH_VENV := $(ROOT)/build/$(TORCH)-venv
TORCH_STAMP := $(TORCH_VENV)/.ready
# Ray is large, too.
DISTRIBUTED_VENV := $(ROOT)/build/distributed-venv
DISTRIBUTED_STAMP := $(DISTRIBUTED_VENV)/.ready
# Sphinx is needed for the site only.
DOCS_VENV := $(ROOT)/build/docs-venv
DOCS_STAMP := $(DOCS_VENV)/.ready
DOCS_SITE := $(ROOT)/build/docs
STAMP := $(VENV)/.ready
# The tools of .venv come first, and what they start (ninja, python) is theirs too.
export PATH := $(BIN):$(PATH)
export PYTHONDONTWRITEBYTECODE := 1
export CTEST_PARALLEL_LEVEL := $(JOBS)
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)

.PHONY: help demo test test-cpp test-python test-pythons test-pythons-short python-t test-freethreaded tsan-python torch-venv test-torch test-torch-oldest \
        test-distributed clients test-rust wheels valgrind-rust asan-rust lint format bench bench-torch bench-real bench-rust asan tsan fuzz abi docs \
        site leaks model build build-tests clean distclean test-aarch64 test-windows test-musl \
        build-macos
.DEFAULT_GOAL := help
# The chores share build trees; what is inside them is parallel by itself.
.NOTPARALLEL:

help:
	@sed -n 's/^#   //p' Makefile

$(STAMP): tools/requirements-dev.txt tools/requirements-test.txt tools/set_up.sh
	@PATH="$(subst $(BIN):,,$(PATH))" tools/set_up.sh venv "$(VENV)" "$(PYTHON)"
	@touch $@

# --- building: build/<flavour>/ is the CMake tree, build/<flavour>/site/tvm_ffi the staged package

CMAKE_COMMON = -G Ninja -DTVM_FFI_BUILD_PYTHON_MODULE=ON -DTVM_FFI_WERROR=ON \
               -DPython_EXECUTABLE="$(BIN)/python" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
CMAKE_dev = -DCMAKE_BUILD_TYPE=Release
CMAKE_files = -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1"
CMAKE_asan = -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
             "-DTVM_FFI_SANITIZE=address;undefined"
CMAKE_fuzz = -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
             -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DTVM_FFI_BUILD_FUZZERS=ON \
             "-DTVM_FFI_SANITIZE=address;undefined;fuzzer-no-link"
CMAKE_tsan = -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DTVM_FFI_SANITIZE=thread
PYTHON_TSAN = $(ROOT)/build/python3.13t-tsan
CMAKE_tsan-python = $(CMAKE_tsan) -DPython_EXECUTABLE="$(PYTHON_TSAN)/bin/python3.13t"

# $(call stage,FLAVOUR,extra CMake arguments): configure, build, stage the package.
define stage
@cmake -S "$(ROOT)" -B build/$(1) $(CMAKE_COMMON) $(CMAKE_$(1)) $(2) --log-level=WARNING >/dev/null
@cmake --build build/$(1)
@tools/stage.sh build/$(1)
endef

build: $(STAMP)
	$(call stage,$(FLAVOUR),-DTVM_FFI_BUILD_TESTS=OFF)

build-tests: $(STAMP)
	@tools/set_up.sh gtest
	$(call stage,$(FLAVOUR),-DTVM_FFI_BUILD_TESTS=ON)

# $(call ctest,FLAVOUR,environment,extra arguments): the C++ tests; prints failures and the summary.
define ctest
@status=0; $(2) ctest --test-dir build/$(1) --quiet --output-on-failure --no-tests=error \
  --output-log build/$(1)/ctest.log $(3) || status=$$?; \
  grep -vE '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test .* Passed )' build/$(1)/ctest.log; exit $$status
endef

# --- chores

demo: build
	@PYTHONPATH="$(ROOT)/build/dev/site" python examples/run_demo.py
	@PYTHONPATH="$(ROOT)/build/dev/site" python schema/examples/run_demo.py

test: test-cpp test-python test-rust

test-cpp: build-tests
	$(call ctest,$(FLAVOUR))

test-python: build
	@tools/set_up.sh chromium
	@PYTHONPATH="$(ROOT)/build/$(FLAVOUR)/site" $(PYTEST) $(PYTEST_ARGS)

# For all of them the runtime is compiled once. PYTHONS="3.10 3.14" chooses.
PYTHONS ?= 3.10 3.11 3.12 3.13 3.14 3.15
test-pythons test-pythons-short: build
	@$(foreach v,$(filter 3.13t 3.14 3.15,$(PYTHONS)),tools/set_up.sh python$v "$(ROOT)/build/python$v";)
	@python tools/pythons.py --versions "$(PYTHONS)" --jobs $(JOBS) $(if $(filter %-short,$@),--short --others) \
	  -- $(PYTEST_ARGS)

# An interpreter without the GIL. Debian's other packages of Python 3.13 do not have one.
python-t:
	@tools/set_up.sh python3.13t "$(if $(TSAN),$(PYTHON_TSAN),$(ROOT)/build/python3.13t)" \
	  $(if $(TSAN),--with-thread-sanitizer)

# Tests of the collector of cycles, which needs a process with one thread; a worker of pytest-xdist has two.
CYCLES = tests/python/test_cycles.py tests/python/test_cycles_native.py tests/generations/test_old_errors.py
test-freethreaded:
	@$(MAKE) --no-print-directory test-pythons PYTHONS=3.13t $(if $(PYTEST_ARGS),,JOBS=1 PYTEST_ARGS="$(CYCLES)")
	@$(if $(PYTEST_ARGS),:,$(MAKE) --no-print-directory test-pythons PYTHONS=3.13t \
	  PYTEST_ARGS="$(CYCLES:%=--deselect %)" && python tools/last_green.py test-freethreaded)

wheels: PYTHONS += 3.13t
wheels: $(STAMP)
	@$(foreach v,$(filter 3.13t 3.14 3.15,$(PYTHONS)),tools/set_up.sh python$v "$(ROOT)/build/python$v";)
	@python tools/wheels.py --versions "$(PYTHONS)"

$(TORCH_STAMP): tools/requirements-$(TORCH).txt tools/requirements-dev.txt tools/requirements-test.txt tools/set_up.sh
	@PATH="$(subst $(BIN):,,$(PATH))" tools/set_up.sh $(TORCH) "$(TORCH_VENV)" "$(PYTHON)"
	@touch $@

torch-venv: $(TORCH_STAMP)

# Only files that contain the word can have tests with PyTorch. Collecting all files would take a third
# of the time.
TORCH_FILES = $(shell grep -rlw torch tests --include='test_*.py')
# Without PyTorch the tests would be skipped, so the import is tried first.
test-torch: build $(TORCH_STAMP)
	@"$(TORCH_VENV)/bin/python" -c "import torch"
	@PATH="$(TORCH_VENV)/bin:$(PATH)" PYTHONPATH="$(ROOT)/build/dev/site" \
	  $(PYTEST) -m torch $(TORCH_FILES) $(PYTEST_ARGS)

test-torch-oldest:
	@$(MAKE) --no-print-directory test-torch TORCH=torch-oldest

# CLIENTS names some of them.
clients: build
	@python tools/clients.py $(CLIENTS)
$(DISTRIBUTED_STAMP): tools/requirements-distributed.txt tools/requirements-dev.txt tools/set_up.sh
	@PATH="$(subst $(BIN):,,$(PATH))" tools/set_up.sh distributed "$(DISTRIBUTED_VENV)" "$(PYTHON)"
	@touch $@

# One process: a test starts a cluster of several processes itself.
test-distributed: build $(DISTRIBUTED_STAMP)
	@PATH="$(DISTRIBUTED_VENV)/bin:$(PATH)" PYTHONPATH="$(ROOT)/build/dev/site" \
	  python -m pytest -p no:cacheprovider -m distributed $(PYTEST_ARGS)

# cargo without a registry: the macros use packages of Debian, everything else stands alone.
CARGO_FLAGS = --manifest-path rust/Cargo.toml --config rust/offline.toml --offline \
              --config 'source.debian.directory="$(ROOT)/build/rust-packages"'
export CARGO_TARGET_DIR ?= $(ROOT)/build/rust
RUST_ENVIRONMENT = TVM_FFI_LIBDIR="$(ROOT)/build/dev/site/tvm_ffi/lib" CARGO_BUILD_JOBS=$(JOBS) RUST_BACKTRACE=0
# Without debugging information and incremental compilation, a first build takes half of the time.
RUST_FAST_BUILD = CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
VALGRIND = valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
           --errors-for-leak-kinds=definite

test-rust: build
	@tools/set_up.sh rust
	@cargo fmt --manifest-path rust/Cargo.toml --all --check
	@rustfmt --check --edition 2021 --config-path rust examples/*/src/*.rs bench/rust/src/*.rs bench/peers/pyo3/src/*.rs tests/rust/programs/*.rs
	@$(RUST_ENVIRONMENT) $(RUST_FAST_BUILD) cargo test $(CARGO_FLAGS) --workspace --quiet $(CARGO_TEST_ARGS)
	@$(RUST_ENVIRONMENT) $(RUST_FAST_BUILD) cargo test $(CARGO_FLAGS) -p tvm-ffi --no-default-features --tests --quiet
	@PYTHONPATH="$(ROOT)/build/dev/site" TVM_FFI_TEST_RUST=1 $(RUST_ENVIRONMENT) $(RUST_FAST_BUILD) \
	  $(PYTEST) -q tests/rust $(PYTEST_ARGS)

# Tests that leak on purpose have `leaked` in their names.
valgrind-rust: build
	@tools/set_up.sh rust
	@tools/set_up.sh valgrind
	@$(RUST_ENVIRONMENT) CARGO_TARGET_$(RUST_TARGET)_RUNNER="$(VALGRIND)" \
	  cargo test $(CARGO_FLAGS) -p tvm-ffi --tests --quiet -- --skip leaked

RUST_HOST = $(shell rustc -vV | sed -n 's/^host: //p')
RUST_TARGET = $(shell echo $(RUST_HOST) | tr 'a-z-' 'A-Z_')

# Only a nightly compiler has sanitizers. The packages of the macros, which run in the compiler, are
# built without one, and without the unstable features that they would find. Programs that must not
# compile need no sanitizer.
# The check for deep recursion takes the address of a local variable, which must be on the real stack.
ASAN_RUST = detect_leaks=1:allocator_may_return_null=1:detect_stack_use_after_return=0
ASAN_RUST_FILES = $(wildcard rust/tvm-ffi/tests/test_*.rs rust/tvm-ffi/tests/test_*/main.rs)
ASAN_RUST_TESTS = $(filter-out %_compile_fail,$(notdir $(basename $(ASAN_RUST_FILES:/main.rs=))))
asan-rust: build
	@tools/set_up.sh rust
	@cargo +nightly --version >/dev/null || \
	  { echo "asan-rust: please install a nightly compiler: rustup toolchain install nightly" >&2; exit 1; }
	@$(RUST_ENVIRONMENT) RUSTFLAGS=-Zsanitizer=address ASAN_OPTIONS=$(ASAN_RUST) \
	  cargo +nightly test $(CARGO_FLAGS) -Zhost-config -Ztarget-applies-to-host \
	  --config 'host.rustflags=["-Zallow-features="]' --config target-applies-to-host=false \
	  --target $(RUST_HOST) --target-dir "$(CARGO_TARGET_DIR)/asan" \
	  -p tvm-ffi --lib $(addprefix --test ,$(ASAN_RUST_TESTS)) --quiet -- --skip leaked

# Other platforms: docs/platforms.md. PLATFORM_TEST=text picks the test programs that run.
PLATFORM_TEST ?=
test-aarch64 test-windows test-musl build-macos: $(STAMP)
	@JOBS=$(JOBS) tools/platforms/check.sh $(lastword $(subst -, ,$@)) "$(PYTHON)" "$(PLATFORM_TEST)"

leaks: build
	@PYTHONPATH="$(ROOT)/build/dev/site" python tools/leak_gate.py
	@python tools/last_green.py leaks

MODEL_STEPS ?= 100000

model: build
	@PYTHONPATH="$(ROOT)/build/dev/site" TVM_FFI_MODEL_STEPS=$(MODEL_STEPS) \
	  python -m pytest -q -p no:cacheprovider tests/python/test_models.py
	@python tools/last_green.py model

CXX_FILES = $(shell git ls-files -co --exclude-standard '*.h' '*.c' '*.cc' '*.cpp')

lint: $(STAMP)
	@ruff check .
	@ruff format --check .
	@clang-format --dry-run -Werror $(CXX_FILES)
	@mypy
	@python tools/lint.py

format: $(STAMP)
	@ruff check --fix-only --quiet .
	@ruff format .
	@clang-format -i $(CXX_FILES)

SANITIZER_RUNTIMES = $(shell $(or $(CXX),g++) -print-file-name=lib$(1).so):$(shell \
                     $(or $(CXX),g++) -print-file-name=libstdc++.so)
# Python asks for more memory than there is and expects to be refused: that is no finding.
ASAN = strict_string_checks=1:detect_stack_use_after_return=1
ASAN := $(ASAN):allocator_may_return_null=1:max_allocation_size_mb=1024
# A library that is cut off ends the process of the command that looks at it by this signal.
ASAN := $(ASAN):handle_sigbus=0
UBSAN = print_stacktrace=1:halt_on_error=1
# What only asks the compiler says the same in every flavour.
NO_SYNTAX = --exclude-regex '^(headers|cxx20|no_rtti|clang|refused)/'

asan: $(STAMP)
	@tools/set_up.sh gtest
	$(call stage,asan,-DTVM_FFI_BUILD_TESTS=ON)
	$(call ctest,asan,ASAN_OPTIONS=$(ASAN):detect_leaks=1 UBSAN_OPTIONS=$(UBSAN),$(NO_SYNTAX))
	@# CPython keeps memory until exit on purpose, so leaks are looked for in the C++ suite alone.
	@PYTHONPATH="$(ROOT)/build/asan/site" PYTHONMALLOC=malloc \
	  ASAN_OPTIONS=$(ASAN):detect_leaks=0 UBSAN_OPTIONS=$(UBSAN) \
	  LD_PRELOAD="$(call SANITIZER_RUNTIMES,asan)" \
	  $(PYTEST) -m "not packaging" $(PYTEST_ARGS)
	@$(if $(PYTEST_ARGS),:,python tools/last_green.py asan)

tsan: $(STAMP)
	@tools/set_up.sh gtest
	$(call stage,tsan,-DTVM_FFI_BUILD_TESTS=ON)
	$(call ctest,tsan,TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1,$(NO_SYNTAX))
	@$(MAKE) --no-print-directory tsan-python
	@python tools/last_green.py tsan

tsan-python: $(STAMP)
	@$(MAKE) --no-print-directory python-t TSAN=1
	$(call stage,tsan-python,-DTVM_FFI_BUILD_TESTS=OFF)
	@"$(PYTHON_TSAN)/bin/python3.13t" -m pip install --quiet --disable-pip-version-check \
	  -c tools/requirements-test.txt pytest
	@PYTHONPATH="$(ROOT)/build/tsan-python/site" \
	  TSAN_OPTIONS=suppressions="$(PYTHON_TSAN)/tsan.supp":log_path="$(ROOT)/build/tsan-python/report" \
	  "$(PYTHON_TSAN)/bin/python3.13t" -m pytest -p no:cacheprovider $(or $(PYTEST_ARGS),tests/threads)

fuzz: $(STAMP)
	@tools/set_up.sh clang
	@cmake -S "$(ROOT)" -B build/fuzz $(CMAKE_fuzz) --log-level=WARNING >/dev/null
	@cmake --build build/fuzz --target fuzz_targets
	@ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=$(UBSAN) \
	  python fuzz/run.py build/fuzz --seconds $(FUZZ_SECONDS) --jobs $(JOBS)
	@python tools/last_green.py fuzz

abi: build
	@python tools/generate.py
	@python tools/export_list.py build/dev/lib/libtvm_ffi.so

$(DOCS_STAMP): tools/requirements-docs.txt tools/set_up.sh
	@PATH="$(subst $(BIN):,,$(PATH))" tools/set_up.sh docs "$(DOCS_VENV)" "$(PYTHON)"
	@touch $@

docs: site
	@PYTHONPATH="$(ROOT)/build/dev/site" TVM_FFI_DOCS_SITE="$(DOCS_SITE)" \
	  python -m pytest -p no:cacheprovider tests/docs schema/tests/test_page.py $(PYTEST_ARGS)

# The site without the examples.
site: build $(DOCS_STAMP)
	@tools/set_up.sh doxygen
	@tools/set_up.sh chromium
	@PYTHONPATH="$(ROOT)/build/dev/site:$(ROOT)/tools" "$(DOCS_VENV)/bin/python" -m docs_site \
	  "$(ROOT)/build/docs-work" "$(DOCS_SITE)" $(JOBS)

bench: $(STAMP)
	@python bench/run.py --work build/bench --peer "$(PEER)" --rounds $(ROUNDS)
	@python tools/last_green.py bench

bench-torch: $(STAMP) $(TORCH_STAMP)
	@python bench/run.py --work build/bench --peer "$(PEER)" --rounds $(ROUNDS) --torch "$(TORCH_VENV)" \
	  -- --groups calls,tensors --filter torch

bench-real: $(STAMP) $(TORCH_STAMP)
	@python bench/real_work.py --work build/bench --peer "$(PEER)" --rounds $(ROUNDS) --torch "$(TORCH_VENV)"

bench-rust: build
	@tools/set_up.sh rust
	@PYTHONPATH="$(ROOT)/build/dev/site" python bench/rust_bench.py "$(BIN)/python" --rounds $(ROUNDS) $(RUST_BENCH_ARGS)

clean:
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv
