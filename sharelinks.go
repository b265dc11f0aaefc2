package tracking

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/openings"
	"github.com/landfallhq/tracking/internal/signin"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// ShareLink lets people without an account look at one shipment, or at one list. Its address
// has a token, and only the hash of that is stored.
type ShareLink struct {
	Meta
	// Shipment that is shown; zero (null) of a list.
	Shipment ID `rel:"shipment,shipment"`
	// User who made the link; zero (null) for a key of no user.
	User ID `rel:"user,user"`

	// View that the list was kept as when the link was made; zero (null) of a shipment. It may
	// be changed or deleted since, and the link stays.
	View ID `attr:"view_id,null"`
	// Name is the heading of a list; empty (null) of a shipment.
	Name string `attr:"name,null"`
	// List and Parameters are those of the view when the link was made, as View has them;
	// empty (null) of a shipment.
	List       string `attr:"list,null"`
	Parameters string `attr:"parameters,null"`
	// Columns are what was chosen to be shown, by names of the program that shows it. Like
	// parameters they are not read by the engine.
	Columns []string `attr:"columns"`
	// Fields are the definitions of the custom fields among the columns: one that is made later
	// under the same name was not chosen.
	Fields []ID `attr:"field_ids"`
	// ExpiresAt is when the link ends, UTC. Timezone is the IANA name of the zone whose day
	// ends then, for showing it; empty (null) for UTC.
	ExpiresAt time.Time `attr:"expires_at"`
	Timezone  string    `attr:"timezone,null"`
	CreatedAt time.Time `attr:"created_at"` // UTC
	// RevokedAt is when the link was revoked, UTC; zero (null) if it was not.
	RevokedAt time.Time `attr:"revoked_at,null"`
	// Openings counts how often the link was opened. LastOpenedAt is the last time, UTC; zero
	// (null) for never.
	Openings     int       `attr:"openings"`
	LastOpenedAt time.Time `attr:"last_opened_at,null"`
	// Hint is the end of the token, by which people recognise the address in lists.
	Hint string `attr:"hint"`

	// State is active, revoked, expired, or ended: the journey of the shipment is over. It is
	// that of the present, and not stored.
	State string

	shareLinkInternals
}

// shareLinkInternals is what the engine stores with a link and does not show.
type shareLinkInternals struct {
	// Hash is the hex SHA-256 of the token.
	Hash string `private:"hash"`
	// CountedBy is the engine that last counted openings, and Counted the number of its last
	// batch that is in Openings; see openings.Counter.
	CountedBy ID    `private:"counted_by"`
	Counted   int64 `private:"counted"`
}

const (
	// maxShareLinks bounds the links of an account that have not expired.
	maxShareLinks = 10_000
	// maxShareLife is how long a link may last.
	maxShareLife = 366 * 24 * time.Hour
	// shareLinkRetention is how long an expired link is shown.
	shareLinkRetention = 30 * 24 * time.Hour
	// maxShareColumns and maxShareColumn bound the columns, and the characters of each.
	maxShareColumns, maxShareColumn = 200, 100
	maxShareName                    = 80
	shareHint                       = 6
)

var shareLinks = newKind("share_link", []column[ShareLink]{
	table.TextColumn("hash", func(l *ShareLink) string { return l.Hash }),
	table.IDColumn("shipment", func(l *ShareLink) ID { return l.Shipment }),
	table.IDColumn("view", func(l *ShareLink) ID { return l.View }),
	table.TimeColumn("expires_at", func(l *ShareLink) time.Time { return l.ExpiresAt }),
}, nil, nil)

// expiredShareLinks selects the links that expired before a time.
func expiredShareLinks(end time.Time) store.Filter {
	var w where[ShareLink]
	w.Times("expires_at", time.Time{}, end, func(l *ShareLink) time.Time { return l.ExpiresAt })
	return w.Filter(shareLinks)
}

// ShareLinks has the operations on the links by which an account shares what it has: see
// [Tracker.ShareLinks].
type ShareLinks struct{ t *Tracker }

// ShareLinks returns the links of the account: Create, Get, List and Revoke are its operations.
// Open and Reopen are for visitors and need no account.
func (t *Tracker) ShareLinks() ShareLinks { return ShareLinks{t} }

