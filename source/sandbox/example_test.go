package sandbox_test

import (
	"context"
	"fmt"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/sandbox"
)

func ExampleSource_Track() {
	source := sandbox.New(sandbox.Config{Length: 10 * time.Minute})
	began := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)

	// Four minutes in, and asked again at the end.
	for _, elapsed := range []time.Duration{4 * time.Minute, 10 * time.Minute} {
		answer, err := source.Track(context.Background(), freight.SourceQuery{
			Number: "TEST-VOYAGE-SIMPLE", Type: freight.BillOfLading, SCAC: sandbox.SCAC,
			Since: began, Now: began.Add(elapsed),
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		facts := answer.Report.Facts
		last := facts[len(facts)-1]
		fmt.Printf("%d facts, at last: %s in %s\n", len(facts), last.Original, last.Place.Name)
	}
	// Output:
	// 10 facts, at last: Loaded on vessel in Yantian
	// 16 facts, at last: Empty returned in Long Beach
}

func ExampleSource_Fleet() {
	for _, number := range sandbox.New(sandbox.Config{}).Fleet(3) {
		fmt.Println(number)
	}
	// Output:
	// TEST-VOYAGE-SIMPLE-00
	// TEST-VOYAGE-TRANSSHIP-23
	// TEST-VOYAGE-FEEDER-46
}
