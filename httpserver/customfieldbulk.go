package httpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// bulkFieldBody has room for 1,000 values of 4 KiB.
var bulkFieldBody = jsonapi.Limits{Bytes: 4 << 20, Depth: 32, Elements: tracking.MaxBulkFields}

// bulkFieldsDoc has one result per item, in order. It is no JSON:API document,
// because JSON:API has no partial success.
type bulkFieldsDoc struct {
	Results []bulkFieldResult `json:"results"`
	Meta    struct {
		Total     int `json:"total"`
		Succeeded int `json:"succeeded"`
		Failed    int `json:"failed"`
		// Ignored has JSON Pointers to members next to atomic and data that had no effect.
		Ignored []string `json:"ignored,omitempty"`
	} `json:"meta"`
}

// bulkFieldResult is the identifier of the value, or the errors of the item.
type bulkFieldResult struct {
	Status string          `json:"status"`
	Data   *identifier     `json:"data,omitempty"`
	Errors []jsonapi.Error `json:"errors,omitempty"`
	Meta   *writeMeta      `json:"meta,omitempty"`
}

type identifier struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// setCustomFields sets up to 1,000 values: {"atomic": ..., "data": [...]}. Each item
// has the form of data in POST /custom_fields.
func setCustomFields(req *request) error {
	in, items, ignored, itemErrs, err := req.readBulkFields()
	if err != nil {
		return err
	}
	atomic := in.Bool("atomic").Value
	if err := in.Err(); err != nil {
		return err
	}
	req.pointerBase = "" // errors point into the list
	b := tracking.BulkCustomFields{Atomic: atomic}
	positions := make([]int, 0, len(items))
	for i, item := range items {
		switch {
		case itemErrs[i] == nil:
			b.Items, positions = append(b.Items, item), append(positions, i)
		case atomic:
			return itemErrs[i]
		}
	}
	results := make([]bulkFieldResult, len(items))
	if len(b.Items) > 0 || len(items) == 0 {
		done, err := req.t.SetCustomFields(req.ctx(), b, in.once)
		if err != nil {
			return pointErrorsToData(err)
		}
		for k, r := range done {
			results[positions[k]] = req.bulkFieldResult(positions[k], r)
		}
	}
	for i, err := range itemErrs {
		if err != nil {
			results[i] = req.bulkErrorResult(err)
		}
	}
	for i := range results {
		if results[i].Data != nil {
			results[i].Meta = writeMeta{Ignored: ignored[i]}.orNil().inItem(i)
		}
	}
	return req.respondBulkFields(results)
}

// readBulkFields reads the list. ignored has the ignored members of each item, and
// itemErrs the error of each item that cannot be read.
func (req *request) readBulkFields() (in *input, items []tracking.NewCustomField, ignored [][]string, itemErrs []error, err error) {
	data, err := req.readBody()
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if in, err = req.readHeaders(data); err != nil {
		return nil, nil, nil, nil, err
	}
	if in.ifVersion != 0 {
		return nil, nil, nil, nil, errUnversioned
	}
	members, err := jsonapi.ParseObject(data, bulkFieldBody)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	in.Decoder = jsonapi.ObjectFields(members)
	var list []json.RawMessage
	if raw := in.Raw("data"); !raw.Given() || json.Unmarshal(raw.Value, &list) != nil {
		return nil, nil, nil, nil, jsonapi.FieldErrors{{Pointer: "/data", Code: jsonapi.CodeInvalidType, Detail: "data must be a list of 1 to 1,000 custom fields."}}
	}
	items, ignored, itemErrs = make([]tracking.NewCustomField, len(list)), make([][]string, len(list)), make([]error, len(list))
	for i, raw := range list {
		if items[i], ignored[i], err = readBulkField(raw); err != nil {
			itemErrs[i] = pointErrorToItem(err, i)
		}
	}
	return in, items, ignored, itemErrs, nil
}

