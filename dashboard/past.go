package dashboard

import (
	"net/http"
	"time"
)

// asOfLayout is how browsers send the value of an input of the type datetime-local.
const asOfLayout = "2006-01-02T15:04"

// past is the moment that a page shows the knowledge of.
type past struct {
	// At is zero for the present.
	At time.Time
	// Shown is the moment as a sentence has it, and Input as the form does.
	Shown cell
	Input string
	// Path of the page, and Present its address without a moment.
	Path string
	// Max is the present, for the form.
	Max string
	// Moments are times that the page offers.
	Moments []moment
}

// AsOf is the moment as addresses have it; empty for the present.
func (p past) AsOf() string {
	if p.present() {
		return ""
	}
	return p.At.Format(time.RFC3339)
}

// asOf reads the moment of a page, UTC.
func (req *request) asOf() (past, error) {
	p := past{Path: req.r.URL.Path, Max: req.now.Format(asOfLayout)}
	s := req.r.URL.Query().Get("as_of")
	if s == "" {
		return p, nil
	}
	for _, layout := range []string{asOfLayout, time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, s); err == nil {
			p.At = at.UTC()
			p.Shown, p.Input = req.texts.moment(p.At, ""), p.At.Format(asOfLayout)
			return p, nil
		}
	}
	return p, &pageError{http.StatusBadRequest, req.texts.get("error.filter.date", clip(s), "as_of")}
}

// present reports whether a page shows what is known now.
func (p past) present() bool { return p.At.IsZero() }

// knows reports whether something was known at the moment that was learned and perhaps
// withdrawn later.
func (p past) knows(learned, withdrawn time.Time) bool {
	if p.present() {
		return withdrawn.IsZero()
	}
	end := p.At.Add(time.Second)
	return learned.Before(end) && (withdrawn.IsZero() || !withdrawn.Before(end))
}

// until are the optional arguments of methods that answer as of a moment.
func (p past) until() []time.Time {
	if p.present() {
		return nil
	}
	return []time.Time{p.At}
}
