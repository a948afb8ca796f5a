# Everything here is a plain go command; `make` only saves typing. .ci/run is what has to pass.

SHELL := bash
BIN := bin/validationTool
# How long each fuzz target runs.
FUZZTIME ?= 30s
# What bench measures: which rows of its table (a regexp), each how often, archives to take instead of generated ones (a
# .tar.gz of a grown and one of a fresh cluster), what to compare them with, and a file to write the table into.
BENCH_ONLY ?=
BENCH_RUNS ?= 5
BENCH_ARCHIVE ?=
BENCH_ARCHIVE_R ?=
BENCH_REFERENCE ?= examples/ran-du/reference
BENCH_TABLE ?=
# What looks for code that nobody uses, and for code that does not do what it seems to.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# What release makes: for which systems, of which version and commit, where the image is pushed to, and where the archives will be fetched from.
SYSTEMS := linux/amd64 linux/arm64 linux/s390x linux/ppc64le darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
COMMIT = $(shell git rev-parse HEAD)
DATE = $(shell TZ=UTC0 git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)
VERSION ?= $(shell git describe --tags --exact-match 2>/dev/null || TZ=UTC0 git log -1 --abbrev=12 --date=format-local:%Y%m%d%H%M%S --format=v0.0.0-%cd-%h)$(shell git diff --quiet HEAD || echo +dirty)
PUSH ?=
RELEASE_URL ?= https://github.com/validationtool/validationtool/releases/download/$(VERSION)

.PHONY: build test whole race lint staticcheck vuln golden kinds fuzz bench cover e2e release reproducible install help clean

# build makes the static binary.
build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o $(BIN) .

# test runs every test, and of each fuzz target its seeds. What needs the API of Kubernetes, packs a release, or makes a table, is a module of its own.
test:
	go test ./...
	cd internal/dev/fleetjob && go test ./...
	cd internal/dev/release && go test ./...
	cd internal/dev/kinds && go test ./...

# whole runs the tests with everything that they can try, where they try a choice by default.
whole:
	WHOLE=1 go test ./...

# race runs the tests with the race detector. It needs a C compiler.
race:
	CGO_ENABLED=1 go test -race -timeout 60m ./...

# lint checks what is not a matter of behaviour: format, vet, go.mod, staticcheck, the rules of the house, and known vulnerabilities.
lint:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi
	go vet ./...
	go mod tidy -diff
	@$(MAKE) --no-print-directory staticcheck
	go test -count=1 ./internal/dev/house
	@$(MAKE) --no-print-directory vuln

# staticcheck also finds what nothing but the tests of a package uses. It is no part of go.mod.
staticcheck:
	go run $(STATICCHECK) ./...
	go run $(STATICCHECK) -tests=false ./...

# vuln looks for known vulnerabilities in what the binary is made of. It needs the database of the Go project, and says so where that
# cannot be reached.
vuln:
	@bin=$$(mktemp -d); trap 'rm -rf "$$bin"' EXIT; \
	if ! GOBIN="$$bin" go install golang.org/x/vuln/cmd/govulncheck@v1.9.0; then echo "govulncheck cannot be installed: not checked for vulnerabilities"; exit 0; fi; \
	status=0; "$$bin/govulncheck" ./... || status=$$?; \
	case $$status in 0) ;; 3) exit 1 ;; *) echo "the database of vulnerabilities cannot be reached: not checked" ;; esac

# kinds renews the table of the kinds of Kubernetes in the binary; internal/dev/kinds/main.go has the version.
kinds:
	go -C internal/dev/kinds run . -out "$(CURDIR)/internal/compare/crdschema/kinds.gz"

# golden rewrites the wanted outputs of every package whose tests define -update. Read the diff before you commit it.
golden:
	go test $$(grep -rlE --include='*_test.go' '(Bool|BoolVar)\(.*"update"|testkit\.(Each|Updates)\(' . | xargs -n1 dirname | sort -u) -update

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

# bench runs the benchmarks, then measures the binary from end to end; the data for that stays in bin/bench until `make clean`.
bench: build
	go test -run '^$$' -bench . ./...
	CGO_ENABLED=0 go build -buildvcs=false -trimpath -o bin/bench/bench ./internal/dev/bench
	bin/bench/bench -tool $(BIN) -runs $(BENCH_RUNS) -only '$(BENCH_ONLY)' -reference '$(BENCH_REFERENCE)' \
		-archive '$(BENCH_ARCHIVE)' -archive-r '$(BENCH_ARCHIVE_R)' -table '$(BENCH_TABLE)'

