package dashboard

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
)

const keysPath, newKeyPath = "/settings/keys", "/settings/new-key"

func keyRoutes() []route {
	return []route{
		{pattern: "GET " + keysPath, permission: tracking.Admin, serve: listKeys},
		{pattern: "GET " + newKeyPath, permission: tracking.Admin, serve: newKey},
		{pattern: "POST " + keysPath, permission: tracking.Admin, serve: createKey},
		{pattern: "GET " + keysPath + "/{id}/revoke", permission: tracking.Admin, serve: askToRevokeKey},
		{pattern: "POST " + keysPath + "/{id}/revoke", permission: tracking.Admin, serve: revokeKey},
	}
}

// keyRow is an API key in a list.
type keyRow struct {
	*tracking.APIKey
	owner *tracking.User // nil without one
}

func (r keyRow) recordID() tracking.ID { return r.ID }

func (req *request) keyEnded(k *tracking.APIKey) bool {
	return !k.RevokedAt.IsZero() || !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(req.now)
}

func keyColumns(req *request) []column[keyRow] {
	c := req.texts
	return []column[keyRow]{
		{name: "key", cell: func(r keyRow) cell { return text(r.Hint + "…") }},
		{name: "permissions", cell: func(r keyRow) cell { return c.permissions(r.Permissions) }},
		{name: "owner", cell: func(r keyRow) cell {
			if r.owner == nil {
				return cell{}
			}
			return linked(userName(r.owner), req.link(userPath(r.owner.ID)))
		}},
		{name: "created_at", cell: func(r keyRow) cell { return c.moment(r.CreatedAt, "") }},
		{name: "last_used_at", cell: func(r keyRow) cell { return c.moment(r.LastUsedAt, "") }},
		{name: "expires_at", cell: func(r keyRow) cell { return c.moment(r.ExpiresAt, "") }},
		{name: "state", cell: func(r keyRow) cell {
			switch {
			case !r.RevokedAt.IsZero():
				return cell{Text: c.get("key.revoked"), Tone: "bad", Note: c.moment(r.RevokedAt, "").Text}
			case req.keyEnded(r.APIKey):
				return cell{Text: c.get("key.expired"), Tone: "bad"}
			}
			return cell{Text: c.get("key.active"), Tone: "good"}
		}},
		{name: "revoke", cell: func(r keyRow) cell {
			if req.keyEnded(r.APIKey) {
				return cell{}
			}
			return linked(c.get("key.revoke.link"), req.link(keysPath+"/"+r.ID.String()+"/revoke"))
		}},
	}
}

// usersByID are all users of the account.
func (req *request) usersByID(ctx context.Context) (map[tracking.ID]*tracking.User, error) {
	list, _, err := req.t.Users().List(ctx, tracking.Page{})
	by := make(map[tracking.ID]*tracking.User, len(list))
	for _, u := range list {
		by[u.ID] = u
	}
	return by, err
}

func listKeys(req *request) error {
	ctx := req.r.Context()
	keys, err := req.t.Keys(ctx, req.actor.Account)
	if err != nil {
		return err
	}
	owners, err := req.usersByID(ctx)
	if err != nil {
		return err
	}
	rows := make([]keyRow, len(keys))
	for i, k := range keys {
		rows[i] = keyRow{k, owners[k.User]}
	}
	c := req.texts
	return req.render(http.StatusOK, "settings-list", c.get("settings.keys"), settingsList{
		Crumbs: req.settingsCrumbs(), Table: fill(req, keyColumns(req), rows), None: c.get("keys.none"), Lead: c.get("settings.keys.lead"),
		New: req.link(newKeyPath), NewAs: c.get("key.new"),
	})
}

func (req *request) keyCrumbs() []crumb {
	return req.settingsCrumbs(keysPath, req.texts.get("settings.keys"))
}

func (req *request) keyForm() form {
	c := req.texts
	return req.newForm(keysPath, "key.create", req.link(keysPath), c.permissionsInput([]tracking.Permission{tracking.Show}),
		input{Name: "expires_at", Label: c.get("key.expires"), Kind: inputDate, Hint: c.get("key.expires.hint")})
}

func newKey(req *request) error {
	return req.renderForm(req.texts.get("key.new"), formPage{Crumbs: req.keyCrumbs(), Lead: req.texts.get("key.new.lead"), Form: req.keyForm()})
}

// createKey makes a key of the signed-in user and shows its secret, once.
func createKey(req *request) error {
	c, sent := req.texts, req.r.PostForm
	n := tracking.NewKey{Account: req.actor.Account, User: req.actor.User, Permissions: req.sentPermissions()}
	err := req.needsPermission(n.Permissions)
	if day := sent.Get("expires_at"); day != "" && err == nil {
		at, wrong := time.Parse(time.DateOnly, day)
		if wrong != nil {
			err = &tracking.Error{Kind: tracking.Invalid, Field: "expires_at", Detail: c.get("error.date", clip(day))}
		}
		n.ExpiresAt = at.AddDate(0, 0, 1)
	}
	if err == nil {
		err = req.showOnce(keysPath, func() (shownOnce, error) {
			secret, _, err := req.t.CreateKey(req.r.Context(), n)
			return shownOnce{c.get("key.created"), oncePage{Crumbs: req.keyCrumbs(), Lead: c.get("key.created.lead"), Value: secret, Back: req.link(keysPath)}}, err
		})
	}
	if len(faultsOf(err)) > 0 {
		f := req.keyForm()
		f.Once = newToken()
		f.fill(sent)
		if err := req.refuse(&f, err); err != nil {
			return err
		}
		return req.renderForm(c.get("key.new"), formPage{Crumbs: req.keyCrumbs(), Form: f})
	}
	return err
}

// ownKey returns the key in the path, if the account has it.
func (req *request) ownKey() (*tracking.APIKey, error) {
	keys, err := req.t.Keys(req.r.Context(), req.actor.Account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(keys, func(k *tracking.APIKey) bool { return k.ID == req.pathID() })
	if i < 0 {
		return nil, req.notFound()
	}
	return keys[i], nil
}

func askToRevokeKey(req *request) error {
	k, err := req.ownKey()
	if err != nil {
		return err
	}
	return req.question("key.revoke", keysPath+"/"+k.ID.String()+"/revoke", keysPath, req.keyCrumbs(), k.Hint)
}

func revokeKey(req *request) error {
	if err := req.t.RevokeKey(req.r.Context(), req.pathID()); err != nil {
		return err
	}
	return req.done(keysPath, "key.revoked.done")
}
