# Everything a newcomer needs: `make demo` to see it, `make test` for what CI runs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test check eval install dev bench clean

demo: install
	$(BIN)/clew demo

test: dev check
	$(BIN)/pytest -n 2

check: dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Fails if a strategy has become worse; experiments/floors.toml says what it must reach.
eval: install
	$(BIN)/clew lab gate experiments/gate.toml

bench: dev
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python benchmarks/crawl_speed.py

install: $(VENV)/installed

dev: $(VENV)/developing

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "clew needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/developing: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[browser,ontology,parquet,pdf]' --group dev
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
