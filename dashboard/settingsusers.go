package dashboard

import (
	"html/template"
	"net/http"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
)

const usersPath, newUserPath, passwordPath = "/settings/users", "/settings/new-user", "/settings/password"

func userRoutes() []route {
	one := usersPath + "/{id}"
	return []route{
		{pattern: "GET " + usersPath, permission: tracking.Admin, serve: listUsers},
		{pattern: "GET " + newUserPath, permission: tracking.Admin, serve: newUser},
		{pattern: "POST " + usersPath, permission: tracking.Admin, serve: inviteUser},
		{pattern: "GET " + one, permission: tracking.Admin, serve: showUser},
		{pattern: "POST " + one, permission: tracking.Admin, serve: updateUser},
		{pattern: "POST " + one + "/link", permission: tracking.Admin, serve: newLink},
		{pattern: "GET " + one + "/delete", permission: tracking.Admin, serve: askToDeleteUser},
		{pattern: "POST " + one + "/delete", permission: tracking.Admin, serve: deleteUser},
		{pattern: "GET " + passwordPath, serve: showPassword},
		{pattern: "POST " + passwordPath, serve: changePassword},
	}
}

func userPath(id tracking.ID) string { return usersPath + "/" + id.String() }

// userRow is a user in a list.
type userRow struct{ *tracking.User }

func (r userRow) recordID() tracking.ID { return r.ID }

// userName is what a user is called; the ID of one without a name and an address.
func userName(u *tracking.User) string {
	for _, s := range []string{u.Name, u.Email} {
		if s != "" {
			return s
		}
	}
	return u.ID.String()
}

func userColumns(req *request) []column[userRow] {
	c := req.texts
	return []column[userRow]{
		{name: "name", cell: func(r userRow) cell { return linked(userName(r.User), req.link(userPath(r.ID))) }},
		{name: "email", cell: func(r userRow) cell { return text(r.Email) }},
		{name: "permissions", cell: func(r userRow) cell { return c.permissions(r.Permissions) }},
		{name: "state", cell: func(r userRow) cell { return c.userState(r.User, req.now) }},
		{name: "signed_in_at", cell: func(r userRow) cell { return c.moment(r.SignedInAt, "") }},
	}
}

func (c catalog) permissions(list []tracking.Permission) cell {
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = c.word("permission", string(p))
	}
	return joined(words)
}

// userState is whether a user can sign in.
func (c catalog) userState(u *tracking.User, now time.Time) cell {
	switch {
	case !u.DisabledAt.IsZero():
		return cell{Text: c.get("user.disabled"), Tone: "bad"}
	case u.LinkExpiresAt.After(now):
		return cell{Text: c.get("user.invited"), Tone: "info", Note: c.get("user.link.until", c.moment(u.LinkExpiresAt, "").Text)}
	case len(u.Permissions) == 0:
		return cell{Text: c.get("user.owner"), Tone: "info"}
	case u.PasswordSetAt.IsZero():
		return cell{Text: c.get("user.no_password"), Tone: "warn"}
	}
	return cell{Text: c.get("user.active"), Tone: "good"}
}

func listUsers(req *request) error {
	list, _, err := req.t.Users().List(req.r.Context(), tracking.Page{})
	if err != nil {
		return err
	}
	rows := make([]userRow, len(list))
	for i, u := range list {
		rows[i] = userRow{u}
	}
	c := req.texts
	return req.render(http.StatusOK, "settings-list", c.get("settings.users"), settingsList{
		Crumbs: req.settingsCrumbs(), Table: fill(req, userColumns(req), rows), None: c.get("users.none"), Lead: c.get("settings.users.lead"),
		New: req.link(newUserPath), NewAs: c.get("user.new"),
	})
}

func (req *request) userCrumbs(pairs ...string) []crumb {
	return req.settingsCrumbs(append([]string{usersPath, req.texts.get("settings.users")}, pairs...)...)
}

// permissionsInput is the input of permissions.
func (c catalog) permissionsInput(has []tracking.Permission) input {
	in := input{Name: "permissions", Label: c.get("column.permissions"), Kind: inputChoices, Hint: c.get("permissions.hint")}
	for _, p := range tracking.Describe().Permissions {
		in.Options = append(in.Options, option{string(p), c.word("permission", string(p)), slices.Contains(has, p)})
	}
	return in
}

