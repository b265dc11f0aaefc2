package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/sqlite"
)

const (
	// factsPerReport bounds the reports by which the engine fills accounts.
	factsPerReport = 5000
	// whole is the suffix of the name of an account that marks another as filled.
	whole = ", whole"
)

// filler fills a database. It opens and closes it for each account, which moves
// the log into the file: its size then tells what the account takes.
type filler struct {
	*data
	sizes  sizes
	seed   uint64
	own    string // ends the names of accounts of this run alone
	say    func(string, ...any)
	copies *copies
	// tariffs are those of the small account and the large one.
	tariffs []freetime.Terms

	store    *recorder
	operator *tracking.Tracker
}

// fill fills the database at file. An existing one must have the large account of an
// earlier run; the other accounts are made again. For lists, the accounts have tariffs, the
// large one has no more than is listed, and a new file is written without a log.
func fill(ctx context.Context, file string, seed uint64, s sizes, lists bool, say func(string, ...any)) (*data, error) {
	f := &filler{
		data: &data{file: file, fleet: newFleet(seed, s.working)}, sizes: s, seed: seed, say: say,
		own:    time.Now().UTC().Format(" 20060102T150405.000000"),
		copies: &copies{seed: seed, every: s.few, apart: 24 * time.Hour, count: s.large, without: withoutFacts},
	}
	if lists {
		f.copies.without, f.tariffs = listsOnly, someTariffs()
	}
	steps := []func(context.Context) error{f.fillSmall, f.fillWorking, f.fillLarge, f.fillParties}
	if _, err := size(file); err == nil {
		steps = []func(context.Context) error{f.checkLarge, f.fillSmall, f.fillWorking, f.findLarge, f.fillParties}
	} else if lists {
		all := steps
		steps = []func(context.Context) error{func(ctx context.Context) error {
			for _, step := range all {
				if err := step(ctx); err != nil {
					return err
				}
			}
			return nil
		}}
	}
	for _, step := range steps {
		open := func() (tracking.Store, error) { return openStore(f.file, 0) }
		if len(steps) == 1 {
			open = func() (tracking.Store, error) {
				return sqlite.Open(f.file, sqlite.Options{FillBytes: generatorMemory / 2})
			}
		}
		if err := f.step(ctx, open, step); err != nil {
			return nil, err
		}
	}
	return f.data, nil
}

// step opens the database for one step and closes it after.
func (f *filler) step(ctx context.Context, open func() (tracking.Store, error), step func(context.Context) error) error {
	store, err := open()
	if err != nil {
		return err
	}
	f.store = newRecorder(store)
	f.operator, err = tracking.New(tracking.Config{Store: f.store, Logger: quiet})
	if err != nil {
		return errors.Join(err, store.Close())
	}
	steps, before := len(f.filled), f.bytes
	if err := errors.Join(step(ctx), f.operator.Close()); err != nil {
		return err
	}
	if f.bytes, err = size(f.file); err == nil && len(f.filled) > steps {
		n := &f.filled[len(f.filled)-1]
		n.bytes = f.bytes - before
		f.say("%s account: %s", n.what, n)
	}
	return err
}

// newAccount makes an account with a key that may do everything, or another key
// for the account of that name.
func (f *filler) newAccount(ctx context.Context, name string) (a account, err error) {
	made, _, err := f.operator.EnsureAccount(ctx, name)
	if err != nil {
		return a, err
	}
	key, _, err := f.operator.CreateKey(ctx, tracking.NewKey{Account: made.Scope()})
	return account{scope: made.Scope(), key: key}, err
}

// fillSmall fills the small account and makes of it the patterns of the large one.
func (f *filler) fillSmall(ctx context.Context) (err error) {
	if f.small, err = f.newAccount(ctx, "small"+f.own); err != nil {
		return err
	}
	f.store.account = f.small.scope
	if err := f.addTariffs(ctx, f.small); err != nil {
		return err
	}
	voyages := newFleet(f.seed, f.sizes.few)
	voyages.today = time.Now().UTC()
	n, err := f.byEngine(ctx, &f.small, voyages)
	if err != nil {
		return err
	}
	if err := f.assignExceptions(ctx, f.small); err != nil {
		return err
	}
	n.what = "small"
	f.filled = append(f.filled, n)
	f.copies.patterns, f.copies.shared, err = patterns(f.store.writes, voyages, f.copies.without)
	if err == nil && len(f.copies.patterns) != f.sizes.few {
		err = fmt.Errorf("%d patterns of %d shipments", len(f.copies.patterns), f.sizes.few)
	}
	return err
}

