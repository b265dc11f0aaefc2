package dcsa

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/landfallhq/tracking"
)

// Subscription is a subscription at a carrier: the carrier posts the events that
// match all of its filters to CallbackURL. An empty filter matches everything; of a
// list, any member matches. The names are those of Track & Trace 2.2.
type Subscription struct {
	// ID is assigned by the carrier; empty for a new subscription.
	ID string `json:"subscriptionID,omitempty"`
	// CallbackURL is the address of a callback, such as
	// https://tracking.example/v2/callbacks/dcsa/maeu. Required.
	CallbackURL string `json:"callbackUrl"`
	// EventTypes are of SHIPMENT, TRANSPORT, EQUIPMENT. The others name events and
	// documents within these types by their codes.
	EventTypes      []string `json:"eventType,omitempty"`
	ShipmentEvents  []string `json:"shipmentEventTypeCode,omitempty"`
	DocumentTypes   []string `json:"documentTypeCode,omitempty"`
	TransportEvents []string `json:"transportEventTypeCode,omitempty"`
	EquipmentEvents []string `json:"equipmentEventTypeCode,omitempty"`
	// The shipment, or the container.
	CarrierBookingReference    string `json:"carrierBookingReference,omitempty"`
	TransportDocumentReference string `json:"transportDocumentReference,omitempty"`
	EquipmentReference         string `json:"equipmentReference,omitempty"`
	// The voyage, and the place as a UN/LOCODE.
	VesselIMONumber    string `json:"vesselIMONumber,omitempty"`
	ExportVoyageNumber string `json:"exportVoyageNumber,omitempty"`
	CarrierServiceCode string `json:"carrierServiceCode,omitempty"`
	TransportCallID    string `json:"transportCallID,omitempty"`
	UNLocationCode     string `json:"UNLocationCode,omitempty"`
}

// Subscriptions manages the subscriptions at one carrier, with the rate limit and
// the credentials of its Client. Calls are not repeated.
//
// Errors are of type *tracking.Error: NotFound for a subscription that the carrier
// does not know, Unauthorized and Forbidden for refused credentials, Invalid for
// what the carrier rejects, in its own words, and Unavailable for temporary
// failures.
type Subscriptions struct {
	client *Client
	all    *url.URL
}

// Subscriptions returns the subscriptions at the carrier.
func (c *Client) Subscriptions() *Subscriptions {
	return &Subscriptions{client: c, all: c.events.JoinPath("..", "event-subscriptions")}
}

// Create creates a subscription. The secret, of at least 16 bytes, signs its
// deliveries: configure it at the receiver first. Create returns the subscription
// as the carrier has it, with its ID.
func (s *Subscriptions) Create(ctx context.Context, sub Subscription, secret []byte) (Subscription, error) {
	if err := errors.Join(sub.check(), checkSecret(secret)); err != nil {
		return Subscription{}, err
	}
	sub.ID = ""
	text := base64.StdEncoding.EncodeToString(secret)
	order := struct {
		Subscription
		Secret string `json:"secret"`
	}{sub, text}
	var made Subscription
	if _, err := s.call(ctx, http.MethodPost, s.all, order, &made, text); err != nil {
		return Subscription{}, err
	}
	if made.ID == "" {
		return Subscription{}, subscriptionFault(tracking.Unavailable, "the carrier did not say which subscriptionID it gave")
	}
	return made, nil
}

// Get returns one subscription.
func (s *Subscriptions) Get(ctx context.Context, id string) (sub Subscription, err error) {
	at, err := s.one(id)
	if err == nil {
		_, err = s.call(ctx, http.MethodGet, at, nil, &sub)
	}
	return sub, err
}

// List returns all active subscriptions, over all pages.
func (s *Subscriptions) List(ctx context.Context) (list []Subscription, err error) {
	seen := map[string]bool{}
	for at := s.all; at != nil; {
		if seen[at.String()] || len(seen) == s.client.config.MaxPages {
			return nil, subscriptionFault(tracking.Unavailable, "the carrier's pages do not end")
		}
		seen[at.String()] = true
		var page []Subscription
		if at, err = s.call(ctx, http.MethodGet, at, nil, &page); err != nil {
			return nil, err
		}
		list = append(list, page...)
	}
	return list, nil
}

// Update changes the address and filters of the subscription with sub.ID. The
// secret stays.
func (s *Subscriptions) Update(ctx context.Context, sub Subscription) (changed Subscription, err error) {
	at, err := s.one(sub.ID)
	if err = errors.Join(err, sub.check()); err == nil {
		_, err = s.call(ctx, http.MethodPut, at, sub, &changed)
	}
	return changed, err
}