# e2e installs the packages of a release on a fresh Debian in a folder, and runs its image on a real Kubernetes: the Jobs of docs/fleet.md, and
# the pipes and the plugin of kubectl. It needs root and Debian. The first run builds Kubernetes into E2E, which takes ten minutes or more and
# ten gigabytes with the caches of Go; later runs take five minutes.
E2E ?= $(CURDIR)/bin/e2e
e2e:
	$(MAKE) --no-print-directory release SYSTEMS=linux/$$(go env GOARCH) VERSION=v0.0.0-e2e
	@for program in containerd runc openssl ip debootstrap rpm; do command -v $$program >/dev/null || missing=1; done; \
	if [ -n "$$missing" ] || ! [ -d /usr/lib/cni ]; then \
		apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends containerd runc containernetworking-plugins \
			openssl iproute2 debootstrap rpm; fi
	PACKAGES='$(CURDIR)/bin/release' go test -C internal/dev/release -count 1 -v -run TestPackages .
	E2E='$(E2E)' go test -tags e2e -count 1 -timeout 90m -v ./internal/dev/e2e

# cover writes coverage.out and prints the total; `go tool cover -html coverage.out` shows the lines.
cover:
	go test -coverprofile coverage.out -coverpkg ./... ./...
	@go tool cover -func coverage.out | tail -n 1

# release makes all that is published of a version, in bin/release: for each of SYSTEMS an archive with the binary, the licenses, the manual and
# an example, and a bill of materials; packages for Linux; a container image, which it also pushes to the name in PUSH; what krew, Homebrew and
# scoop install by; checksums. The same commit gives the same bytes.
release:
	rm -rf bin/release
	@set -e; stamp="-s -w -buildid= -X main.release=$(VERSION) -X main.commit=$(COMMIT) -X main.date=$(DATE)"; \
	binaries=bin/release/binaries; \
	for system in $(SYSTEMS); do \
		echo "$$system"; folder=$$binaries/$${system/\//_}; mkdir -p "$$folder"; \
		CGO_ENABLED=0 GOOS=$${system%/*} GOARCH=$${system#*/} GOFLAGS= go build -buildvcs=false -trimpath -ldflags "$$stamp" -o "$$folder/" .; \
		for built in "$$folder"/validationtool*; do mv "$$built" "$$folder/validationTool$${built#"$$folder/validationtool"}"; done; \
	done; \
	go build -ldflags "$$stamp" -o $$binaries/here .; $$binaries/here man >$$binaries/validationTool.1; \
	for shell in bash zsh fish; do $$binaries/here completion $$shell >$$binaries/validationTool.$$shell; done; \
	ln $$binaries/here $$binaries/kubectl-validation_tool; $$binaries/kubectl-validation_tool completion kubectl >$$binaries/kubectl_complete-validation_tool; \
	go -C internal/dev/release run . -root "$(CURDIR)" -version $(VERSION) -date $(DATE) -url $(RELEASE_URL) -push "$(PUSH)" \
		-binaries "$(CURDIR)/$$binaries" -completions "$(CURDIR)/$$binaries" -out "$(CURDIR)/bin/release" \
		"$(CURDIR)/LICENSE" "$(CURDIR)/$$binaries/validationTool.1"
	@rm -rf bin/release/binaries

# reproducible makes the release again from a copy of the sources in another folder, and compares the checksums of both.
reproducible: release
	@set -e; copy=$$(mktemp -d); trap 'rm -rf "$$copy"' EXIT; \
	git ls-files -z | xargs -0 cp --parents -t "$$copy"; \
	$(MAKE) --no-print-directory -C "$$copy" release VERSION=$(VERSION) COMMIT=$(COMMIT) DATE=$(DATE) SYSTEMS="$(SYSTEMS)"; \
	diff bin/release/SHA256SUMS "$$copy/bin/release/SHA256SUMS"; echo "both releases are the same bytes"

# install puts the tool, its manual page, the plugin of kubectl and what completes both below PREFIX; DESTDIR is a root for packages.
PREFIX ?= /usr/local
SHARE = $(DESTDIR)$(PREFIX)/share
install: build
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/man/man1" "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d"
	install -m 755 $(BIN) "$(DESTDIR)$(PREFIX)/bin/validationTool"
	ln -sf validationTool "$(DESTDIR)$(PREFIX)/bin/kubectl-validation_tool"
	$(BIN) man >"$(SHARE)/man/man1/validationTool.1"
	$(BIN) completion bash >"$(SHARE)/bash-completion/completions/validationTool"
	$(BIN) completion zsh >"$(SHARE)/zsh/site-functions/_validationTool"
	$(BIN) completion fish >"$(SHARE)/fish/vendor_completions.d/validationTool.fish"
	cd "$(DESTDIR)$(PREFIX)/bin" && ./kubectl-validation_tool completion kubectl >kubectl_complete-validation_tool && chmod 755 kubectl_complete-validation_tool

# help lists the targets.
help:
	@awk '/^# / && about == "" {about = substr($$0, 3)} /^$$/ {about = ""} /^[a-z0-9]+:/ {name = $$1; sub(":.*", "", name); \
		sub("[.:;]( .*)?$$", "", about); printf "  make %-13s%s\n", name, substr(about, length(name) + 2)}' Makefile

# clean removes what the other targets made.
clean:
	rm -rf bin coverage.out
