package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// maxRoutes bounds the containers of a shipment whose routes are shown: most shipments have one
// route.
const maxRoutes = 10

// typeGeoJSON is the media type of maps (RFC 7946).
const typeGeoJSON = "application/geo+json"

// journeyMap is the map of a shipment or of a container, with its stops as text.
type journeyMap struct {
	// Data is the address of the map as GeoJSON; empty while no place is known.
	Data   string
	Routes []journeyRoute
}

// Title names the stops of the map.
func (m journeyMap) Title() string {
	var names []string
	for _, s := range m.Routes[0].Stops {
		names = append(names, s.Name)
	}
	return strings.Join(names, " – ")
}

// journeyRoute is the way of some containers.
type journeyRoute struct {
	// Containers are empty if all of the page take it.
	Containers []cell
	Stops      []stop
}

// stop is a port of a route. Times that are not Actual are planned or estimated.
type stop struct {
	Name, Code        string
	Arrival, Departed stopTime
	Vessel            string // that takes the container on
}

// stopTime is when a ship calls at a port, or leaves it.
type stopTime struct {
	When   cell
	Actual bool
}

func (c catalog) stopTime(actual, estimate time.Time, zone string) stopTime {
	if !actual.IsZero() {
		return stopTime{c.moment(actual, zone), true}
	}
	return stopTime{c.moment(estimate, zone), false}
}

// journeyMap reads the present routes of containers. The past has none: routes follow from what
// is known now.
func (req *request) journeyMap(ctx context.Context, at past, boxes []*tracking.Container, data string) (m journeyMap, err error) {
	if !at.present() {
		return m, nil
	}
	found := map[string]int{}
	for _, box := range boxes[:min(len(boxes), maxRoutes)] {
		stops, err := req.stops(ctx, box.ID)
		if err != nil {
			return m, err
		}
		key, _ := json.Marshal(stops) // strings and times alone
		i, known := found[string(key)]
		if !known && len(stops) > 0 {
			i, found[string(key)] = len(m.Routes), len(m.Routes)
			m.Routes = append(m.Routes, journeyRoute{Stops: stops})
		}
		if len(stops) > 0 {
			m.Routes[i].Containers = append(m.Routes[i].Containers, linked(box.Number, req.toContainer(box.ID)))
		}
	}
	if len(m.Routes) > 0 {
		m.Data = req.link(data)
	}
	if len(m.Routes) == 1 {
		m.Routes[0].Containers = nil
	}
	return m, nil
}

func (req *request) stops(ctx context.Context, container tracking.ID) (list []stop, err error) {
	route, err := req.t.ContainerRoute(ctx, container)
	if err != nil {
		return nil, err
	}
	for _, l := range route.Locations {
		port, err := req.places.port(ctx, l.Location)
		if err != nil {
			return nil, err
		}
		vessel, err := req.places.vessel(ctx, l.OutboundVessel)
		if err != nil {
			return nil, err
		}
		list = append(list, stop{
			Name: cmp.Or(port.Name, port.Code), Code: port.Code, Vessel: joined(nonEmpty(vessel, l.OutboundVoyage)).Text,
			Arrival:  req.texts.stopTime(l.InboundATAAt, l.InboundETAAt, port.TimeZone),
			Departed: req.texts.stopTime(l.OutboundATDAt, l.OutboundETDAt, port.TimeZone),
		})
	}
	return list, nil
}

// showShipmentMap answers with the maps of the containers of a shipment in one.
func showShipmentMap(req *request) error {
	s, err := req.t.Shipment(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	return req.sendMap(s.Containers[:min(len(s.Containers), maxRoutes)])
}

func showContainerMap(req *request) error { return req.sendMap([]tracking.ID{req.pathID()}) }

// sendMap answers with the features of containers, each once. That a container was updated at
// another time makes no other feature.
func (req *request) sendMap(containers []tracking.ID) error {
	all := tracking.Map{Type: "FeatureCollection", Features: []tracking.MapFeature{}}
	var known [][]byte
	for _, id := range containers {
		m, err := req.t.ContainerMap(req.r.Context(), id)
		if err != nil {
			return err
		}
		for _, f := range m.Features {
			text, err := json.Marshal(f)
			if err != nil {
				return err
			}
			text = withoutUpdate(text)
			if !containsBytes(known, text) {
				known, all.Features = append(known, text), append(all.Features, f)
			}
		}
	}
	body, err := json.Marshal(all)
	if err != nil {
		return err
	}
	req.w.Header().Set("Content-Type", typeGeoJSON)
	req.w.WriteHeader(http.StatusOK)
	_, _ = req.w.Write(body) // the browser may have gone
	return nil
}

// withoutUpdate leaves out the last member of the properties of a port.
func withoutUpdate(feature []byte) []byte {
	before, _, _ := bytes.Cut(feature, []byte(`,"updated_at":`))
	return before
}

func containsBytes(list [][]byte, b []byte) bool {
	for _, known := range list {
		if bytes.Equal(known, b) {
			return true
		}
	}
	return false
}