// Renew makes sure that the carrier has the subscription: it changes it if it
// differs, and creates it again, with another ID, if the carrier does not know it.
// Subscriptions of version 2.2 do not expire, but carriers drop those whose
// callbacks fail for long.
func (s *Subscriptions) Renew(ctx context.Context, want Subscription, secret []byte) (Subscription, error) {
	if want.ID == "" {
		return s.Create(ctx, want, secret)
	}
	have, err := s.Get(ctx, want.ID)
	switch {
	case errors.Is(err, tracking.ErrNotFound):
		return s.Create(ctx, want, secret)
	case err != nil || reflect.DeepEqual(have, want):
		return have, err
	}
	return s.Update(ctx, want)
}

// SetSecret replaces the secret of a subscription. During the change the receiver
// should accept both.
func (s *Subscriptions) SetSecret(ctx context.Context, id string, secret []byte) error {
	at, err := s.one(id)
	if err = errors.Join(err, checkSecret(secret)); err != nil {
		return err
	}
	text := base64.StdEncoding.EncodeToString(secret)
	_, err = s.call(ctx, http.MethodPut, at.JoinPath("secret"), map[string]string{"secret": text}, nil, text)
	return err
}

// Delete deletes a subscription.
func (s *Subscriptions) Delete(ctx context.Context, id string) error {
	at, err := s.one(id)
	if err == nil {
		_, err = s.call(ctx, http.MethodDelete, at, nil, nil)
	}
	return err
}

func (s *Subscriptions) one(id string) (*url.URL, error) {
	if strings.Trim(id, ".") == "" { // what JoinPath would take for steps
		return nil, subscriptionFault(tracking.Invalid, "%q is no ID of a subscription", id)
	}
	return s.all.JoinPath(url.PathEscape(id)), nil
}

// check refuses what no carrier accepts.
func (sub Subscription) check() error {
	u, err := url.Parse(sub.CallbackURL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		fault := subscriptionFault(tracking.Invalid, "callbackUrl must be an https or http URL")
		fault.Field = "callbackUrl"
		return fault
	}
	return nil
}

func checkSecret(secret []byte) error {
	if len(secret) < minSecret {
		return subscriptionFault(tracking.Invalid, "the secret has %d bytes; it must have at least %d", len(secret), minSecret)
	}
	return nil
}

func subscriptionFault(kind tracking.ErrorKind, format string, args ...any) *tracking.Error {
	return &tracking.Error{Kind: kind, Field: "subscription", Detail: fmt.Sprintf(format, args...)}
}

// call sends one request and decodes the answer. next is the URL of the next page;
// nil if there is none. secrets are those in the order, which errors must not
// contain.
func (s *Subscriptions) call(ctx context.Context, method string, at *url.URL, order, into any, secrets ...string) (next *url.URL, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.client.config.RequestTimeout)
	defer cancel()
	done, err := s.client.admit(ctx)
	if err != nil {
		return nil, s.passing(method, err)
	}
	defer done()
	req, err := newRequest(ctx, method, at, order)
	if err != nil {
		return nil, subscriptionFault(tracking.Invalid, "%s: no request can be made of it", method)
	}
	resp, err := s.client.send(req)
	if err != nil {
		return nil, s.passing(method, s.client.observe(transportFault(err)), secrets...)
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return nil, s.refused(method, resp, secrets...)
	}
	if next, err = nextPage(resp); err != nil {
		return nil, s.passing(method, err, secrets...)
	}
	if into == nil {
		return nil, nil
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, s.client.config.MaxBody)).Decode(into); err != nil {
		return nil, subscriptionFault(tracking.Unavailable, "%s: the carrier's answer is not as the standard has it: %v", method, err)
	}
	return next, nil
}

func newRequest(ctx context.Context, method string, at *url.URL, order any) (*http.Request, error) {
	if order == nil {
		return http.NewRequestWithContext(ctx, method, at.String(), nil)
	}
	body, err := json.Marshal(order)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err == nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, err
}

// passing is the error of a request without an answer.
func (s *Subscriptions) passing(method string, err error, secrets ...string) error {
	text := strings.TrimPrefix(transportFault(err).Error(), "GET /v2/events: ")
	return subscriptionFault(tracking.Unavailable, "%s: %s", method, s.client.redact(text, secrets...))
}

// refused is the error of an answer other than success.
func (s *Subscriptions) refused(method string, resp *http.Response, secrets ...string) error {
	body := errorBody(resp)
	_ = s.client.observe(s.client.refusal(resp, body, "")) // a pause is for all that is asked
	kind := tracking.Unavailable
	switch resp.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		kind = tracking.NotFound
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusConflict:
		kind = tracking.Invalid
	case http.StatusUnauthorized:
		kind = tracking.Unauthorized
	case http.StatusForbidden:
		kind = tracking.Forbidden
	}
	text := s.client.quote(parseAPIErrors(body), append(secrets, bearerOf(resp.Request))...)
	return subscriptionFault(kind, "%s: the carrier answered %d %s%s", method, resp.StatusCode, http.StatusText(resp.StatusCode), text)
}
