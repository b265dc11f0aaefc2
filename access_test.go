package tracking_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

func newKey(t *testing.T, b *trackingtest.Bench, n tracking.NewKey) (string, *tracking.APIKey) {
	t.Helper()
	secret, key, err := b.Operator.CreateKey(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	return secret, key
}

func TestKeys(t *testing.T) {
	b := trackingtest.New(t)
	user, err := b.Users().Create(ctx, tracking.NewUser{Name: "Kim", Email: "Kim@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	secret, key := newKey(t, b, tracking.NewKey{Account: b.Account.Scope(), User: user.ID, Permissions: []tracking.Permission{tracking.Show}, Limits: map[string]int{"default": 5}})
	actor, err := b.Operator.Authenticate(ctx, secret)
	if err != nil || actor.Account != b.Account.Scope() || actor.User != user.ID || actor.Key != key.ID || actor.Limits["default"] != 5 {
		t.Fatalf("actor %+v, %v", actor, err)
	}
	if !actor.Can(tracking.Show) || actor.Can(tracking.Update) || actor.Can(tracking.Admin) {
		t.Errorf("permissions %v", actor.Permissions)
	}
	if strings.Contains(secret, key.Hash) || key.Hash == "" {
		t.Error("the key must be stored as its hash only")
	}
	for name, bad := range map[string]string{
		"empty": "", "cut": secret[:len(secret)-1], "changed": secret[:10] + string(otherThan(secret[10])) + secret[11:], "unknown": otherKey(t, b),
	} {
		if _, err := b.Operator.Authenticate(ctx, bad); !isKind(err, tracking.Unauthorized) {
			t.Errorf("%s key: %v", name, err)
		}
	}
	if err := b.Operator.RevokeKey(ctx, key.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Operator.Authenticate(ctx, secret); !isKind(err, tracking.Unauthorized) {
		t.Errorf("revoked key: %v", err)
	}
}

// TestKeyExpiry: an expired key is refused as an unknown one is, and stays so.
func TestKeyExpiry(t *testing.T) {
	b := trackingtest.New(t)
	secret, key := newKey(t, b, tracking.NewKey{Account: b.Account.Scope(), ExpiresAt: b.Clock.Now().Add(time.Hour)})
	b.Clock.Advance(time.Hour - time.Second)
	if _, err := b.Operator.Authenticate(ctx, secret); err != nil {
		t.Errorf("before its end: %v", err)
	}
	b.Clock.Advance(time.Second)
	_, expired := b.Operator.Authenticate(ctx, secret)
	_, unknown := b.Operator.Authenticate(ctx, otherKey(t, b))
	if diff := cmp.Diff(unknown, expired); diff != "" || expired == nil {
		t.Errorf("expired %v, unknown %v", expired, unknown)
	}
	if _, _, err := b.Operator.RotateKey(ctx, key.ID, 0, b.Clock.Now().Add(time.Hour)); !isKind(err, tracking.Invalid) {
		t.Errorf("an expired key was rotated: %v", err)
	}
	if _, _, err := b.Operator.CreateKey(ctx, tracking.NewKey{Account: b.Account.Scope(), ExpiresAt: b.Clock.Now()}); !isKind(err, tracking.Invalid) {
		t.Errorf("a key that has expired was created: %v", err)
	}
}

// TestKeyRotation: a key keeps its ID and permissions, and its former secret is valid until
// the overlap or the key ends.
func TestKeyRotation(t *testing.T) {
	b := trackingtest.New(t)
	start, ids := b.Clock.Now(), map[string]bool{}
	never := time.Time{}
	rotate := func(id tracking.ID, overlap time.Duration, expiresAt time.Time) (string, *tracking.APIKey) {
		t.Helper()
		secret, key, err := b.Operator.RotateKey(ctx, id, overlap, expiresAt)
		if err != nil {
			t.Fatal(err)
		}
		return secret, key
	}
	valid := func(secrets ...string) (list []bool) {
		t.Helper()
		for _, s := range secrets {
			actor, err := b.Operator.Authenticate(ctx, s)
			if err == nil {
				ids[actor.Key.String()+" "+string(actor.Permissions[0])] = true
			}
			list = append(list, err == nil)
		}
		return list
	}
	check := func(what string, got []bool, want ...bool) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	first, key := newKey(t, b, tracking.NewKey{Account: b.Account.Scope(), Permissions: []tracking.Permission{tracking.Show}, ExpiresAt: start.Add(10 * time.Hour)})
	second, rotated := rotate(key.ID, time.Hour, never)
	if rotated.Hint != second[:9] || !rotated.ExpiresAt.Equal(key.ExpiresAt) || !rotated.FormerUntil.Equal(start.Add(time.Hour)) {
		t.Errorf("%+v", rotated)
	}
	check("in the overlap", valid(first, second), true, true)
	b.Clock.Advance(time.Hour)
	check("after it", valid(first, second), false, true)
	third, _ := rotate(key.ID, 90*24*time.Hour, start.Add(20*time.Hour))
	check("rotated again", valid(first, second, third), false, true, true)
	b.Clock.Advance(9 * time.Hour)
	check("when the former would have expired", valid(second, third), false, true)
	fourth, _ := rotate(key.ID, 0, never)
	check("without an overlap", valid(third, fourth), false, true)
	fifth, _ := rotate(key.ID, time.Hour, never)
	sixth, _ := rotate(key.ID, time.Hour, never)
	check("twice in an overlap", valid(fourth, fifth, sixth), false, true, true)
	if len(ids) != 1 || !ids[key.ID.String()+" show"] {
		t.Errorf("the secrets are of %v", ids)
	}
	for _, bad := range []struct {
		overlap   time.Duration
		expiresAt time.Time
	}{{-1, never}, {90*24*time.Hour + 1, never}, {0, b.Clock.Now()}} {
		if _, _, err := b.Operator.RotateKey(ctx, key.ID, bad.overlap, bad.expiresAt); !isKind(err, tracking.Invalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	check("after refused rotations", valid(fifth, sixth), true, true)
	seventh, _ := rotate(key.ID, 0, never)
	check("without an overlap, in an overlap", valid(fifth, sixth, seventh), false, false, true)
	if err := b.Operator.RevokeKey(ctx, key.ID); err != nil {
		t.Fatal(err)
	}
	check("revoked", valid(seventh), false)
	if _, _, err := b.Operator.RotateKey(ctx, key.ID, 0, never); !isKind(err, tracking.Invalid) {
		t.Errorf("a revoked key was rotated: %v", err)
	}
	if _, _, err := b.Operator.RotateKey(ctx, tracking.ID{1}, 0, never); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("a key that does not exist: %v", err)
	}
	if _, _, err := b.RotateKey(ctx, key.ID, 0, never); !isKind(err, tracking.Forbidden) {
		t.Errorf("a key that was rotated by a user: %v", err)
	}
	lines := auditLines(t, b)
	if n := strings.Count(strings.Join(lines, "\n"), "operator api_key.rotate secret"); n != 6 {
		t.Errorf("%d rotations in the audit log: %q", n, lines)
	}
}

func otherThan(letter byte) byte {
	if letter == 'x' {
		return 'y'
	}
	return 'x'
}

// otherKey is well-formed, and of another installation.
func otherKey(t *testing.T, b *trackingtest.Bench) string {
	t.Helper()
	other := trackingtest.New(t)
	secret, _ := newKey(t, other, tracking.NewKey{Account: other.Account.Scope()})
	return secret
}

func isKind(err error, kind tracking.ErrorKind) bool {
	var e *tracking.Error
	return errors.As(err, &e) && e.Kind == kind
}

// writes is a store whose writer a test holds, and that tells of every write.
type writes struct {
	tracking.Store
	turn chan struct{} // has one element when the writer is free
	done chan struct{}
}

func newWrites() *writes {
	w := &writes{Store: memory.New(), turn: make(chan struct{}, 1), done: make(chan struct{}, 1000)}
	w.turn <- struct{}{}
	return w
}

func (w *writes) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	select {
	case <-w.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	err := w.Store.Update(ctx, a, fn)
	w.turn <- struct{}{}
	w.done <- struct{}{}
	return err
}

// forget drops what was told so far.
func (w *writes) forget() {
	for len(w.done) > 0 {
		<-w.done
	}
}

func lastUsed(t *testing.T, b *trackingtest.Bench) time.Time {
	t.Helper()
	keys, err := b.Operator.Keys(ctx, b.Account.Scope())
	if err != nil {
		t.Fatal(err)
	}
	return keys[0].LastUsedAt
}

func TestLastUseIsNotedOnceAMinute(t *testing.T) {
	store := newWrites()
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	secret, key := newKey(t, b, tracking.NewKey{Account: b.Account.Scope()})
	use := func() {
		t.Helper()
		if _, err := b.Operator.Authenticate(ctx, secret); err != nil {
			t.Fatal(err)
		}
	}
	store.forget()
	use()
	<-store.done
	for range 2 {
		b.Clock.Advance(20 * time.Second)
		use()
	}
	if at := lastUsed(t, b); !at.Equal(trackingtest.Start) {
		t.Errorf("last used %s within a minute", at)
	}
	b.Clock.Advance(20 * time.Second)
	use()
	<-store.done
	if at := lastUsed(t, b); !at.Equal(trackingtest.Start.Add(time.Minute)) {
		t.Errorf("last used %s after a minute", at)
	}
	if len(store.done) > 0 {
		t.Errorf("%d writes too many", len(store.done))
	}

	// Noting a use never brings back a key that was revoked meanwhile.
	b.Clock.Advance(time.Hour)
	<-store.turn
	use()
	revoked := make(chan error)
	go func() { revoked <- b.Operator.RevokeKey(ctx, key.ID) }()
	store.turn <- struct{}{}
	if err := <-revoked; err != nil {
		t.Fatal(err)
	}
	for range 4 { // the use, the revocation, and the event of the audit log that moves to its account
		<-store.done
	}
	if _, err := b.Operator.Authenticate(ctx, secret); !isKind(err, tracking.Unauthorized) {
		t.Errorf("a revoked key after its use was noted: %v", err)
	}
	if at := lastUsed(t, b); !at.Equal(b.Clock.Now()) {
		t.Errorf("last used %s, want %s", at, b.Clock.Now())
	}
}

// While somebody writes, keys are checked all the same, each use is handed in
// once, and Close does not wait for its turn.
func TestAuthenticationNeverWaitsForTheWriter(t *testing.T) {
	store := newWrites()
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	secret, _ := newKey(t, b, tracking.NewKey{Account: b.Account.Scope()})
	store.forget()
	<-store.turn
	for range 100 {
		if _, err := b.Operator.Authenticate(ctx, secret); err != nil {
			t.Fatal(err)
		}
	}
	store.turn <- struct{}{}
	<-store.done
	if at := lastUsed(t, b); !at.Equal(trackingtest.Start) {
		t.Errorf("last used %s", at)
	}
	b.Clock.Advance(time.Hour)
	<-store.turn
	if _, err := b.Operator.Authenticate(ctx, secret); err != nil {
		t.Fatal(err)
	}
	if err := b.Operator.Close(); err != nil {
		t.Error(err)
	}
	if len(store.done) > 0 {
		t.Errorf("%d writes too many", len(store.done))
	}
}

func TestPermissionsGuardEveryMethod(t *testing.T) {
	b := trackingtest.New(t)
	receipt := ingest(t, b, api(voyage("B1")...))
	as := func(p ...tracking.Permission) *tracking.Tracker {
		return b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: append([]tracking.Permission{}, p...)})
	}
	id := receipt.ShipmentIDs[0]
	grade, doomed := define(t, b, tracking.ShipmentEntity, "grade", tracking.EnumField), define(t, b, tracking.ShipmentEntity, "doomed", tracking.DateField)
	high := choices(t, b, grade, "high", "low")
	field := setField(t, b, ofShipment(id), "grade", `"high"`)
	lowered := tracking.NewCustomField{Entity: ofShipment(id), APISlug: "grade", Value: []byte(`"low"`)}
	methods := map[string]struct {
		needs tracking.Permission
		call  func(*tracking.Tracker) error
	}{
		"Shipments": {tracking.Show, func(t *tracking.Tracker) error {
			_, _, err := t.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{})
			return err
		}},
		"Shipment": {tracking.Show, func(t *tracking.Tracker) error { _, err := t.Shipment(ctx, id); return err }},
		"Rendered.List": {tracking.Show, func(t *tracking.Tracker) error {
			_, err := t.Rendered().List(ctx, tracking.ShipmentQuery{}, tracking.Page{}, nil)
			return err
		}},
		"Rendered.Get":  {tracking.Show, func(t *tracking.Tracker) error { _, err := t.Rendered().Get(ctx, "shipment", id, nil); return err }},
		"Port":          {tracking.Show, func(t *tracking.Tracker) error { _, err := t.Port(ctx, t.PortID("CNSHA")); return err }},
		"ShippingLines": {tracking.Show, func(t *tracking.Tracker) error { _, err := t.ShippingLines(ctx); return err }},
		"UpdateShipment": {tracking.Update, func(t *tracking.Tracker) error {
			_, err := t.UpdateShipment(ctx, id, tracking.ShipmentUpdate{})
			return err
		}},
		"StopTracking":   {tracking.Update, func(t *tracking.Tracker) error { _, err := t.StopTracking(ctx, id); return err }},
		"ResumeTracking": {tracking.Update, func(t *tracking.Tracker) error { _, err := t.ResumeTracking(ctx, id); return err }},
		"Ingest":         {tracking.Update, func(t *tracking.Tracker) error { _, err := t.Ingest(ctx, api(voyage("B1")...)); return err }},
		"CreateParty": {tracking.Create, func(t *tracking.Tracker) error {
			_, err := t.CreateParty(ctx, tracking.NewParty{CompanyName: time.Now().String()})
			return err
		}},
		"CreateCustomFieldDefinition": {tracking.Admin, func(t *tracking.Tracker) error {
			_, err := t.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, DisplayName: "x", DataType: tracking.DateField})
			return err
		}},
		"UpdateCustomFieldDefinition": {tracking.Admin, func(t *tracking.Tracker) error {
			_, err := t.UpdateCustomFieldDefinition(ctx, grade.ID, tracking.CustomFieldDefinitionUpdate{})
			return err
		}},
		"DeleteCustomFieldDefinition": {tracking.Admin, func(t *tracking.Tracker) error { return t.DeleteCustomFieldDefinition(ctx, doomed.ID) }},
		"CustomFieldDefinition":       {tracking.Show, func(t *tracking.Tracker) error { _, err := t.CustomFieldDefinition(ctx, grade.ID); return err }},
		"CustomFieldDefinitions": {tracking.Show, func(t *tracking.Tracker) error {
			_, _, err := t.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{}, tracking.Page{})
			return err
		}},
		"CreateCustomFieldOption": {tracking.Admin, func(t *tracking.Tracker) error {
			_, err := t.CreateCustomFieldOption(ctx, grade.ID, tracking.NewCustomFieldOption{Label: "x", Value: "x"})
			return err
		}},
		"UpdateCustomFieldOption": {tracking.Admin, func(t *tracking.Tracker) error {
			_, err := t.UpdateCustomFieldOption(ctx, grade.ID, high[1].ID, tracking.CustomFieldOptionUpdate{})
			return err
		}},
		"DeleteCustomFieldOption": {tracking.Admin, func(t *tracking.Tracker) error { return t.DeleteCustomFieldOption(ctx, grade.ID, high[0].ID) }},
		"CustomFieldOption":       {tracking.Show, func(t *tracking.Tracker) error { _, err := t.CustomFieldOption(ctx, grade.ID, high[1].ID); return err }},
		"CustomFieldOptions": {tracking.Show, func(t *tracking.Tracker) error {
			_, _, err := t.CustomFieldOptions(ctx, tracking.CustomFieldOptionQuery{Definition: grade.ID}, tracking.Page{})
			return err
		}},
		"SetCustomField": {tracking.Update, func(t *tracking.Tracker) error { _, err := t.SetCustomField(ctx, lowered); return err }},
		"SetCustomFields": {tracking.Update, func(t *tracking.Tracker) error {
			_, err := t.SetCustomFields(ctx, tracking.BulkCustomFields{Items: []tracking.NewCustomField{lowered}})
			return err
		}},
		"UpdateCustomField": {tracking.Update, func(t *tracking.Tracker) error {
			b.SetCustomField(ctx, lowered)
			_, err := t.UpdateCustomField(ctx, field.ID, tracking.CustomFieldUpdate{Value: lowered.Value})
			return err
		}},
		"DeleteCustomField": {tracking.Update, func(t *tracking.Tracker) error {
			b.SetCustomField(ctx, lowered)
			return t.DeleteCustomField(ctx, field.ID)
		}},
		"CustomField": {tracking.Show, func(t *tracking.Tracker) error {
			b.SetCustomField(ctx, lowered)
			_, err := t.CustomField(ctx, field.ID)
			return err
		}},
		"CustomFields": {tracking.Show, func(t *tracking.Tracker) error {
			_, _, err := t.CustomFields(ctx, tracking.CustomFieldQuery{}, tracking.Page{})
			return err
		}},
		"CustomFields of an entity": {tracking.Show, func(t *tracking.Tracker) error {
			_, _, err := t.CustomFields(ctx, tracking.CustomFieldQuery{Entity: ofShipment(id)}, tracking.Page{})
			return err
		}},
		"CustomFieldChanges": {tracking.Show, func(t *tracking.Tracker) error {
			_, _, err := t.CustomFieldChanges(ctx, tracking.CustomFieldChangeQuery{CustomField: field.ID}, tracking.Page{})
			return err
		}},
		"CreateTrackingRequest": {tracking.Create, func(t *tracking.Tracker) error {
			_, err := t.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: time.Now().Format("150405.000000000"), Type: tracking.BillOfLading, SCAC: "MSCU"})
			return err
		}},
	}
	for name, m := range methods {
		for _, p := range tracking.Describe().Permissions {
			err := m.call(as(p))
			if want := p == m.needs || p == tracking.Admin; (err == nil) != want {
				t.Errorf("%s with only %s: %v", name, p, err)
			}
			if err != nil && !isKind(err, tracking.Forbidden) {
				t.Errorf("%s with only %s is refused as %v", name, p, err)
			}
		}
		if err := m.call(as()); !isKind(err, tracking.Forbidden) {
			t.Errorf("%s without permissions: %v", name, err)
		}
	}
}

