package assignment

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
)

func document(n string) freight.ShipmentNumber {
	return freight.ShipmentNumber{Type: freight.BillOfLading, Number: n}
}

func booking(n string) freight.ShipmentNumber {
	return freight.ShipmentNumber{Type: freight.BookingNumber, Number: n}
}

func unit(n string) freight.ShipmentNumber {
	return freight.ShipmentNumber{Type: freight.ContainerNumber, Number: n}
}

func TestIsFollowedBy(t *testing.T) {
	type numbers = []freight.ShipmentNumber
	for _, tt := range []struct {
		name string
		of   Identity
		by   freight.ShipmentNumber
		scac string
		want bool
	}{
		{"the number", Identity{Followed: document("123 456"), SCAC: "MAEU"}, document("123456"), "MAEU", true},
		{"with the prefix of the line", Identity{Followed: document("123456"), SCAC: "MAEU"}, document("MAEU123456"), "MAEU", true},
		{"of an unknown line", Identity{Followed: document("123456"), SCAC: "MAEU"}, document("123456"), "", true},
		{"of another line", Identity{Followed: document("123456"), SCAC: "MAEU"}, document("123456"), "MSCU", false},
		{"another number", Identity{Followed: document("123456"), SCAC: "MAEU"}, document("123457"), "MAEU", false},
		{"as a booking", Identity{Followed: document("123456"), SCAC: "MAEU"}, booking("123456"), "MAEU", true},
		{"both a document and a booking", Identity{document("123456"), "MAEU", numbers{document("MAEU123456"), booking("123456")}}, booking("123456"), "MAEU", false},
		{"both, of the type that it is tracked by", Identity{document("123456"), "MAEU", numbers{document("MAEU123456"), booking("123456")}}, document("123456"), "MAEU", true},
		{"a container by its number", Identity{Followed: unit("MSKU1234565")}, unit("msku 123456-5"), "", true},
		{"a container as a document", Identity{Followed: unit("MSKU1234565")}, document("MSKU1234565"), "", false},
		{"a number that facts name only", Identity{document("123456"), "MAEU", numbers{document("999999")}}, document("999999"), "MAEU", false},
	} {
		if got := tt.of.IsFollowedBy(tt.by, tt.scac); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestIdentityKeys: every number is found by its own forms, and container numbers only by
// Keys and NamesContainer.
func TestIdentityKeys(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) freight.ShipmentNumber {
		typ := rapid.SampledFrom([]freight.RequestType{freight.BillOfLading, freight.BookingNumber, freight.ContainerNumber}).Draw(t, "type")
		return freight.ShipmentNumber{Type: typ, Number: rapid.StringMatching("[A-Z]{0,2}[0-9]{4,6}").Draw(t, "number")}
	})
	rapid.Check(t, func(t *rapid.T) {
		i := Identity{number.Draw(t, "followed"), rapid.SampledFrom([]string{"", "MAEU"}).Draw(t, "line"), rapid.SliceOfN(number, 0, 3).Draw(t, "named")}
		all, documents := i.Keys(), i.DocumentKeys()
		for _, n := range append([]freight.ShipmentNumber{i.Followed}, i.Named...) {
			container := n.Type == freight.ContainerNumber
			if container && !i.NamesContainer(n.Number) {
				t.Fatalf("%v is not among its containers", n)
			}
			for _, k := range n.Keys(i.SCAC) {
				if !slices.Contains(all, k) || !container && !slices.Contains(documents, k) {
					t.Fatalf("%s is not among its keys", k)
				}
			}
		}
		if container := i.Followed.Type == freight.ContainerNumber; container != (len(i.FollowedKeys()) == 0) {
			t.Fatalf("the followed keys are %q", i.FollowedKeys())
		}
		if !i.IsFollowedBy(i.Followed, i.SCAC) {
			t.Fatal("it is not followed by its own number")
		}
		if extra := slices.DeleteFunc(documents, func(k string) bool { return slices.Contains(all, k) }); len(extra) > 0 {
			t.Fatalf("%q are keys of documents only", extra)
		}
	})
}
