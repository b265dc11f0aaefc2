package dashboard

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
)

const tariffsPath, newTariffPath, importPath = "/settings/tariffs", "/settings/new-tariff", "/settings/import-tariffs"

func tariffRoutes() []route {
	one := tariffsPath + "/{id}"
	return []route{
		{pattern: "GET " + tariffsPath, permission: tracking.Show, serve: listTariffs},
		{pattern: "GET " + tariffsPath + ".csv", permission: tracking.Show, serve: exportTariffs(typeCSV, ".csv", tariffsCSV)},
		{pattern: "GET " + tariffsPath + ".json", permission: tracking.Show, serve: exportTariffs("application/json", ".json", freetimeJSON)},
		{pattern: "GET " + newTariffPath, permission: tracking.Admin, serve: newTariff},
		{pattern: "POST " + tariffsPath, permission: tracking.Admin, serve: createTariff},
		{pattern: "GET " + one, permission: tracking.Show, serve: showTariff},
		{pattern: "POST " + one, permission: tracking.Admin, serve: updateTariff},
		{pattern: "GET " + one + "/delete", permission: tracking.Admin, serve: askToDeleteTariff},
		{pattern: "POST " + one + "/delete", permission: tracking.Admin, serve: deleteTariff},
		{pattern: "GET " + importPath, permission: tracking.Admin, serve: showImport},
		{pattern: "POST " + importPath, permission: tracking.Admin, serve: importTariffs},
	}
}

func tariffPath(id tracking.ID) string { return tariffsPath + "/" + id.String() }

// tariffRow is a tariff in a list.
type tariffRow struct{ *tracking.Tariff }

func (r tariffRow) recordID() tracking.ID { return r.ID }

func tariffColumns(req *request) []column[tariffRow] {
	c := req.texts
	every := func(s string) cell {
		if s == "" {
			return text(c.get("tariff.every"))
		}
		return text(s)
	}
	return []column[tariffRow]{
		{name: "name", cell: func(r tariffRow) cell {
			return cell{Text: tariffName(c, r.Tariff), Href: req.link(tariffPath(r.ID)), Long: true}
		}},
		{name: "clock", cell: func(r tariffRow) cell { return text(c.word("clock", string(r.Clock))) }},
		{name: "shipping_line", cell: func(r tariffRow) cell { return every(r.ShippingLineSCAC) }},
		{name: "place", cell: func(r tariffRow) cell {
			return every(strings.Join(nonEmpty(r.LocationLOCODE, r.TerminalCode), " "))
		}},
		{name: "free_days", numeric: true, cell: func(r tariffRow) cell { return number(r.FreeDays) }},
		{name: "currency", cell: func(r tariffRow) cell { return text(r.Currency) }},
		{name: "valid_from", cell: func(r tariffRow) cell { return c.calendarDay(r.ValidFrom) }},
		{name: "valid_to", cell: func(r tariffRow) cell { return c.calendarDay(r.ValidTo) }},
	}
}

func tariffName(c catalog, t *tracking.Tariff) string {
	if t.Name != "" {
		return t.Name
	}
	return c.word("clock", string(t.Clock))
}

// tariffsPage is the list of tariffs, with its files.
type tariffsPage struct {
	Crumbs            []crumb
	Table             table
	CSV, JSON         string
	New, Import, Lead string
}

func listTariffs(req *request) error {
	list, _, err := req.t.Tariffs().List(req.r.Context(), freetime.Filter{}, tracking.TimeRange{}, []tracking.Order{{Name: "valid_from", Desc: true}}, tracking.Page{})
	if err != nil {
		return err
	}
	rows := make([]tariffRow, len(list))
	for i, t := range list {
		rows[i] = tariffRow{t}
	}
	p := tariffsPage{Crumbs: req.settingsCrumbs(), Table: fill(req, tariffColumns(req), rows), CSV: req.link(tariffsPath + ".csv"), JSON: req.link(tariffsPath + ".json"), Lead: req.texts.get("settings.tariffs.lead")}
	if req.can(tracking.Admin) {
		p.New, p.Import = req.link(newTariffPath), req.link(importPath)
	}
	return req.render(http.StatusOK, "tariffs", req.texts.get("settings.tariffs"), p)
}

// exportTariffs answers with all tariffs as a file, which an import takes.
func exportTariffs(contentType, extension string, write func(w *bytes.Buffer, list []freetime.Terms) error) func(*request) error {
	return func(req *request) error {
		list, err := req.t.Tariffs().All(req.r.Context())
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := write(&b, list); err != nil {
			return err
		}
		req.w.Header().Set("Content-Type", contentType)
		req.w.Header().Set("Content-Disposition", `attachment; filename="tariffs`+extension+`"`)
		_, _ = req.w.Write(b.Bytes()) // the browser may have gone
		return nil
	}
}

