package tracking

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking/internal/table"
)

// View is a list that users keep under a name: which records, and by which parameters. The
// parameters belong to the program that shows the list, and are not read by the engine.
type View struct {
	Meta
	// Name as the user wrote it, unique among those that its owner, or all of the account, see.
	Name string `private:"name"`
	// List is the resource type of the records: shipment, container, tracking_request or
	// exception.
	List string `private:"list"`
	// Parameters of the list, as a URL has them after the question mark.
	Parameters string `private:"parameters"`
	// Shared views are seen by all of the account, others by their owner alone.
	Shared bool `private:"shared"`
	// Owner is the user who made the view; zero for a key of no user.
	Owner ID `private:"owner"`
	// CreatedAt and UpdatedAt, UTC.
	CreatedAt time.Time `private:"created_at"`
	UpdatedAt time.Time `private:"updated_at"`
}

const (
	// maxViews bounds the shared views of an account, and the own views of a user.
	maxViews = 100
	// maxViewName and maxViewParameters bound a view, in characters.
	maxViewName       = 80
	maxViewParameters = 8_000
)

var viewedLists = []string{"shipment", "container", "tracking_request", "exception"}

var views = newKind("view", []column[View]{table.TextColumn("scope", (*View).scope)}, nil, nil)

// scope is what the name of a view is unique in: the shared views, or those of its owner.
func (v *View) scope() string {
	if v.Shared {
		return "shared"
	}
	return v.Owner.String()
}

func viewsIn(scopes ...string) (w where[View]) {
	w.Text("scope", scopes, (*View).scope)
	return w
}

// Views has the operations on the views of an account: see [Tracker.Views].
type Views struct{ t *Tracker }

// Views returns the views of the account that the actor sees: Get, List, Create, Update and
// Delete are its operations.
func (t *Tracker) Views() Views { return Views{t} }

// sees reports whether the actor sees a view.
func (v Views) sees(view *View) bool {
	return view.Shared || view.Owner == v.t.actor.User && view.Owner != ID{}
}

// find returns a function that reads a view that the actor sees.
func (v Views) find(id ID) func(*transaction) (*View, error) {
	return func(tx *transaction) (*View, error) {
		view, err := views.Get(tx, id)
		if err == nil && !v.sees(view) {
			return nil, notFound()
		}
		return view, err
	}
}

// Get returns one view. Needs show. Errors: NotFound, also for a view of another user alone.
func (v Views) Get(ctx context.Context, id ID) (*View, error) {
	if err := v.t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, v.t.engine, v.t.actor.Account, v.find(id))
}

// List returns the shared views and the actor's own, by name. Needs show.
func (v Views) List(ctx context.Context) ([]*View, error) {
	if err := v.t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, v.t.engine, v.t.actor.Account, func(tx *transaction) ([]*View, error) {
		scopes := []string{"shared"}
		if v.t.actor.User != (ID{}) {
			scopes = append(scopes, v.t.actor.User.String())
		}
		list, err := views.All(tx, viewsIn(scopes...))
		slices.SortStableFunc(list, func(a, b *View) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
		return list, err
	})
}

// NewView has the arguments of Create.
type NewView struct {
	// Name has at most 80 characters. It is unique among the shared views, or among those of
	// the user, without regard to case.
	Name       string
	List       string // as View.List
	Parameters string // at most 8,000 characters; empty for none
	Shared     bool
}

