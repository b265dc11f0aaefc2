package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
)

// copies fill an account with many copies of a few voyages that the engine has
// made, through the store alone: to hand in a million shipments as facts would
// take hours.
//
// The patterns are copied in turn, and the last of them is the last copy. So the
// newest page has the same voyages as the newest page of the account that the
// patterns are of, and so has every page that is a multiple of them away.
type copies struct {
	seed     uint64
	patterns []*pattern
	every    int // how many patterns there are
	// apart is the time between a copy and the next of the same pattern. The last
	// copy of each has the times of the pattern.
	apart  time.Duration
	shared []written // what several patterns refer to, such as ships
	count  int
	// without are the kinds of which the copies have no records.
	without []string
}

// copiesPerUpdate is how many shipments one transaction makes: many, because all
// that are made in it share the pages of the indexes that they change.
const copiesPerUpdate = 2000

// of is the pattern of the i-th copy.
func (c *copies) of(i int) *pattern {
	return c.patterns[((i-c.count)%c.every+c.every)%c.every]
}

// id is the ID of the i-th shipment.
func (c *copies) id(i int) tracking.ID { return copyID(c.seed, i, 0) }

// name is that of the account which holds these copies. It tells all that they
// depend on.
func (c *copies) name(kinds map[string]*store.Kind) string {
	form := fnv.New32a()
	for _, name := range []string{"shipment", "container", "transport_event", "exception", "import_cost"} {
		form.Write([]byte(kinds[name].Revision))
	}
	fmt.Fprint(form, c.without)
	return fmt.Sprintf("large %d/%d/%d form %08x", c.count, c.every, c.seed, form.Sum32())
}

// load writes all copies into the account and says from time to time how far it
// is.
func (c *copies) load(ctx context.Context, s tracking.Store, a tracking.AccountID, say func(string, ...any)) (n filling, err error) {
	watch := startWatch()
	said := time.Now()
	err = s.Update(ctx, a, func(tx store.RecordTx) error {
		for _, w := range c.shared {
			if _, err := tx.Put(ctx, w.kind, w.Write); err != nil {
				return err
			}
		}
		return nil
	})
	for from := 0; from < c.count && err == nil; from += copiesPerUpdate {
		to := min(c.count, from+copiesPerUpdate)
		var so filling
		err = s.Update(ctx, a, func(tx store.RecordTx) (err error) {
			so, err = c.write(ctx, tx, from, to, n)
			return err
		})
		n = so
		if took := watch.stop().took; time.Since(said) > 10*time.Second {
			said = time.Now()
			say("copied %d of %d, %.0f a second, %s to go", to, c.count, float64(to)/took.Seconds(), (took * time.Duration(c.count-to) / time.Duration(to)).Round(time.Second))
		}
	}
	n.watch = watch.stop()
	return n, err
}

// write writes some of the copies and adds them to n.
func (c *copies) write(ctx context.Context, tx store.RecordTx, from, to int, n filling) (filling, error) {
	for i := from; i < to; i++ {
		p := c.of(i)
		called := p.copy(c.seed, i)
		called.later = -time.Duration((c.count-1-i)/c.every) * c.apart
		for at := range p.records {
			r := &p.records[at]
			if r.mark != nil {
				if err := tx.Mark(ctx, r.kind, called.ids[r.name], *r.mark); err != nil {
					return n, fmt.Errorf("copy %d, mark %s: %w", i, r.mark.Name, err)
				}
				continue
			}
			version, err := tx.Put(ctx, r.kind, r.write(called))
			if err == nil && version != 1 {
				err = errors.New("there was one with its ID")
			}
			if err != nil {
				return n, fmt.Errorf("copy %d, %s: %w", i, r.kind.Name, err)
			}
			n.count(r.kind.Name)
		}
	}
	return n, nil
}

// counted is how many records the copies have.
func (c *copies) counted() (n filling) {
	for i := range c.count {
		for _, r := range c.of(i).records {
			if r.mark == nil {
				n.count(r.kind.Name)
			}
		}
	}
	return n
}
