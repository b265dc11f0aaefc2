package reliability_test

import (
	"math"
	"strings"
	"testing"

	. "github.com/landfallhq/tracking/reliability"
)

// said is the statement, learned so many hours after the epoch, that something is at so many.
func said(learned, time int) Statement { return Statement{at(learned), at(time)} }

func arrival(hours int) []Statement { return []Statement{said(hours+1, hours)} }

// TestSamples says which estimate is the sample of each lead, and with which error in days.
func TestSamples(t *testing.T) {
	const day = 24
	back := func(learned int) Statement { return Statement{Learned: at(learned)} }
	for name, c := range map[string]struct {
		voyages []Voyage
		want    map[Lead]float64 // the bias in days
	}{
		"an ETA that holds is a sample of each lead that it passes": {
			[]Voyage{{ETAs: []Statement{said(0, 20*day)}, Arrivals: arrival(21 * day)}},
			map[Lead]float64{LeadFirst: 1, Lead15To28: 1, Lead8To14: 1, Lead4To7: 1, Lead1To3: 1, LeadUnderADay: 1, LeadOverdue: 1},
		},
		"the estimate at the middle of the time in a class counts": {
			[]Voyage{{ETAs: []Statement{said(0, 14*day), said(day, 13*day), said(6*day, 12*day)}, Arrivals: arrival(12 * day)}},
			map[Lead]float64{LeadFirst: -2, Lead8To14: -1, Lead4To7: 0, Lead1To3: 0, LeadUnderADay: 0},
		},
		"an estimate that was taken back is none": {
			[]Voyage{{ETAs: []Statement{said(0, 10*day), back(day), said(7*day, 12*day)}, Arrivals: arrival(12 * day)}},
			map[Lead]float64{LeadFirst: 2, Lead8To14: 2, Lead4To7: 0, Lead1To3: 0, LeadUnderADay: 0},
		},
		"an estimate after the arrival, or after it was learned, is none": {
			[]Voyage{{ETAs: []Statement{said(11*day, 11*day), said(12*day, 12*day)}, Arrivals: []Statement{said(10*day, 12*day)}}},
			nil,
		},
		"the last arrival counts": {
			[]Voyage{{ETAs: []Statement{said(6*day, 9*day)}, Arrivals: []Statement{said(9*day, 8*day), said(11*day, 10*day)}}},
			map[Lead]float64{LeadFirst: 1, Lead1To3: 1, LeadUnderADay: 1},
		},
		"an arrival that was taken back is none": {
			[]Voyage{{ETAs: []Statement{said(6*day, 9*day)}, Arrivals: []Statement{said(9*day, 8*day), back(10 * day)}}},
			nil,
		},
		"voyages of one call are one sample, with their mean": {
			[]Voyage{
				{Call: "x", ETAs: []Statement{said(0, 2*day)}, Arrivals: arrival(2 * day)},
				{Call: "x", ETAs: []Statement{said(0, 3*day)}, Arrivals: arrival(2 * day)},
			},
			map[Lead]float64{LeadFirst: -0.5, Lead1To3: -0.5, LeadUnderADay: 0},
		},
	} {
		for i := range c.voyages {
			c.voyages[i].Line, c.voyages[i].POL, c.voyages[i].POD = "AAAA", "CNSHA", "USLAX"
		}
		got := map[Lead]float64{}
		for _, row := range NewCard(c.voyages, at(1000)).Rows {
			if row.POL != "" && row.ETA != nil {
				got[row.Lead] = row.ETA.Bias
				if row.ETA.Samples != 1 {
					t.Errorf("%s: %d samples of %s", name, row.ETA.Samples, row.Lead)
				}
			}
		}
		for _, lead := range Leads {
			g, has := got[lead]
			w, want := c.want[lead]
			if has != want || g != w {
				t.Errorf("%s: %s: error of %v days (%v), want %v (%v)", name, lead, g, has, w, want)
			}
		}
	}
}

