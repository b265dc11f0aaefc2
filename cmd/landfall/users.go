package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/password"
)

// defaultPublicURL is that of a server with its defaults.
const defaultPublicURL = "http://127.0.0.1:8080"

var usersCreate = command{
	name:  "users create",
	about: "add a person to an account and print the ID",
	details: `
With --link, also prints a link by which the person chooses a password and signs in
to the dashboard. It works once, for 24 hours. With --password, the first line of
standard input is the password. The permissions are show, update, create, delete and
admin, which includes the others; by default all of them.

Without --link and --password the person cannot sign in, and can only be the owner of
API keys (keys create --user), who is shown as the one who made a request or stopped
a shipment. The account is created if it does not exist.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		email := f.need("email", "`EMAIL` address, unique in the database")
		name := f.String("name", "", "`NAME` of the person")
		permissions := f.String("permissions", "", "`LIST` of permissions: show,update")
		withLink := f.Bool("link", false, "print a one-time link")
		withPassword := f.Bool("password", false, "read the password from standard input")
		public := f.dashboardURL()
		return func(ctx context.Context, p *program, _ []string) error {
			if name, host, _ := strings.Cut(*email, "@"); name == "" || host == "" {
				return usageErrorf("--email: %q is not an address such as kim@example.com", *email)
			}
			n := tracking.NewUser{Name: *name, Email: *email}
			var err error
			if n.Permissions, err = parsePermissions(*permissions); err != nil {
				return err
			}
			if n.Permissions == nil && (*withLink || *withPassword) {
				n.Permissions = tracking.Describe().Permissions
			}
			if *withPassword {
				if n.Password, err = p.readPassword(); err != nil {
					return err
				}
			}
			return p.onUsers(*db, func(tr *tracking.Tracker) error {
				a, _, err := tr.EnsureAccount(ctx, *account)
				if err != nil {
					return err
				}
				user, err := usersOf(tr, a).Create(ctx, n)
				if err != nil {
					return err
				}
				fmt.Fprintln(p.stdout, user.ID)
				if !*withLink {
					return nil
				}
				return printLink(ctx, p.stdout, usersOf(tr, a), user.ID, public.String())
			})
		}
	},
}

// dashboardURL declares --public-url, which the file of --config may have for the server.
func (f *flags) dashboardURL() *publicURL {
	public := publicURL(defaultPublicURL)
	f.Var(&public, "public-url", "`URL` under which browsers reach the server, for the link")
	return &public
}

// usersOf returns the users of an account, for the operator.
func usersOf(tr *tracking.Tracker, a *tracking.Account) tracking.Users {
	return tr.For(tracking.Actor{Account: a.Scope()}).Users()
}

// onUsers is onDatabase with passwords.
func (p *program) onUsers(db string, fn func(*tracking.Tracker) error) error {
	passwords, err := password.New(password.Config{})
	if err != nil {
		return err
	}
	return p.onStore(db, tracking.Config{Passwords: passwords}, fn)
}

// linkURL is the address of a one-time link. The token is in the query, which is in no
// access log.
func linkURL(public, token string) string {
	return public + "/sign-in/link?token=" + url.QueryEscape(token)
}

func printLink(ctx context.Context, w io.Writer, users tracking.Users, id tracking.ID, public string) error {
	token, ends, err := users.NewLink(ctx, id)
	if err == nil {
		fmt.Fprintf(w, "%s\nworks once, until %s\n", linkURL(public, token), formatTime(ends))
	}
	return err
}

// readPassword reads the first line of standard input. A terminal would show it.
func (p *program) readPassword() (string, error) {
	if f, is := p.stdin.(*os.File); is {
		if info, err := f.Stat(); err == nil && info.Mode()&fs.ModeCharDevice != 0 {
			return "", errors.New("the password is read from standard input, and a terminal would show it: use a pipe or a file, or landfall users link")
		}
	}
	line, err := bufio.NewReader(io.LimitReader(p.stdin, 4<<10)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// userCommand is a command about one user of an account.
func userCommand(name, about, details string, run func(ctx context.Context, p *program, users tracking.Users, user *tracking.User) error) command {
	return command{
		name: name, operands: "USER", about: about,
		details: details + "\nUSER is an e-mail address, or an ID of users list.",
		declare: func(f *flags) action {
			db, account := f.database(), f.account()
			return func(ctx context.Context, p *program, operands []string) error {
				return p.onUser(ctx, *db, *account, operands[0], func(users tracking.Users, user *tracking.User) error { return run(ctx, p, users, user) })
			}
		},
	}
}

// onUser runs fn with a user of an existing database.
func (p *program) onUser(ctx context.Context, db, account, named string, fn func(tracking.Users, *tracking.User) error) error {
	if err := mustExist(db); err != nil {
		return err
	}
	return p.onUsers(db, func(tr *tracking.Tracker) error {
		a, err := tr.Account(ctx, account)
		if err != nil {
			return err
		}
		users := usersOf(tr, a)
		user, err := userNamed(ctx, users, named)
		if err != nil {
			return notFoundAs(err, "there is no user %q in account %q: landfall users list shows them", named, account)
		}
		return fn(users, user)
	})
}

func userNamed(ctx context.Context, users tracking.Users, named string) (*tracking.User, error) {
	if id, err := uuid.Parse(named); err == nil {
		return users.Get(ctx, id)
	}
	return users.ByEmail(ctx, named)
}

var usersList = command{
	name:  "users list",
	about: "list the users of an account",
	details: `
SIGN-IN is how the user signs in: with a password, with a one-time link until it
ends, or not at all.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		return func(ctx context.Context, p *program, _ []string) error {
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				a, err := tr.Account(ctx, *account)
				if err != nil {
					return err
				}
				list, _, err := usersOf(tr, a).List(ctx, tracking.Page{})
				if err != nil {
					return err
				}
				table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "ID\tEMAIL\tNAME\tPERMISSIONS\tSIGN-IN\tCREATED\tLAST SIGN-IN\tDISABLED")
				for _, u := range list {
					fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", u.ID, cmp.Or(u.Email, "-"), cmp.Or(u.Name, "-"), cmp.Or(joinPermissions(u.Permissions), "-"),
						signInOf(u), formatTime(u.CreatedAt), formatTime(u.SignedInAt), formatTime(u.DisabledAt))
				}
				return table.Flush()
			})
		}
	},
}

