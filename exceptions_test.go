package tracking_test

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/exceptions"
	"github.com/landfallhq/tracking/trackingtest"
)

func exceptionsOf(t *testing.T, b *trackingtest.Bench, kind string) []*tracking.Exception {
	t.Helper()
	list, total, err := b.Exceptions().List(ctx, tracking.ExceptionQuery{Kinds: []string{kind}}, tracking.Page{Number: 1, Size: 50})
	if err != nil || total != len(list) {
		t.Fatal(total, err)
	}
	return list
}

func oneException(t *testing.T, b *trackingtest.Bench, kind string) *tracking.Exception {
	t.Helper()
	list := exceptionsOf(t, b, kind)
	if len(list) != 1 {
		t.Fatalf("%d exceptions of kind %s", len(list), kind)
	}
	return list[0]
}

// TestOverdueMilestone: the clock opens an exception at its time, without a report, and a fact
// that comes late closes it and says by how much.
func TestOverdueMilestone(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	due := time.Date(2026, 2, 23, 4, 0, 0, 0, time.UTC) // three days after the estimate
	b.Pass(due.Add(-time.Second).Sub(b.Clock.Now()))
	if list := exceptionsOf(t, b, "milestone_overdue"); len(list) != 0 {
		t.Fatalf("before its time: %+v", list[0])
	}
	unchanged := must(b.Shipment(ctx, id))(t)
	if unchanged.Version != 1 {
		t.Errorf("the passing of time has made version %d", unchanged.Version)
	}
	b.Pass(time.Second)
	e := oneException(t, b, "milestone_overdue")
	if !e.OpenedAt.Equal(due) || !e.ClosedAt.IsZero() || e.Shipment != id || e.Milestone != freight.VesselArrived || !e.DueAt.Equal(due) || e.LocationLOCODE != "USLAX" {
		t.Errorf("opened as %+v", e)
	}
	if _, err := b.Exceptions().Update(ctx, e.ID, tracking.ExceptionUpdate{Acknowledged: tracking.Set(true), Assignee: tracking.Set("Kim"), Note: tracking.Set("asked the line")}); err != nil {
		t.Fatal(err)
	}
	b.Pass(24 * time.Hour)
	late := arrives("2026-02-22T10:00:00Z")
	late.ID, late.Classifier, late.RecordedAt, late.Numbers = "ata", freight.Actual, b.Clock.Now(), voyage("B1")[0].Numbers
	ingest(t, b, api(late))
	e = oneException(t, b, "milestone_overdue")
	if !e.ClosedAt.Equal(b.Clock.Now()) || e.LateInHours != 54 || e.Withdrawn || !strings.Contains(e.Detail, "2.2 days late") {
		t.Errorf("closed as %+v", e)
	}
	if e.Assignee != "Kim" || e.Note != "asked the line" || e.AcknowledgedAt.IsZero() || len(e.SourceEvents) != 2 {
		t.Errorf("of what users wrote there is %+v", e)
	}
	facts := must(b.Exceptions().Facts(ctx, e.ID))(t)
	if len(facts) != 2 || facts[0].ID != e.SourceEvents[0] || facts[1].Estimated {
		t.Errorf("its facts are %+v", facts)
	}
	if _, err := b.Exceptions().Facts(ctx, id); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("facts of no exception: %v", err)
	}
	for _, q := range []tracking.ExceptionQuery{{}, {Open: tracking.No}, {Open: tracking.No, Assignees: []string{"Kim"}}, {Assignees: []string{"Kim"}}, {Severities: []string{e.Severity}}, {Kinds: []string{e.Kind}}} {
		if counts := must(b.Exceptions().Counts(ctx, q))(t); len(counts) != 1 || counts["milestone_overdue"] != 1 {
			t.Errorf("counts of %+v are %v", q, counts)
		}
	}
	for _, q := range []tracking.ExceptionQuery{{Open: tracking.Yes}, {Assignees: []string{"Ann"}}, {Kinds: []string{"hold"}}} {
		if counts := must(b.Exceptions().Counts(ctx, q))(t); len(counts) != 0 {
			t.Errorf("counts of %+v are %v", q, counts)
		}
	}
}