// NewShareLink has the arguments of Create.
type NewShareLink struct {
	// Shipment, or View that the actor sees: one of them.
	Shipment, View ID
	// Name is the heading of a list, at most 80 characters. Defaults to the name of the view.
	Name string
	// Columns, at most 200, and Fields, as ShareLink has them.
	Columns []string
	Fields  []ID
	// ExpiresAt is when the link ends, at most 366 days from now. Required.
	ExpiresAt time.Time
	// Timezone as ShareLink has it.
	Timezone string
}

// Create makes a link and returns its token, which cannot be shown again: a repeated call with
// the same Once returns the link, and no token. Needs create. Errors: NotFound if there is no
// such shipment or view; Invalid on name (too_long, invalid), columns (invalid), fields
// (not_found), expires_at (blank, out_of_range) and timezone (invalid); Invalid with the code
// too_many beyond 10,000 links that have not expired.
func (s ShareLinks) Create(ctx context.Context, n NewShareLink, once ...Once) (token string, link *ShareLink, err error) {
	if err := s.t.allow(Create); err != nil {
		return "", nil, err
	}
	made := ""
	link, err = createOnce(ctx, s.t, once, shareLinks, func(tx *transaction) (*ShareLink, error) {
		l, err := s.made(tx, n)
		if err != nil {
			return nil, err
		}
		made = signin.NewLink(s.t.actor.Account)
		l.Hash, l.Hint = signin.Hash(made), made[len(made)-shareHint:]
		return l, shareLinks.Put(tx, l)
	})
	if err != nil {
		return "", nil, err
	}
	if link.Hash == signin.Hash(made) { // else it was made before
		token = made
	}
	return token, link, s.complete(ctx, link)
}

// made checks the arguments of Create.
func (s ShareLinks) made(tx *transaction, n NewShareLink) (*ShareLink, error) {
	l := &ShareLink{
		User: s.t.actor.User, Columns: slices.Clone(n.Columns), Fields: slices.Clone(n.Fields),
		ExpiresAt: n.ExpiresAt.UTC().Truncate(time.Second), Timezone: n.Timezone, CreatedAt: tx.Now,
	}
	if err := s.target(tx, n, l); err != nil {
		return nil, err
	}
	faults := l.faults(tx.Now)
	for _, id := range n.Fields {
		if _, err := definition(tx, id); isNotFound(err) {
			faults = append(faults, invalid("fields", "not_found", "there is no such custom field: %s", id))
		} else if err != nil {
			return nil, err
		}
	}
	if err := faults.or(); err != nil {
		return nil, err
	}
	var w where[ShareLink]
	w.Times("expires_at", tx.Now, time.Time{}, func(l *ShareLink) time.Time { return l.ExpiresAt })
	_, total, err := shareLinks.List(tx, w, Page{Number: 1, Size: 1})
	if err == nil && total >= maxShareLinks {
		err = invalid("", "too_many", "there are %d share links that have not expired, which is the most", total)
	}
	return l, err
}

// target reads what a new link shows.
func (s ShareLinks) target(tx *transaction, n NewShareLink, l *ShareLink) error {
	if (n.Shipment == ID{}) == (n.View == ID{}) {
		return invalid("shipment", "blank", "a share link is of one shipment or of one view")
	}
	if n.View == (ID{}) {
		l.Shipment = n.Shipment
		_, err := shipments.Get(tx, n.Shipment)
		return err
	}
	view, err := s.t.Views().find(n.View)(tx)
	if err != nil {
		return err
	}
	l.View, l.List, l.Parameters = view.ID, view.List, view.Parameters
	l.Name = cmp.Or(strings.TrimSpace(n.Name), view.Name)
	return nil
}

// faults are what is wrong with a new link.
func (l *ShareLink) faults(now time.Time) (faults Errors) {
	if err := (*Error)(nil); l.Name != "" && errors.As(checkText("name", l.Name, maxShareName), &err) {
		faults = append(faults, err)
	}
	if len(l.Columns) > maxShareColumns || slices.ContainsFunc(l.Columns, func(c string) bool { return checkText("columns", c, maxShareColumn) != nil }) {
		faults = append(faults, invalid("columns", "invalid", "Columns must be at most %d names of at most %d characters", maxShareColumns, maxShareColumn))
	}
	switch {
	case l.ExpiresAt.IsZero():
		faults = append(faults, invalid("expires_at", "blank", "Expires at can't be blank"))
	case !l.ExpiresAt.After(now):
		faults = append(faults, invalid("expires_at", "out_of_range", "Expires at must be later than now: %s is over", l.ExpiresAt.Format(time.RFC3339)))
	case l.ExpiresAt.Sub(now) > maxShareLife:
		faults = append(faults, invalid("expires_at", "out_of_range", "Expires at must be within %d days", int(maxShareLife/(24*time.Hour))))
	}
	if l.Timezone != "" && freight.LoadZone(l.Timezone) == nil {
		faults = append(faults, invalid("timezone", "invalid", "'%s' is no time zone such as Europe/Amsterdam", l.Timezone))
	}
	return faults
}

