# Tablesight: `make run` starts it, `make test` checks it.

VENV := .venv
BIN := $(VENV)/bin
PACKAGES := rules vision models webui
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: games page-speed three-phones evaluate help run test lint types imports pytest test-deploy venv dev clean training data train export

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

run: venv ## install what is needed and start the table on port 8000 (ARGS="--camera v4l2:0" is passed on)
	@exec $(BIN)/tablesight serve --or-simulated $(ARGS)

test: dev lint types imports pytest ## everything: style, types, imports, tests with the browser

lint: dev ## ruff: style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The training code is scripts that import their neighbours by name, so they are a check of their own; torch counts as unknown in
# it (see pyproject.toml), which leaves its classes and decorators untyped.
types: dev ## mypy, strict
	$(BIN)/mypy $(addprefix -p tablesight.,$(PACKAGES)) --exclude /training/
	MYPYPATH=models/training $(BIN)/mypy --cache-dir .mypy_cache/training --allow-subclassing-any --allow-untyped-decorators models/training

imports: dev ## import-linter: who may import whom
	$(BIN)/lint-imports

pytest: dev ## the tests alone
	$(BIN)/pytest

page-speed: dev ## weight of the page and first paint on a slow phone
	$(BIN)/pytest -q tests/webui/test_page_speed.py

three-phones: dev ## a whole game on three phones and a big screen, pictures in build/three-phones (minutes; THREE_PHONES=quick: fake camera)
	$(BIN)/pytest -m slow tests/webui/test_three_phones.py -q -s

test-deploy: dev ## install and uninstall in real Debian roots (root, debootstrap, minutes)
	$(BIN)/pytest -m slow tests/deploy

# --- data, models, measurements (slow; not part of test) ---

PHOTOS ?=
SHARDS ?= 18

training: dev ## what training needs beside: torch for the CPU
	$(BIN)/pip install -q 'torch==2.13.0' onnx tqdm

data: training ## draw the training pictures (slow; resumes where it stopped); wants Debian's openclipart-png for things that are no dice
	$(BIN)/python models/training/numeral_fonts.py
	$(BIN)/python models/training/make_crops.py --first 0 --shards $(SHARDS)
	$(BIN)/python models/training/make_crops.py --first 100 --shards $(SHARDS)
	$(BIN)/python models/training/make_crops.py --first 200 --shards $(SHARDS)
	$(BIN)/python models/training/make_crops.py --first 300 --shards $(SHARDS)
	$(BIN)/python models/training/make_crops.py --first 400 --shards $(SHARDS)
	$(BIN)/python models/training/make_scenes.py --first 0 --shards $(SHARDS)
	$(BIN)/python models/training/make_scenes.py --first 100 --shards 10

TABLES ?= 240

photoreal: training ## render photoreal tables with Blender, in an environment of its own (slow; resumes): data/photoreal
	@test -x data/venv-bpy/bin/python || python3.11 -m venv data/venv-bpy
	data/venv-bpy/bin/pip install -q 'bpy==5.0.1' 'numpy<2'
	nice -n 10 $(BIN)/python models/training/make_photoreal.py --tables $(TABLES)

train: training ## train pose, face and detector (five hours on two quiet cores; resumes); PHOTOS=licensed folders
	$(BIN)/python models/training/train_reader.py pose 60
	$(BIN)/python models/training/train_reader.py face 20
	$(if $(PHOTOS),$(BIN)/python models/training/real_crops.py $(PHOTOS) --but lurig-d20-black)
	$(BIN)/python models/training/train_reader.py pose 100
	$(BIN)/python models/training/train_reader.py face 90
	$(BIN)/python models/training/train_detector.py 110 $(if $(PHOTOS),--photos $(PHOTOS))
	$(BIN)/python models/training/export.py detector --folder data/fp32
	$(BIN)/python models/training/make_finds.py --folder data/fp32 $(if $(PHOTOS),--photos $(PHOTOS) --but lurig-d20-black)
	$(BIN)/python models/training/train_die_head.py

GAMES ?= --players 2 6 10 --way zones mats tray

games: dev ## play simulated games through the server and count what was right (GAMES=options; long)
	$(BIN)/python -m tablesight.vision.evaluation.simulated_games $(GAMES)

evaluate: dev ## measure the models on a folder of labelled photos (PHOTOS=DIR): models/REPORT.md
	@test -n "$(PHOTOS)" || { echo "expected PHOTOS=DIR, a folder with labels.csv or of such folders; see docs/evaluation.md"; exit 2; }
	$(BIN)/tablesight evaluate $(PHOTOS) --complete-boxes-in '*multi-d8' --report models/REPORT.md \
		--picture-of 'burks*' --picture-of 'cc0*' --picture-of 'pips-ccby*' $(EVALUATE_ARGS)

bench: dev ## time finding and reading against YOLOv8n and YOLO11n (minutes and gigabytes, thrown away; BENCH_ARGS=--no-references)
	$(BIN)/python models/training/bench.py $(BENCH_ARGS)

evaluate-empty: dev ## count what is found in 200 pictures without dice (EMPTY_ARGS="--library DIR --photos DIR ..." adds real ones)
	$(BIN)/python models/training/make_empty.py $(EMPTY_ARGS)
	$(BIN)/tablesight evaluate data/empty

export: training ## checkpoints to ONNX, int8 where it loses nothing, with cards: temperatures and threshold from held-out drawn dice
	rm -f data/calibration.json
	$(BIN)/python models/training/export.py
	$(BIN)/python models/training/quantize.py
	$(BIN)/python models/training/calibrate.py
	$(BIN)/python models/training/detector_threshold.py
	$(BIN)/python models/training/export.py --cards

clean: ## remove .venv, build folders and caches; games and photos stay
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

venv:
	@deploy/make-venv.sh

dev:
	@deploy/make-venv.sh --extra dev
	@mkdir -p build/dev/tablesight
	@for package in $(PACKAGES); do ln -sfn ../../../$$package build/dev/tablesight/$$package; done