func signInOf(u *tracking.User) string {
	switch {
	case !u.LinkExpiresAt.IsZero():
		return "link until " + formatTime(u.LinkExpiresAt)
	case !u.PasswordSetAt.IsZero():
		return "password"
	}
	return "-"
}

var usersSetPassword = userCommand("users set-password", "set the password of a user, from standard input", `
The first line of standard input is the password, at least 12 characters. All sessions
of the user end at once.`,
	func(ctx context.Context, p *program, users tracking.Users, user *tracking.User) error {
		text, err := p.readPassword()
		if err != nil {
			return err
		}
		if err := users.SetPassword(ctx, user.ID, text); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "set the password of %s\n", user.ID)
		return nil
	})

var usersLink = command{
	name:     "users link",
	operands: "USER",
	about:    "print a link by which a user signs in once",
	details: `
The user chooses a password there. The link works once, for 24 hours, and ends an
earlier one. USER is an e-mail address, or an ID of users list.`,
	declare: func(f *flags) action {
		db, account, public := f.database(), f.account(), f.dashboardURL()
		return func(ctx context.Context, p *program, operands []string) error {
			return p.onUser(ctx, *db, *account, operands[0], func(users tracking.Users, user *tracking.User) error {
				return printLink(ctx, p.stdout, users, user.ID, public.String())
			})
		}
	},
}

var usersDisable = userCommand("users disable", "end the sessions of a user, and refuse to sign in", `
Nothing is deleted, and API keys of the user stay valid: keys revoke ends those.`, setDisabled(true, "disabled"))

var usersEnable = userCommand("users enable", "let a disabled user sign in again", "", setDisabled(false, "enabled"))

func setDisabled(disabled bool, done string) func(context.Context, *program, tracking.Users, *tracking.User) error {
	return func(ctx context.Context, p *program, users tracking.Users, user *tracking.User) error {
		if _, err := users.Update(ctx, user.ID, tracking.UserUpdate{Disabled: tracking.Set(disabled)}); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s %s\n", done, user.ID)
		return nil
	}
}

var usersDelete = userCommand("users delete", "delete a user", `
The sessions of the user end at once. What the user did stays, with the ID in place
of the name, and so do API keys of the user: keys revoke ends those.`,
	func(ctx context.Context, p *program, users tracking.Users, user *tracking.User) error {
		if err := users.Delete(ctx, user.ID); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "deleted %s\n", user.ID)
		return nil
	})
