package tracking_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestViews: shared views are seen by all of the account, others by their owner alone.
func TestViews(t *testing.T) {
	b := trackingtest.New(t)
	user := func(name string, permissions ...tracking.Permission) (*tracking.User, tracking.Views) {
		u := newUser(t, b.Tracker, tracking.NewUser{Name: name, Email: name + "@example.com", Permissions: permissions})
		return u, b.Operator.For(tracking.Actor{Account: b.Account.Scope(), User: u.ID, Permissions: permissions}).Views()
	}
	clerk := []tracking.Permission{tracking.Show, tracking.Create, tracking.Update, tracking.Delete}
	annUser, ann := user("ann", clerk...)
	_, ben := user("ben", clerk...)
	_, dora := user("dora", tracking.Show)
	_, root := user("root", tracking.Admin)
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	stranger := b.Operator.For(tracking.Actor{Account: other.Scope(), User: annUser.ID}).Views()
	week := tracking.NewView{Name: " Müller this week ", List: "shipment", Parameters: "pod_eta_at=this_week", Shared: true}
	shared := must(ann.Create(ctx, week))(t)
	if again := must(ann.Create(ctx, week))(t); again.ID != shared.ID || shared.Name != "Müller this week" || shared.Owner != annUser.ID {
		t.Errorf("kept twice: %+v and %+v", shared, again)
	}
	own := must(ann.Create(ctx, tracking.NewView{Name: "mine", List: "container"}))(t)
	names := func(v tracking.Views) string {
		t.Helper()
		var list []string
		for _, view := range must(v.List(ctx))(t) {
			list = append(list, view.Name)
		}
		return strings.Join(list, ", ")
	}
	for who, row := range map[string]struct {
		views tracking.Views
		want  string
	}{"ann": {ann, "mine, Müller this week"}, "ben": {ben, "Müller this week"}, "dora": {dora, "Müller this week"}, "other": {stranger, ""}} {
		if got := names(row.views); got != row.want {
			t.Errorf("%s sees %q", who, got)
		}
		if who == "ann" {
			continue
		}
		if _, err := row.views.Get(ctx, own.ID); !errors.Is(err, tracking.ErrNotFound) && who != "dora" {
			t.Errorf("%s: a view of Ann's own: %v", who, err)
		}
	}
	rename := tracking.ViewUpdate{Name: tracking.Set("x")}
	for name, err := range map[string]error{
		"forbidden":          second(ben.Update(ctx, shared.ID, rename)),
		"name taken":         second(ben.Create(ctx, tracking.NewView{Name: "müller THIS week", List: "shipment", Shared: true})),
		"name blank":         second(ben.Create(ctx, tracking.NewView{List: "shipment"})),
		"name too_long":      second(ben.Create(ctx, tracking.NewView{Name: strings.Repeat("x", 81), List: "shipment"})),
		"list inclusion":     second(ben.Create(ctx, tracking.NewView{Name: "x", List: "users"})),
		"parameters invalid": second(ben.Create(ctx, tracking.NewView{Name: "x", List: "shipment", Parameters: "a\n"})),
		"shared inclusion":   second(root.Update(ctx, shared.ID, tracking.ViewUpdate{Shared: tracking.Set(false)})),
		"shared blank":       second(b.Views().Create(ctx, tracking.NewView{Name: "x", List: "shipment"})),
	} {
		if errorsOf(err) != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, err := range []error{second(dora.Create(ctx, week)), second(dora.Update(ctx, shared.ID, rename)), dora.Delete(ctx, shared.ID), ben.Delete(ctx, shared.ID)} {
		if errorsOf(err) != "forbidden" {
			t.Errorf("without the permission: %v", err)
		}
	}
	for _, err := range []error{ben.Delete(ctx, own.ID), stranger.Delete(ctx, shared.ID), second(ben.Update(ctx, own.ID, rename))} {
		if !errors.Is(err, tracking.ErrNotFound) {
			t.Errorf("a view that is not seen: %v", err)
		}
	}
	if _, err := ann.Update(ctx, shared.ID, tracking.ViewUpdate{Parameters: tracking.Set("tags=x"), IfVersion: shared.Version + 1}); !errors.Is(err, tracking.ErrStale) {
		t.Errorf("of another version: %v", err)
	}
	if v, err := root.Update(ctx, shared.ID, tracking.ViewUpdate{Parameters: tracking.Set("tags=x")}); err != nil || v.Parameters != "tags=x" || v.Name != shared.Name {
		t.Errorf("%+v, error %v", v, err)
	}
	for n := range 100 {
		if _, err := ben.Create(ctx, tracking.NewView{Name: strconv.Itoa(n), List: "exception"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := second(ben.Create(ctx, tracking.NewView{Name: "one more", List: "exception"})); errorsOf(err) != "too_many" {
		t.Errorf("more than 100: %v", err)
	}
	if err := b.Users().Delete(ctx, annUser.ID); err != nil {
		t.Fatal(err)
	}
	if got := names(ann); got != "Müller this week" {
		t.Errorf("after Ann was deleted there are %q", got)
	}
	if err := root.Delete(ctx, shared.ID); err != nil {
		t.Error(err)
	}
}
