package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/landfallhq/tracking/freight"
)

// Limits of a fact.
const (
	maxList = 100 // references, holds and fees
	maxText = 255 // bytes of a text
)

// The values that members of a fact can have.
var (
	activities = []freight.Activity{freight.GateOut, freight.GateIn, freight.Loading, freight.Discharge, freight.Departure, freight.Arrival, freight.Berth, freight.Delivery, freight.PickupAvailable, freight.PickupUnavailable,
		freight.CustomsHold, freight.CustomsRelease, freight.TerminalStatus, freight.Route, freight.Booked, freight.Cancelled, freight.Described, freight.Other}
	classifiers = []freight.Classifier{"", freight.Actual, freight.Estimated, freight.Planned}
	modes       = []freight.Mode{"", freight.ByVessel, freight.ByFeeder, freight.ByBarge, freight.ByRail, freight.ByTruck}
	loads       = []freight.LoadStatus{"", freight.Empty, freight.Laden}
	roles       = []freight.Role{"", freight.RolePOL, freight.RoleTS, freight.RolePOD, freight.RoleDestination}
	dataSources = []freight.DataSource{"", freight.FromShippingLine, freight.FromTerminal, freight.FromAIS, freight.ByHand}
	holdNames   = []string{"freight", "customs", "USDA", "VACIS", "TMF", "other"}
	holdStates  = []string{"pending", "hold"}
	feeTypes    = []string{"demurrage", "exam", "extended_dwell_time", "other", "total"}
	numberTypes = []freight.RequestType{freight.BillOfLading, freight.BookingNumber, freight.ContainerNumber}
)

// Check refuses a report with an error that has the path. Implausible values are
// accepted: the derivation warns of them.
func Check(r freight.Report) error {
	if fault := checkHead(r); fault != nil {
		return fault
	}
	for i := range r.Facts {
		if fault := checkFact(&r.Facts[i]); fault != nil {
			fault.Field = fmt.Sprintf("facts[%d].%s", i, fault.Field)
			return fault
		}
	}
	return nil
}

// checkHead checks all of a report but its facts.
func checkHead(r freight.Report) *Fault {
	if r.Source == "" || len(r.Source) > 64 || !printable(r.Source) {
		return faultf("source", "source names who reports: 1 to 64 printable characters")
	}
	if !slices.Contains(dataSources, r.DataSource) {
		return wordError("data_source", string(r.DataSource), dataSources)
	}
	if fault := tooManyFacts(len(r.Facts)); fault != nil {
		return fault
	}
	return checkSCAC(r.SCAC)
}

