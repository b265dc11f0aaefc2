package mcpserver

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

type eventsResult struct {
	Summary     []string          `json:"summary"`
	TotalEvents int               `json:"total_events"`
	Categories  eventCategories   `json:"event_categories"`
	Timeline    []timelineEvent   `json:"timeline"`
	Milestones  map[string]string `json:"milestones" about:"the first of each: vessel_loaded_at, discharged_at and others"`
	Metadata    eventsMetadata    `json:"_metadata"`
}

type eventCategories struct {
	Vessel   int `json:"vessel_events"`
	Rail     int `json:"rail_events"`
	Truck    int `json:"truck_events"`
	Terminal int `json:"terminal_events"`
	Other    int `json:"other_events"`
}

type timelineEvent struct {
	Event        string         `json:"event"`
	Timestamp    string         `json:"timestamp"`
	Timezone     *string        `json:"timezone"`
	VoyageNumber *string        `json:"voyage_number"`
	Vessel       *string        `json:"vessel"`
	Location     *eventLocation `json:"location"`
	Terminal     *string        `json:"terminal"`
	LearnedAt    *string        `json:"created_at" about:"when the server learned it"`
	DataSource   *string        `json:"data_source"`
}

type eventLocation struct {
	Name *string `json:"name"`
	Code *string `json:"code"`
	Type string  `json:"type"`
}

type eventsMetadata struct {
	PresentationGuidance string `json:"presentation_guidance"`
	Source               string `json:"source"`
	ContainerFound       bool   `json:"container_found"`
	Complete             bool   `json:"timeline_is_complete" about:"false if there are more events than are shown"`
}

