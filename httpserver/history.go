package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var takesRevisions = jsonapi.Accept{Page: true, Include: true, Filters: []string{"attribute"}}

// etaRevisions answers with what was estimated of a shipment, the last first.
func etaRevisions(c *call) error {
	return c.revisions(tracking.ETAAttributes(), (*tracking.Tracker).ETARevisionsOf)
}

// containerHistory answers with what was revised of a container and its shipment.
func containerHistory(c *call) error {
	return c.revisions(tracking.RevisedAttributes(), (*tracking.Tracker).ContainerHistoryOf)
}

func (c *call) revisions(attributes []tracking.RevisedAttribute, of func(*tracking.Tracker, context.Context, tracking.ID, ...tracking.RevisedAttribute) (tracking.RevisionQuery, error)) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	f := jsonapi.Filters(*q)
	allowed := make([]string, len(attributes))
	for i, a := range attributes {
		allowed[i] = string(a)
	}
	var asked []tracking.RevisedAttribute
	for _, name := range f.OneOf("attribute", allowed...).Value {
		asked = append(asked, tracking.RevisedAttribute(name))
	}
	if err := f.Err(); err != nil {
		return err
	}
	selects, err := of(c.t, c.ctx(), c.pathID(), asked...)
	if err != nil {
		return err
	}
	s, err := c.t.Select(c.ctx(), selects, tracking.Page{Number: q.Number, Size: q.Size}, q.Include)
	if err != nil {
		return err
	}
	c.page(s, q, len(q.Include) > 0)
	return nil
}

// showAsOf answers with one resource as it is, or as it was at as_of.
func showAsOf(typ string) func(*call) error {
	return func(c *call) error {
		q, err := c.query()
		if err != nil {
			return err
		}
		text, past := q.Param("as_of")
		if !past {
			return c.show(typ, c.pathID(), q)
		}
		at, err := readAsOf(text)
		if err != nil {
			return err
		}
		s, err := c.t.SelectAsOf(c.ctx(), typ, c.pathID(), at, q.Include)
		if err != nil {
			return asOfFault(err)
		}
		return c.past(s, at, len(q.Include) > 0)
	}
}

// readAsOf reads the parameter. An empty one is refused: an answer about today
// would be to a question that nobody asked.
func readAsOf(text string) (time.Time, error) {
	// A "+02:00" that the client did not encode arrives with a space.
	at, err := time.Parse(time.RFC3339, strings.Replace(text, " ", "+", 1))
	if err != nil {
		return at, badAsOf("The value must be an RFC 3339 time such as 2026-01-02T03:04:05Z.")
	}
	return at, nil
}

func badAsOf(detail string) error {
	return jsonapi.QueryErrors{{Kind: jsonapi.BadValue, Parameter: "as_of", Detail: detail}}
}

// asOfFault names the parameter where the engine names its argument.
func asOfFault(err error) error {
	var e *tracking.Error
	if errors.As(err, &e) && e.Kind == tracking.Invalid && e.Field == "as_of" {
		return badAsOf(e.Detail)
	}
	return err
}

// pastMeta says what an answer about the past is.
type pastMeta struct {
	// AsOf is the second whose end is meant.
	AsOf         time.Time `json:"as_of"`
	RulesVersion int       `json:"rules_version"`
	// ShownNow are the attributes, by type, that are shown as they are now.
	ShownNow map[string][]string `json:"shown_now"`
}

// past answers with a resource as it was. It has no ETag: nothing can be changed
// that depends on it.
func (c *call) past(s tracking.Selection, at time.Time, included bool) error {
	m := pastMeta{AsOf: at.UTC().Truncate(time.Second), RulesVersion: tracking.RulesVersion, ShownNow: map[string][]string{}}
	for _, list := range [...][]*tracking.Resource{s.Rows, s.Included} {
		for _, r := range list {
			if names := tracking.ShownNow(r.Type); names != nil {
				m.ShownNow[r.Type] = names
			}
		}
	}
	meta, err := json.Marshal(m)
	if err != nil { // a year that RFC 3339 cannot write; readAsOf lets none through
		return err
	}
	p := sheets.Get().(*sheet)
	defer p.release()
	row := jsonapi.Raw{Doc: s.Rows[0].Doc, Self: c.selves[s.Rows[0].Type]}
	p.buf = jsonapi.AppendSingleMeta(p.begin(s), row, c.withIncluded(p, s, included), jsonapi.SelfLink(c.base(), c.r.URL.RawQuery), meta)
	c.answer(http.StatusOK, p.buf)
	return nil
}
