package httpserver

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptRevisions = jsonapi.Accept{Page: true, Include: true, Filters: []string{"attribute"}}

// etaRevisions lists the revisions of a shipment's estimates, newest first.
func etaRevisions(req *request) error {
	return req.revisions(tracking.RevisionQuery{Shipment: req.pathID(), Estimates: true}, tracking.Describe().EstimateAttributes)
}

// containerHistory lists the revisions of a container and its shipment.
func containerHistory(req *request) error {
	return req.revisions(tracking.RevisionQuery{Container: req.pathID()}, tracking.Describe().RevisedAttributes)
}

// revisions lists revisions of the attributes in the filter, which must be among those
// that are allowed.
func (req *request) revisions(selects tracking.RevisionQuery, allowed []tracking.RevisedAttribute) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	f := jsonapi.Filters(*q)
	for _, name := range f.OneOf("attribute", textsOf(allowed)...).Value {
		selects.Attributes = append(selects.Attributes, tracking.RevisedAttribute(name))
	}
	if err := f.Err(); err != nil {
		return err
	}
	if req.pathID() == (tracking.ID{}) { // which a query takes for no condition
		return &tracking.Error{Kind: tracking.NotFound}
	}
	s, err := req.t.Rendered().List(req.ctx(), selects, tracking.Page{Number: q.Number, Size: q.Size}, q.Include)
	if err != nil {
		return err
	}
	req.respondPage(s, q, len(q.Include) > 0)
	return nil
}

// showAsOf responds with one resource as it is now, or as it was at as_of.
func showAsOf(typ string) func(*request) error {
	return func(req *request) error {
		q, err := req.readQuery()
		if err != nil {
			return err
		}
		text, past := q.Param("as_of")
		if !past {
			return req.show(typ, req.pathID(), q)
		}
		at, err := readAsOf(text)
		if err != nil {
			return err
		}
		s, err := req.t.Rendered().AsOf(req.ctx(), typ, req.pathID(), at, q.Include)
		if err != nil {
			return asOfError(err)
		}
		return req.respondAsOf(s, at, len(q.Include) > 0)
	}
}

// readAsOf parses the parameter. An empty value is refused: it must not mean now.
func readAsOf(text string) (time.Time, error) {
	// An unencoded "+02:00" arrives with a space.
	at, err := time.Parse(time.RFC3339, strings.Replace(text, " ", "+", 1))
	if err != nil {
		return at, invalidAsOf("The value must be an RFC 3339 time such as 2026-01-02T03:04:05Z.")
	}
	return at, nil
}

// checkAsOf refuses as_of where it has no effect: a client must not take the present for
// the past.
func (req *request) checkAsOf() error {
	if req.route.asOf || !strings.Contains(req.r.URL.RawQuery, "of") || !req.r.URL.Query().Has("as_of") {
		return nil
	}
	return jsonapi.QueryErrors{{Kind: jsonapi.BadParameter, Parameter: "as_of", Detail: "as_of is not supported by this operation. One shipment, one container, its charges, a sheet of charges and the report card can be read as of a time."}}
}

func invalidAsOf(detail string) error {
	return jsonapi.QueryErrors{{Kind: jsonapi.BadValue, Parameter: "as_of", Detail: detail}}
}

// asOfError turns an engine error on as_of into an error of the query parameter.
func asOfError(err error) error {
	var e *tracking.Error
	if errors.As(err, &e) && e.Kind == tracking.Invalid && e.Field == "as_of" {
		return invalidAsOf(e.Detail)
	}
	return err
}

// asOfMeta describes a response about the past.
type asOfMeta struct {
	// AsOf is the second at whose end the record is shown.
	AsOf         time.Time `json:"as_of"`
	RulesVersion int       `json:"rules_version"`
	// ShownNow lists the attributes, by type, that have their current values.
	ShownNow map[string][]string `json:"shown_now"`
}

// shownNow are the attributes that have their present values in an answer about the past,
// by type.
var shownNow = sync.OnceValue(func() map[string][]string {
	names := map[string][]string{}
	for _, t := range tracking.Describe().Resources {
		if t.ShownNow != nil {
			names[t.Name] = t.ShownNow
		}
	}
	return names
})

// respondAsOf responds with a resource as it was. It sends no ETag: a past version
// cannot be updated.
func (req *request) respondAsOf(s tracking.Selection, at time.Time, included bool) error {
	m := asOfMeta{AsOf: at.UTC().Truncate(time.Second), RulesVersion: tracking.Describe().RulesVersion, ShownNow: map[string][]string{}}
	for _, list := range [...][]*tracking.Resource{s.Rows, s.Included} {
		for _, r := range list {
			if names := shownNow()[r.Type]; names != nil {
				m.ShownNow[r.Type] = names
			}
		}
	}
	meta, err := json.Marshal(m)
	if err != nil { // a year beyond RFC 3339, which readAsOf refuses
		return err
	}
	b := documentBuffers.Get().(*documentBuffer)
	defer b.release()
	row := jsonapi.Raw{Doc: s.Rows[0].Doc, Self: req.resourcePaths[s.Rows[0].Type]}
	b.buf = jsonapi.AppendSingleMeta(b.begin(s), row, req.includedResources(b, s, included), jsonapi.SelfLink(req.requestURL(), req.r.URL.RawQuery), meta)
	req.respond(http.StatusOK, b.buf)
	return nil
}
