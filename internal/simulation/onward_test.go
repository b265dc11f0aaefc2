package simulation

import (
	"slices"
	"testing"
	"time"
)

// A move of a ship that the container had left, or not boarded yet, is accepted
// only where nothing reported says so.
func TestMovesWithoutTheContainer(t *testing.T) {
	for _, test := range []struct {
		name      string
		seed      uint64
		container string
		event     string
		locode    string
		at        string
		right     bool
	}{
		{"ship nowhere reported at the stated port of transshipment", 183102695936, "ONEU3349008", "transshipment_arrived", "VNSGN", "2025-04-15T08:26:09Z", true},
		{"nothing names the port of transshipment", 665917670931, "HLXU2655396", "transshipment_departed", "USSEA", "2025-03-28T18:53:00Z", true},
		{"ship reported there again, which fulfils the plan", 441853882192, "CMAU0242776", "transshipment_arrived", "TWKHH", "2025-06-27T23:57:00Z", true},
		{"ship reported at the stated port of transshipment", 1051131855484, "TGHU4648447", "transshipment_arrived", "CAVAN", "2025-02-25T23:09:41Z", false},
		{"another container came off there", 681026388855, "CMAU3243164", "transshipment_arrived", "VNSGN", "2025-05-20T13:56:00Z", false},
		{"planned at the port of transshipment", 276391838440, "MSKU7163010", "transshipment_arrived", "NLRTM", "2025-04-24T19:24:00Z", false},

		{"supposed aboard, nothing names the port of transshipment", 698392001621, "ONEU3122919", "transshipment_arrived", "CNSHA", "2025-04-06T00:55:29Z", true},
		{"supposed aboard the second ship, planned by its arrival", 506396817696, "TCLU3864524", "transshipment_departed", "MYPKG", "2025-08-12T22:05:23Z", true},
		{"supposed aboard, and past the planned port", 530559247855, "TCLU4806327", "transshipment_departed", "MYPKG", "2025-06-26T17:14:00Z", false},

		{"only the earlier call at the port of lading is reported", 77670796837, "CMAU3327218", "vessel_departed", "CNSHA", "2025-07-05T17:00:00Z", true},
		{"only the earlier call at the port of transshipment is reported", 785845127165, "HLXU5235062", "transshipment_arrived", "MXZLO", "2025-07-26T23:48:00Z", true},
		{"earlier call, and not seen afterwards", 620727176989, "TGHU1175417", "vessel_departed", "CNSHA", "2025-02-14T17:38:00Z", false},

		{"another port of discharge is stated, and the ship alone is expected here", 389207712631, "HLXU9969275", "transshipment_departed", "ESALG", "2025-08-23T02:07:00Z", true},
		{"expected at the stated port of discharge", 7178, "HLXU3586978", "transshipment_departed", "PTSIE", "2025-04-01T07:27:31Z", false},

		{"planned ship left, and no plan names another", 671098304721, "ONEU9510655", "transshipment_departed", "AEJEA", "2025-04-11T12:03:00Z", true},
		{"the only ship reported there, and it called where the container is seen next", 1014046641853, "HLXU3531131", "vessel_departed", "CNNGB", "2025-03-13T21:13:00Z", true},
		{"a plan names another ship before", 701641553046, "TGHU2499540", "feeder_departed", "USLAX", "2025-04-14T15:44:00Z", false},
		{"not planned, and the other containers were loaded on another ship", 1071498953430, "HLXU9483961", "vessel_departed", "CNSHA", "2025-02-15T08:09:00Z", false},
		{"its own plan names another ship", 65277050995, "TCLU0339559", "transshipment_arrived", "VNSGN", "2025-04-04T09:18:00Z", false},

		{"berth on the way, port of discharge open", 309462348881, "ONEU4286840", "vessel_berthed", "CNSHA", "2025-03-18T06:16:38Z", true},
	} {
		expected := containerOf(t, test.seed, test.container)
		shown := ShownMilestone{Event: test.event, LOCODE: test.locode, At: at(t, test.at)}
		if got := expected.match(shown, make([]bool, len(expected.Milestones))) >= 0; got != test.right {
			t.Errorf("%s: seed %d: accepted: %t, want %t", test.name, test.seed, got, test.right)
		}
		if slices.ContainsFunc(expected.Milestones, func(m Milestone) bool { return m.Required && m.Matches(shown) }) {
			t.Errorf("%s: seed %d: is required", test.name, test.seed)
		}
	}
}

