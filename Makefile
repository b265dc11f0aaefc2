# make help lists what there is. BENCH and the counts below can be set:
#   make prove FUZZTIME=1m
#   make bench BENCH='-record -seconds 2'
#   make database FILL=20000 DB=shipments.db
#   make bench-before BEFORE=v1.2.0
SHELL    := bash
.SHELLFLAGS := -o pipefail -c
FUZZTIME ?= 10m
LAWS     ?= 100000
ORDERS   ?= 1000
INSTANTS ?= 1000
FACTS    ?= 10000
WORLDS   ?= 20000
JOURNEYS ?= 24000
CHECKS   ?= 100000
RUNS     ?= 10
CUTS     ?= 10000
KILLS    ?= 200
DIGESTS  ?= 10000
BACKUPS  ?= 100
HISTORIES ?= 60
FLIPS    ?= 2000
SLOW     ?= 1000
REPORTS  ?= 100
SOAK     ?= 1h
SHIPMENTS ?= 500
OUTBOX   ?= 10000
VALUES   ?= 100000
REQUESTS ?= 20000
ROWS     ?= 10000
PAPERS   ?= 100
FOLLOWED ?= 1000
MOVED    ?= 100000
FUZZED   ?= 5000
ROLLOUTS ?= 20
INTERLEAVINGS ?= 1000
FILL     ?= 1000000
DB       ?= generated.db
BEFORE   ?= HEAD

# each runs a command in every module: the root, and the nested ones.
MODULES := . $(dir $(shell git ls-files -- '*/go.mod'))
each = set -e; for dir in $(MODULES); do (cd $$dir && $(1)); done

# proof runs tests of a package by their names, and leaves of what they say the
# figures and what failed.
proof = go test -count=1 -timeout=2h -v -run='^($(1))$$' $(2) | grep -v '^ *\(=== \|--- PASS\)'

.PHONY: help verify test lint prove machine prove-laws prove-stores prove-properties prove-faults prove-deliveries prove-interface prove-carriers prove-peers fuzz bench bench-large bench-parts bench-peers bench-before database golden release demo

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

verify: ## All that a change must pass, with short counts (the same as .ci/run)
	bash .ci/run

test: ## The tests
	$(call each,go test ./...)

lint: ## golangci-lint by .golangci.yml; not part of verify, for building it takes minutes
	$(call each,go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...)

prove: export HARNESSES = 1
prove: machine verify prove-laws prove-stores prove-properties prove-faults prove-deliveries prove-interface prove-carriers prove-peers fuzz machine ## The full counts, by hand; record them with the commit that is printed

machine:
	@printf 'commit %s%s\n' "$$(git rev-parse HEAD)" "$$(git diff --quiet HEAD || echo ', with changes')"
	@printf '%s, %s cores, %s\n' "$$(go version)" "$$(nproc)" "$$(awk -F ': ' '/model name/ { print $$2; exit }' /proc/cpuinfo)"
	@date -u +%FT%TZ

prove-laws: ## The laws of derive on LAWS random histories, WORLDS simulated worlds, voyages in ORDERS orders and batchings, INSTANTS looks at the past, FACTS of one moment
	LANDFALL_LAWS=$(LAWS) LANDFALL_JOURNEYS=$(JOURNEYS) $(call proof,TestLaws|TestSimulatedJourneys,./internal/journey)
	LANDFALL_JOURNEYS=$(WORLDS) $(call proof,TestSimulatedTroubles|TestSimulatedSilences,./internal/exceptions)
	LANDFALL_WORLDS=$(WORLDS) $(call proof,TestSimulatedWorlds,.)
	LANDFALL_ORDERS=$(ORDERS) $(call proof,TestVoyagesInAnyOrder|TestNoBatchingAnnouncesTwice,.)
	LANDFALL_INSTANTS=$(INSTANTS) $(call proof,TestAsOf,.)
	LANDFALL_FACTS=$(FACTS) $(call proof,TestFactsOfOneMoment,.)

prove-stores: ## The storage contract on every store, RUNS times with new seeds
	go test -count=$(RUNS) -timeout=2h -v ./storage/... | grep -v '^ *\(=== \|--- PASS\)'

prove-properties: ## Every rapid property CHECKS times
	go test -count=1 -timeout=2h $$(git grep -l '"pgregory.net/rapid"' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's,^,./,') -rapid.checks=$(CHECKS)

prove-faults: ## CUTS power cuts, KILLS kills, BACKUPS, HISTORIES, FLIPS, SLOW connections, REPORTS of 16 MiB and a soak of SOAK, with their figures
	LANDFALL_CUTS=$(CUTS) LANDFALL_KILLS=$(KILLS) LANDFALL_DIGESTS=$(DIGESTS) LANDFALL_DIGEST_KILLS=50 LANDFALL_BACKUPS=$(BACKUPS) LANDFALL_HISTORIES=$(HISTORIES) \
	LANDFALL_FLIPS=$(FLIPS) LANDFALL_SLOW=$(SLOW) LANDFALL_GUESSERS=100 LANDFALL_REPORTS=$(REPORTS) LANDFALL_REPORTS_REST=30 LANDFALL_SOAK=$(SOAK) FAULTTIME=3h FAULTSATONCE=1 bash .ci/run faults

