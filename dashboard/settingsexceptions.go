package dashboard

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
)

const thresholdsPath = "/settings/thresholds"

func thresholdRoutes() []route {
	return []route{
		{pattern: "GET " + thresholdsPath, permission: tracking.Show, serve: showThresholds},
		{pattern: "POST " + thresholdsPath, permission: tracking.Admin, serve: updateThresholds},
	}
}

// thresholdsPage has the thresholds of the account: as a form for those who may change them.
type thresholdsPage struct {
	Crumbs     []crumb
	Lead       string
	Form       *form
	Thresholds []attribute
}

func showThresholds(req *request) error { return req.renderThresholds(nil) }

func (req *request) renderThresholds(refused error) error {
	c, x := req.texts, req.t.Exceptions()
	s, err := x.Settings(req.r.Context())
	if err != nil {
		return err
	}
	p, status := thresholdsPage{Crumbs: req.settingsCrumbs(), Lead: c.get("settings.thresholds.lead")}, http.StatusOK
	var inputs []input
	for _, h := range x.Thresholds() {
		in := input{Name: h.Name, Label: c.word("threshold", h.Name), Kind: inputNumber, Hint: c.get("threshold.hint", h.Default, h.Max)}
		if v := s.Threshold(h.Name); v != 0 {
			in.Value = strconv.Itoa(v)
		}
		inputs = append(inputs, in)
		p.Thresholds = append(p.Thresholds, attribute{in.Label, cell{Text: strconv.Itoa(valueOf(s, h))}})
	}
	if req.can(tracking.Admin) {
		f := req.newForm(thresholdsPath, "form.save", req.link("/settings"), inputs...)
		p.Form = &f
	}
	if refused != nil {
		status = http.StatusUnprocessableEntity
		p.Form.fill(req.r.PostForm)
		if err := req.refuse(p.Form, req.labelled(refused, x.Thresholds())); err != nil {
			return err
		}
	}
	return req.render(status, "thresholds", c.get("settings.thresholds"), p)
}

// labelled says which values a threshold can have in the words of its form.
func (req *request) labelled(refused error, list []tracking.ExceptionThreshold) error {
	for _, fault := range faultsOf(refused) {
		for _, h := range list {
			if h.Name == fault.Field && fault.Code == "out_of_range" {
				fault.Detail = req.texts.get("threshold.refused", req.texts.word("threshold", h.Name), h.Max, h.Default)
			}
		}
	}
	return refused
}

// valueOf is the value of a threshold that is in force.
func valueOf(s *tracking.ExceptionSettings, h tracking.ExceptionThreshold) int {
	if v := s.Threshold(h.Name); v != 0 {
		return v
	}
	return h.Default
}

func updateThresholds(req *request) error {
	x, values := req.t.Exceptions(), map[string]*int{}
	for _, h := range x.Thresholds() {
		sent := strings.TrimSpace(req.r.PostForm.Get(h.Name))
		if sent == "" {
			values[h.Name] = nil // the default
			continue
		}
		n, err := strconv.Atoi(sent)
		if err != nil {
			n = -1 // which is refused
		}
		values[h.Name] = &n
	}
	if _, err := x.UpdateSettings(req.r.Context(), values); err != nil {
		return req.renderThresholds(err)
	}
	return req.done(thresholdsPath, "thresholds.saved")
}
