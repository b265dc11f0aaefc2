package simulation

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestOneSeedIsOneWorld(t *testing.T) {
	for seed := range uint64(100) {
		first, second := New(seed), New(seed)
		if first.Story() != second.Story() {
			t.Fatalf("seed %d gives two worlds", seed)
		}
		if fmt.Sprint(tellOrders(first)) != fmt.Sprint(tellOrders(second)) {
			t.Fatalf("seed %d gives two orders", seed)
		}
	}
}

func TestMovesAreInOrderOfTime(t *testing.T) {
	for seed := range uint64(3_000) {
		w := New(seed)
		for _, box := range w.Boxes {
			for _, journey := range box.Journeys {
				for i := 1; i < len(journey.Moves); i++ {
					if !journey.Moves[i].At.After(journey.Moves[i-1].At) {
						t.Fatalf("seed %d: %s %s at %s is not after %s at %s", seed, box.Number, journey.Moves[i].What, journey.Moves[i].At, journey.Moves[i-1].What, journey.Moves[i-1].At)
					}
				}
			}
		}
	}
}

// A container is at one place at a time: it leaves from where it stands.
func TestContainerIsAtOnePlace(t *testing.T) {
	for seed := range uint64(3_000) {
		w := New(seed)
		for _, box := range w.Boxes {
			for _, journey := range box.Journeys {
				checkPlaces(t, seed, journey)
			}
		}
	}
}

func checkPlaces(t *testing.T, seed uint64, journey *Journey) {
	var aboard *Voyage
	var stands *Town
	for _, move := range journey.Moves {
		switch move.Reason {
		case SeaLoad, UndoneLoad:
			if aboard != nil || stands != nil && stands != move.Place.Town {
				t.Fatalf("seed %d: loaded at %s while at %v, aboard %v", seed, move.Place.Town.LOCODE, stands, aboard)
			}
			aboard = move.Call.voyage
		case SeaDischarge, UndoneDischarge:
			if aboard != move.Call.voyage {
				t.Fatalf("seed %d: discharged from another ship", seed)
			}
			aboard, stands = nil, move.Place.Town
		case ShipDeparts, ShipArrives, ShipBerths:
			if aboard != move.Call.voyage {
				t.Fatalf("seed %d: a ship's move without the container aboard", seed)
			}
		case RailLoad, BargeLoad, PickUp, TowardsInland, TransferOut:
			if stands != move.Place.Town || aboard != nil {
				t.Fatalf("seed %d: %s at %s while at %v", seed, move.What, move.Place.Town.LOCODE, stands)
			}
		case RailUnload, BargeDischarge, InlandGateIn, TransferIn, BackIn, OriginGateIn:
			stands = move.Place.Town
		}
	}
}

// Two plans of a container share everything until the later one is made.
func TestPlansShareTheirPast(t *testing.T) {
	for seed := range uint64(3_000) {
		for _, box := range New(seed).Boxes {
			for i := 1; i < len(box.Journeys); i++ {
				since := box.Journeys[i].Since
				before, after := past(box, box.Journeys[i-1], since), past(box, box.Journeys[i], since)
				if !reflect.DeepEqual(before, after) {
					t.Fatalf("seed %d: the past of %s changes at %s:\n%v\n%v", seed, box.Number, since, before, after)
				}
			}
		}
	}
}

func past(box *Box, journey *Journey, until time.Time) []string {
	var all []string
	for _, move := range journey.Moves {
		if move.At.Before(until) {
			all = append(all, fmt.Sprint(move.What, move.Place.Name, move.At.Unix()))
		}
	}
	return all
}

func TestShipsAreAtOnePlace(t *testing.T) {
	for seed := range uint64(5_000) {
		for _, box := range New(seed).Boxes {
			for _, journey := range box.Journeys {
				for _, leg := range journey.Legs {
					checkCalls(t, seed, leg.Voyage)
				}
			}
		}
	}
}

