package tracking

import (
	"context"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/record"
)

// Announcement is one event at the moment it is announced: the engine has learned
// something that webhooks of the account may want (see
// docs/contract.md#events-and-their-payloads).
type Announcement struct {
	// Account in which it happened.
	Account AccountID
	// Event is its public name.
	Event EventName
	// At is when it was announced: the time of the transaction that learned of
	// it, UTC, whole seconds. When the thing itself happened stands in Reference.
	At time.Time
	// Reference is the object that says more: a transport_event, estimated_event,
	// container_created_event, container_updated_event,
	// container_pod_terminal_changed_event, tracking_request or document.
	Reference record.Ref
	// Shipment and Container that it is about; zero where there is none.
	Shipment, Container ID

	// sequence tells apart the times at which a tracking request comes to one state, or
	// a document is read.
	sequence int64
}

// announce notes an event of the transaction. It counts when that commits.
func (tx *Tx) announce(event EventName, about record.Ref, shipment, container ID) {
	tx.announced = append(tx.announced, Announcement{
		Account: tx.Account, Event: event, At: tx.Now, Reference: about, Shipment: shipment, Container: container,
	})
}

// announceRequest notes that a tracking request has come to a state. That it is
// no longer followed comes after all other events of the transaction.
func (tx *Tx) announceRequest(event EventName, r *TrackingRequest, shipment ID) {
	a := Announcement{Account: tx.Account, Event: event, At: tx.Now, Reference: r.ref(), Shipment: shipment, sequence: r.Version}
	if event == freight.TrackingRequestStopped {
		tx.trailing = append(tx.trailing, a)
		return
	}
	tx.announced = append(tx.announced, a)
}

// callOnAnnounce hands what a committed transaction announced to the program around us.
func (e *engine) callOnAnnounce(ctx context.Context, list []Announcement) {
	if e.config.OnAnnounce == nil || len(list) == 0 {
		return
	}
	defer func() {
		if p := recover(); p != nil { // what was committed stays so
			e.log.Error("Config.OnAnnounce panicked", "panic", p)
		}
	}()
	e.config.OnAnnounce(ctx, list)
}
