package sandbox_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/source/sandbox"
)

var update = flag.Bool("update", false, "write the golden files")

var since = time.Date(2026, 3, 10, 9, 41, 27, 123_456_789, time.UTC)

const length = 5 * time.Minute

// track asks about a number at a time after since.
func track(t testing.TB, number string, elapsed time.Duration) freight.Answer {
	t.Helper()
	answer, err := sandbox.New(sandbox.Config{}).Track(context.Background(), freight.SourceQuery{
		Number: number, Type: freight.BillOfLading, SCAC: sandbox.SCAC, Since: since, Now: since.Add(elapsed),
	})
	if err != nil {
		t.Fatalf("%s: %v", number, err)
	}
	return answer
}

// texts writes facts so that two equal lists are equal texts.
func texts(facts []freight.Fact) []string {
	lines := make([]string, len(facts))
	for i, f := range facts {
		terminal := ""
		if f.Terminal != nil {
			terminal = fmt.Sprintf("%+v", *f.Terminal)
			if f.Terminal.Available != nil {
				terminal = fmt.Sprintf("available=%v ", *f.Terminal.Available)
			}
			for _, h := range f.Terminal.Holds {
				terminal += fmt.Sprint(h.Name, h.Status, *h.Description)
			}
			terminal += fmt.Sprint(f.Terminal.Fees, f.Terminal.LastFreeDay, f.Terminal.Appointment, f.Terminal.Yard)
			f.Terminal = nil
		}
		lines[i] = fmt.Sprintf("%+v", f) + terminal
	}
	return lines
}

// voyages are the numbers of all voyages without a suffix.
func voyages() []string {
	return slices.DeleteFunc(sandbox.New(sandbox.Config{}).Numbers(), func(n string) bool {
		return !strings.HasPrefix(n, "TEST-VOYAGE-")
	})
}

// unfinished are the voyages without an end.
var unfinished = []string{"TEST-VOYAGE-UNCLAIMED", "TEST-VOYAGE-SHORT-SHIPPED", "TEST-VOYAGE-ROLLED", "TEST-VOYAGE-OVERDUE", "TEST-VOYAGE-AT-SEA"}

// everyVoyage is every number of a voyage that there is.
func everyVoyage() []string {
	numbers := voyages()
	for _, v := range voyages() {
		for suffix := range 100 {
			numbers = append(numbers, fmt.Sprintf("%s-%02d", v, suffix))
		}
	}
	return numbers
}

func TestRequests(t *testing.T) {
	s := sandbox.New(sandbox.Config{RefreshEvery: 7 * time.Second})
	for _, c := range []struct {
		number string
		poll   int
		want   freight.FailedReason
		next   time.Duration
	}{
		{"TEST-TR-SUCCEEDED", 0, "", 0},
		{"TEST-TR-FAILED", 0, freight.InvalidNumber, 0},
		{"TEST-TR-FAILED", 99, freight.InvalidNumber, 0},
		{"TEST-TR-AWAITING", 0, freight.NumberNotFound, 7 * time.Second},
		{"TEST-TR-AWAITING", 2, freight.NumberNotFound, 7 * time.Second},
		{"TEST-TR-AWAITING", 3, "", 0},
		{"TEST-TR-RETRY", 1, freight.LineUnreachable, 7 * time.Second},
		{"TEST-TR-RETRY", 2, "", 0},
		{"TEST-TR-EXHAUSTED", 0, freight.LineUnreachable, 7 * time.Second},
		{"TEST-TR-EXHAUSTED", 99, freight.LineUnreachable, 7 * time.Second},
		{"TEST-TR-INVALID", 0, freight.InvalidNumber, 0},
		{"TEST-TR-CANCELLED", 0, freight.BookingCancelled, 0},
		{"TEST-TR-PRIVATE", 0, freight.DataUnavailable, 0},
		{"TEST-TR-DUPLICATE", 0, freight.DuplicateRequest, 0},
		{" test-tr-succeeded ", 0, "", 0},
		{"TEST-TR-SUCCEEDED-05", 0, freight.NumberNotFound, 0},
		{"TEST-VOYAGE-SIMPLE-5", 0, freight.NumberNotFound, 0},
		{"TEST-VOYAGE-SIMPLE-005", 0, freight.NumberNotFound, 0},
		{"TEST-VOYAGE-SIMPLE-0x", 0, freight.NumberNotFound, 0},
		{"TEST-VOYAGE-", 0, freight.NumberNotFound, 0},
		{"MEDU1234567", 0, freight.NumberNotFound, 0},
		{"", 0, freight.NumberNotFound, 0},
	} {
		answer, err := s.Track(context.Background(), freight.SourceQuery{Number: c.number, Since: since, Now: since, Poll: c.poll})
		var failed *freight.SourceError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q, poll %d: %v", c.number, c.poll, err)
		case c.want != "" && (!errors.As(err, &failed) || failed.Reason != c.want):
			t.Errorf("%q, poll %d: got %v, want %s", c.number, c.poll, err, c.want)
		case c.want != "" && len(answer.Report.Facts) != 0:
			t.Errorf("%q, poll %d: facts beside an error", c.number, c.poll)
		}
		if answer.Next != c.next {
			t.Errorf("%q, poll %d: next %v, want %v", c.number, c.poll, answer.Next, c.next)
		}
	}
}

