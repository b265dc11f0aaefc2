package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestFollowTheSimulatedCarrier does what the command prints: two processes, with
// the printed configuration and variables.
func TestFollowTheSimulatedCarrier(t *testing.T) {
	t.Parallel()
	out := simulate(t, "--speed", "1e6", "--oauth", "--api-key", "--disorder", "0.5", "--shipments", "2")
	snippet := regexp.MustCompile(`(?s)\{\n.*\n\}\n`).FindString(out)
	var env []string
	for _, m := range regexp.MustCompile(`(?m)^export (\S+)$`).FindAllStringSubmatch(out, -1) {
		env = append(env, m[1])
	}
	body := regexp.MustCompile(`-d '(.*)'`).FindStringSubmatch(out)
	if snippet == "" || len(env) != 2 || body == nil {
		t.Fatalf("not what to try: %s", out)
	}

	p := start(t, env, "--config", write(t, "landfall.json", snippet), "--rate-default", "0")
	status, answer, err := p.call(p.key, http.MethodPost, "/tracking_requests", body[1])
	if err != nil || status != http.StatusCreated {
		t.Fatalf("POST: %d %s %v", status, answer, err)
	}
	eventually(t, 60*time.Second, func() error {
		requests := p.list(p.key, "/tracking_requests")
		containers := p.list(p.key, "/containers?include=transport_events")
		if len(containers.Data) != 1 {
			return fmt.Errorf("%d containers; request %v", len(containers.Data), requests.Data[0].Attributes)
		}
		// When the voyage is over it is no longer tracked.
		if got := requests.Data[0].Attributes["status"]; got != "created" && got != "tracking_stopped" {
			return fmt.Errorf("the request is %v", got)
		}
		milestones := map[any]bool{}
		for _, r := range containers.Included {
			milestones[r.Attributes["event"]] = true
		}
		for _, want := range []string{"vessel_loaded", "vessel_departed", "vessel_arrived", "vessel_discharged", "full_out", "delivered", "empty_in"} {
			if !milestones["container.transport."+want] {
				return fmt.Errorf("no %s among %v", want, milestones)
			}
		}
		return nil
	})
	for _, line := range p.lines() {
		if strings.Contains(line, "simulated-client-secret") || strings.Contains(line, "simulated-api-key") {
			t.Errorf("a secret is printed: %s", line)
		}
	}
	p.stop()
}

// TestCallbacksOfTheSimulatedCarrier: deliveries of a carrier are ingested for the
// configured account, and others are refused.
func TestCallbacksOfTheSimulatedCarrier(t *testing.T) {
	t.Parallel()
	out := simulate(t, "--speed", "1e6", "--shipments", "2")
	carrier := regexp.MustCompile(`http://\S+`).FindString(out)
	secret := base64.StdEncoding.EncodeToString([]byte("what only these two know"))
	config := fmt.Sprintf(`{"carriers": {"TEST": {"url": %q, "callbacks": [{"name": "trial", "account": "acme", "secrets": [{"env": "CALLBACK_SECRET"}]}]}}}`, carrier)
	address := freeAddress(t)
	receiver := "http://" + address + "/v2/callbacks/dcsa/trial"
	post := func(to, body string) int {
		answer, err := http.Post(to, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	// A carrier sends what is reported after the subscription, until it is taken. The
	// voyages take four seconds, and the server may take longer to start.
	if status := post(carrier+"/v2/event-subscriptions", fmt.Sprintf(`{"callbackUrl": %q, "secret": %q}`, receiver, secret)); status != http.StatusCreated {
		t.Fatalf("the subscription: %d", status)
	}
	db := newDB(t)
	key := must(t, "keys", "create", "--account", "acme", "--db", db)
	p := start(t, []string{"CALLBACK_SECRET=" + secret}, "--addr", address, "--db", db, "--config", write(t, "landfall.json", config), "--rate-default", "0")
	if status := post(receiver, "[]"); status != http.StatusUnauthorized {
		t.Errorf("a delivery without signature: %d", status)
	}
	eventually(t, 60*time.Second, func() error {
		for _, r := range p.list(key, "/containers?include=transport_events").Included {
			if r.Attributes["event"] == "container.transport.empty_in" {
				return nil
			}
		}
		return errors.New("no container has been given back yet")
	})
	if n := p.list(must(t, "keys", "create", "--account", "default", "--db", db), "/shipments").Meta.Total; n != 0 {
		t.Errorf("another account has %d shipments", n)
	}
}

// TestCarriersThatKeepTheServerFromStarting: nothing is written before.
func TestCarriersThatKeepTheServerFromStarting(t *testing.T) {
	t.Parallel()
	for carrier, words := range map[string][]string{
		`{"url": "http://carrier.example"}`:                                                           {"carriers.MAEU", "url is plain http"},
		`{"url": "https://c.example", "headers": {"K": {"env": "NOT_SET"}}}`:                          {"carriers.MAEU.headers.K", "NOT_SET"},
		`{"url": "https://c.example", "colour": "red"}`:                                               {"carriers.MAEU.colour"},
		`{"url": "https://c.example", "callbacks": [{"name": "a", "secrets": [{"env": "NOT_SET"}]}]}`: {"carriers.MAEU.callbacks[0].secrets[0]", "NOT_SET"},
	} {
		db := newDB(t)
		file := write(t, "landfall.json", `{"carriers": {"MAEU": `+carrier+`}}`)
		run(t, "serve", "--addr", "127.0.0.1:0", "--config", file, "--db", db).refused(t, 1, words...)
		if _, err := os.Stat(db); err == nil {
			t.Errorf("%s: there is a database", carrier)
		}
	}
	run(t, "serve", "--sandbox", "--config", write(t, "landfall.json", `{"carriers": {"TEST": {"url": "https://c.example"}}}`), "--db", newDB(t)).
		refused(t, 1, "carriers.TEST", "sandbox")
}

// simulate starts a carrier and returns its initial output.
func simulate(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"simulate-carrier", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Env, cmd.Dir = environment(), t.TempDir()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	text := make([]byte, 64<<10)
	n, err := out.Read(text) // it is printed in one write
	if err != nil {
		t.Fatal(err)
	}
	return string(text[:n])
}

// TestSettingsInTheDocuments: the configuration in docs/carriers.md is valid.
func TestSettingsInTheDocuments(t *testing.T) {
	shown := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(readFile(t, "../../docs/carriers.md"), -1)
	if len(shown) == 0 {
		t.Fatal("docs/carriers.md shows no configuration")
	}
	for _, m := range shown {
		var file struct{ Carriers json.RawMessage }
		if err := json.Unmarshal([]byte(m[1]), &file); err != nil {
			t.Fatalf("%v: %s", err, m[1])
		}
		env := regexp.MustCompile(`"file": "[^"]*"`).ReplaceAll(file.Carriers, []byte(`"env": "HERE"`)) // the files are not here
		all, err := parseCarriers(env)
		getenv := func(string) string { return "c2l4dGVlbiBieXRlcyBhcmUgZW5vdWdo" }
		if err == nil {
			_, err = all.sources(getenv)
		}
		if err == nil {
			_, err = all.deliveries(getenv)
		}
		if err != nil {
			t.Errorf("%v: %s", err, m[1])
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
