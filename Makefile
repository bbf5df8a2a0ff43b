# Set-up and the common commands. Everything else is `attest --help`, in .venv/bin.

VENV := .venv
ATTEST := $(VENV)/bin/attest
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check --quiet
INSTALL := $(PIP) install --no-compile --constraint constraints.txt
# Pip would compile modules on one core, which is half of its time. Packages also hold files that do not compile.
COMPILE := $(VENV)/bin/python -m compileall -q -j 0 "$(abspath $(VENV))/lib" > /dev/null 2>&1 || true
PYTHON ?= python3
SCALE ?= mini
SPECS := $(patsubst reproduce/%.yaml,%,$(wildcard reproduce/*/*.yaml))

# Functions of make take a path with a space for two paths.
SPACE := $() $()
DATA_FOLDER := $(subst |,$(SPACE),$(abspath $(subst $(SPACE),|,$(DATA))))
SETTINGS := scale=$(SCALE)
SETTINGS += $(if $(SEEDS),seeds=$(SEEDS)) $(if $(ROWS),rows=$(ROWS)) $(if $(WITH),'with=$(WITH)')
SETTINGS += $(if $(DATA),'paths.data=$(DATA_FOLDER)')
SETTINGS += $(if $(JOBS),hydra/launcher=joblib hydra.launcher.n_jobs=$(JOBS)) $(SET)

.DEFAULT_GOAL := help
.PHONY: help setup check test test-cluster test-gpu rehearsal chaos schedules fuzz sanitize lint collate bench figures docs clean clean-runs $(SPECS)

help:  ## Print this
	@grep -hE '^[a-z0-9/%-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([^:]*):.*## /  make \1\t/' | expand -t 24
	@echo "  make PAPER/TABLE      Reproduce a table, e.g. disan/table1 (table1 for short); ls reproduce/* lists them"
	@echo "  make PAPER/FIGURE     Draw a figure, e.g. psan/figure2"
	@echo
	@echo "With a table: SCALE=mini|paper  SEEDS=3 or 0,7  ROWS=disan,s2t  WITH=model=NAME"
	@echo "              JOBS=2  DATA=folder  SET='key=value ...'"

setup: $(VENV)/.installed  ## Make the environment in .venv; CUDA=13.0 for NVIDIA GPUs

# The builds of torch for Linux: without CUDA=..., one for processors, which is a tenth of the size. PyPI's own build for
# Linux is one for CUDA, so if no index has a CPU build, nothing is installed that needs NVIDIA's packages.
BUILD := $(if $(CUDA),cu$(subst .,,$(CUDA)),cpu)
TORCH := $(shell sed -n 's/^torch==//p' constraints.txt)
TORCH_BUILD := $(if $(or $(CUDA),$(if $(wildcard $(VENV)/.installed),,new)),$(VENV)/.torch-$(BUILD))

$(VENV)/.torch-%:
	@echo "Installing torch $(TORCH) in $(VENV), the build $* ..." >&2
	@test -x $(VENV)/bin/pip || $(PYTHON) -m venv $(VENV)
	@if [ "$$(uname -s)" = Linux ] && ! $(INSTALL) --retries 1 --timeout 20 \
		--extra-index-url https://download.pytorch.org/whl/$* 'torch==$(TORCH)+$*' 2> $(VENV)/torch.log; then \
		if [ '$*' != cpu ] || $(PIP) install --dry-run --report - --constraint constraints.txt torch | grep -q '"nvidia'; then \
			cat $(VENV)/torch.log >&2; \
			echo "make setup: no index has torch $(TORCH)+$*; type make setup CUDA=13.0 (or another version of" \
				"https://download.pytorch.org/whl) for a build for NVIDIA GPUs, or install torch in $(VENV) and" \
				"type touch $@" >&2; \
			exit 1; \
		fi; \
	fi
	@rm -f $(VENV)/.torch-*
	@touch $@

$(VENV)/.installed: pyproject.toml constraints.txt | $(TORCH_BUILD)
	@echo "Setting up $(VENV) ..." >&2
	@$(INSTALL) --editable .
	@$(COMPILE)
	@touch $@

$(VENV)/.extended: $(VENV)/.installed
	@echo "Adding what parallel runs, figures and benchmarks need ..." >&2
	@$(INSTALL) --editable '.[joblib,figures,transfer]'
	@$(COMPILE)
	@touch $@

$(VENV)/.developing: $(VENV)/.installed
	@echo "Adding what tests need ..." >&2
	@$(INSTALL) --editable '.[dev]'
	@$(COMPILE)
	@touch $@ $(VENV)/.extended

# Ray's launcher needs cloudpickle < 3, the pinned joblib a newer one. Its environment lies above that of the tests.
# It cannot be moved: the programs in it name their interpreter in their first line.
$(VENV)-ray: $(VENV)-ray/.installed

$(VENV)-ray/.installed: $(VENV)/.developing
	@echo "Setting up $(@D) ..." >&2
	@rm -rf $(@D) && $(VENV)/bin/python -m venv $(@D)
	@$(@D)/bin/pip --disable-pip-version-check --quiet install 'hydra-ray-launcher>=1.2.2' joblib
	@$(VENV)/bin/python -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' \
		> $$(echo $(@D)/lib/python*/site-packages)/tests.pth
	@touch $@

# -- Tables: the name in the paper is the name of the file in reproduce/, of the target and of the page in results/ --

$(SPECS): %: reproduce/%.yaml $(VENV)/.installed $(if $(JOBS),$(VENV)/.extended)
	@$(ATTEST) $(if $(filter figure%,$(@F)),figures $@,reproduce $@ $(SETTINGS))

table%: disan/table%
	@:

collate: $(VENV)/.installed  ## Rebuild all tables from the tracked records
	@$(ATTEST) collate

# What only a GPU can show needs torch and numpy alone, so that it also runs where .venv cannot be made.
BARE := PYTHONPATH=src:tests $$(test -x $(VENV)/bin/python && echo $(VENV)/bin/python || echo $(PYTHON))
ON_GPU := $(filter gpu,$(BENCH))
NOT_ON_GPU := $(if $(BENCH),$(filter-out gpu,$(BENCH)),all)

bench: $(if $(NOT_ON_GPU),$(VENV)/.extended)  ## Measure speed, memory and convergence here (BENCH='core step gpu' for some; gpu only if named)
	@$(if $(NOT_ON_GPU),$(ATTEST) bench $(filter-out gpu,$(BENCH)))
	@$(if $(ON_GPU),$(BARE) -m attest.benchmarks.gpu)

rehearsal: $(VENV)/.developing  ## Measure time and memory of reading corpora of the official size (SHARE=0.01 for a hundredth)
	@PYTHONPATH=src:tests $(VENV)/bin/python tests/rehearsal $(SHARE)

test-gpu:  ## Compare values and gradients on a GPU with double precision; without one, on the processor
	@$(BARE) tests/gpu

figures: $(VENV)/.extended  ## Draw the papers' figures from the tracked records
	@$(ATTEST) figures

docs: $(VENV)/.developing  ## Build these pages and a reference of the Python modules as a site, without a network
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --config-file docs/site/mkdocs.yml
	@echo "Open build/docs/index.html. With search: python3 -m http.server --bind 127.0.0.1 --directory build/docs"

# -- Development --------------------------------------------------------------------------------------

check: $(VENV)/.developing  ## Check style, and run the tests that a change is most likely to break, in a minute or so
	@$(VENV)/bin/ruff check --quiet .
	@$(VENV)/bin/pytest --quick

test: $(VENV)/.developing  ## Run all tests
	@$(VENV)/bin/pytest

test-cluster: $(VENV)/.developing  ## Run the tests that start a SLURM of one node (as root, with slurm-wlm, munge) and Ray
	@$(VENV)/bin/pytest -n 3 --dist loadfile --cluster tests/cluster

chaos: $(VENV)/.developing  ## Kill a small sweep a hundred times, and print what survived
	@$(VENV)/bin/python tests/chaos

schedules: $(VENV)/.developing  ## Let two simulated hosts share a failing disk a thousand times (COUNT=n SEED=n)
	@$(VENV)/bin/python tests/chaos/schedules.py $(or $(COUNT),1000) $(or $(SEED),0)

fuzz: $(VENV)/.developing  ## Damage official files in 20,000 ways, and print what came out wrong (COUNT=n SEED=n)
	@$(VENV)/bin/python tests/fuzz $(or $(COUNT),20000) $(SEED)

# The kernels are built once more, with AddressSanitizer and UBSan, which end a test at the first access beyond an array
# and at the first undefined operation. Python itself has no sanitizer, so its library is loaded before all others; and
# that of C++ with it, whose exceptions it watches. Leaks are not looked for: Python and torch keep memory until they end.
# test_library.py is left out, because it builds kernels with compilers of its own.
SANITIZED := tests/models/kernels tests/models/matchers/test_pairs.py tests/models/matchers/test_recurrence.py
SANITIZED += tests/models/test_tensor_types.py tests/training/optim

sanitize: $(VENV)/.developing  ## Run the tests of the C++ kernels with AddressSanitizer and UBSan
	@asan=$$(g++ -print-file-name=libasan.so 2>&1); cpp=$$(g++ -print-file-name=libstdc++.so 2>&1); \
	if [ ! -f "$$asan" ]; then \
		echo "make sanitize: skipped, because gcc's sanitizer library (libasan) is not installed here" >&2; exit 0; \
	fi; \
	LD_PRELOAD="$$asan $$cpp" ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	CXX="g++ -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all" \
	$(VENV)/bin/pytest -n 0 --ignore tests/models/kernels/test_library.py $(SANITIZED)

lint: $(VENV)/.developing  ## Check style, types, docstrings and that tables are what the records say
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/basedpyright
	@$(VENV)/bin/python tests/docstrings.py
	@$(ATTEST) collate --check

clean:  ## Remove the environment, caches and pages; data, runs and results stay
	rm -rf $(VENV) $(VENV)-ray build cache

clean-runs:  ## Remove all runs made here, with their weights and results; tracked results stay
	rm -rf runs results/mini results/local
