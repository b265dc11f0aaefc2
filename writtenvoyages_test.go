package tracking_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/trackingtest"
)

// shuffledOrders is in how many orders a voyage is tried beside the written one.
const shuffledOrders = 4

// TestWrittenVoyages hands each voyage of testdata/voyages to a new tracker, as
// written and in other orders and batchings, and compares what is shown at the
// end with what its author, who had not seen the engine, wrote down.
//
// Seen to fail: 44 of the 52 files by the rules of version 1.
func TestWrittenVoyages(t *testing.T) {
	seed := drill.Random(t).Uint64()
	files, err := filepath.Glob("testdata/voyages/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	failed := map[int][]string{}
	for i, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		v, err := readVoyage(file)
		if err != nil {
			t.Error(err)
			continue
		}
		passed := t.Run(name, func(t *testing.T) { v.judge(t, rand.New(rand.NewPCG(seed, uint64(i)))) })
		if !passed {
			failed[v.class] = append(failed[v.class], name)
		}
	}
	for _, class := range slices.Sorted(maps.Keys(failed)) {
		t.Logf("class %d: %d fail: %s", class, len(failed[class]), strings.Join(failed[class], ", "))
	}
}

// judge runs the voyage in each order, and says of a failing one what it is about.
func (v *voyageFile) judge(t *testing.T, random *rand.Rand) {
	orders := []voyageOrder{{asWritten, v.written()}}
	if !v.asWritten && v.class != 11 {
		for i := range shuffledOrders {
			orders = append(orders, voyageOrder{fmt.Sprintf("shuffled, order %d", i+1), v.shuffled(random)})
		}
	}
	found := map[string][]string{} // the differences, and the orders that have them
	for _, o := range orders {
		text := strings.Join(v.run(t, o), "\n    ")
		found[text] = append(found[text], o.name)
	}
	delete(found, "")
	if len(found) == 0 {
		return
	}
	t.Errorf("class %d: %s\nBy the practice of the trade: %s", v.class, v.title, v.practice)
	for _, text := range slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Compare(found[a][0], found[b][0]) }) {
		t.Errorf("%s:\n    %s", strings.Join(found[text], "; "), text)
	}
}

const asWritten = "as written"

// voyageOrder is one order and batching of a voyage.
type voyageOrder struct {
	name    string
	batches []voyageBatch
}

// voyageBatch is what happens at one moment: the clock is set, a request is
// made, or facts of one source are reported.
type voyageBatch struct {
	now     time.Time
	request string
	source  string
	facts   []tracking.Fact
}

// written is the order of the file.
func (v *voyageFile) written() (batches []voyageBatch) {
	together := false // facts join the batch before them
	for _, s := range v.steps {
		if s.fact == nil {
			together = s.report
			if !s.report {
				batches = append(batches, voyageBatch{now: s.now, request: s.request})
			} else {
				batches = append(batches, voyageBatch{source: "line"})
			}
			continue
		}
		batches = s.fact.join(batches, together)
	}
	return batches
}

// join adds the fact to the last batch, or as a batch of its own.
func (f *writtenFact) join(batches []voyageBatch, together bool) []voyageBatch {
	if n := len(batches); together && n > 0 && batches[n-1].source == f.source {
		batches[n-1].facts = append(batches[n-1].facts, f.Fact)
		return batches
	}
	return append(batches, voyageBatch{source: f.source, facts: []tracking.Fact{f.Fact}})
}

// shuffled has the requests first, then the facts in random order and batches.
// Those recorded at one moment keep their order, which decides between them.
func (v *voyageFile) shuffled(random *rand.Rand) (batches []voyageBatch) {
	var facts []*writtenFact
	for _, s := range v.steps {
		switch {
		case s.request != "":
			batches = append(batches, voyageBatch{request: s.request})
		case s.fact != nil:
			facts = append(facts, s.fact)
		}
	}
	for i, f := range shuffle(random, facts, func(f *writtenFact) time.Time { return f.RecordedAt }) {
		batches = f.join(batches, i > 0 && random.IntN(3) > 0)
	}
	return batches
}

