# Everything a newcomer needs: `make demo` to see it, `make test` for what CI runs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
LOWEST_VENV ?= .venv-lowest
LOWEST_TESTS = tests/parse tests/fetch tests/store tests/core tests/frontier tests/text tests/learning tests/interests \
	tests/cli/test_crawl.py tests/lab/test_report.py

.PHONY: demo serve test check eval docs replay axe lowest wheels size bench install dev hooks clean

demo: install
	$(BIN)/clew demo

# The web page on the synthetic web, with a crawl running: it prints its address, and opens it where there is a screen.
serve: install
	$(BIN)/clew serve crawls --demo --open --port 0

# All that CI runs. For a quick look: `make check`, or pytest with -m "not slow".
test: dev check docs
	$(BIN)/pytest -n 2
	$(MAKE) eval

check: dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/readability.py

# Fails if a strategy has become worse; tests/eval/floors.toml says what it must reach.
eval: install
	$(BIN)/clew lab gate tests/eval/gate.toml
	$(BIN)/clew lab gate tests/eval/live_gate.toml
	$(BIN)/clew lab gate tests/eval/user_gate.toml

# Fails on a broken link; skipped where there is no site yet.
docs: | $(BIN)/python
ifneq ($(wildcard mkdocs.yml),)
	$(BIN)/pip install --quiet --editable . --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site
else
	@echo "there is no mkdocs.yml: no documentation site to build"
endif

# The player ReplayWeb.page, for the test that opens an exported WACZ file in a browser; without it the test is skipped.
replay:
	mkdir -p build/node_modules/replaywebpage
	rm -f build/replaywebpage-*.tgz
	npm pack --silent replaywebpage@2 --pack-destination build
	tar -xzf build/replaywebpage-*.tgz -C build/node_modules/replaywebpage --strip-components=1

# The checks of axe-core, for the tests of the web page; without it they are skipped.
axe:
	mkdir -p build/node_modules/axe-core
	rm -f build/axe-core-*.tgz
	npm pack --silent axe-core@4 --pack-destination build
	tar -xzf build/axe-core-*.tgz -C build/node_modules/axe-core --strip-components=1

# The lower bounds in pyproject.toml hold: tests with the oldest versions that they allow, in an environment of its own.
lowest:
	$(PYTHON) -m venv --clear $(LOWEST_VENV)
	$(LOWEST_VENV)/bin/pip install --quiet uv
	$(LOWEST_VENV)/bin/uv pip install --quiet --python $(LOWEST_VENV)/bin/python \
		--resolution lowest-direct --no-build --requirements pyproject.toml --all-extras
	$(LOWEST_VENV)/bin/uv pip install --quiet --python $(LOWEST_VENV)/bin/python --no-deps --editable .
	$(LOWEST_VENV)/bin/uv pip install --quiet --python $(LOWEST_VENV)/bin/python --group test
	$(LOWEST_VENV)/bin/clew demo --size 2000 --pages 200 --quiet --folder $(LOWEST_VENV)/demo
	$(LOWEST_VENV)/bin/pytest -n 2 -m "not slow" $(LOWEST_TESTS)

# Every dependency has a wheel for every Python that is supported.
wheels: | $(BIN)/python
	$(BIN)/python tools/check_wheels.py

# What a plain installation takes; fails if it is too much.
size: | $(BIN)/python
	$(BIN)/python tools/install_size.py

bench: dev
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python benchmarks/crawl_speed.py

install: $(VENV)/installed

dev: $(VENV)/developing

# Checks what is committed, before it is.
hooks: dev
	$(BIN)/pre-commit install

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "clew needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

# With the extra `lab`: the demonstration draws curves, and the evaluation gate learns from examples. `serve` is for the page.
$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[lab,serve]'
	touch $@

$(VENV)/developing: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[all]' --group dev
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) $(LOWEST_VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