// TestSucceeded: a booked shipment with one container and no milestones.
func TestSucceeded(t *testing.T) {
	for _, number := range []string{"TEST-TR-SUCCEEDED", "TEST-VOYAGE-SIMPLE"} {
		report := track(t, number, 0).Report
		if report.Source != "sandbox" || report.SCAC != "TEST" || report.DataSource != freight.FromShippingLine || report.Silent {
			t.Errorf("%s: report %+v", number, report)
		}
	}
	facts := track(t, "TEST-TR-SUCCEEDED", time.Hour).Report.Facts
	var whats []freight.Activity
	for _, f := range facts {
		whats = append(whats, f.Activity)
	}
	want := []freight.Activity{freight.Booked, freight.Route, freight.Route, freight.Described}
	if !slices.Equal(whats, want) {
		t.Errorf("got %v, want %v", whats, want)
	}
	if len(facts[3].Containers) != 1 || len(facts[0].References) == 0 {
		t.Errorf("got %+v", facts)
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := sandbox.New(sandbox.Config{}).Track(ctx, freight.SourceQuery{Number: "TEST-TR-SUCCEEDED"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestNumbers(t *testing.T) {
	numbers := sandbox.New(sandbox.Config{}).Numbers()
	for _, want := range []string{
		"TEST-TR-SUCCEEDED", "TEST-TR-FAILED", "TEST-TR-AWAITING", "TEST-TR-RETRY", "TEST-TR-EXHAUSTED",
		"TEST-TR-INVALID", "TEST-TR-CANCELLED", "TEST-TR-PRIVATE", "TEST-TR-DUPLICATE",
		"TEST-VOYAGE-SIMPLE", "TEST-VOYAGE-TRANSSHIP", "TEST-VOYAGE-FEEDER", "TEST-VOYAGE-RAIL",
		"TEST-VOYAGE-HOLDS", "TEST-VOYAGE-ETA-CHANGE", "TEST-VOYAGE-MULTI",
		"TEST-VOYAGE-UNCLAIMED", "TEST-VOYAGE-SHORT-SHIPPED", "TEST-VOYAGE-ROLLED", "TEST-VOYAGE-OVERDUE", "TEST-VOYAGE-AT-SEA",
	} {
		if !slices.Contains(numbers, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if len(numbers) != 21 {
		t.Errorf("got %d numbers: %q", len(numbers), numbers)
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range numbers {
		if !strings.Contains(string(doc), "//\t"+number+" ") {
			t.Errorf("%s is not in the package documentation", number)
		}
	}
}

// TestVoyages holds the whole of each voyage against its golden file.
func TestVoyages(t *testing.T) {
	for _, number := range voyages() {
		answer := track(t, number, length)
		if answer.Next != 0 {
			t.Errorf("%s: next %v although nothing is to come", number, answer.Next)
		}
		var b strings.Builder
		for _, f := range answer.Report.Facts {
			place := f.Place.LOCODE
			if f.Place.Role != "" {
				place += " " + string(f.Place.Role)
			}
			load := string(f.LoadStatus)
			columns := []string{string(f.Activity), string(f.Classifier), string(f.Mode), load, place, strings.Join(f.Containers, " "), f.Vessel.Name, f.Original}
			b.WriteString(strings.TrimRight(strings.Join(columns, "|"), " ") + "\n")
		}
		file := filepath.Join("testdata", number+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", number, b.String(), want)
		}
	}
}

// TestPure: the same query has the same answer, from every source and every time.
func TestPure(t *testing.T) {
	for _, number := range voyages() {
		query := freight.SourceQuery{Number: number, Since: since, Now: since.Add(length / 2)}
		first, err := sandbox.New(sandbox.Config{}).Track(context.Background(), query)
		if err != nil {
			t.Fatal(err)
		}
		query.Poll, query.Number = 40, " "+strings.ToLower(number)
		query.Since, query.Now = query.Since.In(time.FixedZone("", 3600)), query.Now.In(time.FixedZone("", -7200))
		second, err := sandbox.New(sandbox.Config{Length: length, RefreshEvery: time.Hour}).Track(context.Background(), query)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(texts(first.Report.Facts), texts(second.Report.Facts)) {
			t.Errorf("%s: two answers", number)
		}
	}
}

// TestGrows: an answer begins with every earlier one, and the voyage ends on
// time.
func TestGrows(t *testing.T) {
	for _, number := range append(voyages(), "TEST-VOYAGE-RAIL-37", "TEST-VOYAGE-MULTI-99", "TEST-TR-SUCCEEDED") {
		var before []string
		for elapsed := time.Duration(0); elapsed <= length; elapsed += 2 * time.Second {
			now := texts(track(t, number, elapsed).Report.Facts)
			if len(now) < len(before) || !slices.Equal(now[:len(before)], before) {
				t.Fatalf("%s: at %v the answer does not begin with the one before", number, elapsed)
			}
			before = now
		}
		if end := track(t, number, 1000*time.Hour); len(end.Report.Facts) != len(before) || end.Next != 0 {
			t.Errorf("%s: %d facts at the end of its length, %d later", number, len(before), len(end.Report.Facts))
		}
	}
}

// TestTimes is a property of random voyages at random times: nothing actual
// lies in the future, nothing is known before it is recorded, and estimates lie
// ahead of what has happened so far.
func TestTimes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	numbers := everyVoyage()
	for range 3_000 {
		query := freight.SourceQuery{
			Number: numbers[random.IntN(len(numbers))],
			Since:  since.Add(time.Duration(random.Int64N(int64(5 * 365 * 24 * time.Hour)))),
		}
		span := time.Second << random.IntN(20)
		query.Now = query.Since.Add(time.Duration(random.Int64N(int64(span) * 2)))
		answer, err := sandbox.New(sandbox.Config{Length: span}).Track(context.Background(), query)
		if err != nil {
			t.Fatal(err)
		}
		recorded, happened := time.Time{}, time.Time{}
		for _, f := range answer.Report.Facts {
			at := f.At.Time
			switch {
			case f.RecordedAt.After(query.Now):
				t.Fatalf("%+v: %s is recorded in the future, %v", query, f.ID, f.RecordedAt)
			case f.RecordedAt.Before(recorded):
				t.Fatalf("%+v: %s is recorded before the fact above it", query, f.ID)
			case f.RecordedAt.Nanosecond() != 0 || f.RecordedAt.Location() != time.UTC || at.Location() != time.UTC:
				t.Fatalf("%+v: %s has an odd time", query, f.ID)
			}
			recorded = f.RecordedAt
			switch {
			case f.Activity == freight.Described:
				if !at.IsZero() {
					t.Fatalf("%s is dated %v", f.ID, at)
				}
			case f.Classifier == freight.Estimated:
				if !at.After(happened) || !at.Equal(at.Truncate(time.Hour)) {
					t.Fatalf("%+v: estimate %s of %v, issued %v", query, f.ID, at, f.RecordedAt)
				}
			default:
				exact := at.Equal(at.Truncate(time.Minute)) || at.Equal(f.RecordedAt)
				if at.After(query.Now) || at.Before(happened) || !exact {
					t.Fatalf("%+v: %s happened at %v, after %v", query, f.ID, at, happened)
				}
				happened = at
			}
		}
	}
}

// TestOddClocks: a question without a beginning, or before it, has an answer.
func TestOddClocks(t *testing.T) {
	for _, q := range []freight.SourceQuery{
		{},
		{Now: since},
		{Since: since},
		{Since: since.Add(time.Hour), Now: since},
	} {
		q.Number = "TEST-VOYAGE-SIMPLE-50"
		answer, err := sandbox.New(sandbox.Config{Length: -1}).Track(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range answer.Report.Facts {
			if f.Classifier != freight.Estimated && f.At.Time.After(q.Now) {
				t.Errorf("%+v: %s at %v", q, f.ID, f.At.Time)
			}
		}
	}
}

// TestVersions: facts share an ID only as versions, recorded one after the
// other.
func TestVersions(t *testing.T) {
	for _, number := range everyVoyage() {
		latest := map[string]freight.Fact{}
		for _, f := range track(t, number, length).Report.Facts {
			if old, ok := latest[f.ID]; ok {
				if f.Classifier != freight.Estimated && f.Activity != freight.Described {
					t.Fatalf("%s: two facts %s", number, f.ID)
				}
				if !f.RecordedAt.After(old.RecordedAt) {
					t.Fatalf("%s: a version of %s as old as the one before", number, f.ID)
				}
			}
			latest[f.ID] = f
		}
	}
}

func TestETAChange(t *testing.T) {
	var etas []string
	ships := map[string]bool{}
	for _, f := range track(t, "TEST-VOYAGE-ETA-CHANGE", length).Report.Facts {
		if f.Classifier == freight.Estimated && f.Activity == freight.Arrival {
			etas = append(etas, f.At.Time.Format(time.DateTime))
			ships[f.Vessel.Name] = true
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(etas)))) != 5 || len(ships) != 2 {
		t.Errorf("want 5 different ETAs with 2 ships, got %q with %v", etas, ships)
	}
}

func TestHolds(t *testing.T) {
	var holds []int
	var total []float64
	available := ""
	days := map[time.Time]bool{}
	for _, f := range track(t, "TEST-VOYAGE-HOLDS", length).Report.Facts {
		v := f.Terminal
		if f.Activity != freight.TerminalStatus {
			continue
		}
		holds = append(holds, len(v.Holds))
		sum := 0.0
		for _, fee := range v.Fees {
			if fee.Type != "total" {
				sum += fee.Amount
			}
			if fee.Type == "total" && fee.Amount != sum {
				t.Errorf("a total of %v for %v", fee.Amount, sum)
			}
		}
		total = append(total, sum)
		if v.Available != nil {
			available += fmt.Sprint(*v.Available, " ")
		}
		if lfd := v.LastFreeDay; !lfd.IsZero() {
			days[lfd.Time] = true
			if !lfd.Day || !lfd.Floating || !lfd.Time.After(f.At.Time) || lfd.Time.Hour() != 0 {
				t.Errorf("last free day %+v, said %v", lfd, f.RecordedAt)
			}
		}
		if a := v.Appointment; !a.IsZero() && !a.Time.After(f.At.Time) {
			t.Errorf("appointment %+v, said %v", a, f.RecordedAt)
		}
	}
	if !slices.Equal(holds, []int{2, 2, 3, 2, 1, 0, 0}) || !slices.Equal(total, []float64{0, 0, 285, 405, 525, 0, 0}) {
		t.Errorf("holds %v, fees %v", holds, total)
	}
	if available != "false false false false false true " || len(days) != 2 {
		t.Errorf("available %s, %d last free days", available, len(days))
	}
}

// TestHeadStart: a suffix is how much of the voyage is behind when tracking
// begins, and shortens it by as much.
func TestHeadStart(t *testing.T) {
	for _, number := range voyages() {
		whole := len(track(t, number, length).Report.Facts)
		last := 0
		open := slices.Contains(unfinished, number)
		for _, suffix := range []string{"-00", "-25", "-50", "-75", "-99"} {
			n := len(track(t, number+suffix, 0).Report.Facts)
			if n < last || n == last && !open || n >= whole && !open {
				t.Errorf("%s%s begins with %d facts of %d, after %d", number, suffix, n, whole, last)
			}
			last = n
		}
		if n := len(track(t, number+"-90", 0).Report.Facts); open && n != whole {
			t.Errorf("%s-90 begins with %d facts of %d", number, n, whole)
		}
		if n := len(track(t, number+"-60", length*2/5).Report.Facts); n != whole {
			t.Errorf("%s-60 has %d facts of %d after 40%% of its length", number, n, whole)
		}
	}
}

// TestIdentities: every number is a shipment of its own, with valid numbers.
func TestIdentities(t *testing.T) {
	owner := map[string]string{} // of a box, ship, booking or fact: the number
	lanes := map[string]bool{}
	own := func(number, thing string) {
		if other, taken := owner[thing]; taken && other != number {
			t.Errorf("%s belongs to %s and %s", thing, other, number)
		}
		owner[thing] = number
	}
	for _, number := range append(everyVoyage(), "TEST-TR-SUCCEEDED") {
		containers, lane := map[string]bool{}, ""
		for _, f := range track(t, number, length).Report.Facts {
			own(number, "fact "+f.ID)
			for _, c := range f.Containers {
				own(number, "box "+c)
				containers[c] = true
				if valid, _ := refdata.CheckDigit(c); !valid {
					t.Errorf("%s: container %s", number, c)
				}
			}
			for _, n := range f.Numbers {
				own(number, string(n.Type)+" "+n.Number)
			}
			for _, r := range f.References {
				own(number, "reference "+r)
			}
			if f.Vessel.IMO != "" {
				own(number, "ship "+f.Vessel.IMO)
				own(number, "ship "+f.Vessel.Name)
				if !refdata.ValidIMO(f.Vessel.IMO) {
					t.Errorf("%s: IMO %s", number, f.Vessel.IMO)
				}
			}
			if f.Activity == freight.Route {
				lane += f.Place.LOCODE
			}
			if len(f.ID) > 64 || f.Activity != freight.Booked && f.Activity != freight.Route && len(f.Containers) == 0 {
				t.Errorf("%s: fact %+v", number, f)
			}
		}
		lanes[lane] = true
		if want := 1 + 2*strings.Count(number, "MULTI") + 2*strings.Count(number, "SHORT-SHIPPED"); len(containers) != want {
			t.Errorf("%s: %d containers", number, len(containers))
		}
	}
	if len(lanes) < 20 {
		t.Errorf("only %d lanes", len(lanes))
	}
}

// TestPlaces: every place of a voyage is in the table of ports, with its zone,
// or the times there could not be shown as local ones.
func TestPlaces(t *testing.T) {
	for _, number := range everyVoyage() {
		for _, f := range track(t, number, length).Report.Facts {
			if code := f.Place.LOCODE; code != "" {
				if port, ok := refdata.PortByCode(code); !ok || port.Zone == "" {
					t.Fatalf("%s: %s is unknown or has no zone", number, code)
				}
			}
		}
	}
}

// TestNumberTypes: the number is what it was asked for as.
func TestNumberTypes(t *testing.T) {
	for asked, want := range map[freight.RequestType]freight.RequestType{
		freight.BillOfLading:    freight.BillOfLading,
		freight.BookingNumber:   freight.BookingNumber,
		freight.ContainerNumber: freight.BillOfLading,
		"":                      freight.BillOfLading,
	} {
		answer, err := sandbox.New(sandbox.Config{}).Track(context.Background(), freight.SourceQuery{
			Number: "TEST-VOYAGE-SIMPLE", Type: asked, Since: since, Now: since,
		})
		if err != nil {
			t.Fatal(err)
		}
		numbers := answer.Report.Facts[0].Numbers
		if !slices.Contains(numbers, freight.ShipmentNumber{Type: want, Number: "TEST-VOYAGE-SIMPLE"}) || len(numbers) != 2 {
			t.Errorf("asked as %q: %v", asked, numbers)
		}
	}
}

func TestFleet(t *testing.T) {
	s := sandbox.New(sandbox.Config{})
	whole := s.Fleet(1_000)
	if len(whole) != 427 || len(s.Fleet(0)) != 0 || len(s.Fleet(-1)) != 0 {
		t.Errorf("%d voyages", len(whole))
	}
	if !slices.Equal(s.Fleet(40), whole[:40]) {
		t.Error("a shorter fleet is not the beginning of the longer")
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(whole)))
	if len(distinct) != len(whole) {
		t.Errorf("%d of %d are different", len(distinct), len(whole))
	}
	for _, n := range whole {
		if suffix := n[len(n)-2:]; suffix > "60" {
			t.Errorf("%s begins too late", n)
		}
	}
}

// TestFleetMoves: while all ships of a fleet are under way, at least half of
// them pass a milestone in any 30 seconds of a five-minute voyage.
func TestFleetMoves(t *testing.T) {
	milestones := func(number string, elapsed time.Duration) (n int, last string) {
		for _, f := range track(t, number, elapsed).Report.Facts {
			switch f.Activity {
			case freight.GateOut, freight.GateIn, freight.Loading, freight.Discharge, freight.Departure, freight.Arrival, freight.Delivery:
				if f.Classifier != freight.Estimated {
					n, last = n+1, string(f.Activity)
				}
			}
		}
		return n, last
	}
	for _, size := range []int{10, 25, 50, 200} {
		fleet := sandbox.New(sandbox.Config{}).Fleet(size)
		for elapsed := time.Duration(0); elapsed <= 90*time.Second; elapsed += 5 * time.Second {
			moved, phases := 0, map[string]bool{}
			for _, number := range fleet {
				before, phase := milestones(number, elapsed)
				after, _ := milestones(number, elapsed+30*time.Second)
				if after > before {
					moved++
				}
				phases[phase] = true
			}
			if moved*2 < size {
				t.Errorf("fleet of %d at %v: %d pass a milestone", size, elapsed, moved)
			}
			if len(phases) < 4 {
				t.Errorf("fleet of %d at %v: only the phases %v", size, elapsed, phases)
			}
		}
	}
}

// TestHistory: the past voyages are over, each fact was recorded after it happened, and each ETA
// has versions before the arrival.
func TestHistory(t *testing.T) {
	facts := sandbox.New(sandbox.Config{}).History(since)
	type voyage struct {
		etas     int
		arrived  time.Time
		returned bool
	}
	list := map[string]*voyage{}
	recorded := time.Time{}
	for _, f := range facts {
		v := list[f.Numbers[0].Number]
		if v == nil {
			v = &voyage{}
			list[f.Numbers[0].Number] = v
		}
		if f.RecordedAt.Before(recorded) || f.RecordedAt.After(since) || f.RecordedAt.Before(since.AddDate(-1, -1, 0)) {
			t.Fatalf("%s is recorded at %v, after %v", f.ID, f.RecordedAt, recorded)
		}
		recorded = f.RecordedAt
		switch {
		case f.Activity == freight.Arrival && f.Classifier == freight.Estimated && v.arrived.IsZero():
			v.etas++
		case f.Activity == freight.Arrival && f.Classifier == freight.Actual:
			v.arrived = f.At.Time
		case f.Activity == freight.GateIn && f.LoadStatus == freight.Empty:
			v.returned = true
		}
	}
	for number, v := range list {
		if v.etas < 4 || !v.returned || v.arrived.IsZero() {
			t.Errorf("%s: %+v", number, v)
		}
		if _, err := sandbox.New(sandbox.Config{}).Track(context.Background(), freight.SourceQuery{Number: number, Now: since}); err == nil {
			t.Errorf("%s is tracked", number)
		}
	}
	if len(list) != 48 || !slices.Equal(texts(facts), texts(sandbox.New(sandbox.Config{}).History(since))) {
		t.Errorf("%d voyages", len(list))
	}
}

// TestPositionsOnLanes: an invented ship keeps to the sea from Shanghai to Rotterdam, at a
// speed that brings it there in time, before and after now.
func TestPositionsOnLanes(t *testing.T) {
	passage := freight.Passage{
		From: freight.Point{Latitude: 31.23, Longitude: 121.47}, To: freight.Point{Latitude: 51.92, Longitude: 4.5},
		Departed: since, Arrived: since.Add(28 * 24 * time.Hour),
	}
	past, err := sandbox.Positions{}.Past(context.Background(), freight.PositionQuery{From: passage.Departed, To: passage.Arrived, Passages: []freight.Passage{passage}})
	if err != nil {
		t.Fatal(err)
	}
	ahead, err := sandbox.Positions{}.Ahead(context.Background(), freight.CourseQuery{Now: since, From: passage.From, To: passage.To})
	if err != nil {
		t.Fatal(err)
	}
	for what, list := range map[string][]freight.Position{"past": past, "ahead": ahead} {
		if len(list) < 100 || list[0].Point().Distance(passage.From) > 1 || list[len(list)-1].Point().Distance(passage.To) > 1 {
			t.Fatalf("%s: %d positions", what, len(list))
		}
		for i, p := range list {
			if p.Latitude > 33 && p.Longitude > 45 {
				t.Fatalf("%s: %v is in the middle of Asia", what, p)
			}
			if i == 0 {
				continue
			}
			hours := p.At.Sub(list[i-1].At).Hours()
			if knots := list[i-1].Point().Distance(p.Point()) / hours / 1.852; knots > *p.SpeedKnots+0.2 || *p.SpeedKnots > 17 {
				t.Fatalf("%s: %v knots to %v, which says %v", what, knots, p, *p.SpeedKnots)
			}
		}
	}
}
