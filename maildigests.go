package tracking

import (
	"context"
	"encoding/json"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/maildigest"
	"github.com/landfallhq/tracking/internal/payload"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// digestEvent is the event of a notification that has a Digest. No webhook subscribes to it.
const digestEvent EventName = "digest"

const (
	// digestRows is how many rows a part of a digest has; the rest is counted.
	digestRows = 10
	// digestArrivalDays is how many days ahead a digest has arrivals, and digestFreeDays free time that
	// ends.
	digestArrivalDays, digestFreeDays = 7, 3
)

// Digest is what needs attention on a day, for one user. It is the included resource of its
// notification.
type Digest struct {
	// Date is the day, such as 2026-11-28, in Timezone, an IANA name.
	Date     string `json:"date"`
	Timezone string `json:"timezone"`
	// Exceptions that are open, the most severe first.
	Exceptions DigestPart `json:"exceptions"`
	// Costs are the containers that cost money, those that cost most first.
	Costs DigestPart `json:"costs"`
	// FreeTime has the containers whose free time ends within three days.
	FreeTime DigestPart `json:"free_time"`
	// Arrivals are the shipments that arrive at their port of discharge within seven days.
	Arrivals DigestPart `json:"arrivals"`
	// Overdue are the containers whose next milestone should have been reported.
	Overdue DigestPart `json:"overdue"`
}

// DigestPart is one list of a digest.
type DigestPart struct {
	// Total is how many there are, and Rows are the first of them.
	Total int         `json:"total"`
	Rows  []DigestRow `json:"rows"`
}

// DigestRow is one line of a digest. Members that do not apply are empty.
type DigestRow struct {
	// Type and ID of the resource: shipment, container or exception.
	Type string `json:"type"`
	ID   ID     `json:"id"`
	// Number of the container, or of the bill of lading or booking.
	Number string `json:"number"`
	// Place is the name of the port of discharge; the UN/LOCODE of another place that is overdue.
	Place string `json:"place,omitempty"`
	// At is when it arrives, or since when it is overdue, UTC, and Timezone the IANA name of the
	// zone of the place. Date is a day at the place.
	At       time.Time `json:"at,omitzero"`
	Timezone string    `json:"timezone,omitempty"`
	Date     string    `json:"date,omitempty"`
	// Vessel that arrives.
	Vessel string `json:"vessel,omitempty"`
	// Amount is owed until today, Tomorrow what the next day adds, in Currency (ISO 4217).
	Amount   string `json:"amount,omitempty"`
	Tomorrow string `json:"tomorrow,omitempty"`
	Currency string `json:"currency,omitempty"`
	// Kind and Severity of an exception, and its Detail, a sentence. Kind of what is overdue is
	// the name of the event.
	Kind     string `json:"kind,omitempty"`
	Severity string `json:"severity,omitempty"`
	Detail   string `json:"detail,omitempty"`
}

// enqueueDigest schedules the next digest after a time, or ends the schedule.
func (s *MailSubscription) enqueueDigest(tx *transaction, after time.Time) error {
	at, ok := maildigest.ParseTime(s.DigestAt)
	zone := freight.LoadZone(s.Timezone)
	if !s.Digest || !ok || zone == nil {
		return nil // a job that is scheduled already finds out
	}
	due := maildigest.Next(after, at, s.DigestDays, zone)
	return tx.enqueue(store.Job{ID: table.NamedID("job/digest", s.ID.String()), Kind: jobDigest, Ref: s.ID, Due: due})
}

// writeDigest writes the digest of a user for the day on which it was due, and schedules the next
// one. On a later day, after an outage, it is left out.
func (t *Tracker) writeDigest(ctx context.Context, j store.Job) error {
	s, user, err := t.digestOf(ctx, j)
	if isNotFound(err) {
		return t.update(ctx, j.Account, func(tx *transaction) error { return tx.Records.Finish(tx, j) })
	}
	if err != nil {
		return err
	}
	var d *Digest
	zone := freight.LoadZone(s.Timezone)
	if now := t.now().In(zone); s.Digest && s.Active && j.Due.In(zone).Format(time.DateOnly) == now.Format(time.DateOnly) {
		reader := t.For(Actor{Account: j.Account, User: user.ID, Permissions: []Permission{Show}})
		if d, err = reader.newDigest(ctx, now); err != nil {
			return err
		}
	}
	return t.update(ctx, j.Account, func(tx *transaction) error {
		if err := tx.Records.Finish(tx, j); err != nil {
			return err
		}
		s, w, err := getMailSubscription(tx, j.Ref) // which may have changed since
		if err != nil {
			return ignoreNotFound(err)
		}
		if d != nil && w.Active && s.Digest {
			if err := d.write(tx, w, d.Date); err != nil {
				return err
			}
		}
		if !w.Active {
			return nil
		}
		return s.enqueueDigest(tx, tx.clock())
	})
}

// digestOf returns the subscription of a job, and its user.
func (t *Tracker) digestOf(ctx context.Context, j store.Job) (s *MailSubscription, u *User, err error) {
	err = t.view(ctx, j.Account, func(tx *transaction) (err error) {
		if s, _, err = getMailSubscription(tx, j.Ref); err != nil {
			return err
		}
		u, err = users.Get(tx, s.User)
		return err
	})
	return s, u, err
}

// write writes the notification of a digest. There is one for each key, such as its day.
func (d *Digest) write(tx *transaction, w *Webhook, key string) error {
	id := table.NamedID("digest", w.ID.String()+"/"+key)
	s := &eventSnapshot{
		Meta: Meta{ID: table.NamedID("occurrence", id.String())}, Event: digestEvent, At: tx.Now,
	}
	_, err := tx.Records.Get(tx, eventSnapshots.Kind, s.ID)
	if err == nil || !isNotFound(err) {
		return err
	}
	doc, err := json.Marshal(struct {
		ID            ID       `json:"id"`
		Type          string   `json:"type"`
		Attributes    *Digest  `json:"attributes"`
		Relationships struct{} `json:"relationships"`
	}{ID: id, Type: "digest", Attributes: d})
	if err != nil {
		return err
	}
	if err := s.setDocuments(append(payload.AppendDocument([]byte{'['}, "digest", id, doc), ']'), nil); err != nil {
		return err
	}
	if err := eventSnapshots.Put(tx, s); err != nil {
		return err
	}
	return s.writeNotification(tx, w)
}

// newDigest reads what needs attention now, in the zone of the user.
func (t *Tracker) newDigest(ctx context.Context, now time.Time) (*Digest, error) {
	d := &Digest{Date: now.Format(time.DateOnly), Timezone: now.Location().String()}
	b := digestBuilder{t: t, ctx: ctx, today: time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location()), shipments: map[ID]*Shipment{}, containers: map[ID]*Container{}}
	for _, part := range []struct {
		of   *DigestPart
		read func() (DigestPart, error)
	}{
		{&d.Exceptions, b.exceptions}, {&d.Costs, b.costs}, {&d.FreeTime, b.freeTime}, {&d.Arrivals, b.arrivals}, {&d.Overdue, b.overdue},
	} {
		p, err := part.read()
		if err != nil {
			return nil, err
		}
		*part.of = p
	}
	return d, nil
}

