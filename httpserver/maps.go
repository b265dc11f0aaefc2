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

// containerMap answers with GeoJSON, which is no JSON:API document.
func containerMap(c *call) error {
	if _, err := c.query(); err != nil {
		return err
	}
	drawn, err := c.t.ContainerMap(c.ctx(), c.pathID())
	if err != nil {
		return err
	}
	body, err := json.Marshal(drawn)
	if err != nil {
		return err
	}
	c.answer(http.StatusOK, body)
	return nil
}

// containerRoute answers with the way of a container, port by port.
func containerRoute(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	s, err := c.t.SelectRoute(c.ctx(), c.pathID(), q.Include)
	if err != nil {
		return err
	}
	c.single(http.StatusOK, s, len(q.Include) > 0)
	return nil
}

// The ends of the span that positions can be asked for.
const (
	positionsFrom = "show_positions[from_timestamp]"
	positionsTo   = "show_positions[to_timestamp]"
)

// showVessel answers with a vessel, and with its positions where they are asked
// for.
func showVessel(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	from, fromSet := q.Param(positionsFrom)
	to, toSet := q.Param(positionsTo)
	_, bare := q.Param("show_positions")
	if !fromSet && !toSet && !bare {
		return c.show("vessel", vesselID(c), q)
	}
	p := &parameters{query: q}
	span := tracking.TimeRange{From: p.time(positionsFrom, from), To: p.time(positionsTo, to)}
	s, err := c.t.SelectVesselPositions(c.ctx(), vesselID(c), span)
	return c.located(p, s, err)
}

// located answers with a vessel and its positions. That there are none at all, or
// no such vessel, is told before what is wrong with the question.
func (c *call) located(p *parameters, s tracking.Selection, err error) error {
	var fault *tracking.Error
	switch invalid := errors.As(err, &fault) && fault.Kind == tracking.Invalid; {
	case err != nil && !invalid:
		return err
	case len(p.faults) > 0:
		return p.faults
	case invalid:
		return jsonapi.QueryErrors{{Kind: jsonapi.BadValue, Parameter: fault.Field, Detail: fault.Detail + "."}}
	}
	c.single(http.StatusOK, s, false)
	return nil
}

// futurePositions answers with where a vessel is expected to be; here: its own
// place is given.
func futurePositions(here bool) func(*call) error {
	return func(c *call) error {
		q, err := c.query()
		if err != nil {
			return err
		}
		p := &parameters{query: q}
		port, previous := p.id("port_id"), p.id("previous_port_id")
		var at *tracking.Point
		if here {
			at = &tracking.Point{Latitude: p.degrees("latitude", 90), Longitude: p.degrees("longitude", 180)}
		}
		s, err := c.t.SelectFuturePositions(c.ctx(), vesselID(c), port, previous, at)
		return c.located(p, s, err)
	}
}

// parameters reads plain parameters that must be given.
type parameters struct {
	query  *jsonapi.Query
	faults jsonapi.QueryErrors
}

func (p *parameters) fault(name, detail string) {
	p.faults = append(p.faults, &jsonapi.QueryError{Kind: jsonapi.BadValue, Parameter: name, Detail: detail})
}

// time reads one that may be missing; then it is zero.
func (p *parameters) time(name, value string) (at time.Time) {
	if value == "" {
		return at
	}
	// A "+02:00" that the client did not encode arrives with a space.
	at, err := time.Parse(time.RFC3339, strings.Replace(value, " ", "+", 1))
	if err != nil {
		p.fault(name, "The value must be an RFC 3339 time such as 2026-01-02T03:04:05Z.")
	}
	return at.UTC()
}

func (p *parameters) id(name string) tracking.ID {
	value, _ := p.query.Param(name)
	id := parseID(value)
	if id == (tracking.ID{}) {
		p.fault(name, "The value is required, and must be a UUID.")
	}
	return id
}

func (p *parameters) degrees(name string, most float64) float64 {
	value, _ := p.query.Param(name)
	f, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > most {
		p.fault(name, "The value is required, and must be degrees from -"+strconv.FormatFloat(most, 'f', -1, 64)+" to "+strconv.FormatFloat(most, 'f', -1, 64)+".")
		return 0
	}
	return f
}
