package tracking_test

import (
	"testing"

	"github.com/landfallhq/tracking"
)

// TestQueryNames: facts are the asked number's in whatever spelling carriers use.
func TestQueryNames(t *testing.T) {
	asked := func(typ tracking.RequestType, number string) tracking.SourceQuery {
		return tracking.SourceQuery{Number: number, Type: typ, SCAC: "MAEU"}
	}
	for _, c := range []struct {
		query tracking.SourceQuery
		typ   tracking.RequestType
		named string
		want  bool
	}{
		{asked(tracking.BillOfLading, "MAEU123456789"), tracking.BillOfLading, "123456789", true},
		{asked(tracking.BillOfLading, "123456789"), tracking.BillOfLading, "maeu 123-456-789", true},
		{asked(tracking.BillOfLading, "123456789"), tracking.BookingNumber, "123456789", true},
		{asked(tracking.BillOfLading, "123456789"), tracking.BillOfLading, "123456780", false},
		{asked(tracking.BillOfLading, "123456789"), tracking.BillOfLading, "", false},
		{asked(tracking.BillOfLading, "123456789"), tracking.BillOfLading, "MSCU123456789", false},
		{asked(tracking.ContainerNumber, "mskU 946577-0"), tracking.ContainerNumber, "MSKU9465770", true},
		{asked(tracking.ContainerNumber, "MSKU9465770"), tracking.BookingNumber, "MSKU9465770", false},
		{asked(tracking.BookingNumber, "MSKU9465770"), tracking.ContainerNumber, "MSKU9465770", false},
	} {
		if got := c.query.Names(tracking.ShipmentNumber{Type: c.typ, Number: c.named}); got != c.want {
			t.Errorf("asked for %s %q: named by %s %q is %v", c.query.Type, c.query.Number, c.typ, c.named, got)
		}
	}
}
