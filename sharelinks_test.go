package tracking_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// share makes a link to a shipment that lasts a month.
func share(t *testing.T, b *trackingtest.Bench, shipment tracking.ID) (string, *tracking.ShareLink) {
	t.Helper()
	token, link, err := b.ShareLinks().Create(ctx, tracking.NewShareLink{Shipment: shipment, ExpiresAt: b.Clock.Now().AddDate(0, 0, 30), Timezone: "Europe/Amsterdam", Columns: []string{"number"}})
	if err != nil {
		t.Fatal(err)
	}
	return token, link
}

// TestShareLink: a link is opened by its token alone, and each opening is counted once.
func TestShareLink(t *testing.T) {
	b := trackingtest.New(t)
	shipment := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	token, link := share(t, b, shipment)
	links := b.Operator.ShareLinks()
	if link.State != "active" || link.Openings != 0 || !strings.HasSuffix(token, link.Hint) || len(token) < 60 {
		t.Errorf("%+v", link)
	}
	for range 2 {
		b.Clock.Advance(time.Hour)
		opened, visitor, err := links.Open(ctx, token)
		if err != nil || opened.ID != link.ID {
			t.Fatalf("%+v, error %v", opened, err)
		}
		if _, err := visitor.Shipment(ctx, opened.Shipment); err != nil {
			t.Error(err)
		}
		if _, err := visitor.StopTracking(ctx, shipment); !isKind(err, tracking.Forbidden) {
			t.Errorf("a visitor may change what is shared: %v", err)
		}
	}
	if _, _, err := links.Reopen(ctx, token); err != nil {
		t.Error(err)
	}
	list, total, err := b.ShareLinks().List(ctx, tracking.ShareLinkQuery{Shipments: []tracking.ID{shipment}}, tracking.Page{})
	if err != nil || total != 1 || list[0].Openings != 2 || !list[0].LastOpenedAt.Equal(b.Clock.Now()) {
		t.Errorf("%+v, error %v", list, err)
	}
	for _, wrong := range []string{"", "x", token[1:], token + "A", strings.Repeat("A", len(token)), token[:len(token)-2] + "AA", strings.ToLower(token)} {
		if _, _, err := links.Open(ctx, wrong); !errors.Is(err, tracking.ErrNotFound) {
			t.Errorf("%q opens: %v", wrong, err)
		}
	}
}

// TestShareLinkEnds: a link that was revoked, has expired or whose journey is over opens
// nothing, with the same error as one that never existed.
func TestShareLinkEnds(t *testing.T) {
	never, _, _ := trackingtest.New(t).ShareLinks().Open(ctx, "never")
	if never != nil {
		t.Fatal("an address that never existed opens")
	}
	end := func(name, state string, do func(b *trackingtest.Bench, shipment tracking.ID, link *tracking.ShareLink)) {
		t.Run(name, func(t *testing.T) {
			b := trackingtest.New(t)
			shipment := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
			token, link := share(t, b, shipment)
			if _, _, err := b.Operator.ShareLinks().Open(ctx, token); err != nil {
				t.Fatal(err)
			}
			do(b, shipment, link)
			_, _, err := b.Operator.ShareLinks().Open(ctx, token)
			_, _, unknown := b.Operator.ShareLinks().Open(ctx, "never")
			if state == "active" {
				if err != nil {
					t.Error(err)
				}
			} else if !errors.Is(err, tracking.ErrNotFound) || err.Error() != unknown.Error() {
				t.Errorf("it opens: %v", err)
			}
			if now, err := b.ShareLinks().Get(ctx, link.ID); err != nil || now.State != strings.TrimSuffix(state, ", and not opened") {
				t.Errorf("the state is %+v, error %v", now, err)
			}
		})
	}
	end("revoked", "revoked", func(b *trackingtest.Bench, _ tracking.ID, link *tracking.ShareLink) {
		for range 2 {
			must(b.ShareLinks().Revoke(ctx, link.ID))(t)
		}
	})
	end("the last second", "active", func(b *trackingtest.Bench, _ tracking.ID, link *tracking.ShareLink) {
		b.Clock.Set(link.ExpiresAt.Add(-time.Second))
	})
	end("expired", "expired", func(b *trackingtest.Bench, _ tracking.ID, link *tracking.ShareLink) { b.Clock.Set(link.ExpiresAt) })
	end("of a closed account", "active, and not opened", func(b *trackingtest.Bench, _ tracking.ID, _ *tracking.ShareLink) {
		if _, err := b.Operator.CloseAccount(ctx, b.Account.Name); err != nil {
			t.Fatal(err)
		}
	})
	end("stopped by a user", "active", func(b *trackingtest.Bench, shipment tracking.ID, _ *tracking.ShareLink) {
		must(b.StopTracking(ctx, shipment))(t)
	})
	returned := func(b *trackingtest.Bench) {
		facts := voyage("B1")
		last := facts[len(facts)-1]
		last.ID, last.Activity, last.Classifier, last.LoadStatus = "returned", freight.GateIn, freight.Actual, freight.Empty
		last.At.Time = b.Clock.Now()
		last.RecordedAt, last.Mode, last.Vessel, last.Voyage = b.Clock.Now(), "", tracking.VesselRef{}, ""
		discharged := facts[len(facts)-1]
		discharged.ID, discharged.Activity, discharged.Classifier = "discharged", freight.Discharge, freight.Actual
		discharged.At.Time, discharged.RecordedAt = b.Clock.Now().Add(-time.Hour), b.Clock.Now()
		ingest(t, b, api(discharged, last))
	}
	end("returned empty", "ended", func(b *trackingtest.Bench, _ tracking.ID, _ *tracking.ShareLink) { returned(b) })
	end("returned empty after a user has stopped it", "ended", func(b *trackingtest.Bench, shipment tracking.ID, _ *tracking.ShareLink) {
		must(b.StopTracking(ctx, shipment))(t)
		returned(b)
	})
}