func must[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// TestHoldThatFlaps: a hold that comes and goes is one record.
func TestHoldThatFlaps(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
	ingest(t, b, api(voyage("B1")...))
	hold := freight.TerminalFacts{Holds: []freight.Hold{{Name: "customs", Status: "hold"}}}
	for n := range 6 {
		b.Clock.Advance(time.Hour)
		said := hold
		if n%2 == 1 {
			said = freight.TerminalFacts{Holds: []freight.Hold{}}
		}
		f := seen(said)
		f.RecordedAt, f.Containers, f.Numbers = b.Clock.Now(), []string{"APZU4812090"}, voyage("B1")[0].Numbers
		ingest(t, b, api(f))
		e := oneException(t, b, "hold")
		if e.ClosedAt.IsZero() != (n%2 == 0) || e.Withdrawn {
			t.Errorf("report %d: %+v", n, e)
		}
	}
}

// TestCorrectedException: of facts that were taken back nothing remains but the record, which
// says so.
func TestCorrectedException(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 22, 0, 0, 0, 0, time.UTC))
	facts := voyage("B1")
	out := facts[0]
	out.ID, out.Activity, out.LoadStatus, out.Place = "pick-up", freight.GateOut, freight.Laden, tracking.Place{LOCODE: "USLAX"}
	discharge := facts[1]
	discharge.ID, discharge.Activity, discharge.Place, discharge.At = "discharge", freight.Discharge, out.Place, tracking.Moment{Time: time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)}
	out.At, out.RecordedAt = tracking.Moment{Time: time.Date(2026, 2, 21, 0, 0, 0, 0, time.UTC)}, time.Date(2026, 2, 21, 0, 0, 0, 0, time.UTC)
	discharge.RecordedAt = discharge.At.Time
	ingest(t, b, api(append(facts, discharge, out)...))
	b.Pass(12 * 24 * time.Hour)
	if e := oneException(t, b, "not_returned"); !e.ClosedAt.IsZero() || !e.OpenedAt.Equal(out.At.Time.Add(10*24*time.Hour)) {
		t.Errorf("opened as %+v", e)
	}
	out.RecordedAt = b.Clock.Now()
	out.Retracted = true
	ingest(t, b, api(out))
	if e := oneException(t, b, "not_returned"); !e.Withdrawn || !e.ClosedAt.Equal(b.Clock.Now()) {
		t.Errorf("after the pick-up was taken back: %+v", e)
	}
}

// TestStoppedShipmentExpectsNothing: of a shipment that a user has stopped no source is asked, so
// nothing is overdue.
func TestStoppedShipmentExpectsNothing(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	b.Pass(10 * 24 * time.Hour)
	if e := oneException(t, b, "milestone_overdue"); !e.ClosedAt.IsZero() {
		t.Errorf("it is %+v", e)
	}
	if _, err := b.StopTracking(ctx, id); err != nil {
		t.Fatal(err)
	}
	b.Pass(time.Minute)
	if e := oneException(t, b, "milestone_overdue"); e.ClosedAt.IsZero() {
		t.Errorf("after the stop it is %+v", e)
	}
	if _, err := b.ResumeTracking(ctx, id); err != nil {
		t.Fatal(err)
	}
	b.Pass(time.Minute)
	if e := oneException(t, b, "milestone_overdue"); !e.ClosedAt.IsZero() {
		t.Errorf("after tracking was resumed it is %+v", e)
	}
}

// TestThresholdsOfAccount: changed thresholds give, in the background, the exceptions that a
// new shipment gets by them; another account keeps its own.
func TestThresholdsOfAccount(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
	x := b.Exceptions()
	ingest(t, b, api(voyage("B1")...))
	b.Pass(7 * 24 * time.Hour) // the arrival is two days late
	overdue := func(want string) {
		t.Helper()
		b.Settle()
		got := ""
		for _, e := range exceptionsOf(t, b, "milestone_overdue") {
			got += map[bool]string{true: "open ", false: "closed "}[e.ClosedAt.IsZero()] + e.DueAt.Format("02 ")
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("exceptions are %q, want %q", got, want)
		}
	}
	set := func(n *int) *tracking.ExceptionSettings {
		t.Helper()
		return must(x.UpdateSettings(ctx, map[string]*int{"sea_tolerance_in_days": n}))(t)
	}
	overdue("open 23")
	if s := must(x.Settings(ctx))(t); s.Version != 0 || s.ID != x.SettingsID() || !s.UpdatedAt.IsZero() {
		t.Errorf("never changed, they are %+v", s)
	}
	changed := set(days(9))
	if changed.SeaTolerance != 9 || changed.Version != 1 || !changed.UpdatedAt.Equal(b.Clock.Now()) {
		t.Errorf("changed, they are %+v", changed)
	}
	overdue("closed 23")
	if e := oneException(t, b, "milestone_overdue"); !e.Withdrawn {
		t.Errorf("it is %+v", e)
	}
	later := voyage("B2")
	for i := range later {
		later[i].ID, later[i].Containers = later[i].ID+"2", []string{"APZU4812105"}
	}
	ingest(t, b, api(later...))
	overdue("closed 23")
	set(days(1))
	overdue("open 21 open 21")
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	if s := must(b.Operator.For(tracking.Actor{Account: other.Scope()}).Exceptions().Settings(ctx))(t); s.SeaTolerance != 0 {
		t.Errorf("another account has %+v", s)
	}
	if again := set(days(1)); again.Version != 2 {
		t.Errorf("the same again makes version %d", again.Version)
	}
	set(nil)
	overdue("open 23 open 23")
	if yes, _ := overdueContainers(t, b); yes != 2 {
		t.Errorf("%d containers are overdue", yes)
	}
}

