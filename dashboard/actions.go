package dashboard

import (
	"context"

	"github.com/landfallhq/tracking"
)

// act applies a method of the Tracker to the record in the path, and shows its page again.
func act(noun, done string, apply func(context.Context, *tracking.Tracker, tracking.ID) error) func(*request) error {
	return func(req *request) error {
		ctx, id := req.r.Context(), req.pathID()
		if err := apply(ctx, req.t, id); err != nil {
			return err
		}
		req.sessions.Put(ctx, sessionFlash, req.texts.get(done))
		return req.redirect(req.link("/" + noun + "/" + id.String()))
	}
}

func stopTracking(ctx context.Context, t *tracking.Tracker, id tracking.ID) error {
	_, err := t.StopTracking(ctx, id)
	return err
}

func resumeTracking(ctx context.Context, t *tracking.Tracker, id tracking.ID) error {
	_, err := t.ResumeTracking(ctx, id)
	return err
}

func refreshContainer(ctx context.Context, t *tracking.Tracker, id tracking.ID) error {
	_, err := t.RefreshContainer(ctx, id)
	return err
}

// button is a form of one button.
type button struct {
	Action, Label, CSRF string
}

// buttons are what the session may do with a record; none with its past.
func (req *request) buttons(at past, pairs ...string) (list []button) {
	if !at.present() || !req.can(tracking.Update) {
		return nil
	}
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, req.button(pairs[i], pairs[i+1]))
	}
	return list
}

// button is a button that posts to a path.
func (req *request) button(path, text string) button {
	return button{req.link(path), req.texts.get(text), req.sessions.GetString(req.r.Context(), sessionCSRF)}
}
