package tracking

import (
	"context"
	"errors"
	"fmt"
)

// MaxBulkRequests is the largest number of requests of CreateTrackingRequests.
const MaxBulkRequests = 100

// maxBulkInitial bounds their custom fields in all, because they are written in one
// transaction.
const maxBulkInitial = 10_000

// BulkRequestResult is the result of one of several tracking requests: Request or Err is
// set.
type BulkRequestResult struct {
	Request *TrackingRequest
	// Err is the error of CreateTrackingRequest: an *Error or Errors.
	Err error
}

// CreateTrackingRequests makes up to 100 tracking requests in one transaction, and returns
// one result per request, in order. A refused request does not affect the others. The
// second of two for the same number is a duplicate, unless they name different lines. A
// Once covers the whole call, refusals included. Needs create.
//
// Errors: Invalid on requests (too_long, blank) for none, for more than 100, and for more
// than 10,000 initial custom fields in all.
func (t *Tracker) CreateTrackingRequests(ctx context.Context, list []NewTrackingRequest, once ...Once) ([]BulkRequestResult, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	switch {
	case len(list) == 0:
		return nil, invalid("requests", "blank", "Requests can't be blank")
	case len(list) > MaxBulkRequests:
		return nil, invalid("requests", "too_long", "Requests may be at most %d at once, not %d", MaxBulkRequests, len(list))
	}
	values := 0
	for _, n := range list {
		values += len(n.CustomFields.Shipment) + len(n.CustomFields.Containers)
	}
	if values > maxBulkInitial {
		return nil, invalid("requests", "too_long", "Requests may carry at most %d initial custom fields together, not %d", maxBulkInitial, values)
	}
	checked := make([]BulkRequestResult, len(list))
	for i, n := range list {
		checked[i].Request, checked[i].Err = t.validRequest(n)
	}
	var results []BulkRequestResult
	err := t.withAccount(ctx, "tracking_request.create_many", func(tx *transaction) error {
		results = make([]BulkRequestResult, len(list))
		outcomes, fresh, err := remembered(tx, once, "bulk", func() ([]bulkOutcome, error) {
			return admitAll(tx, list, checked, results, t.actor.Via)
		})
		if err != nil || fresh {
			return err
		}
		results, err = recalled(tx, outcomes)
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// bulkOutcome is one result as it is stored under an idempotency key.
type bulkOutcome struct {
	ID     ID     `json:"id,omitzero"`
	Errors Errors `json:"errors,omitempty"`
}

// admitAll admits the requests that passed the first check.
func admitAll(tx *transaction, list []NewTrackingRequest, checked, results []BulkRequestResult, via ChangeSource) ([]bulkOutcome, error) {
	outcomes := make([]bulkOutcome, len(checked))
	admitted := map[string][]*TrackingRequest{} // by each form of their numbers
	for i, c := range checked {
		err := c.Err
		if err == nil {
			made := *c.Request
			if err = made.setInitialFields(tx, list[i].CustomFields, via); err == nil {
				err = refuseRepetition(&made, admitted)
			}
			if err == nil {
				err = admitRequest(tx, &made)
			}
			if err == nil {
				results[i].Request, outcomes[i].ID = &made, made.ID
				for _, key := range made.keys() {
					admitted[key] = append(admitted[key], &made)
				}
				continue
			}
		}
		faults, ok := asFaults(err)
		if !ok {
			return nil, err // an internal error: nothing is written
		}
		results[i].Err, outcomes[i].Errors = faults, faults
	}
	return outcomes, nil
}

// refuseRepetition refuses a request for a number that the same call has admitted already, if
// one of the two has no line: refuseDuplicate compares those with a line. The type does not
// count, as there.
func refuseRepetition(r *TrackingRequest, admitted map[string][]*TrackingRequest) error {
	for _, key := range r.keys() {
		for _, other := range admitted[key] {
			if r.SCAC == "" || other.SCAC == "" {
				return duplicateFault(r, other)
			}
		}
	}
	return nil
}

// asFaults returns the faults of a request in an error; ok is false for internal errors.
func asFaults(err error) (list Errors, ok bool) {
	var one *Error
	switch {
	case errors.As(err, &list):
		return list, len(list) > 0
	case errors.As(err, &one) && one.Kind == Invalid:
		return Errors{one}, true
	}
	return nil, false
}

// recalled returns the results of a repeated call, with the present requests.
func recalled(tx *transaction, outcomes []bulkOutcome) ([]BulkRequestResult, error) {
	results := make([]BulkRequestResult, len(outcomes))
	for i, o := range outcomes {
		if len(o.Errors) > 0 {
			results[i].Err = o.Errors
			continue
		}
		r, err := trackingRequests.Get(tx, o.ID)
		if err != nil {
			return nil, fmt.Errorf("tracking: a request of a repeated call: %w", err)
		}
		results[i].Request = r
	}
	return results, nil
}

// CheckTrackingRequests returns the error of CreateTrackingRequest for each request, as if
// it were the only one, and writes nothing. A request without a line is a duplicate if it
// would be one with the line that the detection takes without asking a carrier. Needs show.
func (t *Tracker) CheckTrackingRequests(ctx context.Context, list []NewTrackingRequest) ([]error, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	faults := make([]error, len(list))
	err := t.view(ctx, t.actor.Account, func(tx *transaction) error {
		for i, n := range list {
			r, err := t.validRequest(n)
			if err == nil && r.Customer != (ID{}) {
				_, err = customer(tx, r.Customer)
			}
			if err == nil {
				err = r.setInitialFields(tx, n.CustomFields, t.actor.Via)
			}
			if err == nil {
				err = t.refuseKnownDuplicate(tx, r)
			}
			if err == nil {
				continue
			}
			refused, ok := asFaults(err)
			if !ok {
				return err
			}
			faults[i] = refused
		}
		return nil
	})
	return faults, err
}

// refuseKnownDuplicate is refuseDuplicate with the line that a request without one would get
// by a shipment of its number, or by the number alone. It changes the request.
func (t *Tracker) refuseKnownDuplicate(tx *transaction, r *TrackingRequest) error {
	if r.SCAC != "" {
		return refuseDuplicate(tx, r)
	}
	s, err := shipmentFor(tx, r)
	if err != nil {
		return err
	}
	if s != nil {
		r.SCAC = s.ShippingLineSCAC
	} else if i := t.inferRequest(r); i.Decision == AutoSelect {
		r.SCAC = i.Selected().SCAC
	}
	return refuseDuplicate(tx, r)
}