// digestBuilder reads the parts of a digest, and each record once.
type digestBuilder struct {
	t          *Tracker
	ctx        context.Context //nolint:containedctx // of one digest
	today      time.Time       // its first moment, in the zone of the user
	shipments  map[ID]*Shipment
	containers map[ID]*Container
}

var firstRows = Page{Number: 1, Size: digestRows}

func (b *digestBuilder) shipment(id ID) (s *Shipment, err error) {
	if s = b.shipments[id]; s == nil {
		if s, err = b.t.Shipment(b.ctx, id); err == nil {
			b.shipments[id] = s
		}
	}
	return s, err
}

func (b *digestBuilder) container(id ID) (c *Container, err error) {
	if c = b.containers[id]; c == nil {
		if c, err = b.t.Container(b.ctx, id); err == nil {
			b.containers[id] = c
		}
	}
	return c, err
}

func (b *digestBuilder) exceptions() (p DigestPart, err error) {
	list, total, err := b.t.Exceptions().List(b.ctx, ExceptionQuery{Open: Yes, Sort: []Order{{Name: "severity"}}}, firstRows)
	if err != nil {
		return p, err
	}
	p.Total = total
	for _, e := range list {
		s, err := b.shipment(e.Shipment)
		if err != nil {
			return p, err
		}
		row := DigestRow{Type: "exception", ID: e.ID, Number: s.BillOfLadingNumber, Place: s.PortOfDischargeName, Kind: e.Kind, Severity: e.Severity, Detail: e.Detail}
		if e.Container != (ID{}) {
			c, err := b.container(e.Container)
			if err != nil {
				return p, err
			}
			row.Number = c.Number
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// of reads containers as rows. describe adds what the part is about.
func (b *digestBuilder) of(q ContainerQuery, describe func(*DigestRow, *Shipment, ImportCost, NextMilestone)) (p DigestPart, err error) {
	q.Removed = No
	list, total, err := b.t.Containers(b.ctx, q, firstRows)
	if err != nil {
		return p, err
	}
	p.Total = total
	ids := make([]ID, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	costs, err := b.t.Tariffs().Costs(b.ctx, ids...)
	if err != nil {
		return p, err
	}
	next, err := b.t.Exceptions().NextMilestones(b.ctx, ids...)
	if err != nil {
		return p, err
	}
	for _, c := range list {
		s, err := b.shipment(c.Shipment)
		if err != nil {
			return p, err
		}
		row := DigestRow{Type: "container", ID: c.ID, Number: c.Number, Place: s.PortOfDischargeName}
		describe(&row, s, costs[c.ID], next[c.ID])
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

func (b *digestBuilder) costs() (DigestPart, error) {
	q := ContainerQuery{Accruing: Yes}
	q.Sort = []Order{{Name: "cost", Desc: true}}
	return b.of(q, func(row *DigestRow, _ *Shipment, cost ImportCost, _ NextMilestone) {
		row.Amount, row.Tomorrow, row.Currency = cost.Amount, cost.Tomorrow, cost.Currency
	})
}

// freeTime selects by dates at the places, as the query has them: in UTC.
func (b *digestBuilder) freeTime() (DigestPart, error) {
	from := time.Date(b.today.Year(), b.today.Month(), b.today.Day(), 0, 0, 0, 0, time.UTC)
	q := ContainerQuery{FreeTimeEnds: TimeRange{From: from, To: from.AddDate(0, 0, digestFreeDays+1).Add(-1)}}
	q.Sort = []Order{{Name: "pickup_lfd"}}
	return b.of(q, func(row *DigestRow, _ *Shipment, cost ImportCost, _ NextMilestone) {
		if cost.FreeTimeEndsOn.IsValid() {
			row.Date = cost.FreeTimeEndsOn.String()
		}
	})
}

func (b *digestBuilder) overdue() (DigestPart, error) {
	return b.of(ContainerQuery{Overdue: Yes}, func(row *DigestRow, s *Shipment, _ ImportCost, next NextMilestone) {
		row.Kind, row.At, row.Timezone = string(next.Event), next.DueAt, s.PODTimezone
		if next.LocationLOCODE != s.PortOfDischargeLOCODE {
			row.Place, row.Timezone = next.LocationLOCODE, ""
		}
	})
}

func (b *digestBuilder) arrivals() (p DigestPart, err error) {
	var q ShipmentQuery
	q.PODETA = TimeRange{From: b.today.UTC(), To: b.today.AddDate(0, 0, digestArrivalDays).Add(-1).UTC()}
	q.Sort = []Order{{Name: "pod_eta_at"}}
	list, total, err := b.t.Shipments(b.ctx, q, firstRows)
	if err != nil {
		return p, err
	}
	p.Total = total
	for _, s := range list {
		p.Rows = append(p.Rows, DigestRow{
			Type: "shipment", ID: s.ID, Number: s.BillOfLadingNumber, Place: s.PortOfDischargeName,
			At: s.PODETAAt, Timezone: s.PODTimezone, Vessel: s.PODVesselName,
		})
	}
	return p, nil
}

// SendDigest sends the digest of the moment to a user who has an active subscription, as a trial.
// Errors: NotFound; Invalid with the code webhook_inactive.
func (m Mail) SendDigest(ctx context.Context, user ID) error {
	s, err := m.Get(ctx, user)
	if err != nil {
		return err
	}
	reader := m.t.For(Actor{Account: m.t.actor.Account, User: user, Permissions: []Permission{Show}})
	d, err := reader.newDigest(ctx, m.t.now().In(freight.LoadZone(s.Timezone)))
	if err != nil {
		return err
	}
	return m.t.change(ctx, "mail_subscription.send_digest", m.t.actor.Account, func(tx *transaction) error {
		w, err := webhooks.Get(tx, s.ID)
		if err != nil {
			return err
		}
		if err := requireActive(w); err != nil {
			return err
		}
		return d.write(tx, w, tx.Now.Format(time.RFC3339))
	})
}

// Digest returns the digest of the moment, as Mail.Save subscribes to it. timezone is the IANA
// name of a zone. Needs show. Errors: Invalid on timezone (invalid).
func (m Mail) Digest(ctx context.Context, timezone string) (*Digest, error) {
	if err := m.t.allow(Show); err != nil {
		return nil, err
	}
	zone := freight.LoadZone(timezone)
	if zone == nil {
		return nil, invalid("timezone", "invalid", "'%s' is no time zone such as Europe/Amsterdam", abbreviate(timezone, 64))
	}
	return m.t.newDigest(ctx, m.t.now().In(zone))
}
