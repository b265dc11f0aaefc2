package webhook_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook/signature"
)

// The npm package standardwebhooks verifies deliveries with either secret during a
// rotation, and with no other.
func TestSignaturesByNPM(t *testing.T) {
	dir := os.Getenv("LANDFALL_STANDARDWEBHOOKS")
	if dir == "" {
		t.Skip("set LANDFALL_STANDARDWEBHOOKS to a folder in which `npm install standardwebhooks` was run")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	current, former := signature.NewSecret(), signature.NewSecret()
	secrets := []string{current, former, signature.NewSecret()}
	var questions bytes.Buffer
	for range 20 {
		a, _ := deliver(t, local, func(d *tracking.Dispatch) {
			d.Secrets = secrets[:2]
			d.Body = []byte(`{"data":{"attributes":{"place":"Zürich 東京 🚢"}}}`)
		})
		headers := map[string]string{}
		for name := range a.header {
			headers[name] = a.header.Get(name)
		}
		for _, secret := range secrets {
			if err := json.NewEncoder(&questions).Encode(map[string]any{"secret": secret, "headers": headers, "body": string(a.body)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	c := exec.Command(node, "testdata/verify.cjs", dir)
	c.Stdin, c.Stderr = &questions, os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(answers) != 60 {
		t.Fatalf("%d answers: %s", len(answers), out)
	}
	for i, answer := range answers {
		if got, want := answer == "ok", i%3 < 2; got != want {
			t.Errorf("delivery %d, secret %d: %s", i/3, i%3, answer)
		}
	}
	t.Logf("%d deliveries verified with 2 secrets each, and with no third", len(answers)/3)
}
