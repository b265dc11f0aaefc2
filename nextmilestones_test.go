package tracking_test

import (
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// nextOf is what is expected next of a container.
func nextOf(t *testing.T, b *trackingtest.Bench, id tracking.ID) tracking.NextMilestone {
	t.Helper()
	return must(b.Exceptions().NextMilestones(ctx, id))(t)[id]
}

// overdueContainers is how many containers a list has that are overdue, and that are not.
func overdueContainers(t *testing.T, b *trackingtest.Bench) (yes, no int) {
	t.Helper()
	for _, of := range []struct {
		is tracking.Tri
		n  *int
	}{{tracking.Yes, &yes}, {tracking.No, &no}} {
		_, n, err := b.Containers(ctx, tracking.ContainerQuery{Overdue: of.is}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		*of.n = n
	}
	return yes, no
}

// TestNextMilestone follows a container from a planned arrival to the return. The clock alone
// makes it overdue, and changes nothing of the container.
func TestNextMilestone(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
	id := ingest(t, b, api(voyage("B1")...)).ContainerIDs[0]
	ingest(t, b, api(voyage("B2")[0])) // of which nothing is expected
	at := func(day, hour int) time.Time { return time.Date(2026, 2, day, hour, 0, 0, 0, time.UTC) }
	want := tracking.NextMilestone{Event: freight.VesselArrived, LocationLOCODE: "USLAX", ExpectedAt: at(20, 4), DueAt: at(23, 4)}
	check := func(when string) {
		t.Helper()
		if got := nextOf(t, b, id); got != want {
			t.Errorf("%s: %+v, want %+v", when, got, want)
		}
		yes, no := overdueContainers(t, b)
		if (yes == 1) != want.Overdue || yes+no != 2 {
			t.Errorf("%s: %d are overdue and %d are not", when, yes, no)
		}
	}
	check("at first")
	before, announced := must(b.Container(ctx, id))(t), len(withoutExceptions(b.Announcements()))
	b.Pass(at(23, 4).Add(-time.Second).Sub(b.Clock.Now()))
	check("before its time")
	b.Pass(time.Second)
	want.Overdue = true
	check("at its time")
	if after := must(b.Container(ctx, id))(t); after.Version != before.Version || !after.UpdatedAt.Equal(before.UpdatedAt) || len(withoutExceptions(b.Announcements())) != announced {
		t.Errorf("the passing of time has made version %d, at %s, with %d announcements", after.Version, after.UpdatedAt, len(withoutExceptions(b.Announcements()))-announced)
	}
	report := func(id string, what freight.Activity, load freight.LoadStatus, when time.Time) {
		t.Helper()
		f := voyage("B1")[3]
		if what == freight.GateOut || what == freight.GateIn {
			f = voyage("B1")[0]
		}
		f.ID, f.Activity, f.LoadStatus, f.Classifier, f.Place = id, what, load, freight.Actual, tracking.Place{LOCODE: "USLAX"}
		f.At, f.RecordedAt = tracking.Moment{Time: when}, b.Clock.Now()
		ingest(t, b, api(f))
	}
	report("ata", freight.Arrival, freight.Laden, at(23, 2))
	want = tracking.NextMilestone{Event: freight.VesselDischarged, LocationLOCODE: "USLAX", DueAt: at(26, 2)}
	check("after the arrival")
	report("discharge", freight.Discharge, freight.Laden, at(23, 3))
	want = tracking.NextMilestone{Event: freight.FullOut, LocationLOCODE: "USLAX", DueAt: at(23, 3).AddDate(0, 0, 7)}
	check("after the discharge")
	b.Pass(8 * 24 * time.Hour)
	want.Overdue = true
	check("eight days later")
	report("gone", freight.GateOut, freight.Laden, at(31, 0))
	want = tracking.NextMilestone{Event: freight.EmptyIn, DueAt: at(31, 0).AddDate(0, 0, 10)}
	check("after the pick-up")
	report("back", freight.GateIn, freight.Empty, at(31, 1))
	want = tracking.NextMilestone{}
	check("after the return")
}

// TestStoppedShipmentHasNoNextMilestone: and it has one again when tracking is resumed.
func TestStoppedShipmentHasNoNextMilestone(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
	made := ingest(t, b, api(voyage("B1")...))
	ship, id := made.ShipmentIDs[0], made.ContainerIDs[0]
	b.Pass(10 * 24 * time.Hour)
	former := nextOf(t, b, id)
	if yes, _ := overdueContainers(t, b); yes != 1 || !former.Overdue {
		t.Fatalf("%d are overdue; of one is expected %+v", yes, former)
	}
	must(b.StopTracking(ctx, ship))(t)
	b.Pass(time.Minute)
	if yes, _ := overdueContainers(t, b); yes != 0 || nextOf(t, b, id) != (tracking.NextMilestone{}) {
		t.Errorf("after the stop %d are overdue; of one is expected %+v", yes, nextOf(t, b, id))
	}
	must(b.ResumeTracking(ctx, ship))(t)
	b.Pass(time.Minute)
	if yes, _ := overdueContainers(t, b); yes != 1 || nextOf(t, b, id) != former {
		t.Errorf("after tracking was resumed %d are overdue; of one is expected %+v", yes, nextOf(t, b, id))
	}
}
