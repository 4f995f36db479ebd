# The few commands that matter; everything else is CMake, CTest and scripts/.
JOBS := $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
LINT_MINUTES ?= inf

SOURCES = $(shell find src tools tests bench -name '*.h' -o -name '*.cpp')
BASH_SCRIPTS = $(shell grep -rlE '^.!.*bash' scripts .ci cmake tests)
PYTHON_SCRIPTS = $(shell find scripts tests -name '*.py') scripts/lint

# Configures and builds one preset of CMakePresets.json, and runs its tests.
build_preset = cmake --preset $(1) && $(2) cmake --build --preset $(1) --parallel $(JOBS)
test_preset = $(2) ctest --preset $(1) --parallel $(JOBS)
# The thread sanitizer of g++ 12 cannot cope with the address randomisation of newer kernels. Builds run tests too, to list them.
FIXED_ADDRESSES = setarch --addr-no-randomize

.DEFAULT_GOAL := help
.PHONY: help setup program build test demo bench format format-check lint lint-changed scripts-check install clean asan tsan fuzz

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install all missing Debian packages
	@scripts/setup

# A folder that is configured with tests stays so: they are not built here.
program: ## build build/actforge alone
	@scripts/setup build run
	test -e build/build.ninja || cmake --preset program
	cmake --build build --target actforge --parallel $(JOBS)

build: ## build build/actforge, its tests and its benchmarks
	@scripts/setup build run test
	$(call build_preset,release)

# Exported code is executed by the frameworks of those Pythons; without them those tests are skipped.
test: build ## run all tests, and again under the sanitizers but for long calculations
	ACTFORGE_FRAMEWORKS_PYTHON="$$(scripts/python-environment frameworks)" && export ACTFORGE_FRAMEWORKS_PYTHON && \
	ACTFORGE_KERAS2_PYTHON="$$(scripts/python-environment keras2)" && export ACTFORGE_KERAS2_PYTHON && \
	ACTFORGE_TIMM_PYTHON="$$(scripts/python-environment timm)" && export ACTFORGE_TIMM_PYTHON && $(call test_preset,release)
	$(call build_preset,asan)
	$(call test_preset,asan-short)
	$(call build_preset,tsan,$(FIXED_ADDRESSES))
	$(call test_preset,tsan,$(FIXED_ADDRESSES))

demo: program ## search for a function on Fashion-MNIST and test it, in some minutes
	scripts/demo

bench: build ## run every benchmark
	scripts/bench

format: ## format all C++ files
	@scripts/setup lint
	@clang-format -i $(SOURCES)

format-check: ## fail if a C++ file is not formatted
	@scripts/setup lint
	@clang-format --dry-run -Werror $(SOURCES)

scripts-check:
	@for script in $(BASH_SCRIPTS); do bash -n $$script || exit 1; done
	@PYTHONPYCACHEPREFIX=build/pycache python3 -m py_compile $(PYTHON_SCRIPTS)

lint: setup format-check scripts-check ## format-check, clang-tidy, syntax of scripts
	cmake --preset lint
	scripts/lint

lint-changed: setup format-check scripts-check ## the same, with clang-tidy for what differs from BASE (main, or the last commit)
	cmake --preset lint
	scripts/lint --changed $(BASE) --minutes $(LINT_MINUTES)

install: build ## install to PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

clean: ## remove all build folders
	rm -rf build build-*/

asan: ## all tests under address and undefined-behaviour sanitizers, and a few of what needs LibTorch
	@scripts/setup build run test
	$(call build_preset,asan)
	$(call test_preset,asan)

tsan: ## all tests with threads under the thread sanitizer, and a few of what needs LibTorch
	@scripts/setup build run test
	$(call build_preset,tsan,$(FIXED_ADDRESSES))
	$(call test_preset,tsan,$(FIXED_ADDRESSES))

fuzz: setup ## run each fuzzer for FUZZ_SECONDS (60)
	$(call build_preset,fuzz)
	for fuzzer in build-fuzz/fuzz_*; do \
	  name=$${fuzzer##*/}; mkdir -p build-fuzz/corpus/$$name tests/fuzz/seeds/$$name; \
	  $$fuzzer -max_total_time=$(FUZZ_SECONDS) build-fuzz/corpus/$$name tests/fuzz/seeds/$$name || exit 1; done
