# The few commands that matter; everything else is CMake, CTest and scripts/.
JOBS := $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

SOURCES = $(shell find src tools tests bench -name '*.h' -o -name '*.cpp')
BASH_SCRIPTS = $(shell grep -rlE '^.!.*bash' scripts .ci tests)
PYTHON_SCRIPTS = $(shell find scripts tests -name '*.py')

# Configures and builds one preset of CMakePresets.json.
build_preset = cmake --preset $(1) && cmake --build --preset $(1) --parallel $(JOBS)
test_preset = ctest --preset $(1) --parallel $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help setup build test demo bench format format-check lint install clean asan tsan fuzz

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install missing Debian packages
	@scripts/setup

build: setup ## build build/actforge, its tests and its benchmarks
	$(call build_preset,release)

# Exported code is executed by the frameworks of that Python; without it those tests are skipped.
test: build ## run all tests, then the core ones under sanitizers
	ACTFORGE_FRAMEWORKS_PYTHON="$$(scripts/frameworks)" && export ACTFORGE_FRAMEWORKS_PYTHON && $(call test_preset,release)
	$(call build_preset,asan)
	$(call test_preset,asan) -L core

demo: build ## search for a function on Fashion-MNIST and test it, in some minutes
	scripts/demo

bench: build ## run every benchmark
	scripts/bench

format: setup ## format all C++ files
	clang-format -i $(SOURCES)

format-check: setup ## fail if a C++ file is not formatted
	clang-format --dry-run -Werror $(SOURCES)

# clang-tidy reads the compiler flags that configuring leaves in build-lint/, without g++'s precompiled headers.
lint: format-check build ## format-check, clang-tidy, syntax of scripts
	cmake --preset release -B build-lint -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
	# Not what includes LibTorch: clang 14 cannot compile its headers as C++20.
	run-clang-tidy -p build-lint -quiet -j $(JOBS) '^$(CURDIR)/(src|tools|tests|bench)/(?!.*(train/|/train|fisher/|/fisher|kernels_bench|space_bench|activation_bench))'
	for script in $(BASH_SCRIPTS); do bash -n $$script || exit 1; done
	PYTHONPYCACHEPREFIX=build/pycache python3 -m py_compile $(PYTHON_SCRIPTS)

install: build ## install to PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

clean: ## remove all build folders
	rm -rf build build-*/

asan: setup ## all core tests under address and undefined-behaviour sanitizers
	$(call build_preset,asan)
	$(call test_preset,asan)

# The thread sanitizer of g++ 12 cannot cope with the address randomisation of newer kernels.
tsan: setup ## all core tests under the thread sanitizer
	$(call build_preset,tsan)
	setarch --addr-no-randomize $(call test_preset,tsan)

fuzz: setup ## run each fuzzer for FUZZ_SECONDS (60)
	$(call build_preset,fuzz)
	for fuzzer in build-fuzz/fuzz_*; do \
	  name=$${fuzzer##*/}; mkdir -p build-fuzz/corpus/$$name tests/fuzz/seeds/$$name; \
	  $$fuzzer -max_total_time=$(FUZZ_SECONDS) build-fuzz/corpus/$$name tests/fuzz/seeds/$$name || exit 1; done