// TestShareLinkArguments: what may not be shared is refused at its field, and by whom.
func TestShareLinkArguments(t *testing.T) {
	b := trackingtest.New(t)
	shipment := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	user := func(name string, permissions ...tracking.Permission) *tracking.Tracker {
		u := newUser(t, b.Tracker, tracking.NewUser{Name: name, Email: name + "@example.com", Permissions: permissions})
		return b.Operator.For(tracking.Actor{Account: b.Account.Scope(), User: u.ID, Permissions: permissions})
	}
	ann, dora := user("ann", tracking.Show, tracking.Create, tracking.Update), user("dora", tracking.Show, tracking.Update, tracking.Delete)
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	stranger := b.Operator.For(tracking.Actor{Account: other.Scope()})
	own := must(ann.Views().Create(ctx, tracking.NewView{Name: "mine", List: "container", Parameters: "q=x"}))(t)
	until := b.Clock.Now().AddDate(0, 0, 1)
	create := func(tr *tracking.Tracker, n tracking.NewShareLink) error {
		_, _, err := tr.ShareLinks().Create(ctx, n)
		return err
	}
	for want, err := range map[string]error{
		"expires_at blank":        create(ann, tracking.NewShareLink{Shipment: shipment}),
		"expires_at out_of_range": create(ann, tracking.NewShareLink{Shipment: shipment, ExpiresAt: b.Clock.Now()}),
		"name too_long":           create(ann, tracking.NewShareLink{View: own.ID, ExpiresAt: until, Name: strings.Repeat("x", 81)}),
		"columns invalid":         create(ann, tracking.NewShareLink{Shipment: shipment, ExpiresAt: until, Columns: []string{"a\n"}}),
		"fields not_found":        create(ann, tracking.NewShareLink{Shipment: shipment, ExpiresAt: until, Fields: []tracking.ID{uuid.New()}}),
		"timezone invalid":        create(ann, tracking.NewShareLink{Shipment: shipment, ExpiresAt: until, Timezone: "Atlantis"}),
		"shipment blank":          create(ann, tracking.NewShareLink{Shipment: shipment, View: own.ID, ExpiresAt: until}),
		"forbidden":               create(dora, tracking.NewShareLink{Shipment: shipment, ExpiresAt: until}),
	} {
		if errorsOf(err) != want {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := create(ann, tracking.NewShareLink{Shipment: shipment, ExpiresAt: until.AddDate(1, 0, 1)}); errorsOf(err) != "expires_at out_of_range" {
		t.Errorf("for more than a year: %v", err)
	}
	for name, err := range map[string]error{
		"a shipment of another account": create(stranger, tracking.NewShareLink{Shipment: shipment, ExpiresAt: until}),
		"another user's own view":       create(user("ben", tracking.Create), tracking.NewShareLink{View: own.ID, ExpiresAt: until}),
	} {
		if !errors.Is(err, tracking.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	once := tracking.Once{Key: "form", Fingerprint: "form"}
	n := tracking.NewShareLink{View: own.ID, ExpiresAt: until, Columns: []string{"number"}}
	token, link, err := ann.ShareLinks().Create(ctx, n, once)
	again, same, err2 := ann.ShareLinks().Create(ctx, n, once)
	if err != nil || err2 != nil || token == "" || again != "" || same.ID != link.ID || link.Name != "mine" || link.List != "container" || link.Parameters != "q=x" {
		t.Errorf("%q and %q, %+v and %+v, errors %v and %v", token, again, link, same, err, err2)
	}
	if _, err := dora.ShareLinks().Revoke(ctx, link.ID); errorsOf(err) != "forbidden" {
		t.Errorf("revoked without the permission: %v", err)
	}
	for _, err := range []error{second(stranger.ShareLinks().Revoke(ctx, link.ID)), second(stranger.ShareLinks().Get(ctx, link.ID))} {
		if !errors.Is(err, tracking.ErrNotFound) {
			t.Errorf("another account: %v", err)
		}
	}
	// A view that is changed or deleted changes no link.
	must(ann.Views().Update(ctx, own.ID, tracking.ViewUpdate{Parameters: tracking.Set("q=y")}))(t)
	if opened, _, err := b.Operator.ShareLinks().Open(ctx, token); err != nil || opened.Parameters != "q=x" {
		t.Errorf("%+v, error %v", opened, err)
	}
	must(ann.ShareLinks().Revoke(ctx, link.ID))(t)
	events, _, err := b.AuditEvents(ctx, tracking.AuditEventQuery{ResourceTypes: []string{"share_link"}}, tracking.Page{})
	var operations []string
	for _, e := range events {
		operations = append(operations, e.Operation)
	}
	if err != nil || !slices.Equal(operations, []string{"share_link.revoke", "share_link.create"}) {
		t.Errorf("the audit log has %v, error %v", operations, err)
	}
	b.Clock.Set(link.ExpiresAt)
	b.Pass(32 * 24 * time.Hour)
	if _, total, err := ann.ShareLinks().List(ctx, tracking.ShareLinkQuery{}, tracking.Page{}); err != nil || total != 0 {
		t.Errorf("%d links a month after their end, error %v", total, err)
	}
}

// updates counts the transactions that write.
type updates struct {
	tracking.Store
	n     atomic.Int64
	fails atomic.Bool
}

func (w *updates) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if w.n.Add(1); w.fails.Load() {
		return errors.New("the disk is full")
	}
	return w.Store.Update(ctx, a, fn)
}

// TestOpeningsAreWrittenTogether: many openings are few writes, none is lost when the engine is
// closed, and what is written is in the export of the account without the hash.
func TestOpeningsAreWrittenTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "landfall.db")
	first, err := storage.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	w := &updates{Store: first}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = w })
	shipment := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	token, link := share(t, b, shipment)
	before := w.n.Load()
	w.fails.Store(true)
	for n := range 1000 {
		if n == 500 {
			w.fails.Store(false)
		}
		if _, _, err := b.Operator.ShareLinks().Open(ctx, token); err != nil {
			t.Fatal(err)
		}
	}
	if l, err := b.ShareLinks().Get(ctx, link.ID); err != nil || l.Openings != 1000 {
		t.Errorf("before all are written: %+v, error %v", l, err)
	}
	if err := b.Operator.Close(); err != nil {
		t.Fatal(err)
	}
	if n := w.n.Load() - before; n > 20 {
		t.Errorf("1000 openings are %d writes", n)
	}
	s, err := storage.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	b = trackingtest.New(t, func(c *tracking.Config) { c.Store = s })
	if l, err := b.ShareLinks().Get(ctx, link.ID); err != nil || l.Openings != 1000 {
		t.Errorf("%+v, error %v", l, err)
	}
	e := exportAccount(t, b, b.Account.Name)
	if n := len(e.resources["share_link"]); n != 1 || strings.Contains(string(e.resources["share_link"][0]), "hash") {
		t.Errorf("%d links are exported: %s", n, e.resources["share_link"])
	}
	if _, err := b.Operator.DeleteAccount(ctx, b.Account.Name); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Operator.ShareLinks().Open(ctx, token); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("a link of a deleted account: %v", err)
	}
}
