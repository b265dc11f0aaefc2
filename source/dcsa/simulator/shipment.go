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

// Shipment is one that the carrier carries: a voyage under numbers of its own.
type Shipment struct {
	// Voyage is the name of the voyage that it makes.
	Voyage string
	// TransportDocument, Booking and Containers are the numbers by which the
	// carrier can be asked about it.
	TransportDocument, Booking string
	Containers                 []string
	// Begins is when its first event is known, by the carrier's clock.
	Begins time.Time
}

// shipment is a Shipment with what the carrier needs to tell of it.
type shipment struct {
	Shipment
	script  *script
	rename  *strings.Replacer // from the voyage's numbers and IDs to its own; nil when they are the same
	shifted time.Duration     // from the voyage's times to its own
}

// epoch is when every voyage begins.
var epoch = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// newShipment makes the n-th shipment. The first of each voyage has the numbers
// that stand in its file.
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
	for i, box := range voyage.Containers {
		s.Containers[i] = containerNumber(maxBoxes*n + i)
		pairs = append(pairs, box, s.Containers[i])
	}
	for _, id := range voyage.ids {
		pairs = append(pairs, id, uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s/%d", id, again)).String())
	}
	s.rename = strings.NewReplacer(pairs...)
	return s
}

// maxBoxes is how many containers a shipment has at most.
const maxBoxes = 3

// renumber gives a voyage's number to its next shipments: LFB7001001, then
// LFB7011001, LFB7021001 and so on. The digit before the last three is the
// voyage's.
func renumber(number string, again int) string {
	digits := 0
	if _, err := fmt.Sscanf(number[3:], "%d", &digits); err != nil {
		panic(err) // the voyages' numbers are three letters and digits
	}
	return fmt.Sprintf("%s%d", number[:3], digits+10_000*again)
}

// containerNumber makes a number of the owner TSTU, with its check digit.
func containerNumber(serial int) string {
	number := fmt.Sprintf("TSTU%06d", serial)
	_, digit := refdata.CheckDigit(number + "0")
	return fmt.Sprintf("%s%d", number, digit)
}

// known are the events that the carrier knows at a time: of each the latest
// version, in the order in which they were created.
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

// created is when the carrier learned of an event of this shipment.
func (s *shipment) created(e *event) time.Time { return e.created.Add(s.shifted) }

// text is an event as this shipment's document has it.
func (s *shipment) text(e *event) string {
	return s.renamed(e.before + s.created(e).Format(time.RFC3339) + e.between + e.at.Add(s.shifted).Format(time.RFC3339) + e.after)
}

// script is a voyage ready to be told.
type script struct {
	Voyage
	events []*event
	ids    []string // each once
}

// event is one event of a voyage: what it can be found by, and its text around
// the two times, which are each shipment's own.
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

// newScript prepares a voyage. A fault of its file is the project's own and
// shows at once.
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

// split cuts the text where the times stand.
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
		return errors.New("eventDateTime must stand behind eventCreatedDateTime")
	}
	return nil
}

// box is the container that an event happened to; empty when it is of none.
func (s *shipment) box(e *event) string { return s.renamed(e.Box) }

// id is the event's ID in this shipment.
func (s *shipment) id(e *event) string { return s.renamed(e.ID) }

func (s *shipment) renamed(text string) string {
	if s.rename == nil {
		return text
	}
	return s.rename.Replace(text)
}