prove-deliveries: ## Errors at each call of the store over OUTBOX histories, INTERLEAVINGS of workers, with their figures
	LANDFALL_OUTBOX=$(OUTBOX) LANDFALL_INTERLEAVINGS=$(INTERLEAVINGS) $(call proof,TestOutbox|TestInterleavings,.)

prove-interface: ## VALUES of custom fields, REQUESTS at random, ROWS imported, every hostile file, FUZZED files changed at random, PAPERS kills while documents come in, FOLLOWED kills while events are followed, ten minutes of requests against a limit over three nodes, 60 faults of three nodes, ROLLOUTS of a version on six servers and back, MOVED shipments moved to PostgreSQL and back, the tasks of the dashboard by keyboard and without script
	LANDFALL_VALUES=$(VALUES) $(call proof,TestCustomFieldRoundTrip,.)
	LANDFALL_REQUESTS=$(REQUESTS) $(call proof,TestRandomRequests,./httpserver)
	LANDFALL_ROWS=$(ROWS) $(call proof,TestImportRows,./cmd/landfall)
	LANDFALL_HOSTILE=full LANDFALL_FUZZED=$(FUZZED) $(call proof,TestHostileFiles|TestFuzzedFiles|TestHostilePictures|TestHostileOffice,./classify/extract)
	LANDFALL_DOCUMENT_KILLS=$(PAPERS) $(call proof,TestKillDocuments,./faults)
	LANDFALL_LIMIT_MINUTES=10 $(call proof,TestLimitNodes,./cmd/landfall)
	LANDFALL_NODE_FAULTS=60 $(call proof,TestNodeFaults,./cmd/landfall)
	LANDFALL_EVENT_KILLS=$(FOLLOWED) $(call proof,TestKillEvents|TestKillEventNodes,./cmd/landfall)
	LANDFALL_ROLLOUTS=$(ROLLOUTS) LANDFALL_ROLLOUT_SECONDS=5 $(call proof,TestRollout,./cmd/landfall)
	LANDFALL_MOVE_SHIPMENTS=$(MOVED) LANDFALL_MOVE_REQUESTS=2000 $(call proof,TestMove,./cmd/landfall)
	LANDFALL_KEYBOARD=1 $(call proof,TestTasks,./cmd/landfall)
	LANDFALL_NO_SCRIPT=1 $(call proof,TestTasks,./cmd/landfall)

prove-carriers: ## SHIPMENTS followed at a simulated carrier of which three calls in ten fail, with its figures
	LANDFALL_SHIPMENTS=$(SHIPMENTS) $(call proof,TestFaultCarrier,./source/dcsa/simulator)

fuzz: ## Every fuzz target for FUZZTIME (10m unless set)
	GUIDED=1 FUZZTIME=$(FUZZTIME) FUZZLIMIT=0 bash .ci/run fuzz

bench: ## The finished server beside bare net/http, 1k and 100k shipments; BENCH=-record writes benchmarks/RESULTS.md
	go run -C benchmarks . $(BENCH)

bench-large: ## The same with a million shipments, by hand: needs 35 GB of disk and some half hour
	go run -C benchmarks . -large $(BENCH)

bench-peers: ## The server and its peers in one run: PocketBase, pgx on PostgreSQL, River and a naive server, 20k shipments; BENCH=-record writes benchmarks/RESULTS.md
	go run -C benchmarks/peers . $(BENCH)

prove-peers: ## The comparison with the peers runs: see bench-peers for its figures
	go test -C benchmarks/peers -count=1 -timeout=1h ./...

bench-before: ## What one fact costs, in turns with the program of BEFORE (HEAD unless set: what is not committed)
	go run -C benchmarks . -before $(BEFORE) $(BENCH)

database: ## A database of FILL shipments in the new file DB, as the engine makes them; a million take 12 minutes of two cores, 57 GB of disk and 10 GB of memory
	go run -C benchmarks . -fill $(FILL) -db $(abspath $(DB)) $(BENCH)

bench-parts: ## The benchmarks of the packages
	$(call each,go test -run='^$$' -bench=. -benchmem ./...)

golden: ## Write the golden files again; read the difference before you commit it
	go generate ./httpserver
	go test ./jsonapi ./source/sandbox ./httpserver -update
	go test . -run=EveryEvent -update
	LANDFALL_GOLDEN=1 go test ./classify -run='^TestSamples$$'
	go test ./source/sandbox -run=Milestones -update-milestones
	go test ./httpserver -run='^TestOpenAPI$$' -update

release: ## Static binaries for linux amd64 and arm64 with checksums and SBOM in dist, built twice, and run in an empty root directory
	bash deploy/release/release.sh

demo: ## The server with invented voyages under way
	go run ./cmd/landfall serve --demo
