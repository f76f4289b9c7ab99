# `make play` needs Python 3.11 with its venv module and make, and nothing else.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
INSTALL := $(RUN) -m pip --disable-pip-version-check --quiet install --no-compile

# Compiled modules are kept whatever the machine's habit: each process of the tests would compile everything anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test check format words bench pins

# The bot: on Discord with a DISCORD_TOKEN in .env, in the playground without.
play: $(VENV)/.play
	@$(RUN) -m bot

# One test: make test TESTS=tests/bot/test_words.py
TESTS ?=
test: $(VENV)/.test
	@$(RUN) -m pytest -q -rs -n auto --dist loadfile --no-loadscope-reorder $(TESTS)

check: $(VENV)/.test
	@$(RUN) -m ruff format --check .
	@$(RUN) -m ruff check .
	@$(RUN) -m mypy
	@$(RUN) -m bot.catalogues check

format: $(VENV)/.test
	@$(RUN) -m ruff format .
	@$(RUN) -m ruff check --fix .

# The catalogues of translations, after texts in the code have changed.
words: $(VENV)/.play
	@$(RUN) -m bot.catalogues update

# What is fast, measured, and written into the README. python-chess is GPL and installed for the comparison alone.
bench: $(VENV)/.test
	@$(INSTALL) -r requirements-bench.txt
	@$(RUN) -m tests.bench

# The newest versions that pyproject.toml allows, into requirements.txt and requirements-dev.txt.
pins:
	$(PYTHON) -m venv --clear .pins
	.pins/bin/pip --quiet install .
	.pins/bin/pip freeze --exclude trigon > requirements.txt
	.pins/bin/pip --quiet install '.[dev]'
	.pins/bin/pip freeze --exclude trigon | grep -vxFf requirements.txt > requirements-dev.txt
	rm -rf .pins build trigon.egg-info

# An empty file in the environment says that what it needs is installed; a second run has nothing to do.
$(VENV)/.play: requirements.txt | $(VENV)/bin/pip
	@echo "Installing what the bot needs …"
	@$(INSTALL) -r requirements.txt
	@touch $@

$(VENV)/.test: requirements.txt requirements-dev.txt | $(VENV)/bin/pip
	@echo "Installing what the bot and its tests need …"
	@$(INSTALL) -r requirements.txt -r requirements-dev.txt
	@touch $@ $(VENV)/.play

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Trigon needs Python 3.11 or newer.")'
	@$(PYTHON) -m venv $(VENV)
