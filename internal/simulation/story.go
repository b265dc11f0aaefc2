package simulation

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const stamp = "2006-01-02 15:04:05"

// Story reports what really happened, then everything that was said, and what a
// clerk makes of it.
func (w *World) Story() string {
	var out strings.Builder
	fmt.Fprintf(&out, "world %d, booking %s of %s, ends %s\nfeatures: %s\nline: %+v\n",
		w.Seed, w.Booking, w.SCAC, w.Now.Format(stamp), strings.Join(w.Features(), " "), w.line)
	for _, box := range w.Boxes {
		w.tellBox(&out, box)
	}
	fmt.Fprintln(&out, "\nsaid:")
	for _, statement := range w.Statements() {
		fmt.Fprintln(&out, tellStatement(statement))
	}
	expected := w.Expect()
	for _, shipment := range expected.Shipments {
		fmt.Fprintf(&out, "\nexpected shipment %+v\n", shipment)
	}
	for _, container := range expected.Containers {
		tellExpected(&out, container)
	}
	return out.String()
}

func (w *World) tellBox(out *strings.Builder, box *Box) {
	journey := w.inForce(box)
	fmt.Fprintf(out, "\ncontainer %s of %s: %s to %s, inland %s\n", box.Number, w.Shipments[box.Shipment].BillOfLading,
		journey.POL().LOCODE, journey.POD().LOCODE, inlandNames[journey.Inland])
	for _, other := range box.Journeys {
		fmt.Fprintf(out, "  plan from %s:%s\n", other.Since.Format(stamp), tellLegs(other))
	}
	for _, move := range journey.Moves {
		mark := "      "
		if w.happened(move) {
			mark = "  *   "
		}
		ship := ""
		if move.Call != nil {
			ship = move.Call.voyage.Ship.Name
		}
		fmt.Fprintf(out, "%s%s %s %s %s %s %s %s %v %s\n", mark, move.At.Format(stamp), move.What, move.Load, move.Mode,
			move.Place.Town.LOCODE, move.Place.Name, ship, move.Names, move.Extra)
	}
}

func tellLegs(journey *Journey) string {
	out := ""
	for _, leg := range journey.Legs {
		out += fmt.Sprintf(" %s(%s) %s-%s calls", leg.Voyage.Ship.Name, leg.Voyage.Ship.IMO, leg.From.Terminal.Town.LOCODE, leg.To.Terminal.Town.LOCODE)
		for _, call := range leg.Voyage.Calls {
			out += " " + call.Terminal.Town.LOCODE
		}
		out += ";"
	}
	return out
}

func tellStatement(s Statement) string {
	var words []string
	add := func(format string, values ...any) { words = append(words, fmt.Sprintf(format, values...)) }
	add("%-20s %-9s %-6s", s.RecordedAt.Format(stamp), s.Source, s.ID)
	if s.Retracted {
		add("RETRACTED")
	}
	add("%s %s", s.Class, s.What)
	add("%s", s.Load)
	add("%s %s at %s", s.Mode, strings.TrimSpace(s.Place.LOCODE+" "+s.Place.Facility+" "+s.Place.SMDG+" "+s.Place.Role), tellMoment(s.At))
	add("%s %s %s", s.Vessel.IMO, s.Vessel.Name, s.Voyage)
	for _, number := range s.Numbers {
		add("%s", number.Number)
	}
	add("%v", s.Containers)
	if s.void {
		add("(void)")
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return strings.TrimSpace(word) == "" }), " ")
}

func tellMoment(m Moment) string {
	switch {
	case m.IsZero():
		return "-"
	case m.Day && m.Floating:
		return m.Time.Format(time.DateOnly) + " floating day"
	case m.Day:
		return m.Time.Format(stamp) + " day"
	case m.Floating:
		return m.Time.Format(stamp) + " floating"
	}
	return m.Time.Format(stamp)
}

func tellExpected(out *strings.Builder, c ContainerExpectation) {
	milestones := c.Milestones
	c.Milestones = nil
	fmt.Fprintf(out, "\nexpected container %+v\n", c)
	for _, m := range milestones {
		fmt.Fprintf(out, "  %-5t %s %v %s %s day=%t\n", m.Required, m.At.At.Format(stamp), m.Names, m.LOCODE, m.ShipIMO, m.At.Day)
	}
}