// Get returns one link. Needs show. Errors: NotFound.
func (s ShareLinks) Get(ctx context.Context, id ID) (*ShareLink, error) {
	if err := s.t.allow(Show); err != nil {
		return nil, err
	}
	link, err := viewing(ctx, s.t.engine, s.t.actor.Account, withID(shareLinks, id))
	if err != nil {
		return nil, err
	}
	return link, s.complete(ctx, link)
}

// ShareLinkQuery selects links.
type ShareLinkQuery struct {
	// Shipments and Views: any of them.
	Shipments, Views []ID
}

func (q ShareLinkQuery) where() (w where[ShareLink]) {
	w.IDs("shipment", q.Shipments, func(l *ShareLink) ID { return l.Shipment })
	w.IDs("view", q.Views, func(l *ShareLink) ID { return l.View })
	return w
}

// List returns a page of links, last created first, and their total number: those of all users,
// and those that have expired within the last 30 days, or were revoked or have ended before they expire. Needs show.
func (s ShareLinks) List(ctx context.Context, q ShareLinkQuery, p Page) (list []*ShareLink, total int, err error) {
	if err := s.t.allow(Show); err != nil {
		return nil, 0, err
	}
	unwritten := s.t.openings.Unwritten()
	err = s.t.view(ctx, s.t.actor.Account, func(tx *transaction) (err error) {
		if list, total, err = shareLinks.List(tx, q.where(), p); err != nil {
			return err
		}
		for _, l := range list {
			if err := l.complete(tx, unwritten); err != nil {
				return err
			}
		}
		return nil
	})
	return list, total, err
}

// complete adds to a link what is not stored with it.
func (s ShareLinks) complete(ctx context.Context, l *ShareLink) error {
	unwritten := s.t.openings.Unwritten()
	return s.t.view(ctx, s.t.actor.Account, func(tx *transaction) error {
		stored, err := shareLinks.Get(tx, l.ID)
		if err == nil {
			*l = *stored
			err = l.complete(tx, unwritten)
		}
		return err
	})
}

func (l *ShareLink) complete(tx *transaction, unwritten openings.Unwritten[openedLink]) (err error) {
	last := l.Counted
	if l.CountedBy != tx.engine.openingsID { // by another process, or before a start
		last = 0
	}
	l.count(unwritten.After(last, openedLink{tx.Account, l.ID}))
	l.State, err = l.stateAt(tx)
	return err
}

// count adds openings to a link.
func (l *ShareLink) count(n openings.Count) {
	l.Openings += n.N
	if n.Last.After(l.LastOpenedAt) {
		l.LastOpenedAt = n.Last
	}
}

// The states of links.
const (
	shareActive  = "active"
	shareRevoked = "revoked"
	shareExpired = "expired"
	shareEnded   = "ended"
)

// stateAt is the state of a link at the time of the transaction.
func (l *ShareLink) stateAt(tx *transaction) (string, error) {
	switch {
	case !l.RevokedAt.IsZero():
		return shareRevoked, nil
	case !tx.Now.Before(l.ExpiresAt):
		return shareExpired, nil
	case l.Shipment == ID{}:
		return shareActive, nil
	}
	w, err := readWithContainers(tx, l.Shipment)
	switch {
	case err != nil:
		return "", err
	case w.Shipment.removed(), journeyIsOver(w.Shipment, w.containers):
		return shareEnded, nil
	}
	return shareActive, nil
}

// journeyIsOver reports whether all containers of a shipment were returned, or a rule has
// stopped tracking for a reason that ends a journey. That a line is silent ends none.
func journeyIsOver(s *Shipment, containers []*Container) bool {
	return s.stoppedByRule() && s.LineTrackingStoppedReason != StoppedNoUpdates || progressOf(s, containers).Terminated()
}