func TestLeadOf(t *testing.T) {
	for d, want := range map[float64]Lead{
		-1: LeadOverdue, -0.001: LeadOverdue, 0: LeadUnderADay, 0.999: LeadUnderADay, 1: Lead1To3, 3.999: Lead1To3, 4: Lead4To7, 7.999: Lead4To7,
		8: Lead8To14, 14.999: Lead8To14, 15: Lead15To28, 28.999: Lead15To28, 29: LeadOver28, 300: LeadOver28,
	} {
		if got := LeadOf(days(d)); got != want {
			t.Errorf("a lead of %v days is %s, want %s", d, got, want)
		}
	}
}

// errorsInHours are voyages whose only ETA was off by so many hours.
func errorsInHours(hours ...int) (list []Voyage) {
	for _, h := range hours {
		list = append(list, Voyage{
			Line: "AAAA", POL: "CNSHA", POD: "USLAX", ETAs: []Statement{said(0, 240), said(100, 240), said(110, 240)}, Arrivals: arrival(240 + h),
			Stays: []Stay{{"SGSIN", at(10), at(34), at(40)}, {"LKCMB", at(60), at(72), at(80)}},
		})
	}
	return list
}

// TestAccuracy compares a row with figures that were computed by hand.
func TestAccuracy(t *testing.T) {
	voyages := errorsInHours(-24, -12, 0, 12, 24, 36, 48, 60, 72)
	voyages[0].ETAs = []Statement{said(0, 240), said(100, 200), {Learned: at(110)}, said(120, 200), said(130, 240)}
	row := NewCard(voyages, at(1000)).Rows[0]
	a := row.ETA
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 0.0005 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if row.Lead != LeadFirst || a.Samples != 9 || row.Voyages != 9 || row.ETD != nil || row.ETDChanges != nil {
		t.Errorf("%+v", row)
	}
	near("bias", a.Bias, 1)
	near("margin", *a.BiasMargin, 2.306*1.369306/3) // eight degrees of freedom
	near("absolute", a.MeanAbsoluteError, 1.3333)
	near("on time", a.OnTimeShare, 5.0/9)
	near("on time, low", a.OnTimeLow, 0.2667)
	near("on time, high", a.OnTimeHigh, 0.8112)
	near("p10", a.P10, -1)
	near("p50", a.P50, 1)
	near("p90", a.P90, 3)
	near("changes", row.ETAChanges.Mean, 2.0/9)
	near("days at hubs", row.HubDays.P50, 1.5)
	if one := NewCard(errorsInHours(5), at(1000)).Rows[0].ETA; one.BiasMargin != nil || one.P10 != one.P90 {
		t.Errorf("one sample: %+v", one)
	}
}

func TestDepartures(t *testing.T) {
	row := NewCard([]Voyage{{Line: "AAAA", ETDs: []Statement{said(0, 50)}, Departures: []Statement{said(75, 74)}}}, at(100)).Rows[0]
	if row.ETD == nil || row.ETD.Bias != 1 || row.ETA != nil || row.POL != "" || row.Voyages != 1 {
		t.Errorf("%+v", row)
	}
}

func TestWriteCSV(t *testing.T) {
	voyages := errorsInHours(-24, -12, 0, 12, 24, 36, 48, 60, 72)
	voyages[0].Line = "=A()"
	card := NewCard(voyages, at(1000))
	var out strings.Builder
	if err := card.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if want := "2025-02-11T16:00:00Z,AAAA,,,first,8,8,0.5,0.2152,0.7848,1.25,1.0236,1.375,-0.5,1.25,3,,,,,,,,,,,8,0,0,0,0,,,,,,8,1.5,1.5,1.5,1.5"; !strings.Contains(out.String(), want+"\n") {
		t.Errorf("no row %s in\n%s", want, out.String())
	}
	if len(lines) != len(card.Rows)+2 || !strings.HasPrefix(lines[0], "as_of,scac,pol_locode,pod_locode,lead,voyages,eta_samples,eta_on_time_share,") || !strings.Contains(lines[1], ",'=A(),") {
		t.Errorf("%s", out.String())
	}
	for _, line := range lines[:len(lines)-1] {
		if strings.Count(line, ",") != 40 {
			t.Errorf("%d commas: %s", strings.Count(line, ","), line)
		}
	}
}
