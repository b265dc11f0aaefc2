package tracking_test

import (
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
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

// TestSourceWithUnknownReason: the reason of a source that is none of the published ones is
// a fault of the source, and not shown.
func TestSourceWithUnknownReason(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("MAEU123456789", fails("out of coffee"))
	r := create(t, b, tracking.NewTrackingRequest{Number: "MAEU123456789", Type: tracking.BillOfLading, SCAC: "MAEU"})
	if _, err := b.RunOnce(ctx); err != nil {
		t.Fatal(err)
	}
	if r = request(t, b, r.ID); r.FailedReason != freight.ProcessingError || !r.IsRetrying {
		t.Errorf("failed_reason %q, is_retrying %v; want %q and another try", r.FailedReason, r.IsRetrying, freight.ProcessingError)
	}
}

func TestSourcesAreKeyedBySCAC(t *testing.T) {
	for key, allowed := range map[string]bool{"MAEU": true, "ANL": true, "": false, "maeu": false, "MAERSK": false, "11WJ": true, "MA-U": false} {
		_, err := tracking.New(tracking.Config{Store: memory.New(), Sources: tracking.Sources{key: trackingtest.New(t).Source}})
		if (err == nil) != allowed {
			t.Errorf("key %q: error %v, want it allowed: %v", key, err, allowed)
		}
	}
}