// tariffsFile is the JSON of an import and an export.
type tariffsFile[T any] struct {
	Tariffs []T `json:"tariffs"`
}

// choices are the values that terms of a tariff can have, where these are few.
var choices = map[string][]string{
	"clock":            {"demurrage", "detention", "per_diem", "combined", "rail_storage"},
	"equipment_type":   {"", "dry", "reefer", "open top", "flat rack", "bulk", "tank"},
	"equipment_length": {"", "10", "20", "40", "45"},
}

// tariffForm is the form of a tariff: an input for each column of its CSV.
func (req *request) tariffForm(t *tracking.Tariff) (form, error) {
	c := req.texts
	var b bytes.Buffer
	if err := freetime.WriteCSV(&b, []freetime.Terms{t.Terms}); err != nil {
		return form{}, err
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		return form{}, err
	}
	var inputs []input
	for i, name := range lines[0] {
		in := input{Name: name, Label: c.word("tariff_member", name), Kind: inputText, Value: strings.TrimPrefix(lines[1][i], "'"), Hint: c["tariff_hint."+name]}
		if options := choices[name]; options != nil {
			in.Kind, in.Options = inputSelect, chosen(c.options(name, options), in.Value)
			if options[0] == "" {
				in.Options[0].Label = c.get("tariff.every")
			}
		}
		inputs = append(inputs, in)
	}
	if t.ID == (tracking.ID{}) {
		return req.newForm(tariffsPath, "tariff.create", req.link(tariffsPath), inputs...), nil
	}
	f := req.newForm(tariffPath(t.ID), "form.save", req.link(tariffsPath), inputs...)
	f.Version = t.Version
	return f, nil
}

// sentTerms are the terms that a form of a tariff has.
func (req *request) sentTerms() (freetime.Terms, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	cells := make([]string, len(freetime.TermsMembers()))
	for i, name := range freetime.TermsMembers() {
		cells[i] = oneLine(req.r.PostForm.Get(name))
	}
	if err := w.WriteAll([][]string{freetime.TermsMembers(), cells}); err != nil {
		return freetime.Terms{}, err
	}
	list, err := freetime.ReadCSV(&b)
	if err != nil {
		faults := asFaults(err)
		for _, f := range faults { // there is one row
			f.Detail = strings.TrimPrefix(f.Detail, "row 1, column "+f.Field+": ")
		}
		return freetime.Terms{}, faults
	}
	return list[0], nil
}

// asFaults returns the errors of package freetime as errors about fields; of rows, the detail
// names the row.
func asFaults(err error) (faults tracking.Errors) {
	var add func(error, string)
	add = func(err error, row string) {
		var field *freetime.FieldError
		if joined, is := err.(interface{ Unwrap() []error }); is {
			for _, e := range joined.Unwrap() {
				add(e, row)
			}
		} else if of, is := err.(*freetime.RowError); is {
			add(of.Err, fmt.Sprintf("row %d, ", of.Row+1))
		} else if errors.As(err, &field) {
			detail := field.Problem
			if row != "" {
				detail = row + "column " + field.Field + ": " + detail
			}
			faults = append(faults, &tracking.Error{Kind: tracking.Invalid, Field: field.Field, Detail: detail})
		} else {
			faults = append(faults, &tracking.Error{Kind: tracking.Invalid, Detail: row + err.Error()})
		}
	}
	add(err, "")
	return faults
}

func (req *request) tariffCrumbs() []crumb {
	return req.settingsCrumbs(tariffsPath, req.texts.get("settings.tariffs"))
}

func newTariff(req *request) error {
	f, err := req.tariffForm(&tracking.Tariff{Terms: freetime.DefaultTerms()})
	if err != nil {
		return err
	}
	return req.renderForm(req.texts.get("tariff.new"), formPage{Crumbs: req.tariffCrumbs(), Form: f})
}

func createTariff(req *request) error {
	terms, err := req.sentTerms()
	var t *tracking.Tariff
	if err == nil {
		t, err = req.t.Tariffs().Create(req.r.Context(), terms, req.once())
	}
	if err != nil {
		return req.refuseTariff(&tracking.Tariff{Terms: freetime.DefaultTerms()}, err)
	}
	return req.done(tariffPath(t.ID), "tariff.created")
}

// refuseTariff shows a form that was refused, with its reasons.
func (req *request) refuseTariff(t *tracking.Tariff, refused error) error {
	f, err := req.tariffForm(t)
	if err != nil {
		return err
	}
	f.fill(req.r.PostForm)
	for i := range f.Inputs { // an error about a row of one is about the form
		f.Inputs[i].Problem = ""
	}
	if err := req.refuse(&f, refused); err != nil {
		return err
	}
	return req.renderForm(req.texts.get("tariff.title"), formPage{Crumbs: req.tariffCrumbs(), Form: f})
}