// The ship at the port of discharge, and its arrival there, are open only where
// nothing reported decides between two ships.
func TestShipAtThePortOfDischarge(t *testing.T) {
	for _, test := range []struct {
		name   string
		seed   uint64
		vessel string
		right  bool
	}{
		{"last ship reported there only after the container left", 838642709605, "MAERSK HANOI", true},
		{"latest estimate", 168340688969, "CMA CGM JULES VERNE", true},
		{"aboard, and no other ship is reported or planned there", 904249406582, "EVER GOLDEN", true},
		{"loaded, and discharged from a ship that nobody names", 608522249800, "EVER GOLDEN", true},
		{"the next ship is planned and reported there", 992479904740, "EVER GOLDEN", false},
		{"the latest estimate names another ship", 634299557940, "MAERSK HANOI", false},
		{"left the port of transshipment before the container came", 231214517588, "MAERSK HANOI", false},
		{"another ship is reported there", 643164169718, "EVER GOLDEN", false},
	} {
		if got := New(test.seed).Expect().Shipments[0].PODVesselName.Accepts(test.vessel); got != test.right {
			t.Errorf("%s: seed %d: %s accepted: %t, want %t", test.name, test.seed, test.vessel, got, test.right)
		}
	}
	for _, test := range []struct {
		name      string
		seed      uint64
		container string
		at        string
		right     bool
	}{
		{"nothing names the port of transshipment, or another ship", 395818010610, "HLXU5562661", "2025-07-28T23:35:37Z", true},
		{"stated port of discharge, left the sea elsewhere without a word", 1050077913863, "HLXU2669337", "2025-03-27T10:42:00Z", true},
		{"stated port of discharge, and only an empty return elsewhere afterwards", 1088235510757, "ONEU0098320", "2025-06-07T20:00:41Z", true},
		{"stated port of discharge, and it left another by land before", 8160, "CMAU6059510", "2025-09-08T02:17:22Z", false},
		{"carried past, and its ship came back after it met the feeder", 919440675, "TCLU6654630", "2025-06-03T04:44:00Z", false},
		{"others came off at the port of transshipment", 651337993171, "TGHU3381171", "2025-07-06T09:53:55Z", false},
		{"its discharge names another ship", 687938756932, "ONEU9303196", "2025-06-25T17:15:00Z", false},
	} {
		if got := containerOf(t, test.seed, test.container).PODArrivedAt.Accepts(at(t, test.at)); got != test.right {
			t.Errorf("%s: seed %d: %s accepted: %t, want %t", test.name, test.seed, test.at, got, test.right)
		}
	}
}

// A call aboard is required until the container may have left the ship.
func TestRequiredUntilItMayHaveLeft(t *testing.T) {
	for _, test := range []struct {
		name      string
		seed      uint64
		container string
		event     string
		locode    string
		at        string
		required  bool
	}{
		{"its first call after the load", 464942815349, "TCLU6291299", "transshipment_arrived", "CNNGB", "2025-07-04T04:18:37Z", true},
		{"the next ship called there too", 865523374351, "TCLU1050811", "transshipment_departed", "JPYOK", "2025-02-03T08:32:15Z", false},
		{"one of four was carried past the port of discharge", 967839035171, "MSKU0675308", "transshipment_arrived", "DEHAM", "2025-04-10T01:46:35Z", false},
		{"the only container was carried past it", 206315048222, "TGHU0560390", "transshipment_arrived", "FRLEH", "2025-08-02T22:14:17Z", true},
	} {
		shown := ShownMilestone{Event: test.event, LOCODE: test.locode, At: at(t, test.at)}
		expected := containerOf(t, test.seed, test.container)
		i := slices.IndexFunc(expected.Milestones, func(m Milestone) bool { return m.Matches(shown) })
		if i < 0 {
			t.Fatalf("%s: seed %d: not accepted", test.name, test.seed)
		}
		if got := expected.Milestones[i].Required; got != test.required {
			t.Errorf("%s: seed %d: required: %t, want %t", test.name, test.seed, got, test.required)
		}
	}
}

func containerOf(t *testing.T, seed uint64, number string) ContainerExpectation {
	t.Helper()
	all := New(seed).Expect().Containers
	i := slices.IndexFunc(all, func(c ContainerExpectation) bool { return c.Number == number })
	if i < 0 {
		t.Fatalf("seed %d: no container %s", seed, number)
	}
	return all[i]
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return moment
}
