package simulation

import (
	"slices"
	"testing"
)

// Where nothing but moves of ships is reported for a shipment, the first that left
// may have left with its containers. Nothing else is excused.
func TestFirstShipThatLeft(t *testing.T) {
	for _, test := range []struct {
		name      string
		seed      uint64
		container string
		event     string
		locode    string
		at        string
		right     bool
	}{
		{"never loaded", 66913625923, "TCLU0055104", "vessel_departed", "CNSHA", "2025-06-11T05:25:00Z", true},
		{"its next call", 66913625923, "TCLU0055104", "vessel_arrived", "MYPKG", "2025-06-13T10:40:00Z", true},
		{"the call before the one at which it boarded", 723808931657, "TGHU0929615", "vessel_departed", "VNSGN", "2025-04-08T19:26:00Z", true},
		{"the port before", 376498916933, "ONEU9382180", "vessel_departed", "KRPUS", "2025-06-27T23:49:00Z", true},
		{"left behind", 786104027527, "MSKU0587980", "vessel_departed", "KRPUS", "2025-06-21T06:59:00Z", true},

		{"no ship left", 901483777663, "TGHU3775302", "transshipment_arrived", "JPYOK", "2025-06-28T00:49:22Z", false},
		{"another ship is planned", 1020624248476, "ONEU4287940", "feeder_arrived", "MXZLO", "2025-04-18T19:28:00Z", false},
		{"the other containers were picked up empty", 620727176989, "TGHU1175417", "vessel_departed", "CNSHA", "2025-02-14T17:38:00Z", false},
		{"its discharge from another ship", 921279451025, "ONEU3778867", "transshipment_arrived", "MYPKG", "2025-07-22T16:29:00Z", false},
	} {
		expected := containerOf(t, test.seed, test.container)
		shown := ShownMilestone{Event: test.event, LOCODE: test.locode, At: at(t, test.at)}
		if got := expected.match(shown, make([]bool, len(expected.Milestones))) >= 0; got != test.right {
			t.Errorf("%s: seed %d: accepted: %t, want %t", test.name, test.seed, got, test.right)
		}
		if slices.ContainsFunc(expected.Milestones, func(m Milestone) bool { return m.Required && m.Matches(shown) }) {
			t.Errorf("%s: seed %d: is required", test.name, test.seed)
		}
		if test.right && !(expected.Status.Accepts("on_ship") && expected.Status.Accepts("new")) {
			t.Errorf("%s: seed %d: status %v", test.name, test.seed, expected.Status)
		}
	}
}

// What was expected of either arrival of a container that was carried past the
// port of discharge is right; what was expected before that is not.
func TestEitherArrivalIsExpected(t *testing.T) {
	eta := New(91974093934).Expect().Shipments[0].PODETA
	for shown, right := range map[string]bool{"2025-06-29T11:35:00Z": true, "2025-07-08T17:00:00Z": true, "2025-06-29T07:15:00Z": false} {
		if got := eta.Accepts(at(t, shown)); got != right {
			t.Errorf("%s accepted: %t, want %t", shown, got, right)
		}
	}
}

// Moves of ships without the container, shown on purpose, are found: all but those
// that nothing reported excludes.
func TestMovesShownOnPurposeAreFound(t *testing.T) {
	shown, found := 0, 0
	for seed := range uint64(1_000) {
		w := New(seed)
		for i, expected := range w.Expect().Containers {
			c := w.newClerk(w.Boxes[i])
			for _, s := range c.shipStatements() {
				if c.isOwnMove(s.about) {
					continue
				}
				shown++
				wrong := c.mistake(s.about.call, s.What)
				if !slices.ContainsFunc(expected.Milestones, func(m Milestone) bool {
					return m.At.At.Equal(wrong.At.At) && m.ShipIMO == wrong.ShipIMO && slices.ContainsFunc(wrong.Names, func(name string) bool { return slices.Contains(m.Names, name) })
				}) {
					found++
				}
			}
		}
	}
	t.Logf("%d of %d found", found, shown)
	if found*1000 < shown*993 {
		t.Errorf("%d of %d found, want 99.3 %%", found, shown)
	}
}