// Create keeps a view. Keeping the same view a second time returns the first. Needs create.
// Errors: Invalid on name (blank, too_long, invalid, taken), list (inclusion), parameters and
// shared (blank: only a user has own views); Invalid with the code too_many beyond 100 shared
// views, or 100 of the user.
func (v Views) Create(ctx context.Context, n NewView) (*View, error) {
	if err := v.t.allow(Create); err != nil {
		return nil, err
	}
	var made *View
	err := v.t.change(ctx, "view.create", v.t.actor.Account, func(tx *transaction) error {
		made = &View{Name: strings.TrimSpace(n.Name), List: n.List, Parameters: n.Parameters, Shared: n.Shared, Owner: v.t.actor.User, CreatedAt: tx.Now, UpdatedAt: tx.Now}
		same, err := v.check(tx, made)
		if err != nil || same != nil {
			made = same
			return err
		}
		return views.Put(tx, made)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// check checks a view that is to be written. same is the view of its name, if that is equal.
func (v Views) check(tx *transaction, view *View) (same *View, err error) {
	var faults Errors
	if err := (*Error)(nil); errors.As(checkText("name", view.Name, maxViewName), &err) {
		faults = append(faults, err)
	}
	if !slices.Contains(viewedLists, view.List) {
		faults = append(faults, invalid("list", "inclusion", "List must be one of %s", strings.Join(viewedLists, ", ")))
	}
	if utf8.RuneCountInString(view.Parameters) > maxViewParameters || !printable(view.Parameters) {
		faults = append(faults, invalid("parameters", "invalid", "Parameters must be at most %d characters without control characters", maxViewParameters))
	}
	if !view.Shared && view.Owner == (ID{}) {
		faults = append(faults, invalid("shared", "blank", "only a user can keep a view alone: sign in as a user, or share it"))
	}
	if err := faults.or(); err != nil {
		return nil, err
	}
	list, err := views.All(tx, viewsIn(view.scope()))
	if err != nil {
		return nil, err
	}
	for _, other := range list {
		switch {
		case other.ID == view.ID || !strings.EqualFold(other.Name, view.Name):
		case view.ID == ID{} && other.Name == view.Name && other.List == view.List && other.Parameters == view.Parameters && other.Owner == view.Owner:
			return other, nil
		default:
			return nil, invalid("name", "taken", "there is a view '%s' already: choose another name", other.Name)
		}
	}
	isNew := !slices.ContainsFunc(list, func(other *View) bool { return other.ID == view.ID })
	if isNew && len(list) >= maxViews {
		return nil, invalid("", "too_many", "there are %d such views, which is the most: delete one first", maxViews)
	}
	return nil, nil //nolint:nilnil // there is none
}

// ViewUpdate has what users may change. Fields that are not set stay.
type ViewUpdate struct {
	Name       Opt[string]
	Parameters Opt[string]
	Shared     Opt[bool]
	// IfVersion is the version that the view must have, else the change is refused with
	// Stale; 0 means any.
	IfVersion int64
}

// Update changes a view of the actor; that of another user only with admin. Needs update.
// Errors: as Create, and NotFound, Stale, Forbidden.
func (v Views) Update(ctx context.Context, id ID, u ViewUpdate) (*View, error) {
	if err := v.t.allow(Update); err != nil {
		return nil, err
	}
	return updateFound(ctx, v.t, "view.update", u.IfVersion, v.find(id), func(tx *transaction, view *View) error {
		if err := v.own(view); err != nil {
			return err
		}
		before := *view
		setIfGiven(&view.Name, u.Name)
		view.Name = strings.TrimSpace(view.Name)
		setIfGiven(&view.Parameters, u.Parameters)
		setIfGiven(&view.Shared, u.Shared)
		if before.Shared && !view.Shared && view.Owner != v.t.actor.User {
			return invalid("shared", "inclusion", "only the user who made the view can keep it alone")
		}
		if _, err := v.check(tx, view); err != nil || *view == before {
			return err
		}
		view.UpdatedAt = tx.Now
		return views.Put(tx, view)
	})
}

// own refuses a view of another user, but not to administrators.
func (v Views) own(view *View) error {
	if view.Owner == v.t.actor.User || v.t.actor.Can(Admin) {
		return nil
	}
	return &Error{Kind: Forbidden, Code: "forbidden", Detail: "this view is of another user: only that user or an administrator may change it"}
}

// Delete deletes a view of the actor; that of another user only with admin. Needs delete.
// Errors: NotFound; Forbidden.
func (v Views) Delete(ctx context.Context, id ID) error {
	if err := v.t.allow(Delete); err != nil {
		return err
	}
	return v.t.change(ctx, "view.delete", v.t.actor.Account, func(tx *transaction) error {
		view, err := v.find(id)(tx)
		if err == nil {
			err = v.own(view)
		}
		if err != nil {
			return err
		}
		return views.Delete(tx, id)
	})
}

// deleteViewsOf deletes the views that a user alone sees.
func deleteViewsOf(tx *transaction, user ID) error {
	list, err := views.All(tx, viewsIn(user.String()))
	for _, view := range list {
		if err == nil {
			err = views.Delete(tx, view.ID)
		}
	}
	return err
}

// exportedView is a view as a resource object. The interface does not show views.
type exportedView struct {
	ID            ID     `json:"id"`
	Type          string `json:"type"`
	Relationships struct {
		Owner struct {
			Data *exportedOwner `json:"data"` // null for a key of no user
		} `json:"owner"`
	} `json:"relationships"`
	Attributes struct {
		Name       string    `json:"name"`
		List       string    `json:"list"`
		Parameters string    `json:"parameters"`
		Shared     bool      `json:"shared"`
		CreatedAt  time.Time `json:"created_at"`
		UpdatedAt  time.Time `json:"updated_at"`
	} `json:"attributes"`
}

type exportedOwner struct {
	Type string `json:"type"`
	ID   ID     `json:"id"`
}

// exportViews gives all views of an account to an export, also those of one user alone.
func exportViews(tx *transaction, to AccountExport) error {
	if to.Resource == nil {
		return nil
	}
	return eachOf(tx, views, func(view *View) error {
		out := exportedView{ID: view.ID, Type: views.Kind.Name}
		if view.Owner != (ID{}) {
			out.Relationships.Owner.Data = &exportedOwner{users.Kind.Name, view.Owner}
		}
		a := &out.Attributes
		a.Name, a.List, a.Parameters, a.Shared, a.CreatedAt, a.UpdatedAt = view.Name, view.List, view.Parameters, view.Shared, view.CreatedAt, view.UpdatedAt
		doc, err := json.Marshal(out)
		if err != nil {
			return err
		}
		return to.Resource(out.Type, doc)
	})
}
