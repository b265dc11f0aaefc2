package dashboard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

func exceptionRoutes() []route {
	return []route{
		{pattern: "GET /exceptions/{id}", permission: tracking.Show, serve: showException},
		{pattern: "POST /exceptions/{id}", permission: tracking.Update, serve: followUp},
	}
}

// exceptionPage is an exception with the facts that it follows from, and what users do about it.
type exceptionPage struct {
	Severity, State cell
	Detail          string
	Shipment        cell
	Container       cell
	Attributes      []attribute
	Facts           table
	FollowUp        followUpForm
	Audit           table
	// Audited: the session may read the audit log.
	Audited bool
}

// userNotes is what users have written on an exception.
type userNotes struct {
	Acknowledged   bool
	Assignee, Note string
}

func notesOf(e *tracking.Exception) userNotes {
	return userNotes{!e.AcknowledgedAt.IsZero(), e.Assignee, e.Note}
}

// text is what a form was filled with, as it is sent back, to find what was changed in it and what
// meanwhile. The version of the record does not: reports change it too.
func (n userNotes) text() (string, error) {
	data, err := json.Marshal(n)
	return string(data), err
}

// changed returns what is to be stored of what was sent from a form: what its sender left as it was
// filled stays as it is now. ok is false if both have changed one thing to different values.
func (n userNotes) changed(before, now userNotes) (to userNotes, ok bool) {
	var oks [3]bool
	to.Acknowledged, oks[0] = merged(n.Acknowledged, before.Acknowledged, now.Acknowledged)
	to.Assignee, oks[1] = merged(n.Assignee, before.Assignee, now.Assignee)
	to.Note, oks[2] = merged(n.Note, before.Note, now.Note)
	return to, oks == [3]bool{true, true, true}
}

// merged is changed for one value.
func merged[T comparable](sent, filled, now T) (to T, ok bool) {
	if sent == filled {
		return now, true
	}
	return sent, now == filled || now == sent
}

// followUpForm is the form of what users write on an exception.
type followUpForm struct {
	Action, CSRF string
	Edit         bool
	// Before is what the form was filled with.
	Before       string
	Acknowledged bool
	Assignees    []option
	Note         string
	// Written is what is stored, with who has acknowledged it.
	Written []attribute
	// Refused: somebody else has changed it since the form was filled.
	Refused bool
	// Problems are texts by field.
	Problems map[string]string
}

