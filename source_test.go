package tracking_test

import (
	"testing"

	"github.com/landfallhq/tracking/freight"
)

// TestQueryNames: facts are the asked number's in whatever spelling carriers use.
func TestQueryNames(t *testing.T) {
	asked := func(typ freight.RequestType, number string) freight.SourceQuery {
		return freight.SourceQuery{Number: number, Type: typ, SCAC: "MAEU"}
	}
	for _, c := range []struct {
		query freight.SourceQuery
		typ   freight.RequestType
		named string
		want  bool
	}{
		{asked(freight.BillOfLading, "MAEU123456789"), freight.BillOfLading, "123456789", true},
		{asked(freight.BillOfLading, "123456789"), freight.BillOfLading, "maeu 123-456-789", true},
		{asked(freight.BillOfLading, "123456789"), freight.BookingNumber, "123456789", true},
		{asked(freight.BillOfLading, "123456789"), freight.BillOfLading, "123456780", false},
		{asked(freight.BillOfLading, "123456789"), freight.BillOfLading, "", false},
		{asked(freight.BillOfLading, "123456789"), freight.BillOfLading, "MSCU123456789", false},
		{asked(freight.ContainerNumber, "mskU 946577-0"), freight.ContainerNumber, "MSKU9465770", true},
		{asked(freight.ContainerNumber, "MSKU9465770"), freight.BookingNumber, "MSKU9465770", false},
		{asked(freight.BookingNumber, "MSKU9465770"), freight.ContainerNumber, "MSKU9465770", false},
	} {
		if got := c.query.Names(freight.ShipmentNumber{Type: c.typ, Number: c.named}); got != c.want {
			t.Errorf("asked for %s %q: named by %s %q is %v", c.query.Type, c.query.Number, c.typ, c.named, got)
		}
	}
}
