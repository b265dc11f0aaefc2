package tracking_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// An empty transaction would not notice a full disk, nor would one that changes
// nothing.
func TestReadyWrites(t *testing.T) {
	b, s := spied(t)
	for i := range 3 {
		if err := b.Operator.Ready(ctx); err != nil {
			t.Fatal(err)
		}
		rows := s.rows(t, tracking.AccountID{}, "pulse", store.Filter{})
		if len(rows) != 1 || rows[0].Version != int64(i+1) || len(rows[0].Private) < 32<<10 {
			t.Fatalf("after %d calls: %d records, version %d, %d bytes", i+1, len(rows), rows[0].Version, len(rows[0].Private))
		}
	}
	b.Operator.Close()
	if err := b.Operator.Ready(ctx); !errors.Is(err, tracking.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// lame is a store whose views of the system fail when told to: what upkeep
// begins with.
type lame struct {
	tracking.Store
	err error
}

func (s *lame) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if s.err != nil && a == (tracking.AccountID{}) {
		return s.err
	}
	return s.Store.View(ctx, a, fn)
}

func TestReadyReportsUpkeep(t *testing.T) {
	s := &lame{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = s })
	s.err = errors.New("no such table")
	for _, want := range []error{s.err, nil} {
		s.err = want
		if _, err := b.Operator.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
		if err := b.Operator.Ready(ctx); !errors.Is(err, want) {
			t.Errorf("after a round of upkeep that ended with %v: %v", want, err)
		}
	}
}

// A writer that hangs keeps callers for WriteWait and no longer; reads go on.
func TestWritesWaitForTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := trackingtest.New(t)
		release := make(chan struct{})
		go b.Store.Update(ctx, b.Account.Scope(), func(store.RecordTx) error { <-release; return nil })
		synctest.Wait()
		start := time.Now()
		_, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"})
		if took := time.Since(start); !errors.Is(err, tracking.ErrUnavailable) || took != 5*time.Second {
			t.Errorf("after %s: %v", took, err)
		}
		if _, _, err := b.Parties(ctx, tracking.PartyQuery{}, tracking.Page{}); err != nil {
			t.Errorf("a read meanwhile: %v", err)
		}
		impatient, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if _, err := b.CreateParty(impatient, tracking.NewParty{CompanyName: "Acme"}); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, tracking.ErrUnavailable) {
			t.Errorf("the caller's own deadline: %v", err)
		}
		close(release)
		if _, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"}); err != nil {
			t.Error(err)
		}
	})
}

// slowStore takes as long for an update as its caller waits for a turn.
type slowStore struct{ tracking.Store }

func (s slowStore) Update(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	return s.Store.Update(ctx, a, func(r store.RecordTx) error {
		err := fn(r)
		if _, ok := ctx.Deadline(); ok {
			<-ctx.Done()
		}
		return err
	})
}

// WriteWait is for the turn: an update may take longer, also the first with a
// notification, which runs twice because it needs the imported terminals.
func TestUpdatesMayTakeLongerThanTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := trackingtest.New(t, func(c *tracking.Config) { c.Store = slowStore{c.Store} })
		subscribe(t, b, hookURL, freight.ContainerCreated)
		ingest(t, b, api(voyage("B1")...))
	})
}
