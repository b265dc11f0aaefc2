package tracking_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// auditLines returns the audit log of the account, first to last: who, what, which members.
func auditLines(t *testing.T, b *trackingtest.Bench) (lines []string) {
	t.Helper()
	list, total, err := b.Tracker.AuditEvents(ctx, tracking.AuditEventQuery{}, tracking.Page{})
	if err != nil || total != len(list) {
		t.Fatal(err, total, len(list))
	}
	for _, e := range slices.Backward(list) {
		if len(e.ResourceIDs) == 0 || e.CreatedAt.IsZero() || !strings.HasPrefix(e.Operation, e.ResourceType+".") {
			t.Errorf("%+v", e)
		}
		lines = append(lines, strings.TrimSpace(e.ActorType+" "+e.Operation+" "+strings.Join(e.Changed, ",")))
	}
	return lines
}

// TestAuditLog: each operation that changes something is one entry, with the names of what
// changed; what changes nothing, is refused or follows from facts is none.
func TestAuditLog(t *testing.T) {
	b := trackingtest.New(t)
	user, err := b.Users().Create(ctx, tracking.NewUser{Name: "Kim", Email: "kim@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	_, key := newKey(t, b, tracking.NewKey{Account: b.Account.Scope(), User: user.ID})
	byKey := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Key: key.ID, User: user.ID, RequestID: "r1", ClientAddress: "192.0.2.1"})
	receipt, err := byKey.Ingest(ctx, api(voyage("B1")...))
	if err != nil {
		t.Fatal(err)
	}
	ingest(t, b, api(voyage("B2")...)) // by the embedding program
	shipment := receipt.ShipmentIDs[0]
	for range 2 { // the second changes nothing
		if _, err := byKey.UpdateShipment(ctx, shipment, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"late"})}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := byKey.UpdateShipment(ctx, tracking.ID{1}, tracking.ShipmentUpdate{}); err == nil {
		t.Fatal("a shipment that does not exist was changed")
	}
	once := tracking.Once{Key: "k"}
	for range 2 { // the second is the first again
		if _, err := byKey.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"}, once); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := byKey.StopTracking(ctx, shipment); err != nil {
		t.Fatal(err)
	}
	list, _, err := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := byKey.UpdateContainer(ctx, list[0].ID, tracking.ContainerUpdate{RefNumbers: tracking.Set([]string{"PO"})}); err != nil {
		t.Fatal(err)
	}
	if err := b.Operator.RevokeKey(ctx, key.ID); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"operator account.create", "operator user.create", "operator api_key.create", "key report.create", "key shipment.update tags", "key party.create",
		"key shipment.stop_tracking line_tracking_stopped_by_user,line_tracking_stopped_at,line_tracking_stopped_reason", "key container.update ref_numbers", "operator api_key.revoke",
	}
	if diff := cmp.Diff(want, auditLines(t, b)); diff != "" {
		t.Error(diff)
	}

	events, total, err := b.Tracker.AuditEvents(ctx, tracking.AuditEventQuery{ResourceTypes: []string{"report"}, Keys: []tracking.ID{key.ID}}, tracking.Page{})
	if err != nil || total != 1 {
		t.Fatal(total, err)
	}
	counts := map[string]int{"facts": receipt.Facts, "new": receipt.New, "shipments": 1, "containers": receipt.Containers, "events": receipt.Events}
	e := events[0]
	if e.Key != key.ID || e.User != user.ID || e.RequestID != "r1" || e.ClientAddress != "192.0.2.1" || !slices.Equal(e.ResourceIDs, receipt.ShipmentIDs) || !cmp.Equal(e.Counts, counts) {
		t.Errorf("%+v", e)
	}
	if _, total, _ = b.Tracker.AuditEvents(ctx, tracking.AuditEventQuery{Resources: []tracking.ID{shipment}}, tracking.Page{}); total != 3 {
		t.Errorf("%d events are about the shipment", total)
	}

	mayShow := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: []tracking.Permission{tracking.Show}})
	if _, _, err := mayShow.AuditEvents(ctx, tracking.AuditEventQuery{}, tracking.Page{}); !isKind(err, tracking.Forbidden) {
		t.Errorf("without admin: %v", err)
	}
	if _, err := mayShow.Rendered().List(ctx, tracking.AuditEventQuery{}, tracking.Page{}, nil); !isKind(err, tracking.Forbidden) {
		t.Errorf("rendered, without admin: %v", err)
	}
	if _, total, err := b.Operator.AuditEvents(ctx, tracking.AuditEventQuery{}, tracking.Page{}); err != nil || total != 0 {
		t.Errorf("%d events are in no account: %v", total, err)
	}
}

// TestAuditHasNoSecrets: of a secret only the name of its member is recorded.
func TestAuditHasNoSecrets(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) { c.MasterKey = []byte(strings.Repeat("k", 32)) })
	w, err := b.CreateWebhook(ctx, tracking.NewWebhook{URL: "https://example.com/a", Events: []tracking.EventName{"container.created"}})
	if err != nil {
		t.Fatal(err)
	}
	rotated, err := b.RotateSecret(ctx, w.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.UpdateWebhook(ctx, w.ID, tracking.WebhookUpdate{Headers: tracking.Set([]tracking.Header{{Name: "X-Key", Value: "hush-hush"}})}); err != nil {
		t.Fatal(err)
	}
	want := []string{"operator account.create", "operator webhook.create", "operator webhook.rotate_secret secret_overlap_until,secret", "operator webhook.update headers"}
	got := auditLines(t, b)
	for i, line := range got {
		words := strings.Split(line, " ")
		if len(words) == 3 {
			names := strings.Split(words[2], ",")
			slices.Sort(names)
			got[i] = words[0] + " " + words[1] + " " + strings.Join(names, ",")
		}
	}
	want[2] = "operator webhook.rotate_secret secret,secret_overlap_until"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s, err := b.Tracker.Rendered().List(ctx, tracking.AuditEventQuery{}, tracking.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Rows {
		for _, secret := range []string{w.Secret, rotated.Secret, "hush"} {
			if strings.Contains(string(r.Doc), secret) {
				t.Errorf("the log has a secret: %s", r.Doc)
			}
		}
	}
}

// TestAuditRetention: events are deleted when they are old, those of the system too.
func TestAuditRetention(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) { c.AuditRetention = 48 * time.Hour })
	if err := b.Operator.ImportTerminals(ctx, []tracking.ImportedTerminal{{LOCODE: "USOAK", SMDG: "X1", Name: "One"}}); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		for _, tr := range []*tracking.Tracker{b.Tracker, b.Operator} {
			_, total, err := tr.AuditEvents(ctx, tracking.AuditEventQuery{}, tracking.Page{})
			if err != nil {
				t.Fatal(err)
			}
			n += total
		}
		return n
	}
	b.Pass(47 * time.Hour)
	if n := count(); n != 2 {
		t.Errorf("%d events before their time", n)
	}
	b.Pass(3 * time.Hour)
	if n := count(); n != 0 {
		t.Errorf("%d events are left", n)
	}
}
