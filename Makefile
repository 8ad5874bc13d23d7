# `make` lists what there is to do.  Names in capitals can be set on the command line:
#     make match HANDS=200 BOTS="rule always-call" GAME=hulhe

# A match
GAME   ?= hunl
BOTS   ?= blueprint rule
HANDS  ?= 1000
SEED   ?= 1
JOBS   ?=
ifndef OUT
OUT    := matches/$(GAME)-$(shell date +%Y%m%d-%H%M%S)
endif
MATCH  ?=

# The tests
TESTS  ?= tests
# Four at once on two cores: many tests wait for other processes
PYTEST ?= -n 4

# A study: `make study pool`, or with options `make study NAME="pool --small"`
ifeq ($(firstword $(MAKECMDGOALS)),study)
NAME   ?= $(wordlist 2,99,$(MAKECMDGOALS))
$(eval $(wordlist 2,99,$(MAKECMDGOALS)):;@:)
endif

# The environment
VENV   ?= .venv
# Where pip looks for torch beside its usual index, such as PyTorch's own index of wheels for the CPU:
# the ordinary wheel for Linux brings some 4 GB of CUDA
TORCH_INDEX ?=
# Names or paths of the Pythons that `make check-pythons` runs the tests with, each in its own VENV
PYTHONS ?= python3.11 python3.12 python3.13
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
# Chromium without windows, which takes half of its CPU time; where there is none, Chromium will do
BROWSER = chromium-headless-shell
# Sources are compiled when they are imported: to compile all that is installed takes half a minute
PIP_INSTALL = $(VENV)/bin/python -m pip install -qq --disable-pip-version-check --no-compile \
	$(if $(TORCH_INDEX),--extra-index-url '$(TORCH_INDEX)') --constraint constraints.txt --editable

# The tests start many hundred processes; compiling the sources in each took a third of their time
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup setup-browser match test test-train check check-format check-lint check-types check-imports \
	check-links check-size check-pythons format slow bench study studies docs package clean distclean

help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1~\2/p' $(MAKEFILE_LIST) | column -t -s '~' 2>/dev/null \
		|| sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1: \2/p' $(MAKEFILE_LIST)

setup: $(VENV)/development.stamp ## create the environment in .venv, with all for training and development

setup-browser: ## install the browser in which pages are tested; as root, where there is apt-get
	@if command -v $(BROWSER); then :; \
	elif command -v apt-get >/dev/null && test $$(id -u) -eq 0; then \
		echo 'Installing $(BROWSER)'; \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get -qq update; \
		apt-get -q install --yes --no-install-recommends $(BROWSER) \
			|| apt-get -q install --yes --no-install-recommends chromium; \
	else echo 'Only root can install $(BROWSER), by apt-get; Chromium does, too' >&2; exit 1; fi

