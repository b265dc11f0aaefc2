package tracking_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// shortNames are those that the expectations of voyages use for attributes.
var shortNames = map[string]string{
	"pol": "port_of_lading_locode", "pod": "port_of_discharge_locode", "destination": "destination_locode",
	"stopped": "line_tracking_stopped_reason", "status": "current_status",
}

// differences compares each expectation with what is shown.
func (r *voyageRun) differences(t testing.TB) (list []string) {
	t.Helper()
	for _, words := range r.expect {
		got, err := r.difference(t, words)
		if err != nil {
			t.Fatalf("%s: %v", strings.Join(words, " "), err)
		}
		for _, d := range got {
			list = append(list, subjectOf(words)+": "+d)
		}
	}
	return list
}

// difference compares one line. An error is a fault of the line.
func (r *voyageRun) difference(t testing.TB, words []string) ([]string, error) {
	switch {
	case len(words) > 2 && words[0] == "shipment":
		return r.shipmentDifferences(t, words[1], words[2:])
	case len(words) == 3 && words[0] == "box" && words[2] == "removed":
		return r.removalDifferences(t, words[1]), nil
	case len(words) >= 3 && words[0] == "box":
		return r.boxDifferences(t, words[1], words[2:])
	case len(words) == 3 && words[0] == "request":
		return r.requestDifferences(t, words[1], words[2]), nil
	case len(words) == 2 && words[0] == "warning":
		// A receipt warns of what stands: what was replaced before it came does not.
		if r.written && !r.warnings[words[1]] {
			return []string{"was not given"}, nil
		}
		return nil, nil
	case len(words) >= 5 && words[0] == "told" && words[1] == "box":
		return r.toldDifferences(t, words[2], words[3], words[4:])
	}
	return nil, fmt.Errorf("no expectation")
}

// shipmentOf returns the shipment that is followed by a number, else the one
// that has it.
func (r *voyageRun) shipmentOf(t testing.TB, key string) (*tracking.Shipment, string) {
	t.Helper()
	list, _, err := r.Shipments(ctx, tracking.ShipmentQuery{Number: r.numbers[key].Number}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(list, func(s *tracking.Shipment) bool { return s.BillOfLadingNumber == r.numbers[key].Number }); i >= 0 {
		return list[i], ""
	}
	if len(list) == 1 {
		return list[0], ""
	}
	return nil, fmt.Sprintf("%d shipments have the number", len(list))
}

func (r *voyageRun) shipmentDifferences(t testing.TB, key string, pairs []string) ([]string, error) {
	s, fault := r.shipmentOf(t, key)
	if s == nil {
		return []string{fault}, nil
	}
	return differencesOf(pairs, func(name, want string) (got string, err error) {
		switch name {
		case "containers":
			return r.namesOf(t, s), nil
		case "pod_vessel":
			return r.shipName(want, s.PODVesselIMO, s.PODVesselName), nil
		}
		return attribute(s, name)
	})
}

// differencesOf compares pairs of a name and a value with what is shown.
func differencesOf(pairs []string, shown func(name, want string) (string, error)) (list []string, err error) {
	for _, pair := range pairs {
		name, want, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fmt.Errorf("%q has no value", pair)
		}
		got, err := shown(name, want)
		if err != nil {
			return nil, err
		}
		if !sameValue(got, want) {
			list = append(list, fmt.Sprintf("%s is %s, want %s", name, got, want))
		}
	}
	return list, nil
}

// sameValue compares texts, and times by their instants.
func sameValue(got, want string) bool {
	if got == want {
		return true
	}
	a, err := time.Parse(time.RFC3339, got)
	b, wrong := time.Parse(time.RFC3339, want)
	return err == nil && wrong == nil && a.Equal(b)
}

