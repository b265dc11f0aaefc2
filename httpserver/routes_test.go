package httpserver_test

import (
	"context"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// listedRoute is one line of testdata/routes.txt.
type listedRoute struct {
	mark  string
	later string // the topic that brings it; empty when it is served
	same  string // the line that serves it too
}

func readRoutes(t *testing.T) map[string]listedRoute {
	t.Helper()
	text, err := os.ReadFile("testdata/routes.txt")
	if err != nil {
		t.Fatal(err)
	}
	routes := map[string]listedRoute{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		l, rest := listedRoute{mark: fields[2]}, strings.Join(fields[3:], " ")
		if topic, ok := strings.CutPrefix(rest, "later: "); ok {
			l.later = topic
		} else if name, ok := strings.CutPrefix(rest, "same "); ok {
			l.same = name
		} else if rest != "" {
			t.Fatalf("testdata/routes.txt: cannot read %q", line)
		}
		routes[fields[0]+" "+fields[1]] = l
	}
	return routes
}

// The route table has exactly the routes in testdata/routes.txt.
func TestRoutesAreThoseOfTheContract(t *testing.T) {
	file := readRoutes(t)
	table := map[string]bool{}
	for _, r := range newBench(t).server.Routes() {
		table[r.Method+" "+strings.TrimPrefix(r.Path, "/v2")] = true
	}
	contract, served, own, topics := 0, 0, 0, map[string]int{}
	for name, l := range file {
		if l.mark == "own" {
			own++
		} else {
			contract++
		}
		switch {
		case l.later != "":
			topics[l.later]++
			if table[name] {
				t.Errorf("%s is served: take the word later from its line", name)
			}
		case l.same != "":
			if _, ok := file[l.same]; !ok || !table[l.same] {
				t.Errorf("%s says it is the same as %q, which is not served", name, l.same)
			}
		case !table[name]:
			t.Errorf("%s is listed and not served", name)
		}
		if l.later == "" && l.mark != "own" {
			served++
		}
	}
	for name := range table {
		if _, ok := file[name]; !ok {
			t.Errorf("%s is served and not listed", name)
		}
	}
	if contract != 83 {
		t.Errorf("the file has %d operations of the published interface, want 83", contract)
	}
	t.Logf("%d of %d operations of the published interface are served, and %d own; %d come later:", served, contract, own, contract-served)
	for _, topic := range sorted(topics) {
		t.Logf("  %2d %s", topics[topic], topic)
	}
}

// TestReadsNeverWaitForTheWriter reads all resources with new keys while writes are
// blocked.
func TestReadsNeverWaitForTheWriter(t *testing.T) {
	b := newBench(t)
	b.mine.ids["layout_correction"] = b.layoutCorrection(b.mine)
	var keys []string
	for range b.server.Routes() {
		key, _ := b.newKey(b.mine.account, b.mine.user)
		keys = append(keys, key)
	}
	b.store.held.Store(true)
	read := 0
	for i, r := range b.server.Routes() {
		if r.Method != "GET" || !strings.HasPrefix(r.Path, "/v2/") {
			continue
		}
		read++
		path := b.mine.byID(r.Path)
		if typ, _ := typeOf(path); strings.Contains(path, "{id}") {
			path = strings.ReplaceAll(path, "{id}", b.mine.ids[typ])
		}
		path = b.mine.fill(strings.ReplaceAll(path, "{signed}", "{download}")) + goodQueries[r.Pattern()]
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		w := httptest.NewRecorder()
		sent := request("GET", path, "", "Authorization: Token "+keys[i])
		b.server.ServeHTTP(w, sent.WithContext(ctx))
		cancel()
		b.asDescribed(sent, w.Code, w.Header(), w.Body.Bytes())
		if w.Code != 200 {
			t.Errorf("%s: %d %s", r.Pattern(), w.Code, w.Body)
		}
	}
	if read < 15 {
		t.Errorf("only %d routes read", read)
	}
}
