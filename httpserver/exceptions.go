package httpserver

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"reflect"
	"slices"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

const exceptionType = "exception"

// openedAt is the time range of exceptions.
var openedAt = rangeNames("opened_at")

var (
	exceptionFilters = slices.Concat([]string{"kind", "severity", "state", "acknowledged", "assignee", "shipment", "container"}, openedAt, updatedAt)
	acceptExceptions = jsonapi.Accept{
		Page: true, PageSize: 25, Include: true,
		Filters: exceptionFilters, Sorts: []string{"opened_at", "created_at", "updated_at", "severity"},
	}
	acceptExceptionCounts = jsonapi.Accept{Filters: exceptionFilters}
)

// exceptionStates are the values of filter[state].
var exceptionStates = []string{"open", "closed"}

func (f *filters) exceptions(req *request) tracking.ExceptionQuery {
	x := req.t.Exceptions()
	q := tracking.ExceptionQuery{
		Kinds: f.OneOf("kind", x.Kinds()...).Value, Severities: f.OneOf("severity", x.Severities()...).Value,
		Acknowledged: f.tri("acknowledged"), Assignees: f.list("assignee"), Shipments: f.ids("shipment"), Containers: f.ids("container"),
		Opened: f.times(openedAt), Updated: f.times(updatedAt), Sort: f.sort(),
	}
	if states := f.OneOf("state", exceptionStates...).Value; len(states) == 1 {
		q.Open = map[string]tracking.Tri{"open": tracking.Yes, "closed": tracking.No}[states[0]]
	}
	return q
}

// listExceptions responds with one page of exceptions.
func listExceptions(req *request) error {
	return list(func(f *filters) tracking.Query { return f.exceptions(req) })(req)
}

// exceptionCountsDoc has how many exceptions there are.
type exceptionCountsDoc struct {
	// Total of all kinds.
	Total int `json:"total"`
	// Counts are by kind, in order of the journey; kinds without any are 0.
	Counts []exceptionCount `json:"counts"`
}

type exceptionCount struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// countExceptions responds with the numbers of exceptions by kind.
func countExceptions(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	f := &filters{FilterReader: jsonapi.Filters(*q), query: q}
	selects := f.exceptions(req)
	if err := f.err(); err != nil {
		return err
	}
	counts, err := req.t.Exceptions().Counts(req.ctx(), selects)
	if err != nil {
		return err
	}
	doc := exceptionCountsDoc{Counts: []exceptionCount{}}
	for _, kind := range req.t.Exceptions().Kinds() {
		doc.Counts = append(doc.Counts, exceptionCount{kind, counts[kind]})
		doc.Total += counts[kind]
	}
	body, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	req.respondAs(typeJSON, http.StatusOK, body)
	return nil
}

// exceptionAcknowledgement is the attribute of a PATCH that the resource does not have.
type exceptionAcknowledgement struct {
	// Acknowledged acknowledges the exception, or takes that back.
	Acknowledged bool `json:"acknowledged"`
}

func exceptionUpdate(in *input) tracking.ExceptionUpdate {
	in.Type(exceptionType)
	return tracking.ExceptionUpdate{
		Acknowledged: opt(in.Bool("acknowledged")), Assignee: opt(in.String("assignee")), Note: opt(in.String("note")), IfVersion: in.ifVersion,
	}
}

func updateException(t *tracking.Tracker, ctx context.Context, id tracking.ID, u tracking.ExceptionUpdate) (*tracking.Exception, error) {
	return t.Exceptions().Update(ctx, id, u)
}

const exceptionSettingsType = "exception_settings"

func exceptionSettingsID(req *request) tracking.ID { return req.t.Exceptions().SettingsID() }

// updateExceptionSettings changes thresholds; null is the default.
func updateExceptionSettings(req *request) error {
	in, err := req.readResource()
	if err != nil {
		return err
	}
	id := exceptionSettingsID(req)
	if err := in.checkID(id); err != nil {
		return err
	}
	u := in.thresholds()
	if err := in.Err(); err != nil {
		return err
	}
	if _, err := req.t.Exceptions().UpdateSettings(req.ctx(), u); err != nil {
		return err
	}
	s, err := req.t.Rendered().Get(req.ctx(), exceptionSettingsType, id, nil)
	if err != nil {
		return err
	}
	req.respondOne(http.StatusOK, s, false)
	return nil
}

func (in *input) thresholds() map[string]*int {
	in.Type(exceptionSettingsType)
	u := map[string]*int{}
	for _, name := range thresholdNames() {
		switch value := in.Int(name); {
		case value.Given():
			n := int(max(-1, min(value.Value, math.MaxInt32)))
			u[name] = &n
		case value.Set:
			u[name] = nil
		}
	}
	return u
}

// thresholdNames are the attributes of the settings that can be changed.
func thresholdNames() (names []string) {
	for _, h := range (tracking.Exceptions{}).Thresholds() {
		names = append(names, h.Name)
	}
	return names
}

const tagExceptions = "Exceptions"

var exceptionOperations = map[string]operation{
	"GET /exceptions": {id: "listExceptions", tag: tagExceptions, summary: "List exceptions", response: listOf(exceptionType),
		details: "Last found first, unless sort is given; severity sorts the most urgent first, and of these first those that nobody has acknowledged."},
	"GET /exceptions/counts": {id: "getExceptionCounts", tag: tagExceptions, summary: "Count exceptions by kind", response: plainObject[exceptionCountsDoc]()},
	"GET /exceptions/{id}":   {id: "getException", tag: tagExceptions, summary: "Get an exception", response: resourceOf(exceptionType)},
	"PATCH /exceptions/{id}": {id: "updateException", tag: tagExceptions, summary: "Acknowledge, assign or note an exception", response: resourceOf(exceptionType),
		body: resourceBody(exceptionType, "assignee", "note").with(false, reflect.TypeFor[exceptionAcknowledgement]()), details: "null removes the assignee or the note."},
	"GET /exception_settings": {id: "getExceptionSettings", tag: tagExceptions, summary: "Get the thresholds of exceptions", response: resourceOf(exceptionSettingsType), details: "null is the default."},
	"PATCH /exception_settings": {id: "updateExceptionSettings", tag: tagExceptions, summary: "Change thresholds of exceptions", response: resourceOf(exceptionSettingsType), body: resourceBody(exceptionSettingsType, thresholdNames()...),
		details: "null sets a threshold to its default. The exceptions of all shipments follow in the background."},
}
