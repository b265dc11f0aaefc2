package httpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/jsonapi"
)

const tariffType = "tariff"

var acceptTariffs = jsonapi.Accept{
	Page: true, PageSize: 25, Include: true,
	Filters: append([]string{"clock", "scac", "location_locode", "terminal_code"}, updatedAt...),
	Sorts:   []string{"created_at", "updated_at", "valid_from"},
}

// clocks are the clocks of free time.
var clocks = []string{
	string(freetime.Demurrage), string(freetime.Detention), string(freetime.PerDiem), string(freetime.Combined), string(freetime.RailStorage),
}

// listTariffs responds with one page of tariffs.
func listTariffs(req *request) error {
	return list(func(f *filters) tracking.Query {
		of := freetime.Filter{Lines: f.upper("scac"), Places: f.upper("location_locode"), Terminals: f.upper("terminal_code")}
		for _, name := range f.OneOf("clock", clocks...).Value {
			of.Clocks = append(of.Clocks, freetime.Clock(name))
		}
		return req.t.Tariffs().Query(of, f.times(updatedAt), f.sort())
	})(req)
}

// sentTerms are the members of a tariff in a body.
type sentTerms struct {
	members map[string]json.RawMessage
	version int64
}

// terms reads the members of a tariff.
func (in *input) terms() sentTerms {
	in.Type(tariffType)
	sent := sentTerms{members: map[string]json.RawMessage{}, version: in.ifVersion}
	for _, name := range freetime.TermsMembers() {
		switch raw := in.Raw(name); {
		case raw.Null:
			sent.members[name] = json.RawMessage("null")
		case raw.Set:
			sent.members[name] = raw.Value
		}
	}
	return sent
}

// failFields records the errors of package freetime.
func (in *input) failFields(err error) {
	for _, fault := range fieldErrors(err) {
		in.Fail(fault.Field, jsonapi.CodeInvalid, fault.Problem)
	}
}

// fieldErrors returns the errors about members that an error joins.
func fieldErrors(err error) (faults []*freetime.FieldError) {
	var one *freetime.FieldError
	if joined, is := err.(interface{ Unwrap() []error }); is {
		for _, e := range joined.Unwrap() {
			faults = append(faults, fieldErrors(e)...)
		}
	} else if errors.As(err, &one) {
		faults = append(faults, one)
	}
	return faults
}

func newTariff(in *input) freetime.Terms {
	terms, err := freetime.TermsFromJSON(in.terms().members)
	in.failFields(err)
	return terms
}

func createTariff(t *tracking.Tracker, ctx context.Context, terms freetime.Terms, once ...tracking.Once) (*tracking.Tariff, error) {
	return t.Tariffs().Create(ctx, terms, once...)
}

func tariffID(t *tracking.Tariff) tracking.ID { return t.ID }

func tariffUpdate(in *input) sentTerms {
	sent := in.terms()
	scratch := freetime.DefaultTerms()
	in.failFields(sent.apply(&scratch))
	return sent
}

// apply sets the members that were sent.
func (s sentTerms) apply(terms *freetime.Terms) error {
	var errs []error
	for _, name := range freetime.TermsMembers() {
		if value, sent := s.members[name]; sent {
			errs = append(errs, terms.SetJSON(name, value))
		}
	}
	return errors.Join(errs...)
}

func updateTariff(t *tracking.Tracker, ctx context.Context, id tracking.ID, sent sentTerms) (*tracking.Tariff, error) {
	return t.Tariffs().Update(ctx, id, sent.version, sent.apply)
}

// deleteTariff responds 200 without a body (see docs/contract.md#writing).
func deleteTariff(req *request) error {
	id, err := req.readAction(tariffType)
	if err != nil {
		return err
	}
	if err := req.t.Tariffs().Delete(req.ctx(), id); err != nil {
		return err
	}
	req.respond(http.StatusOK, nil)
	return nil
}

const typeCSV = "text/csv"

var (
	typeCSVHeader = []string{typeCSV + "; charset=utf-8"}
	tariffsBody   = jsonapi.Limits{Bytes: 8 << 20, Depth: 32, Elements: 10_000}
)

// tariffsToImport is the body of an import, and tariffsDoc that of an export.
type tariffsToImport struct {
	// Tariffs are objects with the attributes of a tariff; those with a default can be left
	// out.
	Tariffs []map[string]any `json:"tariffs"`
}

type tariffsDoc struct {
	// Tariffs are objects with the attributes of a tariff, in order of creation.
	Tariffs []freetime.Terms `json:"tariffs"`
}

// exportTariffs responds with all tariffs, as JSON or, where Accept names it, as CSV.
func exportTariffs(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	list, err := req.t.Tariffs().All(req.ctx())
	if err != nil {
		return err
	}
	if jsonapi.Accepts(typeCSV, req.r.Header["Accept"]...) {
		var b bytes.Buffer
		if err := freetime.WriteCSV(&b, list); err != nil {
			return err
		}
		req.respondAs(typeCSVHeader, http.StatusOK, b.Bytes())
		return nil
	}
	body, err := json.Marshal(tariffsDoc{list})
	if err != nil {
		return err
	}
	req.respondAs(typeJSON, http.StatusOK, body)
	return nil
}

