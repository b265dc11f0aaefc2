package tracking_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/memory"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// interrupted fails each deletion of an account after a number of transactions.
type interrupted struct {
	tracking.Store
	left int
}

var errInterrupted = errors.New("interrupted")

func (s *interrupted) DeleteAccount(ctx context.Context, a tracking.AccountID, limit int, keep ...*store.Kind) (int, error) {
	if s.left--; s.left < 0 {
		return 0, errInterrupted
	}
	return s.Store.(store.AccountDeleter).DeleteAccount(ctx, a, limit, keep...)
}

func (s *interrupted) Check(ctx context.Context, kinds []*store.Kind, c store.CheckRequest) (store.CheckReport, error) {
	if checker, ok := s.Store.(store.Checker); ok {
		return checker.Check(ctx, kinds, c)
	}
	return store.CheckReport{}, nil
}

// fillAccount writes records of most types, jobs and a file.
func fillAccount(t *testing.T, tr *tracking.Tracker) {
	t.Helper()
	for _, number := range []string{"B1", "B2", "B3"} {
		facts := voyage(number)
		for i := range facts {
			facts[i].ID += number
		}
		if _, err := tr.Ingest(ctx, api(facts...)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := tr.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MSCUX1", Type: tracking.BillOfLading, SCAC: "MSCU"})
	_, err2 := tr.CreateParty(ctx, tracking.NewParty{CompanyName: "Party of " + t.Name()}, tracking.Once{Key: "k"})
	_, err3 := tr.CreateDocument(ctx, tracking.NewDocument{Name: "invoice", Attached: upload(t, tr, "B1 invoice.txt", "an invoice").SignedID})
	_, err4 := tr.CreateWebhook(ctx, tracking.NewWebhook{URL: "https://example.com/a", Events: []tracking.EventName{"container.created"}})
	if err := errors.Join(err, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	announce(t, tr, "never sent.txt", "bytes")
}

// TestDeleteAccount: nothing of the account stays but its ID, whatever interrupts the
// deletion; nothing can be written in it from the first moment on; another account is
// unchanged.
func TestDeleteAccount(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) tracking.Store{
		"memory": func(*testing.T) tracking.Store { return nil },
		"sqlite": func(t *testing.T) tracking.Store {
			s, err := storage.Open(filepath.Join(t.TempDir(), "landfall.db"))
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
	} {
		t.Run(name, func(t *testing.T) { testDeleteAccount(t, open(t)) })
	}
}

func testDeleteAccount(t *testing.T, s tracking.Store) {
	between := &interrupted{left: 1}
	var blobs *memory.Blobs
	b := trackingtest.New(t, func(c *tracking.Config) {
		if s != nil {
			c.Store = s
		}
		between.Store = c.Store
		blobs = &memory.Blobs{Now: c.Clock.Now}
		c.Store, c.MasterKey, c.Blobs = between, []byte(strings.Repeat("k", 32)), blobs
	})
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	asOther := b.Operator.For(tracking.Actor{Account: other.Scope()})
	fillAccount(t, b.Tracker)
	fillAccount(t, asOther)
	secret, key := newKey(t, b, tracking.NewKey{Account: b.Account.Scope()})
	if _, err := b.Users().Create(ctx, tracking.NewUser{Name: "Kim", Email: "kim@example.com"}); err != nil {
		t.Fatal(err)
	}
	waiting := announce(t, b.Tracker, "late.txt", "late")
	before := exportAccount(t, b, "other")

	if _, err := b.Operator.DeleteAccount(ctx, b.Account.Name); !errors.Is(err, errInterrupted) {
		t.Fatalf("interrupted: %v", err)
	}
	for what, err := range map[string]error{
		"Authenticate": second(b.Operator.Authenticate(ctx, secret)),
		"Ingest":       second(b.Ingest(ctx, api(voyage("B9")...))),
		"CreateParty":  second(b.CreateParty(ctx, tracking.NewParty{CompanyName: "Late"})),
		"CreateUser":   second(b.Users().Create(ctx, tracking.NewUser{Name: "Late", Email: "late@example.com"})),
		"Receive":      b.ReceiveUpload(ctx, waiting.Handle, tracking.SentUpload{Size: -1, Body: strings.NewReader("late")}),
	} {
		if !isKind(err, tracking.Unauthorized) && what != "Receive" || err == nil {
			t.Errorf("%s while the account is being deleted: %v", what, err)
		}
	}
	if err := b.Operator.ReopenAccount(ctx, b.Account.Name); !isKind(err, tracking.Invalid) {
		t.Errorf("ReopenAccount: %v", err)
	}
	if _, _, err := b.Operator.CreateKey(ctx, tracking.NewKey{Account: b.Account.Scope()}); !isKind(err, tracking.Invalid) {
		t.Errorf("CreateKey: %v", err)
	}
	b.Pass(2 * time.Hour) // the upkeep passes the account by
	if err := b.Operator.Ready(ctx); err != nil {
		t.Errorf("the engine is not ready: %v", err)
	}
	between.left = 1_000
	if _, err := b.Operator.DeleteAccount(ctx, b.Account.Name); err != nil {
		t.Fatal(err)
	}

	if _, err := b.Operator.Account(ctx, b.Account.Name); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("the account is still there: %v", err)
	}
	if err := b.Operator.RevokeKey(ctx, key.ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("its key is still there: %v", err)
	}
	if _, err := b.Ingest(ctx, api(voyage("B9")...)); !isKind(err, tracking.Unauthorized) {
		t.Errorf("written after the deletion: %v", err)
	}
	if n, err := between.DeleteAccount(ctx, b.Account.Scope(), 1_000_000, tracking.LedgerKind); n != 0 || err != nil {
		t.Errorf("%d records or jobs were left, %v", n, err)
	}
	if _, err := blobs.Sweep(ctx, b.Clock.Now().Add(time.Hour), func(k tracking.BlobKey) (bool, error) {
		if k.Account != other.Scope() {
			t.Errorf("the file %v is left", k)
		}
		return true, nil
	}); err != nil {
		t.Error(err)
	}
	events, _, err := b.Operator.AuditEvents(ctx, tracking.AuditEventQuery{ResourceTypes: []string{"account"}}, tracking.Page{})
	if err != nil || len(events) != 1 || events[0].Operation != "account.delete" || events[0].ResourceIDs[0] != b.Account.ID {
		t.Errorf("the operator's audit log has %+v, %v", events, err)
	}
	b.Pass(2 * time.Hour)
	if err := b.Operator.Ready(ctx); err != nil {
		t.Errorf("the engine is not ready: %v", err)
	}
	report, err := b.Operator.Check(ctx, tracking.CheckRequest{Found: func(p store.Problem) { t.Error(p) }})
	if err != nil || report.Left() > 0 {
		t.Errorf("check: %+v, %v", report, err)
	}

	if diff := cmp.Diff(before.attributes(t, "shipment"), exportAccount(t, b, "other").attributes(t, "shipment")); diff != "" {
		t.Errorf("the other account: %s", diff)
	}
	again, created, err := b.Operator.EnsureAccount(ctx, b.Account.Name)
	if err != nil || !created || again.ID == b.Account.ID {
		t.Errorf("the name again: %+v %v %v", again, created, err)
	}
	if _, err := b.DeleteAccount(ctx, "other"); !isKind(err, tracking.Forbidden) {
		t.Errorf("by a user: %v", err)
	}
	if _, err := b.Operator.DeleteAccount(ctx, "nobody"); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("an account that does not exist: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
