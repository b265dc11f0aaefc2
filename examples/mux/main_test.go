package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
)

func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	site, err := newSite(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(site)
	defer server.Close()

	// call is a client that logs in as the application wants it.
	call := func(name, password, method, path, body string) {
		r, _ := http.NewRequest(method, server.URL+path, strings.NewReader(body))
		r.SetBasicAuth(name, password)
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer answer.Body.Close()
		var document struct {
			Meta struct{ Total int }
		}
		json.NewDecoder(answer.Body).Decode(&document) // the welcome page is no JSON
		fmt.Println(name, method, path, answer.StatusCode, "total", document.Meta.Total)
	}
	const party = `{"data": {"type": "party", "attributes": {"company_name": "Alder & Finch"}}}`

	call("nobody", "", "GET", "/", "")
	call("nobody", "", "GET", "/tracking/parties", "")
	call("ada", "lovelace", "POST", "/tracking/parties", party)
	call("grace", "hopper", "POST", "/tracking/parties", party)
	call("grace", "hopper", "GET", "/tracking/parties", "")
	// Output:
	// nobody GET / 200 total 0
	// nobody GET /tracking/parties 401 total 0
	// ada POST /tracking/parties 201 total 0
	// grace POST /tracking/parties 403 total 0
	// grace GET /tracking/parties 200 total 1
}
