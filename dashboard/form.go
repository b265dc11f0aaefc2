package dashboard

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// form is a form with its inputs, one below the other.
type form struct {
	Action, CSRF string
	// Once identifies the form, so that sending it twice does nothing twice.
	Once string
	// Version is that of the record when the form was shown; 0 for none.
	Version int64
	Inputs  []input
	Button  string
	// Danger: what the button does cannot be undone.
	Danger bool
	// Back is the page to return to without sending the form; empty for none.
	Back string
	// Problems are about no single input.
	Problems []string
}

// How inputs are entered.
const (
	inputText     = "text"
	inputNumber   = "number"
	inputEmail    = "email"
	inputPassword = "password"
	inputDate     = "date"
	inputLines    = "lines"    // a text of several lines
	inputSelect   = "select"   // one of the options
	inputChoices  = "choices"  // several of the options
	inputCheck    = "check"    // yes or no
	inputConstant = "constant" // shown, and never sent
)

// input is one input of a form.
type input struct {
	// ID is that of the element. Defaults to the name.
	ID, Name, Label, Kind string
	Value                 string
	Hint                  string
	// Options of a select and of choices. A select with an empty value in front can be left
	// open.
	Options  []option
	Checked  bool
	Required bool
	// Autocomplete as HTML has it; empty for off.
	Autocomplete string
	Problem      string
}

// newForm returns a form of the session.
func (req *request) newForm(action, button, back string, inputs ...input) form {
	f := form{
		Action: req.link(action), CSRF: req.sessions.GetString(req.r.Context(), sessionCSRF), Once: req.r.PostForm.Get("once"),
		Inputs: inputs, Button: req.texts.get(button), Back: back,
	}
	if f.Once == "" {
		f.Once = newToken()
	}
	for i := range f.Inputs {
		if f.Inputs[i].ID == "" {
			f.Inputs[i].ID = f.Inputs[i].Name
		}
	}
	return f
}

// fill shows what was sent in place of what is stored.
func (f *form) fill(sent url.Values) {
	f.Version, _ = strconv.ParseInt(sent.Get("version"), 10, 64)
	for i := range f.Inputs {
		in := &f.Inputs[i]
		switch in.Kind {
		case inputConstant, inputPassword:
		case inputCheck:
			in.Checked = sent.Has(in.Name)
		case inputSelect, inputChoices:
			in.Options = chosen(in.Options, sent[in.Name]...)
		default:
			in.Value = sent.Get(in.Name)
		}
	}
}

// chosen marks the options with these values.
func chosen(options []option, values ...string) []option {
	list := slices.Clone(options)
	for i := range list {
		list[i].Chosen = slices.Contains(values, list[i].Value)
	}
	return list
}

// refuse shows what is wrong with what was sent: next to the inputs, or above them. It
// returns errors that are about something else.
func (req *request) refuse(f *form, err error) error {
	var stale *tracking.Error
	if errors.As(err, &stale) && stale.Kind == tracking.Stale {
		f.Problems = append(f.Problems, req.texts.get("form.stale"))
		f.Version = 0 // sent again, it overwrites
		return nil
	}
	faults := faultsOf(err)
	for _, fault := range faults {
		if in := f.input(fault.Field); in != nil {
			in.Problem = strings.TrimSpace(in.Problem + " " + sentence(fault))
		} else {
			f.Problems = append(f.Problems, sentence(fault))
		}
	}
	if len(faults) > 0 {
		return nil
	}
	return err
}

// input finds the input of a field, such as that of headers[0].name.
func (f *form) input(field string) *input {
	for i := range f.Inputs {
		rest, ok := strings.CutPrefix(field, f.Inputs[i].Name)
		if ok && (rest == "" || strings.ContainsAny(rest[:1], "[./")) {
			return &f.Inputs[i]
		}
	}
	return nil
}

// version is that of the record when the form was shown; 0 for any.
func (req *request) version() int64 {
	v, err := strconv.ParseInt(req.r.PostForm.Get("version"), 10, 64)
	if err != nil || v < 0 {
		return 0
	}
	return v
}

// once makes the creation by a form idempotent.
func (req *request) once() tracking.Once {
	sent := maps.Clone(req.r.PostForm)
	sent.Del(csrfField)
	sum := sha256.Sum256([]byte(sent.Encode()))
	return tracking.Once{Key: sent.Get("once"), Fingerprint: hex.EncodeToString(sum[:])}
}

// sentForms are the forms that were sent, for what the engine itself does not do once.
type sentForms struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

// maxSentForms bounds what is remembered.
const maxSentForms = 10_000

// first reports whether a form has not been sent before.
func (s *sentForms) first(once string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, sent := s.seen[once]; sent || once == "" {
		return false
	}
	if s.seen == nil || len(s.seen) >= maxSentForms {
		s.seen = map[string]time.Time{}
	}
	s.seen[once] = now
	return true
}

// formPage is a page with one form.
type formPage struct {
	Crumbs []crumb
	Lead   string
	Form   form
}

// crumb is a link to a page above.
type crumb struct{ Label, Href string }

// crumbs are links to the pages above, which are named by pairs of path and text.
func (req *request) crumbs(pairs ...string) (list []crumb) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, crumb{pairs[i+1], req.link(pairs[i])})
	}
	return list
}

// renderForm shows a page with a form; one that was refused with the status of that.
func (req *request) renderForm(title string, p formPage) error {
	status := http.StatusOK
	if len(p.Form.Problems) > 0 || slices.ContainsFunc(p.Form.Inputs, func(in input) bool { return in.Problem != "" }) {
		status = http.StatusUnprocessableEntity
	}
	return req.render(status, "form", title, p)
}

// done shows another page, with a sentence about what was done.
func (req *request) done(to, text string, args ...any) error {
	req.sessions.Put(req.r.Context(), sessionFlash, req.texts.get(text, args...))
	return req.redirect(req.link(to))
}
