# The front door. Needs python3 (3.11 or newer, with venv), git and make; everything else goes into .venv.
.DEFAULT_GOAL := help
.PHONY: help run test e2e suites lint bench golden clean

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

export PYTHONNOUSERSITE := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
ifeq ($(strip $(HOME)),)
export PIP_NO_CACHE_DIR := 1
endif

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(READY) ## Try it: a throw-away store with sample notes
	@$(BIN)/remember-me demo

test: $(READY) ## Run all tests (ARGS="-k word" for some)
	$(BIN)/python -m pytest -n 3 $(ARGS)

e2e: $(READY) ## Run the real agent clients (from npm, into .e2e) against a local model server
	$(BIN)/python -m tests.e2e.programs
	$(BIN)/python -m pytest -n 2 tests/e2e $(ARGS)

suites: $(READY) ## Run the suites of others: tampering (agmi) and poisoning (amg-bench)
	$(BIN)/python -m pip install --quiet --editable ".[dev,suites]"
	$(BIN)/python -m pytest -s tests/acceptance/test_suites.py

lint: $(READY) ## Check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(READY) ## Measure speed and size, as ratios (ARGS="--peers" beside other tools)
	$(BIN)/python tests/benchmarks/run.py $(ARGS)

golden: $(READY) ## Write the golden transcripts anew; read the diff before you commit it
	REFRESH_GOLDEN=1 $(BIN)/python -m pytest -n 2 tests/cli

clean: ## Remove .venv, caches and build results
	rm -rf .venv .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache build dist
	find remember_me tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The pip of today writes a start script without `re`: a prompt hook takes 2.2 instead of 2.5 times a bare Python. The
# stamp is written last, so an interrupted installation starts again.
$(READY): pyproject.toml
	$(PYTHON) -m venv --upgrade-deps .venv
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@