// attribute returns what is shown of a resource under the name of an attribute.
func attribute(of any, name string) (string, error) {
	v := reflect.ValueOf(of).Elem()
	for i := range v.NumField() {
		tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("attr"), ",")
		if tag == cmp.Or(shortNames[name], name) {
			return valueText(v.Field(i).Interface()), nil
		}
	}
	return "", fmt.Errorf("no attribute %q", name)
}

// valueText writes a value as the expectations do.
func valueText(v any) string {
	if at, ok := v.(time.Time); ok {
		if at.IsZero() {
			return "none"
		}
		return at.Format(time.RFC3339)
	}
	return cmp.Or(fmt.Sprint(v), "none")
}

// namesOf returns the keys of the containers that a shipment shows.
func (r *voyageRun) namesOf(t testing.TB, s *tracking.Shipment) string {
	t.Helper()
	list, _, err := r.Containers(ctx, tracking.ContainerQuery{Shipment: s.ID, Removed: tracking.No}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range list {
		names = append(names, r.boxName(c.Number))
	}
	slices.Sort(names)
	return cmp.Or(strings.Join(names, ","), "none")
}

func (r *voyageRun) boxName(number string) string {
	for key, n := range r.boxes {
		if n == number {
			return key
		}
	}
	return number
}

// shipName returns the key of the ship that is shown, preferably want: what is
// not shown of a ship cannot be compared.
func (r *voyageRun) shipName(want, imo, name string) string {
	if imo == "" && name == "" {
		return "none"
	}
	if ship, ok := r.ships[want]; ok && isShip(ship, imo, name) {
		return want
	}
	for key, ship := range r.ships {
		if isShip(ship, imo, name) {
			return key
		}
	}
	return imo + " " + name
}

func isShip(s tracking.VesselRef, imo, name string) bool {
	if s.IMO != "" && imo != "" {
		return s.IMO == imo
	}
	return strings.EqualFold(s.Name, name)
}

// box returns the container in the shipment that is expected to hold it.
func (r *voyageRun) box(t testing.TB, key string) (*tracking.Container, string) {
	t.Helper()
	s, fault := r.shipmentOf(t, r.holder(key))
	if s == nil {
		return nil, fault
	}
	list, _, err := r.Containers(ctx, tracking.ContainerQuery{Shipment: s.ID, Numbers: []string{r.boxes[key]}, Removed: tracking.No}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		return nil, fmt.Sprintf("shipment %s shows %d containers of that number", r.holder(key), len(list))
	}
	return list[0], ""
}

// holder is the number of the shipment that is expected to hold a container.
func (r *voyageRun) holder(box string) string {
	for _, words := range r.expect {
		for _, word := range words {
			keys, ok := strings.CutPrefix(word, "containers=")
			if ok && words[0] == "shipment" && slices.Contains(strings.Split(keys, ","), box) {
				return words[1]
			}
		}
	}
	return r.number
}

func (r *voyageRun) boxDifferences(t testing.TB, key string, words []string) ([]string, error) {
	c, fault := r.box(t, key)
	if c == nil {
		return []string{fault}, nil
	}
	switch words[0] {
	case "event":
		if len(words) < 4 {
			return nil, fmt.Errorf("an event has a name, a place and a time")
		}
		return r.eventDifferences(t, c, words[1:])
	case "noevent":
		return r.noEventDifferences(t, c, words[1]), nil
	}
	return differencesOf(words, func(name, _ string) (string, error) { return attribute(c, name) })
}

func (r *voyageRun) removalDifferences(t testing.TB, key string) []string {
	t.Helper()
	_, n, err := r.Containers(ctx, tracking.ContainerQuery{Numbers: []string{r.boxes[key]}, Removed: tracking.No}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	if n != 0 {
		return []string{fmt.Sprintf("is shown %d times, want removed", n)}
	}
	return nil
}

func (r *voyageRun) requestDifferences(t testing.TB, key, want string) []string {
	t.Helper()
	q, err := r.TrackingRequest(ctx, r.requests[key])
	if err != nil {
		t.Fatal(err)
	}
	// A request whose shipment has ended was created, too.
	if got := string(q.Status); got != want && !(want == "created" && got == "tracking_stopped") {
		return []string{fmt.Sprintf("is %s, want %s", got, want)}
	}
	return nil
}

// eventsNamed returns the milestones of a container that stand and have a name.
func eventsNamed(t testing.TB, b *trackingtest.Bench, c *tracking.Container, name string) []*tracking.TransportEvent {
	t.Helper()
	list, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Container: c.ID, Invalidated: tracking.No}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(e *tracking.TransportEvent) bool { return string(e.Event) != "container.transport."+name })
}

