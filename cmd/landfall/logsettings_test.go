package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/httpserver"
)

// The level applies to the log and not to the access log, which has a switch of its own.
func TestLogLevels(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]int{"debug": 4, "info": 3, "warn": 2, "error": 1} {
		var out bytes.Buffer
		var s logSettings
		if err := s.level.Set(level); err != nil {
			t.Fatal(err)
		}
		log, access := s.open(&out)
		if access != nil {
			t.Error("there is an access log without the switch")
		}
		log = log.With("a", 1).WithGroup("g") // they keep the level
		log.Debug("d")
		log.Info("i")
		log.Warn("w")
		log.Error("e")
		if got := strings.Count(out.String(), "\n"); got != want {
			t.Errorf("%s: %d lines, want %d: %s", level, got, want, out.String())
		}
	}
	var out bytes.Buffer
	s := logSettings{access: true}
	if err := s.level.Set("error"); err != nil {
		t.Fatal(err)
	}
	_, access := s.open(&out)
	logRequest(access, httpserver.Exchange{ID: "1", Method: "GET", Route: "/v2/shipments", Status: 200, Bytes: 5, Duration: 1234567 * time.Nanosecond})
	if !strings.HasSuffix(out.String(), " level=INFO msg=request request_id=1 method=GET route=/v2/shipments status=200 bytes=5 ms=1.235\n") {
		t.Errorf("the line is %s", out.String())
	}
}

func TestLogSettingsRefused(t *testing.T) {
	t.Parallel()
	run(t, "serve", "--log-format", "xml").refused(t, 2, "log-format", "text or json")
	run(t, "serve", "--log-level", "loud").refused(t, 2, "log-level", "debug, info, warn or error")
	run(t, "serve", "--config", write(t, "landfall.json", `{"log-level": "INFO"}`)).refused(t, 1, "log-level", "debug, info, warn or error")
}

// Each request is an object of the JSON log: with its ID, its caller and the client that
// the trusted proxy names, and without its path, its query or its key.
func TestAccessLog(t *testing.T) {
	t.Parallel()
	p := start(t, []string{"LANDFALL_LOG_FORMAT=json"}, "--access-log", "--trust-proxy", "127.0.0.1")
	ask := func(method, path, key string) (id string) {
		t.Helper()
		r, err := http.NewRequest(method, p.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Token "+key)
		r.Header.Set("X-Forwarded-For", "203.0.113.5")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.Header.Get("X-Request-Id")
	}
	ids := []string{ask("GET", "/shipments?filter[tags]=canary-query", p.key), ask("GET", "/shipments/canary-path", p.key), ask("GET", "/shipments", "canary-key"), ask("GET", "/canary-path", p.key)}
	p.stop()
	lines := map[string]map[string]any{}
	for _, line := range p.lines() {
		var object map[string]any
		if strings.HasPrefix(line, "landfall: ") {
			continue
		}
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if id, ok := object["request_id"].(string); ok {
			lines[id] = object
		}
		if strings.Contains(line, "canary") || strings.Contains(line, secretPart(p.key)) {
			t.Errorf("a part of the request is in the log: %s", line)
		}
	}
	for i, want := range []string{"GET /v2/shipments 200", "GET /v2/shipments/{id} 404", "GET /v2/shipments 401", "GET  404"} {
		o := lines[ids[i]]
		text := func(name string) string { s, _ := o[name].(string); return s }
		status, _ := o["status"].(float64)
		if got := fmt.Sprintf("%s %s %d", text("method"), text("route"), int(status)); o["msg"] != "request" || got != want {
			t.Errorf("request %d: %v, want %s", i, o, want)
		}
		caller := status != http.StatusUnauthorized
		if _, ok := o["account"]; ok != caller {
			t.Errorf("request %d has an account: %t", i, ok)
		}
		if _, ok := o["key"]; ok != caller {
			t.Errorf("request %d has the ID of a key: %t", i, ok)
		}
		if ms, _ := o["ms"].(float64); text("client") != "203.0.113.5" || ms <= 0 || o["bytes"].(float64) <= 0 {
			t.Errorf("request %d: %v", i, o)
		}
	}
}