func showException(req *request) error {
	e, err := req.t.Exceptions().Get(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	return req.renderException(http.StatusOK, e, followUpForm{}, notesOf(e))
}

// renderException shows an exception, with a form that is filled with notes.
func (req *request) renderException(status int, e *tracking.Exception, f followUpForm, filled userNotes) error {
	ctx, c := req.r.Context(), req.texts
	s, err := req.places.shipment(ctx, e.Shipment)
	if err != nil {
		return err
	}
	req.about(e.ID, e.Shipment)
	p := exceptionPage{
		Severity: cell{Text: c.word("severity", e.Severity), Tone: severityTones[e.Severity]}, State: c.exceptionState(e), Detail: e.Detail,
		Shipment: linked(shipmentName(s), req.toShipment(s.ID)), Attributes: c.exceptionAttributes(e, s),
	}
	if e.Container != (tracking.ID{}) {
		box, err := req.places.container(ctx, e.Container)
		if err != nil {
			return err
		}
		p.Container = linked(box.Number, req.toContainer(box.ID))
	}
	facts, err := req.t.Exceptions().Facts(ctx, e.ID)
	if err != nil {
		return err
	}
	rows := make([]rawRow, 0, len(facts))
	for _, r := range facts {
		rows = append(rows, rawRow{r})
	}
	p.Facts = tableOf(req, rawColumns(c), rows, "event", "vessel", "place", "happened_at", "certainty", "source", "received_at")
	if p.FollowUp, err = req.followUpForm(ctx, e, f, filled); err != nil {
		return err
	}
	p.Audited = req.can(tracking.Admin)
	if p.Audit, err = req.audit(ctx, e.ID); err != nil {
		return err
	}
	return req.render(status, "exception", c.word("exception", e.Kind), p)
}

func (c catalog) exceptionAttributes(e *tracking.Exception, s *tracking.Shipment) []attribute {
	late := cell{}
	if e.LateInHours > 0 {
		late = text(c.count("exception.late", e.LateInHours))
	}
	list := []attribute{
		{"opened_at", c.moment(e.OpenedAt, s.PODTimezone)}, {"found_at", c.moment(e.CreatedAt, "")}, {"closed_at", c.moment(e.ClosedAt, s.PODTimezone)},
		{"next_milestone", text(c.word("event", string(e.Milestone)))}, {"place", text(e.LocationLOCODE)},
		{"expected_at", c.moment(e.ExpectedAt, zoneAt(s, e.LocationLOCODE))}, {"due_at", c.moment(e.DueAt, zoneAt(s, e.LocationLOCODE))}, {"late", late},
		{"pod_original_eta_at", c.moment(s.PODOriginalETAAt, s.PODTimezone)}, {"pod_eta_at", c.moment(s.PODETAAt, s.PODTimezone)},
		{"promised_arrival_at", c.moment(s.PromisedArrivalAt, s.PODTimezone)}, {"pod_ata_at", c.moment(s.PODATAAt, s.PODTimezone)},
	}
	return slices.DeleteFunc(list, func(a attribute) bool { return a.Value.Empty() })
}

func (req *request) followUpForm(ctx context.Context, e *tracking.Exception, f followUpForm, filled userNotes) (followUpForm, error) {
	names, err := req.t.Users().Names(ctx)
	if err != nil {
		return f, err
	}
	f.Action, f.CSRF, f.Edit = req.link("/exceptions/"+e.ID.String()), req.sessions.GetString(ctx, sessionCSRF), req.can(tracking.Update)
	if f.Before, err = notesOf(e).text(); err != nil {
		return f, err
	}
	f.Acknowledged, f.Note = filled.Acknowledged, filled.Note
	acknowledged := cell{}
	if !e.AcknowledgedAt.IsZero() {
		acknowledged = req.texts.moment(e.AcknowledgedAt, "")
		acknowledged.Note = cmp.Or(names[e.AcknowledgedBy], req.texts.get("user.none"))
	}
	f.Written = []attribute{{"acknowledged", acknowledged}, {"assignee", text(e.Assignee)}, {"note", text(e.Note)}}
	if f.Edit && !f.Refused { // the form shows the rest
		f.Written = slices.DeleteFunc(f.Written[:1], func(a attribute) bool { return a.Value.Empty() })
	}
	list := slices.Sorted(maps.Values(names))
	if filled.Assignee != "" && !slices.Contains(list, filled.Assignee) { // written by another program, or a former user
		list = append(list, filled.Assignee)
	}
	for _, name := range list {
		label := name
		if name == names[req.actor.User] {
			label = req.texts.get("exception.me", name)
		}
		f.Assignees = append(f.Assignees, option{Value: name, Label: label, Chosen: name == filled.Assignee})
	}
	return f, nil
}

// followUp stores what a user has written on an exception, unless another user has changed it
// since the form was filled.
func followUp(req *request) error {
	ctx, x, form := req.r.Context(), req.t.Exceptions(), req.r.PostForm
	sent := userNotes{form.Get("acknowledged") != "", strings.TrimSpace(form.Get("assignee")), strings.TrimSpace(form.Get("note"))}
	var before userNotes
	invalid := json.Unmarshal([]byte(form.Get("before")), &before) // a form that is none of ours
	for {
		e, err := x.Get(ctx, req.pathID())
		if err != nil {
			return err
		}
		to, ok := sent.changed(before, notesOf(e))
		if !ok || invalid != nil {
			return req.renderException(http.StatusConflict, e, followUpForm{Refused: true}, to)
		}
		if to == notesOf(e) { // nothing is changed, or it was sent twice
			break
		}
		_, err = x.Update(ctx, e.ID, tracking.ExceptionUpdate{
			Acknowledged: tracking.Set(to.Acknowledged), Assignee: tracking.Set(to.Assignee), Note: tracking.Set(to.Note), IfVersion: e.Version,
		})
		if errors.Is(err, tracking.ErrStale) { // by a report or by a user: the record is read again
			continue
		}
		f := followUpForm{Problems: map[string]string{}}
		for _, fault := range faultsOf(err) {
			f.Problems[fault.Field] = sentence(fault)
		}
		if len(f.Problems) > 0 {
			return req.renderException(http.StatusUnprocessableEntity, e, f, to)
		}
		if err != nil {
			return err
		}
		break
	}
	req.sessions.Put(ctx, sessionFlash, req.texts.get("exception.saved"))
	return req.redirect(req.link("/exceptions/" + req.pathID().String()))
}
