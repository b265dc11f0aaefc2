package mcpserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// routeResult has the route, or why there is none.
type routeResult struct {
	Summary     []string          `json:"summary"`
	RouteID     string            `json:"route_id,omitempty"`
	TotalLegs   int               `json:"total_legs" about:"the number of locations"`
	Locations   []routeStop       `json:"route_locations"`
	CreatedAt   *string           `json:"created_at,omitempty"`
	UpdatedAt   *string           `json:"updated_at,omitempty"`
	Error       string            `json:"error,omitempty"`
	Message     string            `json:"message,omitempty"`
	Alternative string            `json:"alternative,omitempty"`
	Metadata    presentationNotes `json:"_metadata"`
}

type routeStop struct {
	Port     *stopPort   `json:"port"`
	Inbound  inboundLeg  `json:"inbound"`
	Outbound outboundLeg `json:"outbound"`
}

type stopPort struct {
	Code        *string `json:"code"`
	Name        *string `json:"name"`
	City        *string `json:"city"`
	CountryCode *string `json:"country_code"`
	Timezone    *string `json:"timezone"`
}

type inboundLeg struct {
	Mode        *string     `json:"mode"`
	CarrierSCAC *string     `json:"carrier_scac"`
	ETA         *string     `json:"eta"`
	ATA         *string     `json:"ata"`
	Vessel      *vesselName `json:"vessel"`
}

type outboundLeg struct {
	Mode        *string     `json:"mode"`
	CarrierSCAC *string     `json:"carrier_scac"`
	ETD         *string     `json:"etd"`
	ATD         *string     `json:"atd"`
	Vessel      *vesselName `json:"vessel"`
}

type vesselName struct {
	Name *string `json:"name"`
	IMO  *string `json:"imo"`
}

var getRoute = &tool{
	name: "get_container_route", title: "Route of a container",
	about:      "Shows the route of a container, port by port, with vessels and estimated and actual times.",
	parameters: []parameter{{name: "id", kind: identifier, about: "ID of the container.", required: true}},
	output:     routeResult{},
	meta:       cardMeta,
	guide: guide{
		Purpose:              "Show the route.",
		CanAnswer:            []string{"Through which ports does it go?", "On which ships?"},
		RequiresMoreData:     []string{"Where the ship is now: not part of these tools"},
		RelevantFields:       []string{"route_locations", "total_legs"},
		PresentationGuidance: "Show a line for each port. An actual time replaces the estimated one. total_legs is the number of ports.",
		SuggestedFollowUps:   []string{"Why did the ETA move?", "Show the events"},
		SuggestedTools:       []string{"explain_eta", "get_container_transport_events"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		r, err := c.route(ctx, c.args.text("id"))
		if err != nil {
			return nil, err
		}
		a := &answer{result: r}
		if r.Error != "" {
			return a, nil
		}
		if m := c.routeMap(ctx, c.args.text("id")); m != nil {
			a.meta = mcp.Meta{cardData: m}
		}
		return a, nil
	},
}

func (c *call) route(ctx context.Context, id string) (*routeResult, error) {
	route, d, err := c.readOne(ctx, "/containers", id+"/route", "route_location,port,vessel")
	if notFound(err) || forbidden(err) {
		return noRoute(forbidden(err)), nil
	}
	if err != nil {
		return nil, err
	}
	r := &routeResult{
		RouteID: route.ID, Locations: []routeStop{}, CreatedAt: route.text("created_at"), UpdatedAt: route.text("updated_at"),
		Metadata: presentationNotes{"Show a line for each port, in order."},
	}
	for _, stop := range d.many(route, "route_locations") {
		r.Locations = append(r.Locations, stopOf(stop, d))
	}
	r.TotalLegs = len(r.Locations)
	r.Summary = c.routeSummary(r)
	return r, nil
}

// noRoute is the answer where the server has no route.
func noRoute(forbidden bool) *routeResult {
	r := &routeResult{
		Locations: []routeStop{}, Error: "NotFound", Message: "There is no route: the account has no such container.",
		Alternative: "Find the ID of the container with search_container.", Metadata: presentationNotes{"Say that there is no route, and why."},
	}
	if forbidden {
		r.Error, r.Message, r.Alternative = "FeatureNotEnabled", "The API key of this connection may not read routes.", "get_container_transport_events shows the ports that were reported."
	}
	r.Summary = []string{r.Message}
	return r
}

func stopOf(s *resource, d *document) routeStop {
	stop := routeStop{
		Inbound:  inboundLeg{s.text("inbound_mode"), s.text("inbound_scac"), s.text("inbound_eta_at"), s.text("inbound_ata_at"), vesselOf(d.one(s, "inbound_vessel"))},
		Outbound: outboundLeg{s.text("outbound_mode"), s.text("outbound_scac"), s.text("outbound_etd_at"), s.text("outbound_atd_at"), vesselOf(d.one(s, "outbound_vessel"))},
	}
	if p := d.one(s, "location"); p != nil {
		stop.Port = &stopPort{p.text("code"), p.text("name"), p.text("city"), p.text("country_code"), p.text("time_zone")}
	}
	return stop
}

func vesselOf(v *resource) *vesselName {
	if v == nil {
		return nil
	}
	return &vesselName{v.text("name"), v.text("imo")}
}

func (c *call) routeSummary(r *routeResult) []string {
	if len(r.Locations) == 0 {
		return []string{"The route is not known yet."}
	}
	lines := []string{}
	for i, s := range r.Locations {
		name, zone := "a port that is not known", ""
		if s.Port != nil {
			name, zone = quoteOr(orNone(s.Port.Name), "a port that is not known"), orNone(s.Port.Timezone)
		}
		line := fmt.Sprintf("%d. %s", i+1, name)
		times := c.legTime(", arrived ", s.Inbound.ATA, ", estimated arrival ", s.Inbound.ETA, zone)
		times += c.legTime(", left ", s.Outbound.ATD, ", estimated departure ", s.Outbound.ETD, zone)
		line += orElse(times, ", no time is reported")
		if s.Outbound.Vessel != nil {
			line += ", vessel " + quoteOr(orNone(s.Outbound.Vessel.Name), "a vessel that is not known")
		}
		lines = append(lines, line+".")
	}
	return lines
}

// legTime writes the actual time, else the estimated one, else nothing.
func (c *call) legTime(whenActual string, actual *string, whenEstimated string, estimated *string, zone string) string {
	switch {
	case actual != nil:
		return whenActual + c.at(parsedTime(*actual), zone)
	case estimated != nil:
		return whenEstimated + c.at(parsedTime(*estimated), zone)
	}
	return ""
}
