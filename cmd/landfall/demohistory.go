package main

import (
	"bytes"
	"context"
	_ "embed"
	"slices"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/sandbox"
)

//go:embed demotariffs.csv
var demoTariffs []byte

// demoClock is the system clock, which the demo sets back while it hands in the past.
type demoClock struct{ past atomic.Pointer[time.Time] }

// Now implements tracking.Clock.
func (c *demoClock) Now() time.Time {
	if past := c.past.Load(); past != nil {
		return *past
	}
	return time.Now()
}

// demoHistoryStep is the time between two reports of the past: ETAs change every three days.
const demoHistoryStep = 2 * 24 * time.Hour

// startDemoHistory makes the account of a demo with a year of history, unless the account
// exists: what an account has learned cannot be dated back.
func (s *server) startDemoHistory(ctx context.Context) error {
	accounts, err := s.tracker.Accounts(ctx)
	if err != nil || slices.ContainsFunc(accounts, func(a *tracking.Account) bool { return a.Name == defaultAccount }) {
		return err
	}
	defer s.demoClock.past.Store(nil)
	facts := sandbox.New(sandbox.Config{}).History(time.Now())
	for len(facts) > 0 {
		learned := facts[0].RecordedAt.Add(demoHistoryStep)
		s.demoClock.past.Store(&learned)
		account, _, err := s.tracker.EnsureAccount(ctx, defaultAccount)
		if err != nil {
			return err
		}
		n := slices.IndexFunc(facts, func(f freight.Fact) bool { return f.RecordedAt.After(learned) })
		if n < 0 {
			n = len(facts)
		}
		report := tracking.Report{Source: "sandbox", SCAC: sandbox.SCAC, Silent: true, Facts: facts[:n]}
		if _, err := s.tracker.For(tracking.Actor{Account: account.Scope()}).Ingest(ctx, report); err != nil {
			return err
		}
		facts = facts[n:]
	}
	return nil
}

// importDemoTariffs adds the tariffs of the demo to an account that has none.
func importDemoTariffs(ctx context.Context, tr *tracking.Tracker) error {
	known, err := tr.Tariffs().All(ctx)
	if err != nil || len(known) > 0 {
		return err
	}
	list, err := freetime.ReadCSV(bytes.NewReader(demoTariffs))
	if err != nil {
		return err
	}
	_, err = tr.Tariffs().Import(ctx, list, false)
	return err
}
