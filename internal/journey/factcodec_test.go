package journey

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
)

// readsBack checks that a fact is equal after storing it. Nil and empty are equal, and
// times are instants in UTC.
func readsBack(t failure, f LoggedFact) {
	t.Helper()
	data, err := f.AppendBinary([]byte("before"))
	if err != nil || string(data[:6]) != "before" {
		t.Fatalf("%v, %q", err, data)
	}
	got := LoggedFact{Source: "of another fact", Fact: freight.Fact{Containers: []string{"X"}}}
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
		{Fact: freight.Fact{RecordedAt: time.Date(2026, 3, 1, 2, 3, 4, 5, time.UTC), At: freight.Moment{Time: time.Unix(0, 0).UTC(), Zone: "Asia/Shanghai", Day: true}}},
		{Fact: freight.Fact{RecordedAt: time.Date(-5, 3, 1, 2, 3, 4, 5, time.UTC), At: freight.Moment{Floating: true}}},
		{Fact: freight.Fact{Equipment: freight.Equipment{WeightKg: math.MaxFloat64, Seals: []string{"", "\xff"}}, Payload: []byte(`{"a": 1}`)}},
		{Fact: freight.Fact{Equipment: freight.Equipment{WeightKg: math.NaN()}, SCAC: "MAEU", DataSource: freight.ByHand, Original: "x"}},
		{Fact: freight.Fact{Terminal: &freight.TerminalFacts{}}},
		{Fact: freight.Fact{Terminal: &freight.TerminalFacts{
			Available: &yes, Holds: []freight.Hold{{Name: "customs", Status: "hold", Description: &description}, {Name: "freight", Status: "pending", Description: nil}},
			Fees: []freight.Fee{{Type: "demurrage", Amount: 1.5, CurrencyCode: "USD"}, {Type: "total", Amount: 0, CurrencyCode: "EUR"}}, Appointment: freight.Moment{Time: time.Unix(1, 0).UTC()}, Yard: "A", Chassis: "B",
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
