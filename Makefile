# Tablesight: `make run` starts it, `make test` checks it.

VENV := .venv
BIN := $(VENV)/bin
PACKAGES := rules vision models webui
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help run test lint types imports pytest test-deploy venv dev clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

run: venv ## install what is needed and start the table on port 8000 (ARGS="--camera v4l2:0" is passed on)
	@exec $(BIN)/tablesight serve $(ARGS)

test: dev lint types imports pytest ## everything: style, types, imports, tests with the browser

lint: dev ## ruff: style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: dev ## mypy, strict
	$(BIN)/mypy $(addprefix -p tablesight.,$(PACKAGES))

imports: dev ## import-linter: who may import whom
	$(BIN)/lint-imports

pytest: dev ## the tests alone
	$(BIN)/pytest

test-deploy: dev ## install and uninstall in real Debian roots (root, debootstrap, minutes)
	$(BIN)/pytest -m slow tests/deploy

# --- data, models, measurements: targets for code in models/ go here ---

clean: ## remove .venv, build folders and caches; games and photos stay
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

venv:
	@deploy/make-venv.sh

dev:
	@deploy/make-venv.sh --extra dev
	@mkdir -p build/dev/tablesight
	@for package in $(PACKAGES); do ln -sfn ../../../$$package build/dev/tablesight/$$package; done