func checkCalls(t *testing.T, seed uint64, voyage *Voyage) {
	var last time.Time
	for _, call := range voyage.Calls {
		if !call.Arrive.After(last) || !call.Berth.After(call.Arrive) || !call.Depart.After(call.Berth) {
			t.Fatalf("seed %d: %s calls out of order", seed, voyage.Ship.Name)
		}
		last = call.Depart
	}
}

func TestStatementsAreRecordedAfterTheFact(t *testing.T) {
	for seed := range uint64(3_000) {
		w := New(seed)
		for _, s := range w.Statements() {
			early := s.void && s.Class == "actual"
			if s.RecordedAt.IsZero() || s.Class != "actual" || s.Retracted || early || s.At.Floating {
				continue
			}
			if s.At.Time.After(s.RecordedAt) || s.RecordedAt.After(w.Now) {
				t.Fatalf("seed %d: %s", seed, tellStatement(s))
			}
		}
	}
}

// A retraction comes after what it takes back, and a correction after what it
// corrects, so that the last word on every fact is the true one.
func TestLastWordIsTrue(t *testing.T) {
	type key struct{ source, id string }
	for seed := range uint64(3_000) {
		last, lastAt := map[key]*Statement{}, map[key]time.Time{}
		w := New(seed)
		for i := range w.Statements() {
			s := &w.statements[i]
			k := key{s.Source, s.ID}
			if s.ID == "" || s.RecordedAt.Before(lastAt[k]) {
				continue
			}
			if old := last[k]; old != nil && old.Class == "actual" && s.Class == "estimated" && !old.void {
				continue
			}
			last[k], lastAt[k] = s, s.RecordedAt
		}
		for _, s := range last {
			if s.void && !s.Retracted && !s.truth.foreseen {
				t.Fatalf("seed %d: the last word is false: %s", seed, tellStatement(*s))
			}
		}
	}
}

func TestOrdersKeepTies(t *testing.T) {
	for seed := range uint64(100) {
		w := New(seed)
		for _, order := range w.Orders(3, 1) {
			seen := map[int64]int{}
			total := 0
			for _, batch := range order {
				for _, s := range batch {
					total++
					at := arrival(w, s, seen[recordingKey(s)])
					if at < 0 {
						t.Fatalf("seed %d: %s out of order", seed, tellStatement(s))
					}
					seen[recordingKey(s)] = at + 1
				}
			}
			if total != len(w.Statements()) {
				t.Fatalf("seed %d: %d of %d statements", seed, total, len(w.Statements()))
			}
		}
	}
}

func arrival(w *World, s Statement, from int) int {
	for i := from; i < len(w.statements); i++ {
		if tellStatement(w.statements[i]) == tellStatement(s) {
			return i
		}
	}
	return -1
}

func TestNumbersAreValid(t *testing.T) {
	if got := containerCheckDigit("CSQU305438"); got != 3 {
		t.Errorf("CSQU305438: check digit %d", got)
	}
	if got := shipCheckDigit("907472"); got != 9 {
		t.Errorf("IMO 907472: check digit %d", got)
	}
}

func TestEveryFeatureOccurs(t *testing.T) {
	const worlds = 10_000
	counts := map[string]int{}
	for seed := range uint64(worlds) {
		for _, feature := range New(seed).Features() {
			counts[feature]++
		}
	}
	for _, feature := range allFeatures {
		if counts[feature] < worlds/200 {
			t.Errorf("%s occurs in %d of %d worlds", feature, counts[feature], worlds)
		}
		t.Logf("%-24s %5d", feature, counts[feature])
		delete(counts, feature)
	}
	for feature := range counts {
		t.Errorf("feature %s is not listed", feature)
	}
}

var allFeatures = append([]string{
	"two_bills", "several_containers", "cut_midway", "repositioned_empty", "feeder", "transshipment", "hub_discharge",
	"interchange", "delivered", "back_at_another_place", "empty_return", "same_port_twice", "same_port_twice_aboard", "corrected", "future_actual", "estimate_after_actual", "standing_future_actual",
	"false_gate_in", "false_discharge", "false_load", "terminal_availability", "by_hand", "second_source",
}, append(mishapNames[1:], inlandNames...)...)

