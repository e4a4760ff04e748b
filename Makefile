# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Two commands do everything on a fresh Debian 12: `make demo` and `make test`. Both install what is
# missing first.

.PHONY: build configured demo gallery test quick python fuzz fuzz-build fuzz-cli fuzz-short fuzz-smoke check mutate bench-peers docs setup clean

# Of ctest and ninja.
JOBS ?= $(shell nproc)

# The library and the program, without tests.
build: configured
	@cmake --build build -j $(JOBS) --target meander_product

# A folder of another version, or of a tree that was moved, is configured anew; what else changes ninja sees by itself.
described = $(CURDIR) $(shell cksum <CMakePresets.json)
configured: setup
	@if [ "$$(cat build/configured.txt 2>/dev/null)" != "$(described)" ]; then \
	  home=$$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' build/CMakeCache.txt 2>/dev/null); \
	  [ "$$(realpath -m "$$home")" = "$$(realpath .)" ] || rm -f build/CMakeCache.txt; \
	  cmake --preset dev && echo "$(described)" >build/configured.txt; fi

setup:
	@tools/setup.sh

demo: build
	@python3 -B tools/demo.py build/bin/meander out/demo

# Pictures of phantoms and of images that scikit-image brings along; docs/gallery.md shows some of them.
gallery: build
	@tools/python_tools.sh build/venv-peers bench/peers/requirements.txt
	@build/venv-peers/bin/python -B tools/gallery.py build/bin/meander out/gallery

# Python tools that other people's files are checked with.
python: setup
	@tools/python_tools.sh build/venv

test: configured python
	@cmake --build build -j $(JOBS)
	@ctest --test-dir build --output-on-failure --no-tests=error -j $(JOBS)

# Builds and runs the tests of the folders in which files changed since the last commit, or since BASE.
quick: configured python
	@JOBS=$(JOBS) tools/quick.sh $(BASE)

fuzz-smoke: setup
	@cmake --preset asan
	@cmake --build build-asan --target fuzz_smoke
	@set -e; for format in tiff png jpeg bmp npy nifti nrrd meta_image; do build-asan/bin/fuzz_smoke $$format 10000; done
	@$(MAKE) --no-print-directory fuzz-short

# libFuzzer on each parser for FUZZ_SECONDS, with what earlier runs have learnt in build-fuzz/learnt.
FUZZ_SECONDS ?= 60
fuzz: fuzz-build
	@tests/fuzz/run.sh build-fuzz/bin build-fuzz/learnt -max_total_time=$(FUZZ_SECONDS)

# The same for a few thousand files each, always the same ones.
fuzz-short: fuzz-build
	@rm -rf build-fuzz/short
	@tests/fuzz/run.sh build-fuzz/bin build-fuzz/short -runs=5000 -seed=1

fuzz-build: setup
	@cmake --preset fuzz
	@cmake --build build-fuzz --target fuzz_targets

# Damaged files through the command line.
COUNT ?= 10000
fuzz-cli: build
	@python3 -B tests/fuzz/mutate_cli.py build/bin/meander $(COUNT)

# Reference pages of the public headers in out/docs/index.html. A public name without a comment is an error.
docs: setup
	@mkdir -p out && doxygen docs/Doxyfile && test -s out/docs/classmeander_1_1Image.html

check: setup
	@tools/check.sh

mutate: build
	@tools/mutate.sh

# Other libraries on this machine, beside Meander; needs nothing else and is needed by nothing.
bench-peers: build
	@tools/python_tools.sh build/venv-peers bench/peers/requirements.txt
	@build/venv-peers/bin/python -B bench/peers/smooth.py build/bin/meander
	@build/venv-peers/bin/python -B bench/peers/segment.py build/bin/meander
	@build/venv-peers/bin/python -B bench/peers/objects.py build/bin/meander
	@build/venv-peers/bin/python -B bench/peers/edge.py build/bin/meander

clean:
	rm -rf build build-* out
