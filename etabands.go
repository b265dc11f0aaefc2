package tracking

import (
	"context"
	"sync"
	"time"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/reliability"
	"github.com/landfallhq/tracking/store"
)

// ETABand is what shipments show beside their ETA at the POD.
type ETABand struct {
	// Band has the times, UTC, before which 10, 50 and 90 % of arrivals are expected: the ETA
	// with the errors of past ETAs of the account, and the number of these (see
	// docs/reliability.md#the-band). Nil (null) without an ETA, after the arrival, and where no
	// class of past arrivals has 30.
	Band *reliability.Band `attr:"pod_eta_band"`
}

// shownShipment is a shipment as it is shown with its band.
type shownShipment struct {
	Shipment
	ETABand
}

// bandAttributes are the attributes of a band alone.
type bandAttributes struct {
	ID ID `id:""`
	ETABand
}

// bandFacts are what a band follows from, read from the document of a shipment.
type bandFacts struct {
	ID   ID        `id:""`
	Line string    `attr:"shipping_line_scac,null"`
	POL  string    `attr:"port_of_lading_locode,null"`
	POD  string    `attr:"port_of_discharge_locode,null"`
	ETA  time.Time `attr:"pod_eta_at,null"`
	ATA  time.Time `attr:"pod_ata_at,null"`
	Zone string    `attr:"pod_timezone,null"`
}

var (
	shownShipments = record.For[shownShipment]("shipment")
	bandForms      = record.For[bandAttributes]("shipment")
	bandSources    = record.For[bandFacts]("shipment")
)

// noBand is the form of null.
var noBand, _ = bandForms.Encode(&bandAttributes{})

// errorsLifetime is how long the errors of an account are used before they are made again.
const errorsLifetime = 5 * time.Minute

// errorCache has the errors of past ETAs of accounts that were asked for lately.
type errorCache struct {
	mu       sync.Mutex
	accounts map[AccountID]*accountErrors
}

// accountErrors are those of one account. The mutex is held while they are made, so that
// requests at one time make them once.
type accountErrors struct {
	mu     sync.Mutex
	errors *reliability.Errors
	madeAt time.Time
}

// of returns the entry of an account. It forgets others that are too old.
func (c *errorCache) of(account AccountID, now time.Time) *accountErrors {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry := c.accounts[account]
	if entry != nil {
		return entry
	}
	if c.accounts == nil {
		c.accounts = map[AccountID]*accountErrors{}
	}
	for id, other := range c.accounts {
		if other.mu.TryLock() {
			if other.isOld(now) {
				delete(c.accounts, id)
			}
			other.mu.Unlock()
		}
	}
	entry = &accountErrors{}
	c.accounts[account] = entry
	return entry
}

func (a *accountErrors) isOld(now time.Time) bool {
	age := now.Sub(a.madeAt)
	return a.errors == nil || age < 0 || age >= errorsLifetime
}

// pastErrors returns the errors of past ETAs of the account, of up to errorsLifetime ago.
func (tx *transaction) pastErrors() (*reliability.Errors, error) {
	entry := tx.engine.pastErrors.of(tx.Account, tx.Now)
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if !entry.isOld(tx.Now) {
		return entry.errors, nil
	}
	past, err := voyagesOf(tx)
	if err != nil {
		return nil, err
	}
	entry.errors, entry.madeAt = reliability.NewErrors(past, tx.Now), tx.Now
	return entry.errors, nil
}

// bandDocument returns the band of a stored shipment as a document.
func bandDocument(tx *transaction, r store.Record) ([]byte, error) {
	band, err := bandOf(tx, r)
	if err != nil || band == nil {
		return noBand, err
	}
	document, _ := bandForms.Encode(&bandAttributes{r.ID, ETABand{band}})
	return document, nil
}

// bandOf returns the band of a stored shipment. A time without a zone may be local, and has
// none.
func bandOf(tx *transaction, r store.Record) (*reliability.Band, error) {
	errors, err := tx.pastErrors()
	if err != nil || errors.Empty() {
		return nil, err
	}
	var s bandFacts
	if err := bandSources.Decode(r.Doc, nil, &s); err != nil {
		return nil, err
	}
	if s.ETA.IsZero() || !s.ATA.IsZero() || s.Zone == "" {
		return nil, nil
	}
	return errors.Band(reliability.Estimate{Line: s.Line, POL: s.POL, POD: s.POD, ETA: s.ETA}, tx.Now), nil
}

// Bands returns the bands of the ETAs of shipments, as documents show them; those without one
// are not there. Needs show.
func (r Reliability) Bands(ctx context.Context, ids ...ID) (map[ID]*reliability.Band, error) {
	if err := r.t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, r.t.engine, r.t.actor.Account, func(tx *transaction) (map[ID]*reliability.Band, error) {
		found, err := tx.Records.GetMany(tx, shipments.Kind, ids, nil)
		if err != nil {
			return nil, err
		}
		bands := map[ID]*reliability.Band{}
		for _, row := range found {
			band, err := bandOf(tx, row)
			if err != nil {
				return nil, err
			}
			if band != nil {
				bands[row.ID] = band
			}
		}
		return bands, nil
	})
}
