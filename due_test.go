package tracking

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func days(n float64) time.Time { return noon.Add(time.Duration(n * 24 * float64(time.Hour))) }

// TestDue has beside each end of a window the nearest state that is still
// followed. Times are in days from now.
func TestDue(t *testing.T) {
	type container = Container
	inland := func(s *Shipment) { s.PortOfDischarge, s.Destination = ID{1}, ID{2} }
	heard := func(day float64) func(*Shipment) { return func(s *Shipment) { s.HeardAt = days(day) } }
	resumed := func(day float64) func(*Shipment) { return func(s *Shipment) { s.ResumedAt = days(day) } }
	all := func(changes ...func(*Shipment)) func(*Shipment) {
		return func(s *Shipment) {
			for _, c := range changes {
				c(s)
			}
		}
	}
	second := 1.0 / (24 * 3600)
	tests := []struct {
		name   string
		ship   func(*Shipment)
		boxes  []container
		reason StoppedReason
		next   float64 // when to look again; 0 for never, since the shipment is stopped
	}{
		{"new", heard(0), nil, "", 56},
		{"nothing heard for 56 days", heard(-56), nil, StoppedNoUpdates, 0},
		{"nothing heard for a second less", heard(-56 + second), nil, "", second},
		{"nothing heard, and resumed since", all(heard(-56), resumed(-1)), nil, "", 55},
		{"nothing was ever heard", nil, nil, StoppedNoUpdates, 0},

		{"arrived 56 days ago", heard(-1), []container{{PODArrivedAt: days(-56)}}, StoppedPastArrival, 0},
		{"arrived a second less", heard(-1), []container{{PODArrivedAt: days(-56 + second)}}, "", second},
		{"discharged later than it arrived", heard(-1), []container{{PODArrivedAt: days(-56), PODDischargedAt: days(-50)}}, "", 6},
		{"arrived, and resumed since", all(heard(-1), resumed(-3)), []container{{PODArrivedAt: days(-90)}}, "", 53},
		{"another box is on its way", heard(-1), []container{{PODArrivedAt: days(-56)}, {POLVesselDepartedAt: days(-60)}}, "", 55},
		{"another box has left the shipment", heard(-1), []container{{PODArrivedAt: days(-56)}, {RemovedAt: days(-9)}}, StoppedPastArrival, 0},
		{"another box came later", heard(-1), []container{{PODArrivedAt: days(-56)}, {PODArrivedAt: days(-40)}}, "", 16},
		{"at the POD, to go inland", all(heard(-1), inland), []container{{PODArrivedAt: days(-56)}}, "", 55},
		{"inland for 56 days", all(heard(-1), inland), []container{{PODArrivedAt: days(-70), INDATAAt: days(-56)}}, StoppedPastArrival, 0},
		{"the destination is the POD", all(heard(-1), func(s *Shipment) { s.PortOfDischarge, s.Destination = ID{1}, ID{1} }), []container{{PODArrivedAt: days(-56)}}, StoppedPastArrival, 0},
		{"no box is known", all(heard(-1), func(s *Shipment) { s.PODATAAt = days(-56) }), nil, StoppedPastArrival, 0},

		{"picked up 56 days ago", heard(-1), []container{{PODArrivedAt: days(-60), PODFullOutAt: days(-56)}}, StoppedPastFullOut, 0},
		{"picked up a second less", heard(-1), []container{{PODArrivedAt: days(-60), PODFullOutAt: days(-56 + second)}}, "", second},
		{"picked up at the POD, to go inland", all(heard(-1), inland), []container{{PODFullOutAt: days(-56)}}, "", 55},
		{"delivered 56 days ago", all(heard(-1), inland), []container{{PODFullOutAt: days(-59), DeliveredAt: days(-56)}}, StoppedPastFullOut, 0},
		{"another box still waits", heard(-1), []container{{PODFullOutAt: days(-56)}, {PODArrivedAt: days(-50)}}, "", 6},
		{"another box is returned", heard(-1), []container{{PODFullOutAt: days(-56)}, {EmptyTerminatedAt: days(-50)}}, StoppedPastFullOut, 0},

		{"all returned", heard(-1), []container{{EmptyTerminatedAt: days(-2)}, {EmptyTerminatedAt: days(-1)}}, StoppedAllContainersTerminated, 0},
		{"all returned, and resumed", all(heard(-1), resumed(-0.5)), []container{{EmptyTerminatedAt: days(-2)}}, "", 0.5},
		{"all returned, and resumed a day ago", all(heard(-1), resumed(-1)), []container{{EmptyTerminatedAt: days(-2)}}, StoppedAllContainersTerminated, 0},
		{"one is not returned", heard(-1), []container{{EmptyTerminatedAt: days(-2)}, {PODFullOutAt: days(-3)}}, "", 53},
	}
	for _, tt := range tests {
		s := &Shipment{CreatedAt: days(-100)}
		if tt.ship != nil {
			tt.ship(s)
		}
		reason, next := dueStop(s, pointers(tt.boxes), StopWindows{}.withDefaults(), noon)
		if reason != tt.reason {
			t.Errorf("%s: stopped for %q, want %q", tt.name, reason, tt.reason)
		}
		want := time.Time{}
		if tt.next != 0 {
			want = days(tt.next)
		}
		if d := next.Sub(want); d < -time.Millisecond || d > time.Millisecond {
			t.Errorf("%s: looked at again at %v, want %v", tt.name, next, want)
		}
	}
}

