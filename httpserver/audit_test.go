package httpserver_test

import (
	"slices"

	"github.com/landfallhq/tracking"
)

// unaudited are the successes that are no reads and change no record, and the bytes of an
// upload, which a signed URL without a key brings.
var unaudited = []string{
	"shipment-resume", "container-undelivered", // were not stopped and not delivered
	"infer-container", "infer-wrong-check-digit", "infer-bill-of-lading", "infer-several", "infer-house-bill", "infer-booking",
	"webhook-trigger", "webhook-trigger-slack", "blob-put", "charges-sheet", "charges-sheet-csv",
}

// audited checks that a success of this name is in the audit log, with the ID of its
// request, its key and an address.
func (b *bench) audited(name string, a *response) {
	b.tb.Helper()
	events, _, err := b.Operator.For(tracking.Actor{Account: b.mine.account}).AuditEvents(b.tb.Context(), tracking.AuditEventQuery{}, tracking.Page{Number: 1, Size: 100})
	if err != nil {
		b.tb.Fatal(err)
	}
	at := slices.IndexFunc(events, func(e *tracking.AuditEvent) bool { return e.RequestID == a.header.Get("X-Request-Id") })
	if slices.Contains(unaudited, name) {
		if at >= 0 {
			b.tb.Errorf("%s is in the audit log as %s", name, events[at].Operation)
		}
		return
	}
	if at < 0 {
		b.tb.Errorf("%s is not in the audit log", name)
		return
	}
	if e := events[at]; e.Key != b.mine.keyID || e.ClientAddress == "" || len(e.ResourceIDs) == 0 {
		b.tb.Errorf("%s: %+v", name, e)
	}
}