// shuffle returns the list in random order, except that those of one moment
// keep their order among each other.
func shuffle[T any](random *rand.Rand, list []T, moment func(T) time.Time) []T {
	places := map[int64][]int{} // of each moment, in order
	order := random.Perm(len(list))
	for place, i := range order {
		at := moment(list[i]).Unix()
		places[at] = append(places[at], place)
	}
	out := make([]T, len(list))
	for _, item := range list {
		at := moment(item).Unix()
		out[places[at][0]] = item
		places[at] = places[at][1:]
	}
	return out
}

// run hands the batches to a new tracker and returns the differences to what is
// expected.
func (v *voyageFile) run(t *testing.T, o voyageOrder) []string {
	t.Helper()
	b := trackingtest.New(t, followsAll)
	r := &voyageRun{voyageFile: v, Bench: b, written: o.name == asWritten, listener: b.Listen(), requests: map[string]tracking.ID{}, warnings: map[string]bool{}}
	b.Clock.Set(v.begins())
	for _, batch := range o.batches {
		if err := r.play(batch); err != nil {
			return []string{err.Error()}
		}
	}
	return r.differences(t)
}

// followsAll has the source answer for every line, and opens short flap windows.
func followsAll(c *tracking.Config) {
	source := c.Sources[trackingtest.SCAC]
	for _, line := range refdata.Lines() {
		c.Sources[line.SCAC] = source
	}
	c.FlapWindow = time.Second
}

// begins is the first moment of the file.
func (v *voyageFile) begins() (first time.Time) {
	for _, s := range v.steps {
		at := s.now
		if s.fact != nil {
			at = s.fact.RecordedAt
		}
		if !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first
}

// line is the SCAC of the first bill of lading whose prefix is that of a line.
func (v *voyageFile) line() string {
	for _, key := range slices.Sorted(maps.Keys(v.numbers)) {
		number := v.numbers[key]
		if line, ok := refdata.LineByPrefix(number.Number); ok && number.Type == tracking.BillOfLading {
			return line.SCAC
		}
	}
	return trackingtest.SCAC
}

// voyageRun is a voyage on its way.
type voyageRun struct {
	*voyageFile
	*trackingtest.Bench
	written  bool // in the order of the file
	listener *trackingtest.Listener
	requests map[string]tracking.ID
	warnings map[string]bool
}

func (r *voyageRun) play(batch voyageBatch) error {
	switch {
	case !batch.now.IsZero():
		r.advanceTo(batch.now)
		return nil
	case batch.request != "":
		return r.request(batch.request)
	}
	for _, f := range batch.facts {
		r.advanceTo(f.RecordedAt)
	}
	report := tracking.Report{Source: batch.source, SCAC: r.line(), Facts: batch.facts, DataSource: map[string]tracking.DataSource{
		"line": freight.FromShippingLine, "terminal": freight.FromTerminal, "person": freight.ByHand}[batch.source]}
	if batch.source == "person" {
		report.Source = "manual"
	}
	receipt, err := r.Ingest(ctx, report)
	for _, w := range receipt.Warnings {
		r.warnings[w.Code] = true
	}
	if err != nil {
		return fmt.Errorf("report of %d facts: %w", len(batch.facts), err)
	}
	return nil
}

// advanceTo sets the clock, which never goes back.
func (r *voyageRun) advanceTo(at time.Time) {
	if at.After(r.Clock.Now()) {
		r.Clock.Set(at)
	}
}

// request makes a tracking request for a number or a container.
func (r *voyageRun) request(key string) error {
	n := tracking.NewTrackingRequest{Number: r.boxes[key], Type: tracking.ContainerNumber, SCAC: r.line()}
	if number, ok := r.numbers[key]; ok {
		n.Number, n.Type = number.Number, number.Type
	}
	made, err := r.CreateTrackingRequest(ctx, n)
	if err != nil {
		return fmt.Errorf("request %s: %w", key, err)
	}
	r.requests[key] = made.ID
	return nil
}