func TestOperatorMethodsAreNotForActors(t *testing.T) {
	b := trackingtest.New(t)
	if _, _, err := b.EnsureAccount(ctx, "other"); !isKind(err, tracking.Forbidden) {
		t.Errorf("EnsureAccount: %v", err)
	}
	if _, _, err := b.CreateKey(ctx, tracking.NewKey{}); !isKind(err, tracking.Forbidden) {
		t.Errorf("CreateKey: %v", err)
	}
	if _, err := b.Rederive(ctx, b.Account.Scope(), tracking.RederiveOptions{}); !isKind(err, tracking.Forbidden) {
		t.Errorf("Rederive: %v", err)
	}
}

// TestKeysOfAdministrators: an administrator manages the keys of the own account alone.
func TestKeysOfAdministrators(t *testing.T) {
	b := trackingtest.New(t)
	own, user := b.Account.Scope(), tracking.ID{1}
	as := func(a tracking.AccountID, p ...tracking.Permission) *tracking.Tracker {
		return b.Operator.For(tracking.Actor{Account: a, User: user, Permissions: p})
	}
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	_, foreign := newKey(t, b, tracking.NewKey{Account: other.Scope()})
	admin := as(own, tracking.Admin)
	_, key, err := admin.CreateKey(ctx, tracking.NewKey{Account: own, Permissions: []tracking.Permission{tracking.Show}})
	if err != nil {
		t.Fatal(err)
	}
	if keys, err := admin.Keys(ctx, own); err != nil || len(keys) != 1 || keys[0].ID != key.ID {
		t.Errorf("%d keys, %v", len(keys), err)
	}
	for name, call := range map[string]func(*tracking.Tracker, tracking.AccountID, tracking.ID) error{
		"CreateKey": func(t *tracking.Tracker, a tracking.AccountID, _ tracking.ID) error {
			_, _, err := t.CreateKey(ctx, tracking.NewKey{Account: a})
			return err
		},
		"Keys": func(t *tracking.Tracker, a tracking.AccountID, _ tracking.ID) error {
			_, err := t.Keys(ctx, a)
			return err
		},
		"RevokeKey": func(t *tracking.Tracker, _ tracking.AccountID, id tracking.ID) error { return t.RevokeKey(ctx, id) },
	} {
		if err := call(as(own, tracking.Show, tracking.Update, tracking.Create, tracking.Delete), own, key.ID); !isKind(err, tracking.Forbidden) {
			t.Errorf("%s without admin: %v", name, err)
		}
		if err := call(admin, other.Scope(), foreign.ID); !isKind(err, tracking.Forbidden) && !isKind(err, tracking.NotFound) {
			t.Errorf("%s of another account: %v", name, err)
		}
	}
	if err := admin.RevokeKey(ctx, key.ID); err != nil {
		t.Fatal(err)
	}
	events, _, err := b.AuditEvents(ctx, tracking.AuditEventQuery{Operations: []string{"api_key.create", "api_key.revoke"}, Users: []tracking.ID{user}}, tracking.Page{})
	if err != nil || len(events) != 2 || events[0].Operation != "api_key.revoke" || events[1].User != user {
		t.Errorf("%+v, %v", events, err)
	}
	if _, total, err := b.AuditEvents(ctx, tracking.AuditEventQuery{Users: []tracking.ID{{2}}}, tracking.Page{}); err != nil || total != 0 {
		t.Errorf("%d events of another user, %v", total, err)
	}
}

