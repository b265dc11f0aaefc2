package assignment

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
)

// answer reads the facts of an answer, as facts does: "*" is of another line.
func answer(texts ...string) (list []Forms) {
	for _, text := range texts {
		text, other := strings.CutSuffix(text, "*")
		f := facts(text)[0]
		one := Forms{Documents: f.Documents, Bookings: f.Bookings, Units: f.Units, OtherLine: other}
		if other {
			one = Forms{OtherLine: true}
		}
		list = append(list, one)
	}
	return list
}

func TestOwnFacts(t *testing.T) {
	const document, booking, container = freight.BillOfLading, freight.BookingNumber, freight.ContainerNumber
	for _, tt := range []struct {
		name   string
		typ    freight.RequestType
		own    string
		stored string
		facts  []string
		want   string // a digit for each fact
	}{
		{"its number", document, "L1", "", []string{"L1", "L2", "L1 L2"}, "101"},
		{"without numbers", document, "L1", "", []string{"", "*"}, "10"},
		{"its booking in the answer", document, "L1", "", []string{"L1 K1", "K1", "K2"}, "110"},
		{"its booking as stored", document, "L1", "K1", []string{"K1", "K2"}, "10"},
		{"another document of its booking", document, "L1", "", []string{"L1 K1", "L2 K1"}, "10"},
		{"a document of the booking", booking, "K1", "", []string{"K1 L1", "L1", "L2"}, "110"},
		{"a document of the container", container, "U1", "", []string{"U1 L1", "L1 K1", "K1", "L2"}, "1110"},
		{"only the documents named with the number itself", booking, "K1", "", []string{"K1 L1", "L1 L2", "L2"}, "110"},
	} {
		got := ""
		for _, own := range OwnFacts(answer(tt.facts...), tt.typ, strings.Fields(tt.own), strings.Fields(tt.stored)) {
			got += map[bool]string{true: "1", false: "0"}[own]
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestOwnFactsInAnyOrder: which facts are kept does not depend on their order, and those
// with the number are kept.
func TestOwnFactsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{"", "L1", "L2", "K1", "K2", "L1 K1", "L2 K1", "U1 L1", "U1 K2", "*"}), 1, 6).Draw(t, "facts")
		number := rapid.SampledFrom([]struct {
			typ  freight.RequestType
			text string
		}{{freight.BillOfLading, "L1"}, {freight.BookingNumber, "K1"}, {freight.ContainerNumber, "U1"}}).Draw(t, "number")
		own := func(texts []string) []bool {
			return OwnFacts(answer(texts...), number.typ, []string{number.text}, nil)
		}
		there := own(texts)
		slices.Reverse(texts)
		back := own(texts)
		slices.Reverse(back)
		slices.Reverse(texts)
		if !slices.Equal(there, back) {
			t.Errorf("%q: %v, in reverse %v", texts, there, back)
		}
		for i, text := range texts {
			if strings.Contains(text, number.text) && !there[i] {
				t.Errorf("%q with %s is dropped", text, number.text)
			}
		}
	})
}
