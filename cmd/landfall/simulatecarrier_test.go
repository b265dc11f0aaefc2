package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestFollowTheSimulatedCarrier does what the command prints: two processes, the
// configuration and the variables as they stand there.
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
		boxes := p.list(p.key, "/containers?include=transport_events")
		if len(boxes.Data) != 1 {
			return fmt.Errorf("%d containers; request %v", len(boxes.Data), requests.Data[0].Attributes)
		}
		// When the voyage is over it is no longer followed.
		if got := requests.Data[0].Attributes["status"]; got != "created" && got != "tracking_stopped" {
			return fmt.Errorf("the request is %v", got)
		}
		milestones := map[any]bool{}
		for _, r := range boxes.Included {
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

// simulate starts a carrier and returns what it prints before anybody asks it.
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

// TestSettingsInTheDocuments: what docs/carriers.md shows can be pasted.
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
		all, err := parseCarriers(file.Carriers)
		if err == nil {
			_, err = all.sources(func(string) string { return "c2VjcmV0" })
		}
		if err != nil && !strings.Contains(err.Error(), "no such file") {
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
