# Everything here is a plain go command; `make` only saves typing. .ci/run is what has to pass.

SHELL := bash
BIN := bin/validationTool
# How long each fuzz target runs.
FUZZTIME ?= 30s
# What bench compares from end to end, and how often.
BENCH_REFERENCE ?= examples/ran-du/reference
BENCH_INPUT ?= examples/ran-du/must-gather.tar.gz
BENCH_RUNS ?= 5

.PHONY: build test race lint golden fuzz bench cover clean

# build makes the static binary.
build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o $(BIN) .

# test runs every test, and of each fuzz target its seeds.
test:
	go test ./...

# race runs the tests with the race detector. It needs a C compiler.
race:
	CGO_ENABLED=1 go test -race ./...

# lint checks what is not a matter of behaviour: format, vet, go.mod, and the rules of the house.
lint:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi
	go vet ./...
	go mod tidy -diff
	go test -count=1 ./internal/house

# golden rewrites the wanted outputs of every package whose tests define -update. Read the diff before you commit it.
golden:
	go test $$(grep -rlE --include='*_test.go' '(Bool|BoolVar)\(.*"update"' . | xargs -n1 dirname | sort -u) -update

# fuzz runs each fuzz target in turn for FUZZTIME; what it finds is written below the package's testdata/fuzz. Go at times
# reports the end of the time as a failure: a deadline exceeded and no failing input is none.
fuzz:
	@failed=; log=$$(mktemp); trap 'rm -f "$$log"' EXIT; \
	while IFS=: read -r file func; do \
		func=$${func#func }; echo "$$(dirname "$$file") $$func"; \
		go test "$$(dirname "$$file")" -run '^$$' -fuzz "^$$func\$$" -fuzztime $(FUZZTIME) </dev/null 2>&1 | tee "$$log"; \
		if [ "$${PIPESTATUS[0]}" != 0 ] && { grep -aq 'Failing input' "$$log" || ! grep -aqx ' *context deadline exceeded' "$$log"; }; then failed+=" $$func"; fi; \
	done < <(grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sort); \
	if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

# bench runs the benchmarks, then the binary from end to end; exit status 1 only says that differences were found.
bench: build
	go test -run '^$$' -bench . ./...
	@echo "$(BENCH_RUNS) times: $(BIN) $(BENCH_REFERENCE) $(BENCH_INPUT)"; \
	time for ((i = 0; i < $(BENCH_RUNS); i++)); do \
		$(BIN) $(BENCH_REFERENCE) $(BENCH_INPUT) >/dev/null || [ $$? -eq 1 ] || exit 2; \
	done

# cover writes coverage.out and prints the total; `go tool cover -html coverage.out` shows the lines.
cover:
	go test -coverprofile coverage.out -coverpkg ./... ./...
	@go tool cover -func coverage.out | tail -n 1

# clean removes what the other targets made.
clean:
	rm -rf bin coverage.out
