package mcpserver_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/mcpserver"
)

// conformanceScenarios are those of the suite that need nothing of a server but the protocol.
// The others call tools, prompts and resources of the suite's own server by their names
// (test_simple_text and the like), or need sessions and messages of the server, which this one
// does not have: tools-call-*, prompts-get-*, resources-read-*, resources-templates-read,
// resources-subscribe, resources-unsubscribe, json-schema-2020-12, elicitation-*, server-sse-*
// and logging-set-level.
var conformanceScenarios = []string{"server-initialize", "ping", "tools-list", "prompts-list", "resources-list", "completion-complete", "dns-rebinding-protection"}

// TestConformance runs scenarios of the npm package @modelcontextprotocol/conformance, whose
// dist/index.js LANDFALL_CONFORMANCE names. It needs Node 22 or later, which LANDFALL_NODE
// names if it is not the command node.
func TestConformance(t *testing.T) {
	suite, node := os.Getenv("LANDFALL_CONFORMANCE"), os.Getenv("LANDFALL_NODE")
	if node == "" {
		node = "node"
	}
	if suite == "" || !isNode22(t, node) {
		t.Skip("LEFT OUT: the conformance suite does not run: it needs Node 22 and LANDFALL_CONFORMANCE, the dist/index.js of @modelcontextprotocol/conformance")
	}
	w := newWorld(t)
	s, err := mcpserver.New(mcpserver.Config{URL: "http://localhost/v2", Key: w.key, Transport: mcpserver.InProcess(w.api), Clock: w.Clock})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	for _, scenario := range conformanceScenarios {
		t.Run(scenario, func(t *testing.T) {
			c := exec.CommandContext(t.Context(), node, suite, "server", "--url", server.URL+"/mcp", "--scenario", scenario)
			c.Dir = t.TempDir()
			out, err := c.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "Passed: ") || strings.Contains(string(out), "Passed: 0/") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

func isNode22(t *testing.T, node string) bool {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), node, "--version").Output()
	if err != nil {
		return false
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".")
	n, err := strconv.Atoi(major)
	return err == nil && n >= 22
}
