package tracking

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/store"
)

// TestOldFactsAreRead: rows of before facts had a binary form hold them as JSON.
func TestOldFactsAreRead(t *testing.T) {
	want := &RawEvent{Number: 7, rawEventInternals: rawEventInternals{Fact: journey.LoggedFact{Source: "dcsa", DataSource: freight.FromTerminal, SCAC: "MAEU", Fact: freight.Fact{
		ID: "e1", Activity: freight.GateOut, RecordedAt: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Containers: []string{"APZU4812090"},
	}}}}
	doc, _ := rawEvents.Codec.Encode(want)
	fact, err := json.Marshal(want.Fact)
	if err != nil {
		t.Fatal(err)
	}
	old := append(append([]byte(`{"number":7,"fact":`), fact...), '}')
	got, err := rawEvents.Decode(store.Record{Doc: doc, Private: old})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want.Fact, got.Fact); diff != "" || got.Number != 7 {
		t.Errorf("%s", diff)
	}
	w, err := rawEvents.Kind.Render(store.Record{Doc: doc, Private: old})
	if binary := rawEvents.Write(want).Doc; err != nil || !bytes.Equal(w.Doc, binary) || len(w.Private) > 0 {
		t.Errorf("rewritten as %q and %s, want %q, %v", w.Doc, w.Private, binary, err)
	}
	if was := len(doc) + len(old); len(w.Doc) >= was/4 {
		t.Errorf("%d bytes instead of %d", len(w.Doc), was)
	}
}

func TestContainersKeepWhatTheirShipmentIsFoundBy(t *testing.T) {
	at := time.Date(2026, 3, 1, 2, 3, 4, 5, time.UTC)
	for _, want := range []trackedFacts{
		{},
		{SCAC: "MAEU", POL: "CNSHA", POD: "USLAX", VesselIMO: "9321483", PODTerminal: ID{1}, Customer: ID{2}, Created: at, Updated: at.Add(1), PODETA: at.Add(2), Tags: []string{"a", ""}, RefNumbers: []string{"PO-1", "PO-2"}},
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
		first := want
		first.RefNumbers = nil
		old, _ := first.AppendBinary(nil)
		old = slices.Clone(old[:len(old)-1]) // without the empty list of references
		old[0] = 1
		if err := got.UnmarshalBinary(old); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(first, got); diff != "" {
			t.Errorf("the first form: %s", diff)
		}
		// Rows of before hold it as JSON.
		old, err = json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		doc, _ := containers.Codec.Encode(&Container{})
		c, err := containers.Decode(store.Record{Doc: doc, Private: slices.Concat([]byte(`{"ship":`), old, []byte("}"))})
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, c.Ship); diff != "" {
			t.Error(diff)
		}
	}
}
