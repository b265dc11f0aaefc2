package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

type etaResult struct {
	Summary     []string          `json:"summary"`
	ShipmentID  string            `json:"shipment_id"`
	Port        *string           `json:"port_of_discharge"`
	Timezone    *string           `json:"timezone"`
	ETA         *string           `json:"eta"`
	Source      *string           `json:"eta_source" about:"whose statement it is"`
	OriginalETA *string           `json:"original_eta"`
	ATA         *string           `json:"ata"`
	PromisedAt  *string           `json:"promised_arrival_at"`
	Band        *map[string]any   `json:"eta_band" about:"10, 50 and 90 % of arrivals are expected before its times; null if too few past arrivals are like this"`
	Changes     []etaChange       `json:"changes" about:"the latest first"`
	AllChanges  bool              `json:"all_changes_shown"`
	Metadata    presentationNotes `json:"_metadata"`
}

type etaChange struct {
	Before     *string `json:"before"`
	After      *string `json:"after"`
	LearnedAt  *string `json:"learned_at"`
	Source     *string `json:"source"`
	DataSource *string `json:"data_source"`
}

// shownChanges is how many changes of an ETA are read.
const shownChanges = "20"

var explainETA = &tool{
	name: "explain_eta", title: "The ETA and its history",
	about:      "Shows the estimated arrival at the port of discharge, who stated it and when, how it moved, and what past arrivals say about it.",
	parameters: []parameter{{name: "id", kind: identifier, about: "ID of the shipment, or of one of its containers.", required: true}},
	output:     etaResult{},
	guide: guide{
		Purpose:              "Say when it arrives, how sure that is, and how the estimate moved.",
		CanAnswer:            []string{"When does it arrive?", "Who says so?", "How did the ETA move?", "How sure is it?"},
		RequiresMoreData:     []string{"The cause of a delay: carriers state dates and no reasons"},
		RelevantFields:       []string{"summary", "eta", "changes", "eta_band"},
		PresentationGuidance: "Say the ETA, whose it is and how often it moved. A cause is not known unless an exception states it; do not suggest one.",
		SuggestedFollowUps:   []string{"What goes wrong with this shipment?", "Show the route"},
		SuggestedTools:       []string{"list_exceptions", "get_container_route"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		ship, err := c.shipmentOfID(ctx, c.args.text("id"))
		if err != nil {
			return nil, err
		}
		d, err := c.read(ctx, "/shipments/"+ship.ID+"/eta_revisions", url.Values{"filter[attribute]": {"pod_eta_at"}, "page[size]": {shownChanges}})
		if err != nil {
			return nil, err
		}
		r := etaOf(ship, d)
		r.Summary = c.etaSummary(ship, r)
		return &answer{result: r}, nil
	},
}

// shipmentOfID reads the shipment of an ID, or that of the container of the ID.
func (c *call) shipmentOfID(ctx context.Context, id string) (*resource, error) {
	ship, _, err := c.readOne(ctx, "/shipments", id, "")
	if !notFound(err) {
		return ship, err
	}
	box, _, err := c.readOne(ctx, "/containers", id, "")
	if err != nil {
		return nil, err
	}
	to, _ := box.to("shipment")
	ship, _, err = c.readOne(ctx, "/shipments", to.ID, "") // with the band, which includes do not have
	return ship, err
}

func etaOf(ship *resource, d *document) *etaResult {
	r := &etaResult{
		ShipmentID: ship.ID, Port: ship.text("port_of_discharge_name"), Timezone: ship.text("pod_timezone"), ETA: ship.text("pod_eta_at"), Source: ship.text("pod_eta_source"),
		OriginalETA: ship.text("pod_original_eta_at"), ATA: ship.text("pod_ata_at"), PromisedAt: ship.text("promised_arrival_at"), Changes: []etaChange{},
		AllChanges: d.links["next"] == "", Metadata: presentationNotes{"Begin with the summary. Suggest no cause."},
	}
	if band, ok := ship.Attributes["pod_eta_band"].(map[string]any); ok {
		r.Band = &band
	}
	for _, v := range d.list {
		r.Changes = append(r.Changes, etaChange{v.text("before"), v.text("after"), v.text("learned_at"), v.text("source"), v.text("data_source")})
	}
	return r
}

func (c *call) etaSummary(ship *resource, r *etaResult) []string {
	zone := orNone(r.Timezone)
	port := quoteOr(orNone(r.Port), "the port of discharge")
	lines := []string{}
	switch {
	case r.ATA != nil:
		lines = append(lines, fmt.Sprintf("It arrived at %s on %s.", port, c.at(parsedTime(*r.ATA), zone)))
	case r.ETA == nil:
		lines = append(lines, fmt.Sprintf("Neither an arrival at %s nor an estimate of it is reported.", port))
	default:
		line := fmt.Sprintf("The arrival at %s is estimated for %s, by %s", port, c.at(parsedTime(*r.ETA), zone), quoteOr(orNone(r.Source), "a source that is not known"))
		if len(r.Changes) > 0 {
			line += ", reported " + c.ago(parsedTime(orNone(r.Changes[0].LearnedAt)))
		}
		lines = append(lines, line+".")
		if c.now.After(parsedTime(*r.ETA)) {
			lines = append(lines, "That time has passed, and the arrival is not reported.")
		}
	}
	lines = append(lines, c.changesSummary(r, zone)...)
	if r.PromisedAt != nil {
		lines = append(lines, fmt.Sprintf("Promised by the account: %s.", c.at(parsedTime(*r.PromisedAt), zone)))
	}
	if line := c.bandSentence(r, zone); line != "" {
		lines = append(lines, line)
	}
	if len(movesOf(r)) > 0 {
		lines = append(lines, "Not known: why it moved. Carriers state dates and no reasons.")
	}
	s := boxView{&resource{}, ship, nil}
	return append(lines, c.freshness(&s))
}

// sentencedChanges is how many changes a summary has.
const sentencedChanges = 3

// movesOf are the changes from one estimate to another, the latest first.
func movesOf(r *etaResult) (moved []etaChange) {
	for _, v := range r.Changes {
		if v.Before != nil && v.After != nil {
			moved = append(moved, v)
		}
	}
	return moved
}

func (c *call) changesSummary(r *etaResult, zone string) []string {
	moved := movesOf(r)
	switch {
	case len(moved) == 0 && r.OriginalETA == nil:
		return nil
	case len(moved) == 0:
		return []string{c.firstEstimate(r, zone)}
	}
	first, last := parsedTime(*moved[len(moved)-1].Before), parsedTime(*moved[0].After)
	times := plural(len(moved), "time")
	if len(moved) == 1 {
		times = "once"
	}
	if !r.AllChanges {
		times = "at least " + times
	}
	lines := []string{fmt.Sprintf("It moved %s, and is now %s than at first (%s).", times, slip(last.Sub(first)), c.at(first, zone))}
	for _, v := range moved[:min(len(moved), sentencedChanges)] {
		lines = append(lines, fmt.Sprintf("%s: %s moved it to %s, %s.", c.exact(parsedTime(orNone(v.LearnedAt))), quoteOr(orNone(v.Source), "a source that is not known"),
			c.at(parsedTime(*v.After), zone), slip(parsedTime(*v.After).Sub(parsedTime(*v.Before)))))
	}
	return lines
}

// firstEstimate compares an estimate that was moved by no change with the first one. The two
// differ if they were received together, or if the first was withdrawn before the other came.
func (c *call) firstEstimate(r *etaResult, zone string) string {
	first := parsedTime(*r.OriginalETA)
	if r.ETA == nil || parsedTime(*r.ETA).Equal(first) {
		return "The estimate has not moved since it was first stated."
	}
	line := fmt.Sprintf("It is %s than at first (%s).", slip(parsedTime(*r.ETA).Sub(first)), c.at(first, zone))
	if r.AllChanges && len(r.Changes) <= 1 {
		line += " Both were received together."
	}
	return line
}

// bandSentence says what past arrivals say of the estimate.
func (c *call) bandSentence(r *etaResult, zone string) string {
	if r.ATA != nil || r.ETA == nil {
		return ""
	}
	if r.Band == nil {
		return "Not known: how sure it is. The account has fewer than 30 past arrivals that are like this."
	}
	at := func(name string) time.Time { s, _ := (*r.Band)[name].(string); return parsedTime(s) }
	samples, _ := (*r.Band)["samples"].(float64)
	return fmt.Sprintf("By %d past arrivals, 8 of 10 come between %s and %s.", int(samples), c.at(at("p10"), zone), c.at(at("p90"), zone))
}

type pastResult struct {
	Summary     []string          `json:"summary"`
	AsOf        string            `json:"as_of"`
	Type        string            `json:"type" about:"shipment or container"`
	ID          string            `json:"id"`
	Number      *string           `json:"number"`
	Then        map[string]any    `json:"then" about:"what was known then; null is not known"`
	Differences []difference      `json:"differences" about:"what differs now"`
	Metadata    presentationNotes `json:"_metadata"`
}

type difference struct {
	Attribute string `json:"attribute"`
	Then      any    `json:"then"`
	Now       any    `json:"now"`
}

// followed are the attributes whose past is shown, by type.
var followed = map[string][]string{
	"shipment": {
		"port_of_lading_name", "pol_etd_at", "pol_atd_at", "port_of_discharge_name", "pod_vessel_name", "pod_voyage_number", "pod_eta_at", "pod_ata_at",
		"destination_name", "destination_eta_at", "destination_ata_at", "line_tracking_stopped_at",
	},
	"container": {
		"current_status", "availability_known", "available_for_pickup", "pickup_lfd", "pickup_appointment_at", "holds_at_pod_terminal", "fees_at_pod_terminal",
		"pol_vessel_loaded_at", "pol_vessel_departed_at", "pod_arrived_at", "pod_discharged_at", "pod_full_out_at", "delivered_at", "empty_terminated_at",
	},
}

var asOf = &tool{
	name: "as_of", title: "What was known at a time",
	about: "Shows a shipment or a container as it was known at a time in the past, and what differs now. For questions of blame: what did we know, and when?",
	parameters: []parameter{
		{name: "id", kind: identifier, about: "ID of the shipment or the container.", required: true},
		{name: "at", kind: moment, about: "The time, such as 2026-03-01T12:00:00Z.", required: true},
	},
	output: pastResult{},
	guide: guide{
		Purpose:              "Show what was known at a time.",
		CanAnswer:            []string{"What was the ETA a week ago?", "When was the hold known?"},
		RequiresMoreData:     []string{"What it cost then (get_charges with as_of)"},
		RelevantFields:       []string{"then", "differences"},
		PresentationGuidance: "Say what was known then and what is known now. Something may have happened before it was known.",
		SuggestedFollowUps:   []string{"Who changed it, and when? (explain_eta)"},
		SuggestedTools:       []string{"explain_eta", "get_charges"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		r, err := c.past(ctx, c.args.text("id"), c.args.time("at"))
		if err != nil {
			return nil, err
		}
		return &answer{result: r}, nil
	},
}

func (c *call) past(ctx context.Context, id string, at time.Time) (*pastResult, error) {
	if at.After(c.now) {
		return nil, &inputError{"at", "must not be in the future"}
	}
	now, path := (*resource)(nil), ""
	var err error
	for _, path = range []string{"/shipments", "/containers"} {
		if now, _, err = c.readOne(ctx, path, id, ""); !notFound(err) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	when := at.UTC().Format("2006-01-02T15:04:05Z")
	r := &pastResult{AsOf: when, Type: now.Type, ID: id, Number: now.text("number"), Differences: []difference{}, Metadata: presentationNotes{"Say what was known then, and what is known now."}}
	if r.Number == nil {
		r.Number = now.text("bill_of_lading_number")
	}
	d, err := c.read(ctx, path+"/"+id, url.Values{"as_of": {when}, "include": {""}})
	if notFound(err) {
		r.Summary = []string{fmt.Sprintf("At %s the account did not know this %s.", c.exact(at), r.Type)}
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r.Then = map[string]any{}
	r.compare(d.list[0], now, followed[r.Type])
	var ship *resource
	if to, ok := now.to("shipment"); ok && r.Type == "container" {
		if ship, err = c.compareShipment(ctx, r, to.ID, when); err != nil {
			return nil, err
		}
	}
	r.Summary = c.pastSummary(r, func(attribute string) string { return zoneOf(attribute, now, ship) }, at)
	return r, nil
}

// zoneOf returns the zone of the place where what an attribute says happens. ship is the
// shipment of a container; nil for none.
func zoneOf(attribute string, of, ship *resource) string {
	switch {
	case strings.HasPrefix(attribute, "pol_"):
		return orElse(of.str("pol_timezone"), ship.str("pol_timezone"))
	case strings.HasPrefix(attribute, "destination_"):
		return orElse(of.str("destination_timezone"), ship.str("destination_timezone"))
	case attribute == "empty_terminated_at":
		return of.str("empty_terminated_timezone")
	case attribute == "delivered_at" && of.str("final_destination_timezone") != "":
		return of.str("final_destination_timezone")
	case attribute == "line_tracking_stopped_at":
		return "UTC"
	}
	return orElse(of.str("pod_timezone"), ship.str("pod_timezone"))
}

// voyageOf are the attributes of a container's shipment that are shown with it: who asks what
// was known of a container wants its ETA.
var voyageOf = []string{"pod_vessel_name", "pod_eta_at", "destination_eta_at"}

// compareShipment compares the shipment of a container, and returns it as it is now.
func (c *call) compareShipment(ctx context.Context, r *pastResult, id, when string) (now *resource, err error) {
	if now, _, err = c.readOne(ctx, "/shipments", id, ""); err != nil {
		return nil, err
	}
	d, err := c.read(ctx, "/shipments/"+id, url.Values{"as_of": {when}, "include": {""}})
	switch {
	case notFound(err): // the container had another shipment
		return now, nil
	case err != nil:
		return nil, err
	}
	r.compare(d.list[0], now, voyageOf)
	return now, nil
}

// compare fills in what was known then of some attributes, and what differs now.
func (r *pastResult) compare(then, now *resource, attributes []string) {
	for _, name := range attributes {
		was, is := then.Attributes[name], now.Attributes[name]
		r.Then[name] = was
		if !slices.Equal(encode(was), encode(is)) {
			r.Differences = append(r.Differences, difference{name, was, is})
		}
	}
}

func (c *call) pastSummary(r *pastResult, zone func(attribute string) string, at time.Time) []string {
	lines := []string{fmt.Sprintf("%s %s as it was known on %s, %s.", sentence(r.Type), quote(orNone(r.Number)), c.exact(at), c.ago(at))}
	if known := c.knownThen(r, zone); known != "" {
		lines = append(lines, "Known then: "+known+".")
	}
	if len(r.Differences) == 0 {
		return append(lines, "What is known now is the same.")
	}
	for _, d := range r.Differences {
		lines = append(lines, fmt.Sprintf("%s: then %s, now %s.", sentence(attributeWords(d.Attribute)), c.valueText(d.Attribute, d.Then, zone(d.Attribute)), c.valueText(d.Attribute, d.Now, zone(d.Attribute))))
	}
	return lines
}

// knownThen lists what was known, and leaves out what was not, and what says that there is none.
func (c *call) knownThen(r *pastResult, zone func(attribute string) string) string {
	var parts []string
	for _, name := range slices.Concat(followed[r.Type], voyageOf) {
		value := r.Then[name]
		list, isList := value.([]any)
		if value == nil || value == false || isList && len(list) == 0 {
			continue
		}
		if part := attributeWords(name) + " " + c.valueText(name, value, zone(name)); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// attributeTexts are the names of attributes whose plain words are not those of freight.
var attributeTexts = map[string]string{
	"pickup_lfd": "last free day", "current_status": "status", "availability_known": "availability reported",
	"holds_at_pod_terminal": "holds at the terminal", "fees_at_pod_terminal": "fees at the terminal",
	"pol_etd_at": "estimated departure", "pol_atd_at": "departure", "pod_vessel_name": "vessel to the port of discharge", "pod_voyage_number": "its voyage",
	"pod_eta_at": "ETA at the port of discharge", "pod_ata_at": "arrival at the port of discharge",
	"destination_eta_at": "ETA at the destination", "destination_ata_at": "arrival at the destination", "line_tracking_stopped_at": "end of tracking",
	"pol_vessel_loaded_at": "loaded on the vessel", "pol_vessel_departed_at": "departure of the vessel", "pod_arrived_at": "arrival at the port of discharge",
	"pod_discharged_at": "discharge at the port of discharge", "pod_full_out_at": "gated out full", "empty_terminated_at": "returned empty",
}

// attributeWords writes the name of an attribute as words.
func attributeWords(name string) string {
	if text := attributeTexts[name]; text != "" {
		return text
	}
	return strings.TrimSuffix(words(name), " at")
}

// valueText writes a value of an attribute.
func (c *call) valueText(attribute string, v any, zone string) string {
	switch v := v.(type) {
	case nil:
		return "not known"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		at := parsedTime(v)
		if date, known := dayAt(at, zone); known && attribute == "pickup_lfd" {
			return day(date)
		}
		if !at.IsZero() {
			return c.at(at, zone)
		}
		if attribute == "current_status" {
			return quote(words(v))
		}
		return quote(v)
	case []any:
		if len(v) == 0 {
			return "none"
		}
		list := (&resource{Attributes: map[string]any{"list": v}}).objects("list")
		if attribute == "holds_at_pod_terminal" {
			return holdsText(list)
		}
		return feesText(list)
	}
	return quote(string(encode(v)))
}