// readBulkField reads one item, which has the form of a resource.
func readBulkField(raw json.RawMessage) (n tracking.NewCustomField, ignored []string, err error) {
	whole := append(append([]byte(`{"data":`), raw...), '}')
	res, err := jsonapi.ParseResource(whole, defaultBody)
	if err != nil {
		return n, nil, err
	}
	in := &input{Decoder: jsonapi.Fields(res)}
	n = newCustomField(in)
	n.Entity, err = readEntity(in)
	return n, in.Ignored(maxIgnored), err
}

// pointErrorToItem changes the pointers of an item's errors to point into the list.
func pointErrorToItem(err error, i int) error {
	at := "/data/" + strconv.Itoa(i)
	move := func(pointer string) string { return at + strings.TrimPrefix(pointer, "/data") }
	var fields jsonapi.FieldErrors
	var syntax *jsonapi.SyntaxError
	var engineErr *tracking.Error
	switch {
	case errors.As(err, &fields):
		for _, f := range fields {
			f.Pointer = move(f.Pointer)
		}
	case errors.As(err, &syntax): // the list is well-formed JSON, so the item has the wrong shape
		return jsonapi.FieldErrors{{Pointer: move(syntax.Pointer), Code: jsonapi.CodeInvalidType, Detail: syntax.Detail}}
	case errors.As(err, &engineErr):
		return itemError(engineErr, i)
	}
	return err
}

func itemError(engineErr *tracking.Error, i int) *tracking.Error {
	moved := *engineErr
	moved.Field = fmt.Sprintf("items[%d].%s", i, engineErr.Field)
	return pointToData(&moved)
}

// pointErrorsToData changes the fields of engine errors, which begin with items[i],
// to point into the list.
func pointErrorsToData(err error) error {
	var many tracking.Errors
	var one *tracking.Error
	switch {
	case errors.As(err, &many):
		out := make(tracking.Errors, len(many))
		for i, engineErr := range many {
			out[i] = pointToData(engineErr)
		}
		return out
	case errors.As(err, &one):
		return pointToData(one)
	}
	return err
}

// pointToData changes the field items[3].value to data[3].attributes.value.
func pointToData(engineErr *tracking.Error) *tracking.Error {
	moved := *engineErr
	item, field, _ := strings.Cut(strings.TrimPrefix(engineErr.Field, "items["), "].")
	switch {
	case !strings.HasPrefix(engineErr.Field, "items["):
		moved.Field = strings.Replace(engineErr.Field, "items", "data", 1)
	case strings.HasPrefix(field, "relationships/"):
		moved.Field = "data[" + item + "].relationships." + strings.TrimPrefix(field, "relationships/")
	default:
		moved.Field = "data[" + item + "].attributes." + field
	}
	return &moved
}

func (req *request) bulkFieldResult(i int, r tracking.BulkFieldResult) bulkFieldResult {
	if len(r.Faults) == 0 {
		return bulkFieldResult{Status: strconv.Itoa(http.StatusCreated), Data: &identifier{r.ID.String(), customFieldType}}
	}
	moved := make(tracking.Errors, len(r.Faults))
	for k, engineErr := range r.Faults {
		moved[k] = itemError(engineErr, i)
	}
	return req.bulkErrorResult(moved)
}

func (req *request) bulkErrorResult(err error) bulkFieldResult {
	status, errs := req.describeError(err)
	for i := range errs {
		errs[i].Status, errs[i].Title = strconv.Itoa(status), http.StatusText(status)
	}
	return bulkFieldResult{Status: strconv.Itoa(status), Errors: errs}
}

func (req *request) respondBulkFields(results []bulkFieldResult) error {
	answer := bulkFieldsDoc{Results: results}
	answer.Meta.Ignored = req.in.Ignored(maxIgnored)
	answer.Meta.Total = len(results)
	for _, r := range results {
		if r.Data != nil {
			answer.Meta.Succeeded++
		}
	}
	answer.Meta.Failed = answer.Meta.Total - answer.Meta.Succeeded
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	req.respond(http.StatusOK, body)
	return nil
}
