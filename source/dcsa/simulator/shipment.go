package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/refdata"
)

// Shipment is one shipment of the carrier: a voyage with its own numbers.
type Shipment struct {
	// Voyage is the name of its voyage.
	Voyage string
	// TransportDocument, Booking and Containers are the numbers that it can be
	// found by.
	TransportDocument, Booking string
	Containers                 []string
	// Begins is when its first event is known, by the carrier's clock.
	Begins time.Time
}

// shipment is a Shipment with its events.
type shipment struct {
	Shipment
	script  *script
	rename  *strings.Replacer // from the voyage's numbers and IDs to its own; nil if they are equal
	shifted time.Duration     // from the voyage's times to its own
}

// epoch is the start of every voyage.
var epoch = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// newShipment returns the n-th shipment. The first of each voyage has the numbers
// in its file.
func newShipment(n int, begins time.Time) *shipment {
	scripts := scripts()
	voyage, again := &scripts[n%len(scripts)], n/len(scripts)
	s := &shipment{script: voyage, shifted: begins.Sub(epoch), Shipment: Shipment{
		Voyage: voyage.Name, TransportDocument: voyage.TransportDocument, Booking: voyage.Booking,
		Containers: voyage.Containers, Begins: begins,
	}}
	if again == 0 {
		return s
	}
	s.TransportDocument, s.Booking = renumber(voyage.TransportDocument, again), renumber(voyage.Booking, again)
	s.Containers = make([]string, len(voyage.Containers))
	pairs := []string{voyage.TransportDocument, s.TransportDocument, voyage.Booking, s.Booking}
	for i, container := range voyage.Containers {
		s.Containers[i] = containerNumber(maxContainers*n + i)
		pairs = append(pairs, container, s.Containers[i])
	}
	for _, id := range voyage.ids {
		pairs = append(pairs, id, uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s/%d", id, again)).String())
	}
	s.rename = strings.NewReplacer(pairs...)
	return s
}

// maxContainers is the maximum number of containers of a shipment.
const maxContainers = 3

// renumber returns the number of a voyage's later shipments: LFB7001001, then
// LFB7011001, LFB7021001 and so on. The digit before the last three is that of the
// voyage.
func renumber(number string, again int) string {
	digits := 0
	if _, err := fmt.Sscanf(number[3:], "%d", &digits); err != nil {
		panic(err) // the voyages' numbers are three letters and digits
	}
	return fmt.Sprintf("%s%d", number[:3], digits+10_000*again)
}

// containerNumber returns a number of the owner TSTU, with its check digit.
func containerNumber(serial int) string {
	number := fmt.Sprintf("TSTU%06d", serial)
	_, digit := refdata.CheckDigit(number + "0")
	return fmt.Sprintf("%s%d", number, digit)
}

// known returns the events known at a time: the latest version of each, in order of
// creation.
func (s *shipment) known(at time.Time) []*event {
	latest := make(map[string]*event, len(s.script.events))
	for _, e := range s.script.events {
		if s.created(e).After(at) {
			break
		}
		latest[e.ID] = e
	}
	list := make([]*event, 0, len(latest))
	for _, e := range s.script.events {
		if latest[e.ID] == e {
			list = append(list, e)
		}
	}
	return list
}

// created returns when the carrier learned of an event of this shipment.
func (s *shipment) created(e *event) time.Time { return e.created.Add(s.shifted) }

// text returns an event as JSON.
func (s *shipment) text(e *event) string {
	return s.renamed(e.before + s.created(e).Format(time.RFC3339) + e.between + e.at.Add(s.shifted).Format(time.RFC3339) + e.after)
}

// script is a prepared voyage.
type script struct {
	Voyage
	events []*event
	ids    []string // each once
}

// event is one event of a voyage: what it can be found by, and its text around the
// two times, which differ between shipments.
type event struct {
	ID          string `json:"eventID"`
	Type        string `json:"eventType"`
	CreatedText string `json:"eventCreatedDateTime"`
	AtText      string `json:"eventDateTime"`
	Shipment    string `json:"shipmentEventTypeCode"`
	Document    string `json:"documentTypeCode"`
	Transport   string `json:"transportEventTypeCode"`
	Equipment   string `json:"equipmentEventTypeCode"`
	Box         string `json:"equipmentReference"`
	Call        struct {
		ID     string `json:"transportCallID"`
		LOCODE string `json:"UNLocationCode"`
		Voyage string `json:"exportVoyageNumber"`
		Vessel struct {
			IMO string `json:"vesselIMONumber"`
		} `json:"vessel"`
	} `json:"transportCall"`

	created, at            time.Time
	before, between, after string
}

// newScript prepares a voyage.
func newScript(v Voyage) (script, error) {
	s := script{Voyage: v}
	seen := map[string]bool{}
	for i, text := range v.Events {
		e := &event{}
		if err := json.Unmarshal(text, e); err != nil {
			return script{}, fmt.Errorf("event %d: %w", i, err)
		}
		if err := e.split(string(text)); err != nil {
			return script{}, fmt.Errorf("event %d: %w", i, err)
		}
		if !seen[e.ID] {
			seen[e.ID] = true
			s.ids = append(s.ids, e.ID)
		}
		s.events = append(s.events, e)
	}
	return s, nil
}

// split cuts the text at the times.
func (e *event) split(text string) (err error) {
	if e.created, err = time.Parse(time.RFC3339, e.CreatedText); err != nil {
		return err
	}
	if e.at, err = time.Parse(time.RFC3339, e.AtText); err != nil {
		return err
	}
	var rest string
	var found [2]bool
	e.before, rest, found[0] = strings.Cut(text, e.CreatedText)
	e.between, e.after, found[1] = strings.Cut(rest, e.AtText)
	if !found[0] || !found[1] {
		return errors.New("eventDateTime must come after eventCreatedDateTime")
	}
	return nil
}

// containerOf returns the container of an event; empty if there is none.
func (s *shipment) containerOf(e *event) string { return s.renamed(e.Box) }

// id returns the event's ID in this shipment.
func (s *shipment) id(e *event) string { return s.renamed(e.ID) }

func (s *shipment) renamed(text string) string {
	if s.rename == nil {
		return text
	}
	return s.rename.Replace(text)
}