// sentPermissions are those that a form has; never nil.
func (req *request) sentPermissions() []tracking.Permission {
	list := []tracking.Permission{}
	for _, s := range req.r.PostForm["permissions"] {
		list = append(list, tracking.Permission(s))
	}
	return list
}

func (req *request) inviteForm() form {
	c := req.texts
	return req.newForm(usersPath, "user.invite", req.link(usersPath),
		input{Name: "name", Label: c.get("column.name"), Kind: inputText},
		input{Name: "email", Label: c.get("column.email"), Kind: inputEmail, Required: true, Hint: c.get("user.email.hint")},
		c.permissionsInput([]tracking.Permission{tracking.Show}))
}

func newUser(req *request) error {
	return req.renderForm(req.texts.get("user.new"), formPage{Crumbs: req.userCrumbs(), Lead: req.texts.get("user.new.lead"), Form: req.inviteForm()})
}

// inviteUser makes a user and shows the link of the invitation, once.
func inviteUser(req *request) error {
	sent := req.r.PostForm
	permissions := req.sentPermissions()
	err := req.needsPermission(permissions)
	if err == nil {
		err = req.showOnce(usersPath, func() (shownOnce, error) {
			user, err := req.t.Users().Create(req.r.Context(), tracking.NewUser{Name: sent.Get("name"), Email: sent.Get("email"), Permissions: permissions})
			if err != nil {
				return shownOnce{}, err
			}
			return req.linkOf(user)
		})
	}
	if len(faultsOf(err)) > 0 {
		f := req.inviteForm()
		f.Once = newToken()
		f.fill(sent)
		if err := req.refuse(&f, err); err != nil {
			return err
		}
		return req.renderForm(req.texts.get("user.new"), formPage{Crumbs: req.userCrumbs(), Form: f})
	}
	return err
}

// needsPermission refuses a user or a key that may do nothing.
func (req *request) needsPermission(list []tracking.Permission) error {
	if len(list) > 0 {
		return nil
	}
	return &tracking.Error{Kind: tracking.Invalid, Field: "permissions", Code: "blank", Detail: req.texts.get("permissions.blank")}
}

// linkOf makes a one-time link of a user.
func (req *request) linkOf(u *tracking.User) (shownOnce, error) {
	token, until, err := req.t.Users().NewLink(req.r.Context(), u.ID)
	if err != nil {
		return shownOnce{}, err
	}
	c := req.texts
	return shownOnce{c.get("user.link.title", userName(u)), oncePage{
		Crumbs: req.userCrumbs(userPath(u.ID), userName(u)), Lead: c.get("user.link.lead"), Value: req.absolute("/sign-in/link") + "?token=" + token,
		Note: c.get("user.link.until", c.moment(until, "").Text), Back: req.link(userPath(u.ID)),
	}}, nil
}

// oncePage shows something that cannot be shown again.
type oncePage struct {
	Crumbs            []crumb
	Lead, Value, Note string
	Back              string
	// Open is the value as an address that another program opens, with its label; empty for none.
	Open      template.URL
	OpenLabel string
}

// absolute is the address of a page for somebody else.
func (req *request) absolute(path string) string {
	return req.Origin(req.r) + req.link(path)
}