func days(n int) *int { return &n }

// TestThresholds: each threshold of the interface is one of its own, with the default in days
// or hours, and refuses what is out of range.
func TestThresholds(t *testing.T) {
	b := trackingtest.New(t)
	x := b.Exceptions()
	all := map[string]*int{}
	for i, h := range x.Thresholds() {
		all[h.Name] = days(i + 1)
		if h.Default < 1 || h.Default > h.Max {
			t.Errorf("%+v", h)
		}
		for _, wrong := range []int{-1, 0, h.Max + 1} {
			_, err := x.UpdateSettings(ctx, map[string]*int{h.Name: &wrong})
			if e := (*tracking.Error)(nil); !errors.As(err, &e) || e.Field != h.Name || e.Code != "out_of_range" || !strings.Contains(e.Detail, strconv.Itoa(h.Max)) {
				t.Errorf("%s of %d: %v", h.Name, wrong, err)
			}
		}
	}
	s := must(x.UpdateSettings(ctx, all))(t)
	for name, want := range all {
		if got := s.Threshold(name); got != *want {
			t.Errorf("%s is %d, want %d", name, got, *want)
		}
	}
	fields := reflect.TypeFor[exceptions.Settings]().NumField()
	if len(all) != fields {
		t.Errorf("%d thresholds of %d", len(all), fields)
	}
	_, err := x.UpdateSettings(ctx, map[string]*int{"patience_in_days": days(1)})
	if e := (*tracking.Error)(nil); !errors.As(err, &e) || e.Field != "patience_in_days" {
		t.Errorf("another name: %v", err)
	}
}

// TestPromisedArrival: a promise that the estimate does not keep is an exception, at once; a
// later promise ends it, and the same promise again changes nothing.
func TestPromisedArrival(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 8, 0, 0, 0, 0, time.UTC))
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0] // it arrives on the 20th
	b.Pass(time.Hour)
	promise := func(at time.Time) *tracking.Shipment {
		t.Helper()
		s := must(b.UpdateShipment(ctx, id, tracking.ShipmentUpdate{PromisedArrivalAt: tracking.Set(at)}))(t)
		b.Settle()
		if !s.PromisedArrivalAt.Equal(at) {
			t.Errorf("promised for %s, it shows %s", at, s.PromisedArrivalAt)
		}
		return s
	}
	before := must(b.Shipment(ctx, id))(t)
	day := time.Date(2026, 2, 18, 8, 0, 0, 0, time.UTC) // midnight in Los Angeles
	promised := promise(day)
	if promised.Version <= before.Version || !promised.UpdatedAt.Equal(b.Clock.Now()) {
		t.Errorf("version %d is from %s", promised.Version, promised.UpdatedAt)
	}
	e := oneException(t, b, "eta_slipped")
	if !e.OpenedAt.Equal(b.Clock.Now()) || !e.ClosedAt.IsZero() || !strings.Contains(e.Detail, "44 hours after the promised arrival, 18 February 2026") {
		t.Errorf("of a broken promise there is %+v", e)
	}
	stored := must(b.Shipment(ctx, id))(t)
	b.Pass(time.Hour)
	if again := promise(day); again.Version != stored.Version {
		t.Errorf("the same promise makes version %d of %d", again.Version, stored.Version)
	}
	promise(day.AddDate(0, 0, 3))
	if e := oneException(t, b, "eta_slipped"); !e.ClosedAt.Equal(b.Clock.Now()) || e.Withdrawn {
		t.Errorf("of a promise that holds there is %+v", e)
	}
	promise(time.Time{})
	_, err := b.UpdateShipment(ctx, id, tracking.ShipmentUpdate{PromisedArrivalAt: tracking.Set(time.Unix(-1, 0))})
	if e := (*tracking.Error)(nil); !errors.As(err, &e) || e.Field != "promised_arrival_at" {
		t.Errorf("before 1970: %v", err)
	}
}