var getTransportEvents = &tool{
	name: "get_container_transport_events", title: "Events of a container",
	about:      "Lists what has happened to a container, in order: gate, vessel, rail and delivery events with place, vessel and time.",
	parameters: []parameter{{name: "id", kind: identifier, about: "ID of the container.", required: true}},
	output:     eventsResult{},
	guide: guide{
		Purpose:              "Show the history of a container.",
		CanAnswer:            []string{"What has happened?", "When was it discharged?", "Where was it transshipped?"},
		RequiresMoreData:     []string{"What is expected next? (what_needs_attention, get_container_route)"},
		RelevantFields:       []string{"timeline", "milestones"},
		PresentationGuidance: "Show a line for each event, in order, in the zone of its place. The list has what has been reported, and nothing that is expected.",
		SuggestedFollowUps:   []string{"What comes next?", "Was it known earlier? (as_of)"},
		SuggestedTools:       []string{"get_container_route", "as_of"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		r, err := c.events(ctx, c.args.text("id"))
		if err != nil {
			return nil, err
		}
		return &answer{result: r}, nil
	},
}

func (c *call) events(ctx context.Context, id string) (*eventsResult, error) {
	r := &eventsResult{Timeline: []timelineEvent{}, Metadata: eventsMetadata{
		PresentationGuidance: "Show the timeline in order. Begin with the summary.", Source: "transport_events_subresource", ContainerFound: true,
	}}
	d, complete, err := c.readAll(ctx, "/containers/"+id+"/transport_events", url.Values{"include": {"location,terminal,vessel"}})
	if notFound(err) {
		box, included, err := c.readOne(ctx, "/containers", id, "transport_events,transport_events.location,transport_events.terminal,transport_events.vessel")
		if err != nil {
			return nil, err
		}
		r.Metadata.Source = "container_include_fallback"
		d, complete = included, true
		d.list = included.many(box, "transport_events")
	} else if err != nil {
		return nil, err
	}
	r.Metadata.Complete = complete
	slices.SortStableFunc(d.list, func(a, b *resource) int { return a.time("timestamp").Compare(b.time("timestamp")) })
	for _, e := range d.list {
		r.Timeline = append(r.Timeline, timelineOf(e, d))
		r.Categories.add(e.str("event"))
	}
	r.TotalEvents = len(r.Timeline)
	r.Milestones = milestonesOf(d.list)
	r.Summary = c.eventsSummary(r)
	return r, nil
}

func timelineOf(e *resource, d *document) timelineEvent {
	t := timelineEvent{
		Event: e.str("event"), Timestamp: e.str("timestamp"), Timezone: e.text("timezone"), VoyageNumber: e.text("voyage_number"),
		Vessel: d.one(e, "vessel").text("name"), Terminal: d.one(e, "terminal").text("name"), LearnedAt: e.text("created_at"), DataSource: e.text("data_source"),
	}
	if place := d.one(e, "location"); place != nil {
		t.Location = &eventLocation{place.text("name"), place.text("code"), place.Type}
	} else if code := e.text("location_locode"); code != nil {
		t.Location = &eventLocation{nil, code, "port"}
	}
	return t
}

// add counts an event by what it happens with.
func (n *eventCategories) add(event string) {
	name := event[strings.LastIndexByte(event, '.')+1:]
	switch {
	case strings.HasPrefix(name, "vessel_"), strings.HasPrefix(name, "transshipment_"), strings.HasPrefix(name, "feeder_"):
		n.Vessel++
	case strings.HasPrefix(name, "rail_"), name == "arrived_at_inland_destination":
		n.Rail++
	case name == "delivered":
		n.Truck++
	case slices.Contains([]string{"empty_out", "full_in", "full_out", "empty_in", "available", "not_available"}, name):
		n.Terminal++
	default:
		n.Other++
	}
}

// milestonesOf returns the first time of each milestone. A gate-out is no delivery, and a
// discharge at a port on the way is not the one at the port of discharge.
func milestonesOf(list []*resource) map[string]string {
	names := map[string]string{
		"vessel_loaded": "vessel_loaded_at", "vessel_departed": "vessel_departed_at", "vessel_arrived": "vessel_arrived_at",
		"rail_loaded": "rail_loaded_at", "rail_departed": "rail_departed_at", "rail_arrived": "rail_arrived_at",
		"vessel_discharged": "discharged_at", "delivered": "delivered_at",
	}
	found := map[string]string{}
	for _, e := range list {
		event := e.str("event")
		name := names[event[strings.LastIndexByte(event, '.')+1:]]
		if name == "" || strings.Contains(event, ".estimated.") || found[name] != "" {
			continue
		}
		found[name] = e.str("timestamp")
	}
	return found
}

// recentEvents is how many events a summary has.
const recentEvents = 3

func (c *call) eventsSummary(r *eventsResult) []string {
	if r.TotalEvents == 0 {
		return []string{"Nothing has been reported about this container yet."}
	}
	first := plural(r.TotalEvents, "event") + " reported"
	switch {
	case r.TotalEvents > recentEvents:
		first += fmt.Sprintf(". The last %d, the latest first:", recentEvents)
	case r.TotalEvents > 1:
		first += ", the latest first:"
	default:
		first += ":"
	}
	lines := []string{first}
	for _, e := range slices.Backward(r.Timeline[max(0, r.TotalEvents-recentEvents):]) {
		lines = append(lines, c.eventSentence(&e))
	}
	if !r.Metadata.Complete {
		lines = append(lines, "There are more events than are shown.")
	}
	return lines
}

func (c *call) eventSentence(e *timelineEvent) string {
	line := sentence(eventWords(e.Event))
	if e.Location != nil {
		line += " at " + quoteOr(orNone(e.Location.Name), "place "+orElse(orNone(e.Location.Code), "not known"))
	}
	if e.Vessel != nil {
		line += ", vessel " + quote(*e.Vessel)
	}
	return line + ": " + c.at(parsedTime(e.Timestamp), orNone(e.Timezone)) + " (reported " + c.ago(parsedTime(orNone(e.LearnedAt))) + ")."
}

// eventNames are the names in the glossary, in order.
func eventNames(glossary map[string]string) []string { return slices.Sorted(maps.Keys(glossary)) }