func TestOnlyTheStandardLibrary(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(source)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, `"`) && strings.HasSuffix(line, `"`) && strings.Contains(line, ".") && strings.Contains(line, "/") && !strings.Contains(line, " ") {
				t.Errorf("%s imports %s", file.Name(), line)
			}
		}
	}
}

func BenchmarkWorld(b *testing.B) {
	for i := range b.N {
		New(uint64(i)).Expect()
	}
}

func tellOrders(w *World) []string {
	var all []string
	for _, order := range w.Orders(2, 7) {
		for _, batch := range order {
			for _, s := range batch {
				all = append(all, tellStatement(s))
			}
		}
	}
	return all
}

// Where a line says everything at once and exactly, a clerk knows everything.
func TestPerfectLineDeterminesEverything(t *testing.T) {
	for seed := range uint64(3_000) {
		w := New(seed)
		w.line = lineStyle{complete: 1, plans: plansBoth, roles: true, tidy: true, restated: true, batch: time.Second}
		if w.mishap != noMishap || slices.Contains(w.features, "cut_midway") {
			continue
		}
		expected := w.Expect()
		for i, container := range expected.Containers {
			checkKnown(t, w, w.Boxes[i], container)
		}
		for _, shipment := range expected.Shipments {
			if shipment.POL.Grade != Determined || shipment.POD.Grade != Determined || len(shipment.POD.OneOf) != 1 {
				t.Fatalf("seed %d: %+v", seed, shipment)
			}
		}
	}
}

func checkKnown(t *testing.T, w *World, box *Box, container ContainerExpectation) {
	c := w.newClerk(box)
	for _, f := range c.facts {
		if len(f.said) > 0 && !f.proved {
			t.Fatalf("seed %d: %s at %s was said and is not proved", w.Seed, f.What, f.At)
		}
	}
	barge := w.inForce(box).Inland == BargeStated
	if len(container.Status.OneOf) > 1 && !barge && w.inForce(box).Inland != RailUnstated && len(w.inForce(box).Ramps) < 2 {
		t.Fatalf("seed %d: status %v", w.Seed, container.Status)
	}
}

// The times and the milestones of one expectation say the same.
func TestTimesAgreeWithMilestones(t *testing.T) {
	for seed := range uint64(3_000) {
		for _, container := range New(seed).Expect().Containers {
			checkAgrees(t, seed, container, container.POLVesselDepartedAt, "vessel_departed", "feeder_departed")
			checkAgrees(t, seed, container, container.PODDischargedAt, "vessel_discharged", "feeder_discharged")
			checkAgrees(t, seed, container, container.DeliveredAt, "delivered")
			checkAgrees(t, seed, container, container.EmptyTerminatedAt, "empty_in")
		}
	}
}

func checkAgrees(t *testing.T, seed uint64, container ContainerExpectation, value Time, names ...string) {
	if value.Grade != Determined || value.Null || len(value.OneOf) == 0 {
		return
	}
	for _, milestone := range container.Milestones {
		if milestone.Required && slices.Contains(names, milestone.Names[0]) && value.Accepts(milestone.At.At) {
			return
		}
	}
	t.Fatalf("seed %d: %s has %v and no milestone %v", seed, container.Number, value, names)
}

// TestShipNumbersDiffer: no two ships of a world have one IMO number. This world had two.
func TestShipNumbersDiffer(t *testing.T) {
	names := map[string]string{}
	for _, box := range New(17812689490).Boxes {
		for _, journey := range box.Journeys {
			for _, leg := range journey.Legs {
				ship := leg.Voyage.Ship
				if name, taken := names[ship.IMO]; taken && name != ship.Name {
					t.Errorf("%s and %s have the number %s", name, ship.Name, ship.IMO)
				}
				names[ship.IMO] = ship.Name
			}
		}
	}
}
