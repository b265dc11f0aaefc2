package dashboard

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"

	"github.com/landfallhq/tracking"
)

func viewRoutes() []route {
	return []route{
		{pattern: "POST /views", permission: tracking.Create, serve: keepView},
		{pattern: "GET /views/{id}", permission: tracking.Show, serve: openView},
		{pattern: "POST /views/{id}", permission: tracking.Update, serve: changeView},
		{pattern: "POST /views/{id}/delete", permission: tracking.Delete, serve: deleteView},
	}
}

// viewedNouns are the paths of lists, by the type of their records.
var viewedNouns = map[string]string{"shipment": "shipments", "container": "containers", "tracking_request": "tracking-requests", "exception": "exceptions"}

// hasViews reports whether a list can be kept as a view.
func hasViews(noun string) bool {
	for _, of := range viewedNouns {
		if of == noun {
			return true
		}
	}
	return false
}

// viewLink is a view by its name.
type viewLink struct {
	Name, Href string
	// Noun is the list that it is of.
	Noun          string
	Shared, Shown bool
}

// viewForm is how the list of a page is kept under a name.
type viewForm struct {
	CSRF string
	// Offered: the session may keep views, and the list has parameters to keep.
	Offered bool
	Noun    string
	// Parameters of the list that is seen, without the page.
	Parameters string
	Name       string
	Alone      bool
	Problem    string
	// HasUser: the session is that of a user, who can keep views alone.
	HasUser bool
	// Shown is the view that the list was opened by, and Action where its changes are sent;
	// empty without one, or without the permission to change it.
	Shown, Action, Delete string
	// Share is where a link to the view is made; empty without the permission.
	Share string
	// Calendar is where a calendar of the view is made; empty without the permission, and for
	// lists without dates.
	Calendar string
	// Changed: the list is seen with other parameters than those of the view.
	Changed bool
}

// viewParameters are the parameters of a list that a view has.
func viewParameters(v url.Values) url.Values {
	kept := maps.Clone(v)
	for _, name := range []string{paramPage, paramSize, paramView} {
		kept.Del(name)
	}
	return canonical(kept)
}

// viewLinks are the views that the session sees, of one list or of all.
func (req *request) viewLinks(ctx context.Context, noun string, shown tracking.ID) (links []viewLink, err error) {
	list, err := req.t.Views().List(ctx)
	for _, v := range list {
		if of := viewedNouns[v.List]; noun == "" || of == noun {
			links = append(links, viewLink{Name: v.Name, Href: req.link("/views/" + v.ID.String()), Noun: of, Shared: v.Shared, Shown: v.ID == shown})
		}
	}
	return links, err
}

// addViews adds the views of a list, and the form that keeps it. f has what was refused.
func (p *listPage) addViews(ctx context.Context, req *request, given url.Values, view *tracking.View, f viewForm) (err error) {
	kept := viewParameters(given).Encode()
	f.CSRF, f.Noun, f.Parameters, f.HasUser = req.sessions.GetString(ctx, sessionCSRF), p.Noun, kept, req.actor.User != tracking.ID{}
	f.Offered = hasViews(p.Noun) && req.can(tracking.Create) && (kept != "" || f.Problem != "")
	shown := tracking.ID{}
	if view != nil {
		p.ViewID = view.ID.String()
		shown, f.Shown, f.Changed = view.ID, view.Name, kept != view.Parameters
		if req.can(tracking.Create) {
			f.Share = req.link("/views/" + view.ID.String() + "/share")
			if calendarColumns[p.Noun] != nil {
				f.Calendar = req.link("/views/" + view.ID.String() + "/" + calendarAction)
			}
		}
		if f.Problem == "" {
			f.Name, f.Alone = view.Name, !view.Shared
		}
		own := view.Owner == req.actor.User || req.can(tracking.Admin)
		if own && req.can(tracking.Update) {
			f.Action = req.link("/views/" + view.ID.String())
		}
		if own && req.can(tracking.Delete) {
			f.Delete = req.link("/views/" + view.ID.String() + "/delete")
		}
	}
	p.View = f
	p.Views, err = req.viewLinks(ctx, p.Noun, shown)
	return err
}

// showListOf shows a list by its noun, as the answer to a form that was refused.
func (req *request) showListOf(noun string, status int, given url.Values, f refusedForms) error {
	switch noun {
	case "shipments":
		return renderListOf(req, shipmentListing, status, given, f)
	case "containers":
		return renderListOf(req, containerListing, status, given, f)
	case "tracking-requests":
		return renderListOf(req, trackingRequestListing, status, given, f)
	case "exceptions":
		return renderListOf(req, exceptionListing, status, given, f)
	}
	return req.notFound()
}

