package exceptions

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
)

// dateForm is a date for people.
const dateForm = "2 January 2006"

// date is the date of a time at its place.
func date(m freight.Moment) string { return dateIn(m.Time, m.Zone) }

func dateIn(at time.Time, zone string) string {
	if loc := freight.LoadZone(zone); loc != nil {
		return at.In(loc).Format(dateForm)
	}
	return at.UTC().Format(dateForm)
}

// on is " on 2 January 2006", or nothing.
func on(m freight.Moment) string {
	if m.IsZero() {
		return ""
	}
	return " on " + date(m)
}

func sinceDate(m freight.Moment) string {
	if m.IsZero() {
		return ""
	}
	return " since " + date(m)
}

// days is a duration for people: in hours below two days, else in days with at most one decimal.
func days(d time.Duration) string {
	if d < 2*day {
		if n := int(d.Round(time.Hour) / time.Hour); n != 1 {
			return strconv.Itoa(n) + " hours"
		}
		return "1 hour"
	}
	return strings.TrimSuffix(strconv.FormatFloat(d.Hours()/24, 'f', 1, 64), ".0") + " days"
}

func placeName(p freight.Place) string {
	switch {
	case p.Name != "" && p.LOCODE != "":
		return p.Name + " (" + p.LOCODE + ")"
	}
	return cmp.Or(p.Name, p.LOCODE, "a place that is not known")
}

func nameOf(a, b *journey.LoggedFact) string {
	return placeName(freight.Place{LOCODE: a.Place.LOCODE, Name: cmp.Or(a.Place.Name, b.Place.Name)})
}

func shipName(v freight.VesselRef) string {
	if v.Name == "" && v.IMO != "" {
		return "the ship with IMO number " + v.IMO
	}
	return cmp.Or(v.Name, "a ship that is not named")
}
