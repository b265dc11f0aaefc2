package httpserver

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// containerMap responds with GeoJSON, which is no JSON:API document and never labelled so.
func containerMap(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	geo, err := req.t.ContainerMap(req.ctx(), req.pathID())
	if err != nil {
		return err
	}
	body, err := json.Marshal(geo)
	if err != nil {
		return err
	}
	contentType := typeJSON
	if jsonapi.Accepts(geoJSON, req.r.Header["Accept"]...) {
		contentType = typeGeoJSON
	}
	req.respondAs(contentType, http.StatusOK, body)
	return nil
}

// geoJSON is the media type of RFC 7946.
const geoJSON = "application/geo+json"

var typeGeoJSON = []string{geoJSON}

// containerRoute responds with the route of a container, port by port.
func containerRoute(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	s, err := req.t.Rendered().Route(req.ctx(), req.pathID(), q.Include)
	if err != nil {
		return err
	}
	req.respondOne(http.StatusOK, s, len(q.Include) > 0)
	return nil
}

// The ends of the time range of positions.
const (
	positionsFrom = "show_positions[from_timestamp]"
	positionsTo   = "show_positions[to_timestamp]"
)

// showVessel responds with a vessel, and with its positions if they are requested.
func showVessel(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	from, fromSet := q.Param(positionsFrom)
	to, toSet := q.Param(positionsTo)
	_, bare := q.Param("show_positions")
	if !fromSet && !toSet && !bare {
		return req.show("vessel", vesselID(req), q)
	}
	p := &paramReader{query: q}
	span := tracking.TimeRange{From: p.time(positionsFrom, from), To: p.time(positionsTo, to)}
	s, err := req.t.Rendered().VesselPositions(req.ctx(), vesselID(req), span)
	return req.respondPositions(p, s, err)
}

// respondPositions responds with a vessel and its positions. Errors of the engine,
// such as an unknown vessel, take precedence over invalid parameters.
func (req *request) respondPositions(p *paramReader, s tracking.Selection, err error) error {
	var engineErr *tracking.Error
	switch invalid := errors.As(err, &engineErr) && engineErr.Kind == tracking.Invalid; {
	case err != nil && !invalid:
		return err
	case len(p.errs) > 0:
		return p.errs
	case invalid:
		return jsonapi.QueryErrors{{Kind: jsonapi.BadValue, Parameter: engineErr.Field, Detail: engineErr.Detail + "."}}
	}
	req.respondOne(http.StatusOK, s, false)
	return nil
}

// futurePositions responds with the expected positions of a vessel. withCoordinates:
// the request has the vessel's current position.
func futurePositions(withCoordinates bool) func(*request) error {
	return func(req *request) error {
		q, err := req.readQuery()
		if err != nil {
			return err
		}
		p := &paramReader{query: q}
		port, previous := p.id("port_id"), p.id("previous_port_id")
		var at *tracking.Point
		if withCoordinates {
			at = &tracking.Point{Latitude: p.degrees("latitude", 90), Longitude: p.degrees("longitude", 180)}
		}
		s, err := req.t.Rendered().FuturePositions(req.ctx(), vesselID(req), port, previous, at)
		return req.respondPositions(p, s, err)
	}
}

// paramReader reads plain parameters and collects their errors.
type paramReader struct {
	query *jsonapi.Query
	errs  jsonapi.QueryErrors
}

func (p *paramReader) fail(name, detail string) {
	p.errs = append(p.errs, &jsonapi.QueryError{Kind: jsonapi.BadValue, Parameter: name, Detail: detail})
}

// time reads an optional time.
func (p *paramReader) time(name, value string) (at time.Time) {
	if value == "" {
		return at
	}
	// An unencoded "+02:00" arrives with a space.
	at, err := time.Parse(time.RFC3339, strings.Replace(value, " ", "+", 1))
	if err != nil {
		p.fail(name, "The value must be an RFC 3339 time such as 2026-01-02T03:04:05Z.")
	}
	return at.UTC()
}

func (p *paramReader) id(name string) tracking.ID {
	value, _ := p.query.Param(name)
	id := parseID(value)
	if id == (tracking.ID{}) {
		p.fail(name, "The value is required, and must be a UUID.")
	}
	return id
}

func (p *paramReader) degrees(name string, most float64) float64 {
	value, _ := p.query.Param(name)
	f, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > most {
		p.fail(name, "The value is required, and must be degrees from -"+strconv.FormatFloat(most, 'f', -1, 64)+" to "+strconv.FormatFloat(most, 'f', -1, 64)+".")
		return 0
	}
	return f
}
