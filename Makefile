# The commands of the project. Each works on a machine with only python3 (3.11 or newer) and make.

PYTHON ?= python3
BIN := .venv/bin
ENVIRONMENT = @command -v $(PYTHON) >/dev/null || { \
	echo "Companion needs Python 3.11 or newer as python3 (python.org, or your system's packages)."; exit 1; }; \
	$(PYTHON) tools/environment.py

.PHONY: help run test bench calibration clean

help:  ## this list
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

run:  ## install, and open the demo table: a game in progress and a photo to scan
	$(ENVIRONMENT)
	@$(BIN)/companion serve --demo --open

test:  ## install what the tests need; run ruff, mypy --strict and pytest
	$(ENVIRONMENT) test
	@$(PYTHON) tools/browser.py
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile

bench:  ## how many games a second the rules replay
	$(ENVIRONMENT) test
	$(BIN)/python tools/bench_rules.py

calibration:  ## learn the bundled calibration of the reference set again, from sample_images/reference
	$(ENVIRONMENT)
	$(BIN)/companion calibrate sample_images/reference --out calibration/reference/calibration

clean:  ## remove the virtual environment and what the tools keep
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info build
