# The floor. `make help` lists what there is.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROTOS := $(shell find protos -name '*.proto')
STUBS := libs/pokerfloor/api/__init__.py
# Keeps a copy of libs with the rules compiled, which is what the floor and the benches run.
COMPILE = $(BIN)/python -m tools.compile_rules
FROM_COMPILED := PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/build/compiled:$(CURDIR)/services:$(CURDIR)
# Compiled modules make every process start faster, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-dev setup-bench stubs compiled run test test-slow test-compiled lint format proto-check proto-baseline \
        noninterference kill-matrix hammer bench mutants rules lock image k8s-check clean

help: ## This list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18
	@echo
	@echo "make run takes FRESH=1 (forget the last run's state), HANDS=200 (play that many and stop),"
	@echo "GAME=omaha6_double (one game: holdem, omaha4_hilo, short_deck, stud7, draw5, badugi, ...),"
	@echo "TABLES=n, BOTS=n and STATE=dir. make mutants takes MODULES=\"libs/pokerfloor/games/pots.py …\"."

# --- the environment: from the locks, with hashes

$(BIN)/uv: requirements/uv.txt
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) is missing: install Python 3.11 or newer"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "make: $(PYTHON) is too old: Python 3.11 or newer is needed"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "make: the venv module is missing: install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@touch $@

define install
	$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements/$(1).txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@
endef

$(VENV)/.run: $(BIN)/uv requirements/run.txt pyproject.toml
	$(call install,run)

$(VENV)/.compile: $(VENV)/.run requirements/compile.txt
	$(call install,compile)

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	$(call install,dev)

$(VENV)/.bench: $(VENV)/.dev requirements/bench.txt
	$(call install,bench)

$(VENV)/.mutants: $(VENV)/.dev requirements/mutants.txt
	$(call install,mutants)

$(STUBS): $(PROTOS) tools/make_stubs.py | $(VENV)/.run
	$(BIN)/python -m tools.make_stubs

setup: $(VENV)/.run $(STUBS) ## Make .venv and the stubs, for running
setup-dev: $(VENV)/.dev $(STUBS) ## The same with what tests and checks need
setup-bench: $(VENV)/.bench $(STUBS)
stubs: $(VENV)/.run ## Generate the stubs from protos/
	$(BIN)/python -m tools.make_stubs

compiled: $(VENV)/.compile $(STUBS) ## Compile the rules; run and bench do it by themselves
	@$(COMPILE)

lock: $(BIN)/uv ## Lock the dependencies again, with hashes
	for name in uv run compile dev bench mutants; do \
	  $(BIN)/uv pip compile --quiet --upgrade --generate-hashes --python-version 3.11 \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
	    requirements/$$name.in -o requirements/$$name.txt || exit 1; done

# --- the floor

run: $(VENV)/.compile $(STUBS) ## Run the whole floor on this machine, with bots and a live board
	@$(COMPILE) --allow-plain --allow-failed
	@exec env $(FROM_COMPILED) $(BIN)/python -m deploy.local.run

# --- checks

lint: setup-dev ## Format, lint, types, imports, protos
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy libs services deploy tools tests
	$(BIN)/lint-imports --no-cache >/dev/null || $(BIN)/lint-imports --no-cache
	$(BIN)/buf lint protos
	$(BIN)/buf format --diff --exit-code protos

format: setup-dev ## Put everything in its form
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/buf format --write protos

proto-check: setup-dev ## Lint the protos; nothing of the contract as published may break
	$(BIN)/buf lint protos
	$(BIN)/buf breaking protos --against protos/v1.binpb

proto-baseline: proto-check ## After adding to the contract: what was added is published, too
	$(BIN)/buf build protos --exclude-source-info -o protos/v1.binpb

test: setup-bench ## Everything that fits in some minutes (what CI runs)
	@$(BIN)/python -m tests.support.needed
	$(MAKE) --no-print-directory lint proto-check
	$(BIN)/python -m pytest -q -m "not slow" -n 2 --dist loadfile $(PYTEST)

test-slow: setup-bench ## The long ones: full enumerations, long simulations
	$(BIN)/python -m pytest -q -m slow --timeout=3600 $(PYTEST)

test-compiled: setup-dev compiled ## The rules' tests, old logs and a whole floor on compiled rules
	$(FROM_COMPILED) $(BIN)/python -m pytest -q -m "not slow" -n 2 --dist loadfile \
	  -o pythonpath="build/compiled services ." tests/unit/games tests/unit/placement tests/property \
	  tests/contract/test_log_fixtures.py tests/integration/test_make_run.py

noninterference: setup-dev ## Two hidden cards exchanged: nothing else may differ (long form)
	FLOOR_NONINTERFERENCE_HANDS=40 $(BIN)/python -m pytest -q --timeout=1800 \
	  tests/integration/test_noninterference.py tests/integration/test_noninterference_games.py

kill-matrix: setup-dev ## kill -9 of each service and each pair, at each street of each game (long)
	FLOOR_KILL_MATRIX="$(or $(GAMES),all)" $(BIN)/python -m pytest -q --timeout=7200 \
	  tests/integration/test_kill_matrix.py tests/integration/test_kill_games.py

hammer: setup-dev ## 64 clients, duplicates, reversals and crashes at the ledger (long; ROUNDS=n)
	FLOOR_HAMMER_ROUNDS="$(or $(ROUNDS),200)" $(BIN)/python -m pytest -q --timeout=7200 \
	  tests/integration/test_ledger_hammer.py

bench: setup-bench $(VENV)/.compile ## Speed, against peers, in one run
	@$(COMPILE) --allow-plain
	$(FROM_COMPILED) $(BIN)/python -m tests.bench

mutants: $(VENV)/.mutants $(STUBS) ## Bend the rules of games and ranking: does a test notice? (long)
	nice -n 10 $(BIN)/python -m tools.mutants $(MODULES)

rules: setup-dev ## Each rule of the pages in libs/pokerfloor/games/rules with its tests; fails when one has none
	$(BIN)/python -m tests.support.rules

k8s-check: setup-dev ## Render and validate the manifests
	$(BIN)/python -m pytest -q tests/contract/test_manifests.py

image: ## Build the container image
	docker build -f deploy/docker/Dockerfile -t poker-floor:dev .

clean: ## Remove what was built; the state of a floor (.floor) stays
	rm -rf $(VENV) build libs/pokerfloor/api .mypy_cache .ruff_cache .pytest_cache .hypothesis dist libs/*.egg-info