func newLink(req *request) error {
	u, err := req.t.Users().Get(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	return req.showOnce(userPath(u.ID), func() (shownOnce, error) { return req.linkOf(u) })
}

// userPage is a user with the form of what can be changed.
type userPage struct {
	Crumbs     []crumb
	State      cell
	Attributes []attribute
	Form       form
	Link       form
	Delete     string
	Audit      string
}

func (req *request) userForm(u *tracking.User) form {
	c := req.texts
	f := req.newForm(userPath(u.ID), "form.save", "",
		input{Name: "name", Label: c.get("column.name"), Kind: inputText, Value: u.Name}, c.permissionsInput(u.Permissions),
		input{Name: "disabled", Label: c.get("user.disable"), Kind: inputCheck, Checked: !u.DisabledAt.IsZero(), Hint: c.get("user.disable.hint")})
	f.Version = u.Version
	return f
}

func showUser(req *request) error { return req.renderUser(nil) }

// renderUser shows a user; refused is why a change was refused.
func (req *request) renderUser(refused error) error {
	u, err := req.t.Users().Get(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	c, status := req.texts, http.StatusOK
	p := userPage{
		Crumbs: req.userCrumbs(), State: c.userState(u, req.now), Form: req.userForm(u), Delete: req.link(userPath(u.ID) + "/delete"),
		Link:  req.newForm(userPath(u.ID)+"/link", "user.link.new", ""),
		Audit: req.link(auditPath, map[string][]string{"user": {u.ID.String()}}),
		Attributes: present([]attribute{
			{"email", text(u.Email)}, {"created_at", c.moment(u.CreatedAt, "")}, {"signed_in_at", c.moment(u.SignedInAt, "")},
			{"password_set_at", c.moment(u.PasswordSetAt, "")}, {"disabled_at", c.moment(u.DisabledAt, "")},
		}),
	}
	if refused != nil {
		status = http.StatusUnprocessableEntity
		p.Form.fill(req.r.PostForm)
		if err := req.refuse(&p.Form, refused); err != nil {
			return err
		}
	}
	return req.render(status, "user", userName(u), p)
}

func updateUser(req *request) error {
	sent := req.r.PostForm
	u, err := req.t.Users().Update(req.r.Context(), req.pathID(), tracking.UserUpdate{
		Name: tracking.Set(sent.Get("name")), Permissions: tracking.Set(req.sentPermissions()), Disabled: tracking.Set(sent.Has("disabled")), IfVersion: req.version(),
	})
	if err != nil {
		return req.renderUser(err)
	}
	return req.done(userPath(u.ID), "user.saved")
}

func askToDeleteUser(req *request) error {
	u, err := req.t.Users().Get(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	return req.question("user.delete", userPath(u.ID)+"/delete", userPath(u.ID), req.userCrumbs(userPath(u.ID), userName(u)), userName(u))
}

func deleteUser(req *request) error {
	err := req.t.Users().Delete(req.r.Context(), req.pathID())
	switch {
	case len(faultsOf(err)) > 0: // the last administrator
		return req.renderUser(err)
	case err != nil:
		return err
	}
	return req.done(usersPath, "user.deleted")
}

func (req *request) passwordForm() form {
	c := req.texts
	return req.newForm(passwordPath, "password.change", req.link("/settings"),
		input{Name: "current_password", Label: c.get("password.current"), Kind: inputPassword, Required: true, Autocomplete: "current-password"},
		input{Name: "password", Label: c.get("password.new"), Kind: inputPassword, Required: true, Autocomplete: "new-password", Hint: c.get("password.hint")},
		input{Name: "repeated", Label: c.get("link.repeated"), Kind: inputPassword, Required: true, Autocomplete: "new-password"})
}

// isUser reports whether a user has signed in, and not a key.
func (req *request) isUser() bool {
	return req.sessions.GetString(req.r.Context(), sessionUser) != ""
}

func showPassword(req *request) error {
	c := req.texts
	if !req.isUser() {
		return req.render(http.StatusOK, "settings-list", c.get("settings.password"), settingsList{Crumbs: req.settingsCrumbs(), None: c.get("password.none")})
	}
	return req.renderForm(c.get("settings.password"), formPage{Crumbs: req.settingsCrumbs(), Lead: c.get("settings.password.lead"), Form: req.passwordForm()})
}

// changePassword replaces the password of the signed-in user, whose other sessions end.
func changePassword(req *request) error {
	ctx, sent := req.r.Context(), req.r.PostForm
	if !req.isUser() {
		return &pageError{http.StatusForbidden, req.texts.get("password.none")}
	}
	err := error(&tracking.Error{Kind: tracking.Invalid, Field: "repeated", Detail: req.texts.get("link.differ")})
	var s tracking.SignIn
	if sent.Get("password") == sent.Get("repeated") {
		s, err = req.t.Users().ChangePassword(ctx, sent.Get("current_password"), sent.Get("password"))
	}
	if err != nil {
		f := req.passwordForm()
		if err := req.refuse(&f, err); err != nil {
			return err
		}
		return req.renderForm(req.texts.get("settings.password"), formPage{Crumbs: req.settingsCrumbs(), Form: f})
	}
	if err := req.sessions.RenewToken(ctx); err != nil {
		return err
	}
	req.sessions.Put(ctx, sessionUser, formOf(s))
	return req.done("/settings", "password.changed")
}