// importTariffs adds tariffs from JSON or CSV, all or none.
func importTariffs(req *request) error {
	req.pointerBase = "" // the body is no resource
	list, once, err := req.readTariffs()
	if err != nil {
		return err
	}
	replace, err := req.readReplace()
	if err != nil {
		return err
	}
	done, err := req.t.Tariffs().Import(req.ctx(), list, replace, once)
	if err != nil {
		return err
	}
	body, err := json.Marshal(done)
	if err != nil {
		return err
	}
	req.respondAs(typeJSON, http.StatusOK, body)
	return nil
}

func (req *request) readReplace() (bool, error) {
	switch value, _ := req.query.Param("replace"); value {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, jsonapi.QueryErrors{{Kind: jsonapi.BadValue, Parameter: "replace", Detail: "The value must be true or false."}}
}

func (req *request) readTariffs() (list []freetime.Terms, once tracking.Once, err error) {
	in, data, isCSV, err := req.readTable()
	if err != nil {
		return nil, once, err
	}
	read := tariffsOfJSON
	if isCSV {
		read = tariffsOfCSV
	}
	list, err = read(data)
	return list, in.once, err
}

// readTable reads the headers and the body of a write without versions, in JSON or CSV.
func (req *request) readTable() (in *input, data []byte, isCSV bool, err error) {
	typ, _, _ := mime.ParseMediaType(req.r.Header.Get("Content-Type"))
	isCSV = typ == typeCSV
	if isCSV && req.isEncoded() {
		err = errNoTable
	} else if isCSV {
		data, err = req.readBytes()
	} else {
		data, err = req.readBody()
	}
	if errors.Is(err, jsonapi.ErrMediaType) {
		err = errNoTable
	}
	if err != nil {
		return nil, nil, isCSV, err
	}
	if in, err = req.readHeaders(data); err == nil && in.ifVersion != 0 {
		err = errUnversioned
	}
	return in, data, isCSV, err
}

var errNoTable = &httpError{status: http.StatusUnsupportedMediaType, detail: "The body must be text/csv, application/json or application/vnd.api+json, without a Content-Encoding."}

func tariffsOfCSV(data []byte) ([]freetime.Terms, error) {
	list, err := freetime.ReadCSV(bytes.NewReader(data))
	if err == nil {
		return list, nil
	}
	return nil, csvError(err, "tariffs")
}

// csvError turns an error of reading CSV into those about its rows, which are those of a list
// in JSON.
func csvError(err error, list string) error {
	if faults := rowErrors(err, list); len(faults) > 0 {
		return faults[:min(len(faults), maxRowErrors)]
	}
	return &tracking.Error{Kind: tracking.BadDocument, Code: jsonapi.CodeInvalid, Detail: "The body is no CSV of " + list + ": " + err.Error()}
}

// rowErrors returns the errors that an error joins about rows, and about all rows together.
func rowErrors(err error, list string) (faults tracking.Errors) {
	joined, is := err.(interface{ Unwrap() []error })
	if !is {
		return nil
	}
	for _, e := range joined.Unwrap() {
		var row *freetime.RowError
		if errors.As(e, &row) {
			faults = append(faults, errorsOfRow(list, row.Row, row.Err)...)
		} else {
			faults = append(faults, invoiceErrors(e)...)
		}
	}
	return faults
}

func errorsOfRow(list string, row int, err error) (faults tracking.Errors) {
	for _, fault := range fieldErrors(err) {
		faults = append(faults, &tracking.Error{
			Kind: tracking.Invalid, Code: jsonapi.CodeInvalid, Field: fmt.Sprintf("%s[%d].%s", list, row, fault.Field),
			Detail: fmt.Sprintf("row %d, column %s: %s", row+1, fault.Field, fault.Problem),
		})
	}
	return faults
}

func tariffsOfJSON(data []byte) ([]freetime.Terms, error) {
	members, err := jsonapi.ParseObject(data, tariffsBody)
	if err != nil {
		return nil, err
	}
	for name := range members {
		if name != "tariffs" {
			return nil, jsonapi.FieldErrors{{Pointer: "/" + name, Code: jsonapi.CodeInvalid, Detail: "There is no such member: tariffs, a list of objects, is allowed."}}
		}
	}
	var rows []map[string]json.RawMessage
	if text := members["tariffs"]; !strings.HasPrefix(string(text), "[") || json.Unmarshal(text, &rows) != nil {
		return nil, jsonapi.FieldErrors{{Pointer: "/tariffs", Code: jsonapi.CodeInvalidType, Detail: "tariffs must be a list of objects with the attributes of a tariff."}}
	}
	list, faults := make([]freetime.Terms, len(rows)), tracking.Errors{}
	for i, row := range rows {
		var err error
		list[i], err = freetime.TermsFromJSON(row)
		faults = append(faults, errorsOfRow("tariffs", i, err)...)
	}
	if len(faults) > 0 {
		return nil, faults[:min(len(faults), maxRowErrors)]
	}
	return list, nil
}

// maxRowErrors bounds the errors of one import.
const maxRowErrors = 100

// tariffAttributes are the writable attributes of a tariff, as bodies are described: with
// the mark behind those that have no default.
func tariffAttributes(mark string) (names []string) {
	for _, name := range freetime.TermsMembers() {
		if slices.Contains([]string{"clock", "free_days", "currency", "tiers"}, name) {
			name += mark
		}
		names = append(names, name)
	}
	return names
}