func (r *voyageRun) noEventDifferences(t testing.TB, c *tracking.Container, name string) (list []string) {
	for _, e := range eventsNamed(t, r.Bench, c, name) {
		list = append(list, fmt.Sprintf("%s, want none", r.eventText(t, e, "")))
	}
	return list
}

// eventDifferences compares with "name place time [ship=A]".
func (r *voyageRun) eventDifferences(t testing.TB, c *tracking.Container, words []string) ([]string, error) {
	name, place, at := words[0], words[1], words[2]
	ship := ""
	if len(words) > 3 {
		ship = strings.TrimPrefix(words[3], "ship=")
		if _, ok := r.ships[ship]; !ok {
			return nil, fmt.Errorf("no ship %q", ship)
		}
	}
	var shown []string
	found := 0
	for _, e := range eventsNamed(t, r.Bench, c, name) {
		shown = append(shown, r.eventText(t, e, ship))
		if cmp.Or(e.LocationLOCODE, "-") == place && sameValue(valueText(e.Timestamp), at) && (ship == "" || r.shipOf(t, e, ship) == ship) {
			found++
		}
	}
	if found == 1 {
		return nil, nil
	}
	return []string{fmt.Sprintf("%d events are %s; of that name there are [%s]", found, strings.Join(words, " "), strings.Join(shown, "; "))}, nil
}

func (r *voyageRun) eventText(t testing.TB, e *tracking.TransportEvent, ship string) string {
	name := strings.TrimPrefix(string(e.Event), "container.transport.")
	return strings.Join([]string{name, e.LocationLOCODE, valueText(e.Timestamp), "ship=" + r.shipOf(t, e, ship)}, " ")
}

func (r *voyageRun) shipOf(t testing.TB, e *tracking.TransportEvent, want string) string {
	t.Helper()
	if e.Vessel == (tracking.ID{}) {
		return "none"
	}
	ship, err := r.Vessel(ctx, e.Vessel)
	if err != nil {
		t.Fatal(err)
	}
	return r.shipName(want, ship.IMO, ship.Name)
}

// toldDifferences compares with "last=time [ship=A]" what somebody knows who has
// heard every announcement, withdrawals included.
func (r *voyageRun) toldDifferences(t testing.TB, key, name string, pairs []string) ([]string, error) {
	r.Pass(time.Minute) // what waits for the end of a flap window is announced
	c, fault := r.box(t, key)
	if c == nil {
		return []string{fault}, nil
	}
	known := r.listener.Known(c.ID, tracking.EventName("container.transport."+name))
	if len(known) != 1 {
		return []string{fmt.Sprintf("%d %s stand by what was told", len(known), name)}, nil
	}
	e := known[0]
	return differencesOf(pairs, func(part, want string) (string, error) {
		switch part {
		case "last":
			return valueText(e.Timestamp), nil
		case "ship":
			return r.shipOf(t, &e, want), nil
		}
		return "", fmt.Errorf("no part %q of what is told", part)
	})
}

// subjectOf is what a line of expectations is about.
func subjectOf(words []string) string {
	if words[0] == "told" {
		return strings.Join(words[:3], " ")
	}
	return strings.Join(words[:2], " ")
}