// fillWorking fills the account that updates go to, and that of one shipment.
func (f *filler) fillWorking(ctx context.Context) (err error) {
	if f.single, err = f.newAccount(ctx, "single"+f.own); err != nil {
		return err
	}
	if _, err = f.byEngine(ctx, &f.single, newFleet(f.seed, 1)); err != nil {
		return err
	}
	if f.working, err = f.newAccount(ctx, "working"+f.own); err != nil {
		return err
	}
	n, err := f.byEngine(ctx, &f.working, f.fleet)
	n.what = "working"
	f.filled = append(f.filled, n)
	return err
}

// byEngine hands in what is known of the fleet, many shipments at a time.
func (f *filler) byEngine(ctx context.Context, to *account, voyages *fleet) (n filling, err error) {
	t := f.operator.For(tracking.Actor{Account: to.scope})
	watch := startWatch()
	var batch []tracking.Fact
	for i := range voyages.told {
		batch = append(batch, voyages.begin(i)...)
		if len(batch) < factsPerReport && i < len(voyages.told)-1 {
			continue
		}
		r := report(batch...)
		r.Silent = true
		receipt, err := t.Ingest(ctx, r)
		if err != nil {
			return n, err
		}
		n.add(receipt)
		batch = batch[:0]
	}
	n.watch = watch.stop()
	to.rows = n.shipments
	return n, nil
}

// fillLarge fills the large account with copies.
func (f *filler) fillLarge(ctx context.Context) (err error) {
	name := f.copies.name(f.store.kinds)
	if f.large, err = f.newAccount(ctx, name); err != nil {
		return err
	}
	if err := f.addTariffs(ctx, f.large); err != nil {
		return err
	}
	n, err := f.copies.load(ctx, f.store.Store, f.large.scope, f.say)
	if err != nil {
		return err
	}
	f.describeLarge(n)
	_, _, err = f.operator.EnsureAccount(ctx, name+whole)
	return err
}

// checkLarge refuses a database without the large account that is wanted, before
// anything is written to it.
func (f *filler) checkLarge(ctx context.Context) error {
	name := f.copies.name(f.store.kinds)
	if _, err := f.operator.Account(ctx, name+whole); err != nil {
		return fmt.Errorf("-keep: the file has no account %q that was filled to its end: name another file, or give the -shipments and -seed and take the version of the program that this one was filled with", name)
	}
	return nil
}

// findLarge finds the large account of an earlier run.
func (f *filler) findLarge(ctx context.Context) (err error) {
	if f.large, err = f.newAccount(ctx, f.copies.name(f.store.kinds)); err == nil {
		f.describeLarge(f.copies.counted())
	}
	return err
}

// describeLarge records how the large account was filled, and picks some of its shipments for
// requests.
func (f *filler) describeLarge(n filling) {
	n.what = "large"
	f.filled = append(f.filled, n)
	f.large.rows = f.sizes.large
	random := rand.New(rand.NewPCG(f.seed, 5))
	for range min(mostIDs, f.large.rows) {
		f.large.ids = append(f.large.ids, f.copies.id(random.IntN(f.large.rows)))
	}
}

// fillParties makes many parties, as copies of one, and deletes one in ten.
func (f *filler) fillParties(ctx context.Context) (err error) {
	const number = 999_999_999 // of no other
	if f.thinned, err = f.newAccount(ctx, "thinned"+f.own); err != nil {
		return err
	}
	f.store.account = f.thinned.scope
	t := f.operator.For(tracking.Actor{Account: f.thinned.scope})
	if _, err := t.CreateParty(ctx, tracking.NewParty{CompanyName: "Consignee " + digits(number)}); err != nil {
		return err
	}
	var party []written
	for _, w := range f.store.writes {
		if w.kind.Name == "party" {
			party = append(party, w)
		}
	}
	c := &copies{seed: f.seed, patterns: []*pattern{newPattern(number, 0, party, nil)}, every: 1, count: f.sizes.parties - 1}
	if _, err := c.load(ctx, f.store.Store, f.thinned.scope, f.say); err != nil {
		return err
	}
	gone := rand.New(rand.NewPCG(f.seed, 6)).Perm(c.count)[:f.sizes.parties/10]
	f.thinned.rows, f.parties = f.sizes.parties-len(gone), f.sizes.parties
	return f.store.Store.Update(ctx, f.thinned.scope, func(tx store.RecordTx) error {
		for _, i := range gone {
			if err := tx.Delete(ctx, party[0].kind, c.id(i)); err != nil {
				return err
			}
		}
		return nil
	})
}
