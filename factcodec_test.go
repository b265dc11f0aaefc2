package tracking

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
)

// readsBack checks that a fact is the same after it was stored: none and empty
// are one, and times are instants in UTC.
func readsBack(t failure, f LoggedFact) {
	t.Helper()
	data, err := f.AppendBinary([]byte("before"))
	if err != nil || string(data[:6]) != "before" {
		t.Fatalf("%v, %q", err, data)
	}
	got := LoggedFact{Source: "of another fact", Fact: Fact{Containers: []string{"X"}}}
	if err := got.UnmarshalBinary(data[6:]); err != nil {
		t.Fatalf("%+v: %v", f, err)
	}
	if diff := gocmp.Diff(f, got, cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); diff != "" {
		t.Fatalf("read back:\n%s", diff)
	}
	var d Digester
	if d.Fact(&f) != d.Fact(&got) {
		t.Fatalf("the digest of %+v has changed", f)
	}
	if got.UnmarshalBinary(append(data[6:], 0)) == nil {
		t.Fatalf("bytes behind the fact")
	}
}

func TestFactsReadBack(t *testing.T) {
	description, yes := "until paid", true
	for _, f := range []LoggedFact{
		{},
		{Fact: Fact{RecordedAt: time.Date(2026, 3, 1, 2, 3, 4, 5, time.UTC), At: Moment{Time: time.Unix(0, 0).UTC(), Zone: "Asia/Shanghai", Day: true}}},
		{Fact: Fact{RecordedAt: time.Date(-5, 3, 1, 2, 3, 4, 5, time.UTC), At: Moment{Floating: true}}},
		{Fact: Fact{Equipment: freight.Equipment{WeightKg: math.MaxFloat64, Seals: []string{"", "\xff"}}, Payload: []byte(`{"a": 1}`)}},
		{Fact: Fact{Equipment: freight.Equipment{WeightKg: math.NaN()}, SCAC: "MAEU", DataSource: freight.ByHand, Original: "x"}},
		{Fact: Fact{Terminal: &freight.TerminalFacts{}}},
		{Fact: Fact{Terminal: &freight.TerminalFacts{
			Available: &yes, Holds: []Hold{{Name: "customs", Status: "hold", Description: &description}, {Name: "freight", Status: "pending", Description: nil}},
			Fees: []Fee{{Type: "demurrage", Amount: 1.5, CurrencyCode: "USD"}, {Type: "total", Amount: 0, CurrencyCode: "EUR"}}, Appointment: Moment{Time: time.Unix(1, 0).UTC()}, Yard: "A", Chassis: "B",
		}}},
	} {
		readsBack(t, f)
		data, _ := f.AppendBinary(nil)
		for n := range data {
			// Cut anywhere: an error, never a panic.
			if got := new(LoggedFact); got.UnmarshalBinary(data[:n]) == nil {
				t.Fatalf("%d of %d bytes are a fact", n, len(data))
			}
		}
	}
	for seed := range 100 {
		for _, f := range history(seededDice{rand.New(rand.NewPCG(uint64(seed), 3))}) {
			readsBack(seeded{t, seed}, f)
		}
	}
}

func TestFactsReadBackShrunk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, f := range history(rapidDice{t}) {
			readsBack(t, f)
		}
	})
}

// TestOldFactsAreRead: rows of before facts had a binary form hold them as JSON.
func TestOldFactsAreRead(t *testing.T) {
	want := &RawEvent{Number: 7, Fact: LoggedFact{Source: "dcsa", DataSource: freight.FromTerminal, SCAC: "MAEU", Fact: Fact{
		ID: "e1", Activity: freight.GateOut, RecordedAt: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Containers: []string{"APZU4812090"},
	}}}
	doc, private := rawEvents.codec.Encode(want)
	fact, err := json.Marshal(want.Fact)
	if err != nil {
		t.Fatal(err)
	}
	old := append(append([]byte(`{"number":7,"fact":`), fact...), '}')
	got, err := rawEvents.decode(store.Record{Doc: doc, Private: old})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want.Fact, got.Fact); diff != "" || got.Number != 7 {
		t.Errorf("%s", diff)
	}
	w, err := rawEvents.kind.Render(store.Record{Doc: doc, Private: old})
	if err != nil || !bytes.Equal(w.Private, private) {
		t.Errorf("rewritten as %s, want %s, %v", w.Private, private, err)
	}
	if len(private) >= len(old)*4/5 {
		t.Errorf("%d bytes instead of %d", len(private), len(old))
	}
}

func TestContainersKeepWhatTheirShipmentIsFoundBy(t *testing.T) {
	at := time.Date(2026, 3, 1, 2, 3, 4, 5, time.UTC)
	for _, want := range []trackedFacts{
		{},
		{SCAC: "MAEU", POL: "CNSHA", POD: "USLAX", VesselIMO: "9321483", PODTerminal: ID{1}, Customer: ID{2}, Created: at, Updated: at.Add(1), PODETA: at.Add(2), Tags: []string{"a", ""}},
	} {
		data, err := want.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got trackedFacts
		if err := got.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		for n := range data {
			if got.UnmarshalBinary(data[:n]) == nil {
				t.Errorf("%d of %d bytes are read", n, len(data))
			}
		}
		// Rows of before hold it as JSON.
		old, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		doc, _ := containers.codec.Encode(&Container{})
		c, err := containers.decode(store.Record{Doc: doc, Private: slices.Concat([]byte(`{"ship":`), old, []byte("}"))})
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, c.Ship); diff != "" {
			t.Error(diff)
		}
	}
}
