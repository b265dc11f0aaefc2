package assignment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
)

var day = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)

// facts reads facts: bookings K, documents L, units U, containers in small letters.
// "L1-x" is a container that an earlier version named with the document, and "!" a
// retraction.
func facts(texts ...string) (list []Fact) {
	for _, text := range texts {
		var f Fact
		for _, w := range strings.Fields(text) {
			document, container, dropped := strings.Cut(w, "-")
			switch {
			case dropped:
				f.Dropped = append(f.Dropped, DocumentContainer{document, container})
			case w == "!":
				f.Retracted = true
			case w[0] == 'K':
				f.Bookings = append(f.Bookings, w)
			case w[0] == 'L':
				f.Documents = append(f.Documents, w)
			case w[0] == 'U':
				f.Units = append(f.Units, w)
			default:
				f.Containers = append(f.Containers, w)
			}
		}
		list = append(list, f)
	}
	return list
}

// shipmentsOf reads shipments: "K1?" was requested. Each is an hour younger than the one
// before.
func shipmentsOf(text string) (list []Shipment) {
	for i, w := range strings.Fields(text) {
		s := Shipment{CreatedAt: day.Add(time.Duration(i) * time.Hour)}
		number, requested := strings.CutSuffix(w, "?")
		if s.Number = number; requested {
			s.RequestedAt = s.CreatedAt
		}
		s.Type = map[byte]freight.RequestType{'K': freight.BookingNumber, 'L': freight.BillOfLading, 'U': freight.ContainerNumber}[w[0]]
		list = append(list, s)
	}
	return list
}

// describe writes the placements of each fact, and what becomes of the shipments.
func describe(r Result, shipments []Shipment) (list []string) {
	for _, placements := range r.Placements {
		var b []string
		for _, p := range placements {
			text := shipments[p.Shipment].Number
			if p.Containers != nil {
				text += "(" + strings.Join(p.Containers, "") + ")"
			}
			b = append(b, text)
		}
		list = append(list, strings.Join(b, " "))
	}
	for i, s := range shipments {
		for name, value := range map[string]string{"adopted by": r.Adopted[i], "is": r.FirstDocument[i]} {
			if value != "" {
				list = append(list, s.Number+" "+name+" "+value)
			}
		}
		if r.Removed[i] {
			list = append(list, s.Number+" removed")
		}
	}
	return list
}

func TestAssign(t *testing.T) {
	for _, tt := range []struct {
		name, shipments string
		facts, want     []string
	}{
		{"documents of one booking", "L1 L2", []string{"K1 L1 x", "K1 L2 y"}, []string{"L1", "L2"}},
		{"a fact of the booking follows its containers", "L1 L2", []string{"K1 L1 x", "K1 L2 y", "K1 y"}, []string{"L1", "L2", "L2(y)"}},
		{"without containers it belongs to all documents", "L1 L2", []string{"K1 L1 x", "K1 L2 y", "K1"}, []string{"L1", "L2", "L1 L2"}},
		{"a container of the booking alone is with the first document", "L1 L2", []string{"K1 L1 x", "K1 L2 y", "K1 z"}, []string{"L1", "L2", "L1(z)"}},
		{"a requested booking has the facts of its documents", "K1?", []string{"K1 x", "K1 L1 y", "L1 x"}, []string{"K1", "K1", "K1", "K1 is L1"}},
		{"a requested document has a shipment of its own", "K1? L1?", []string{"K1 L1 x", "K1 L2 y"}, []string{"K1 L1", "K1", "K1 is L2"}},
		{"the first document adopts a booking", "K1", []string{"K1 x", "K1 L1 x"}, []string{"K1(x)", "K1", "K1 adopted by L1"}},
		{"a booking whose document has a shipment is removed", "L1 K1", []string{"L1 x", "K1 x", "K1 L1"}, []string{"L1", "L1(x)", "L1", "K1 removed"}},
		{"a document after its requested booking is removed", "K1? L1", []string{"K1 L1 x"}, []string{"K1", "K1 is L1", "L1 removed"}},
		{"a document before its requested booking stays", "L1 K1?", []string{"K1 L1 x"}, []string{"L1 K1"}},
		{"a retracted fact connects nothing", "K1", []string{"K1 x", "! K1 L1 x"}, []string{"K1", "K1"}},
		{"a container that moved to another document", "L1 L2", []string{"K1 L1 x y", "L1 x L1-y", "K1 L2 y"}, []string{"L1(x) L2(y)", "L1", "L2"}},
		{"a container that only left a document", "L1 L2", []string{"K1 L1 x y", "L1 x L1-y", "K1 L2 z"}, []string{"L1", "L1", "L2"}},
		{"a container with the documents named beside it", "U1?", []string{"U1 L1 x", "L1", "K2"}, []string{"U1", "U1", ""}},
		{"a second journey of a container", "U1? U1?", []string{"U1 L1 x"}, []string{"U1"}},
		{"no shipment", "", []string{"K1 L1 x"}, []string{""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			shipments := shipmentsOf(tt.shipments)
			if diff := cmp.Diff(tt.want, describe(Assign(facts(tt.facts...), shipments), shipments)); diff != "" {
				t.Errorf("wanted (-) and seen (+):\n%s", diff)
			}
		})
	}
}

