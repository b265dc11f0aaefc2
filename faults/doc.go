// Package faults shows what becomes of Landfall when the machine, the disk or
// its callers do their worst. It holds tests only: they build the program, run
// it as a process and call it over HTTP, as an installation does. What needs a
// hand inside the store stands in storage/sqlite, in tests named TestFault...:
// the power cut, a disk with errors, a fault at each statement, flipped bytes.
//
// Every test has a short count, for .ci/run, and a full one, for make prove; an
// environment variable sets it:
//
//	LANDFALL_CUTS            power cuts                       400      10,000  storage/sqlite
//	LANDFALL_KILLS           kills of the server               25         200
//	LANDFALL_DOCUMENT_KILLS  the same while documents come in   3         100
//	LANDFALL_BACKUPS         backups under load                10         100
//	LANDFALL_HISTORIES       histories of each store            3          60
//	LANDFALL_FLIPS           damaged files                     40       2,000  storage/sqlite
//	LANDFALL_SLOW            slow connections                 200       1,000
//	LANDFALL_SHIPMENTS       shipments at a failing carrier    18         500  source/dcsa/simulator
//	LANDFALL_SOAK            how long the soak runs           10s          1h
//	LANDFALL_SOAK_RATE       reports a second of the soak     half of what it can
//
// Each logs its figures and its seed: LANDFALL_SEED repeats what was drawn, if
// not how goroutines and processes took turns. Each can fail, and says in its
// comment how that was seen.
package faults