func renderListOf[R record](req *request, of func(*request) (listing[R], error), status int, given url.Values, f refusedForms) error {
	l, err := of(req)
	if err != nil {
		return err
	}
	return renderList(req, l, status, given, f)
}

// sentParameters reads the parameters of the list that a form is about.
func (req *request) sentParameters() (url.Values, error) {
	v, err := url.ParseQuery(req.r.PostForm.Get("parameters"))
	if err != nil {
		return nil, &pageError{http.StatusBadRequest, req.texts.get("error.form")}
	}
	return viewParameters(v), nil
}

// keepView keeps a list under a name.
func keepView(req *request) error {
	form := req.r.PostForm
	given, err := req.sentParameters()
	if err != nil {
		return err
	}
	noun := form.Get("list")
	n := tracking.NewView{Name: form.Get("name"), Parameters: given.Encode(), Shared: form.Get("alone") == ""}
	for typ, of := range viewedNouns {
		if of == noun {
			n.List = typ
		}
	}
	if n.List == "" {
		return req.notFound()
	}
	v, err := req.t.Views().Create(req.r.Context(), n)
	if faults := faultsOf(err); len(faults) > 0 {
		return req.showListOf(noun, http.StatusUnprocessableEntity, given, refusedForms{view: viewForm{Name: n.Name, Alone: !n.Shared, Problem: sentence(faults[0])}})
	}
	if err != nil {
		return err
	}
	req.sessions.Put(req.r.Context(), sessionFlash, req.texts.get("view.kept", v.Name))
	return req.redirect(req.link("/views/" + v.ID.String()))
}

// openView leads to the list of a view. Days that are counted from today stay so.
func openView(req *request) error {
	v, err := req.t.Views().Get(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	given, err := url.ParseQuery(v.Parameters)
	if err != nil { // written by another program
		return &pageError{http.StatusBadRequest, req.texts.get("error.form")}
	}
	given = viewParameters(given)
	given.Set(paramView, v.ID.String())
	return req.redirect(req.link("/"+viewedNouns[v.List], given))
}

// changeView changes the name, the parameters and the audience of a view.
func changeView(req *request) error {
	ctx, form := req.r.Context(), req.r.PostForm
	v, err := req.t.Views().Get(ctx, req.pathID())
	if err != nil {
		return err
	}
	given, err := req.sentParameters()
	if err != nil {
		return err
	}
	u := tracking.ViewUpdate{Name: tracking.Set(form.Get("name")), Parameters: tracking.Set(given.Encode()), Shared: tracking.Set(form.Get("alone") == "")}
	_, err = req.t.Views().Update(ctx, v.ID, u)
	if faults := faultsOf(err); len(faults) > 0 {
		given.Set(paramView, v.ID.String())
		return req.showListOf(viewedNouns[v.List], http.StatusUnprocessableEntity, given, refusedForms{view: viewForm{Name: u.Name.Value, Alone: !u.Shared.Value, Problem: sentence(faults[0])}})
	}
	if err != nil {
		return err
	}
	req.sessions.Put(ctx, sessionFlash, req.texts.get("view.changed"))
	return req.redirect(req.link("/views/" + v.ID.String()))
}

func deleteView(req *request) error {
	ctx := req.r.Context()
	v, err := req.t.Views().Get(ctx, req.pathID())
	if err != nil {
		return err
	}
	if err := req.t.Views().Delete(ctx, v.ID); err != nil {
		return err
	}
	req.sessions.Put(ctx, sessionFlash, req.texts.get("view.deleted", v.Name))
	return req.redirect(req.link("/" + viewedNouns[v.List]))
}

// shownView is the view that a list is opened by; nil for none, or one that is no longer there.
func (req *request) shownView(ctx context.Context, noun string, given url.Values) (*tracking.View, error) {
	if !given.Has(paramView) {
		return nil, nil //nolint:nilnil // there is none
	}
	v, err := req.t.Views().Get(ctx, parseID(given.Get(paramView)))
	if errors.Is(err, tracking.ErrNotFound) || err == nil && viewedNouns[v.List] != noun {
		return nil, nil //nolint:nilnil // the list is its address, with or without a name
	}
	return v, err
}
