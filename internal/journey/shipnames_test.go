package journey

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/freight"
)

// TestShipsUnderTwoNames: what facts call by different identifiers, and no fact by two of them, is
// one ship where the moves of one fit into the stays of the other and of no other ship.
func TestShipsUnderTwoNames(t *testing.T) {
	sea := by(freight.ByVessel)
	number, name, voyage := on("9000003", ""), on("", "Queen Maud"), func(f *LoggedFact) { f.Voyage = "158E" }
	sailed := func(place string, day int, ship change) LoggedFact {
		return tell(freight.Departure, place, day, sea, about(), ship)
	}
	reached := func(place string, day int, ship change) LoggedFact {
		return tell(freight.Arrival, place, day, sea, about(), ship)
	}
	loaded := tell(freight.Loading, "CNSHA", 10, sea, number)
	pod := tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD))
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		{"it comes off by name where the ship lies by number", []LoggedFact{
			pod, loaded, reached("NLRTM", 40, number), tell(freight.Discharge, "NLRTM", 41, sea, name), sailed("NLRTM", 42, number),
		}, "[vessel_loaded@CNSHA vessel_arrived@NLRTM vessel_discharged@NLRTM] {9000003 Queen Maud}"},
		{"a voyage number is reported where the ship lay", []LoggedFact{
			pod, tell(freight.Loading, "CNSHA", 10, sea, voyage), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, voyage), reached("NLRTM", 40, first), tell(freight.Discharge, "NLRTM", 41, sea, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM] {9321483 King}"},
		{"another ship lay there, too", []LoggedFact{
			pod, loaded, reached("NLRTM", 40, number), reached("NLRTM", 40, on("9000004", "")), tell(freight.Discharge, "NLRTM", 41, sea, name), sailed("NLRTM", 42, number),
		}, "[vessel_loaded@CNSHA vessel_arrived@NLRTM vessel_discharged@NLRTM] { Queen Maud}"},
		{"the other ship was elsewhere", []LoggedFact{
			pod, loaded, reached("NLRTM", 36, number), reached("DEHAM", 39, number), tell(freight.Discharge, "NLRTM", 41, sea, name),
		}, "[vessel_loaded@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM vessel_discharged@NLRTM] { Queen Maud}"},
		{"it is loaded by number where the ship lies by name, and comes off by name", []LoggedFact{
			pod, reached("CNSHA", 9, name), loaded, sailed("CNSHA", 11, number), tell(freight.Discharge, "NLRTM", 41, sea, name), sailed("NLRTM", 42, name),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM] {9000003 Queen Maud}"},
		{"it is loaded by number, comes off by name where the ship lies by number, and the name is reported elsewhere, too", []LoggedFact{
			pod, sailed("KRPUS", 6, name), loaded, tell(freight.Discharge, "NLRTM", 41, sea, name), sailed("NLRTM", 42, number),
		}, "[vessel_loaded@CNSHA vessel_discharged@NLRTM] {9000003 Queen Maud}"},
		{"a voyage number arrives where one ship has loaded", []LoggedFact{
			pod, tell(freight.Loading, "CNSHA", 10, sea, first), tell(freight.Discharge, "SGSIN", 16, sea, first), tell(freight.Loading, "SGSIN", 20, sea, number),
			tell(freight.Arrival, "SGSIN", 22, sea, about(), voyage), reached("NLRTM", 40, number),
		}, "[vessel_loaded@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN vessel_arrived@NLRTM] {9000003 }"},
		{"it is loaded by a voyage number where one ship lay", []LoggedFact{
			pod, reached("CNSHA", 9, number), tell(freight.Loading, "CNSHA", 10, sea, voyage), sailed("CNSHA", 11, voyage), reached("NLRTM", 40, number),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM] {9000003 }"},
	}
	for _, row := range rows {
		j := deriveTest(row.facts)
		check(t, row.name, fmt.Sprint(told(t, j, box1), " ", j.PODVessel), row.want)
	}
}
