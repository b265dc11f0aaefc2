package tracking

import (
	"context"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/naturalkey"
	"github.com/landfallhq/tracking/internal/search"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Party is a customer of the account, for whom shipments are tracked.
type Party struct {
	Meta
	// CompanyName is unique in the account, regardless of case.
	CompanyName string `attr:"company_name"`
	// CreatedAt in UTC.
	CreatedAt time.Time `private:"created_at"`
}

var parties = newKind("party", []column[Party]{
	table.NewColumn("company_name", store.TextColumn, func(p *Party) any { return naturalkey.FoldName(p.CompanyName) }),
}, func(p *Party) []store.Term { return nameTerms(p.CompanyName) }, nil).TermsVersion(search.TermsVersion)

// PartyQuery selects parties. It has no conditions.
type PartyQuery struct{}

func (PartyQuery) resourceType() *table.Schema { return parties.Schema }
func (PartyQuery) filter() store.Filter        { return new(where[Party]).Filter(parties) }

// NewParty has the arguments of CreateParty.
type NewParty struct {
	// CompanyName, 1 to 255 characters.
	CompanyName string
}

// PartyUpdate changes a party. Fields that are not set stay.
type PartyUpdate struct {
	CompanyName Opt[string]
	IfVersion   int64
}

// CreateParty adds a party. Needs create.
//
// Errors: Invalid on company_name (blank, too_long), and on customer (taken) if the account
// has a party with that name.
func (t *Tracker) CreateParty(ctx context.Context, n NewParty, once ...Once) (*Party, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	name := strings.TrimSpace(n.CompanyName)
	if err := checkText("company_name", name, 255); err != nil {
		return nil, err
	}
	return createOnce(ctx, t, once, parties, func(tx *transaction) (*Party, error) {
		if err := partyNameFree(tx, name, ID{}); err != nil {
			return nil, err
		}
		p := &Party{CompanyName: name, CreatedAt: tx.Now}
		return p, parties.Put(tx, p)
	})
}

// Check returns what CreateParty would refuse of the party itself.
func (n NewParty) Check() error {
	return checkText("company_name", strings.TrimSpace(n.CompanyName), 255)
}

// UpdateParty changes a party. A background job copies the new name to its shipments. Needs
// update. Errors as CreateParty, and NotFound, Stale.
func (t *Tracker) UpdateParty(ctx context.Context, id ID, u PartyUpdate) (*Party, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	name := strings.TrimSpace(u.CompanyName.Value)
	if u.CompanyName.Set {
		if err := checkText("company_name", name, 255); err != nil {
			return nil, err
		}
	}
	return updateFound(ctx, t, "party.update", u.IfVersion, withID(parties, id), func(tx *transaction, p *Party) error {
		if !u.CompanyName.Set || p.CompanyName == name {
			return nil
		}
		if err := partyNameFree(tx, name, id); err != nil {
			return err
		}
		p.CompanyName = name
		if err := parties.Put(tx, p); err != nil {
			return err
		}
		return enqueueRename(tx, id)
	})
}

// Party returns one party. Needs show.
func (t *Tracker) Party(ctx context.Context, id ID) (*Party, error) { return get(ctx, t, parties, id) }

// Parties returns a page of parties, last created first. Needs show.
func (t *Tracker) Parties(ctx context.Context, q PartyQuery, p Page) ([]*Party, int, error) {
	return list(ctx, t, parties, q, p)
}

func partyNameFree(tx *transaction, name string, except ID) error {
	var w where[Party]
	w.Text("company_name", []string{naturalkey.FoldName(name)}, func(p *Party) string { return naturalkey.FoldName(p.CompanyName) })
	same, err := parties.All(tx, w)
	if err != nil {
		return err
	}
	for _, p := range same {
		if p.ID != except {
			return invalid("customer", "taken", "'%s' already exists in Account", name)
		}
	}
	return nil
}

// renameBatch is the number of shipments per transaction.
const renameBatch = 100

func enqueueRename(tx *transaction, party ID) error {
	return tx.enqueue(store.Job{ID: table.NamedID("job/rename", party.String()), Kind: jobRename, Ref: party, Due: tx.Now})
}

// renameCustomer copies the party's name to its shipments, a batch at a time. The job is
// done when none has another name.
func (t *Tracker) renameCustomer(ctx context.Context, j store.Job) error {
	for {
		left := false
		err := t.update(ctx, j.Account, func(tx *transaction) error {
			party, err := parties.Get(tx, j.Ref)
			if err != nil {
				return err
			}
			list, err := shipments.All(tx, ShipmentQuery{TrackedQuery: TrackedQuery{CustomerIDs: []ID{party.ID}}}.where())
			if err != nil {
				return err
			}
			done := 0
			for _, s := range list {
				if s.CustomerName == party.CompanyName {
					continue
				}
				if left = done == renameBatch; left {
					return nil
				}
				s.CustomerName = party.CompanyName
				if err := putShipment(tx, s); err != nil {
					return err
				}
				done++
			}
			return tx.Records.Finish(tx, j)
		})
		if err != nil || !left {
			return err
		}
	}
}