// tariffPage is a tariff: as a form for those who may change it.
type tariffPage struct {
	Crumbs     []crumb
	Attributes []attribute
	Form       *form
	Delete     string
}

func showTariff(req *request) error {
	t, err := req.t.Tariffs().Get(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	f, err := req.tariffForm(t)
	if err != nil {
		return err
	}
	p := tariffPage{Crumbs: req.tariffCrumbs()}
	if req.can(tracking.Admin) {
		p.Form, p.Delete = &f, req.link(tariffPath(t.ID)+"/delete")
	}
	for _, in := range f.Inputs {
		if in.Value != "" {
			p.Attributes = append(p.Attributes, attribute{in.Label, text(in.Value)})
		}
	}
	return req.render(http.StatusOK, "tariff", tariffName(req.texts, t), p)
}

func updateTariff(req *request) error {
	t, err := req.t.Tariffs().Get(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	terms, err := req.sentTerms()
	if err == nil {
		_, err = req.t.Tariffs().Update(req.r.Context(), t.ID, req.version(), func(to *freetime.Terms) error { *to = terms; return nil })
	}
	if err != nil {
		return req.refuseTariff(t, err)
	}
	return req.done(tariffPath(t.ID), "tariff.saved")
}

func askToDeleteTariff(req *request) error {
	t, err := req.t.Tariffs().Get(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	return req.question("tariff.delete", tariffPath(t.ID)+"/delete", tariffPath(t.ID), req.tariffCrumbs(), tariffName(req.texts, t))
}

func deleteTariff(req *request) error {
	if err := req.t.Tariffs().Delete(req.r.Context(), req.pathID()); err != nil {
		return err
	}
	return req.done(tariffsPath, "tariff.deleted")
}

// importPage is the form of an import, with what it would do.
type importPage struct {
	Crumbs []crumb
	Form   form
	// Outcome is what the import would do; empty before it is checked.
	Outcome string
}

func (req *request) importForm() form {
	c := req.texts
	return req.newForm(importPath, "import.check", req.link(tariffsPath),
		input{Name: "tariffs", Label: c.get("import.text"), Kind: inputLines, Required: true, Hint: c.get("import.text.hint")},
		input{Name: "replace", Label: c.get("import.replace"), Kind: inputCheck, Hint: c.get("import.replace.hint")})
}

func showImport(req *request) error {
	return req.render(http.StatusOK, "import-tariffs", req.texts.get("import.title"), importPage{Crumbs: req.tariffCrumbs(), Form: req.importForm()})
}

// importTariffs checks an import, and does it if that was confirmed.
func importTariffs(req *request) error {
	ctx, sent, c := req.r.Context(), req.r.PostForm, req.texts
	p, status := importPage{Crumbs: req.tariffCrumbs(), Form: req.importForm()}, http.StatusOK
	p.Form.fill(sent)
	list, err := readTariffs(sent.Get("tariffs"))
	var done freetime.Imported
	switch replace := sent.Has("replace"); {
	case err != nil:
	case sent.Get("confirmed") != "":
		if done, err = req.t.Tariffs().Import(ctx, list, replace, req.once()); err == nil {
			return req.done(tariffsPath, "import.done", done.Created, done.Kept, done.Deleted)
		}
	default:
		if done, err = req.t.Tariffs().CheckImport(ctx, list, replace); err == nil {
			p.Outcome = c.get("import.outcome", done.Created, done.Kept, done.Deleted)
		}
	}
	if err != nil {
		status = http.StatusUnprocessableEntity
		if err := req.refuse(&p.Form, err); err != nil {
			return err
		}
	}
	return req.render(status, "import-tariffs", c.get("import.title"), p)
}

// readTariffs reads the CSV or JSON of an import.
func readTariffs(s string) ([]freetime.Terms, error) {
	if !strings.HasPrefix(strings.TrimSpace(s), "{") {
		list, err := freetime.ReadCSV(strings.NewReader(strings.TrimSpace(s)))
		if err != nil {
			err = asFaults(err)
		}
		return list, err
	}
	var file tariffsFile[map[string]json.RawMessage]
	if err := json.Unmarshal([]byte(s), &file); err != nil {
		return nil, asFaults(err)
	}
	list, errs := make([]freetime.Terms, len(file.Tariffs)), []error{}
	for i, members := range file.Tariffs {
		var err error
		if list[i], err = freetime.TermsFromJSON(members); err != nil {
			errs = append(errs, &freetime.RowError{Row: i, Err: err})
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, asFaults(err)
	}
	return list, nil
}

func freetimeJSON(w *bytes.Buffer, list []freetime.Terms) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(tariffsFile[freetime.Terms]{list})
}

func tariffsCSV(w *bytes.Buffer, list []freetime.Terms) error { return freetime.WriteCSV(w, list) }
