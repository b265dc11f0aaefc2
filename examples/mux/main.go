// Command mux serves the interface in a web application with its own users, login and
// http.ServeMux.
//
//	go run ./examples/mux
//	curl -i -u ada:lovelace http://127.0.0.1:8081/tracking/shipments
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage"
)

func main() {
	site, err := newSite(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	server := http.Server{Addr: "127.0.0.1:8081", Handler: site, ReadHeaderTimeout: 5 * time.Second}
	log.Print("http://", server.Addr)
	log.Fatal(server.ListenAndServe())
}

// user is a user of the application. The application knows nothing about tracking.
type user struct {
	password, company string
	mayChange         bool
}

var users = map[string]user{
	"ada":   {"lovelace", "acme", true},
	"grace": {"hopper", "acme", false},
}

// newSite returns the application: its own pages and the interface.
func newSite(ctx context.Context) (http.Handler, error) {
	store, err := storage.Open("memory:")
	if err != nil {
		return nil, err
	}
	tr, err := tracking.New(tracking.Config{Store: store})
	if err != nil {
		return nil, err
	}
	accounts, err := companyAccounts(ctx, tr)
	if err != nil {
		return nil, err
	}
	go tr.Run(ctx)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "Welcome to the application.")
	})
	mux.Handle("/tracking/", httpserver.New(httpserver.Config{
		Tracker:      tr,
		Prefix:       "/tracking",
		Authenticate: authenticator(accounts),
	}))
	return mux, nil
}

// companyAccounts creates an account for each company, so users see the data of their
// own company only.
func companyAccounts(ctx context.Context, tr *tracking.Tracker) (map[string]tracking.AccountID, error) {
	accounts := map[string]tracking.AccountID{}
	for _, u := range users {
		account, _, err := tr.EnsureAccount(ctx, u.company)
		if err != nil {
			return nil, err
		}
		accounts[u.company] = account.Scope()
	}
	return accounts, nil
}

// authenticator identifies the user of a request and their permissions, by the users
// of the application and not by keys of the engine.
func authenticator(accounts map[string]tracking.AccountID) func(*http.Request) (tracking.Actor, error) {
	return func(r *http.Request) (tracking.Actor, error) {
		name, password, _ := r.BasicAuth()
		u, ok := users[name]
		if !ok || u.password != password {
			return tracking.Actor{}, &httpserver.AuthenticationError{Detail: "Please log in.", Challenge: `Basic realm="tracking"`}
		}
		permissions := []tracking.Permission{tracking.Show}
		if u.mayChange {
			permissions = append(permissions, tracking.Create, tracking.Update)
		}
		return tracking.Actor{Account: accounts[u.company], Permissions: permissions}, nil
	}
}
