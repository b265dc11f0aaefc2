// Package faults tests Landfall with faults of the machine, of the disk and of its
// callers. It has only tests: they build the program, run it as a process and call it
// over HTTP. Tests that need access to the store are in storage/sqlite, named
// TestFault...: power cuts, disk errors, a fault at each statement, flipped bytes.
//
// Every test has a short count, for .ci/run, and a full one, for make prove; an
// environment variable sets it:
//
//	LANDFALL_CUTS            power cuts                       400      10,000  storage/sqlite
//	LANDFALL_KILLS           kills of the server               25         200
//	LANDFALL_DOCUMENT_KILLS  the same while documents come in   3         100
//	LANDFALL_DIGESTS         digests at one minute             60      10,000
//	LANDFALL_DIGEST_KILLS    kills of the server meanwhile      3          50
//	LANDFALL_BACKUPS         backups under load                10         100
//	LANDFALL_HISTORIES       histories of each store            3          60
//	LANDFALL_FLIPS           damaged files                     40       2,000  storage/sqlite
//	LANDFALL_SLOW            slow connections                 200       1,000
//	LANDFALL_FAIR            deliveries beside slow endpoints  10         100
//	LANDFALL_COSTLY_FILES    costly files of an account        12          30
//	LANDFALL_GUESSERS        connections that guess keys       32         100
//	LANDFALL_HELD            connections of one address      1,500       1,500
//	LANDFALL_BODIES          unfinished bodies of 16 MiB      100         100
//	LANDFALL_REPORTS         reports of 16 MiB at one time      1         100
//	LANDFALL_SHIPMENTS       shipments at a failing carrier    18         500  source/dcsa/simulator
//	LANDFALL_SOAK            how long the soak runs           10s          1h
//	LANDFALL_SOAK_RATE       reports a second of the soak     half of what it can
//
// What one caller does to others, now and before the commits that bound it, is in
// docs/requirements.md#fairness.
//
// Each logs its figures and its seed. LANDFALL_SEED repeats the random choices, but not
// the scheduling of goroutines and processes. The comment of each test says how it was
// seen to fail.
package faults
