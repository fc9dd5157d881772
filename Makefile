# Each target is one plain command; without make, run the command itself (on Windows `py` instead of `python3`).
.PHONY: play test test-compiled lint format proto bench mutate serve

play: ## one whole battle in Godot against the Python process
	python3 tools/run.py play

test: ## format, types and all tests, Godot's included
	python3 tools/run.py test

test-compiled: ## the tests of runtime and bridge on a build compiled with mypyc; part of `make test`
	python3 tools/run.py test-compiled

lint: ## format and types only
	python3 tools/run.py lint

format: ## format Python and the pages
	python3 tools/run.py format

proto: ## generate the wire code for Python and GDScript
	python3 tools/run.py proto

bench: ## the reference battle, in battles per second
	python3 tools/run.py bench

mutate: ## whether the tests notice small changes of the runtime; not part of `make test`, see CONTRIBUTING
	python3 tools/run.py mutate

serve: ## the server on its default address
	python3 tools/run.py serve