func TestAccountsAreApart(t *testing.T) {
	b := trackingtest.New(t)
	receipt := ingest(t, b, api(voyage("B1")...))
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	stranger := b.Operator.For(tracking.Actor{Account: other.Scope()})
	if _, err := stranger.Shipment(ctx, receipt.ShipmentIDs[0]); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("another account's shipment: %v", err)
	}
	if _, err := stranger.StopTracking(ctx, receipt.ShipmentIDs[0]); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("stopping it: %v", err)
	}
	if _, err := stranger.Vessel(ctx, tracking.VesselID("9321483")); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("a vessel that only the other account knows: %v", err)
	}
	party, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"})
	if err != nil {
		t.Fatal(err)
	}
	mine, err := stranger.Ingest(ctx, api(voyage("B1")...))
	if err != nil || mine.ShipmentIDs[0] == receipt.ShipmentIDs[0] {
		t.Fatalf("the same number in two accounts: %+v, %v", mine, err)
	}
	_, err = stranger.UpdateShipment(ctx, mine.ShipmentIDs[0], tracking.ShipmentUpdate{Customer: tracking.Set(party.ID)})
	if !isKind(err, tracking.Invalid) {
		t.Errorf("another account's party as customer: %v", err)
	}
}

func TestRenameReachesShipments(t *testing.T) {
	b := trackingtest.New(t)
	receipt := ingest(t, b, api(voyage("B1")...))
	party, _ := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"})
	if _, err := b.UpdateShipment(ctx, receipt.ShipmentIDs[0], tracking.ShipmentUpdate{Customer: tracking.Set(party.ID)}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.UpdateParty(ctx, party.ID, tracking.PartyUpdate{CompanyName: tracking.Set("Acme Imports")}); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if s, _ := b.Shipment(ctx, receipt.ShipmentIDs[0]); s.CustomerName != "Acme Imports" {
		t.Errorf("customer name %q", s.CustomerName)
	}
	if _, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "acme  imports"}); !isKind(err, tracking.Invalid) {
		t.Errorf("a second party of that name: %v", err)
	}
}

func TestOnceAndVersions(t *testing.T) {
	b := trackingtest.New(t)
	make := func(key, print, name string) (*tracking.Party, error) {
		return b.CreateParty(ctx, tracking.NewParty{CompanyName: name}, tracking.Once{Key: key, Fingerprint: print})
	}
	first, err := make("k", "1", "Acme")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := make("k", "1", "Acme"); err != nil || again.ID != first.ID {
		t.Errorf("the same call again: %+v, %v", again, err)
	}
	if _, err := make("k", "2", "Bolt"); !isKind(err, tracking.Invalid) {
		t.Errorf("another call under the key: %v", err)
	}
	b.Pass(25 * time.Hour)
	if other, err := make("k", "2", "Bolt"); err != nil || other.ID == first.ID {
		t.Errorf("a day later: %+v, %v", other, err)
	}
	_, err = b.UpdateParty(ctx, first.ID, tracking.PartyUpdate{CompanyName: tracking.Set("New"), IfVersion: first.Version + 1})
	if !errors.Is(err, tracking.ErrStale) {
		t.Errorf("another version: %v", err)
	}
}
