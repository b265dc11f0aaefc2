package dashboard

import (
	"context"
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
	// Preview is a second button, which shows what would be saved; empty for none.
	Preview string
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
	// Rows of a text of several lines. Defaults to 4.
	Rows int
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
	seen map[string]*handledForm
}

// handledForm is a form that was sent, with what is shown for it this once.
type handledForm struct {
	at   time.Time
	done chan struct{} // closed when shows and err are set
	// shows is empty after a while.
	shows shownOnce
	err   error
}

// shownOnce is a page that cannot be shown again.
type shownOnce struct {
	title string
	page  oncePage
}

const (
	// maxSentForms bounds what is remembered.
	maxSentForms = 10_000
	// shownAgain is how long a secret is kept for a form that is sent twice: a browser shows the
	// second answer to a double click.
	shownAgain = time.Minute
)

// first reports whether a form has not been sent before.
func (s *sentForms) first(form string, now time.Time) bool {
	_, first := s.add(form, now)
	return first
}

// add remembers a form, and returns it and whether it was not sent before.
func (s *sentForms) add(form string, now time.Time) (f *handledForm, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, old := range s.seen {
		if now.Sub(old.at) >= shownAgain {
			old.shows = shownOnce{}
		}
	}
	if f := s.seen[form]; f != nil {
		return f, false
	}
	if s.seen == nil || len(s.seen) >= maxSentForms {
		s.seen = map[string]*handledForm{}
	}
	f = &handledForm{at: now, done: make(chan struct{})}
	s.seen[form] = f
	return f, true
}

// show returns what do returns for a form, which runs once: sent again, the form is shown the
// same for a while, and nothing afterwards.
func (s *sentForms) show(form string, now time.Time, do func() (shownOnce, error)) (shownOnce, error) {
	f, first := s.add(form, now)
	if !first {
		<-f.done
		s.mu.Lock()
		defer s.mu.Unlock()
		return f.shows, f.err
	}
	defer close(f.done)
	shows, err := do()
	s.mu.Lock()
	defer s.mu.Unlock()
	f.shows, f.err = shows, err
	if err != nil { // sent again with other values, it is made
		delete(s.seen, form)
	}
	return shows, err
}

// showOnce shows what do has made for the form that was sent, and the page to return to if that
// was shown before.
func (req *request) showOnce(back string, do func() (shownOnce, error)) error {
	ctx, sent := req.r.Context(), req.r.PostForm.Get("once")
	if sent == "" {
		return req.done(back, "form.repeated")
	}
	// The first request of a double click is cancelled, and the second waits for what it makes.
	req.r = req.r.WithContext(context.WithoutCancel(ctx))
	shows, err := req.sent.show(req.sessions.GetString(ctx, sessionCSRF)+" "+sent, req.now, do)
	if err != nil {
		return err
	}
	if shows.page.Value == "" {
		return req.done(back, "form.repeated")
	}
	return req.render(http.StatusOK, "once", shows.title, shows.page)
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