// IsSCAC reports whether a text has the form of a SCAC: two to four capital letters or
// digits.
func IsSCAC(s string) bool {
	return len(s) >= 2 && len(s) <= 4 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

func checkSCAC(scac string) *Fault {
	if scac == "" || IsSCAC(strings.ToUpper(scac)) {
		return nil
	}
	return faultf("scac", "'%s' is no SCAC: two to four letters or digits", scac)
}

func wordError[T ~string](field, got string, words []T) *Fault {
	var known []string
	for _, w := range words {
		if w != "" {
			known = append(known, string(w))
		}
	}
	return faultf(field, "'%s' is not one of %s", got, strings.Join(known, ", "))
}

// checkFact returns the first fault of a fact, its path relative to the fact.
func checkFact(f *freight.Fact) *Fault {
	if f.Retracted && f.ID == "" {
		return faultf("id", "a retraction names the fact that it takes back")
	}
	switch {
	case !slices.Contains(activities, f.Activity) && !(f.Retracted && f.Activity == ""):
		return wordError("event", string(f.Activity), activities)
	case !slices.Contains(classifiers, f.Classifier):
		return wordError("classifier", string(f.Classifier), classifiers)
	case !slices.Contains(modes, f.Mode):
		return wordError("mode", string(f.Mode), modes)
	case !slices.Contains(loads, f.LoadStatus):
		return wordError("load", string(f.LoadStatus), loads)
	case !slices.Contains(dataSources, f.DataSource):
		return wordError("data_source", string(f.DataSource), dataSources)
	case !slices.Contains(roles, f.Place.Role):
		return wordError("place.role", string(f.Place.Role), roles)
	case len(f.Numbers) > 20:
		return faultf("numbers", "a fact names at most 20 numbers")
	case len(f.Containers) > 1000:
		return faultf("containers", "a fact names at most 1000 containers")
	case len(f.References) > maxList:
		return faultf("references", "a fact names at most %d references", maxList)
	case len(f.Payload) > 0 && !json.Valid(f.Payload):
		return faultf("payload", "a payload is JSON")
	case !(f.Equipment.WeightKg >= 0 && f.Equipment.WeightKg <= 1e6):
		return faultf("equipment.weight_kg", "a weight is between 0 and 1000000 kg")
	}
	if fault := cmp.Or(checkSCAC(f.SCAC), checkTexts(f)); fault != nil {
		return fault
	}
	for i, n := range f.Numbers {
		if !slices.Contains(numberTypes, n.Type) {
			return wordError(fmt.Sprintf("numbers[%d].type", i), string(n.Type), numberTypes)
		}
		if freight.FoldNumber(n.Number) == "" || len(n.Number) > MaxNumber {
			return faultf(fmt.Sprintf("numbers[%d].number", i), "a number has 1 to %d characters, letters or digits among them", MaxNumber)
		}
	}
	for i, n := range f.Containers {
		if freight.FoldNumber(n) == "" || len(n) > 20 {
			return faultf(fmt.Sprintf("containers[%d]", i), "a container number has 1 to 20 characters, letters or digits among them")
		}
	}
	return checkTerminal(f.Terminal)
}

// checkTexts bounds the texts of a fact.
func checkTexts(f *freight.Fact) *Fault {
	p := &f.Place
	for _, t := range [...]struct{ field, text string }{
		{"id", f.ID}, {"place.locode", p.LOCODE}, {"place.name", p.Name}, {"place.smdg_code", p.SMDG},
		{"place.bic_facility_code", p.BIC}, {"place.facility", p.Facility}, {"place.facility_type", p.FacilityType},
		{"vessel.imo", f.Vessel.IMO}, {"vessel.name", f.Vessel.Name}, {"voyage", f.Voyage}, {"original_event", f.Original},
		{"equipment.iso_type", f.Equipment.ISOType},
	} {
		if !isText(t.text) {
			return textError(t.field)
		}
	}
	for _, list := range [...]struct {
		field string
		texts []string
	}{{"references", f.References}, {"equipment.seals", f.Equipment.Seals}, {"containers", f.Containers}} {
		for i, text := range list.texts {
			if !isText(text) {
				return textError(fmt.Sprintf("%s[%d]", list.field, i))
			}
		}
	}
	for i, n := range f.Numbers {
		if !isText(n.Number) {
			return textError(fmt.Sprintf("numbers[%d].number", i))
		}
	}
	if t := f.Terminal; t != nil && !isText(t.Yard) {
		return textError("terminal.yard_location")
	} else if t != nil && !isText(t.Chassis) {
		return textError("terminal.chassis_number")
	}
	return nil
}

func isText(s string) bool { return len(s) <= maxText && printable(s) }

func textError(field string) *Fault {
	return faultf(field, "a text has at most %d bytes, of UTF-8 without control characters", maxText)
}

func checkTerminal(t *freight.TerminalFacts) *Fault {
	if t == nil {
		return nil
	}
	if len(t.Holds) > maxList || len(t.Fees) > maxList {
		return faultf("terminal", "at most %d holds and %d fees", maxList, maxList)
	}
	for i, h := range t.Holds {
		if !slices.Contains(holdNames, h.Name) {
			return wordError(fmt.Sprintf("terminal.holds[%d].name", i), h.Name, holdNames)
		}
		if !slices.Contains(holdStates, h.Status) {
			return wordError(fmt.Sprintf("terminal.holds[%d].status", i), h.Status, holdStates)
		}
		if h.Description != nil && (len(*h.Description) > 1000 || !printable(*h.Description)) {
			return faultf(fmt.Sprintf("terminal.holds[%d].description", i), "a description has at most 1000 bytes, of UTF-8 without control characters")
		}
	}
	for i, fee := range t.Fees {
		if !slices.Contains(feeTypes, fee.Type) {
			return wordError(fmt.Sprintf("terminal.fees[%d].type", i), fee.Type, feeTypes)
		}
		if !(fee.Amount >= 0 && fee.Amount <= 1e12) || len(fee.CurrencyCode) != 3 {
			return faultf(fmt.Sprintf("terminal.fees[%d]", i), "a fee has an amount of at least 0 and a currency code of three letters")
		}
	}
	return nil
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}
