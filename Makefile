# Needs only Python 3.11 or newer, make and git; everything else goes into .venv.

PYTHON ?= python3
REPO ?= .
CORPUS ?= .corpus
ENVIRONMENT := .venv
BIN := $(ENVIRONMENT)/bin
JOBS ?= 2

ifeq ($(origin REPO),file)
TASK ?= the writer lock should tell which process holds it
else
TASK ?= where does the program start, and what does it do first?
endif

.PHONY: demo test lint types unit smoke docs golden bench bench-index bench-serve bench-sessions bench-questions \
  bench-budgets fuzz soak clean

demo: $(ENVIRONMENT)/installed ## Index REPO (this repository by default) and show an answer
	@echo; echo '$$ sonde index'
	@$(BIN)/sonde index --repo "$(REPO)"
	@echo; echo '$$ sonde context "$(TASK)" --budget 2000 --format markdown'
	@$(BIN)/sonde context --repo "$(REPO)" "$(TASK)" --budget 2000 --format markdown
	@echo; echo 'Next: source $(BIN)/activate, go to any repository, and ask: sonde context "your task"'

test: lint types unit smoke

lint: $(ENVIRONMENT)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(ENVIRONMENT)/installed-dev
	$(BIN)/mypy

unit: $(ENVIRONMENT)/installed-dev
	$(BIN)/python -m pytest -n $(JOBS)

smoke: $(ENVIRONMENT)/installed-dev ## The wheel, alone in an empty environment
	$(BIN)/python tests/smoke/wheel_alone.py

docs: $(ENVIRONMENT)/installed-dev ## Write docs/cli.md again from the help texts
	$(BIN)/python docs/cli_reference.py

golden: $(ENVIRONMENT)/installed-dev ## Write tests/golden/ranking.txt again; review the difference
	$(BIN)/python tests/golden

bench: $(ENVIRONMENT)/installed-dev ## Quality on the benchmark data (see bench/README.md)
	$(BIN)/python -m bench all --corpus "$(CORPUS)"

bench-index: $(ENVIRONMENT)/installed-dev ## Cost of indexing, as ratios
	$(BIN)/python -m bench.index_cost $(if $(filter file,$(origin REPO)),django kubernetes,"$(REPO)")

bench-serve: $(ENVIRONMENT)/installed-dev ## Latency, load, memory and toughness of a server
	$(BIN)/python -m bench.serve_load $(if $(filter file,$(origin REPO)),"$(CORPUS)/django","$(REPO)")

bench-sessions: $(ENVIRONMENT)/installed-dev ## 500 random sessions: budgets, what must stay, same bytes
	$(BIN)/python -m bench.random_sessions $(if $(filter file,$(origin REPO)),tests/fixtures/shop,"$(REPO)")

fuzz: $(ENVIRONMENT)/installed-dev ## Extraction of mutated sources, for a minute
	$(BIN)/python -m bench.fuzz "$(REPO)"

soak: $(ENVIRONMENT)/installed-dev ## Random edits of a copy of REPO against an index from scratch
	$(BIN)/python -m bench.soak "$(REPO)"

bench-questions: $(ENVIRONMENT)/installed-dev ## Cost of questions: warm, repeated, cold, by size
	$(BIN)/python -m bench.question_cost $(if $(filter file,$(origin REPO)),$(addprefix $(CORPUS)/,flask caddy django kubernetes),"$(REPO)")

bench-budgets: $(ENVIRONMENT)/installed-dev ## 1,000 random tasks, four budgets, another tokenizer
	$(BIN)/python -m bench.budgets $(if $(filter file,$(origin REPO)),"$(CORPUS)/django","$(REPO)")

bench-replay: $(ENVIRONMENT)/installed-dev ## Sessions over issues: what is in context after each pass
	$(BIN)/python -m bench.replay --corpus "$(CORPUS)"

clean:
	rm -rf $(ENVIRONMENT) dist build .pytest_cache .mypy_cache .ruff_cache
	find src tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(ENVIRONMENT)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Sonde needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …' >&2; exit 1; }
	$(PYTHON) -m venv $(ENVIRONMENT)

$(ENVIRONMENT)/installed: pyproject.toml $(ENVIRONMENT)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(ENVIRONMENT)/installed-dev: pyproject.toml $(ENVIRONMENT)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(ENVIRONMENT)/installed