func pointers(containers []Container) (list []*Container) {
	for i := range containers {
		list = append(list, &containers[i])
	}
	return list
}

// A window that is switched off never ends, and one of another length ends then.
func TestDueWindows(t *testing.T) {
	s := &Shipment{CreatedAt: days(-100)}
	arrived := []*Container{{PODArrivedAt: days(-90)}}
	for _, tt := range []struct {
		w      StopWindows
		reason StoppedReason
	}{
		{StopWindows{Arrival: -1, NoUpdates: -1}, ""},
		{StopWindows{Arrival: -1}, StoppedNoUpdates},
		{StopWindows{Arrival: 90 * 24 * time.Hour, NoUpdates: -1}, StoppedPastArrival},
		{StopWindows{Arrival: 91 * 24 * time.Hour, NoUpdates: -1}, ""},
	} {
		if reason, _ := dueStop(s, arrived, tt.w.withDefaults(), noon); reason != tt.reason {
			t.Errorf("%+v: %q, want %q", tt.w, reason, tt.reason)
		}
	}
}

// Windows of parts of seconds end on a whole one, as the clock of an update
// tells no others.
func TestDueOnWholeSeconds(t *testing.T) {
	begun := noon.Add(300 * time.Millisecond)
	reason, next := dueStop(&Shipment{CreatedAt: begun}, nil, StopWindows{NoUpdates: 1500 * time.Millisecond}, noon)
	if want := noon.Add(2 * time.Second); reason != "" || !next.Equal(want) {
		t.Errorf("%q at %v, want an appointment at %v", reason, next, want)
	}
	if reason, _ := dueStop(&Shipment{CreatedAt: begun}, nil, StopWindows{NoUpdates: 1500 * time.Millisecond}, next); reason != StoppedNoUpdates {
		t.Errorf("at the appointment: %q", reason)
	}
}

// drawShipment draws what the schedule goes by.
func drawShipment(t *rapid.T) (*Shipment, []*Container) {
	at := func(name string) time.Time {
		if day := rapid.IntRange(-120, 60).Draw(t, name); day > -90 {
			return days(float64(day))
		}
		return time.Time{}
	}
	s := &Shipment{CreatedAt: days(-130), shipmentInternals: shipmentInternals{HeardAt: at("heard"), ResumedAt: at("resumed")}, POLETDAt: at("etd"), PODETAAt: at("eta"), PODATAAt: at("ata"), DestinationETAAt: at("inland eta")}
	if rapid.Bool().Draw(t, "inland") {
		s.Destination = ID{1}
	}
	var containers []*Container
	for range rapid.IntRange(0, 3).Draw(t, "boxes") {
		containers = append(containers, &Container{
			POLVesselDepartedAt: at("departed"), PODArrivedAt: at("arrived"), PODDischargedAt: at("discharged"), PODFullOutAt: at("out"),
			INDATAAt: at("inland"), DeliveredAt: at("delivered"), EmptyTerminatedAt: at("empty"), RemovedAt: at("removed"),
		})
	}
	return s, containers
}

// Who looks again when he was told to misses no end and comes to none too early:
// the state between is followed, and at that time it is stopped.
func TestDueNamesTheTimeOfTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, containers := drawShipment(t)
		w := StopWindows{}.withDefaults()
		reason, next := dueStop(s, containers, w, noon)
		if (reason == "") == next.IsZero() {
			t.Fatalf("reason %q and next %v", reason, next)
		}
		if reason != "" {
			if later, _ := dueStop(s, containers, w, noon.AddDate(0, 1, 0)); later == "" {
				t.Fatal("it is followed again by the time alone")
			}
			return
		}
		if early, again := dueStop(s, containers, w, next.Add(-time.Second)); early != "" || !again.Equal(next) {
			t.Fatalf("a second before: %q, %v", early, again)
		}
		if then, _ := dueStop(s, containers, w, next); then == "" {
			t.Fatal("at the time it said, nothing is due")
		}
	})
}

// At least one container has ended by its empty return, and each other one too, or
// it was returned unused: on the code of before, unused ones counted as on their way.
func TestTerminated(t *testing.T) {
	returned, unused, away, gone := &Container{EmptyTerminatedAt: noon}, &Container{containerInternals: containerInternals{ReturnedUnused: true}}, &Container{}, &Container{RemovedAt: noon}
	for _, tt := range []struct {
		name  string
		boxes []*Container
		want  bool
	}{
		{"none", nil, false},
		{"returned", []*Container{returned, returned}, true},
		{"returned, and one unused", []*Container{unused, returned}, true},
		{"unused alone", []*Container{unused, unused}, false},
		{"returned, and one on its way", []*Container{returned, away}, false},
		{"returned, and one that has left the shipment", []*Container{returned, gone}, true},
		{"left the shipment alone", []*Container{gone}, false},
	} {
		if got := progressOf(&Shipment{}, tt.boxes).Terminated(); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
	s := &Shipment{CreatedAt: days(-60), shipmentInternals: shipmentInternals{HeardAt: days(-1)}}
	containers := []*Container{{PODFullOutAt: days(-56)}, unused}
	if reason, _ := dueStop(s, containers, StopWindows{}.withDefaults(), noon); reason != StoppedPastFullOut {
		t.Errorf("picked up 56 days ago, and one unused: stopped for %q", reason)
	}
}