match: $(VENV)/run-time.stamp ## play two shipped bots over TCP, print the result, verify the logs
	@$(VENV)/bin/arena match $(BOTS) --game $(GAME) --hands $(HANDS) --seed $(SEED) \
		$(if $(JOBS),--jobs $(JOBS)) --out '$(OUT)' $(MATCH)
	@echo
	@echo "Verifying the logs in $(OUT): every action, chip and card"
	@$(VENV)/bin/arena replay --verify '$(OUT)'/*.log
	@echo
	@echo "Look at it in the browser: $(VENV)/bin/arena web '$(OUT)'"

test: $(VENV)/test.stamp ## run all tests but the slow ones; those of training where torch is installed
	@$(VENV)/bin/python -m pytest $(PYTEST) $(TESTS)

test-train: $(VENV)/development.stamp ## the same with torch, which it installs: those of training, too
	@$(VENV)/bin/python -m pytest $(PYTEST) $(TESTS)

check: check-format check-lint check-types check-imports check-links check-size ## check format, lint, types, import contracts, links and size

check-format: $(VENV)/development.stamp
	$(VENV)/bin/ruff format --check --quiet .

check-lint: $(VENV)/development.stamp
	$(VENV)/bin/ruff check --quiet .

check-types: $(VENV)/development.stamp
	$(VENV)/bin/mypy --no-error-summary

check-imports: $(VENV)/development.stamp
	@echo '$(VENV)/bin/lint-imports'
	@$(VENV)/bin/lint-imports > $(VENV)/contracts.txt || { cat $(VENV)/contracts.txt; exit 1; }

check-links: $(VENV)/development.stamp
	@$(VENV)/bin/python -m pytest -qq --no-header tests/architecture/test_documents.py -k test_links

check-size: $(VENV)/development.stamp
	@$(VENV)/bin/python -m tests.architecture.size

check-pythons: ## run the tests with each of PYTHONS that is there; before a release
	@code=0; for python in $(PYTHONS); do \
		version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) \
			|| { echo "$$python is not here: skipped"; continue; }; \
		echo "=== Python $$version"; \
		$(MAKE) --no-print-directory VENV=$(VENV)-$$version PYTHON=$$python test || code=1; \
	done; exit $$code

format: $(VENV)/development.stamp ## format the sources and mend what ruff can mend
	$(VENV)/bin/ruff check --fix --quiet . || true
	$(VENV)/bin/ruff format --quiet .

slow: $(VENV)/development.stamp ## run the slow tests, and property tests on many examples
	@$(VENV)/bin/python -m pytest -m 'slow or hypothesis' --hypothesis-profile many \
		--timeout 3600 -o faulthandler_timeout=0 --ignore tests/benchmarks $(TESTS)

bench: $(VENV)/development.stamp ## measure speed; writes tests/benchmarks/results/<machine>.json
	@mkdir -p build
	@$(VENV)/bin/python -m pytest tests/benchmarks -m 'slow or not slow' --timeout 1800 \
		-o faulthandler_timeout=0 -q \
		--benchmark-enable --benchmark-columns median,rounds --benchmark-json build/benchmarks.json
	@$(VENV)/bin/python -m tests.benchmarks.report build/benchmarks.json tests/benchmarks/results

study: $(VENV)/development.stamp ## measure a table or figure of docs: `make study pool`, or NAME="pool --small"
	@$(VENV)/bin/python -m tests.studies $(NAME)

studies: $(VENV)/development.stamp ## list the studies
	@$(VENV)/bin/python -m tests.studies

docs: $(VENV)/test.stamp ## write the tables and figures of README and docs from what was measured
	@$(VENV)/bin/python -m tests.documents.tables
	@$(VENV)/bin/python -m tests.documents.figures

package: $(VENV)/test.stamp ## build wheel and sdist in dist
	@rm -rf build/lib dist
	@mkdir -p build
	@$(VENV)/bin/python -c 'from setuptools import build_meta as packer; \
		packer.build_sdist("dist"), packer.build_wheel("dist")' > build/package.log 2>&1 \
		|| { tail -n 5 build/package.log >&2; exit 1; }
	@ls -sh1 dist

clean: ## delete caches and build products
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache \
		.hypothesis .benchmarks
	find protocol engine dealer agents tests -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## delete the environment too
	rm -rf $(VENV) $(VENV)-3.*

$(VENV)/bin/python:
	@test -n '$(PYTHON)' || { \
		echo 'Python 3.11 or newer is needed; if it is not on the PATH: make PYTHON=/path/to/python3' >&2; \
		exit 1; }
	@echo 'Creating the environment in $(VENV)'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/run-time.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo 'Installing the run-time dependencies'
	@$(PIP_INSTALL) .
	@touch $@

$(VENV)/test.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo 'Installing what running and the tests need'
	@$(PIP_INSTALL) '.[test]'
	@touch $(VENV)/run-time.stamp $@

$(VENV)/development.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo 'Installing what running, training and development need (torch is the large one)'
	@$(PIP_INSTALL) '.[dev]'
	@touch $(VENV)/run-time.stamp $(VENV)/test.stamp $@