// A fact of a line belongs to no shipment of another.
func TestAssignByLine(t *testing.T) {
	list, shipments := facts("L1 x", "L1 y", "L1 z"), shipmentsOf("L1 L1")
	shipments[0].SCAC, shipments[1].SCAC = "MAEU", "MSCU"
	list[0].SCAC, list[1].SCAC = "MAEU", "MSCU"
	got := Assign(list, shipments).Placements
	if want := [][]Placement{{{Shipment: 0}}, {{Shipment: 1}}, {{Shipment: 0}, {Shipment: 1}}}; !cmp.Equal(got, want) {
		t.Errorf("placed %v, want %v", got, want)
	}
}

// Which containers a document has does not depend on the order of the shipments, while
// none is requested.
func TestAssignInAnyOrderOfShipments(t *testing.T) {
	words := []string{"K1", "K2", "K1 L1", "K1 L2", "K2 L3", "K2 L1", "L1", "L2", "L3"}
	rapid.Check(t, func(rt *rapid.T) {
		var list []string
		for range rapid.IntRange(1, 8).Draw(rt, "facts") {
			f := rapid.SampledFrom(words).Draw(rt, "numbers")
			for _, c := range []string{"x", "y", "z"} {
				if rapid.Bool().Draw(rt, c) {
					f += " " + c
				}
			}
			list = append(list, f)
		}
		run := func(numbers []string) []string {
			shipments := shipmentsOf(strings.Join(numbers, " "))
			r := Assign(facts(list...), shipments)
			var out []string
			for i, placements := range r.Placements {
				for _, p := range placements {
					containers := p.Containers
					if containers == nil {
						containers = []string{"all"}
					}
					out = append(out, fmt.Sprint(i, shipments[p.Shipment].Number, slices.Sorted(slices.Values(containers))))
				}
			}
			slices.Sort(out)
			return out
		}
		want := run([]string{"L1", "L2", "L3"})
		if diff := cmp.Diff(want, run(rapid.Permutation([]string{"L1", "L2", "L3"}).Draw(rt, "order"))); diff != "" {
			rt.Fatalf("%v: in order (-) and in another (+):\n%s", list, diff)
		}
	})
}

func TestNumbers(t *testing.T) {
	bill := func(n string) freight.ShipmentNumber {
		return freight.ShipmentNumber{Type: freight.BillOfLading, Number: n}
	}
	booking := func(n string) freight.ShipmentNumber {
		return freight.ShipmentNumber{Type: freight.BookingNumber, Number: n}
	}
	var n Numbers
	n.Reset()
	for _, number := range []freight.ShipmentNumber{bill("maeu 123"), bill("123"), booking("123"), booking("456")} {
		n.Join(number, "MAEU")
	}
	if a, b := n.Root(bill("MAEU123"), "MAEU"), n.Root(bill("123"), "MAEU"); a != b || a == "" {
		t.Errorf("a number with and without the SCAC has the roots %q and %q", a, b)
	}
	if a, b := n.Root(bill("123"), "MAEU"), n.Root(booking("123"), "MAEU"); a != b {
		t.Errorf("a number that no fact uses twofold has the roots %q and %q", a, b)
	}
	n.Observe(bill("MAEU123"), "MAEU")
	n.Observe(booking("123"), "MAEU")
	if a, b := n.Root(bill("123"), "MAEU"), n.Root(booking("123"), "MAEU"); a == b {
		t.Errorf("a number of a document and of a booking has one root, %q", a)
	}
	f := n.Fact([]freight.ShipmentNumber{booking("456"), bill("maeu 123"), {Type: freight.ContainerNumber, Number: "MRKU9465770"}, bill(" ")}, []string{"x"}, "MAEU")
	if len(f.Bookings) != 1 || len(f.Documents) != 1 || len(f.Units) != 1 || n.Written(f.Documents[0]) != "maeu 123" {
		t.Errorf("the fact %+v", f)
	}
	n.AddDropped(&f, []freight.ShipmentNumber{bill("123"), booking("456")}, []string{"x", "y"}, "MAEU")
	if want := []DocumentContainer{{f.Documents[0], "y"}}; !cmp.Equal(f.Dropped, want) {
		t.Errorf("dropped %v, want %v", f.Dropped, want)
	}
	n.Reset()
	if got := n.Written(f.Documents[0]); got != "" {
		t.Errorf("after a reset, %q", got)
	}
}