// Revoke ends a link at once. Revoking it again changes nothing. Needs create: who may share may
// also end it. Errors: NotFound.
func (s ShareLinks) Revoke(ctx context.Context, id ID) (*ShareLink, error) {
	if err := s.t.allow(Create); err != nil {
		return nil, err
	}
	link, err := updateFound(ctx, s.t, "share_link.revoke", 0, withID(shareLinks, id), func(tx *transaction, l *ShareLink) error {
		if !l.RevokedAt.IsZero() {
			return nil
		}
		l.RevokedAt = tx.Now
		return shareLinks.Put(tx, l)
	})
	if err != nil {
		return nil, err
	}
	return link, s.complete(ctx, link)
}

// Open returns the link with a token, and a Tracker of a visitor who may only look: the caller
// shows no more than what the link names. It counts the opening. Errors: NotFound, equal for a
// link that was revoked, has expired or has ended, of a closed account, and that never existed.
func (s ShareLinks) Open(ctx context.Context, token string) (link *ShareLink, visitor *Tracker, err error) {
	link, visitor, err = s.Reopen(ctx, token)
	if err == nil {
		s.t.openings.Add(openedLink{visitor.actor.Account, link.ID}, s.t.now())
	}
	return link, visitor, err
}

// Reopen is Open for another page of what a visitor looks at already, and does not count.
func (s ShareLinks) Reopen(ctx context.Context, token string) (link *ShareLink, visitor *Tracker, err error) {
	scope, ok := signin.LinkScope(token)
	if !ok || scope == (AccountID{}) {
		return nil, nil, notFound()
	}
	link, err = viewing(ctx, s.t.engine, scope, func(tx *transaction) (*ShareLink, error) { return openedBy(tx, signin.Hash(token)) })
	if err != nil {
		return nil, nil, err
	}
	return link, s.t.For(Actor{Account: scope, Permissions: []Permission{Show}, RequestID: s.t.actor.RequestID, ClientAddress: s.t.actor.ClientAddress}), nil
}

// openedBy returns the link that a token of this hash opens now.
func openedBy(tx *transaction, hash string) (*ShareLink, error) {
	l, err := ledgers.Get(tx, ledgerID)
	if ignoreNotFound(err) != nil {
		return nil, err
	}
	if err == nil && !l.ClosedAt.IsZero() {
		return nil, notFound()
	}
	var w where[ShareLink]
	w.Text("hash", []string{hash}, func(l *ShareLink) string { return l.Hash })
	list, err := shareLinks.All(tx, w)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, notFound()
	}
	link := list[0]
	if link.State, err = link.stateAt(tx); err == nil && link.State != shareActive {
		err = notFound()
	}
	return link, err
}

// openedLink names a link whose openings are counted.
type openedLink struct {
	account AccountID
	link    ID
}

// newOpenings returns the counter of the openings of links.
func newOpenings(e *engine) *openings.Counter[openedLink] {
	return openings.New(func(ctx context.Context, batch openings.Batch[openedLink]) map[openedLink]openings.Count {
		of := map[AccountID]map[ID]openings.Count{}
		for key, n := range batch.Counts {
			if of[key.account] == nil {
				of[key.account] = map[ID]openings.Count{}
			}
			of[key.account][key.link] = n
		}
		failed := map[openedLink]openings.Count{}
		var last error
		for account, counts := range of {
			err := e.update(ctx, account, func(tx *transaction) error { return writeOpenings(tx, batch.Number, counts) })
			if err == nil || errors.Is(err, errAccountDeleted) {
				continue
			}
			last = err
			for link, n := range counts {
				failed[openedLink{account, link}] = n
			}
		}
		if ctx.Err() == nil {
			e.outages.openings.Record(e.log, e.now(), "counting the openings of share links", last)
		}
		return failed
	})
}

func writeOpenings(tx *transaction, batch int64, counts map[ID]openings.Count) error {
	for id, n := range counts {
		link, err := shareLinks.Get(tx, id)
		if isNotFound(err) { // it was deleted long after its end
			continue
		}
		if err != nil {
			return err
		}
		link.count(n)
		link.CountedBy, link.Counted = tx.engine.openingsID, batch
		if err := shareLinks.Put(tx, link); err != nil && !isNewer(err) {
			return err
		}
	}
	return nil
}
