package journey

import (
	"testing"

	"github.com/landfallhq/tracking/internal/simulation"
)

// TestMendedJourneys judges simulated journeys that were wrong, one for each rule that was missing. Each
// of them failed at commit 781a3cf6, or with a rule that was tried. The rows of TestChangesOfShips have those that were found before.
func TestMendedJourneys(t *testing.T) {
	for _, row := range []struct {
		rule string
		seed uint64
	}{
		{"its own plan has the port where the ship of a leg loads it", 373836926108},
		{"it changed ships, by its own plans, between two legs that are known", 623809132001},
		{"so it did before the first known leg", 218810784134},
		{"days after the planned time, the ship calls at a port once more", 692268537690},
		{"its own plan diverts it, and nothing reports its load", 165147597464},
		{"it was picked up empty where another ship called, and loaded elsewhere", 955610175999},
		{"facts call its ship by number, by name or by voyage", 812014186322},
		{"loaded by the name of a ship, it comes off under the number", 940038010682},
		{"two names of a ship that are joined show a third", 311468835332},
		{"the ship sailed on from a port after the last one that it is known to have reached", 729518252666},
		{"it comes off at another port after its ship called at the stated POD", 442735390403},
		{"the other ship is only reported at the stated port of transshipment", 644252715624},
		{"another ship that lay where it came off had left before it came", 18650040918},
		{"nothing is reported of it, and its ship called at the port of transshipment", 383210799657},
		{"it is loaded and comes off again, while another ship leaves", 91888947623},
		{"it called at the first port of the shipment only after it had changed ships", 40209246623},
		{"the newer plan is that of another container", 885229478357},
		{"a day of a plan begins after it had left by land", 665128922937},
		{"by its own plans another ship brought it to where it leaves by land", 15398094049},
		{"its own plan has another ship bring it to a port nearby", 922459288729},
		{"a ship that nobody names brought it to where it was diverted", 992821909862},
		{"a feeder lay where it came off a main vessel", 1050720898525},
		{"it came off where another container ended its voyage, and went on", 1097791064989},
		{"it is returned empty at a later port of the ship that put all others ashore", 223770817129},
		{"its ship sailed on toward the stated POD, where it is not reported", 81808540987},
		{"its own plan has its ship load it later, at another port", 932635600661},
		{"it leaves the POD by barge, where its planned ship is not reported", 306976454079},
		{"it is returned empty to its POL", 181105165954},
		{"a ship leaves that came only after the load", 99381575990},
		{"no load is reported, and another ship called at the port, too", 776001072499},
		{"no load is reported, and two ships were planned to take two containers", 428598825265},
		{"no load is reported, and another ship called at a port on the way", 389447767093},
		{"a discharge names its ship, which another one met where it may have boarded", 842067088478},
		{"it leaves by land hours after its ship came to another port", 991814202161},
		{"it leaves by land where two ships came that had met before", 713708599815},
		{"its ship is not reported when it was loaded, and another one may have lain there", 816389669704},
		{"its ship was due at the hub, called elsewhere, and came there only after that", 849213632258},
		{"a third ship may have taken it from the first to the second", 563922186798},
		{"nobody says where it boarded a ship that did not call at the POL of its shipment", 405006433013},
		{"a train took it on after a discharge on the way", 928894485852},
		{"its own plan has a ship load it in the hour of a load that names none", 40033990078},
		{"two ships of a plan, and a load that names none", 413643006691},
		{"it leaves an inland place by land, and nobody states the POD", 964817535245},
		{"its ship went on to the stated hub, where nobody reports it", 565200173376},
		{"its ship is to put it ashore at a hub, by the last of its plans", 703255285154},
		{"it was loaded on the ship of the older plan", 906875663543},
		{"the only container of a shipment is planned onto another ship before its own one sails", 651794121564},
		{"it is on a train, and no sea move of it is reported", 727146338782},
		{"its ship went on to the stated hub, where neither ship is reported", 532668183050},
		{"its ship went on to the stated hub after the last port that is reported", 388384583344},
		{"it comes off where it was loaded, by another name of the ship", 700155505696},
		{"another ship than that of the leg came from the hub where it was loaded", 1093196074397},
		{"another ship was planned later to bring it to the POD, and called where it came off", 1089100104840},
	} {
		t.Run(row.rule, func(t *testing.T) {
			for _, f := range judgeJourney(simulation.New(row.seed)) {
				t.Errorf("LANDFALL_WORLD=%d: %s", row.seed, f)
			}
		})
	}
}
