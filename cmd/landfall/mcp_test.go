package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// TestMCP asks a server through its /mcp and through landfall mcp, and gets one answer.
func TestMCP(t *testing.T) {
	server := serve(t, filepath.Join(t.TempDir(), "landfall.db"))
	key := server.key
	ask := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_container","arguments":{"query":"MRKU9465770"}}}`

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, strings.TrimSuffix(server.base, "/v2")+"/mcp", strings.NewReader(ask))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	overHTTP, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %s, %v", answer.StatusCode, overHTTP, err)
	}

	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	done := runWith(t, hello+ask+"\n", []string{"LANDFALL_URL=" + server.base, "LANDFALL_API_KEY=" + key}, "mcp")
	lines := strings.Split(strings.TrimSpace(done.stdout), "\n")
	if done.code != 0 || len(lines) != 2 {
		t.Fatalf("exit code %d, stdout %q, stderr %q", done.code, done.stdout, done.stderr)
	}
	if got, want := toolText(t, lines[1]), toolText(t, string(overHTTP)); got != want || !strings.Contains(got, "Nothing in this account matches") {
		t.Errorf("over stdio %s, over HTTP %s", got, want)
	}
	if strings.Contains(done.stdout+done.stderr, key) {
		t.Error("the key is printed")
	}
}

// toolText is the first text of an answer.
func toolText(t *testing.T, message string) string {
	t.Helper()
	var read struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(message), &read); err != nil || len(read.Result.Content) == 0 {
		t.Fatal(fmt.Sprint(err, ": ", message))
	}
	return read.Result.Content[0].Text
}

// TestMCPSettings: what is missing or wrong is said before anything is read.
func TestMCPSettings(t *testing.T) {
	for want, args := range map[string][]string{
		"LANDFALL_API_KEY or --api-key is missing": {"mcp"},
		"must be an absolute URL":                  {"mcp", "--api-key", "lf_x", "--url", "tracking.example.com"},
	} {
		if r := run(t, args...); r.code != 2 || !strings.Contains(r.stderr, want) || strings.Contains(r.stderr, "lf_x") {
			t.Errorf("%q: code %d, %s; want %s", args, r.code, r.stderr, want)
		}
	}
}
